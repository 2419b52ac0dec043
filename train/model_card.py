"""The page that says what a published model is, how it was made and what it can do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from thurn_env.files import read_text
from thurn_env.games import make_rules
from thurn_env.players.policy import Policy, load

WEAKNESSES = "## Known weaknesses"
MATCHES = (
    "| agent | against | games | ranks before it | interval | mean ranks | seconds per decision |",
    "|---|---|---|---|---|---|---|",
)
"""The head of the table of matches."""
MOST_ROWS = 12
"""Rows of the table of the run's evaluations."""


class Match(NamedTuple):
    """What came out of a match.

    Attributes:
        agent: who sat in one seat.
        other: who sat in all others.
        games: how many were played.
        share: how often the agent ranked before an other.
        low, high: its 95 % interval.
        rank: the agent's mean rank, the least is 1.
        other_rank: the mean rank of the others.
        seconds: what its decisions took on average.
        command: what played it.
        load: of the machine when it began.
    """

    agent: str
    other: str
    games: int
    share: float
    low: float
    high: float
    rank: float
    other_rank: float
    seconds: float | None
    command: str
    load: float | None


def card(model: Path, matches: list[Match], planned: int) -> str:
    """The page; what one that exists beside the model says of weaknesses is kept.

    Args:
        model: the file that is published; the evaluations of its run are beside it.
        matches: what it played so far.
        planned: how many matches it is to play.
    """
    policy, name = load(model), model.stem
    weaknesses = weaknesses_in(model.with_suffix(".md"))
    sections = [
        introduction(name, policy),
        origin(name, policy, model.read_bytes()),
        strength(policy.made["config"]["players"], matches, planned),
        learning(policy.made["config"], evaluations_of(model)),
        [WEAKNESSES, "", weaknesses],
    ]
    return "\n\n".join("\n".join(lines) for section in sections if (lines := list(section))) + "\n"


def introduction(name: str, policy: Policy) -> Iterator[str]:
    """What the model is for."""
    config = policy.made["config"]
    board = make_rules(config["game"], config["players"], config["board"]).board_name
    options = f", {', '.join(config['option'])}" if config["option"] else ""
    yield f"# {name}"
    yield ""
    yield (
        f"A policy for `{config['game']}`, {config['players']} players, board `{board}`{options}. "
        f"`ppo:{name}` plays it, `ppo+mcts:{name},200` searches with it."
    )


def origin(name: str, policy: Policy, content: bytes) -> Iterator[str]:
    """The table of what it was made from."""
    made, config = policy.made, policy.made["config"]
    yield "| | |"
    yield "|---|---|"
    yield f"| file | `{name}.npz`, {len(content) / 1e6:.1f} MB, sha256 `{hashlib.sha256(content).hexdigest()[:16]}` |"
    yield f"| network | {network(policy)} |"
    teacher = f"{config['lessons']:,} decisions of lessons by `{config['teacher']}`, then " if config["teacher"] else ""
    start = f"begun with `{Path(config['start']).name}`, then " if config["start"] else ""
    yield f"| data | {teacher}{start}{made['steps']:,} decisions against {', '.join(config['opponents'])} |"
    yield f"| time | {time_of(made)}; {made['machine']} |"
    yield f"| seed | {made['seed']} |"
    yield f"| version | {made['version']}, engine `{made['engine']}` |"
    yield ""
    yield "```sh"
    yield from dict.fromkeys(commands(made))
    yield "```"


def time_of(made: dict[str, Any]) -> str:
    """What lessons and training took; policies of earlier versions do not know it of their lessons."""
    if (lessons := made.get("lesson_minutes")) is not None:
        return f"{lessons:g} minutes of lessons, then {made['minutes']:g} without evaluations"
    return f"{made['minutes']:g} minutes without {'lessons and ' if made['config']['teacher'] else ''}evaluations"


def commands(made: dict[str, Any]) -> Iterator[str]:
    """The commands that made a policy and those that it began with or played against, in the order of their making."""
    if start := made.get("start"):
        yield from commands(start)
    for opponent in made.get("opponents", {}).values():
        yield from commands(opponent)
    yield made["command"]


def network(policy: Policy) -> str:
    """The layers in words."""
    words = f"{sum(int(np.prod(shape)) for shape in policy.game['observation'].values())} values observed"
    if policy.cities is not None:
        count, width = policy.cities.names.shape
        words += f", {len(policy.cities.rounds)} rounds of {width} values for each of {count} cities"
    hidden = ", ".join(str(layer.weight.shape[1]) for layer in policy.trunk)
    return f"{words}, hidden layers of {hidden}, {policy.actions.weight.shape[1]} actions and the value"


def strength(players: int, matches: list[Match], planned: int) -> Iterator[str]:
    """What it did in matches."""
    others = "copies of the other" if players > 2 else "the other"
    yield "## Strength"
    yield ""
    if len(matches) < planned:
        yield f"Not measured to the end: {len(matches)} of {planned} matches were played so far."
        yield ""
    if not matches:
        return
    yield (
        f"Paired decks, each played from every seat against {others}. *Ranks before* counts ties half; the interval is "
        "of 95 %, by resampling decks."
    )
    yield ""
    yield from MATCHES
    for match in matches:
        seconds = "" if match.seconds is None else f"{match.seconds:.4f}"
        yield (
            f"| `{match.agent}` | `{match.other}` | {match.games:,} | {match.share:.1%} "
            f"| {match.low:.1%} to {match.high:.1%} | {match.rank:.2f}, {match.other_rank:.2f} | {seconds} |"
        )
    yield ""
    yield "```sh"
    for match in matches:
        yield match.command
    yield "```"
    yield ""
    loads = ", ".join("unknown" if match.load is None else f"{match.load:g}" for match in matches)
    yield f"Load of the machine when these began: {loads}."


def learning(config: dict[str, Any], entries: list[dict[str, Any]]) -> Iterator[str]:
    """How it got there."""
    if not entries:
        return
    # Thinned out evenly; the last one stays.
    entries = entries[::-1][:: -(-len(entries) // MOST_ROWS)][::-1]
    opponent = config["evaluate_against"][0]
    yield "## Learning"
    yield ""
    yield (
        f"Evaluations during the run: {config['evaluation_decks']} decks from every seat, against `{opponent}`. "
        "The best policy by such games is the one published."
    )
    yield ""
    yield f"| decisions | minutes | won against `{opponent}` | interval |"
    yield "|---|---|---|---|"
    for entry in entries:
        share, around = entry[opponent], entry[f"{opponent} interval"]
        yield f"| {entry['steps']:,} | {entry['minutes']:.0f} | {share:.1%} | ± {around:.1%} |"


def evaluations_of(model: Path) -> list[dict[str, Any]]:
    """The evaluations of the run that made a published model; none if its file is missing."""
    file = model.with_suffix(".jsonl")
    return [json.loads(line) for line in read_text(file).splitlines()] if file.exists() else []


def weaknesses_in(page: Path) -> str:
    """What a card that exists says of them."""
    text = read_text(page) if page.exists() else ""
    return text.partition(WEAKNESSES)[2].strip() or "None were looked for yet."
