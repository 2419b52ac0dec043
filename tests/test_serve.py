"""The server to play on: games from beginning to end, hints, undo, reviews, and many games at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.serving import EXPIRY, LIMIT, ORDER, Clock, begin, play_out, refused, serving, state
from thurn_env import Record
from thurn_env.drawing.themes import SEATS
from thurn_env.table.replay import verify


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock) -> Iterator[TestClient]:
    with serving(clock) as made:
        yield made


def test_a_game_from_beginning_to_end(client: TestClient) -> None:
    address = begin(client)
    for path in ("record", "review"):
        assert "only after the game is over" in refused(
            client.get(f"{address}/{path}") if path == "record" else client.post(f"{address}/{path}", json={}), 409
        )
    news = play_out(client, address)
    assert news["turn"] is None
    assert "The game is over" in news["frames"][0]["label"]
    answer = client.get(f"{address}/record")
    assert answer.headers["content-disposition"] == 'attachment; filename="thurn_und_taxis.json"'
    record = Record.from_json(answer.text)
    verify(record)
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
    verify(Record.from_json(client.get(f"{address}/record").text))


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
    assert "no decision to undo" in refused(client.post(f"{address}/undo", json={"move": news["move"]}), 409)
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


def test_every_seat_has_its_colour_on_the_page(client: TestClient) -> None:
    page = client.get(begin(client)).text
    assert f'"colours":{SEATS}' in page.replace(": ", ":")
    for seat in range(SEATS):
        assert f".badge.seat-{seat} {{ background: var(--seat-{seat}); }}" in page


def test_a_review(client: TestClient) -> None:
    address = begin(client)
    moves = len(play_out(client, address)["moves"])
    progress = client.post(f"{address}/review", json={}).json()
    assert progress["of"] == moves
    while progress["done"] < moves:
        progress = client.post(f"{address}/review", json={}).json()
    assert progress == {"done": moves, "of": moves, "ready": True, "note": ""}
    while not client.get(f"{address}/review/state").json()["done"]:
        pass
    page = client.get(f"{address}/review")
    assert "greedy would have played" in page.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


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
