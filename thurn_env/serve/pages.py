"""Pages of the server, from templates shared with the pages of recorded games."""

from __future__ import annotations

from html import escape

from thurn_env.drawing.picture import Block
from thurn_env.drawing.themes import SEATS
from thurn_env.players.session import HUMAN
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Menu
from thurn_env.serve.table import Table
from thurn_env.serve.viewpoint import NOBODY
from thurn_env.show.film import frames, shown
from thurn_env.show.template import data_block, document, filled, style, template

CONNECT = "connect-src 'self'"
KEPT = '<p class="kept">This server keeps all games with the names of their players, also for training.</p>'

NO_HINTS = '<p class="kept">There are no hints and no undo at this table.</p>'


def _script(*names: str) -> str:
    """Return the script of a page: what all pages share, and parts of its own."""
    return "".join(template(name) for name in ("asking.js", "explaining.js", *names))


def start_page(menu: Menu, message: str = "", *, kept: bool = False) -> str:
    """Return the page for choosing a table, with an optional message; `kept` says that games are kept."""
    styles, script = style("play.css") + template("lobby.css"), _script("lobby.js")
    return document(
        "start.html",
        styles,
        script,
        {
            "message": escape(message),
            "kept": KEPT if kept else "",
            "data": data_block({"human": HUMAN, "games": menu.for_page()}),
        },
        CONNECT,
    )


def wait_page(note: str) -> str:
    """Return the page of a table that is being prepared; it reloads every second."""
    return document("wait.html", style("play.css"), "", {"note": escape(note)})


def table_page(table: Table, name: str, invited: bool) -> str:
    """Return the page of a table before its start; `invited` visitors may join it."""
    rules = table.order.rules
    styles, script = style("play.css") + template("lobby.css"), _script("gather.js")
    return document(
        "table.html",
        styles,
        script,
        {
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board, {rules.players} players{table.settings}"),
            "address": f"/games/{name}",
            "kept": _kept(table),
            "data": data_block({"address": f"/games/{name}", "title": _brief(table), "invited": invited}),
        },
        CONNECT,
    )


def play_page(table: Table, game: LiveGame, name: str, seat: int) -> str:
    """Return the page of a game for a seat, or for spectators. It holds empty frames; the news bring the contents."""
    rules, picture = game.session.game.rules, game.viewpoint(seat).picture()
    blocks = shown(picture)
    drawn = {block.name: frame for block, frame in zip(blocks, frames(blocks), strict=True)}
    board, hand = blocks[0], next(block for block in blocks if block.name == f"player-{max(seat, 0)}")
    watching = seat == NOBODY
    first = 0 if watching else seat
    panels = [f"player-{(first + after) % rules.players}" for after in range(rules.players)]
    # Spectators have no panel of their own.
    own = "" if watching else drawn.pop(panels.pop(0), "")
    # The map and the own panel fit the height of the window: the style sheet needs their shapes.
    ratios = filled("ratio.css", {"ratio": _ratio(board), "own": _ratio(hand)})
    styles = style("play.css", picture) + template("table.css") + ratios
    script = _script("table.js", "play.js")
    data = {
        "address": f"/games/{name}",
        "names": game.names,
        "colours": SEATS,
        "title": _brief(table),
        "watching": None if watching else f"/games/{table.watching}",
        # Without people, everybody may begin another game of the same agents.
        "rematch": not watching or not table.people,
    }
    return document(
        "play.html",
        styles,
        script,
        {
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board{table.settings}, {', '.join(game.names)}"),
            "address": f"/games/{name}",
            "shape": "tall" if board.height > board.width else "broad",
            "people": filled("people.html", {"notes": ("" if table.hints else NO_HINTS) + _kept(table)}),
            "map": drawn.pop(board.name),
            "own": own,
            "others": "".join(drawn.pop(panel, "") for panel in panels),
            "supply": "".join(drawn.values()),
            "data": data_block(data),
        },
        CONNECT,
    )


def _ratio(block: Block) -> str:
    return f"{block.width / block.height:.4f}"


def _kept(table: Table) -> str:
    return KEPT if table.store is not None else ""


def _brief(table: Table) -> str:
    """Return the title under which a browser remembers a seat."""
    rules = table.order.rules
    return f"{rules.title}, {rules.board_name} board, {rules.players} players"
