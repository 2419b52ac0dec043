"""The bot `settler`: houses in all provinces, and the end of the game by its houses."""

from __future__ import annotations

import numpy as np
import pytest

from thurn_env import make_rules
from thurn_env.engine.generator import seeded
from thurn_env.players.match import play_scripted
from thurn_env.table.game import Game
from thurn_env.table.replay import last_position
from thurn_env.table.style import style_of, summed

BOT = "settler"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_chooses_a_legal_action_wherever_it_is_to_move(players: int) -> None:
    rules = make_rules("thurn_und_taxis", players, "tiny")
    game, bot = Game(rules=rules, seed=4), rules.bots.index(BOT)
    while not game.over:
        action = rules.bot_action(game.states, 0, bot, seeded(0))
        assert game.action_mask[action]
        game.play(action)


def test_the_best_bot_stays_the_last_one() -> None:
    assert make_rules("thurn_und_taxis", 2, "tiny").bots[-2:] == (BOT, "heuristic")


def test_a_seed_gives_the_same_moves() -> None:
    rules = make_rules("thurn_und_taxis", 2, "south")
    for seed in range(3):
        one, other = (play_scripted(rules, [BOT, "heuristic"], seed) for _ in range(2))
        assert one == other


def test_it_plays_for_the_provinces_and_ends_games_by_its_houses() -> None:
    rules = make_rules("thurn_und_taxis", 2, "south")
    settler, heuristic = [], []
    for deck in range(60):
        for seat in (0, 1):
            names = ["heuristic", "heuristic"]
            names[seat] = BOT
            counts = style_of(last_position(play_scripted(rules, names, deck)))
            settler.append(counts[seat])
            heuristic.append(counts[1 - seat])
    ours, theirs = summed(settler), summed(heuristic)
    # In long runs: tiles in 48 % and 13 % of the games, ends by houses in 17 % and 0.1 %.
    assert ours["tile all provinces"] > theirs.get("tile all provinces", 0) + 15
    assert ours["ended itself by houses"] > theirs.get("ended itself by houses", 0) + 6
    assert np.mean([one.get("wins", 0) for one in settler]) > 0.15
