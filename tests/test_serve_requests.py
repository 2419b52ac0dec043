"""What the server to play on refuses, which changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serving import ORDER, Clock, begin, first_seed, play_out, refused, serving, state
from tests.slow_guests import FAILING, GO_ON, THINKING
from thurn_env import Record
from thurn_env.errors import OptionError
from thurn_env.serve.app import make_app
from thurn_env.serve.bodies import MOST_BYTES
from thurn_env.serve.menu import Menu
from thurn_env.serve.tables import Tables


@pytest.fixture
def client() -> Iterator[TestClient]:
    with serving(Clock()) as made:
        yield made


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"move": 0, "action": "close"}, 422, "'close' is not legal"),
        ({"move": 0, "action": "take Wien"}, 422, "there is no action 'take Wien'"),
        ({"move": 0, "action": 3}, 400, "Field 'action' (str) is required"),
        ({"move": 0}, 400, "Field 'action' (str) is required"),
        ({"move": 7, "action": "draw"}, 409, "Field 'move' is 7, but 0 moves have been played"),
        ({"move": "0", "action": "draw"}, 400, "Field 'move' (int) is required"),
        ({"move": True, "action": "draw"}, 400, "Field 'move' (int) is required"),
        ({"action": "draw"}, 400, "Field 'move' (int) is required"),
        ({"move": 0, "action": "draw", "since": 3}, 400, "Field 'since' (str) must be the `moment`"),
        ({"move": 0, "action": "draw", "seat": 1}, 400, "Unknown field 'seat'"),
    ],
)
def test_bad_moves(client: TestClient, body: dict[str, Any], status: int, reason: str) -> None:
    address = begin(client)
    before = state(client, address)
    assert before["move"] == 0
    assert reason in refused(client.post(f"{address}/moves", json=body), status)
    assert state(client, address) == before


def test_a_double_click_plays_once(client: TestClient) -> None:
    address = begin(client)
    legal = state(client, address)["turn"]["legal"]
    body = {"move": 0, "action": legal[0]}
    assert client.post(f"{address}/moves", json=body).status_code == 200
    after = state(client, address)
    refused(client.post(f"{address}/moves", json=body), 409)
    assert state(client, address) == after


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b"{", 400, "The request body is not valid JSON."),
        (b"\xff\xfe", 400, "The request body is not valid JSON."),
        (b"[" * 10_000, 400, "The request body is not valid JSON."),
        (b"[1]", 400, "Send a JSON object."),
        (b'{"x":"' + b"x" * MOST_BYTES + b'"}', 413, "must not exceed 16,384 bytes"),
    ],
)
def test_bad_bodies(client: TestClient, content: bytes, status: int, reason: str) -> None:
    address = begin(client)
    headers = {"content-type": "application/json"}
    for path in ("/games", f"{address}/moves", f"{address}/hint", f"{address}/undo"):
        assert reason in refused(client.post(path, content=content, headers=headers), status)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"board": "/etc/passwd"}, "There is no board '/etc/passwd'; the boards are"),
        ({"board": ["tiny"]}, "There is no board"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"agents": ["human", "os:system"]}, "agents must be a list with one of human, heuristic"),
        ({"agents": "human"}, "agents must be a list"),
        ({"agents": ["human", "human"]}, "Leave out 'seed' at a table for several people"),
        ({"name": ""}, "Field 'name' (str) must be a name of 1 to 24 printable characters"),
        ({"name": "x" * 25}, "Field 'name' (str) must be"),
        ({"name": "a\u202eb"}, "Field 'name' (str) must be"),
        ({"name": 7}, "Field 'name' (str) must be"),
        ({"clock": 4}, "Field 'clock' must be null or 5 to 86400 seconds"),
        ({"clock": "10"}, "Field 'clock' must be null"),
        ({"clock": True}, "Field 'clock' must be null"),
        ({"listed": 1}, "Field 'listed' must be true or false"),
        ({"hints": "no"}, "Field 'hints' must be true or false"),
        ({"hints": False}, "Leave out 'seed' at a table without hints"),
        ({"agents": ["human"]}, "for 2 to 4 players, not 1"),
        ({"options": {"horses": True}}, "option horses: the board tiny has no horses"),
        ({"options": {"max_rounds": "x"}}, "option max_rounds must be a whole number"),
        ({"options": {"board": "x"}}, "options must be an object of the game's options"),
        ({"options": []}, "options must be an object"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"cards": 1}, "Unknown field 'cards'"),
    ],
)
def test_bad_orders(client: TestClient, order: dict[str, Any], reason: str) -> None:
    assert reason in refused(client.post("/games", json=ORDER | order), 400)


def test_what_is_not_there(client: TestClient) -> None:
    assert "There is no such game" in refused(client.get("/games/none/state"), 404)
    assert "There is no such game" in refused(client.post("/games/none/moves", json={"move": 0, "action": "x"}), 404)
    refused(client.get("/elsewhere"), 404)
    refused(client.get("/games"), 405)
    page = client.get("/games/none")
    assert page.status_code == 404
    assert "There is no such game; it may have expired." in page.text
    assert "<form" in page.text


def test_it_is_not_your_turn(client: TestClient) -> None:
    address = begin(client, agents=[THINKING, "human"], seed=first_seed(0))
    news = client.get(f"{address}/state").json()
    assert news["turn"] is None
    for path, body in (("moves", {"action": "draw"}), ("hint", {}), ("undo", {})):
        answer = client.post(f"{address}/{path}", json={"move": news["move"], **body})
        assert refused(answer, 409) == "It is not your turn."
    # Other games go on meanwhile.
    assert play_out(client, begin(client))["over"]
    GO_ON.set()
    assert state(client, address)["turn"]


def test_an_agent_that_fails_tells_nothing(client: TestClient) -> None:
    address = begin(client, agents=[FAILING, "human"], seed=first_seed(0))
    news = state(client, address)
    assert news["problem"] == ""
    assert news["seats"][0] == {
        "name": FAILING,
        "person": False,
        "open": False,
        "stand_in": "heuristic",
        "reason": "failed",
        "absent": False,
    }
    assert "my cards are" not in client.get(address).text + str(news)
    play_out(client, address)
    agents = Record.from_json(client.get(f"{address}/record").text).agents
    assert agents == [f"{FAILING}+heuristic", "human"]


# Strangers


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80", "[::1"])
def test_names_that_lead_here_from_outside(client: TestClient, host: str) -> None:
    said = refused(client.get("/", headers={"host": host}), 403)
    if host in ("", "[::1"):
        assert said == "The request names no host; open the page at the address that thurn serve prints."
    else:
        name = host.removesuffix(":80")
        assert said == f"Unknown host name {name!r}; to allow it, pass it to thurn serve with --names."


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.7:80", "LOCALHOST"])
def test_names_of_this_machine(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


def test_a_name_that_was_allowed() -> None:
    app = make_app(Menu(), Tables(1, 1.0), names=["table.example"])
    with TestClient(app, base_url="http://table.example") as made:
        assert made.get("/").status_code == 200


def test_a_name_with_letters_beyond_ascii() -> None:
    """Browsers send it encoded."""
    app = make_app(Menu(), Tables(1, 1.0), names=["T\u00e4fele.example"])
    with TestClient(app, base_url="http://xn--tfele-gra.example") as made:
        assert made.get("/").status_code == 200


@pytest.mark.parametrize("name", ["http://x.y/", "x.z:80", "", "a b", "x" * 300])
def test_names_that_no_request_can_have(name: str) -> None:
    with pytest.raises(OptionError, match="--names takes names of hosts such as games"):
        make_app(Menu(), Tables(1, 1.0), names=[name])


@pytest.mark.parametrize("link", ["\ud800", "/games/\u00e9"])
def test_links_that_no_table_can_have(tmp_path: Path, link: str) -> None:
    with serving(Clock(), tmp_path) as kept:
        answer = kept.post(
            "/tables", content=json.dumps({"links": [link]}), headers={"content-type": "application/json"}
        )
    assert answer.json()["mine"] == [None]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:9999"}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_pages_of_other_sites(client: TestClient, headers: dict[str, str], status: int) -> None:
    sent = {"content-type": "application/json", **headers}
    refused(client.post("/games", content=json.dumps(ORDER), headers=sent), status)


def test_headers(client: TestClient) -> None:
    address = begin(client)
    for path in ("/", address, f"{address}/state", "/nowhere"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
