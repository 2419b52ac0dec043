"""Agents that fail in every way there is, for tests of tournaments."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import time
from pathlib import Path

from thurn_env.games.contract import GameRules
from thurn_env.players.agent import ScriptedAgent
from thurn_env.table.game import View


class First:
    """An agent that is no scripted bot: it takes the first legal action."""

    name = "first"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.seat = seat

    def act(self, view: View) -> int | str:
        return view.legal[0]


class Slow(First):
    """It takes its time."""

    def act(self, view: View) -> int | str:
        time.sleep(0.002)
        return super().act(view)


class Broken(First):
    """It raises an error."""

    def act(self, view: View) -> int | str:
        raise KeyError("no such key")


class BrokenLater(First):
    """It raises an error in its first decision after ten moves, if it begins."""

    def act(self, view: View) -> int | str:
        if len(view.game.moves) >= 10 and self.seat == 0:
            raise ValueError("I am\n  lost at " + repr(object()))
        return super().act(view)


class BrokenReset(First):
    """It cannot begin."""

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        raise OSError("no model")


class Cheat(First):
    """It plays what is not legal."""

    def act(self, view: View) -> int | str:
        return "discard Ansbach"


class Odd(First):
    """It answers with something that is no action."""

    def act(self, view: View) -> int | str:
        return None  # type: ignore[return-value]


class Talkative(First):
    """It says what it does in letters that many consoles lack."""

    name = "Talkative"

    def act(self, view: View) -> int | str:
        print("Schöne Grüße aus Łódź 🏇")
        return super().act(view)


class Unwritable(First):
    """The text of its error cannot be written as UTF-8."""

    def act(self, view: View) -> int | str:
        raise OSError("no file \udcff")


class MuteError(Exception):
    """An error that ends the program when it is told."""

    def __str__(self) -> str:
        raise SystemExit("no text")


class Mute(First):
    """Its error cannot even be told."""

    def act(self, view: View) -> int | str:
        raise MuteError


class LateWords(First):
    """Its error takes too long to be told."""

    def act(self, view: View) -> int | str:
        raise LateError


class LateError(Exception):
    """An error that takes its time."""

    def __str__(self) -> str:
        time.sleep(60)
        return "late"


class TrickText(str):
    """A text that fails when it is put into another one."""

    def __format__(self, _: str) -> str:
        raise KeyError("no format")


class TrickError(Exception):
    """An error with such a text."""

    def __str__(self) -> str:
        return TrickText("a trick")


class Trick(First):
    """Its error is told by a text that fails."""

    def act(self, view: View) -> int | str:
        raise TrickError


class TrickWords(First):
    """Its answer is no action and is told by a text that fails."""

    def act(self, view: View) -> int | str:
        return self  # type: ignore[return-value]

    def __repr__(self) -> str:
        return TrickText("a trick")


class LateBot(ScriptedAgent):
    """A scripted bot of somebody's own, with thoughts of its own that take too long."""

    def __init__(self) -> None:
        super().__init__("random")

    def act(self, view: View) -> int:
        time.sleep(60)
        return super().act(view)


class BrokenIndex(First):
    """Its answer fails when it is read."""

    def act(self, view: View) -> int | str:
        return self  # type: ignore[return-value]

    def __index__(self) -> int:
        raise KeyError("no index")


class BrokenWords(First):
    """Its answer is no action and cannot be told."""

    def act(self, view: View) -> int | str:
        return self  # type: ignore[return-value]

    def __repr__(self) -> str:
        raise KeyError("no words")


class LateIndex(First):
    """Its answer takes too long to read."""

    def act(self, view: View) -> int | str:
        return self  # type: ignore[return-value]

    def __index__(self) -> int:
        time.sleep(60)
        return 0


class Quitter(First):
    """It ends the program, as scripts do."""

    def act(self, view: View) -> int | str:
        sys.exit("enough")


class Endless(First):
    """It never comes to an end."""

    def act(self, view: View) -> int | str:
        while True:
            try:
                time.sleep(0.001)
            except Exception:
                continue


class Late(First):
    """It comes to an end, but late, and hears no signals."""

    def act(self, view: View) -> int | str:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(0.3)
        return super().act(view)


class Punctual(First):
    """It answers just when two milliseconds are over, a little sooner or later."""

    def act(self, view: View) -> int | str:
        end = time.perf_counter() + 0.002 + random.uniform(-4e-4, 1e-4)
        while time.perf_counter() < end:
            pass
        return 0


class Deaf(First):
    """It hangs in native code that holds the interpreter's lock."""

    def act(self, view: View) -> int | str:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        ctypes.PyDLL(None).sleep(600)
        return super().act(view)


class Dead(First):
    """It ends its process without a word, and with success."""

    def act(self, view: View) -> int | str:
        if len(view.game.moves) >= 10:
            os._exit(0)
        return super().act(view)


class Killed(First):
    """It is killed, as for want of memory."""

    def act(self, view: View) -> int | str:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view)


def first_time(name: str) -> bool:
    """Whether nobody passed here before, in any process: the folder is in the environment variable `MARKS`."""
    try:
        (Path(os.environ["MARKS"]) / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class KilledOnce(First):
    """It is killed in the course of its first game; after that all is well."""

    def act(self, view: View) -> int | str:
        if len(view.game.moves) >= 10 and first_time("killed"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view)


class KillsParent(First):
    """In the course of its first game it kills the process that it works for."""

    def act(self, view: View) -> int | str:
        if len(view.game.moves) >= 10 and first_time("parent"):
            os.kill(os.getppid(), signal.SIGKILL)
        return super().act(view)


class KillsMachine(First):
    """In the course of its first game it takes a machine out of the Ray cluster that it plays in: the one it is on."""

    def act(self, view: View) -> int | str:
        if len(view.game.moves) >= 10 and first_time("machine"):
            # The process that this one works for was started by the one that stands for the machine.
            fields = Path(f"/proc/{os.getppid()}/stat").read_text("utf-8").rpartition(")")[2].split()
            os.kill(int(fields[1]), signal.SIGKILL)
        return super().act(view)


class Unseeded(First):
    """It draws lots without the seed that it is given."""

    def act(self, view: View) -> int | str:
        return random.choice(view.legal)


class QuitsWhenMade(First):
    """Making it ends the program."""

    def __init__(self) -> None:
        sys.exit("no licence")


class EndlessWhenMade(First):
    """Making it never comes to an end."""

    def __init__(self) -> None:
        while True:
            time.sleep(0.001)


class Unmade(First):
    """It cannot be made."""

    def __init__(self) -> None:
        raise FileNotFoundError("weights.pt is missing")
