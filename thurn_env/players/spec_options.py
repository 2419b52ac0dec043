"""Options in the spec of an agent: `name=value` parts between commas."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from thurn_env.errors import AgentError

__all__ = ["named_options"]


def named_options(agent: str, parts: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return the texts of options by name, in the order given.

    Args:
        agent: name of the agent, for error messages.
        parts: the parts of the spec, such as `ms=200`; a part without `=` has an empty text.
        known: names of all options.

    Raises:
        AgentError: an option is unknown or given twice.
    """
    names = list(known)
    given: dict[str, str] = {}
    for part in parts:
        name, _, text = part.partition("=")
        if name not in names:
            close = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean {close[0]}? The" if close else "; the"
            raise AgentError(f"{agent} has no option {name!r}{hint} options are {', '.join(names)}")
        if name in given:
            raise AgentError(f"{agent}: {name} is given twice")
        given[name] = text
    return given
