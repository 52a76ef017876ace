"""Tasks and instances as a person wants to read them: plain text of at most 100 columns."""
