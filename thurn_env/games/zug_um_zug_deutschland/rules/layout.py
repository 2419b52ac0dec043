"""The two record types of the kernels: the rules of a game (constant) and the state of a game.

Array sizes come from the board and the number of players, so each combination has its own dtypes. Sets of claims and of
tickets are rows of integers (see `rows`). A kind of card is the index of its colour in the board's list; the next index
stands for locomotives, and as a colour for grey tracks. Tickets are numbered as in `Board.tickets`; pile 0 holds the
short ones, pile 1 the long ones.
"""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import new_records
from thurn_env.engine.read_only import sealed
from thurn_env.games.zug_um_zug_deutschland.rules.actions import action_table
from thurn_env.games.zug_um_zug_deutschland.rules.names import GREY
from thurn_env.games.zug_um_zug_deutschland.rules.observation import observation_table
from thurn_env.games.zug_um_zug_deutschland.rules.options import Options
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, words_for
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks

Records = np.ndarray[Any, Any]

CONSTANTS = (
    "trains_per_player",
    "first_hand",
    "most_locomotives",
    "tickets_drawn",
    "least_kept_first",
    "least_kept",
    "globetrotter",
    "most_passengers",
    "second_most_passengers",
    "last_trains",
)
"""Constants of the board that the rules record holds under the same names."""


def rules_dtype(tracks: Tracks, players: int) -> np.dtype[Any]:
    """Return the dtype of the constant record: board facts, options and the starts of the action blocks."""
    board = tracks.board
    claims, tickets = len(tracks.claims), len(board.tickets)
    longest = max(pair.length for pair in board.pairs)
    most_nodes = max(len(tracks.nodes_of(place)) for place in range(len(board.places)))
    return np.dtype(
        [
            # Sets of claims: by colour and number of cards those that these cards pay; by claim those of its pair.
            ("payable", np.int64, (len(board.colours) + 1, longest + 1, words_for(claims))),
            ("same_pair", np.int64, (claims, words_for(claims))),
            ("pile_tickets", np.int64, (2, words_for(tickets))),
            ("max_rounds", np.int32),
            *((name, np.int16) for name in CONSTANTS),
            ("one_track_only", np.int8),  # whether the first claim closes the other tracks of the pair (G11)
            ("copies", np.int8, (len(board.colours) + 1,)),
            ("track_points", np.int16, (longest + 1,)),
            ("claim_colour", np.int8, (claims,)),
            ("claim_length", np.int8, (claims,)),
            ("claim_tracks", np.int8, (claims,)),
            ("claim_places", np.int8, (claims, 2)),
            ("claim_nodes", np.int8, (claims, 2)),
            ("node_place", np.int8, (len(tracks.nodes),)),
            ("ticket_points", np.int8, (tickets,)),
            ("ticket_pile", np.int8, (tickets,)),
            ("ticket_nodes", np.int8, (tickets, 2, most_nodes)),  # by end; -1 after the last
            ("passengers_per_colour", np.int8),
            ("waiting", np.int8, (len(board.places),)),  # passengers at the start
            # Starts of the action blocks and observation pieces, and factors of the observation values.
            *action_table(tracks).fields(),
            *observation_table(tracks, players).fields(),
        ],
        align=True,
    )


def rules_records(tracks: Tracks, players: int, options: Options) -> Records:
    """Return the constant record, as a read-only array of shape (1,)."""
    board = tracks.board
    records = new_records(1, rules_dtype(tracks, players))
    rules = records[0]
    for name in CONSTANTS:
        rules[name] = getattr(board.constants, name)
    rules["max_rounds"] = options.max_rounds
    rules["one_track_only"] = players < board.constants.all_tracks_from
    rules["copies"] = [board.constants.cards_per_colour] * len(board.colours) + [board.constants.locomotives]
    lengths = len(rules["track_points"]) - 1
    rules["track_points"][1:] = board.constants.track_points[:lengths]
    kinds = {colour: kind for kind, colour in enumerate((*board.colours, GREY))}
    rules["node_place"] = [place for place, _ in tracks.nodes]
    for number, claim in enumerate(tracks.claims):
        pair = board.pairs[claim.pair]
        colour = kinds[claim.colour]
        places = [board.place_index(end) for end in pair.ends]
        rules["claim_colour"][number] = colour
        rules["claim_length"][number] = pair.length
        rules["claim_tracks"][number] = claim.tracks
        rules["claim_places"][number] = places
        rules["claim_nodes"][number] = [tracks.node(place, claim.pair) for place in places]
        for cards in range(pair.length, lengths + 1):
            _add(rules["payable"][colour, cards], number)
        for other, also in enumerate(tracks.claims):
            if also.pair == claim.pair:
                _add(rules["same_pair"][number], other)
    rules["ticket_nodes"] = -1
    for number, ticket in enumerate(board.tickets):
        pile = number >= len(board.short_tickets)
        rules["ticket_points"][number] = ticket.points
        rules["ticket_pile"][number] = pile
        _add(rules["pile_tickets"][int(pile)], number)
        for end, name in enumerate(ticket.ends):
            nodes = tracks.nodes_of(board.place_index(name))
            rules["ticket_nodes"][number, end, : len(nodes)] = nodes
    rules["passengers_per_colour"] = board.constants.passengers_per_colour
    rules["waiting"] = [place.passengers for place in board.places]
    action_table(tracks).write(rules)
    observation_table(tracks, players).write(rules)
    return sealed(records)


def _add(row: np.ndarray[Any, Any], member: int) -> None:
    """Add a member to a set, in plain Python."""
    row[member // BITS] |= 1 << member % BITS


def state_dtype(tracks: Tracks, players: int) -> np.dtype[Any]:
    """Return the dtype of one game's state. Fields marked hidden are re-dealt in the views of agents."""
    board = tracks.board
    constants = board.constants
    kinds, claims, tickets = len(board.colours) + 1, len(tracks.claims), len(board.tickets)
    pile = max(len(board.short_tickets), len(board.long_tickets))
    return np.dtype(
        [
            # Hidden: the generator of later shuffles, the deck (top card last), other players' cards drawn unseen, the
            # ticket piles (top last) but for what the seat itself put there, the other players' tickets and what
            # depends on them: `done`, `completed`, `ticket_points`, `early`, `returned`.
            ("generator", np.uint64, (1,)),
            # Sets of claims, by seat.
            ("claimed", np.int64, (players, words_for(claims))),
            ("open", np.int64, (players, words_for(claims))),  # what the seat may still claim, cards and trains apart
            # Sets of tickets, by seat.
            ("held", np.int64, (players, words_for(tickets))),
            ("done", np.int64, (players, words_for(tickets))),  # of these, completed
            ("early", np.int64, (players, words_for(tickets))),  # of these, kept in the set-up
            ("returned", np.int64, (players, words_for(tickets))),
            ("rounds", np.int32),
            ("deck_size", np.int16),
            ("shuffled_size", np.int16),  # cards in the deck when it was last shuffled
            ("discard_size", np.int16),
            ("hand_size", np.int16, (players,)),
            ("known_size", np.int16, (players,)),  # cards in hand that were taken face up
            ("trains", np.int16, (players,)),
            ("points", np.int16, (players,)),  # for tracks
            ("ticket_points", np.int16, (players,)),  # completed tickets minus the others
            ("claim", np.int16),  # being paid for, or whose passengers are chosen; -1: none
            ("seat", np.int8),
            ("start_player", np.int8),
            ("phase", np.int8),
            ("due", np.int8),  # pending chance event, see phases
            ("setting_up", np.int8),
            ("drawn", np.int8),  # cards drawn in this turn
            ("ending", np.int8),
            ("last_turns", np.int8),  # turns left once the end has begun, the present one included
            ("truncated", np.int8),
            ("paying", np.int8),  # the kind that pays; -1: not chosen yet
            ("end", np.int8),  # the end of the track whose passengers are chosen
            ("display", np.int8, (constants.display_size,)),  # kinds by slot; -1: empty
            ("hand", np.int8, (players, kinds)),
            ("known", np.int8, (players, kinds)),  # of these, taken face up
            ("discard", np.int8, (kinds,)),
            ("deck", np.int8, (board.cards,)),
            ("network", np.int8, (players, len(tracks.nodes))),  # nodes joined by own tracks have the same number
            ("waiting", np.int8, (len(board.places), len(board.passenger_colours))),
            ("passengers", np.int8, (players, len(board.passenger_colours))),
            ("completed", np.int8, (players,)),  # number of tickets
            ("ticket_count", np.int8, (players, 2)),  # tickets kept, by pile
            ("pile_size", np.int8, (2,)),
            ("pile", np.int8, (2, pile)),
            ("laid_by", np.int8, (2, pile)),  # the seat that put this ticket under its pile and so knows it; -1: none
            ("drawn_count", np.int8),  # tickets drawn at once
            ("decided", np.int8),  # of these, kept or returned
            ("kept", np.int8),  # of these, kept
            ("drawn_tickets", np.int8, (constants.tickets_drawn,)),  # those not decided yet; else -1
        ],
        align=True,
    )
