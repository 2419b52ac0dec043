"""Contents of a picture as plain values: the drawing code gets no hidden information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from thurn_env.games.show import position
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.members import members
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER
from thurn_env.games.zug_um_zug_deutschland.show import words

KEPT, COMPLETED, OFFERED = "kept", "completed", "offered"
"""States of a ticket."""


class Shown(NamedTuple):
    """A ticket that is shown face up.

    Attributes:
        name, points, ends: the ticket.
        state: `KEPT`, `COMPLETED`, or `OFFERED` while its owner chooses.
    """

    name: str
    points: int
    ends: tuple[str, str]
    state: str


@dataclass(frozen=True, kw_only=True)
class Position(position.Position):
    """Contents of a picture: those of all games, and every player's tickets; None where they are not shown."""

    tickets: list[list[Shown] | None]


def position_of(rules: BoundRules, state: Any, ranks: list[int], viewer: int | None, names: Sequence[str]) -> Position:
    """Return the position as `viewer` may see it, or with all hands and tickets open if None."""
    seats = range(rules.players)
    over = bool(state["phase"] == OVER)
    sources = [_sources(rules, state, seat, viewer, over) for seat in seats]
    return Position(
        table=words.public(rules, state),
        hands=[words.cards(rules, state["hand"][seat]) if viewer in (None, seat) else None for seat in seats],
        # At the end all show their tickets (G14).
        tickets=[_tickets(rules, state, seat) if over or viewer in (None, seat) else None for seat in seats],
        sources=sources,
        scores=[sum(points.values()) for points in sources],
        ranks=ranks if over else [],
        names=position.all_names(names, rules.players),
        over=over,
        truncated=bool(state["truncated"]),
        asked=words.question(rules, state, viewer),
        when=words.round_in_words(state),
    )


def _tickets(rules: BoundRules, state: Any, seat: int) -> list[Shown]:
    """Return the tickets offered to a player, then those held: if room is short, offered ones must show."""
    tickets = rules.board.tickets
    offered = [tickets[number] for number in state["drawn_tickets"] if number >= 0] if state["seat"] == seat else []
    done = members(state["done"][seat])
    held = [(tickets[number], COMPLETED if number in done else KEPT) for number in members(state["held"][seat])]
    shown = [*((ticket, OFFERED) for ticket in offered), *held]
    return [Shown(ticket.name, ticket.points, ticket.ends, where) for ticket, where in shown]


def _sources(rules: BoundRules, state: Any, seat: int, viewer: int | None, over: bool) -> dict[str, int]:
    """Return a score by source. The Globetrotter depends on everybody's tickets."""
    lying = words.public_player(rules, state, seat)
    points: dict[str, int] = {"tracks": lying["points"], "passengers": lying["passenger_points"]}
    if over or viewer in (None, seat):
        points["tickets"] = int(state["ticket_points"][seat])
    if over or viewer is None:
        points["Globetrotter"] = words.breakdown(rules, state)[seat]["Globetrotter"]
    return points
