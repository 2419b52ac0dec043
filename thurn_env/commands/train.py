"""`thurn train`: train a policy with MaskablePPO (sb3-contrib) in self-play and against scripted bots.

    thurn train --preset quick --out runs/quick

The folder gets `best.npz`, the best policy so far by evaluations on paired decks, which the agent
`ppo:runs/quick/best.npz` plays; `last.npz`; `evaluations.jsonl`; metrics for TensorBoard; and a checkpoint. After
Ctrl-C or a crash, the same command with `--resume` continues from the last checkpoint. On a CPU with one thread the
result equals that of an uninterrupted run. With `--curriculum`, runs for other numbers of players come first, in
folders such as `3-players` in the folder.
"""

from __future__ import annotations

from pathlib import Path

from thurn_env.commands.arguments import call, program, value_of
from thurn_env.engine.provenance import command_line
from thurn_env.games import DEFAULT_GAME
from thurn_env.training import train
from thurn_env.training.config import Config, preset

PROGRAM = "thurn train"


def defaults(command: list[str]) -> Config:
    """Return the values of the options that a command line does not give: those of its preset, if it names one."""
    name = value_of(command, "--preset")
    started = value_of(command, "--start") is not None
    values = preset(name, value_of(command, "--game") or DEFAULT_GAME, started) if name else {}
    return Config(**{"out": Path("runs/ppo")} | values)


def parse(command: list[str]) -> Config:
    """Return the configuration of a command line."""
    config: Config = call(Config, command, PROGRAM, default=defaults(command))
    config.check()
    return config


def run(command: list[str]) -> int:
    """Train a policy."""
    print(train(parse(command), command=command_line(PROGRAM, command)).summary)
    return 0


main = program(PROGRAM, run)
