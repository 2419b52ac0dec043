"""Stored results of ladders: one file in `eval/ladders/` per number of players.

Besides its figures, every rung has the ranks of its games by deck. Therefore decks can be added on any machine and at
any time without the games of earlier decks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.rungs import Rung, RungGames, rung_games
from thurn_env.errors import ThurnError
from thurn_env.files import read_text, write_text
from thurn_env.games.engines import current_digest
from thurn_env.tournament.folder import Folder

RESULTS = Path(__file__).with_name("ladders")
"""Folder for the results of `--write` and `--add`; the page of the ladder is made from these files."""
FORMAT = "thurn-ladder-results/1"
SAME = ("board digest", "options", "engine", "searchers", "files", "time limit", "secret", "sandbox")
"""Values that added decks must share with the stored ones, besides the ladder itself."""
FACTS = ("started", "versions", "machine", "cores", "load", "commit", "dirty", "ray")
"""Stored circumstances of a run. The last three may be missing."""


@dataclass(frozen=True)
class LadderResults:
    """All games of a ladder with a number of players.

    Attributes:
        ladder: the ladder, with the number of decks played.
        players: number of seats at a table.
        same: values that all games share, see `SAME`.
        runs: circumstances of every run.
        rungs: games of every rung, from the lowest up.
    """

    ladder: dict[str, Any]
    players: int
    same: dict[str, Any]
    runs: list[dict[str, Any]]
    rungs: tuple[RungGames, ...]

    @classmethod
    def of(cls, ladder: dict[str, Any], folder: Folder) -> LadderResults:
        """Return the results of a finished tournament."""
        description = folder.description()
        runs = [{key: run[key] for key in FACTS if key in run} for run in description["runs"]]
        same = shared_facts(description["config"], folder.config.game)
        return cls(ladder, folder.config.players, same, runs, tuple(rung_games(folder)))

    @classmethod
    def read(cls, file: Path) -> LadderResults:
        """Read the results in a file.

        Raises:
            ThurnError: there is no such file, it is damaged, or it is older than the ranks by deck.
        """
        noted = read_noted(file)
        if noted is None:
            raise ThurnError(f"{file}: there are no stored results to add to; play the ladder with --write first")
        try:
            players = int(noted["players"])
            rungs = tuple(_games_of(rung, players) for rung in noted["rungs"])
            if {games.decks for games in rungs} != {noted["ladder"]["games"]}:
                raise ValueError("the number of decks differs from that of the rungs")
            return cls(noted["ladder"], players, shared_facts(noted, noted["ladder"]["game"]), noted["runs"], rungs)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ThurnError(
                f"{file} does not have the ranks of every deck; delete it and play the ladder again with --write"
            ) from None

    @property
    def decks(self) -> int:
        """Number of decks played."""
        return int(self.ladder["games"])

    def figures(self) -> list[Rung]:
        """Compute the figures of every rung."""
        return [games.rung(self.ladder["seed"]) for games in self.rungs]

    def followed_by(self, further: LadderResults) -> LadderResults:
        """Return these results with those of the following decks."""
        rungs = tuple(own.followed_by(more) for own, more in zip(self.rungs, further.rungs, strict=True))
        ladder = further.ladder | {"games": self.decks + further.decks}
        return LadderResults(ladder, self.players, self.same, [*self.runs, *further.runs], rungs)

    def write(self, file: Path) -> None:
        """Write the results to a file."""
        rungs = [
            asdict(figures)
            | {"first games": games.first_games, "decisions": games.decisions, "ranks": _texts(games.ranks)}
            for figures, games in zip(self.figures(), self.rungs, strict=True)
        ]
        noted = {"format": FORMAT, "ladder": self.ladder, "players": self.players, **self.same, "runs": self.runs}
        write_text(file, json.dumps(noted | {"rungs": rungs}, indent=1, ensure_ascii=False) + "\n")


def read_noted(file: Path) -> dict[str, Any] | None:
    """Read the contents of a file, None if it does not exist; raise `ThurnError` if it is damaged."""
    if not file.exists():
        return None
    text = read_text(file)
    try:
        noted = json.loads(text)
        if noted["format"] == FORMAT and isinstance(noted["ladder"]["games"], int) and isinstance(noted["rungs"], list):
            return dict(noted)
    except (ValueError, KeyError, TypeError):
        pass
    raise ThurnError(f"{file} is damaged; delete it and play the ladder again with --write")


def shared_facts(config: dict[str, Any], game: str) -> dict[str, Any]:
    """Return the values that added decks must share, from a tournament's configuration or from stored results."""
    facts = {key: config.get(key) for key in SAME}
    return facts | {"engine": current_digest(game, facts["engine"])}


def _texts(ranks: Sequence[Sequence[float]]) -> list[str]:
    """Format ranks as short texts, one per deck: `1 2.5 3`."""
    return [" ".join(f"{rank:g}" for rank in deck) for deck in ranks]


def _games_of(rung: dict[str, Any], players: int) -> RungGames:
    """Return the games of a stored rung."""
    ranks = tuple(tuple(map(float, deck.split())) for deck in rung["ranks"])
    if any(len(deck) != players or not all(1 <= rank <= players for rank in deck) for deck in ranks):
        raise ValueError("not a rank for every seating")
    decisions = int(rung["decisions"])
    seconds = float(rung["seconds"]) * decisions if decisions else 0.0
    return RungGames(rung["agent"], rung["below"], players, ranks, seconds, decisions, rung["first games"])
