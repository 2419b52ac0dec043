"""Learning from every seat, and from a critic that sees all hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import Logger

from tests.test_training import drawn, evaluations, interrupt_at, killed, train
from thurn_env import make_rules
from thurn_env.players.policy import Network, load
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.every_seat import SeatBuffer, advantages_of_seats
from thurn_env.training.exchange import exported
from thurn_env.training.network import JointPolicy, policy_arguments
from thurn_env.training.pool import PoolVecEnv

DISCOUNT, TRACE = 0.9, 0.8


def learner(shares: dict[str, float], others: bool, players: int = 2, network: Network = "mlp") -> RunningPPO:
    """A small learner of several seats on the tiny board, without discount, before its first rollout."""
    env = PoolVecEnv(shares, 8, 1, others=others, players=players, board="tiny")
    model = RunningPPO(
        JointPolicy,
        env,
        n_steps=100,
        batch_size=200,
        n_epochs=1,
        gamma=1.0,
        gae_lambda=1.0,
        rollout_buffer_class=SeatBuffer,
        rollout_buffer_kwargs={"players": players},
        policy_kwargs=policy_arguments(env.rules, network, 16, 2, False),
        seed=3,
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    model._setup_learn(0, None)
    return model


def collected(model: RunningPPO) -> SeatBuffer:
    """A rollout of this learner."""
    assert model.env is not None
    callback = CallbackList([])
    callback.init_callback(model)
    model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps)
    assert isinstance(model.rollout_buffer, SeatBuffer)
    return model.rollout_buffer


def test_with_one_seat_the_advantages_are_those_of_the_library() -> None:
    steps, lanes = 30, 5
    draw = np.random.default_rng(1)
    values, rewards = (draw.normal(size=(steps, lanes)).astype(np.float32) for _ in range(2))
    ended = draw.random((steps, lanes)) < 0.2
    last = draw.normal(size=lanes).astype(np.float32)
    box = spaces.Box(-1, 1, (1,))
    library = RolloutBuffer(steps, box, spaces.Discrete(2), "cpu", TRACE, DISCOUNT, lanes)
    library.values, library.rewards = values, rewards
    library.episode_starts[1:] = ended[:-1]
    library.compute_returns_and_advantage(torch.from_numpy(last), ended[-1])
    seat = draw.integers(3, size=lanes).astype(np.int8)
    seats = np.tile(seat, (steps, 1))
    of_all = np.full((steps, lanes, 3), 100, np.float32)
    of_all[:, np.arange(lanes), seat] = rewards
    ours = advantages_of_seats(values, of_all, seats, ended, last, seat, DISCOUNT, TRACE)
    assert ours == pytest.approx(library.advantages, rel=1e-4, abs=1e-5)


def test_a_decision_is_followed_by_the_next_one_of_its_seat() -> None:
    """Seats 0, 1, 1, 0 move, and the game ends; then 1 and 0 move in the next one, and 1 would be next."""
    seats = np.array([[0], [1], [1], [0], [1], [0]], np.int8)
    values = np.array([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6]], np.float32)
    ended = np.array([[False], [False], [False], [True], [False], [False]])
    rewards = np.zeros((6, 1, 2), np.float32)
    rewards[1, 0] = 2, 0  # to seat 0, while 1 moves
    rewards[3, 0] = 1, -1  # at the end, in a step of seat 0
    last_values, last_seats = np.array([0.7], np.float32), np.array([1], np.int8)
    found = advantages_of_seats(values, rewards, seats, ended, last_values, last_seats, DISCOUNT, TRACE)[:, 0]
    fourth = 1 - 0.4
    first = 2 + DISCOUNT * 0.4 - 0.1 + DISCOUNT * TRACE * fourth
    third = -1 - 0.3
    second = DISCOUNT * 0.3 - 0.2 + DISCOUNT * TRACE * third
    fifth = DISCOUNT * 0.7 - 0.5
    assert found == pytest.approx([first, second, third, fourth, fifth, 0], abs=1e-6)


@pytest.mark.parametrize("players", [2, 3])
def test_every_decision_of_a_finished_game_gets_the_return_of_its_seat(players: int) -> None:
    """Without discount and with lambda 1, in games of the learner with itself and in those against others."""
    buffer = collected(learner({"learner": 0.5, "greedy": 0.5}, others=False, players=players))
    returns, seats = buffer.advantages + buffer.values, buffer.observations["seat"][:, :, 0]
    moving = [0, 0]
    for lane in range(8):
        (starts,) = np.nonzero(buffer.episode_starts[:, lane])
        for first, after in zip([0, *starts], starts, strict=False):
            if first == after:
                continue
            game = slice(first, after)
            final = buffer.rewards[game, lane].sum(axis=0)
            assert final.sum() == pytest.approx(0, abs=1e-5)
            assert np.abs(final).max() == pytest.approx(1)
            assert returns[game, lane] == pytest.approx(final[seats[game, lane]], abs=1e-4)
            moving[lane // 4] = max(moving[lane // 4], len(set(seats[game, lane].tolist())))
    assert moving == [players, 1], "the learner plays all seats, or one against others"


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_the_critic_gets_the_views_of_all_seats(game: str, board: str) -> None:
    env = PoolVecEnv({"learner": 0.5, "random": 0.5}, 4, 1, others=True, game=game, players=3, board=board)
    seen = env.reset()
    for _ in range(30):
        seen, rewards, _, _ = env.step(env.action_masks().argmax(axis=1))
        assert rewards.shape == (4, 3)
    expected = np.zeros(env.rules.observation_size, np.float32)
    for lane in range(4):
        states = env.blocks[lane // 2][1].learner.batch.lanes.states
        seat = int(seen["seat"][lane, 0])
        assert seat == env.rules.seat(states, lane % 2)
        views = [seen["view"][lane], *np.split(seen["others"][lane], 2)]
        for step, view in enumerate(views):
            env.rules.observe(states, lane % 2, (seat + step) % 3, expected)
            assert np.array_equal(view, expected)
    assert env.observation_space.contains({name: piece[0] for name, piece in seen.items()})


@pytest.mark.parametrize("network", ["mlp", "city"])
def test_the_critic_leaves_policy_and_file_alone(network: Network) -> None:
    """At first it agrees with the value of the view; its error moves its own weights only, and files lack it."""
    model = learner({"learner": 1.0}, others=True, network=network)
    assert model.env is not None
    assert isinstance(model.policy, JointPolicy)
    assert model.policy.hands is not None
    assert model.policy.hands.second.in_features == 16 + 8, "the critic sees hidden values, not scores of actions"
    observations: Any = model.policy.obs_to_tensor(model._last_obs)[0]
    (of_state, of_view), _ = model.policy.judged(observations, None)
    assert torch.equal(of_state, of_view)
    (of_state - 1).square().sum().backward()
    moved = {name for name, weights in model.policy.named_parameters() if weights.grad is not None}
    assert moved == {f"hands.{layer}.{part}" for layer in ("first", "second", "last") for part in ("weight", "bias")}
    for _ in range(3):
        collected(model)
        model.train()
    (of_state, of_view), log_probabilities = model.policy.judged(observations, None)
    assert not torch.allclose(of_state, of_view)
    assert model.policy.predict_values(observations).tolist() == of_state.tolist()
    assert isinstance(model.env, PoolVecEnv)
    logits, values = exported(model.policy, model.env.rules, {})(observations["view"].numpy())
    assert values == pytest.approx(of_view.detach().numpy()[:, 0], abs=1e-4)
    chosen = torch.log_softmax(torch.from_numpy(logits), dim=1)
    assert chosen.numpy() == pytest.approx(log_probabilities.detach().numpy(), abs=1e-4)


def test_a_run_that_learns_from_everything_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["--opponents", "learner=0.5", "greedy=0.2", "past=0.3", "--critic", "state", "--magnet", "0.1"]
    assert train(tmp_path / "whole", 1000, *given) == 0
    with monkeypatch.context() as patch:
        interrupt_at(patch, 700, killed)
        assert train(tmp_path / "parts", 1000, *given) == 130
    assert train(tmp_path / "parts", 1000, *given, "--resume") == 0
    whole, parts = (load(tmp_path / name / "last.npz") for name in ("whole", "parts"))
    for one, other in zip((*whole.trunk, whole.value), (*parts.trunk, parts.value), strict=True):
        assert np.array_equal(one.weight, other.weight)
    assert evaluations(tmp_path / "whole") == evaluations(tmp_path / "parts")
    assert not whole.fits(make_rules("thurn_und_taxis", 3, "tiny"))
    figures = drawn(tmp_path / "whole")
    assert "won/greedy" in figures
    assert "won/learner" not in figures, "whoever plays all seats always wins"
