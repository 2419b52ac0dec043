"""Compiling ahead: `thurn warm`, stages, announcements, and processes that take turns."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from thurn_env import make_rules
from thurn_env.commands import cli
from thurn_env.commands.compilers import warm_stage
from thurn_env.commands.warm import tables_for, warm_tables
from thurn_env.engine.kernels import JIT_DISABLED, announce_compilation, compiled_before, quiet
from thurn_env.errors import ThurnError
from thurn_env.files import turn
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.stages import PLAYED, STAGES, Typed, estimates

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
LAYOUT = np.dtype([("nothing", np.int8)])


def names(tables: list[object]) -> list[tuple[str, str, int, bool]]:
    return [(r.name, r.board_name, r.players, bool(r.options.get("horses"))) for r in tables]  # type: ignore[attr-defined]


def test_which_tables_are_meant() -> None:
    """Without a word the published boards for 2 players; a board with all numbers of players; all of everything."""
    both = ["thurn_und_taxis", "zug_um_zug_deutschland"]
    assert names([*tables_for(both, (), (), False, {})]) == [
        ("thurn_und_taxis", "north", 2, False),
        ("thurn_und_taxis", "south", 2, False),
        ("zug_um_zug_deutschland", "germany", 2, False),
    ]
    north = names([*tables_for(both[:1], ("north",), (), False, {"horses": True})])
    assert north == [("thurn_und_taxis", "north", players, True) for players in (2, 3, 4)]
    everything = names([*tables_for(both, (), (), True, {})])
    assert len(everything) == len(set(everything)) == 3 * 3 + 4
    assert ("thurn_und_taxis", "north", 4, True) in everything
    assert ("zug_um_zug_deutschland", "germany", 5, False) in everything


def test_what_is_on_disk_takes_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    list(warm_tables([rules], ["game"]))
    (done,) = warm_tables([make_rules("thurn_und_taxis", 2, "tiny", max_rounds=20)], ["game"])
    assert (done.stage, done.seconds) == ("game", 0.0)
    capsys.readouterr()
    assert cli.main(["warm", "--board", "tiny", "--players", "2", "--stage", "game"]) == 0
    said = capsys.readouterr()
    assert "on disk  single games on the tiny board with 2 players" in said.out
    assert "s  elapsed" in said.out
    assert "compiling single games" not in said.err


CALLS = """
import numpy as np
from thurn_env import Batch, Game
from thurn_env.engine.kernel_cache import KernelCache
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.stages import STAGES
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_scripted
from thurn_env.players.mcts import MCTS

needed = set()
load = KernelCache.load_overload

def noting(cache, signature, context):
    needed.add((cache._name, str(signature)))
    return load(cache, signature, context)

KernelCache.load_overload = noting
game = Game(board="tiny", seed=1)
for name, stage in STAGES.items():
    before = set(needed)
    stage.compile(game.rules)
    assert needed - before, f"{name} compiles nothing that the stages before it do not compile"
before = set(needed)
for spec in ("heuristic", "greedy"):
    agent = make_agent(spec, game.rules.bots)
    agent.reset(game.seat, game.rules, 1)
    game.play(agent.act(game.view()))
game.record()
play_scripted(game.rules, ["random", "greedy"], 1)
for form in ("float32", "int8"):
    batch = Batch(4, board="tiny", observation=form, threads=2, max_rounds=1)
    batch.reset(seed=1)
    while not len(batch.ended):
        batch.step(batch.masks.argmax(axis=1))
    batch.final_observations(batch.ended, np.zeros(len(batch.ended), np.int64))
for form in ("flat", "dict", "int8"):
    env = LearnerVectorEnv(4, board="tiny", observation=form, opponents="random")
    _, infos = env.reset(seed=1)
    env.step(infos["action_mask"].argmax(axis=1))
search = MCTS("20")
search.reset(game.seat, game.rules, 1)
search.act(game.view())
states = game.rules.new_states(1)
game.rules.deal(states, 0, 1)
game.rules.play_weighted(states, 0, [game.rules.heuristic_weights()] * 2)
print(sorted(needed - before))
"""
"""Calls the stages, then games, bots, batches and searches; prints the kernels that only the latter need.

A process asks for every kernel once, whether the kernel is then compiled or loaded.
"""


def test_every_stage_compiles_all_that_its_calls_need() -> None:
    done = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The stages that a new process with an empty cache begins to compile; nothing is compiled."""
    found: list[str] = []
    calling = {name: stage._replace(call=lambda rules, name=name: found.append(name)) for name, stage in STAGES.items()}
    monkeypatch.setattr("thurn_env.games.kernel_rules.STAGES", calling)
    monkeypatch.setattr("thurn_env.games.stages.typed", Typed())
    monkeypatch.setattr("thurn_env.engine.kernels.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("thurn_env.engine.kernels.prebuilt_for", lambda: None)
    return found


def test_every_stage_is_announced(begun: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=18)
    for name, stage in STAGES.items():
        rules.prepare(name)
        said = capsys.readouterr().err
        assert f"compiling {stage.title} on the tiny board with 2 players" in said
        assert f"about {stage.after} s" in said
        make_rules("thurn_und_taxis", 2, "tiny", max_rounds=17).prepare(name)
        assert capsys.readouterr().err == "", "it is on disk"
    assert begun == list(STAGES)


def test_what_is_on_disk_types_no_rules(
    begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After `make install` a new process loads the first stages, so the next one types all rules."""
    for stage in ("game", "bots"):
        make_rules("thurn_und_taxis", 2, "tiny", max_rounds=21).prepare(stage)
    monkeypatch.setattr("thurn_env.games.stages.typed", Typed())
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=22)
    capsys.readouterr()
    for name in ("game", "bots", "search", "guided-search"):
        rules.prepare(name)
    assert begun == ["game", "bots", "search", "guided-search"]
    said = capsys.readouterr().err
    assert f"about {STAGES['search'].alone} s" in said
    assert f"about {STAGES['guided-search'].after} s" in said


@pytest.mark.usefixtures("begun")
def test_every_table_types_its_own_rules(capsys: pytest.CaptureFixture[str]) -> None:
    for players in (2, 3):
        rules = make_rules("thurn_und_taxis", players, "tiny", max_rounds=23)
        for name in ("batch", "game", "batch-with-bots", "bots"):
            rules.prepare(name)
        said = re.findall(r"about (\d+) s", capsys.readouterr().err)
        expected = (STAGES["batch"].alone, STAGES["game"].after, STAGES["batch-with-bots"].alone, STAGES["bots"].after)
        assert tuple(map(int, said)) == expected


def test_no_stage_takes_less_time_alone() -> None:
    before: set[str] = set()
    for name, stage in STAGES.items():
        assert stage.name == name
        assert stage.alone >= stage.after > 0
        assert before.issuperset(stage.follows), "thurn warm compiles the stages that it follows first"
        before.add(name)
    assert estimates(STAGES) == {name: stage.after for name, stage in STAGES.items()}
    alone = STAGES["search"].alone, STAGES["guided-search"].after, STAGES["batch"].alone
    assert tuple(estimates(["search", "guided-search", "batch"]).values()) == alone


def test_wrong_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["warm", "--stage", "soup"]) == 2
    assert "there is no stage 'soup'; the stages are game, bots" in capsys.readouterr().err
    with pytest.raises(ThurnError, match="no board is called"):
        tables_for(["thurn_und_taxis"], ("atlantis",), (), False, {})
    assert set(PLAYED) <= set(STAGES)


@pytest.mark.parametrize("option", ["--stage", "--board", "--players", "--option"])
@pytest.mark.parametrize("after", [[], ["--jobs", "1"]])
def test_a_list_without_values_is_refused(option: str, after: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It would stand for nothing, or else for everything."""
    assert cli.main(["warm", option, *after]) == 2
    assert capsys.readouterr().err == f"thurn warm: {option} has no value; give it at least one, or leave it out\n"


def test_a_quiet_block_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    what = f"a test {uuid4()}"  # what is prepared is noted on disk, for later runs of this test too
    assert not compiled_before(what, LAYOUT)
    with quiet(), announce_compilation(what, 1, LAYOUT) as needed:
        assert needed
    assert capsys.readouterr().err == ""
    assert compiled_before(what, LAYOUT)
    with announce_compilation(what, 1, LAYOUT) as needed:
        assert not needed
    assert capsys.readouterr().err == ""


def test_what_cannot_be_stored_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk: the next process would compile again."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: False)
    with pytest.raises(ThurnError, match=r"^single games on the tiny board with 2 players could not be stored in "):
        warm_stage(rules, "game")


def test_what_fails_is_compiled_again() -> None:
    what = f"a failing test {uuid4()}"
    with pytest.raises(KeyboardInterrupt), announce_compilation(what, 1, LAYOUT):
        raise KeyboardInterrupt
    assert not compiled_before(what, LAYOUT)


def test_an_interrupted_stage_is_prepared_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same process, too: after Ctrl-C the next call announces it again."""
    rules, begun, run = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=19), [], uuid4()

    def interrupted(rules: KernelRules) -> None:
        begun.append(rules)
        raise KeyboardInterrupt

    monkeypatch.setattr(KernelRules, "_label", lambda rules, stage: f"{stage} of {run}")
    stage = STAGES["bots"]._replace(call=interrupted)
    monkeypatch.setattr("thurn_env.games.kernel_rules.STAGES", {**STAGES, "bots": stage})
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            rules.prepare("bots")
    assert len(begun) == 2


def test_one_compiles_and_the_others_wait(tmp_path: Path) -> None:
    """Two processes, here two open files, take turns; `say` is called in the one that waits."""
    entered, leave, waiting = threading.Event(), threading.Event(), threading.Event()

    def first() -> None:
        with turn(tmp_path / "task", lambda: None):
            entered.set()
            leave.wait(60)

    thread = threading.Thread(target=first)
    thread.start()
    assert entered.wait(60)
    order = []

    def second() -> None:
        with turn(tmp_path / "task", waiting.set):
            order.append(leave.is_set())

    other = threading.Thread(target=second)
    other.start()
    assert waiting.wait(60)
    leave.set()
    thread.join(60)
    other.join(60)
    assert order == [True]


def test_rules_say_what_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    assert isinstance(rules, KernelRules)
    rules.prepare("game")
    assert rules.prepared("game")
    monkeypatch.setattr(KernelRules, "_label", lambda rules, stage: "something else")
    assert not rules.prepared("game")
