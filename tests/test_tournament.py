"""Tournaments: the same bytes however they are played and however often they are stopped, and clear errors."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.interrupting import interrupted
from tests.tournaments import ROOT, SHORT, TINY, files, play
from thurn_env import OptionError, ThurnError, make_rules, players
from thurn_env.table.game import View
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position
from thurn_env.tournament import playing
from thurn_env.tournament.checkout import checkout
from thurn_env.tournament.config import Config, searchers_digest
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.summary import finished_games


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of three bots."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out, "--jobs", "1", agents="random greedy heuristic") == 0
    return out


def test_every_game_is_a_true_record(played: Path) -> None:
    assert sorted(file.name for file in (played / "games").iterdir()) == [
        *("1-random-greedy.jsonl", "2-random-heuristic.jsonl", "3-greedy-heuristic.jsonl")
    ]
    for file in (played / "games").iterdir():
        records = list(Record.load_all(file))
        index = [json.loads(line) for line in (played / "index" / file.name).read_text("utf-8").splitlines()]
        assert len(records) == len(index) == 12
        for record, line in zip(records, index, strict=True):
            final = last_position(record)
            assert (line["agents"], line["scores"], line["ranks"]) == (record.agents, final.scores, final.ranks)
            assert (line["rounds"], line["moves"]) == (final.rounds, len(record.moves))


def test_rotations_share_deck_and_start_player(played: Path) -> None:
    records = list(Record.load_all(played / "games" / "3-greedy-heuristic.jsonl"))
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.agents == other.agents[::-1]
        assert (one.chance["decks"][0], one.start_player) == (other.chance["decks"][0], other.start_player)


def test_description_and_results(played: Path) -> None:
    description = json.loads((played / "tournament.json").read_text("utf-8"))
    assert description["config"]["agents"] == ["random", "greedy", "heuristic"]
    assert description["runs"][0]["versions"].keys() == {"thurn-env", "python", "numpy", "numba"}
    assert description["runs"][0].get("commit") == checkout().get("commit")
    results = json.loads((played / "results.json").read_text("utf-8"))
    assert results["games"] == 36
    rows = {row["agent"]: row for row in results["agents"]}
    assert [row["games"] for row in rows.values()] == [24] * 3
    assert sum(row["win_rate"] for row in rows.values()) == pytest.approx(1.5)
    assert sum(row["rating"] for row in rows.values()) == pytest.approx(0, abs=1e-6)
    assert np.mean([row["rank"] for row in rows.values()]) == pytest.approx(1.5)
    assert rows["random"]["rating"] < rows["heuristic"]["rating"]
    index = [line for _, line in Folder(played, Config(("random", "greedy", "heuristic"), 2, 6)).index()]
    scores = [s for line in index for s, name in zip(line["scores"], line["agents"], strict=True) if name == "greedy"]
    assert rows["greedy"]["score"] == pytest.approx(np.mean(scores))


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_any_number_of_jobs_gives_the_same_bytes(played: Path, tmp_path: Path, jobs: str) -> None:
    assert play(tmp_path, "--jobs", jobs, agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)


@pytest.mark.parametrize("games_cut", [0, 1, 700, 20_000])
@pytest.mark.parametrize("index_cut", [0, 1, 300])
def test_a_resumed_tournament_is_the_uninterrupted_one(
    played: Path, tmp_path: Path, games_cut: int, index_cut: int
) -> None:
    """Whatever is missing at the end of the files, half lines included."""
    for name, content in files(played).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        cut = games_cut if name.startswith("games") else index_cut
        (tmp_path / name).write_bytes(content[: max(0, len(content) - cut)])
    (tmp_path / "tournament.json").write_bytes((played / "tournament.json").read_bytes())
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)
    assert (tmp_path / "results.json").read_bytes() == (played / "results.json").read_bytes()
    assert len(json.loads((tmp_path / "tournament.json").read_text())["runs"]) == 2


def test_parts_of_a_tournament_are_the_whole_one(played: Path, tmp_path: Path) -> None:
    """Six decks in two parts: the same bytes, one after the other."""
    for first, decks in ((0, 2), (2, 4)):
        part = ["--jobs", "1", "--first-deck", str(first)]
        assert play(tmp_path / str(first), *part, agents="random greedy heuristic", games=decks) == 0
    one, two = files(tmp_path / "0"), files(tmp_path / "2")
    assert {name: one[name] + two[name] for name in one} == files(played)
    results = json.loads((tmp_path / "2" / "results.json").read_text("utf-8"))
    assert (results["games"], results["decks"]) == (24, 4)
    assert sorted({game.deck for game in finished_games(Folder.existing(tmp_path / "2"))}) == [2, 3, 4, 5]


def test_a_part_is_not_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = ["--jobs", "1", "--first-deck", "3"]
    assert play(tmp_path, *part, games=1) == 0
    for other, difference in ((["--first-deck", "4"], "3 in the folder, 4 now"), ([], "3 in the folder, None now")):
        assert play(tmp_path, *other, games=1) == 2
        assert f"holds another tournament: first deck {difference}" in capsys.readouterr().err
    assert play(tmp_path / "new", "--first-deck", "-1") == 2
    assert "first_deck must be from 0 to 1,000,000,000, not -1" in capsys.readouterr().err
    # It goes on with more decks like a whole one.
    assert play(tmp_path, *part, games=2) == 0
    assert [line["deck"] for _, line in Folder.existing(tmp_path).index()] == [3, 3, 4, 4]


def test_another_commit_goes_on_with_a_tournament(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is noted, and no part of what a tournament is; a run of which no commit is known has none."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    for facts in ({"commit": "a" * 40, "dirty": True}, {}):
        monkeypatch.setattr(playing, "checkout", lambda _, facts=facts: facts)
        assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)
    runs = json.loads((tmp_path / "tournament.json").read_text("utf-8"))["runs"]
    assert (runs[1]["commit"], runs[1]["dirty"]) == ("a" * 40, True)
    assert "commit" not in runs[2]


@pytest.mark.parametrize("stopped", [False, True])
def test_more_decks_go_on_with_a_tournament(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], stopped: bool
) -> None:
    """What was played of fewer decks, whole or in part, is kept, and the end is as if all had been played at once."""
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic", games=4) == 0
    fewer = files(tmp_path)
    assert all(files(played)[name].startswith(content) for name, content in fewer.items())
    if stopped:
        name = "games/2-random-heuristic.jsonl"
        (tmp_path / name).write_bytes(fewer[name][:-1000])
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)
    assert (tmp_path / "results.json").read_bytes() == (played / "results.json").read_bytes()
    description = json.loads((tmp_path / "tournament.json").read_text("utf-8"))
    assert description["config"]["games"] == 6
    assert len(description["runs"]) == 2
    # Fewer are no less another tournament than other ones.
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic", games=4) == 2
    assert "games 6 in the folder, 4 now" in capsys.readouterr().err
    assert files(tmp_path) == files(played)


def test_results_of_fewer_decks_are_gone_while_more_are_played(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else they would pass for those of all."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "play", interrupted)
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic", games=7) == 130
    with pytest.raises(ThurnError, match="not finished"):
        Folder.existing(tmp_path).results()
    assert files(tmp_path) == files(played)


@pytest.mark.parametrize(
    ("games", "reason"),
    [(5, "games 6 in the folder, 5 now; seed 1 in the folder, 2 now"), (7, "tournament: seed 1 in the folder, 2 now")],
)
def test_another_configuration_is_refused(
    played: Path, capsys: pytest.CaptureFixture[str], games: int, reason: str
) -> None:
    """More decks alone are none; with another one nothing is removed for them."""
    before = files(played)
    assert play(played, "--seed", "2", agents="random greedy heuristic", games=games) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error
    assert files(played) == before
    assert (played / "results.json").is_file()


def test_a_folder_is_for_one_tournament_at_a_time(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fcntl")
    with Folder(played, Config(("random", "greedy", "heuristic"), 2, 6)).locked():
        assert play(played, agents="random greedy heuristic") == 2
    assert "another process is playing a tournament in this folder" in capsys.readouterr().err


def test_agents_of_ones_own_and_fewer_agents_than_seats(tmp_path: Path) -> None:
    """A table with an agent that is no scripted bot; the games do not depend on the number of jobs."""
    agents = "tests.failing:First random"
    assert play(tmp_path / "one", *SHORT, "--players", "3", "--jobs", "1", agents=agents, games=2) == 0
    assert play(tmp_path / "two", *SHORT, "--players", "3", "--jobs", "2", agents=agents, games=2) == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert len(files(tmp_path / "one")) == 4
    record = next(
        Record.load_all(tmp_path / "one" / "games" / "1-tests.failing_First-tests.failing_First-random.jsonl")
    )
    assert record.agents == ["tests.failing:First", "tests.failing:First", "random"]


def test_an_agent_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "--jobs", "1", agents="greedy greedy", games=20) == 0
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert [row["agent"] for row in results["agents"]] == ["greedy", "greedy#2"]
    assert [row["win_rate"] for row in results["agents"]] == [0.5, 0.5]
    assert [row["rating"] for row in results["agents"]] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--players", "7"], "2 to 4 players, not 7"),
        (["--board", "nowhere"], 'no board is called "nowhere"'),
        (["--option", "max_rounds"], "--option wants name=value, not 'max_rounds'"),
        (["--option", "max_round=3"], "did you mean max_rounds?"),
        (["--games", "0"], "games must be from 1 to 1,000,000, not 0"),
        (["--seed", "-1"], "seed must be a whole number from 0 up, not -1"),
    ],
)
def test_wrong_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    assert play(tmp_path, *arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error


@pytest.mark.parametrize("wrong", ["tiny", 3, None])
def test_rules_and_agents_of_another_kind_are_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match="rules must be made by make_rules, not"):
        playing.play_tournament(["random", "greedy"], wrong)
    with pytest.raises(OptionError, match="agents must be a list of specs, for example"):
        playing.play_tournament(wrong, make_rules("thurn_und_taxis", 2, "tiny"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tables": "random,greedy"}, r"tables must be a list of texts, for example \['random,greedy'\], not 'random,"),
        ({"tables": [3]}, "a table is a text with the names of its agents, not 3"),
        ({"secret": 3}, "secret must be a text of printable characters"),
        ({"folder": 3}, "folder must be a text or None, not 3"),
        ({"ray": 3}, "ray must be a text or None, not 3"),
    ],
)
def test_values_of_another_kind_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        playing.play_tournament(["random", "greedy"], make_rules("thurn_und_taxis", 2, "tiny"), **wrong)


def test_options_reach_the_games(tmp_path: Path) -> None:
    options = ["--option", "max_rounds=1", "optional_houses=true"]
    assert play(tmp_path, *options, "--jobs", "1", agents="random random", games=3) == 0
    for record in Record.load_all(tmp_path / "games" / "1-random-random#2.jsonl"):
        assert record.options["optional_houses"] is True
        assert last_position(record).truncated
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert results["truncated"] == results["tied"] == 6
    assert [row["rank"] for row in results["agents"]] == [1.5, 1.5]


def test_ctrl_c_before_there_is_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While the agents are tried, nothing is stored yet that the same command could continue."""
    monkeypatch.setattr(playing, "secret_for", interrupted)
    assert play(tmp_path / "out", *SHORT, "--jobs", "0", agents="random greedy", games=1) == 130
    assert capsys.readouterr().err == "\nthurn tournament: stopped\n"


SLOW = "tests.failing:Slow random"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with an agent that takes its time, played without a break."""
    out = tmp_path_factory.mktemp("uninterrupted")
    assert play(out, *SHORT, "--jobs", "0", agents=SLOW, games=10) == 0
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="signals to one process")
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize(("jobs", "how"), [("1", "Ctrl-C"), ("2", "Ctrl-C"), ("2", "kill")])
def test_what_stops_a_tournament_leaves_the_finished_games(
    tmp_path: Path, uninterrupted: Path, jobs: str, how: str
) -> None:
    command = [sys.executable, "-m", "thurn_env", "tournament", "--agents", *SLOW.split(), "--games", "10"]
    command += ["--out", str(tmp_path / "stopped"), "--jobs", jobs, "--secret", "none", *TINY, *SHORT]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
        process_group=0,
    )
    games = tmp_path / "stopped" / "games" / "1-tests.failing_Slow-random.jsonl"
    deadline = time.monotonic() + 120
    while not (games.exists() and games.stat().st_size) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if how == "kill":
        process.kill()
    else:
        # To the whole group, as a terminal does it.
        os.killpg(process.pid, signal.SIGINT)
    # Waits for the worker processes too, which hold the other end.
    _, error = process.communicate(timeout=60)
    assert "Traceback" not in error
    if how == "Ctrl-C":
        assert process.returncode == 130, error
        assert "of 20 games are kept" in error
        assert "again to continue" in error
    assert 0 < games.read_bytes().count(b"\n") < 20
    assert play(tmp_path / "stopped", *SHORT, "--jobs", "1", agents=SLOW, games=10) == 0
    assert files(tmp_path / "stopped") == files(uninterrupted)


def test_the_tournament_says_where_its_files_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path / "out", "--jobs", "1", games=1) == 0
    output = capsys.readouterr().out.replace("\n", "")
    assert str(tmp_path / "out" / "games") in output
    assert str(tmp_path / "out" / "results.json") in output


def test_agents_that_search_are_told_apart_by_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament of searching agents cannot go on with another evaluation; scripted bots do not care.

    Notes beside a published model, such as its lower bound, change no game.
    """
    shutil.copytree(Path(str(players.__file__)).parent, tmp_path / "players")
    searching, scripted = (Config((spec, "greedy"), board="tiny") for spec in ("mcts:5", "random"))
    before = searching.identity()["searchers"]
    monkeypatch.setattr(players, "__file__", str(tmp_path / "players" / "__init__.py"))
    searchers_digest.cache_clear()
    assert searching.identity()["searchers"] == before
    (tmp_path / "players" / "models" / "another.exploit.json").write_text("{}")
    searchers_digest.cache_clear()
    assert searching.identity()["searchers"] == before
    (tmp_path / "players" / "evaluations" / "another.json").write_text("{}")
    searchers_digest.cache_clear()
    assert searching.identity()["searchers"] != before
    assert "searchers" not in scripted.identity()
    searchers_digest.cache_clear()


def test_policies_are_told_apart_by_their_files(tmp_path: Path) -> None:
    """A policy that was trained further under the same name is another agent."""
    policy, evaluation = tmp_path / "policy.npz", tmp_path / "evaluation.json"
    policy.write_bytes(b"one")
    evaluation.write_text("{}")
    config = Config((f"ppo+mcts:{policy},20", f"mcts:5,evaluation={evaluation}", "greedy"), board="tiny")
    before = config.identity()["files"]
    assert before.keys() == {str(policy), str(evaluation)}
    policy.write_bytes(b"two")
    after = config.identity()["files"]
    assert after[str(policy)] != before[str(policy)]
    assert after[str(evaluation)] == before[str(evaluation)]


def test_a_class_that_changed_since_the_last_tournament_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook, where a cell that defines an agent is changed and run again."""

    class First:
        name = "first legal"

        def reset(self, *_: object) -> None:
            pass

        def act(self, view: View) -> int:
            return int(view.legal_actions[0])

    class Last(First):
        def act(self, view: View) -> int:
            return int(view.legal_actions[-1])

    def moves(agent: type[First]) -> list[str]:
        monkeypatch.setattr(sys.modules[__name__], "Mine", agent, raising=False)
        out = tmp_path / agent.__name__
        assert play(out, *SHORT, "--jobs", "0", agents=f"{__name__}:Mine random", games=1) == 0
        (file,) = (out / "games").iterdir()
        return [move for record in Record.load_all(file) for move in record.moves]

    assert moves(First) != moves(Last)
