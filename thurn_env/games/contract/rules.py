"""The rules of a game for whoever is bound to one: environments, agents, training and evaluation."""

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
    """The number of a reward mode, as kernels take it; `OptionError` if there is no such mode."""
    return checked_choice("reward", mode, REWARD_MODES)


def unknown_action(action: str, texts: tuple[str, ...]) -> str:
    """The message for a text that is no action."""
    import difflib

    close = difflib.get_close_matches(clipped(action), texts, 3)
    hint = f"; did you mean {' or '.join(map(quoted, close))}?" if close else ""
    return f"there is no action {quoted(action)}{hint}"


class Rules(ABC):
    """One game with its board, options and number of players.

    Attributes:
        name: the game's name, as records write it.
        title: the game's name for people.
        player_numbers: the numbers of players that the game is for, ascending.
        players: number of players.
        boards: the names of the boards that come with the game.
        board: the board, as the game reads it from its file; `make_rules` takes it, too.
        board_name: the board's name, or the path of its file.
        board_digest: 64 hex digits that identify the facts of the board.
        options: all options by name, as records write them.
        action_texts: the text form of every action, by index.
        action_indices: the index of every text form.
        secret_actions: the actions that only the mover sees, such as which ticket it keeps.
        observation_slices: where every named piece lies in the observation vector.
        observation_size: the length of the observation vector.
        observation_shapes: the shape of every named piece.
        observation_scale: what every count of the observation is multiplied by: float32 (observation_size,), read-only.
        count_dtype: the type of observations in whole numbers: int8, or int16 where int8 is too narrow.
        state_vector_size: the length of the global state vector.
        state_dtype: the layout of one game's state record.
        record: the constant record of the rules, shape (1,), read-only, as the game's kernels take it.
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
        """Refuse to set attributes from now on. Every game calls this last in `__init__`."""
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
        """Room for `count` games; each must be dealt before use."""

    @abstractmethod
    def deal(self, states: Records, index: int, seed: int | None, start_player: int = -1) -> None:
        """Set a game up from a seed; a negative `start_player` is drawn at random."""

    @abstractmethod
    def play(self, states: Records, index: int, action: int) -> None:
        """Play an action, which must be legal."""

    @abstractmethod
    def legal_mask(self, states: Records, index: int) -> Int8Array:
        """The action mask (int8, 1 for legal) of the player to move; all zero when the game is over."""

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
        """Play a legal action, then forced ones if asked; write mask and observation of the player then to move.

        A negative action plays nothing. Returns that player's seat, or -1 when the game is over.
        """

    @abstractmethod
    def observe(self, states: Records, index: int, seat: int, observation: Float32Array) -> None:
        """Write what a seat may know into `observation` (float32, `observation_size`)."""

    @abstractmethod
    def state_vector(self, states: Records, index: int) -> Float32Array:
        """Everything on the table and in all hands, from seat 0 on; for critics that may see all."""

    @abstractmethod
    def redeal(self, states: Records, index: int, seat: int, generator: UInt64Array) -> None:
        """Give everything that `seat` cannot know a new random value."""

    @abstractmethod
    def seat(self, states: Records, index: int) -> int:
        """The seat of the player to move."""

    @abstractmethod
    def start_player(self, states: Records, index: int) -> int:
        """The seat of the start player."""

    @abstractmethod
    def rounds(self, states: Records, index: int) -> int:
        """Full rounds played."""

    @abstractmethod
    def phase(self, states: Records, index: int) -> str:
        """The name of what the player to move is asked."""

    @abstractmethod
    def over(self, states: Records, index: int) -> bool:
        """Whether the game is over (played out or truncated)."""

    @abstractmethod
    def truncated(self, states: Records, index: int) -> bool:
        """Whether the game was cut off."""

    @abstractmethod
    def scores(self, states: Records, index: int) -> list[int]:
        """Every seat's score as it stands."""

    @abstractmethod
    def ranks(self, states: Records, index: int) -> list[int]:
        """Every seat's rank as it stands, 1 for the leader."""

    @abstractmethod
    def rewards(self, states: Records, index: int, mode: int) -> Float64Array:
        """Every seat's return for a finished game, by the number of the reward mode."""

    @abstractmethod
    def potentials(self, states: Records, index: int) -> Float64Array:
        """Every seat's potential for reward shaping; 0 in a finished game and at the start."""

    @property
    def action_size(self) -> int:
        """The number of actions."""
        return len(self.action_texts)

    def action_index(self, action: str | int) -> int:
        """The index of an action given by index or text; `IllegalAction` if there is no such action."""
        if isinstance(action, str):
            # People may type blanks at the ends, and letters that are composed otherwise.
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
