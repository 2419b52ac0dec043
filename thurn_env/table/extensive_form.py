"""Game trees as files in Gambit's extensive form, which OpenSpiel's `efg_game` loads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from thurn_env.files import write_text
from thurn_env.table.tree import CHANCE, END, GameTree

__all__ = ["extensive_form", "set_numbers", "write_efg"]


def write_efg(tree: GameTree, path: Path | str, title: str = "") -> None:
    """Write a tree to a file, for `pyspiel.load_game("efg_game(filename=PATH)")`.

    Args:
        tree: the tree.
        path: the file; its name usually ends in `.efg`.
        title: title of the game in the file.

    Raises:
        ThurnError: the file cannot be written.
    """
    write_text(Path(path), extensive_form(tree, title))


def extensive_form(tree: GameTree, title: str = "") -> str:
    """Return a tree as text in Gambit's format `EFG 2 R`.

    Seat 0 is player 1. Information sets are numbered for every player from 1, see `set_numbers`; actions and outcomes
    are in the order of the tree.
    """
    players = " ".join(f'"seat {seat}"' for seat in range(tree.players))
    return "\n".join([f"EFG 2 R {_quoted(title)} {{ {players} }}", *_lines(tree)])


def set_numbers(tree: GameTree) -> list[int]:
    """Return the number of every information set of a tree in its file: 1, 2, ... for every seat."""
    counts = [0] * tree.players
    numbers = []
    for one in tree.sets:
        counts[one.seat] += 1
        numbers.append(counts[one.seat])
    return numbers


def _lines(tree: GameTree) -> Iterator[str]:
    numbers = set_numbers(tree)
    chances = 0
    for node, mover in enumerate(tree.movers):
        labels = [_quoted(label) for label in tree.labels[node]]
        if mover == END:
            payoffs = " ".join(map(repr, tree.returns[node].tolist()))
            yield f't "" {node} "" {{ {payoffs} }}'
        elif mover == CHANCE:
            chances += 1
            outcomes = " ".join(
                f"{label} {probability!r}" for label, probability in zip(labels, tree.probabilities[node], strict=True)
            )
            yield f'c "" {chances} "" {{ {outcomes} }} 0'
        else:
            yield f'p "" {mover + 1} {numbers[tree.owners[node]]} "" {{ {" ".join(labels)} }} 0'


def _quoted(text: str) -> str:
    """Return a text in the quotes of the format, which has no way to write a quote."""
    return '"' + text.replace('"', "'") + '"'
