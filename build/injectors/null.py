"""Null_Error: a tool answers with nothing, and nobody tries again."""

from build.injectors.outages import outages
from trajectory.error_types import ErrorType

INJECTOR = outages(ErrorType.NULL, ("null", "empty_text", "empty_list"))
