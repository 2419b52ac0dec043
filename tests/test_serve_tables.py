"""Tables for several people: links, joining, starting, leaving, clocks, and watching."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.guest_programs import spec
from tests.serving import LIMIT, Clock, begin, open_table, play_together, prepare, refused, serving, state
from tests.slow_guests import SILENT, THINKING, Silent
from thurn_env import Record
from thurn_env.games.contract import SECRET
from thurn_env.serve import preparing
from thurn_env.serve.clock import Clock as DecisionClock
from thurn_env.table.replay import verify

RAILS = {"game": "zug_um_zug_deutschland", "board": "tiny_rails"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock) -> Iterator[TestClient]:
    with serving(clock) as made:
        yield made


def started(client: TestClient, *names: str, **order: Any) -> tuple[list[str], dict[str, Any]]:
    """A table whose game has begun."""
    addresses, links = open_table(client, *names, **order)
    assert client.post(f"{addresses[0]}/start", json={}).json() == {"started": True}
    return addresses, links


def people(client: TestClient, address: str) -> Any:
    return client.get(f"{address}/table").json()


@pytest.mark.parametrize("order", [{"board": "tiny"}, RAILS])
def test_two_people_play_a_whole_game(client: TestClient, order: dict[str, Any]) -> None:
    addresses, _ = started(client, "Ann", "Bob", **order)
    news = play_together(client, addresses)
    assert news["over"]
    assert {move["seat"] for move in news["moves"]} == {0, 1}
    record = Record.from_json(client.get(f"{addresses[1]}/record").text)
    verify(record)
    assert record.agents == ["human:Ann", "human:Bob"]


def test_people_and_an_agent(client: TestClient) -> None:
    addresses, _ = started(client, "Ann", "Bob", agents=["human", "greedy", "human"])
    news = [client.get(f"{address}/state").json()["seat"] for address in addresses]
    assert news == [0, 2]
    assert play_together(client, addresses)["over"]


def test_all_links_differ_and_cannot_be_guessed(client: TestClient) -> None:
    addresses, links = open_table(client, "Ann", "Bob")
    every = [*addresses, links["invitation"], links["watching"]]
    assert len(set(every)) == 4
    assert all(len(link.removeprefix("/games/")) >= 22 for link in every)
    # Whoever joins gets a link that nobody else knows, not even who opened the table.
    told = json.dumps([links, people(client, addresses[0]), client.get(addresses[0]).text])
    assert addresses[1] not in told
    for link in (links["invitation"], links["watching"]):
        told = json.dumps([people(client, link), client.get(link).text])
        assert not any(address.removeprefix("/games/") in told for address in addresses)


def test_what_only_a_seat_may_do(client: TestClient) -> None:
    addresses, links = started(client, "Ann", "Bob")
    for link in (links["invitation"], links["watching"]):
        news = client.get(f"{link}/state").json()
        assert (news["seat"], news["turn"]) == (None, None)
        for path, body in (("moves", {"move": 0, "action": "draw"}), ("hint", {"move": 0}), ("undo", {"move": 0})):
            assert refused(client.post(f"{link}/{path}", json=body), 403) == "This link is for watching only."
        for path in ("start", "leave", "return"):
            assert refused(client.post(f"{link}/{path}", json={}), 403) == "This link is not the link of a seat."
    waiting = 1 - client.get(f"{addresses[0]}/state").json()["to_move"]
    answer = client.post(f"{addresses[waiting]}/moves", json={"move": 0, "action": "draw"})
    assert refused(answer, 409) == "It is not your turn."


def test_joining(client: TestClient) -> None:
    (own,), links = open_table(client, "Ann", agents=["human", "human", "human"])
    seats = people(client, links["invitation"])["seats"]
    assert [seat["open"] for seat in seats] == [False, True, True]
    assert [seat["name"] for seat in seats] == ["Ann", "", ""]
    join = f"{links['invitation']}/join"
    assert "must be an open seat: 1, 2" in refused(client.post(join, json={"name": "Bob", "seat": 0}), 409)
    assert "must be an open seat: 1, 2" in refused(client.post(join, json={"name": "Bob", "seat": "1"}), 409)
    assert "Field 'name'" in refused(client.post(join, json={"name": " "}), 400)
    assert "by its invitation" in refused(client.post(f"{links['watching']}/join", json={"name": "Bob"}), 403)
    assert "by its invitation" in refused(client.post(f"{own}/join", json={"name": "Bob"}), 403)
    bob = client.post(join, json={"name": "  Bob  the\tFirst ", "seat": 2}).json()["address"]
    assert people(client, own)["seats"][2]["name"] == "Bob the First"
    assert people(client, bob)["seat"] == 2
    client.post(join, json={"name": "Cy"})
    assert refused(client.post(join, json={"name": "Dan"}), 409) == "All seats are taken."
    # Before the start nobody is absent: the request is refused, and Bob keeps his seat.
    said = refused(client.post(f"{bob}/leave", json={"seat": 0}), 409)
    assert said == "Nobody is absent before the game has been started; leave out field 'seat'."
    # Who leaves before the start makes room, and their link becomes invalid.
    client.post(f"{bob}/leave", json={})
    refused(client.get(f"{bob}/table"), 404)
    assert client.post(join, json={"name": "Dan"}).status_code == 201
    assert client.post(f"{own}/start", json={}).status_code == 200
    assert "has begun already" in refused(client.post(f"{own}/start", json={}), 409)
    assert "has begun; you can watch" in refused(client.post(join, json={"name": "Eve"}), 409)


def test_before_the_start_there_is_no_game(client: TestClient) -> None:
    (own, _), _ = open_table(client, "Ann", "Bob")
    said = refused(client.get(f"{own}/state"), 409)
    assert said == "The game has not been started."
    assert said == refused(client.post(f"{own}/moves", json={"move": 0, "action": "draw"}), 409)


def test_a_bot_takes_an_open_seat_at_the_start(client: TestClient) -> None:
    (own,), _ = open_table(client, "Ann", agents=["human", "human"])
    client.post(f"{own}/start", json={})
    news = play_together(client, [own])
    assert news["seats"][1] == {
        "name": "heuristic",
        "person": True,
        "open": False,
        "stand_in": "heuristic",
        "reason": "open",
        "absent": False,
    }
    assert Record.from_json(client.get(f"{own}/record").text).agents == ["human:Ann", "heuristic"]


def test_a_bot_plays_for_who_left_and_gives_the_seat_back(client: TestClient) -> None:
    (ann, bob), _ = started(client, "Ann", "Bob")
    play_together(client, [ann, bob], moves=4)
    assert refused(client.post(f"{bob}/return", json={}), 409) == "You sit at the table already."
    assert client.post(f"{bob}/leave", json={}).json() == {"left": True}
    assert refused(client.post(f"{bob}/leave", json={}), 409) == "You have left already."
    news = play_together(client, [ann], moves=20)
    assert news["seats"][1]["stand_in"] == "heuristic"
    assert news["seats"][1]["reason"] == "left"
    # Now Ann is to move, so the bot does not act any more.
    assert client.post(f"{bob}/return", json={}).json() == {"left": False}
    assert play_together(client, [ann, bob])["over"]
    assert Record.from_json(client.get(f"{ann}/record").text).agents == ["human:Ann", "human:Bob+heuristic"]
    assert refused(client.post(f"{bob}/leave", json={}), 409) == "The game is over."


def test_who_waits_learns_that_somebody_left(client: TestClient) -> None:
    (ann, bob), links = started(client, "Ann", "Bob")
    before = client.get(f"{links['watching']}/state").json()
    client.post(f"{bob}/leave", json={})
    news = client.get(f"{links['watching']}/state", params={"since": before["moment"]}).json()
    assert news["seats"][1]["reason"] == "left"
    assert state(client, ann)["moment"] != before["moment"]


def test_tabs_and_devices_of_a_seat_stay_in_step(client: TestClient) -> None:
    """A tab learns of moves and undone moves that another one made, also in the own turn."""
    address = begin(client)
    tab = state(client, address)
    hints = 0
    while hints < 8:
        news = state(client, address)
        action = client.post(f"{address}/hint", json={"move": news["move"]}).json()["action"]
        client.post(f"{address}/moves", json={"move": news["move"], "action": action})
        tab = client.get(f"{address}/state", params={"since": tab["moment"]}).json()
        assert tab["moves"][0]["move"] == action
        hints += 1
        news = state(client, address)
        if news["turn"]["undo"]:
            client.post(f"{address}/undo", json={"move": news["move"]})
            tab = client.get(f"{address}/state", params={"since": tab["moment"]}).json()
            assert tab["move"] == news["move"] - 1
            break
        tab = state(client, address)
    assert client.get(f"{address}/state").json()["frames"] == state(client, address)["frames"]


def test_secret_moves_are_told_to_their_seat_only(client: TestClient) -> None:
    (ann, bob), links = started(client, "Ann", "Bob", **RAILS)
    play_together(client, [ann, bob], moves=12)
    moves = [client.get(f"{link}/state").json()["moves"] for link in (ann, bob, links["watching"])]
    for told, seat in zip(moves, (0, 1, None), strict=True):
        hidden = {move["seat"] for move in told if move["move"] == SECRET}
        assert hidden == {0, 1} - {seat}


def test_others_may_let_a_bot_play_for_somebody_who_is_absent(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann, bob), _ = started(client, "Ann", "Bob")
    said = "Field 'seat' must be the seat of another person who is absent."
    for seat in (0, 1, 2, -1, "1", None):
        assert refused(client.post(f"{ann}/leave", json={"seat": seat}), 409) == said
    monkeypatch.setattr("thurn_env.serve.presence.ABSENT", -1.0)
    assert refused(client.post(f"{ann}/leave", json={"seat": 0}), 409) == said
    assert client.get(f"{ann}/state").json()["seats"][1]["absent"]
    assert client.post(f"{ann}/leave", json={"seat": 1}).status_code == 200
    news = play_together(client, [ann], moves=6)
    assert (news["seats"][1]["reason"], news["seats"][1]["absent"]) == ("left", False)
    assert client.post(f"{bob}/return", json={}).status_code == 200


# The clock


def test_a_bot_takes_a_late_decision(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thurn_env.serve.table.SHORTEST_CLOCK", 0.05)
    (ann, bob), _ = started(client, "Ann", "Bob", clock=0.05)
    news = client.get(f"{ann}/state").json()
    while not news["over"]:  # nobody does anything
        news = client.get(f"{ann}/state", params={"since": news["moment"]}).json()
    assert all(seat["stand_in"] == "" for seat in news["seats"])
    assert Record.from_json(client.get(f"{bob}/record").text).agents == ["human:Ann+heuristic", "human:Bob+heuristic"]


def test_nobody_gains_time_by_leaving(client: TestClient) -> None:
    """While one person has to choose, the other one leaves and comes back."""
    addresses, _ = started(client, "Ann", "Bob", clock=30)
    mover, other = sorted(addresses, key=lambda address: client.get(f"{address}/state").json()["turn"] is None)
    while (left := client.get(f"{mover}/state").json()["clock"]) > 29.9:
        pass
    for what in ("leave", "return"):
        assert client.post(f"{other}/{what}", json={}).status_code == 200
        assert client.get(f"{mover}/state").json()["clock"] < left


def test_a_clock_goes_on_for_the_same_decision() -> None:
    async def told() -> list[float | None]:
        clock, first, second = DecisionClock(60), object(), object()
        clock.start(first, lambda: None)
        loop = asyncio.get_running_loop()
        clock._end -= 50  # as if 50 seconds had passed
        clock.stop()
        times = [clock.left()]
        for decision in (first, first, second):
            clock.start(decision, lambda: None)
            times.append(clock.left())
        clock.stop()
        rung = loop.create_future()
        clock._end -= 100
        clock.start(second, lambda: rung.set_result(None))
        await rung
        return times

    none, *times = asyncio.run(told())
    assert none is None
    assert times == [pytest.approx(10, abs=1), pytest.approx(10, abs=1), pytest.approx(60, abs=1)]


def test_the_clock_is_told_and_forbids_undoing(client: TestClient) -> None:
    address = begin(client, clock=3600)
    news = state(client, address)
    while news["move"] < 12:
        assert 3500 < news["clock"] <= 3600
        assert not news["turn"]["undo"]
        action = client.post(f"{address}/hint", json={"move": news["move"]}).json()["action"]
        client.post(f"{address}/moves", json={"move": news["move"], "action": action})
        news = state(client, address)
    said = refused(client.post(f"{address}/undo", json={"move": news["move"]}), 409)
    assert said == "With a clock, decisions cannot be undone."


# Agents that hang


def test_an_agent_that_hangs_is_replaced() -> None:
    with serving(Clock(), patience=0.2) as client:
        other = begin(client)
        address = begin(client, agents=["human", THINKING])
        assert play_together(client, [address])["over"]
        assert Record.from_json(client.get(f"{address}/record").text).agents == ["human", f"{THINKING}+heuristic"]
        assert play_together(client, [other])["over"]


def test_an_agent_that_hangs_in_its_trial_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "START_SECONDS", 0.1)
    Silent.closed.clear()
    with serving(Clock(), patience=0.1, agents=(SILENT,)) as client:
        order = {"board": "tiny", "agents": ["human", SILENT], "seed": 1}
        prepare(order)
        answer = client.post("/games", json=order)
        assert refused(answer, 400) == "An agent of this table did not choose within 0.1 s."
        assert Silent.closed.wait(60)
        assert play_together(client, [begin(client)])["over"]


def test_a_scripted_bot_may_take_longer() -> None:
    # On a busy machine it may, and the game could not continue without it.
    with serving(Clock(), patience=0.0) as client:
        address = begin(client)
        assert play_together(client, [address])["over"]
        assert Record.from_json(client.get(f"{address}/record").text).agents == ["human", "greedy"]


@pytest.mark.parametrize("mode", ["dying", "illegal", "rude", "deaf"])
def test_a_program_that_dies_or_hangs_is_replaced(mode: str) -> None:
    program = "guest_program.py"
    with serving(Clock(), patience=5, agents=(spec(mode),)) as client:
        address = begin(client, agents=["human", program])
        assert play_together(client, [address])["seats"][1]["reason"] == "failed"
        assert Record.from_json(client.get(f"{address}/record").text).agents == ["human", f"{program}+heuristic"]


# Lists


def lists(client: TestClient, *links: str) -> Any:
    return client.post("/tables", json={"links": list(links)}).json()


def test_lists_of_the_start_page(client: TestClient) -> None:
    (ann,), links = open_table(client, "Ann", agents=["human", "human"])
    title = "Thurn und Taxis, tiny board: Ann, open seat"
    assert lists(client) == {"mine": [], "open": [{"title": title, "address": links["invitation"]}], "watch": []}
    assert lists(client, ann, "/games/nothing") == {"mine": ["not started", None], "open": [], "watch": []}
    client.post(f"{ann}/start", json={})
    found = lists(client)
    assert found["open"] == []
    assert found["watch"] == [{"title": "Thurn und Taxis, tiny board: Ann, heuristic", "address": links["watching"]}]
    state(client, ann)
    assert lists(client, ann)["mine"] == ["your turn"]
    play_together(client, [ann])
    assert lists(client, ann) == {"mine": ["over"], "open": [], "watch": []}


def test_a_table_may_stay_off_the_lists(client: TestClient) -> None:
    open_table(client, "Ann", "Bob", listed=False, agents=["human", "human", "human"])
    begin(client, listed=False)
    assert lists(client) == {"mine": [], "open": [], "watch": []}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(45, "45 seconds"), (60, "60 seconds"), (90, "90 seconds"), (600, "10 minutes"), (86400, "24 hours")],
)
def test_the_clock_is_listed_in_words(client: TestClient, seconds: int, words: str) -> None:
    open_table(client, "Ann", agents=["human", "human"], clock=seconds)
    (listed,) = client.post("/tables", json={}).json()["open"]
    assert listed["title"] == f"Thurn und Taxis, tiny board, {words} for a decision: Ann, open seat"


def test_lists_keep_no_table_alive(client: TestClient, clock: Clock) -> None:
    addresses = [begin(client) for _ in range(LIMIT)]
    clock.now = 99.0
    assert None not in lists(client, *addresses)["mine"]
    clock.now = 101.0
    refused(client.get(f"{addresses[0]}/state"), 404)
    assert lists(client, *addresses)["mine"] == [None] * LIMIT


@pytest.mark.parametrize("links", ["x", [1], ["x"] * 21, {"a": 1}])
def test_bad_lists(client: TestClient, links: Any) -> None:
    said = refused(client.post("/tables", json={"links": links}), 400)
    assert said == "Field 'links' must be a list of up to 20 addresses of seats."


def test_names_cannot_break_a_page(client: TestClient) -> None:
    name = "</script><b>&\"'"
    (ann, _), links = started(client, name, "Bob")
    for link in (ann, links["watching"]):
        assert "<b>" not in client.get(link).text
        drawn = json.dumps(client.get(f"{link}/state").json()["frames"][0]["changes"])
        assert "<b>" not in drawn
        assert "&lt;b&gt;" in drawn
