"""Cards and players as text, for terminal tables of all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

State = Any
"""One state record."""


def by_name(names: Sequence[str], counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Return counts by name, without zeros."""
    return {name: count for name, count in zip(names, counts.tolist(), strict=True) if count}


def listed(counts: dict[str, int]) -> str:
    """Return counted items as `red, 2 blue`; a dash if there are none."""
    return ", ".join(f"{number} {name}" if number > 1 else name for name, number in counts.items()) or "-"


def face_up(table: dict[str, Any]) -> str:
    """Return the display of a public table, slot by slot."""
    return "  ".join(name or "(empty)" for name in table["display"])


def player_mark(table: dict[str, Any], seat: int, over: bool) -> str:
    """Return a player's heading, such as `> player 0, start player`; `>` marks the player to move."""
    to_move = not over and seat == table["seat"]
    start = ", start player" if seat == table["start_player"] else ""
    return f"{'>' if to_move else ' '} player {seat}{start}"


def covered_hand(player: dict[str, Any]) -> str:
    """Return a hand of which only the cards taken face up are known."""
    unknown = player["hand_size"] - sum(player["known_cards"].values())
    return f"{player['hand_size']} cards: {listed(player['known_cards'])}; {unknown} unseen"


def to_decide(state: State, over: bool, question: str) -> str:
    """Return the last line: the decision to make, or that the game is over."""
    if over:
        return "the game is over" + (" (cut off)" if state["truncated"] else "")
    return f"to decide: {question}"
