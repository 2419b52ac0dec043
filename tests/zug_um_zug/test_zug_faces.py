"""The second game behind every interface: PettingZoo, Gymnasium, batches, learning, search, tournaments, commands."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from eval.ladder import Ladder
from tests.programs import thurn as run_command
from tests.zug_um_zug.positions import GAME
from thurn_env import Batch, Game, Record, make_rules, zug_um_zug_deutschland_v0
from thurn_env.commands.cli import main as thurn
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import GameRules, reward_mode
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match, run_match, run_scripted
from thurn_env.players.mcts import MCTS
from thurn_env.table.replay import verify
from thurn_env.tournament.certificate import certify
from thurn_env.training.tune import duel

ID = "thurn_env/ZugUmZugDeutschland-v0"
PLAYERS = [2, 3, 5]


class Chooser:
    """Chooses a random legal action in every lane."""

    def __init__(self, seed: int = 0) -> None:
        self.generator = np.random.default_rng(seed)

    def __call__(self, masks: Any) -> Any:
        return (masks * self.generator.random(masks.shape)).argmax(axis=1)


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules(GAME, 3, "tiny_rails")


# The checker asks agents for an observation after the end too, when no action is legal.
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning:pettingzoo.test.api_test")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("options", [{}, {"skip_forced": False, "max_rounds": 4}], ids=str)
def test_pettingzoo(players: int, options: dict[str, Any]) -> None:
    def make() -> Any:
        return zug_um_zug_deutschland_v0.env(players, "tiny_rails", **options)

    api_test(make())
    api_test(zug_um_zug_deutschland_v0.raw_env(players, "tiny_rails", **options), num_cycles=200)
    seed_test(make)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.27 on")
def test_pettingzoo_on_the_published_board() -> None:
    env = pettingzoo.make("aec", "thurn_env/zug_um_zug_deutschland-v0")
    assert str(env.unwrapped) == "zug_um_zug_deutschland_v0"
    assert env.unwrapped.rules.board_name == "germany"
    api_test(env, num_cycles=100)


@pytest.mark.parametrize("mode", ["win", "rank", "margin", "score"])
def test_returns_add_up(mode: Any) -> None:
    """Every agent's rewards sum up to its return, shared victories and shaping included."""
    for seed in range(8):
        env = zug_um_zug_deutschland_v0.raw_env(3, "tiny_rails", reward=mode, shaping=0.5 * (seed % 2), max_rounds=9)
        env.reset(seed=seed)
        generator = np.random.default_rng(seed)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, over, cut, info = env.last()
            sums[agent] += reward
            env.step(None if over or cut else int(generator.choice(info["action_mask"].nonzero()[0])))
        game = env.game
        assert game.over
        returns = game.rules.rewards(game.states, 0, reward_mode(mode))
        assert list(sums.values()) == pytest.approx(returns.tolist())


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_gymnasium(players: int, observation: str) -> None:
    env = gymnasium.make(ID, players=players, board="tiny_rails", observation=observation, opponents="greedy")
    check_env(env.unwrapped, skip_render_check=True)  # a display is needed for a window
    pytest.importorskip("stable_baselines3.common.env_checker").check_env(
        LearnerEnv(game=GAME, players=players, board="tiny_rails", observation=observation)
    )


def test_vector_environment() -> None:
    """Native opponents and agents in Python play the same games."""
    made: Any = gymnasium.make_vec(ID, num_envs=3, board="tiny_rails").unwrapped
    assert made.learner.rules.name == GAME
    seen = []
    for opponents in ("sensible-random", ["sensible-random", "greedy"]):
        env = LearnerVectorEnv(4, GAME, 3, "tiny_rails", opponents=opponents)
        _, info = env.reset(seed=5)
        choose, rewards, ends = Chooser(), [], 0
        while ends < 20:
            _, reward, terminated, truncated, info = env.step(choose(info["action_mask"]))
            rewards.append(reward.tolist())
            ends += int((terminated | truncated).sum())
        seen.append(rewards)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("players", [2, 5])
def test_lanes_are_single_games(players: int) -> None:
    """A lane plays the very game of `Game(seed)`, seen decision by decision."""
    batch = Batch(6, players, "tiny_rails", game=GAME, skip_forced=False, autoreset=False, max_rounds=20)
    chooser = Chooser()
    batch.reset(100)
    games = [Game.from_rules(batch.rules, 100 + lane) for lane in range(6)]
    while not all(game.over for game in games):
        actions = chooser(batch.masks)
        for lane, game in enumerate(games):
            assert batch.lanes.states[lane : lane + 1].tobytes() == game.to_bytes()
            if not game.over:
                assert batch.masks[lane].tobytes() == game.action_mask.tobytes()
                assert batch.observations[lane].tobytes() == game.view().observation.tobytes()
                game.play(int(actions[lane]))
        batch.step(actions)
    figures = dict(zip(batch.rules.statistics, batch.statistics.transpose(2, 0, 1), strict=True))
    for lane, game in enumerate(games):
        assert figures["score"][lane].tolist() == game.scores
        assert figures["rank"][lane].tolist() == game.ranks
        assert figures["turns"][lane].tolist() == [game.rounds] * players
        public = game.public()["players"]
        assert figures["trains"][lane].tolist() == [player["trains"] for player in public]
        assert figures["passengers"][lane].tolist() == [sum(player["passengers"].values()) for player in public]
        assert figures["tickets"][lane].tolist() == [sum(player["tickets"].values()) for player in public]


def test_native_play_is_that_of_agents(rules: GameRules) -> None:
    """A table of bots in one kernel, and the same bots through views, play the same game."""
    for seed in range(4):
        bots = [rules.bots[(seed + seat) % len(rules.bots)] for seat in range(3)]
        agents = [make_agent(bot, rules.bots) for bot in bots]
        assert run_match(rules, agents, seed) == run_scripted(rules, bots, seed)


def test_learning() -> None:
    """MaskablePPO learns on it."""
    contrib = pytest.importorskip("sb3_contrib")
    from thurn_env.envs.sb3 import LearnerVecEnv

    env = LearnerVecEnv(4, GAME, 2, "tiny_rails", opponents="random", seed=1)
    contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu").learn(128)


def test_search(rules: GameRules) -> None:
    """Search takes the view apart from the truth, finds legal moves and wins."""
    searcher = MCTS("60,rollout=sensible-random")
    record = play_match(rules, [searcher, make_agent("random", rules.bots), make_agent("random", rules.bots)], seed=3)
    verify(record)
    game = Game.from_rules(rules, 5)
    analysis = searcher.analyse(game.view())
    assert {line.action for line in analysis.lines} <= set(game.legal)


def test_certificate(rules: GameRules) -> None:
    for agent in (*rules.bots, "mcts:20"):
        found = certify(agent, rules, 25, 3, 1)
        assert (found.changed, found.example) == (0, "")


def test_tournament(tmp_path: Path) -> None:
    """A whole tournament with ratings, whose records can be replayed; shared victories count for a part."""
    command = ["--agents", "random", "greedy", "heuristic", "--players", "3", "--board", "tiny_rails", "--game", GAME]
    assert (
        run_command(
            "tournament", [*command, "--games", "6", "--seed", "1", "--jobs", "1", "--out", str(tmp_path / "out")]
        )
        == 0
    )
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert results


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "game.json"
    table = ["--game", GAME, "--board", "tiny_rails"]
    assert thurn(["watch", "--agents", *["greedy"] * 5, *table, "--seed", "1", "--save", str(saved), "--tables"]) == 0
    assert thurn(["replay", str(saved), "--verify"]) == 0
    assert thurn(["info", "--game", GAME]) == 0
    assert thurn(["info", "--game", GAME, "--actions", "--observation", "--agents"]) == 0
    shown = capsys.readouterr().out
    for words in ("Globetrotter", "Berlin-Rostock", "claim Augsburg-München grey", "heuristic", "greedy (4)"):
        assert words in shown
    verify(Record.load(saved))


def test_a_page_of_a_game(tmp_path: Path) -> None:
    saved, page = tmp_path / "game.json", tmp_path / "game.html"
    run_scripted(make_rules(GAME, 2, "tiny_rails"), ["greedy"] * 2, 1).record(["greedy"] * 2).save(saved)
    assert thurn(["replay", str(saved), "--html", str(page)]) == 0
    assert "Zug um Zug: Deutschland" in page.read_text("utf-8")


def test_a_game_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Always the first legal action, the help and a table in between, until the input ends."""
    monkeypatch.setattr("sys.stdin", StringIO("?\nt\npass\n" + "1\n" * 40))
    saved = tmp_path / "game.json"
    command = ["--game", GAME, "--board", "tiny_rails", "--seed", "4", "--option", "max_rounds=2", "--save", str(saved)]
    assert thurn(["play", *command]) == 0
    shown = capsys.readouterr().out
    assert "Your turn: " in shown
    assert "Not legal" in shown
    verify(Record.load(saved))


def test_bench(capsys: Any) -> None:
    command = ["--game", GAME, "--board", "tiny_rails", "--games", "8", "--seconds", "0.001", "--search", "--json"]
    assert thurn(["bench", *command]) == 0
    figures = {figure["name"]: figure["value"] for figure in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["with mask and observation"] > 0


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_render_modes(mode: str) -> None:
    if mode == "rgb_array":
        pytest.importorskip("resvg_py")
    learner = gymnasium.make(ID, board="tiny_rails", opponents="greedy", render_mode=mode)
    learner.reset(seed=1)
    env = zug_um_zug_deutschland_v0.raw_env(2, "tiny_rails", render_mode=mode)
    env.reset(seed=1)
    pictures: list[Any] = [learner.render(), env.render()]
    for shown in pictures:
        if mode == "rgb_array":
            assert shown.shape[1:] == (800, 3)
        else:
            assert "tiny_rails" in shown


def test_a_ladder_says_which_game_it_is_for() -> None:
    ladder = Ladder("some", "tiny_rails", (2,), ("random", "greedy"), 2, 1, GAME)
    assert ladder.config(2).game == GAME
    assert f"--game {GAME} " in ladder.command(2, Path("out"))


def test_tuning() -> None:
    """Each seat plays with the weights in question once, so the returns of a deck cancel out if they are the same."""
    rules = make_rules(GAME, 2, "tiny_rails")
    weights = rules.heuristic_weights()
    assert np.allclose(duel((GAME, 2, "tiny_rails", {}, [1, 2, 3], weights, ())), 0)
    idle = {**weights, "card": 1000.0, "room": 1e-9, "second": 1000.0}
    assert duel((GAME, 2, "tiny_rails", {}, list(range(30)), idle, ())).mean() != 0
    states = rules.new_states(1)
    for seed in (5, 6):
        rules.deal(states, 0, seed)
        moves = rules.play_weighted(states, 0, [weights] * 2)
        game = run_scripted(rules, ["heuristic"] * 2, seed)
        assert list(moves) == list(game.moves)
        assert rules.scores(states, 0) == list(game.scores)
