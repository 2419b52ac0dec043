"""What the page to play on shows together, without scrolling, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Locator, Page, expect

from tests.chromium import TIMEOUT, faultless, needs_chromium
from tests.serving import in_a_thread

pytestmark = needs_chromium

ORDERS = {
    "thurn_und_taxis": {"board": "south", "agents": ["human", "greedy"], "seed": 4},
    "zug_um_zug_deutschland": {"board": "germany", "agents": ["human", "sensible-random"], "seed": 4},
}
WINDOWS = [(1280, 800), (390, 844)]
ADVICE = (
    "mcts:4000 would play draw: it wins 61 % of the games that the search looked at. It expects draw, right Ulm, "
    "close, spread, house Ulm, house Augsburg. Others: take Ulm 58 %, take Augsburg 55 %, administrator 41 %."
)
TICKETS = 12
"""Tickets that the person keeps: more than in most games."""


@pytest.fixture(scope="module")
def tables(browser: Browser) -> Iterator[dict[str, str]]:
    """A game of either kind, well under way and with the person to choose, by its address."""
    with in_a_thread() as address:
        context = browser.new_context()
        yield {game: _under_way(context.request, address, game) for game in ORDERS}
        context.close()


def _under_way(request: APIRequestContext, address: str, game: str) -> str:
    """Play until there is much to show."""
    answer = request.post(f"{address}/games", data={"game": game, **ORDERS[game]}, timeout=TIMEOUT)
    table: str = address + answer.json()["address"]
    kept = 0
    news: dict[str, Any] = request.get(f"{table}/state", timeout=TIMEOUT).json()
    while True:
        if not news["turn"]:
            since = {"since": news["moment"]}
            news = request.get(f"{table}/state", params=since, timeout=TIMEOUT).json()
            assert not news["over"]
            continue
        action = _next(news["turn"]["legal"], kept, news["move"])
        if action is None:
            return table
        kept += action.startswith("keep ")
        data = {"move": news["move"], "action": action, "since": news["moment"]}
        news = request.post(f"{table}/moves", data=data, timeout=TIMEOUT).json()


def _next(legal: Sequence[str], kept: int, moves: int) -> str | None:
    if "tickets" in legal:
        return "tickets" if kept < TICKETS else None
    if "draw" in legal and moves > 30:
        return None
    words = ("keep", "right", "left", "close", "spread", "house", "start", "end", "take")
    return next((action for word in words for action in legal if action.startswith(word)), legal[0])


@pytest.fixture(params=WINDOWS, ids=lambda window: f"{window[0]}x{window[1]}")
def page(request: pytest.FixtureRequest, browser: Browser, tables: dict[str, str]) -> Iterator[Page]:
    with faultless(browser, tables["thurn_und_taxis"].partition("/games")[0]) as opened:
        opened.set_viewport_size(dict(zip(("width", "height"), request.param, strict=True)))
        opened.route("**/hint", lambda route: route.fulfill(json={"move": 0, "action": "draw", "text": ADVICE}))
        yield opened


def open_table(page: Page, address: str) -> None:
    """Open a table, and a hint as long as those of a search."""
    page.goto(address)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint-text")).to_have_text(ADVICE)


def is_in_window(page: Page, shown: Locator) -> bool:
    """Return whether all of an element is in the window, and in front: not covered and not cut off by another one."""
    return bool(
        shown.evaluate(
            """(shown) => {
                const { left, right, top, bottom } = shown.getBoundingClientRect();
                if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) return false;
                if (right - left < 1 || bottom - top < 1) return false;
                const room = shown.closest(".own, #controls, .chart");
                const corners = [left + 1, right - 1].flatMap((x) => [[x, top + 1], [x, bottom - 1]]);
                return corners.every(([x, y]) => room.contains(document.elementFromPoint(x, y)));
            }"""
        )
    )


@pytest.mark.parametrize("game", ORDERS)
def test_hand_tickets_actions_and_map_are_visible_together(page: Page, tables: dict[str, str], game: str) -> None:
    open_table(page, tables[game])
    assert page.evaluate("scrollY") == 0
    assert is_in_window(page, page.locator("svg.map"))
    assert is_in_window(page, page.locator("#hint-text"))
    buttons = page.locator("#actions button")
    assert 3 <= buttons.count() <= 12
    assert all(is_in_window(page, button) for button in buttons.all())
    assert is_in_window(page, page.locator(".own").get_by_text("hand", exact=True))
    if game == "zug_um_zug_deutschland":
        held = page.locator(".own svg text").filter(has_text="-")
        assert held.count() >= TICKETS
        assert all(is_in_window(page, ticket) for ticket in held.all())


@pytest.mark.parametrize("game", ORDERS)
def test_nothing_covers_a_legal_place_of_the_map(page: Page, tables: dict[str, str], game: str) -> None:
    page.goto(tables[game])
    places = page.locator(".sheet [data-actions]")
    expect(places.first).to_be_attached()
    covered = places.evaluate_all(
        """(places) => places.filter((place) => {
            const { left, right, top, bottom } = place.getBoundingClientRect();
            return !document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest("[data-actions]");
        }).map((place) => place.textContent)"""
    )
    assert covered == []


@pytest.fixture(scope="module")
def ended(browser: Browser) -> Iterator[dict[str, str]]:
    """A finished game of either kind, by its address."""
    with in_a_thread() as address:
        context = browser.new_context()
        request, found = context.request, {}
        for game, order in ORDERS.items():
            data = {"game": game, **order}
            found[game] = address + request.post(f"{address}/games", data=data, timeout=TIMEOUT).json()["address"]
            news = request.get(f"{found[game]}/state", timeout=TIMEOUT).json()
            while not news["over"]:
                if news["turn"]:
                    move = {"move": news["move"], "action": news["turn"]["legal"][0], "since": news["moment"]}
                    news = request.post(f"{found[game]}/moves", data=move, timeout=TIMEOUT).json()
                else:
                    since = {"since": news["moment"]}
                    news = request.get(f"{found[game]}/state", params=since, timeout=TIMEOUT).json()
        yield found
        context.close()


@pytest.mark.parametrize("game", ORDERS)
@pytest.mark.parametrize("window", [*WINDOWS, (1280, 600)], ids=lambda window: f"{window[0]}x{window[1]}")
def test_the_end_is_visible_at_once(
    browser: Browser, ended: dict[str, str], game: str, window: tuple[int, int]
) -> None:
    """How the game ended, all points, and what one can do next."""
    with faultless(browser, ended[game].partition("/games")[0]) as page:
        page.set_viewport_size({"width": window[0], "height": window[1]})
        page.goto(ended[game])
        expect(page.locator("#ranks td").last).to_be_visible()
        for shown in ("#how", "#end table", "#rematch", "#review", "#record"):
            assert is_in_window(page, page.locator(shown)), shown


@pytest.mark.parametrize("game", ORDERS)
def test_the_map_fits_the_window(page: Page, tables: dict[str, str], game: str) -> None:
    """The map uses the room: it fills a third of a wide window, and as much of a narrow one as the others leave."""
    open_table(page, tables[game])
    window = page.viewport_size
    sheet = page.locator(".sheet").bounding_box()
    assert window is not None
    assert sheet is not None
    ratio = float(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ratio')"))
    width = min(sheet["width"], sheet["height"] * ratio)
    height = width / ratio
    assert width * height > 0.24 * window["width"] * window["height"]
    assert page.evaluate("document.scrollingElement.scrollWidth") <= window["width"]


def test_a_narrow_window_can_enlarge_the_map(browser: Browser, tables: dict[str, str]) -> None:
    with faultless(browser, tables["thurn_und_taxis"].partition("/games")[0]) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(tables["zug_um_zug_deutschland"])
        expect(page.locator("#whose")).to_contain_text("Your turn")
        whole = page.locator("svg.map").bounding_box()
        page.get_by_role("button", name="Zoom").click()
        zoomed = page.locator("svg.map").bounding_box()
        assert whole is not None
        assert zoomed is not None
        assert zoomed["width"] > 1.5 * whole["width"]
        page.get_by_role("button", name="Whole map").click()
        assert page.locator("svg.map").bounding_box() == whole


@pytest.mark.parametrize("game", ORDERS)
def test_whose_turn_it_is_says_so_in_words(page: Page, tables: dict[str, str], game: str) -> None:
    open_table(page, tables[game])
    words = {
        "thurn_und_taxis": "Your turn: take the first card, or call the administrator before it",
        "zug_um_zug_deutschland": "Your turn: draw a card, claim a track or draw tickets",
    }
    expect(page.locator("#whose")).to_have_text(words[game])
