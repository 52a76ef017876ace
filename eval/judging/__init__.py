"""Judging rows of a run by a model (metrics.md, "The SDE rubric")."""
