"""What the heuristic bot holds things to be worth, in points."""

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """The parameters of the heuristic bot.

    Attributes:
        pace: trains that a player places in a turn; says how long the game lasts.
        long_first: how many long tickets are drawn in the set-up.
        long_later: how many later.
        way_claim: the price of every track of a way, beside its length.
        way_points: what every point of a track takes off that price.
        way_card: what every card in the hand takes off.
        way_time: turns by which a way may be too long for the time that is left before its ticket is given up.
        keep: what a ticket must gain at least to be kept.
        keep_price: the price of every unit of its way.
        tickets: what drawing tickets is worth.
        tickets_spare: what every train adds that no way needs.
        tickets_busy: what every train takes off that a way still needs.
        stake: the share of a ticket's swing that claiming a track of its way is worth.
        spare_train: the price of every train that a way needs and a track elsewhere takes.
        card: what a card is worth.
        locomotive: what a locomotive is worth beyond a card.
        late: turns before the end from which on cards lose worth.
        room: with fewer cards short of the trains left, cards lose worth.
        pull: the share of a track's worth that each of its cards is worth more.
        pull_stake: the share of its tickets' swing.
        far: how fast that falls with the cards that are missing.
        second: what the second of two cards is worth, as a share.
        passenger_spread: how open the race for the passengers of a colour is.
        passenger_left: how much each that still waits adds to that.
        passengers: what passengers are worth, as a share.
    """

    pace: float
    long_first: float
    long_later: float
    way_claim: float
    way_points: float
    way_card: float
    way_time: float
    keep: float
    keep_price: float
    tickets: float
    tickets_spare: float
    tickets_busy: float
    stake: float
    spare_train: float
    card: float
    locomotive: float
    late: float
    room: float
    pull: float
    pull_stake: float
    far: float
    second: float
    passenger_spread: float
    passenger_left: float
    passengers: float


_FIRST_GUESS = Weights(
    pace=1.7,
    long_first=2.0,
    long_later=2.0,
    way_claim=1.0,
    way_points=0.3,
    way_card=0.3,
    way_time=2.0,
    keep=0.0,
    keep_price=1.0,
    tickets=-6.0,
    tickets_spare=0.4,
    tickets_busy=1.0,
    stake=0.2,
    spare_train=2.0,
    card=1.6,
    locomotive=0.8,
    late=5.0,
    room=6.0,
    pull=0.4,
    pull_stake=0.05,
    far=0.3,
    second=0.9,
    passenger_spread=0.6,
    passenger_left=0.2,
    passengers=1.0,
)

WEIGHTS: Final = (_FIRST_GUESS, _FIRST_GUESS, _FIRST_GUESS, _FIRST_GUESS)
"""By number of players, from two on."""
