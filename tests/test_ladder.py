"""The ladder: its plan, its verdicts, and the small one played."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docs import ladders
from eval import ladder, ladder_results
from eval.ladder import main, read_plan
from eval.ladder_results import LadderResults
from eval.rungs import Rung, rung_games
from thurn_env.errors import ThurnError
from thurn_env.tournament.checkout import checkout
from thurn_env.tournament.folder import DESCRIPTION, Folder
from thurn_env.tournament.playing import play_config
from thurn_env.tournament.results import Results


def test_the_plan_names_agents_from_below() -> None:
    plan = read_plan()
    assert plan["full"].players == (2, 3, 4)
    assert plan["full"].games >= 1000
    assert plan["full"].agents[-1] == plan["summit"].agents[0]
    for name in ("full", "small", "zug_um_zug_deutschland"):
        assert plan[name].agents[:4] == ("random", "sensible-random", "greedy", "heuristic")


def test_a_damaged_plan(tmp_path: Path) -> None:
    path = tmp_path / "ladder.toml"
    for text in ("format = ", 'format = "other"', 'format = "thurn-ladder/1"\n[full]\nboard = "south"'):
        path.write_text(text)
        with pytest.raises(ThurnError, match="not a valid plan of ladders"):
            read_plan(path)


def test_a_rung_holds_if_chance_is_ruled_out() -> None:
    assert Rung("b", "a", 0.9, 0.8, 0.95, 20, 1.1, 1.9).holds
    assert not Rung("c", "b", 0.6, 0.45, 0.7, 20, 1.4, 1.6).holds


def test_a_rung_does_not_hold_for_one_won_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = tmp_path / "ladder.toml"
    board = 'format = "thurn-ladder/1"\n[one]\nboard = "tiny"\nplayers = [3]\ngames = 1\nseed = 1\n'
    plan.write_text(f'{board}agents = ["random", "heuristic"]')
    monkeypatch.setattr(ladder, "read_plan", lambda: read_plan(plan))
    assert main(["--out", str(tmp_path), "--name", "one", "--jobs", "1"]) == 1
    (games,) = rung_games(Folder.existing(tmp_path / "one-3"))
    rung = games.rung(seed=1)
    assert (rung.share, rung.holds) == (1, False)


def test_the_small_ladder_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of the rungs, beyond doubt, with 8 decks in 3 rotations each."""
    monkeypatch.setattr(ladder_results, "RESULTS", tmp_path)
    monkeypatch.setattr(ladders, "RESULTS", tmp_path)
    assert main(["--out", str(tmp_path / "played"), "--name", "small", "--jobs", "1", "--write"]) == 0
    assert "small: every agent against the one below" in capsys.readouterr().out
    noted = json.loads((tmp_path / "small-3.json").read_text("utf-8"))
    plan = read_plan()["small"]
    assert [(rung["below"], rung["agent"]) for rung in noted["rungs"]] == list(pairwise(plan.agents))
    (run,) = noted["runs"]
    assert run.keys() - {"commit", "dirty"} == {"started", "versions", "machine", "cores", "load"}
    assert run.get("commit") == checkout().get("commit")
    # Only the games of the highest rung are timed; the bot's time there is not that of its own rung.
    assert [rung["seconds"] is None for rung in noted["rungs"]] == [True, True, True, False]
    for rung in noted["rungs"]:
        assert rung["games"] == 8 * 3
        # One sits alone among two others, and ties share their ranks.
        assert rung["rank"] + 2 * rung["rank_below"] == pytest.approx(1 + 2 + 3)
    rows = [line for line in ladders.page().splitlines() if line.startswith("| 3 |")]
    names = [[cell.split()[0] for cell in row.split(" | ")[1:3]] for row in rows]
    assert names == [[f"`{agent}`", f"`{below}`"] for below, agent in reversed(list(pairwise(plan.agents)))]
    timed = [" ms)" in row or " us)" in row for row in rows]
    assert timed == [True, False, False, False], "after the agent, where its decisions were timed"


def test_a_ladder_with_an_agent_of_ones_own_notes_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that its games can be checked, and decks be added to them."""
    plan = tmp_path / "ladder.toml"
    board = 'format = "thurn-ladder/1"\n[own]\nboard = "tiny"\nplayers = [2]\ngames = 12\nseed = 1\n'
    plan.write_text(f'{board}agents = ["tests.failing:Broken", "greedy"]')
    monkeypatch.setattr(ladder, "read_plan", lambda: read_plan(plan))
    monkeypatch.setattr(ladder_results, "RESULTS", tmp_path)
    command = ["--name", "own", "--jobs", "0", "--out"]
    assert main([*command, str(tmp_path / "some"), "--decks", "10", "--write"]) == 0
    assert len(json.loads((tmp_path / "own-2.json").read_text("utf-8"))["secret"]) == 32
    assert main([*command, str(tmp_path / "again"), "--check"]) == 0
    assert "greedy against tests.failing:Broken: the same games\n" in capsys.readouterr().out
    assert main([*command, str(tmp_path / "some"), "--add"]) == 0
    assert json.loads((tmp_path / "own-2.json").read_text("utf-8"))["ladder"]["games"] == 12


@pytest.fixture
def noted_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ladder of two scripted bots, played and noted."""
    plan = tmp_path / "ladder.toml"
    board = 'format = "thurn-ladder/1"\n[two]\nboard = "tiny"\nplayers = [3]\ngames = 12\nseed = 1\n'
    plan.write_text(f'{board}agents = ["random", "greedy", "heuristic"]')
    monkeypatch.setattr(ladder, "read_plan", lambda: read_plan(plan))
    monkeypatch.setattr(ladder_results, "RESULTS", tmp_path)
    assert main(["--out", str(tmp_path / "whole"), "--name", "two", "--jobs", "1", "--write"]) == 0
    return tmp_path / "two-3.json"


def test_the_first_games_are_those_noted(noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = ["--name", "two", "--jobs", "1", "--check", "--out"]
    assert main([*check, str(tmp_path / "again")]) == 0
    assert "two, 3 players, greedy against random: the same games\n" in capsys.readouterr().out
    # One move of one game is another.
    (file,) = (tmp_path / "again" / "check-two-3" / "games").glob("2-*")
    first, rest = file.read_text("utf-8").split('"moves": ["', maxsplit=1)
    file.write_text(f'{first}"moves": ["x{rest}', "utf-8")
    assert main([*check, str(tmp_path / "again")]) == 1
    out = capsys.readouterr().out
    assert "two, 3 players, greedy against random: the same games\n" in out
    assert "two, 3 players, heuristic against greedy: DIFFERENT GAMES\n" in out


def test_the_figures_are_those_of_the_tournament(noted_in: Path, tmp_path: Path) -> None:
    """They come from the ranks that are noted alone."""
    results = Folder.existing(tmp_path / "whole" / "two-3").results()
    pairs = json.loads(noted_in.read_text("utf-8"))["rungs"]
    assert len(pairs) == 2
    for rung in pairs:
        pair = results["pairs"][rung["agent"]][rung["below"]]
        assert rung["games"] == pair["games"] == 12 * 3
        assert rung["share"] == pytest.approx(pair["share"])
        assert [rung["low"], rung["high"]] == pytest.approx(pair["interval"])
        assert [len(deck.split()) for deck in rung["ranks"]] == [3] * 12


def test_decks_that_are_added_are_those_of_the_whole_ladder(
    noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever the folders of the games before are: the second and third part are played into folders of their own."""
    whole = json.loads(noted_in.read_text("utf-8"))
    noted_in.unlink()
    command = ["--name", "two", "--jobs", "1", "--out"]
    assert main([*command, str(tmp_path / "one"), "--decks", "10", "--write"]) == 0
    assert main([*command, str(tmp_path / "two"), "--decks", "11", "--add"]) == 0
    assert main([*command, str(tmp_path / "three"), "--add"]) == 0
    assert [file.name for file in (tmp_path / "three").iterdir()] == ["two-3-from-11"]
    parts = json.loads(noted_in.read_text("utf-8"))
    assert len(parts.pop("runs")) == 3 * len(whole.pop("runs"))
    assert parts == whole
    # All are noted: nothing is played any more, and nothing changes.
    before = noted_in.read_bytes()
    for decks in ((), ("--decks", "11")):
        capsys.readouterr()
        assert main([*command, str(tmp_path / "four"), *decks, "--add"]) == 0
        first = decks[1] if decks else "12"
        assert f"two, 3 players: 12 decks are stored; none of the first {first} is missing" in capsys.readouterr().out
    assert not (tmp_path / "four").exists()
    assert noted_in.read_bytes() == before


def test_two_who_add_at_the_same_time(
    noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second does not overwrite what the first has added."""
    whole = noted_in.read_bytes()
    noted_in.unlink()
    command = ["--name", "two", "--jobs", "1", "--out"]
    assert main([*command, str(tmp_path / "one"), "--decks", "10", "--write"]) == 0

    def slow(*arguments: Any, **named: Any) -> Results:
        noted_in.write_bytes(whole)
        return play_config(*arguments, **named)

    monkeypatch.setattr(ladder, "play_config", slow)
    assert main([*command, str(tmp_path / "two"), "--decks", "11", "--add"]) == 2
    message = capsys.readouterr().err
    assert f"{noted_in} changed while the games were played; the new games are in {tmp_path / 'two'}" in message
    assert noted_in.read_bytes() == whole


def test_more_decks_are_not_replaced_by_fewer(
    noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that noted the first part is given again when more have been added."""
    before = noted_in.read_bytes()
    command = ["--name", "two", "--jobs", "1", "--out", str(tmp_path / "fewer"), "--decks", "11"]
    assert main([*command, "--write"]) == 2
    assert f"{noted_in} has 12 decks, more than 11: --write would replace them" in capsys.readouterr().err
    assert not (tmp_path / "fewer").exists()
    assert main(command) == 0
    assert noted_in.read_bytes() == before


def test_the_time_of_decisions_is_that_of_all_parts(noted_in: Path, tmp_path: Path) -> None:
    noted = json.loads(noted_in.read_text("utf-8"))
    noted["rungs"][0] |= {"seconds": 0.25, "decisions": 30}
    noted["rungs"][1] |= {"seconds": None, "decisions": 0}
    noted_in.write_text(json.dumps(noted), "utf-8")
    there = LadderResults.read(noted_in)
    further = replace(there, rungs=tuple(replace(games, seconds=2.5, decisions=10) for games in there.rungs))
    assert [rung.seconds for rung in there.followed_by(further).figures()] == [0.25, 0.25]
    further = replace(there, rungs=tuple(replace(games, seconds=0.5, decisions=10) for games in there.rungs))
    assert [rung.seconds for rung in there.followed_by(further).figures()] == [0.2, 0.05]


def test_nothing_is_added_to_other_games(noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what differs; nothing is played, and what is noted stays."""
    noted = json.loads(noted_in.read_text("utf-8"))
    command = ["--name", "two", "--jobs", "1", "--add", "--out", str(tmp_path / "more")]
    differences: dict[str, Callable[[dict[str, Any]], Any]] = {
        "engine 'x' in the file, '": lambda entry: entry.update(engine="x"),
        "seed 7 in the file, 1 now": lambda entry: entry["ladder"].update(seed=7),
        "agents ['random', 'heuristic'] in the file": lambda entry: entry["ladder"].update(
            agents=["random", "heuristic"]
        ),
        "files {'x': 'y'} in the file, None now": lambda entry: entry.update(files={"x": "y"}),
        "does not have the ranks of every deck": lambda entry: entry["rungs"][1].pop("ranks"),
        "does not have the ranks of every deck; delete it": lambda entry: entry["rungs"][0]["ranks"].append("1 2 3"),
        "does not have the ranks of every deck; delete": lambda entry: entry["rungs"][0]["ranks"].__setitem__(3, "1 2"),
        "digests of the first 10 decks, which are not stored (of 11 decks)": lambda entry: entry["rungs"][1].update(
            {"first games": None}
        ),
        "does not have the ranks of": lambda entry: entry.pop("players"),
        "is damaged; delete it": lambda entry: entry.update(format="other"),
    }
    for reason, change in differences.items():
        entry = json.loads(json.dumps(noted | {"ladder": noted["ladder"] | {"games": 11}}))
        for rung in entry["rungs"]:
            rung["ranks"].pop()
        change(entry)
        noted_in.write_text(json.dumps(entry), "utf-8")
        assert main(command) == 2
        message = capsys.readouterr().err
        assert reason in message
        assert "--write" in message
        assert json.loads(noted_in.read_text("utf-8")) == entry
    noted_in.unlink()
    assert main(command) == 2
    assert "there are no stored results to add to; play the ladder with --write first" in capsys.readouterr().err
    assert not (tmp_path / "more").exists()


def test_a_check_leaves_the_ladder_of_the_folder_alone(noted_in: Path, tmp_path: Path) -> None:
    """Whichever of the two comes first."""
    command = ["--name", "two", "--jobs", "1", "--out"]
    games = {file: file.read_bytes() for file in (tmp_path / "whole" / "two-3" / "games").iterdir()}
    assert main([*command, str(tmp_path / "whole"), "--check"]) == 0
    assert {file: file.read_bytes() for file in games} == games
    assert main([*command, str(tmp_path / "checked"), "--check"]) == 0
    assert main([*command, str(tmp_path / "checked")]) == 0


def test_a_check_without_anything_to_compare_does_not_pass(
    noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what is missing and which command notes it, and plays nothing."""
    noted = json.loads(noted_in.read_text("utf-8"))
    for rung in noted["rungs"]:
        del rung["first games"]
    noted_in.write_text(json.dumps(noted), "utf-8")
    out = str(tmp_path / "other")
    check = ["--name", "two", "--jobs", "1", "--check", "--out", out]
    remedy = f"store them with: python -m eval.ladder --name two --players 3 --out {out} --write"
    capsys.readouterr()
    assert main(check) == 1
    assert f"two, 3 players: the digests of the first games are not stored; {remedy}\n" in capsys.readouterr().out
    noted_in.unlink()
    assert main(check) == 1
    assert f"two, 3 players: the digests of the first games are not stored; {remedy}\n" in capsys.readouterr().out
    assert not Path(out).exists()


def test_a_check_of_a_damaged_file(noted_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noted_in.write_text("<<<<<<< ours\n" + noted_in.read_text("utf-8"), "utf-8")
    for option in ("--check", "--write", "--add"):
        assert main(["--name", "two", option, "--out", str(tmp_path / "new")]) == 2
        assert f"{noted_in} is damaged; delete it and play the ladder again with --write" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_ladder_too_short_for_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--name", "small", "--check", "--out", str(tmp_path)]) == 2
    assert "--check compares the first 10 decks, and small has only 8" in capsys.readouterr().err


def test_a_check_plays_decks_of_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for more in (["--write"], ["--add"], ["--decks", "3"]):
        assert main(["--out", str(tmp_path), "--check", *more]) == 2
        assert "leave out --decks, --write and --add" in capsys.readouterr().err


def test_a_file_in_place_of_the_folder_is_named_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*arguments: Any, **named: Any) -> Any:
        raise AssertionError("a game was played")

    monkeypatch.setattr(ladder, "play_config", play)
    (tmp_path / "file").write_text("", "utf-8")
    assert main(["--out", str(tmp_path / "file"), "--name", "small", "--jobs", "0"]) == 2
    assert "is a file; name a folder" in capsys.readouterr().err


def test_an_unknown_ladder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--name", "huge"]) == 2
    assert "there is no ladder 'huge'; eval/ladder.toml has full, summit" in capsys.readouterr().err
    assert main(["--out", str(tmp_path), "--name", "full", "summit", "--players", "5"]) == 2
    assert "--players 5: eval/ladder.toml has no such number of players for full, summit" in capsys.readouterr().err
    assert main(["--out", str(tmp_path), "--name", "summit", "--decks", "1001"]) == 2
    assert "--decks must be from 1 to 1,000 for summit, not 1,001" in capsys.readouterr().err


def test_several_ladders_and_what_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`all` are those of the page; the tournaments get limit and cluster."""
    asked: list[tuple[Any, ...]] = []

    def stop_at_the_last(*arguments: Any, **_: Any) -> Results:
        asked.append(arguments)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return Results(arguments[1], (), {})

    monkeypatch.setattr(ladder, "play_config", stop_at_the_last)
    monkeypatch.setattr(ladder, "print_results", lambda *_: None)
    monkeypatch.setattr(ladder, "ray_address", lambda words: words[0])
    monkeypatch.setattr(ladder_results.LadderResults, "of", lambda *_: SimpleNamespace(figures=lambda: []))
    monkeypatch.setattr(Folder, "existing", lambda _: None)
    further = ["--time-limit", "9", "--jobs", "1", "--ray", "somewhere:1"]
    assert main(["--out", str(tmp_path), "--name", "all", "--players", "2", *further]) == 130
    assert [folder.name for _, folder, *_ in asked] == ["full-2", "summit-2", "skill-2"]
    config, _, secret, jobs, ray = asked[0]
    assert (config.time_limit, secret, jobs, ray) == (9.0, None, 1, "somewhere:1")


@pytest.mark.parametrize("begun", [False, True])
def test_ctrl_c_says_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], begun: bool
) -> None:
    folder = tmp_path / "small-3"

    def interrupted(*_: Any, **__: Any) -> None:
        if begun:
            folder.mkdir()
            (folder / DESCRIPTION).write_text("{}", "utf-8")
        raise KeyboardInterrupt

    monkeypatch.setattr(ladder, "play_config", interrupted)
    assert main(["--out", str(tmp_path), "--name", "small", "--players", "3", "--jobs", "1"]) == 130
    assert (f"the finished games are kept in {folder}" in capsys.readouterr().err) == begun


def test_a_ladder_may_have_options() -> None:
    """The first results were stored without options, and a ladder without any is still described like that."""
    plan = read_plan()
    assert "option" not in plan["full"].as_dict()
    horses = plan["horses"]
    assert horses.as_dict()["option"] == ("horses=true",)
    assert horses.config(2).options == {"horses": True}
    assert "--option horses=true" in horses.command(2, Path("out"))
