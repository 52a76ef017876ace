"""Timeout_Error: a tool does not answer in time, and nobody tries again."""

from build.injectors.outages import outages
from trajectory.error_types import ErrorType

INJECTOR = outages(ErrorType.TIMEOUT, ("timeout",))
