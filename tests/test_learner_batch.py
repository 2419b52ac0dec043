"""Many games with one learner each: who sits where, scripted opponents, and agents who are asked from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.batches import everything
from tests.choices import Chooser
from tests.guests import Last, last
from tests.variants import board_and_options
from thurn_env import AgentError, Game, ThurnError
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.envs.learner import LearnerBatch
from thurn_env.games.contract import Float32Array, Int8Array, Int64Array
from thurn_env.players.agent import ScriptedAgent, agent_seed
from thurn_env.players.match import run_match, run_scripted


def final_game(learner: LearnerBatch, lane: int) -> Game:
    return Game.from_bytes(learner.rules, learner.batch.lanes.final_states[lane : lane + 1].tobytes())


@pytest.mark.parametrize(
    ("variant", "table"),
    [
        ("tiny", ["greedy", "sensible-random"]),
        ("tiny", ["heuristic", "random", "greedy"]),
        ("tiny", ["random", "sensible-random", "heuristic", "sensible-random"]),
        ("south", ["greedy", "heuristic", "sensible-random"]),
        ("north with horses", ["greedy", "heuristic"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("learner_seat", ["rotate", 0, -1], ids=str)
def test_scripted_opponents_play_as_in_matches(variant: str, table: list[str], learner_seat: int | str) -> None:
    """With a scripted bot's actions for the learner, every lane's games are those of `run_scripted`, one by one."""
    board, options = board_and_options(variant)
    players, size = len(table), 3
    fixed = None if learner_seat == "rotate" else int(learner_seat) % players
    learner = LearnerBatch(
        size,
        players,
        board,
        opponents=table[1:],
        learner_seat="rotate" if fixed is None else fixed,
        illegal="raise",
        max_rounds=30,
        **options,
    )
    rules, seed = learner.rules, 2**64 - size
    learner.reset(seed)
    episodes = [0] * size
    seeds = [seed + lane for lane in range(size)]
    seats = learner.seats.copy()
    agents = [ScriptedAgent(table[0]) for _ in range(size)]
    for lane, agent in enumerate(agents):
        agent.reset(int(seats[lane]), rules, agent_seed(seeds[lane], int(seats[lane])))
    while min(episodes) < 3:
        actions = [agents[lane].act(learner.batch.view(lane)) for lane in range(size)]
        learner.step(actions)
        for lane in learner.ended.tolist():
            seat = int(seats[lane])
            assert seat == learner.seats[lane]
            assert seat == ((seed + lane + episodes[lane]) % players if fixed is None else fixed)
            # Clockwise from the learner.
            names = [table[(place - seat) % players] for place in range(players)]
            played = run_scripted(rules, names, seeds[lane])
            assert final_game(learner, lane).to_bytes() == played.to_bytes()
            if episodes[lane] == 0:
                assert run_match(rules, [ScriptedAgent(name) for name in names], seeds[lane]) == played
            episodes[lane] += 1
            seeds[lane] = derived_seed(seed + lane, RESET_STREAM, episodes[lane])
            seats[lane] = learner.batch.lanes.memory["learner"][lane]
            agents[lane].reset(int(seats[lane]), rules, agent_seed(seeds[lane], int(seats[lane])))


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("skip_forced", [True, False])
def test_guests_play_as_at_the_table(autoreset: bool, skip_forced: bool) -> None:
    """Who acts from outside does not matter: the games are those in which everybody plays the same by hand."""
    size, seat, seed = 8, 1, 40
    options = {"max_rounds": 9}
    learner = LearnerBatch(
        size,
        3,
        "tiny",
        opponents=Last(),
        learner_seat=seat,
        illegal="raise",
        autoreset=autoreset,
        skip_forced=skip_forced,
        reward="margin",
        **options,
    )
    learner.reset(seed)
    choose, ends = Chooser(learner.rules), [0] * size
    games = [Game(3, "tiny", seed + lane, **options) for lane in range(size)]

    def play_others(game: Game) -> None:
        while not game.over and (game.seat != seat or (skip_forced and len(game.legal_actions) == 1)):
            game.play(int(game.legal_actions[-1]))

    for game in games:
        play_others(game)
    while min(ends) < (3 if autoreset else 1):
        for lane, game in enumerate(games):
            assert learner.batch.game(lane).to_bytes() == game.to_bytes()
            assert np.array_equal(learner.masks[lane], game.action_mask)
            assert np.array_equal(learner.observations[lane], game.view(seat).observation)
        chosen = choose(learner.masks)
        learner.step(chosen)
        for lane, game in enumerate(games):
            if game.over:
                continue
            game.play(chosen[lane])
            play_others(game)
            assert game.over == (learner.terminated[lane] or learner.truncated[lane])
            assert game.truncated == learner.truncated[lane]
            margin = game.scores[seat] - max(np.delete(game.scores, seat))
            assert learner.rewards[lane] == (margin / 6 if game.over else 0)
            if game.over:
                assert final_game(learner, lane).to_bytes() == game.to_bytes()
                assert np.array_equal(learner.final_observations(np.array([lane]))[0], game.view(seat).observation)
                ends[lane] += 1
                if autoreset:
                    games[lane] = Game(3, "tiny", derived_seed(seed + lane, RESET_STREAM, ends[lane]), **options)
                    play_others(games[lane])
    assert sum(ends) >= size


class Watched(Last):
    """A guest who sees to it that it is asked for all lanes in which it is to move, and for no others."""

    learner: LearnerBatch
    role: int

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        memory, seats = self.learner.batch.lanes.memory, self.learner.batch.seats
        mine = np.flatnonzero(
            [seat >= 0 and memory["roles"][lane, seat] == self.role for lane, seat in enumerate(seats)]
        )
        assert len(mine)
        assert np.array_equal(observations, self.learner.observations[mine])
        assert np.array_equal(masks, self.learner.masks[mine])
        assert masks.any(axis=1).all()
        assert not (seats[mine] == memory["learner"][mine]).any()
        # Every row is seen by the one who is to move.
        to_move = self.learner.rules.observation_slices["to_move"]
        assert (observations[:, to_move][:, 0] == 1).all()
        # The rows are the guest's own: changing them changes nothing.
        answer = super().act_batch(observations.copy(), masks)
        observations[:] = 9
        masks[:] = 1
        return answer


@pytest.mark.parametrize("others", ["one", "two", "two and a bot"])
def test_guests_are_asked_for_their_rows_and_for_all_at_once(others: str) -> None:
    size, players = 200, 4
    guests = [Watched("first"), Watched("second")]
    opponents: dict[str, list[Any]] = {
        "one": [guests[0]],
        "two": [guests[1], guests[0], guests[1]],
        "two and a bot": [guests[0], "random", guests[1]],
    }
    learner = LearnerBatch(size, players, "tiny", opponents=opponents[others], illegal="raise", max_rounds=12)
    assert len(learner.guests) == (1 if others == "one" else 2)
    for index, guest in enumerate(learner.guests):
        assert isinstance(guest, Watched)
        guest.learner, guest.role = learner, -2 - index
    choose = Chooser(learner.rules)
    learner.reset(3)
    games = 0
    for _ in range(100):
        assert (learner.batch.seats == learner.batch.lanes.memory["learner"]).all()
        assert learner.masks.any(axis=1).all()
        learner.step(choose(learner.masks))
        games += len(learner.ended)
    assert games > size
    for guest in learner.guests:
        assert isinstance(guest, Watched)
        rows = sum(len(masks) for _, masks in guest.calls)
        assert rows > 20 * len(guest.calls)


def test_threads_change_nothing() -> None:
    """Bots have random numbers of their own in every game, so it does not matter which thread plays them."""
    alone, shared = (
        LearnerBatch(
            30, 3, "tiny", opponents=["sensible-random", Last()], illegal="replace", shaping=0.2, threads=threads
        )
        for threads in (1, 3)
    )
    choose = Chooser(alone.rules)
    for learner in (alone, shared):
        learner.reset(8)
    for step in range(150):
        actions = choose(alone.masks)
        actions[step % 30] = -1
        for learner in (alone, shared):
            learner.step(actions)
        assert everything(alone.batch) == everything(shared.batch)
        assert np.array_equal(alone.rewards, shared.rewards)


def test_guests_begin_with_the_games() -> None:
    """`reset_batch` is called when all games begin anew, with a seed that depends on theirs."""
    guest = Last()
    learner = LearnerBatch(3, 2, "tiny", opponents=guest, learner_seat=0, max_rounds=2)
    learner.reset(7)
    assert guest.seeds == [agent_seed(7, 1)]
    for _ in range(60):
        learner.step(last(learner.masks))
    learner.reset(lanes=[1])
    assert guest.seeds == [agent_seed(7, 1)]
    resets = int(learner.batch.lanes.memory["resets"][0])
    learner.reset()
    assert guest.seeds[1:] == [agent_seed(derived_seed(7, RESET_STREAM, resets + 1), 1)]
    learner.reset(7)
    assert guest.seeds[2:] == [agent_seed(7, 1)]


class Stubborn:
    """A guest who always answers the same."""

    name = "stubborn"

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer = answer

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Any:
        return self.answer(len(masks))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda rows: np.full(rows, -1), "lane [0-4]: there is no action -1"),
        (lambda rows: np.full(rows, 46), "lane [0-4]: 'discard .*' is not legal"),
        (lambda rows: np.zeros(rows), "act_batch must return [1-5] whole numbers, not float64"),
        (lambda rows: np.zeros(rows + 1, int), "act_batch must return [1-5] whole numbers, not int64"),
        (lambda rows: np.zeros((rows, 1), int), "act_batch must return [1-5] whole numbers"),
        (lambda rows: ["draw"] * rows, "act_batch must return [1-5] whole numbers"),
        (lambda rows: None, "act_batch must return [1-5] whole numbers"),
    ],
)
@pytest.mark.parametrize("illegal", ["raise", "penalise", "replace"])
def test_bad_answers_are_the_guests_fault(answer: Callable[[int], Any], message: str, illegal: str) -> None:
    """Whatever happens to illegal actions of the learner."""
    guest = Stubborn(answer)
    learner = LearnerBatch(5, 2, "tiny", opponents=guest, illegal=illegal)
    with pytest.raises(AgentError, match=f"agent 'stubborn': {message}"):
        learner.reset(1, start_player=0)


def test_play_goes_on_after_a_bad_answer() -> None:
    guest = Stubborn(lambda rows: None)
    learner = LearnerBatch(1, 2, "tiny", opponents=guest)
    with pytest.raises(AgentError, match="act_batch must return"):
        learner.reset(1, start_player=0)
    guest.answer = lambda rows: last(learner.masks)
    learner.reset(2)
    learner.step(last(learner.masks))
    assert learner.masks.any()


def test_a_win_is_a_win_even_with_replaced_actions() -> None:
    """An illegal action that ended a game lost it; one that was replaced did not."""
    won: dict[str, int] = {}
    for illegal in ("penalise", "replace"):
        learner = LearnerBatch(200, 2, "tiny", opponents="random", illegal=illegal)
        learner.reset(1)
        won[illegal] = 0
        for _ in range(200):
            learner.step(np.full(200, -1))
            ended = learner.ended
            figures = learner.final_figures(ended)
            assert figures["illegal"].all()
            assert np.array_equal(figures["won"], learner.rewards[ended] == 1)
            won[illegal] += int(figures["won"].sum())
    assert won["penalise"] == 0
    assert won["replace"] > 10


def test_figures_of_the_learner() -> None:
    learner = LearnerBatch(50, 3, "tiny", opponents="random", reward="rank", max_rounds=20)
    learner.reset(1)
    choose, decisions, games = Chooser(learner.rules), np.zeros(50, int), 0
    while games < 100:
        learner.step(choose(learner.masks))
        decisions += 1
        ended = learner.ended
        figures = learner.final_figures(ended)
        for row, lane in enumerate(ended):
            game, seat = final_game(learner, lane), learner.seats[lane]
            figure = {name: values[row] for name, values in figures.items()}
            assert figure["seat"] == seat
            assert figure["return"] == learner.rewards[lane]
            assert figure["decisions"] == decisions[lane]
            assert figure["score"] == game.scores[seat]
            assert figure["rank"] == game.ranks[seat]
            assert figure["turns"] == game.rounds
            assert figure["won"] == (game.ranks[seat] == 1)
            assert figure["margin"] == game.scores[seat] - max(np.delete(game.scores, seat))
            assert not figure["illegal"]
        decisions[ended] = 0
        games += len(ended)


def test_calls_before_the_first_game() -> None:
    learner = LearnerBatch(2, 2, "tiny")
    with pytest.raises(ThurnError, match=r"there are no games yet: call reset\(\)"):
        learner.check_begun()
    with pytest.raises(ThurnError, match=r"there are no games yet: call reset\(\)"):
        learner.step([0, 0])


def test_a_mask_of_all_games_resets_all() -> None:
    """Guests that play many games start again with the same seed."""
    guest = Last()
    learner = LearnerBatch(3, 2, "tiny", opponents=guest)
    everyone = np.ones(3, bool)
    for seed in (1, 1, 2):
        learner.reset(seed, everyone)
    learner.reset(1)
    first, second, other, plain = guest.seeds
    assert first == second == plain != other
    learner.reset(lanes=[0, 2])
    assert len(guest.seeds) == 4, "two of three games go on"


def test_a_reset_of_some_games_leaves_the_ends_of_others() -> None:
    """Their figures and last observations stay those of their learners."""
    learner = LearnerBatch(4, 2, "tiny", opponents="greedy", max_rounds=3)
    learner.reset(1)
    choose = Chooser(learner.rules)
    while len(learner.ended) in (0, 4):
        learner.step(choose(learner.masks))
    ended = learner.ended
    before = learner.final_figures(ended), learner.final_observations(ended)
    learner.reset(lanes=np.setdiff1d(np.arange(4), ended))
    after = learner.final_figures(ended), learner.final_observations(ended)
    assert after[1].tolist() == before[1].tolist()
    assert {name: values.tolist() for name, values in after[0].items()} == {
        name: values.tolist() for name, values in before[0].items()
    }
