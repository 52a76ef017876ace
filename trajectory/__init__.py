"""The language that all parts speak: plans, tools, calls, error types, instances."""
