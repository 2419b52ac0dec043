"""The games of a tournament as a data set: every decision with observation, mask, action, reward and return.

    python -m eval.dataset runs/first --out runs/first-data

The folder gets a Parquet file for every table; `dataset.json`, which says what was asked for; and `README.md`, a card
for people. `load` reads it back.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tyro.conf import Positional

from eval.folder import Folder
from eval.schedule import Schedule, Table
from thurn_env import __version__
from thurn_env.commands.arguments import call, program
from thurn_env.errors import MissingExtra, OptionError, ThurnError
from thurn_env.files import read_text, write_text
from thurn_env.games.contract import GameRules, Int64Array, RewardMode
from thurn_env.progress import Progress
from thurn_env.provenance import command_line
from thurn_env.record import Record
from thurn_env.transitions import Transitions, transitions

PROGRAM = "python -m eval.dataset"
FORMAT = "thurn-dataset/2"
DESCRIPTION, CARD = "dataset.json", "README.md"
COLUMNS = (
    ("observation", "fixed-size list of float32", "what the seat to move knew"),
    ("mask", "fixed-size list of bool", "its legal actions"),
    ("action", "int16", "what it played"),
    ("reward", "float32", "the seat's return at its last decision of the game, else 0"),
    ("return", "float32", "the seat's return of the game"),
    ("last", "bool", "whether it is the seat's last decision of the game"),
    ("seat", "int8", "the seat to move"),
    ("game", "int32", "the game's number in its file; decisions stand in the order of play"),
    ("deck", "int32", "the number of the deck, the same in all files; games on one deck differ in who sits where"),
    ("agent", "dictionary of string", "the agent in the seat"),
)
"""Name, type and meaning of every column."""


@dataclass(frozen=True)
class Arguments:
    """Write the games of a tournament as a data set.

    Args:
        tournament: the folder of a tournament.
        out: the folder of the data set; files that are there already are kept, so that the same command goes on.
        agents: take only decisions of these agents; of all if not given.
        reward: what a finished game pays: win, rank, margin or score.
    """

    tournament: Positional[Path]
    out: Path
    agents: tuple[str, ...] = ()
    reward: RewardMode = "win"


def parquet() -> Any:
    """`pyarrow` with its Parquet module; `MissingExtra` without it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise MissingExtra('data sets need the extra "data": pip install -e ".[data]"') from None
    return pyarrow


@dataclass(frozen=True, eq=False)
class Decisions(Transitions):
    """The decisions of a data set.

    Attributes:
        decks: int64 (N,), the number of the deck; split by it for a test.
        agents: str (N,), who decided.
    """

    decks: Int64Array
    agents: NDArray[np.str_]


def table_of(data: Transitions, decks: list[int], agents: list[str]) -> Any:
    """The decisions as an Arrow table; `decks` and `agents` say on which deck and who decided, row by row."""
    arrow = parquet()

    def lists(rows: Any, kind: Any) -> Any:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(rows.ravel(), kind), rows.shape[1])

    return arrow.table(
        {
            "observation": lists(data.observations, arrow.float32()),
            "mask": lists(data.masks.astype(bool), arrow.bool_()),
            "action": arrow.array(data.actions, arrow.int16()),
            "reward": arrow.array(data.rewards, arrow.float32()),
            "return": arrow.array(data.returns, arrow.float32()),
            "last": arrow.array(data.last, arrow.bool_()),
            "seat": arrow.array(data.seats, arrow.int8()),
            "game": arrow.array(data.games, arrow.int32()),
            "deck": arrow.array(decks, arrow.int32()),
            "agent": arrow.array(agents).dictionary_encode(),
        }
    )


def write_table(source: Path, target: Path, arguments: Arguments, schedule: Schedule, table: Table) -> None:
    """Write the data of one file of records, all or nothing; nothing if no decision in it is wanted."""
    records = list(Record.load_all(source))
    names = {name for record in records if record.result is not None for name in record.agents or ()}
    if not names or (arguments.agents and names.isdisjoint(arguments.agents)):
        return
    data = transitions(records, arguments.reward, arguments.agents or None)
    deciders = [
        (records[game].agents or [""] * records[game].players)[seat]
        for game, seat in zip(data.games, data.seats, strict=True)
    ]
    partial = target.with_name(f".{target.name}.part")
    try:
        decks = (schedule.first_deck + data.games // schedule.games_per_deck(table)).tolist()
        parquet().parquet.write_table(table_of(data, decks, deciders), partial, compression="zstd")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def run(command: list[str]) -> int:
    """Write every table, then what they are."""
    arguments = call(Arguments, command, PROGRAM)
    arrow = parquet()
    folder = Folder.existing(arguments.tournament)
    known = set(folder.config.names)
    for name in arguments.agents:
        if name not in known:
            there = ", ".join(sorted(known))
            raise OptionError(f"there was no agent {name!r} in {arguments.tournament}; there were {there}")
    # Only a finished tournament has results: what was written of others would miss games for ever.
    folder.results()
    sources = [folder.games_file(table) for table in range(len(folder.tables))]
    for source in sources:
        if not source.exists():
            raise ThurnError(f"{source} is missing; give the tournament's command again")
    arguments.out.mkdir(parents=True, exist_ok=True)
    identity = {
        "format": FORMAT,
        "tournament": folder.description()["config"],
        "agents": list(arguments.agents),
        "reward": arguments.reward,
    }
    _check_same(arguments.out / DESCRIPTION, identity)
    write_text(arguments.out / DESCRIPTION, json.dumps(identity, indent=1, ensure_ascii=False) + "\n")
    targets = [arguments.out / f"{source.stem}.parquet" for source in sources]
    with Progress("write", len(sources), "tables") as progress:
        for table, source, target in zip(folder.tables, sources, targets, strict=True):
            if not target.exists():
                write_table(source, target, arguments, folder.config.schedule, table)
            progress.advance(1)
    written = [target for target in targets if target.exists()]
    if not written:
        asked = f" of {', '.join(arguments.agents)}" if arguments.agents else ""
        raise OptionError(f"{arguments.tournament} has no decisions{asked} in finished games")
    rules = next(Record.load_all(sources[0])).rules
    counts: Counter[str] = Counter()
    games = 0
    for target in written:
        table = arrow.parquet.read_table(target, columns=["agent", "game"])
        counts.update(table["agent"].to_pylist())
        games += len(np.unique(table["game"].to_numpy()))
    size = sum(target.stat().st_size for target in written)
    write_text(arguments.out / CARD, card(rules, arguments, command, counts, games, size))
    print(f"{arguments.out}: {sum(counts.values()):,} decisions of {games:,} games, {size / 2**20:.1f} MiB")
    return 0


def _check_same(path: Path, identity: dict[str, Any]) -> None:
    """`OptionError` if the folder holds another data set."""
    if not path.exists():
        return
    try:
        same = json.loads(read_text(path)) == json.loads(json.dumps(identity))
    except ValueError:
        same = False
    if not same:
        raise OptionError(f"{path.parent} holds another data set; name another folder")


def card(
    rules: GameRules, arguments: Arguments, command: list[str], counts: Counter[str], games: int, size: int
) -> str:
    """The card of the data set."""
    pieces = ", ".join(f"`{name}` {piece.start}-{piece.stop - 1}" for name, piece in rules.observation_slices.items())
    lines = [
        f"# Decisions from {games:,} games of {rules.title}",
        "",
        f"Made by `{command_line(PROGRAM, command)}` with thurn-env {__version__}.",
        "",
        f"- Board {rules.board_name} ({rules.board_digest[:16]}), {rules.players} players.",
        f"- The reward is `{arguments.reward}`: see the environment's documentation.",
        f"- {sum(counts.values()):,} decisions with more than one legal action, {size / 2**20:.1f} MiB.",
        "- Games that ended by forfeit are left out.",
        "- Decisions by agent: " + ", ".join(f"`{name}` {number:,}" for name, number in counts.most_common()) + ".",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *(f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in COLUMNS),
        "",
        f"The observation has {rules.observation_size} values: {pieces}.",
        "",
        "Hidden cards of other seats are in no observation. Decisions without a choice are left out: what a seat sees",
        "next is in its next row of the same game, unless `last` is set. Games on the same deck with rotated seats are",
        "alike, so keep decks apart for a test, not decisions:",
        "",
        "```python",
        "from eval.dataset import load",
        "",
        f'data = load("{arguments.out}")',
        "held_out = data.decks % 10 == 0",
        "observations, actions = data.observations[~held_out], data.actions[~held_out]",
        "```",
        "",
    ]
    return "\n".join(lines)


def load(path: str | Path, agents: tuple[str, ...] = ()) -> Decisions:
    """Read a data set.

    Args:
        path: its folder.
        agents: take only decisions of these agents; of all if not given.

    Raises:
        MissingExtra: without the extra `data`.
        ThurnError: there is no data set, or it is damaged or of another version.
    """
    arrow = parquet()
    files = sorted(Path(path).glob("*.parquet"))
    if not files:
        raise ThurnError(f"there is no data set in {path}; {PROGRAM} makes one")
    parts = []
    games = 0
    for file in files:
        try:
            table = arrow.parquet.read_table(file)
        except (arrow.ArrowInvalid, OSError) as error:
            raise ThurnError(f"{file} is damaged: {error}; delete it and write the data set again") from None
        if missing := {name for name, _, _ in COLUMNS} - set(table.column_names):
            raise ThurnError(f"{file} has no column {min(missing)}: it is of another version; write the data set again")
        found = int(np.max(table["game"].to_numpy())) + 1
        if agents:
            table = table.filter(arrow.compute.is_in(table["agent"].cast(arrow.string()), arrow.array(agents)))
        parts.append(_decisions(table, games))
        games += found
    return Decisions(*(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])))


def _decisions(table: Any, first_game: int) -> Decisions:
    def matrix(name: str, kind: Any) -> Any:
        column = table[name].combine_chunks()
        return column.flatten().to_numpy(zero_copy_only=False).astype(kind).reshape(len(column), column.type.list_size)

    def column(name: str, kind: Any) -> Any:
        return table[name].to_numpy().astype(kind)

    return Decisions(
        observations=matrix("observation", np.float32),
        masks=matrix("mask", np.int8),
        actions=column("action", np.int64),
        rewards=column("reward", np.float32),
        returns=column("return", np.float32),
        seats=column("seat", np.int8),
        games=column("game", np.int64) + first_game,
        last=column("last", bool),
        decks=column("deck", np.int64),
        agents=np.array(table["agent"].to_pylist(), np.str_),
    )


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
