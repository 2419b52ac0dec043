"""Checks of arguments that several classes take; each returns the value or says what is wrong with it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thurn_env.errors import OptionError


def checked_seed(seed: int | None) -> int:
    """The seed itself, or a fresh one for None; `OptionError` if it is no whole number from 0 up."""
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        assert isinstance(entropy, int)
        return entropy
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError(f"a seed is a whole number from 0 up, not {seed!r}")
    return int(seed)


def checked_flag(name: str, value: Any) -> bool:
    """A value that must be True or False."""
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be True or False, not {value!r}")
    return value


def checked_shaping(value: Any) -> float:
    """The weight of reward shaping: a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise OptionError(f"shaping must be a finite number, not {value!r}")
    return float(value)


def checked_count(name: str, value: Any) -> int:
    """A whole number from 1 up."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise OptionError(f"{name} must be a whole number from 1 up, not {value!r}")
    return int(value)


def checked_choice(name: str, value: Any, choices: tuple[str, ...]) -> int:
    """The number of a choice among texts."""
    if value not in choices:
        raise OptionError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return choices.index(value)


def checked_seat(name: str, value: Any, players: int) -> int:
    """A seat at a table of so many players."""
    if isinstance(value, bool) or value not in range(players):
        raise OptionError(f"{name} must be a seat from 0 to {players - 1}, not {value!r}")
    return int(value)


def checked_render_mode(value: Any, metadata: dict[str, Any]) -> str | None:
    """One of the render modes in an environment's metadata, or None."""
    known = metadata["render_modes"]
    if value is not None and value not in known:
        raise OptionError(f"render_mode must be None or {', '.join(map(repr, known))}, not {value!r}")
    return value  # type: ignore[no-any-return]
