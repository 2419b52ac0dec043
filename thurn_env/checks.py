"""Checks of arguments, for the whole project: each returns the value as a plain Python value or says what is wrong.

NumPy's numbers and truth values count as Python's, because results of NumPy are what people compute with. They are
turned into Python's at once, so that records, JSON and caches never hold anything else. A truth value is no number,
although Python could count with it: `seed=True` is a mistake.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from thurn_env.errors import OptionError, clipped

MOST_LANES = 1 << 20
"""Games that may be played side by side."""
MOST_THREADS = 1024
"""Threads or processes that may work at once."""
MOST_GAMES = 1_000_000
"""Games, decks or positions that a command may be asked for: more would take weeks, and say nothing new."""
MOST_PLAYERS = 16
"""Seats at a table that anything here can think of; every game says how many of them it has."""
LONGEST_WAIT = 86_400
"""Seconds that may be asked for, of a time limit or a pause: a day."""


def quoted(value: Any) -> str:
    """Return a wrong value as messages show it: its `repr` on one line, cut off where it is long."""
    try:
        return clipped(repr(plain(value)))
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return "a number of thousands of digits"


def plain(value: Any) -> Any:
    """A value with NumPy's scalars turned into Python's, also within lists, tuples and dictionaries."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    # A tuple with names is left as it is: it takes its values one by one.
    return tuple(plain(inner) for inner in value) if type(value) is tuple else value


def is_flag(value: Any) -> bool:
    """Whether a value is True or False, Python's or NumPy's."""
    return isinstance(value, bool | np.bool_)


def whole(value: Any) -> int | None:
    """A whole number as an int; None if the value is none. Fractions and truth values are none."""
    if isinstance(value, int):
        # An int that is of another class, as of an enumeration, becomes a plain one.
        return None if isinstance(value, bool) else int(value)
    if is_flag(value):
        return None
    try:
        index = operator.index(value)
    except TypeError:
        return None
    return None if isinstance(index, bool) else index


def finite(value: Any) -> float | None:
    """A finite number as a float; None if the value is none."""
    if is_flag(value) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def array_of(values: Any) -> np.ndarray[Any, Any]:
    """Numbers or truth values as an array; a single object of no use if they are not of one kind and one length."""
    useless = np.empty((), object)
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of different lengths
        return useless
    # NumPy would make 1 of a True beside numbers.
    mixed = array.dtype.kind in "iuf" and isinstance(values, list | tuple) and any(map(is_flag, values))
    return useless if mixed else array


def checked_whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    number = whole(value)
    if number is None:
        raise OptionError(f"{name} must be a whole number, not {quoted(value)}")
    if not least <= number <= most:
        raise OptionError(f"{name} must be from {least:,} to {most:,}, not {quoted(number)}")
    return number


def checked_number(name: str, value: Any, least: float, most: float, *, above: bool = False) -> float:
    """A finite number from `least` to `most`; with `above` it must be greater than `least`."""
    number = finite(value)
    if number is None:
        raise OptionError(f"{name} must be a finite number, not {quoted(value)}")
    if not least <= number <= most or (above and number == least):
        bounds = f"more than {least:,.12g} and at most" if above else f"from {least:,.12g} to"
        raise OptionError(f"{name} must be {bounds} {most:,.12g}, not {quoted(value)}")
    return number


def checked_seed(seed: Any) -> int:
    """The seed itself, or a fresh one for None; `OptionError` if it is no whole number from 0 up."""
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        assert isinstance(entropy, int)
        return entropy
    number = whole(seed)
    if number is None or number < 0:
        raise OptionError(f"a seed is a whole number from 0 up, not {quoted(seed)}")
    return number


def checked_flag(name: str, value: Any) -> bool:
    """A value that must be True or False."""
    if not is_flag(value):
        raise OptionError(f"{name} must be True or False, not {quoted(value)}")
    return bool(value)


def checked_shaping(value: Any) -> float:
    """The weight of reward shaping: a finite number."""
    number = finite(value)
    if number is None:
        raise OptionError(f"shaping must be a finite number, not {quoted(value)}")
    return number


def checked_choice(name: str, value: Any, choices: tuple[str, ...]) -> int:
    """The number of a choice among texts."""
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{name} must be one of {', '.join(choices)}, not {quoted(value)}")
    return choices.index(value)


def checked_seat(name: str, value: Any, players: int) -> int:
    """A seat at a table of `players` players."""
    seat = whole(value)
    if seat is None or not 0 <= seat < players:
        raise OptionError(f"{name} must be a seat from 0 to {players - 1}, not {quoted(value)}")
    return seat


def checked_render_mode(value: Any, metadata: Mapping[str, Any]) -> str | None:
    """One of the render modes in an environment's metadata, or None."""
    known = metadata["render_modes"]
    if value is not None and not (isinstance(value, str) and value in known):
        raise OptionError(f"render_mode must be None or {', '.join(map(repr, known))}, not {quoted(value)}")
    return value


def check_options(
    arguments: Any, check: Callable[..., Any], names: Sequence[str], *bounds: float, **further: bool
) -> None:
    """Hold options of a dataclass to the same bounds by one of the checks; None is fine where it is the default."""
    may_be_none = {field.name for field in fields(arguments) if field.default is None}
    for name in names:
        value = getattr(arguments, name)
        if value is not None or name not in may_be_none:
            check(f"--{name.replace('_', '-')}", value, *bounds, **further)
