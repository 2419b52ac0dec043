"""Measures a policy, and puts it with a model card among the models that come with the project.

    python -m train.publish runs/two/best.npz --name thurn-und-taxis-south-2

The matches are tournaments that go on where they were stopped: against the heuristic, against search, and with search
on top against itself. What the card says under its last heading is kept when it is written again.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tyro.conf import Positional

from agents.policy import RELEASE, Policy, load
from eval import tournament
from eval.folder import Folder
from thurn_env.commands.arguments import call, program
from thurn_env.errors import OptionError
from thurn_env.pace import available_cores
from thurn_env.record import write_bytes, write_text
from train.ppo import EVALUATIONS

PROGRAM = "python -m train.publish"
WEAKNESSES = "## Known weaknesses"
MOST_ROWS = 12
"""Rows of the table of the run's evaluations."""


@dataclass(frozen=True)
class Arguments:
    """Publish a policy of train.ppo.

    Args:
        policy: the file of the policy, in the folder of its run.
        name: what the model is to be called: ppo:NAME will play it.
        decks: decks of every match, each played from every seat.
        seed: of the decks.
        search: iterations of the search on top.
        against: agents to play against, besides the policy with search against the bare one.
        out: the folder of the matches; give the same to go on with those that were stopped.
        jobs: processes; one for every core if not given.
    """

    policy: Positional[Path]
    name: str
    decks: int = 1000
    seed: int = 2024
    search: int = 200
    against: tuple[str, ...] = ("heuristic", "mcts:1000")
    out: Path = Path("runs/publish")
    jobs: int = field(default_factory=available_cores)


class Match(NamedTuple):
    """What came out of a match.

    Attributes:
        agent: who sat in one seat.
        other: who sat in all others.
        games: how many were played.
        share: how often the agent ranked before an other.
        low, high: its 95 % interval.
        rank: the agent's mean rank, the least is 1.
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
    seconds: float | None
    command: str
    load: float | None


def played(arguments: Arguments, policy: Policy, agent: str, other: str) -> Match:
    """Play a match, or what is missing of it."""
    config = policy.made["config"]
    # Another file under the same name plays other games: the folder says which file it was.
    digest = hashlib.sha256(arguments.policy.read_bytes()).hexdigest()[:8]
    names = "-".join("".join(letter if letter.isalnum() else "_" for letter in name) for name in (agent, other))
    out = arguments.out / f"{names}-{digest}"
    command = [
        *("--format", "ladder", "--agents", other, agent, "--game", config["game"]),
        *("--players", str(config["players"]), "--games", str(arguments.decks), "--seed", str(arguments.seed)),
        *(("--board", config["board"]) if config["board"] else ()),
        *(("--option", *config["option"]) if config["option"] else ()),
        *("--out", str(out)),
    ]
    code = tournament.run([*command, "--jobs", str(arguments.jobs)])
    if code:
        raise KeyboardInterrupt
    folder = Folder.existing(out)
    results, first = folder.results(), folder.description()["runs"][0]
    pair = results["pairs"][agent][other]
    row = next(entry for entry in results["agents"] if entry["agent"] == agent)
    low, high = pair["interval"]
    return Match(
        agent,
        other,
        pair["games"],
        pair["share"],
        low,
        high,
        row["rank"],
        row["seconds_per_decision"],
        f"{tournament.PROGRAM} {shlex.join(command)}",
        first["load"][0] if first["load"] else None,
    )


def curve(run: Path) -> list[dict[str, Any]]:
    """The evaluations of a run, thinned out evenly; the last one stays."""
    file = run / EVALUATIONS
    if not file.exists():
        return []
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    step = -(-len(entries) // MOST_ROWS)
    return entries[::-1][::step][::-1]


def card(name: str, policy: Policy, size: int, digest: str, matches: list[Match], run: Path) -> Iterator[str]:
    """The lines of a model card, up to the known weaknesses."""
    made, config = policy.made, policy.made["config"]
    board = config["board"] or "usual"
    yield f"# {name}"
    yield ""
    options = f", {', '.join(config['option'])}" if config["option"] else ""
    yield (
        f"A policy for `{config['game']}`, {config['players']} players, {board} board{options}. "
        f"`ppo:{name}` plays it, `ppo+mcts:{name},200` searches with it."
    )
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| file | `{name}.npz`, {size / 1e6:.1f} MB, sha256 `{digest[:16]}` |"
    yield f"| network | {network(policy)} |"
    teacher = f"{config['lessons']:,} decisions of lessons by `{config['teacher']}`, then " if config["teacher"] else ""
    start = f"begun with `{Path(config['start']).name}`, then " if config["start"] else ""
    yield f"| data | {teacher}{start}{made['steps']:,} decisions against {', '.join(config['opponents'])} |"
    yield f"| time | {made['minutes']:g} minutes without lessons and evaluations; {made['machine']} |"
    yield f"| seed | {made['seed']} |"
    yield f"| command | `{made['command']}` |"
    yield f"| version | {made['version']}, engine `{made['engine']}` |"
    yield ""
    yield "## Strength"
    yield ""
    others = "copies of the other" if config["players"] > 2 else "the other"
    yield (
        f"Paired decks, each played from every seat against {others}. *Ranks before* counts ties half; the interval is "
        "of 95 %, by resampling decks."
    )
    yield ""
    yield "| agent | against | games | ranks before it | interval | mean rank | seconds per decision |"
    yield "|---|---|---|---|---|---|---|"
    for match in matches:
        seconds = "" if match.seconds is None else f"{match.seconds:.4f}"
        yield (
            f"| `{match.agent}` | `{match.other}` | {match.games:,} | {match.share:.1%} "
            f"| {match.low:.1%} to {match.high:.1%} | {match.rank:.2f} | {seconds} |"
        )
    yield ""
    yield "```sh"
    for match in matches:
        yield match.command
    yield "```"
    yield ""
    loads = ", ".join("unknown" if match.load is None else f"{match.load:g}" for match in matches)
    yield f"Load of the machine when these began: {loads}."
    entries = curve(run)
    if entries:
        opponent = config["evaluate_against"][0]
        yield ""
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
    yield ""
    yield WEAKNESSES


def network(policy: Policy) -> str:
    """The layers in words."""
    words = f"{sum(int(np.prod(shape)) for shape in policy.game['observation'].values())} values observed"
    if policy.cities is not None:
        count, width = policy.cities.names.shape
        words += f", {len(policy.cities.rounds)} rounds of {width} values for each of {count} cities"
    hidden = ", ".join(str(layer.weight.shape[1]) for layer in policy.trunk)
    return f"{words}, hidden layers of {hidden}, {policy.actions.weight.shape[1]} actions and the value"


def weaknesses(path: Path) -> str:
    """What a card that exists says of them."""
    text = path.read_text("utf-8") if path.exists() else ""
    return text.partition(WEAKNESSES)[2].strip() or "None were looked for yet."


def run(command: list[str]) -> int:
    """Copy, measure, write the card."""
    arguments = call(Arguments, command, PROGRAM)
    if not all(letter.isalnum() or letter in "-_" for letter in arguments.name) or not arguments.name:
        raise OptionError(f"--name must be made of letters, digits, - and _, not {arguments.name!r}")
    policy = load(arguments.policy)
    if "config" not in policy.made:
        raise OptionError(f"{arguments.policy} does not say how it was trained; publish a policy of train.ppo")
    content = arguments.policy.read_bytes()
    target = RELEASE / f"{arguments.name}.npz"
    RELEASE.mkdir(exist_ok=True)
    write_bytes(target, content)
    bare, searching = f"ppo:{arguments.name}", f"ppo+mcts:{arguments.name},{arguments.search}"
    pairs = [*((bare, other) for other in arguments.against), (searching, bare)]
    try:
        matches = [played(arguments, policy, *pair) for pair in pairs]
    except KeyboardInterrupt:
        print("give the same command again to go on", file=sys.stderr)
        raise
    page = target.with_suffix(".md")
    digest = hashlib.sha256(content).hexdigest()
    lines = card(arguments.name, policy, len(content), digest, matches, arguments.policy.parent)
    write_text(page, "\n".join(lines) + f"\n\n{weaknesses(page)}\n")
    print(f"{target} and {page}")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
