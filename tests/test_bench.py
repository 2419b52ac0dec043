"""`thurn bench` measures everything it says, here for a moment on the tiny board."""

import json
from pathlib import Path

import pytest

from thurn_env.commands import bench_cold
from thurn_env.commands.bench_cold import cold_figures
from thurn_env.commands.bench_commands import command_figures, first_board, first_move
from thurn_env.commands.bench_learning import learning_figures
from thurn_env.commands.bench_program import program_figures
from thurn_env.commands.cli import main
from thurn_env.commands.measure import rate_of_steps
from thurn_env.engine.cores import available_cores
from thurn_env.errors import ThurnError
from thurn_env.games import make_rules
from thurn_env.games.stages import PLAYED, STAGES


def test_every_figure_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--board", "tiny", "--games", "8", "--seconds", "0.001", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    figures = {figure["name"]: figure for figure in report["figures"]}
    several = f", {available_cores()} threads" if available_cores() > 1 else ""
    assert {
        "plain Python loop",
        "engine alone",
        "with mask and observation",
        "batch",
        f"batch{several}",
        f"vector environment against heuristic{several}",
        "Gymnasium environment",
        "AEC raw_env",
        "state copy in a kernel",
        "import thurn_env",
    } <= set(figures)
    assert all(figure["value"] > 0 for figure in figures.values())
    assert figures[f"batch{several}"]["threads"] == available_cores()
    assert report["board"] == "tiny"
    assert {"processor", "cores", "load", "numba"} <= set(report["machine"])


def test_decisions_of_agents_are_measured_beside_a_busy_process(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "--board", "tiny", "--games", "8", "--seconds", "0.001", "--json", "--agents"]
    assert main([*command, "greedy", "mcts:5"]) == 0
    figures = {figure["name"]: figure for figure in json.loads(capsys.readouterr().out)["figures"]}
    for spec in ("greedy", "mcts:5"):
        for name in (f"decision of {spec}", f"decision of {spec} beside a busy process"):
            assert figures[name]["unit"] == "us"
            assert figures[name]["value"] > 0
    assert main([*command, "nobody"]) == 2
    assert "there is no agent 'nobody'" in capsys.readouterr().err


def test_only_steps_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("thurn_env.commands.measure.time.perf_counter", lambda: clock[0])

    def prepare() -> float:
        clock[0] += 100.0
        return 0.5

    def step(seconds: float) -> None:
        clock[0] += seconds

    assert rate_of_steps(prepare, step, units=8, seconds=2.0) == 16.0


def test_training_without_its_libraries_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in ("stable_baselines3", "stable_baselines3.common.monitor", "sb3_contrib"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "thurn_env.envs.sb3", raising=False)
    monkeypatch.delitem(sys.modules, "thurn_env.commands.bench_training", raising=False)
    assert main(["bench", "--board", "tiny", "--games", "8", "--seconds", "0.001", "--training"]) == 2
    assert 'pip install "thurn-env[train]"' in capsys.readouterr().err


def test_learning_is_measured_for_every_network_in_both_formats_of_numbers() -> None:
    figures = list(learning_figures(make_rules("thurn_und_taxis", 2, "tiny"), 0.01))
    assert [figure.name for figure in figures] == [
        f"{network} network learning in {numbers}" for network in ("mlp", "city") for numbers in ("float32", "bfloat16")
    ]
    assert all(figure.value > 0 and figure.unit == "decisions/s" for figure in figures)


def test_the_protocol_for_programs_is_measured() -> None:
    figures = {figure.name: figure for figure in program_figures(make_rules("thurn_und_taxis", 2, "tiny"), 0.01)}
    there, here = figures["decision of a program"].value, figures["the same agent in this process"].value
    assert there > here > 0
    assert figures["cost of the protocol per decision"].value == there - here
    assert figures["event to a program"].value > 0


@pytest.fixture
def plain_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes run the rules as plain Python."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.mark.usefixtures("plain_children")
def test_compile_times_are_summed_for_one_and_for_all_numbers_of_players() -> None:
    figures = [(figure.name, figure.value) for figure in cold_figures(make_rules("thurn_und_taxis", 3, "tiny"))]
    *stages, (one, total), (every, everything) = figures
    assert [name for name, _ in stages] == [f"compiling {STAGES[stage].title}" for stage in PLAYED]
    assert (one, every) == ("compiling all of these", "compiling all of these for all numbers of players")
    assert 0 < sum(seconds for _, seconds in stages) == pytest.approx(total)
    assert total < everything


@pytest.mark.usefixtures("plain_children")
def test_a_process_that_dies_while_it_compiles_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the sum of what it compiled before would stand for everything."""
    monkeypatch.setattr(bench_cold, "WORK", "import sys; print('game', 0.5, flush=True); sys.exit(7)  # {stages}")
    said = "died while it compiled .* on the tiny board with 2 players .exit code 7.; out of memory"
    figures = cold_figures(make_rules("thurn_und_taxis", 2, "tiny"))
    assert next(figures).value == 0.5
    with pytest.raises(ThurnError, match=said):
        next(figures)


def test_nothing_is_compiled_where_the_package_brings_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_cold, "prebuilt_for", lambda: "x86-64-v3")
    assert list(cold_figures(make_rules("thurn_und_taxis", 2, "tiny"))) == []


@pytest.mark.usefixtures("plain_children")
def test_the_first_moves_and_the_first_board_are_timed() -> None:
    figures = {figure.name: figure for figure in command_figures(make_rules("thurn_und_taxis", 2, "tiny"))}
    assert set(figures) == {
        "thurn watch: first move",
        "thurn watch: first move, nothing compiled",
        "thurn play: first move",
        "thurn play: first move, nothing compiled",
        "thurn serve: answer to a new game, nothing compiled",
        "thurn serve: board on the page, nothing compiled",
    }
    assert all(figure.unit == "s" and figure.value > 0 for figure in figures.values())
    answer, board = list(figures.values())[-2:]
    assert answer.value < board.value


def test_a_command_that_fails_is_not_timed() -> None:
    with pytest.raises(ThurnError, match="ended too early"):
        first_move("watch", ["nobody", "greedy"], make_rules("thurn_und_taxis", 2, "tiny"))


def test_a_server_that_refuses_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(ThurnError, match="thurn serve cannot be measured: HTTP Error 400"):
        first_board(["nobody", "human"], make_rules("thurn_und_taxis", 2, "tiny"), str(tmp_path))
