"""Families of actions, see `thurn_env.games.action_table`."""

from thurn_env.games.action_table import ActionTable, Family
from thurn_env.games.thurn_und_taxis.rules.variant import Variant, with_carriages, with_horses


def _cards(variant: Variant) -> tuple[str, ...]:
    return variant.kind_names


def _cities(variant: Variant) -> tuple[str, ...]:
    return tuple(city.name for city in variant.board.cities)


def _provinces(variant: Variant) -> tuple[str, ...]:
    return tuple(province.name for province in variant.board.provinces)


FAMILIES: tuple[Family[Variant], ...] = (
    Family(
        "take", _cards, "take this card from the display; as a second card: with the postmaster (R1, R5)", axis="kinds"
    ),
    Family("draw", None, "draw the deck's top card unseen; as a second card: with the postmaster (R1, R5)"),
    Family("administrator", None, "have the whole display replaced before the first card (R7)"),
    Family("left", _cards, "lay this card at the left end of the route (R11, R13)", axis="kinds"),
    Family("right", _cards, "lay this card at the right end of the route (R11, R13)", axis="kinds"),
    Family("start", _cards, "start a new route with this card; an old route is discarded (R12)", axis="kinds"),
    Family(
        "harness", _cards, "turn this card over onto the carriage as horses (H2, H3)", only=with_horses, axis="kinds"
    ),
    Family("end", None, "end the turn and keep the route (R3)"),
    Family("close", None, "close the route: houses, tiles, carriage, discard (R15)"),
    Family("spread", None, "one house in every province of the route (R16)"),
    Family("fill", _provinces, "a house in every route city of this province (R16)"),
    Family("house", _cities, "this city gets the house (R18, R19)", axis="cities"),
    Family("leave", None, "leave this placement out; only with the option optional_houses (R18)"),
    Family("cartwright", None, "take the next carriage although the route is too short (R25)", only=with_carriages),
    Family("decline", None, "do without the cartwright (R25)", only=with_carriages),
    Family("discard", _cards, "discard this card; asked until the hand limit is met (R26)", axis="kinds"),
)


def action_table(variant: Variant) -> ActionTable[Variant]:
    """Return the action space of a variant."""
    return ActionTable(FAMILIES, variant)
