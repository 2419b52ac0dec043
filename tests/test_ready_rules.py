"""Everything that takes a game, players, a board and options also takes ready rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thurn_env import Batch, Game, OptionError, make_rules, thurn_und_taxis_v0, zug_um_zug_deutschland_v0
from thurn_env.envs.learner import LearnerBatch
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv

THURN = make_rules("thurn_und_taxis", 3, "tiny", max_rounds=9)
RAILS = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
FACES: dict[str, Callable[..., Any]] = {
    "Game": Game,
    "Batch": lambda **given: Batch(2, **given),
    "LearnerBatch": lambda **given: LearnerBatch(2, **given),
    "LearnerEnv": LearnerEnv,
    "LearnerVectorEnv": lambda **given: LearnerVectorEnv(2, **given),
}


@pytest.mark.parametrize("rules", [THURN, RAILS], ids=lambda rules: rules.name)
@pytest.mark.parametrize("face", FACES)
def test_rules_are_taken_as_they_are(face: str, rules: Any) -> None:
    assert FACES[face](rules=rules).rules is rules
    assert FACES[face](rules=rules, players=3).rules is rules


@pytest.mark.parametrize(
    "given", [{"players": 4}, {"board": "south"}, {"game": "zug_um_zug_deutschland"}, {"max_rounds": 3}]
)
@pytest.mark.parametrize("face", FACES)
def test_rules_and_their_parts_exclude_each_other(face: str, given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="either rules, or game, players, board and options"):
        FACES[face](rules=THURN, **given)


def test_the_environments_by_name() -> None:
    assert thurn_und_taxis_v0.raw_env(rules=THURN).rules is THURN
    assert thurn_und_taxis_v0.env(rules=THURN).unwrapped.rules is THURN
    assert zug_um_zug_deutschland_v0.raw_env(rules=RAILS).rules is RAILS
    with pytest.raises(OptionError, match="plays zug_um_zug_deutschland, and the rules are those of thurn_und_taxis"):
        zug_um_zug_deutschland_v0.env(rules=THURN)
    with pytest.raises(OptionError, match="either rules"):
        thurn_und_taxis_v0.env(rules=THURN, board="south")


def test_sb3() -> None:
    sb3 = pytest.importorskip("thurn_env.envs.sb3")
    assert sb3.LearnerVecEnv(2, rules=THURN).rules is THURN


def test_what_is_no_rules() -> None:
    with pytest.raises(OptionError, match="rules must be made by make_rules, not 'south'"):
        Game(rules="south")
