"""The worlds. A module here that defines WORLD is a world; its name is the module's."""

import importlib
import pkgutil
from functools import cache

from environment.world import World, WorldTool


@cache
def world_names() -> tuple[str, ...]:
    """Return the names of all worlds, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def world(name: str) -> World:
    """Return a world by name; raises KeyError on an unknown one."""
    if name not in world_names():
        raise KeyError(name)
    found: World = importlib.import_module(f"{__name__}.{name}").WORLD
    return found


@cache
def tools(names: tuple[str, ...]) -> dict[str, WorldTool]:
    """Return the tools of these worlds by name; tool names are unique over all worlds."""
    return {tool.name: tool for name in names for tool in world(name).tools.values()}
