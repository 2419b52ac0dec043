"""A recorded game as one HTML file that anyone can step through in a browser, without a network.

Every position is drawn here, once with all hands open and once for every seat; the page holds each different drawing
once and, for every position, which layers of the picture have another drawing than before. Its script only puts
drawings in their places: it knows no rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from typing import Any

from thurn_env.errors import RecordError
from thurn_env.game import Game
from thurn_env.pictures.elements import number, signed
from thurn_env.pictures.picture import Block, Picture
from thurn_env.pictures.themes import FONTS, SEATS, THEMES, Theme
from thurn_env.record import Record
from thurn_env.render.chart import HEIGHT as CHART_HEIGHT
from thurn_env.render.chart import score_chart

TEMPLATES = resources.files("thurn_env.render") / "templates"
OPEN = "all hands"


@dataclass
class _Drawings:
    """All different texts of a page, each with a number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))


@dataclass
class _Film:
    """What one pair of eyes sees of the game: for every position the layers that change and their new drawings."""

    name: str
    changes: list[list[int]] = field(default_factory=list)
    shown: dict[int, int] = field(default_factory=dict)

    def add(self, layers: Sequence[int]) -> None:
        """The next position, as the number of every layer's drawing."""
        changed = [(layer, drawing) for layer, drawing in enumerate(layers) if self.shown.get(layer) != drawing]
        self.shown.update(changed)
        self.changes.append([value for change in changed for value in change])


@dataclass
class _Turn:
    """Moves of one player on end: the position before them, whose they are, and the score after."""

    position: int
    seat: int
    round: int
    moves: list[str] = field(default_factory=list)
    score: int = 0


def replay_page(record: Record, title: str, on_position: Callable[[], None] = lambda: None) -> str:
    """The page of a record.

    Args:
        record: the game; it need not have been played to its end.
        title: what stands above the page, besides the name of the game.
        on_position: called after every position that was drawn.

    Raises:
        RecordError: the record is not true, see `Record.replay`.
    """
    names = _names(record)
    drawings = _Drawings()
    films = [_Film(OPEN), *(_Film(name) for name in names)]
    scores, rounds, labels = [], [], []
    turns: list[_Turn] = []
    game: Game | None = None
    picture: Picture | None = None
    for position, after in enumerate(record.replay()):
        if game is not None:
            _note(turns, game, record.moves[position - 1], position - 1, after)
        game = after
        for seat, film in enumerate(films, start=-1):
            picture = (game if seat < 0 else game.view(seat)).picture(names)
            film.add([drawings.number(text) for block in _shown(picture) for text in block.layers.values()])
        assert picture is not None
        scores.append(game.scores)
        rounds.append(game.rounds)
        labels.append(drawings.number(picture.label))
        on_position()
    if game is None or picture is None:
        raise RecordError("the record holds no position")
    chart = score_chart(scores, rounds)
    blocks = _shown(picture)
    moves = _moves(turns, names)
    # The list of moves fills the shorter column.
    tall = sum(block.height for block in blocks[1:]) > blocks[0].height + CHART_HEIGHT
    data = {
        "drawings": list(drawings.numbers),
        "labels": labels,
        "films": [film.changes for film in films],
        "turns": [turn.position for turn in turns],
        "chart": [chart.first, chart.last, chart.width],
    }
    return _filled(
        {
            "title": escape(title),
            "game": escape(game.rules.title),
            "facts": escape(_facts(game, names)),
            "style": _style(picture),
            "eyes": "".join(f'<option value="{n}">{escape(film.name)}</option>' for n, film in enumerate(films)),
            "last": str(len(record.moves)),
            "map": _frame(blocks[0], 0),
            "blocks": _frames(blocks),
            "chart": chart.svg,
            "moves_left": moves if tall else "",
            "moves_right": "" if tall else moves,
            # No text may end the script element.
            "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
            "script": (TEMPLATES / "replay.js").read_text("utf-8"),
        }
    )


def _names(record: Record) -> list[str]:
    """What to call the players: their agents, with their seats where two have the same name."""
    names = record.agents or [f"player {seat}" for seat in range(record.players)]
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _shown(picture: Picture) -> list[Block]:
    """The blocks of a picture without its heading, whose words the page gives in its own way."""
    return [block for block in picture.blocks if not block.heading]


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


def _frames(blocks: list[Block]) -> str:
    """The blocks beside the map."""
    drawn, layers = [], len(blocks[0].layers)
    for block in blocks[1:]:
        drawn.append(_frame(block, layers))
        layers += len(block.layers)
    return "".join(drawn)


def _frame(block: Block, first: int) -> str:
    """An empty drawing of a block, whose layers are numbered from `first` on."""
    groups = "".join(f'<g data-layer="{first + place}"></g>' for place in range(len(block.layers)))
    box = f"0 0 {number(block.width)} {number(block.height)}"
    return (
        f'<svg class="{escape(block.name)}" viewBox="{box}" role="img" aria-label="{escape(block.name)}">{groups}</svg>'
    )


def _moves(turns: list[_Turn], names: list[str]) -> str:
    listed = "".join(_turn(turn, names) for turn in turns)
    heading = '<h2 id="moves">Moves</h2>'
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


def _style(picture: Picture) -> str:
    """The page's own style sheet, its colours, and those of the drawings."""
    light, dark = (_variables(theme) for theme in THEMES.values())
    own = (TEMPLATES / "replay.css").read_text("utf-8")
    return (
        f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{picture.style_sheet('auto', 'svg ')}\n{own}"
    )


def _variables(theme: Theme) -> str:
    colours: dict[str, Any] = {
        "paper": theme.paper,
        "raised": theme.raised,
        "ink": theme.ink,
        "muted": theme.muted,
        "line": theme.line,
        "on-seat": theme.on_seat,
        "font": FONTS,
        **{f"seat-{seat}": colour for seat, colour in enumerate(theme.seats)},
    }
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


def _filled(values: dict[str, str]) -> str:
    """The template with its places filled; text that looks like a place is left as it is."""
    first, *parts = (TEMPLATES / "replay.html").read_text("utf-8").split("{{")
    filled = [first]
    for part in parts:
        place, rest = part.split("}}", 1)
        filled += [values[place.strip()], rest]
    return "".join(filled)
