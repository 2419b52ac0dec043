"""Pages of the server, from templates shared with the pages of recorded games."""

from __future__ import annotations

from html import escape

from thurn_env.drawing.themes import SEATS
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import HUMAN, Menu
from thurn_env.serve.table import Table
from thurn_env.serve.viewpoint import NOBODY
from thurn_env.show.film import frames, shown
from thurn_env.show.template import data_block, filled, policy, style, template

CONNECT = "connect-src 'self'"
HEADING = '<h2 id="moves">Moves</h2>'
MOVES = f'<section class="course" aria-labelledby="moves">{HEADING}<ol id="turns" tabindex="0"></ol></section>'
KEPT = '<p class="kept">This server keeps all games with the names of their players, also for training.</p>'


def start_page(menu: Menu, message: str = "", *, kept: bool = False) -> str:
    """Return the page for choosing a table, with an optional message; `kept` says that games are kept."""
    styles, script = style("play.css") + template("lobby.css"), template("asking.js") + template("lobby.js")
    return filled(
        "start.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "message": escape(message),
            "kept": KEPT if kept else "",
            "data": data_block({"human": HUMAN, "games": menu.for_page()}),
            "script": script,
        },
    )


def wait_page(note: str) -> str:
    """Return the page of a table that is being prepared; it reloads every second."""
    styles = style("play.css")
    return filled("wait.html", {"policy": escape(policy(styles, "")), "style": styles, "note": escape(note)})


def table_page(table: Table, name: str, invited: bool) -> str:
    """Return the page of a table before its start; `invited` visitors may join it."""
    rules = table.order.rules
    styles, script = style("play.css") + template("lobby.css"), template("asking.js") + template("gather.js")
    clock = f", {table.clock:g} seconds for a decision" if table.clock is not None else ""
    return filled(
        "table.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board, {rules.players} players{clock}"),
            "kept": KEPT if table.store is not None else "",
            "data": data_block({"address": f"/games/{name}", "title": _brief(table), "invited": invited}),
            "script": script,
        },
    )


def play_page(table: Table, game: LiveGame, name: str, seat: int) -> str:
    """Return the page of a game for a seat, or for spectators. It holds empty frames; the news bring the contents."""
    rules, picture = game.session.game.rules, game.viewpoint(seat).picture()
    styles = style("play.css", picture) + template("table.css")
    script = template("asking.js") + template("table.js") + template("play.js")
    blocks = shown(picture)
    board, *others = frames(blocks)
    # Put the list of moves into the shorter column.
    tall = sum(block.height for block in blocks[1:]) > blocks[0].height
    watching = seat == NOBODY
    data = {"address": f"/games/{name}", "names": game.names, "colours": SEATS, "title": _brief(table)}
    return filled(
        "play.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board, {', '.join(game.names)}"),
            "own": "watching" if watching else f"own-{seat % SEATS}",
            "people": filled("people.html", {"kept": KEPT if table.store is not None else ""}),
            "map": board,
            "blocks": "".join(others),
            "moves_left": MOVES if tall else "",
            "moves_right": "" if tall else MOVES,
            "data": data_block(data if watching else data | {"watching": f"/games/{table.watching}"}),
            "script": script,
        },
    )


def _brief(table: Table) -> str:
    """Return the title under which a browser remembers a seat."""
    rules = table.order.rules
    return f"{rules.title}, {rules.board_name} board, {rules.players} players"
