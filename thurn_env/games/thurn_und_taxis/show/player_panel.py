"""Player panels: score, carriage, houses left, route and hand."""

from __future__ import annotations

from typing import Any

from thurn_env.drawing.chips import Chip, InRows, Rows, back_chip, set_in_rows
from thurn_env.drawing.elements import group, path, rectangle, signed, text
from thurn_env.drawing.picture import Block
from thurn_env.drawing.writing import shortened, text_width
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show.cards import cards, hand, horses_chip, stops
from thurn_env.games.thurn_und_taxis.show.map_block import house
from thurn_env.games.thurn_und_taxis.show.position import Position

Owned = dict[str, Any]
"""Public information about a player, as `words.public_player` returns it."""

PADDING = 12.0
NAME_SIZE, SCORE_SIZE, SIZE, LABEL_SIZE = 14.0, 20.0, 12.0, 11.0
INDENT = 62.0
"""X of the first chip, after its label."""
ROWS_HEIGHT = 52.0
"""Height of one or two rows of chips."""
HEAD_HEIGHT = 62.0


def panel_height(rules: BoundRules) -> float:
    """Return the height of every panel."""
    return HEAD_HEIGHT + ROWS_HEIGHT * (3 if rules.variant.horses else 2)


def player_panel(rules: BoundRules, position: Position, seat: int, x: float, y: float, width: float) -> Block:
    """Return the panel of a player."""
    owned = position.players[seat]
    height = panel_height(rules)
    room = width - INDENT - PADDING
    frame = rectangle(0.5, 0.5, width - 1, height - 1, "panel", 8)
    if seat == position.seat:
        frame += rectangle(1, 1, width - 2, height - 2, f"frame-{seat}", 8)
    layers = {
        "frame": frame,
        "name": _name(position, seat, width),
        "score": text(width - PADDING, 20, signed(position.scores[seat]), SCORE_SIZE, "ink strong", "end"),
        "sources": _score_as_sum(seat, owned, position.sources[seat], width - PADDING),
    }
    top = HEAD_HEIGHT
    if rules.variant.horses:
        layers["carriage"] = _labelled("carriage", _harnessed(rules, owned, room), top)
        top += ROWS_HEIGHT
    else:
        layers["carriage"] = _carriages(rules, seat, owned)
    route = set_in_rows(lambda rows: stops(rules, owned["route"], rows), room)
    layers["route"] = _labelled("route", route.content, top) + _line_sample(seat, top)
    held, top = _hand(rules, owned, position.hands[seat], room), top + ROWS_HEIGHT
    layers["hand"] = _labelled("hand", held.content, top)
    targets = tuple(target.moved(INDENT, top) for target in held.targets)
    return Block(f"player-{seat}", x, y, width, height, layers, targets=targets)


def _name(position: Position, seat: int, width: float) -> str:
    tag = _tag(position, seat)
    tag_width = text_width(tag, LABEL_SIZE) + 8 if tag else 0
    name = shortened(position.names[seat], width - 2 * PADDING - 26 - tag_width - 48, NAME_SIZE, bold=True)
    return house(PADDING + 9, 19, seat, 19) + text(
        PADDING + 26, 20, name, NAME_SIZE, "ink strong", remark=(tag, LABEL_SIZE)
    )


def _tag(position: Position, seat: int) -> str:
    """Return a remark after the name."""
    if position.over:
        return f"rank {position.ranks[seat]}"
    return "start player" if seat == position.table["start_player"] else ""


def _score_as_sum(seat: int, owned: Owned, sources: dict[str, int], right: float) -> str:
    """Return the points of carriage and tiles, and a house with the number of those left, which are subtracted."""
    tiles = sum(points for source, points in sources.items() if source not in ("carriage", "houses not placed"))
    terms = [f"carriage {sources['carriage']}"] if "carriage" in sources else []
    points = " + ".join([*terms, f"tiles {tiles}"]) + " \N{MINUS SIGN}"
    return (
        text(right - 44, 47, points, LABEL_SIZE, "muted", "end")
        + house(right - 31, 46.5, seat, 15)
        + text(right - 20, 47, str(owned["houses_left"]), SIZE, "ink strong")
    )


def _labelled(label: str, content: str, top: float) -> str:
    return text(PADDING, top + 10, label, LABEL_SIZE, "muted") + group(content, INDENT, top)


def _line_sample(seat: int, top: float) -> str:
    """Return a sample of the player's line on the map."""
    return path(f"line-{seat}", [(PADDING + 2, top + 26), (PADDING + 38, top + 26)])


def _carriages(rules: BoundRules, seat: int, owned: Owned) -> str:
    """Return all carriages by length; those that the player has are filled."""
    drawn = []
    for place, carriage in enumerate(rules.board.carriages):
        left, taken = PADDING + 25 * place, carriage.length <= owned["carriage"]
        drawn.append(rectangle(left + 0.5, 37.5, 21, 19, f"seat-{seat}" if taken else "hollow", 5))
        style = "on-seat strong" if taken else "muted"
        drawn.append(text(left + 11, 47, str(carriage.length), SIZE, style, "middle"))
    return "".join(drawn)


def _harnessed(rules: BoundRules, owned: Owned, room: float) -> str:
    def chips(rows: Rows) -> list[Chip]:
        return [horses_chip(owned["horses"], rows), *cards(rules, owned["harnessed"], rows)]

    return set_in_rows(chips, room).content


def _hand(rules: BoundRules, owned: Owned, held: dict[str, int] | None, room: float) -> InRows:
    """Return the hand; of a hidden one the cards taken face up, and the backs of the others."""

    def chips(rows: Rows) -> list[Chip]:
        if held is not None:
            return hand(rules, held, rows)
        known = owned["known_cards"]
        unseen = owned["hand_size"] - sum(known.values())
        by_horses = owned.get("unseen_horses", {})
        backs = [
            back_chip(f"{number} unseen", rows, [horses_chip(int(horses), rows)])
            for horses, number in by_horses.items()
        ]
        if unseen and not backs:
            backs = [back_chip(f"{unseen} unseen", rows)]
        return [*cards(rules, known, rows), *backs]

    return set_in_rows(chips, room)
