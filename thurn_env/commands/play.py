"""`thurn play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from thurn_env.agent import Agent, make_agent
from thurn_env.checks import checked_seed
from thurn_env.commands.arguments import parse_options
from thurn_env.commands.show import TurnPrinter, output_console, result_table
from thurn_env.errors import AgentError
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.match import run_match
from thurn_env.view import View

HUMAN = "human"
HELP = "Type a number, an action or a part of it; ? explains what is legal and why, t shows the table, q quits."


class Quit(Exception):
    """The human has had enough."""


class HumanAgent:
    """Asks at the terminal."""

    name = HUMAN

    def __init__(self, console: Console, printer: TurnPrinter) -> None:
        self.console = console
        self.printer = printer
        self._round = -1

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """A new game."""
        self._round = -1

    def act(self, view: View) -> str:
        """Ask until the answer is a legal action."""
        self.printer.before_turn_of(view.seat)
        if view.game.rounds != self._round:
            self._round = view.game.rounds
            self._print(view.text)
        legal = list(view.legal)
        self._print("  ".join(f"{number} {action}" for number, action in enumerate(legal, start=1)))
        while True:
            answer = self._answer(f"{view.game.phase}> ")
            if answer == "q":
                raise Quit
            if answer == "?":
                self._print(view.game.explain())
            elif answer == "t":
                self._print(view.text)
            elif action := chosen(answer, legal):
                return action
            else:
                self._print(self._hint(answer, view))

    def _answer(self, prompt: str) -> str:
        try:
            return self.console.input(prompt, markup=False).strip()
        except EOFError:
            raise Quit from None

    def _hint(self, answer: str, view: View) -> str:
        index = view.game.rules.action_indices.get(answer)
        if index is not None:
            return f"Not legal: {view.game.rules.why_illegal(view.game.states, 0, index)}."
        matches = matching(answer, list(view.legal)) if answer else []
        return f"Which one: {', '.join(matches)}?" if matches else HELP

    def _print(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)


def matching(answer: str, legal: list[str]) -> list[str]:
    """The legal actions that contain the answer."""
    return [action for action in legal if answer.casefold() in action.casefold()]


def chosen(answer: str, legal: list[str]) -> str | None:
    """The action that an answer means: its number, its text, or the only one that contains it."""
    if answer.isdecimal():
        return legal[int(answer) - 1] if 1 <= int(answer) <= len(legal) else None
    if answer in legal:
        return answer
    matches = matching(answer, legal) if answer else []
    return matches[0] if len(matches) == 1 else None


def play(
    agents: tuple[str, ...] = (HUMAN, "heuristic"),
    seed: int | None = None,
    board: str | None = None,
    save: Path | None = None,
    option: tuple[str, ...] = (),
    game: str = "thurn_und_taxis",
) -> int:
    """Play a game in the terminal.

    Args:
        agents: who sits in every seat: human, or an agent; thurn info --agents lists them.
        seed: of the cards and the agents; a fresh one if not given.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        save: write the game to this file, even when it is left early.
        option: the game's own options as name=value.
        game: the name of the game.
    """
    if HUMAN not in agents:
        raise AgentError("nobody at the table is human; thurn watch shows a game between agents")
    rules = make_rules(game, len(agents), board, **parse_options(option))
    console = output_console()
    printer = TurnPrinter(console, agents)
    players: list[Agent] = [
        HumanAgent(console, printer) if agent == HUMAN else make_agent(agent, rules.bots) for agent in agents
    ]
    chosen_seed = checked_seed(seed)
    console.print(f"{rules.title}, board {rules.board_name}, seed {chosen_seed}\n{HELP}", markup=False)
    try:
        run_match(rules, players, chosen_seed, on_move=printer)
    except Quit:
        console.print("You left the game.")
    if printer.game is not None:
        printer.finish(printer.game)
        if printer.game.over:
            console.print(result_table(printer.game, agents))
        if save is not None:
            printer.game.record(agents).save(save)
            console.print(f"saved to {save}", markup=False)
    return 0
