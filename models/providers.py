"""What litellm knows of models and their providers: keys, parameters, prices.

litellm takes seconds to import, so that happens with the first question. Keys come from the
environment only, under the names that litellm knows.
"""

import logging
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from trajectory.files import InputError

# Of what litellm returns for a request, this is no parameter of ours.
_NONE_OF_OURS: Final = frozenset(("stream", "extra_body"))
# What a server of one's own is told where there is no key: the client wants to send one.
_NO_KEY: Final = "none"


@cache
def litellm() -> Any:
    """Return litellm, told not to look for prices or settings outside, nor to print banners."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm as module

    module.suppress_debug_info = True
    module.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return module


@cache
def errors() -> tuple[type[Exception], ...]:
    """Return the classes that the errors of a question are of."""
    from openai import OpenAIError

    return (TimeoutError, OpenAIError, ValueError)


def address(name: str, base: str | None) -> dict[str, str]:
    """Return what tells litellm whom to ask; a server of one's own may do without a key.

    Raises InputError where a key is missing: to litellm that looks like a failure of the provider.
    """
    missing = litellm().validate_environment(model=name)["missing_keys"]
    if base is None and missing:
        keys = ", ".join(sorted(missing))
        raise InputError(f"no key for model {name}", do=f"set {keys} in the environment")
    if base is None:
        return {"model": name}
    return {"model": name, "api_base": base, **({"api_key": _NO_KEY} if missing else {})}


@cache
def taken(name: str, given: tuple[tuple[str, Any], ...]) -> Mapping[str, Any]:
    """Return parameters as a provider gets them: renamed, or left out where it takes none such.

    Where litellm doesn't know the provider, they are returned as they are.
    """
    module = litellm()
    try:
        model, provider, _, _ = module.get_llm_provider(name)
        sent = module.utils.get_optional_params(
            model=model, custom_llm_provider=provider, drop_params=True, **dict(given)
        )
    except module.exceptions.BadRequestError:
        return dict(given)
    return {key: value for key, value in sent.items() if key not in _NONE_OF_OURS}


@cache
def require_tools(name: str) -> None:
    """Raise InputError where a model's provider is known to take no native tools."""
    known = litellm().get_supported_openai_params(model=name)
    if known is not None and "tools" not in known:
        raise InputError(f"model {name} takes no native tools", do="show it the plan as text")


@cache
def takes_schema(name: str) -> bool:
    """Return whether a model is known to answer in the form of a JSON schema."""
    return bool(litellm().supports_response_schema(model=name))


def bare(base: str) -> str:
    """Return an address without user, password and query."""
    parts = urlsplit(base)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def cost_of(response: Any) -> float | None:
    """Return the US dollars that litellm puts on a response; None where it knows no price."""
    cost = (getattr(response, "_hidden_params", None) or {}).get("response_cost")
    return float(cost) if cost else None
