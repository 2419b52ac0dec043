"""Every face and every command on the north board, with and without horses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from sb3_contrib import MaskablePPO

from tests.choices import Chooser
from tests.programs import thurn as run_command
from tests.variants import board_and_options
from thurn_env import Game, OptionError, Record, make_rules, thurn_und_taxis_v0
from thurn_env.commands.cli import main as thurn
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.players.match import play_scripted
from thurn_env.table.batch import Batch
from thurn_env.table.replay import verify

VARIANTS = ("north", "north with horses")


@pytest.fixture(params=VARIANTS)
def arguments(request: pytest.FixtureRequest) -> dict[str, Any]:
    board, options = board_and_options(request.param)
    return {"players": 2, "board": board, **options}


def test_pettingzoo(arguments: dict[str, Any]) -> None:
    api_test(thurn_und_taxis_v0.env(max_rounds=8, **arguments), num_cycles=300)
    seed_test(lambda: thurn_und_taxis_v0.env(max_rounds=8, **arguments))


def test_gymnasium(arguments: dict[str, Any]) -> None:
    env = gymnasium.make("thurn_env/ThurnUndTaxis-v0", opponents="greedy", illegal="replace", max_rounds=8, **arguments)
    check_env(env.unwrapped, skip_render_check=True)


def test_vector_environment(arguments: dict[str, Any]) -> None:
    """Whole games against the heuristic; the rewards of a lane add up to the return of its games."""
    envs: Any = gymnasium.make_vec(
        "thurn_env/ThurnUndTaxis-v0",
        num_envs=8,
        vectorization_mode="vector_entry_point",
        opponents="heuristic",
        reward="margin",
        autoreset_mode="SameStep",
        **arguments,
    )
    choose = Chooser(envs.rules)
    _, infos = envs.reset(seed=4)
    total, games = np.zeros(8), 0
    while games < 16:
        _, rewards, terminated, truncated, infos = envs.step(choose(infos["action_mask"]))
        total += rewards
        for lane in np.flatnonzero(terminated | truncated):
            games += 1
            assert infos["final_info"]["return"][lane] == pytest.approx(total[lane])
            total[lane] = 0


def test_stable_baselines(arguments: dict[str, Any]) -> None:
    """The learner only ever plays legal actions: an illegal one would raise."""
    env = LearnerVecEnv(8, opponents="greedy", illegal="raise", max_rounds=12, **arguments)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=1, device="cpu")
    model.learn(512)
    env.close()


def test_statistics_of_a_batch(arguments: dict[str, Any]) -> None:
    """Without carriages none are counted."""
    batch = Batch(8, **arguments)
    carriages = make_rules("thurn_und_taxis", **arguments).statistics.index("carriages")
    batch.reset(3)
    choose, finished, taken = Chooser(batch.rules), 0, 0
    while finished < 8:
        batch.step(choose(batch.masks))
        for lane in batch.ended:
            finished += 1
            taken += int(batch.statistics[lane, :, carriages].sum())
    assert (taken == 0) == arguments.get("horses", False)


def test_records(arguments: dict[str, Any], tmp_path: Path) -> None:
    """A record names the board and the option, and replays."""
    rules = make_rules("thurn_und_taxis", **arguments)
    record = play_scripted(rules, ["heuristic", "greedy"], 5)
    record.save(tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text("utf-8"))
    assert data["board"] == "north"
    assert data["options"]["horses"] == arguments.get("horses", False)
    assert any(move.startswith("harness ") for move in data["moves"]) == arguments.get("horses", False)
    loaded = Record.load(tmp_path / "game.json")
    verify(loaded)
    assert loaded == record


def test_the_heuristic_closes_long_routes_with_horses() -> None:
    """H4: it harnesses what routes of five and more take, and beats greedy play by far."""
    rules = make_rules("thurn_und_taxis", 2, "north", horses=True)
    long_routes, won = 0, 0
    for seed in range(40):
        bots = ["heuristic", "greedy"] if seed % 2 else ["greedy", "heuristic"]
        record = play_scripted(rules, bots, seed)
        seat = bots.index("heuristic")
        assert record.result is not None
        won += record.result["ranks"][seat] == 1
        outcomes = {"decks": [list(deck) for deck in record.chance["decks"]]}
        game = Game.from_chance(rules, record.start_player, outcomes)
        for move in record.moves:
            if move == "close" and game.seat == seat:
                long_routes += len(game.public()["players"][seat]["route"]) >= 5
            game.play_with_chance(move, outcomes)
    assert won >= 32
    assert long_routes >= 40


def test_tournament(arguments: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--option", "horses=true"] if arguments.get("horses") else []
    folder = tmp_path / "out"
    command = [
        "--agents",
        "sensible-random",
        "greedy",
        "--board",
        "north",
        *option,
        "--games",
        "6",
        "--out",
        str(folder),
    ]
    assert run_command("tournament", [*command, "--jobs", "1"]) == 0
    assert "greedy" in capsys.readouterr().out


def test_commands(arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--option", "horses=true"] if arguments.get("horses") else []
    assert thurn(["watch", "--agents", "heuristic", "greedy", "--board", "north", *option, "--seed", "1"]) == 0
    assert ("harness" in capsys.readouterr().out) == bool(option)
    assert thurn(["info", "--board", "north", *option]) == 0
    facts = capsys.readouterr().out
    assert "RECONSTRUCTED" in facts
    assert "Certainty of the facts" in facts


def test_the_benchmark_takes_options(arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--option", "horses=true"] if arguments.get("horses") else []
    bench = ["bench", "--board", "north", *option, "--games", "8", "--seconds", "0.001", "--json"]
    assert thurn(bench) == 0
    assert json.loads(capsys.readouterr().out)["options"] == option[1:]


def test_horses_belong_to_the_north() -> None:
    """The online guide allows them only there; the message says so, and what would be right."""
    for board in (None, "south", "tiny"):
        with pytest.raises(OptionError, match=r"online guide allows them only on the north map \(board=\"north\"\)"):
            make_rules("thurn_und_taxis", 2, board, horses=True)
