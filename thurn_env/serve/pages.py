"""Pages of the server, from templates shared with the pages of recorded games."""

from __future__ import annotations

from html import escape

from thurn_env.drawing.themes import SEATS
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import HUMAN, Menu
from thurn_env.show.film import frames, shown
from thurn_env.show.template import data_block, filled, policy, style, template

CONNECT = "connect-src 'self'"


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
    blocks = shown(game.picture)
    drawn = {block.name: frame for block, frame in zip(blocks, frames(blocks), strict=True)}
    board = blocks[0]
    panels = [f"player-{(game.seat + after) % rules.players}" for after in range(rules.players)]
    # The map of a page fits the height of the window: its style sheet needs the shape of the map.
    styles = style("play.css", game.picture) + filled("ratio.css", {"ratio": f"{board.width / board.height:.4f}"})
    script = template("play.js")
    return filled(
        "play.html",
        {
            "policy": escape(policy(styles, script, CONNECT)),
            "style": styles,
            "game": escape(rules.title),
            "facts": escape(f"{rules.board_name} board, {', '.join(game.names)}"),
            "address": f"/games/{name}",
            "shape": "tall" if board.height > board.width else "broad",
            "map": drawn.pop(board.name),
            "own": drawn.pop(panels[0], ""),
            "others": "".join(drawn.pop(panel, "") for panel in panels[1:]),
            "supply": "".join(drawn.values()),
            "data": data_block(
                {"address": f"/games/{name}", "names": game.names, "colours": SEATS, "rematch": game.asked}
            ),
            "script": script,
        },
    )
