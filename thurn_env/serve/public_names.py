"""Names of agents for visitors: commands, folders and addresses stay on the server, since they may hold secrets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePath

from thurn_env.players.agent import is_program
from thurn_env.players.programs.process import words_of

INTERPRETERS = re.compile(r"(?:python|pypy|node|ruby|perl|julia|lua|java|bash|sh)[\d.]*(?:\.exe)?")
"""Programs whose first argument is the program that plays."""
FOLDERS = re.compile(r"[^:,=]*[/\\]")
LANGUAGE_MODEL = "llm:"


def public_name(spec: str) -> str:
    """Return the name of an agent for visitors.

    A program gets the name of its file, a language model loses all options, and every path its folders.
    """
    if is_program(spec):
        return _program(spec.partition(":")[2])
    shown = spec.partition(",")[0] if spec.startswith(LANGUAGE_MODEL) else spec
    return FOLDERS.sub("", shown)


def _program(command: str) -> str:
    """Return the file name of the program that a command starts, or of the script that an interpreter runs."""
    program, *arguments = words_of(command)
    name = PurePath(program).name
    if INTERPRETERS.fullmatch(name) and arguments and not arguments[0].startswith("-"):
        return PurePath(arguments[0]).name
    return name


def unique(named: Iterable[tuple[str, str]], taken: Collection[str]) -> dict[str, str]:
    """Return values by name; a name that is taken or occurs again gets a number.

    Args:
        named: names and values.
        taken: names of something else.
    """
    found: dict[str, str] = {}
    for name, value in named:
        number, free = 1, name
        while free in found or free in taken:
            number += 1
            free = f"{name} ({number})"
        found[free] = value
    return found
