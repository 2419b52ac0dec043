"""Trains a policy with MaskablePPO (sb3-contrib) in self-play and against scripted bots.

    python -m train.ppo --preset quick --out runs/quick

The folder gets `best.npz`, the best policy so far by evaluations on paired decks, which `ppo:runs/quick/best.npz`
plays; `last.npz`; `evaluations.jsonl`; figures for TensorBoard; and a checkpoint. Ctrl-C or a crash lose nothing but
the decisions since the last one: the same command with `--resume` goes on, and on a CPU with one thread it finds the
same policy as if it had never been stopped.
"""

from __future__ import annotations

import sys

from thurn_env.commands.arguments import program
from thurn_env.lock import locked
from train.config import PROGRAM, parse
from train.extra import training_extra


def run(command: list[str]) -> int:
    """Train."""
    config = parse(command, PROGRAM)
    with training_extra():
        from train.training import Training
    with locked(config.out, "another run is writing into this folder"):
        training = Training(config, command)
        training.run()
    print(training.summary())
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
