"""Pieces of the observation, see `thurn_env.games.observation_table`.

Everything is seen from one seat: where a piece has a row per player, the seat's own row comes first, then the others
clockwise. The vector holds all public information with perfect recall, the seat's own hand and its own tickets; values
are in [-1, 1].
"""

from math import ceil
from types import MappingProxyType

from thurn_env.games.observation_table import ROUND_BOUND, Axis, ObservationTable, Piece
from thurn_env.games.zug_um_zug_deutschland.rules.names import MAX_PLAYERS
from thurn_env.games.zug_um_zug_deutschland.rules.phases import PHASES
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks


def axes(tracks: Tracks, players: int) -> dict[str, Axis]:
    """Return the axes of pieces. Claims and tickets describe two places, so they have no single place."""
    board = tracks.board
    places = len(board.places)
    return {
        "players": Axis(players),
        "others": Axis(players - 1),
        "kinds": Axis(len(board.colours) + 1),
        "places": Axis(places, range(places)),
        "passenger_colours": Axis(len(board.passenger_colours)),
        "claims": Axis(len(tracks.claims)),
        "tickets": Axis(len(board.tickets)),
        "piles": Axis(2),
        "phases": Axis(len(PHASES)),
    }


def _copies(tracks: Tracks) -> int:
    return max(tracks.board.constants.cards_per_colour, tracks.board.constants.locomotives)


def _cards(tracks: Tracks) -> int:
    return tracks.board.cards


def _display(tracks: Tracks) -> int:
    return tracks.board.constants.display_size


def _trains(tracks: Tracks) -> int:
    return tracks.board.constants.trains_per_player


def _track_points(tracks: Tracks) -> int:
    """Return an upper bound of the points for tracks."""
    rate = max(points / length for length, points in enumerate(tracks.board.constants.track_points, 1))
    return max(1, ceil(rate * tracks.board.constants.trains_per_player))


def _passenger_points(tracks: Tracks) -> int:
    return max(1, len(tracks.board.passenger_colours) * tracks.board.constants.most_passengers)


def _waiting(tracks: Tracks) -> int:
    return max(1, *(place.passengers for place in tracks.board.places))


def _passengers(tracks: Tracks) -> int:
    return max(1, tracks.board.constants.passengers_per_colour)


def _pile(tracks: Tracks) -> int:
    return max(len(tracks.board.short_tickets), len(tracks.board.long_tickets))


def _drawn(tracks: Tracks) -> int:
    return tracks.board.constants.tickets_drawn


PIECES: tuple[Piece[Tracks], ...] = (
    Piece("phase", ("phases",), 1, "kind of decision, one-hot: " + ", ".join(PHASES)),
    Piece("setting_up", (), 1, "1 while the first tickets are chosen"),
    Piece("to_move", ("players",), 1, "whose decision it is, one-hot"),
    Piece("start_player", ("players",), 1, "who plays first in a round, one-hot"),
    Piece("round", (), ROUND_BOUND, "full rounds played; 1 from the 100th on"),
    Piece("ending", (), 1, "1 once the end has begun: every player has one more turn"),
    Piece("last_turns", (), MAX_PLAYERS, "turns left once the end has begun, the present one included"),
    Piece("deck_size", (), _cards, "cards in the deck"),
    Piece("display", ("kinds",), _display, "face-up cards by kind"),
    Piece("discard", ("kinds",), _copies, "cards on the discard pile by kind"),
    Piece("unseen", ("kinds",), _copies, "cards by kind that lie in the deck or were drawn unseen by other players"),
    Piece("hand", ("kinds",), _copies, "own hand by kind"),
    Piece("known", ("others", "kinds"), _copies, "cards in the other hands that were taken face up"),
    Piece("unknown", ("others",), _cards, "number of cards in the other hands that were drawn unseen"),
    Piece("hand_size", ("players",), _cards, "cards in every hand"),
    Piece("trains", ("players",), _trains, "trains left"),
    Piece("points", ("players",), _track_points, "points for tracks"),
    Piece("passenger_points", ("players",), _passenger_points, "points for passengers as they stand"),
    Piece("passengers", ("players", "passenger_colours"), _passengers, "passengers taken"),
    Piece("waiting", ("places", "passenger_colours"), _waiting, "passengers that wait in every place"),
    Piece("claimed", ("players", "claims"), 1, "1 where the player has a track"),
    Piece("open", ("claims",), 1, "1 for what the agent may still claim, cards and trains apart"),
    Piece("claim", ("claims",), 1, "the claim that is being paid for, one-hot"),
    Piece("paying", ("kinds",), 1, "the colour that pays for it, one-hot, once it is known"),
    Piece("asked", ("places",), 1, "the end of the track whose passengers are asked for, one-hot"),
    Piece("pile_size", ("piles",), _pile, "tickets in the short and in the long pile"),
    Piece("ticket_count", ("players", "piles"), _pile, "short and long tickets kept"),
    Piece("tickets", ("tickets",), 1, "own tickets: 1 for those completed, -1 for the others"),
    Piece(
        "offered", ("tickets",), 2, "own tickets just drawn: 1 for the one that is asked for, 1/2 for those after it"
    ),
    Piece("kept", (), _drawn, "how many of those drawn with them are kept already"),
    Piece("returned", ("tickets",), 1, "tickets that the agent has returned"),
)


def observation_table(tracks: Tracks, players: int) -> ObservationTable[Tracks]:
    """Return the observation of a board and a number of players."""
    return ObservationTable(PIECES, MappingProxyType(axes(tracks, players)), tracks)
