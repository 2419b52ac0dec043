"""Declaration and checks of game options and of the number of players."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from thurn_env.checks import checked_flag, checked_whole, quoted, whole
from thurn_env.errors import OptionError, UnknownOption, clipped

Chosen = TypeVar("Chosen", bound="RuleOptions")


def option(default: bool | int, meaning: str, least: int = 0, most: int = 0) -> Any:
    """Declare an option: a bool, or an integer from `least` to `most`; `meaning` is one line for the tables."""
    return field(default=default, metadata={"meaning": meaning, "least": least, "most": most})


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """Options that change the rules of a game, each declared by `option`; records contain them."""

    def __post_init__(self) -> None:
        for declared in fields(self):
            value, what = getattr(self, declared.name), f"option {declared.name}"
            if isinstance(declared.default, bool):
                chosen: bool | int = checked_flag(what, value)
            else:
                chosen = checked_whole(what, value, declared.metadata["least"], declared.metadata["most"])
            object.__setattr__(self, declared.name, chosen)

    def as_dict(self) -> dict[str, Any]:
        """Return all options by name, as in records."""
        return asdict(self)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return rows (name, value, default, meaning) for the tables."""
        return [
            (declared.name, str(getattr(self, declared.name)), str(declared.default), declared.metadata["meaning"])
            for declared in fields(self)
        ]


def chosen_options(kind: type[Chosen], given: dict[str, Any] | None) -> Chosen:
    """Return the options that a caller gives by name; raise `UnknownOption` for an unknown one."""
    known = [declared.name for declared in fields(kind)]
    for name in given or {}:
        if name not in known:
            close = difflib.get_close_matches(clipped(name), known, 1)
            hint = f"; did you mean {close[0]}?" if close else "."
            error = UnknownOption(f"unknown option {quoted(name)}{hint} The options are {', '.join(known)}")
            error.name = name
            raise error
    return kind(**(given or {}))


def checked_players(title: str, numbers: tuple[int, ...], players: object) -> int:
    """Return a number of players that the game of this title allows; `numbers` are ascending."""
    number = whole(players)
    if number is None:
        raise OptionError(f"players must be a whole number, not {quoted(players)}")
    if number not in numbers:
        raise OptionError(f"{title} is for {numbers[0]} to {numbers[-1]} players, not {quoted(number)}")
    return number


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Parse the game's options from `name=value` texts: true, false, integers, else text."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise OptionError(f"--option wants name=value, not {quoted(pair)}")
        if name in options:
            raise OptionError(f"--option gives {quoted(name)} twice")
        options[name] = _value(text)
    return options


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text
