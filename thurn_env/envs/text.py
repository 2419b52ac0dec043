"""A game played by text: prompts out, answers in. The environments for language models are made of it."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.checks import checked_choice, checked_whole
from thurn_env.errors import AgentError, OptionError, ThurnError, sentence
from thurn_env.games.contract import GameRules, reward_mode
from thurn_env.players.agent import make_agent
from thurn_env.players.session import Session
from thurn_env.table.game import Game, View
from thurn_env.talk import NotUnderstood, prompt, read_answer
from thurn_env.talk.prompt import position

__all__ = ["TEXT", "TextGame"]

TEXT = "text"
"""Name of a seat that is played by text."""
TRIES = 3
"""Default number of answers to a decision before the seat forfeits the game."""
MOST_TRIES = 1000
REWARDS = ("win", "rank")
"""Reward modes: those whose values lie between -1 and 1, as the reward of a forfeit does."""


class TextGame:
    """A game in which one seat or several are played by text, and the others by agents.

    Forced decisions are played at once. A seat whose answers to one decision are not accepted `tries` times in a row
    forfeits the game.

    Args:
        rules: rules of the game.
        seats: `"text"` or the spec of an agent, for every seat.
        seed: seed of cards and agents; None draws one.
        tries: answers to a decision before the seat forfeits.
        reward: "win" or "rank", see the environments' pages.

    Attributes:
        session: the game and its agents.
        answers: answers of every seat so far.
        illegal: answers of every seat that were not accepted.
        forfeited: seat that forfeited; None if none did.

    Raises:
        OptionError: the seats do not fit the rules, or a value is out of bounds.
        AgentError: an agent does not exist or does not play this game.
    """

    def __init__(
        self, rules: GameRules, seats: Sequence[str], seed: int | None = None, tries: int = TRIES, reward: str = "win"
    ) -> None:
        if isinstance(seats, str) or len(seats) != rules.players:
            raise OptionError(f"seats must name {TEXT} or an agent for each of {rules.players} seats, not {seats!r}")
        if TEXT not in seats:
            raise OptionError(f"no seat is played by text; name one of the seats {TEXT}")
        self.tries = checked_whole("tries", tries, 1, MOST_TRIES)
        checked_choice("reward", reward, REWARDS)
        self._reward = reward
        agents = [None if name == TEXT else make_agent(name, rules.bots) for name in seats]
        self.session = Session(Game.from_rules(rules, seed), agents)
        self.answers = [0] * rules.players
        self.illegal = [0] * rules.players
        self.forfeited: int | None = None
        self._wrong_in_a_row = 0
        self._failed = False
        self._let_agents_play()

    @property
    def game(self) -> Game:
        """The current position, with all hidden cards; show players `view` instead."""
        return self.session.game

    @property
    def seat(self) -> int:
        """The seat to answer; after the end, the one that would be next."""
        return self.game.seat

    @property
    def over(self) -> bool:
        """Whether the game is over or was forfeited."""
        return self.game.over or self.forfeited is not None

    @property
    def text_seats(self) -> list[int]:
        """The seats that are played by text."""
        return [seat for seat, agent in enumerate(self.session.agents) if agent is None]

    def view(self, seat: int | None = None) -> View:
        """Return the view of a seat; None for the seat to answer.

        Raises:
            ThurnError: an agent failed, so that nobody has to answer.
        """
        if seat is None:
            self._check_agents()
        return self.game.view(seat)

    def prompt(self, *, rules: bool = True) -> str:
        """Return the prompt for the seat to answer, with the rules in brief if wanted; empty after the end.

        Raises:
            ThurnError: an agent failed, so that nobody has to answer.
        """
        return "" if self.over else prompt(self.view(), rules=rules)

    def answer(self, text: str) -> str:
        """Take an answer of the seat to answer, and let the agents play. What is no text counts as an empty one.

        Returns:
            Why the answer is not accepted, in one sentence; empty if it was played.

        Raises:
            ThurnError: the game is over, or an agent failed before.
            AgentError: an agent failed.
        """
        self._check_open()
        seat = self.seat
        self.answers[seat] += 1
        try:
            action = read_answer(text if isinstance(text, str) else "", self.view())
        except NotUnderstood as problem:
            self.illegal[seat] += 1
            self._wrong_in_a_row += 1
            if self._wrong_in_a_row >= self.tries:
                self.forfeit()
            return f"Not accepted: {sentence(problem)}"
        self._wrong_in_a_row = 0
        self.session.play(action)
        self._let_agents_play()
        return ""

    def forfeit(self) -> None:
        """Let the seat to answer lose the game.

        Raises:
            ThurnError: the game is over, or an agent failed before.
        """
        self._check_open()
        self.forfeited = self.seat
        self.session.finish(reason=f"seat {self.seat} forfeited the game")

    def rewards(self) -> list[float]:
        """Return the reward of every seat; 0 before the end. A seat that forfeits gets -1, the others share 1."""
        players = self.game.players
        if self.forfeited is not None:
            return [-1.0 if seat == self.forfeited else 1 / (players - 1) for seat in range(players)]
        if not self.game.over:
            return [0.0] * players
        return [float(value) for value in self.game.rules.rewards(self.game.states, 0, reward_mode(self._reward))]

    def result(self, seat: int) -> str:
        """Return the end of the game in words, as a seat sees it; empty before the end."""
        if self.forfeited is not None:
            in_a_row = f"gave {self.tries} illegal answers in a row"
            reason = in_a_row if self._wrong_in_a_row >= self.tries else "forfeited"
            return f"The game is over: player {self.forfeited} {reason}."
        return position(self.view(seat)) if self.game.over else ""

    def _check_open(self) -> None:
        self._check_agents()
        if self.over:
            raise ThurnError("the game is over")

    def _check_agents(self) -> None:
        """Raise `ThurnError` if an agent did not choose: its seat is to move, and nobody else may see its hand."""
        if self._failed:
            raise ThurnError("an agent failed or was interrupted in this game; begin a new one")

    def _let_agents_play(self) -> None:
        while not self.game.over and not self.session.waiting:
            self._failed = True
            try:
                action = self.session.answer()
            except ThurnError:
                raise
            except Exception as error:
                raise AgentError(f"the agent at seat {self.seat} failed: {type(error).__name__}: {error}") from error
            self._failed = False
            self.session.play(action)
        if self.game.over:
            self.session.finish()
