"""Pieces of the observation, see `thurn_env.games.observation_table`.

Everything is seen from one seat: where a piece has a row per player, the seat's own row comes first, then the others
clockwise. The vector holds all public information with perfect recall, and the seat's own hand; values are in [-1, 1].
"""

from types import MappingProxyType

from thurn_env.games.observation_table import ROUND_BOUND, Axis, ObservationTable, Piece
from thurn_env.games.thurn_und_taxis.rules.phases import PHASES
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks
from thurn_env.games.thurn_und_taxis.rules.variant import Variant, with_carriages, with_horses


def axes(variant: Variant, players: int) -> dict[str, Axis]:
    """Return the axes of pieces. A card's place is its city."""
    cities = len(variant.board.cities)
    return {
        "players": Axis(players),
        "others": Axis(players - 1),
        "kinds": Axis(len(variant.kinds), tuple(kind.city for kind in variant.kinds)),
        "cities": Axis(cities, range(cities)),
        "stacks": Axis(len(variant.board.stacks)),
        "horse_values": Axis(variant.horses_on_best_card),
        "phases": Axis(len(PHASES)),
    }


def _copies(variant: Variant) -> int:
    return variant.most_copies


def _cards(variant: Variant) -> int:
    return variant.cards


def _cities(variant: Variant) -> int:
    return len(variant.board.cities)


def _houses(variant: Variant) -> int:
    return variant.board.houses_per_player


def _carriages(variant: Variant) -> int:
    return len(variant.board.carriages)


def _tiles(variant: Variant) -> int:
    return max(len(stack.values) for stack in variant.board.stacks)


def _tile_value(variant: Variant) -> int:
    return max(1, *(max(stack.values) for stack in variant.board.stacks))


def _score(variant: Variant) -> int:
    best = variant.board.carriages[-1].points + sum(sum(stack.values) for stack in variant.board.stacks)
    return max(variant.board.houses_per_player, best)


def _horses(variant: Variant) -> int:
    return max(1, variant.horses_on_fullest_carriage)


def _stack_value(variant: Variant) -> str:
    stacks = ", ".join(stack.name for stack in ordered_stacks(variant.board))
    return f"value of the top tile of every stack; 0 if empty ({stacks})"


PIECES: tuple[Piece[Variant], ...] = (
    Piece("phase", ("phases",), 1, "kind of decision, one-hot: " + ", ".join(PHASES)),
    Piece("to_move", ("players",), 1, "whose decision it is, one-hot"),
    Piece("start_player", ("players",), 1, "who plays first in a round, one-hot"),
    Piece("round", (), ROUND_BOUND, "full rounds played; 1 from the 100th on"),
    Piece("turns_left", (), 4, "turns left in this round, the present one included"),
    Piece("final_round", (), 1, "1 once the end is triggered: the round is only finished"),
    Piece("drawn", (), 2, "cards drawn in this turn"),
    Piece("official_used", (), 1, "1 if no official may help any more in this turn"),
    Piece("forced_postmaster", (), 1, "1 if the hand was empty at the start of the turn"),
    Piece("deck_size", (), _cards, "cards in the deck"),
    Piece("display", ("kinds",), _copies, "face-up cards by kind"),
    Piece("discard", ("kinds",), _copies, "cards on the discard pile by kind"),
    Piece("unseen", ("kinds",), _copies, "cards by kind that lie in the deck or were drawn unseen by other players"),
    Piece("hand", ("kinds",), _copies, "own hand by kind"),
    Piece("known", ("others", "kinds"), _copies, "cards in the other hands that were taken face up"),
    Piece("unknown", ("others",), _cards, "number of cards in the other hands that were drawn unseen"),
    Piece(
        "unseen_horses",
        ("others", "horse_values"),
        _cards,
        "of the cards drawn unseen, those with 1, 2 ... horses on their backs; 0 without the option open_backs",
        only=with_horses,
    ),
    Piece(
        "top_horses",
        ("horse_values",),
        1,
        "horses on the back of the deck's top card, 1, 2 ..., one-hot; 0 without the option open_backs",
        only=with_horses,
    ),
    Piece("hand_size", ("players",), _cards, "cards in every hand"),
    Piece("route", ("players", "cities"), 1, "1 for the cities of every route"),
    Piece("route_ends", ("players", "cities"), 1, "-1 at the left end, 1 at the right end; 1 for a single city"),
    Piece("route_length", ("players",), _cities, "cities in every route"),
    Piece("houses", ("players", "cities"), 1, "1 where the player has a house"),
    Piece("houses_left", ("players",), _houses, "houses not placed"),
    Piece("carriage", ("players",), _carriages, "carriages taken", only=with_carriages),
    Piece("horses", ("players",), _horses, "horses of every carriage, its own included", only=with_horses),
    Piece("harnessed", ("players", "kinds"), _copies, "cards on every carriage by kind", only=with_horses),
    Piece("tiles", ("players", "stacks"), _tiles, "tiles taken from every stack"),
    Piece("score", ("players",), _score, "the score if the game ended now"),
    Piece("stack_value", ("stacks",), _tile_value, _stack_value),
    Piece("stack_size", ("stacks",), _tiles, "tiles left in every stack"),
    Piece("pending", ("cities",), 1, "cities that may still get a house in the closing under way"),
    Piece("asked", ("cities",), 1, "cities offered by the current decision"),
)


def observation_table(variant: Variant, players: int) -> ObservationTable[Variant]:
    """Return the observation of a variant and a number of players."""
    return ObservationTable(PIECES, MappingProxyType(axes(variant, players)), variant)
