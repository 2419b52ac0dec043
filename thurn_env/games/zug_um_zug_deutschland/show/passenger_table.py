"""Table of every player's passengers of each colour and their current points."""

from __future__ import annotations

from thurn_env.drawing.elements import path, rectangle, text
from thurn_env.drawing.picture import Block, Target
from thurn_env.drawing.writing import shortened
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.show.position import Position
from thurn_env.games.zug_um_zug_deutschland.show.signs import badge, passenger
from thurn_env.games.zug_um_zug_deutschland.show.styles import passenger_class

PADDING = 12.0
TOP, ROW = 26.0, 21.0
COLUMN = 25.0
LABEL_SIZE, SIZE = 11.0, 12.0
NAME_START = 18.0


def table_height(rules: BoundRules) -> float:
    """Return the height of the table."""
    return TOP + (len(rules.board.passenger_colours) + 1) * ROW + PADDING


def passenger_table(rules: BoundRules, position: Position, x: float, y: float, width: float) -> Block:
    """Return a row for every colour and a column for every player; the leader of a colour is highlighted."""
    height = table_height(rules)
    columns = [width - PADDING - COLUMN * (rules.players - seat - 0.5) for seat in range(rules.players)]
    room = columns[0] - COLUMN / 2 - PADDING - NAME_START
    frame = rectangle(0.5, 0.5, width - 1, height - 1, "panel", 8)
    frame += text(PADDING, 14, shortened("passengers", room + NAME_START, LABEL_SIZE), LABEL_SIZE, "muted")
    frame += "".join(badge(column, 14, seat, 14) for seat, column in enumerate(columns))
    rows, targets = "", []
    for number, colour in enumerate(rules.board.passenger_colours):
        middle = TOP + (number + 0.5) * ROW
        frame += passenger(PADDING + 6, middle, passenger_class(rules.board, colour), 12)
        frame += text(PADDING + NAME_START, middle, shortened(colour, room, SIZE), SIZE)
        start = PADDING - 3
        targets.append(Target(start, middle - ROW / 2, width - 2 * start, ROW, (f"passenger {colour}",)))
        counts = [player["passengers"].get(colour, 0) for player in position.players]
        for column, count in zip(columns, counts, strict=True):
            style = "muted" if count == 0 else "ink strong" if count == max(counts) else "ink"
            rows += text(column, middle, str(count), SIZE, style, "middle")
    last = TOP + (len(rules.board.passenger_colours) + 0.5) * ROW + 3
    frame += path("rule", [(PADDING, last - ROW / 2), (width - PADDING, last - ROW / 2)])
    frame += text(PADDING, last, "points", LABEL_SIZE, "muted")
    for column, player in zip(columns, position.players, strict=True):
        rows += text(column, last, str(player["passenger_points"]), SIZE, "ink strong", "middle")
    return Block("passengers", x, y, width, height, {"frame": frame, "counts": rows}, targets=tuple(targets))
