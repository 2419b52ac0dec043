"""`thurn sweep`: train many configurations or seeds as Ray tasks, and compare the policies in a tournament."""

from __future__ import annotations

import sys
from pathlib import Path

from tyro.conf import Positional

from thurn_env.commands.arguments import ray_address
from thurn_env.commands.show import output_console
from thurn_env.tournament.table import print_results


def sweep(
    plan: Positional[Path],
    out: Path,
    jobs: int | None = None,
    ray: tuple[str, ...] = (),
    decks: int = 200,
    against: tuple[str, ...] = ("greedy", "heuristic"),
    seed: int = 1,
) -> int:
    """Train many configurations and compare them.

    Args:
        plan: TOML file of the sweep: common, grid, runs; every run takes one thread unless threads says otherwise.
        out: folder of the sweep, with a subfolder for every run and one for every tournament, named tournament-DIGEST.
        jobs: number of runs at a time on this machine; by default one per core.
        ray: address of a Ray cluster whose machines share the folder; by default Ray is started on this machine.
        decks: decks for every pair in the tournament of the trained policies.
        against: scripted bots that play in the tournament, too.
        seed: seed of the decks.
    """
    from thurn_env.training.sweep import sweep as run_sweep

    try:
        results = run_sweep(plan, out, jobs=jobs, ray=ray_address(ray), decks=decks, against=against, seed=seed)
    except KeyboardInterrupt:
        print("\nstopped; run the same command again to continue", file=sys.stderr)
        raise
    print_results(dict(results.figures), output_console())
    print(f"Every game is a record in {results.path / 'games'}; the figures are in {results.path / 'results.json'}.")
    return 0
