"""`thurn tune`: tune the weights of the heuristic in games against its current weights.

thurn tune --board south --players 2 --out runs/tune
"""

from __future__ import annotations

import sys

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.training.tune import RESULT, TuningConfig, tune

PROGRAM = "thurn tune"


def run(command: list[str]) -> int:
    """Tune the weights and print them before and after."""
    config = call(TuningConfig, command, PROGRAM)
    try:
        result = tune(config, command_line(PROGRAM, command))
    except KeyboardInterrupt:
        print("\nstopped; the same command continues after the last finished generation", file=sys.stderr)
        raise
    for name, value in result["weights"].items():
        print(f"{name:22} {result['before'][name]:8g} {value:8g}")
    for name, value in result["style"].items():
        print(f"{name}: {value:.3g} in a game")
    low, high = result["interval"]
    print(
        f"{result['wins']:.1%} win rate against the previous weights, over all seats "
        f"(95 % interval {low:.1%} to {high:.1%}; {result['decks']:,} held-out decks; "
        f"{1 / config.players:.0%} means equal strength): {config.out / RESULT}"
    )
    return 0


main = program(PROGRAM, run)
