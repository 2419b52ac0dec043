"""Parameters of the heuristic bot, in points."""

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """Parameters of the heuristic bot.

    Attributes:
        length: assumed number of trains that a player places with a claim; determines the expected length of the game.
        long_first: number of long tickets drawn in the set-up.
        long_later: number of long tickets drawn later.
        way_claim: price of every track of a way, besides its length.
        way_points: reduction of that price for every point of a track.
        way_card: reduction for every card in the hand.
        way_time: turns by which a way may exceed the remaining time before its ticket is given up.
        keep: minimum gain of a ticket to be kept.
        keep_price: price of every unit of its way.
        tickets: value of drawing tickets.
        tickets_spare: addition for every train that no way needs.
        tickets_busy: reduction for every train that a way still needs.
        stake: value of a track of a way, as a share of its part of the ticket's swing.
        danger: the same as a share of the whole swing, which is lost if another player takes the track.
        train: price of a train.
        spare_train: price of every train that a way needs and a track elsewhere takes.
        card: value of a card.
        locomotive: value of a locomotive beyond a card.
        room: number of cards below the maximum of useful cards at which cards begin to lose value.
        pull: share of a track's value that each of its cards is worth in addition.
        pull_stake: share of its tickets' swing.
        far: decay of that value with the number of missing cards.
        second: value of the second of two cards, as a share.
        passenger_spread: uncertainty of the race for the passengers of a colour.
        passenger_left: increase of that uncertainty for each passenger that still waits.
        passengers: value of passengers, as a share.
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
