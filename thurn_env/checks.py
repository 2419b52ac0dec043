"""Checks of arguments: each returns the value as a plain Python value or raises an error that explains the problem.

NumPy numbers and bools are accepted like Python's, since they are results of computations. They are converted at once,
so records, JSON and caches never contain NumPy scalars. A bool is not a number here, although Python allows it:
`seed=True` is a mistake.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from thurn_env.errors import OptionError, clipped

MOST_LANES = 1 << 20
"""Maximum number of games stepped together."""
MOST_THREADS = 1024
"""Maximum number of threads or processes."""
MOST_GAMES = 1_000_000
"""Maximum number of games, decks or positions for a command; more would take weeks."""
MOST_PLAYERS = 16
"""Upper bound of the number of seats; every game has its own, lower limit."""
LONGEST_WAIT = 86_400
"""Maximum number of seconds of a timeout or pause: one day."""


def quoted(value: Any) -> str:
    """Return a wrong value for an error message: its `repr` on one line, truncated if it is long."""
    try:
        return clipped(repr(plain(value)))
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return "a number of thousands of digits"


def plain(value: Any) -> Any:
    """Return a value with NumPy scalars converted to Python's, also within lists, tuples and dictionaries."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    # A named tuple cannot be made from an iterable; leave it as it is.
    return tuple(plain(inner) for inner in value) if type(value) is tuple else value


def is_flag(value: Any) -> bool:
    """Return whether a value is a Python or NumPy bool."""
    return isinstance(value, bool | np.bool_)


def whole(value: Any) -> int | None:
    """Return an integer as an int; None if the value is not an integer. Fractions and bools are not."""
    if isinstance(value, int):
        # Convert int subclasses, such as enum members, to int.
        return None if isinstance(value, bool) else int(value)
    if is_flag(value):
        return None
    try:
        index = operator.index(value)
    except TypeError:
        return None
    return None if isinstance(index, bool) else index


def finite(value: Any) -> float | None:
    """Return a finite number as a float; None if the value is not one."""
    if is_flag(value) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def array_of(values: Any) -> np.ndarray[Any, Any]:
    """Return numbers or bools as an array; an object array of shape () if kinds or lengths differ."""
    useless = np.empty((), object)
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of different lengths
        return useless
    # NumPy would turn a True among numbers into 1.
    mixed = array.dtype.kind in "iuf" and isinstance(values, list | tuple) and any(map(is_flag, values))
    return useless if mixed else array


def checked_whole(name: str, value: Any, least: int, most: int) -> int:
    """Return an integer from `least` to `most`; raise `OptionError` for any other value."""
    number = whole(value)
    if number is None:
        raise OptionError(f"{name} must be a whole number, not {quoted(value)}")
    if not least <= number <= most:
        raise OptionError(f"{name} must be from {least:,} to {most:,}, not {quoted(number)}")
    return number


def checked_number(name: str, value: Any, least: float, most: float, *, above: bool = False) -> float:
    """Return a finite number from `least` to `most`; with `above` it must be greater than `least`."""
    number = finite(value)
    if number is None:
        raise OptionError(f"{name} must be a finite number, not {quoted(value)}")
    if not least <= number <= most or (above and number == least):
        bounds = f"more than {least:,.12g} and at most" if above else f"from {least:,.12g} to"
        raise OptionError(f"{name} must be {bounds} {most:,.12g}, not {quoted(value)}")
    return number


def checked_seed(seed: Any) -> int:
    """Return the seed, or a fresh one for None; raise `OptionError` if it is not an integer from 0 up."""
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        assert isinstance(entropy, int)
        return entropy
    number = whole(seed)
    if number is None or number < 0:
        raise OptionError(f"a seed is a whole number from 0 up, not {quoted(seed)}")
    return number


def checked_flag(name: str, value: Any) -> bool:
    """Return a bool; raise `OptionError` for any other value."""
    if not is_flag(value):
        raise OptionError(f"{name} must be True or False, not {quoted(value)}")
    return bool(value)


def checked_reset_options(options: Any) -> dict[str, Any]:
    """Return the `options` of a `reset`, empty for None; raise `OptionError` if they are no dictionary."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise OptionError(f'options must be a dictionary such as {{"start_player": 0}}, not {quoted(options)}')
    return options


def checked_shaping(value: Any) -> float:
    """Return the weight of reward shaping, a finite number."""
    number = finite(value)
    if number is None:
        raise OptionError(f"shaping must be a finite number, not {quoted(value)}")
    return number


def checked_choice(name: str, value: Any, choices: tuple[str, ...]) -> int:
    """Return the index of a choice."""
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{name} must be one of {', '.join(choices)}, not {quoted(value)}")
    return choices.index(value)


def checked_seat(name: str, value: Any, players: int) -> int:
    """Return a seat at a table of `players` players; raise `OptionError` if there is no such seat."""
    seat = whole(value)
    if seat is None or not 0 <= seat < players:
        raise OptionError(f"{name} must be a seat from 0 to {players - 1}, not {quoted(value)}")
    return seat


def checked_render_mode(value: Any, known: Sequence[str]) -> str | None:
    """Return one of the known render modes, or None."""
    if value is not None and not (isinstance(value, str) and value in known):
        raise OptionError(f"render_mode must be None or {', '.join(map(repr, known))}, not {quoted(value)}")
    return value


def check_options(
    arguments: Any, check: Callable[..., Any], names: Sequence[str], *bounds: float, **further: bool
) -> None:
    """Check options of a dataclass against the same bounds with one of the checks; None passes if it is the default."""
    may_be_none = {field.name for field in fields(arguments) if field.default is None}
    for name in names:
        value = getattr(arguments, name)
        if value is not None or name not in may_be_none:
            check(f"--{name.replace('_', '-')}", value, *bounds, **further)
