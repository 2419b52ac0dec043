"""The page to play on, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.chromium import TIMEOUT, faultless, needs_chromium
from tests.serving import in_a_thread
from thurn_env import Record
from thurn_env.table.replay import replay, verify

SOON = 15_000.0
"""Milliseconds for what waits for no server."""

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with in_a_thread() as made:
        yield made


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that may ask nobody but the server."""
    # A refused request is told to the player; the browser notes it, too.
    with faultless(browser, address, allowed=r"40[09] \(") as opened:
        opened.set_default_timeout(TIMEOUT)
        yield opened


def sit_down(page: Page, address: str, *agents: str, board: str = "tiny", game: str = "thurn_und_taxis") -> None:
    """Choose a table on the start page."""
    # The page asks for no seed; with one, every run sees the same cards.
    page.route("**/games", lambda route: route.continue_(post_data={**route.request.post_data_json, "seed": 4}))
    page.goto(address)
    page.locator("#game").select_option(game)
    page.get_by_label("Board").select_option(board)
    for seat, agent in enumerate(agents):
        page.get_by_label(f"Seat {seat}").select_option(agent)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url("**/games/*")
    page.get_by_label("speed of other players").select_option("instant")


def action_buttons(page: Page) -> Locator:
    """The buttons of the legal actions."""
    return page.locator("#actions button")


def own_moves(page: Page) -> Locator:
    """The moves of seat 0 in the list."""
    return page.locator('#turns li[data-seat="0"] .moves span')


def settled(page: Page) -> bool:
    """Wait until the person is to choose, or the game is over; whether there is a choice."""
    action_buttons(page).or_(page.get_by_role("button", name="Review")).first.wait_for()
    return action_buttons(page).count() > 0


def test_a_whole_game_is_played_by_clicking(page: Page, address: str, tmp_path: Path) -> None:
    random = Random(3)
    # The page asks for no seed; with one, every run clicks the same.
    order = {"board": "tiny", "agents": ["human", "greedy"], "seed": 4}
    page.goto(address + page.request.post(f"{address}/games", data=order, timeout=TIMEOUT).json()["address"])
    page.get_by_label("speed of other players").select_option("instant")
    clicked = {"places": 0, "buttons": 0, "choices": 0}
    while settled(page):
        targets = page.locator("svg .target")
        before = page.locator("#turns .moves span").count()
        if targets.count():
            targets.nth(random.randrange(targets.count())).click()
            clicked["places"] += 1
            choices = page.locator("#choice button")
            if page.locator("#choice").is_visible():
                choices.nth(random.randrange(choices.count())).click()
                clicked["choices"] += 1
        else:
            buttons = action_buttons(page)
            buttons.nth(random.randrange(buttons.count())).click()
            clicked["buttons"] += 1
        expect(page.locator("#turns .moves span").nth(before)).to_be_visible()
    assert all(clicked.values()), clicked
    expect(page.locator("#label")).to_contain_text("The game is over")
    with page.expect_download() as download:
        page.get_by_role("link", name="Record").click()
    file = tmp_path / "game.json"
    download.value.save_as(file)
    record = Record.load(file)
    verify(record)
    assert page.locator("#turns .moves span").all_text_contents() == record.moves
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review")
    page.keyboard.press("End")
    opinions = set()
    for _ in record.moves:
        opinions.add(page.locator("#opinion").text_content())
        page.keyboard.press("ArrowLeft")
    assert any(opinion and re.match(r"greedy would have played ", opinion) for opinion in opinions)
    page.go_back()
    expect(page.locator("#label")).to_contain_text("The game is over")
    expect(page.locator("#how")).to_contain_text("triggered the end in round")
    sums = [int(text.replace("\N{MINUS SIGN}", "-")) for text in page.locator("#sums td").all_text_contents()]
    assert sums == list(replay(record))[-1].scores
    finished = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != finished)
    assert settled(page)
    expect(page.locator(".facts")).to_have_text("tiny board, human, greedy")


def test_the_second_game_is_played_by_clicking(page: Page, address: str) -> None:
    """The set-up, cards, and the first track that they pay for, with whoever waits at its ends."""
    sit_down(page, address, "human", "sensible-random", board="tiny_rails", game="zug_um_zug_deutschland")
    clicked: list[str] = []
    while "leave" not in clicked:
        assert settled(page)
        titles = page.locator("svg .target title").all_text_contents()
        legal = [action for title in titles for action in title.split(", ")]
        claims = [action for action in legal if action.startswith("claim ")]
        if claims and clicked.count("draw") >= 2:
            wanted = claims[0]
        else:
            wanted = next((action for action in ("leave", "draw") if action in legal), legal[0])
        before = page.locator("#turns .moves span").count()
        target = page.locator("svg .target", has_text=re.compile(rf"(^|, ){re.escape(wanted)}(,|$)")).first
        target.click()
        if page.locator("#choice").is_visible():
            page.locator("#choice").get_by_role("button", name=wanted, exact=True).click()
        expect(page.locator("#turns .moves span").nth(before)).to_have_text(wanted)
        clicked.append(wanted)
    assert {action.split()[0] for action in clicked} >= {"long", "keep", "draw", "claim", "leave"}


def test_many_actions_of_a_kind_share_a_button(page: Page, address: str) -> None:
    sit_down(page, address, "human", "sensible-random", board="tiny_rails", game="zug_um_zug_deutschland")
    while not page.get_by_role("button", name=re.compile(r"^claim … \(\d+\)$")).is_visible():
        assert settled(page)
        before = page.locator("#turns .moves span").count()
        page.get_by_role("button", name=re.compile("^(draw|keep.*|long 0)$")).first.click()
        expect(page.locator("#turns .moves span").nth(before)).to_be_visible()
        settled(page)
    assert action_buttons(page).count() <= 12
    action_buttons(page).filter(has_text="claim …").focus()
    page.keyboard.press("Enter")
    last = page.locator("#choice button").last
    last.focus()
    claim = str(last.text_content())
    expect(page.locator("svg .target.meant", has_text=claim).first).to_be_visible()
    before = page.locator("#turns .moves span").count()
    page.keyboard.press("Enter")
    expect(page.locator("#turns .moves span").nth(before)).to_have_text(claim)


def test_playing_by_keyboard_with_hint_and_undo(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    undone = False
    while settled(page) and not undone:
        page.keyboard.press("h")
        expect(page.locator("#hint-text")).to_have_text(re.compile(r"^greedy would play .+\.$"))
        moves = page.locator("#turns .moves span")
        if page.get_by_role("button", name="Undo").is_visible():
            listed = moves.count()
            page.keyboard.press("u")
            expect(moves).to_have_count(listed - 1)
            undone = True
            continue
        before = moves.count()
        hinted = str(page.locator("#hint-text").text_content())
        page.get_by_role("button", name=hinted.removeprefix("greedy would play ").removesuffix("."), exact=True).focus()
        page.keyboard.press("Enter")
        expect(moves.nth(before)).to_be_visible()
    assert undone


def test_a_hint_for_which_something_is_compiled_comes_by_itself(browser: Browser, address: str) -> None:
    with faultless(browser, address, allowed=r"503 \(") as page:
        page.set_default_timeout(TIMEOUT)
        sit_down(page, address, "human", "greedy")
        assert settled(page)
        page.route("**/hint", lambda route: route.fulfill(status=503, json={"error": "Preparing: about 9 s left."}))
        page.keyboard.press("h")
        expect(page.locator("#hint-text")).to_have_text("Preparing: about 9 s left.")
        page.unroute("**/hint")
        expect(page.locator("#hint-text")).to_have_text(re.compile(r"^greedy would play .+\.$"))
        expect(page.get_by_role("button", name="Hint")).to_be_enabled()


def test_a_double_click_plays_once(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    action_buttons(page).first.dblclick()
    assert settled(page)
    expect(own_moves(page)).to_have_count(1)
    assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.parametrize("place", ["#actions button", 'svg .target:has(title:text-is("draw"))'])
def test_a_double_click_plays_once_however_fast_the_answer(page: Page, address: str, place: str) -> None:
    """Its second half may meet the next decision's button or place, which lies where the first one's lay."""
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    box = page.locator(place).first.bounding_box()
    assert box is not None
    x, y = box["x"] + 8, box["y"] + 8
    page.mouse.click(x, y)
    expect(own_moves(page)).to_have_count(1)
    assert settled(page)
    following = page.locator(place).first.bounding_box()
    assert following is not None
    assert following["x"] < x < following["x"] + following["width"]
    assert following["y"] < y < following["y"] + following["height"]
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    the_second_move_is_another_button(page)


def test_a_key_held_down_plays_once(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    action_buttons(page).first.focus()
    page.keyboard.down("Enter")
    expect(own_moves(page)).to_have_count(1)
    assert settled(page)
    expect(action_buttons(page).first).to_be_focused()
    page.keyboard.down("Enter")  # the second time without letting go, which a browser takes for a repetition
    page.keyboard.up("Enter")
    the_second_move_is_another_button(page)


def the_second_move_is_another_button(page: Page) -> None:
    """Click the second button: it is the person's second move only if nothing else has been played before."""
    wanted = str(action_buttons(page).nth(1).text_content())
    assert wanted not in ("draw", action_buttons(page).first.text_content())
    action_buttons(page).nth(1).click()
    expect(own_moves(page).nth(1)).to_have_text(wanted)


def test_another_window_may_have_answered(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert settled(other)
    action_buttons(other).last.click()
    # The first window shows the move, though it was in its own turn.
    expect(own_moves(page).last).to_be_visible()
    assert settled(page)
    assert own_moves(page).all_text_contents() == own_moves(other).all_text_contents()
    expect(page.locator("#message")).to_be_empty()
    other.close()


def test_watching_agents(page: Page, address: str) -> None:
    sit_down(page, address, "greedy", "random")
    expect(page.get_by_role("button", name="Review")).to_be_visible()
    assert action_buttons(page).count() == 0
    # Opened anew, the page shows the same game.
    moves = page.locator("#turns .moves span").all_text_contents()
    page.reload()
    expect(page.locator("#turns .moves span")).to_have_count(len(moves))


def test_a_button_shows_what_it_means(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    action_buttons(page).first.hover()
    meant = page.locator("svg .target.meant")
    expect(meant.first).to_be_visible()
    action = str(action_buttons(page).first.text_content())
    assert all(action in title for title in meant.locator("title").all_text_contents())


def test_a_focused_button_shows_what_it_means_when_the_pointer_leaves_another(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    action_buttons(page).first.hover()
    action_buttons(page).nth(1).focus()
    page.mouse.move(0, 0)
    action = str(action_buttons(page).nth(1).text_content())
    titles = page.locator("svg .target.meant title").all_text_contents()
    assert titles
    assert all(action in title for title in titles)


def test_an_action_is_explained_on_hover_and_focus(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    explained = page.locator("#explained")
    expect(explained).not_to_be_visible()
    draw = page.get_by_role("button", name="draw", exact=True)
    draw.hover()
    expect(explained).to_have_text(
        "draw: draw the deck's top card unseen; as a second card: with the postmaster.", timeout=SOON
    )
    expect(draw).to_have_attribute("aria-describedby", "explained")
    page.mouse.move(0, 0)
    expect(explained).not_to_be_visible()
    action_buttons(page).first.focus()
    page.keyboard.press("Tab")
    expect(explained).to_contain_text(str(action_buttons(page).nth(1).text_content()), timeout=SOON)
    page.keyboard.press("Escape")
    expect(explained).not_to_be_visible()


def test_options_and_other_choices_are_explained_on_hover_and_focus(page: Page, address: str) -> None:
    page.goto(address)
    explained = page.locator("#explained")
    page.get_by_text("Options", exact=True).click()
    page.get_by_text("free city with fill").hover()
    expect(explained).to_have_text(
        "free city with fill: fill adds a house in one free city of the route.", timeout=SOON
    )
    page.mouse.move(0, 0)
    expect(explained).not_to_be_visible()
    page.get_by_label("Seconds for a decision").focus()
    expect(explained).to_contain_text("If a decision takes longer, a bot takes it", timeout=SOON)
    expect(page.get_by_label("Seconds for a decision")).to_have_attribute("aria-describedby", "explained")
    page.keyboard.press("Tab")
    expect(explained).to_contain_text("Without this tick, nobody gets hints", timeout=SOON)
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    page.get_by_role("button", name="Hint").hover()
    expect(explained).to_contain_text("Recommended action and search results", timeout=SOON)


def test_a_long_press_explains_an_option_and_does_not_change_it(browser: Browser, address: str) -> None:
    touching = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = touching.new_page()
    phone.goto(address)
    phone.get_by_text("Options", exact=True).tap()
    words = phone.get_by_text("open backs")
    words.scroll_into_view_if_needed()
    place = words.bounding_box()
    assert place is not None
    point = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
    touch = touching.new_cdp_session(phone)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(phone.locator("#explained")).to_contain_text("open backs: with horses:", timeout=SOON)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.get_by_label("open backs")).to_be_checked()
    phone.get_by_label("open backs").tap()
    expect(phone.get_by_label("open backs")).not_to_be_checked()
    touching.close()


def test_a_table_without_hints_offers_none(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("allow hints and undo").uncheck()
    page.get_by_label("Board").select_option("tiny")
    page.get_by_role("button", name="Start game").click()
    assert settled(page)
    expect(page.get_by_role("button", name="Why?")).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).to_be_hidden()
    expect(page.locator("#people")).to_contain_text("There are no hints and no undo at this table.")


def test_a_long_press_explains_an_action_and_does_not_play_it(browser: Browser, page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    before = own_moves(page).count()
    touching = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = touching.new_page()
    phone.goto(page.url)
    button = phone.get_by_role("button", name="draw", exact=True)
    place = button.bounding_box()
    assert place is not None
    point = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
    touch = touching.new_cdp_session(phone)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(phone.locator("#explained")).to_contain_text("draw: draw the deck's top card unseen", timeout=SOON)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(own_moves(phone)).to_have_count(before)
    # At the same place the page would take it for the second half of a double click.
    action_buttons(phone).first.tap()
    expect(own_moves(phone)).to_have_count(before + 1, timeout=SOON)
    touching.close()


def test_reasons_and_rules_are_one_click_away(page: Page, address: str) -> None:
    sit_down(page, address, "human", "greedy")
    assert settled(page)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("#lines p").first).to_have_text(re.compile("^You are to take the first card"))
    page.get_by_role("button", name="Close").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Rules").click()
    expect(opened.value.get_by_role("heading", name="Options")).to_be_visible()


def test_models_are_offered_where_they_fit(page: Page, address: str) -> None:
    page.goto(address)
    offered = page.get_by_label("Seat 1").locator("option")
    model = 'option[value="ppo:thurn_und_taxis-south-2"]'
    expect(page.get_by_label("Seat 1").locator(model)).to_contain_text("much stronger than heuristic")
    page.get_by_label("Seat 1").select_option("ppo:thurn_und_taxis-south-2")
    page.get_by_label("Board").select_option("tiny")
    assert not any("ppo" in text for text in offered.all_text_contents())
    expect(page.get_by_label("Seat 1")).to_have_value("heuristic")
    page.get_by_label("Board").select_option("south")
    page.get_by_label("Players").select_option("3")
    expect(page.get_by_label("Seat 2").locator('option[value="ppo:thurn_und_taxis-south-3"]')).to_have_count(1)
    # Some of them need an option.
    page.get_by_label("Board").select_option("north")
    page.get_by_label("Players").select_option("2")
    without, other = (f'option[value="ppo:thurn_und_taxis-{table}-2"]' for table in ("north", "north_horses"))
    expect(page.get_by_label("Seat 1").locator(without)).to_have_count(1)
    expect(page.get_by_label("Seat 1").locator(other)).to_have_count(0)
    page.get_by_text("Options").click()
    page.get_by_label("horses", exact=True).check()
    expect(page.get_by_label("Seat 1").locator(other)).to_have_count(1)
    expect(page.get_by_label("Seat 1").locator(without)).to_have_count(0)


def test_orders_that_cannot_be_met_are_told(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Board").select_option("tiny")
    page.get_by_text("Options").click()
    page.get_by_label("horses", exact=True).check()
    with page.expect_response("**/games") as answer:
        page.get_by_role("button", name="Start game").click()
    assert answer.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text("the board tiny has no horses")


@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_is_wider_than_the_screen(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    sit_down(page, address, "human", "greedy", board="tiny")
    assert settled(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
