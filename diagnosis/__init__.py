"""Comparing executions: affected sets, minimal repairs, the labeller."""
