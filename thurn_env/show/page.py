"""A recorded game as one HTML file to step through in a browser, without a network connection.

All positions are drawn here, with all hands open and from every seat. The page stores each different drawing once, and
for every position the layers that change. Its script only inserts drawings; it does not know the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from thurn_env.drawing.elements import signed
from thurn_env.drawing.picture import Picture
from thurn_env.drawing.themes import SEATS
from thurn_env.errors import RecordError
from thurn_env.players.review import Review
from thurn_env.show.chart import HEIGHT as CHART_HEIGHT
from thurn_env.show.chart import chance_chart, score_chart
from thurn_env.show.film import Drawings, Film, frames, shown
from thurn_env.show.review_panel import review_panel
from thurn_env.show.template import data_block, document, filled, style, template
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

__all__ = ["ReplayPage", "replay_page"]

OPEN = "all hands"
CONNECT = "connect-src 'self'"
"""What a page may do that follows a review on its server."""


@dataclass
class _Turn:
    """Consecutive moves of one player: the position before them, the player's seat, and the score after."""

    position: int
    seat: int
    round: int
    moves: list[str] = field(default_factory=list)
    score: int = 0


class ReplayPage:
    """The drawn positions of a record, from which its page is made, with a review at any stage.

    Args:
        record: the game; it may be unfinished.
        title: title of the page, besides the name of the game.
        on_position: called after every position drawn.

    Raises:
        RecordError: the record is not valid, see `thurn_env.table.replay.replay`.
    """

    def __init__(self, record: Record, title: str, on_position: Callable[[], None] = lambda: None) -> None:
        self.record, self.title = record, title
        self.names = unique_names(record.agents or [f"player {seat}" for seat in range(record.players)])
        self._drawings = Drawings()
        self._eyes = [OPEN, *self.names]
        self._films = [Film(self._drawings) for _ in self._eyes]
        self._scores: list[list[int]] = []
        self._rounds: list[int] = []
        self._labels: list[int] = []
        self._turns: list[_Turn] = []
        game: Game | None = None
        picture: Picture | None = None
        for position, after in enumerate(replay(record)):
            if game is not None:
                _note(self._turns, game, record.moves[position - 1], position - 1, after)
            game = after
            for seat, film in enumerate(self._films, start=-1):
                picture = (game if seat < 0 else game.view(seat)).picture(self.names)
                film.add(picture)
            assert picture is not None
            self._scores.append(game.scores)
            self._rounds.append(game.rounds)
            self._labels.append(self._drawings.number(picture.label))
            on_position()
        if game is None or picture is None:
            raise RecordError("the record has no positions")
        self._last, self._picture = game, picture

    def html(self, review: Review | None = None, follow: str = "", own: int | None = None) -> str:
        """Return the page.

        Args:
            review: review to show, complete or partial; None for none.
            follow: address from which the page fetches the further course of a partial review; empty for none.
            own: seat of the reader, whose mistakes the page steps through; None for those of all players.
        """
        chart = score_chart(self._scores, self._rounds)
        blocks = shown(self._picture)
        board, *others = frames(blocks)
        moves = _moves(self._turns, self.names)
        charts = CHART_HEIGHT if review is None else 2 * CHART_HEIGHT
        # The list of moves fills the shorter column.
        tall = sum(block.height for block in blocks[1:]) > blocks[0].height + charts
        data = {
            "drawings": self._drawings.texts,
            "labels": self._labels,
            "films": [_flat(film) for film in self._films],
            "turns": [turn.position for turn in self._turns],
            "chart": [chart.first, chart.last, chart.width],
            "review": None if review is None else review_panel(review, self.names),
            "follow": follow,
        }
        styles, script = style("replay.css", self._picture), template("replay.js")
        return document(
            "replay.html",
            styles,
            script,
            {
                "title": escape(self.title),
                "game": escape(self._last.rules.title),
                "facts": escape(_facts(self._last, self.names)),
                "eyes": "".join(f'<option value="{n}">{escape(name)}</option>' for n, name in enumerate(self._eyes)),
                "last": str(len(self.record.moves)),
                "map": board,
                "blocks": "".join(others),
                "review": "" if review is None else self._review(own),
                "chart": chart.svg,
                "moves_left": moves if tall else "",
                "moves_right": "" if tall else moves,
                "data": data_block(data),
            },
            *([CONNECT] if follow else []),
        )

    def _review(self, own: int | None) -> str:
        """Return the empty frame of a review."""
        whose = [("all", "all players"), *((str(seat), name) for seat, name in enumerate(self.names))]
        chosen = "all" if own is None else str(own)
        options = "".join(
            f'<option value="{value}"{" selected" if value == chosen else ""}>{escape(name)}</option>'
            for value, name in whose
        )
        return filled("review.html", {"chart": chance_chart(self._rounds).svg, "whose": options})


def replay_page(
    record: Record,
    title: str,
    on_position: Callable[[], None] = lambda: None,
    review: Review | None = None,
) -> str:
    """Return the HTML page of a record.

    Args:
        record: the game; it may be unfinished.
        title: title of the page, besides the name of the game.
        on_position: called after every position drawn.
        review: review of the game, see `thurn_env.players.review`; None for none.

    Raises:
        RecordError: the record is not valid, see `thurn_env.table.replay.replay`.
    """
    return ReplayPage(record, title, on_position).html(review)


def _flat(film: Film) -> list[list[int]]:
    """Return for every position the changed layers and their new drawings, alternating."""
    return [
        [value for change in film.changes(position, position - 1 if position else None) for value in change]
        for position in range(len(film.positions))
    ]


def unique_names(names: Sequence[str]) -> list[str]:
    """Return unique names by seat: duplicates get their seats."""
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _note(turns: list[_Turn], before: Game, move: str, position: int, after: Game) -> None:
    """Add a move to the last turn, or begin another one."""
    if not turns or turns[-1].seat != before.seat:
        turns.append(_Turn(position, before.seat, before.rounds + 1))
    turns[-1].moves.append(move)
    turns[-1].score = after.scores[before.seat]


def _facts(game: Game, names: list[str]) -> str:
    scores = ", ".join(f"{name}: {signed(score)}" for name, score in zip(names, game.scores, strict=True))
    ended = "cut off" if game.truncated else "to the end" if game.over else "not played to its end"
    return f"{game.rules.board_name} board, {game.players} players, {game.rounds} rounds, {ended}; {scores}"


def _moves(turns: list[_Turn], names: list[str]) -> str:
    listed = "".join(_turn(turn, names) for turn in turns)
    heading = '<h2 id="moves">Moves</h2><p class="facts" id="legend" hidden></p>'
    return f'<section class="course" aria-labelledby="moves">{heading}<ol id="turns">{listed}</ol></section>'


def _turn(turn: _Turn, names: list[str]) -> str:
    moves = "".join(
        f'<button type="button" data-go="{turn.position + place}">{escape(move)}</button>'
        for place, move in enumerate(turn.moves, start=1)
    )
    return (
        f'<li><span class="round">{turn.round}</span><span class="badge seat-{turn.seat % SEATS}">{turn.seat}</span>'
        f'<span class="who">{escape(names[turn.seat])}</span><span class="moves">{moves}</span>'
        f'<span class="points">{signed(turn.score)}</span></li>'
    )
