"""Tournament games as a data set: observation, mask, action, reward and return of every decision.

The folder holds a Parquet file per table, `dataset.json` with the arguments, and `README.md`, a card for people. `load`
reads it back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thurn_env import __version__
from thurn_env.errors import MissingExtra, OptionError, ThurnError
from thurn_env.files import make_folder, read_text, write_text
from thurn_env.games.contract import Int64Array, RewardMode, Rules
from thurn_env.progress import Progress
from thurn_env.table.record import Record
from thurn_env.table.transitions import Transitions, transitions
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.schedule import Schedule, Table
from thurn_env.tournament.shareable import shareable_config

__all__ = ["Decisions", "Written", "load", "write_dataset"]

FORMAT = "thurn-dataset/3"
DESCRIPTION, CARD = "dataset.json", "README.md"
COLUMNS = (
    ("observation", "fixed-size list of float32", "observation of the seat to move"),
    ("mask", "fixed-size list of bool", "legal actions of the seat"),
    ("action", "int16", "action played"),
    ("reward", "float32", "return of the seat at its last decision of the game, else 0"),
    ("return", "float32", "return of the seat in the game"),
    ("last", "bool", "whether it is the seat's last decision of the game"),
    ("final_observation", "fixed-size list of float32", "observation of the seat at the end; null unless `last`"),
    ("seat", "int8", "seat to move"),
    ("game", "int32", "number of the game in its file; decisions are in the order of play"),
    ("deck", "int32", "number of the deck, the same in all files; games on one deck differ only in the seating"),
    ("agent", "dictionary of string", "agent in the seat"),
)
"""Name, type and meaning of every column."""


def parquet() -> Any:
    """Return `pyarrow` with its Parquet module.

    Raises:
        MissingExtra: without the extra `data`.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise MissingExtra('data sets need the extra "data": pip install "thurn-env[data]"') from None
    return pyarrow


@dataclass(frozen=True, eq=False)
class Decisions(Transitions):
    """The decisions of a data set.

    Attributes:
        decks: int64 (N,), the number of the deck; split into training and test sets by it.
        agents: str (N,), the agent that decided.
    """

    decks: Int64Array
    agents: NDArray[np.str_]


def table_of(data: Transitions, decks: list[int], agents: list[str]) -> Any:
    """Return the decisions as an Arrow table; `decks` and `agents` give deck and agent of every row."""
    arrow = parquet()

    def lists(rows: Any, kind: Any) -> Any:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(rows.ravel(), kind), rows.shape[1])

    def finals() -> Any:
        rows = np.zeros_like(data.observations)
        rows[data.last] = data.final_observations
        values, missing = arrow.array(rows.ravel()), arrow.array(~data.last)
        return arrow.FixedSizeListArray.from_arrays(values, rows.shape[1], mask=missing)

    return arrow.table(
        {
            "observation": lists(data.observations, arrow.float32()),
            "mask": lists(data.masks.astype(bool), arrow.bool_()),
            "action": arrow.array(data.actions, arrow.int16()),
            "reward": arrow.array(data.rewards, arrow.float32()),
            "return": arrow.array(data.returns, arrow.float32()),
            "last": arrow.array(data.last, arrow.bool_()),
            "final_observation": finals(),
            "seat": arrow.array(data.seats, arrow.int8()),
            "game": arrow.array(data.games, arrow.int32()),
            "deck": arrow.array(decks, arrow.int32()),
            "agent": arrow.array(agents).dictionary_encode(),
        }
    )


def write_table(
    source: Path, target: Path, agents: Sequence[str], reward: RewardMode, schedule: Schedule, table: Table
) -> None:
    """Write the data of one file of records atomically; write nothing if no decision in it is selected."""
    records = list(Record.load_all(source))
    names = {name for record in records if record.result is not None for name in record.agents or ()}
    if not names or (agents and names.isdisjoint(agents)):
        return
    data = transitions(records, reward, agents or None)
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


def read_table(file: Path, columns: list[str] | None = None) -> Any:
    """Read a file of the data set as a `pyarrow.Table`: all columns, or some.

    Raises:
        ThurnError: the file is damaged.
    """
    arrow = parquet()
    try:
        return arrow.parquet.read_table(file, columns=columns)
    except (arrow.ArrowInvalid, OSError) as error:
        raise ThurnError(f"{file} is damaged: {error}; delete it and write the data set again") from None


class Written(NamedTuple):
    """Result of `write_dataset`: numbers of decisions, games and bytes."""

    decisions: int
    games: int
    size: int


def write_dataset(
    tournament: str | Path,
    out: str | Path,
    agents: Sequence[str] = (),
    reward: RewardMode = "win",
    command: str = "",
) -> Written:
    """Write the games of a finished tournament as a data set.

    Args:
        tournament: the folder of the tournament.
        out: the folder of the data set. Existing files are kept, so the same call continues.
        agents: take only decisions of these agents; empty for all.
        reward: reward of a finished game: "win", "rank", "margin" or "score".
        command: command line to note on the card.

    Raises:
        MissingExtra: without the extra `data`.
        OptionError: an agent did not play, or the folder holds another data set.
        ThurnError: the tournament is not finished.
    """
    parquet()  # Without the extra, say so before anything is written.
    folder, out = Folder.existing(Path(tournament)), Path(out)
    known = set(folder.config.names)
    for name in agents:
        if name not in known:
            there = ", ".join(sorted(known))
            raise OptionError(f"no agent {name!r} played in {tournament}; the agents are {there}")
    # Only a finished tournament has results; a data set of an unfinished one would stay incomplete.
    folder.results()
    sources = [folder.games_file(table) for table in range(len(folder.tables))]
    for source in sources:
        if not source.exists():
            raise ThurnError(f"{source} is missing; run the tournament's command again")
    make_folder(out)
    config = folder.description()["config"]
    identity = {
        "format": FORMAT,
        "tournament": shareable_config(config),
        "agents": list(agents),
        "reward": reward,
    }
    _check_same(out / DESCRIPTION, identity, config)
    write_text(out / DESCRIPTION, json.dumps(identity, indent=1, ensure_ascii=False) + "\n")
    targets = [out / f"{source.stem}.parquet" for source in sources]
    with Progress("write", len(sources), "tables") as progress:
        for table, source, target in zip(folder.tables, sources, targets, strict=True):
            if not target.exists():
                write_table(source, target, agents, reward, folder.config.schedule, table)
            progress.advance(1)
    written = [target for target in targets if target.exists()]
    if not written:
        asked = f" of {', '.join(agents)}" if agents else ""
        raise OptionError(f"{tournament} has no decisions{asked} in finished games")
    rules = next(Record.load_all(sources[0])).rules
    counts: Counter[str] = Counter()
    games = 0
    for target in written:
        table_read = read_table(target, ["agent", "game"])
        counts.update(table_read["agent"].to_pylist())
        games += len(np.unique(table_read["game"].to_numpy()))
    size = sum(target.stat().st_size for target in written)
    write_text(out / CARD, card(rules, out, reward, command, counts, games, size))
    return Written(sum(counts.values()), games, size)


def _check_same(path: Path, identity: dict[str, Any], config: dict[str, Any]) -> None:
    """Raise `OptionError` if the folder holds another data set, or one of another tournament than `config`."""
    if not path.exists():
        if any(path.parent.iterdir()):
            raise OptionError(f"{path.parent} holds other files; choose an empty or a new folder")
        return
    try:
        stored = json.loads(read_text(path))
        # Earlier versions stored the secret itself.
        same = any(stored == json.loads(json.dumps(one)) for one in (identity, identity | {"tournament": config}))
    except ValueError:
        same = False
    if not same:
        raise OptionError(f"{path.parent} holds another data set; choose another folder")


def card(rules: Rules, out: Path, reward: RewardMode, command: str, counts: Counter[str], games: int, size: int) -> str:
    """Return the text of the data set's card."""
    pieces = ", ".join(f"`{name}` {piece.start}-{piece.stop - 1}" for name, piece in rules.observation_slices.items())
    lines = [
        f"# Decisions from {games:,} games of {rules.title}",
        "",
        f"Made{f' by `{command}`' if command else ''} with thurn-env {__version__}.",
        "",
        f"- Board {rules.board_name} ({rules.board_digest[:16]}), {rules.players} players.",
        f"- The reward is `{reward}`: see the environment's documentation.",
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
        "Observations contain no hidden cards of other seats. Forced decisions are left out: the next observation of a",
        "seat is in its next row of the same game, unless `last` is set. Games on the same deck are correlated, so",
        "split the data into training and test sets by deck, not by decision:",
        "",
        "```python",
        "from thurn_env.tournament.dataset import load",
        "",
        f'data = load("{out}")',
        "held_out = data.decks % 10 == 0",
        "observations, actions = data.observations[~held_out], data.actions[~held_out]",
        "```",
        "",
    ]
    return "\n".join(lines)


def load(path: str | Path, agents: str | Sequence[str] = ()) -> Decisions:
    """Read a data set.

    Args:
        path: folder of the data set.
        agents: take only decisions of this agent, or of these; empty for all.

    Raises:
        MissingExtra: without the extra `data`.
        ThurnError: there is no data set, it is damaged or of another version, or it has no decision of an agent.
    """
    agents = [agents] if isinstance(agents, str) else list(agents)
    missing_agents = set(agents)
    arrow = parquet()
    files = sorted(Path(path).glob("*.parquet"))
    if not files:
        raise ThurnError(f"there is no data set in {path}; create one with thurn dataset")
    parts = []
    games = 0
    for file in files:
        table = read_table(file)
        if missing := {name for name, _, _ in COLUMNS} - set(table.column_names):
            raise ThurnError(f"{file} has no column {min(missing)}: another version wrote it; write the data set again")
        found = int(np.max(table["game"].to_numpy())) + 1
        missing_agents -= set(table["agent"].to_pylist())
        if agents:
            table = table.filter(arrow.compute.is_in(table["agent"].cast(arrow.string()), arrow.array(agents)))
        parts.append(_decisions(table, games))
        games += found
    if missing_agents:
        raise ThurnError(f"{path} has no decisions of {', '.join(sorted(missing_agents))}")
    return Decisions(*(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])))


def _decisions(table: Any, first_game: int) -> Decisions:
    def matrix(name: str, kind: Any) -> Any:
        column = table[name].combine_chunks().drop_null()
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
        final_observations=matrix("final_observation", np.float32),
        decks=column("deck", np.int64),
        agents=np.array(table["agent"].to_pylist(), np.str_),
    )
