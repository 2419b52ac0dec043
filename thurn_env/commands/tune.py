"""`thurn tune`: tune the weights of the heuristic in games against its current weights.

thurn tune --board south --players 2 --out runs/tune
"""

from __future__ import annotations

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.training.tune import RESULT, TuningConfig, tune

PROGRAM = "thurn tune"


def run(command: list[str]) -> int:
    """Tune the weights and print them before and after."""
    config = call(TuningConfig, command, PROGRAM)
    result = tune(config, command_line(PROGRAM, command))
    for name, value in result["weights"].items():
        print(f"{name:22} {result['before'][name]:8g} {value:8g}")
    low, high = result["interval"]
    print(
        f"{result['wins']:.1%} of its games are won against the weights as they were, each seat in turn "
        f"(95 % {low:.1%} to {high:.1%}; {result['decks']:,} decks not used before; "
        f"{1 / config.players:.0%} would be no change): {config.out / RESULT}"
    )
    return 0


main = program(PROGRAM, run)
