"""The list of legal actions in a prompt, and the numbers by which they may be named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

__all__ = ["are_numbered", "listed_actions"]


def are_numbered(legal: Sequence[str]) -> bool:
    """Return whether legal actions are numbered: if none of them holds a number itself, as `long 3` does."""
    return not any(word.isdecimal() for action in legal for word in action.split())


def listed_actions(legal: Sequence[str]) -> str:
    """Return legal actions by their first word, numbered from 1 if possible: `take: 1 Ulm, 2 Linz; 3 draw`."""
    if not are_numbered(legal):
        return ", ".join(legal)
    groups: list[str] = []
    for verb, actions in groupby(enumerate(legal, start=1), key=lambda numbered: numbered[1].partition(" ")[0]):
        named = [(number, action.partition(" ")[2]) for number, action in actions]
        if len(named) == 1:
            number, operand = named[0]
            groups.append(f"{number} {verb} {operand}".rstrip())
        else:
            groups.append(f"{verb}: {', '.join(f'{number} {operand}' for number, operand in named)}")
    return "; ".join(groups)
