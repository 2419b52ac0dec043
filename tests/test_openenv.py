"""The environment for OpenEnv: in this process, and through its server and client."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest

from thurn_env import OptionError, ThurnError

pytest.importorskip("openenv")

from thurn_env.envs.openenv import TextAction, TextEnvironment, make_app

GAMES = [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")]


@pytest.mark.parametrize(("game", "board"), GAMES)
@pytest.mark.parametrize("seats", [("text", "greedy"), ("text", "text")])
def test_whole_episodes(game: str, board: str, seats: tuple[str, str]) -> None:
    environment = TextEnvironment(game, board, seats, reward="rank")
    chance = random.Random(2)
    for seed in (1, 2):
        seen = environment.reset(seed=seed, episode_id=f"game {seed}")
        assert environment.state.step_count == 0
        assert environment.get_metadata().description in seen.prompt
        answered: set[int] = set()
        while not seen.done:
            assert (seen.reward, seen.rewards) == (0.0, ())
            answered.add(seen.seat)
            last = seen.seat
            seen = environment.step(TextAction(text=chance.choice(seen.legal)))
            assert seen.problem == ""
        assert answered == {seat for seat, agent in enumerate(seats) if agent == "text"}
        assert sum(seen.rewards) == pytest.approx(0)
        assert seen.reward == seen.rewards[last]
        assert "The game is over" in seen.prompt
        assert environment.state.episode_id == f"game {seed}"
        with pytest.raises(ThurnError, match="the game is over; call reset"):
            environment.step(TextAction(text="draw"))


def test_a_wrong_answer_is_explained_and_the_third_forfeits() -> None:
    environment = TextEnvironment(board="tiny", seats=("text", "text"))
    first = environment.reset(seed=1)
    for _ in range(2):
        seen = environment.step(TextAction(text="I pass."))
        assert seen.problem.startswith("Not accepted: ")
        assert (seen.legal, seen.done) == (first.legal, False)
    seen = environment.step(TextAction(text="I pass."))
    assert seen.done
    assert seen.reward == -1.0
    assert environment.state.illegal[first.seat] == 3


def test_the_state_holds_public_facts_only() -> None:
    environment = TextEnvironment(board="tiny")
    environment.reset(seed=77)
    assert environment.state.model_dump() == {
        "episode_id": None,
        "step_count": 0,
        "game": "thurn_und_taxis",
        "board": "tiny",
        "seats": ("text", "heuristic"),
        "answers": (0, 0),
        "illegal": (0, 0),
    }


def test_wrong_options_are_refused_before_a_session() -> None:
    with pytest.raises(OptionError, match="no seat is played by text"):
        make_app(board="tiny", seats=("greedy", "random"))
    with pytest.raises(OptionError, match="seats must be a list with an agent or 'text' for every seat, not 'text'"):
        make_app(board="tiny", seats="text")


def test_a_client_plays_through_the_server() -> None:
    import uvicorn
    from openenv import GenericEnvClient

    server = uvicorn.Server(uvicorn.Config(make_app(board="tiny", seats=("text", "greedy")), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    chance = random.Random(3)
    try:
        with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client:
            result: Any = client.reset(seed=4)
            while not result.done:
                result = client.step({"text": f"I choose {chance.choice(result.observation['legal'])}."})
            assert "The game is over" in result.observation["prompt"]
            assert result.reward in (-1.0, 0.0, 1.0)
    finally:
        server.should_exit = True
        thread.join()
