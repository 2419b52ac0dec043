"""A curriculum: learn the table with fewer players first.

A game with fewer players takes fewer decisions, and a policy for it plays well for more players before it has learned
for them.
"""

from __future__ import annotations

from dataclasses import replace

from thurn_env.training.config import Config
from thurn_env.training.folder import begun


def stages(config: Config) -> list[Config]:
    """Return the configurations of all runs of a training in order, that of the configured table last.

    Every run begins with the best policy of the run before it. Those with fewer players write into folders such as
    `2-players` in the folder of the last; numbers of players that are not below that of the table are left out.

    Raises:
        OptionError: the curriculum is invalid.
    """
    fewer = [
        replace(config, out=config.out / f"{players}-players", players=players, steps=steps)
        for players, steps in config.fewer_players()
    ]
    first, *later = [*fewer, config]
    # When a training is resumed, its later runs may not have begun yet.
    return [first, *(replace(run, resume=config.resume and begun(run.out)) for run in later)]


def begun_anywhere(config: Config) -> bool:
    """Return whether any run of a training has begun."""
    return any(begun(run.out) for run in stages(config))
