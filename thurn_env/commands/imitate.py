"""`thurn imitate`: train a policy to imitate recorded agents, a scripted bot, a policy or search.

    thurn imitate --records runs/ladder/full-2/games --agents mcts:1000 --out runs/clone.npz
    thurn imitate --teacher heuristic --decisions 10_000_000 --out runs/pupil.npz

The policy learns either from records, with every tenth deck held out as a test set, or from a teacher, a scripted bot,
another policy or search guided by one, which labels positions of the policy's own games. The network is that of `thurn
train`. The loss is the cross-entropy over the legal actions plus the squared error of the returns.
"""

from __future__ import annotations

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.training.extra import training_extra
from thurn_env.training.imitation_config import ImitationConfig

PROGRAM = "thurn imitate"


def run(command: list[str]) -> int:
    """Load or play games, train the policy and evaluate it."""
    config = call(ImitationConfig, command, PROGRAM)
    config.check()
    with training_extra():
        from thurn_env.training.imitation import imitate
    print(f"{config.out}: {imitate(config, command_line(PROGRAM, command))}")
    return 0


main = program(PROGRAM, run)
