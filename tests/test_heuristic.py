"""What the heuristic bot understands of the end of the game, in positions made by hand (R27 - R30)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from tests.positions import Player, all_cities_but, play, position
from thurn_env import Game
from thurn_env.engine.generator import seeded
from thurn_env.games.thurn_und_taxis.bots.plan_memory import PLACES, scattered

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


def test_routes_that_share_most_cities_are_remembered_in_different_places() -> None:
    """Nearly as many places as chance would fill, whichever of 64 cities they are."""
    for highest in (22, 63):
        cities = range(highest - 22, highest + 1)
        routes = [
            np.array((1 << one) | (1 << other), np.uint64).astype(np.int64)[()]
            for one, other in combinations(cities, 2)
        ]
        places = {scattered(route) for route in routes}
        assert 0 <= min(places) <= max(places) < PLACES
        chance = PLACES * (1 - (1 - 1 / PLACES) ** len(routes))
        assert len(places) > 0.9 * chance
