"""The options of `thurn train`: presets, help, and what is refused before anything begins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.programs import with_words
from tests.test_training import SMALL, train
from thurn_env import OptionError
from thurn_env.commands.train import main, parse
from thurn_env.games import GAMES
from thurn_env.training import config
from thurn_env.training.config import Config, configured, preset, presets
from thurn_env.training.imitation_config import ImitationConfig


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((Config, name) for name in ("network", "critic", "reward", "device")),
        *((ImitationConfig, name) for name in ("network", "device")),
    ],
)
def test_unknown_choices(kind: Any, name: str) -> None:
    """The command line refuses them by their types, and Python does so, too."""
    with pytest.raises(OptionError, match=f"--{name} must be one of .*, not 'typo'"):
        kind(Path("out"), **{name: "typo"}).check()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--opponents", "greedy"], "--opponents must be name=share, for example heuristic=0.5, not 'greedy'"),
        (["--opponents", "greedy=0"], "--opponents: a share must be more than 0 and finite, not 'greedy=0'"),
        (["--opponents", "greedy=nan"], "--opponents must be name=share"),
        (["--opponents", "greedy=inf"], "--opponents: a share must be more than 0 and finite"),
        (["--opponents", "greedy=1", "greedy=2"], "greedy is given twice"),
        (["--evaluate-against", "greedy", "greedy"], "--evaluate-against: greedy is given twice"),
        (["--opponents", "gredy=1"], "there is no agent 'gredy'; did you mean 'greedy'?"),
        (["--lanes", "0"], "--lanes must be from 1 to 1,048,576, not 0"),
        (["--learning-rate", "2"], "--learning-rate must be more than 0 and at most 1, not 2"),
        (["--most-divergence", "-1"], "--most-divergence must be more than 0 and at most 100, not -1"),
        (["--most-divergence", "nan"], "--most-divergence must be a finite number, not nan"),
        (["--seed", "-1"], "--seed must be from 0 to 4,294,967,295, not -1"),
        (["--seed", "5000000000"], "--seed must be from 0 to 4,294,967,295, not 5000000000"),
        (["--discount", "1.5"], "--discount must be from 0 to 1, not 1.5"),
        (["--preset", "fast"], "there is no preset 'fast'; the presets are quick, standard, strong"),
        (["--board", "nowhere"], "nowhere"),
        (["--start", "nowhere.npz"], "there is no policy nowhere.npz"),
        (["--start", "nowhere.npz", "--teacher", "greedy"], "give either --teacher"),
        (
            ["--teacher", "gredy"],
            "the teacher must be published, ppo: and a policy, ppo+mcts: and a policy with a number of iterations, or "
            "one of random, sensible-random, greedy, settler,",
        ),
        (["--evaluate-against", "nobody"], "there is no agent 'nobody'"),
        (["--evaluate-against"], "--evaluate-against: name at least one"),
        (["--evaluate-against", "mcts:100"], "'mcts:100' cannot play a batch of games; name a scripted bot"),
        (["--evaluate-against", "ppo+mcts:nowhere,9"], "cannot play a batch of games; name a scripted bot"),
        (["--opponents", "mcts:100=1"], "(random, sensible-random, greedy, settler, heuristic) or a policy, ppo:NAME"),
        (["--opponents", "ppo:nowhere.npz=1"], "there is no policy nowhere.npz"),
        (["--need", "-1"], "--need must be from 0 to 10, not -1"),
        (["--magnet", "11"], "--magnet must be from 0 to 10, not 11"),
    ],
)
def test_bad_configurations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(with_words([*SMALL, "--steps", "400", "--out", str(tmp_path / "new")], arguments)) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("thurn train: ")
    assert message in error
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps = ", "is not a valid TOML file: Invalid value"),
        ('steps = "many"', "invalid value 'many' for steps"),
        ("opponents = [1]", "invalid value [1] for opponents"),
        ('evaluate_against = "greedy"', "invalid value 'greedy' for evaluate_against"),
        ('device = "tpu"', "invalid value 'tpu' for device"),
        ("lanes = true", "invalid value True for lanes"),
        ("step = 1", "unknown option 'step'"),
    ],
)
def test_bad_presets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    monkeypatch.setattr(config, "PRESETS", tmp_path)
    (tmp_path / "bad.toml").write_text(text, "utf-8")
    assert main(["--preset", "bad", "--out", str(tmp_path / "run")]) == 2
    assert f"thurn train: {tmp_path / 'bad.toml'}" in (error := capsys.readouterr().err)
    assert message in error
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_no_gpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(tmp_path / "run", 400, "--device", "cuda") == 2
    assert (
        "--device cuda: torch finds no GPU on this machine; use --device cpu or --device auto"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "run").exists()


def test_a_policy_to_begin_with_named_like_an_agent(tmp_path: Path) -> None:
    """`ppo:NAME` is the name of a published policy everywhere else."""
    name = "thurn_und_taxis-south-2"
    assert parse(["--start", f"ppo:{name}"]).start == parse(["--start", name]).start == Path(name)
    assert ImitationConfig(tmp_path, start=Path(f"ppo:{name}")).start == Path(name)
    assert configured({"out": "x", "start": f"ppo:{tmp_path / 'a.npz'}"}, "plan").start == tmp_path / "a.npz"


def test_help_names_every_kind_of_opponent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = " ".join(re.sub("[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    pool, _, against = said.partition("--evaluate-against")
    assert "each:AGENT" in pool.partition("--opponents")[2].partition("--snapshot-every")[0]
    assert "each:AGENT" in against.partition("--start")[0]


def test_presets() -> None:
    assert presets() == ["quick", "standard", "strong"]
    for name in presets():
        for game in GAMES:
            Config(Path("x"), **preset(name, game)).check()
        # An initial policy takes the place of the teacher.
        configured({"out": "x", "preset": name, "start": "policy.npz"}, "plan").check()
        assert parse(["--preset", name, "--start", "policy.npz"]).teacher is None


def test_of_an_option_given_twice_the_last_one_counts() -> None:
    """The values of a preset must be those of the preset that is noted."""
    both = ["--preset", "quick", "--preset", "strong", "--game", "thurn_und_taxis", "--game=zug_um_zug_deutschland"]
    assert parse(both) == parse(["--preset", "strong", "--game", "zug_um_zug_deutschland"])
