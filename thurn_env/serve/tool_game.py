"""A game behind the tools of a program, such as those of `thurn mcp`: every tool returns text.

All texts are made from one seat's view, so hidden cards of the other seats never leave this process.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from thurn_env.checks import whole
from thurn_env.errors import OptionError, ThurnError
from thurn_env.players.advice import ADVISER, Adviser
from thurn_env.players.session import HUMAN, Session
from thurn_env.serve.menu import Menu
from thurn_env.serve.public_names import public_name
from thurn_env.serve.refusal import NO_HINT, Refusal, logged
from thurn_env.talk import briefing, prompt, read_answer
from thurn_env.talk.prompt import position

__all__ = ["ToolGame"]

NO_GAME = "there is no game yet; begin one with new_game"


class ToolGame:
    """The current game of one client, who plays one seat against agents.

    Args:
        menu: games and agents on offer; a client cannot name anything else.
        hints: whether `hint` may be called.
        adviser: spec of the agent that gives hints; None for the usual one.
        seed: seed of the first game; every further game takes the next number. None draws seeds.
    """

    def __init__(self, menu: Menu, *, hints: bool = False, adviser: str | None = None, seed: int | None = None) -> None:
        self.menu = menu
        self.hints = hints
        self._adviser_spec = adviser
        self._next_seed = seed
        self._session: Session | None = None
        self._adviser: Adviser | None = None
        self._seat = 0
        # A client may call tools at the same time.
        self._lock = threading.Lock()

    def new_game(
        self, game: str | None = None, board: str | None = None, opponents: Sequence[str] = (), seat: int = 0
    ) -> str:
        """Begin a game, which replaces the current one, and return the rules in brief and the first position.

        Args:
            game: name of the game; None for the first on the menu.
            board: name of the board; None for the game's default board.
            opponents: agents of the other seats, in order; by default one, the game's best scripted bot.
            seat: the client's seat, from 0.

        Raises:
            OptionError: the menu does not have this, or the game cannot be played so.
        """
        with self._lock:
            others = list(opponents) or [self._best_bot(game)]
            if HUMAN in opponents:
                raise OptionError(f"opponents must be agents, not {HUMAN!r}")
            place = whole(seat)
            if place is None or not 0 <= place <= len(others):
                raise OptionError(f"seat must be from 0 to {len(others)} with {len(others) + 1} players, not {seat}")
            asked: dict[str, Any] = {"agents": [*others[:place], HUMAN, *others[place:]], "seed": self._next_seed}
            asked |= {"game": game} if game is not None else {}
            asked |= {"board": board} if board is not None else {}
            try:
                order = self.menu.order(asked)
            except Refusal as refusal:
                raise OptionError(refusal.message.rstrip(".")) from None
            order.try_agents([])
            if self._next_seed is not None:
                self._next_seed += 1
            self._session = order.session()
            self._adviser = None
            self._seat = place
            return "\n".join([briefing(order.rules), *self._let_others_play()])

    def _best_bot(self, game: str | None) -> str:
        """Return the best scripted bot of a game; the menu refuses unknown games later."""
        offered = {entry["name"]: entry["agents"] for entry in self.menu.for_page()}
        return str(offered.get(game or self.menu.games[0], [HUMAN])[0])

    @property
    def session(self) -> Session:
        """The current session; raises `ThurnError` if there is none."""
        if self._session is None:
            raise ThurnError(NO_GAME)
        return self._session

    def view(self) -> str:
        """Return what the client's seat sees, and the legal actions."""
        with self._lock:
            return "\n".join(self._position())

    def legal_actions(self) -> list[str]:
        """Return the legal actions of the client; none after the end."""
        with self._lock:
            game = self.session.game
            return [] if game.over else list(game.view(self._seat).legal)

    def play(self, action: str) -> str:
        """Play an action, let the agents play, and return what happened and the new position.

        Args:
            action: text of a legal action, or anything that `read_answer` understands.

        Raises:
            NotUnderstood: the text names no legal action, or several; the game is unchanged.
            ThurnError: there is no game, it is over, or an agent failed.
        """
        with self._lock:
            session = self.session
            if session.game.over:
                raise ThurnError("the game is over; begin another one with new_game")
            chosen = read_answer(action, session.game.view(self._seat))
            session.play(chosen)
            return "\n".join([f"You played {chosen}.", *self._let_others_play()])

    def hint(self) -> str:
        """Return what a strong player would do in the client's place, and why; it knows only what the client knows.

        Raises:
            ThurnError: hints are not allowed, there is no game, or it is over.
        """
        with self._lock:
            if not self.hints:
                raise ThurnError("hints are not allowed")
            game = self.session.game
            if game.over:
                raise ThurnError("the game is over")
            try:
                if self._adviser is None:
                    spec = self._adviser_spec or ADVISER
                    self._adviser = Adviser(game.rules, spec, self.menu.sandbox, public_name(spec))
                return str(self._adviser.advise(game.view(self._seat)))
            except Exception as error:  # an adviser may fail in any way; its error may name files
                logged(error, "the hint failed")
                raise ThurnError(NO_HINT) from None

    def _let_others_play(self) -> list[str]:
        """Play until the client has to choose; return what was played and the position."""
        session, said = self.session, []
        while not session.game.over and not session.waiting:
            mover = session.game.seat
            try:
                action = session.answer()
            except Exception:
                # The error message may reveal the agent's cards.
                self._session = None
                raise ThurnError(f"the agent of player {mover} failed; begin another game with new_game") from None
            session.play(action)
            text = session.game.rules.move_text(action, mover, self._seat)
            said.append(f"You had to play {text}." if mover == self._seat else f"Player {mover} played {text}.")
        if session.game.over:
            session.finish()
        return [*said, *self._position()]

    def _position(self) -> list[str]:
        """Return the position, with the result if the game is over."""
        game = self.session.game
        view = game.view(self._seat)
        if not game.over:
            return [prompt(view, rules=False)]
        result = "; ".join(
            f"player {seat}: {score} points, rank {rank}"
            for seat, (score, rank) in enumerate(zip(game.scores, game.ranks, strict=True))
        )
        return [position(view), f"Result: {result}."]
