"""Training runs, small: what they write, that they go on exactly where they were, and how they refuse."""

from __future__ import annotations

import json
import os
import pickle
import platform
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")


from tests.programs import with_words
from tests.test_policy import some_policy
from thurn_env import make_rules, progress
from thurn_env.commands.train import main, parse
from thurn_env.engine.provenance import processor_name
from thurn_env.files import locked
from thurn_env.players.policy import Policy, load, save
from thurn_env.training import run as training
from thurn_env.training.checkpoint import load as load_checkpoint
from thurn_env.training.checkpoint import save as save_checkpoint
from thurn_env.training.run import due
from thurn_env.training.transfer import transferred

SMALL = [
    *("--network", "city"),
    # A policy that has learned nothing plays most games to the last round.
    *("--option", "max_rounds=8"),
    *("--board", "tiny", "--players", "3", "--threads", "1", "--device", "cpu", "--seed", "4", "--width", "16"),
    *("--lanes", "12", "--rollout", "16", "--minibatch", "64", "--epochs", "2"),
    *("--opponents", "greedy=0.3", "self=0.3", "past=0.4", "--snapshot-every", "200"),
    *("--snapshots", "3"),
    *("--evaluate-every", "400", "--evaluation-decks", "3", "--evaluate-against", "random"),
]


def train(out: Path, steps: int, *more: str) -> int:
    return main(with_words([*SMALL, "--steps", str(steps), "--out", str(out)], more))


def evaluations(out: Path) -> list[dict[str, Any]]:
    """What was measured, less the time."""
    entries = [json.loads(line) for line in (out / "evaluations.jsonl").read_text("utf-8").splitlines()]
    return [{name: value for name, value in entry.items() if "minutes" not in name} for entry in entries]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was not stopped."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    assert train(out, 1600) == 0
    return out


def test_a_folder_is_for_one_run_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fcntl")
    out = tmp_path / "run"
    with locked(out, "unused"):
        assert train(out, 400) == 2
        assert [file.name for file in out.iterdir()] == [".lock"], "nothing was begun"
    assert capsys.readouterr().err == f"thurn train: {out}: another run is writing to this folder\n"
    assert not out.exists(), "nobody wrote anything"


def test_what_a_run_writes(whole: Path) -> None:
    measured = evaluations(whole)
    assert [entry["steps"] for entry in measured] == [0, 576, 960, 1344, 1728], "the first before learning"
    assert all(0 <= entry["random"] <= 1 for entry in measured)
    assert measured[0]["kept"], "the first one is the best so far"
    assert load(whole / "last.npz").made["steps"] == 1728
    assert processor_name() in load(whole / "last.npz").made["machine"]
    kept = [entry["steps"] for entry in measured if entry["kept"]]
    assert load(whole / "best.npz").made["steps"] == kept[-1]
    assert json.loads((whole / "config.json").read_text("utf-8"))["lanes"] == 12
    assert list((whole / "tensorboard").iterdir())


def drawn(out: Path) -> dict[str, dict[int, float]]:
    """What TensorBoard shows: tag, step, value."""
    from tensorboard.backend.event_processing.event_accumulator import (  # type: ignore[import-untyped]
        EventAccumulator,
    )

    figures: dict[str, dict[int, float]] = {}
    for file in sorted((out / "tensorboard").iterdir()):
        events = EventAccumulator(str(file)).Reload()
        for tag in events.Tags()["scalars"]:
            figures.setdefault(tag, {}).update({event.step: event.value for event in events.Scalars(tag)})
    return figures


def test_figures_are_drawn_at_their_own_step(whole: Path) -> None:
    figures = drawn(whole)
    rounds = list(range(192, 1729, 192))
    for tag in ("train/loss", "won/greedy", "rollout/ep_rew_mean", "time/decisions_per_second"):
        assert list(figures[tag]) == rounds, tag
    measured = {entry["steps"]: entry["random"] for entry in evaluations(whole)}
    assert figures["evaluation/random"] == pytest.approx(measured, abs=1e-4)
    assert "time/fps" not in figures, "the library's rate leaves learning out"


def test_the_summary_says_what_is_part_of_what(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(whole, 1600, "--resume") == 0
    said = capsys.readouterr().out
    assert re.search(r"\(collecting \d+% \(including environment \d+%, policies \d+%\), learning \d+%\)", said)


def test_a_slow_evaluation_shows_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal by a line from time to time; the last line is that of the run."""
    monkeypatch.setattr(progress, "PLAIN_INTERVAL", 0.0)
    assert train(tmp_path / "run", 192, "--evaluate-against", "each:greedy") == 0
    said = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"train: 0 of 192 decisions, evaluation: 0 of 9 games, 3 decisions", said[0])
    # The first evaluation is one match, every other one three: of the policy, of the best one, and of both.
    assert any("evaluation: 9 of 9 games" in line for line in said)
    assert any("evaluation: 27 of 27 games" in line for line in said)
    assert "evaluation" not in said[-1]


def interrupt_at(patch: pytest.MonkeyPatch, decisions: int, how: Callable[[], None]) -> None:
    """Do this in the games, at so many decisions."""
    from thurn_env.training.figures import GameFigures

    count, left = GameFigures._on_step, [how]

    def interrupt(self: GameFigures) -> bool:
        if self.num_timesteps >= decisions and left:
            left.pop()()
        return count(self)

    patch.setattr(GameFigures, "_on_step", interrupt)


def killed() -> None:
    raise KeyboardInterrupt


def stop_in_games(patch: pytest.MonkeyPatch) -> None:
    """Between two evaluations, as if killed."""
    interrupt_at(patch, 1100, killed)


def stop_by_hand(patch: pytest.MonkeyPatch) -> None:
    """By Ctrl-C between two evaluations: the round, which ends at 1,152, is made to the end."""
    interrupt_at(patch, 1000, lambda: signal.raise_signal(signal.SIGINT))


def stop_between_checkpoints(patch: pytest.MonkeyPatch) -> None:
    """Between two evaluations that are so far apart that checkpoints are written meanwhile, as if killed."""
    patch.setattr(training, "SAVE_EVERY", 0.0)
    interrupt_at(patch, 1600, killed)


def stop_before_checkpoint(patch: pytest.MonkeyPatch) -> None:
    """After the second evaluation, as if killed: nothing is written any more."""

    def interrupt(folder: Path, asked: Any, model: Any, *others: Any) -> None:
        if model.num_timesteps == 960:
            raise KeyboardInterrupt
        save_checkpoint(folder, asked, model, *others)

    patch.setattr(training, "save_checkpoint", interrupt)


def stop_after_checkpoint(patch: pytest.MonkeyPatch) -> None:
    """After the last checkpoint, but before the policies that go with it are written."""

    def interrupt(policy: Policy, path: Path) -> None:
        if policy.made["steps"] >= 1600:
            raise KeyboardInterrupt
        save(policy, path)

    patch.setattr(training, "save", interrupt)


@pytest.mark.usefixtures("ctrl_c")
def test_a_resumed_run_is_the_uninterrupted_one(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It goes on from the last checkpoint, wherever it was stopped, to the same weights and figures."""
    out = tmp_path / "parts"
    resume: list[str] = []
    for stop, known, written in (
        (stop_before_checkpoint, 576, 576),
        (stop_in_games, 960, 960),
        (stop_by_hand, 1152, 960),
        (stop_between_checkpoints, 1536, 1344),
        (stop_after_checkpoint, 1728, 1344),
    ):
        with monkeypatch.context() as patch:
            stop(patch)
            assert train(out, 1600, *resume) == 130
        assert f"--resume continues from {known:,}\n" in capsys.readouterr().err
        assert load(out / "last.npz").made["steps"] == written
        assert evaluations(out)[-1]["steps"] == written, "who has not written all does not look finished"
        resume = ["--resume"]
    assert train(out, 1600, "--resume") == 0
    seen = np.random.default_rng(1).normal(size=(20, 166)).astype(np.float32)
    for name in ("last.npz", "best.npz"):
        mine, theirs = load(out / name), load(whole / name)
        assert mine.made["steps"] == theirs.made["steps"]
        for one, other in zip(mine(seen), theirs(seen), strict=True):
            assert one.tolist() == other.tolist()
    assert evaluations(out) == evaluations(whole)
    figures, expected = drawn(out), drawn(whole)
    for tag in ("train/loss", "train/entropy_loss", "evaluation/random"):
        assert figures[tag] == expected[tag], tag


def test_a_run_of_an_earlier_version_goes_on(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its checkpoint lacks the newer options; they count as off, and cannot be switched on in the middle."""
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        interrupt_at(patch, 1100, killed)
        assert train(out, 1600) == 130
    document = load_checkpoint(out)
    for name in ("need", "magnet", "critic"):
        del document["config"][name]
    for name in ("_need", "tally", "_others", "joint"):
        del document["env"].__dict__[name]
    (out / "checkpoint.pickle").write_bytes(pickle.dumps(document))
    capsys.readouterr()
    assert train(out, 1600, "--resume", "--need", "1") == 2
    assert "has need 0.0, not 1.0; give the same" in capsys.readouterr().err
    assert train(out, 1600, "--resume") == 0
    assert evaluations(out) == evaluations(whole)


def test_a_finished_run_stays_as_it_is(whole: Path) -> None:
    before = evaluations(whole)
    assert train(whole, 1600, "--resume") == 0
    assert evaluations(whole) == before


def test_a_folder_in_use_is_not_overwritten(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in whole.iterdir()}
    assert train(whole, 1600) == 2
    assert "holds a run; add --resume to continue it" in capsys.readouterr().err
    assert train(whole, 1600, "--resume", "--lanes", "14") == 2
    assert "has lanes 12, not 14; give the same" in capsys.readouterr().err
    assert before == {path.name: path.stat().st_mtime_ns for path in whole.iterdir()}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--players", "2"], "has players 3, not 2; give the same"),
        (["--board", "south"], "has board tiny, not south; give the same"),
        (["--game", "zug_um_zug_deutschland"], "has game thurn_und_taxis, not zug_um_zug_deutschland; give the same"),
    ],
)
def test_a_checkpoint_of_another_game(
    whole: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert train(whole, 1600, "--resume", *more) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert message in error


def test_without_the_extra() -> None:
    """Programs show their help, and say in one line what is missing when they need it."""
    code = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name in ("torch", "stable_baselines3", "sb3_contrib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
from thurn_env.commands.cli import main
from train import publish
names = ("evaluation", "imitate", "train", "sweep", "tune")
print([*(main([name, "--help"]) for name in names), publish.main(["--help"])])
print(main(["train", "--out", "/nowhere/run"]), main(["imitate", "--teacher", "greedy", "--out", "/nowhere/pupil.npz"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["[0, 0, 0, 0, 0, 0]", "2 2"]
    said = 'training needs torch, of the extra "train": pip install "thurn-env[train]"'
    assert done.stderr.splitlines() == [f"thurn {name}: {said}" for name in ("train", "imitate")]


def test_nothing_to_go_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(tmp_path, 1600, "--resume") == 2
    assert "there is no run to continue" in capsys.readouterr().err
    (tmp_path / "checkpoint.pickle").write_bytes(b"\x80\x05nothing")
    assert train(tmp_path, 1600, "--resume") == 2
    assert "is damaged or from another version" in capsys.readouterr().err


def test_a_policy_to_begin_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without learning it is what comes out; one of another size is refused."""
    start = some_policy(make_rules("thurn_und_taxis", 3, "tiny"), width=16)
    save(start, tmp_path / "start.npz")
    given = ["--start", str(tmp_path / "start.npz"), "--depth", "1"]
    assert train(tmp_path / "run", 192, *given, "--learning-rate", "1e-30", "--network", "mlp") == 0
    seen = np.random.default_rng(1).normal(size=(4, 166)).astype(np.float32)
    assert load(tmp_path / "run" / "last.npz")(seen)[0] == pytest.approx(start(seen)[0], abs=1e-4)
    # One for another number of players is converted.
    fewer = some_policy(make_rules("thurn_und_taxis", 2, "tiny"), width=16)
    save(fewer, tmp_path / "fewer.npz")
    command = ["--start", str(tmp_path / "fewer.npz"), "--depth", "1", "--learning-rate", "1e-30", "--network", "mlp"]
    assert train(tmp_path / "more", 192, *command) == 0
    converted = transferred(fewer, make_rules("thurn_und_taxis", 3, "tiny"))
    assert load(tmp_path / "more" / "last.npz")(seen)[0] == pytest.approx(converted(seen)[0], abs=1e-4)
    for other in (["--network", "mlp", "--width", "24"], ["--network", "city"]):
        assert train(tmp_path / "other", 192, *given, *other) == 2
        said = "the initial policy has different layers; pass --network mlp --width 16 --depth 1 to match it"
        assert said in capsys.readouterr().err


def test_a_minibatch_of_a_single_decision(tmp_path: Path) -> None:
    """What is left of a rollout may be one decision, whose advantage has no standard deviation."""
    assert train(tmp_path / "run", 192, "--lanes", "5", "--rollout", "13") == 0
    policy = load(tmp_path / "run" / "last.npz")
    assert all(np.isfinite(layer.weight).all() for layer in (*policy.trunk, policy.actions))


@pytest.mark.parametrize(("given", "policy"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")])
def test_threads_wait_without_keeping_their_cores_busy(given: dict[str, str], policy: str) -> None:
    """It is settled before torch is loaded, which does not look again; who sets it otherwise gets that."""
    code = "import os, sys, thurn_env.training; print('torch' in sys.modules, os.environ['OMP_WAIT_POLICY'])"
    others = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run([sys.executable, "-c", code], env=others | given, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", policy]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only GNU's C library takes memory away")
def test_freed_memory_stays_with_the_process() -> None:
    """Else the system hands out zeroed pages for every array of a rollout, one page fault after the other."""
    code = """
import resource
import numpy as np
from thurn_env.training.memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        np.ones(64 << 20, np.uint8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

before = faults()
keep_freed_memory()
np.ones(64 << 20, np.uint8)
print(before, faults())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = map(int, done.stdout.split())
    assert before > 20
    assert after < before / 20


def test_past_selves_of_a_run(whole: Path) -> None:
    """Snapshots were taken before the run, after 384 decisions and then every 192; the newest is no past self."""
    document = load_checkpoint(whole)
    assert [policy.made["steps"] for policy in document["progressed"].past] == [768, 1536, 1728]
    playing = {
        name: {snapshot._policy.made["steps"] for snapshot in snapshots}
        for name, snapshots in document["env"].snapshots.items()
    }
    assert playing["self"] == {1728}
    assert playing["past"] <= {768, 1536}


def test_shaping_rewards_decisions_and_leaves_the_return(tmp_path: Path) -> None:
    """The changes of the margin come during a game, and add up to nothing at its end."""
    games: list[list[tuple[int, float]]] = []
    during = []
    for weight in ("0", "0.5"):
        words = with_words(SMALL, ["--opponents", "greedy=1", "--steps", "1", "--shaping", weight])
        env = training.Training(parse([*words, "--out", str(tmp_path / weight)]), "").env
        env.reset()
        # A game that is under way when the first step begins was rewarded before.
        sums, whole, finished, early = np.zeros(env.num_envs), np.zeros(env.num_envs, bool), [], 0.0
        for _ in range(200):
            _, rewards, ended, _ = env.step(env.action_masks().argmax(axis=1))
            sums += rewards
            early += float(np.abs(rewards[~ended]).sum())
            finished += [(int(lane), round(float(sums[lane]), 4)) for lane in np.flatnonzero(ended & whole)]
            sums[ended], whole[ended] = 0, True
        games.append(finished)
        during.append(early)
    assert games[0]
    assert games[0] == games[1]
    assert during[0] == 0 < during[1]


def test_what_is_due() -> None:
    assert not due(0, 399, 400)
    assert due(0, 400, 400)
    assert due(399, 1201, 400)
    assert not due(400, 799, 400)
