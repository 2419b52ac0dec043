"""The folder of a tournament.

    tournament.json       the configuration with its secret, and the circumstances of every run
    games/TABLE.jsonl     the records, one game per line, ordered by deck and seating
    index/TABLE.jsonl     a line for every record: deck, seating, agents, start player, scores, ranks, rounds, moves,
                          points by source, counts of its style, forfeit
    logs/AGENT.log        what agents that are programs wrote to their standard error
    times/TABLE.jsonl     thinking time of the agents in every game, for tables with agents other than scripted bots
    results.json          ratings and all other figures, once all games are played
    match.json            only of a match that ends when it is decided: its test and its result, instead of results.json

Games are only appended, in a fixed order, so the number of complete lines shows which games are done. A line that a
crash cut off is removed when the tournament continues. Times have files of their own because only they differ between
runs.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from thurn_env.errors import ThurnError
from thurn_env.files import locked, read_text, write_text
from thurn_env.games.engines import current_digest
from thurn_env.tournament.config import Config
from thurn_env.tournament.index_lines import is_line
from thurn_env.tournament.play import Played

PLAY_AGAIN = "delete the folder and play the tournament again"
RESULTS_FORMAT = "thurn-results/"
"""Prefix of the format of `results.json`, without its version."""
FORMAT = "thurn-tournament/1"
DESCRIPTION = "tournament.json"
MATCH = "match.json"
SECRET = "secret"
"""Key of the secret in the configuration; no message shows its value."""
NO_SECRET = "none"
"""What commands are given for seeds that depend on no secret."""
GAMES, INDEX, TIMES = PARTS = ("games", "index", "times")
LOGS = "logs"


class Folder:
    """The files of one tournament."""

    def __init__(self, path: Path, config: Config) -> None:
        self.path = path
        self.config = config
        self.tables = config.schedule.tables
        self._names = [self._file_name(number) for number in range(len(self.tables))]

    @classmethod
    def existing(cls, path: Path) -> Folder:
        """Open a folder that holds a tournament; its board and agents need not be available.

        Raises:
            ThurnError: there is no tournament in the folder, or its description is damaged.
        """
        description = path / DESCRIPTION
        if not description.is_file():
            raise ThurnError(
                f"{path} is not the folder of a tournament: there is no {DESCRIPTION}; "
                f"create one with thurn tournament --out {shlex.quote(str(path))}"
            )
        config = _description_in(description, PLAY_AGAIN)["config"]
        try:
            return cls(path, _config_of(config))
        except (KeyError, TypeError, ValueError):
            raise _damaged(description, PLAY_AGAIN) from None

    def _file_name(self, number: int) -> str:
        agents = "-".join(self.config.names[entrant] for entrant in self.tables[number])
        return f"{number + 1:0{len(str(len(self.tables)))}}-{_plain_name(agents)}.jsonl"

    def log_file(self, agent: str) -> Path:
        """Path of the log of an agent, by its name."""
        number = self.config.names.index(agent) + 1
        return self.path / LOGS / f"{number:0{len(str(len(self.config.names)))}}-{_plain_name(agent)}.log"

    def games_file(self, table: int) -> Path:
        """Path of a table's records."""
        return self.path / GAMES / self._names[table]

    def index_file(self, table: int) -> Path:
        """Path of a table's index."""
        return self.path / INDEX / self._names[table]

    def times_file(self, table: int) -> Path:
        """Path of a table's times."""
        return self.path / TIMES / self._names[table]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other tournaments."""
        with locked(self.path, "another process is playing a tournament in this folder"):
            for part in PARTS:
                (self.path / part).mkdir(exist_ok=True)
            try:
                yield
            finally:
                # A tournament that did not begin leaves nothing behind.
                if not self._description.exists():
                    for part in PARTS:
                        with suppress(OSError):
                            (self.path / part).rmdir()

    def open(self, run: dict[str, Any]) -> None:
        """Begin or continue the tournament, possibly with more decks; `run` describes the circumstances.

        Raises:
            ThurnError: the folder holds another tournament; the message names the difference. Or it holds games without
                a description.
        """
        identity = json.loads(json.dumps(self.config.identity()))
        runs = []
        if self._description.exists():
            there = _description_in(self._description, "choose another folder")
            # Decks have a fixed order: fewer decks are a prefix of more.
            there["config"] |= {"engine": current_digest(self.config.game, there["config"].get("engine"))}
            decks = there["config"].get("games")
            fewer = isinstance(decks, int) and decks < self.config.decks
            differences = [
                _difference(key, there["config"], identity)
                for key in dict.fromkeys([*identity, *there["config"]])
                if there["config"].get(key) != identity.get(key) and not (key == "games" and fewer)
            ]
            if differences:
                raise ThurnError(
                    f"{self.path} holds another tournament: {'; '.join(differences)}. "
                    "Choose another folder, or delete this one"
                )
            if fewer:
                # Remove the results before the description names more games: they must never pass for results of all
                # games.
                self._results.unlink(missing_ok=True)
            runs = there["runs"]
        elif any(file for part in PARTS for file in (self.path / part).glob("*.jsonl")):
            raise ThurnError(
                f"{self.path} holds games of which nothing says what they are: there is no {DESCRIPTION}. "
                "Choose another folder, or delete this one"
            )
        self._describe({"format": FORMAT, "config": identity, "runs": [*runs, run]})

    def note(self, facts: dict[str, Any]) -> None:
        """Add facts that became known later to the circumstances of the current run."""
        description = self.description()
        description["runs"][-1] |= facts
        self._describe(description)

    def _describe(self, description: dict[str, Any]) -> None:
        write_text(self._description, json.dumps(description, indent=2, ensure_ascii=False) + "\n")

    @property
    def _description(self) -> Path:
        return self.path / DESCRIPTION

    @property
    def _results(self) -> Path:
        return self.path / "results.json"

    def description(self) -> dict[str, Any]:
        """Return the configuration (`config`) and the circumstances of every run (`runs`)."""
        return _description_in(self._description, PLAY_AGAIN)

    def finished(self, table: int) -> int:
        """Return the number of finished games of a table; another process may be adding some."""
        return min(_whole_lines(self.games_file(table)), _whole_lines(self.index_file(table)))

    def cut_off(self, table: int) -> int:
        """Remove what a crash left of an unfinished game, and return the number of finished games of a table.

        Only the process that has locked the folder may do so: it would cut off what another one is writing.
        """
        times = self.times_file(table)
        _cut(times, _whole_lines(times))
        count = self.finished(table)
        for file in (self.games_file(table), self.index_file(table)):
            _cut(file, count)
        return count

    def append(self, table: int, games: list[Played]) -> None:
        """Append finished games of a table."""
        if times := [game.times for game in games if game.times is not None]:
            _append(self.times_file(table), times)
        for agent, text in (entry for game in games for entry in game.logs):
            file = self.log_file(agent)
            file.parent.mkdir(exist_ok=True)
            _append(file, text.splitlines())
        _append(self.games_file(table), [game.record for game in games])
        _append(self.index_file(table), [game.line for game in games])

    def index(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield table number and index line of every finished game.

        Raises:
            ThurnError: a line is damaged.
        """
        for table in range(len(self.tables)):
            file = self.index_file(table)
            for number, line in enumerate(_lines(file), start=1):
                if not is_line(line, self.config):
                    raise _damaged_line(file, number)
                yield table, line

    def times(self, tables: Iterable[int] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the lines of thinking times of these tables; None for all. Not every game has one."""
        for table in range(len(self.tables)) if tables is None else tables:
            if (file := self.times_file(table)).exists():
                # A game whose record was lost in a crash is played again and then has a second line.
                yield from {(line["deck"], line["rotation"]): line for line in _lines(file)}.values()

    def results(self) -> dict[str, Any]:
        """Return the results that `save_results` wrote.

        Raises:
            ThurnError: the tournament is not finished, or the file is damaged.
        """
        file = self._results
        if not file.is_file():
            if (self.path / MATCH).exists():
                raise ThurnError(f"{self.path} holds a match, not a tournament; its result is in {MATCH}")
            runs = self.description()["runs"]
            command = runs[-1].get("command", "") if runs and isinstance(runs[-1], dict) else ""
            raise ThurnError(
                f"{self.path}: the tournament is not finished: there is no results.json; "
                f"run its command again to continue: {command}".rstrip(": ")
            )
        text = read_text(file)
        try:
            results = json.loads(text)
            if results["format"].startswith(RESULTS_FORMAT) and isinstance(results["agents"], list):
                return dict(results)
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        raise _damaged(file, "delete the file and run the tournament's command again")

    def save_results(self, results: dict[str, Any]) -> None:
        """Write `results.json`."""
        write_text(self._results, json.dumps(results, indent=2, ensure_ascii=False) + "\n")


def stored_secret(path: Path) -> str | None:
    """Return the secret of the tournament in a folder; empty if it has none, None if there is no tournament.

    Raises:
        ThurnError: the description of the tournament is damaged.
    """
    description = path / DESCRIPTION
    if not description.exists():
        return None
    secret = _description_in(description, PLAY_AGAIN)["config"].get(SECRET, "")
    if not isinstance(secret, str):
        raise _damaged(description, PLAY_AGAIN)
    return secret


def _plain_name(agents: str) -> str:
    """Return names of agents as part of a file's name, in bounded length."""
    return re.sub(r"[^A-Za-z0-9#+.-]", "_", agents)[:80]


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    # Read bytes, so that invalid UTF-8 is reported as a damaged line, too.
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):  # being written, or what a crash left
                return
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise _damaged_line(file, number) from None


def _damaged_line(file: Path, number: int) -> ThurnError:
    return ThurnError(f"{file}, line {number}: damaged; delete the folder and play again")


def _whole_lines(file: Path) -> int:
    if not file.exists():
        return 0
    with file.open("rb") as blocks:
        return sum(block.count(b"\n") for block in iter(lambda: blocks.read(1 << 20), b""))


def _cut(file: Path, lines: int) -> None:
    """Keep only the first `lines` lines of a file."""
    if file.exists():
        with file.open("r+b") as content:
            for _ in range(lines):
                content.readline()
            content.truncate(content.tell())


def _append(file: Path, lines: list[str]) -> None:
    with file.open("a", encoding="utf-8", newline="\n") as content:
        content.write("".join(line + "\n" for line in lines))


def _description_in(file: Path, remedy: str) -> dict[str, Any]:
    text = read_text(file)
    try:
        there = json.loads(text)
        if there["format"] == FORMAT and isinstance(there["config"], dict) and isinstance(there["runs"], list):
            return dict(there)
    except (ValueError, KeyError, TypeError):
        pass
    raise _damaged(file, remedy)


def _config_of(identity: dict[str, Any]) -> Config:
    """Return the configuration with this identity; entries that older versions lack take their defaults."""
    keys = {field.name: field.name.replace("_", " ") for field in fields(Config)} | {"decks": "games"}
    always = ("agents", "players", "decks", "seed", "game", "board", "options")
    values: dict[str, Any] = {}
    for name, key in keys.items():
        if key in identity or name in always:
            value = identity[key]
            values[name] = tuple(value) if isinstance(value, list) else value
    return Config(**values)


def _difference(key: str, there: dict[str, Any], now: dict[str, Any]) -> str:
    """Describe how two configurations differ in one entry."""
    return "the secrets differ" if key == SECRET else f"{key} {there.get(key)!r} in the folder, {now.get(key)!r} now"


def _damaged(file: Path, remedy: str) -> ThurnError:
    return ThurnError(f"{file} is damaged or of another version; {remedy}")
