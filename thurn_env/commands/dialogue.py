"""The dialogue with people who play in the terminal."""

from __future__ import annotations

import shlex
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.text import Text

from thurn_env.commands.paint import Paint
from thurn_env.commands.show import (
    OutputConsole,
    TurnPrinter,
    actions_text,
    decision,
    names_of_seats,
    rules_table,
    style,
    table_text,
    with_names,
)
from thurn_env.errors import ThurnError, sentence, some_of
from thurn_env.files import check_replaceable, composed
from thurn_env.players.advice import Adviser
from thurn_env.players.agent import is_harmless
from thurn_env.players.session import HUMAN, Session
from thurn_env.table.record import BEGINNING
from thurn_env.talk.listing import are_numbered

SHORT = {"?": "why", "h": "hint", "m": "map", "q": "quit", "s": "save", "t": "table", "u": "undo"}
"""Abbreviations of commands."""
LONGEST_NUMBER = 9
"""Number of digits of a number that are read; longer ones are no action's number either."""
WITH_WORDS = ("map", "save")
"""Commands that take words."""
HELP = """\
Type the number of an action, the action, or a part of it. Or:
  hint, h    show the recommended action and the search results
  undo, u    undo your last decision, if it revealed nothing and nobody has moved since
  why, ?     show which actions are legal, and why others are not
  table, t   show the table
  map, m     show the map as a table; map NAME only what has this name, such as a city with its neighbours
  save FILE  write the game to a file; without a name, to the last file
  help       this text
  quit, q    leave; the game is kept"""
SHORT_HELP = "Type a number, an action or a part of it; help shows what else you can type."


class Left(Exception):
    """Standard input has ended."""


class Dialogue:
    """Prompts the people at the table and prints what happens.

    Args:
        console: console for the output.
        session: the game.
        names: names of the seats.
        file: file for saving the game; None for a new file when it has to be saved.
        sandbox: what `--sandbox` was given, for the command that continues the game; None without a sandbox.
    """

    def __init__(
        self,
        console: OutputConsole,
        session: Session,
        names: Sequence[str],
        file: Path | None,
        sandbox: Sequence[str] | None = None,
    ) -> None:
        self.console = console
        self.session = session
        self.agents = names
        self.names = names_of_seats(names, session.game.players)
        self.file, self.sandbox = file, sandbox
        self.people = [seat for seat, agent in enumerate(session.agents) if agent is None]
        self.printer = TurnPrinter(console, self.names, viewers=self.people)
        self.paint = Paint.of(session.game, console)
        self.rules = session.game.rules
        self._adviser: Adviser | None = None
        self._shown = (-1, -1)
        self._kept = len(session.game.moves)
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._print(HELP),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "why": lambda _: self._print(with_names(self.session.game.view().game.explain(), self.names)),
            "map": self._map,
            "table": lambda _: self._table(),
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play the game to its end.

        Raises:
            Left: standard input has ended.
            AgentError: an agent failed.
        """
        session = self.session
        while not session.game.over:
            if session.waiting:
                self._prompt()
            else:
                self._play(session.answer())
        session.finish(self.names)
        self.printer.finish(session.game)

    def _play(self, action: str | int) -> None:
        before = self.session.game
        self.session.play(action)
        # Hide one player's secret moves from the others at this terminal.
        others = [seat for seat in self.people if seat != before.seat]
        viewer = others[0] if others else before.seat
        self.printer(before, self.rules.move_text(self.session.game.moves[-1], before.seat, viewer))

    def _prompt(self) -> None:
        """Prompt once; the answer is an action or a command."""
        game = self.session.game
        self.printer.before_turn_of(game)
        if self._shown != (game.rounds, game.seat):
            self._shown = game.rounds, game.seat
            self._table()
        legal = list(game.legal)
        self.console.say(self._question())
        self.console.say(self.paint(actions_text(legal, self.console.width)))
        answer = self._answer(game.seat)
        word, _, rest = answer.partition(" ")
        command = self._commands.get(SHORT.get(word, word))
        if command is not None and (not rest or SHORT.get(word, word) in WITH_WORDS) and answer not in legal:
            command(rest.strip())
        elif action := chosen(answer, legal):
            self._play(action)
        else:
            self._print(self._correction(answer, legal))

    def _question(self) -> Text:
        """Return whose turn it is and what to decide."""
        game = self.session.game
        whose = f"{self.names[game.seat]}'s turn" if len(self.people) > 1 else "Your turn"
        asked = decision(game.view().text)
        return Text(f"{whose}: {asked}." if asked else f"{whose}.", style(game.seat))

    def _answer(self, seat: int) -> str:
        prompt = f"{self.names[seat]}> " if len(self.people) > 1 else "> "
        self.console.print(prompt, style=style(seat), end="", markup=False)
        try:
            # Unicode may compose letters differently from the board.
            return composed(input().strip())
        except EOFError:
            self.console.print()
            raise Left from None

    def _correction(self, answer: str, legal: list[str]) -> str:
        game = self.session.game
        index = self.rules.action_indices.get(answer)
        if index is not None:
            return f"Not legal: {self.rules.why_illegal(game.states, 0, index)}."
        matches = matching(answer, legal) if answer else []
        return f"Which one: {some_of(matches)}?" if matches else SHORT_HELP

    def _table(self) -> None:
        # The question follows anyway.
        table = "\n".join(line for line in self.session.game.view().text.split("\n") if not decision(line))
        self.console.say(self.paint(table_text(table, self.names)))

    def _map(self, about: str) -> None:
        table = rules_table(next(iter(self.rules.tables().values())), about)
        if table.row_count:
            self.console.print(table)
        else:
            self._print(f"The map has no place {about!r}; map shows all of them.")

    def _hint(self) -> None:
        if self._adviser is None:
            self._adviser = Adviser(self.rules)
        advice = str(self._adviser.advise(self.session.game.view()))
        self.console.say(self.paint(Text(advice)))

    def _undo(self) -> None:
        moves = len(self.session.game.moves)
        try:
            self.session.undo()
        except ThurnError as error:
            self._print(sentence(error))
            return
        taken = self.printer.take_back(moves - len(self.session.game.moves))
        self._print(f"undone: {', '.join(taken)}")

    def _save(self, name: str) -> None:
        try:
            if name and Path(name) != self.file:
                check_replaceable(Path(name), BEGINNING, "a saved game")
            self.save(Path(name) if name else self.file or self._new_file())
        except ThurnError as error:
            self._print(f"The game cannot be saved: {sentence(error)}")

    def _quit(self, _: str) -> None:
        raise Left

    def save(self, file: Path) -> None:
        """Write the game to a file, which becomes the file for later saves."""
        self.session.game.record(self.agents).save(file)
        self.file, self._kept = file, len(self.session.game.moves)
        self._print(f"saved to {file}")

    def keep(self) -> None:
        """Save the game if it would be lost, and print how to resume it."""
        self.printer.finish(self.session.game)
        if self.file is not None or len(self.session.game.moves) > self._kept:
            file = self.file or self._new_file()
            try:
                self.save(file)
            except ThurnError as error:
                self._print(f"The game cannot be saved there: {sentence(error)}")
                self.save(Path(tempfile.gettempdir()) / file.name)
        if self.file is not None:
            words = ["thurn", "play", "--resume", str(self.file)]
            if unsafe(self.agents, self.rules.bots):
                words += ["--agents", *self.agents]
                if self.sandbox is not None:
                    words += ["--sandbox", *self.sandbox]
            self._print(f"Continue with: {shlex.join(words)}")

    def _new_file(self) -> Path:
        return Path(f"{self.rules.name}-{time.strftime('%Y%m%d-%H%M%S')}.json")

    def _print(self, text: str) -> None:
        self.console.say(text)


def unsafe(names: Sequence[str], bots: tuple[str, ...]) -> list[str]:
    """Return the agents that a resumed game does not start by itself, since its file may be somebody else's."""
    return [name for name in names if name != HUMAN and not is_harmless(name, bots)]


def matching(answer: str, legal: list[str]) -> list[str]:
    """Return the legal actions that contain the answer; if it is all that follows the first word, only those."""
    answer = answer.casefold()
    exact = [action for action in legal if action.partition(" ")[2].casefold() == answer]
    return exact or [action for action in legal if answer in action.casefold()]


def chosen(answer: str, legal: list[str]) -> str | None:
    """Return the action that an answer means: its number, its text, or the only one that contains it.

    As in the list of actions, they have no numbers of their own where they hold numbers.
    """
    if answer in legal:
        return answer
    if answer.isdecimal() and are_numbered(legal):
        number = int(answer[:LONGEST_NUMBER])
        return legal[number - 1] if 1 <= number <= len(legal) else None
    matches = matching(answer, legal) if answer else []
    return matches[0] if len(matches) == 1 else None
