"""What is noted of a ladder: one file in `eval/ladders/` for every number of players.

Beside its figures, every rung has the ranks in which its games ended, deck by deck. So decks can be added to those that
are noted, on any machine and on any day, without the games of the others at hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.rungs import Rung, RungGames, rung_games
from thurn_env.engine.provenance import known_as
from thurn_env.errors import ThurnError
from thurn_env.files import read_text, write_text
from thurn_env.tournament.folder import Folder

RESULTS = Path(__file__).with_name("ladders")
"""Where `--write` and `--add` note what was found; the page of the ladder is made from these files."""
FORMAT = "thurn-ladder-results/1"
SAME = ("board digest", "options", "engine", "searchers", "files", "time limit", "secret")
"""What decks that are added must have in common with those that are there, beside the ladder itself."""
FACTS = ("started", "versions", "machine", "cores", "load", "commit", "dirty", "ray")
"""What is noted of a run. The last three are not known of every one."""


@dataclass(frozen=True)
class LadderResults:
    """All games of a ladder with a number of players.

    Attributes:
        ladder: the ladder, with as many decks as were played.
        players: seats at a table.
        same: what everything that was played has in common, see `SAME`.
        runs: the circumstances of every run.
        rungs: the games of every rung, from below.
    """

    ladder: dict[str, Any]
    players: int
    same: dict[str, Any]
    runs: list[dict[str, Any]]
    rungs: tuple[RungGames, ...]

    @classmethod
    def of(cls, ladder: dict[str, Any], folder: Folder) -> LadderResults:
        """Those of a finished tournament."""
        description = folder.description()
        runs = [{key: run[key] for key in FACTS if key in run} for run in description["runs"]]
        same = shared_facts(description["config"])
        return cls(ladder, folder.config.players, same, runs, tuple(rung_games(folder)))

    @classmethod
    def read(cls, file: Path) -> LadderResults:
        """Those that are noted in a file.

        Raises:
            ThurnError: there is no such file, it is damaged, or it was noted before the ranks of every deck were.
        """
        noted = read_noted(file)
        if noted is None:
            raise ThurnError(f"{file}: nothing is noted there to add to; play the ladder with --write first")
        try:
            players = int(noted["players"])
            rungs = tuple(_games_of(rung, players) for rung in noted["rungs"])
            if {games.decks for games in rungs} != {noted["ladder"]["games"]}:
                raise ValueError("not as many decks as it says")
            return cls(noted["ladder"], players, shared_facts(noted), noted["runs"], rungs)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ThurnError(
                f"{file} does not have the ranks of every deck; delete it and play the ladder anew with --write"
            ) from None

    @property
    def decks(self) -> int:
        """How many decks were played."""
        return int(self.ladder["games"])

    def figures(self) -> list[Rung]:
        """What the games of every rung say."""
        return [games.rung(self.ladder["seed"]) for games in self.rungs]

    def followed_by(self, further: LadderResults) -> LadderResults:
        """These results with those of the decks after them."""
        rungs = tuple(own.followed_by(more) for own, more in zip(self.rungs, further.rungs, strict=True))
        ladder = further.ladder | {"games": self.decks + further.decks}
        return LadderResults(ladder, self.players, self.same, [*self.runs, *further.runs], rungs)

    def write(self, file: Path) -> None:
        """Note them."""
        rungs = [
            asdict(figures)
            | {"first games": games.first_games, "decisions": games.decisions, "ranks": _texts(games.ranks)}
            for figures, games in zip(self.figures(), self.rungs, strict=True)
        ]
        noted = {"format": FORMAT, "ladder": self.ladder, "players": self.players, **self.same, "runs": self.runs}
        write_text(file, json.dumps(noted | {"rungs": rungs}, indent=1, ensure_ascii=False) + "\n")


def read_noted(file: Path) -> dict[str, Any] | None:
    """A file as it is noted, None if there is none; `ThurnError` if it is damaged."""
    if not file.exists():
        return None
    text = read_text(file)
    try:
        noted = json.loads(text)
        if noted["format"] == FORMAT and isinstance(noted["ladder"]["games"], int) and isinstance(noted["rungs"], list):
            return dict(noted)
    except (ValueError, KeyError, TypeError):
        pass
    raise ThurnError(f"{file} is damaged; delete it and play the ladder anew with --write")


def shared_facts(config: dict[str, Any]) -> dict[str, Any]:
    """What decks that are added must have in common, from the configuration of a tournament or from what is noted."""
    facts = {key: config.get(key) for key in SAME}
    return facts | {"engine": known_as(facts["engine"])}


def _texts(ranks: Sequence[Sequence[float]]) -> list[str]:
    """Ranks as short texts, a deck each: `1 2.5 3`."""
    return [" ".join(f"{rank:g}" for rank in deck) for deck in ranks]


def _games_of(rung: dict[str, Any], players: int) -> RungGames:
    """The games of a rung as they are noted."""
    ranks = tuple(tuple(map(float, deck.split())) for deck in rung["ranks"])
    if any(len(deck) != players or not all(1 <= rank <= players for rank in deck) for deck in ranks):
        raise ValueError("not a rank for every seating")
    decisions = int(rung["decisions"])
    seconds = float(rung["seconds"]) * decisions if decisions else 0.0
    return RungGames(rung["agent"], rung["below"], players, ranks, seconds, decisions, rung["first games"])
