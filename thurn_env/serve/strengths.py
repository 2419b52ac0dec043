"""Strength of the agents on offer, in words; that of published models comes from their cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from thurn_env.files import read_text
from thurn_env.games import make_rules
from thurn_env.games.contract import Rules
from thurn_env.games.options import parse_options
from thurn_env.players.policy import RELEASE, published

PURPOSE = re.compile(r"A policy for `(\w+)`, (\d) players, board `([^`]+)`((?:, \w+=\w+)*)")
MATCH = re.compile(
    r"^\| `([^`]+)` \| `([^`]+)` \| [\d,]+ \| ([\d.]+)% \| ([\d.]+)% to ([\d.]+)% \|",
    re.MULTILINE,
)
"""A match on a card: agent, opponent, share of games in which the agent ranks before the opponent, and its interval."""
YARDSTICKS = ("heuristic", "mcts:1000")
"""Opponents that people may know, the first choice first."""
LEVELS = ((75.0, "much stronger than"), (60.0, "stronger than"), (52.0, "a little stronger than"))


class Model(NamedTuple):
    """A published model as an agent: its spec, the tables that it fits, and its strength in words.

    Attributes:
        options: values that the table's options must have, of those in which the models of its game differ.
    """

    spec: str
    game: str
    board: str
    players: int
    strength: str
    options: dict[str, Any]

    def fits(self, rules: Rules) -> bool:
        """Return whether the options of the table are those of the model."""
        return all(rules.options[name] == value for name, value in self.options.items())


@cache
def models() -> tuple[Model, ...]:
    """Return the agents that the cards of the published models name, the strongest of a card first."""
    found: list[Model] = []
    for name in published():
        card = read_text(RELEASE / f"{name}.md")
        purpose = PURPOSE.search(card)
        if purpose is None:
            continue
        game, players, board, options = purpose.groups()
        matches = [(agent, other, float(share)) for agent, other, share, _, _ in MATCH.findall(card)]
        agents = dict.fromkeys(agent for agent, _, _ in matches)
        found += [
            Model(agent, game, board, int(players), _in_words(agent, matches), parse_options(options.split(", ")[1:]))
            for agent in sorted(agents, key=lambda spec: not spec.startswith("ppo+"))
        ]
    return tuple(model._replace(options=_with_usual(model, found)) for model in found)


def _with_usual(model: Model, others: Sequence[Model]) -> dict[str, Any]:
    """Return the options of a model, with usual values of options that other models of its game have."""
    usual = make_rules(model.game, model.players, model.board).options
    return {name: usual[name] for other in others if other.game == model.game for name in other.options} | model.options


def _in_words(agent: str, matches: Sequence[tuple[str, str, float]]) -> str:
    """Return the strength of an agent against the yardstick that people know best."""
    own = [(other, share) for one, other, share in matches if one == agent and other in YARDSTICKS]
    if not own:
        return "published model"
    other, share = min(own, key=lambda match: YARDSTICKS.index(match[0]))
    level = next((words for least, words in LEVELS if share >= least), "about as strong as")
    return f"{level} {other}: ranks before it in {share:.0f} % of games"


def strength_of_bot(bots: Sequence[str], bot: str) -> str:
    """Return the strength of a scripted bot among those of its game, the weakest first."""
    place, count = bots.index(bot), len(bots)
    if place == count - 1:
        return f"strongest of {count} scripted bots"
    if place == 0:
        return f"weakest of {count} scripted bots"
    return f"scripted bot, number {count - place} of {count} by strength"


def strength_of(spec: str) -> str:
    """Return what is known about another agent; empty if nothing is."""
    found = re.fullmatch(r"mcts:(\d+)", spec)
    return f"search with {int(found[1]):,} iterations for a decision" if found else ""
