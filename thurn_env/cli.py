"""The command `thurn`. Every command is a function of the same name in a module of the same name in `commands`."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Sequence

from thurn_env import __version__
from thurn_env.commands.arguments import call, guarded

COMMANDS = {
    "play": "play a game in the terminal",
    "serve": "play on a web page",
    "watch": "watch agents play a game",
    "replay": "show a recorded game, or verify all records of a file",
    "info": "the facts of a board, its actions, its observation, the agents",
    "warm": "compile ahead, so that no game has to wait",
    "bench": "measure how fast the engine is on this machine",
}
"""Every command and what it does."""


def usage() -> str:
    """The help text."""
    commands = "\n".join(f"  {name:<8} {what}" for name, what in COMMANDS.items())
    return (
        f"usage: thurn COMMAND [OPTIONS]\n\n"
        f"Thurn und Taxis as an environment for reinforcement learning (thurn-env {__version__}).\n\n"
        f"commands:\n{commands}\n\n"
        "thurn COMMAND --help tells more."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 fine, 1 a bad record, 2 wrong input, 130 stopped by Ctrl-C."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = given[0] if given and given[0] in COMMANDS else ""
    return guarded(f"thurn {name}".rstrip(), lambda: run(given))


def run(given: list[str]) -> int:
    """Run the command that is given first, with the arguments after it."""
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if given else 2
    if given[0] in ("-V", "--version"):
        print(f"thurn-env {__version__}")
        return 0
    name, *rest = given
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f"; did you mean {close[0]}?" if close else "."
        print(f"thurn: there is no command {name!r}{hint} The commands are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    command = getattr(importlib.import_module(f"thurn_env.commands.{name}"), name)
    code: int = call(command, rest, f"thurn {name}")
    return code


if __name__ == "__main__":
    sys.exit(main())
