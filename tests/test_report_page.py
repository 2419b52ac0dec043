"""The list of games of a report, in a real browser: filters, order, pages and records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.chromium import faultless, needs_chromium
from tests.programs import thurn
from thurn_env.table.record import Record
from thurn_env.tournament.folder import Folder

pytestmark = needs_chromium

AGENTS = ("random", "greedy", "heuristic")
PAGES = 10
"""Games with a page by default."""
GAMES = 60
"""Three pairs, ten decks, either seat."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with its report."""
    out = tmp_path_factory.mktemp("report") / "runs #1 & 100%"
    command = ["--agents", *AGENTS, "--players", "2", "--games", "10", "--board", "tiny", "--out", str(out)]
    assert thurn("tournament", [*command, "--bootstrap", "20", "--jobs", "1", "--option", "max_rounds=15"]) == 0
    assert thurn("report", [str(out)]) == 0
    return out


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """The report, which asks for nothing but itself, and what it makes to be downloaded."""
    address = (folder / "report.html").as_uri()
    with faultless(browser, address, "blob:", "data:") as opened:
        opened.goto(address)
        yield opened


@pytest.fixture(scope="module")
def index(folder: Path) -> list[dict[str, Any]]:
    """What the tournament noted of every game."""
    return [line for _, line in Folder.existing(folder).index()]


def rows(page: Page) -> Locator:
    return page.locator("#rows tr")


def choice(page: Page, name: str) -> Locator:
    """A field above the list: which games are shown."""
    return page.locator(f"#filters [name={name}]")


def position(page: Page) -> Locator:
    return page.locator("#position")


def column(page: Page, number: int) -> list[int]:
    """The figures of a column, from above."""
    cells = page.locator(f"#rows tr td:nth-child({number})").all_text_contents()
    return [int(cell.replace(",", "")) for cell in cells]


def test_all_games_are_there_page_by_page(page: Page) -> None:
    expect(position(page)).to_have_text(f"1 to 50 of {GAMES} games")
    expect(page.get_by_label("Previous page")).to_be_disabled()
    page.get_by_label("Next page").click()
    expect(position(page)).to_have_text(f"51 to {GAMES} of {GAMES} games")
    expect(rows(page)).to_have_count(GAMES - 50)
    expect(page.get_by_label("Last page")).to_be_disabled()
    page.get_by_label("First page").click()
    expect(rows(page)).to_have_count(50)


def test_games_of_two_agents(page: Page) -> None:
    choice(page, "agent").select_option("greedy")
    expect(position(page)).to_have_text("1 to 40 of 40 games")
    choice(page, "other").select_option("random")
    expect(position(page)).to_have_text("1 to 20 of 20 games")
    for row in rows(page).all():
        assert sorted(row.locator(".who").all_text_contents()) == ["greedy", "random"]
    # No agent sat beside itself.
    choice(page, "other").select_option("greedy")
    expect(position(page)).to_have_text("no matching games")
    page.get_by_role("button", name="Reset").click()
    expect(position(page)).to_have_text(f"1 to 50 of {GAMES} games")


def test_games_that_an_agent_won_and_of_a_deck(page: Page, index: list[dict[str, Any]]) -> None:
    won = sum(line["ranks"][line["agents"].index("greedy")] == 1 for line in index if "greedy" in line["agents"])
    choice(page, "winner").select_option("greedy")
    expect(position(page)).to_have_text(f"1 to {won} of {won} games")
    for row in rows(page).all():
        assert "greedy" in row.locator(".won .who").all_text_contents()
    choice(page, "winner").select_option("")
    choice(page, "deck").fill("3")
    expect(position(page)).to_have_text("1 to 6 of 6 games")
    assert column(page, 1) == [3] * 6


@pytest.mark.parametrize(("heading", "number"), [("Deck", 1), ("Moves", 5)])
def test_order(page: Page, heading: str, number: int) -> None:
    """A click on a heading sorts all games, not only those of the page, and another one turns the order."""
    seen = []
    for way in ("ascending", "descending"):
        page.get_by_role("columnheader", name=heading).get_by_role("button").click()
        assert page.get_by_role("columnheader", name=heading).get_attribute("aria-sort") == way
        first = column(page, number)
        page.get_by_label("Next page").click()
        seen.append(first + column(page, number))
    assert seen == [sorted(seen[0]), sorted(seen[0], reverse=True)]
    assert len(seen[0]) == GAMES
    assert len(set(seen[0])) > 1


def test_show_opens_the_game_to_step_through(page: Page, folder: Path) -> None:
    """The first games have pages beside the report; the row of a game leads to its own."""
    shows = rows(page).get_by_role("link", name="to step through it")
    expect(shows).to_have_count(PAGES)
    row = rows(page).nth(3)
    line = int(str(row.get_by_role("link", name=re.compile("^line ")).text_content()).removeprefix("line "))
    record = list(Record.load_all(sorted((folder / "games").glob("*.jsonl"))[0]))[line - 1]
    with faultless(page.context.browser, folder.as_uri()) as opened:
        opened.goto(page.url)
        rows(opened).nth(3).get_by_role("link", name="to step through it").click()
        expect(opened).to_have_url(re.compile("/report-games/[^/]+[.]html"))
        opened.keyboard.press("End")
        expect(opened.locator("#count")).to_contain_text(str(len(record.moves)))
        assert opened.locator("#turns button").all_text_contents() == record.moves
        opened.set_viewport_size({"width": 390, "height": 844})
        assert opened.evaluate("document.scrollingElement.scrollWidth") <= 390
        board, controls = opened.locator("svg.map").bounding_box(), opened.locator("#controls").bounding_box()
        assert board is not None
        assert controls is not None
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= 390
        assert board["y"] + board["height"] <= controls["y"]


def test_other_games_show_their_record(page: Page) -> None:
    expect(rows(page).get_by_role("button", name="Show the record")).to_have_count(50)
    expect(rows(page).nth(PAGES).get_by_role("link", name="to step through it")).to_have_count(0)
    expect(page.locator("#games ~ p").first).to_contain_text(f"pages of the first {PAGES} games")


def test_a_record_is_that_of_the_game_and_can_be_kept(page: Page, folder: Path, tmp_path: Path) -> None:
    page.get_by_label("Last page").click()
    row = rows(page).last
    place = row.get_by_role("link")
    line = int(str(place.text_content()).removeprefix("line ").replace(",", ""))
    file = folder / "games" / str(place.get_attribute("title")).removeprefix("games/")
    written = file.read_text("utf-8").splitlines()[line - 1]
    row.get_by_role("button", name="Show").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("The record")).to_have_value(written)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download record").click()
    download.value.save_as(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json") == Record.from_json(written)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_the_page_fits_a_telephone(page: Page) -> None:
    """Wide tables scroll by themselves; the page does not."""
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 380
