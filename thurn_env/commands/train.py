"""`thurn train`: train a policy with MaskablePPO (sb3-contrib) in self-play and against scripted bots.

    thurn train --preset quick --out runs/quick

The folder gets `best.npz`, the best policy so far by evaluations on paired decks, which the agent
`ppo:runs/quick/best.npz` plays; `last.npz`; `evaluations.jsonl`; metrics for TensorBoard; and a checkpoint. After
Ctrl-C or a crash, the same command with `--resume` continues from the last checkpoint. On a CPU with one thread the
result equals that of an uninterrupted run.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.training import train
from thurn_env.training.config import Config, preset

PROGRAM = "thurn train"


def parse(command: list[str]) -> Config:
    """Return the configuration of a command line."""
    # The preset provides the defaults of the other arguments, so find it first.
    name = next((command[place + 1] for place, word in enumerate(command[:-1]) if word == "--preset"), None)
    name = next((word.partition("=")[2] for word in command if word.startswith("--preset=")), name)
    usual: Any = replace(Config(Path("runs/ppo")), **preset(name)) if name else Config(Path("runs/ppo"))
    config: Config = call(Config, command, PROGRAM, default=usual)
    config.check()
    return config


def run(command: list[str]) -> int:
    """Train a policy."""
    print(train(parse(command), command=command_line(PROGRAM, command)).summary)
    return 0


main = program(PROGRAM, run)
