"""Figures that agents count themselves, such as the tokens of a language model; see `Counting` in the players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def figures_of_agents(times: Iterable[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the figures summed over all games, by agent and name, from lines of the times."""
    found: dict[str, dict[str, float]] = {}
    for line in times:
        for agent, figures in zip(line["agents"], line.get("figures", ()), strict=False):
            sums = found.setdefault(agent, {})
            for name, number in figures.items():
                sums[name] = sums.get(name, 0) + number
    return {agent: sums for agent, sums in found.items() if sums}


def counted_names(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the names of all figures, in the order of their first appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def legality(figures: Mapping[str, float]) -> float | None:
    """Return the share of legal answers of an agent that counts `answers` and `illegal`; None for other agents."""
    answers = figures.get("answers")
    return 1 - figures.get("illegal", 0) / answers if answers else None
