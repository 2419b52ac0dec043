"""Many games in one call are the games that single ones would be, move by move, whatever the number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.batches import everything
from tests.choices import Chooser
from thurn_env import Game, OptionError, make_rules, thurn_und_taxis_v0
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.engine.kernels import copy_records
from thurn_env.games.contract import REWARD_MODES, GameRules, Int64Array
from thurn_env.table.batch import Batch

SETTINGS = ("reward", "skip_forced", "shaping")
"""What is not an option of the game."""

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("tiny", 2, {}),
    ("tiny", 3, {"skip_forced": False, "optional_houses": True, "reward": "rank"}),
    ("tiny", 4, {"max_rounds": 5, "reward": "margin"}),
    ("tiny", 2, {"shaping": 0.5, "reward": "score"}),
    ("tiny", 4, {"shaping": -2, "reward": "win", "max_rounds": 13}),
    ("south", 3, {"all_provinces_without_baiern": True, "reward": "rank", "max_rounds": 20}),
    ("south", 3, {"skip_forced": False, "max_rounds": 9, "optional_houses": True}),
    ("north", 3, {"free_city_with_fill": True, "max_rounds": 20}),
    ("north", 2, {"horses": True, "max_rounds": 30, "reward": "margin", "shaping": 0.5}),
    ("north", 2, {"horses": True, "horses_kept": False, "open_backs": False, "max_rounds": 12, "skip_forced": False}),
]
LANES, STEPS = 60, 500
FIRST_SEED = 2**63 - 30
"""Seeds around the largest one of 63 bits, where a slip between signed and unsigned numbers would show."""


class Singles:
    """The games of a batch one at a time: each record is dealt from its own seed and played by `rules.step`."""

    def __init__(
        self, rules: GameRules, count: int, reward: str = "win", skip_forced: bool = True, shaping: float = 0.0
    ) -> None:
        self.rules, self.skip_forced, self.shaping = rules, skip_forced, shaping
        self.mode = REWARD_MODES.index(reward)
        self.states, self.final_states = rules.new_states(count), rules.new_states(count)
        self.masks = np.zeros((count, rules.action_size), np.int8)
        self.observations = np.zeros((count, rules.observation_size), np.float32)
        self.seats = np.zeros(count, np.int8)
        self.resets = [0] * count
        self.rewards, self.potentials = np.zeros((2, count, rules.players))
        self.terminated, self.truncated = np.zeros((2, count), np.bool_)

    def begin(self, lane: int) -> None:
        seed = FIRST_SEED + lane
        if self.resets[lane]:
            seed = derived_seed(seed, RESET_STREAM, self.resets[lane])
        self.rules.deal(self.states, lane, seed)
        self.potentials[lane] = 0
        self.play(lane, -1)

    def play(self, lane: int, action: int) -> None:
        self.seats[lane] = self.rules.step(
            self.states, lane, action, self.skip_forced, self.masks[lane], self.observations[lane]
        )

    def step(self, actions: Int64Array) -> None:
        self.rewards[:] = 0
        self.terminated[:] = self.truncated[:] = False
        for lane, action in enumerate(actions.tolist()):
            self.play(lane, action)
            if self.shaping:
                potentials = self.rules.potentials(self.states, lane)
                self.rewards[lane] = self.shaping * (potentials - self.potentials[lane])
                self.potentials[lane] = potentials
            if self.seats[lane] < 0:
                self.rewards[lane] += self.rules.rewards(self.states, lane, self.mode)
                self.truncated[lane] = self.rules.truncated(self.states, lane)
                self.terminated[lane] = not self.truncated[lane]
                self.final_states[lane] = self.states[lane]
                self.resets[lane] += 1
                self.begin(lane)


@pytest.mark.parametrize(("board", "players", "arguments"), TABLES, ids=str)
def test_lanes_are_single_games(board: str, players: int, arguments: dict[str, Any]) -> None:
    """State, seat, mask, observation, rewards and ends of every lane after every step, through many games each."""
    batch = Batch(LANES, players, board, **arguments)
    settings = {name: value for name, value in arguments.items() if name in SETTINGS}
    singles = Singles(batch.rules, LANES, **settings)
    chooser = Chooser(batch.rules)
    batch.reset(FIRST_SEED)
    for lane in range(LANES):
        singles.begin(lane)
    compared, ended, states = 0, 0, batch.lanes.states
    for _ in range(STEPS):
        assert states.tobytes() == singles.states.tobytes()
        assert batch.masks.tobytes() == singles.masks.tobytes()
        assert batch.observations.tobytes() == singles.observations.tobytes()
        assert batch.seats.tobytes() == singles.seats.tobytes()
        actions = chooser(batch.masks)
        batch.step(actions)
        singles.step(actions)
        compared += LANES
        assert np.array_equal(batch.terminated, singles.terminated)
        assert np.array_equal(batch.truncated, singles.truncated)
        assert np.allclose(batch.rewards, singles.rewards, rtol=0, atol=1e-12)
        assert list(batch.ended) == list(np.flatnonzero(singles.terminated | singles.truncated))
        if len(batch.ended):
            assert batch.lanes.final_states.tobytes() == singles.final_states.tobytes()
            ended += len(batch.ended)
    assert ended > LANES
    # All tables together.
    assert compared * len(TABLES) >= 200_000


@pytest.mark.parametrize(("board", "players", "arguments"), TABLES, ids=str)
def test_the_game_of_a_seed(board: str, players: int, arguments: dict[str, Any]) -> None:
    """Lane k of seed s is `Game(seed=s + k)`, seen decision by decision, and its figures at the end."""
    arguments = {"max_rounds": 15} | arguments
    skip_forced = arguments.get("skip_forced", True)
    options = {name: value for name, value in arguments.items() if name not in SETTINGS}
    batch = Batch(3, players, board, autoreset=False, **arguments)
    batch.reset(11)
    chooser = Chooser(batch.rules, 1)
    games = [Game(players, board, 11 + lane, **options) for lane in range(3)]
    while True:
        for lane, game in enumerate(games):
            while skip_forced and len(game.legal_actions) == 1:
                game.play(game.legal[0])
            assert batch.game(lane) == game
            assert np.array_equal(batch.masks[lane], game.action_mask)
            seat = 0 if game.over else game.seat
            assert batch.seats[lane] == (-1 if game.over else seat)
            assert np.array_equal(batch.observations[lane], game.view(seat).observation)
        if all(game.over for game in games):
            break
        actions = chooser(batch.masks)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.over:
                game.play(action)
    names = batch.rules.statistics
    for lane, game in enumerate(games):
        assert batch.statistics[lane, :, names.index("score")].tolist() == game.scores
        assert batch.statistics[lane, :, names.index("rank")].tolist() == game.ranks


@pytest.mark.parametrize(("board", "players", "arguments"), TABLES, ids=str)
def test_games_follow_as_in_the_aec_environment(board: str, players: int, arguments: dict[str, Any]) -> None:
    """A lane that begins anew plays on as the AEC environment does when it is reset without a seed."""
    arguments = {"max_rounds": 15} | arguments
    batch = Batch(2, players, board, **arguments)
    batch.reset(21)
    chooser = Chooser(batch.rules, 2)
    envs = [thurn_und_taxis_v0.raw_env(players, board, **arguments) for _ in range(2)]
    for lane, env in enumerate(envs):
        env.reset(seed=21 + lane)
    ends = [0, 0]
    while min(ends) < 3:
        for lane, env in enumerate(envs):
            mover = env.agent_selection
            assert mover == f"player_{batch.seats[lane]}"
            seen = env.observe(mover)
            assert np.array_equal(batch.observations[lane], seen["observation"])
            assert np.array_equal(batch.masks[lane], seen["action_mask"])
        actions = chooser(batch.masks)
        batch.step(actions)
        for lane, env in enumerate(envs):
            env.step(actions[lane])
            assert batch.rewards[lane] == pytest.approx(list(env.rewards.values()), abs=1e-12)
            assert batch.terminated[lane] == all(env.terminations.values())
            assert batch.truncated[lane] == all(env.truncations.values())
            if batch.terminated[lane] or batch.truncated[lane]:
                ends[lane] += 1
                env.reset()


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("illegal", ["penalise", "replace"])
def test_threads_change_nothing(threads: int, illegal: str) -> None:
    """Not a byte, with any actions and numbers of lanes that threads do not divide evenly."""
    for size in (1, 7, 50):
        alone, shared = (
            Batch(size, 2, "tiny", shaping=0.1, illegal=illegal, threads=count, max_rounds=12) for count in (1, threads)
        )
        generator = np.random.default_rng(size)
        chooser = Chooser(alone.rules, size)
        for batch in (alone, shared):
            batch.reset(5)
        for _ in range(150):
            wild = generator.integers(-3, alone.rules.action_size + 3, size)
            actions = np.where(generator.random(size) < 0.02, wild, chooser(alone.masks))
            for batch in (alone, shared):
                batch.step(actions)
            assert everything(alone) == everything(shared)
        for batch in (alone, shared):
            batch.reset(lanes=np.arange(0, size, 2))
        assert everything(alone) == everything(shared)


ARRAYS: dict[str, tuple[tuple[int, ...], Any]] = {
    "observations": ((5, 166), np.float32),
    "masks": ((5, 47), np.int8),
    "rewards": ((5, 3), np.float64),
    "terminated": ((5,), np.bool_),
    "truncated": ((5,), np.bool_),
    "seats": ((5,), np.int8),
}
"""Shapes and types for five games of three players on the tiny board."""


def test_arrays_of_the_caller_are_written_in_place() -> None:
    given = {name: np.ones(shape, dtype) for name, (shape, dtype) in ARRAYS.items()}
    plain, batch = Batch(5, 3, "tiny", max_rounds=3), Batch(5, 3, "tiny", max_rounds=3, arrays=given)
    chooser = Chooser(batch.rules)
    for each in (plain, batch):
        each.reset(3)
    ended = 0
    for _ in range(200):
        for name, array in given.items():
            assert getattr(batch, name) is array
            assert np.array_equal(array, getattr(plain, name))
            assert (array.shape, array.dtype) == ARRAYS[name]
        ended += len(batch.ended)
        actions = chooser(given["masks"])
        plain.step(actions)
        batch.step(actions)
    assert ended > 5


def test_one_array_may_be_given_alone() -> None:
    """A slice of a larger buffer will do, such as one step of a rollout."""
    buffer = np.zeros((2, 5, 166), np.float32)
    batch = Batch(5, 3, "tiny", arrays={"observations": buffer[1]})
    batch.reset(1)
    assert buffer[1].any(axis=1).all()
    assert not buffer[0].any()


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_do_not_fit(name: str) -> None:
    shape, dtype = ARRAYS[name]
    right = np.zeros(shape, dtype)
    other = np.float32 if dtype == np.float64 else np.float64
    read_only = right.copy()
    read_only.flags.writeable = False
    scattered = np.zeros((*shape[:-1], shape[-1] * 2), dtype)[..., ::2]
    wide = np.zeros((6, *shape[1:]), dtype)
    for wrong in (wide, right[:4], right.reshape(1, *shape), right.astype(other), right.tolist()):
        with pytest.raises(OptionError, match=f"the array for {name} must be {np.dtype(dtype).name} of shape"):
            Batch(5, 3, "tiny", arrays={name: wrong})
    for wrong in (read_only, scattered):
        with pytest.raises(OptionError, match=f"the array for {name} must be contiguous .* and writeable"):
            Batch(5, 3, "tiny", arrays={name: wrong})
    Batch(5, 3, "tiny", arrays={name: right})


def test_arrays_of_other_names() -> None:
    with pytest.raises(OptionError, match="there is no array 'reward'; the arrays are observations, masks, rewards"):
        Batch(5, 3, "tiny", arrays={"reward": np.zeros((5, 3))})


def test_a_copied_record_is_a_game() -> None:
    """`game` gives away a copy: what is done with it does not reach the lane."""
    batch = Batch(2, 2, "tiny")
    batch.reset(1)
    before = copy_records(batch.lanes.states)
    game = batch.game(1)
    game.play(int(game.legal_actions[0]))
    assert batch.lanes.states.tobytes() == before.tobytes()
    assert batch.game(1) != game
    assert batch.view(1).game.seat == batch.seats[1]
    assert repr(batch) == "<Batch of 2 games of Thurn und Taxis: tiny, 2 players>"
    assert len(batch) == 2
    assert batch.rules is make_rules("thurn_und_taxis", 2, "tiny")
