"""Many games with one learner each: shared by the Gymnasium and Stable-Baselines3 environments."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from thurn_env.checks import MOST_LANES, checked_whole, quoted, whole
from thurn_env.engine.lanes import ILLEGAL_MODES, LEARNER, PENALISE, BoolArray, guest_role
from thurn_env.envs.copies import Copies
from thurn_env.errors import AgentError, IllegalAction, OptionError
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.contract import Float64Array, GameRules, Int8Array, Int64Array, RewardMode
from thurn_env.players.agent import Agent, BatchAgent, ScriptedAgent, agent_seed, copy_of_agent, make_opponent
from thurn_env.table.batch import Batch
from thurn_env.table.game import View
from thurn_env.table.lane_arguments import chosen_lanes

__all__ = ["LearnerBatch"]

Opponent = str | Agent | BatchAgent | Copies
Opponents = Opponent | Sequence[Opponent]

ROTATE = "rotate"


class LearnerBatch:
    """N games with one learner each; the other seats are played inside the step.

    Arrays are overwritten in place: copy what you need to keep.

    Args:
        size: number of games, N.
        players: number of players.
        board: name of a shipped board, path of a board file, or None for the game's default board.
        opponents: opponents of the other seats, clockwise from the learner; a single one takes all of them. Scripted
            bots are given by name and run in compiled code; other agents are given by spec or as objects and act for
            many games at once (`BatchAgent`). With one game an agent with `act` alone suffices; in more games,
            `Copies(spec)` plays it, slowly. If the same object is given for several seats, each further seat gets a
            copy.
        learner_seat: seat of the learner, or "rotate": in the e-th game of seed s it is seat (s + e) mod players.
        game, reward, skip_forced, shaping, illegal, autoreset, observation, threads, rules, options: see `Batch`.
            Opponents always get scaled observations.

    Attributes:
        batch: the games.
        observations: float32 or integers (N, O), observation of the learner.
        masks: int8 (N, A), its legal actions; all zero after the end. Read-only.
        rewards: float64 (N,), the learner's rewards since its last decision.
        terminated: bool (N,), whether a game was played to its end in the last step.
        truncated: bool (N,), whether a game was cut off in the last step.
        seats: int8 (N,), seat of the learner in the game of the last step, which may have ended in it.

    Raises:
        OptionError: unknown board, option or value, or wrong number of opponents.
        AgentError: an unknown opponent, or one that cannot play many games at once.
    """

    batch_type: ClassVar[type[Batch]] = Batch

    def __init__(
        self,
        size: int,
        players: int = 2,
        board: Any = None,
        *,
        game: str = DEFAULT_GAME,
        opponents: Opponents = "sensible-random",
        learner_seat: int | str = ROTATE,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        illegal: str = "penalise",
        autoreset: bool = True,
        observation: str = "float32",
        threads: int = 1,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        size = checked_whole("num_envs", size, 1, MOST_LANES)
        self.batch = self.batch_type(
            size,
            players,
            board,
            game=game,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            illegal=illegal,
            autoreset=autoreset,
            observation=observation,
            threads=threads,
            rules=rules,
            **options,
        )
        self.rules = self.batch.rules
        seats = range(self.rules.players)
        fixed = whole(learner_seat)
        rotates = isinstance(learner_seat, str) and learner_seat == ROTATE
        if not rotates and fixed not in seats:
            raise OptionError(
                f'learner_seat must be a seat from 0 to {seats[-1]} or "rotate", not {quoted(learner_seat)}'
            )
        self.guests: list[Agent | BatchAgent | Copies] = []
        self._made: dict[str, BatchAgent] = {}
        self._copies: dict[str, Copies] = {}
        self._own: list[object] = []  # those made here, which end with the environment
        # First seed and game number for which agents with `act` were last reset.
        self._reset_for: tuple[int, int] | None = None
        roles = [self._role(opponent, size) for opponent in self._every_opponent(opponents)]
        self.batch.seat_opponents(roles, fixed)
        self.observations = self.batch.observations
        self.terminated, self.truncated = self.batch.terminated, self.batch.truncated
        self.rewards: Float64Array = np.zeros(size)
        self._skips_forced = bool(skip_forced)
        self._penalises = illegal == ILLEGAL_MODES[PENALISE]
        self._memory = self.batch.lanes.memory
        self._all = np.arange(size)
        self.seats: Int64Array = np.zeros(size, np.int64)

    @property
    def masks(self) -> Int8Array:
        """Legal actions of the learners: int8 (N, A)."""
        return self.batch.masks

    def _every_opponent(self, opponents: Opponents) -> list[Opponent]:
        """Return an opponent for every other seat."""
        others = self.rules.players - 1
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return [opponents] * others
        if len(opponents) not in (1, others):
            raise OptionError(f"{len(opponents)} opponents for {others} seats; give one for each, or one for all")
        return list(opponents) * (others // len(opponents))

    def _role(self, opponent: Opponent, size: int) -> int:
        """Return the role of an opponent: the number of its bot, or of its place among the guests."""
        if isinstance(opponent, str):
            spec, opponent = opponent, self._made.get(opponent) or make_opponent(opponent, self.rules.bots)
            self._own.append(opponent)
            if isinstance(opponent, BatchAgent):
                # Only agents made here from a spec can take several seats.
                self._made[spec] = opponent
        elif isinstance(opponent, Copies):
            # What it remembers belongs to these games; another environment may have been given it, too.
            opponent = self._copies.setdefault(opponent.name, Copies(opponent.name))
            self._own.append(opponent)
        if isinstance(opponent, ScriptedAgent):
            if opponent.name not in self.rules.bots:
                raise AgentError(
                    f"{self.rules.title} has no bot {opponent.name!r}; it has {', '.join(self.rules.bots)}"
                )
            return self.rules.bots.index(opponent.name)
        for_many = isinstance(opponent, BatchAgent | Copies)
        if not for_many and (size > 1 or not isinstance(opponent, Agent)):
            # The `repr` of a policy may contain all its weights.
            named = repr(opponent.name) if hasattr(opponent, "name") else reprlib.repr(opponent)
            raise AgentError(
                f"{named} cannot play a batch of games: it has no name or no act_batch; Copies(spec) of "
                "thurn_env.envs.copies plays any agent, slowly"
            )
        for index, guest in enumerate(self.guests):
            if guest is opponent:
                if isinstance(opponent, BatchAgent | Copies):
                    return guest_role(index)
                opponent = copy_of_agent(opponent)
                break
        self.guests.append(opponent)
        return guest_role(len(self.guests) - 1)

    @cached_property
    def _for_many(self) -> frozenset[int]:
        """Return the indices of the guests that choose for many games at once.

        Every step asks for them, and `isinstance` of a protocol takes its time.
        """
        return frozenset(index for index, guest in enumerate(self.guests) if isinstance(guest, BatchAgent))

    @cached_property
    def _early(self) -> Float64Array:
        """What shaping gave the learner for guests' moves before its first decision, float64 (N,).

        It comes with the first step, as for the moves of scripted bots.
        """
        return np.zeros(self.batch.size)

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        lanes: Sequence[int] | Int64Array | BoolArray | None = None,
        start_player: int | None = None,
    ) -> None:
        """Begin new games and play to the learner's first decision; see `Batch.reset`."""
        chosen = self._all if lanes is None else chosen_lanes(lanes, self.batch.size)
        self.batch.reset(seed, None if lanes is None else chosen, start_player)
        if self.guests:
            with self._broken_off_by_failures():
                for copies in self._copies.values():
                    copies.begin(chosen)
                if len(chosen) == len(self._all):
                    self._reset_guests()
                self._play_guests()
        self.seats[chosen] = self._memory["learner"][chosen]
        self.rewards[chosen] = 0.0
        if self.guests:
            # Not the batch's rewards: a game that ended before the learner's first decision added to them, too.
            self._early[chosen] = self._memory["returns"][chosen, self.seats[chosen]]

    def _reset_guests(self) -> None:
        """Reset the guests at the start of all games, with the seed of the first one."""
        seed = self.batch.game_seed(0)
        for index, guest in enumerate(self.guests):
            if hasattr(guest, "reset_batch"):
                guest.reset_batch(self.rules, agent_seed(seed, self._guest_seats(index)[0]))
        self._reset_for = None
        self._reset_single_agents()

    def _reset_single_agents(self) -> None:
        """Reset agents with `act`, which know a single game, when a new game begins."""
        game = int(self._memory[0]["seed"]), int(self._memory[0]["resets"])
        if game == self._reset_for:
            return
        self._reset_for = game
        seed = self.batch.game_seed(0)
        for index, guest in enumerate(self.guests):
            if not isinstance(guest, BatchAgent | Copies):
                for seat in self._guest_seats(index):
                    guest.reset(seat, self.rules, agent_seed(seed, seat))

    def _guest_seats(self, index: int) -> list[int]:
        """Return the seats of a guest in the first lane."""
        seats: list[int] = np.flatnonzero(self._memory[0]["roles"] == guest_role(index)).tolist()
        return seats

    def step(self, actions: Any) -> None:
        """Play the learner's action in every game, then the others up to its next decision; see `Batch.step`.

        Raises:
            AgentError: an opponent chose an illegal action. After any failure of an opponent the arrays are cleared,
                and only `reset` is allowed.
        """
        self.seats[:] = self._memory["learner"]
        self.batch.step(actions)
        if self.guests:
            with self._broken_off_by_failures():
                self._play_guests()
        self.rewards[:] = self.batch.rewards[self._all, self.seats]
        if self.guests:
            self.rewards += self._early
            self._early[:] = 0.0

    def step_only_game(self, action: int) -> float:
        """Play a checked action in a batch of one game, with as little Python overhead as possible.

        Returns:
            the learner's rewards since its last decision.
        """
        seat = self.seats[0] = self._memory["learner"][0]
        self.batch.step_only_game(action)
        if self.guests:
            with self._broken_off_by_failures():
                self._play_guests()
            self.rewards[0] = self.batch.rewards[0, seat] + self._early[0]
            self._early[0] = 0.0
            return float(self.rewards[0])
        return float(self.batch.rewards[0, seat])

    @contextmanager
    def _broken_off_by_failures(self) -> Iterator[None]:
        """Abandon all games if an opponent fails: they stand at a decision that the learner may not see."""
        try:
            yield
        except BaseException:
            self.batch.break_off()
            self.rewards[:] = self._early[:] = 0.0
            raise

    def _play_guests(self) -> None:
        """Let guests act until in every lane the learner is to move or the game is over."""
        asked = True
        while asked:
            asked = False
            for index in range(len(self.guests)):
                movers = self.batch.seats
                roles = np.where(movers >= 0, self._memory["roles"][self._all, movers], LEARNER)
                lanes = np.flatnonzero(roles == guest_role(index))
                if len(lanes):
                    self._let_act(index, lanes)
                    asked = True

    def _let_act(self, index: int, lanes: Int64Array) -> None:
        """Let a guest act in these lanes in one call, except where only one action is legal."""
        if not self._skips_forced:
            forced = self.masks[lanes].sum(axis=1) == 1
            if forced.any():
                self.batch.go_on(lanes[forced], self.masks[lanes[forced]].argmax(axis=1))
                lanes = lanes[~forced]
                if not len(lanes):
                    return
        guest = self.guests[index]
        try:
            if isinstance(guest, Copies):
                self.batch.go_on(lanes, guest.act(self.batch, lanes))
            elif index in self._for_many:
                self._tell_moves()
                as_learner = getattr(guest, "takes_learner_observations", False)
                seen = self.observations[lanes] if as_learner else self.batch.scaled_observations(lanes)
                actions = np.asarray(cast(BatchAgent, guest).act_batch(seen, self.masks[lanes]))
                if actions.shape != lanes.shape or not np.issubdtype(actions.dtype, np.integer):
                    raise IllegalAction(
                        f"act_batch must return {len(lanes)} whole numbers, not {actions.dtype.name} {actions.shape}"
                    )
                self.batch.go_on(lanes, actions.astype(np.int64, copy=False))
            else:
                self._reset_single_agents()
                self._tell_moves()
                game = self.batch.game(int(lanes[0]))
                # The agent may have played on in its view, so the game itself checks the action.
                action = cast(Agent, guest).act(game.view())
                self.batch.go_on(lanes, np.array([game.legal_index(action)]))
        except (IllegalAction, TypeError) as error:
            raise AgentError(f"agent {guest.name!r}: {error}") from error

    def _tell_moves(self) -> None:
        """Tell agents that follow their games the moves so far. A lane stores no moves, so nobody is told any here."""

    @property
    def ended(self) -> Int64Array:
        """Indices of the games that ended in the last step: int64 (number of games,), ascending."""
        return np.flatnonzero(self.terminated | self.truncated)

    def final_observations(self, lanes: Int64Array) -> np.ndarray[Any, Any]:
        """Return the learner's final observation in each lane whose game ended in the last step: (lanes, O)."""
        return self.batch.final_observations(lanes, self.seats[lanes])

    def final_figures(self, lanes: Int64Array) -> dict[str, np.ndarray[Any, Any]]:
        """Return statistics of the games that ended in the last step, an array (lanes,) for each.

        They are the learner's `return` (float64) and `decisions`, its `seat`, whether it `won` (alone or shared), its
        statistics named by `rules.statistics`, the `margin` over the best opponent, and `illegal`: whether an illegal
        action of the learner ended the game or was replaced in the last step.
        """
        seats, memory = self.seats[lanes], self._memory[lanes]
        statistics = self.batch.statistics[lanes]
        rows = np.arange(len(lanes))
        own = statistics[rows, seats]
        figures = {name: own[:, index] for index, name in enumerate(self.rules.statistics)}
        scores = statistics[:, :, self.rules.statistics.index("score")].copy()
        scores[rows, seats] = np.iinfo(scores.dtype).min
        return {
            "return": memory["last_returns"][rows, seats],
            "decisions": memory["last_decisions"],
            "seat": seats,
            "won": (figures["rank"] == 1) & ~self._broken_off(lanes),
            "margin": figures["score"] - scores.max(axis=1),
            "illegal": memory["illegal"] != 0,
            **figures,
        }

    def _broken_off(self, lanes: Int64Array) -> BoolArray:
        """Return a bool array (lanes,): whether an illegal action ended the game."""
        broken_off: BoolArray = (self._memory["illegal"][lanes] != 0) & self._penalises
        return broken_off

    def close(self) -> None:
        """End opponents that have a `close` and were made here from a spec, such as programs."""
        for opponent in self._own:
            if hasattr(opponent, "close"):
                opponent.close()

    def check_begun(self) -> None:
        """Raise `ThurnError` if there is no game."""
        self.batch.check_begun()

    def view(self, lane: int) -> View:
        """Return the learner's view of one lane's game."""
        self.check_begun()
        number = checked_whole("index", lane, 0, self.batch.size - 1)
        return self.batch.view(number, int(self._memory[number]["learner"]))
