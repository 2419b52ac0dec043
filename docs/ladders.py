"""The page of the ladders: what `python -m eval.ladder --write` noted, in tables from the strongest agent down."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from eval.ladder import PROGRAM, read_plan
from eval.ladder_results import RESULTS
from thurn_env.engine.provenance import command_line
from thurn_env.files import read_text
from thurn_env.games import make_rules
from thurn_env.tournament.table import duration

INTRODUCTION = """<!-- Written by `python -m docs.generate` from eval/ladders/. -->

# The ladder

Results of each [agent](agents.md) against the one below it, on the same decks with rotated seats; with more than two
players, it sits alone among copies of that agent. [Models](models.md#strength) has the rungs of the policies of every
table, bare and with search.
"""
MEANING = """
*Ranks before it*, in percent with its [interval](evaluation.md#what-the-figures-mean), counts ties as half; with *n*
players, a deck is *n* games, and the mean rank is *n* - (*n* - 1) times the share. In brackets: wall time of a
decision, with other load.
"""
COLUMNS = ("players", "agent", "below it", "ranks before it")


def noted() -> list[dict[str, Any]]:
    """All that was noted, in the order of the plan."""
    entries = [json.loads(read_text(path)) for path in sorted(RESULTS.glob("*.json"))]
    order = list(read_plan())
    return sorted(entries, key=lambda entry: order.index(entry["ladder"]["name"]))


def page() -> str:
    """The whole page."""
    entries = noted()
    lines = [INTRODUCTION, *together(entries), MEANING]
    for game in dict.fromkeys(entry["ladder"]["game"] for entry in entries):
        lines += chapter(game, [entry for entry in entries if entry["ladder"]["game"] == game])
    return "\n".join(lines)


def chapter(game: str, entries: list[dict[str, Any]]) -> Iterator[str]:
    """All ladders of a game, by table; what the ladders of a table have in common stands once, before its results."""
    yield f"## {make_rules(game, entries[0]['players']).title}"
    yield ""
    tables = dict.fromkeys(table(entry) for entry in entries)
    for name in tables:
        own = [entry for entry in entries if table(entry) == name]
        if len(tables) > 1:
            yield f"### {name}"
            yield ""
        yield from results(own)


def results(entries: list[dict[str, Any]]) -> Iterator[str]:
    """All ladders of a table: what they have in common, their rungs by number of players, and the rest of the facts."""
    common = set.intersection(*({fact for group in facts(entry) for fact in group} for entry in entries))
    shared = listed([[fact for fact in group if fact in common] for group in facts(entries[0])])
    if shared:
        yield f"All ladders: {shared}."
        yield ""
    entries = ordered(entries)
    yield line(COLUMNS)
    yield "|---" * len(COLUMNS) + "|"
    for entry in entries:
        for rung in reversed(entry["rungs"]):
            yield line([str(entry["players"]), *cells(rung)])
    yield ""
    for alike in grouped(entries):
        yield from origin(alike, common)


def grouped(entries: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The ladders of a table whose games differ in the number of players and in the runs alone, each group together."""
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for entry in entries:
        ladder = entry["ladder"]
        same = (ladder["name"], ladder["games"], entry["engine"], entry["searchers"], entry.get("time limit"))
        groups.setdefault(same, []).append(entry)
    return list(groups.values())


def ordered(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ladders of a table as it shows them: by number of players, and from the highest agent down."""
    numbers = sorted({entry["players"] for entry in entries})
    return [
        entry
        for players in numbers
        for tower in towers([entry for entry in entries if entry["players"] == players])
        for entry in reversed(tower)
    ]


def table(entry: dict[str, Any]) -> str:
    """The board of a ladder and its options, as headings name them."""
    ladder = entry["ladder"]
    return ", ".join(
        [f"Board {ladder['board']}", *(option.replace("=true", "") for option in ladder.get("option", ()))]
    )


def together(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The command that plays all ladders of the page, and what it plays besides."""
    plan = read_plan()
    names = list(dict.fromkeys(entry["ladder"]["name"] for entry in entries))
    there = {(entry["ladder"]["name"], entry["players"]) for entry in entries}
    further = {name: [number for number in plan[name].players if (name, number) not in there] for name in names}
    besides = [
        f"`{name}` with {enumerated([*map(str, numbers)])} players" for name, numbers in further.items() if numbers
    ]
    also = f"; it also plays {enumerated(besides)}, not noted here" if besides else ""
    yield f"This command plays all ladders, for many hours, and resumes them{also}:"
    yield ""
    yield "```sh"
    yield command_line(PROGRAM, ["--name", *names, "--out", "runs/ladder"])
    yield "```"
    yield ""
    yield "For one of them, pass `--name full --players 2`."


def towers(entries: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The ladders, those together that stand on one another: the lowest agent of each is the highest one before it."""
    found: list[list[dict[str, Any]]] = []
    for entry in entries:
        agents = entry["ladder"]["agents"]
        below = (tower for tower in found if tower[-1]["ladder"]["agents"][-1] == agents[0])
        if tower := next(below, None):
            tower.append(entry)
        else:
            found.append([entry])
    return found


def enumerated(items: Sequence[str]) -> str:
    """Items as a text: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def line(row: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(row)} |"


def cells(rung: dict[str, Any]) -> tuple[str, ...]:
    """What the tables say of a rung, column by column."""
    share, low, high = (f"{100 * rung[name]:.1f}" for name in ("share", "low", "high"))
    return (
        f"`{rung['agent']}`" if rung["seconds"] is None else f"`{rung['agent']}` ({duration(rung['seconds'])})",
        f"`{rung['below']}`",
        f"{share} ({low} to {high})",
    )


def runs_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the runs of a ladder. Entries without a list of runs hold the facts of their only run."""
    return list(entry.get("runs", [entry]))


def facts(entry: dict[str, Any]) -> list[list[str]]:
    """What was played, and by what, in groups; the load only where decisions were timed."""
    ladder, runs = entry["ladder"], runs_of(entry)
    versions = " and ".join(dict.fromkeys(f"thurn-env {run['versions']['thurn-env']}" for run in runs))
    timed = any(rung["seconds"] is not None for rung in entry["rungs"])
    return [
        [decks(ladder), f"seed {ladder['seed']}", limit(entry)],
        [
            f"board {ladder['board']} `{entry['board digest'][:16]}`",
            f"engine `{entry['engine']}`",
            f"searching agents `{entry['searchers']}`" if entry["searchers"] else "",
            commits(runs),
        ],
        [versions],
        [" and ".join(dict.fromkeys(map(place, runs))), loads(runs) if timed else ""],
    ]


def listed(groups: Iterable[Iterable[str]]) -> str:
    """Groups of facts as one text; empty facts are left out."""
    return "; ".join(filter(None, (", ".join(filter(None, group)) for group in groups)))


def origin(entries: Sequence[dict[str, Any]], common: Collection[str] = ()) -> Iterator[str]:
    """The facts of ladders that differ in the number of players and in the runs alone, but for the common facts."""
    ladder, players = entries[0]["ladder"], [str(entry["players"]) for entry in entries]
    whole = entries[0] | {"runs": [run for entry in entries for run in runs_of(entry)]}
    if own := listed([[fact for fact in group if fact not in common] for group in facts(whole)]):
        yield f"`{ladder['name']}` with {enumerated(players)} players: {own}."
        yield ""


def decks(ladder: dict[str, Any]) -> str:
    """The number of decks, with the option that plays no more if more are planned."""
    fewer = ladder["games"] < read_plan()[ladder["name"]].games
    return f"{ladder['games']:,} decks" + (f" (`--decks {ladder['games']}`)" if fewer else "")


def limit(entry: dict[str, Any]) -> str:
    """The time limit; empty if there is none."""
    return f"{entry['time limit']:g} s for a decision" if entry.get("time limit") else ""


def place(run: dict[str, Any]) -> str:
    """What the games of a run were played on: with Ray not on the machine where the command was given."""
    if "ray" in run:
        return f"Ray, {run['ray']['nodes']} nodes with {run['ray']['cpus']} CPUs"
    return f"{run['machine']}, {run['cores']} cores"


def loads(runs: list[dict[str, Any]]) -> str:
    """How busy the machine was when the runs on it began; empty if nothing is known."""
    known = [run["load"][0] for run in runs if run["load"] and "ray" not in run]
    if len(known) > 1:
        return f"load {min(known)} to {max(known)} at the start of {len(known)} runs"
    return f"load {known[0]} at the start" if known else ""


def commits(runs: list[dict[str, Any]]) -> str:
    """The commits that the games were played from; empty if none is known."""
    named = dict.fromkeys(
        f"`{run['commit'][:12]}`{' with changes' if run['dirty'] else ''}" if "commit" in run else "one not noted"
        for run in runs
    )
    return f"commit {enumerated([*named])}" if any("commit" in run for run in runs) else ""


def files(docs: Path) -> dict[Path, str]:
    """What the page's file should hold."""
    return {docs / "ladder.md": page()}
