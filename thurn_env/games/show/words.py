"""Cards and players in words, as the tables of all games in a terminal show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

State = Any
"""One state record."""


def by_name(names: Sequence[str], counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Counts by name, without zeros."""
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def listed(counts: dict[str, int]) -> str:
    """Things as `red, 2 blue`; a dash when there are none."""
    return ", ".join(f"{number} {name}" if number > 1 else name for name, number in counts.items()) or "-"


def face_up(table: dict[str, Any]) -> str:
    """The display of an open table, slot by slot."""
    return "  ".join(name or "(empty)" for name in table["display"])


def player_mark(table: dict[str, Any], seat: int, over: bool) -> str:
    """`> player 0, start player`: who it is, and whether that player is to move."""
    to_move = not over and seat == table["seat"]
    start = ", start player" if seat == table["start_player"] else ""
    return f"{'>' if to_move else ' '} player {seat}{start}"


def covered_hand(player: dict[str, Any]) -> str:
    """A hand of which only the cards taken face up are known."""
    unknown = player["hand_size"] - sum(player["known_cards"].values())
    return f"{player['hand_size']} cards: {listed(player['known_cards'])}; {unknown} unseen"


def to_decide(state: State, over: bool, question: str) -> str:
    """The last line: what is asked, or that the game is over."""
    if over:
        return "the game is over" + (" (cut off)" if state["truncated"] else "")
    return f"to decide: {question}"
