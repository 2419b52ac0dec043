"""Saved positions of the PettingZoo environment, and their check before one is restored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thurn_env.checks import finite, is_flag, quoted, whole
from thurn_env.errors import OptionError


def check_position(state: Any, arguments: dict[str, Any], agents: Sequence[str], size: int) -> None:
    """Check a position of `GameEnv.get_state`. The contents of the state record are not checked.

    Args:
        state: the position.
        arguments: arguments of the environment that is to take it.
        agents: its possible agents.
        size: number of bytes of a state record.

    Raises:
        OptionError: it is no such position, or is from another environment.
    """
    if not isinstance(state, dict) or not isinstance(state.get("arguments"), dict):
        raise OptionError(f"state must be what get_state returned, not {quoted(state)}")
    for name, value in arguments.items():
        if state["arguments"].get(name) != value:
            other = state["arguments"].get(name)
            raise OptionError(f"the state has {name} {other!r}, but this environment has {value!r}")

    def natural(value: Any) -> bool:
        return (whole(value) or 0) >= 0 and whole(value) is not None

    def by_agent(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
        def fits(value: Any) -> bool:
            # "agents" is checked first.
            known = isinstance(value, dict) and {*state["agents"]} <= {*value} <= {*agents}
            return known and all(map(kind, value.values()))

        return fits

    def number(value: Any) -> bool:
        return finite(value) is not None

    fitting: dict[str, Callable[[Any], bool]] = {
        "first_seed": natural,
        "resets": natural,
        "seed": natural,
        "start_player": lambda value: value is None or value in range(len(agents)),
        "actions": lambda value: isinstance(value, list) and all(type(action) is int for action in value),
        "states": lambda value: isinstance(value, bytes) and len(value) == size,
        "agents": lambda value: isinstance(value, list) and all(agent in agents for agent in value),
        "agent_selection": lambda value: value in agents,
        "skip_agent_selection": lambda value: value is None or value in agents,
        "rewards": by_agent(number),
        "cumulative_rewards": by_agent(number),
        "terminations": by_agent(is_flag),
        "truncations": by_agent(is_flag),
        "potentials": lambda value: isinstance(value, list) and len(value) == len(agents) and all(map(number, value)),
    }
    for name, fits in fitting.items():
        if name not in state:
            raise OptionError(f"the state lacks {name!r}; it must be what get_state returned")
        if not fits(state[name]):
            raise OptionError(f"the state's {name!r} is not what get_state returned: {quoted(state[name])}")
