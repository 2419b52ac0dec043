"""A curriculum: other numbers of players first, by one command."""

from __future__ import annotations

import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.programs import with_words
from tests.test_training import SMALL
from thurn_env import OptionError
from thurn_env.commands.train import main, parse
from thurn_env.players.policy import Policy, load
from thurn_env.training import config
from thurn_env.training import run as training
from thurn_env.training.config import Config, preset
from thurn_env.training.curriculum import begun_anywhere, stages
from train.model_card import origin
from train.publish import portable

COMMAND = [*SMALL, "--steps", "384", "--curriculum", "2=192", "3=999"]


def train(out: Path, *more: str) -> int:
    return main(with_words([*COMMAND, "--out", str(out)], more))


def weights(policy: Policy) -> list[Any]:
    return [value for layer in (*policy.trunk, policy.actions) for value in (layer.weight, layer.bias)]


def test_which_runs_there_are() -> None:
    """In the order given, to the number of players of the table itself, which has its own number of decisions."""
    chosen = Config(Path("out"), players=4, steps=7, curriculum=("3=6_000", "2=5", "4=1", "5=3"))
    runs = [(run.out, run.players, run.steps) for run in stages(chosen)]
    assert runs == [(Path("out/3-players"), 3, 6_000), (Path("out/2-players"), 2, 5), (Path("out"), 4, 7)]
    assert [run.curriculum for run in stages(chosen)] == [(), ("3=6000",), chosen.curriculum]
    assert [run.out for run in stages(Config(Path("out"), curriculum=("3=5",)))] == [Path("out/3-players"), Path("out")]
    (only,) = stages(Config(Path("out"), players=3, curriculum=("3=5", "2=6")))
    assert (only.out, only.players) == (Path("out"), 3)


@pytest.mark.parametrize(
    ("curriculum", "message"),
    [
        (["2"], "--curriculum must be players=decisions, for example 2=40000000, not '2'"),
        (["2=many"], "--curriculum must be players=decisions"),
        (["-2=5"], "--curriculum must be players=decisions"),
        (["2=5_"], "--curriculum must be players=decisions"),
        (["17=5"], "--curriculum: players must be from 1 to 16, not 17"),
        (["2=0"], "--curriculum: decisions must be from 1 to 1,000,000,000,000, not 0"),
        (["3=5", "2=5", "3=6"], "--curriculum: 3 players are given twice"),
    ],
)
def test_bad_values(curriculum: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        parse(["--players", "4", "--curriculum", *curriculum])


def test_a_run_for_another_number_of_players_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only it has lessons, and the next one begins with its best policy."""
    out = tmp_path / "run"
    assert train(out, "--teacher", "greedy", "--lessons", "100") == 0
    said = capsys.readouterr().out
    assert re.findall("lessons: |learning for . players", said) == [
        "learning for 2 players",
        "lessons: ",
        "learning for 3 players",
    ]
    first, last = load(out / "2-players" / "best.npz"), load(out / "best.npz")
    assert [policy.made["config"]["players"] for policy in (first, last)] == [2, 3]
    assert last.made["start"]["steps"] == first.made["steps"]
    assert last.made["start"]["file"] == "best.npz"
    begun = [
        json.loads((folder / "evaluations.jsonl").read_text("utf-8").splitlines()[0])["steps"]
        for folder in (out / "2-players", out)
    ]
    assert begun == [0, 0]
    # One command made both.
    assert cards(last) == (
        [f"thurn train {shlex.join(COMMAND)} --out runs/model --teacher greedy --lessons 100"],
        f"100 decisions of lessons by `greedy`, then {first.made['steps']} decisions with 2 players, "
        f"then {last.made['steps']} decisions",
    )
    assert cards(first)[1] == f"100 decisions of lessons by `greedy`, then {first.made['steps']} decisions"


def cards(policy: Policy) -> tuple[list[str], str]:
    """The commands on the card of a published policy, and its data up to the opponents."""
    lines = list(origin("model", portable(policy, "model"), b""))
    (data,) = [line for line in lines if line.startswith("| data |")]
    return lines[lines.index("```sh") + 1 : -1], data.removeprefix("| data | ").partition(" against ")[0]


def test_cards_name_the_policies_before(tmp_path: Path) -> None:
    """That with which a curriculum began, and a curriculum whose first policy another run goes on from."""
    usual = [word for word in COMMAND if word not in ("--curriculum", "2=192", "3=999")]
    short = [*usual]
    short[short.index("--steps") + 1] = "192"
    base, whole, next_one = tmp_path / "base", tmp_path / "whole", tmp_path / "next"
    assert main([*short, "--out", str(base)]) == 0
    assert train(whole, "--start", str(base / "best.npz")) == 0
    assert main([*usual, "--out", str(next_one), "--start", str(whole / "2-players" / "best.npz")]) == 0
    made, gone_on = (load(folder / "best.npz").made["steps"] for folder in (whole, next_one))
    first = load(whole / "2-players" / "best.npz").made["steps"]
    commands, data = cards(load(whole / "best.npz"))
    assert commands == [
        f"thurn train {shlex.join(short)} --out runs/base",
        f"thurn train {shlex.join(COMMAND)} --out runs/model --start runs/base/best.npz",
    ]
    assert data.startswith("begun with `base/best.npz`")
    assert data.endswith(f", then {first} decisions with 2 players, then {made} decisions")
    commands, data = cards(load(next_one / "best.npz"))
    assert commands == [
        f"thurn train {shlex.join(short)} --out runs/base",
        f"thurn train {shlex.join(COMMAND)} --out runs/whole --start runs/base/best.npz",
        f"thurn train {shlex.join(usual)} --out runs/model --start runs/whole/2-players/best.npz",
    ]
    assert data.endswith(f", then {gone_on} decisions")


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("stopped_for", [2, 3])
def test_it_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stopped_for: int
) -> None:
    """Stopped in either run, it gives the policy of an uninterrupted one."""
    real = training.Training._round

    def stopping(self: training.Training, figures: Any) -> None:
        if self.config.players == stopped_for:
            signal.raise_signal(signal.SIGINT)
        real(self, figures)

    with monkeypatch.context() as patch:
        patch.setattr(training.Training, "_round", stopping)
        assert train(tmp_path / "parts") == 130
    assert begun_anywhere(parse([*COMMAND, "--out", str(tmp_path / "parts")]))
    assert train(tmp_path / "parts") == 2
    assert "holds a run; add --resume to continue it" in capsys.readouterr().err
    assert train(tmp_path / "parts", "--resume") == 0
    assert train(tmp_path / "whole") == 0
    for name in ("best.npz", "2-players/best.npz"):
        one, other = (weights(load(tmp_path / part / name)) for part in ("parts", "whole"))
        assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--curriculum", "9=100"], "players"),
        (["--start", "nowhere.npz"], "there is no policy nowhere.npz"),
        (["--teacher", "nobody"], "the teacher must be"),
        (["--opponents", "nobody=1"], "there is no agent 'nobody'"),
        (["--device", "cuda"], "--device cuda"),
    ],
)
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_nothing_is_announced_that_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert train(tmp_path / "run", *words) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


def test_all_tables_are_checked_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An opponent that cannot play at the last table is refused before hours at the first."""
    assert train(tmp_path / "run", "--evaluate-against", "ppo:thurn_und_taxis-south-2", "--board", "south") == 2
    assert "is a policy for 2 players, not for 3" in capsys.readouterr().err
    assert not (tmp_path / "run" / "2-players").exists()


@pytest.mark.parametrize("begun", ["run", "run/2-players"])
def test_runs_that_do_not_belong_together(tmp_path: Path, capsys: pytest.CaptureFixture[str], begun: str) -> None:
    """Refused before anything is learned."""
    alone = [word for word in COMMAND if word not in ("--curriculum", "2=192", "3=999")]
    assert main([*alone, "--out", str(tmp_path / begun)]) == 0
    capsys.readouterr()
    assert train(tmp_path / "run") == 2
    assert f"{tmp_path / begun} holds a run; add --resume to continue it, or name" in capsys.readouterr().err
    if begun == "run":
        assert train(tmp_path / "run", "--resume") == 2
        assert "which comes before it, holds none; name another folder with --out" in capsys.readouterr().err
        assert not (tmp_path / "run" / "2-players").exists()


def test_a_policy_to_begin_with_takes_the_place_of_a_curriculum_of_a_preset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "some.toml").write_text('curriculum = ["3=10"]\nsteps = 5\n', "utf-8")
    monkeypatch.setattr(config, "PRESETS", tmp_path)
    assert preset("some") == {"curriculum": ("3=10",), "steps": 5}
    assert preset("some", start=True) == {"steps": 5}


def test_another_curriculum_is_refused_before_any_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run for two players could go on, but that for three began with it as it is."""
    out = tmp_path / "run"
    assert train(out) == 0
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    capsys.readouterr()
    changed = [word.replace("2=192", "2=1920") for word in COMMAND]
    assert main([*changed, "--out", str(out), "--resume"]) == 2
    assert "has curriculum ['2=192', '3=999'], not ['2=1920', '3=999']; give the same" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before
    for damaged in ("[]", "{"):
        (out / "config.json").write_text(damaged, "utf-8")
        assert train(out, "--resume") == 2
        assert "config.json: damaged; restore it, or name another folder with --out" in capsys.readouterr().err
