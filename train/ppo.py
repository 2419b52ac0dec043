"""`thurn train` in a checkout, where the trained policy can also be published.

    python -m train.ppo --preset strong --players 3 --board north --out runs/thurn_und_taxis-north-3 --publish

`--publish` measures the policy and adds it to the project's models with its card, as `python -m train.publish` does,
under the name of the folder; `--decks` and `--search-decks` set the length of the matches. The same command with
`--resume` continues a stopped run or its stopped matches. All other options are those of `thurn train`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tyro.conf import OmitArgPrefixes

from thurn_env.checks import MOST_GAMES, check_options, checked_whole, quoted
from thurn_env.commands.arguments import call, program
from thurn_env.commands.train import defaults
from thurn_env.engine.provenance import command_line
from thurn_env.errors import OptionError
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
        decks: decks of every match of --publish, each played from every seat; by default 1000.
        search_decks: decks of its matches with search, which take longer; by default 100 with two players, 30 with
            three and 20 with more, and never more than decks.
    """

    config: OmitArgPrefixes[Config]
    publish: bool = False
    decks: int | None = None
    search_decks: int | None = None


def publication(arguments: Arguments) -> publish.Arguments | None:
    """Return how the policy is to be published, or None.

    Raises:
        OptionError: a value is out of bounds, an option has no effect, or the folder cannot name a model.
    """
    check_options(arguments, checked_whole, ("decks", "search_decks"), 1, MOST_GAMES)
    given = {name: value for name in ("decks", "search_decks") if (value := getattr(arguments, name)) is not None}
    if not arguments.publish:
        for name in given:
            raise OptionError(f"--{name.replace('_', '-')} applies only with --publish; leave it out, or add --publish")
        return None
    out = arguments.config.out
    if not publish.is_name(out.name):
        raise OptionError(
            "--out with --publish must end in the name of the model, made of letters, digits, - and _, not "
            f"{quoted(out.name)}"
        )
    return publish.Arguments(out / BEST, out.name, **given)


def run(command: list[str]) -> int:
    """Train a policy, and publish it if the command says so."""
    arguments = call(Arguments, command, PROGRAM, default=Arguments(defaults(command)))
    config = arguments.config
    config.check()
    published = publication(arguments)
    trained = train(config, command=command_line(PROGRAM, command))
    print(trained.summary)
    if published:
        print(publish.publish(published))
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
