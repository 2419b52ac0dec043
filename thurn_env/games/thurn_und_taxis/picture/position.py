"""All that a picture shows of a position, as plain values: nothing hidden reaches the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thurn_env.games.thurn_und_taxis import words
from thurn_env.games.thurn_und_taxis.phases import OVER, PHASE_MEANINGS
from thurn_env.pictures.heading import asked_in_words, outcome_in_words

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.rules import ThurnUndTaxis


class Position(NamedTuple):
    """What a picture shows.

    Attributes:
        table: everything that lies open, as `words.public` gives it.
        tile_owners: the seats that took the tiles of every stack.
        hands: the cards in every hand; None for hands that are not shown.
        scores, ranks: as they stand, by seat.
        sources: the scores by source.
        names: what to call the players.
        over: whether the game is over.
        truncated: whether it was cut off.
        asked: what the player to move is asked, in words.
        when: how far the game has come, in words.
    """

    table: dict[str, Any]
    tile_owners: dict[str, list[int]]
    hands: list[dict[str, int] | None]
    scores: list[int]
    ranks: list[int]
    sources: list[dict[str, int]]
    names: list[str]
    over: bool
    truncated: bool
    asked: str
    when: str

    @property
    def players(self) -> list[dict[str, Any]]:
        """What lies open of every player."""
        players: list[dict[str, Any]] = self.table["players"]
        return players

    @property
    def seat(self) -> int:
        """The player to move; after the end the first of the winners."""
        return self.ranks.index(1) if self.over else int(self.table["seat"])


def position_of(
    rules: ThurnUndTaxis, state: Any, scores: list[int], ranks: list[int], viewer: int | None, names: Sequence[str]
) -> Position:
    """The position as `viewer` may see it, or with all hands open when None."""
    return Position(
        words.public(rules, state),
        words.tile_owners(rules, state),
        [words.counts(rules, state["hand"][seat]) if viewer in (None, seat) else None for seat in range(rules.players)],
        scores,
        ranks,
        words.breakdown(rules, state),
        [names[seat] if seat < len(names) else f"player {seat}" for seat in range(rules.players)],
        bool(state["phase"] == OVER),
        bool(state["truncated"]),
        PHASE_MEANINGS[state["phase"]],
        words.round_in_words(state),
    )


def in_words(position: Position, names: Sequence[str]) -> str:
    """Who is to move and what for, or who has won."""
    if position.over:
        return outcome_in_words(names, position.scores, position.ranks, position.truncated)
    return asked_in_words(names[position.seat], position.asked)
