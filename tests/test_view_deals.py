"""The hidden cards of views are as random as shuffled ones, different at every decision, and the same in every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.choices import Chooser
from tests.guests import last
from thurn_env import Batch, Game, thurn_und_taxis_v0, zug_um_zug_deutschland_v0
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import GameRules
from thurn_env.table.game import View

BOARDS = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}
VERSIONS: dict[str, Any] = {
    "thurn_und_taxis": thurn_und_taxis_v0,
    "zug_um_zug_deutschland": zug_um_zug_deutschland_v0,
}
GAMES = 300


def single(game: str) -> Iterator[View]:
    env = LearnerEnv(game, board=BOARDS[game], opponents="random")
    for seed in range(GAMES):
        env.reset(seed=seed)
        yield env.view()


def single_without_seeds(game: str) -> Iterator[View]:
    env = LearnerEnv(game, board=BOARDS[game], opponents="random")
    env.reset(seed=0)
    for _ in range(GAMES):
        yield env.view()
        env.reset()


def vector(game: str) -> Iterator[View]:
    envs = LearnerVectorEnv(GAMES, game, board=BOARDS[game], opponents="random")
    envs.reset(seed=0)
    return (envs.view(lane) for lane in range(GAMES))


def batch(game: str) -> Iterator[View]:
    games = Batch(GAMES, game=game, board=BOARDS[game])
    games.reset(0)
    return (games.view(lane) for lane in range(GAMES))


def pettingzoo(game: str) -> Iterator[View]:
    env = VERSIONS[game].raw_env(board=BOARDS[game])
    for seed in range(GAMES):
        env.reset(seed=seed)
        yield env.view()


def from_bytes(game: str) -> Iterator[View]:
    for seed in range(GAMES):
        dealt = Game(game=game, board=BOARDS[game], seed=seed)
        yield Game.from_bytes(dealt.rules, dealt.to_bytes()).view()


class Collector:
    """An opponent that keeps what it is shown."""

    name = "collector"

    def __init__(self) -> None:
        self.views: list[View] = []

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        pass

    def act(self, view: View) -> int:
        self.views.append(view)
        return int(view.legal_actions[0])


def opponent(game: str) -> Iterator[View]:
    collector = Collector()
    env = LearnerEnv(game, board=BOARDS[game], opponents=collector, learner_seat=1)
    for seed in range(GAMES):
        collector.views.clear()
        env.reset(seed=seed, options={"start_player": 0})
        yield collector.views[0]


FACES: dict[str, Callable[[str], Iterator[View]]] = {
    face.__name__: face for face in (single, single_without_seeds, vector, batch, pettingzoo, from_bytes, opponent)
}


def relative_rank(cards: np.ndarray[Any, Any], jitter: float) -> float:
    """The share of the cards whose kind is lower than that of the last one; among equal ones a random place."""
    top = cards[-1]
    return float(((cards < top).sum() + jitter * (cards == top).sum()) / len(cards))


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("face", FACES)
def test_the_top_card_of_views_is_uniform(face: str, game: str) -> None:
    """Its rank among the cards of the deck has the distribution of a shuffled deck (Kolmogorov and Smirnov)."""
    jitter, ranks = np.random.default_rng(1), []
    for view in FACES[face](game):
        state = view.game.states[0]
        ranks.append(relative_rank(state["deck"][: int(state["deck_size"])], jitter.random()))
    assert len(ranks) == GAMES
    assert stats.kstest(ranks, "uniform").pvalue > 0.001


@pytest.mark.parametrize("game", BOARDS)
def test_hidden_hands_in_views_are_random_parts_of_what_is_unseen(game: str) -> None:
    """Where a player has drawn unseen cards, the hidden hands and decks of views are alike in their kinds (chi-square).

    A view never deals a card to the hidden hand that lies open somewhere, so hand and deck are parts of one heap.
    """
    games = Batch(GAMES, game=game, board=BOARDS[game])
    games.reset(0)
    generator = np.random.default_rng(4)
    for _ in range(12):
        games.step((generator.random(games.masks.shape) * games.masks).argmax(axis=1))
    drawn, left = [], []
    for lane in range(GAMES):
        view = games.view(lane)
        state, other = view.game.states[0], 1 - view.seat
        hidden = state["hand"][other] - state["known"][other]
        deck = np.bincount(state["deck"][: int(state["deck_size"])], minlength=len(hidden))
        # The share of each kind in the heap, times the size of the hand, is what chance gives on average.
        heap = hidden + deck
        drawn.append(hidden)
        left.append(heap * hidden.sum() / max(1, heap.sum()))
    observed, expected = np.sum(drawn, axis=0), np.sum(left, axis=0)
    assert observed.sum() > 100
    assert stats.chisquare(observed, expected).pvalue > 0.001


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("players", [2, 3])
def test_every_face_shows_the_same_deal_at_the_same_decision(game: str, players: int) -> None:
    """Views of the batch, also of later games in a lane, are those of the `Game` of that seed after the same moves."""
    board = BOARDS[game]
    games = Batch(2, players, board, game=game, max_rounds=4)
    games.reset(7)
    env = VERSIONS[game].raw_env(players=players, board=board, max_rounds=4)
    env.reset(seed=8)
    generator = np.random.default_rng(2)
    compared = 0
    for _ in range(300):
        for seat in range(players):
            one, other = games.view(1, seat).game, env.view(f"player_{seat}").game
            assert one.to_bytes() == other.to_bytes()
            compared += 1
        actions = [int(generator.choice(np.flatnonzero(mask))) for mask in games.masks]
        games.step(np.array(actions))
        env.step(actions[1])
        if not env.agents or any(env.terminations.values()) or any(env.truncations.values()):
            env.reset()
            if compared > 200:
                break
    memory = games.lanes.memory[1]
    assert int(memory["resets"]) > 1
    assert games.game_seed(1) == derived_seed(8, RESET_STREAM, int(memory["resets"]))


@pytest.mark.parametrize("game", BOARDS)
def test_every_decision_shows_another_deal(game: str) -> None:
    """Also where nothing changed but the number of moves, and for every seat; asking twice gives the same."""
    played = Game(game=game, board=BOARDS[game], seed=3)
    seeds = set()
    for _ in range(30):
        for seat in range(2):
            seeds.add(played.view(seat).game.seed)
            assert played.view(seat).game == played.view(seat).game
        played.play(int(played.legal_actions[-1]))
    assert len(seeds) == 60


def test_views_repeat_in_every_run() -> None:
    def shown() -> list[bytes]:
        envs = LearnerVectorEnv(3, board="tiny", opponents="random", max_rounds=5)
        envs.reset(seed=11)
        choose, found = Chooser(envs.rules), []
        for _ in range(60):
            found += [envs.view(lane).game.to_bytes() for lane in range(3)]
            envs.step(choose(envs.learner.masks))
        return found

    assert shown() == shown()
    assert last(np.ones((1, 2), np.int8)).tolist() == [1]
