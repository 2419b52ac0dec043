"""Measure a game of RLCard: SECONDS GAME, for example 2 gin-rummy."""

from __future__ import annotations

import rlcard

from eval.peers.scripts.loop import SEED, Measurement, Play, chooser, main, size, timed, versions_of


def measure(seconds: float, game: str) -> Measurement:
    """Measure random play by `env.step`, which returns the next player's state with observation and legal actions."""
    environment = rlcard.make(game, config={"seed": SEED})
    decisions, spent = timed(random_play(environment), seconds)
    observation = environment.reset()[0]["obs"]
    return Measurement(
        decisions, spent, size(observation.shape), int(environment.num_actions), versions_of("rlcard", "numpy")
    )


def random_play(environment: rlcard.envs.Env) -> Play:
    """Return uniformly random play in an RLCard environment."""
    choose = chooser()
    state = environment.reset()[0]

    def play(decisions: int) -> int:
        nonlocal state
        for _ in range(decisions):
            state = environment.step(choose(list(state["legal_actions"])))[0]
            if environment.is_over():
                state = environment.reset()[0]
        return decisions

    return play


if __name__ == "__main__":
    main(measure)
