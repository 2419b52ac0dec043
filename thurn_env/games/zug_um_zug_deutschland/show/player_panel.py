"""Player panels: score, trains left, hand and tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thurn_env.drawing.chips import Chip, InRows, Rows, back_chip, count_chip, set_in_rows
from thurn_env.drawing.elements import circle, group, path, rectangle, signed, text
from thurn_env.drawing.picture import Block, Target
from thurn_env.drawing.writing import fitting_size, shortened, text_width
from thurn_env.games.zug_um_zug_deutschland.rules.names import LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.show.market import swatch
from thurn_env.games.zug_um_zug_deutschland.show.position import COMPLETED, OFFERED, Position, Shown
from thurn_env.games.zug_um_zug_deutschland.show.signs import TRAIN_WIDTH, badge, train

if TYPE_CHECKING:
    from thurn_env.games.zug_um_zug_deutschland.board.board import Board
    from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules

PADDING = 12.0
NAME_SIZE, SCORE_SIZE, SIZE, LABEL_SIZE, TICKET_SIZE = 14.0, 20.0, 12.0, 11.0, 10.5
LEAST_LABEL_SIZE = 8.0
SCORE_WIDTH = 64.0
INDENT = 44.0
"""X of the first card, after its label."""
HEAD_HEIGHT, HAND_HEIGHT = 50.0, 54.0
TICKETS_HEIGHT = 64.0
GRIDS = ((2, 4), (3, 5), (3, 6), (4, 8), (5, 12))
"""Columns and rows of tickets, from few to many; with more rows the print is smaller."""
LEAST_TICKET_SIZE = 5.0
TICKET_GAP = 8.0
TICKET_START = 3.05
"""X of a ticket's name in font sizes, after its mark and points."""
HEIGHT = HEAD_HEIGHT + HAND_HEIGHT + TICKETS_HEIGHT + PADDING
TRAINS_LEFT = HEAD_HEIGHT + 34.0
"""Middle of the trains left."""


def player_panel(rules: BoundRules, position: Position, seat: int, x: float, y: float, width: float) -> Block:
    """Return the panel of a player."""
    owned = position.players[seat]
    frame = rectangle(0.5, 0.5, width - 1, HEIGHT - 1, "panel", 8)
    if seat == position.seat:
        frame += rectangle(1, 1, width - 2, HEIGHT - 2, f"frame-{seat}", 8)
    terms = _sum(position.sources[seat])
    size = fitting_size([terms], width - 2 * PADDING, LABEL_SIZE, LEAST_LABEL_SIZE)
    hand = _hand(rules.board, owned, position.hands[seat], width - INDENT - PADDING)
    tickets = _tickets(owned, position.tickets[seat], width)
    layers = {
        "frame": frame,
        "name": _name(position, seat, width),
        "score": text(width - PADDING, 20, signed(position.scores[seat]), SCORE_SIZE, "ink strong", "end"),
        "sources": text(width - PADDING, 39, terms, size, "muted", "end"),
        # The trains left stand beside the hand: both say which tracks can be claimed.
        "trains": train(PADDING, TRAINS_LEFT, seat)
        + text(PADDING + TRAIN_WIDTH + 3, TRAINS_LEFT, str(owned["trains"]), SIZE, "ink strong"),
        "hand": text(PADDING, HEAD_HEIGHT + 10, "hand", LABEL_SIZE, "muted") + group(hand.content, INDENT, HEAD_HEIGHT),
        "tickets": tickets.content,
    }
    targets = (*(target.moved(INDENT, HEAD_HEIGHT) for target in hand.targets), *tickets.targets)
    return Block(f"player-{seat}", x, y, width, HEIGHT, layers, targets=targets)


def _name(position: Position, seat: int, width: float) -> str:
    tag = "start player" if seat == position.table["start_player"] else ""
    if position.over:
        tag = f"rank {position.ranks[seat]}"
    tag_width = text_width(tag, LABEL_SIZE) + 8 if tag else 0
    name = shortened(position.names[seat], width - 2 * PADDING - 26 - tag_width - SCORE_WIDTH, NAME_SIZE, bold=True)
    words = text(PADDING + 26, 20, name, NAME_SIZE, "ink strong", remark=(tag, LABEL_SIZE))
    return badge(PADDING + 9, 19, seat, 19) + words


def _sum(sources: dict[str, int]) -> str:
    """Return a sum such as `tracks 23 + passengers 40 - tickets 6`, as far as the parts are known."""
    words = ""
    for source, points in sources.items():
        if source == "Globetrotter" and points == 0:
            continue
        sign = " \N{MINUS SIGN} " if points < 0 else " + "
        words += f"{sign if words else signed(points)[: points < 0]}{source} {abs(points)}"
    return words if "tickets" in sources else f"{words} + tickets ?"


def _hand(board: Board, owned: dict[str, Any], hand: dict[str, int] | None, room: float) -> InRows:
    """Return the train cards; of a hidden hand those taken face up, and the backs of the others."""

    def chips(rows: Rows) -> list[Chip]:
        if hand is not None:
            return [
                _card(board, card, number, rows)._replace(actions=_paying(board, card)) for card, number in hand.items()
            ]
        known = owned["known_cards"]
        unseen = owned["hand_size"] - sum(known.values())
        backs = [back_chip(f"{unseen} unseen", rows)] if unseen else []
        return [*(_card(board, card, number, rows) for card, number in known.items()), *backs]

    return set_in_rows(chips, room)


def _paying(board: Board, card: str) -> tuple[str, ...]:
    """Return the actions that pay with a card of the own hand."""
    numbers = range(max(pair.length for pair in board.pairs) + 1) if card == LOCOMOTIVE else ()
    return (f"with {card}", *(f"locomotives {number}" for number in numbers))


def _card(board: Board, card: str, number: int, rows: Rows) -> Chip:
    """Return a chip of the cards of one kind: colour, name and number."""
    band = 0.7 * rows.size
    start = band + 0.4 * rows.size
    count = count_chip(number, rows)
    behind = start + text_width(card, rows.size) + 0.3 * rows.size
    width = behind + (count.width if number > 1 else 0) + 0.2 * rows.size
    drawn = rectangle(0, 0, width, rows.height, "card", 3)
    drawn += group(swatch(board, card, band, rows.height - 3), 1.5, 1.5)
    drawn += text(start, rows.height / 2, card, rows.size)
    return Chip(width, drawn + (group(count.content, behind) if number > 1 else ""))


def _tickets(owned: dict[str, Any], tickets: list[Shown] | None, width: float) -> InRows:
    """Return the tickets in columns, completed ones with a tick; of hidden ones their numbers."""
    top = HEAD_HEIGHT + HAND_HEIGHT
    if not tickets:
        numbers = ", ".join(f"{number} {pile}" for pile, number in owned["tickets"].items())
        words = "no tickets" if tickets is not None else f"tickets: {numbers}"
        return InRows(text(PADDING, top + LABEL_SIZE / 2, words, LABEL_SIZE, "muted"), ())
    columns, rows = next((grid for grid in GRIDS if grid[0] * grid[1] >= len(tickets)), GRIDS[-1])
    most = columns * rows
    shown = tickets if len(tickets) <= most else tickets[: most - 1]
    column, row = (width - 2 * PADDING + TICKET_GAP) / columns, TICKETS_HEIGHT / rows
    widest = max(text_width(ticket.name, 1) for ticket in shown)
    fitting = (column - TICKET_GAP) / (widest + TICKET_START)
    size = max(LEAST_TICKET_SIZE, min(TICKET_SIZE, 0.75 * row, fitting))
    drawn, targets = "", []
    for place, ticket in enumerate(shown):
        left, middle = PADDING + place % columns * column, top + (place // columns + 0.5) * row
        drawn += group(_ticket(ticket, column - TICKET_GAP, size), left, middle)
        if ticket.state == OFFERED:
            actions = (f"keep {ticket.name}", f"return {ticket.name}")
            targets.append(Target(left - 2, middle - row / 2, column - 4, row, actions))
    if len(shown) < len(tickets):
        words = f"and {len(tickets) - len(shown)} more"
        drawn += text(PADDING + (columns - 1) * column, top + (rows - 0.5) * row, words, size, "muted")
    return InRows(drawn, tuple(targets))


def _ticket(ticket: Shown, room: float, size: float) -> str:
    """Return a ticket around y 0: its mark, points and ends."""
    unit = size / TICKET_SIZE
    if ticket.state == COMPLETED:
        mark = path("tick", [(unit, 0), (3.5 * unit, 3 * unit), (8 * unit, -3 * unit)])
    elif ticket.state == OFFERED:
        mark = text(4.5 * unit, 0, "?", size, "ink strong", "middle")
    else:
        mark = circle(4.5 * unit, 0, 2.5 * unit, "missing")
    points = text(27 * unit, 0, str(ticket.points), size, "ink strong", "end")
    style = "muted" if ticket.state == OFFERED else "ink"
    start = TICKET_START * size
    return mark + points + text(start, 0, shortened(ticket.name, room - start, size), size, style)
