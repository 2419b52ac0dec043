"""What must hold in every position that legal play can reach."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.zug_um_zug.accounts import check_game
from tests.zug_um_zug.positions import GAME
from thurn_env import Game, IllegalAction, make_rules
from thurn_env.games.contract import REWARD_MODES
from thurn_env.players.match import run_scripted
from thurn_env.table.replay import replay

TABLES = [("tiny_rails", 2), ("tiny_rails", 5), ("germany", 2), ("germany", 4)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.sampled_from([2, 3, 5]),
    seed=st.integers(0, 2**32),
    choices=st.lists(st.integers(0, 10_000), min_size=5, max_size=150),
)
def test_all_play_keeps_the_accounts(players: int, seed: int, choices: list[int]) -> None:
    """Every card, train, passenger and ticket is somewhere after every decision, whatever is played."""
    game = Game(players, "tiny_rails", seed, game=GAME, max_rounds=30)
    for choice in choices:
        if game.over:
            break
        game.play(game.legal[choice % len(game.legal)])
        check_game(game)


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_whole_games_keep_the_accounts(board: str, players: int) -> None:
    """The same through whole games of all kinds of bots; the mask, the list and the texts say the same."""
    rules = make_rules(GAME, players, board)
    for seed, bots in enumerate([[bot] * players for bot in rules.bots if bot != "random"] + [list(rules.bots)[:2]]):
        random = Random(seed)
        finished = run_scripted(rules, [random.choice(bots) for _ in range(players)], seed)
        for number, game in enumerate(replay(finished.record())):
            if number % 7 == 0 or game.over:
                check_game(game)
                assert [rules.action_texts[index] for index in np.flatnonzero(game.action_mask)] == list(game.legal)
                assert all(rules.action_index(text) == rules.action_indices[text] for text in game.legal)
        assert finished.over
        for mode, name in enumerate(REWARD_MODES):
            returns = rules.rewards(finished.states, 0, mode)
            if name in ("win", "rank"):
                assert returns.sum() == pytest.approx(0)
            # Nobody who ranks better gets less.
            order = sorted(zip(finished.ranks, returns, strict=True))
            assert all(one[1] >= other[1] for one, other in pairwise(order) if one[0] < other[0])


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_reasons_are_given_for_everything(board: str, players: int) -> None:
    """Every illegal action is refused with a reason and changes nothing; the game in words never fails."""
    rules = make_rules(GAME, players, board)
    reasons: Counter[str] = Counter()
    for seed in range(2):
        random = Random(seed)
        game = Game.from_rules(rules, seed)
        while not game.over:
            if random.random() < 0.08:
                before = game.to_bytes()
                for action in random.sample(range(rules.action_size), 12):
                    if not game.action_mask[action]:
                        with pytest.raises(IllegalAction) as error:
                            game.play(action)
                        reasons[str(error.value).split(": ", 1)[1]] += 1
                assert game.to_bytes() == before
                assert game.explain()
                assert str(game)
                assert game.public()["seat"] == game.seat
            game.play(random.choice(list(game.legal)))
        assert str(game)
        assert "over" in game.explain()
    assert len(reasons) > 10


def test_reasons_for_numbers_of_locomotives_are_true() -> None:
    """Each says what is really wrong: too many for the track, more than there are, or too few cards with them."""
    rules: Any = make_rules(GAME, 2, "tiny_rails")
    kinds = Counter[str]()
    for seed in range(30):
        random, game = Random(seed), Game.from_rules(rules, seed)
        while not game.over:
            if game.phase == "locomotives":
                state = game.states[0]
                hand = state["hand"][game.seat]
                held, cards = int(hand[-1]), int(hand[state["paying"]])
                length = rules.board.pairs[rules.tracks.claims[state["claim"]].pair].length
                for action, text in enumerate(rules.action_texts):
                    if not text.startswith("locomotives ") or game.action_mask[action]:
                        continue
                    number = int(text.split()[1])
                    with pytest.raises(IllegalAction) as error:
                        game.play(action)
                    reason = str(error.value).split(": ", 1)[1]
                    if number > length:
                        assert f"the track needs {length} cards" in reason
                        kinds["length"] += 1
                    elif number > held:
                        assert f"there are {held} locomotives in the hand" in reason
                        kinds["held"] += 1
                    elif number + cards < length:
                        assert f"{number} locomotives and " in reason
                        assert f" are not enough for {length}" in reason
                        kinds["few"] += 1
                    else:
                        raise AssertionError(f"locomotives {number} should be legal")
            game.play(random.choice(list(game.legal)))
    assert set(kinds) == {"length", "held", "few"}
