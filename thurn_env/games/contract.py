"""What a game must offer. Environments, agents, training and evaluation know games by this class alone.

A `GameRules` is one game with its board, options and number of players: a constant value, which all its games and
agents share. Nothing that hangs from it can be changed: mappings and arrays are read-only, and once it is made its
attributes cannot be set. The games themselves are records in NumPy arrays, so every method takes `states`, an array of
state records, and `index`, the game in it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from thurn_env.checks import checked_choice, quoted, whole
from thurn_env.errors import IllegalAction, clipped
from thurn_env.files import composed
from thurn_env.games.lanes import Lanes
from thurn_env.games.network_rules import Network
from thurn_env.games.trees import Tree
from thurn_env.kernels import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    States,
    UInt64Array,
)
from thurn_env.pictures.picture import Picture

__all__ = [
    "REWARD_MODES",
    "Chance",
    "Float32Array",
    "Float64Array",
    "GameRules",
    "Int8Array",
    "Int16Array",
    "Int64Array",
    "Records",
    "RewardMode",
    "Table",
    "UInt64Array",
    "add_outcomes",
    "reward_mode",
    "unknown_action",
]

Records = States


RewardMode = Literal["win", "rank", "margin", "score"]
REWARD_MODES: tuple[str, ...] = get_args(RewardMode)

Chance = dict[str, Any]
"""The outcomes of chance as records write them. An outcome is a list of names; under every key of
`GameRules.chance_forms` stands a list of outcomes in order, or a dict of outcomes by name, each of which comes once."""


class Table(NamedTuple):
    """A table for people, in a terminal or in the documentation.

    Attributes:
        title: what it shows.
        columns: the headings.
        rows: one text for every column.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


HIDDEN_MOVE = -1
"""Stands in a re-dealt copy's list of moves for those that only their movers saw."""
SECRET = "(secret)"
"""Stands for the text of such a move."""


def reward_mode(mode: str) -> int:
    """The number of a reward mode, as kernels take it; `OptionError` if there is no such mode."""
    return checked_choice("reward", mode, REWARD_MODES)


class GameRules(ABC):
    """One game with its board, options and number of players.

    Attributes:
        name: the game's name, as records write it.
        title: the game's name for people.
        chance_forms: the keys under which records write outcomes of chance, each with `list` or `dict`, see `Chance`.
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
        observation_places: the place of the board that every value of the vector tells of, as `neighbours` numbers
            them, or -1: int64 (observation_size,).
        state_vector_size: the length of the global state vector.
        state_dtype: the layout of one game's state record.
        record: the constant record of the rules, shape (1,), read-only, as the game's kernels take it.
        bots: the names of the scripted bots, in the order of their numbers; the best comes last.
        statistics: the names of the figures kept for every seat of a finished game in a lane.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    player_numbers: ClassVar[tuple[int, ...]]
    chance_forms: ClassVar[Mapping[str, type]]
    bots: ClassVar[tuple[str, ...]]
    statistics: ClassVar[tuple[str, ...]]
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
    observation_shapes: Mapping[str, tuple[int, ...]]
    observation_scale: Float32Array
    observation_places: Int64Array
    observation_size: int
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

    @abstractmethod
    def bot_action(self, states: Records, index: int, bot: int, generator: UInt64Array) -> int:
        """The action of scripted bot number `bot` for the player to move."""

    @abstractmethod
    def bot_actions(self, states: Records, bot: int, generator: UInt64Array) -> Int64Array:
        """The action (int64) of scripted bot number `bot` for every game, none of which may be over."""

    @abstractmethod
    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        """Let scripted bots finish the game; add the outcomes of chance to `chance`, return the moves (int16)."""

    @abstractmethod
    def neighbours(self) -> Int8Array:
        """Which places of the board are joined: int8 (places, places), 1 for neighbours."""

    @abstractmethod
    def heuristic_weights(self) -> dict[str, float]:
        """The parameters that the heuristic plays this game with, by name."""

    @abstractmethod
    def play_weighted(self, seeds: Sequence[int], weights: Sequence[Mapping[str, float]], mode: int) -> Float64Array:
        """Games of the heuristic against itself with weights of its own in every seat.

        Args:
            seeds: a game is played from each.
            weights: for every seat, as `heuristic_weights` gives them.
            mode: the number of the reward mode.

        Returns:
            every seat's return in every game: float64 (games, players).
        """

    @abstractmethod
    def search(self, states: Records, index: int, seat: int, iterations: int, tree: Tree) -> None:
        """Search so many iterations on from a game as `seat` sees it; see `search_rules`. The result is in the tree."""

    @abstractmethod
    def guided_search(
        self, states: Records, index: int, seat: int, iterations: int, tree: Tree, network: Network
    ) -> None:
        """The same guided by a learned policy, see `guided_search_rules`. The tree needs a node for every iteration."""

    @abstractmethod
    def step_lanes(self, lanes: Lanes, mode: int, selected: Int64Array, chosen: Int64Array, bots: bool) -> None:
        """Begin a game, step or go on in the selected lanes; see `lane_rules.step_range`.

        Args:
            lanes: all lanes.
            mode: `BEGIN`, `STEP` or `GO_ON`.
            selected: int64, indices of lanes.
            chosen: int64, the action in each of them.
            bots: whether seats may have the role of a bot.
        """

    @abstractmethod
    def observe_lanes(
        self, states: Records, selected: Int64Array, seats: Int64Array, dtype: Any = np.float32
    ) -> np.ndarray[Any, Any]:
        """What one seat may know in each of the selected games, as `Lanes.observations`: (selected, observation_size).

        `dtype` is float32, or `count_dtype` for whole numbers.
        """

    @abstractmethod
    def prepare(self, stage: str) -> None:
        """Compile the kernels of a stage, see `thurn_env.games.stages`, unless they are on disk; say so and wait."""

    @abstractmethod
    def prepared(self, stage: str) -> bool:
        """Whether the kernels of a stage are on disk."""

    @abstractmethod
    def benchmark_loops(self, states: Records) -> dict[str, Callable[[int], int]]:
        """What `thurn bench` times: by name, a function that plays so many sensible-random decisions in every game.

        The names are `engine`, `mask` (writing action masks) and `observation` (writing masks and observations);
        each returns the number of finished games. `copy` copies every state so many times.
        """

    @abstractmethod
    def phase(self, states: Records, index: int) -> str:
        """The name of what the player to move is asked."""

    @abstractmethod
    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        """Like `deal`; returns the outcomes of chance that it brought, keys without any left out.

        If outcomes are `given`, chance takes the next ones from there instead of its own, and removes them. Raises
        `RecordError` if one is missing or does not fit; the game may then be left unfinished.
        """

    @abstractmethod
    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        """Like `play`; what chance does is taken from `given` and returned as by `deal_recorded`."""

    @abstractmethod
    def public(self, states: Records, index: int) -> dict[str, Any]:
        """Everything that lies open, as plain values."""

    @abstractmethod
    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        """The cards in a hand: name to number."""

    @abstractmethod
    def text(self, states: Records, index: int, seat: int | None) -> str:
        """The table in words; with the hand of `seat`, or with all hands when None."""

    @abstractmethod
    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        """The table as a picture; with the hand of `seat`, or with all hands when None.

        `names` are what to call the players, by seat; those without one are called by their number.
        """

    @abstractmethod
    def explain(self, states: Records, index: int) -> str:
        """In words: what the player to move may do, and why other actions are not legal."""

    @abstractmethod
    def why_illegal(self, states: Records, index: int, action: int) -> str:
        """In words: why an action is not legal now."""

    @abstractmethod
    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        """Every seat's score by source."""

    def told(self, action: int, mover: int, seat: int | None) -> str:
        """The text of a move as `seat` is told of it; `SECRET` if only the mover may know. None sees everything."""
        return SECRET if seat not in (None, mover) and action in self.secret_actions else self.action_texts[action]

    @abstractmethod
    def about(self) -> str:
        """The board in words: its title, its sizes, and where its facts come from."""

    @abstractmethod
    def tables(self) -> dict[str, Table]:
        """Tables by name: `actions`, `observation`, `options`, and the facts of the board."""

    @abstractmethod
    def board_facts(self) -> dict[str, Any] | None:
        """The contents of the board's file, as plain values; None for a board that comes with the game."""

    def no_chance(self) -> Chance:
        """The keys of `chance_forms`, without any outcome yet."""
        return {key: form() for key, form in self.chance_forms.items()}

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


def add_outcomes(chance: Chance, brought: Chance) -> None:
    """Add outcomes of chance to those before."""
    for key, outcomes in brought.items():
        if isinstance(outcomes, dict):
            chance[key].update(outcomes)
        else:
            chance[key].extend(outcomes)


def unknown_action(action: str, texts: tuple[str, ...]) -> str:
    """The message for a text that is no action."""
    import difflib

    close = difflib.get_close_matches(clipped(action), texts, 3)
    hint = f"; did you mean {' or '.join(map(quoted, close))}?" if close else ""
    return f"there is no action {quoted(action)}{hint}"
