"""Rules of a game with its board, options and number of players."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from thurn_env.checks import checked_choice, quoted, whole
from thurn_env.engine.kernels import Float32Array, Float64Array, Int8Array, States, UInt64Array
from thurn_env.errors import IllegalAction, clipped
from thurn_env.files import composed

Records = States
RewardMode = Literal["win", "rank", "margin", "score"]
REWARD_MODES: tuple[str, ...] = get_args(RewardMode)


def reward_mode(mode: str) -> int:
    """Return the number of a reward mode, as kernels take it; raise `OptionError` if there is no such mode."""
    return checked_choice("reward", mode, REWARD_MODES)


def unknown_action(action: str, texts: tuple[str, ...]) -> str:
    """Return the error message for an unknown action text."""
    import difflib

    close = difflib.get_close_matches(clipped(action), texts, 3)
    hint = f"; did you mean {' or '.join(map(quoted, close))}?" if close else ""
    return f"there is no action {quoted(action)}{hint}"


class Rules(ABC):
    """One game with its board, options and number of players.

    Attributes:
        name: name of the game, as in records.
        title: name of the game for display.
        player_numbers: possible numbers of players, ascending.
        players: number of players.
        boards: names of the shipped boards.
        board: the board, as the game reads it from its file; `make_rules` accepts it, too.
        board_name: name of the board, or path of its file.
        board_digest: 64 hex digits that identify the facts of the board.
        options: all options by name, as in records.
        action_texts: text of every action, by index.
        action_indices: index of every action text.
        secret_actions: actions that only the mover sees, such as the choice of tickets to keep.
        observation_slices: slice of every named piece of the observation vector.
        observation_size: length of the observation vector.
        observation_shapes: shape of every named piece.
        observation_scale: factor for every count of the observation: float32 (observation_size,), read-only.
        count_dtype: dtype of observations as integer counts: int8, or int16 where int8 is too narrow.
        state_vector_size: length of the global state vector.
        state_dtype: dtype of one game's state record.
        record: constant record of the rules, shape (1,), read-only, as the game's kernels take it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    player_numbers: ClassVar[tuple[int, ...]]
    players: int
    boards: tuple[str, ...]
    board: Any
    board_name: str
    board_digest: str
    options: Mapping[str, Any]
    action_texts: tuple[str, ...]
    action_indices: Mapping[str, int]
    secret_actions: frozenset[int] = frozenset()
    observation_slices: Mapping[str, slice]
    observation_size: int
    observation_shapes: Mapping[str, tuple[int, ...]]
    observation_scale: Float32Array
    count_dtype: np.dtype[np.int8] | np.dtype[np.int16]
    state_vector_size: int
    state_dtype: np.dtype[Any]
    record: Records
    _sealed = False

    def _seal(self) -> None:
        """Make attributes read-only. Every game calls this last in `__init__`."""
        self._sealed = True

    def __setattr__(self, name: str, value: Any) -> None:
        self._check_not_sealed(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._check_not_sealed(name)
        super().__delattr__(name)

    def _check_not_sealed(self, name: str) -> None:
        if self._sealed:
            raise AttributeError(
                f"cannot change {name!r}: all games with these rules share them; make other rules with make_rules"
            )

    @abstractmethod
    def new_states(self, count: int) -> Records:
        """Return state records, shape (count,); deal each game before use."""

    @abstractmethod
    def deal(self, states: Records, index: int, seed: int | None, start_player: int = -1) -> None:
        """Set a game up from a seed; a negative `start_player` is drawn at random."""

    @abstractmethod
    def play(self, states: Records, index: int, action: int) -> None:
        """Play an action, which must be legal."""

    @abstractmethod
    def legal_mask(self, states: Records, index: int) -> Int8Array:
        """Return the action mask of the player to move: int8 (actions,), 1 for legal; all zero after the end."""

    @abstractmethod
    def step(
        self,
        states: Records,
        index: int,
        action: int,
        skip_forced: bool,
        mask: Int8Array,
        observation: Float32Array,
    ) -> int:
        """Play a legal action and write mask and observation of the player then to move.

        Args:
            states: state records.
            index: the game in `states`.
            action: index of a legal action; a negative one plays nothing.
            skip_forced: also play the forced decisions that follow.
            mask: int8 (actions,), is written.
            observation: float32 (observation_size,), is written.

        Returns:
            the seat of the player to move, or -1 when the game is over.
        """

    @abstractmethod
    def observe(self, states: Records, index: int, seat: int, observation: Float32Array) -> None:
        """Write the observation of a seat into `observation`, float32 (observation_size,)."""

    @abstractmethod
    def state_vector(self, states: Records, index: int) -> Float32Array:
        """Return the full state with all hands, from seat 0 on, for critics: float32 (state_vector_size,)."""

    @abstractmethod
    def redeal(self, states: Records, index: int, seat: int, generator: UInt64Array) -> None:
        """Replace everything that `seat` cannot know by a random deal; `generator` is uint64 (1,)."""

    @abstractmethod
    def seat(self, states: Records, index: int) -> int:
        """Return the seat of the player to move."""

    @abstractmethod
    def start_player(self, states: Records, index: int) -> int:
        """Return the seat of the start player."""

    @abstractmethod
    def rounds(self, states: Records, index: int) -> int:
        """Return the number of full rounds played."""

    @abstractmethod
    def phase(self, states: Records, index: int) -> str:
        """Return the name of the decision that the player to move has to make."""

    @abstractmethod
    def over(self, states: Records, index: int) -> bool:
        """Return whether the game is over (terminated or truncated)."""

    @abstractmethod
    def truncated(self, states: Records, index: int) -> bool:
        """Return whether the game was cut off."""

    @abstractmethod
    def scores(self, states: Records, index: int) -> list[int]:
        """Return the current score of every seat."""

    @abstractmethod
    def ranks(self, states: Records, index: int) -> list[int]:
        """Return the current rank of every seat; 1 is best."""

    @abstractmethod
    def rewards(self, states: Records, index: int, mode: int) -> Float64Array:
        """Return the return of every seat in a finished game, float64 (players,), by the number of the reward mode."""

    @abstractmethod
    def potentials(self, states: Records, index: int) -> Float64Array:
        """Return the shaping potential of every seat, float64 (players,); 0 in a finished game and at the start."""

    @property
    def action_size(self) -> int:
        """Number of actions."""
        return len(self.action_texts)

    def action_index(self, action: str | int) -> int:
        """Return the index of an action, given as index or text; raise `IllegalAction` if there is no such action."""
        if isinstance(action, str):
            # Input may have blanks at the ends and decomposed letters.
            index = self.action_indices.get(composed(action.strip()))
            if index is None:
                raise IllegalAction(unknown_action(action, self.action_texts))
            return index
        number = whole(action)
        if number is None:
            raise IllegalAction(f"an action is a text or an index, not {quoted(action)}")
        if not 0 <= number < len(self.action_texts):
            raise IllegalAction(
                f"there is no action {quoted(number)}; actions go from 0 to {len(self.action_texts) - 1}"
            )
        return number
