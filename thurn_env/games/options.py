"""What a game is made with besides its board: how options are declared, and how they and the players are checked."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

import numpy as np

from thurn_env.errors import OptionError, clipped, quoted

Chosen = TypeVar("Chosen", bound="RuleOptions")


def option(default: bool | int, meaning: str, least: int = 0, most: int = 0) -> Any:
    """An option: a truth, or a whole number from `least` to `most`; `meaning` is one line for the tables."""
    return field(default=default, metadata={"meaning": meaning, "least": least, "most": most})


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The options that change the rules of a game, each declared by `option`; records carry them."""

    def __post_init__(self) -> None:
        for declared in fields(self):
            value, name = getattr(self, declared.name), declared.name
            if isinstance(declared.default, bool):
                if not isinstance(value, bool):
                    raise OptionError(f"option {name} must be True or False, not {quoted(value)}")
                continue
            if isinstance(value, bool) or not isinstance(value, int):
                raise OptionError(f"option {name} must be a whole number, not {quoted(value)}")
            least, most = declared.metadata["least"], declared.metadata["most"]
            if not least <= value <= most:
                raise OptionError(f"option {name} must be from {least} to {most}, not {quoted(value)}")

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as records write them."""
        return asdict(self)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Rows (name, value, default, meaning) for the tables."""
        return [
            (declared.name, str(getattr(self, declared.name)), str(declared.default), declared.metadata["meaning"])
            for declared in fields(self)
        ]


def chosen_options(kind: type[Chosen], given: dict[str, Any] | None) -> Chosen:
    """The options that a caller gives by name; `OptionError` for an unknown one."""
    known = [declared.name for declared in fields(kind)]
    for name in given or {}:
        if name not in known:
            close = difflib.get_close_matches(clipped(name), known, 1)
            hint = f"; did you mean {close[0]}?" if close else "."
            raise OptionError(f"unknown option {quoted(name)}{hint} The options are {', '.join(known)}")
    return kind(**(given or {}))


def check_players(title: str, numbers: tuple[int, ...], players: object) -> None:
    """`OptionError` unless the game of this title is for so many players; its numbers are ascending."""
    if isinstance(players, bool) or not isinstance(players, int | np.integer):
        raise OptionError(f"players must be a whole number, not {quoted(players)}")
    if players not in numbers:
        raise OptionError(f"{title} is for {numbers[0]} to {numbers[-1]} players, not {quoted(players)}")
