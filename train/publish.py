"""Measure a policy, and publish it with a model card among the project's models.

    python -m train.publish runs/two/best.npz --name thurn_und_taxis-south-2

The matches are tournaments, which continue if they were stopped: against the heuristic, and of search guided by the
policy against the policy alone; with two players, both also against search, where it has an evaluation. With the usual
numbers of decks they take less than half an hour of two cores. The last section of an existing card is kept.
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

from thurn_env.checks import MOST_GAMES, MOST_THREADS, check_options, checked_seed, checked_whole, quoted
from thurn_env.commands.arguments import call, program, value_of
from thurn_env.engine.cores import available_cores
from thurn_env.engine.provenance import command_line
from thurn_env.errors import OptionError
from thurn_env.files import read_text, write_text
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.evaluation import AUTO, evaluation_of
from thurn_env.players.policy import RELEASE, Policy, load, save
from thurn_env.players.search_options import MOST_ITERATIONS, GuidedOptions, SearchOptions
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.playing import play_tournament
from thurn_env.training.config import game_arguments, rules_of
from thurn_env.training.folder import BEST, EVALUATIONS, LAST
from train.model_card import Match, card

PROGRAM = "python -m train.publish"
TRAINING = frozenset({"train", "train.ppo"})
"""Words that distinguish commands that write a folder from those that write a file."""
TOURNAMENT = "thurn tournament"
BEFORE = "-before"
"""End of the folder of a run whose policy was continued under the same name."""
SEARCH = "mcts:1000"
"""Search without the policy, as an opponent."""
SEARCH_DECKS, FEWEST_DECKS = {2: 100, 3: 30}, 20
"""Usual numbers of decks of matches with search, by the number of players, and with more players."""
PLAYED = Path("runs/publish")
"""Folder of the matches in the commands on cards, wherever they were played."""


@dataclass(frozen=True)
class Arguments:
    """Publish a policy of thurn train.

    Args:
        policy: file of the policy, in the folder of its run.
        name: name of the model: ppo:NAME will play it.
        decks: decks of every match, each played from every seat.
        search_decks: decks of matches with search, which take longer; by default 100 with two players, 30 with three
            and 20 with more, and never more than decks.
        seed: seed of the decks.
        search: iterations of the search guided by the policy.
        against: opponents of the policy; by default heuristic, and mcts:1000 with two players where it has an
            evaluation.
        search_against: opponents of the search guided by the policy, besides the policy itself; by default mcts:1000
            as for the policy.
        out: folder of the matches; pass the same folder to continue stopped matches.
        jobs: number of worker processes; by default one per core.
    """

    policy: Positional[Path]
    name: str
    decks: int = 1000
    search_decks: int | None = None
    seed: int = 2024
    search: int = 200
    against: tuple[str, ...] | None = None
    search_against: tuple[str, ...] | None = None
    out: Path = PLAYED
    jobs: int = field(default_factory=available_cores)


def complete(arguments: Arguments, rules: GameRules) -> Arguments:
    """Return the arguments with the usual matches of a table where none are given."""
    usual = (SEARCH,) if rules.players == 2 and len(evaluation_of(rules, AUTO)) else ()
    decks = min(arguments.decks, SEARCH_DECKS.get(rules.players, FEWEST_DECKS))
    return replace(
        arguments,
        search_decks=decks if arguments.search_decks is None else arguments.search_decks,
        against=("heuristic", *usual) if arguments.against is None else arguments.against,
        search_against=usual if arguments.search_against is None else arguments.search_against,
    )


def decks_of(arguments: Arguments, *agents: str) -> int:
    """Return the number of decks of a match between these agents."""
    searching = any(agent.partition(":")[0] in (SearchOptions.agent, GuidedOptions.agent) for agent in agents)
    return arguments.search_decks if searching and arguments.search_decks is not None else arguments.decks


def played(arguments: Arguments, policy: Policy, agent: str, other: str) -> Match:
    """Play a match, or the games that it lacks."""
    # Another file under the same name plays other games, so the folder's name includes the file's digest.
    digest = hashlib.sha256(arguments.policy.read_bytes()).hexdigest()[:8]
    names = "-".join("".join(letter if letter.isalnum() else "_" for letter in name) for name in (agent, other))
    out = arguments.out / f"{names}-{digest}"
    command = [
        *("--format", "ladder", "--agents", other, agent, *game_arguments(policy.made["config"])),
        *("--games", str(decks_of(arguments, agent, other)), "--seed", str(arguments.seed)),
        *("--out", str(PLAYED / out.name)),
    ]
    played = play_tournament(
        (other, agent),
        rules_of(policy.made["config"]),
        decks_of(arguments, agent, other),
        seed=arguments.seed,
        folder=out,
        format="ladder",
        jobs=arguments.jobs,
        command=command_line(TOURNAMENT, command),
    )
    folder, results = Folder.existing(out), played.figures
    if folder.config.secret:
        # With an agent of another package: the command on the card has to play the same games.
        command += ["--secret", folder.config.secret]
    first = folder.description()["runs"][0]
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
        command_line(TOURNAMENT, command),
        first["load"][0] if first["load"] else None,
    )


def portable(policy: Policy, name: str) -> Policy:
    """Return the policy without paths of the machine that trained it, including those of earlier runs."""
    config, out = policy.made["config"], f"runs/{name}"
    start = Path(config["start"]) if config["start"] else None
    agents = {key: [without_folder(entry) for entry in config[key]] for key in ("opponents", "evaluate_against")}
    teacher = config["teacher"] and without_folder(config["teacher"])
    begun = start and run_and_file(start)
    made = anywhere(policy.made, out)
    named = Path(value_of(shlex.split(made["command"]), "--start") or "")
    if start and named.name == start.name:
        # The run may have another folder in the command.
        begun = run_and_file(named)
    return replace(policy, made=made | {"config": config | agents | {"out": out, "start": begun, "teacher": teacher}})


def run_and_file(path: Path) -> str:
    """Return the name of a policy's file, and that of the run before it if all runs have a file of this name."""
    return f"{path.parent.name}/{path.name}" if path.name in (BEST, LAST) else path.name


def anywhere(made: dict[str, Any], out: str, taken: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the notes of a policy with portable paths, including those of policies it started from or met.

    Args:
        made: notes of the policy.
        out: folder or file for its command to write.
        taken: folders and files of the runs that continued it.
    """
    return _anywhere(made, out, taken)[0]


def _anywhere(made: dict[str, Any], out: str, taken: frozenset[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the notes as `anywhere` does, and the new paths of policies by those in the command."""
    words, places = shlex.split(made["command"]), dict[str, str]()
    start = made.get("start")
    if start and start.get("same_command"):
        before, places = _anywhere(start, out, taken)
        made = made | {"start": before}
    # Notes of earlier published models name no file and contain no folders.
    elif start and "file" in start:
        place, policy = places_of(start)
        taken |= {out}
        while place in taken:
            # A run may continue a policy of its own name; two runs cannot write into one folder.
            place, policy = f"{place}{BEFORE}", policy.replace(place, f"{place}{BEFORE}", 1)
        places[value_of(words, "--start") or ""] = policy
        made = made | {"start": anywhere(start, place, taken)}
    if opponents := made.get("opponents"):
        met = dict[str, Any]()
        for entry, opponent in opponents.items():
            place, places[path_in(entry)] = places_of(opponent)
            met[without_folder(entry)] = anywhere(opponent, place)
        made = made | {"opponents": met}
    return with_command(made, elsewhere(words, out, places)), places


def with_command(made: dict[str, Any], command: str) -> dict[str, Any]:
    """Return the notes of a policy with this command, also in those of the earlier runs of the same curriculum."""
    if made.get("start", {}).get("same_command"):
        made = made | {"start": with_command(made["start"], command)}
    return made | {"command": command}


def places_of(made: dict[str, Any]) -> tuple[str, str]:
    """Return the output of a policy's command, a folder under `runs` or a file, and the path of the policy."""
    file, words = Path(made["file"]), shlex.split(made["command"])
    if TRAINING.isdisjoint(words):
        return file.name, file.name
    if file.name in (BEST, LAST):
        folder = f"runs/{Path(value_of(words, '--out') or '').name}"
        return folder, "/".join([folder, *([made["stage"]] if "stage" in made else []), file.name])
    return f"runs/{file.stem}", f"runs/{file.stem}/{BEST}"


POLICY = re.compile(r"(?P<agent>^(?:each:)?ppo(?:\+mcts)?:)(?P<path>.*\.npz|[^,=]+)")
"""Pattern of a policy's path, and of what stands before it, in the name of an agent or in a share of the pool."""


def path_in(entry: str) -> str:
    """Return the path of an agent's policy; empty if it has none."""
    found = POLICY.search(entry)
    return found["path"] if found else ""


def with_path(entry: str, path: str) -> str:
    """Return the name of an agent, or a share of the pool, with another path of its policy."""
    return POLICY.sub(lambda found: found["agent"] + path, entry)


def without_folder(entry: str) -> str:
    """Return the name of an agent, or a share of the pool, without the folder of its policy."""
    return with_path(entry, Path(path_in(entry)).name)


def elsewhere(words: list[str], out: str, places: dict[str, str]) -> str:
    """Return a command line with another output.

    Args:
        words: the command line.
        out: new output.
        places: new paths of policies, by the paths in the command line; others lose their folders.
    """
    changed, option = list[str](), ""
    for word in words:
        named = word.startswith("--")
        option, equals, value = word.partition("=") if named else (option, "", word)
        if value and option == "--out":
            value = out
        elif value and option in ("--start", "--records"):
            value = places.get(value, Path(value).name)
        if path := path_in(value):
            value = with_path(value, places.get(path, Path(path).name))
        if option != "--resume":
            changed.append((option + equals if named else "") + value)
    return shlex.join(given_last(changed))


def given_last(words: list[str]) -> list[str]:
    """Return a command line without options that are given again later, which take their place."""
    options = dict[str, list[str]]()
    option = ""
    for word in words:
        if word.startswith("--"):
            option = word.partition("=")[0]
            options[option] = []
        options.setdefault(option, []).append(word)
    return [word for given in options.values() for word in given]


def check(arguments: Arguments) -> None:
    """Raise `OptionError` if a value is out of bounds."""
    if not is_name(arguments.name):
        raise OptionError(f"--name must be made of letters, digits, - and _, not {quoted(arguments.name)}")
    check_options(arguments, checked_whole, ("decks", "search_decks"), 1, MOST_GAMES)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    check_options(arguments, checked_whole, ("search",), 1, MOST_ITERATIONS)
    checked_seed(arguments.seed)


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a model."""
    return bool(text) and all(letter.isalnum() or letter in "-_" for letter in text)


def publish(arguments: Arguments) -> Path:
    """Copy a policy to the project's models, measure it, and write its card.

    Returns:
        The file of the published policy; its card lies beside it.

    Raises:
        OptionError: a value is out of bounds, or the policy is not that of a run of `thurn train`.
        KeyboardInterrupt: the matches were interrupted; the next call continues them.
    """
    check(arguments)
    policy = load(arguments.policy)
    if "config" not in policy.made:
        raise OptionError(f"{arguments.policy} contains no training configuration; publish a policy of thurn train")
    rules = rules_of(policy.made["config"])
    arguments = complete(arguments, rules)
    against, search_against = arguments.against or (), arguments.search_against or ()
    for agent in (*against, *search_against):
        make_agent(agent, rules.bots)
    target = RELEASE / f"{arguments.name}.npz"
    save(portable(policy, arguments.name), target, small=True)
    evaluations = arguments.policy.with_name(EVALUATIONS)
    if evaluations.exists():
        write_text(target.with_suffix(".jsonl"), read_text(evaluations))
    else:
        target.with_suffix(".jsonl").unlink(missing_ok=True)
    bare, searching = f"ppo:{arguments.name}", f"ppo+mcts:{arguments.name},{arguments.search}"
    pairs = [(bare, other) for other in against]
    pairs += [(searching, other) for other in (bare, *search_against)]
    page, matches = target.with_suffix(".md"), list[Match]()
    # Never keep the card of the model before: as long as matches are missing, the card says so.
    write_text(page, card(target, matches, len(pairs)))
    for pair in pairs:
        matches.append(played(arguments, policy, *pair))
        write_text(page, card(target, matches, len(pairs)))
    return target


def run(command: list[str]) -> int:
    """Publish a policy."""
    try:
        target = publish(call(Arguments, command, PROGRAM))
    except KeyboardInterrupt:
        print("run the same command again to continue", file=sys.stderr)
        raise
    print(f"{target} and {target.with_suffix('.md')}")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
