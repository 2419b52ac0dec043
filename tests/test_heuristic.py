"""What the heuristic bot understands of the end of the game, in positions made by hand (R27 - R30)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.positions import Player, all_cities_but, play, position
from thurn_env import Game
from thurn_env.generator import seeded

ROUTE = ("München", "Ingolstadt", "Nürnberg", "Stuttgart", "Carlsruhe", "Freiburg", "Zürich")
"""Seven cities in four provinces: closing brings the last carriage."""
HOUSES = ("Mannheim", "Ulm", "Sigmaringen", "Passau", "Kempten", "Basel", "Innsbruck", "Salzburg")


def choice(game: Game) -> str:
    """What the heuristic plays."""
    rules = game.rules
    action = rules.bot_action(game.states, 0, rules.bots.index("heuristic"), seeded(0))
    return rules.action_texts[action]


def about_to_end(seat: int, houses: int, route: Sequence[str] = ()) -> Game:
    """The mover may close its route of seven and so end the game; seat 0 began. The other player has this route, the
    last carriage but one, all distance tiles, and so many houses."""
    other = Player(houses=all_cities_but(*ROUTE)[:houses], route=route, carriage=6)
    tiles = {"distance 7": [1 - seat] * 4, "distance 6": [1 - seat] * 3, "distance 5": [1 - seat] * 2}
    return position(
        phase="end",
        seat=seat,
        hand=["Lodz"],
        route=ROUTE,
        houses=HOUSES,
        carriage=6,
        others={1 - seat: other},
        tiles=tiles,
    )


def test_it_ends_the_game_exactly_when_that_wins() -> None:
    """Without the four houses it would be behind; the holder of the game-end tile wins a tie."""
    tie = about_to_end(seat=1, houses=3)
    assert tie.scores == [9, -5]
    assert choice(tie) == "close"
    play(tie, "close")
    while not tie.over:
        tie.play(choice(tie))
    assert tie.scores == [9, 9]
    assert tie.ranks == [2, 1]
    assert choice(about_to_end(seat=1, houses=4)) == "end"


def test_it_knows_who_still_has_a_turn() -> None:
    """Ahead by some points after closing, but the other player, whose turn is still to come, has a route to close."""
    route = ("Pilsen", "Budweis", "Linz", "Salzburg", "Passau", "Regensburg")
    assert choice(about_to_end(seat=0, houses=1)) == "close"
    assert choice(about_to_end(seat=0, houses=1, route=route)) == "end"
    assert choice(about_to_end(seat=1, houses=1, route=route)) == "close", "no turn is to come"
