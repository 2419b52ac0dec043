"""The environment for TextArena: all seats by its agents."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("textarena")

import textarena

from thurn_env.envs.textarena import TextArenaGame


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_a_whole_game(game: str, board: str, players: int) -> None:
    environment = TextArenaGame(game, board)
    environment.reset(players, seed=3)
    chance, done, answered = random.Random(1), False, set()
    while not done:
        player, observation = environment.get_observation()
        text = "\n".join(message for _, message, _ in observation)
        assert f"You are player {player}" in text
        assert not any(f"You are player {other}" in text for other in range(players) if other != player)
        if player not in answered:
            assert environment.rules.title in text
        answered.add(player)
        done, _ = environment.step(f"I choose {chance.choice(list(environment.game.view().legal))}.")
    rewards, info = environment.close()
    assert answered == set(range(players))
    assert list(rewards) == list(range(players))
    assert sum(rewards.values()) == pytest.approx(0)
    assert info[0]["reason"] == "the game is over"
    assert not any(each["invalid_move"] for each in info.values())


def test_wrong_answers_are_explained_and_forfeit_in_the_end() -> None:
    environment = TextArenaGame(board="tiny", tries=2)
    environment.reset(2, seed=3)
    player, _ = environment.get_observation()
    done, _ = environment.step("I pass.")
    assert not done
    again, observation = environment.get_observation()
    assert again == player
    assert "names no legal action" in observation[-1][1]
    done, _ = environment.step("I pass.")
    assert done
    rewards, info = environment.close()
    assert rewards == {player: -1.0, 1 - player: 1.0}
    assert info[player]["invalid_move"]


def test_it_can_be_registered() -> None:
    textarena.register("Thurn-test", TextArenaGame, board="tiny")
    environment = textarena.make("Thurn-test")
    environment.reset(num_players=2, seed=1)
    assert environment.get_observation()[0] in (0, 1)
