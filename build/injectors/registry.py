"""All injectors by the type that they put in."""

from collections.abc import Mapping
from typing import Final

from build.injectors import parameter_missing
from build.injectors.scene import Injector
from trajectory.error_types import ErrorType

_MODULES: Final = (parameter_missing,)

INJECTORS: Final[Mapping[ErrorType, Injector]] = {
    module.INJECTOR.type: module.INJECTOR for module in _MODULES
}
