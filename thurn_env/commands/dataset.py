"""`thurn dataset`: the games of a tournament as a data set."""

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
    """Write the games of a tournament as a data set: every decision with observation, mask, action, reward and return.

    Args:
        tournament: the folder of a tournament.
        out: the folder of the data set; files that are there already are kept, so that the same command continues.
        agents: take only decisions of these agents; of all if not given.
        reward: what a finished game pays: win, rank, margin or score.
    """

    tournament: Positional[Path]
    out: Path
    agents: tuple[str, ...] = ()
    reward: RewardMode = "win"


def run(command: list[str]) -> int:
    """Write the data set."""
    asked = call(Arguments, command, PROGRAM)
    made = command_line(PROGRAM, command)
    decisions, games, size = write_dataset(asked.tournament, asked.out, asked.agents, asked.reward, made)
    print(f"{asked.out}: {decisions:,} decisions of {games:,} games, {size / 2**20:.1f} MiB")
    return 0


main = program(PROGRAM, run)
