"""Random walks through positions in which chance acts card by card."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from thurn_env.table.position import Position


def walk(position: Position, random: Random) -> Iterator[Position]:
    """The positions of a random game, from this one to the end."""
    yield position
    while not position.over:
        if position.chance:
            (choice,) = random.choices(list(position.chance), list(position.chance.values()))
        else:
            choice = random.choice(position.legal_actions)
        position = position.after(choice)
        yield position


def drawn(position: Position, *texts: str) -> Position:
    """The position after these outcomes of chance."""
    for text in texts:
        position = position.after(position.outcomes.index(text))
    return position


def chances(position: Position) -> dict[str, float]:
    """The probabilities of the possible outcomes, by their texts."""
    return {position.outcomes[outcome]: chance for outcome, chance in position.chance.items()}
