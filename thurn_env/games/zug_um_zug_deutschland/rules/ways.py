"""How ways for tickets follow from the observation."""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import RulesRecord
from thurn_env.engine.way_rules import Ways
from thurn_env.games.observation_table import ObservationTable


def ways_of(
    rules: RulesRecord, observation: ObservationTable[Any], per_claim: float, per_point: float, per_card: float
) -> Ways:
    """Return how ways follow from the observation; tracks have the price that they have for `heuristic`.

    Args:
        rules: record of the rules.
        observation: the observation.
        per_claim, per_point, per_card: weights of the price, see `price_claims` of the bots.
    """

    def indices(piece: str) -> Any:
        place = observation.slices[piece]
        return np.arange(place.start, place.stop)

    def whole(field: str) -> Any:
        return rules[field].astype(np.int64)

    lengths = whole("claim_length")
    points = rules["track_points"][lengths]
    return Ways(
        claimed=indices("claimed")[: len(lengths)].copy(),
        open=indices("open"),
        held=indices("tickets"),
        offered=indices("offered"),
        hand=indices("hand"),
        trains=indices("trains")[:1].copy(),
        counts=np.array([observation.bounds["hand"], observation.bounds["trains"]], np.float32),
        price=lengths + per_claim - per_point * points,
        card=np.array([per_card]),
        claim_length=lengths,
        claim_colour=whole("claim_colour"),
        claim_nodes=whole("claim_nodes"),
        node_place=whole("node_place"),
        ticket_nodes=whole("ticket_nodes"),
        ticket_points=rules["ticket_points"].astype(np.float32),
        ticket_order=np.argsort(-whole("ticket_points"), kind="stable"),
    )
