"""Games behind tools: whole games by text, and nothing in it that the seat cannot know."""

from __future__ import annotations

import random

import pytest

from thurn_env import OptionError, ThurnError
from thurn_env.players.agent import AGENTS
from thurn_env.serve.menu import Menu
from thurn_env.serve.tool_game import ToolGame
from thurn_env.talk import NotUnderstood

GAMES = [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")]


class Failing:
    """An agent that fails with words about its hand."""

    def __init__(self, argument: str = "") -> None:
        self.name = "failing"
        self._moves = 0

    def reset(self, seat: int, rules: object, seed: int) -> None:
        self._moves = 0

    def act(self, view: object) -> str:
        self._moves += 1
        if self._moves > 1:
            raise RuntimeError("my secret card")
        return view.legal[0]  # type: ignore[attr-defined, no-any-return]


def tools(**options: object) -> ToolGame:
    return ToolGame(Menu.usual(), seed=4, **options)


@pytest.mark.parametrize(("game", "board"), GAMES)
@pytest.mark.parametrize("opponents", [["random"], ["greedy", "random"]])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_game(game: str, board: str, opponents: list[str], seat: int) -> None:
    table, chance = tools(), random.Random(1)
    said = table.new_game(game, board, opponents, seat)
    assert f"You are player {seat}" in said
    for _ in range(2_000):
        if not (legal := table.legal_actions()):
            break
        assert table.view().count("Legal: ") == 1
        said = table.play(f"I choose {chance.choice(legal)}.")
        assert said.startswith("You played ")
    assert table.session.game.over
    scores = table.session.game.scores
    assert all(f"player {player}: {score} points" in said for player, score in enumerate(scores))
    with pytest.raises(ThurnError, match="the game is over; begin another"):
        table.play("draw")


@pytest.mark.parametrize(("game", "board"), GAMES)
def test_all_that_is_said_is_the_same_for_all_deals_that_the_seat_cannot_tell_apart(game: str, board: str) -> None:
    table, chance = tools(), random.Random(2)
    table.new_game(game, board, ["random", "greedy"], 1)
    looked = 0
    while legal := table.legal_actions():
        session, true = table.session, table.session.game
        truth = (table.view(), legal)
        for deal in range(3):
            session.game = true.redeal(1, deal)
            assert (table.view(), table.legal_actions()) == truth
            looked += 1
        session.game = true
        table.play(chance.choice(legal))
    assert looked > 30


def test_secret_moves_of_others_are_not_told() -> None:
    table = tools()
    said = table.new_game("zug_um_zug_deutschland", "tiny_rails", ["greedy"], 0)
    while table.legal_actions() and "Player 1 played" not in said:
        said += table.play(table.legal_actions()[0])
    told = [line for line in said.splitlines() if line.startswith("Player 1 played")]
    assert "Player 1 played (secret)." in told
    assert not any("keep" in line or "return" in line for line in told)


def test_a_wrong_action_changes_nothing() -> None:
    table = tools()
    table.new_game("thurn_und_taxis", "tiny")
    before = table.view()
    for wrong in ("I pass", "", " or ".join(table.legal_actions())):
        with pytest.raises(NotUnderstood):
            table.play(wrong)
    assert table.view() == before


def test_without_a_game_there_is_one_sentence() -> None:
    table = tools(hints=True)
    for call in (table.view, table.legal_actions, table.hint, lambda: table.play("draw")):
        with pytest.raises(ThurnError, match="there is no game yet; begin one with new_game"):
            call()


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ({"game": "chess"}, "There is no game 'chess'; the games are"),
        ({"board": "/etc/passwd"}, "There is no board '/etc/passwd'"),
        ({"opponents": ["os:system"]}, "agents must be a list with one of human"),
        ({"opponents": ["human"]}, "opponents must be agents, not 'human'"),
        ({"opponents": ["greedy"] * 9}, "players"),
        ({"seat": 2}, "seat must be from 0 to 1 with 2 players, not 2"),
        ({"seat": -1}, "seat must be from 0 to 1"),
    ],
)
def test_only_what_is_on_the_menu_is_played(order: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as found:
        tools().new_game(**order)
    assert message in str(found.value)


def test_games_have_seeds_in_a_row() -> None:
    first, second = tools(), tools()
    assert first.new_game("thurn_und_taxis", "tiny") == second.new_game("thurn_und_taxis", "tiny")
    again = first.new_game("thurn_und_taxis", "tiny")
    assert again == second.new_game("thurn_und_taxis", "tiny")
    assert first.session.game.seed == 5


def test_hints_are_given_only_if_they_are_allowed() -> None:
    table = tools(hints=True, adviser="greedy")
    table.new_game("thurn_und_taxis", "tiny")
    assert any(f"greedy would play {action}." in table.hint() for action in table.legal_actions())
    table = tools()
    table.new_game("thurn_und_taxis", "tiny")
    with pytest.raises(ThurnError, match="hints are not allowed"):
        table.hint()


def test_an_agent_that_fails_betrays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "failing", "tests.test_tool_game:Failing")
    table = ToolGame(Menu.usual(["failing"]), seed=1)
    with pytest.raises(ThurnError) as found:  # noqa: PT012
        table.new_game("thurn_und_taxis", "tiny", ["failing"])
        while True:
            table.play(table.legal_actions()[0])
    assert str(found.value) == "the agent of player 1 failed; begin another game with new_game"
