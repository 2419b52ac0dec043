"""Settings of a standing list: everything that its games depend on besides the agents."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from thurn_env.checks import quoted
from thurn_env.errors import ThurnError
from thurn_env.games import DEFAULT_GAME, DEFAULT_PLAYERS, make_rules
from thurn_env.games.engines import current_digest, engine
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import NO_SECRET
from thurn_env.tournament.playing import SECRET_BYTES


@dataclass(frozen=True)
class Table(Config):
    """Configuration of the games at one table; the entrants have the names that they have on the list.

    Attributes:
        labels: names of the agents on the list.
    """

    labels: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the entrants."""
        return self.labels


@dataclass(frozen=True)
class Settings:
    """Settings of a list.

    Attributes:
        game: name of the game.
        players: number of seats at a table.
        board: name of the board, or path of a board file.
        board_digest: digest of the board.
        options: options of the game.
        seed: seed of all decks.
        secret: text that all seeds depend on; empty for none.
        time_limit: seconds per decision; None for no limit.
        engine: digest of the games.
        sandbox: limits of the sandbox for programs, by name; None for no sandbox.
    """

    game: str
    players: int
    board: str
    board_digest: str
    options: dict[str, Any]
    seed: int
    time_limit: float | None
    engine: str
    secret: str = field(repr=False)
    sandbox: dict[str, int] | None = None

    def table(self, labels: Sequence[str], specs: Sequence[str], folder: Path | None = None) -> Table:
        """Return the configuration of games between these agents, without the secret.

        Args:
            labels: names of the agents on the list.
            specs: their specs.
            folder: folder of the list, which the sandbox hides; needed to play.
        """
        sandbox = Sandbox.of(self.sandbox)
        if sandbox is not None and folder is not None:
            sandbox = sandbox.hiding(folder)
        return Table(
            tuple(specs),
            self.players,
            1,
            self.seed,
            self.game,
            self.board,
            self.options,
            time_limit=self.time_limit,
            sandbox=sandbox,
            labels=tuple(labels),
        )

    def with_board(self, board: str) -> str:
        """Return the name of a board for this game; raise `OptionError` if there is none."""
        return str(make_rules(self.game, self.players, board, **self.options).board_name)

    def check(self) -> None:
        """Raise `ThurnError` unless this version of the package plays the games of the list."""
        if current_digest(self.game, self.engine) != engine(self.game):
            raise ThurnError(
                f"the list was played with the game of digest {self.engine}, this version of thurn-env has "
                f"{engine(self.game)}; play with the earlier version, or start another list"
            )
        rules = self.table(["random"], ["random"]).rules
        if rules.board_digest != self.board_digest:
            raise ThurnError(
                f"the board {self.board!r} has changed since the list was started; restore it, or start another list"
            )


@dataclass(frozen=True)
class Wishes:
    """Settings that a command names; None for those that it leaves to the list, or to the defaults of a new one."""

    game: str | None = None
    players: int | None = None
    board: str | None = None
    options: dict[str, Any] | None = None
    seed: int | None = None
    secret: str | None = None
    time_limit: float | None = None
    sandbox: Sandbox | None = None

    def settings(self) -> Settings:
        """Return the settings of a new list; without a wish, it gets a secret.

        Raises:
            OptionError: a value is out of bounds.
        """
        config = Config(
            ("random",),
            DEFAULT_PLAYERS if self.players is None else self.players,
            1,
            1 if self.seed is None else self.seed,
            self.game or DEFAULT_GAME,
            self.board,
            self.options or {},
            time_limit=self.time_limit,
            secret=self._secret,
        )
        rules = config.rules
        return Settings(
            rules.name,
            rules.players,
            rules.board_name,
            rules.board_digest,
            dict(rules.options),
            config.seed,
            config.time_limit,
            engine(rules.name),
            config.secret,
            self._limits,
        )

    @property
    def _limits(self) -> dict[str, int] | None:
        return None if self.sandbox is None else asdict(self.sandbox.limits)

    @property
    def _secret(self) -> str:
        # Agents from outside may join a list at any time, so every list needs a secret.
        if self.secret is None:
            return secrets.token_hex(SECRET_BYTES)
        return "" if self.secret == NO_SECRET else self.secret

    def require(self, settings: Settings) -> None:
        """Raise `ThurnError` if a list with these settings contradicts a wish."""
        there = asdict(settings)
        there |= {f"option {name}": value for name, value in settings.options.items()}
        here: dict[str, Any] = {
            "game": self.game,
            "players": self.players,
            "seed": self.seed,
            "time_limit": self.time_limit,
        }
        here |= {f"option {name}": value for name, value in (self.options or {}).items()}
        here["sandbox"] = self._limits
        if self.board is not None:
            here["board"] = settings.with_board(self.board)
        for name, value in here.items():
            if value is not None and value != there.get(name):
                what = f"{name.replace('_', ' ')} {quoted(there.get(name))}, not {quoted(value)}"
                raise ThurnError(f"the list has {what}; leave the option out, or choose another folder")
        if self.secret is not None and self._secret != settings.secret:
            raise ThurnError("the list has another secret; leave the option out, or choose another folder")
