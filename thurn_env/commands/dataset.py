"""`thurn dataset`: write the games of a tournament as a data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.games.contract import RewardMode
from thurn_env.tournament.dataset import write_dataset

PROGRAM = "thurn dataset"


@dataclass(frozen=True)
class Arguments:
    """Write the games of a tournament as a data set: observation, mask, action, reward and return of every decision.

    Args:
        tournament: folder of a tournament.
        out: folder of the data set; existing files are kept, so the same command continues.
        agents: use only decisions of these agents; by default those of all agents.
        reward: reward of a finished game: win, rank, margin or score.
    """

    tournament: Positional[Path]
    out: Path
    agents: tuple[str, ...] = ()
    reward: RewardMode = "win"


def run(command: list[str]) -> int:
    """Write the data set."""
    arguments = call(Arguments, command, PROGRAM)
    made = command_line(PROGRAM, command)
    decisions, games, size = write_dataset(
        arguments.tournament, arguments.out, arguments.agents, arguments.reward, made
    )
    print(f"{arguments.out}: {decisions:,} decisions of {games:,} games, {size / 2**20:.1f} MiB")
    return 0


main = program(PROGRAM, run)
