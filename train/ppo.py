"""`thurn train` in a checkout, where the trained policy can also be published.

    python -m train.ppo --preset strong --players 3 --board north --out runs/thurn_und_taxis-north-3 --publish

`--publish` measures the policy and adds it to the project's models with its card, as `python -m train.publish` does
with its default values, under the name of the folder. The same command with `--resume` continues a stopped run or its
stopped matches. All other options are those of `thurn train`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tyro.conf import OmitArgPrefixes

from thurn_env.commands.arguments import call, program
from thurn_env.commands.train import defaults
from thurn_env.engine.provenance import command_line
from thurn_env.training import train
from thurn_env.training.config import Config
from thurn_env.training.folder import BEST
from train import publish

PROGRAM = "python -m train.ppo"


@dataclass(frozen=True)
class Arguments:
    """Train a policy with MaskablePPO against a pool of opponents, and publish it if --publish is given.

    Args:
        config: configuration of the run.
        publish: measure the policy and publish it under the name of the folder.
    """

    config: OmitArgPrefixes[Config]
    publish: bool = False


def run(command: list[str]) -> int:
    """Train a policy, and publish it if the command says so."""
    arguments = call(Arguments, command, PROGRAM, default=Arguments(defaults(command)))
    config = arguments.config
    config.check()
    publication = publish.Arguments(config.out / BEST, config.out.name) if arguments.publish else None
    if publication:
        publish.check(publication)
    trained = train(config, command=command_line(PROGRAM, command))
    print(trained.summary)
    if publication:
        print(publish.publish(publication))
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
