"""The page of the ladders: what `python -m eval.ladder --write` noted, in tables from the strongest agent down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from eval.ladder import PROGRAM, read_plan
from eval.ladder_results import RESULTS
from thurn_env.engine.provenance import command_line
from thurn_env.files import read_text
from thurn_env.games import make_rules
from thurn_env.players.agent import is_own
from thurn_env.tournament.table import duration

INTRODUCTION = """<!-- Written by `python -m docs.generate` from eval/ladders/. -->

# The ladder

Each agent plays the one below it, on the same decks with rotated seats; with more than two players, it sits alone among
copies of that agent. *Ranks before* counts ties as half; its 95 % interval comes from resampling decks or, if all games
were won, from an exact bound. *Mean ranks* are those of the agent and of the agents below it; 1 is best. *A decision
takes* is wall time in the games of the row, including other load on the machine; it is empty if only scripted bots
play. See [agents](agents.md) and [what the figures mean](evaluation.md#what-the-figures-mean).
"""
COLUMNS = ("agent", "below it", "games", "ranks before it", "95 % interval", "mean ranks", "a decision takes")


def noted() -> list[dict[str, Any]]:
    """All that was noted, in the order of the plan."""
    entries = [json.loads(read_text(path)) for path in sorted(RESULTS.glob("*.json"))]
    order = list(read_plan())
    return sorted(entries, key=lambda entry: order.index(entry["ladder"]["name"]))


def page() -> str:
    """The whole page."""
    entries = noted()
    lines = [INTRODUCTION, *together(entries)]
    for game in dict.fromkeys(entry["ladder"]["game"] for entry in entries):
        of_game = [entry for entry in entries if entry["ladder"]["game"] == game]
        for players in sorted({entry["players"] for entry in of_game}):
            lines += section(game, players, [entry for entry in of_game if entry["players"] == players])
    return "\n".join(lines)


def together(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The command that plays all ladders of the page, and what it plays besides."""
    plan = read_plan()
    names = list(dict.fromkeys(entry["ladder"]["name"] for entry in entries))
    there = {(entry["ladder"]["name"], entry["players"]) for entry in entries}
    further = {name: [number for number in plan[name].players if (name, number) not in there] for name in names}
    besides = [
        f"`{name}` with {' and '.join(map(str, numbers))} players" for name, numbers in further.items() if numbers
    ]
    shortened = {
        entry["ladder"]["name"]: None
        for entry in entries
        if entry["ladder"]["games"] < plan[entry["ladder"]["name"]].games
    }
    also = f"; it also plays {' and '.join(besides)}, not noted here" if besides else ""
    more = (
        f"; of {' and '.join(f'`{name}`' for name in shortened)} it plays more decks than are noted"
        if shortened
        else ""
    )
    yield "The commands of a table's ladders stand below it. This one plays them all, which takes many hours, and goes"
    yield f"on where it was stopped{also}{more}:"
    yield ""
    yield "```sh"
    yield command_line(PROGRAM, ["--name", *names, "--out", "runs/ladder"])
    yield "```"
    yield ""


def section(game: str, players: int, entries: list[dict[str, Any]]) -> Iterator[str]:
    """All ladders of a game with a number of players."""
    yield f"## {make_rules(game, players).title}, {players} players"
    yield ""
    for tower in towers(entries):
        yield f"| {' | '.join(COLUMNS)} |"
        yield "|---" * len(COLUMNS) + "|"
        for entry in reversed(tower):
            yield from map(row, reversed(entry["rungs"]))
        yield ""
        for entry in reversed(tower):
            yield from origin(entry)


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


def row(rung: dict[str, Any]) -> str:
    """A rung as a row of the table."""
    return f"| {' | '.join(cells(rung))} |"


def cells(rung: dict[str, Any]) -> tuple[str, ...]:
    """What the table says of a rung, column by column."""
    return (
        f"`{rung['agent']}`",
        f"`{rung['below']}`",
        f"{rung['games']:,}",
        f"{rung['share']:.1%}",
        f"{rung['low']:.1%} to {rung['high']:.1%}",
        f"{rung['rank']:.2f}, {rung['rank_below']:.2f}",
        duration(rung["seconds"]),
    )


def search_table() -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The rungs that search, for the page of the agents: the headings, and the rows by ladder and number of players."""
    rows = [
        (str(entry["players"]), *cells(rung)[:-1])
        for entry in noted()
        for rung in entry["rungs"]
        if is_own(rung["agent"])
    ]
    return ("players", *COLUMNS[:-1]), rows


def origin(entry: dict[str, Any]) -> Iterator[str]:
    """What was played, by what, and the command that plays it again."""
    ladder, players = entry["ladder"], entry["players"]
    # What was noted before there was a list of runs tells of the first one only.
    runs = entry.get("runs", [entry])
    versions = " and ".join(
        dict.fromkeys(", ".join(f"{name} {number}" for name, number in run["versions"].items()) for run in runs)
    )
    machines = " and ".join(dict.fromkeys(map(place, runs)))
    limit = f", {entry['time limit']:g} s for a decision" if entry.get("time limit") else ""
    searchers = f", searching agents `{entry['searchers']}`" if entry["searchers"] else ""
    yield (
        f"`{ladder['agents'][0]}` to `{ladder['agents'][-1]}`: "
        f"{ladder['games']:,} decks, seed {ladder['seed']}{limit}; "
        f"board {ladder['board']} `{entry['board digest'][:16]}`, "
        f"engine `{entry['engine']}`{searchers}{commits(runs)}; "
        f"{versions}; {machines}{loads(runs)}."
    )
    yield ""
    yield "```sh"
    decks = [] if ladder["games"] == read_plan()[ladder["name"]].games else ["--decks", str(ladder["games"])]
    yield command_line(PROGRAM, ["--name", ladder["name"], "--players", str(players), *decks, "--out", "runs/ladder"])
    yield "```"
    yield ""


def place(run: dict[str, Any]) -> str:
    """What the games of a run were played on: with Ray not on the machine where the command was given."""
    if "ray" in run:
        return f"Ray, {run['ray']['nodes']} nodes with {run['ray']['cpus']} CPUs"
    return f"{run['machine']}, {run['cores']} cores"


def loads(runs: list[dict[str, Any]]) -> str:
    """How busy the machine was when the runs on it began, as a further part of a list; empty if nothing is known."""
    known = [run["load"][0] for run in runs if run["load"] and "ray" not in run]
    if len(known) > 1:
        return f", load {min(known)} to {max(known)} at the start of {len(known)} runs"
    return f", load {known[0]} at the start" if known else ""


def commits(runs: list[dict[str, Any]]) -> str:
    """The commits that the games were played from, as a further part of a list; empty if none is known."""
    named = dict.fromkeys(
        f"`{run['commit'][:12]}`{' with changes' if run['dirty'] else ''}" if "commit" in run else "one not noted"
        for run in runs
    )
    return f", commit {' and '.join(named)}" if any("commit" in run for run in runs) else ""


def files(docs: Path) -> dict[Path, str]:
    """What the page's file should hold."""
    return {docs / "ladder.md": page()}
