"""Reviews of games: chances to win, mistakes, accuracy, partial results, and the same review every time."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.analysts import SPEC
from thurn_env import Game, Record, make_rules
from thurn_env.commands.cli import main
from thurn_env.engine.trees import ROOT, children_of
from thurn_env.errors import OptionError
from thurn_env.players.advice import Advice
from thurn_env.players.analysis import Analysis, Line
from thurn_env.players.match import play_scripted
from thurn_env.players.mcts import MCTS, MEASURED
from thurn_env.players.review import MoveReview, Review, Reviewer, accuracy_of
from thurn_env.table.replay import replay


@pytest.fixture(scope="module")
def record() -> Record:
    """A game of three on the tiny board."""
    return play_scripted(make_rules("thurn_und_taxis", 3, "tiny"), ["greedy", "sensible-random", "greedy"], 4)


def made(played: str, seat: int = 0, **chances: float) -> MoveReview:
    """A reviewed move between two players, from the chances of its actions, the recommended one first."""
    lines = [
        Line(action, 10, chance, 5.0, (), (chance, 1 - chance) if seat == 0 else (1 - chance, chance))
        for action, chance in chances.items()
    ]
    return MoveReview(seat, played, Advice("mcts", next(iter(chances)), Analysis(seat, 30, tuple(lines))))


def whole(*moves: MoveReview | None, result: tuple[float, ...] = ()) -> Review:
    """A complete review."""
    return Review("mcts", 2, moves, len(moves), result, 1, 1, len(moves), len(moves))


# Figures


@pytest.mark.parametrize(("cost", "accuracy"), [(0.0, 100.0), (0.05, 79.85), (0.15, 50.92), (1.0, 1.11)])
def test_accuracy_falls_with_the_cost(cost: float, accuracy: float) -> None:
    assert accuracy_of(cost) == pytest.approx(accuracy, abs=0.005)


@pytest.mark.parametrize(
    ("chance", "kind"), [(0.75, ""), (0.703125, ""), (0.6875, "mistake"), (0.609375, "mistake"), (0.59375, "blunder")]
)
def test_kinds_of_mistakes(chance: float, kind: str) -> None:
    """A mistake gives away 5 %, a blunder 15 %."""
    move = made("other", best=0.75, other=chance)
    assert move.cost == 0.75 - chance
    assert move.kind == kind


def test_an_action_without_figures_has_no_cost() -> None:
    move = made("unknown", best=0.6)
    assert (move.cost, move.kind, move.after) == (None, "", ())
    assert move.reason == "mcts would have played best."


def test_an_action_that_looks_better_than_the_recommended_one_costs_nothing() -> None:
    assert made("other", best=0.5, other=0.6).cost == 0.0


def test_the_reason() -> None:
    lines = (Line("best", 10, 0.6, 5.0, ("then", "and then"), (0.6, 0.4)), Line("bad", 2, 0.4, 5.0, (), (0.4, 0.6)))
    move = MoveReview(0, "bad", Advice("mcts", "best", Analysis(0, 12, lines)), scores=(31.04, 28.5))
    assert move.reason == (
        "mcts would have played best, with a win probability of 60% instead of 40%. Expected final score: 31.0 instead "
        "of 28.5. Expected continuation: then, and then."
    )


def test_players_are_counted_apart() -> None:
    review = whole(
        made("best", 0, best=0.6, other=0.2),
        made("other", 1, best=0.6, other=0.5),
        None,
        made("other", 0, best=0.6, other=0.4),
        made("unknown", 0, best=0.6),
    )
    first, second = review.player(0), review.player(1)
    assert (first.decisions, first.agreed, first.mistakes, first.blunders) == (3, 1, 0, 1)
    assert (second.decisions, second.agreed, second.mistakes, second.blunders) == (1, 0, 1, 0)
    # The mean over the decisions whose cost is known.
    assert first.accuracy == pytest.approx((100 + 100 * math.exp(-4.5 * 0.2)) / 2)
    assert second.accuracy == pytest.approx(100 * math.exp(-4.5 * 0.1))
    assert whole(made("unknown", 0, best=0.6)).player(0).accuracy is None


def test_chances_of_every_seat_at_every_position() -> None:
    moves = (None, made("other", 1, best=0.75, other=0.5), None, made("best", 0, best=0.625))
    won = whole(*moves, result=(1.0, 0.0))
    # Unknown before the first decision; before a forced move as after the move before; at the end the result.
    assert won.chances() == [(), (0.25, 0.75), (0.5, 0.5), (0.625, 0.375), (1.0, 0.0)]
    assert whole(*moves).chances()[-1] == (0.625, 0.375)


def test_a_shared_victory_is_a_share_of_it(monkeypatch: pytest.MonkeyPatch, record: Record) -> None:
    monkeypatch.setattr(Game, "ranks", property(lambda game: [1, 3, 1]))
    assert record.result is not None
    won = replace(record, result={"scores": record.result["scores"], "ranks": [1, 3, 1]})
    *_, review = Reviewer(won.rules, "greedy").review(won)
    assert review.result == (0.5, 0.0, 0.5)
    assert review.chances()[-1] == (0.5, 0.0, 0.5)


def test_plain_data(record: Record) -> None:
    *_, review = Reviewer(record.rules, SPEC).review(record)
    data = json.loads(json.dumps(review.as_dict()))
    assert data["complete"]
    assert len(data["moves"]) == len(record.moves)
    assert len(data["chances"]) == len(record.moves) + 1
    assert data["players"][0] == vars(review.player(0))
    worst = max(filter(None, data["moves"]), key=lambda move: move["cost"])
    assert worst["before"][worst["seat"]] - worst["after"][worst["seat"]] == pytest.approx(worst["cost"])


# Passes


def test_partial_results_come_in_order(record: Record) -> None:
    reviews = list(Reviewer(record.rules, SPEC).review(record))
    games = list(replay(record))
    decisions = [number for number, _ in enumerate(record.moves) if len(games[number].legal) > 1]
    assert [review.complete for review in reviews] == [False] * (len(reviews) - 1) + [True]
    assert {review.of for review in reviews if review.stage < 3} == {len(decisions)}
    first = [review for review in reviews if review.stage == 1]
    for known, review in enumerate(first[: len(decisions) + 1]):
        reviewed = [number for number, move in enumerate(review.moves) if move is not None]
        assert reviewed == decisions[:known]
        assert review.reached == [*decisions, len(record.moves)][known]
        assert review.done == known
    assert first[-1].reached == len(record.moves)
    # The last pass spends the whole budget on actions that cost 1 % or more, and only on them.
    again = [number for number in decisions if (first[-1].moves[number].cost or 0) >= 0.01]  # type: ignore[union-attr]
    assert [review.done for review in reviews if review.stage == 3] == list(range(len(again) + 1))
    assert 0 < len(again) < len(decisions)
    for number in decisions:
        move = reviews[-1].moves[number]
        assert move is not None
        assert move.advice.analysis is not None
        assert move.advice.analysis.iterations == (1000 if number in again else 250)
        # Only mistakes have expected scores.
        assert (move.scores is not None) == bool(move.kind)


def test_an_adviser_without_figures_takes_one_pass(record: Record) -> None:
    *_, review = Reviewer(record.rules, "heuristic").review(record)
    assert (review.stage, review.stages) == (1, 1)
    assert {move.cost for move in review.moves if move is not None} == {None}
    assert [review.player(seat).accuracy for seat in range(2)] == [None, None]
    assert review.player(0).agreed > 0
    for move, game in zip(review.moves, replay(record), strict=False):
        assert (move is None) == (len(game.legal) == 1)
        if move is not None:
            assert move.advice.action in game.legal


def test_a_record_of_another_table(record: Record) -> None:
    for game, board, options in (
        ("zug_um_zug_deutschland", "tiny_rails", {}),
        (record.game, "small", {}),
        (record.game, record.board, {"max_rounds": 7}),
    ):
        reviewer = Reviewer(make_rules(game, 2, board, **options), "greedy")
        with pytest.raises(OptionError, match="the record is of another table than the reviewer"):
            next(reviewer.review(record))


@pytest.mark.parametrize("threads", [0, -1, "x", 2.5])
def test_wrong_numbers_of_threads(record: Record, threads: Any) -> None:
    with pytest.raises(OptionError, match="threads must be"):
        Reviewer(record.rules, "mcts:5", threads=threads)


def test_only_the_last_review_is_complete_if_a_game_ends_with_forced_moves() -> None:
    """A page stops asking for news once a review is complete."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    games = (play_scripted(rules, ["sensible-random"] * 2, seed) for seed in range(100))
    record = next(record for record in games if len(list(replay(record))[-2].legal) == 1)
    reviews = list(Reviewer(rules, "sensible-random").review(record))
    assert [review.complete for review in reviews] == [False] * (len(reviews) - 1) + [True]
    assert reviews[-1].reached == len(record.moves)


def test_a_game_without_moves() -> None:
    (*_, review) = Reviewer(make_rules("thurn_und_taxis", 2, "tiny"), SPEC).review(Game(2, "tiny", seed=1).record())
    assert review.complete
    assert review.chances() == [()]


# With tree search


@pytest.fixture(scope="module")
def short() -> Record:
    """The beginning of a game of two on the tiny board, with bad moves."""
    game = Game(2, "tiny", seed=3)
    while len(game.moves) < 16:
        game.play(game.legal[-1])
    return game.record()


def test_the_review_does_not_depend_on_threads(short: Record) -> None:
    one = [review.as_dict() for review in Reviewer(short.rules, "mcts:64", threads=1).review(short)]
    three = [review.as_dict() for review in Reviewer(short.rules, "mcts:64", threads=3).review(short)]
    assert json.dumps(one) == json.dumps(three)
    chances = [row for row in one[-1]["chances"] if row]
    assert chances
    for row in chances:
        assert sum(row) == pytest.approx(1.0)  # between two players the margin changes no sum


def test_the_played_action_is_measured(short: Record) -> None:
    agent = MCTS("200")
    for game, move in zip(replay(short), short.moves, strict=False):
        if len(game.legal) == 1:
            continue
        view, played = game.view(), game.legal_index(move)
        agent.reset(view.seat, short.rules, 0)
        analysis = agent.analyse_move(view, played, 0.5, False)
        searched = analysis.iterations - sum(line.visits for line in analysis.lines if line.action == move)
        (measured,) = [line for line in analysis.lines if line.action == move]
        assert measured.visits >= MEASURED * searched
        assert all(-0.01 <= chance <= 1.01 for line in analysis.lines for chance in line.chances)
        assert all(math.isnan(line.score) for line in analysis.lines)
        # The recommendation is that of the search alone.
        agent.reset(view.seat, short.rules, 0)
        agent.options = agent.options.parse("100")
        assert agent.act(view) == game.legal_index(analysis.lines[0].action)
        agent.options = agent.options.parse("200")


def test_measuring_leaves_the_tree_consistent(short: Record) -> None:
    game = next(game for game in replay(short) if len(game.legal) > 2)
    agent = MCTS("100")
    agent.reset(game.seat, short.rules, 0)
    agent.analyse_move(game.view(), game.legal_index(game.legal[-1]), 1.0, False)
    tree = agent._tree
    children = children_of(tree, ROOT)
    assert tree.nodes["visits"][children].sum() == tree.nodes["visits"][ROOT]
    assert tree.nodes["values"][ROOT] == pytest.approx(tree.nodes["values"][children].sum(axis=0))
    assert abs(tree.nodes["values"][ROOT]).max() <= tree.nodes["visits"][ROOT]


# The command


def test_the_command_prints_accuracy_and_mistakes(
    record: Record, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path_factory.mktemp("review") / "game.json"
    record.save(file)
    assert main(["replay", str(file), "--review", SPEC]) == 0
    printed = capsys.readouterr().out
    *_, review = Reviewer(record.rules, SPEC).review(record)
    wrong = [number for number, move in enumerate(review.moves, start=1) if move is not None and move.kind]
    assert wrong
    assert [int(number) for number in re.findall(r"^move (\d+), ", printed, re.MULTILINE)] == wrong
    accuracy = review.player(1).accuracy
    assert accuracy is not None
    assert re.search(rf"sensible-random.*\b{accuracy:.0f}%", printed)
