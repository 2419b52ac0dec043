"""Style figures of tournaments: in the results, the terminal and the report; with forfeits, and in older folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn
from tests.test_report import Page
from tests.tournaments import SHORT, index, play, results
from thurn_env import Record, make_rules
from thurn_env.table.replay import last_position
from thurn_env.table.style import Figure, combined, figures_of, style_of
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.results import rate
from thurn_env.tournament.standings import standings_of
from thurn_env.tournament.table import style_table

RAILS = ["--game", "zug_um_zug_deutschland", "--board", "tiny_rails"]
GAMES = {"thurn_und_taxis": [], "zug_um_zug_deutschland": RAILS}


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("style") / "played"
    assert play(out, "--jobs", "0", agents="random greedy heuristic", games=4) == 0
    return out


@pytest.fixture
def played(once: Path, tmp_path: Path) -> Path:
    """A tournament of one's own."""
    return Path(shutil.copytree(once, tmp_path / "played"))


def as_before(folder: Path) -> None:
    """Make a folder like those of versions without style figures."""
    for file in (folder / "index").iterdir():
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        without = [{key: value for key, value in line.items() if key != "style"} for line in lines]
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in without), "utf-8")
    found = results(folder)
    del found["style_figures"]
    for row in found["agents"]:
        del row["style"]
    (folder / "results.json").write_text(json.dumps(found), "utf-8")


def report(folder: Path) -> Page:
    assert thurn("report", [str(folder), "--replays", "0"]) == 0
    return Page((folder / "report.html").read_text("utf-8"))


def expected(folder: Path) -> dict[str, dict[str, float | None]]:
    """The figures of every agent, from the records of the games without forfeit."""
    records = [record for file in sorted((folder / "games").iterdir()) for record in Record.load_all(file)]
    seats: dict[str, list[dict[str, int]]] = {name: [] for record in records for name in record.agents}
    for record in records:
        if record.result is not None:
            for name, counts in zip(record.agents, style_of(last_position(record)), strict=True):
                seats[name].append(counts)
    figures = figures_of(records[0].rules)
    assert figures
    return {name: combined(figures, counts) for name, counts in seats.items()}


@pytest.mark.parametrize("game", GAMES)
def test_results_agree_with_the_records(game: str, tmp_path: Path) -> None:
    assert play(tmp_path, *GAMES[game], *SHORT, "--jobs", "0", agents="random greedy heuristic", games=3) == 0
    found = results(tmp_path)
    assert {row["agent"]: row["style"] for row in found["agents"]} == expected(tmp_path)
    rounds = {row["agent"]: row["rounds"] for row in found["agents"]}
    for row in found["agents"]:
        assert row["style"]["turns"] == pytest.approx(rounds[row["agent"]], abs=1)
        cut_off = sum(line["truncated"] for line in index(tmp_path) if row["agent"] in line["agents"])
        assert row["style"]["cut off"] == cut_off / row["games"]
    standings = standings_of(Folder.existing(tmp_path))
    assert standings.style_figures == figures_of(Folder.existing(tmp_path).config.rules)
    for agent, row in zip(standings.agents, found["agents"], strict=True):
        assert agent.style == {name: value for name, value in row["style"].items() if value is not None}


def test_carriages_and_houses_agree_with_the_points(played: Path) -> None:
    """Points by source are computed elsewhere: the carriages of the tiny board are worth 2, 3 and 5 points (R24)."""
    for row in results(played)["agents"]:
        style = row["style"]
        assert style["houses left"] == pytest.approx(-row["breakdown"]["houses not placed"])
        points = 2 * style["carriage 3"] + style["carriage 4"] + 2 * style["carriage 5"]
        assert points == pytest.approx(row["breakdown"]["carriage"])
        assert style["won with tile Franken"] == row["won_with"]["Franken"]


def test_games_with_a_forfeit_do_not_count(tmp_path: Path) -> None:
    assert play(tmp_path, "--jobs", "0", agents="tests.failing:BrokenLater heuristic", games=3) == 0
    lines = index(tmp_path)
    assert {line["style"] is None for line in lines if line["forfeit"] is not None} == {True}
    assert {line["style"] is None for line in lines if line["forfeit"] is None} == {False}
    assert {row["agent"]: row["style"] for row in results(tmp_path)["agents"]} == expected(tmp_path)
    always = tmp_path / "always"
    assert play(always, "--jobs", "0", agents="tests.failing:Broken heuristic", games=1) == 0
    assert all(set(row["style"].values()) == {None} for row in results(always)["agents"])
    assert all(agent.style == {} for agent in standings_of(Folder.existing(always)).agents)
    assert "carriages" in " ".join(report(always).texts["th"])


def test_a_folder_of_an_older_version_is_replayed(once: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_before(played)
    rate(played, 20)
    assert results(played) == results(once)
    assert "style figures" in capsys.readouterr().err, "it says what takes its time"


def test_an_older_folder_is_continued(played: Path, tmp_path: Path) -> None:
    as_before(played)
    (played / "results.json").unlink()
    for out in (played, tmp_path / "again"):
        assert play(out, "--jobs", "0", agents="random greedy heuristic", games=6) == 0
    assert results(played)["agents"] == results(tmp_path / "again")["agents"]


def test_the_report_of_older_results_says_how_to_add_figures(played: Path) -> None:
    as_before(played)
    assert standings_of(Folder.existing(played)).style_figures is None
    page = report(played)
    assert "do not contain style figures. Run its command again to add them." in page.text
    assert play(played, "--jobs", "0", agents="random greedy heuristic", games=4) == 0
    assert "do not contain style figures" not in report(played).text


@pytest.mark.parametrize("where", ["the record", "the board"])
def test_figures_that_cannot_be_known(played: Path, capsys: pytest.CaptureFixture[str], where: str) -> None:
    """The other results do not depend on them."""
    before = results(played)
    as_before(played)
    if where == "the board":
        description = json.loads((played / "tournament.json").read_text("utf-8"))
        description["config"]["board digest"] = "0" * 64
        (played / "tournament.json").write_text(json.dumps(description), "utf-8")
    else:
        file = min((played / "games").iterdir())
        file.write_text(file.read_text("utf-8").replace('"draw"', '"end"', 1), "utf-8")
    found = rate(played, 20).figures
    assert found["style_figures"] is None
    assert [row["style"] for row in found["agents"]] == [{}, {}, {}]
    assert [row["score"] for row in found["agents"]] == [row["score"] for row in before["agents"]]
    assert "do not contain style figures" in report(played).text


@pytest.mark.parametrize(
    ("game", "board", "options"),
    [
        ("thurn_und_taxis", "south", {}),
        ("thurn_und_taxis", "north", {"horses": True}),
        ("zug_um_zug_deutschland", "germany", {}),
    ],
)
def test_the_table_fits_a_terminal_of_80_columns(game: str, board: str, options: dict[str, Any]) -> None:
    from rich.console import Console

    figures = figures_of(make_rules(game, 2, board, **options))
    row = {"agent": "heuristic", "style": {figure.name: 99.99 if not figure.share else 1.0 for figure in figures}}
    declared = [{name: getattr(figure, name) for name in Figure.__slots__} for figure in figures]
    table = style_table({"style_figures": declared, "agents": [row]})
    assert table is not None
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= 80
    assert "99.99" in capture.get()


def test_the_table_follows_the_ranking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "--jobs", "0", games=2) == 0
    said = capsys.readouterr().out
    assert said.index("Tournament") < said.index("carriages") < said.index("How often the row")
    style = {row["agent"]: row["style"] for row in results(tmp_path)["agents"]}
    assert f"{style['greedy']['cities per route']:.2f}" in said


def test_the_report_explains_every_figure(played: Path) -> None:
    page = report(played)
    hints = [attributes["title"] for tag, attributes in page.elements if tag == "th" and attributes.get("title")]
    figures = figures_of(Folder.existing(played).config.rules)
    assert hints == [figure.meaning for figure in figures]
    assert {"Turns and routes", "Officials", "Tiles", "End of the game"} <= set(page.texts["h3"])
    cells = [text.strip() for text in page.texts["td"]]
    for row in results(played)["agents"]:
        assert f"{row['style']['officials']:.2f}" in cells


def test_a_game_without_figures_has_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "example", "--agents", "random", "greedy", "--games", "2", "--bootstrap", "5", "--jobs", "0"]
    assert thurn("tournament", [*words, "--out", str(tmp_path)]) == 0
    assert results(tmp_path)["style_figures"] == []
    assert {line == "Style" for line in map(str.strip, capsys.readouterr().out.splitlines())} == {False}
    assert "Style" not in report(tmp_path).texts["h2"]
