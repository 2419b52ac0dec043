"""`thurn match`: play two agents against each other until it is decided which is stronger."""

from __future__ import annotations

import json as json_format
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from thurn_env.checks import MOST_THREADS, check_options, checked_whole
from thurn_env.commands.arguments import INTERRUPTED, call, chosen_sandbox, program
from thurn_env.commands.show import output_console
from thurn_env.commands.tournament import hide_secret
from thurn_env.engine.provenance import command_line
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.tournament.evidence import SequentialTest, Verdict
from thurn_env.tournament.folder import DESCRIPTION, NO_SECRET, Folder
from thurn_env.tournament.sequential import (
    MOST_DECKS,
    SequentialMatch,
    description,
    percent,
    ratio_texts,
    sequential_match,
)
from thurn_env.tournament.table import forfeit_lines

PROGRAM = "thurn match"
CODES: dict[Verdict, int] = {"above": 0, "below": 1, "undecided": 3}
"""Exit code of every verdict."""


@dataclass(frozen=True)
class Arguments:
    """Play two agents against each other until it is decided which is stronger.

    The match ends as soon as it is shown that the first agent ranks before the second one in more than --above of the
    games, or in less than --below. The exit code is 0 for above, 1 for below, 3 if the match ends undecided.

    Args:
        agent: the first agent, for example heuristic or my_package.my_module:MyAgent.
        against: the second agent; it fills all other seats.
        above: lower bound: show that the share of games is above it.
        below: upper bound: show that the share of games is below it. The closer the bounds, the longer the match.
        alpha: largest probability of the verdict above if the true share is not above the lower bound.
        beta: largest probability of the verdict below if the true share is not below the upper bound.
        most_decks: number of decks after which the match ends undecided; each is played from every seat.
        players: number of seats at a table.
        seed: seed of the decks and of all other randomness.
        secret: text that all seeds depend on, see thurn tournament. By default, a match with an agent of your own
            generates a secret. The word none means no secret.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. By default no limit.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        out: folder for the games; run the same command again to continue a match that was stopped. By default no games
            are kept.
        jobs: number of worker processes; by default one per core. 0 plays in this process, to debug an agent.
        sandbox: run exec agents under bubblewrap, with limits as in thurn tournament.
        json: print the result as JSON.
        game: name of the game.
    """

    agent: Annotated[Positional[str], arg(metavar="AGENT")]
    against: Annotated[Positional[str], arg(metavar="AGAINST")]
    above: float = 0.5
    below: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05
    most_decks: int = MOST_DECKS
    players: int = 2
    seed: int = 1
    secret: str | None = None
    time_limit: float | None = None
    board: str | None = None
    option: tuple[str, ...] = ()
    out: Path | None = None
    jobs: int | None = None
    sandbox: tuple[str, ...] | None = None
    json: bool = False
    game: str = DEFAULT_GAME


def verdict_text(match: SequentialMatch) -> str:
    """Return the verdict as a sentence."""
    agent, against, test = match.agent, match.against, match.test
    if match.verdict == "undecided":
        return (
            f"Undecided after {match.decks:,} decks: the games do not show that {agent} ranks before {against} in more "
            f"than {percent(test.above)} of them, nor in less than {percent(test.below)}. To continue a match in a "
            "folder, run it with a larger --most-decks."
        )
    if match.verdict == "above":
        head = f"{agent} is stronger than {against}: it" if test.above >= 0.5 else agent
        claim, error = f"more than {percent(test.above)}", test.alpha
    else:
        head = f"{agent} is weaker than {against}: it" if test.below <= 0.5 else agent
        claim, error = f"less than {percent(test.below)}", test.beta
    return f"{head} ranks before {against} in {claim} of the games (error rate at most {percent(error)})."


def result_lines(match: SequentialMatch) -> list[str]:
    """Return the result as sentences."""
    rating, low, high = (f"{value:+z.0f}".replace("inf", "∞") for value in match.elo)
    rows = [
        {"agent": name, "forfeits": sum(reasons.values()), "forfeit_reasons": reasons}
        for name, reasons in match.forfeits.items()
    ]
    return [
        verdict_text(match),
        f"In {match.decks:,} decks ({match.games:,} games) {match.agent} ranked before {match.against} in "
        f"{100 * match.share:.1f} % of the games. The 95 % interval, which allows for the early stop, is "
        f"{100 * match.low:.1f} to {100 * match.high:.1f} %: Elo {rating} ({low} to {high}).",
        f"Log-likelihood ratios and the values that decide: {ratio_texts(match.test, match.ratios)}.",
        *(f"{line}; a forfeited game counts as lost" for line in forfeit_lines({"agents": rows})),
    ]


def run(command: list[str]) -> int:
    """Play the match and print its result."""
    arguments = call(Arguments, command, PROGRAM)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    test = SequentialTest(arguments.above, arguments.below, arguments.alpha, arguments.beta)
    secret = "" if arguments.secret == NO_SECRET else arguments.secret
    if secret:
        hide_secret(secret)
    rules = make_rules(arguments.game, arguments.players, arguments.board, **parse_options(arguments.option))
    try:
        match = sequential_match(
            arguments.agent,
            arguments.against,
            rules,
            test,
            most_decks=arguments.most_decks,
            seed=arguments.seed,
            folder=arguments.out,
            time_limit=arguments.time_limit,
            secret=secret,
            jobs=arguments.jobs,
            command=command_line(PROGRAM, command),
            sandbox=chosen_sandbox(arguments.sandbox),
        )
    except KeyboardInterrupt:
        if arguments.out is None or not (arguments.out / DESCRIPTION).exists():
            raise
        finished = Folder.existing(arguments.out).finished(0)
        print(
            f"\nstopped: {finished:,} games are kept in {arguments.out}; run the same command again to continue",
            file=sys.stderr,
        )
        return INTERRUPTED
    if arguments.json:
        print(json_format.dumps(description(test, match), ensure_ascii=False))
    else:
        for line in result_lines(match):
            output_console().print(line, markup=False, highlight=False, soft_wrap=True)
        if arguments.out is not None:
            print(f"Every game is a record in {arguments.out / 'games'}; the result is in match.json.")
    return CODES[match.verdict]


main = program(PROGRAM, run)
