"""Games in the terminal: a line for every turn, tables, the result."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thurn_env.commands.paint import Paint
from thurn_env.games import contract
from thurn_env.players.session import known_score
from thurn_env.table.game import Game
from thurn_env.table.style import combined, figures_of, style_of

SEAT_STYLES = ("cyan", "magenta", "yellow", "green", "blue")
PLAIN_WIDTH = 120
"""Width of tables if the output is no terminal."""
WORD_WIDTH = 8
"""Width of the word before actions of a kind."""


def output_console() -> Console:
    """Return a console for standard output, coloured on a terminal and wide enough for tables elsewhere."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=max(console.width, PLAIN_WIDTH))


def style(seat: int) -> str:
    """Return the colour of a seat."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def seat_names(names: Sequence[str], players: int) -> list[str]:
    """Return the names of the seats: their agents' names, or `player`."""
    return [f"{seat} {names[seat] if seat < len(names) else 'player'}" for seat in range(players)]


class TurnPrinter:
    """Prints a line for every turn: round, seat, all its moves, and the seat's score after it.

    Call it with the game before every move and the move; `finish` prints the last turn. In an unfinished game,
    `viewers` are the seats of the people who read the output; a score is printed only if all of them can know it.
    """

    def __init__(
        self,
        console: Console,
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
        name = seat_names(self.names, game.players)[self._seat]
        width = max(map(len, seat_names(self.names, game.players)))
        line = Text().append(f"{self._round:>3}  ", "dim")
        line.append(f"{name:<{width}}  ", style(self._seat))
        line.append(paint(Text(", ".join(self._moves))))
        score = known_score(game, self._seat, self.viewers) if self.viewers else game.scores[self._seat]
        if score is not None:
            line.append(f"   [{score}]", "bold")
        self.console.print(line, soft_wrap=True)
        if self.tables:
            self.console.print(paint(table_text(str(game))), soft_wrap=True)
        self._moves = []
        if self.delay:
            time.sleep(self.delay)


def table_text(table: str) -> Text:
    """Return the table as text, with players in their colours and dimmed labels."""
    text = Text(table)
    for player in re.finditer(r"^[> ] (player (\d+)).*$", table, re.M):
        text.stylize(style(int(player[2])), *player.span(1))
        if player[0].startswith(">"):
            text.stylize("bold", *player.span())
    text.highlight_regex(r"(?m)^ *[a-z]+ {2,}|^    [a-z]+ ", "dim")
    text.highlight_regex(r"(?m)^to decide: .*$", "bold")
    return text


def actions_text(legal: Sequence[str]) -> Text:
    """Return the numbered legal actions, one line for all that begin with the same word."""
    text = Text()
    numbered = [(number, *action.partition(" ")[::2]) for number, action in enumerate(legal, start=1)]
    for (word, operands), group in groupby(
        numbered, key=lambda action: (action[1] if action[2] else "", bool(action[2]))
    ):
        text.append("\n" if text else "")
        text.append(f"{word:<{WORD_WIDTH}}", "dim")
        for number, name, operand in group:
            text.append(f" {number}", "bold").append(f" {operand if operands else name} ")
    return text


def rules_table(table: contract.Table) -> Table:
    """Return a table of the rules."""
    made = Table(title=table.title, title_justify="left")
    for column in table.columns:
        made.add_column(column, overflow="fold")
    for row in table.rows:
        made.add_row(*map(Text, row))
    return made


def result_table(game: Game, names: Sequence[str]) -> Table:
    """Return the players by rank, a column each, with their scores by source."""
    sources, scores, ranks = game.breakdown(), game.scores, game.ranks
    seats = sorted(range(game.players), key=lambda seat: ranks[seat])
    shown = seat_names(names, game.players)
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
    for seat, name in enumerate(seat_names(names, game.players)):
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
