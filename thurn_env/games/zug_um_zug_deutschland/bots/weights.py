"""What the heuristic bot holds things to be worth, in points."""

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """The parameters of the heuristic bot.

    Attributes:
        length: trains that a player places with a claim; says how long the game lasts.
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
        stake: what a track of a way is worth, as a share of its part of the ticket's swing.
        danger: the same as a share of the whole swing, which is lost if another player takes the track.
        train: the price of a train.
        spare_train: the price of every train that a way needs and a track elsewhere takes.
        card: what a card is worth.
        locomotive: what a locomotive is worth beyond a card.
        room: with so many cards short of those that can still be used, cards begin to lose worth.
        pull: the share of a track's worth that each of its cards is worth more.
        pull_stake: the share of its tickets' swing.
        far: how fast that falls with the cards that are missing.
        second: what the second of two cards is worth, as a share.
        passenger_spread: how open the race for the passengers of a colour is.
        passenger_left: how much each that still waits adds to that.
        passengers: what passengers are worth, as a share.
    """

    length: float
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
    danger: float
    train: float
    spare_train: float
    card: float
    locomotive: float
    room: float
    pull: float
    pull_stake: float
    far: float
    second: float
    passenger_spread: float
    passenger_left: float
    passengers: float


WEIGHTS: Final = (
    Weights(
        length=4.23,
        long_first=0.33,
        long_later=3.25,
        way_claim=4.77,
        way_points=0.34,
        way_card=0.44,
        way_time=7.15,
        keep=0.33,
        keep_price=1.77,
        tickets=-2.77,
        tickets_spare=-0.23,
        tickets_busy=0.84,
        stake=1.36,
        danger=0.51,
        train=1.04,
        spare_train=0.56,
        card=8.28,
        locomotive=0.46,
        room=0.4,
        pull=-0.07,
        pull_stake=0.37,
        far=0.13,
        second=3.33,
        passenger_spread=0.3,
        passenger_left=0.03,
        passengers=0.99,
    ),
    Weights(
        length=4.23,
        long_first=0.33,
        long_later=3.25,
        way_claim=4.77,
        way_points=0.34,
        way_card=0.44,
        way_time=7.15,
        keep=0.33,
        keep_price=1.77,
        tickets=-2.77,
        tickets_spare=-0.23,
        tickets_busy=0.84,
        stake=1.36,
        danger=0.51,
        train=1.04,
        spare_train=0.56,
        card=8.28,
        locomotive=0.46,
        room=0.4,
        pull=-0.07,
        pull_stake=0.37,
        far=0.13,
        second=3.33,
        passenger_spread=0.3,
        passenger_left=0.03,
        passengers=0.99,
    ),
    Weights(
        length=4.23,
        long_first=0.33,
        long_later=3.25,
        way_claim=4.77,
        way_points=0.34,
        way_card=0.44,
        way_time=7.15,
        keep=0.33,
        keep_price=1.77,
        tickets=-2.77,
        tickets_spare=-0.23,
        tickets_busy=0.84,
        stake=1.36,
        danger=0.51,
        train=1.04,
        spare_train=0.56,
        card=8.28,
        locomotive=0.46,
        room=0.4,
        pull=-0.07,
        pull_stake=0.37,
        far=0.13,
        second=3.33,
        passenger_spread=0.3,
        passenger_left=0.03,
        passengers=0.99,
    ),
    Weights(
        length=4.23,
        long_first=0.33,
        long_later=3.25,
        way_claim=4.77,
        way_points=0.34,
        way_card=0.44,
        way_time=7.15,
        keep=0.33,
        keep_price=1.77,
        tickets=-2.77,
        tickets_spare=-0.23,
        tickets_busy=0.84,
        stake=1.36,
        danger=0.51,
        train=1.04,
        spare_train=0.56,
        card=8.28,
        locomotive=0.46,
        room=0.4,
        pull=-0.07,
        pull_stake=0.37,
        far=0.13,
        second=3.33,
        passenger_spread=0.3,
        passenger_left=0.03,
        passengers=0.99,
    ),
)
"""By number of players, from two on."""
