"""Pages of the server, from templates shared with the pages of recorded games."""

from __future__ import annotations

from html import escape

from thurn_env.drawing.themes import SEATS
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import HUMAN, Menu
from thurn_env.show.film import frames, shown
from thurn_env.show.template import data_block, filled, policy, style, template

CONNECT = "connect-src 'self'"
HEADING = '<h2 id="moves">Moves</h2>'
MOVES = f'<section class="course" aria-labelledby="moves">{HEADING}<ol id="turns" tabindex="0"></ol></section>'


def start_page(menu: Menu, message: str = "") -> str:
    """Return the page for choosing a table, with an optional message."""
    styles, script = style("play.css"), template("play.js")
    return filled(
        "start.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "message": escape(message),
            "data": data_block({"human": HUMAN, "games": menu.for_page()}),
            "script": script,
        },
    )


def wait_page(note: str) -> str:
    """Return the page of a table that is being prepared; it reloads every second."""
    styles = style("play.css")
    return filled("wait.html", {"policy": escape(policy(styles, "")), "style": styles, "note": escape(note)})


def play_page(game: LiveGame, name: str) -> str:
    """Return the page of a game. It holds empty frames; their contents come with the news."""
    rules = game.session.game.rules
    styles, script = style("play.css", game.picture), template("play.js")
    blocks = shown(game.picture)
    board, *others = frames(blocks)
    # Put the list of moves into the shorter column.
    tall = sum(block.height for block in blocks[1:]) > blocks[0].height
    watching = None not in game.session.agents
    return filled(
        "play.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board, {', '.join(game.names)}"),
            "own": "watching" if watching else f"own-{game.seat % SEATS}",
            "map": board,
            "blocks": "".join(others),
            "moves_left": MOVES if tall else "",
            "moves_right": "" if tall else MOVES,
            "data": data_block({"address": f"/games/{name}", "names": game.names, "colours": SEATS}),
            "script": script,
        },
    )
