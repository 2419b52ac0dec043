"""Training: reinforcement learning, imitation, pools of opponents, evaluations and sweeps.

Most modules need the extra `train`; this one imports them when a function is called.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from thurn_env.engine.provenance import command_line
from thurn_env.files import locked
from thurn_env.training.config import Config
from thurn_env.training.curriculum import resumed, stages
from thurn_env.training.extra import training_extra
from thurn_env.training.folder import BEST

# Idle threads of torch spin by default. On shared cores they then slow each other down, and several threads take many
# times as long as one. Torch reads this variable once, when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__all__ = ["Config", "Trained", "train"]


class Trained(NamedTuple):
    """A finished run: the file of its best policy, for `ppo:FILE`, and a summary as text."""

    best: Path
    summary: str


def train(config: Config, folder: str | Path | None = None, *, command: str = "") -> Trained:
    """Train a policy with MaskablePPO and return its file.

    Args:
        config: configuration of the run; `thurn_env.training.config.preset` has values to start from.
        folder: folder of the run; None for `config.out`.
        command: command line to note in the policy; empty for the equivalent command.

    Raises:
        MissingExtra: without the extra `train`.
        OptionError: a value is out of bounds, or the folder holds another run.
        ThurnError: another process is training into the folder.
        KeyboardInterrupt: the run was interrupted; with `config.resume` the next call continues it.
    """
    if folder is not None:
        config = replace(config, out=Path(folder))
    with training_extra():
        from thurn_env.training.run import Training, check_table
    config.check()
    command = command or command_line("thurn train", config.words())
    teacher, trained = config.teacher, None
    with locked(config.out, "another run is writing to this folder"):
        first, *later = resumed(stages(config))
        for run in later:
            # It may take hours until these tables are reached.
            check_table(run)
        for run in (first, *later):
            announcement = f"learning for {run.players} players" if later else ""
            stage = "" if run.out == config.out else run.out.name
            before = trained and trained.best
            training = Training(replace(run, teacher=teacher), command, before, stage, announcement)
            training.run()
            teacher, trained = training.config.teacher, Trained(run.out / BEST, training.summary())
            # The next run needs its memory.
            del training
    assert trained
    return trained
