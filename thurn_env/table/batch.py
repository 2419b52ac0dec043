"""Many games at once: stepped by compiled code, one call for all of them."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from thurn_env.checks import (
    MOST_LANES,
    MOST_THREADS,
    array_of,
    checked_choice,
    checked_flag,
    checked_seat,
    checked_shaping,
    checked_whole,
    quoted,
    whole,
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
from thurn_env.engine.pace import Pace
from thurn_env.engine.read_only import window
from thurn_env.engine.step_threads import Threads
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

LARGEST_SEED = 2**64
READ_AGAIN = frozenset({"masks", "seats"})
"""The arrays that a step reads as the one before left them."""
OBSERVATION_NUMBERS = ("float32", "int8")
"""What observations can be made of: scaled floats, or whole numbers."""
NO_GAMES = "there are no games yet: call reset()"
BROKEN_OFF = "the last step failed in the middle: call reset() to go on"


class Batch:
    """N games side by side, stepped together. A game's place is a *lane*.

    All arrays are written in place by `reset` and `step`: copy what must last. Lane k with seed s plays the very game
    of `Game(seed=s)`, and its later games are those that the AEC environment plays when it is reset without a seed.

    Args:
        size: N, the number of games.
        players: number of players, P.
        board: the name of a shipped board, the path of a board file, or None for the game's usual board.
        game: the name of the game.
        reward: how a finished game is rewarded: "win", "rank", "margin" or "score".
        skip_forced: play decisions with a single legal action by itself.
        shaping: weight of the potential-based rewards on the way; 0 for none.
        illegal: what an illegal action does. "raise": `IllegalAction`, and nothing has changed in any game;
            "penalise": it ends its game, the player gets -1 and the others 0; "replace": a random legal action is
            played instead.
        autoreset: begin the next game of a lane in the step in which a game ends.
        observation: "float32" for scaled numbers; "int8" for the whole numbers behind them, which a network may scale
            in its first layer by `rules.observation_scale`. They need a quarter of the memory and less time; where one
            of them may be too large for int8, they are int16.
        threads: the number of threads that may share the work of a step, see `thurn_env.engine.pace`. The results are
            the same for any number.
        arrays: arrays to write into instead of own ones, by name: any of `observations`, `masks`, `rewards`,
            `terminated`, `truncated`, `seats`, with the shapes and types given below. Do not write into `masks` and
            `seats`: the next step reads them.
        rules: ready rules (`make_rules`) instead of game, players, board and options.
        options: the game's own options.

    Attributes:
        rules: the rules, with the text form of every action and the slices of the observation.
        observations: float32, or whole numbers of the type `rules.count_dtype`, (N, O): what the player to move may
            know; after the end, what seat 0 may know.
        masks: int8 (N, A), 1 for its legal actions; all zero after the end. Read-only.
        seats: int8 (N,), the seat to move; -1 after the end. Read-only.
        rewards: float64 (N, P), every seat's rewards of the last step.
        terminated: bool (N,), whether a game was played to its end in the last step.
        truncated: bool (N,), whether a game was cut off in the last step.
        statistics: int32 (N, P, S), figures of every lane's last finished game, named by `rules.statistics`.

    Raises:
        OptionError: an unknown board, option or value, or arrays that do not fit.

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
        self._threads, self._pace = Threads(self.threads), Pace(self.threads)
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
        """Hand these arrays out to be read only."""
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
        """Begin a new game in every lane.

        Args:
            seed: lane k gets seed + k, or the k-th of a row of seeds; whole numbers from 0 to 2^64 - 1. Without a
                seed every lane begins its next game, the first time with fresh entropy.
            lanes: the indices of the lanes to reset, or a mask of them; None for all. With a row of seeds, one for
                each of them.
            start_player: the seat that begins; None leaves it to chance.

        Raises:
            OptionError: a seed, lane or seat that does not exist.
            ThurnError: the first reset leaves lanes without a game.
        """
        selected = self._all if lanes is None else self._lanes(lanes)
        if not self.begun and len(selected) < self.size:
            raise ThurnError("there are no games to go on with: the next reset must begin a game in every lane")
        first = -1 if start_player is None else checked_seat("start_player", start_player, self.players)
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
        memory = self.lanes.memory
        if seed is None:
            memory["resets"][selected] += 1
        else:
            memory["seed"][selected] = self._seeds(seed, selected)
            memory["resets"][selected] = 0
        memory["start_player"][selected] = first
        self.begun = self._seeded = True
        self._run(BEGIN, selected, selected)

    def _lanes(self, lanes: Any) -> Int64Array:
        """Indices of lanes, from indices or a mask."""
        indices = array_of(lanes)
        if indices.dtype == np.bool_ and indices.shape == (self.size,):
            return np.flatnonzero(indices)
        if indices.ndim != 1 or not (np.issubdtype(indices.dtype, np.integer) or indices.size == 0):
            raise OptionError(f"lanes are indices from 0 to {self.size - 1}, or a mask of {self.size} truth values")
        if indices.size and (indices.min() < 0 or indices.max() >= self.size):
            raise OptionError(f"lanes go from 0 to {self.size - 1}")
        # Once each, in the order given: a row of seeds belongs to it.
        first = np.unique(indices, return_index=True)[1]
        return indices[np.sort(first)].astype(np.int64)

    def _seeds(self, seed: Any, selected: Int64Array) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The seed of every selected lane."""
        if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim):
            row = values = list(seed)
            if len(row) != len(selected):
                raise OptionError(f"{len(row)} seeds for {len(selected)} lanes")
        elif (first := whole(seed)) is not None:
            row = [first + int(lane) for lane in selected]
            values = [first, *row]
        else:
            row, values = [], [seed]
        for value in values:
            number = whole(value)
            if number is None or not 0 <= number < LARGEST_SEED:
                raise OptionError(f"the seed of a lane is a whole number from 0 to 2^64 - 1, not {quoted(value)}")
        return np.array(row, np.uint64)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players

    def step(self, actions: Any) -> None:
        """Play one action in every lane.

        Args:
            actions: whole numbers, shape (N,): for every lane the action of the seat to move. With `autoreset=False`
                the actions of lanes whose game is over are not looked at.

        Raises:
            IllegalAction: an action is not legal (with `illegal="raise"`); nothing has changed.
            OptionError: actions of a wrong shape or type.
            ThurnError: there is no game to play on.
        """
        chosen = array_of(actions)
        if chosen.shape != (self.size,) or chosen.dtype.kind not in "iu":
            raise OptionError(
                f"actions must be {self.size} whole numbers, not {chosen.dtype.name} of shape {chosen.shape}"
            )
        self.check_begun()
        selected = self._all
        chosen = chosen.astype(np.int64, copy=False)
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
        """`step` for a batch of one game, as fast as Python allows: the caller has checked the action."""
        self.check_begun()
        if self.seats[0] < 0:
            raise ThurnError("there is no game to play on: call reset()")
        self._only_action[0] = action
        self._run(STEP, self._all, self._only_action)

    def check_begun(self) -> None:
        """`ThurnError` unless there are games to play on."""
        if not self.begun:
            raise ThurnError(self._refusal)

    def break_off(self) -> None:
        """Give up all games after a failure in the middle of a step.

        The arrays show nothing of the decision at which the games stand, which may be another player's, and everything
        but `reset` is refused.
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
            raise ThurnError(f"lane {lane}: game after game ends without a decision for the learner")

    def _step_lanes(self, mode: int, selected: Int64Array, chosen: Int64Array) -> None:
        if self.threads == 1:
            self.rules.step_lanes(self.lanes, mode, selected, chosen, self._bots)
            return
        threads = self._pace.threads()
        start = time.perf_counter()
        self._threads.share(
            lambda first, last: self.rules.step_lanes(
                self.lanes, mode, selected[first:last], chosen[first:last], self._bots
            ),
            len(selected),
            threads,
            self._pace.lead,
        )
        if mode == STEP:
            self._pace.took(threads, time.perf_counter() - start)

    def go_on(self, lanes: Int64Array, actions: Int64Array) -> None:
        """Play one more action in some lanes as a part of the last step: rewards add up, an end stays.

        Args:
            lanes: int64, the indices of the lanes.
            actions: int64, the action in each of them.

        Raises:
            IllegalAction: an action is not legal, whatever `illegal` says; nothing has changed.
        """
        self._check_legal(lanes, actions)
        self._run(GO_ON, lanes, actions)

    def seat_opponents(self, roles: Sequence[int], learner_seat: int | None) -> None:
        """Give the seats of the games to come to one learner and its opponents.

        Args:
            roles: the role of every opponent, clockwise from the learner: the number of a scripted bot, which is
                then played by compiled code, or `guest_role(k)` for player k who acts from outside by `go_on`.
            learner_seat: the learner's seat; None: it changes from game to game.
        """
        self.lanes.settings[0]["opponents"] = roles
        self.lanes.memory["first_learner"] = -1 if learner_seat is None else learner_seat
        self._bots = any(map(is_bot, roles))

    @property
    def ended(self) -> Int64Array:
        """The lanes in which a game ended in the last step."""
        return np.flatnonzero(self.terminated | self.truncated)

    def final_observations(self, lanes: Int64Array, seats: Int64Array) -> np.ndarray[Any, Any]:
        """What a seat of each lane saw of its last finished game: (lanes, O), of the type of `observations`."""
        return self.rules.observe_lanes(self.lanes.final_states, lanes, seats, self.observations.dtype)

    def scaled_observations(self, lanes: Int64Array) -> Float32Array:
        """What the players to move in these lanes may know as scaled numbers: float32 (lanes, O)."""
        rows = self.observations[lanes]
        return rows if rows.dtype == np.float32 else rows * self.rules.observation_scale

    def game(self, lane: int) -> Game:
        """Return a copy of a lane's game with the whole truth, hidden cards included: for debugging, never for agents.

        Its views are those of the `Game` of the same seed after the same moves.

        Raises:
            OptionError: there is no such lane.
            ThurnError: there is no game.
        """
        self.check_begun()
        number = checked_whole("lane", lane, 0, self.size - 1)
        state = self.lanes.states[number : number + 1].tobytes()
        return Game.from_bytes(self.rules, state, self.game_seed(number), int(self.lanes.memory[number]["moves"]))

    def game_seed(self, lane: int) -> int:
        """Return the seed of the game in a lane, as `Game` takes it."""
        seed, resets = int(self.lanes.memory[lane]["seed"]), int(self.lanes.memory[lane]["resets"])
        return derived_seed(seed, RESET_STREAM, resets) if resets else seed

    def view(self, lane: int, seat: int | None = None) -> View:
        """What a seat (None: the one to move) may know of a lane's game; all of it comes from a re-dealt copy."""
        return self.game(lane).view(seat)

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        memo[id(self.rules)] = self.rules  # constant, so it is shared
        for records in (self.lanes.states, self.lanes.final_states, self.lanes.memory, self.lanes.settings):
            # Byte by byte: games are equal when their bytes are, and NumPy leaves out those between the fields.
            memo[id(records)] = copy_records(records)
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy(self.__dict__, memo))
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # A copy of a window is an array of its own; one that the caller gave is the lanes' array also in the copy.
        self._show(name for name in READ_AGAIN if getattr(self, name) is not getattr(self.lanes, name))

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.rules.title}: {self.rules.board_name}, {self.players} players>"
