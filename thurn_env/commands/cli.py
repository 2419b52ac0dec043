"""The command `thurn`. Every command is a module of that name with a function of that name, or `run`.

Commands are not one tree of tyro: many are also programs of their own in a checkout, and the defaults of `thurn train`
depend on its `--preset`.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

from thurn_env import __version__
from thurn_env.commands.arguments import call, guarded, own_arguments

COMMANDS = {
    "play": "play a game in the terminal",
    "serve": "play on a web page",
    "mcp": "let a program play, by the Model Context Protocol",
    "watch": "watch agents play a game",
    "replay": "show a recorded game, or verify all records of a file",
    "info": "show the facts of a board, its actions, its observation, or the agents",
    "warm": "compile kernels before the first game",
    "bench": "measure the speed of the engine on this machine",
    "tournament": "play a tournament between agents and rate them",
    "match": "play until it is decided which of two agents is stronger",
    "report": "write an HTML report of a tournament",
    "arena": "keep a standing list of agents, rated by all their games",
    "dataset": "write the games of a tournament as a data set",
    "exploit": "measure how far an agent can be beaten",
    "certificate": "test whether agents use cards that they cannot know",
    "train": "train a policy by reinforcement learning",
    "imitate": "train a policy to imitate recorded agents, a bot or a policy",
    "sweep": "train many configurations and compare them",
    "tune": "tune the weights of the heuristic",
    "evaluation": "fit the evaluation of positions that mcts uses",
}
"""Commands and their descriptions."""


def usage() -> str:
    """Return the help text."""
    commands = "\n".join(f"  {name:<11} {what}" for name, what in COMMANDS.items())
    return (
        f"usage: thurn COMMAND [OPTIONS]\n\n"
        f"thurn-env {__version__}: Thurn und Taxis and Zug um Zug: Deutschland for reinforcement learning.\n\n"
        f"commands:\n{commands}\n\n"
        "Run thurn COMMAND --help for the options of a command."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 success, 2 invalid input, 130 stopped by Ctrl-C.

    Commands that check something exit with 1 if the check fails; `match` with 3 if it is undecided.
    """
    given = list(own_arguments() if arguments is None else arguments)
    name = given[0] if given and given[0] in COMMANDS else ""
    return guarded(f"thurn {name}".rstrip(), lambda: run(given))


def run(given: list[str]) -> int:
    """Run the command named first, with the arguments after it."""
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
    module = importlib.import_module(f"thurn_env.commands.{name}")
    # A command whose results note how they were made gets the words of its command line.
    code: int = module.run(rest) if hasattr(module, "run") else call(getattr(module, name), rest, f"thurn {name}")
    return code


def run_and_exit(name: str) -> NoReturn:
    """Run a command with the arguments of this process, and exit with its code."""
    sys.exit(main([name, *own_arguments()]))


if __name__ == "__main__":
    sys.exit(main())
