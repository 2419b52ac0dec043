"""Values of the observation and actions say which place of the board, or which other thing, they are about."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from thurn_env import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis


def told(rules: GameRules, piece: str) -> list[list[int]]:
    """The places that a piece tells of, a row for each entry of all axes but the last."""
    shape = rules.observation_shapes[piece]
    rows: list[list[int]] = rules.observation_places[rules.observation_slices[piece]].reshape(-1, shape[-1]).tolist()
    return rows


def silent(rules: GameRules) -> set[str]:
    """The pieces that tell of no place at all."""
    return {name for name, piece in rules.observation_slices.items() if (rules.observation_places[piece] < 0).all()}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cities_of_the_first_game(players: int) -> None:
    rules = make_rules("thurn_und_taxis", players, "small")
    cities = list(range(len(rules.neighbours())))
    assert rules.observation_places.shape == (rules.observation_size,)
    assert told(rules, "houses") == told(rules, "route") == told(rules, "route_ends") == [cities] * players
    assert told(rules, "known") == [cities] * (players - 1)
    for piece in ("display", "discard", "unseen", "hand", "pending", "asked"):
        assert told(rules, piece) == [cities]
    by_city = {"houses", "route", "route_ends", "known", "display", "discard", "unseen", "hand", "pending", "asked"}
    assert silent(rules) == set(rules.observation_slices) - by_city
    for action, text in enumerate(rules.action_texts):
        family, _, operand = text.partition(" ")
        about = family in ("take", "left", "right", "start", "house", "discard")
        names = [city.name for city in cast("ThurnUndTaxis", rules).board.cities]
        assert rules.action_places[action] == (names.index(operand) if about else -1)


def test_a_card_with_horses_tells_of_its_city() -> None:
    rules = make_rules("thurn_und_taxis", 2, "north", horses=True)
    assert isinstance(rules, ThurnUndTaxis)
    [places] = told(rules, "hand")
    names = [rules.board.cities[place].name for place in places]
    assert [kind.split("/")[0] for kind in rules.kinds] == names
    harness = [action for action, text in enumerate(rules.action_texts) if text.startswith("harness ")]
    assert rules.action_places[harness].tolist() == places


def test_places_of_the_second_game() -> None:
    """A track and a ticket tell of two places, so of none alone."""
    rules = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
    places = range(len(rules.neighbours()))
    assert told(rules, "waiting") == [[place] * rules.observation_shapes["waiting"][1] for place in places]
    assert told(rules, "asked") == [list(places)]
    assert silent(rules) == set(rules.observation_slices) - {"waiting", "asked"}
    assert rules.action_places.tolist() == [-1] * rules.action_size


def test_as_many_phases_as_places_do_not_make_a_phase_a_place() -> None:
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    assert rules.observation_shapes["phase"] == (len(rules.neighbours()),)
    assert np.unique(rules.observation_places[rules.observation_slices["phase"]]).tolist() == [-1]


def operands(rules: GameRules, actions: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> list[set[str]]:
    """What the actions about each thing name."""
    return [{rules.action_texts[action].partition(" ")[2] for action in row} for row in actions]


@pytest.mark.parametrize(
    ("game", "board", "axes"),
    [
        ("thurn_und_taxis", "tiny", {"kinds": "hand", "cities": "houses"}),
        (
            "zug_um_zug_deutschland",
            "tiny_rails",
            {"kinds": "hand", "tickets": "tickets", "claims": "open", "passenger_colours": "passengers"},
        ),
    ],
)
def test_things_that_the_observation_and_the_actions_list(game: str, board: str, axes: dict[str, str]) -> None:
    rules = make_rules(game, 3, board)
    assert set(rules.things) == set(axes)
    for axis, piece in axes.items():
        things = rules.things[axis]
        # All actions about a thing name it, and no other action of these families is left out.
        named = operands(rules, things.targets)
        assert all(len(names) == 1 for names in named)
        families = {rules.action_texts[action].partition(" ")[0] for action in things.targets[0]}
        about = [action for action, text in enumerate(rules.action_texts) if text.partition(" ")[0] in families]
        assert sorted(things.targets.ravel().tolist()) == about
        # Every thing has its own entry of the piece, in the same order.
        place, shape = rules.observation_slices[piece], rules.observation_shapes[piece]
        entries = np.arange(place.start, place.stop).reshape(-1, shape[-1])
        assert entries.shape[1] == len(things.values)
        for values, column in zip(things.values, entries.T, strict=True):
            assert set(column.tolist()) <= set(values.tolist())
        assert np.unique(things.values).size == things.values.size


def test_a_game_without_axes_of_actions_lists_no_things() -> None:
    assert not make_rules("example", 2).things
