"""Who triggered the end, see `thurn_env.games.show.ending`."""

from __future__ import annotations

from thurn_env.games.contract import Records
from thurn_env.games.show.ending import Ending
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules


def ending(rules: BoundRules, states: Records, index: int) -> Ending | None:
    """Return the player who ended a turn with few trains (G13)."""
    state = states[index]
    if not state["ending"]:
        return None
    trains = state["trains"].tolist()
    left = min(trains)
    return Ending(trains.index(left), f"ended a turn with {left} train{'' if left == 1 else 's'} left")
