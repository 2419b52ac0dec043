"""Agents with a planted weakness: they have it, and otherwise play like the heuristic."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from thurn_env import AgentError, Game, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import run_match
from thurn_env.training.exploit import exploit

WEAK = ("NeverAdministrator", "AlwaysClosesAtThree", "OpenHand", "ResignsProvinces")


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 2, "tiny")


def moves(rules: GameRules, weakness: str, games: int = 8) -> Iterator[tuple[Game, str, str]]:
    """The choices of an agent in games against itself: the position, the move, and that of the heuristic."""
    played: list[tuple[Game, str, str]] = []
    bot = make_agent("heuristic", rules.bots)
    bot.reset(0, rules, 0)

    def note(game: Game, move: str) -> None:
        if len(game.legal_actions) > 1:
            played.append((game.copy(), move, rules.action_texts[int(bot.act(game.view()))]))

    for seed in range(games):
        agents = [make_agent(f"eval.planted:{weakness}", rules.bots) for _ in range(2)]
        run_match(rules, agents, seed, on_move=note)
    yield from played


def test_never_administrator(rules: GameRules) -> None:
    found = list(moves(rules, "NeverAdministrator"))
    assert all(move != "administrator" for _, move, _ in found)
    assert any(usual == "administrator" for *_, usual in found), "the heuristic would"
    assert all(move == usual for _, move, usual in found if usual != "administrator")


def test_always_closes_at_three(rules: GameRules) -> None:
    found = list(moves(rules, "AlwaysClosesAtThree"))
    assert all(move == "close" for game, move, _ in found if "close" in game.legal)
    assert any(move != usual for _, move, usual in found)
    assert all(move == usual for game, move, usual in found if "close" not in game.legal)


def test_open_hand(rules: GameRules) -> None:
    found = list(moves(rules, "OpenHand"))
    assert all(move != "draw" for game, move, _ in found if any(text.startswith("take") for text in game.legal))
    assert any(usual == "draw" for *_, usual in found), "the heuristic would"


def test_resigns_provinces(rules: GameRules) -> None:
    resigned = {province.name for province in rules.board.provinces[1::2]}
    cities = {city.name for city in rules.board.cities if city.province in resigned}
    assert 0 < len(cities) < len(rules.board.cities)

    def serves(text: str) -> bool:
        return text.split(" ")[0] in ("take", "left", "right", "start") and text.partition(" ")[2] in cities

    found = list(moves(rules, "ResignsProvinces"))
    assert all(not serves(move) for game, move, _ in found if not all(map(serves, game.legal)))
    assert any(serves(usual) for *_, usual in found), "the heuristic would"


def test_they_play_one_game_only() -> None:
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    with pytest.raises(AgentError, match="plays thurn_und_taxis only, not zug_um_zug_deutschland"):
        make_agent("eval.planted:OpenHand", rules.bots).reset(0, rules, 0)


@pytest.mark.parametrize("weakness", WEAK)
def test_responses_are_worth_a_weakness(weakness: str) -> None:
    """Even the responses that need no training: the published policy and the best bot."""
    south = make_rules("thurn_und_taxis", 2, "south")
    assert exploit(f"eval.planted:{weakness}", south, steps=0, search=0, games=40).share >= 0.65
