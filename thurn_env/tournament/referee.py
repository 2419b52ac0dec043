"""The referee: an agent that fails, answers too late or not at all loses its game, and nothing else happens."""

from __future__ import annotations

import multiprocessing
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar

from thurn_env.checks import whole
from thurn_env.errors import AgentError, IllegalAction
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, ScriptedAgent, make_agent
from thurn_env.table.game import Game, View
from thurn_env.tournament import notes

Answer = TypeVar("Answer")

START_SECONDS = 60.0
"""Where decisions have a limit, making an agent and its `reset` may take this long, or as long as a decision."""

RINGS_AGAIN = 1.0
"""Seconds after which the time of an agent that goes on nevertheless is over again."""

LONGEST_REASON = 300


class Forfeit(Exception):
    """A seat loses the game by forfeit."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(seat, reason)
        self.seat = seat
        self.reason = plain(reason)


class TooSlow(BaseException):
    """The time is over. No `Exception`, so that an agent that catches those does not catch it."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit


def plain(text: str) -> str:
    """A reason as one line of bounded length, without addresses in memory, which differ from run to run."""
    line = re.sub(r" at 0x[0-9A-Fa-f]+", "", " ".join(text.split()))
    # A text from outside may hold half characters, which no file takes.
    line = line.encode("utf-8", "backslashreplace").decode("utf-8")
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 3] + "..."


def too_slow(limit: float, place: str = "") -> str:
    """The reason for an answer that came too late."""
    return f"took longer than {limit:g} s{place}"


class Guarded:
    """An agent under the referee's eyes: whatever goes wrong in it is a `Forfeit`.

    Args:
        name: the entrant's name.
        seat: where it sits.
        make: makes the agent.
        moves: the list of the game's moves, which grows as it is played.
        limit: seconds for a decision; None for no limit. Scripted bots have none.
    """

    def __init__(
        self, name: str, seat: int, make: Callable[[], Agent], moves: Sequence[int], limit: float | None
    ) -> None:
        self.name = name
        self.seat = seat
        self.seconds = 0.0
        self.decisions = 0
        self._make = make
        self._moves = moves
        self._limit = limit

    def make(self) -> Agent:
        """Make the agent."""
        self._agent = self._asked(self._make, (), self._start_limit)
        return self._agent

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Make the agent and tell it of the new game."""
        limit = self._start_limit
        # The bots themselves: what a class of somebody's own made of one may do anything.
        if type(self.make()) is ScriptedAgent:
            self._limit = None
        self._asked(lambda: self._agent.reset(seat, rules, seed), (), limit)

    @property
    def _start_limit(self) -> float | None:
        return None if self._limit is None else max(self._limit, START_SECONDS)

    def act(self, view: View) -> int | str:
        """The agent's choice."""
        begun = time.perf_counter()
        action, words = self._asked(lambda: action_in(self._agent.act(view)), self._moves, self._limit)
        self.seconds += time.perf_counter() - begun
        self.decisions += 1
        if action is None:
            raise Forfeit(self.seat, f"answered illegally: an action is a text or an index, not {words}")
        return action

    def _asked(self, question: Callable[[], Answer], moves: Sequence[int], limit: float | None) -> Answer:
        note = notes.current
        note.asked(self.seat, moves, limit)
        begun = time.perf_counter()
        alarm = Alarm(limit)
        try:
            try:
                alarm.set()
                answer = self._answer(question)
            finally:
                alarm.stop()
        except TooSlow as error:
            raise Forfeit(self.seat, too_slow(error.limit, _place(error))) from error
        finally:
            # Once more, for the case that it rang just when it was to be stopped.
            alarm.stop()
            note.answered()
        if limit is not None and time.perf_counter() - begun > limit:
            raise Forfeit(self.seat, too_slow(limit))
        return answer

    def _answer(self, question: Callable[[], Answer]) -> Answer:
        """The answer to a question. What goes wrong is told at once, under the alarm: telling runs the agent's code."""
        try:
            return question()
        except BaseException as error:
            if _from_outside(error):
                raise
            raise Forfeit(self.seat, f"raised {type(error).__name__}: {_words(error)}{_place(error)}") from error


def action_in(answer: object) -> tuple[int | str | None, str]:
    """The action in an agent's answer, None if there is none, and then the answer in words.

    An answer may be any object, and whatever is asked of it is the agent's code. Asked here, under the referee's eyes,
    it leaves nothing but plain numbers and texts for the game.
    """
    if isinstance(answer, str):
        return str.__str__(answer), ""
    # A truth value or a fraction is a mistake, not the action whose number it rounds to.
    index = whole(answer)
    return (None, str.__str__(repr(answer))) if index is None else (index, "")


def made(spec: str, bots: tuple[str, ...], limit: float | None = None) -> Agent:
    """The agent of a spec, as `make_agent` makes it.

    Raises:
        AgentError: it cannot be made, for whatever reason, or not in time where decisions have a limit.
    """
    try:
        return Guarded(spec, 0, partial(make_agent, spec, bots), (), limit).make()
    except Forfeit as failure:
        if isinstance(failure.__cause__, AgentError):
            raise failure.__cause__ from None
        raise AgentError(f"agent {spec!r} cannot be made: {failure.reason.removeprefix('raised ')}") from failure


def answer_in(game: Game, agent: Guarded, deal: int, seed: int) -> str:
    """What an agent, reset with a seed, plays in a position with the cards dealt anew that its seat cannot know.

    Raises:
        Forfeit: it fails.
    """
    notes.current.clear()
    agent.reset(agent.seat, game.rules, seed)
    answer = agent.act(View(agent.seat, game.redeal(agent.seat, deal)))
    try:
        return game.rules.action_texts[game.legal_index(answer)]
    except (IllegalAction, TypeError, ValueError) as error:
        raise Forfeit(agent.seat, f"answered illegally: {error}") from error


def _from_outside(error: BaseException) -> bool:
    """Whether an error comes from the alarm or from Ctrl-C, and not from the agent."""
    # A worker never sees Ctrl-C: there it is the agent that raises what looks like it.
    interrupted = isinstance(error, KeyboardInterrupt) and multiprocessing.parent_process() is None
    return interrupted or isinstance(error, TooSlow)


def _words(error: BaseException) -> str:
    """The text of an error. Asking for it runs the agent's code once more, which may do anything."""
    try:
        return str.__str__(str(error))
    except BaseException as another:
        if _from_outside(another):
            raise
        return "<no text>"


def _place(error: BaseException) -> str:
    """Where in the agent an error was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


class Alarm:
    """Raises `TooSlow` in the middle of things after some seconds, and again every second if it is caught there.

    Windows has no such signals, and only the main thread gets them; there a late answer is noticed when it comes.
    """

    def __init__(self, limit: float | None) -> None:
        main = threading.current_thread() is threading.main_thread()
        self._limit = limit if main and hasattr(signal, "setitimer") else None
        self._armed = False

    def set(self) -> None:
        """Begin to count."""
        if self._limit is not None:
            self._armed = True
            signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, self._limit, RINGS_AGAIN)

    def stop(self) -> None:
        """It rings no more."""
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            # The handler stays: without one, a signal that is on its way would end the process.
            self._armed = False

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed and self._limit is not None:
            raise TooSlow(self._limit)
