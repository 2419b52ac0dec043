"""Cheapest ways over tracks between the ends of tickets, for bots and as inputs of networks.

A network learns slowly from examples which tracks its tickets still need, so the network `ways` gets that beside the
observation. The functions take `tracks`, which has the fields `claim_length`, `claim_nodes`, `node_place` and
`ticket_nodes`: the rules record of a game, or `Ways`.
"""

from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from thurn_env.engine.kernels import (
    Float32Array,
    Float64Array,
    Int64Array,
    States,
    inlined_rule,
    int64,
    kernel,
    new_records,
    rule,
)

FAR: Final = 1e6
"""Length of a way that does not exist, and price of a track that is not available."""
MOST_CLAIMS: Final = 256
"""Maximum number of tracks that can be claimed."""
MOST_NODES: Final = 128
"""Maximum number of nodes that tracks join."""

PLAN_FIELDS: Final = (
    ("price", np.float64, (MOST_CLAIMS,)),  # by claim: 0 if it is owned or planned already
    ("owned", np.int8, (MOST_CLAIMS,)),  # by claim: 1 if it is owned
    ("danger", np.float64, (MOST_CLAIMS,)),  # by claim: the swing of the tickets whose planned ways lead over it
    ("stake", np.float64, (MOST_CLAIMS,)),  # by claim: its share of that swing by the trains that the ways lack
    ("distance", np.float64, (MOST_NODES,)),  # by node: from the start of the ticket looked at
    ("reached_by", np.int16, (MOST_NODES,)),  # by node: the claim that leads there; -1 at the start
    ("trains", np.int64),  # that the planned ways need
    ("claims", np.int64),  # tracks that they need
)
"""What a plan consists of."""
WAY_PLAN = np.dtype([*PLAN_FIELDS], align=True)
Tracks = Any
"""A record or a tuple with the facts about tracks and tickets."""
WayPlan = Any
"""One record with `PLAN_FIELDS`."""


@rule
def find_way(tracks: Tracks, plan: WayPlan, ticket: int) -> int:
    """Find the cheapest way between the ends of a ticket; return its last node, from which it can be followed back.

    Its price is the distance of that node. Terminals of countries have one track only, so no way leads through them.
    """
    for node in range(tracks.node_place.shape[0]):
        plan.distance[node] = FAR
        plan.reached_by[node] = -1
    for number in range(tracks.ticket_nodes.shape[2]):
        node = tracks.ticket_nodes[ticket, 0, number]
        if node >= 0:
            plan.distance[node] = 0.0
    changed = True
    while changed:
        changed = False
        for claim in range(tracks.claim_length.shape[0]):
            price = plan.price[claim]
            first, second = tracks.claim_nodes[claim, 0], tracks.claim_nodes[claim, 1]
            if plan.distance[first] + price < plan.distance[second]:
                plan.distance[second] = plan.distance[first] + price
                plan.reached_by[second] = claim
                changed = True
            elif plan.distance[second] + price < plan.distance[first]:
                plan.distance[first] = plan.distance[second] + price
                plan.reached_by[first] = claim
                changed = True
    goal = int64(tracks.ticket_nodes[ticket, 1, 0])
    for number in range(tracks.ticket_nodes.shape[2]):
        node = int64(tracks.ticket_nodes[ticket, 1, number])
        if node >= 0 and plan.distance[node] < plan.distance[goal]:
            goal = node
    return goal


@inlined_rule
def node_before(tracks: Tracks, plan: WayPlan, node: int) -> int:
    """Return the node before this one on the way."""
    claim = plan.reached_by[node]
    first = int64(tracks.claim_nodes[claim, 0])
    return int64(tracks.claim_nodes[claim, 1]) if first == node else first


@rule
def trains_of_way(tracks: Tracks, plan: WayPlan, goal: int) -> int:
    """Return the number of trains for the tracks of a way that are neither owned nor planned."""
    trains = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claim = plan.reached_by[node]
        if plan.price[claim] > 0.0:
            trains += int64(tracks.claim_length[claim])
        node = node_before(tracks, plan, node)
    return trains


@rule
def claims_of_way(tracks: Tracks, plan: WayPlan, goal: int) -> int:
    """Return the number of tracks of a way that are neither owned nor planned."""
    claims = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claims += plan.price[plan.reached_by[node]] > 0.0
        node = node_before(tracks, plan, node)
    return claims


@rule
def trains_to_place(tracks: Tracks, plan: WayPlan, goal: int) -> int:
    """Return the number of trains for the tracks of a way that are not owned, including planned ones."""
    trains = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claim = int64(plan.reached_by[node])
        if not plan.owned[claim]:
            trains += int64(tracks.claim_length[claim])
        node = node_before(tracks, plan, node)
    return trains


@rule
def take_way(tracks: Tracks, plan: WayPlan, goal: int, swing: float) -> None:
    """Plan a way: its tracks are wanted, and cost other ways nothing from now on."""
    plan.trains += trains_of_way(tracks, plan, goal)
    plan.claims += claims_of_way(tracks, plan, goal)
    lacking = trains_to_place(tracks, plan, goal)
    node = goal
    while plan.reached_by[node] >= 0:
        claim = int64(plan.reached_by[node])
        if not plan.owned[claim]:
            plan.danger[claim] += swing
            plan.stake[claim] += swing * tracks.claim_length[claim] / lacking
        plan.price[claim] = 0.0
        node = node_before(tracks, plan, node)


class Ways(NamedTuple):
    """How ways follow from an observation: K claims, T tickets, N nodes and C kinds of cards, locomotives last.

    Attributes:
        claimed: int64 (K,), index in the observation of the value that is 1 if the seat owns the claim.
        open: int64 (K,), that is 1 if the seat may still claim it.
        held: int64 (T,), that is negative if the seat has the ticket and has not completed it.
        offered: int64 (T,), that is positive if the seat may keep it.
        hand: int64 (C,), of the seat's cards by kind.
        trains: int64 (1,), of its trains.
        counts: float32 (2,), factors that turn the values for cards and for trains into counts.
        price: float64 (K,), price of a track to a hand without cards.
        card: float64 (1,), reduction for every card that could pay for the track.
        claim_length: int64 (K,).
        claim_colour: int64 (K,), the kind of card that pays; C - 1: any one colour.
        claim_nodes: int64 (K, 2).
        node_place: int64 (N,), the place of every node.
        ticket_nodes: int64 (T, 2, M), nodes of both ends; -1 after the last.
        ticket_points: float32 (T,).
        ticket_order: int64 (T,), the tickets by points, the most valuable first.
    """

    claimed: Int64Array
    open: Int64Array
    held: Int64Array
    offered: Int64Array
    hand: Int64Array
    trains: Int64Array
    counts: Float32Array
    price: Float64Array
    card: Float64Array
    claim_length: Int64Array
    claim_colour: Int64Array
    claim_nodes: Int64Array
    node_place: Int64Array
    ticket_nodes: np.ndarray[Any, np.dtype[np.int64]]
    ticket_points: Float32Array
    ticket_order: Int64Array


AXES = MappingProxyType(
    {
        **dict.fromkeys(("stake", "danger", "missing"), "claims"),
        **dict.fromkeys(("trains", "claims", "closed"), "tickets"),
        "pull": "kinds",
        **dict.fromkeys(("planned_trains", "spare_trains", "planned_claims"), ""),
    }
)
"""Pieces that `write_ways` writes, in order, with the axis that each runs over; empty for a single value."""


def sizes(ways: Ways) -> dict[str, int]:
    """Return the number of values of every piece that `write_ways` writes, in order."""
    lengths = {"claims": len(ways.claimed), "tickets": len(ways.held), "kinds": len(ways.hand), "": 1}
    return {piece: lengths[axis] for piece, axis in AXES.items()}


DTYPES = MappingProxyType({"counts": np.float32, "ticket_points": np.float32, "price": np.float64, "card": np.float64})
"""Types of the fields of `Ways`; those left out are int64."""


def no_ways() -> Ways:
    """Return the ways of a network without them: no claims, tickets and cards."""
    shapes = {"claim_nodes": (0, 2), "ticket_nodes": (0, 2, 1), "trains": (1,), "counts": (2,), "card": (1,)}
    return Ways(**{name: np.zeros(shapes.get(name, (0,)), DTYPES.get(name, np.int64)) for name in Ways._fields})


def new_way_plan() -> States:
    """Return a buffer for one plan, as an array of shape (1,)."""
    return new_records(1, WAY_PLAN)


@inlined_rule
def count_at(view: Float32Array, index: int, factor: float) -> int:
    """Return the count that a value of the observation stands for."""
    return int64(view[index] * factor + 0.5)


@rule
def cards_of_colour(ways: Ways, view: Float32Array, kind: int) -> int:
    """Return the number of cards that could pay for a track of this colour, without locomotives."""
    grey = ways.hand.shape[0] - 1
    if kind < grey:
        return count_at(view, ways.hand[kind], ways.counts[0])
    return count_at(view, ways.hand[most_held(ways, view)], ways.counts[0])


@rule
def most_held(ways: Ways, view: Float32Array) -> int:
    """Return the colour that the hand has most cards of."""
    found = 0
    for kind in range(1, ways.hand.shape[0] - 1):
        if view[ways.hand[kind]] > view[ways.hand[found]]:
            found = kind
    return found


@rule
def price_tracks(ways: Ways, view: Float32Array, trains: int, plan: WayPlan, missing: Float32Array) -> None:
    """Price every track with nothing planned yet, and write the cards that the hand lacks for every open one."""
    locomotives = count_at(view, ways.hand[ways.hand.shape[0] - 1], ways.counts[0])
    for claim in range(ways.claimed.shape[0]):
        plan.danger[claim] = 0.0
        plan.stake[claim] = 0.0
        plan.owned[claim] = 1 if view[ways.claimed[claim]] > 0.5 else 0
        plan.price[claim] = 0.0 if plan.owned[claim] else FAR
        if plan.owned[claim] or view[ways.open[claim]] < 0.5:
            continue
        length = ways.claim_length[claim]
        cards = cards_of_colour(ways, view, ways.claim_colour[claim])
        missing[claim] = max(0, length - cards - locomotives)
        if length <= trains:
            plan.price[claim] = max(0.1, ways.price[claim] - ways.card[0] * min(length, cards))
    plan.trains = 0
    plan.claims = 0


@rule
def plan_held(
    ways: Ways, view: Float32Array, trains: int, plan: WayPlan, lacking: Float32Array, closed: Float32Array
) -> None:
    """Plan ways for the held tickets, the most valuable first, as far as the trains suffice."""
    tickets = ways.held.shape[0]
    for place in range(tickets):
        ticket = ways.ticket_order[place]
        if view[ways.held[ticket]] >= 0.0:
            continue
        goal = appraise_ticket(ways, trains, plan, ticket, lacking, closed)
        if closed[ticket] == 0.0:
            take_way(ways, plan, goal, 2.0 * ways.ticket_points[ticket])


@rule
def appraise_ticket(
    ways: Ways, trains: int, plan: WayPlan, ticket: int, lacking: Float32Array, closed: Float32Array
) -> int:
    """Write what a ticket needs beyond the plan; return the last node of its way.

    Args:
        lacking: float32 (2 T,), trains, then tracks; are written.
        closed: float32 (T,), 1 if there is no way, or if trains do not suffice for it and the plan; is written.
    """
    goal = find_way(ways, plan, ticket)
    if plan.distance[goal] >= FAR:
        closed[ticket] = 1.0
        return goal
    needed = trains_of_way(ways, plan, goal)
    lacking[ticket] = needed
    lacking[ways.held.shape[0] + ticket] = claims_of_way(ways, plan, goal)
    closed[ticket] = 1.0 if plan.trains + needed > trains else 0.0
    return goal


@rule
def write_pull(ways: Ways, view: Float32Array, plan: WayPlan, missing: Float32Array, pull: Float32Array) -> None:
    """Write for every kind of card the largest stake per card of the tracks that lack such cards."""
    last = ways.hand.shape[0] - 1
    for claim in range(ways.claimed.shape[0]):
        if missing[claim] == 0.0 or plan.stake[claim] == 0.0:
            continue
        worth = np.float32(plan.stake[claim] / (ways.claim_length[claim] + missing[claim]))
        kind = ways.claim_colour[claim]
        if kind == last:
            kind = most_held(ways, view)
        pull[kind] = max(pull[kind], worth)
        pull[last] = max(pull[last], worth)


@rule
def write_ways(ways: Ways, view: Float32Array, plan: WayPlan, out: Float32Array) -> None:
    """Write what a seat's tickets need, as it sees the game.

    Args:
        ways: how that follows from the observation.
        view: float32 (O,), the observation.
        plan: buffer.
        out: float32 (3 K + 3 T + C + 3,), is written. By claim: its stake and its danger, see `PLAN_FIELDS`, and the
            cards that the hand lacks for it. By ticket, held or offered: trains and tracks that it lacks, and 1 if it
            cannot be completed. By kind of card: its pull, see `write_pull`. Last the trains that the planned ways
            need, the trains beyond, and the tracks that they need.
    """
    for place in range(out.shape[0]):
        out[place] = 0.0
    claims, tickets = ways.claimed.shape[0], ways.held.shape[0]
    first_ticket = 3 * claims
    first_kind = first_ticket + 3 * tickets
    last = first_kind + ways.hand.shape[0]
    missing = out[2 * claims : first_ticket]
    lacking, closed = out[first_ticket : first_ticket + 2 * tickets], out[first_ticket + 2 * tickets : first_kind]
    trains = count_at(view, ways.trains[0], ways.counts[1])
    price_tracks(ways, view, trains, plan, missing)
    plan_held(ways, view, trains, plan, lacking, closed)
    for ticket in range(tickets):
        if view[ways.offered[ticket]] > 0.0:
            appraise_ticket(ways, trains, plan, ticket, lacking, closed)
    for claim in range(claims):
        out[claim] = plan.stake[claim]
        out[claims + claim] = plan.danger[claim]
    write_pull(ways, view, plan, missing, out[first_kind:last])
    out[last] = plan.trains
    out[last + 1] = trains - plan.trains
    out[last + 2] = plan.claims


@kernel
def write_all_ways(ways: Ways, views: Float32Array, plans: States, out: Float32Array) -> None:
    """Call `write_ways` for many views: float32 (N, O); `plans` is a buffer for one plan."""
    for row in range(views.shape[0]):
        write_ways(ways, views[row], plans[0], out[row])
