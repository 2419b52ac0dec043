"""Copies and saved positions of the PettingZoo environment."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from tests.aec_games import Player, play
from thurn_env import OptionError, thurn_und_taxis_v0
from thurn_env.table.replay import verify

COPIES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize(("board", "players"), [("tiny", 2), ("tiny", 4), ("south", 3)])
def test_copies_keep_the_position(board: str, players: int, wrapped: bool, way: str) -> None:
    """Copied anywhere in a game, even between the last steps, both go on to the same end, rewards included."""
    make = thurn_und_taxis_v0.env if wrapped else thurn_und_taxis_v0.raw_env
    env = make(players, board, shaping=0.3, max_rounds=25)
    env.reset(seed=9)
    player, rounds = Player(env), 0
    env.action_space("player_0").seed(4)
    while env.agents:
        twin = COPIES[way](env)
        assert type(twin) is type(env)
        assert twin.unwrapped is not env.unwrapped
        assert twin.unwrapped.rules is env.unwrapped.rules
        assert twin.get_state() == env.get_state()
        assert twin.unwrapped.record() == env.unwrapped.record()
        assert (
            copy.deepcopy(twin.action_space("player_0")).sample()
            == COPIES["deepcopy"](env.action_space("player_0")).sample()
        )
        third = COPIES[way](twin)
        assert play(twin, copy.deepcopy(player)) == play(third, copy.deepcopy(player))
        assert twin.unwrapped.record() == third.unwrapped.record()
        # The rest of the original, played in steps, is what the copies saw.
        rest = play(COPIES[way](env), copy.deepcopy(player))
        assert play(env, player, 61) == rest[:61]
        if len(env.agents) < players or any(env.truncations.values()) or any(env.terminations.values()):
            play(env, player, 1)
        rounds += 1
    assert rounds > 2


@pytest.mark.parametrize("wrapped", [True, False])
def test_positions_can_be_saved_and_restored(wrapped: bool) -> None:
    """Positions are plain values, may be restored in any order, and into an environment that was never reset."""
    make = thurn_und_taxis_v0.env if wrapped else thurn_und_taxis_v0.raw_env
    env = make(3, "tiny", shaping=0.2, max_rounds=25)
    env.reset(seed=1, options={"start_player": 2})
    saved: list[tuple[bytes, Player, list[Any]]] = []
    while env.agents:
        player = Player(env, len(saved))
        saved.append((pickle.dumps(env.get_state()), player, play(env.clone(), copy.deepcopy(player))))
        play(env, Player(env, 99), 1 if any(env.truncations.values()) or any(env.terminations.values()) else 17)
    assert len(saved) > 5
    other = make(3, "tiny", shaping=0.2, max_rounds=25)
    for state, player, rest in [*saved[::-1], *saved]:
        for target in (env, other):
            target.set_state(pickle.loads(state))
            assert pickle.loads(state) == target.get_state()
            assert play(target, copy.deepcopy(player)) == rest
            verify(target.unwrapped.record())


def test_a_restored_position_has_its_own_mask() -> None:
    """The wrapper that judges actions must not remember the mask of the position before."""
    env = thurn_und_taxis_v0.env(2, "tiny")
    env.reset(seed=1)
    start, player = env.get_state(), Player(env)
    play(env, player, 2)
    while env.last()[4]["action_mask"][env.unwrapped.rules.action_indices["draw"]]:
        play(env, player, 1)
    env.last()
    env.set_state(start)
    env.step(env.unwrapped.rules.action_indices["draw"])
    assert not any(env.terminations.values())


def test_positions_of_other_environments_are_refused() -> None:
    env = thurn_und_taxis_v0.env(2, "tiny")
    env.reset(seed=1)
    for other, name in (
        (thurn_und_taxis_v0.env(3, "tiny"), "players 2"),
        (thurn_und_taxis_v0.env(2, "small"), "board 'tiny'"),
        (thurn_und_taxis_v0.env(2, "tiny", shaping=1), "shaping 0.0"),
        (thurn_und_taxis_v0.env(2, "tiny", max_rounds=3), "options"),
    ):
        with pytest.raises(OptionError, match=name):
            other.set_state(env.get_state())
    before = env.get_state()
    wrong: Any
    for wrong in (3, "tiny", None, [], {}, {"arguments": 3}):
        with pytest.raises(OptionError, match="state must be what get_state returned, not"):
            env.set_state(wrong)
    assert env.get_state() == before


@pytest.mark.parametrize(
    "name", ["states", "rewards", "cumulative_rewards", "terminations", "truncations", "seed", "agents", "potentials"]
)
def test_a_changed_position_is_refused_and_changes_nothing(name: str) -> None:
    env = thurn_und_taxis_v0.raw_env(2, "tiny")
    env.reset(seed=1)
    state = env.get_state()
    play(env, Player(env), 5)
    before = env.get_state()
    wrong = [{key: value for key, value in state.items() if key != name}, {**state, name: "zz"}, {**state, name: None}]
    if isinstance(state[name], dict):
        wrong += [{**state, name: {}}, {**state, name: {"player_0": state[name]["player_0"]}}]
    if name == "states":
        wrong += [{**state, name: b"x"}, {**state, name: state[name] + b"x"}]
    for changed in wrong:
        with pytest.raises(OptionError, match=f"the state lacks '{name}'|'{name}' is not what"):
            env.set_state(changed)
        assert env.get_state() == before
    env.set_state(state)
    assert env.get_state() == state
