"""Puzzles: the files that come with the project, how moves are judged, and the scores of agents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.puzzles import prove
from eval.puzzles.proof import CLEAR, UNKNOWN, Bounds, bounds_of, judged, unseen_cards, wins
from eval.puzzles.puzzle import FOLDER, THEMES, Puzzle
from eval.puzzles.score import by_theme, guessing, score
from tests.puzzlers import PUZZLES, Failing
from thurn_env import Game
from thurn_env.errors import ThurnError
from thurn_env.table.replay import last_position

NAMES = [puzzle.name for puzzle in PUZZLES]
PROVED = [puzzle for puzzle in PUZZLES if not puzzle.games]


# The files


def test_there_are_enough() -> None:
    assert len(PUZZLES) >= 30
    themes = Counter(puzzle.theme for puzzle in PUZZLES)
    assert set(themes) == set(THEMES)
    assert min(themes.values()) >= 5
    assert {puzzle.game.players for puzzle in PUZZLES} == {2, 3, 4}
    # No position stands there twice.
    assert len({tuple(puzzle.record.moves) for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=NAMES)
def test_puzzles_are_whole(puzzle: Puzzle) -> None:
    game = last_position(puzzle.record)
    assert game.seat == puzzle.seat
    assert set(puzzle.best) < set(game.legal)
    assert puzzle.values.keys() == set(game.legal)
    assert puzzle.name.startswith(puzzle.theme.replace(" ", "-"))
    assert len(puzzle.reason) > 40
    assert puzzle.reason.endswith(".")
    values = list(puzzle.values.values())
    assert values == sorted(values, reverse=True)
    worst_best = min(puzzle.values[move] for move in puzzle.best)
    best_other = max(value for move, value in puzzle.values.items() if move not in puzzle.best)
    assert worst_best - best_other == pytest.approx(puzzle.ahead, abs=2e-4)
    assert puzzle.ahead >= CLEAR
    assert 0 < puzzle.interval[0] <= puzzle.interval[1]
    if puzzle.games:
        assert puzzle.games >= 4000
        others = [value for move, value in puzzle.searched.items() if move not in puzzle.best]
        assert round(min(puzzle.searched[move] for move in puzzle.best) - max(others), 4) >= CLEAR
    else:
        assert set(puzzle.proved) == set(game.legal)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=NAMES)
def test_files_are_as_they_are_written(puzzle: Puzzle, tmp_path: Path) -> None:
    assert puzzle.save(tmp_path).read_bytes() == (FOLDER / f"{puzzle.name}.json").read_bytes()


def test_there_are_proved_ones() -> None:
    assert len(PROVED) >= 10


@pytest.mark.parametrize("puzzle", PROVED, ids=[puzzle.name for puzzle in PROVED])
def test_proofs_hold(puzzle: Puzzle) -> None:
    assert prove.proved_again(puzzle) == puzzle


@pytest.mark.parametrize(
    "puzzle", [puzzle for puzzle in PUZZLES if puzzle.games and puzzle.proved], ids=lambda p: p.name
)
def test_certain_moves_hold(puzzle: Puzzle) -> None:
    for move in puzzle.proved:
        bounds = bounds_of(puzzle.game, move)
        assert bounds.least == bounds.most == puzzle.values[move]


def test_some_games_agree_with_the_files() -> None:
    puzzle = min((one for one in PUZZLES if one.games), key=lambda one: (len(one.values), -one.ahead))
    moves = list(puzzle.values)
    won = wins(puzzle.game, moves, range(100), puzzle.seed, puzzle.bot)
    assert np.array_equal(won[50:], wins(puzzle.game, moves, range(50, 100), puzzle.seed, puzzle.bot))
    for move, share in zip(moves, won.mean(axis=0), strict=True):
        assert share == pytest.approx(puzzle.values[move], abs=0.2)


# Judging


def test_bounds_need_the_last_turn() -> None:
    game = Game(players=2, seed=1)
    assert all(bounds_of(game, action) == UNKNOWN for action in game.legal)


def test_a_draw_is_the_mean_over_the_unseen_cards() -> None:
    puzzle = next(puzzle for puzzle in PROVED if "draw" in puzzle.values)
    game, seat = puzzle.game, puzzle.seat
    unseen = unseen_cards(game, seat)
    hidden = game.public()["deck_size"] + sum(
        player["hand_size"] - sum(player["known_cards"].values())
        for number, player in enumerate(game.public()["players"])
        if number != seat
    )
    assert unseen.total() == hidden
    drawn = 0.0
    for card, number in unseen.items():
        # Whatever lies on top in a deal: the values of the deals with this card are all the same.
        for deal in range(2000):
            after = game.redeal(seat, deal)
            before = Counter(after.hand(seat))
            after.play("draw")
            if Counter(after.hand(seat)) - before == Counter([card]):
                drawn += number / hidden * max(bounds_of(after, action).least for action in after.legal)
                break
        else:
            pytest.fail(f"{card} never came")
    assert bounds_of(game, "draw").least == pytest.approx(drawn)


def test_judging() -> None:
    won = np.zeros((1000, 3), np.int8)
    won[:600, 0] = won[:590, 1] = won[200:500, 2] = 1
    judgement = judged(["a", "b", "c"], won, [UNKNOWN] * 3)
    assert judgement is not None
    assert judgement.best == ("a", "b")
    assert judgement.values == {"a": 0.6, "b": 0.59, "c": 0.3}
    assert judgement.ahead == pytest.approx(0.29)
    assert judgement.clear
    # What is proved counts instead of the games.
    judgement = judged(["a", "b", "c"], won, [UNKNOWN, UNKNOWN, Bounds(1.0, 1.0)])
    assert judgement is not None
    assert judgement.best == judgement.proved == ("c",)
    assert judged(["a", "b"], won[:, :2], [UNKNOWN] * 2) is None


# Scores


def test_the_perfect_agent_and_its_opposite() -> None:
    perfect = score("tests.puzzlers:Knowing", PUZZLES, deals=1)
    assert perfect.total == 1.0
    assert set(perfect.by_theme.values()) == {1.0}
    wrong = score("tests.puzzlers:Erring", PUZZLES, deals=1)
    assert wrong.total == 0.0
    assert wrong.right == dict.fromkeys(NAMES, 0.0)
    assert not perfect.failures
    assert not wrong.failures


def test_failures_are_wrong_answers() -> None:
    Failing.calls = 0
    failed = score("tests.puzzlers:Failing", PUZZLES[:2], deals=3)
    assert failed.total == 0.0
    assert "LookupError: I have no idea" in failed.failures[NAMES[0]]
    assert "answered illegally: there is no action 'discard Ansbach'" in failed.failures[NAMES[1]]
    assert Failing.calls == 6


def test_scores_are_reproducible_and_guesses_near_their_mean() -> None:
    once = score("random", PUZZLES, deals=20, seed=3)
    assert once == score("random", PUZZLES, deals=20, seed=3)
    guess = guessing(PUZZLES)
    assert once.total == pytest.approx(sum(guess.values()) / len(guess), abs=0.06)
    assert once.right != score("random", PUZZLES, deals=20, seed=4).right
    assert once.by_theme == by_theme(once.right, once.themes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gredy",), "did you mean 'greedy'"),
        (("greedy", 0), "deals must be from 1 to 10,000, not 0"),
        (("greedy", 1, -1), "a seed is a whole number"),
    ],
)
def test_wrong_scores(arguments: tuple[Any, ...], message: str) -> None:
    spec, *others = arguments
    with pytest.raises(ThurnError, match=message):
        score(spec, PUZZLES[:1], *others)
