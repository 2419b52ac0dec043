"""The model card: purpose, origin and results of a published model."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.way_rules import sizes
from thurn_env.files import read_text
from thurn_env.players.policy import Policy, load
from thurn_env.table.changed_options import option_words
from thurn_env.tournament.config import digest_of
from thurn_env.training.config import Config, completed, rules_of
from thurn_env.training.exploit import LowerBound
from thurn_env.training.exploit.result import MIRROR

WEAKNESSES = "## Known weaknesses"
RESPONSE = "## Best response"
LEARNING = "## Learning"
MATCHES = (
    "| agent | against | games | ranks before it | interval | mean ranks | seconds per decision |",
    "|---|---|---|---|---|---|---|",
)
"""Head of the table of matches."""
MOST_ROWS = 12
"""Largest number of rows of the table of the run's evaluations."""


class Match(NamedTuple):
    """Result of a match.

    Attributes:
        agent: agent in one seat.
        other: agent in all other seats.
        games: number of games.
        share: share of games in which the agent ranked before another seat.
        low, high: bounds of its 95 % interval.
        rank: mean rank of the agent; the best is 1.
        other_rank: mean rank of the others.
        seconds: mean time per decision of the agent.
        command: command that played the match.
        load: load of the machine when the match began.
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
    """Return the card; the section on weaknesses of an existing card is kept.

    Args:
        model: the published file; the evaluations of its run are beside it.
        matches: matches played so far.
        planned: number of planned matches.
    """
    policy, name = load(model), model.stem
    weaknesses = weaknesses_in(model.with_suffix(".md"))
    sections = [
        introduction(name, policy),
        origin(name, policy, model.read_bytes()),
        strength(policy.made["config"]["players"], matches, planned),
        response(bound_of(model)),
        learning(policy.made, evaluations_of(model)),
        [WEAKNESSES, "", weaknesses],
    ]
    return "\n\n".join("\n".join(lines) for section in sections if (lines := list(section))) + "\n"


def introduction(name: str, policy: Policy) -> Iterator[str]:
    """Yield the lines about the model's purpose."""
    config = policy.made["config"]
    rules = rules_of(config)
    options = "".join(f", {word}" for word in option_words(rules))
    yield f"# {name}"
    yield ""
    yield (
        f"A policy for `{config['game']}`, {config['players']} players, board `{rules.board_name}`{options}. "
        f"`ppo:{name}` plays it, `ppo+mcts:{name},200` searches with it."
    )


def origin(name: str, policy: Policy, content: bytes) -> Iterator[str]:
    """Yield the table of the model's origin."""
    made, config = policy.made, policy.made["config"]
    yield "| | |"
    yield "|---|---|"
    yield f"| file | `{name}.npz`, {len(content) / 1e6:.1f} MB, sha256 `{hashlib.sha256(content).hexdigest()[:16]}` |"
    yield f"| network | {network(policy)} |"
    teacher = f"{config['lessons']:,} decisions of lessons by `{config['teacher']}`, then " if config["teacher"] else ""
    before = curriculum(made)
    first = before[0][1] if before else made
    start = f"begun with `{config['start']}`{runs_before(first)}, then " if config["start"] else ""
    start += "".join(f"{run['steps']:,} decisions with {players} players, then " for players, run in before)
    searched = f", then {rounds_of_search(made)}" if made.get("search_rounds") else ""
    yield f"| data | {teacher}{start}{made['steps']:,} decisions against {', '.join(config['opponents'])}{searched} |"
    yield f"| time | {time_of(made)}; {made['machine']} |"
    yield f"| seed | {made['seed']} |"
    yield f"| version | {made['version']}, engine `{made['engine']}` |"
    yield ""
    yield "```sh"
    yield from dict.fromkeys(commands(made))
    yield "```"


def curriculum(made: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Return the numbers of players learned for first, and the notes of the policies with which the next run began."""
    config, runs = completed(made["config"]), list[tuple[int, dict[str, Any]]]()
    planned = Config(Path(), players=config["players"], curriculum=tuple(config["curriculum"]))
    for players, _ in reversed(planned.players_before()):
        made = made["start"]
        runs.insert(0, (players, made))
    return runs


def rounds_of_search(made: dict[str, Any]) -> str:
    """Describe the lessons from search with which a run ended."""
    rounds, lessons = made["search_rounds"], made["config"]["search_lessons"]
    return f"{rounds} {'round' if rounds == 1 else 'rounds'} of {lessons:,} decisions of lessons from its own search"


def runs_before(made: dict[str, Any]) -> str:
    """Describe the lengths of the runs before, if known; unlike its command, a policy may come from within a run."""
    steps = list[int]()
    while made := made.get("start") or {}:
        steps.insert(0, made.get("steps", 0))
    return f" (runs of {' and '.join(f'{number:,}' for number in steps)} decisions)" if steps and all(steps) else ""


def time_of(made: dict[str, Any]) -> str:
    """Describe the duration of lessons and training; policies of earlier versions do not note that of lessons."""
    runs = [*(run for _, run in curriculum(made)), made]
    minutes = f"{sum(run['minutes'] for run in runs):g}"
    searched = f" and {made['search_minutes']:g} of lessons from search" if made.get("search_rounds") else ""
    if (lessons := runs[0].get("lesson_minutes")) is not None:
        return f"{lessons:g} minutes of lessons, then {minutes}{searched} without evaluations"
    return f"{minutes} minutes{searched} without {'lessons and ' if made['config']['teacher'] else ''}evaluations"


def commands(made: dict[str, Any]) -> Iterator[str]:
    """Yield the commands that made a policy and the policies it started from or played against, in order."""
    if start := made.get("start"):
        yield from commands(start)
    for opponent in made.get("opponents", {}).values():
        yield from commands(opponent)
    yield made["command"]


def network(policy: Policy) -> str:
    """Describe the layers."""
    words = f"{sum(int(np.prod(shape)) for shape in policy.game['observation'].values())} values observed"
    if policy.cities is not None:
        count, width = policy.cities.names.shape
        words += f", {len(policy.cities.rounds)} rounds of {width} values for each of {count} cities"
    if policy.ways is not None:
        words += f", {sum(sizes(policy.ways).values())} about ways for tickets"
    hidden = ", ".join(str(layer.weight.shape[1]) for layer in policy.trunk)
    scored = sum(scorer.targets.size for scorer in policy.scorers)
    told = f", {scored} of which shared layers score," if scored else ""
    if policy.network != "mlp" and not scored:
        told = " (without layers that score them, which the command makes today)"
    return f"{words}, hidden layers of {hidden}, {policy.actions.weight.shape[1]} actions{told} and the value"


def strength(players: int, matches: list[Match], planned: int) -> Iterator[str]:
    """Yield the lines about results of matches."""
    others = "copies of the other" if players > 2 else "the other"
    yield "## Strength"
    yield ""
    if len(matches) < planned:
        yield f"Incomplete: {len(matches)} of {planned} matches were played so far."
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


def response(bound: LowerBound | None) -> Iterator[str]:
    """Yield the lines about responses that were made for the model alone."""
    if bound is None:
        return
    yield RESPONSE
    yield ""
    yield best_response(bound)
    yield ""
    yield "```sh"
    yield bound.made["command"]
    yield "```"


def best_response(bound: LowerBound) -> str:
    """Return what was found, as sentences; `docs/models.py` reads the figures."""
    iterations = bound.plays["iterations"]
    chosen = f"`{bound.response}`" + (f" with {iterations:,} iterations" if iterations else "")
    result = f"in {bound.share:.1%} of {bound.games:,} games (95 % interval {bound.low:.1%} to {bound.high:.1%}"
    if bound.gains:
        return (
            f"A response made for this policy alone ({chosen}) ranks before it {result}; equal strength is "
            f"{MIRROR:.1%}). This is a lower bound of what a best response reaches."
        )
    others = {name: share for name, share in bound.candidates.items() if not (bound.mirrors and name == bound.response)}
    tried = ", ".join(f"`{name}` {share:.1%}" for name, share in others.items())
    return (
        "No response was found that does better than the policy itself, which by symmetry ranks before copies of "
        f"itself in {MIRROR:.1%} of games. "
    ) + (
        f"On the decks that choose a response: {tried}."
        if bound.mirrors
        else f"{chosen}, chosen on other decks ({tried}), ranks before it {result})."
    )


def bound_file(model: Path) -> Path:
    """Return the file of the lower bound of a published model."""
    return model.with_suffix(".exploit.json")


def bound_of(model: Path) -> LowerBound | None:
    """Read the lower bound of a published model; None if there is none, or only that of another file."""
    file = bound_file(model)
    bound = LowerBound.read(file) if file.exists() else None
    return bound if bound is not None and is_of(bound, model) else None


def is_of(bound: LowerBound, model: Path) -> bool:
    """Return whether a lower bound was measured with this file."""
    return digest_of(model) in bound.made["files"].values()


def with_bound(text: str, bound: LowerBound) -> str:
    """Return the text of a card with this bound, in place of that of the card if it has one."""
    section = "\n".join(response(bound))
    sections = [part for part in re.split(r"\n\n(?=## )", text) if not part.startswith(RESPONSE)]
    place = next(place for place, part in enumerate(sections) if part.startswith((LEARNING, WEAKNESSES)))
    return "\n\n".join([*sections[:place], section, *sections[place:]])


def learning(made: dict[str, Any], entries: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines about the training run."""
    if not entries:
        return
    config = made["config"]
    # Thin out evenly and keep the last entry.
    entries = entries[::-1][:: -(-len(entries) // MOST_ROWS)][::-1]
    opponent = config["evaluate_against"][0]
    yield LEARNING
    yield ""
    yield (
        f"Evaluations during the run: {config['evaluation_decks']} decks from every seat, against `{opponent}`. "
        f"The published policy is that after {made['steps']:,} decisions"
        f"{f' and {rounds_of_search(made)}' if made.get('search_rounds') else ''}."
    )
    yield ""
    yield f"| decisions | minutes | won against `{opponent}` | interval |"
    yield "|---|---|---|---|"
    for entry in entries:
        share, around = entry[opponent], entry[f"{opponent} interval"]
        rounds = f", round {entry['search_rounds']} of search" if "search_rounds" in entry else ""
        yield f"| {entry['steps']:,}{rounds} | {entry['minutes']:.0f} | {share:.1%} | ± {around:.1%} |"


def evaluations_of(model: Path) -> list[dict[str, Any]]:
    """Read the evaluations of the run that made a published model; empty if the file is missing."""
    file = model.with_suffix(".jsonl")
    return [json.loads(line) for line in read_text(file).splitlines()] if file.exists() else []


def weaknesses_in(page: Path) -> str:
    """Return the section on weaknesses of an existing card."""
    text = read_text(page) if page.exists() else ""
    return text.partition(WEAKNESSES)[2].strip() or "Not examined yet."
