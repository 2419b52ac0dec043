"""Nothing hidden crosses the line: true deals that look alike to a seat give the same messages, byte by byte."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fuzzed_lines import Script
from tests.hidden import positions
from thurn_env import Game, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.following import Follower
from thurn_env.players.programs.conversation import Conversation, TimeControl
from thurn_env.table.game import View

SEED = 9
VARIANTS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "thurn_und_taxis": ("tiny", 3, {}),
    "thurn_und_taxis with horses": ("north", 2, {"horses": True}),
    "zug_um_zug_deutschland": ("tiny_rails", 3, {}),
}
READY = b'{"type":"ready"}'
ANSWERS = [
    READY,
    b'{"type":"sample","request":1,"count":2}',
    b'{"type":"simulate","request":1,"position":1,"actions":[]}',
    b'{"type":"action","request":1,"action":0}',
]


@pytest.fixture(params=list(VARIANTS))
def rules(request: pytest.FixtureRequest) -> GameRules:
    board, players, options = VARIANTS[request.param]
    return make_rules(request.param.partition(" ")[0], players, board, **options)


class Talk:
    """A conversation with a script as an agent that follows its game."""

    watches = True

    def __init__(self, rules: GameRules, seat: int, answers: list[bytes]) -> None:
        self.script: Any = Script(answers)
        self._conversation = Conversation(self.script, True, seat, rules, SEED, TimeControl())

    def began(self, view: View) -> None:
        self._conversation.begin(view)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        self._conversation.saw(mover, action, view)

    def ended(self, game: Game, record: dict[str, Any] | None, reason: str | None) -> None:
        self._conversation.end(game, record, reason)

    def choose(self, view: View) -> None:
        self._conversation.choose(view)


def test_deals_that_look_alike_give_the_same_messages(rules: GameRules):
    """The view, the legal actions, the observation, samples, simulated positions, and the end of a broken game."""
    requests = 0
    for number, game in enumerate(positions(rules, 40, seed=2)):
        for seat in range(rules.players):
            sent = []
            for true in (game, *(game.redeal(seat, deal) for deal in (2 * number, 2 * number + 1))):
                talk = Talk(rules, seat, list(ANSWERS))
                talk.began(true.view(seat))
                if true.seat == seat and not true.over:
                    talk.choose(true.view(seat))
                    requests += 1
                if not true.over:
                    talk.ended(true, None, "seat 1 lost by forfeit")
                sent.append(talk.script.sent)
            assert sent[0] == sent[1] == sent[2]
    assert requests > 60


def test_moves_that_look_alike_give_the_same_events(rules: GameRules):
    """If positions look alike to a seat before and after a move, it gets the same event for the move."""
    alike = 0
    for number, game in enumerate(positions(rules, 60, seed=3)):
        if game.over:
            continue
        mover = game.seat
        for seat in range(rules.players):
            twin = game.redeal(seat, number)
            for move in game.legal_actions.tolist()[:4]:
                if not twin.action_mask[move]:
                    continue
                sent, after = [], []
                for true in (game.copy(), twin.copy()):
                    talk = Talk(rules, seat, [READY])
                    talk.began(true.view(seat))
                    true.play(move)
                    Follower(seat, talk).tell(mover, true)
                    sent.append(talk.script.sent)
                    after.append(true.redeal(seat, 0))
                if after[0] == after[1]:
                    assert sent[0] == sent[1]
                    alike += 1
    assert alike > 60


def test_secret_moves_give_the_same_events():
    """Which ticket another player keeps or returns is not told."""
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    told = set()
    for seed in range(20):
        game = Game.from_rules(rules, seed)
        while not set(game.legal_actions.tolist()) & rules.secret_actions:
            game.play(game.legal[0])
        mover = game.seat
        for move in game.legal_actions.tolist():
            after, talk = game.copy(), Talk(rules, 1 - mover, [READY])
            talk.began(after.view(1 - mover))
            after.play(move)
            Follower(1 - mover, talk).tell(mover, after)
            assert b'"action":null' in talk.script.sent[1]
            told.add((seed, rules.action_texts[move].partition(" ")[0], talk.script.sent[1]))
    # For every deal there are at most two: one for keeping, one for returning.
    assert len(told) <= 40
    assert len({kind for _, kind, _ in told}) == 2
