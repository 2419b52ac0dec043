"""One game as a value: play it, copy it, look at it, record it; and a seat's view of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from thurn_env.checks import checked_seat, checked_seed, quoted, whole
from thurn_env.drawing.picture import Picture
from thurn_env.engine.generator import VIEW_STREAM, seeded
from thurn_env.engine.kernels import copy_records
from thurn_env.engine.read_only import sealed
from thurn_env.errors import IllegalAction, OptionError, RecordError, some_of
from thurn_env.games import DEFAULT_GAME, chosen_rules
from thurn_env.games.contract import (
    HIDDEN_MOVE,
    Chance,
    Float32Array,
    GameRules,
    Int8Array,
    Int64Array,
    Records,
    UInt64Array,
    add_outcomes,
)
from thurn_env.table.legal_actions import LegalActions
from thurn_env.table.record import Record


class Game:
    """One game.

    Args:
        players: number of players.
        board: the name of a shipped board, the path of a board file, or None for the game's usual board.
        seed: any whole number from 0 up; the same seed gives the same game. None takes a fresh one (see `seed`).
        game: the name of the game.
        start_player: the seat that begins; None leaves it to chance.
        rules: ready rules (`make_rules`) instead of game, players, board and options.
        options: the game's own options.

    Attributes:
        rules: the rules.
        seed: the seed.
        moves: the indices of all actions played; in a re-dealt copy `HIDDEN_MOVE`, -1, where only the mover saw one.
        is_view: whether this is a re-dealt copy.
        past_known: whether the game knows all cards and moves since the deal. Only then does it have a record.

    Raises:
        OptionError: a wrong number of players, an unknown game, option or value.

    Example:
        >>> game = Game(players=2, seed=7)
        >>> game.phase
        'draw'
        >>> "draw" in game.legal
        True
        >>> game.play("draw")
    """

    def __init__(
        self,
        players: int = 2,
        board: Any = None,
        seed: int | None = None,
        *,
        game: str = DEFAULT_GAME,
        start_player: int | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self.rules = chosen_rules(rules, game, players, board, options)
        self._deal(seed, start_player)

    @classmethod
    def from_rules(cls, rules: GameRules, seed: int | None = None, start_player: int | None = None) -> Game:
        """A game of rules that exist already."""
        made = cls.__new__(cls)
        made.rules = rules
        made._deal(seed, start_player)
        return made

    @classmethod
    def from_chance(cls, rules: GameRules, start_player: int, outcomes: Chance, seed: int = 0) -> Game:
        """A game whose chance is given: what replays are made of. `outcomes` is used up by `play_with_chance`.

        `seed` is for what comes after these outcomes.
        """
        made = cls.__new__(cls)
        made.rules = rules
        made.seed = checked_seed(seed)
        made._start_empty()
        first = checked_seat("start_player", start_player, rules.players)
        add_outcomes(made._chance, rules.deal_recorded(made.states, 0, made.seed, first, outcomes))
        return made

    def _start_empty(self) -> None:
        self.states: Records = self.rules.new_states(1)
        self.moves: list[int] = []
        self._unknown_moves = 0  # played before the first of `moves`
        self.is_view = False
        self.past_known = True
        self._chance: Chance = self.rules.no_chance()
        self._mask: Int8Array | None = None

    def _deal(self, seed: int | None, start_player: int | None) -> None:
        self.seed = checked_seed(seed)
        first = -1 if start_player is None else checked_seat("start_player", start_player, self.rules.players)
        self._start_empty()
        add_outcomes(self._chance, self.rules.deal_recorded(self.states, 0, self.seed, first))

    def play_with_chance(self, action: str | int, outcomes: Chance) -> None:
        """Like `play`, with the outcomes of chance given; used ones are removed from `outcomes`."""
        index = self.legal_index(action)
        add_outcomes(self._chance, self.rules.play_recorded(self.states, 0, index, outcomes))
        self.moves.append(index)
        self._mask = None

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players

    @property
    def action_mask(self) -> Int8Array:
        """int8 of shape (actions,): 1 for the legal actions of the player to move. Read-only."""
        if self._mask is None:
            # Copies of the game share it.
            self._mask = sealed(self.rules.legal_mask(self.states, 0))
        return self._mask

    @property
    def legal_actions(self) -> Int64Array:
        """The indices of the legal actions, ascending (int64)."""
        return np.flatnonzero(self.action_mask)

    @property
    def legal(self) -> LegalActions:
        """The legal actions as text."""
        return LegalActions(self.rules, lambda: self.action_mask)

    @property
    def seat(self) -> int:
        """The seat of the player to move; after the end, of the one who would be next."""
        return self.rules.seat(self.states, 0)

    @property
    def start_player(self) -> int:
        """The seat that began."""
        return self.rules.start_player(self.states, 0)

    @property
    def phase(self) -> str:
        """What the player to move is asked."""
        return self.rules.phase(self.states, 0)

    @property
    def rounds(self) -> int:
        """Full rounds played."""
        return self.rules.rounds(self.states, 0)

    @property
    def over(self) -> bool:
        """Whether the game is over, played out or cut off."""
        return self.rules.over(self.states, 0)

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off after `max_rounds`."""
        return self.rules.truncated(self.states, 0)

    @property
    def scores(self) -> list[int]:
        """The scores as they stand, by seat."""
        return self.rules.scores(self.states, 0)

    @property
    def ranks(self) -> list[int]:
        """The ranks as they stand, by seat; 1 is best."""
        return self.rules.ranks(self.states, 0)

    @property
    def winner(self) -> int | None:
        """The winner's seat; None while the game goes on, or when several share the lead."""
        ranks = self.ranks
        return ranks.index(1) if self.over and ranks.count(1) == 1 else None

    def legal_index(self, action: str | int) -> int:
        """The index of a legal action; `IllegalAction` if there is no such action or it is not legal now."""
        index = self.rules.action_index(action)
        if not self.action_mask[index]:
            reason = self.rules.why_illegal(self.states, 0, index)
            raise IllegalAction(
                f"{quoted(self.rules.action_texts[index])} is not legal: {reason}. Legal: {some_of(self.legal)}"
            )
        return index

    def play(self, action: str | int) -> None:
        """Play an action, given as text or index.

        Raises:
            IllegalAction: there is no such action or it is not legal now; the game is unchanged.
        """
        index = self.legal_index(action)
        if self.past_known:
            add_outcomes(self._chance, self.rules.play_recorded(self.states, 0, index))
        else:
            self.rules.play(self.states, 0, index)
        self.moves.append(index)
        self._mask = None

    def let_bots_finish(self, bots: Sequence[int], generators: UInt64Array) -> None:
        """Let scripted bots, given by their numbers, play the rest in compiled code.

        `generators` has shape (players, 1): the random stream of every seat.
        """
        chance = self._chance if self.past_known else self.rules.no_chance()
        moves = self.rules.play_bots(self.states, 0, np.array(bots, np.int8), generators, chance)
        self.moves.extend(moves.tolist())
        self._mask = None

    def copy(self) -> Game:
        """An independent copy. It holds the hidden cards too: give agents a `view` instead."""
        twin = Game.__new__(Game)
        twin.rules = self.rules
        twin.seed = self.seed
        twin.states = copy_records(self.states)
        twin.moves = self.moves.copy()
        twin._unknown_moves = self._unknown_moves
        twin.is_view = self.is_view
        twin.past_known = self.past_known
        twin._chance = {key: log.copy() for key, log in self._chance.items()}
        twin._mask = self._mask
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def redeal(self, seat: int, seed: int | None = None) -> Game:
        """Return a copy in which everything that `seat` cannot know is random: one way that the hidden cards may lie.

        Its list of moves has `HIDDEN_MOVE` for all moves that only their movers saw.

        Args:
            seat: the seat whose knowledge the copy keeps.
            seed: the seed of the random cards. None derives it from the game's seed, the seat and the number of moves
                played, so that every decision of every game is shown another deal, and the same one in every run.
        """
        seat = self._seat(seat)
        purpose = () if seed is not None else (VIEW_STREAM, seat, self._unknown_moves + len(self.moves))
        generator = seeded(self.seed if seed is None else checked_seed(seed), *purpose)
        twin = self.copy()
        twin.is_view = True
        twin.past_known = False
        twin.seed = int(generator[0])
        twin._chance = self.rules.no_chance()
        secret = self.rules.secret_actions
        if secret:
            twin.moves = [HIDDEN_MOVE if move in secret else move for move in self.moves]
        twin._mask = None  # The mask of the true hand would show what the mover holds.
        self.rules.redeal(twin.states, 0, seat, generator)
        return twin

    def view(self, seat: int | None = None) -> View:
        """What a seat (None: the one to move) may know; all of it comes from a re-dealt copy."""
        chosen = self.seat if seat is None else self._seat(seat)
        return View(chosen, self.redeal(chosen))

    def _seat(self, seat: int) -> int:
        """A seat as a plain integer; `OptionError` if there is none such."""
        number = whole(seat)
        if number is None or not 0 <= number < self.players:
            raise OptionError(f"there is no seat {quoted(seat)}; the seats are 0 to {self.players - 1}")
        return number

    def hand(self, seat: int) -> dict[str, int]:
        """The cards in a hand, name to number. Hidden from the other players."""
        return self.rules.hand(self.states, 0, self._seat(seat))

    def public(self) -> dict[str, Any]:
        """Everything that lies open, as plain values."""
        return self.rules.public(self.states, 0)

    def breakdown(self) -> list[dict[str, int]]:
        """Every seat's score by source."""
        return self.rules.breakdown(self.states, 0)

    def explain(self) -> str:
        """In words: what the player to move may do, and why other actions are not legal."""
        return self.rules.explain(self.states, 0)

    def record(self, agents: Sequence[str] = ()) -> Record:
        """The game so far as a record.

        Raises:
            RecordError: the past of the game is not known (see `past_known`).
        """
        if self.is_view:
            raise RecordError("a re-dealt copy has no record: the cards of its past are not known")
        if not self.past_known:
            raise RecordError(
                "the past of this game is not known, because it was made from a state (Game.from_bytes, Batch.game); "
                "take the record of the Game that was played, or record() of LearnerEnv or the PettingZoo environment"
            )
        return Record.of(
            self.rules,
            self.start_player,
            self._chance,
            [self.rules.action_texts[move] for move in self.moves],
            {"scores": self.scores, "ranks": self.ranks} if self.over else None,
            agents,
        )

    def to_bytes(self) -> bytes:
        """The state record as bytes; see `from_bytes`."""
        return self.states.tobytes()

    @classmethod
    def from_bytes(cls, rules: GameRules, state: bytes, seed: int | None = None, moves: int = 0) -> Game:
        """Make a game from the state of `to_bytes`. Its past is not known, so it has no record.

        Args:
            rules: the rules of the game.
            state: the bytes of one state record.
            seed: the seed of its views, a whole number from 0 up; None takes a fresh one.
            moves: the number of moves played before.

        Raises:
            RecordError: the number of bytes is not that of a state of this game.
        """
        if len(state) != rules.state_dtype.itemsize:
            raise RecordError(
                f"{len(state)} bytes are not a state of this game, which has {rules.state_dtype.itemsize}"
            )
        made = cls.__new__(cls)
        made.rules = rules
        made.seed = checked_seed(seed)
        made._start_empty()
        made._unknown_moves = moves
        made.states[:] = np.frombuffer(state, rules.state_dtype)
        made.past_known = False
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules is other.rules and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """The table with all hands; use a view's text to show it to a player."""
        return self.rules.text(self.states, 0, None)

    def picture(self, names: Sequence[str] = ()) -> Picture:
        """The table with all hands as a picture; `names` are what to call the players, by seat."""
        return self.rules.picture(self.states, 0, None, names)

    def _repr_svg_(self) -> str:
        """The table with all hands, as notebooks show it."""
        return self.picture().svg()

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.seat} to {self.phase}"
        return (
            f"<Game of {self.rules.title}: {self.rules.board_name}, {self.players} players, "
            f"{self.rounds} full rounds, {len(self.moves)} moves, {state}>"
        )


class View:
    """A seat's view of a game, given to agents.

    Everything comes from `game`, a re-dealt copy: the cards that the seat cannot know lie at random, so looking at
    them, or searching from them, tells nothing about the true ones. The copy may be played on and re-dealt again.

    Attributes:
        seat: the seat that looks.
        game: the re-dealt copy.
    """

    def __init__(self, seat: int, game: Game) -> None:
        self.seat = seat
        self.game = game

    @cached_property
    def observation(self) -> Float32Array:
        """float32 of shape (observation_size,), as the environments give it."""
        observation = np.zeros(self.game.rules.observation_size, np.float32)
        self.game.rules.observe(self.game.states, 0, self.seat, observation)
        return observation

    @cached_property
    def action_mask(self) -> Int8Array:
        """int8 of shape (actions,): the legal actions if the seat is to move, else all zero."""
        if self.game.seat != self.seat:
            return np.zeros(self.game.rules.action_size, np.int8)
        return self.game.action_mask

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the player to move, as text."""
        return self.game.legal

    @property
    def legal_actions(self) -> Int64Array:
        """The indices of the legal actions of the player to move."""
        return self.game.legal_actions

    @cached_property
    def text(self) -> str:
        """The table in words, with the own hand."""
        return self.game.rules.text(self.game.states, 0, self.seat)

    @property
    def hand(self) -> dict[str, int]:
        """The own hand, name to number."""
        return self.game.hand(self.seat)

    def picture(self, names: Sequence[str] = ()) -> Picture:
        """The table with the own hand as a picture; `names` are what to call the players, by seat."""
        return self.game.rules.picture(self.game.states, 0, self.seat, names)

    def _repr_svg_(self) -> str:
        """The table with the own hand, as notebooks show it."""
        return self.picture().svg()

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} of {self.game!r}>"
