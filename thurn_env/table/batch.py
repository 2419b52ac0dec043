"""Many games stepped together by one compiled call."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from thurn_env.checks import (
    MOST_LANES,
    MOST_THREADS,
    checked_choice,
    checked_flag,
    checked_seat,
    checked_shaping,
    checked_whole,
)
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.engine.kernels import copy_records
from thurn_env.engine.lane_rules import first_illegal
from thurn_env.engine.lanes import (
    BEGIN,
    GO_ON,
    ILLEGAL_MODES,
    OVER,
    RAISE,
    STEP,
    STUCK,
    BoolArray,
    Lanes,
    is_bot,
    new_memory,
)
from thurn_env.engine.read_only import window
from thurn_env.engine.sharing import Share, alone
from thurn_env.engine.step_threads import Threads
from thurn_env.engine.thread_choice import ThreadChoice
from thurn_env.errors import IllegalAction, OptionError, ThurnError
from thurn_env.games import DEFAULT_GAME, chosen_rules
from thurn_env.games.contract import (
    Float32Array,
    GameRules,
    Int64Array,
    RewardMode,
    reward_mode,
)
from thurn_env.table.game import Game, View
from thurn_env.table.lane_arguments import checked_actions, checked_indices, chosen_lanes, seeds_of_lanes

READ_AGAIN = frozenset({"masks", "seats"})
"""Arrays that a step reads in the state in which the previous step left them."""
OBSERVATION_NUMBERS = ("float32", "int8")
"""Types of observations: scaled floats, or integer counts."""
NO_GAMES = "there are no games yet: call reset()"
BROKEN_OFF = "the last step failed in the middle: call reset() to continue"


class Batch:
    """N games that are stepped together. The place of one game is a *lane*.

    `reset` and `step` overwrite all arrays in place: copy what you need to keep. Lane k with seed s plays the same game
    as `Game(seed=s)`; its later games are those of the AEC environment when it is reset without a seed.

    Args:
        size: number of games, N.
        players: number of players, P.
        board: name of a shipped board, path of a board file, or None for the game's default board.
        game: name of the game.
        reward: reward mode: "win", "rank", "margin" or "score".
        skip_forced: play decisions with a single legal action automatically.
        shaping: weight of potential-based shaping rewards; 0 for none.
        illegal: how to treat an illegal action. "raise": raise `IllegalAction` and change no game; "penalise": end
            the game, the player gets -1 and the others 0; "replace": play a random legal action instead.
        autoreset: begin the next game of a lane in the step in which a game ends.
        observation: "float32" for scaled values; "int8" for the integer counts behind them, which a network can scale
            in its first layer by `rules.observation_scale`. Counts need a quarter of the memory and less time; they
            are int16 if a count may not fit into int8.
        threads: maximum number of threads for a step, see `thurn_env.engine.thread_choice`. Results do not depend
            on it.
        arrays: arrays to write into instead of newly allocated ones, by name: any of `observations`, `masks`,
            `rewards`, `terminated`, `truncated`, `seats`, with the shapes and dtypes given below. Do not write into
            `masks` and `seats`: the next step reads them.
        rules: rules from `make_rules`, in place of game, players, board and options.
        options: options of the game.

    Attributes:
        rules: the rules, with the text of every action and the slices of the observation.
        observations: float32, or integers of dtype `rules.count_dtype`, (N, O): observation of the player to move;
            after the end, of seat 0.
        masks: int8 (N, A), 1 for the legal actions of the player to move; all zero after the end. Read-only.
        seats: int8 (N,), seat to move; -1 after the end. Read-only.
        rewards: float64 (N, P), rewards of all seats in the last step.
        terminated: bool (N,), whether a game was played to its end in the last step.
        truncated: bool (N,), whether a game was cut off in the last step.
        statistics: int32 (N, P, S), statistics of the last finished game of each lane, named by `rules.statistics`.

    Raises:
        OptionError: unknown board, option or value, or arrays of a wrong shape, dtype or layout.

    Example:
        >>> batch = Batch(4, players=3)
        >>> batch.reset(seed=7)
        >>> batch.step(batch.masks.argmax(axis=1))
        >>> batch.rewards.shape
        (4, 3)
    """

    def __init__(
        self,
        size: int,
        players: int = 2,
        board: Any = None,
        *,
        game: str = DEFAULT_GAME,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        illegal: str = "raise",
        autoreset: bool = True,
        observation: str = "float32",
        threads: int = 1,
        arrays: dict[str, np.ndarray[Any, Any]] | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self.size = checked_whole("size", size, 1, MOST_LANES)
        self.threads = checked_whole("threads", threads, 1, MOST_THREADS)
        self.rules: GameRules = chosen_rules(rules, game, players, board, options)
        memory, settings = new_memory(self.size, self.rules.players)
        settings[0]["reward"] = reward_mode(reward)
        settings[0]["skip_forced"] = checked_flag("skip_forced", skip_forced)
        settings[0]["shaping"] = checked_shaping(shaping)
        settings[0]["illegal"] = checked_choice("illegal", illegal, ILLEGAL_MODES)
        settings[0]["autoreset"] = self._autoreset = checked_flag("autoreset", autoreset)
        whole_numbers = checked_choice("observation", observation, OBSERVATION_NUMBERS)
        self._raises = illegal == ILLEGAL_MODES[RAISE]
        self._bots = False
        self.begun = False
        self._refusal = NO_GAMES
        self._seeded = False
        self._all: Int64Array = np.arange(self.size)
        self._threads, self._alone = Threads(self.threads), alone(self.size)
        self._thread_choice = ThreadChoice(self.threads)
        # Helping threads read lanes and actions here.
        self._shared_lanes: Int64Array = np.zeros(self.size, np.int64)
        self._shared_actions: Int64Array = np.zeros(self.size, np.int64)
        self._only_action: Int64Array = np.zeros(1, np.int64)
        numbers = self.rules.count_dtype if whole_numbers else np.dtype(np.float32)
        self._take_arrays(memory, settings, numbers, dict(arrays or {}))

    def _take_arrays(
        self, memory: Any, settings: Any, numbers: np.dtype[Any], given: dict[str, np.ndarray[Any, Any]]
    ) -> None:
        count, players = self.size, self.rules.players
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": ((count, self.rules.observation_size), numbers),
            "masks": ((count, self.rules.action_size), np.int8),
            "rewards": ((count, players), np.float64),
            "terminated": ((count,), np.bool_),
            "truncated": ((count,), np.bool_),
            "seats": ((count,), np.int8),
        }
        arrays = {}
        own = shapes.keys() - given
        for name, (shape, dtype) in shapes.items():
            array = given.pop(name, None)
            if array is None:
                array = np.zeros(shape, dtype)
            elif not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
                raise OptionError(f"the array for {name} must be {np.dtype(dtype).name} of shape {shape}")
            elif not array.flags.c_contiguous or not array.flags.writeable:
                raise OptionError(f"the array for {name} must be contiguous (C order) and writeable")
            arrays[name] = array
        if given:
            raise OptionError(f"there is no array {next(iter(given))!r}; the arrays are {', '.join(shapes)}")
        statistics = np.zeros((count, players, len(self.rules.statistics)), np.int32)
        self.lanes = Lanes(
            states=self.rules.new_states(count),
            final_states=self.rules.new_states(count),
            memory=memory,
            settings=settings,
            statistics=statistics,
            **arrays,
        )
        self.statistics = statistics
        self.observations = self.lanes.observations
        self.masks, self.seats = self.lanes.masks, self.lanes.seats
        self._show(own & READ_AGAIN)
        self.rewards = self.lanes.rewards
        self.terminated, self.truncated = self.lanes.terminated, self.lanes.truncated

    def _show(self, names: Iterable[str]) -> None:
        """Expose these arrays as read-only attributes."""
        for name in names:
            setattr(self, name, window(getattr(self.lanes, name)))

    def __len__(self) -> int:
        return self.size

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        lanes: Sequence[int] | Int64Array | BoolArray | None = None,
        start_player: int | None = None,
    ) -> None:
        """Begin a new game in every lane, or in the given ones.

        Args:
            seed: lane k gets seed + k, or the k-th of a sequence of seeds; integers from 0 to 2^64 - 1. Without a seed
                every lane begins its next game; the first time, seeds come from fresh entropy.
            lanes: indices of the lanes to reset, or a bool mask (N,); None for all. A sequence of seeds has one
                seed for each of them.
            start_player: seat that begins; None draws it at random.

        Raises:
            OptionError: a seed, lane or seat out of range.
            ThurnError: the first reset does not cover all lanes.
        """
        selected = self._all if lanes is None else chosen_lanes(lanes, self.size)
        if not self.begun and len(selected) < self.size:
            raise ThurnError("there are no games to continue: the next reset must begin a game in every lane")
        first = -1 if start_player is None else checked_seat("start_player", start_player, self.players)
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
        memory = self.lanes.memory
        if seed is None:
            memory["resets"][selected] += 1
        else:
            memory["seed"][selected] = seeds_of_lanes(seed, selected)
            memory["resets"][selected] = 0
        memory["start_player"][selected] = first
        self.begun = self._seeded = True
        self._run(BEGIN, selected, selected)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players

    def step(self, actions: Any) -> None:
        """Play one action in every lane.

        Args:
            actions: integers (N,): for every lane the action of the seat to move. With `autoreset=False` the actions of
                lanes whose game is over are ignored.

        Raises:
            IllegalAction: an action is not legal and `illegal` is "raise"; no game has changed.
            OptionError: actions of a wrong shape or type.
            ThurnError: no game is in progress.
        """
        chosen = checked_actions(actions, self.size)
        self.check_begun()
        selected = self._all
        if not self._autoreset:
            selected = np.flatnonzero(self.seats != OVER)
            if not len(selected):
                raise ThurnError("all games are over: call reset()")
            chosen = chosen[selected]
        if self._raises:
            self._check_legal(selected, chosen)
        if len(selected) < self.size:
            self.rewards[:] = 0.0
            self.terminated[:] = self.truncated[:] = False
        self._run(STEP, selected, chosen)

    def step_only_game(self, action: int) -> None:
        """Play a checked action in a batch of one game, with as little Python overhead as possible."""
        self.check_begun()
        if self.seats[0] < 0:
            raise ThurnError("no game is in progress: call reset()")
        self._only_action[0] = action
        self._run(STEP, self._all, self._only_action)

    def check_begun(self) -> None:
        """Raise `ThurnError` unless games are in progress."""
        if not self.begun:
            raise ThurnError(self._refusal)

    def break_off(self) -> None:
        """Abandon all games after a failure in the middle of a step.

        The arrays are cleared, since the games may stand at another player's decision. Only `reset` is allowed then.
        """
        self.begun = False
        self._refusal = BROKEN_OFF
        lanes = self.lanes
        for array in (lanes.observations, lanes.masks, lanes.rewards, lanes.terminated, lanes.truncated):
            array[...] = 0
        lanes.seats[:] = OVER

    def _check_legal(self, selected: Int64Array, chosen: Int64Array) -> None:
        position = int(first_illegal(selected, chosen, self.lanes.masks))
        if position >= 0:
            lane = int(selected[position])
            try:
                self.game(lane).legal_index(int(chosen[position]))
            except IllegalAction as error:
                raise IllegalAction(f"lane {lane}: {error}") from None

    def _run(self, mode: int, selected: Int64Array, chosen: Int64Array) -> None:
        self._step_lanes(mode, selected, chosen)
        if STUCK in self.seats:
            lane = int(np.flatnonzero(self.seats == STUCK)[0])
            self.break_off()
            raise ThurnError(f"lane {lane}: games keep ending without a decision for the learner")

    def _step_lanes(self, mode: int, selected: Int64Array, chosen: Int64Array) -> None:
        if self.threads == 1:
            self.rules.step_lanes(self.lanes, mode, selected, chosen, self._bots, self._alone)
            return
        count = len(selected)
        self._shared_lanes[:count], self._shared_actions[:count] = selected, chosen

        def step(share: Share) -> None:
            size = self.size if share.helper else count
            lanes, actions = self._shared_lanes[:size], self._shared_actions[:size]
            self.rules.step_lanes(self.lanes, mode, lanes, actions, self._bots, share)

        threads = self._thread_choice.threads()
        start = time.perf_counter()
        self._threads.share(step, count, threads)
        if mode == STEP:
            self._thread_choice.record(threads, time.perf_counter() - start)

    def go_on(self, lanes: Int64Array, actions: Int64Array) -> None:
        """Play one more action in some lanes as a part of the last step.

        Rewards add up, and a lane that ended in this step stays marked as ended.

        Args:
            lanes: int64 (L,), indices of the lanes.
            actions: int64 (L,), the action in each of them.

        Raises:
            IllegalAction: an action is not legal, whatever `illegal` says; no game has changed.
            OptionError: there is no such lane, or actions of a wrong shape or type.
            ThurnError: no game is in progress.
        """
        selected = checked_indices("lanes", lanes, self.size)
        chosen = checked_actions(actions, len(selected))
        self.check_begun()
        self._check_legal(selected, chosen)
        self._run(GO_ON, selected, chosen)

    def seat_opponents(self, roles: Sequence[int], learner_seat: int | None) -> None:
        """Assign the seats of future games to one learner and its opponents.

        Args:
            roles: role of every opponent, clockwise from the learner: the number of a scripted bot, which compiled code
                plays, or `guest_role(k)` for player k, who acts from outside by `go_on`.
            learner_seat: seat of the learner; None changes it from game to game.

        Raises:
            OptionError: there is no such bot or seat, or not one role for every opponent.
        """
        if len(roles) != self.players - 1:
            raise OptionError(f"{len(roles)} roles for {self.players - 1} opponents")
        for role in roles:
            if is_bot(role):
                checked_whole("the number of a bot", role, 0, len(self.rules.bots) - 1)
        if learner_seat is not None:
            checked_whole("learner_seat", learner_seat, 0, self.players - 1)
        self.lanes.settings[0]["opponents"] = roles
        self.lanes.memory["first_learner"] = -1 if learner_seat is None else learner_seat
        self._bots = any(map(is_bot, roles))

    @property
    def ended(self) -> Int64Array:
        """Indices of the lanes in which a game ended in the last step: int64 (number of lanes,), ascending."""
        return np.flatnonzero(self.terminated | self.truncated)

    def final_observations(
        self, lanes: Sequence[int] | Int64Array, seats: Sequence[int] | Int64Array
    ) -> np.ndarray[Any, Any]:
        """Return the observation of one seat of each lane's last finished game: (lanes, O), dtype of `observations`.

        Args:
            lanes: indices of lanes, such as `ended`; one may be named several times.
            seats: a seat for each of them.

        Raises:
            OptionError: there is no such lane or seat, there are not as many seats as lanes, or a lane has not finished
                a game.
        """
        lanes, seats = checked_indices("lanes", lanes, self.size), checked_indices("seats", seats, self.players)
        if len(lanes) != len(seats):
            raise OptionError(f"{len(seats)} seats for {len(lanes)} lanes")
        # A record is empty until a game has ended, by the rules or by an illegal action.
        records = self.lanes.final_states[lanes].view(np.uint8).reshape(len(lanes), self.lanes.final_states.itemsize)
        if not (kept := records.any(axis=1)).all():
            raise OptionError(f"lane {lanes[kept.argmin()]} has not finished a game")
        return self.rules.observe_lanes(self.lanes.final_states, lanes, seats, self.observations.dtype)

    def scaled_observations(self, lanes: Int64Array) -> Float32Array:
        """Return the scaled observations of the players to move in these lanes: float32 (lanes, O)."""
        rows = self.observations[lanes]
        return rows if rows.dtype == np.float32 else rows * self.rules.observation_scale

    def game(self, lane: int) -> Game:
        """Return a copy of a lane's game with all hidden cards, for debugging. Do not give it to agents.

        Its views equal those of the `Game` with the same seed after the same moves.

        Raises:
            OptionError: there is no such lane.
            ThurnError: no game is in progress.
        """
        self.check_begun()
        number = checked_whole("lane", lane, 0, self.size - 1)
        state = self.lanes.states[number : number + 1].tobytes()
        return Game.from_bytes(self.rules, state, self.game_seed(number), int(self.lanes.memory[number]["moves"]))

    def game_seed(self, lane: int) -> int:
        """Return the seed of the game in a lane, as `Game` takes it; raise `OptionError` if there is no such lane."""
        memory = self.lanes.memory[checked_whole("lane", lane, 0, self.size - 1)]
        seed, resets = int(memory["seed"]), int(memory["resets"])
        return derived_seed(seed, RESET_STREAM, resets) if resets else seed

    def view(self, lane: int, seat: int | None = None) -> View:
        """Return a seat's view of a lane's game; None for the seat to move. It holds a re-dealt copy only."""
        return self.game(lane).view(seat)

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        memo[id(self.rules)] = self.rules  # constant, so it is shared
        for records in (self.lanes.states, self.lanes.final_states, self.lanes.memory, self.lanes.settings):
            # Copy bytes: equal games have equal bytes, and NumPy does not copy the padding between fields.
            memo[id(records)] = copy_records(records)
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy(self.__dict__, memo))
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # A deep-copied window owns its data, so open it again; arrays that the caller gave are copied with the lanes.
        self._show(name for name in READ_AGAIN if getattr(self, name) is not getattr(self.lanes, name))

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.rules.title}: {self.rules.board_name}, {self.players} players>"
