"""`exec:COMMAND`: an agent that is a program of its own, in any language, over the protocol `thurn-agent/1`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from thurn_env import __version__
from thurn_env.errors import AgentError
from thurn_env.games.contract import Rules
from thurn_env.players.programs.conversation import Conversation, TimeControl, deadline_in
from thurn_env.players.programs.failure import Late, ProgramFailed, Refused
from thurn_env.players.programs.messages import PROTOCOL, Message, read_message, written
from thurn_env.players.programs.process import Process, Tap, check_command, words_of
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.programs.signals import held_back
from thurn_env.table.game import Game, View

__all__ = ["Program"]

GREETING_SECONDS = 60.0
"""Seconds that a program gets to answer the greeting, also where decisions have no limit."""
ERROR = "error"


class Program:
    """An agent that talks to a program over its standard input and output.

    The program starts at the first `reset` and plays game after game. If it fails, it is killed with everything that it
    started; the next `reset` starts it again.

    Args:
        argument: part of the spec after the colon: the command and its arguments. No shell reads it.
        sandbox: sandbox to run the program in; None runs it as any other program.
        tap: function that gets every line of the conversation, see `Tap` in `thurn_env.players.programs.process`.

    Attributes:
        sandbox: the same sandbox.
        tap: the same function; a later one counts when the program is started again.

    Raises:
        AgentError: there is no such command.
    """

    watches = True

    def __init__(self, argument: str = "", sandbox: Sandbox | None = None, tap: Tap | None = None) -> None:
        self.command = argument
        self.name = f"exec:{argument}"
        self._words = words_of(argument)
        self.sandbox = sandbox
        self.tap = tap
        self._times = TimeControl()
        self._process: Process | None = None
        self._hello: Message = {}
        self._game = ""
        self._conversation: Conversation | None = None
        self._pings = 0
        check_command(self._words)

    def __deepcopy__(self, memo: dict[int, Any]) -> Program:
        """Return an agent with a process of its own."""
        return Program(self.command, self.sandbox, self.tap)

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.command, self.sandbox, self.tap)

    def allow(self, decision: float | None, start: float | None) -> None:
        """Set the time limits in seconds of the games to come; None for no limit."""
        self._times = TimeControl(decision, start)

    def reset(self, seat: int, rules: Rules, seed: int) -> None:
        """Begin a new game; start the program if it does not run."""
        with self._failures():
            if self._conversation is not None:
                self._conversation.end(None, None, "the game was broken off")
            process = self._running(rules)
            self._conversation = Conversation(
                process, self._hello.get("observation", False), seat, rules, seed, self._times
            )

    def began(self, view: View) -> None:
        """Start the game from its first view, and wait until the program is ready."""
        with self._failures():
            self._talk().begin(view)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Tell the program a move."""
        with self._failures():
            self._talk().saw(mover, action, view)

    def act(self, view: View) -> int | str:
        """Return the program's action."""
        with self._failures():
            return self._talk().choose(view)

    def ended(self, game: Game, record: dict[str, Any] | None = None, reason: str | None = None) -> None:
        """Tell the program the result of the game."""
        if self._conversation is not None:
            conversation, self._conversation = self._conversation, None
            with self._failures():
                conversation.end(game, record, reason)

    @property
    def title(self) -> str:
        """Name and version by which the program introduced itself; empty before the first game."""
        return f"{self._hello['name']} {self._hello['version']}" if self._hello else ""

    def log(self) -> str:
        """Return what the program wrote to its standard error since the last call, at most 64 KiB."""
        return "" if self._process is None else self._process.log().take()

    def close(self) -> None:
        """End the program."""
        self._conversation = None
        if self._process is not None:
            self._process.stop(written("quit"))
            self._process = None

    def _talk(self) -> Conversation:
        if self._conversation is None:
            raise ProgramFailed("it has no game; reset comes first")
        return self._conversation

    def _running(self, rules: Rules) -> Process:
        """Return the process after the greeting: the running one if it answers a ping, or a new one."""
        if self._process is not None and self._process.running and self._game == rules.name:
            try:
                self._pings += 1
                deadline = deadline_in(self._start_limit)
                self._process.send(written("ping", ping=self._pings), deadline)
                if read_message(self._process.line(deadline)) == {"type": "pong", "ping": self._pings}:
                    self._process.begin_game()
                    return self._process
            except ProgramFailed:
                pass
        if self._process is not None:
            # It ended between two games, or plays another game.
            self._process.stop(written("quit"))
        # A signal that arrives before the process has its name would leave it running for ever.
        with held_back():
            self._process = Process(self._words, self.sandbox, self.tap)
        self._game = rules.name
        deadline = deadline_in(self._start_limit)
        self._process.send(written("hello", protocol=PROTOCOL, game=rules.name, version=__version__), deadline)
        hello = read_message(self._process.line(deadline))
        if hello["type"] != "hello":
            raise Refused(f"{hello['type']} came instead of hello")
        self._hello = hello
        return self._process

    @property
    def _start_limit(self) -> float:
        return GREETING_SECONDS if self._times.start is None else self._times.start

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        """Stop the program after any failure, and name it in the error."""
        try:
            yield
        except Refused as error:
            self._stop(str(error))
            raise ProgramFailed(f"broke the protocol: {error}", self.name) from None
        except Late:
            self._stop("the answer came too late")
            raise Late("did not answer in time", self.name) from None
        except ProgramFailed as error:
            self._stop()
            raise ProgramFailed(f"failed: {error}", self.name) from None
        except AgentError:
            self._stop()
            raise
        except BaseException:
            # The alarm of a referee, or Ctrl-C: half a message may be written.
            self._stop()
            raise

    def _stop(self, reason: str = "") -> None:
        self._conversation = None
        if self._process is not None:
            # The clock of a referee may be running.
            self._process.stop(written(ERROR, reason=reason) if reason else b"", 0.0)
