"""The picture: a heading, and a panel for every player."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.drawing.elements import rectangle, text
from thurn_env.drawing.heading import BADGE_PLACE, heading, short_names
from thurn_env.drawing.heading import HEIGHT as HEAD
from thurn_env.drawing.picture import Block, Picture, Target
from thurn_env.drawing.themes import SEATS, THEMES, common_styles
from thurn_env.games.show.page import MARGIN, in_columns, picture_of
from thurn_env.games.show.position import Position
from thurn_env.games.show.words import listed

WIDTH, HEIGHT = 640.0, 84.0
COLUMN = (WIDTH - MARGIN) / 2
CARD = 22.0
STYLES = {name: common_styles(theme) for name, theme in THEMES.items()}


def drawn(title: str, board: str, weights: Sequence[str], position: Position) -> Picture:
    """A position as a picture."""
    x, y = BADGE_PLACE
    badge = rectangle(x - 7, y - 7, 14, 14, f"seat-{position.seat % SEATS}", 3)
    sentence = position.in_words(short_names(position.names))
    head = heading(title, f"{board} board", position.when, sentence, badge, WIDTH)

    def panel(seat: int, left: float, top: float) -> Block:
        player, hand = position.players[seat], position.hands[seat]
        name = text(12, 16, position.names[seat], 13, "ink strong", remark=(f"{position.scores[seat]} points", 12))
        coach = text(12, 38, f"coach: {listed(player['loaded'])}", 12, remark=(f"weight {player['load']}", 12))
        cards = text(12, 66, f"{player['hand_size']} cards", 12, "muted")
        targets: tuple[Target, ...] = ()
        if hand is not None:
            shown = [weight for weight in weights if hand.get(weight)]
            places = [12 + number * (CARD + 6) for number in range(len(shown))]
            cards = "".join(
                rectangle(at, 55, CARD, CARD, "card", 3) + text(at + CARD / 2, 66, weight, 12, anchor="middle")
                for at, weight in zip(places, shown, strict=True)
            )
            targets = tuple(
                Target(at, 55, CARD, CARD, (f"load {weight}",)) for at, weight in zip(places, shown, strict=True)
            )
            if seat == position.seat:
                targets += (Target(0, 0, COLUMN, 48, ("depart",)),)
        frame = rectangle(0, 0, COLUMN, HEIGHT, "panel", 6) + rectangle(0, 0, 4, HEIGHT, f"seat-{seat % SEATS}", 2)
        layers = {"frame": frame, "name": name, "coach": coach, "hand": cards}
        return Block(f"player-{seat}", left, top, COLUMN, HEIGHT, layers, targets=targets)

    blocks = [head, *in_columns(len(position.players), HEAD + MARGIN, COLUMN, HEIGHT, panel)]
    return picture_of(position, blocks, WIDTH, STYLES, {})
