"""Lines of the index of a tournament: what they must hold, since files may be damaged or edited."""

from __future__ import annotations

from typing import Any

from thurn_env.checks import finite, whole
from thurn_env.tournament.config import Config

NOTED = {"deck", "rotation", "agents", "start_player", "scores", "ranks", "rounds", "moves", "breakdown", "forfeit"}
"""What every line has."""


def is_line(line: Any, config: Config) -> bool:
    """Return whether a line can be one of the tournament with this configuration."""
    if not isinstance(line, dict) or not line.keys() >= NOTED:
        return False
    by_seat = [line[name] for name in ("agents", "scores", "ranks", "breakdown")]
    if not all(isinstance(values, list) and len(values) == config.players for values in by_seat):
        return False
    agents, scores, ranks, breakdown = by_seat
    counts = [whole(line[name]) for name in ("deck", "start_player", "rounds", "moves")]
    if None in counts or not all(isinstance(name, str) for name in agents):
        return False
    if None in [*map(whole, ranks), *map(finite, scores)] or not all(isinstance(points, dict) for points in breakdown):
        return False
    return (
        line["deck"] in range(config.first_deck, config.first_deck + config.decks)
        and line["start_player"] in range(config.players)
        and set(agents) <= set(config.names)
        and min(ranks) == 1
        and max(ranks) <= config.players
        and min(line["rounds"], line["moves"]) >= 0
        and _is_forfeit(line["forfeit"], config)
    )


def _is_forfeit(forfeit: Any, config: Config) -> bool:
    """Return whether there is no forfeit, or one of an agent of the tournament."""
    if forfeit is None:
        return True
    return isinstance(forfeit, dict) and forfeit.get("agent") in config.names and "reason" in forfeit
