"""Contents of a picture as plain values: the drawing code gets no hidden information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thurn_env.games.show import position
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.phases import OVER, PHASE_MEANINGS
from thurn_env.games.thurn_und_taxis.show import words


@dataclass(frozen=True, kw_only=True)
class Position(position.Position):
    """Contents of a picture: those of all games, and the seats that took the tiles of every stack."""

    tile_owners: dict[str, list[int]]


def position_of(
    rules: BoundRules, state: Any, scores: list[int], ranks: list[int], viewer: int | None, names: Sequence[str]
) -> Position:
    """Return the position as `viewer` may see it, or with all hands open if None."""
    return Position(
        table=words.public(rules, state),
        tile_owners=words.tile_owners(rules, state),
        hands=[
            words.counts(rules, state["hand"][seat]) if viewer in (None, seat) else None
            for seat in range(rules.players)
        ],
        scores=scores,
        ranks=ranks,
        sources=words.breakdown(rules, state),
        names=position.all_names(names, rules.players),
        over=bool(state["phase"] == OVER),
        truncated=bool(state["truncated"]),
        asked=PHASE_MEANINGS[state["phase"]],
        when=words.round_in_words(state),
    )
