"""The HTML page of a report."""

from __future__ import annotations

import json
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from thurn_env.errors import ThurnError
from thurn_env.games import make_rules, registered_games
from thurn_env.table.style import Figure
from thurn_env.tournament import plots
from thurn_env.tournament.config import Config
from thurn_env.tournament.counts import counted_names
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.records import CHUNK, Records, records_of
from thurn_env.tournament.replays import write_replays
from thurn_env.tournament.shareable import shareable_description
from thurn_env.tournament.standings import Standings, standings_of
from thurn_env.tournament.summary import FinishedGame, finished_games, scores_of
from thurn_env.tournament.templating import environment

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth"),
)


def page_of(folder: Folder, page: Path, limit: int, replays: int = 0) -> str:
    """Return the HTML page about a tournament, and write the pages of its first games.

    Args:
        folder: the tournament.
        page: path that the page will have; links to records are relative to it.
        limit: largest size of the embedded records in bytes.
        replays: number of games that get a page.

    Raises:
        ThurnError: the tournament is not finished, or its files are damaged.
    """
    standings = standings_of(folder)
    games = finished_games(folder)
    if len(games) != standings.games or not games:
        raise ThurnError(
            f"{folder.path}: results.json is about {standings.games:,} games, but the folder has {len(games):,}; "
            "run the tournament's command again"
        )
    records = records_of(folder, games, limit)
    watched = write_replays(folder, games, page, replays)
    place = page.parent
    names = [agent.agent for agent in standings.agents]
    # The page numbers agents by their place in the table.
    position = {agent.entrant: number for number, agent in enumerate(standings.agents)}
    templates = environment()
    entrants = [agent.entrant for agent in standings.agents]
    times = [agent.seconds for agent in standings.agents]
    return templates.get_template("report.html").render(
        config=folder.config,
        game=game_title(folder.config),
        description=shareable_description(folder.description()),
        standings=standings,
        rating_plot=Markup(
            plots.rating_plot(
                names,
                [agent.rating for agent in standings.agents],
                [agent.rating_95 for agent in standings.agents],
            )
        ),
        score_plot=Markup(_score_plot(names, entrants, games)),
        sources=source_table(standings),
        style=style_groups(standings),
        seat_plot=Markup(_seat_plot(standings)),
        time_plot=Markup(plots.time_plot(names, times)) if any(time is not None for time in times) else None,
        counted=counted_names([agent.figures for agent in standings.agents]),
        forfeits=forfeits_of(games),
        embedded=records.packed is not None,
        watched=len(watched),
        data=script_data(
            page_data(folder, place, names, position, games, records)
            | {"replays": {game: link(file, place) for game, file in watched.items()}}
        ),
    )


def game_title(config: Config) -> str:
    """Return the game's title; the board of the tournament need not be available."""
    return make_rules(config.game, config.players).title if config.game in registered_games() else config.game


def _score_plot(names: Sequence[str], entrants: Sequence[int], games: Sequence[FinishedGame]) -> str:
    scores = scores_of(games, len(names))
    return plots.score_plot(names, [scores[entrant] for entrant in entrants])


def _seat_plot(standings: Standings) -> str:
    players = len(standings.seat_shares)
    return plots.share_plot(
        [
            ("by seat", [f"seat {seat}" for seat in range(players)], standings.seat_shares),
            ("by turn order", turn_names(players), standings.order_shares),
        ]
    )


def turn_names(players: int) -> list[str]:
    """Return the places in the order of turns as words, since numbers would look like seats."""
    return [*ORDINALS[: players - 1], "last"]


@dataclass(frozen=True)
class Source:
    """A row of the table of points by source.

    Attributes:
        name: name of the source.
        points: mean points of every agent.
        bars: begin and end of every agent's bar, in percent.
        won_with: for every agent the share of its wins with points from this source; None if it never won.
    """

    name: str
    points: list[float]
    bars: list[tuple[float, float]]
    won_with: list[float | None]


def source_table(standings: Standings) -> list[Source]:
    """Return mean points by source; empty if every game was forfeited."""
    rows = [agent.breakdown for agent in standings.agents]
    sources = list(dict.fromkeys(source for row in rows for source in row))
    values = [value for row in rows for value in row.values()]
    if not values:
        return []
    low = min(0.0, *values)
    scale = 100 / (max(0.0, *values) - low or 1)

    def bar(value: float) -> tuple[float, float]:
        return round((min(value, 0) - low) * scale, 2), round((max(value, 0) - low) * scale, 2)

    return [
        Source(
            source,
            [row.get(source, 0.0) for row in rows],
            [bar(row.get(source, 0.0)) for row in rows],
            [agent.won_with.get(source) for agent in standings.agents],
        )
        for source in sources
    ]


def style_groups(standings: Standings) -> list[tuple[str, list[Figure]]] | None:
    """Return the style figures by group; None if they are not known."""
    if standings.style_figures is None:
        return None
    return [(group, list(figures)) for group, figures in groupby(standings.style_figures, lambda one: one.group)]


def forfeits_of(games: Iterable[FinishedGame]) -> list[tuple[str, str, int]]:
    """Return agent, reason and count of all forfeits, the most frequent first."""
    counts = Counter((game.forfeit.agent, game.forfeit.reason) for game in games if game.forfeit)
    return [(agent, reason, count) for (agent, reason), count in counts.most_common()]


def page_data(
    folder: Folder,
    place: Path,
    names: Sequence[str],
    position: dict[int, int],
    games: Sequence[FinishedGame],
    records: Records,
) -> dict[str, Any]:
    """Return the data for the page's script: a row for every game, and the records if they are embedded."""
    files = [folder.games_file(table) for table in range(len(folder.tables))]
    return {
        "agents": list(names),
        "files": [{"name": file.name, "link": link(file, place), "path": shlex.quote(str(file))} for file in files],
        "games": [row(game, position) for game in games],
        "records": records.packed,
        "chunk": CHUNK,
    }


def row(game: FinishedGame, position: dict[int, int]) -> list[Any]:
    """Return the row of a game: table, line, deck, agents, scores, ranks, rounds, moves, start player, truncated.

    If the game was forfeited, seat and reason follow.
    """
    facts: list[Any] = [game.table, game.line, game.deck, [position[entrant] for entrant in game.seats]]
    facts += [game.scores, game.ranks, game.rounds, game.moves, game.start, int(game.truncated)]
    return [*facts, game.forfeit.seat, game.forfeit.reason] if game.forfeit else facts


def link(file: Path, place: Path) -> str:
    """Return a link from a page in the folder `place` to a file: relative, so that both can be moved together."""
    try:
        return quote(Path(os.path.relpath(file.resolve(), place.resolve())).as_posix())
    except ValueError:  # another drive on Windows
        return file.resolve().as_uri()


def script_data(data: dict[str, Any]) -> Markup:
    """Return JSON that is safe inside a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
