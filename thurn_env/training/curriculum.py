"""A curriculum: learn for other numbers of players first.

A policy for three players plays well with two and with four before it has learned for them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from thurn_env.errors import OptionError
from thurn_env.training.config import Config
from thurn_env.training.folder import another_run, begun, check_empty, configuration


def stages(config: Config) -> list[Config]:
    """Return the configurations of all runs of a training in order, that of the configured table last.

    Every run begins with the best policy of the run before it. Those for other numbers of players write into folders
    such as `3-players` in the folder of the last.

    Raises:
        OptionError: the curriculum is invalid.
    """
    numbers = config.players_before()
    words = tuple(f"{players}={steps}" for players, steps in numbers)
    # Only the last run ends with lessons from search.
    first = replace(config, search_rounds=0)
    before = [
        replace(first, out=config.out / f"{players}-players", players=players, steps=steps, curriculum=words[:place])
        for place, (players, steps) in enumerate(numbers)
    ]
    return [*before, config]


def resumed(runs: list[Config]) -> list[Config]:
    """Return the runs of a training, of which only those that have begun are resumed.

    Raises:
        OptionError: a run has begun and is not to be resumed, has begun without the runs before it, or began with
            another curriculum.
    """
    if not runs[-1].resume:
        for run in runs:
            check_empty(run.out)
        return runs
    for before, after in pairwise(runs):
        if begun(after.out) and not begun(before.out):
            raise OptionError(
                f"{after.out} holds a run, but {before.out}, which comes before it, holds none; "
                "name another folder with --out"
            )
    for run in runs:
        _check_curriculum(run)
    # The first run says so if there is nothing to resume.
    first, *later = runs
    return [first, *(replace(run, resume=begun(run.out)) for run in later)]


def _check_curriculum(run: Config) -> None:
    """Compare with the curriculum that the run began with. Each run compares the rest when its turn comes."""
    noted, given = configuration(run.out), [*run.curriculum]
    if noted and (before := noted.get("curriculum", [])) != given:
        raise another_run(run.out, "curriculum", before, given)


def begun_anywhere(config: Config) -> bool:
    """Return whether any run of a training has begun."""
    return any(begun(run.out) for run in stages(config))
