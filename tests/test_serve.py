"""The server to play on: what it answers, what it refuses, and that hidden cards never leave it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.slow_guests import FAILING, GO_ON, THINKING
from thurn_env import Game, Record, make_rules
from thurn_env.agent import ScriptedAgent
from thurn_env.cli import main
from thurn_env.errors import AgentError
from thurn_env.games import GAMES
from thurn_env.serve.app import MOST_BYTES, make_app
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.live_games import LiveGames
from thurn_env.serve.menu import Menu
from thurn_env.session import Session

ORDER = {"board": "tiny", "agents": ["human", "greedy"], "seed": 4}
LIMIT = 5
EXPIRY = 100.0


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock) -> Iterator[TestClient]:
    GO_ON.clear()
    menu = Menu((THINKING, FAILING))
    with TestClient(make_app(menu, LiveGames(LIMIT, EXPIRY, clock), "greedy"), base_url="http://localhost") as made:
        yield made
        GO_ON.set()


def begin(client: TestClient, **order: Any) -> str:
    """Set a table up; its address."""
    answer = client.post("/games", json=ORDER | order)
    assert answer.status_code == 201, answer.text
    address: str = answer.json()["address"]
    return address


def state(client: TestClient, address: str) -> Any:
    """The position once the person is to choose, or the game is over."""
    news = client.get(f"{address}/state").json()
    while not (news["turn"] or news["over"] or news["problem"]):
        news = client.get(f"{address}/state", params={"since": news["moment"]}).json()
    return client.get(f"{address}/state").json()


def play_out(client: TestClient, address: str) -> Any:
    """Play the first legal action to the end."""
    news = state(client, address)
    while not news["over"]:
        answer = client.post(f"{address}/moves", json={"move": news["move"], "action": news["turn"]["legal"][-1]})
        assert answer.status_code == 200, answer.text
        news = state(client, address)
    return news


def refused(answer: Any, status: int) -> str:
    """The sentence of an error."""
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    sentence: str = answer.json()["error"]
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence
    return sentence


# Playing


def test_a_game_from_beginning_to_end(client: TestClient) -> None:
    address = begin(client)
    for path in ("record", "review"):
        assert "when the game is over" in refused(
            client.get(f"{address}/{path}") if path == "record" else client.post(f"{address}/{path}", json={}), 409
        )
    news = play_out(client, address)
    assert news["turn"] is None
    assert "The game is over" in news["frames"][0]["label"]
    answer = client.get(f"{address}/record")
    assert answer.headers["content-disposition"] == 'attachment; filename="thurn_und_taxis.json"'
    record = Record.from_json(answer.text)
    record.verify()
    assert record.agents == ["human", "greedy"]
    assert record.moves == [move["move"] for move in news["moves"]]
    assert "The game is over" in refused(client.post(f"{address}/moves", json={"move": 1, "action": "draw"}), 409)


def test_news_add_up_to_the_position(client: TestClient) -> None:
    """What comes bit by bit is what comes to somebody who opens the page anew."""
    address = begin(client)
    news = state(client, address)
    layers: dict[int, str] = dict(news["frames"][0]["changes"])
    moves = news["moves"]
    for _ in range(8):
        body = {"move": news["move"], "action": news["turn"]["legal"][0], "since": news["moment"]}
        news = client.post(f"{address}/moves", json=body).json()
        while True:
            moves = moves[: news["first"]] + news["moves"]
            for frame in news["frames"]:
                layers.update(frame["changes"])
            if news["turn"] or news["over"]:
                break
            news = client.get(f"{address}/state", params={"since": news["moment"]}).json()
    whole = state(client, address)
    assert layers == dict(whole["frames"][0]["changes"])
    assert moves == whole["moves"]


def test_targets_name_legal_actions(client: TestClient) -> None:
    address = begin(client)
    turn = state(client, address)["turn"]
    drawn = "".join(turn["targets"].values())
    for index, action in enumerate(turn["legal"]):
        assert f'data-actions="{index}"' in drawn, action
    assert f"<title>{turn['legal'][0]}</title>" in drawn


def test_watching(client: TestClient) -> None:
    address = begin(client, agents=["greedy", "random"])
    news = state(client, address)
    assert news["over"]
    assert news["seat"] is None
    Record.from_json(client.get(f"{address}/record").text).verify()


def test_a_hint(client: TestClient) -> None:
    address = begin(client)
    news = state(client, address)
    answers = [client.post(f"{address}/hint", json={"move": news["move"]}).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["action"] in news["turn"]["legal"]
    assert answers[0]["text"] == f"greedy would play {answers[0]['action']}."


def test_undo(client: TestClient) -> None:
    address = begin(client)
    news = state(client, address)
    assert not news["turn"]["undo"]
    assert "no decision to take back" in refused(client.post(f"{address}/undo", json={"move": news["move"]}), 409)
    while not news["turn"]["undo"]:
        before = news
        action = client.post(f"{address}/hint", json={"move": news["move"]}).json()["action"]
        client.post(f"{address}/moves", json={"move": news["move"], "action": action})
        news = state(client, address)
        assert not news["over"]
    undone = client.post(f"{address}/undo", json={"move": news["move"]}).json()
    assert undone["turn"] == before["turn"]
    assert undone["frames"] == before["frames"]
    assert undone["moves"] == before["moves"]
    # Whoever knew more than that is told everything anew.
    assert len(client.get(f"{address}/state", params={"since": news["moment"]}).json()["frames"][0]["changes"]) > 10


def test_a_review(client: TestClient) -> None:
    address = begin(client)
    moves = len(play_out(client, address)["moves"])
    progress = client.post(f"{address}/review", json={}).json()
    assert progress["of"] == moves
    while not progress["ready"]:
        progress = client.post(f"{address}/review", json={}).json()
    assert progress == {"done": moves, "of": moves, "ready": True}
    page = client.get(f"{address}/review")
    assert "greedy would have played" in page.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


# What is refused, and changes nothing


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"move": 0, "action": "close"}, 422, "'close' is not legal"),
        ({"move": 0, "action": "take Wien"}, 422, "there is no action 'take Wien'"),
        ({"move": 0, "action": 3}, 400, "Say with action, a text"),
        ({"move": 0}, 400, "Say with action, a text"),
        ({"move": 7, "action": "draw"}, 409, "after 7 moves, but 0 have been played"),
        ({"move": "0", "action": "draw"}, 400, "Say with move, a whole number"),
        ({"move": True, "action": "draw"}, 400, "Say with move, a whole number"),
        ({"action": "draw"}, 400, "Say with move, a whole number"),
        ({"move": 0, "action": "draw", "seat": 1}, 400, "nothing called 'seat' to say"),
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
        (b"{", 400, "This is not JSON."),
        (b"\xff\xfe", 400, "This is not JSON."),
        (b"[" * 10_000, 400, "This is not JSON."),
        (b"[1]", 400, "Send a JSON object."),
        (b'{"x":"' + b"x" * MOST_BYTES + b'"}', 413, "no more than 16,384 bytes"),
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
        ({"agents": ["human", "human"]}, "One person plays at a table"),
        ({"agents": ["human"]}, "for 2 to 4 players, not 1"),
        ({"options": {"horses": True}}, "option horses: the board tiny has no horses"),
        ({"options": {"max_rounds": "x"}}, "option max_rounds must be a whole number"),
        ({"options": {"board": "x"}}, "options must be an object of the game's options"),
        ({"options": []}, "options must be an object"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"cards": 1}, "nothing called 'cards' to ask for"),
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


def first_seed(seat: int) -> int:
    """A seed with which a seat begins."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    return next(seed for seed in range(1, 50) if Game.from_rules(rules, seed).seat == seat)


def test_an_agent_that_fails_tells_nothing(client: TestClient) -> None:
    address = begin(client, agents=[FAILING, "human"], seed=first_seed(0))
    problem = state(client, address)["problem"]
    assert problem == f"{FAILING} failed, so the game cannot go on."


# Strangers


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80", "[::1"])
def test_names_that_lead_here_from_outside(client: TestClient, host: str) -> None:
    assert "This server is not" in refused(client.get("/", headers={"host": host}), 403)


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.7:80", "LOCALHOST"])
def test_names_of_this_machine(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


def test_a_name_that_was_allowed() -> None:
    app = make_app(Menu(), LiveGames(1, 1.0), names=["table.example"])
    with TestClient(app, base_url="http://table.example") as made:
        assert made.get("/").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:9999"}, 403),
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


# Many games


def test_no_more_than_so_many_games(client: TestClient, clock: Clock) -> None:
    games = [begin(client) for _ in range(LIMIT)]
    answer = client.post("/games", json=ORDER)
    assert refused(answer, 503) == f"All {LIMIT} tables are taken; try again when a game has ended."
    assert answer.headers["retry-after"] == "60"
    clock.now = EXPIRY - 1
    state(client, games[0])
    clock.now = EXPIRY + 1
    begin(client)
    assert state(client, games[0])["turn"]
    refused(client.get(f"{games[1]}/state"), 404)


def test_an_order_that_fails_takes_no_table(client: TestClient) -> None:
    for _ in range(LIMIT + 1):
        refused(client.post("/games", json=ORDER | {"options": {"horses": True}}), 400)
    begin(client)


# What a seat does not know


async def looked_at(game: Game, seat: int) -> tuple[Any, ...]:
    """All that the server would send of a position."""
    agents = [None if place == seat else ScriptedAgent("greedy") for place in range(game.players)]

    async def now(function: Any) -> Any:
        return function()

    live = LiveGame(Session(game, agents), ["human"] * game.players, now, now, "greedy")
    return live.state(), live.picture.label, str(await live.hint(live.played)) if live.session.waiting else ""


@pytest.mark.parametrize("seat", [0, 1])
def test_all_that_is_sent_is_the_same_however_the_hidden_cards_lie(seat: int) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    bot = ScriptedAgent("sensible-random")
    bot.reset(0, rules, 3)
    game = Game.from_rules(rules, 5)
    differing = 0
    while not game.over:
        if len(game.legal) > 1 or game.seat != seat:
            sent = asyncio.run(looked_at(game, seat))
            for deal in range(3):
                other = game.redeal(seat, deal)
                differing += other.to_bytes() != game.to_bytes()
                assert asyncio.run(looked_at(other, seat)) == sent
        game.play(bot.act(game.view()))
    assert differing > 50


def test_a_running_game_tells_no_seed_and_no_deck(client: TestClient) -> None:
    address = begin(client, seed=987654321)
    news = state(client, address)
    for _ in range(10):
        told = json.dumps(news) + client.get(address).text
        assert "987654321" not in told
        assert "decks" not in told
        body = {"move": news["move"], "action": news["turn"]["legal"][0]}
        client.post(f"{address}/moves", json=body)
        news = state(client, address)
        if news["over"]:
            break


# The menu and the command


@pytest.mark.parametrize("name", GAMES)
def test_the_menu_offers_what_can_be_played(name: str) -> None:
    (entry,) = [entry for entry in Menu().for_page() if entry["name"] == name]
    rules = make_rules(name, 2)
    assert entry["boards"][0] == rules.board_name
    assert set(entry["boards"]) == set(rules.boards)
    assert entry["players"] == list(rules.player_numbers)
    assert set(entry["agents"]) == set(rules.bots)
    assert {option["name"] for option in entry["options"]} == set(rules.options)


def test_the_menu_offers_agents_that_search() -> None:
    assert "mcts:1000" in Menu.usual().agents
    with pytest.raises(AgentError, match="there is no agent 'gredy'"):
        Menu.usual(["gredy"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--games", "0"], "--games must be 1 or more"),
        (["--agents", "gredy"], "there is no agent 'gredy'"),
        (["--host", "256.0.0.1"], "cannot listen at 256.0.0.1"),
        (["--adviser", "nobody"], "there is no agent 'nobody'"),
    ],
)
def test_wrong_arguments(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    assert 'needs uvicorn: pip install "thurn-env[serve]"' in capsys.readouterr().err
