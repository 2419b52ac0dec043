"""Forms of observations, and their spaces."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from thurn_env.checks import checked_choice
from thurn_env.games.contract import Float32Array, Rules

Observation = Float32Array | dict[str, np.ndarray[Any, Any]]
OBSERVATION_FORMS = ("flat", "dict")
"""A float32 vector (O,), or a dictionary of `observation`, this vector, and `action_mask`, int8 (A,)."""
WHOLE_NUMBERS = "int8"
"""Form of observations as integer counts, for vector environments."""


def observation_space(rules: Rules, observation: str, forms: tuple[str, ...] = OBSERVATION_FORMS) -> spaces.Space[Any]:
    """Return the space of observations in one of these forms.

    Raises:
        OptionError: `observation` is none of `forms`.
    """
    checked_choice("observation", observation, forms)
    flat = spaces.Box(-1, 1, (rules.observation_size,), np.float32)
    if observation == WHOLE_NUMBERS:
        bounds: Any = np.rint(1 / rules.observation_scale).astype(rules.count_dtype)
        flat = spaces.Box(-bounds, bounds, dtype=bounds.dtype)
    if observation != "dict":
        return flat
    return spaces.Dict({"observation": flat, "action_mask": spaces.Box(0, 1, (rules.action_size,), np.int8)})


def learner_spaces(
    rules: Rules, observation: str, forms: tuple[str, ...] = OBSERVATION_FORMS
) -> tuple[spaces.Space[Any], spaces.Discrete]:
    """Return the observation and action space of one learner; see `observation_space`."""
    return observation_space(rules, observation, forms), spaces.Discrete(rules.action_size)
