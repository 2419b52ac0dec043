"""The configuration of a tournament: everything that its games depend on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from thurn_env import players
from thurn_env.checks import LONGEST_WAIT, MOST_GAMES, MOST_PLAYERS, checked_number, checked_whole, plain, quoted, whole
from thurn_env.engine.digests import players_digest
from thurn_env.errors import OptionError
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.board_files import as_name
from thurn_env.games.contract import GameRules
from thurn_env.games.engines import engine
from thurn_env.players.agent import is_own, is_program
from thurn_env.players.policy import find
from thurn_env.players.programs.process import words_of
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.tournament.schedule import (
    FORMATS,
    SEATINGS,
    Format,
    Schedule,
    Seating,
    entrant_names,
    named_tables,
    same_games,
    tables,
)

LAST_DECK = 1_000_000_000
"""Largest `first_deck`: data sets store deck numbers in 32 bits."""


@dataclass(frozen=True)
class Config:
    """Complete configuration of a tournament: the same configuration gives the same games on every machine.

    There are three exceptions: agents that depend on the clock (a time budget such as `mcts:ms=50`, or a decision that
    exceeds the time limit); agents that take randomness from elsewhere than the seed of `reset`; and, between machines,
    learned policies, since processors may round sums differently.

    Attributes:
        agents: specs of the entrants.
        players: number of seats at a table.
        decks: number of decks for every table.
        seed: seed of all decks, from 0.
        game: name of the game.
        board: name of a shipped board, path of a board file, or None for the default board.
        options: the game's own options.
        format: rule that makes the tables, see `thurn_env.tournament.schedule`.
        tables: tables of the format `tables`: names of entrants separated by commas.
        seating: seatings in which every deck is played.
        time_limit: seconds per decision; None for no limit.
        first_deck: number of the first deck, from 0; earlier decks belong to another part of the tournament.
        secret: text that all seeds depend on, see `thurn_env.tournament.seeds`; empty for none. A tournament with
            agents from outside this project needs a secret that they cannot know, such as `secrets.token_hex(16)`.
        sandbox: sandbox for agents that are programs of their own; None for none. `True` and `Limits` are converted.
    """

    agents: tuple[str, ...]
    players: int = 2
    decks: int = 100
    seed: int = 1
    game: str = DEFAULT_GAME
    board: str | os.PathLike[str] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    format: Format = "round-robin"
    tables: tuple[str, ...] = ()
    seating: Seating = "rotations"
    time_limit: float | None = None
    first_deck: int = 0
    secret: str = field(default="", repr=False)
    sandbox: Sandbox | None = None

    def __post_init__(self) -> None:
        if self.board is not None:
            object.__setattr__(self, "board", as_name(self.board))
        if not self.agents:
            raise OptionError("a tournament needs agents, for example random and greedy")
        number = whole(self.seed)
        if number is None or number < 0:
            raise OptionError(f"seed must be a whole number from 0 up, not {quoted(self.seed)}")
        chosen: dict[str, Any] = {
            "seed": number,
            "players": checked_whole("players", self.players, 1, MOST_PLAYERS),
            "decks": checked_whole("games", self.decks, 1, MOST_GAMES),
            "first_deck": checked_whole("first_deck", self.first_deck, 0, LAST_DECK),
            "options": plain(self.options),
            "sandbox": Sandbox.of(self.sandbox),
        }
        if self.time_limit is not None:
            chosen["time_limit"] = checked_number("time_limit", self.time_limit, 0, LONGEST_WAIT, above=True)
        for name, value in chosen.items():
            object.__setattr__(self, name, value)
        for option, value, known in (("format", self.format, FORMATS), ("seating", self.seating, SEATINGS)):
            if value not in known:
                raise OptionError(f"{option} must be one of {', '.join(known)}, not {value!r}")
        for table in self.tables:
            if not isinstance(table, str):
                raise OptionError(f"a table is a text with the names of its agents, not {quoted(table)}")
        if not isinstance(self.secret, str) or not self.secret.isprintable():
            raise OptionError("secret must be a text of printable characters")
        if self.tables and self.format != "tables":
            raise OptionError(f"tables and format {self.format!r} exclude each other: give the tables or the format")

    @property
    def rules(self) -> GameRules:
        """The rules; raises `OptionError` if they do not exist."""
        return make_rules(self.game, self.players, self.board, **self.options)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the entrants."""
        return entrant_names(self.agents)

    @cached_property
    def schedule(self) -> Schedule:
        """The games to play; raises `OptionError` if the format does not fit the agents."""
        if self.tables:
            chosen = named_tables(self.tables, self.names, self.players)
        else:
            chosen = tables(len(self.agents), self.players, self.format)
        if twins := same_games(chosen, self.seating):
            one, other = (",".join(self.names[entrant] for entrant in table) for table in twins)
            raise OptionError(f"the tables {one!r} and {other!r} would play the same games; name one of them")
        return Schedule(tuple(chosen), self.decks, self.seed, self.seating, self.first_deck, self.secret)

    @property
    def foreign(self) -> bool:
        """Whether any agent is neither a scripted bot nor one of this package's `AGENTS`."""
        return not all(spec in self.rules.bots or is_own(spec) for spec in self.agents)

    def without_secret(self) -> Config:
        """Return a copy without the secret, for processes in which agents play; these get the seeds of single games."""
        return replace(self, secret="")

    def hiding(self, folder: Path) -> Config:
        """Return a copy whose sandbox, if there is one, hides the tournament's folder, with the secret."""
        return self if self.sandbox is None else replace(self, sandbox=self.sandbox.hiding(folder))

    def scripted(self, table: tuple[int, ...]) -> bool:
        """Whether only scripted bots sit at a table; their games run in compiled code, which cannot fail."""
        bots = self.rules.bots
        return all(self.agents[entrant] in bots for entrant in table)

    def identity(self) -> dict[str, Any]:
        """Return the values that must match before games are added to an existing folder."""
        rules = self.rules
        identity = {
            "agents": list(self.agents),
            "players": self.players,
            "format": self.format,
            "tables": list(self.tables),
            "seating": self.seating,
            "games": self.decks,
            "seed": self.seed,
            "time limit": self.time_limit,
            "game": self.game,
            "board": rules.board_name,
            "board digest": rules.board_digest,
            "options": dict(rules.options),
            "engine": engine(self.game),
        }
        if self.first_deck:
            identity["first deck"] = self.first_deck
        if self.secret:
            identity["secret"] = self.secret
        if self.sandbox is not None:
            identity["sandbox"] = asdict(self.sandbox.limits)
        if any(map(is_own, self.agents)):
            identity["searchers"] = searchers_digest()
        if files := {name: digest for spec in self.agents for name, digest in file_digests(spec)}:
            identity["files"] = files
        return identity


def file_digests(spec: str) -> Iterator[tuple[str, str]]:
    """Yield name and digest of every file that an agent's spec names: policies, evaluations, and files of a command."""
    if is_program(spec):
        # The program itself and its arguments.
        for word in words_of(spec.partition(":")[2]):
            # A word may be too long for the name of a file.
            with suppress(OSError):
                if Path(word).is_file():
                    yield word, digest_of(Path(word))
        return
    for part in spec.partition(":")[2].split(","):
        name = part.rpartition("=")[2]
        if find(name).is_file():
            yield name, digest_of(find(name))


def digest_of(file: Path) -> str:
    """Return the first 16 hex digits of the SHA-256 digest of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:16]


@cache
def searchers_digest() -> str:
    """Return the digest of `thurn_env/players` (code and evaluations), which games of searching agents depend on."""
    return players_digest(Path(players.__file__).parent)
