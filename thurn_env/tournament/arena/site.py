"""A list as a static site: the list with intervals and pairs, a page for every agent, and its last games.

    index.html          the list and the pair matrix
    agents/*.html       an agent, by number: record against every opponent, points by source, last games
    games/*.html        a game to step through, named by the digest of its record

Pages load nothing from elsewhere, and links are relative. Written again into the same folder, the site is brought up to
date; pages of games that exist are kept, since a record never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thurn_env.checks import checked_whole
from thurn_env.errors import MissingExtra, RecordError
from thurn_env.files import make_folder, write_text
from thurn_env.games import make_rules, registered_games
from thurn_env.progress import Progress
from thurn_env.show.page import replay_page
from thurn_env.table.record import Record
from thurn_env.tournament.arena.figures import figures_of
from thurn_env.tournament.arena.store import Game, Store
from thurn_env.tournament.results import MOST_RESAMPLES

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_GAMES = 1000
"""Largest number of drawn games of an agent."""
NAME_LENGTH = 16
"""Number of hex digits in the name of a game's page."""


def write_site(folder: Path, out: Path, last_games: int = 5, bootstrap: int = 1000) -> Path:
    """Write the site of a list and return the path of its first page.

    Args:
        folder: folder of the list.
        out: folder of the site.
        last_games: number of last games of every agent to draw.
        bootstrap: number of resamples of the decks for the 95 % intervals.

    Raises:
        MissingExtra: without the extra `eval`.
        OptionError: a number is out of bounds.
        ThurnError: there is no list in the folder.
    """
    checked_whole("last_games", last_games, 0, MOST_GAMES)
    checked_whole("bootstrap", bootstrap, 0, MOST_RESAMPLES)
    templates = _templates()
    with Store(folder) as store:
        figures = figures_of(store, bootstrap)
        games = store.games()
        names = {entry.id: entry.name for entry in store.entries()}
        shown = {row["id"]: _last(games, row["id"], last_games) for row in figures["agents"]}
        pages = _write_games(store, out, {game.id: game for games in shown.values() for game in games})
    common = {"figures": figures, "title": _title(figures)}
    for place, row in enumerate(figures["agents"]):
        rows = [_game_row(game, row["id"], names, pages) for game in shown[row["id"]]]
        page = templates.get_template("arena_agent.html").render(
            **common, agent=row, place=place, opponents=_opponents(figures, row["agent"]), games=rows
        )
        _write(out / "agents" / f"{row['id']}.html", page)
    index = out / "index.html"
    _write(index, templates.get_template("arena.html").render(**common, plot=_plot(figures)))
    return index


def _templates() -> Environment:
    try:
        from thurn_env.tournament.templating import environment
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("jinja2", "matplotlib", "markupsafe"):
            raise
        raise MissingExtra(f'the site needs {error.name}: pip install "thurn-env[eval]"') from None
    return environment()


def _write(page: Path, text: str) -> None:
    make_folder(page.parent)
    write_text(page, text)


def _title(figures: dict[str, Any]) -> str:
    """Return the game's title; a game of another package need not be available."""
    game = str(figures["game"])
    return make_rules(game, figures["players"]).title if game in registered_games() else game


def _plot(figures: dict[str, Any]) -> Any:
    from markupsafe import Markup

    from thurn_env.tournament.plots import rating_plot

    rows = figures["agents"]
    if not rows:
        return None
    columns = ([row[key] for row in rows] for key in ("agent", "rating", "rating_95"))
    return Markup(rating_plot(*columns))


def _last(games: Sequence[Game], agent: int, number: int) -> list[Game]:
    """Return the last games of an agent, the last one first."""
    own = sorted((game for game in games if agent in game.seats), key=lambda game: -game.id)
    return own[:number]


def _write_games(store: Store, out: Path, games: dict[int, Game]) -> dict[int, str]:
    """Write the pages of games, and return their names by game; a game that cannot be drawn has none."""
    pages = {}
    with Progress("draw", len(games)) as progress:
        for game in games.values():
            text = store.record(game.id)
            name = f"{hashlib.sha256(text.encode()).hexdigest()[:NAME_LENGTH]}.html"
            page = out / "games" / name
            try:
                if not page.exists():
                    _write(page, replay_page(Record.from_json(text), f"Game {game.id}, deck {game.facts['deck']}"))
                pages[game.id] = name
            except RecordError:
                # The game of another package or a board that is not available here.
                pass
            progress.advance()
    return pages


def _game_row(game: Game, agent: int, names: dict[int, str], pages: dict[int, str]) -> dict[str, Any]:
    """Return a game as its row of an agent's page."""
    seats = zip(game.seats, game.facts["scores"], game.facts["ranks"], strict=True)
    forfeit = game.facts["forfeit"]
    return {
        "page": pages.get(game.id),
        "played": game.played,
        "deck": game.facts["deck"],
        "seats": [
            {"id": its, "name": names[its], "score": score, "rank": rank, "own": its == agent}
            for its, score, rank in seats
        ],
        "rounds": game.facts["rounds"],
        "forfeit": f"{forfeit['agent']} {forfeit['reason']}" if forfeit else None,
    }


def _opponents(figures: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the record of an agent against each opponent, the best opponent first."""
    pairs = figures["pairs"].get(name, {})
    return [row | pairs[row["agent"]] for row in _names(figures) if row["agent"] in pairs]


def _names(figures: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: row[key] for key in ("agent", "id", "rating")} for row in figures["agents"]]
