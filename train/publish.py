"""Measures a policy, and puts it with a model card among the models that come with the project.

    python -m train.publish runs/two/best.npz --name thurn-und-taxis-south-2

The matches are tournaments that go on where they were stopped: against the heuristic, against search, and with search
on top against itself. What the card says under its last heading is kept when it is written again.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from agents.options import GuidedOptions, SearchOptions
from agents.policy import RELEASE, Policy, load, save
from eval import tournament
from eval.folder import Folder
from thurn_env.commands.arguments import INTERRUPTED, call, program
from thurn_env.errors import OptionError
from thurn_env.pace import available_cores
from thurn_env.provenance import command_line
from thurn_env.record import write_text
from train.config import game_arguments
from train.model_card import Match, card
from train.ppo import EVALUATIONS

PROGRAM = "python -m train.publish"


@dataclass(frozen=True)
class Arguments:
    """Publish a policy of train.ppo.

    Args:
        policy: the file of the policy, in the folder of its run.
        name: what the model is to be called: ppo:NAME will play it.
        decks: decks of every match, each played from every seat.
        search_decks: decks of the matches in which somebody searches, which take longer; as many if not given.
        seed: of the decks.
        search: iterations of the search on top.
        against: agents that the policy plays.
        search_against: agents that the policy with search on top plays, besides the policy itself.
        out: the folder of the matches; give the same to go on with those that were stopped.
        jobs: processes; one for every core if not given.
    """

    policy: Positional[Path]
    name: str
    decks: int = 1000
    search_decks: int | None = None
    seed: int = 2024
    search: int = 200
    against: tuple[str, ...] = ("heuristic", "mcts:1000")
    search_against: tuple[str, ...] = ("mcts:1000",)
    out: Path = Path("runs/publish")
    jobs: int = field(default_factory=available_cores)


def decks_of(arguments: Arguments, *agents: str) -> int:
    """The decks of a match between these agents."""
    searching = any(agent.partition(":")[0] in (SearchOptions.agent, GuidedOptions.agent) for agent in agents)
    return arguments.search_decks if searching and arguments.search_decks is not None else arguments.decks


def played(arguments: Arguments, policy: Policy, agent: str, other: str) -> Match:
    """Play a match, or what is missing of it."""
    # Another file under the same name plays other games: the folder says which file it was.
    digest = hashlib.sha256(arguments.policy.read_bytes()).hexdigest()[:8]
    names = "-".join("".join(letter if letter.isalnum() else "_" for letter in name) for name in (agent, other))
    out = arguments.out / f"{names}-{digest}"
    command = [
        *("--format", "ladder", "--agents", other, agent, *game_arguments(policy.made["config"])),
        *("--games", str(decks_of(arguments, agent, other)), "--seed", str(arguments.seed), "--out", str(out)),
    ]
    # A tournament says by its exit status alone that Ctrl-C stopped it.
    if tournament.run([*command, "--jobs", str(arguments.jobs)]) == INTERRUPTED:
        raise KeyboardInterrupt
    folder = Folder.existing(out)
    results, first = folder.results(), folder.description()["runs"][0]
    pair = results["pairs"][agent][other]
    rows = {row["agent"]: row for row in results["agents"]}
    low, high = pair["interval"]
    return Match(
        agent,
        other,
        pair["games"],
        pair["share"],
        low,
        high,
        rows[agent]["rank"],
        rows[other]["rank"],
        rows[agent]["seconds_per_decision"],
        command_line(tournament.PROGRAM, command),
        first["load"][0] if first["load"] else None,
    )


def portable(policy: Policy, name: str) -> Policy:
    """The policy without the folders of the machine that trained it, those of the runs before included."""
    config, out = policy.made["config"], f"runs/{name}"
    start = Path(config["start"]) if config["start"] else None
    agents = {key: [without_folder(entry) for entry in config[key]] for key in ("opponents", "evaluate_against")}
    made = policy.made | {"config": config | agents | {"out": out, "start": start and start.name}}
    return replace(policy, made=anywhere(made, out))


def anywhere(made: dict[str, Any], out: str) -> dict[str, Any]:
    """How a policy was made into a place, and those that it came from or met, without the folders of a machine."""
    start = made.get("start")
    # Notes of models that were published before name no file, and have no folders any more.
    if start and "file" in start:
        made = made | {"start": anywhere(start, start["file"])}
    if opponents := made.get("opponents"):
        met = {without_folder(entry): anywhere(opponent, opponent["file"]) for entry, opponent in opponents.items()}
        made = made | {"opponents": met}
    return made | {"command": elsewhere(made["command"], out)}


def without_folder(entry: str) -> str:
    """The name of an agent, or a share of the pool, without the folder of its policy."""
    return re.sub(r"^ppo:.*/", "ppo:", entry)


def elsewhere(command: str, out: str) -> str:
    """A command line that makes the same into another place, from files at hand."""
    words, option = list[str](), ""
    for word in shlex.split(command):
        named = word.startswith("--")
        option, equals, value = word.partition("=") if named else (option, "", word)
        if value and option == "--out":
            value = out
        elif value and option in ("--start", "--records"):
            value = Path(value).name
        if option != "--resume":
            words.append((option + equals if named else "") + without_folder(value))
    return shlex.join(words)


def run(command: list[str]) -> int:
    """Copy the policy, measure it, write the card."""
    arguments = call(Arguments, command, PROGRAM)
    if not all(letter.isalnum() or letter in "-_" for letter in arguments.name) or not arguments.name:
        raise OptionError(f"--name must be made of letters, digits, - and _, not {arguments.name!r}")
    policy = load(arguments.policy)
    if "config" not in policy.made:
        raise OptionError(f"{arguments.policy} does not say how it was trained; publish a policy of train.ppo")
    target = RELEASE / f"{arguments.name}.npz"
    save(portable(policy, arguments.name), target)
    evaluations = arguments.policy.with_name(EVALUATIONS)
    if evaluations.exists():
        write_text(target.with_suffix(".jsonl"), evaluations.read_text("utf-8"))
    bare, searching = f"ppo:{arguments.name}", f"ppo+mcts:{arguments.name},{arguments.search}"
    pairs = [(bare, other) for other in arguments.against]
    pairs += [(searching, other) for other in (bare, *arguments.search_against)]
    page, matches = target.with_suffix(".md"), list[Match]()
    # The card is never that of the model before: as long as matches are missing it says so.
    write_text(page, card(target, matches, len(pairs)))
    try:
        for pair in pairs:
            matches.append(played(arguments, policy, *pair))
            write_text(page, card(target, matches, len(pairs)))
    except KeyboardInterrupt:
        print("give the same command again to go on", file=sys.stderr)
        raise
    print(f"{target} and {page}")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
