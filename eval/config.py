"""What makes a tournament: everything that its games depend on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import thurn_env
from eval.schedule import Schedule, entrant_names
from thurn_env.errors import OptionError
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.kernels import source_digest


@dataclass(frozen=True)
class Config:
    """A tournament, complete: the same configuration gives the same games on every machine.

    Attributes:
        agents: the specs of the entrants.
        players: seats at a table.
        decks: decks for every table.
        seed: of all decks.
        game: the name of the game.
        board: a shipped board, the path of a board file, or None for the usual board.
        options: the game's own options.
    """

    agents: tuple[str, ...]
    players: int = 2
    decks: int = 100
    seed: int = 1
    game: str = "thurn_und_taxis"
    board: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.agents:
            raise OptionError("a tournament needs agents, for example: --agents random greedy")
        if self.decks < 1:
            raise OptionError(f"--games must be at least 1, not {self.decks}")
        if self.seed < 0:
            raise OptionError(f"--seed must be 0 or more, not {self.seed}")

    @property
    def rules(self) -> GameRules:
        """The rules; `OptionError` if they do not exist."""
        return make_rules(self.game, self.players, self.board, **self.options)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return entrant_names(self.agents)

    @property
    def schedule(self) -> Schedule:
        """The games to be played."""
        return Schedule(len(self.agents), self.players, self.decks, self.seed)

    def identity(self) -> dict[str, Any]:
        """What a folder of games must agree in before more games are added to it."""
        rules = self.rules
        return {
            "agents": list(self.agents),
            "players": self.players,
            "games": self.decks,
            "seed": self.seed,
            "game": self.game,
            "board": rules.board_name,
            "board digest": rules.board_digest,
            "options": dict(rules.options),
            "engine": source_digest(Path(thurn_env.__file__).parent),
        }
