"""Add the result of `thurn exploit` to the card of a published model.

thurn exploit ppo:thurn_und_taxis-south-2 --hours 1 --out runs/exploit
python -m train.bound runs/exploit thurn_und_taxis-south-2
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tyro.conf import Positional

from thurn_env.commands.arguments import call, program
from thurn_env.errors import OptionError
from thurn_env.files import read_text, write_text
from thurn_env.players.policy import RELEASE, published
from thurn_env.training.config import policy_name
from thurn_env.training.exploit import LowerBound
from train.model_card import bound_file, is_of, with_bound
from train.publish import elsewhere

PROGRAM = "python -m train.bound"


@dataclass(frozen=True)
class Arguments:
    """Add the result of thurn exploit to the card of a published model.

    Args:
        folder: folder of thurn exploit against ppo:NAME.
        name: name of the model.
    """

    folder: Positional[Path]
    name: Positional[str]


def run(command: list[str]) -> int:
    """Copy the result beside the model, and write it into the card."""
    arguments = call(Arguments, command, PROGRAM)
    name = policy_name(arguments.name)
    bound = LowerBound.read(arguments.folder)
    if name not in published():
        raise OptionError(f"there is no published model {name!r}; the models are {', '.join(published())}")
    model = RELEASE / f"{name}.npz"
    if not is_of(bound, model):
        raise OptionError(
            f"the result in {arguments.folder} is that of {bound.agent}, not of this file of {name}; "
            f"run thurn exploit ppo:{name}"
        )
    words = shlex.split(bound.made["command"])
    bound = replace(bound, made={**bound.made, "command": elsewhere(words, f"runs/exploit-{name}", {})})
    write_text(bound_file(model), bound.text())
    card = model.with_suffix(".md")
    write_text(card, with_bound(read_text(card), bound))
    print(f"{card} has the lower bound; python -m docs.generate updates the page of the models")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
