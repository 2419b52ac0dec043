"""What the page shows to a person who has to choose: actions with their meanings, and what the others did before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thurn_env.drawing.picture import Picture
from thurn_env.games.show.changes import Change, changes_of
from thurn_env.serve.explanations import meaning
from thurn_env.serve.targets import targets_svg
from thurn_env.show.film import shown
from thurn_env.table.game import Game


def turn_for_page(games: Sequence[Game], seat: int, picture: Picture) -> dict[str, Any]:
    """Return the turn of the person at a seat as JSON.

    Args:
        games: the game after every move, from the deal on.
        seat: the person's seat.
        picture: the position as the seat sees it.
    """
    game, rules = games[-1], games[-1].rules
    legal, since = list(game.legal), _after_last_decision(games, seat)
    moves = [
        (before.seat, rules.move_text(after.moves[-1], before.seat, seat))
        for before, after in zip(games[since:], games[since + 1 :], strict=False)
        if before.seat != seat
    ]
    earlier, now = (rules.public(games[place].states, 0) for place in (since, -1))
    marks = changes_of(rules).marks(rules, Change(earlier, now, moves))
    return {
        "asked": picture.asked,
        "when": picture.when,
        "since": since,
        "legal": legal,
        "meanings": [meaning(rules, action) for action in legal],
        "targets": {block.name: marks.get(block.name, "") + targets_svg(block, legal) for block in shown(picture)},
    }


def _after_last_decision(games: Sequence[Game], seat: int) -> int:
    """Return the number of moves after the seat's last decision; forced moves do not count."""
    return next(
        (
            place + 1
            for place in reversed(range(len(games) - 1))
            if games[place].seat == seat and len(games[place].legal_actions) > 1
        ),
        0,
    )
