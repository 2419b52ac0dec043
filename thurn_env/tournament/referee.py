"""The referee: an agent that raises, answers illegally or exceeds the time limit forfeits the game."""

from __future__ import annotations

import multiprocessing
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from thurn_env.checks import finite, whole
from thurn_env.errors import AgentError, IllegalAction
from thurn_env.games.contract import GameRules
from thurn_env.players import programs
from thurn_env.players.agent import Agent, Counting, ScriptedAgent, make_agent
from thurn_env.players.following import Logging, Timed, Watching
from thurn_env.players.programs.failure import Late, ProgramFailed
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.table.game import Game, View
from thurn_env.tournament import notes

Answer = TypeVar("Answer")

START_SECONDS = 60.0
"""Shortest time limit in seconds for making an agent and for its `reset`, where decisions have a limit."""

ALARM_INTERVAL = 1.0
"""Seconds between further alarms for an agent that catches the first one."""

LONGEST_REASON = 300
HOST = Path(programs.__file__).parent
"""Folder of the host's side of programs: no place in it is a program's mistake."""


class Forfeit(Exception):
    """A seat that loses the game by forfeit, with the reason."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(seat, reason)
        self.seat = seat
        self.reason = plain(reason)


class TooSlow(BaseException):
    """The time limit is exceeded. Not an `Exception`, so that agents that catch those do not catch it."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit


def plain(text: str) -> str:
    """Return a reason as one line of bounded length, without memory addresses, which differ between runs."""
    line = re.sub(r" at 0x[0-9A-Fa-f]+", "", " ".join(text.split()))
    # A text from outside may hold lone surrogates, which cannot be encoded.
    line = line.encode("utf-8", "backslashreplace").decode("utf-8")
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 3] + "..."


def too_slow(limit: float, place: str = "") -> str:
    """Return the reason for a late answer."""
    return f"took longer than {limit:g} s{place}"


class Guarded:
    """An agent supervised by the referee: everything that goes wrong in it raises `Forfeit`.

    Args:
        name: name of the entrant.
        seat: seat of the agent.
        make: function that makes the agent.
        moves: list of the game's moves, which grows during the game.
        limit: seconds per decision; None for no limit. Scripted bots have no limit.
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

    @property
    def agent(self) -> Agent:
        """The agent, after it was made."""
        return self._agent

    def make(self) -> Agent:
        """Make the agent."""
        self._agent = self._supervised(self._make, (), self._start_limit)
        return self._agent

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Make the agent and reset it for a new game."""
        limit = self._start_limit
        # Only the bots themselves are exempt: a subclass may do anything.
        if type(self.make()) is ScriptedAgent:
            self._limit = None
        self._supervised(lambda: self._begin(seat, rules, seed), (), limit)

    def _begin(self, seat: int, rules: GameRules, seed: int) -> None:
        if isinstance(self._agent, Timed):
            self._agent.allow(self._limit, self._start_limit)
        self._agent.reset(seat, rules, seed)

    @property
    def watches(self) -> bool:
        """Whether the agent follows its games."""
        agent = getattr(self, "_agent", None)
        return isinstance(agent, Watching) and agent.watches

    def began(self, view: View) -> None:
        """Show the agent the first position."""
        self._follow(lambda agent: agent.began(view), self._start_limit)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Tell the agent a move."""
        self._follow(lambda agent: agent.saw(mover, action, view), self._limit)

    def ended(self, game: Game, record: dict[str, Any] | None = None, reason: str | None = None) -> None:
        """Tell the agent the end of the game. What goes wrong in it then does not change the result."""
        with suppress(Forfeit):
            self._follow(lambda agent: agent.ended(game, record, reason), self._limit)

    def _follow(self, news: Callable[[Watching], None], limit: float | None) -> None:
        agent = self._agent
        assert isinstance(agent, Watching)
        self._supervised(lambda: news(agent), self._moves, limit)

    @property
    def _start_limit(self) -> float | None:
        return None if self._limit is None else max(self._limit, START_SECONDS)

    def act(self, view: View) -> int | str:
        """Return the agent's action."""
        begun = time.perf_counter()
        action, words = self._supervised(lambda: action_in(self._agent.act(view)), self._moves, self._limit)
        self.seconds += time.perf_counter() - begun
        self.decisions += 1
        if action is None:
            raise Forfeit(self.seat, f"answered illegally: an action is a text or an index, not {words}")
        return action

    def figures(self) -> dict[str, float]:
        """Return the agent's figures of the game, see `Counting`; empty if it has none or fails to return numbers."""
        agent = getattr(self, "_agent", None)
        if not isinstance(agent, Counting):
            return {}
        try:
            return self._supervised(lambda: figures_in(agent.figures()), self._moves, self._start_limit)
        except Forfeit:
            return {}

    def log(self) -> str:
        """Return the agent's log since the last call, see `Logging`; empty if it keeps none or fails to give it."""
        agent = getattr(self, "_agent", None)
        if not isinstance(agent, Logging):
            return ""
        try:
            text = self._supervised(agent.log, self._moves, self._start_limit)
        except Forfeit:
            return ""
        return text if isinstance(text, str) else ""

    def _supervised(self, question: Callable[[], Answer], moves: Sequence[int], limit: float | None) -> Answer:
        note = notes.current
        note.decision_begins(self.seat, moves, limit)
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
        except Late as error:
            raise Forfeit(self.seat, error.reason if limit is None else too_slow(limit)) from error
        finally:
            # Stop again, in case the alarm rang while it was being stopped.
            alarm.stop()
            note.decision_ends()
        if limit is not None and time.perf_counter() - begun > limit:
            raise Forfeit(self.seat, too_slow(limit))
        return answer

    def _answer(self, question: Callable[[], Answer]) -> Answer:
        """Return the answer. Describe errors here, under the alarm, since that runs the agent's code."""
        try:
            return question()
        except BaseException as error:
            if _from_outside(error) or isinstance(error, Late):
                raise
            if isinstance(error, ProgramFailed):
                raise Forfeit(self.seat, error.reason) from error
            raise Forfeit(self.seat, f"raised {type(error).__name__}: {_words(error)}{_place(error)}") from error


def action_in(answer: object) -> tuple[int | str | None, str]:
    """Return the action in an agent's answer, or None and the answer in words.

    An answer may be any object whose methods are the agent's code. Converting it here, under supervision, leaves only
    plain integers and strings for the game.
    """
    if isinstance(answer, str):
        return str.__str__(answer), ""
    # A bool or float is a mistake, not the index that it would round to.
    index = whole(answer)
    return (None, str.__str__(repr(answer))) if index is None else (index, "")


def figures_in(answer: object) -> dict[str, float]:
    """Return the finite numbers in an agent's figures as plain numbers, by name."""
    found: dict[str, float] = {}
    for name, value in answer.items() if isinstance(answer, dict) else ():
        number = whole(value)
        size = finite(value) if number is None else number
        if isinstance(name, str) and size is not None:
            found[plain(name)] = size
    return found


def made(
    spec: str,
    bots: tuple[str, ...],
    limit: float | None = None,
    rules: GameRules | None = None,
    sandbox: Sandbox | None = None,
) -> Agent:
    """Make the agent of a spec, as `make_agent` does; with rules, also let it begin a game.

    Raises:
        AgentError: the agent cannot be made, or not within the time limit.
    """
    try:
        guarded = Guarded(spec, 0, partial(make_agent, spec, bots, sandbox), (), limit)
        if rules is not None:
            guarded.reset(0, rules, 0)
            return guarded.agent
        return guarded.make()
    except Forfeit as failure:
        if isinstance(failure.__cause__, AgentError):
            raise failure.__cause__ from None
        raise AgentError(f"agent {spec!r} cannot be created: {failure.reason.removeprefix('raised ')}") from failure


def answer_in(game: Game, agent: Guarded, deal: int, seed: int) -> str:
    """Return the action of an agent, reset with `seed`, when the cards that its seat cannot know are re-dealt.

    Args:
        game: the position.
        agent: the agent at the seat to move.
        deal: seed of the re-deal.
        seed: seed of the agent.

    Raises:
        Forfeit: the agent fails.
    """
    notes.current.clear()
    agent.reset(agent.seat, game.rules, seed)
    answer = agent.act(View(agent.seat, game.redeal(agent.seat, deal)))
    try:
        return game.rules.action_texts[game.legal_index(answer)]
    except (IllegalAction, TypeError, ValueError) as error:
        raise Forfeit(agent.seat, f"answered illegally: {error}") from error


def _from_outside(error: BaseException) -> bool:
    """Return whether an error comes from the alarm, Ctrl-C or the end of a worker rather than from the agent."""
    # A worker ignores Ctrl-C, so there only the agent can raise KeyboardInterrupt.
    interrupted = isinstance(error, KeyboardInterrupt) and multiprocessing.parent_process() is None
    return interrupted or isinstance(error, TooSlow | notes.Leave)


def _words(error: BaseException) -> str:
    """Return the text of an error. This runs the agent's code, which may fail again."""
    try:
        return str.__str__(str(error))
    except BaseException as another:
        if _from_outside(another):
            raise
        return "<no text>"


def _place(error: BaseException) -> str:
    """Return where in the agent an error was raised."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and HOST not in Path(frame.filename).parents
    ]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


class Alarm:
    """Raise `TooSlow` in the running code after some seconds, and again every second if it is caught.

    Windows has no such signals, and only the main thread receives them; without them a late answer is noticed when it
    arrives.
    """

    def __init__(self, limit: float | None) -> None:
        main = threading.current_thread() is threading.main_thread()
        self._limit = limit if main and hasattr(signal, "setitimer") else None
        self._armed = False

    def set(self) -> None:
        """Start the timer."""
        if self._limit is not None:
            self._armed = True
            signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, self._limit, ALARM_INTERVAL)

    def stop(self) -> None:
        """Stop the timer."""
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            # Keep the handler: without one, a pending signal would end the process.
            self._armed = False

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed and self._limit is not None:
            raise TooSlow(self._limit)
