"""Tasks of our own: composed bottom-up by semantic types, run top-down, asked in one message."""
