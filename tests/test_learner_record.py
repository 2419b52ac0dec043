"""Records of the single environment's games: the moves of all seats, from the learner's actions and the seed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.guests import Last
from thurn_env import Game, IllegalAction, RecordError, ThurnError
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.engine.lanes import BEGIN, GO_ON
from thurn_env.envs.learner_record import RememberingBatch
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import GameRules, Int64Array
from thurn_env.players.agent import Agent, agent_seed, make_agent
from thurn_env.players.match import run_scripted
from thurn_env.table.batch import Batch
from thurn_env.table.game import View
from thurn_env.table.record import Record
from thurn_env.table.replay import replay, verify

ILLEGAL = ["raise", "penalise", "replace"]
GAMES: list[dict[str, Any]] = [
    {"game": "thurn_und_taxis", "board": "tiny", "max_rounds": 12},
    {"game": "zug_um_zug_deutschland", "board": "tiny_rails", "max_rounds": 12},
]


class Whim:
    """An agent for one game that acts at random, with a generator that no seed of the game decides."""

    name = "whim"

    def __init__(self) -> None:
        self._generator = np.random.default_rng(5)

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Nothing to do."""

    def act(self, view: View) -> int:
        return int(self._generator.choice(view.legal_actions))


OPPONENTS: dict[str, Callable[[], Any]] = {
    "bots": lambda: ["sensible-random", "heuristic"],
    "batch agent": Last,
    "agent and bot": lambda: [Whim(), "random"],
}


def lane(env: LearnerEnv) -> bytes:
    """The bytes of the state that the compiled code steps."""
    return env._learner.batch.lanes.states.tobytes()


def action_of(generator: np.random.Generator, mask: Any, illegal: float) -> int:
    """A random legal action, or now and then one that is not."""
    if generator.random() < illegal:
        return int(generator.choice([-1, len(mask), *np.flatnonzero(mask == 0)]))
    return int(generator.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("arguments", GAMES, ids=lambda arguments: arguments["game"])
@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("illegal", ILLEGAL)
@pytest.mark.parametrize("opponents", OPPONENTS)
def test_a_record_leads_to_the_state_of_the_lane(
    arguments: dict[str, Any], skip_forced: bool, illegal: str, opponents: str
) -> None:
    """Byte for byte, whenever it is asked for; the record verifies itself and has the result of a finished game."""
    env = LearnerEnv(players=3, opponents=OPPONENTS[opponents](), skip_forced=skip_forced, illegal=illegal, **arguments)
    generator, finished, broken_off, replaced = np.random.default_rng(1), 0, 0, 0
    for episode in range(6):
        _, info = env.reset(seed=3 if episode == 0 else None, options={"start_player": 1} if episode == 2 else None)
        over = False
        while not over:
            if generator.random() < 0.3:
                assert env.game.to_bytes() == lane(env)
                assert env.record().result is None
            action = action_of(generator, info["action_mask"], 0.03)
            try:
                *_, terminated, truncated, info = env.step(action)
            except IllegalAction:
                continue
            over = terminated or truncated
            replaced += bool(info["illegal"])
        record = env.record(["a", "b", "c"])
        verify(record)
        assert record == Record.from_json(record.to_json())
        assert record.agents == ["a", "b", "c"]
        game = list(replay(record))[-1]
        assert env.game.to_bytes() == lane(env)
        assert game.public() == env.game.public()
        if episode == 2:
            assert record.start_player == 1
        if illegal == "penalise" and info["illegal"]:
            assert record.result is None
            assert game.seat == env.seat
            broken_off += 1
        else:
            assert record.result == {"scores": info["scores"].tolist(), "ranks": info["ranks"].tolist()}
            finished += 1
    assert broken_off if illegal == "penalise" else finished == 6
    assert bool(replaced) == (illegal != "raise")


def test_the_record_is_that_of_the_match() -> None:
    """With a bot's actions for the learner."""
    table = ["greedy", "sensible-random"]
    env = LearnerEnv(board="tiny", opponents=table[1], learner_seat=0)
    env.reset(seed=11)
    bot: Agent = make_agent("greedy", env.rules.bots)
    bot.reset(0, env.rules, agent_seed(11, 0))
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.rules.action_index(bot.act(env.view())))
        over = terminated or truncated
    played = run_scripted(env.rules, table, 11)
    assert env.record(table) == played.record(table)
    assert env.game.moves == played.moves


class WithEmptyGames(RememberingBatch):
    """Behaves as if the next games ended before the learner's first decision, so that others take their places."""

    empty = 0

    def _step_lanes(self, mode: int, selected: Int64Array, chosen: Int64Array) -> None:
        super()._step_lanes(mode, selected, chosen)
        while self.empty:
            self.empty -= 1
            self.lanes.memory["resets"] += 1
            super()._step_lanes(BEGIN, selected, selected)


@pytest.mark.parametrize("mode", [BEGIN, GO_ON])
def test_games_that_end_before_the_learner_acts_are_left_out(mode: int) -> None:
    """The record is that of the game which took their place; the chosen start player was that of the first one."""
    batch = WithEmptyGames(1, 2, "tiny", autoreset=False)
    batch.seat_opponents([-2], 0)
    batch.empty = 2 if mode == BEGIN else 0
    batch.reset(6, start_player=1)
    if mode == GO_ON:
        assert batch.rebuilt().moves == []
        batch.empty = 1
        batch.go_on(np.zeros(1, np.int64), batch.masks.argmax(axis=1))
    number = int(batch.lanes.memory[0]["resets"])
    assert number == (2 if mode == BEGIN else 1)
    for _ in range(5):
        assert batch.rebuilt().to_bytes() == batch.lanes.states.tobytes()
        batch.step(batch.masks.argmax(axis=1))
    assert batch.rebuilt().seed == derived_seed(6, RESET_STREAM, number)
    verify(batch.rebuilt().record())


def test_copies_keep_the_past() -> None:
    env = LearnerEnv(board="tiny", opponents=["sensible-random", Last()], players=3, illegal="replace")
    generator = np.random.default_rng(2)
    _, info = env.reset(seed=4)
    for _ in range(10):
        *_, info = env.step(action_of(generator, info["action_mask"], 0.2))
    for asked in (False, True):
        if asked:
            env.record()
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            before = env.record()
            assert twin.record() == before
            twin.step(int(twin.action_masks().argmax()))
            assert twin.game.to_bytes() == lane(twin) != lane(env)
            assert env.record() == before


def test_the_game_is_a_copy() -> None:
    env = LearnerEnv(board="tiny", opponents="random")
    env.reset(seed=1)
    game = env.game
    assert not game.is_view
    game.play(int(game.legal_actions[0]))
    assert env.game.to_bytes() == lane(env) != game.to_bytes()
    verify(game.record())


def test_calls_before_the_first_game() -> None:
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        LearnerEnv(board="tiny").record()


def test_a_game_without_a_known_past_says_so() -> None:
    """It is no re-dealt copy, and is played on without a record."""
    batch = Batch(2, 2, "tiny")
    batch.reset(3)
    env = LearnerVectorEnv(2, board="tiny")
    env.reset(seed=3)
    state = Game(2, "tiny", seed=3).to_bytes()
    for game in (batch.game(1), env.learner.batch.game(1), Game.from_bytes(batch.rules, state)):
        for known in (game, game.copy()):
            assert not known.is_view
            with pytest.raises(RecordError, match="the past of this game is not known"):
                known.record()
        game.play(int(game.legal_actions[0]))
        with pytest.raises(RecordError, match="the past of this game is not known"):
            game.record()
        with pytest.raises(RecordError, match="a re-dealt copy has no record"):
            game.view().game.record()
