"""The agent that searches: what its figures mean, what it finds, what it may not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thurn_env import Game, make_rules
from thurn_env.engine.trees import ROOT, children_of
from thurn_env.errors import AgentError
from thurn_env.games.contract import Records
from thurn_env.players.agent import make_agent
from thurn_env.players.evaluation import evaluation_of, identity, write
from thurn_env.players.match import play_match
from thurn_env.players.mcts import MCTS
from thurn_env.players.search_options import SearchOptions

PLAIN = "rollout=sensible-random,cut=none"
"""The search that needs nothing but the rules."""


def searching(argument: str, game: Game, seed: int = 1) -> MCTS:
    """An agent at the seat to move."""
    agent = MCTS(argument)
    agent.reset(game.seat, game.rules, seed)
    return agent


def opening(seed: int = 3) -> Game:
    return Game(players=3, board="tiny", seed=seed)


# Figures


def test_every_iteration_is_counted_once() -> None:
    game = opening()
    agent = searching(f"200,{PLAIN}", game)
    analysis = agent.analyse(game.view())
    assert analysis.iterations == sum(line.visits for line in analysis.lines) <= 200
    assert [line.visits for line in analysis.lines] == sorted((line.visits for line in analysis.lines), reverse=True)
    assert {line.action for line in analysis.lines} <= set(game.legal)
    for line in analysis.lines:
        assert 0 <= line.chance <= 1
        assert -20 <= line.score <= 60


def test_results_are_shared_out_among_the_seats() -> None:
    """What the seats win and lose of a game adds up to nothing, in every node; the scores are points of real games."""
    game = opening()
    agent = searching(f"150,{PLAIN},margin=0", game)
    agent.act(game.view())
    nodes = agent._tree.nodes[: agent._tree.used[0]]
    assert len(nodes) > 50
    assert np.allclose(nodes["values"].sum(axis=1), 0)
    assert (np.abs(nodes["values"]) <= nodes["visits"][:, None] + 1e-9).all()


def test_parents_were_visited_as_often_as_their_children_and_once_more() -> None:
    game = opening()
    agent = searching(f"300,{PLAIN}", game)
    agent.act(game.view())
    tree = agent._tree
    for node in range(tree.used[0]):
        below = sum(int(tree.nodes["visits"][child]) for child in children_of(tree, node))
        visits = int(tree.nodes["visits"][node])
        assert below <= visits
        for child in children_of(tree, node):
            assert 0 < tree.nodes["visits"][child] <= tree.nodes["available"][child] <= visits


def test_the_analysis_in_words() -> None:
    game = opening()
    analysis = searching(f"100,{PLAIN}", game).analyse(game.view())
    first, headings, *rows = str(analysis).splitlines()
    assert first == f"seat {game.seat}, {analysis.iterations} iterations"
    assert headings.split() == ["action", "visits", "chance", "score", "then"]
    assert [row.startswith(line.action) for row, line in zip(rows, analysis.lines, strict=True)]


def test_scores_are_those_at_the_end_of_the_game(tmp_path: Path) -> None:
    """Whether rollouts go to the end or are cut off long before it, analysis says what a game brings in."""
    game = opening()
    path = tmp_path / "nothing.json"
    write(path, game.rules, np.zeros(game.rules.observation_size + 1, np.float32), {})
    cut, whole = (searching(f"400,{options}", game) for options in (f"evaluation={path}", "cut=none"))
    ends = [
        sum(line.score * line.visits for line in analysis.lines) / analysis.iterations
        for analysis in (agent.analyse(game.view()) for agent in (cut, whole))
    ]
    assert min(ends) > game.scores[game.seat] + 5
    assert ends[0] == pytest.approx(ends[1], abs=2)
    nodes = whole._tree.nodes[: whole._tree.used[0]]
    assert nodes["scores"].any()
    whole.act(game.view())
    assert not whole._tree.nodes["scores"][: whole._tree.used[0]].any(), "a choice needs no scores"


# Choices


def test_the_seat_is_that_of_the_view() -> None:
    game = opening()
    agent = MCTS(f"60,{PLAIN}")
    agent.reset((game.seat + 1) % 3, game.rules, 1)
    assert agent.act(game.view()) == searching(f"60,{PLAIN}", game).act(game.view())


def test_the_same_seed_plays_the_same_game() -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    others = [make_agent("greedy", rules.bots), make_agent("random", rules.bots)]
    games = [play_match(rules, [MCTS(f"40,{PLAIN}"), *others], seed=5) for _ in range(2)]
    assert games[0].moves == games[1].moves


def test_a_limit_of_time() -> None:
    game = opening()
    assert game.rules.action_texts[searching(f"ms=5,{PLAIN}", game).act(game.view())] in game.legal


def test_time_is_used_up_and_not_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which an iteration takes a millisecond, and looking at it nothing."""
    game = opening()
    agent = searching(f"ms=400,{PLAIN}", game)
    clock = Clock(agent, monkeypatch)
    agent.act(game.view())
    assert 0.400 <= clock.now < 0.450


def test_a_single_iteration_may_take_longer_than_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = opening()
    agent = searching(f"ms=400,{PLAIN}", game)
    clock = Clock(agent, monkeypatch, seconds=3)
    assert agent.act(game.view()) in game.legal_actions
    assert clock.now == 3


class Clock:
    """A clock that only iterations of the agent move on."""

    def __init__(self, agent: MCTS, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.001) -> None:
        self.now = 0.0
        grow = agent._grow

        def counted(states: Records, iterations: int) -> None:
            grow(states, iterations)
            self.now += iterations * seconds

        monkeypatch.setattr(agent, "_grow", counted)
        monkeypatch.setattr("thurn_env.players.mcts.time.perf_counter", lambda: self.now)


# The tree that is kept


def test_the_tree_is_kept_while_nothing_new_is_seen() -> None:
    """Laying a card shows nothing; taking one from a large deck, or one that a card of the deck replaces, does."""
    game = opening(4)
    agent = searching(f"150,{PLAIN}", game)
    outcomes = []
    seat = game.seat
    while not game.over and len(game.moves) < 150:
        if game.seat != seat or len(game.legal_actions) < 2:
            game.play(int(game.legal_actions[0]))
            continue
        deck = game.public()["deck_size"]
        action = agent.act(game.view())
        text = game.rules.action_texts[action]
        game.play(action)
        if game.over or game.seat != seat or len(game.legal_actions) < 2:
            continue
        kept = agent._keep(game.view().game)
        agent._last = None
        draws = text.startswith(("draw", "take", "administrator"))
        if deck > 6 or not draws:  # the last cards of a deck may be known
            assert kept == (not draws), text
            outcomes.append(kept)
    assert min(outcomes.count(True), outcomes.count(False)) > 3


@pytest.mark.parametrize("spec", ["mcts:60", "ppo+mcts:thurn_und_taxis-south-2,60"])
def test_a_kept_tree_never_answers_illegally(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    """The sample of deals may miss that an action revealed a card; here it misses that always."""
    monkeypatch.setattr("thurn_env.players.mcts.DEALS", 0)
    rules = make_rules("thurn_und_taxis", 2, "south")
    agents = [make_agent(spec, rules.bots), make_agent("greedy", rules.bots)]
    for seed in range(3):
        assert play_match(rules, agents, seed).result is not None


def test_a_kept_tree_counts_towards_the_iterations() -> None:
    game = opening(4)
    agent = searching(f"150,{PLAIN}", game)
    seat = game.seat
    while not game.over:
        if game.seat == seat and len(game.legal_actions) > 1:
            game.play(agent.act(game.view()))
            assert agent._tree.nodes["visits"][ROOT] <= 150
        else:
            game.play(int(game.legal_actions[0]))


# Options


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("many", "iterations must be a whole number, not 'many'"),
        ("0", "iterations must be from 1 to"),
        ("100,roll=greedy", "no option 'roll'; did you mean rollout?"),
        ("100,100", "no option '100'"),
        ("100,c=x", "c must be a number"),
        ("100,c=nan", "c must be from"),
        ("100,c=1,c=2", "c is given twice"),
        ("100,ms=5", "iterations or ms, not both"),
        ("ms=0", "ms must be from 1 to 3,600,000, not 0"),
        ("ms=-1", "ms must be from 0 to 3,600,000, not -1"),
        ("100,prior=2", "prior must be from 0"),
        ("100,cut=-1", "cut must be from 0"),
        ("100,cut=x", "cut must be a whole number or none"),
        ("100,opponents=both", "opponents must be tree or rollout"),
    ],
)
def test_wrong_options(argument: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        MCTS(argument)


def test_options_as_text() -> None:
    assert SearchOptions.parse("2000,rollout=heuristic,c=0.7") == SearchOptions(iterations=2000, c=0.7)
    assert SearchOptions.parse("ms=50") == SearchOptions(iterations=0, ms=50)
    assert SearchOptions.parse("10,cut=none").cut is None


def test_a_bot_that_the_game_does_not_have() -> None:
    with pytest.raises(AgentError, match="no bot 'clever'; it has random"):
        searching("10,rollout=clever", opening())


def test_nothing_to_analyse() -> None:
    game = opening()
    agent = searching(f"10,{PLAIN}", game)
    with pytest.raises(AgentError, match="nothing to search"):
        agent.analyse(game.view((game.seat + 1) % 3))


# Evaluations


def evaluation_file(path: Path, **changes: Any) -> Path:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    write(path, rules, np.linspace(-1, 1, rules.observation_size + 1, dtype=np.float32), {"command": "by hand"})
    document = json.loads(path.read_text()) | changes
    path.write_text(json.dumps(document))
    return path


def test_an_evaluation_that_knows_nothing_gives_everybody_the_same_chance(tmp_path: Path) -> None:
    """Rollouts end with the first turn, long before the game does, so every value is the evaluation's."""
    game = opening()
    path = tmp_path / "nothing.json"
    write(path, game.rules, np.zeros(game.rules.observation_size + 1, np.float32), {})
    analysis = searching(f"60,evaluation={path}", game).analyse(game.view())
    assert [line.chance for line in analysis.lines] == pytest.approx([1 / 3] * len(analysis.lines))


def test_a_move_is_worth_what_the_evaluation_says(tmp_path: Path) -> None:
    """An evaluation to which a route is everything: after its first turn the seat is the only one with a route.

    Deeper in the tree the others lay too, which takes a little of that.
    """
    game = opening()
    weights = np.zeros(game.rules.observation_size + 1, np.float32)
    weights[game.rules.observation_slices["route_length"].start] = 1e4
    weights[-1] = -10
    path = tmp_path / "routes.json"
    write(path, game.rules, weights, {})
    analysis = searching(f"60,evaluation={path}", game).analyse(game.view())
    assert min(line.chance for line in analysis.lines) > 0.7


def test_an_evaluation_there_and_back(tmp_path: Path) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    weights = evaluation_of(rules, str(evaluation_file(tmp_path / "tiny.json")))
    assert weights.shape == (rules.observation_size + 1,)
    assert np.allclose(weights, np.linspace(-1, 1, len(weights)), atol=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_usual_board_finds_its_evaluation(players: int) -> None:
    """Without one, search would play whole games without a message; `thurn evaluation` makes the files."""
    rules = make_rules("thurn_und_taxis", players)
    weights = evaluation_of(rules, "auto")
    assert weights.shape == (rules.observation_size + 1,)
    assert weights.any()


def test_a_board_without_an_evaluation() -> None:
    assert evaluation_of(make_rules("thurn_und_taxis", 2, "tiny"), "auto").shape == (0,)


def test_an_evaluation_of_another_game(tmp_path: Path) -> None:
    path = evaluation_file(tmp_path / "tiny.json")
    for players, board, table in (
        (3, "tiny", "for 2 players, not for 3"),
        (2, "small", "for another board than small"),
    ):
        with pytest.raises(AgentError, match=f"is an evaluation {table}"):
            evaluation_of(make_rules("thurn_und_taxis", players, board), str(path))


@pytest.mark.parametrize("changes", [{"format": "x"}, {"weights": {}}, {"constant": "much"}, {"for": None}])
def test_a_damaged_evaluation(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = evaluation_file(tmp_path / "tiny.json", **changes)
    with pytest.raises(AgentError, match="is not an evaluation or is damaged"):
        evaluation_of(make_rules("thurn_und_taxis", 2, "tiny"), str(path))


def test_a_missing_evaluation(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"evaluation .*; create one with thurn evaluation"):
        evaluation_of(make_rules("thurn_und_taxis", 2, "tiny"), str(tmp_path / "none.json"))


def test_the_identity_names_what_weights_depend_on() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    assert sum(identity(rules)["pieces"].values()) == rules.observation_size
