"""The report: complete, in one file that fetches nothing, linked to the records, and clear about damaged folders."""

import base64
import json
import re
import shutil
import sys
import zlib
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from rich.console import Console

import thurn_env.tournament as tournament_package
from tests.programs import thurn
from thurn_env.checks import MOST_PLAYERS
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position
from thurn_env.tournament import plots, report, wording
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.page import source_table, turn_names
from thurn_env.tournament.records import CHUNK
from thurn_env.tournament.results import results_of
from thurn_env.tournament.standings import standings_of
from thurn_env.tournament.summary import finished_games, scores_of
from thurn_env.tournament.table import rating_table
from thurn_env.tournament.table import source_table as printed_sources

TINY = ["--board", "tiny", "--bootstrap", "20", "--jobs", "1", "--option", "max_rounds=15"]
NASTY = "<i>\"'&</script><!--$x^2$"
VOID = {"br", "hr", "img", "input", "link", "meta"}


class First:
    """An agent that takes the first legal action."""

    name = "first"

    def reset(self, seat, rules, seed):
        pass

    def act(self, view):
        return view.legal[0]


class Page(HTMLParser):
    """A page taken apart; every element must be closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)

    @property
    def data(self) -> dict[str, Any]:
        """What the script shows."""
        return next(json.loads(text) for text in self.texts["script"] if text.startswith("{"))

    @property
    def text(self) -> str:
        """Everything to be read outside the scripts, with spaces as they are shown."""
        return " ".join(
            " ".join(" ".join(t) for tag, t in self.texts.items() if tag not in ("script", "style")).split()
        )


def play(out: Path, *agents: str, games: int = 4, players: int = 2) -> Path:
    arguments = ["--agents", *agents, "--players", str(players), "--games", str(games), "--out", str(out), *TINY]
    assert thurn("tournament", arguments) == 0
    return out


def page_of(folder: Path, *arguments: str, out: Path | None = None) -> Page:
    """Write the report without pages of games, which take time."""
    assert thurn("report", [str(folder), "--replays", "0", *arguments, *(["--out", str(out)] if out else [])]) == 0
    return Page((out or folder / "report.html").read_text("utf-8"))


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on standard error."""
    capsys.readouterr()
    assert thurn("report", list(arguments)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("thurn report: ")
    return error


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("report") / "runs #1 & 100%", "random", "greedy", "heuristic")


@pytest.fixture
def played(once: Path, tmp_path: Path) -> Path:
    """A tournament of one's own."""
    return Path(shutil.copytree(once, tmp_path / once.name))


@pytest.fixture(scope="module")
def reported(once: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Page]:
    """A tournament with its report, and that page; nothing may change them."""
    folder = Path(shutil.copytree(once, tmp_path_factory.mktemp("reported") / once.name))
    return folder, page_of(folder)


def test_zero_has_no_minus_sign(played: Path) -> None:
    """Neither in the report nor in the tables of the terminal."""
    file = played / "results.json"
    results = json.loads(file.read_text("utf-8"))
    for row in results["agents"]:
        row |= {"score": -0.004, "rating": -0.3, "rating_95": [-0.4, 0.2], "breakdown": {"tiles": -0.001}}
        row["won_with"] = {"tiles": 0.0}
    file.write_text(json.dumps(results), "utf-8")
    text = page_of(played).text
    assert not re.search(r">[-\N{MINUS SIGN}]0(\.0+)?\b", text)
    console = Console(file=StringIO(), width=200)
    for table in (rating_table(results), printed_sources(results)):
        console.print(table)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "+0 to +0" in shown
    assert not re.search(r"-0(\.0+)?\b", shown)


def test_every_agent_with_its_rating_and_interval(played: Path) -> None:
    results = json.loads((played / "results.json").read_text("utf-8"))
    for row, bounds in zip(results["agents"], ([250, 350], [-100, 150], None), strict=True):
        row["rating_95"] = bounds
    (played / "results.json").write_text(json.dumps(results), "utf-8")
    page = page_of(played)
    assert "Their intervals do not overlap." in page.text
    for row in results["agents"]:
        assert row["agent"] in page.text
        assert wording.points(row["rating"], row["rating_95"]) in page.text  # in the plot
        assert (wording.span(row["rating_95"]) if row["rating_95"] else "not known") in page.text
        assert wording.share_text(row["win_rate"]).replace("\N{NO-BREAK SPACE}", " ") in page.text
    assert set(page.texts["h2"]) >= {"Ratings", "Who ranks before whom", "Scores", "Seats", "Games", "What was played"}


def test_what_wins_had_points_from_and_what_paired_decks_are_worth(played: Path) -> None:
    """The shares are those of the index: points other than 0 from a source in the games that were won."""
    results = json.loads((played / "results.json").read_text("utf-8"))
    results["pairing"]["worth"] = 1.375
    (played / "results.json").write_text(json.dumps(results), "utf-8")
    text = page_of(played).text
    assert "is worth 1.38 times as many games on independent decks" in " ".join(text.split())
    lines = [json.loads(line) for file in (played / "index").iterdir() for line in file.read_text("utf-8").splitlines()]
    for row in results["agents"]:
        shares = [
            (points["carriage"] != 0, 1 / line["ranks"].count(1))
            for line in lines
            for agent, rank, points in zip(line["agents"], line["ranks"], line["breakdown"], strict=True)
            if agent == row["agent"] and rank == 1
        ]
        if shares:
            share = sum(weight for had, weight in shares if had) / sum(weight for _, weight in shares)
            assert f"{wording.share_text(share)} of wins".replace("\N{NO-BREAK SPACE}", " ") in text, row["agent"]


def test_every_game_is_listed_and_links_to_its_record(reported: tuple[Path, Page]) -> None:
    played, page = reported
    data = page.data
    assert len(data["games"]) == 3 * 2 * 4
    seen = set()
    for table, line, deck, seats, scores, ranks, rounds, moves, start, cut in data["games"]:
        file = played / unquote(data["files"][table]["link"])
        record = Record.from_json(file.read_text("utf-8").splitlines()[line - 1], str(file))
        final = last_position(record)
        assert [data["agents"][agent] for agent in seats] == record.agents
        assert (scores, ranks, rounds, cut) == (final.scores, final.ranks, final.rounds, int(final.truncated))
        assert (moves, start) == (len(record.moves), record.start_player)
        assert 0 <= deck < 4
        seen.add((table, line))
    assert len(seen) == len(data["games"])


def test_small_records_are_in_the_page(reported: tuple[Path, Page]) -> None:
    played, page = reported
    data = page.data
    for table, file in enumerate(data["files"]):
        lines = (played / "games" / file["name"]).read_text("utf-8").splitlines()
        unpacked = [zlib.decompress(base64.b64decode(chunk)).decode() for chunk in data["records"][table]]
        assert "".join(unpacked).splitlines() == lines
        assert all(len(chunk.splitlines()) == CHUNK for chunk in unpacked[:-1])


@pytest.mark.parametrize("limit", ["0", "0.001"])
def test_large_records_are_not(played: Path, limit: str) -> None:
    page = page_of(played, "--embed", limit)
    assert page.data["records"] is None
    assert "too large for this page" in page.text


def test_links_lead_from_where_the_page_is(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages" / "first.html"
    for file in page_of(played, out=out).data["files"]:
        assert not file["link"].startswith("/")
        assert (out.parent / unquote(file["link"])).resolve() == (played / "games" / file["name"]).resolve()
    (tmp_path / "there").mkdir()
    assert thurn("report", [str(played), "--replays", "0", "--out", str(tmp_path / "there")]) == 0
    assert (tmp_path / "there" / "report.html").exists()


def test_nothing_is_fetched(reported: tuple[Path, Page]) -> None:
    played, page = reported
    text = (played / "report.html").read_text("utf-8")
    assert re.findall(r"https?:|//[a-z]+\.|@import|url\((?!#)", text) == []
    for tag, attributes in page.elements:
        assert tag not in {"img", "iframe", "object", "embed", "base"}
        assert "src" not in attributes
        beginning = "data:image/svg+xml," if tag == "link" else "#"
        assert (attributes.get("href") or "#").startswith(beginning)
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert len(text) < 300_000


def test_ids_are_unique_and_references_lead_somewhere(reported: tuple[Path, Page]) -> None:
    played, page = reported
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        for reference in (attributes.get("href") if tag != "link" else None, attributes.get("aria-labelledby")):
            assert reference is None or reference.removeprefix("#") in ids
    text = (played / "report.html").read_text("utf-8")
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(ids)


def test_what_helps_readers_who_do_not_see_the_page(reported: tuple[Path, Page]) -> None:
    _, page = reported
    plots = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(plots) >= 3
    assert all(plot["role"] == "img" and "heuristic" in (plot["aria-label"] or "") for plot in plots[:2])
    assert all("scope" in attributes for tag, attributes in page.elements if tag == "th")


def test_colours_follow_the_page(reported: tuple[Path, Page]) -> None:
    played, _ = reported
    text = (played / "report.html").read_text("utf-8")
    plots = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert all(re.findall(r"#[0-9a-f]{6}\b", plot) == [] for plot in plots)
    assert "var(--agent-2)" in plots[0]
    style = (Path(report.__file__).parent / "templates" / "report.css").read_text("utf-8")
    for colour in set(re.findall(r"var\((--[a-z0-9-]+)\)", "".join(plots))):
        assert f"{colour}:" in style


def test_a_plot_can_stand_alone() -> None:
    """Well-formed, with a size, and in the light colours instead of the page's variables."""
    plot = plots.rating_plot(["one", "two & more"], [100.0, -100.0], [(50.0, 150.0), None])
    assert "var(--agent-0)" in plot
    alone = plots.picture(plot)
    root = ElementTree.fromstring(alone)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert float(root.attrib["width"]) / float(root.attrib["height"]) == pytest.approx(width / height, rel=1e-4)
    assert "var(" not in alone
    assert "#0072b2" in alone


def test_what_was_played(reported: tuple[Path, Page]) -> None:
    played, page = reported
    text = page.text
    description = json.loads((played / "tournament.json").read_text("utf-8"))
    run = description["runs"][0]
    for fact in (description["config"]["board digest"], description["config"]["engine"], "max_rounds = 15"):
        assert fact in text
    for fact in (run["command"], run["started"], run["machine"], f"numpy {run['versions']['numpy']}"):
        assert fact in text


def test_the_page_names_the_game_and_the_digests_of_files(played: Path) -> None:
    description = json.loads((played / "tournament.json").read_text("utf-8"))
    description["config"]["files"] = {"policy.npz": "0123456789abcdef", "evaluation.json": "fedcba9876543210"}
    (played / "tournament.json").write_text(json.dumps(description), "utf-8")
    text = page_of(played).text
    assert "Thurn und Taxis, board tiny, 2 players" in text
    assert "policy.npz = 0123456789abcdef" in text
    assert "evaluation.json = fedcba9876543210" in text


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, MOST_PLAYERS])
def test_turns_are_counted_from_one_and_seats_as_in_records(players: int) -> None:
    """A turn must not look like the number of a seat."""
    names = turn_names(players)
    assert len(names) == len(set(names)) == players
    assert (names[0], names[-1]) == ("first", "last")
    assert not any(character.isdigit() for name in names for character in name)


@pytest.mark.parametrize("name", ["tournament.json", "results.json"])
def test_no_file_of_the_tournament_is_replaced(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(played, folder)
    before = (folder / name).read_bytes()
    assert thurn("report", [str(folder), "--out", str(folder / name)]) == 2
    assert f"{name} exists and is not a page; name another file" in capsys.readouterr().err
    assert (folder / name).read_bytes() == before


def test_the_same_folder_gives_the_same_page(played: Path, tmp_path: Path) -> None:
    page_of(played)
    first = (played / "report.html").read_bytes()
    page_of(played)
    assert (played / "report.html").read_bytes() == first
    assert not list(played.glob(".report*"))


def test_names_with_odd_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("report_guests.odd")
    setattr(module, NASTY, First)
    monkeypatch.setitem(sys.modules, "report_guests", ModuleType("report_guests"))
    monkeypatch.setitem(sys.modules, "report_guests.odd", module)
    spec = f"report_guests.odd:{NASTY}"
    page = page_of(play(tmp_path / "odd", spec, "random", games=2))
    assert page.data["agents"].count(spec) == 1
    assert {"i", "b"}.isdisjoint(tag for tag, _ in page.elements)
    assert spec in page.text
    plot = next(attributes for tag, attributes in page.elements if tag == "svg")
    assert spec in (plot["aria-label"] or "")
    for file in page.data["files"]:
        assert (tmp_path / "odd" / unquote(file["link"])).is_file()


@pytest.mark.parametrize(("agents", "players"), [(("random",), 2), (("random", "greedy"), 3), (("greedy",) * 10, 2)])
def test_one_agent_fewer_agents_than_seats_and_more_than_colours(
    tmp_path: Path, agents: tuple[str, ...], players: int
) -> None:
    page = page_of(play(tmp_path / "few", *agents, games=1, players=players))
    rows = json.loads((tmp_path / "few" / "results.json").read_text("utf-8"))["agents"]
    assert page.data["agents"] == [row["agent"] for row in rows]


def test_without_resampling_there_are_no_intervals(tmp_path: Path) -> None:
    assert thurn("tournament", ["--agents", "random", "greedy", "--games", "2", "--out", str(tmp_path), *TINY,
                            "--bootstrap", "0"]) == 0  # fmt: skip
    assert "95 %" not in page_of(tmp_path).text.replace("\N{NO-BREAK SPACE}", " ")


def test_decks_that_all_agree_leave_no_rating_interval(played: Path) -> None:
    """Four decks, all won in all seats: how far apart the ratings are cannot be told."""
    results = json.loads((played / "results.json").read_text("utf-8"))
    assert results["pairs"]["heuristic"]["random"]["share"] == 1
    assert results["agents"][0]["rating_95"] is None
    text = page_of(played).text
    assert "100.0 to 100.0" not in text
    assert "intervals do not overlap" not in text
    assert "39.8 to 100.0" in text  # 0.025 ** (1/4)


# What not every tournament has


@pytest.fixture
def failing(played: Path) -> Path:
    """With a forfeit, times, and pairs that are known by heart."""
    (file,) = (played / "index").glob("*random-greedy*")
    games = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    games[0]["forfeit"] = {"seat": 0, "agent": "random", "reason": "raised <KeyError>"}
    file.write_text("".join(json.dumps(game) + "\n" for game in games), "utf-8")
    results = results_of(Folder.existing(played), 20)
    for row in results["agents"]:
        row["seconds_per_decision"] = 0.00123
    names = [row["agent"] for row in results["agents"]]
    pair = {"share": 0.4321, "interval": [0.123, 0.987], "games": 8}
    results["pairs"] = {one: {other: pair for other in names if other != one} for one in names}
    (played / "results.json").write_text(json.dumps(results), "utf-8")
    return played


def test_sources_forfeits_times_and_intervals_of_pairs(failing: Path) -> None:
    page = page_of(failing)
    headings = page.texts["h2"]
    assert {"Where the points come from", "Time per decision", "Forfeits"} <= set(headings)
    text = page.text
    assert text.count("12.3 to 98.7") == 6
    assert "raised <KeyError>" in text
    assert "1.2 ms" in text
    assert [game[10:] for game in page.data["games"] if len(game) > 10] == [[0, "raised <KeyError>"]]
    folder = Folder.existing(failing)
    standings, games = standings_of(folder), finished_games(folder)
    table = source_table(standings)
    assert {"carriage", "houses not placed"} <= {source.name for source in table}
    means = [scores_of(games, 3)[agent.entrant].mean() for agent in standings.agents]
    assert [sum(points) for points in zip(*(source.points for source in table), strict=True)] == pytest.approx(means)
    assert all(0 <= left <= right <= 100 for source in table for left, right in source.bars)


def test_only_forfeits(failing: Path) -> None:
    """Then there are no scores and no means of them."""
    for file in (failing / "index").iterdir():
        games = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for game in games:
            game["forfeit"] = {"seat": 1, "agent": game["agents"][1], "reason": "took longer than 1 s"}
        file.write_text("".join(json.dumps(game) + "\n" for game in games), "utf-8")
    (failing / "results.json").write_text(json.dumps(results_of(Folder.existing(failing), 20)), "utf-8")
    page = page_of(failing)
    assert "Where the points come from" not in page.texts["h2"]
    assert "took longer than 1 s" in page.text


def test_shares_of_wins_by_seat_and_by_order(played: Path) -> None:
    """In the plot those of all, in the table those of every agent."""
    results = json.loads((played / "results.json").read_text("utf-8"))
    for key, shares in (("seat_shares", (0.111, 0.222)), ("order_shares", (0.333, 0.444))):
        results[key] = [{"share": share, "interval": [0.05, 0.95]} for share in shares]
    for row in results["agents"]:
        row["seats"] = [0.777, None]
    (played / "results.json").write_text(json.dumps(results), "utf-8")
    page = page_of(played)
    labels = [attributes.get("aria-label") or "" for tag, attributes in page.elements if tag == "svg"]
    (told,) = [label.replace("\N{NO-BREAK SPACE}", " ") for label in labels if "by turn order" in label]
    assert "by seat: seat 0 11.1 %, seat 1 22.2 %" in told
    assert "by turn order: first 33.3 %, last 44.4 %" in told
    assert page.text.count("77.7 %") == 3


# Errors


def test_no_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = fails(capsys, str(tmp_path))
    assert "is not the folder of a tournament" in error
    assert "thurn tournament" in error
    assert "no tournament.json" in fails(capsys, str(tmp_path / "nowhere"))


def test_not_finished(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (played / "results.json").unlink()
    error = fails(capsys, str(played))
    assert "not finished" in error
    assert "run its command again to continue: thurn tournament --agents random greedy heuristic" in error
    assert not (played / "report.html").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("tournament.json", "thurn-tournament/1", "what", "tournament.json is damaged or of another version"),
        ("tournament.json", '"seed"', '"sed"', "tournament.json is damaged"),
        ("tournament.json", "{", "", "tournament.json is damaged"),
        ("results.json", "thurn-results/1", "what", "results.json is damaged"),
        ("results.json", '"agent": "greedy"', '"agent": "greed"', "results.json is damaged"),
        ("results.json", '"rating": ', '"rating": [], "no": ', "results.json is damaged"),
        ("results.json", '"games": 24', '"games": 25', "results.json is about 25 games, but the folder has 24"),
        ("index/1-random-greedy.jsonl", '{"deck"', '{"deck', "1-random-greedy.jsonl, line 1: damaged"),
        ("index/1-random-greedy.jsonl", '"deck": 1', '"deck": 4', "1-random-greedy.jsonl, line 3: damaged"),
        ("index/1-random-greedy.jsonl", '"greedy"]', '"gredy"]', "1-random-greedy.jsonl, line 1: damaged"),
        ("games/1-random-greedy.jsonl", "\n", "", "1-random-greedy.jsonl has 7 records, but its index 8"),
    ],
)
def test_damaged_files(
    played: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, reason: str
) -> None:
    change(played / name, old, new)
    error = fails(capsys, str(played))
    assert reason in error
    assert "again" in error


@pytest.mark.parametrize("folder", ["games", "index"])
def test_missing_files(played: Path, capsys: pytest.CaptureFixture[str], folder: str) -> None:
    (played / folder / "2-random-heuristic.jsonl").unlink()
    assert "2-random-heuristic.jsonl is missing" in fails(capsys, str(played))


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_extra(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in ("page", "plots", "templating"):
        monkeypatch.delitem(sys.modules, f"thurn_env.tournament.{name}", raising=False)
        monkeypatch.delattr(tournament_package, name, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    error = fails(capsys, str(played))
    assert f'the report needs {package}: pip install "thurn-env[eval]"' in error


@pytest.mark.parametrize("limit", ["-1", "nan", "inf"])
def test_wrong_limits(played: Path, capsys: pytest.CaptureFixture[str], limit: str) -> None:
    assert "embed must be " in fails(capsys, str(played), "--embed", limit)


# Wording


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2.0 s"), (123.4, "123 s"), (0.0996, "100 ms"), (0.00999, "10 ms"), (0.00012, "120 µs"), (3.1e-8, "31 ns")],
)
def test_times(value: float, text: str) -> None:
    assert wording.seconds(value).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (1, "100 %"), (0.0001, "< 0.1 %"), (0.9999, "> 99.9 %"), (0.5, "50.0 %"), (0.123456, "12.3 %")],
)
def test_shares(share: float, text: str) -> None:
    assert wording.share_text(share).replace("\N{NO-BREAK SPACE}", " ") == text


def test_signs_and_long_names() -> None:
    assert [wording.signed(value) for value in (1234.4, 0.2, -0.2, -12.6)] == ["+1,234", "0", "0", "\N{MINUS SIGN}13"]
    assert wording.elided("a" * 24) == "a" * 24
    assert len(wording.elided("my_package.my_module:" + "A" * 30)) <= 24
