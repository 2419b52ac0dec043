"""Ways for tickets as inputs of policies, see `thurn_env.engine.way_rules`."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from thurn_env.engine.network_rules import Cities
from thurn_env.engine.way_rules import DTYPES, MOST_CLAIMS, MOST_NODES, Ways, new_way_plan, sizes, write_all_ways
from thurn_env.games.contract import Float32Array

Arrays = TypeVar("Arrays", Cities, Ways)
"""A named tuple of arrays."""


def copied(group: Arrays) -> Arrays:
    """Return a named tuple of copied arrays. Read-only arrays are another type, for which kernels compile again."""
    return group._replace(**{name: array.copy() for name, array in group._asdict().items()})


def ways_from(ways: Ways, observations: Float32Array) -> Float32Array:
    """Return what the tickets need in every position, float32 (N, E), for observations, float32 (N, O)."""
    out = np.empty((len(observations), sum(sizes(ways).values())), np.float32)
    write_all_ways(copied(ways), np.require(observations, np.float32, ["C", "W"]), new_way_plan(), out)
    return out


def inputs_with(ways: Ways, observations: Float32Array) -> Float32Array:
    """Return the inputs of the trunk, float32 (N, O + E): the observations, and what the tickets need."""
    return np.concatenate([observations, ways_from(ways, observations)], axis=1)


def check_ways(ways: Ways, inputs: int) -> None:
    """Raise `ValueError` if ways do not follow from observations of length `inputs`.

    Kernels do not check indices, so those of a file have to be checked before.
    """
    claims, tickets, nodes, kinds = map(len, (ways.claimed, ways.held, ways.node_place, ways.hand))
    terminals = ways.ticket_nodes.shape[-1]
    shapes = {
        **dict.fromkeys(("claimed", "open", "price", "claim_length", "claim_colour"), (claims,)),
        **dict.fromkeys(("held", "offered", "ticket_points", "ticket_order"), (tickets,)),
        **{"trains": (1,), "card": (1,), "counts": (2,), "hand": (kinds,), "node_place": (nodes,)},
        **{"claim_nodes": (claims, 2), "ticket_nodes": (tickets, 2, terminals)},
    }
    for name, array in ways._asdict().items():
        if array.shape != shapes[name] or array.dtype != DTYPES.get(name, np.int64) or not np.isfinite(array).all():
            raise ValueError(f"the ways' {name} has a wrong shape or wrong numbers")
    if not (1 <= claims <= MOST_CLAIMS and tickets and 1 <= nodes <= MOST_NODES and kinds >= 2 and terminals):
        raise ValueError("the ways have too few or too many tracks, tickets or cards")
    bounds = {
        **dict.fromkeys(("claimed", "open", "held", "offered", "hand", "trains"), (0, inputs)),
        **{"claim_length": (1, 1 << 8), "claim_colour": (0, kinds), "claim_nodes": (0, nodes)},
        **{"ticket_nodes": (-1, nodes), "ticket_order": (0, tickets)},
    }
    for name, (least, end) in bounds.items():
        array = getattr(ways, name)
        if array.min() < least or array.max() >= end:
            raise ValueError(f"the ways' {name} has wrong numbers")
    if ways.ticket_nodes[:, :, 0].min() < 0:
        raise ValueError("a ticket of the ways has an end without a node")
