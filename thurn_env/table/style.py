"""Style figures of finished games, such as the number of closed routes: how an agent plays, apart from its points.

The counts of a seat in one game are a plain dict of names and positive whole numbers, ready for JSON, for example
`{"games": 1, "wins": 1, "turns": 27, "routes": 5, "cities": 26, "routes of 5": 4, ...}`; counts of 0 are left out.
Counts of several games and seats are added, and figures are quotients of two sums. `figures_of` returns what a game
declares, with titles, meanings and the two counts of every figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thurn_env.errors import RecordError
from thurn_env.games.contract import GameRules, Records
from thurn_env.games.show.style import GAMES, WINS, Counts, Figure, style_declared_by
from thurn_env.table.game import Game

__all__ = ["Figure", "combined", "figures_of", "style_of", "style_of_state", "summed"]


def figures_of(rules: GameRules) -> tuple[Figure, ...]:
    """Return the style figures that a game declares; empty for a game without any."""
    return tuple(style_declared_by(rules).figures(rules))


def style_of(game: Game) -> list[dict[str, int]]:
    """Return the counts of every seat in a finished game.

    `games` is 1, and `wins` is 1 for rank 1, also if it is shared; all other counts are those of the game. For a game
    without style figures, these two are all.

    Raises:
        RecordError: the game is not over, or its moves since the deal are not known.
    """
    if not game.over:
        raise RecordError("the game is not over; style figures describe finished games")
    if not game.past_known:
        raise RecordError("the moves of this game are not known; style figures need a Game that was played or replayed")
    return style_of_state(game.rules, game.states, 0, game.moves)


def style_of_state(rules: GameRules, states: Records, index: int, moves: Sequence[int]) -> list[dict[str, int]]:
    """Return the counts of every seat, as `style_of` does, from the state at the end and all moves since the deal."""
    won = [rank == 1 for rank in rules.ranks(states, index)]
    counts = style_declared_by(rules).counts(rules, states[index], moves, won)
    return [
        {GAMES: 1} | {name: number for name, number in ((WINS, int(first)), *seat.items()) if number}
        for first, seat in zip(won, counts, strict=True)
    ]


def summed(counts: Iterable[Counts]) -> dict[str, int]:
    """Return the sums of counts by name."""
    sums: dict[str, int] = {}
    for one in counts:
        for name, number in one.items():
            sums[name] = sums.get(name, 0) + number
    return sums


def combined(figures: Sequence[Figure], counts: Iterable[Counts]) -> dict[str, float | None]:
    """Return the figures of an agent from its counts in any number of games.

    Args:
        figures: figures of the game, see `figures_of`.
        counts: counts of its seats in these games, see `style_of`, or sums of such counts.

    Returns:
        Every figure by name; None where its divisor is 0, as for the shares of wins of an agent that never won.
    """
    sums = summed(counts)
    return {figure.name: figure.of(sums) for figure in figures}
