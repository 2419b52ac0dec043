"""Move values: the win probability after a move, by enumeration if the game ends within the turn, else by rollouts.

Enumeration gives bounds: an action whose bounds meet is proved, for all moves of the others and all orders of the deck.
Rollouts start from deals that the seat cannot distinguish, the same deals for all actions, with one scripted bot at all
seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.games.contract import Int8Array
from thurn_env.table.game import Game

PROVED_STREAM, PLAYED_STREAM, SEARCHED_STREAM = 11, 12, 15
"""Numbers of the seed streams for enumeration, rollouts and search; see `thurn_env.engine.generator`."""

TIED = 0.03
"""Moves whose win probability is within this distance of the best one are equally good."""

CLEAR = 0.10
"""Smallest lead of the best moves over all others."""

CERTAINTY = 3.2905
"""Half width of a 99.9 % interval in standard errors."""

DEALS, REPLIES = 8, 40
"""Search: deals per action, and rollouts per decision that follows it."""

MOST_DEALS = 20_000
"""Largest number of deals that are tried until every possible card has been drawn."""


class Bounds(NamedTuple):
    """Lower and upper bound of the win probability with best play for the rest of the turn."""

    least: float
    most: float


UNKNOWN = Bounds(0.0, 1.0)


def ends_with_this_turn(game: Game) -> bool:
    """Return whether the mover is the last one of the round, so that the game may end with this turn (R28)."""
    return game.seat == (game.start_player - 1) % game.players


def bounds_of(game: Game, action: str) -> Bounds:
    """Return bounds of the mover's win probability after an action; `UNKNOWN` if nothing is known.

    Positions before the first card of a turn is drawn are not enumerated.
    """
    if game.phase in ("draw", "second_draw") or not ends_with_this_turn(game):
        return UNKNOWN
    return _after(game, game.seat, action, {})


def _after(game: Game, seat: int, action: str, known: dict[bytes, Bounds]) -> Bounds:
    if action != "draw":
        # The card that refills a slot is never taken: the second card was the postmaster's last service (R4).
        return _best(_played(game, action), seat, known)
    unseen = unseen_cards(game, seat)
    probabilities = {card: number / unseen.total() for card, number in unseen.items()}
    drawn = _every_draw(game, seat, set(probabilities))
    if drawn.keys() != probabilities.keys():
        return UNKNOWN
    bounds = {card: _best(after, seat, known) for card, after in drawn.items()}
    return Bounds(
        sum(probabilities[card] * bound.least for card, bound in bounds.items()),
        sum(probabilities[card] * bound.most for card, bound in bounds.items()),
    )


def _best(game: Game, seat: int, known: dict[bytes, Bounds]) -> Bounds:
    if game.over:
        won = float(game.ranks[seat] == 1)
        return Bounds(won, won)
    if game.seat != seat:
        return UNKNOWN
    key = game.to_bytes()
    if key not in known:
        # Kept cards are useless after the last turn; if it is not the last, everything is unknown anyway.
        actions = game.legal[:1] if game.phase == "discard" else list(game.legal)
        bounds = [_after(game, seat, action, known) for action in actions]
        known[key] = Bounds(max(bound.least for bound in bounds), max(bound.most for bound in bounds))
    return known[key]


def _played(game: Game, action: str) -> Game:
    twin = game.copy()
    twin.play(action)
    return twin


def unseen_cards(game: Game, seat: int) -> Counter[str]:
    """Return the cards whose place a seat does not know: any of them may be on top of the deck."""
    table = game.public()
    unseen = _all_cards(game)
    unseen.subtract(game.hand(seat))
    unseen.subtract(table["discard"])
    unseen.subtract(card for card in table["display"] if card)
    for number, player in enumerate(table["players"]):
        unseen.subtract(player["route"])
        if number != seat:
            unseen.subtract(player["known_cards"])
    return +unseen


def _all_cards(game: Game) -> Counter[str]:
    """Return all cards of the game, which are the first shuffle of the rules."""
    fresh = Game.from_rules(game.rules, 0)
    return Counter(fresh.record().chance["decks"][0])


def _every_draw(game: Game, seat: int, cards: set[str]) -> dict[str, Game]:
    """Return the game after drawing, for every card that may be drawn."""
    held = Counter(game.hand(seat))
    found: dict[str, Game] = {}
    for number in range(MOST_DEALS):
        after = _played(game.redeal(seat, derived_seed(0, PROVED_STREAM, number)), "draw")
        (card,) = Counter(after.hand(seat)) - held
        found.setdefault(card, after)
        if found.keys() == cards:
            break
    return found


def wins(game: Game, actions: Sequence[str], deals: range, seed: int, bot: str) -> Int8Array:
    """Play every action in many deals and let a bot finish the games at all seats.

    Returns:
        int8 (deals, actions): 1 where the seat to move wins.
    """
    seat, rules = game.seat, game.rules
    bots = [rules.bots.index(bot)] * game.players
    won = np.zeros((len(deals), len(actions)), np.int8)
    for row, number in enumerate(deals):
        deal_seed = derived_seed(seed, PLAYED_STREAM, number)
        deal = game.redeal(seat, deal_seed)
        generators = np.array([seeded(deal_seed, player) for player in range(game.players)])
        for column, action in enumerate(actions):
            twin = _played(deal, action)
            twin.let_bots_finish(bots, generators.copy())
            won[row, column] = twin.ranks[seat] == 1
    return won


def searched(game: Game, actions: Sequence[str], seed: int, bot: str) -> dict[str, float]:
    """Return the win probability of every action if the seat's next decision of the turn is the best one by rollouts.

    This shows whether an action looks bad only because the bot does not know how to continue after it. The maximum of
    several estimates is biased upwards, so these values are good for comparison only.
    """
    return {
        action: float(
            np.mean([_searched_once(game, action, derived_seed(seed, SEARCHED_STREAM, n), bot) for n in range(DEALS)])
        )
        for action in actions
    }


def _searched_once(game: Game, action: str, seed: int, bot: str) -> float:
    seat = game.seat
    after = _played(game.redeal(seat, seed), action)
    while not after.over and after.seat == seat and len(after.legal) == 1:
        after.play(after.legal[0])
    if after.over:
        return float(after.ranks[seat] == 1)
    if after.seat != seat:
        return float(wins(game, [action], range(REPLIES), seed, bot).mean())
    return float(wins(after, list(after.legal), range(REPLIES), seed, bot).mean(axis=0).max())


class Judgement(NamedTuple):
    """The best moves of a position.

    Attributes:
        best: the best moves, which are equally good.
        values: win probability by move, best first.
        proved: the moves whose value comes from enumeration.
        ahead: lead of the worst of the best moves over the best of the others.
        interval: the 99.9 % interval of that difference, the closest to zero of all; `ahead` twice if all is proved.
    """

    best: tuple[str, ...]
    values: dict[str, float]
    proved: tuple[str, ...]
    ahead: float
    interval: tuple[float, float]

    @property
    def clear(self) -> bool:
        """Whether the lead is at least `CLEAR` and its 99.9 % interval excludes 0."""
        return self.ahead >= CLEAR and self.interval[0] > 0


def judged(actions: Sequence[str], won: Int8Array, bounds: Sequence[Bounds]) -> Judgement | None:
    """Return the best moves by rollouts, int8 (deals, actions), and by bounds; None if all moves are equally good."""
    proved = [bound.least == bound.most for bound in bounds]
    results = won.astype(np.float64)
    for column, bound in enumerate(bounds):
        if proved[column]:
            results = results if len(results) else np.zeros((1, len(actions)))
            results[:, column] = bound.least
    means = results.mean(axis=0)
    best = np.flatnonzero(means >= means.max() - (0.0 if all(proved) else TIED) - 1e-9)
    others = np.flatnonzero(~np.isin(np.arange(len(actions)), best))
    if not len(others):
        return None
    ahead, interval = np.inf, (np.inf, np.inf)
    for own in best:
        for other in others:
            difference = results[:, own] - results[:, other]
            reach = CERTAINTY * difference.std() / np.sqrt(len(difference))
            ahead = min(ahead, float(difference.mean()))
            interval = min(interval, (float(difference.mean() - reach), float(difference.mean() + reach)))
    order = np.argsort(-means, kind="stable").tolist()
    return Judgement(
        tuple(actions[column] for column in best.tolist()),
        {actions[column]: round(float(means[column]), 4) for column in order},
        tuple(action for action, is_proved in zip(actions, proved, strict=True) if is_proved),
        ahead,
        interval,
    )


def judge(game: Game, seed: int, stages: Sequence[int], bot: str) -> tuple[Judgement, int] | None:
    """Return the best moves and the number of rollouts per move; None if no move is best beyond doubt.

    Args:
        game: the position.
        seed: seed of the deals.
        stages: rollouts per move; the next stage is skipped if the best moves are not ahead. Without stages only
            enumeration counts.
        bot: scripted bot that plays the rollouts at all seats.
    """
    actions = list(game.legal)
    bounds = [bounds_of(game, action) for action in actions]
    all_proved = all(bound.least == bound.most for bound in bounds)
    won = np.zeros((0, len(actions)), np.int8)
    judgement = None
    for stage in (0,) if all_proved else stages:
        won = np.concatenate([won, wins(game, actions, range(len(won), stage), seed, bot)])
        judgement = judged(actions, won, bounds)
        # After few rollouts a lead only has to be plausible: within one standard error.
        if judgement is None or judgement.ahead + (judgement.interval[1] - judgement.ahead) / CERTAINTY < CLEAR:
            return None
    return (judgement, len(won)) if judgement is not None and judgement.clear else None
