"""Sweeps: many runs as Ray tasks, gone on with, and compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("ray")

from tests.programs import thurn
from tests.test_training import train
from thurn_env import OptionError
from thurn_env.training.config import configured
from thurn_env.training.sweep import Run, check_same, finished, read_plan, resources

PLANS = sorted((Path(__file__).parents[1] / "train" / "plans").glob("*.toml"))

COMMON = """
[common]
board = "tiny"
players = 3
option = ["max_rounds=8"]
threads = 1
device = "cpu"
width = 16
lanes = 12
network = "city"
rollout = 16
minibatch = 64
epochs = 2
opponents = ["greedy=0.3", "self=0.3", "past=0.4"]
snapshot_every = 200
snapshots = 3
evaluate_every = 400
evaluation_decks = 3
evaluate_against = ["random"]
steps = 800
"""


def plan(folder: Path, text: str) -> Path:
    """A plan of this text."""
    path = folder / "sweep.toml"
    path.write_text(text, "utf-8")
    return path


# Ray leaves its processes and their log files to the garbage collector, which Python warns of whenever that runs.
@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
def test_a_sweep_trains_all_runs_and_compares_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of two runs was stopped before, one more fails and keeps none of them from their end.

    Given again without it the sweep trains nothing; with another run all are compared.
    """
    path, out = plan(tmp_path, f'{COMMON}[[runs]]\nname = "bad"\n[grid]\nseed = [4, 5]\n'), tmp_path / "out"
    assert train(out / "seed=4", 400) == 0
    (out / "bad").mkdir()
    (out / "bad" / "checkpoint.pickle").write_bytes(b"\x80\x05nothing")
    command = [str(path), "--out", str(out), "--decks", "2", "--against", "greedy", "--jobs", "1"]
    assert thurn("sweep", command) == 2
    assert "sweep: bad: " in (error := capsys.readouterr().err)
    assert "checkpoint.pickle is damaged" in error
    before = {file: file.stat().st_mtime_ns for file in out.rglob("*.npz")}
    plan(tmp_path, f"{COMMON}[grid]\nseed = [4, 5]\n")
    assert thurn("sweep", command) == 0
    assert before == {file: file.stat().st_mtime_ns for file in out.rglob("*.npz")}, "they were trained"
    said = capsys.readouterr().out
    for name in ("seed=4", "seed=5"):
        lines = (out / name / "evaluations.jsonl").read_text("utf-8").splitlines()
        assert json.loads(lines[-1])["steps"] >= 800
        assert f"{name}/best.npz" in "".join(said.split())
    assert thurn("sweep", command) == 0
    assert before == {file: file.stat().st_mtime_ns for file in out.rglob("*.npz")}
    assert len(list(out.glob("tournament-*"))) == 1
    path.write_text(path.read_text("utf-8") + '[[runs]]\nname = "deep"\ndepth = 3\nseed = 4\n', "utf-8")
    assert train(out / "deep", 800, "--depth", "3") == 0
    assert thurn("sweep", command) == 0
    assert "deep/best.npz" in "".join(capsys.readouterr().out.split())
    assert len(list(out.glob("tournament-*/results.json"))) == 2, "the tournament without the new run is kept"


def test_a_grid_combines_all_values(tmp_path: Path) -> None:
    text = f'{COMMON}[grid]\nseed = [1, 2]\nopponents = [["greedy=1"], ["self=0.5", "greedy=0.5"]]\n'
    runs = read_plan(plan(tmp_path, text))
    assert [run.name for run in runs] == [
        "seed=1-opponents=greedy_1",
        "seed=1-opponents=self_0.5_greedy_0.5",
        "seed=2-opponents=greedy_1",
        "seed=2-opponents=self_0.5_greedy_0.5",
    ]
    assert runs[1].values["opponents"] == ["self=0.5", "greedy=0.5"]
    assert runs[1].values["width"] == 16


def test_a_run_takes_one_thread_if_nothing_else_is_said(tmp_path: Path) -> None:
    common = COMMON.replace("threads = 1\n", "")
    assert "threads" not in common
    text = f'{common}[[runs]]\nname = "one"\n[[runs]]\nname = "two"\nthreads = 2\n'
    assert [run.config(tmp_path).threads for run in read_plan(plan(tmp_path, text))] == [1, 2]


def test_a_run_is_finished_when_its_last_line_is_whole(tmp_path: Path) -> None:
    (run,) = read_plan(plan(tmp_path, f'{COMMON}[[runs]]\nname = "one"\n'))
    file = tmp_path / "one" / "evaluations.jsonl"
    file.parent.mkdir()
    (file.parent / "best.npz").touch()
    assert not finished(run, tmp_path), "it has written nothing"
    for text in ("", '{"steps": 576}\n{"steps": 9', '{"steps": 576}\n'):
        file.write_text(text, "utf-8")
        assert not finished(run, tmp_path), text
    file.write_text('{"steps": 576}\n{"steps": 960}\n', "utf-8")
    assert finished(run, tmp_path)
    searching = Run("one", run.values | {"search_rounds": 2})
    assert not finished(searching, tmp_path), "its lessons from search are missing"
    file.write_text('{"steps": 960}\n{"steps": 960, "search_rounds": 1}\n', "utf-8")
    assert not finished(searching, tmp_path), "the second round is missing"
    file.write_text('{"steps": 960}\n{"steps": 960, "search_rounds": 2}\n', "utf-8")
    assert finished(searching, tmp_path)


def test_a_run_of_another_plan_is_not_taken_for_this_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = plan(tmp_path, f'{COMMON}[[runs]]\nname = "one"\nseed = 4\n'), tmp_path / "out"
    assert train(out / "one", 200) == 0
    path.write_text(path.read_text("utf-8").replace("width = 16", "width = 24"), "utf-8")
    assert thurn("sweep", [str(path), "--out", str(out)]) == 2
    assert capsys.readouterr().err.endswith(
        f"\nthurn sweep: {out / 'one'} was trained with width 16, and the plan has 24; "
        "give the run another name, or the sweep another folder\n"
    )


def test_a_run_notes_which_published_policy_taught_it(tmp_path: Path) -> None:
    """The plan goes on saying `published`."""
    path = plan(tmp_path, f'{COMMON}teacher = "published"\nlessons = 100\n[[runs]]\nname = "one"\n')
    (run,) = read_plan(path)
    noted = run.config(tmp_path).as_dict() | {"teacher": "ppo:thurn_und_taxis-south-2"}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "config.json").write_text(json.dumps(noted), "utf-8")
    with pytest.raises(OptionError, match="was trained with teacher ppo:thurn_und_taxis-south-2, and the plan has "):
        check_same(run, tmp_path)
    # Nothing is published for this table, where the best bot teaches.
    (tmp_path / "one" / "config.json").write_text(json.dumps(noted | {"teacher": "heuristic"}), "utf-8")
    check_same(run, tmp_path)


def test_the_published_policy_taught_the_first_table_of_a_curriculum(tmp_path: Path) -> None:
    path = plan(
        tmp_path,
        '[[runs]]\nname = "one"\npreset = "quick"\nteacher = "published"\nplayers = 2\ncurriculum = ["3=100"]\n',
    )
    (run,) = read_plan(path)
    noted = run.config(tmp_path).as_dict() | {"teacher": "ppo:thurn_und_taxis-south-3"}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "config.json").write_text(json.dumps(noted), "utf-8")
    check_same(run, tmp_path)
    (tmp_path / "one" / "config.json").write_text(json.dumps(noted | {"teacher": "greedy"}), "utf-8")
    with pytest.raises(OptionError, match="was trained with teacher greedy, and the plan has "):
        check_same(run, tmp_path)


def test_what_ray_keeps_for_a_run(tmp_path: Path) -> None:
    """A core for every thread, but no more than there are; a GPU, which Ray hides otherwise, if there are any."""
    text = "".join(
        f'[[runs]]\nname = "{device}"\ndevice = "{device}"\nthreads = 4\n' for device in ("cpu", "auto", "cuda")
    )
    common = COMMON.replace("threads = 1\n", "").replace('device = "cpu"\n', "")
    cpu, auto, cuda = read_plan(plan(tmp_path, common + text))
    assert resources(cpu, tmp_path, cpus=8, gpus=2) == {"num_cpus": 4, "num_gpus": 0}
    assert resources(auto, tmp_path, cpus=2, gpus=2) == {"num_cpus": 2, "num_gpus": 1}
    assert resources(auto, tmp_path, cpus=8, gpus=0) == {"num_cpus": 4, "num_gpus": 0}
    assert resources(cuda, tmp_path, cpus=8, gpus=1) == {"num_cpus": 4, "num_gpus": 1}
    with pytest.raises(OptionError, match="cuda: device cuda, but Ray finds no GPU; use device cpu or auto"):
        resources(cuda, tmp_path, cpus=8, gpus=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seeds = [", "is not a valid TOML file"),
        ("", "names no runs: give [grid] or [[runs]]"),
        ("[others]\n", "a plan has [common], [grid] and [[runs]], nothing else"),
        ("runs = 3\n", "a plan has [common], [grid] and [[runs]], nothing else"),
        ("[runs]\nname = 'one'\n", "a plan has [common], [grid] and [[runs]], nothing else"),
        ("[grid]\nseed = 1\n", "every entry of [grid] must be a list of values"),
        ("[grid]\nsed = [1]\n", "thurn train has no option 'sed' that a sweep can set"),
        ('[grid]\nout = ["here"]\n', "thurn train has no option 'out' that a sweep can set"),
        ("[[runs]]\nseed = 1\n", "needs a unique name without '/', not ''"),
        ('[[runs]]\nname = "tournament"\n', "invalid name of a run: 'tournament'"),
        ('[[runs]]\nname = ".."\n', "invalid name of a run: '..'"),
        ('[[runs]]\nname = "one\\u0000"\n', r"invalid name of a run: 'one\x00'; it must be printable"),
        ("[grid]\nplayers = [2, 3]\n", "all runs must train the same game"),
        ("[grid]\nseed = [1, 1]\n", "unique name without '/', not 'seed=1'; name each of [[runs]], and give no value"),
        ("[grid]\nlanes = [0]\n", "--lanes must be from 1 to 1,048,576, not 0"),
    ],
)
def test_bad_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    assert thurn("sweep", [str(plan(tmp_path, text)), "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_no_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert thurn("sweep", [str(tmp_path / "none.toml"), "--out", str(tmp_path / "out")]) == 2
    assert "there is no such file" in capsys.readouterr().err


@pytest.mark.parametrize("file", PLANS, ids=lambda file: file.stem)
def test_the_plans_of_studies_are_valid(file: Path) -> None:
    runs = read_plan(file)
    assert len(runs) % 3 == 0, "three seeds each"
    assert {run.values["seed"] for run in runs} == {1, 2, 3}
    assert f"thurn sweep train/plans/{file.name} --out" in file.read_text("utf-8")


def test_a_plan_names_the_policy_to_begin_with() -> None:
    config = configured({"out": "run", "start": "pupil.npz"}, "plan")
    assert (config.out, config.start) == (Path("run"), Path("pupil.npz"))
