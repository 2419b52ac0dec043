"""The page of a recorded game: one file that holds every position as everyone sees it, and nothing more."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from thurn_env import Game, Record, make_rules
from thurn_env.commands.cli import main
from thurn_env.players.match import play_scripted
from thurn_env.show.chart import BADGE, HEIGHT, score_chart
from thurn_env.show.page import replay_page
from thurn_env.table.record import save_all
from thurn_env.table.replay import replay

Capture = pytest.CaptureFixture[str]
VOID = {"meta", "input", "link"}


@pytest.fixture(scope="module")
def record() -> Record:
    """A game of three on the tiny board."""
    return play_scripted(make_rules("thurn_und_taxis", 3, "tiny"), ["greedy", "sensible-random", "greedy"], 4)


@pytest.fixture(scope="module")
def page(record: Record) -> str:
    return replay_page(record, "a game")


class Reader(HTMLParser):
    """Reads a page: its elements in order, that they are closed, and the text of each id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str | None, str] = {}
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, name in self.open:
            self.texts[name] = self.texts.get(name, "") + data


def data_of(page: str) -> Any:
    return json.loads(Reader(page).texts["data"])


def shown(data: Any, eyes: int, position: int) -> list[str]:
    """What the script puts into every layer of the page."""
    drawings: dict[int, int] = {}
    for changes in data["films"][eyes][: position + 1]:
        drawings.update(zip(changes[::2], changes[1::2], strict=True))
    return [data["drawings"][drawings[layer]] for layer in range(len(drawings))]


# What the page holds


def test_every_position_is_shown_as_everyone_sees_it(record: Record, page: str) -> None:
    data = data_of(page)
    names = ["greedy (0)", "sensible-random", "greedy (2)"]
    assert len(data["films"]) == 4
    assert {len(film) for film in data["films"]} == {len(data["labels"])} == {len(record.moves) + 1}
    for position, game in enumerate(replay(record)):
        for eyes in range(4):
            picture = (game if eyes == 0 else game.view(eyes - 1)).picture(names)
            layers = [layer for block in picture.blocks[1:] for layer in block.layers.values()]
            assert shown(data, eyes, position) == layers
            assert data["drawings"][data["labels"][position]] == picture.label


def test_the_frames_are_those_of_the_pictures_blocks(record: Record, page: str) -> None:
    picture = next(replay(record)).picture()
    reader = Reader(page)
    boxes = [attributes["viewbox"] for tag, attributes in reader.elements if tag == "svg" and "role" in attributes]
    for block in picture.blocks[1:]:
        assert f"0 0 {block.width:g} {block.height:g}" in boxes
    layers = [int(str(attributes["data-layer"])) for _, attributes in reader.elements if "data-layer" in attributes]
    assert layers == list(range(sum(len(block.layers) for block in picture.blocks[1:])))


def test_all_moves_are_listed_by_turns(record: Record, page: str) -> None:
    moves = re.findall(r'data-go="(\d+)">([^<]+)</button>', page)
    assert moves == [(str(number), move) for number, move in enumerate(record.moves, start=1)]
    starts: list[int] = []
    seats: list[int] = []
    rounds: list[int] = []
    points: list[int] = []
    before: Game | None = None
    for position, game in enumerate(replay(record)):
        if before is not None and (not seats or before.seat != seats[-1]):
            starts.append(position - 1)
            seats.append(before.seat)
            rounds.append(before.rounds + 1)
            points.append(0)
        if before is not None:
            points[-1] = game.scores[seats[-1]]
        before = game
    assert data_of(page)["turns"] == starts
    listed = re.findall(
        r'<span class="round">(\d+)</span><span class="badge seat-(\d)">\d</span>.*?<span class="points">(.*?)</span>',
        page,
    )
    assert listed == [
        (str(number), str(seat), str(score).replace("-", "\N{MINUS SIGN}"))
        for number, seat, score in zip(rounds, seats, points, strict=True)
    ]


def test_the_page_is_one_file(page: str) -> None:
    """It fetches nothing, and its policy forbids it to."""
    reader = Reader(page)
    icons = [attributes for tag, attributes in reader.elements if tag == "link"]
    assert [icon["rel"] for icon in icons] == ["icon"]
    assert str(icons[0]["href"]).startswith("data:image/svg+xml,")
    for tag, attributes in reader.elements:
        if tag == "link":
            continue
        assert tag not in ("img", "iframe", "object")
        assert not {"src", "href", "srcset"} & attributes.keys()
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) <= {"http://www.w3.org/2000/svg"}
    (allowed,) = [str(found["content"]) for _, found in reader.elements if found.get("http-equiv")]
    assert "default-src 'none'" in allowed
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed
    assert "url(" not in page
    assert "@import" not in page


def test_the_page_is_light_or_dark_as_the_browser_is(page: str) -> None:
    assert "@media (prefers-color-scheme:dark)" in page
    assert "color-scheme:light dark" in page


def test_a_page_is_small() -> None:
    record = play_scripted(make_rules("thurn_und_taxis", 2, "south"), ["heuristic", "greedy"], 1)
    assert len(record.moves) > 100
    assert len(replay_page(record, "a game").encode()) < 600 * 1024


def test_every_drawing_is_held_once(page: str) -> None:
    drawings = data_of(page)["drawings"]
    assert len(drawings) == len(set(drawings))
    for drawing in drawings:
        if drawing.startswith("<"):
            ElementTree.fromstring(f"<g>{drawing}</g>")


def test_a_game_not_played_to_its_end() -> None:
    game = Game(2, "tiny", seed=1)
    start = replay_page(game.record(), "a beginning")
    assert len(data_of(start)["labels"]) == 1
    assert "not played to its end" in start
    for _ in range(5):
        game.play(game.legal[0])
    assert len(data_of(replay_page(game.record(), "a beginning"))["labels"]) == 6


def test_names_are_text() -> None:
    name = '</script><img src=x onerror="alert(1)">{{ data }}&amp;'
    game = Game(2, "tiny", seed=1)
    game.play(game.legal[0])
    page = replay_page(game.record([name, "\u2028]]>"]), name)
    reader = Reader(page)
    assert "img" not in [tag for tag, _ in reader.elements]
    assert name in reader.texts["eyes"]
    assert any("</script><img" in unescaped(drawing) for drawing in data_of(page)["drawings"])


def unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


# The chart


def test_the_chart_shows_all_scores() -> None:
    scores = [[-20, -20], [-20, -20], [-10, -20], [-10, 5], [31, 5]]
    chart = score_chart(scores, [0, 0, 1, 1, 2])
    root = ElementTree.fromstring(chart.svg)
    lines = [found.get("d", "") for found in root.iter("path") if "score" in str(found.get("class"))]
    ends = [[tuple(map(float, place.split())) for place in re.split("[ML]", line)[1:]] for line in lines]
    ticks = {found.text: float(found.get("y", 0)) - 0.35 * 12 for found in root.iter("text") if found.get("x") == "33"}
    assert min(ticks.values()) == ticks["40"] < ticks["\N{MINUS SIGN}20"] == max(ticks.values())
    per_point = (ticks["0"] - ticks["40"]) / 40
    for seat, line in enumerate(ends):
        assert line[0] == (chart.first, pytest.approx(ticks["0"] + 20 * per_point, abs=0.11))
        assert line[-1] == (chart.last, pytest.approx(ticks["0"] - scores[-1][seat] * per_point, abs=0.11))
    # The score changes at the position where it does: a vertical step there.
    step = (chart.last - chart.first) / 4
    assert [x for (x, y), (next_x, next_y) in pairwise(ends[0]) if y != next_y] == [
        pytest.approx(chart.first + 2 * step, abs=0.1),
        pytest.approx(chart.first + 4 * step, abs=0.1),
    ]


@pytest.mark.parametrize("last", [[0, 0, 0, 0], [-20, -20, -20, -20], [40, 39, 40, 38], [-20, 3, -19, -18]])
def test_badges_of_the_chart_do_not_touch(last: list[int]) -> None:
    root = ElementTree.fromstring(score_chart([[-20] * 4, last, [40, *last[1:]], last], [0, 0, 1, 1]).svg)
    heights = sorted(float(found.get("cy", 0)) for found in root.iter("circle"))
    assert all(after - before >= 2 * BADGE for before, after in pairwise(heights))
    assert heights[0] - BADGE > 0
    assert heights[-1] + BADGE < HEIGHT


def test_a_chart_of_one_position() -> None:
    ElementTree.fromstring(score_chart([[0, 0]], [0]).svg)


# The command


@pytest.fixture
def games(tmp_path: Path, record: Record) -> Path:
    file = tmp_path / "games.jsonl"
    other = Game(2, "tiny", seed=1)
    save_all(file, [other.record(), record])
    return file


def test_the_command(games: Path, record: Record, capsys: Capture) -> None:
    out = games.parent / "out.html"
    assert main(["replay", str(games), "--game", "2", "--html", str(out)]) == 0
    written = out.read_text("utf-8")
    assert written == replay_page(record, "games.jsonl, game 2 of 2")
    assert "<title>Thurn und Taxis: games.jsonl, game 2 of 2</title>" in written
    output = capsys.readouterr()
    assert re.fullmatch(rf"The page is {re.escape(str(out))} \(\d+ KiB\); open it in a browser.\n", output.out)
    assert f"{len(record.moves) + 1} of {len(record.moves) + 1} positions" in output.err


def test_the_command_with_a_review(games: Path, capsys: Capture) -> None:
    out = games.parent / "out.html"
    assert main(["replay", str(games), "--game", "2", "--html", str(out), "--review", "greedy"]) == 0
    review = data_of(out.read_text("utf-8"))["review"]
    assert review["done"]
    assert "greedy would have played it too." in review["opinions"]
    capsys.readouterr()
    assert main(["replay", str(games), "--game", "2", "--review", "greedy"]) == 0
    printed = capsys.readouterr().out
    assert "Reviewed by greedy" in printed
    assert re.search(r"sensible-random.* of \d+", printed)
    assert main(["replay", str(games), "--verify", "--review", "greedy"]) == 2
    assert "--verify reviews no game; leave out --verify or --review" in capsys.readouterr().err


def test_a_bad_record_leaves_no_page(games: Path, record: Record, capsys: Capture) -> None:
    out = games.parent / "out.html"
    damaged = record.as_dict() | {"result": {"scores": [1, 2, 3], "ranks": [3, 2, 1]}}
    games.write_text(json.dumps(damaged), "utf-8")
    assert main(["replay", str(games), "--html", str(out)]) == 1
    assert "result: the scores are" in capsys.readouterr().err
    assert list(games.parent.iterdir()) == [games]


def test_a_page_that_cannot_be_written(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--html", str(games.parent / "no" / "out.html")]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("thurn replay: ")
    assert "out.html: there is no folder" in error


def test_verifying_and_writing_are_two_things(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--verify", "--html", str(games.parent / "out.html")]) == 2
    assert "thurn replay: --verify writes no page; leave out --verify or --html" in capsys.readouterr().err


@pytest.mark.parametrize("instead", [["--verify"], ["--html", "page.html"], ["--review", "greedy"]])
@pytest.mark.parametrize("ignored", [["--tables"], ["--delay", "2"]])
def test_what_a_game_that_is_not_shown_cannot_have(
    capsys: pytest.CaptureFixture[str], instead: list[str], ignored: list[str]
) -> None:
    assert main(["replay", "game.json", *instead, *ignored]) == 2
    assert f"{ignored[0]} applies only to a game that is shown turn by turn" in capsys.readouterr().err
