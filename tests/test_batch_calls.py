"""Many games in one call: illegal actions, ends, figures and copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.batches import begun, everything
from thurn_env import Game, IllegalAction, OptionError, ThurnError
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.table.batch import Batch


def an_illegal_action(batch: Batch, lane: int) -> int:
    return int(np.flatnonzero(batch.masks[lane] == 0)[-1])


@pytest.mark.parametrize("steps", [0, 7, 60])
def test_illegal_actions_are_refused_and_nothing_changes(steps: int) -> None:
    batch, chooser = begun(steps=steps)
    size = batch.rules.action_size
    wrong: list[tuple[int, str]] = [
        (an_illegal_action(batch, 4), "is not legal: "),
        (size, f"there is no action {size}; actions go from 0 to {size - 1}"),
        (-1, "there is no action -1"),
        (2**62, "there is no action 4611686018427387904"),
    ]
    before, terminated = everything(batch), batch.terminated.copy()
    for action, message in wrong:
        actions = chooser(batch.masks)
        actions[4] = action
        with pytest.raises(IllegalAction, match=f"^lane 4: .*{message}"):
            batch.step(actions)
        assert everything(batch) == before
    text = batch.rules.action_texts[wrong[0][0]]
    actions[4] = wrong[0][0]
    with pytest.raises(IllegalAction, match=f"lane 4: '{text}' is not legal"):
        batch.step(actions)
    assert np.array_equal(batch.terminated, terminated)
    batch.step(chooser(batch.masks))


def test_refused_steps_leave_the_rewards_of_the_last_step() -> None:
    """Also where games that are over stay."""
    batch, chooser = begun(autoreset=False, max_rounds=3, reward="score", steps=0)
    while not len(batch.ended):
        batch.step(chooser(batch.masks))
    before = everything(batch)
    assert batch.rewards.any()
    actions = chooser(batch.masks)
    going_on = int(np.flatnonzero(batch.seats >= 0)[0])
    actions[going_on] = an_illegal_action(batch, going_on)
    with pytest.raises(IllegalAction, match=f"^lane {going_on}: "):
        batch.step(actions)
    assert everything(batch) == before
    while (batch.seats >= 0).any():
        batch.step(chooser(batch.masks))
    before = everything(batch)
    with pytest.raises(ThurnError, match="all games are over"):
        batch.step(chooser(batch.masks))
    assert everything(batch) == before


@pytest.mark.parametrize("wrong", ["illegal", "too large", "negative"])
@pytest.mark.parametrize("autoreset", [True, False])
def test_illegal_actions_may_end_the_game(autoreset: bool, wrong: str) -> None:
    """Its player gets -1, the others 0, the game is over, and the next one begins, or none; other lanes play on."""
    batch, chooser = begun(illegal="penalise", autoreset=autoreset, shaping=0.5)
    twin = copy.deepcopy(batch)
    actions = chooser(batch.masks)
    twin.step(actions)
    loser, last = int(batch.seats[2]), batch.lanes.states[2:3].tobytes()
    actions[2] = {"illegal": an_illegal_action(batch, 2), "too large": 10**9, "negative": -5}[wrong]
    batch.step(actions)
    expected = [0.0] * 3
    expected[loser] = -1.0
    assert batch.rewards[2].tolist() == expected
    assert batch.terminated.tolist() == [lane == 2 for lane in range(6)]
    assert not batch.truncated.any()
    assert list(batch.ended) == [2]
    assert batch.lanes.final_states[2:3].tobytes() == last
    for lane in (0, 1, 3, 4, 5):
        assert batch.game(lane) == twin.game(lane)
        assert np.array_equal(batch.rewards[lane], twin.rewards[lane])
    if autoreset:
        twin.reset(lanes=[2])
        assert batch.game(2) == twin.game(2)
        assert np.array_equal(batch.observations, twin.observations)
        assert np.array_equal(batch.seats, twin.seats)
    else:
        assert batch.seats[2] == -1
        assert not batch.masks[2].any()
        assert batch.lanes.states[2:3].tobytes() == last


def test_illegal_actions_may_be_replaced() -> None:
    """By legal ones, at random, and the same ones each time; other lanes are not touched."""
    first, second = (begun(size=300, illegal="replace")[0] for _ in range(2))
    plain, chooser = begun(size=300)
    position, chosen = copy.deepcopy(plain), chooser(plain.masks)
    plain.step(chosen)
    wild = np.where(np.arange(300) % 2, chosen, np.where(np.arange(300) % 3, -1, first.rules.action_size))
    for batch in (first, second):
        batch.step(wild)
    assert everything(first) == everything(second)
    for lane in range(1, 300, 2):
        assert first.game(lane) == plain.game(lane)
    # What was played instead is some legal action of the position, and not always the first.
    played = set()
    for lane in range(0, 300, 2):
        after = []
        for action in np.flatnonzero(position.masks[lane]):
            trial = position.game(lane)
            trial.play(int(action))
            while len(trial.legal_actions) == 1:
                trial.play(trial.legal[0])
            after.append(trial)
        played.add(after.index(first.game(lane)))
    assert len(played) > 3
    assert not first.terminated.any()
    for _ in range(100):
        first.step(np.full(300, -1))
        second.step(np.full(300, -1))
    assert everything(first) == everything(second)


def test_games_that_are_over_may_stay() -> None:
    batch, chooser = begun(autoreset=False, max_rounds=6, reward="rank", steps=0)
    over: dict[int, list[bytes]] = {}
    while (batch.seats >= 0).any():
        actions = chooser(batch.masks)
        actions[list(over)] = -77  # not looked at
        batch.step(actions)
        for lane in batch.ended:
            assert lane not in over
            over[int(lane)] = [batch.lanes.states[lane].tobytes(), batch.observations[lane].tobytes()]
            assert batch.rewards[lane].any()
        for lane, (state, observation) in over.items():
            assert batch.seats[lane] == -1
            assert not batch.masks[lane].any()
            assert batch.lanes.states[lane].tobytes() == state
            assert batch.observations[lane].tobytes() == observation
            if lane not in batch.ended:
                assert not batch.rewards[lane].any()
    assert len(over) == 6
    with pytest.raises(ThurnError, match=r"all games are over: call reset\(\)"):
        batch.step(np.zeros(6, np.int64))
    # Some begin their next games, the others stay.
    batch.reset(lanes=[1, 4])
    assert (batch.seats >= 0).tolist() == [lane in (1, 4) for lane in range(6)]
    fresh = Batch(6, 3, "tiny", max_rounds=6)
    fresh.reset(30)
    fresh.reset()
    assert batch.game(4).to_bytes() == fresh.game(4).to_bytes()
    batch.step(chooser(batch.masks))
    batch.reset(lanes=batch.seats < 0)
    assert (batch.seats >= 0).all()


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0] * 5, r"actions must be 6 whole numbers, not int64 of shape \(5,\)"),
        ([[0] * 6], r"not int64 of shape \(1, 6\)"),
        ([0.0] * 6, "not float64 of shape"),
        ([True] * 6, "not bool of shape"),
        (["close"] * 6, "actions must be 6 whole numbers"),
        (None, "actions must be 6 whole numbers"),
        (3, "actions must be 6 whole numbers"),
    ],
    ids=str,
)
def test_wrong_actions(actions: Any, message: str) -> None:
    batch, _ = begun()
    before = everything(batch)
    with pytest.raises(OptionError, match=message):
        batch.step(actions)
    assert everything(batch) == before


def test_actions_of_any_whole_type() -> None:
    batch, chooser = begun()
    twin = copy.deepcopy(batch)
    for kind in (np.int8, np.uint8, np.int32, np.uint64, np.int64):
        actions = chooser(batch.masks)
        batch.step(actions)
        twin.step(actions.astype(kind))
        assert everything(batch) == everything(twin)
    actions = chooser(batch.masks)
    batch.step(actions)
    twin.step(actions.tolist())
    assert everything(batch) == everything(twin)


def test_figures_of_finished_games() -> None:
    """Worked out again from the finished table and from the moves that led to it."""
    batch, chooser = begun(size=20, players=2, steps=0)
    board, rules = load_board("tiny"), batch.rules
    close, names = rules.action_indices["close"], rules.statistics
    assert names == ("score", "rank", "turns", "routes", "carriages", "tiles")
    closed = np.zeros((20, 2), int)
    finished = 0
    while finished < 40:
        actions, seats = chooser(batch.masks), batch.seats.copy()
        for lane in np.flatnonzero(actions == close):
            closed[lane, seats[lane]] += 1
        batch.step(actions)
        for lane in batch.ended:
            game = Game.from_bytes(rules, batch.lanes.final_states[lane : lane + 1].tobytes())
            assert game.over
            players, lengths = game.public()["players"], [0, *(carriage.length for carriage in board.carriages)]
            expected = {
                "score": [sum(row.values()) for row in game.breakdown()],
                "rank": game.ranks,
                "turns": [game.rounds] * 2,
                "routes": list(closed[lane]),
                "carriages": [lengths.index(player["carriage"]) for player in players],
                "tiles": [len(player["tiles"]) for player in players],
            }
            figures = batch.statistics[lane]
            assert {name: figures[:, index].tolist() for index, name in enumerate(names)} == expected
            for seat in range(2):
                seen = batch.final_observations(np.array([lane]), np.array([seat]))
                assert np.array_equal(seen[0], game.view(seat).observation)
            closed[lane] = 0
            finished += 1


@pytest.mark.parametrize("observation", ["float32", "int8"])
def test_last_observations_of_lanes_and_seats_that_do_not_exist(observation: str) -> None:
    """Kernels check no index: they would read whatever lies in memory."""
    batch = Batch(4, board="tiny", max_rounds=1, observation=observation)
    batch.reset(seed=1)
    with pytest.raises(OptionError, match="lane 2 has not finished a game"):
        batch.final_observations([2], [0])
    while not len(batch.ended):
        batch.step(batch.masks.argmax(axis=1))
    lane = int(batch.ended[0])
    assert batch.final_observations([lane, lane], [0, 1]).shape == (2, batch.rules.observation_size)
    assert batch.final_observations([], []).shape == (0, batch.rules.observation_size)
    wrong: list[tuple[Any, Any, str]] = [
        ([9999], [0], "lanes go from 0 to 3"),
        ([-1], [0], "lanes go from 0 to 3"),
        ([lane], [7], "seats go from 0 to 1"),
        ([lane, lane], [1], "1 seats for 2 lanes"),
        (lane, 0, "lanes are indices from 0 to 3"),
        ([lane], 0, "seats are indices from 0 to 1"),
        ([0.5], [0], "lanes are indices from 0 to 3"),
    ]
    for lanes, seats, problem in wrong:
        with pytest.raises(OptionError, match=problem):
            batch.final_observations(lanes, seats)


def test_figures_stay_until_the_next_end() -> None:
    batch, chooser = begun(max_rounds=4)
    kept = batch.statistics.copy()
    for _ in range(200):
        batch.step(chooser(batch.masks))
        others = np.setdiff1d(np.arange(6), batch.ended)
        assert np.array_equal(batch.statistics[others], kept[others])
        kept = batch.statistics.copy()
    assert (kept[:, :, 2] == 4).all()


COPIES: dict[str, Callable[[Batch], Batch]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_go_on_alike(way: str) -> None:
    """And neither disturbs the other, not even through the arrays of a caller."""
    given = {"observations": np.zeros((6, 166), np.float32), "rewards": np.zeros((6, 3))}
    batch, chooser = begun(max_rounds=9, shaping=0.3, illegal="replace", arrays=given)
    twin = COPIES[way](batch)
    assert twin.rules is batch.rules
    assert everything(twin) == everything(batch)
    for name in ("observations", "rewards", "terminated", "truncated", "statistics"):
        assert getattr(twin, name) is getattr(twin.lanes, name)
    for name in ("masks", "seats"):
        assert np.shares_memory(getattr(twin, name), getattr(twin.lanes, name))
    for mine, other in zip(batch.lanes, twin.lanes, strict=True):
        assert not np.shares_memory(mine, other)
    before = everything(batch)
    plan = [chooser(batch.masks)]
    twin.step(plan[0])
    assert everything(batch) == before
    batch.step(plan[0])
    for step in range(120):
        assert everything(twin) == everything(batch)
        actions = chooser(batch.masks)
        actions[step % 6] = -1
        batch.step(actions)
        twin.step(actions)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 0}, "size must be from 1 to 1,048,576, not 0"),
        ({"size": 2.0}, "size must be a whole number, not 2.0"),
        ({"threads": 0}, "threads must be from 1 to 1,024, not 0"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"board": "tny"}, "tny"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"reward": "points"}, "reward must be one of win, rank, margin, score, not 'points'"),
        ({"illegal": "ignore"}, "illegal must be one of raise, penalise, replace, not 'ignore'"),
        ({"skip_forced": 1}, "skip_forced must be True or False"),
        ({"autoreset": None}, "autoreset must be True or False"),
        ({"shaping": float("inf")}, "shaping must be a finite number"),
        ({"max_round": 3}, "unknown option 'max_round'; did you mean max_rounds?"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ThurnError, match=message):
        Batch(**({"size": 2, "board": "tiny"} | arguments))


@pytest.mark.parametrize(
    ("lanes", "actions", "message"),
    [
        ([99], [0], "lanes go from 0 to 1"),
        ([-1], [0], "lanes go from 0 to 1"),
        (np.array([2**63], np.uint64), [0], "lanes go from 0 to 1"),
        ([0.5], [0], "lanes are indices"),
        ([0], [0.0], "actions must be 1 whole numbers"),
        ([0], [0, 1], "actions must be 1 whole numbers"),
        ([0, 1], 3, "actions must be 2 whole numbers"),
        ([0], ["draw"], "actions must be 1 whole numbers"),
    ],
)
def test_calls_that_play_on_are_checked(lanes: Any, actions: Any, message: str) -> None:
    """Compiled code reads lanes and actions unchecked: it would read and write other memory."""
    batch = Batch(2, 2, "tiny")
    batch.reset(1)
    before = everything(batch)
    with pytest.raises(OptionError, match=message):
        batch.go_on(lanes, actions)
    with pytest.raises(IllegalAction, match="lane 1: there is no action"):
        batch.go_on([1], [10**6])
    assert everything(batch) == before


@pytest.mark.parametrize("lane", [2, -1, 0.0, "x", None, [0]])
def test_only_a_lane_has_a_seed(lane: Any) -> None:
    batch = Batch(2, 2, "tiny")
    batch.reset(1)
    with pytest.raises(OptionError, match="lane must be"):
        batch.game_seed(lane)


@pytest.mark.parametrize(
    ("roles", "seat", "message"),
    [
        ([], None, "0 roles for 1 opponents"),
        ([0, 0], 0, "2 roles"),
        ([99], 0, "must be from 0"),
        ([0], 2, "from 0 to 1"),
    ],
)
def test_only_bots_and_guests_are_opponents(roles: Any, seat: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Batch(2, 2, "tiny").seat_opponents(roles, seat)
