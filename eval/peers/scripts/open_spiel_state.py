"""Measure a game of OpenSpiel: SECONDS GAME WAY, for example 2 hanabi observer.

WAY selects the observation: `tensor` is `state.observation_tensor()`, a list; `observer` is `make_observation` of
OpenSpiel's Python package, which writes into a NumPy array.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyspiel
from open_spiel.python.observation import make_observation

from eval.peers.scripts.loop import SEED, Measurement, Play, chooser, main, size, timed, versions_of


def measure(seconds: float, name: str, way: str) -> Measurement:
    """Measure random play with an observation of the player to move and the legal actions at every decision."""
    game = pyspiel.load_game(name)
    observe = state_tensor if way == "tensor" else observer(game)
    decisions, spent = timed(random_play(game, observe), seconds)
    numbers = size(game.observation_tensor_shape())
    return Measurement(decisions, spent, numbers, int(game.num_distinct_actions()), versions_of("open_spiel", "numpy"))


def state_tensor(state: Any) -> None:
    """Compute the observation as a list."""
    state.observation_tensor(state.current_player())


def observer(game: Any) -> Callable[[Any], None]:
    """Return a function that writes the observation of the player to move into one array."""
    observation = make_observation(game)
    return lambda state: observation.set_from(state, state.current_player())


def random_play(game: Any, observe: Callable[[Any], None]) -> Play:
    """Return uniformly random play; chance events follow their own probabilities and do not count."""
    choose, chance = chooser(), random.Random(SEED)
    state = game.new_initial_state()

    def play(decisions: int) -> int:
        nonlocal state
        for _ in range(decisions):
            if state.is_terminal():
                state = game.new_initial_state()
            while state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, probabilities)[0])
            observe(state)
            state.apply_action(choose(state.legal_actions()))
        return decisions

    return play


if __name__ == "__main__":
    main(measure)
