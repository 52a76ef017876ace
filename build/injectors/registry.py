"""All injectors by the type that they put in."""

from collections.abc import Mapping
from typing import Final

from build.injectors import (
    dependence,
    dependence_null,
    missing_call,
    null,
    parallelism,
    parameter_invalid,
    parameter_missing,
    parameter_name,
    parameter_type,
    redundant_call,
    serial,
    timeout,
    tool_name,
    tool_select,
)
from build.injectors.scene import Injector
from trajectory.error_types import ErrorType

_MODULES: Final = (
    serial,
    parallelism,
    dependence,
    dependence_null,
    tool_name,
    tool_select,
    missing_call,
    redundant_call,
    null,
    timeout,
    parameter_name,
    parameter_type,
    parameter_invalid,
    parameter_missing,
)

INJECTORS: Final[Mapping[ErrorType, Injector]] = {
    module.INJECTOR.type: module.INJECTOR for module in _MODULES
}
