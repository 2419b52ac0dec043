"""Several people at the pages of the server, in real browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import TIMEOUT, faultless, needs_chromium
from tests.real_server import RealServer
from tests.serving import prepare
from thurn_env import Record
from thurn_env.table.replay import verify

PAUSE = 20.0
"""Milliseconds between two looks at the pages."""
BOARDS = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}
GONE = r"(40[034]|429|50[23]) \(|ERR_(CONNECTION|CONTENT_LENGTH|EMPTY|NETWORK|INCOMPLETE|SOCKET)"
"""What a browser notes of refused requests, and of a server that was killed."""

pytestmark = needs_chromium


class People(NamedTuple):
    """Two people with a browser context each, and their server."""

    ann: Page
    bob: Page
    server: RealServer


@pytest.fixture
def people(browser: Browser, tmp_path: Path) -> Iterator[People]:
    server = RealServer(tmp_path)
    with ExitStack() as stack:
        stack.callback(server.close)
        ann, bob = (stack.enter_context(faultless(browser, server.address, allowed=GONE)) for _ in range(2))
        for page in (ann, bob):
            page.set_default_timeout(TIMEOUT)
        yield People(ann, bob, server)


def open_table(page: Page, address: str, *agents: str, game: str = "thurn_und_taxis", clock: str = "") -> None:
    """Open a table on the start page as Ann."""
    prepare({"game": game, "board": BOARDS[game], "agents": [*agents, "heuristic"][: len(agents)]})
    page.goto(address)
    page.get_by_label("Your name").fill("Ann")
    page.locator("#game").select_option(game)
    page.get_by_label("Board").select_option(BOARDS[game])
    page.get_by_label("Players").select_option(str(len(agents)))
    for seat, agent in enumerate(agents):
        page.get_by_label(f"Seat {seat}").select_option(agent)
    page.get_by_label("Seconds for a decision").fill(clock)
    page.get_by_role("button", name="Open table").click()
    page.wait_for_url("**/games/*")


def join(page: Page, address: str) -> None:
    """Join the open table on the start page as Bob."""
    page.goto(address)
    page.locator("#open a").click()
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Join the table").click()
    expect(page.get_by_text("Bob (you)")).to_be_visible()


def start(people: People) -> None:
    """Let Ann start the game, and show both people everything at once."""
    expect(people.ann.get_by_text("All seats are taken.")).to_be_visible()
    people.ann.get_by_role("button", name="Start game").click()
    for page in (people.ann, people.bob):
        page.get_by_label("speed of other players").select_option("instant")


def their_turn(people: People) -> Page | None:
    """Wait until somebody is to choose, and return their page; None if the game is over."""
    for _ in range(int(TIMEOUT / PAUSE)):
        for page in (people.ann, people.bob):
            if page.locator("#actions button").count():
                return page
        if people.ann.locator("#review").is_visible() and people.bob.locator("#review").is_visible():
            return None
        people.ann.wait_for_timeout(PAUSE)
    raise AssertionError("nobody is to choose, and the game is not over")


def choose(page: Page, random: Random) -> None:
    """Click one of the buttons, and one of the choices that it opens."""
    moves = page.locator("#turns .moves span")
    before = moves.count()
    buttons = page.locator("#actions button")
    buttons.nth(random.randrange(buttons.count())).click()
    if page.locator("#choice").is_visible():
        choices = page.locator("#choice button")
        choices.nth(random.randrange(choices.count())).click()
    expect(moves.nth(before)).to_be_visible()


def in_turn(people: People) -> tuple[Page, Page]:
    """Let two people begin a game; returns the page of the one who is to choose, and the other one."""
    open_table(people.ann, people.server.address, "human", "human")
    join(people.bob, people.server.address)
    start(people)
    page = their_turn(people)
    assert page is not None
    return page, people.bob if page is people.ann else people.ann


@pytest.mark.parametrize("game", BOARDS)
def test_two_people_and_an_agent_play_a_whole_game(people: People, game: str, tmp_path: Path) -> None:
    """The server is killed in the middle and started again; the pages go on by themselves."""
    random = Random(3)
    open_table(people.ann, people.server.address, "human", "human", "greedy", game=game)
    join(people.bob, people.server.address)
    start(people)
    decisions, seen = 0, set()
    while (page := their_turn(people)) is not None:
        seen.add(page)
        expect(page.locator("#whose")).to_contain_text("Your turn: ")
        assert page.title().startswith("Your turn \N{EN DASH} ")
        choose(page, random)
        decisions += 1
        if decisions == 12:
            people.server.kill()
            expect(people.ann.locator("#message")).to_contain_text("cannot be reached")
            people.server.start()
            expect(people.ann.locator("#message")).to_be_empty()
    assert seen == {people.ann, people.bob}
    assert decisions > 20
    records = []
    for page in (people.ann, people.bob):
        assert not page.title().startswith("Your turn")
        with page.expect_download() as download:
            page.get_by_role("link", name="Record").click()
        download.value.save_as(tmp_path / "game.json")
        records.append(Record.load(tmp_path / "game.json"))
    assert records[0] == records[1]
    verify(records[0])
    assert records[0].agents == ["human:Ann", "human:Bob", "greedy"]
    # Bob's page learns that Ann has set up a rematch.
    people.ann.get_by_role("button", name="Rematch").click()
    people.bob.get_by_role("button", name="Join the rematch").click()
    expect(people.bob.get_by_text("Bob (you)")).to_be_visible()
    start(people)
    assert their_turn(people) is not None


def test_leaving_and_returning_watching_and_lists(people: People, browser: Browser) -> None:
    random = Random(4)
    open_table(people.ann, people.server.address, "human", "human")
    join(people.bob, people.server.address)
    start(people)
    for _ in range(4):
        page = their_turn(people)
        assert page is not None
        choose(page, random)
    people.bob.get_by_role("button", name="Leave the table").click()
    expect(people.ann.locator("#people")).to_contain_text("Bob left: heuristic plays")
    people.bob.get_by_role("button", name="Return to the table").click()
    expect(people.ann.locator("#people")).not_to_contain_text("left")
    # The start page names the own tables, and a third browser finds the table to watch.
    expect(people.bob.locator("#people")).to_contain_text("Bob (you)")
    seat = people.bob.url
    people.bob.goto(people.server.address)
    expect(people.bob.get_by_label("Your name")).to_have_value("Bob")
    expect(people.bob.locator("#mine")).to_contain_text(re.compile("tiny board, 2 players .(your turn|Ann to move)"))
    expect(people.bob.locator("#watch")).to_be_hidden()
    people.bob.locator("#mine a").click()
    people.bob.wait_for_url(seat)
    with faultless(browser, people.server.address) as third:
        third.goto(people.server.address)
        third.locator("#watch a").click()
        expect(third.locator("#people li")).to_have_text(["Ann", "Bob"])
        expect(third.locator("#turns .moves span").first).to_be_visible()
        assert third.locator("#actions button").count() == 0


def test_a_choice_stays_when_somebody_leaves(people: People) -> None:
    """The focus stays on its button: Enter must not play another action."""
    page, other = in_turn(people)
    button = page.locator("#actions button").nth(2)
    button.focus()
    other.get_by_role("button", name="Leave the table").click()
    expect(page.locator("#people")).to_contain_text("left: heuristic plays")
    expect(button).to_be_focused()
    other.get_by_role("button", name="Return to the table").click()
    expect(page.locator("#people")).not_to_contain_text("left")
    expect(button).to_be_focused()
    choose(page, Random(1))


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_busy_server_is_asked_again(people: People, status: int) -> None:
    page, other = in_turn(people)
    other.route("**/state*", lambda route: route.fulfill(status=status, json={"error": "Wait a minute."}))
    moves = other.locator("#turns .moves span").count()
    choose(page, Random(1))
    expect(other.locator("#message")).to_have_text("The server is busy; trying again.")
    other.unroute("**/state*")
    expect(other.locator("#turns .moves span")).to_have_count(moves + 1)
    expect(other.locator("#message")).to_be_empty()


def test_a_hidden_page_tells_that_its_person_is_there(people: People) -> None:
    for own in (people.ann, people.bob):
        own.clock.install()
        own.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away ?? false })")
    page, other = in_turn(people)
    # It holds one request; the next one, after somebody else has left, finds the page hidden.
    page.evaluate("window.away = true")
    other.get_by_role("button", name="Leave the table").click()
    expect(page.locator("#people")).to_contain_text("left: heuristic plays")
    with page.expect_request("**/why"):
        page.clock.run_for(20_000)
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    other.get_by_role("button", name="Return to the table").click()
    expect(page.locator("#people")).not_to_contain_text("left")


def test_tabs_of_a_seat_stay_in_step(people: People) -> None:
    page, _ = in_turn(people)
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(tab.locator("#actions button").first).to_be_visible()
    # The tab is in its own turn as well, and nobody touches it.
    choose(page, Random(1))
    expect(tab.locator("#turns .moves span").first).to_be_visible()
    tab.close()


def test_a_clock_and_an_invitation(people: People) -> None:
    people.ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_table(people.ann, people.server.address, "human", "human", clock="600")
    people.ann.get_by_role("button", name="Copy invitation").click()
    expect(people.ann.get_by_role("button", name="Copied")).to_be_visible()
    invitation = people.ann.evaluate("navigator.clipboard.readText()")
    people.bob.goto(invitation)
    expect(people.bob.get_by_text("10 minutes for a decision")).to_be_visible()
    people.bob.get_by_label("Your name").fill("Bob")
    people.bob.get_by_role("button", name="Join the table").click()
    start(people)
    page = their_turn(people)
    assert page is not None
    expect(page.locator("#clock")).to_have_text(re.compile(r"^(10:00|9:5\d) left for this decision$"))
    # Both pages wait for news now; the server ends without an error nevertheless.
    assert people.server.close() == ""
    people.server.start()
    # The sound needs nothing from outside, and fails on no page.
    page.get_by_label("sound at your turn").check()
    page.reload()
    expect(page.get_by_label("sound at your turn")).to_be_checked()
