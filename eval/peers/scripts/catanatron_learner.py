"""Measure the Gymnasium environment of Catanatron: SECONDS. The opponent is the default one, which plays at random."""

from __future__ import annotations

import gymnasium

from eval.peers.scripts.loop import Measurement, gymnasium_play, main, size, timed, versions_of

ENVIRONMENT = "catanatron_gym:catanatron-v1"


def measure(seconds: float) -> Measurement:
    """Measure random play of the learner; `info["valid_actions"]` is a list of indices."""
    environment = gymnasium.make(ENVIRONMENT)
    actions = environment.action_space
    assert isinstance(actions, gymnasium.spaces.Discrete)
    numbers = size(environment.observation_space.shape or ())
    decisions, spent = timed(gymnasium_play(environment, lambda info: info["valid_actions"]), seconds)
    versions = versions_of("catanatron_gym", "catanatron", "gymnasium", "numpy")
    return Measurement(decisions, spent, numbers, int(actions.n), versions)


if __name__ == "__main__":
    main(measure)
