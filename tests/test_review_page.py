"""The review on the page of a game, in a file and on a server, also in a real browser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from tests.analysts import GO_ON, SPEC, WAITING
from tests.chromium import TIMEOUT, faultless, needs_chromium
from thurn_env import Record, make_rules
from thurn_env.players.match import play_scripted
from thurn_env.players.review import Review, Reviewer
from thurn_env.serve.app import make_app
from thurn_env.serve.listening import listening_socket
from thurn_env.serve.menu import Menu
from thurn_env.serve.tables import Tables
from thurn_env.show.chart import BOTTOM, HEIGHT, TOP, chance_chart, chance_lines
from thurn_env.show.page import ReplayPage, replay_page
from thurn_env.show.review_panel import review_panel

NAMES = ["greedy (0)", "sensible-random", "greedy (2)"]


@pytest.fixture(scope="module")
def record() -> Record:
    """A game of three on the tiny board."""
    return play_scripted(make_rules("thurn_und_taxis", 3, "tiny"), ["greedy", "sensible-random", "greedy"], 4)


@pytest.fixture(scope="module")
def review(record: Record) -> Review:
    *_, complete = Reviewer(record.rules, SPEC).review(record)
    return complete


def mistakes(review: Review, seat: int | None = None) -> list[int]:
    """The numbers of the moves that were mistakes."""
    return [
        number
        for number, move in enumerate(review.moves, start=1)
        if move is not None and move.kind and seat in (None, move.seat)
    ]


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# Drawings


def points(line: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (place.split() for place in re.split("[ML]", line.get("d", ""))[1:])]


def test_the_chart_has_a_line_for_every_seat() -> None:
    chart = chance_chart([0, 0, 0, 1, 1])
    root = ElementTree.fromstring(f"<g>{chance_lines([(), (0.5, 0.5), (0.75, 0.25), (1.04, -0.04)], 5)}</g>")
    lines = list(root.iter("path"))
    assert [line.get("class") for line in lines] == ["score line-0", "score line-1"]
    step, bottom = (chart.last - chart.first) / 4, HEIGHT - BOTTOM
    for line, shares in zip(lines, ((0.5, 0.75, 1.0), (0.5, 0.25, 0.0)), strict=True):
        assert points(line) == [
            (
                pytest.approx(chart.first + step * place, abs=0.06),
                pytest.approx(bottom - share * (bottom - TOP), abs=0.06),
            )
            for place, share in enumerate(shares, start=1)
        ]
    levels = [found.text for found in ElementTree.fromstring(chart.svg).iter("text")]
    assert levels[:5] == ["0%", "25%", "50%", "75%", "100%"]


def test_marks_lie_on_the_lines() -> None:
    drawn = ElementTree.fromstring(f"<g>{chance_lines([(0.5, 0.5), (0.75, 0.25)], 3, [(1, 0, '??')])}</g>")
    dot, *_ = drawn.iter("circle")
    first = points(next(drawn.iter("path")))
    assert (float(dot.get("cx", 0)), float(dot.get("cy", 0))) == first[1]
    assert "??" in [found.text for found in drawn.iter("text")]


def test_without_chances_there_are_no_lines() -> None:
    assert chance_lines([], 5) == chance_lines([(), ()], 5) == ""


def test_the_panel(record: Record, review: Review) -> None:
    panel = json.loads(json.dumps(review_panel(review, NAMES)))
    assert panel["done"]
    assert panel["status"] == "Reviewed by made."
    assert [move for move, *_ in panel["marks"]] == mistakes(review)
    assert len(panel["opinions"]) == len(record.moves)
    assert len(panel["chances"]) == len(record.moves) + 1
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", panel["players"])
    for seat, row in enumerate(rows):
        player = review.player(seat)
        assert re.findall("<td>(.*?)</td>", row) == [
            f"{player.accuracy:.0f}%",
            str(player.mistakes),
            str(player.blunders),
            f"{player.agreed} of {player.decisions}",
        ]
    ElementTree.fromstring(f"<table>{panel['players']}</table>")


def test_the_panel_of_a_partial_review(record: Record) -> None:
    reviews = Reviewer(record.rules, SPEC).review(record)
    assert review_panel(next(reviews), NAMES)["lines"] == ""
    third = next(islice(reviews, 2, None))
    panel = review_panel(third, NAMES)
    assert not panel["done"]
    assert re.fullmatch(r"made is reviewing the game: pass 1 of 3, 3 of \d+ decisions\.", panel["status"])
    assert len(panel["chances"]) == third.reached


def test_names_are_text(review: Review) -> None:
    panel = review_panel(review, ["<b>", "&", '"'])
    ElementTree.fromstring(f"<table>{panel['players']}</table>")
    assert "<b>" not in panel["players"]


# The page


def test_only_a_page_that_follows_may_connect(record: Record, review: Review) -> None:
    page = ReplayPage(record, "a game")
    assert page.html() == replay_page(record, "a game")
    assert 'id="review-status"' not in page.html()
    for html in (page.html(), page.html(review)):
        assert "connect-src" not in html
        assert data_of(html)["follow"] == ""
    following = page.html(review, "/games/x/review/state", 1)
    assert "connect-src &#x27;self&#x27;" in following
    assert data_of(following)["follow"] == "/games/x/review/state"
    assert '<option value="1" selected>sensible-random</option>' in following


def test_the_server_shows_the_review_while_it_goes_on() -> None:
    GO_ON.clear()
    with TestClient(make_app(Menu(), Tables(5, 100.0), WAITING), base_url="http://localhost") as client:
        address = client.post("/games", json={"board": "tiny", "agents": ["greedy", "random"], "seed": 4}).json()[
            "address"
        ]
        moment = None
        while not (news := client.get(f"{address}/state", params={"since": moment} if moment else {}).json())["over"]:
            moment = news["moment"]
        assert client.get(f"{address}/review").status_code == 409
        assert client.get(f"{address}/review/state").status_code == 409
        while not client.post(f"{address}/review", json={}).json()["ready"]:
            pass
        page = client.get(f"{address}/review")
        assert page.status_code == 200
        assert data_of(page.text)["follow"] == f"{address}/review/state"
        assert "connect-src 'self'" in page.headers["content-security-policy"]
        assert not client.get(f"{address}/review/state").json()["done"]
        GO_ON.set()
        while not (panel := client.get(f"{address}/review/state").json())["done"]:
            pass
        page = client.get(f"{address}/review")
        assert data_of(page.text)["review"] == panel
        assert data_of(page.text)["follow"] == ""
        assert "connect-src" not in page.headers["content-security-policy"]


# In a browser


@pytest.fixture(scope="module")
def file(record: Record, review: Review, tmp_path_factory: pytest.TempPathFactory) -> str:
    out: Path = tmp_path_factory.mktemp("page") / "game.html"
    out.write_text(replay_page(record, "a game", review=review), "utf-8")
    return out.as_uri()


@pytest.fixture
def page(browser: Browser, file: str) -> Iterator[Page]:
    with faultless(browser, file) as opened:
        opened.set_default_timeout(TIMEOUT)
        opened.goto(file)
        yield opened


@needs_chromium
def test_stepping_through_mistakes(page: Page, record: Record, review: Review) -> None:
    last = len(record.moves)
    wrong = mistakes(review)
    assert len(wrong) > 2
    expect(page.locator("#mistake-back")).to_be_disabled()
    for count, move in enumerate(wrong, start=1):
        page.locator("#mistake-on").click()
        expect(page.locator("#count")).to_have_text(f"{move} / {last}")
        reviewed = review.moves[move - 1]
        assert reviewed is not None
        expect(page.locator("#opinion")).to_have_text(reviewed.reason)
        expect(page.locator("#mistakes")).to_have_text(f"{count} of {len(wrong)}")
        expect(page.locator(f'[data-go="{move}"] .mark')).to_have_text("??" if reviewed.kind == "blunder" else "?")
    expect(page.locator("#mistake-on")).to_be_disabled()
    page.keyboard.press("p")
    expect(page.locator("#count")).to_have_text(f"{wrong[-2]} / {last}")
    page.keyboard.press("n")
    expect(page.locator("#count")).to_have_text(f"{wrong[-1]} / {last}")


@needs_chromium
def test_only_the_mistakes_of_a_player(page: Page, record: Record, review: Review) -> None:
    own = mistakes(review, 1)
    assert 0 < len(own) < len(mistakes(review))
    page.locator("#whose").select_option("sensible-random")
    expect(page.locator("#mistakes")).to_have_text(f"0 of {len(own)}")
    page.locator("#mistake-on").click()
    expect(page.locator("#count")).to_have_text(f"{own[0]} / {len(record.moves)}")


@needs_chromium
def test_a_click_on_the_graph_jumps(page: Page, record: Record) -> None:
    graph = page.locator(".review svg.chart")
    expect(graph.locator("path.score")).to_have_count(3)
    dashes = graph.locator("path.score").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).strokeDasharray)"
    )
    assert len(set(dashes)) == 3
    box = graph.bounding_box()
    assert box is not None
    chart = chance_chart([0])
    place = len(record.moves) // 3
    x = chart.first + (chart.last - chart.first) * place / len(record.moves)
    graph.click(position={"x": x / chart.width * box["width"], "y": box["height"] / 2})
    expect(page.locator("#count")).to_have_text(f"{place} / {len(record.moves)}")
    expect(page.locator("#chances")).to_have_text(
        re.compile(r"^greedy \(0\) \d+%, sensible-random \d+%, greedy \(2\) \d+%$")
    )
    transforms = page.locator("svg .cursor").evaluate_all("all => all.map(one => one.getAttribute('transform'))")
    assert len(transforms) == 2
    assert len(set(transforms)) == 1


@needs_chromium
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.locator("#mistake-on").click()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@needs_chromium
def test_the_review_fills_while_it_goes_on(browser: Browser) -> None:
    GO_ON.clear()
    listener = listening_socket("127.0.0.1", 0)
    app = make_app(Menu(), Tables(5, 3600.0), WAITING)
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, ws="none")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        with faultless(browser, address) as page:
            page.set_default_timeout(TIMEOUT)
            order = {"board": "tiny", "agents": ["greedy", "random"], "seed": 4}
            page.goto(address + page.request.post(f"{address}/games", data=order).json()["address"])
            page.get_by_label("speed of other players").select_option("instant")
            page.get_by_role("button", name="Review").click()
            page.wait_for_url("**/review")
            expect(page.locator("#review-status")).to_contain_text(f"{WAITING} is reviewing the game: pass 1 of 3")
            page.keyboard.press("End")
            here = page.locator("#count").text_content()
            GO_ON.set()
            expect(page.locator("#review-status")).to_have_text(f"Reviewed by {WAITING}.")
            # The position stays, and what belongs to it arrived.
            expect(page.locator("#count")).to_have_text(str(here))
            expect(page.locator("#chances")).to_contain_text("100%")
            expect(page.locator("#mistake-back")).to_be_enabled()
    finally:
        GO_ON.set()
        server.should_exit = True
        thread.join()
        listener.close()
