"""All that a picture shows of a position, as plain values: nothing hidden reaches the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thurn_env.games.zug_um_zug_deutschland import words
from thurn_env.games.zug_um_zug_deutschland.phases import OVER
from thurn_env.games.zug_um_zug_deutschland.rows import has
from thurn_env.pictures.heading import asked_in_words, outcome_in_words

if TYPE_CHECKING:
    from thurn_env.games.zug_um_zug_deutschland.rules import ZugUmZugDeutschland

KEPT, COMPLETED, OFFERED = "kept", "completed", "offered"
"""What a ticket is to its owner."""


class Shown(NamedTuple):
    """A ticket whose face is shown.

    Attributes:
        name, points: the ticket.
        state: `KEPT`, `COMPLETED`, or `OFFERED` while its owner chooses.
    """

    name: str
    points: int
    state: str


class Position(NamedTuple):
    """What a picture shows.

    Attributes:
        table: everything that lies open, as `words.public` gives it.
        hands: the train cards in every hand; None for hands that are not shown.
        tickets: every player's tickets; None where they are not shown.
        sources: the scores by source, without those that cannot be known.
        scores: the sums of these.
        ranks: as they stand, by seat; empty before the end.
        names: what to call the players.
        over: whether the game is over.
        truncated: whether it was cut off.
        asked: what the player to move is asked, in words.
        when: how far the game has come, in words.
    """

    table: dict[str, Any]
    hands: list[dict[str, int] | None]
    tickets: list[list[Shown] | None]
    sources: list[dict[str, int]]
    scores: list[int]
    ranks: list[int]
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
    rules: ZugUmZugDeutschland, state: Any, ranks: list[int], viewer: int | None, names: Sequence[str]
) -> Position:
    """The position as `viewer` may see it, or with all hands and tickets open when None."""
    seats = range(rules.players)
    over = bool(state["phase"] == OVER)
    sources = [_sources(rules, state, seat, viewer, over) for seat in seats]
    return Position(
        words.public(rules, state),
        [words.cards(rules, state["hand"][seat]) if viewer in (None, seat) else None for seat in seats],
        # At the end all show their tickets (G14).
        [_tickets(rules, state, seat) if over or viewer in (None, seat) else None for seat in seats],
        sources,
        [sum(points.values()) for points in sources],
        ranks if over else [],
        [names[seat] if seat < len(names) else f"player {seat}" for seat in seats],
        over,
        bool(state["truncated"]),
        words.question(rules, state, viewer),
        words.round_in_words(state),
    )


def _tickets(rules: ZugUmZugDeutschland, state: Any, seat: int) -> list[Shown]:
    """What a player holds, before it what it is choosing from: where there is no room for all, those must be seen."""
    tickets = rules.board.tickets
    offered = [tickets[number] for number in state["drawn_tickets"] if number >= 0] if state["seat"] == seat else []
    return [Shown(ticket.name, ticket.points, OFFERED) for ticket in offered] + [
        Shown(ticket.name, ticket.points, COMPLETED if has(state["done"][seat], number) else KEPT)
        for number, ticket in enumerate(tickets)
        if has(state["held"][seat], number)
    ]


def _sources(rules: ZugUmZugDeutschland, state: Any, seat: int, viewer: int | None, over: bool) -> dict[str, int]:
    """A score by source. Who is the Globetrotter depends on everybody's tickets."""
    lying = words.public_player(rules, state, seat)
    points: dict[str, int] = {"tracks": lying["points"], "passengers": lying["passenger_points"]}
    if over or viewer in (None, seat):
        points["tickets"] = int(state["ticket_points"][seat])
    if over or viewer is None:
        points["Globetrotter"] = words.breakdown(rules, state)[seat]["Globetrotter"]
    return points


def in_words(position: Position, names: Sequence[str]) -> str:
    """Who is to move and what for, or who has won."""
    if position.over:
        return outcome_in_words(names, position.scores, position.ranks, position.truncated)
    return asked_in_words(names[position.seat], position.asked)
