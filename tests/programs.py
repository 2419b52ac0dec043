"""All programs of the project and the options that their parsers have, for tests that look at every one of them."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from thurn_env.commands import cli

ACTIONS = {"arena": ("add", "play", "table", "html", "retire")}
"""Commands whose options belong to an action that follows a folder."""
ROOT = Path(__file__).parents[1]
OPTION = re.compile(r"^. (?:-\w, )?(--[\w-]+)(?:, --no-[\w-]+)?(?: (\S+(?: \S+)*))?(?:  .*)?$", re.MULTILINE)
"""A line of a help text in which an option begins: its name, and what stands for its values."""


class Program(NamedTuple):
    """A program: how people call it, and its entry point."""

    name: str
    main: Callable[[list[str]], int]


def with_words(command: Sequence[str], words: Sequence[str]) -> list[str]:
    """A command with further words, whose options take the place of those that it has."""
    kept, taken = [], True
    for word in command:
        if word.startswith("--"):
            taken = word not in words
        if taken:
            kept.append(word)
    return [*kept, *words]


def thurn(name: str, words: list[str]) -> int:
    """Run a command of `thurn`; returns its exit code."""
    return cli.main([name, *words])


def act(name: str, action: str, words: list[str]) -> int:
    """Run an action of a command on the folder `list`; returns its exit code."""
    return thurn(name, ["list", action, *words])


def program_files() -> Iterator[Path]:
    """The files of `python -m` programs, without the aliases to commands of `thurn`."""
    for folder in ("docs", "eval", "release", "train"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if "main = program(" in file.read_text("utf-8"):
                yield file


@cache
def aliases() -> dict[str, str]:
    """The aliases of a checkout: `python -m train.ppo`, and the command of `thurn` behind each."""
    found = {}
    for folder in ("eval", "train"):
        for file in (ROOT / folder).glob("*.py"):
            if alias := re.search(r'^    run_and_exit\("(\w+)"\)', file.read_text("utf-8"), re.MULTILINE):
                found[f"python -m {folder}.{file.stem}"] = f"thurn {alias[1]}"
    return found


@cache
def programs() -> dict[str, Program]:
    """Every program by its name: `thurn watch`, `thurn tournament`."""
    found = [Program(f"thurn {name}", partial(thurn, name)) for name in cli.COMMANDS]
    for name, actions in ACTIONS.items():
        found += [Program(f"thurn {name} {action}", partial(act, name, action)) for action in actions]
    for file in program_files():
        module = import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
        found.append(Program(module.PROGRAM, module.main))
    return {program.name: program for program in found}


@cache
def options_of(name: str) -> dict[str, str]:
    """The options of a program, each with what stands for its values: `INT`, `[STR [STR ...]]`; empty for a switch."""
    if actions := ACTIONS.get(name.removeprefix("thurn ")):
        return {option: kind for action in actions for option, kind in options_of(f"{name} {action}").items()}
    said = io.StringIO()
    with mock.patch.dict("os.environ", {"COLUMNS": "200"}), contextlib.redirect_stdout(said):
        assert programs()[name].main(["--help"]) == 0
    return {option: values or "" for option, values in OPTION.findall(said.getvalue())}
