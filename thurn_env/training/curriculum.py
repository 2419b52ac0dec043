"""A curriculum: learn for other numbers of players first.

A policy for three players plays well with two and with four before it has learned for them.
"""

from __future__ import annotations

from dataclasses import replace

from thurn_env.training.config import Config
from thurn_env.training.folder import begun


def stages(config: Config) -> list[Config]:
    """Return the configurations of all runs of a training in order, that of the configured table last.

    Every run begins with the best policy of the run before it. Those for other numbers of players write into folders
    such as `3-players` in the folder of the last.

    Raises:
        OptionError: the curriculum is invalid.
    """
    before = [
        replace(config, out=config.out / f"{players}-players", players=players, steps=steps)
        for players, steps in config.players_before()
    ]
    first, *later = [*before, config]
    # When a training is resumed, its later runs may not have begun yet.
    return [first, *(replace(run, resume=config.resume and begun(run.out)) for run in later)]


def begun_anywhere(config: Config) -> bool:
    """Return whether any run of a training has begun."""
    return any(begun(run.out) for run in stages(config))
