"""The example game: its rules E1 to E6, and every face that serves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from thurn_env import Batch, Game, IllegalAction, RecordError, make_rules, replay, verify
from thurn_env.envs.aec import GameEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.envs.wrapping import wrapped
from thurn_env.games.contract import GameRules, reward_mode
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match, play_scripted, run_match, run_scripted
from thurn_env.table.record import Record
from thurn_env.tournament import play_tournament

TABLES = [make_rules("example", 2), make_rules("example", 4, refill=False)]
BOARD = """
format = "thurn-example/1"
name = "light"
weights = [1, 2]
copies = 6
hand_size = 2
capacity = 3
"""


@pytest.fixture
def light(tmp_path: Path) -> Path:
    """A small board of one's own."""
    path = tmp_path / "light.toml"
    path.write_text(BOARD, "utf-8")
    return path


def dealt(rules: GameRules, *top: str) -> Game:
    """A game of which player 0 begins, with these cards on top of the deck: dealt in turn, then drawn."""
    left = [str(weight) for weight in rules.board.weights for _ in range(rules.board.copies)]
    for name in top:
        left.remove(name)
    return Game.from_chance(rules, 0, {"decks": [[*top, *left]]})


def test_e1_every_player_gets_a_hand_in_turn() -> None:
    game = dealt(make_rules("example", 2), "1", "6", "2", "5", "3", "4")
    assert game.hand(0) == {"1": 1, "2": 1, "3": 1}
    assert game.hand(1) == {"4": 1, "5": 1, "6": 1}
    assert game.public()["deck_size"] == 24
    starts = {Game(rules=TABLES[0], seed=seed).start_player for seed in range(20)}
    assert starts == {0, 1}


def test_e2_a_card_of_the_hand_or_departing() -> None:
    game = dealt(make_rules("example", 2), "1", "6", "1", "5", "3", "4")
    assert game.legal == ["load 1", "load 3", "depart"]
    with pytest.raises(IllegalAction, match="player 0 has no card of weight 2"):
        game.play("load 2")


@pytest.mark.parametrize(("refill", "cards"), [(True, 3), (False, 2)])
def test_e3_a_card_is_drawn_after_loading(refill: bool, cards: int) -> None:
    game = dealt(make_rules("example", 2, refill=refill), "1", "6", "2", "5", "3", "4", "6")
    game.play("load 1")
    assert sum(game.hand(0).values()) == cards
    assert game.hand(0).get("6", 0) == int(refill)


def test_e4_overloaded_coaches_and_those_without_cards_depart(light: Path) -> None:
    game = dealt(make_rules("example", 2, light, refill=False), "2", "1", "2", "1")
    for move in ("load 2", "load 1", "load 2"):
        game.play(move)
    assert game.public()["players"][0]["departed"], "4 is more than 3"
    assert game.scores[0] == 0
    game.play("load 1")
    assert game.over, "no cards are left"


def test_e5_departed_coaches_are_passed_over() -> None:
    game = dealt(make_rules("example", 3))
    game.play("depart")
    game.play("load 1")
    game.play("depart")
    assert game.seat == 1
    game.play("depart")
    assert game.over
    assert game.rounds == 2


def test_e6_the_heaviest_load_that_is_no_overload_wins(light: Path) -> None:
    game = dealt(make_rules("example", 2, light), "1", "2", "2", "1")
    for move in ("load 1", "load 2", "load 2", "load 1", "depart", "depart"):
        game.play(move)
    assert (game.scores, game.ranks) == ([3, 3], [1, 1])
    assert game.rules.rewards(game.states, 0, reward_mode("win")).tolist() == [0, 0]


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players}")
def test_games_replay_and_damaged_records_are_found(rules: GameRules) -> None:
    for seed in range(20):
        record = play_scripted(rules, [rules.bots[seed % 4]] * rules.players, seed)
        verify(Record.from_json(record.to_json()))
        assert (
            run_match(rules, [make_agent(name, rules.bots) for name in record.agents], seed).record(record.agents)
            == record
        )
    data = record.as_dict()
    data["decks"] = [data["decks"][0][1:]]
    with pytest.raises(RecordError, match="does not hold exactly the cards of the game"):
        verify(Record.from_dict(data))
    data["decks"] = []
    with pytest.raises(RecordError, match="gives no order of the deck"):
        verify(Record.from_dict(data))


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players}")
def test_nothing_hidden_is_seen(rules: GameRules) -> None:
    """Games that look alike to a seat become equal; its own hand and everything open stay."""
    for position in replay(play_scripted(rules, ["random"] * rules.players, 3)):
        for seat in range(rules.players):
            one, other = position.redeal(seat, 1), position.redeal(seat, 2)
            assert one.redeal(seat, 5) == other.redeal(seat, 5) == position.redeal(seat, 5)
            assert one.hand(seat) == position.hand(seat)
            assert one.public() == position.public()
            assert str(one.view(seat).text) == str(other.view(seat).text)
            assert one.view(seat).picture().svg() == other.view(seat).picture().svg()
            assert np.array_equal(one.view(seat).observation, other.view(seat).observation)


def test_pettingzoo() -> None:
    api_test(wrapped(GameEnv("example", 3)), num_cycles=200)


def test_gymnasium() -> None:
    check_env(LearnerEnv("example", opponents="greedy"), skip_render_check=True)
    envs = LearnerVectorEnv(5, "example", opponents="heuristic")
    _, infos = envs.reset(seed=1)
    for _ in range(50):
        _, _, terminations, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert terminations.dtype == np.bool_


@pytest.mark.parametrize("form", ["float32", "int8"])
def test_lanes_play_the_same_games(form: str) -> None:
    batch = Batch(3, rules=TABLES[0], observation=form)
    batch.reset(seed=4)
    games: list[Any] = [Game(rules=TABLES[0], seed=4 + lane) for lane in range(3)]
    while not all(game.over for game in games):
        actions = batch.masks.argmax(axis=1)
        running = [not game.over for game in games]
        for lane, game in enumerate(games):
            if running[lane]:
                assert np.array_equal(batch.masks[lane], game.action_mask)
                game.play(int(actions[lane]))
                while not game.over and len(game.legal) == 1:
                    game.play(game.legal[0])
        batch.step(actions)
    assert [lane_scores.tolist() for lane_scores in batch.statistics[:, :, 0]] == [game.scores for game in games]


def test_search_and_tournament(tmp_path: Path) -> None:
    results = play_tournament(["sensible-random", "mcts:30"], TABLES[0], 4, folder=tmp_path, jobs=0, bootstrap=10)
    assert set(results.ratings) == {"sensible-random", "mcts:30"}
    assert results.figures["games"] == 8
    verify(play_match(TABLES[0], [make_agent("mcts:30", TABLES[0].bots), make_agent("random", TABLES[0].bots)], 1))


def test_stable_baselines3() -> None:
    sb3 = pytest.importorskip("thurn_env.envs.sb3")
    env = sb3.LearnerVecEnv(4, "example", seed=1)
    env.reset()
    for _ in range(30):
        _, _, dones, _ = env.step(env.action_masks().argmax(axis=1))
    assert dones.shape == (4,)


def test_the_page_to_play_on() -> None:
    pytest.importorskip("starlette")
    from thurn_env.serve.menu import Menu

    (entry,) = Menu(games=("example",)).for_page()
    assert entry["title"] == "Coaches"
    assert Menu.usual().games == ("thurn_und_taxis", "zug_um_zug_deutschland"), "it is no game to offer"


def test_other_bots_are_no_better_than_the_last() -> None:
    """Over 600 games against each; the interval of a share of a half is 4 %."""
    rules = TABLES[0]
    for other in rules.bots[:-1]:
        won = 0.0
        for seed in range(300):
            for seats in ((0, 1), (1, 0)):
                names = [rules.bots[-1], other]
                scores = run_scripted(rules, [names[seat] for seat in seats], seed).scores
                mine, theirs = scores[seats[0]], scores[seats[1]]
                won += (mine > theirs) + 0.5 * (mine == theirs)
        assert won / 600 > 0.46, other


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("capacity = 3", "capacity = 0", "capacity"),
        ("weights = [1, 2]", "weights = [1]", "the number of weights"),
        ("copies = 6", "copies = 0", "copies"),
        ("hand_size = 2", "hand_size = 9", "hand_size"),
        ('name = "light"', "", 'the key "name" is missing'),
    ],
)
def test_bad_boards(light: Path, old: str, new: str, reason: str) -> None:
    light.write_text(BOARD.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=reason):
        make_rules("example", 2, light)
