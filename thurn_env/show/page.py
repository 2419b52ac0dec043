"""A recorded game as one HTML file to step through in a browser, without a network connection.

All positions are drawn here, with all hands open and from every seat. The page stores each different drawing once, and
for every position the layers that change. Its script only inserts drawings; it does not know the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest

from thurn_env.drawing.elements import signed
from thurn_env.drawing.picture import Picture
from thurn_env.drawing.themes import SEATS
from thurn_env.errors import RecordError
from thurn_env.players.advice import Advice
from thurn_env.show.chart import HEIGHT as CHART_HEIGHT
from thurn_env.show.chart import score_chart
from thurn_env.show.film import Drawings, Film, frames, shown
from thurn_env.show.template import data_block, filled, policy, style, template
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

__all__ = ["replay_page"]

OPEN = "all hands"
MARKS = ((0.15, "??"), (0.05, "?"))
"""Marks of moves by the loss of winning probability."""


@dataclass
class _Turn:
    """Consecutive moves of one player: the position before them, the player's seat, and the score after."""

    position: int
    seat: int
    round: int
    moves: list[str] = field(default_factory=list)
    score: int = 0


def replay_page(
    record: Record,
    title: str,
    on_position: Callable[[], None] = lambda: None,
    advice: Sequence[Advice | None] = (),
) -> str:
    """Return the HTML page of a record.

    Args:
        record: the game; it may be unfinished.
        title: title of the page, besides the name of the game.
        on_position: called after every position drawn.
        advice: for every move the advice before it; see `thurn_env.players.advice.review`.

    Raises:
        RecordError: the record is not valid, see `thurn_env.table.replay.replay`.
    """
    names = unique_names(record.agents or [f"player {seat}" for seat in range(record.players)])
    drawings = Drawings()
    eyes = [OPEN, *names]
    films = [Film(drawings) for _ in eyes]
    scores, rounds, labels = [], [], []
    turns: list[_Turn] = []
    game: Game | None = None
    picture: Picture | None = None
    for position, after in enumerate(replay(record)):
        if game is not None:
            _note(turns, game, record.moves[position - 1], position - 1, after)
        game = after
        for seat, film in enumerate(films, start=-1):
            picture = (game if seat < 0 else game.view(seat)).picture(names)
            film.add(picture)
        assert picture is not None
        scores.append(game.scores)
        rounds.append(game.rounds)
        labels.append(drawings.number(picture.label))
        on_position()
    if game is None or picture is None:
        raise RecordError("the record has no positions")
    chart = score_chart(scores, rounds)
    blocks = shown(picture)
    board, *others = frames(blocks)
    opinions = [each and each.on(move) for each, move in zip(advice, record.moves, strict=False)]
    moves = _moves(turns, names, [_mark(each, move) for each, move in zip(advice, record.moves, strict=False)])
    # The list of moves fills the shorter column.
    tall = sum(block.height for block in blocks[1:]) > blocks[0].height + CHART_HEIGHT
    data = {
        "drawings": drawings.texts,
        "labels": labels,
        "films": [_flat(film) for film in films],
        "turns": [turn.position for turn in turns],
        "chart": [chart.first, chart.last, chart.width],
        "opinions": opinions,
    }
    styles, script = style("replay.css", picture), template("replay.js")
    return filled(
        "replay.html",
        {
            "policy": escape(policy(styles, script)),
            "title": escape(title),
            "game": escape(game.rules.title),
            "facts": escape(_facts(game, names)),
            "style": styles,
            "eyes": "".join(f'<option value="{n}">{escape(name)}</option>' for n, name in enumerate(eyes)),
            "last": str(len(record.moves)),
            "map": board,
            "blocks": "".join(others),
            "chart": chart.svg,
            "moves_left": moves if tall else "",
            "moves_right": "" if tall else moves,
            "data": data_block(data),
            "script": script,
        },
    )


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


def _mark(advice: Advice | None, move: str) -> str:
    """Return the mark of a move that lost winning probability; empty for other moves."""
    cost = advice.cost(move) if advice is not None else None
    return next((mark for least, mark in MARKS if cost is not None and cost >= least), "")


def _moves(turns: list[_Turn], names: list[str], marks: list[str]) -> str:
    listed = "".join(_turn(turn, names, marks) for turn in turns)
    heading = '<h2 id="moves">Moves</h2>'
    if any(marks):
        heading += f'<p class="facts">{", ".join(f"{mark} gave away {least:.0%}" for least, mark in MARKS)} or more</p>'
    return f'<section class="course" aria-labelledby="moves">{heading}<ol id="turns">{listed}</ol></section>'


def _turn(turn: _Turn, names: list[str], marks: list[str]) -> str:
    shown = [
        escape(move) + (f' <b class="mark">{mark}</b>' if mark else "")
        for move, mark in zip_longest(turn.moves, marks[turn.position : turn.position + len(turn.moves)])
    ]
    moves = "".join(
        f'<button type="button" data-go="{turn.position + place}">{move}</button>'
        for place, move in enumerate(shown, start=1)
    )
    return (
        f'<li><span class="round">{turn.round}</span><span class="badge seat-{turn.seat % SEATS}">{turn.seat}</span>'
        f'<span class="who">{escape(names[turn.seat])}</span><span class="moves">{moves}</span>'
        f'<span class="points">{signed(turn.score)}</span></li>'
    )
