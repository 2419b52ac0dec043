"""The opponents of a training run in one `VecEnv`: scripted bots, policies, and past snapshots of the learner."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from thurn_env.engine.generator import derived_seed
from thurn_env.engine.lanes import BoolArray
from thurn_env.engine.provenance import earlier
from thurn_env.envs.copies import Copies
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.errors import OptionError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.agent import make_opponent
from thurn_env.players.guided import GuidedSearch
from thurn_env.players.policy import Policy, find, load
from thurn_env.players.policy_agent import PolicyAgent
from thurn_env.training.every_seat import EverySeatVecEnv, views_of_others
from thurn_env.training.need import Tally
from thurn_env.training.opponents import EACH
from thurn_env.training.stagger import stagger

SELF, PAST, LEARNER = "self", "past", "learner"
"""Names of opponents that are the learner: its last snapshot, earlier ones, and the learner itself in every seat."""
POLICY = "ppo:"
"""Prefix of the names of policies in files."""
PAST_GROUPS = 4
"""Number of groups of games against past snapshots; each group plays another snapshot."""
MOMENTS = 1
"""Number of the seed stream for staggering the first games."""


class TimedPolicy(PolicyAgent):
    """A policy whose forward passes are timed, to subtract them from the environment's time.

    Attributes:
        seconds: total time of its decisions.
    """

    seconds = 0.0

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        """Return the policy's actions, int64 (rows,)."""
        start = time.perf_counter()
        choices = super().act_batch(observations, masks)
        self.seconds += time.perf_counter() - start
        return choices


class Snapshot(TimedPolicy):
    """A snapshot of the learner: a replaceable policy whose actions are sampled.

    Attributes:
        number: number of the snapshot, counted from 1.
    """

    number = 0

    def __init__(self, name: str) -> None:
        super().__init__(f"{name},sample")
        self.name = name

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        """Begin a batch of new games."""
        self._generator = np.random.default_rng(seed)

    def become(self, policy: Policy, number: int = 0) -> None:
        """Replace the policy by that of another snapshot."""
        self._policy, self.number = policy, number


def lanes_of(shares: dict[str, float], lanes: int) -> dict[str, int]:
    """Return the number of games per opponent: at least one each, `lanes` in total (largest remainders first)."""
    if len(shares) > lanes:
        raise OptionError(f"{lanes} lanes are too few for {len(shares)} kinds of opponents")
    numbers = {name: max(1, int(share * lanes)) for name, share in shares.items()}
    order = sorted(shares, key=lambda name: int(shares[name] * lanes) - shares[name] * lanes)
    while sum(numbers.values()) < lanes:
        for name in order[: lanes - sum(numbers.values())]:
            numbers[name] += 1
    while sum(numbers.values()) > lanes:
        numbers[max(numbers, key=lambda name: numbers[name])] -= 1
    return numbers


def origins(rules: GameRules, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return how these agents were made, for files that note it; see `thurn_env.engine.provenance.earlier`."""
    agents = {name: make_opponent(name.removeprefix(EACH), rules.bots) for name in names}
    files = {name: find(agent.path) for name, agent in agents.items() if isinstance(agent, PolicyAgent | GuidedSearch)}
    known = {name: earlier(file, load(file).made) for name, file in files.items()}
    return {name: made for name, made in known.items() if made}


def kept(newest: int, most: int) -> range:
    """Return the numbers of the snapshots kept before the newest one: evenly spaced, at most `most`.

    Snapshots are numbered from 1. When there are too many, every other one is dropped, so the distance doubles.
    """
    distance = 1
    while (newest - 1) // distance > most:
        distance *= 2
    return range(distance, newest, distance)


def _games(size: int, opponent: Any, **arguments: Any) -> LearnerVecEnv:
    """Return games against one opponent, or of the learner in every seat."""
    if opponent == LEARNER:
        return EverySeatVecEnv(size, **arguments)
    return LearnerVecEnv(size, opponents=opponent, **arguments)


class PoolVecEnv(VecEnv):
    """Games against all opponents of a pool; every opponent has its own block of games.

    Observations are those of the learner, float32 (N, O). If the learner plays every seat of some games, or if `others`
    is set, they are a dictionary instead: `view` (N, O) of the seat to move, `seat` (N, 1), its number, and with
    `others` the views of all other seats, clockwise: (N, (P - 1) * O). Rewards are then those of all seats, (N, P).

    Args:
        shares: shares of the opponents by name; the sum is 1.
        lanes: number of games.
        seed: seed of the games.
        need: preference for past snapshots that the learner loses to, see `thurn_env.training.need`; 0 for none.
        others: whether to give the views of all seats, for a critic that sees all hands.
        arguments: arguments of `LearnerVecEnv`.

    Attributes:
        joint: whether observations are a dictionary.
        blocks: opponent's name and environment of every block of games, in order.
        tally: games against past snapshots. A game counts for the snapshot that plays when it ends.
    """

    def __init__(
        self,
        shares: dict[str, float],
        lanes: int,
        seed: int,
        need: float = 0.0,
        others: bool = False,
        **arguments: Any,
    ) -> None:
        self._seed = seed
        self._need, self.tally = need, Tally()
        self._others, self.joint = others, others or LEARNER in shares
        self.blocks: list[tuple[str, LearnerVecEnv]] = []
        self.snapshots: dict[str, list[Snapshot]] = {SELF: [], PAST: []}
        self.policies: list[TimedPolicy] = []
        for name, number in lanes_of(shares, lanes).items():
            groups = min(PAST_GROUPS, number) if name == PAST else 1
            for group in range(groups):
                size = number // groups + (group < number % groups)
                opponent: Any = name
                if name in self.snapshots:
                    opponent = Snapshot(name)
                    self.snapshots[name].append(opponent)
                elif name.startswith(POLICY):
                    opponent = TimedPolicy(name.removeprefix(POLICY))
                elif name.startswith(EACH):
                    opponent = Copies(name.removeprefix(EACH))
                if isinstance(opponent, TimedPolicy):
                    self.policies.append(opponent)
                place = len(self.blocks)
                # Every block needs its own seed, or blocks would play the same games.
                block_seed = derived_seed(seed, place) % (1 << 62)
                self.blocks.append((name, _games(size, opponent, seed=block_seed, **arguments)))
        environments = [env for _, env in self.blocks]
        self.bounds = np.cumsum([0, *(env.num_envs for env in environments)])
        self.rules = environments[0].rules
        self.opponent_of = [name for name, env in self.blocks for _ in range(env.num_envs)]
        self._pieces: list[Any] = []
        self._seconds = 0.0
        self.render_mode = None
        super().__init__(lanes, self._space(environments[0].observation_space), environments[0].action_space)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Checkpoints of earlier versions lack these.
        self.__dict__.update({"_need": 0.0, "tally": Tally(), "_others": False, "joint": False} | state)

    def _space(self, view: spaces.Space[Any]) -> spaces.Space[Any]:
        """Return the space of observations, given that of a view."""
        if not self.joint:
            return view
        players = self.rules.players
        pieces: dict[str, spaces.Space[Any]] = {"view": view, "seat": spaces.Box(0, players - 1, (1,), np.int8)}
        if self._others:
            pieces["others"] = spaces.Box(-1, 1, ((players - 1) * self.rules.observation_size,), np.float32)
        return spaces.Dict(pieces)

    def _observed(self, views: Sequence[Float32Array]) -> Any:
        """Return the observations, given the views of the seats to move in every block."""
        if not self.joint:
            return self._join(views)
        batches = [env.learner.batch for _, env in self.blocks]
        observations = {"view": self._join(views), "seat": self._join([batch.seats for batch in batches])[:, None]}
        if self._others:
            observations["others"] = self._join([views_of_others(batch) for batch in batches])
        return observations

    def _join(self, parts: Sequence[Any]) -> Any:
        return np.concatenate(parts)

    def refresh(self, latest: Policy, past: Mapping[int, Policy], seed: int) -> None:
        """Replace the snapshots: `self` becomes the latest policy, each `past` a random one of the past policies.

        Args:
            latest: the latest policy.
            past: past policies by the number of the snapshot.
            seed: seed of the draw.
        """
        generator = np.random.default_rng(seed)
        for snapshot in self.snapshots[SELF]:
            snapshot.become(latest)
        numbers = list(past)
        self.tally.fade(numbers)
        probabilities = self.tally.probabilities(numbers, self._need, self.rules.players) if self._need else None
        for snapshot in self.snapshots[PAST]:
            if probabilities is None:
                # Keep the cheaper draw, so that earlier runs can be repeated.
                drawn = int(generator.integers(len(past)))
            else:
                drawn = int(generator.choice(len(past), p=probabilities))
            number = numbers[drawn]
            snapshot.become(past[number], number)

    def reset(self) -> Any:
        """Begin new games in all blocks, staggered; see `thurn_env.training.stagger`."""
        for place, (_, env) in enumerate(self.blocks):
            env.reset()
            stagger(env.learner, derived_seed(self._seed, MOMENTS, place))
        # Only steps are timed, so discard the time of policies before the first one.
        self._seconds = 0.0
        for policy in self.policies:
            policy.seconds = 0.0
        return self._observed([env.learner.observations for _, env in self.blocks])

    def step_async(self, actions: Any) -> None:
        """Store the actions of the next step."""
        self._pieces = np.split(actions, self.bounds[1:-1])

    def step_wait(self) -> VecEnvStepReturn:
        """Play the stored actions; see `LearnerVecEnv.step_wait`, and above for observations and rewards."""
        start = time.perf_counter()
        steps = [env.step(piece) for (_, env), piece in zip(self.blocks, self._pieces, strict=True)]
        views, rewards, dones, infos = zip(*steps, strict=True)
        observations = self._observed(views)
        self._seconds += time.perf_counter() - start
        self._count_games(dones, infos)
        if self.joint:
            rewards = tuple(env.learner.batch.rewards.astype(np.float32) for _, env in self.blocks)
        return observations, self._join(rewards), self._join(dones), [i for part in infos for i in part]

    def _count_games(self, dones: Sequence[BoolArray], infos: Sequence[list[dict[str, Any]]]) -> None:
        """Add the games against past snapshots that ended in a step to the tally."""
        for (name, env), done, info in zip(self.blocks, dones, infos, strict=True):
            if name == PAST and done.any():
                (snapshot,) = env.learner.guests
                ended = np.flatnonzero(done).tolist()
                assert isinstance(snapshot, Snapshot)
                self.tally.add(snapshot.number, len(ended), sum(bool(info[lane]["won"]) for lane in ended))

    def action_masks(self) -> BoolArray:
        """Return the learners' legal actions, bool (N, A)."""
        masks: BoolArray = self._join([env.action_masks() for _, env in self.blocks])
        return masks

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return `action_masks` for the chosen games; no other method is supported."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}, only action_masks")
        return list(self.action_masks()[list(self._get_indices(indices))])

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of the environment, once for each of the chosen games."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute, which all games share."""
        raise OptionError("attributes of the pool cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return True for `Monitor`, whose work this class does."""
        return self.blocks[0][1].env_is_wrapped(wrapper_class) * self.num_envs

    def seconds(self) -> dict[str, float]:
        """Seconds spent in the environment and its bots, and in decisions of policies among the opponents."""
        thinking = sum(policy.seconds for policy in self.policies)
        return {"environment": self._seconds - thinking, "policies": thinking}

    def close(self) -> None:
        """Do nothing; there is nothing to release."""
