"""A game to play, copy, inspect and record, and a seat's view of it."""

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
from thurn_env.table.bot_arguments import check_generators, checked_bots
from thurn_env.table.legal_actions import LegalActions
from thurn_env.table.record import Record

NOBODY = -1
"""Viewer of a picture that shows only what is public."""


class Game:
    """One game.

    Args:
        players: number of players.
        board: name of a shipped board, path of a board file, or None for the game's default board.
        seed: integer from 0 up; equal seeds give equal games. None takes a fresh one (see the attribute `seed`).
        game: name of the game.
        start_player: seat that begins; None draws it at random.
        rules: rules from `make_rules`, in place of game, players, board and options.
        options: options of the game.

    Attributes:
        rules: the rules.
        seed: the seed.
        moves: indices of all actions played. In a re-dealt copy, moves that only the mover saw are `HIDDEN_MOVE`, -1.
        is_view: whether this is a re-dealt copy.
        past_known: whether all cards and moves since the deal are known. Only then does the game have a record.

    Raises:
        OptionError: wrong number of players, unknown game, option or value.

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
        """Return a new game with existing rules."""
        made = cls.__new__(cls)
        made.rules = rules
        made._deal(seed, start_player)
        return made

    @classmethod
    def from_chance(cls, rules: GameRules, start_player: int, outcomes: Chance, seed: int = 0) -> Game:
        """Return a game whose outcomes of chance are given, as replays need it.

        `play_with_chance` consumes `outcomes`. `seed` is for chance after these outcomes.
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
        """Play an action with given outcomes of chance; outcomes that were used are removed from `outcomes`."""
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
        """Legal actions of the player to move: int8 (actions,), 1 for legal. Read-only."""
        if self._mask is None:
            # Copies of the game share it.
            self._mask = sealed(self.rules.legal_mask(self.states, 0))
        return self._mask

    @property
    def legal_actions(self) -> Int64Array:
        """Indices of the legal actions: int64 (number of legal actions,), ascending."""
        return self.action_mask.nonzero()[0]

    @property
    def legal(self) -> LegalActions:
        """Legal actions as text."""
        return LegalActions(self.rules, lambda: self.action_mask)

    @property
    def seat(self) -> int:
        """Seat of the player to move; after the end, the seat that would be next."""
        return self.rules.seat(self.states, 0)

    @property
    def start_player(self) -> int:
        """Seat of the start player."""
        return self.rules.start_player(self.states, 0)

    @property
    def phase(self) -> str:
        """Name of the decision that the player to move has to make."""
        return self.rules.phase(self.states, 0)

    @property
    def rounds(self) -> int:
        """Number of full rounds played."""
        return self.rules.rounds(self.states, 0)

    @property
    def over(self) -> bool:
        """Whether the game is over, terminated or truncated."""
        return self.rules.over(self.states, 0)

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off after `max_rounds`."""
        return self.rules.truncated(self.states, 0)

    @property
    def scores(self) -> list[int]:
        """Current scores by seat."""
        return self.rules.scores(self.states, 0)

    @property
    def ranks(self) -> list[int]:
        """Current ranks by seat; 1 is best."""
        return self.rules.ranks(self.states, 0)

    @property
    def moves_played(self) -> int:
        """Number of moves played since the deal, also where `moves` lacks the first ones (see `past_known`)."""
        return self._unknown_moves + len(self.moves)

    @property
    def winner(self) -> int | None:
        """Seat of the winner; None while the game is in progress or if several seats share the lead."""
        ranks = self.ranks
        return ranks.index(1) if self.over and ranks.count(1) == 1 else None

    def legal_index(self, action: str | int) -> int:
        """Return the index of a legal action, given as text or index.

        Raises:
            IllegalAction: there is no such action, or it is not legal now.
        """
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
            IllegalAction: there is no such action, or it is not legal now; the game is unchanged.
        """
        index = self.legal_index(action)
        if self.past_known:
            add_outcomes(self._chance, self.rules.play_recorded(self.states, 0, index))
        else:
            self.rules.play(self.states, 0, index)
        self.moves.append(index)
        self._mask = None

    def let_bots_finish(self, bots: Sequence[str | int], generators: UInt64Array) -> None:
        """Let scripted bots play the rest of the game in compiled code.

        Args:
            bots: a bot for every seat: its name, or its index in `rules.bots`.
            generators: uint64 (players, 1), random generator of every seat; they are used up in place.

        Raises:
            OptionError: there is no such bot, or bots and generators are not one for every seat.
        """
        numbers = checked_bots(bots, self.rules.bots, self.players)
        check_generators(generators, self.players)
        chance = self._chance if self.past_known else self.rules.no_chance()
        moves = self.rules.play_bots(self.states, 0, numbers, generators, chance)
        self.moves.extend(moves.tolist())
        self._mask = None

    def copy(self) -> Game:
        """Return an independent copy. It holds the hidden cards, too: give agents a `view` instead."""
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
        """Return a copy in which everything that `seat` cannot know is dealt again at random.

        In its list of moves, moves that only their movers saw are `HIDDEN_MOVE`.

        Args:
            seat: seat whose knowledge the copy keeps.
            seed: seed of the random cards. None derives it from the game's seed, the seat and the number of moves:
                every decision of a game gets a different deal, and the same one in every run.
        """
        seat = self._seat(seat)
        purpose = () if seed is not None else (VIEW_STREAM, seat, self.moves_played)
        generator = seeded(self.seed if seed is None else checked_seed(seed), *purpose)
        twin = self.copy()
        twin.is_view = True
        twin.past_known = False
        twin.seed = int(generator[0])
        twin._chance = self.rules.no_chance()
        secret = self.rules.secret_actions
        if secret:
            twin.moves = [HIDDEN_MOVE if move in secret else move for move in self.moves]
        twin._mask = None  # The mask of the true hand would reveal the mover's cards.
        self.rules.redeal(twin.states, 0, seat, generator)
        return twin

    def view(self, seat: int | None = None) -> View:
        """Return the view of a seat; None for the seat to move. It holds a re-dealt copy only."""
        chosen = self.seat if seat is None else self._seat(seat)
        return View(chosen, self.redeal(chosen))

    def _seat(self, seat: int) -> int:
        """Return a seat as a plain int; raise `OptionError` if it is out of range."""
        number = whole(seat)
        if number is None or not 0 <= number < self.players:
            raise OptionError(f"there is no seat {quoted(seat)}; the seats are 0 to {self.players - 1}")
        return number

    def hand(self, seat: int) -> dict[str, int]:
        """Return the cards in a hand, name to count. The hand is hidden from the other players."""
        return self.rules.hand(self.states, 0, self._seat(seat))

    def public(self) -> dict[str, Any]:
        """Return all public information as plain values."""
        return self.rules.public(self.states, 0)

    def breakdown(self) -> list[dict[str, int]]:
        """Return the score of every seat by source."""
        return self.rules.breakdown(self.states, 0)

    def explain(self) -> str:
        """Explain in words what the player to move may do, and why other actions are not legal."""
        return self.rules.explain(self.states, 0)

    def record(self, agents: Sequence[str] = ()) -> Record:
        """Return the record of the game so far.

        Args:
            agents: names of the agents by seat; none, or one for every seat.

        Raises:
            RecordError: the past of the game is not known (see `past_known`), or these are no such names.
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
        """Return the state record as bytes; see `from_bytes`."""
        return self.states.tobytes()

    @classmethod
    def from_bytes(cls, rules: GameRules, state: bytes, seed: int | None = None, moves: int = 0) -> Game:
        """Return a game made from the bytes of `to_bytes`. Its past is not known, so it has no record.

        Args:
            rules: rules of the game.
            state: bytes of one state record.
            seed: seed of its views, an integer from 0 up; None takes a fresh one.
            moves: number of moves played before.

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
        """Return the table with all hands as text; use a view's text to show it to a player."""
        return self.rules.text(self.states, 0, None)

    def picture(self, names: Sequence[str] = ()) -> Picture:
        """Return a picture of the table with all hands; `names` are the players' names by seat."""
        return self.rules.picture(self.states, 0, None, names)

    def public_picture(self, names: Sequence[str] = ()) -> Picture:
        """Return a picture of the table without any hand, for spectators; `names` are the players' names by seat."""
        # Dealing again for two seats moves all hidden cards, so even a careless drawing could not show a true hand.
        shared = self.redeal(0).redeal(self.players - 1)
        return self.rules.picture(shared.states, 0, NOBODY, names)

    def _repr_svg_(self) -> str:
        """Return the table with all hands as SVG, for notebooks."""
        return self.picture().svg()

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.seat} to {self.phase}"
        return (
            f"<Game of {self.rules.title}: {self.rules.board_name}, {self.players} players, "
            f"{self.rounds} full rounds, {len(self.moves)} moves, {state}>"
        )


class View:
    """A seat's view of a game, as agents get it.

    Everything comes from `game`, a re-dealt copy in which the cards that the seat cannot know lie at random. Inspecting
    it or searching from it reveals nothing about the true cards. The copy can be played and re-dealt again.

    Attributes:
        seat: seat whose view it is.
        game: the re-dealt copy.
    """

    def __init__(self, seat: int, game: Game) -> None:
        self.seat = seat
        self.game = game

    @cached_property
    def observation(self) -> Float32Array:
        """Observation of the seat: float32 (observation_size,), as the environments return it."""
        observation = np.zeros(self.game.rules.observation_size, np.float32)
        self.game.rules.observe(self.game.states, 0, self.seat, observation)
        return observation

    @cached_property
    def action_mask(self) -> Int8Array:
        """Legal actions: int8 (actions,) if the seat is to move, else all zero."""
        if self.game.seat != self.seat:
            return np.zeros(self.game.rules.action_size, np.int8)
        return self.game.action_mask

    @property
    def legal(self) -> LegalActions:
        """Legal actions of the player to move, as text."""
        return self.game.legal

    @property
    def legal_actions(self) -> Int64Array:
        """Indices of the legal actions of the player to move: int64 (number of legal actions,), ascending."""
        return self.game.legal_actions

    @cached_property
    def text(self) -> str:
        """The table with the seat's own hand, as text."""
        return self.game.rules.text(self.game.states, 0, self.seat)

    @property
    def hand(self) -> dict[str, int]:
        """The seat's own hand, name to count."""
        return self.game.hand(self.seat)

    def picture(self, names: Sequence[str] = ()) -> Picture:
        """Return a picture of the table with the seat's own hand; `names` are the players' names by seat."""
        return self.game.rules.picture(self.game.states, 0, self.seat, names)

    def _repr_svg_(self) -> str:
        """Return the table with the seat's own hand as SVG, for notebooks."""
        return self.picture().svg()

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} of {self.game!r}>"
