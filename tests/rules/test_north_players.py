"""The north board and the horses with every number of players, against the oracle.

Plain Python plays the numbers that the compiled comparison in `tests/test_oracle_agreement.py` leaves out.
"""

from __future__ import annotations

import pytest

from tests.test_oracle_agreement import compare
from tests.variants import board_and_options
from thurn_env import make_rules
from thurn_env.players.match import play_scripted


@pytest.mark.parametrize(("variant", "players"), [("north", 4), ("north with horses", 3)])
def test_n5_h6_whole_games_with_every_number_of_players(variant: str, players: int) -> None:
    """N5, H6: the rest is as in the base game, for two to four players."""
    board, options = board_and_options(variant)
    rules = make_rules("thurn_und_taxis", players, board, max_rounds=60, **options)
    decisions = 0
    for seed, bot in enumerate(("greedy", "sensible-random")):
        decisions += compare(play_scripted(rules, [bot] * players, seed))["decisions"]
    assert decisions > 500
