"""Games in the terminal: a line for every turn, tables, the result."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thurn_env.commands.paint import Paint
from thurn_env.errors import printable
from thurn_env.games import contract
from thurn_env.players.session import known_score
from thurn_env.show.page import unique_names
from thurn_env.table.game import Game
from thurn_env.table.style import combined, figures_of, style_of
from thurn_env.talk.listing import are_numbered

SEAT_STYLES = ("cyan", "magenta", "yellow", "green", "blue")
PLAIN_WIDTH = 120
"""Width of tables if the output is no terminal."""
WORD_WIDTH = 8
"""Width of the word before actions of a kind."""
PLAYER = re.compile(r"\b[Pp]layer (\d+)\b")
"""A player, as texts of games name them."""


class OutputConsole(Console):
    """Console for standard output: coloured on a terminal, wide enough for tables elsewhere.

    Text is wrapped between words on a terminal, and where `COLUMNS` gives a width; files and other programs get whole
    lines.

    Args:
        options: options of `rich.console.Console`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, **options)
        self.wraps = self.is_terminal or bool(os.environ.get("COLUMNS"))
        if not self.wraps:
            self.width = max(self.width, PLAIN_WIDTH)

    def say(self, text: Text | str) -> None:
        """Print text, in which square brackets mean nothing."""
        shown = Text(text) if isinstance(text, str) else text
        if self.wraps:
            lines = shown.wrap(self, self.width)
            for line in lines:
                line.rstrip()
            shown = Text("\n").join(lines)
        self.print(shown, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Leave a reader that has seen enough, as in `thurn info | head`, to the guard of the command."""
        raise BrokenPipeError


def output_console() -> OutputConsole:
    """Return a console for standard output."""
    return OutputConsole()


def style(seat: int) -> str:
    """Return the colour of a seat."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


class TurnPrinter:
    """Prints a line for every turn: round, seat, all its moves, and the seat's score after it.

    Call it with the game before every move and the move; `finish` prints the last turn. In an unfinished game,
    `viewers` are the seats of the people who read the output; a score is printed only if all of them can know it.
    """

    def __init__(
        self,
        console: OutputConsole,
        names: Sequence[str],
        *,
        delay: float = 0.0,
        tables: bool = False,
        viewers: Sequence[int] = (),
    ) -> None:
        self.console = console
        self.names = names
        self.delay = delay
        self.tables = tables
        self.viewers = viewers
        self._paint: Paint | None = None
        self._moves: list[str] = []
        self._seat = -1
        self._round = 0

    def __call__(self, game: Game, move: str) -> None:
        """Note a move, before the game plays it."""
        self.before_turn_of(game)
        if not self._moves:
            self._seat, self._round = game.seat, game.rounds + 1
        self._moves.append(move)

    def before_turn_of(self, game: Game) -> None:
        """Print the others' moves before a person has to choose."""
        if self._seat != game.seat:
            self.finish(game)

    def take_back(self, moves: int) -> list[str]:
        """Undo the last moves of the turn and return them."""
        taken = self._moves[len(self._moves) - moves :]
        del self._moves[len(self._moves) - moves :]
        return taken

    def finish(self, game: Game) -> None:
        """Print the turn that has ended."""
        if not self._moves:
            return
        if self._paint is None:
            self._paint = Paint.of(game, self.console)
        paint = self._paint
        shown = names_of_seats(self.names, game.players)
        name, width = shown[self._seat], max(map(len, shown))
        line = Text().append(f"{self._round:>3}  ", "dim")
        line.append(f"{name:<{width}}  ", style(self._seat))
        line.append(paint(Text(", ".join(self._moves))))
        score = known_score(game, self._seat, self.viewers) if self.viewers else game.scores[self._seat]
        if score is not None:
            line.append(f"   [{score}]", "bold")
        self.console.say(line)
        if self.tables:
            self.console.say(paint(table_text(str(game), self.names)))
        self._moves = []
        if self.delay:
            time.sleep(self.delay)


def names_of_seats(names: Sequence[str], players: int) -> list[str]:
    """Return the names of the players by seat; equal names get their seats."""
    return unique_names([seat_name(names, seat) for seat in range(players)])


def seat_name(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat, which is its number if it has none. Records of somebody else may have any names."""
    return printable(names[seat]) if seat < len(names) else f"player {seat}"


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text about players with their names in place of `player 0` and so on."""
    return PLAYER.sub(lambda player: seat_name(names, int(player[1])), text)


def table_text(table: str, names: Sequence[str] = ()) -> Text:
    """Return the table as text, with players by name in their colours and dimmed labels."""
    lines = []
    for line in table.split("\n"):
        mark, player = line[:2], PLAYER.match(line, 2)
        shown = Text(line)
        if player is not None and mark in ("> ", "  "):
            seat = int(player[1])
            shown = Text.assemble(mark, (seat_name(names, seat), style(seat)), line[player.end() :])
            if mark == "> ":
                shown.stylize("bold")
        lines.append(shown)
    text = Text("\n").join(lines)
    text.highlight_regex(r"(?m)^ *[a-z]+ {2,}|^    [a-z]+ ", "dim")
    text.highlight_regex(r"(?m)^to decide: .*$", "bold")
    return text


def decision(table: str) -> str:
    """Return the decision to make, from the last line of a table; empty if the game is over."""
    found = re.search(r"^to decide: (.*)$", table, re.M)
    return found[1] if found else ""


def actions_text(legal: Sequence[str], width: int) -> Text:
    """Return the legal actions, a paragraph for all that begin with the same word, in lines of this width.

    They are numbered, unless they hold numbers themselves.
    """
    text, with_numbers = Text(), are_numbered(legal)
    numbered = [(number, *action.partition(" ")[::2]) for number, action in enumerate(legal, start=1)]
    for (word, operands), group in groupby(
        numbered, key=lambda action: (action[1] if action[2] else "", bool(action[2]))
    ):
        text.append("\n" if text else "")
        text.append(f"{word:<{WORD_WIDTH}}", "dim")
        room = width - WORD_WIDTH
        for number, name, operand in group:
            shown = operand if operands else name
            item = Text.assemble(" ", (str(number), "bold"), f" {shown}") if with_numbers else Text(f" {shown}", "bold")
            if room < item.cell_len and room < width - WORD_WIDTH:
                text.append("\n" + " " * WORD_WIDTH)
                room = width - WORD_WIDTH
            text.append(item)
            text.append(" ")
            room -= item.cell_len + 1
    return text


def rules_table(table: contract.Table, about: str = "") -> Table:
    """Return a table of the rules; with `about`, only the rows in which a text contains it."""
    made = Table(title=table.title, title_justify="left")
    for column in table.columns:
        made.add_column(column, overflow="fold")
    wanted = about.casefold()
    for row in table.rows:
        if any(wanted in text.casefold() for text in row):
            made.add_row(*map(Text, row))
    return made


def result_table(game: Game, names: Sequence[str]) -> Table:
    """Return the players by rank, a column each, with their scores by source."""
    sources, scores, ranks = game.breakdown(), game.scores, game.ranks
    seats = sorted(range(game.players), key=lambda seat: ranks[seat])
    shown = names_of_seats(names, game.players)
    table = Table(title="cut off" if game.truncated else "result", title_justify="left", show_footer=True)
    table.add_column("rank", "score")
    for seat in seats:
        heading = Text(f"{ranks[seat]}\n{shown[seat]}", style(seat))
        table.add_column(heading, Text(str(scores[seat]), "bold"), justify="right")
    for source in sources[0]:
        points = [sources[seat][source] for seat in seats]
        table.add_row(source, *(str(value) if value else "-" for value in points))
    return table


def style_table(game: Game, names: Sequence[str]) -> Table | None:
    """Return the style figures of a finished game that are no shares, a column for each seat; None if it has none."""
    figures = [figure for figure in figures_of(game.rules) if not figure.share]
    if not figures:
        return None
    values = [combined(figures, [counts]) for counts in style_of(game)]
    table = Table(title="style", title_justify="left")
    table.add_column("")
    for seat, name in enumerate(names_of_seats(names, game.players)):
        table.add_column(Text(name, style(seat)), justify="right")
    for figure in figures:
        row = (seat[figure.name] for seat in values)
        table.add_row(figure.name, *(f"{value:.3g}" if value else "-" for value in row))
    return table


def print_result(console: Console, game: Game, names: Sequence[str]) -> None:
    """Print the tables of a finished game: points by source, and style figures if it has any."""
    console.print(result_table(game, names))
    if (figures := style_table(game, names)) is not None:
        console.print(figures)
