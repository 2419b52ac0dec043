"""Games by text, which the environments for language models are made of."""

from __future__ import annotations

import random

import pytest

from thurn_env import AgentError, OptionError, ThurnError, make_rules
from thurn_env.envs.text import TEXT, TextGame
from thurn_env.table.game import View
from thurn_env.talk import prompt

RULES = make_rules("thurn_und_taxis", 2, "tiny")


class Broken:
    name = "broken"

    def reset(self, seat: int, rules: object, seed: int) -> None: ...

    def act(self, view: View) -> str:
        raise KeyError("lost")


def play(game: TextGame, chance: random.Random) -> None:
    """Play random legal actions to the end."""
    while not game.over:
        assert game.seat in game.text_seats
        assert len(game.view().legal) > 1
        assert game.prompt() == prompt(game.view())
        assert game.rewards() == [0.0] * game.game.players
        assert game.answer(f"Action: {chance.choice(list(game.view().legal))}") == ""


@pytest.mark.parametrize(("name", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
@pytest.mark.parametrize("seats", [(TEXT, "greedy"), ("random", TEXT), (TEXT, TEXT), (TEXT, "greedy", TEXT)])
@pytest.mark.parametrize("reward", ["win", "rank"])
def test_a_whole_game(name: str, board: str, seats: tuple[str, ...], reward: str) -> None:
    game = TextGame(make_rules(name, len(seats), board), seats, 3, reward=reward)
    assert game.text_seats == [seat for seat, agent in enumerate(seats) if agent == TEXT]
    assert game.result(0) == ""
    play(game, random.Random(1))
    assert game.game.over
    assert game.forfeited is None
    assert sum(game.rewards()) == pytest.approx(0)
    assert max(game.rewards()) == game.rewards()[game.game.ranks.index(1)]
    assert "The game is over" in game.result(0)
    assert game.prompt() == ""
    assert [count > 0 for count in game.answers] == [agent == TEXT for agent in seats]
    with pytest.raises(ThurnError, match="the game is over"):
        game.answer("draw")


def test_equal_seeds_give_equal_games() -> None:
    games = [TextGame(RULES, (TEXT, "random"), 8) for _ in range(2)]
    for game in games:
        play(game, random.Random(5))
    assert games[0].game.moves == games[1].game.moves


def test_wrong_answers_change_nothing_and_are_counted() -> None:
    game = TextGame(RULES, (TEXT, TEXT), 1, tries=3)
    before, seat = game.prompt(), game.seat
    for _ in range(2):
        problem = game.answer("I pass.")
        assert problem.startswith("Not accepted: 'I pass.' names no legal action")
        assert game.prompt() == before
    assert game.answer(game.view().legal[0]) == ""
    assert (game.answers[seat], game.illegal[seat]) == (3, 2)


def test_too_many_wrong_answers_in_a_row_forfeit() -> None:
    game = TextGame(make_rules("thurn_und_taxis", 3, "tiny"), (TEXT,) * 3, 1, tries=2)
    seat = game.seat
    game.answer("I pass.")
    game.answer(game.view().legal[0])
    while game.seat == seat:
        game.answer(game.view().legal[0])
    loser = game.seat
    game.answer("I pass.")
    assert not game.over
    game.answer("I pass.")
    assert game.over
    assert game.forfeited == loser
    assert game.rewards() == [-1.0 if player == loser else 0.5 for player in range(3)]
    assert game.result(0) == f"The game is over: player {loser} gave 2 illegal answers in a row."


def test_a_seat_may_forfeit_once() -> None:
    game = TextGame(RULES, (TEXT, TEXT), 1)
    loser = game.seat
    assert game.answer(None).startswith("Not accepted: ")
    game.forfeit()
    assert game.result(0) == f"The game is over: player {loser} forfeited."
    assert game.rewards()[loser] == -1
    with pytest.raises(ThurnError, match="the game is over"):
        game.forfeit()
    played = TextGame(RULES, (TEXT, "greedy"), 3)
    play(played, random.Random(1))
    rewards = played.rewards()
    with pytest.raises(ThurnError, match="the game is over"):
        played.forfeit()
    assert played.rewards() == rewards


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        ((TEXT,), {}, "seats must name text or an agent for each of 2 seats"),
        (TEXT, {}, "seats must name text or an agent"),
        (("greedy", "random"), {}, "no seat is played by text"),
        ((TEXT, "gredy"), {}, "did you mean 'greedy'"),
        ((TEXT, "greedy"), {"tries": 0}, "tries must be from 1"),
        ((TEXT, "greedy"), {"reward": "score"}, "reward must be one of win, rank"),
    ],
)
def test_wrong_values_are_refused(seats: tuple[str, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises((OptionError, AgentError), match=message):
        TextGame(RULES, seats, 1, **options)


class BrokenOnce(Broken):
    failed = False

    def act(self, view: View) -> str:
        if not self.failed:
            type(self).failed = True
            raise KeyError("lost")
        return str(view.legal[0])


def test_nobody_plays_on_for_an_agent_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat of the failed agent is still to move: another agent that played on would see its hand."""
    monkeypatch.setattr(BrokenOnce, "failed", False)
    game = TextGame(RULES, (TEXT, "tests.test_text_game:BrokenOnce"), 1)
    with pytest.raises(AgentError, match="the agent at seat 1 failed"):
        play(game, random.Random(1))
    moves = len(game.game.moves)
    for use in (game.prompt, game.view, game.forfeit, lambda: game.answer(game.game.legal[0])):
        with pytest.raises(ThurnError, match="an agent failed or was interrupted in this game; begin a new one"):
            use()
    assert len(game.game.moves) == moves
    assert game.view(0).seat == 0


def test_an_agent_that_fails_is_named() -> None:
    with pytest.raises(AgentError, match="the agent at seat 1 failed: KeyError: 'lost'"):
        play(TextGame(RULES, (TEXT, "tests.test_text_game:Broken"), 1), random.Random(1))
