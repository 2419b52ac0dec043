"""What learns and searches, on the second game: every program of `train`, the agents that play what they write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from tests.programs import thurn
from tests.zug_um_zug.positions import GAME
from thurn_env import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.evaluation import evaluation_of
from thurn_env.players.match import play_match
from thurn_env.players.mcts import MCTS
from thurn_env.players.policy import load
from thurn_env.table.replay import verify
from thurn_env.tournament.certificate import certify

TABLE = ["--game", GAME, "--board", "tiny_rails", "--players", "2", "--seed", "3"]
RUN = [
    *("--threads", "1", "--device", "cpu", "--width", "16", "--lanes", "12", "--rollout", "16"),
    *("--minibatch", "64", "--epochs", "1", "--steps", "600"),
    *("--opponents", "greedy=0.3", "self=0.3", "past=0.4", "--snapshot-every", "200"),
    *("--evaluate-every", "300", "--evaluation-decks", "3", "--evaluate-against", "random"),
]


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules(GAME, 2, "tiny_rails")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of MaskablePPO against a pool."""
    out = tmp_path_factory.mktemp("runs") / "run"
    assert thurn("train", [*TABLE, *RUN, "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of bots."""
    out = tmp_path_factory.mktemp("tournaments") / "first"
    command = ["--agents", "greedy", "heuristic", "--games", "12", "--jobs", "1", "--out", str(out), *TABLE]
    assert thurn("tournament", command) == 0
    return out


def test_a_run_of_ppo(trained: Path, rules: GameRules) -> None:
    policy = load(trained / "best.npz")
    assert policy.game["game"] == GAME
    assert not policy.fits(rules)
    assert list((trained / "tensorboard").iterdir())


@pytest.mark.parametrize("options", ["", ",sample"])
def test_a_policy_plays(trained: Path, rules: GameRules, options: str) -> None:
    agents = [make_agent(f"ppo:{trained / 'last.npz'}{options}", rules.bots), make_agent("random", rules.bots)]
    verify(play_match(rules, agents, seed=4))


@pytest.mark.parametrize("options", ["12", "12,opponents=greedy"])
def test_search_with_a_policy(trained: Path, rules: GameRules, options: str) -> None:
    name = f"ppo+mcts:{trained / 'last.npz'},{options}"
    verify(play_match(rules, [make_agent(name, rules.bots), make_agent("random", rules.bots)], seed=4))
    assert certify(name, rules, 20, 3, 1).changed == 0


@pytest.mark.parametrize(
    "options",
    [
        "30",
        "30,cut=none,rollout=greedy",
        "30,cut=4,evaluation=none,margin=1",
        "30,opponents=tree,prior=0.2",
        "30,c=2.0,urgency=0.2",
    ],
)
def test_search_with_all_options(rules: GameRules, options: str) -> None:
    verify(play_match(rules, [MCTS(options), make_agent("random", rules.bots)], seed=6))


def test_an_evaluation_for_search(tmp_path: Path, rules: GameRules) -> None:
    """Two hundred games tell more than nothing; `mcts` plays with what they told."""
    file = tmp_path / "one.json"
    assert thurn("evaluation", [*TABLE, "--games", "200", "--jobs", "1", "--out", str(file)]) == 0
    made = json.loads(file.read_text("utf-8"))["made"]
    assert made["log_loss"] < made["log_loss_without"]
    assert len(evaluation_of(rules, str(file))) == rules.observation_size + 1
    verify(play_match(rules, [MCTS(f"20,evaluation={file}"), make_agent("random", rules.bots)], seed=6))


def test_imitation_of_records_and_of_a_teacher(tmp_path: Path, played: Path, rules: GameRules) -> None:
    network = ["--width", "16", "--threads", "1"]
    for name, source in (
        ("records", ["--records", str(played / "games"), "--agents", "heuristic", "--epochs", "1"]),
        ("teacher", ["--teacher", "greedy", "--decisions", "40000", "--game", GAME, "--board", "tiny_rails"]),
    ):
        assert thurn("imitate", [*source, *network, "--out", str(tmp_path / f"{name}.npz")]) == 0
        assert not load(tmp_path / f"{name}.npz").fits(rules)


def test_tuning(tmp_path: Path) -> None:
    command = ["--decks", "4", "--held-out", "8", "--generations", "1", "--jobs", "1", "--out", str(tmp_path)]
    assert thurn("tune", [*TABLE, *command]) == 0
    found = json.loads((tmp_path / "weights.json").read_text("utf-8"))
    assert set(make_rules(GAME, 2, "tiny_rails").heuristic_weights()) <= set(found["weights"])


def test_the_page_and_the_data_set_of_a_tournament(played: Path, tmp_path: Path) -> None:
    assert thurn("report", [str(played), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    for source in ("tracks", "tickets completed", "Globetrotter", "white passengers"):
        assert source in page
    pytest.importorskip("pyarrow")
    assert thurn("dataset", [str(played), "--out", str(tmp_path / "data")]) == 0
    assert list((tmp_path / "data").glob("*.parquet"))
