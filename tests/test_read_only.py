"""Agents may read what they are handed; nothing they write changes the true game, the rules or later games."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tests.vandals import PlaysOn, Sane, SaneInMany, Vandal, VandalInMany, digest, mutable, reachable, wreck
from thurn_env import thurn_und_taxis_v0, zug_um_zug_deutschland_v0
from thurn_env.engine.read_only import sealed, window
from thurn_env.envs.learner import LearnerBatch
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.advice import Adviser
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match
from thurn_env.players.policy import find, load
from thurn_env.table.batch import Batch
from thurn_env.table.game import Game

BOARDS = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}
MODULES = {"thurn_und_taxis": thurn_und_taxis_v0, "zug_um_zug_deutschland": zug_um_zug_deutschland_v0}
ROUNDS = 6

every_game = pytest.mark.parametrize("name", BOARDS)


def rules_of(name: str) -> GameRules:
    return make_rules(name, 2, BOARDS[name], max_rounds=ROUNDS)


def arguments_of(name: str) -> dict[str, Any]:
    return {"players": 2, "board": BOARDS[name], "game": name, "max_rounds": ROUNDS}


def played(rules: GameRules, moves: int) -> Game:
    """A game after some moves."""
    game, agent = Game.from_rules(rules, 5), Sane()
    agent.reset(0, rules, 1)
    for _ in range(moves):
        game.play(agent.act(game.view()))
    return game


@pytest.mark.parametrize("dtype", [np.float32, np.bool_, [("one", np.int8), ("two", np.int64, (3,))]], ids=str)
def test_sealed_arrays_and_windows(dtype: Any) -> None:
    array = np.zeros((2, 3), np.dtype(dtype, align=True))
    fixed, shown = sealed(array), window(array)
    for made in (fixed, shown):
        assert (made.shape, made.dtype, made.tobytes()) == (array.shape, array.dtype, array.tobytes())
        with pytest.raises(ValueError, match="read-only"):
            made[0, 0] = array[1, 1]
        with pytest.raises(ValueError, match="WRITEABLE"):
            made.flags.writeable = True
    array.view(np.uint8)[:] = 1
    assert shown.tobytes() == array.tobytes() != fixed.tobytes()


@every_game
def test_nothing_that_hangs_from_rules_can_be_changed(name: str) -> None:
    assert [way for way, thing in reachable(rules_of(name), "rules") if mutable(thing)] == []


@every_game
def test_what_rules_and_views_return_is_nobody_elses(name: str) -> None:
    rules = rules_of(name)
    game, later = played(rules, 9), played(rules, 30)
    before = digest(rules), digest(game), later.to_bytes(), str(game), game.picture().svg(), repr(rules.tables())
    neighbours, weights = rules.neighbours().tolist(), rules.heuristic_weights()
    wreck(rules, game.view(), game.view(0), game.view(1), game.copy(), game.record())
    wreck(rules.neighbours(), rules.heuristic_weights(), rules.tables(), rules.no_chance())
    wreck(game.view().picture(), game.picture(), game.public(), game.breakdown(), game.hand(0), game.legal_actions)
    assert (neighbours, weights) == (rules.neighbours().tolist(), rules.heuristic_weights())
    later = played(rules, 30)
    assert before == (
        digest(rules),
        digest(game),
        later.to_bytes(),
        str(game),
        game.picture().svg(),
        repr(rules.tables()),
    )


def test_the_mask_of_a_copy_is_not_that_of_the_game() -> None:
    game = Game(2, "tiny", 1)
    legal = list(game.legal)
    mask = game.copy().action_mask
    with pytest.raises(ValueError, match="WRITEABLE"):
        mask.flags.writeable = True
    assert game.legal == legal


@every_game
def test_attributes_of_rules_cannot_be_set(name: str) -> None:
    rules = rules_of(name)
    for attribute in ("players", "record", "action_texts", "name", "play", "something_new"):
        message = f"cannot change '{attribute}': all games with these rules share them; make other rules"
        with pytest.raises(AttributeError, match=message):
            setattr(rules, attribute, 3)
        with pytest.raises(AttributeError, match=message):
            delattr(rules, attribute)
    assert rules.players == 2


@every_game
def test_rules_are_pickled_and_copied(name: str) -> None:
    rules = rules_of(name)
    for twin in (copy.copy(rules), copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert twin is rules


@every_game
@pytest.mark.parametrize("kind", [Vandal, PlaysOn])
def test_matches(name: str, kind: type[Sane]) -> None:
    rules = rules_of(name)
    sane = play_match(rules, [Sane(), Sane()], 3)
    other = play_match(rules, [kind(), kind()], 3)
    assert (other.chance, other.moves, other.result) == (sane.chance, sane.moves, sane.result)


@every_game
@pytest.mark.parametrize("kind", [Vandal, PlaysOn])
def test_opponents_of_a_single_learner(name: str, kind: type[Sane]) -> None:
    sane, other = (LearnerEnv(opponents=agent, **arguments_of(name)) for agent in (Sane(), kind()))
    for seed in (1, None, None):
        (seen, infos), (theirs, _) = sane.reset(seed=seed), other.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            assert np.array_equal(seen, theirs)
            action = int(infos["action_mask"].argmax())
            seen, reward, terminated, truncated, infos = sane.step(action)
            theirs, *others, _ = other.step(action)
            assert others == [reward, terminated, truncated]


@every_game
def test_opponents_in_many_games(name: str) -> None:
    sane, other = (LearnerBatch(3, opponents=agent, **arguments_of(name)) for agent in (SaneInMany(), VandalInMany()))
    for games in (sane, other):
        games.reset(1)
    ended = 0
    for _ in range(100):
        assert sane.batch.lanes.states.tobytes() == other.batch.lanes.states.tobytes()
        assert np.array_equal(sane.rewards, other.rewards)
        actions = sane.masks.argmax(axis=1)
        sane.step(actions)
        other.step(actions)
        ended += len(sane.ended)
    assert ended >= 3


@every_game
def test_masks_and_seats_of_many_games_are_read_only(name: str) -> None:
    """The next step takes them for what is legal, and for who is to move."""
    batch = Batch(3, **arguments_of(name))
    vector = LearnerVectorEnv(3, copy=False, observation="dict", **arguments_of(name))
    batch.reset(1)
    observations, infos = vector.reset(seed=1)
    handed = [batch.masks, batch.seats, vector.learner.masks, observations["action_mask"], infos["action_mask"]]
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch)), copy.deepcopy(vector).learner]
    handed += [array for twin in copies for array in (twin.masks, getattr(twin, "batch", twin).seats)]
    assert not any(mutable(array) for array in handed)
    batch.step(batch.masks.argmax(axis=1))
    assert not any(np.array_equal(twin.masks, batch.masks) for twin in copies)
    for twin in copies[:2]:
        twin.step(twin.masks.argmax(axis=1))
        assert np.array_equal(twin.masks, batch.masks)


@every_game
def test_an_agent_that_writes_into_its_mask_loses_by_an_illegal_action_all_the_same(name: str) -> None:
    env = MODULES[name].env(2, BOARDS[name])
    env.reset(seed=1)
    agent = env.agent_selection
    seen = env.last()[0]
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    seen["action_mask"][:] = 1
    env.step(illegal)
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


@every_game
def test_advice_of_an_agent_that_plays_on_in_its_view(name: str) -> None:
    rules = rules_of(name)
    game = played(rules, 9)
    while len(game.legal) == 1:
        game.play(game.legal[0])
    adviser = Adviser(rules, "tests.vandals:PlaysOn")
    assert adviser.advise(game.view()).action in game.legal


def test_the_arrays_of_a_policy_are_read_only() -> None:
    """Whoever names the same file shares them."""
    policy = load(find("thurn_und_taxis-south-2"))
    arrays = [thing for _, thing in reachable((policy.trunk, policy.actions, policy.value), "policy")]
    assert any(isinstance(thing, np.ndarray) for thing in arrays)
    assert not any(mutable(thing) for thing in arrays)


def test_bots_are_not_in_the_way() -> None:
    """A scripted bot reads the same rules, also after somebody tried to wreck them."""
    rules = rules_of("thurn_und_taxis")
    bots = [make_agent(bot, rules.bots) for bot in ("heuristic", "greedy")]
    before = play_match(rules, bots, 4)
    wreck(rules)
    assert play_match(rules, bots, 4) == before
