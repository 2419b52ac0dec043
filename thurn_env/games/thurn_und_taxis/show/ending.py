"""Who triggered the end, see `thurn_env.games.show.ending`."""

from __future__ import annotations

from thurn_env.games.contract import Records
from thurn_env.games.show.ending import Ending
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules


def ending(rules: BoundRules, states: Records, index: int) -> Ending | None:
    """Return the owner of the game-end tile, who placed the last house or took the highest carriage (R27)."""
    state = states[index]
    holder = int(state["holder"])
    if holder < 0:
        return None
    highest = bool(rules.board.carriages) and state["carriage"][holder] == len(rules.board.carriages)
    ways = [
        *(["took the highest carriage"] if highest and not rules.variant.horses else []),
        *(["placed the last house"] if state["houses_left"][holder] == 0 else []),
    ]
    return Ending(holder, " and ".join(ways))
