"""The end of a game on the page: points by source, who triggered it and how, and a rematch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.serving import Clock, begin, open_table, play_out, play_together, refused, serving
from thurn_env import Game, make_rules
from thurn_env.players.match import run_scripted
from thurn_env.serve.endings import end_for_page
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

TABLES: dict[str, dict[str, Any]] = {
    "thurn_und_taxis": {"board": "tiny", "agents": ["human", "greedy"]},
    "zug_um_zug_deutschland": {"board": "tiny_rails", "agents": ["human", "sensible-random"]},
}


@pytest.mark.parametrize("game", TABLES)
def test_the_points_by_source_add_up(game: str) -> None:
    with serving(Clock()) as client:
        news = play_out(client, begin(client, game=game, **TABLES[game]))
    end = news["end"]
    sums = [sum(values[seat] for _, values in end["sources"]) for seat in range(2)]
    assert sums == end["scores"]
    assert sorted(end["ranks"])[0] == 1
    assert all(any(values) for _, values in end["sources"])


def test_before_the_end_there_is_no_table_of_points() -> None:
    with serving(Clock()) as client:
        assert client.get(f"{begin(client)}/state").json()["end"] is None


def positions(game: str, board: str, bots: list[str], seed: int, **options: Any) -> list[Game]:
    """All positions of a game of bots."""
    rules = make_rules(game, 2, board, **options)
    record: Record = run_scripted(rules, bots, seed).record(bots)
    return list(replay(record))


@pytest.mark.parametrize("seed", range(6))
def test_the_first_game_tells_who_triggered_the_end(seed: int) -> None:
    games = positions("thurn_und_taxis", "tiny", ["greedy", "greedy"], seed)
    how = end_for_page(games, ["Ann", "Bob"])["how"]
    first = next(place for place, game in enumerate(games) if game.rules.public(game.states, 0)["final_round"])
    mover = games[first - 1].seat
    public = games[first].rules.public(games[first].states, 0)["players"][mover]
    words = []
    if public["carriage"] == max(carriage.length for carriage in games[0].rules.board.carriages):
        words.append("took the highest carriage")
    if public["houses_left"] == 0:
        words.append("placed the last house")
    assert (
        how
        == f"{['Ann', 'Bob'][mover]} triggered the end in round {games[first - 1].rounds + 1}: {' and '.join(words)}."
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_second_game_tells_who_triggered_the_end(seed: int) -> None:
    games = positions("zug_um_zug_deutschland", "tiny_rails", ["sensible-random", "sensible-random"], seed)
    how = end_for_page(games, ["Ann", "Bob"])["how"]
    if games[-1].truncated:
        assert how.startswith("The game was cut off")
        return
    first = next(
        place for place, game in enumerate(games) if game.rules.public(game.states, 0)["last_turns"] is not None
    )
    mover = games[first - 1].seat
    trains = games[first].rules.public(games[first].states, 0)["players"][mover]["trains"]
    assert how.startswith(f"{['Ann', 'Bob'][mover]} triggered the end in round ")
    assert f"with {trains} train" in how


def test_a_game_that_was_cut_off_says_so() -> None:
    games = positions("thurn_und_taxis", "tiny", ["random", "random"], 1, max_rounds=2)
    assert end_for_page(games, ["Ann", "Bob"])["how"] == "The game reached the limit of 2 rounds."


def test_a_rematch_is_the_same_table_with_other_cards() -> None:
    with serving(Clock()) as client:
        address = begin(client, options={"max_rounds": 2})
        assert "once the game is over" in refused(client.post(f"{address}/rematch", json={}), 409)
        assert play_out(client, address)["end"]["how"] == "The game reached the limit of 2 rounds."
        answer = client.post(f"{address}/rematch", json={})
        assert answer.status_code == 201
        again = answer.json()["address"]
        assert again != address
        # Another tab, or a second click, leads to the same table.
        assert client.post(f"{address}/rematch", json={}).json()["address"] == again
        assert client.get(f"{address}/table").json()["rematch"] == again
        assert [seat["name"] for seat in client.get(f"{again}/table").json()["seats"]] == ["human", "greedy"]
        assert play_out(client, again)["end"]["how"] == "The game reached the limit of 2 rounds."
        first, second = (client.get(f"{table}/record").json() for table in (address, again))
        assert first["decks"] != second["decks"]


def test_people_meet_at_the_table_of_the_rematch() -> None:
    """Everybody gets the own link, nobody that of another person; the game begins when somebody starts it."""
    with serving(Clock()) as client:
        (ann, bob), links = open_table(client, "Ann", "Bob", options={"max_rounds": 2}, clock=600)
        assert client.post(f"{ann}/start", json={}).status_code == 200
        before = client.get(f"{bob}/table").json()
        assert before["rematch"] is None
        assert play_together(client, [ann, bob])["over"]
        assert refused(client.post(f"{links['watching']}/rematch", json={}), 403)
        again = client.post(f"{ann}/rematch", json={}).json()["address"]
        told = client.get(f"{bob}/table", params={"since": before["version"]}).json()["rematch"]
        watching = client.get(f"{links['watching']}/table").json()["rematch"]
        assert client.post(f"{bob}/rematch", json={}).json()["address"] == told
        assert len({ann, bob, again, told, watching, *links.values()}) == len({ann, bob, *links.values()}) + 3
        for seat, address in enumerate((again, told)):
            table = client.get(f"{address}/table").json()
            assert (table["seat"], table["started"]) == (seat, False)
            assert [place["name"] for place in table["seats"]] == ["Ann", "Bob"]
        assert client.get(f"{watching}/table").json()["seat"] is None
        assert client.post(f"{told}/start", json={}).status_code == 200
        assert play_together(client, [again, told])["over"]


def test_a_rematch_outlives_the_server(tmp_path: Path) -> None:
    with serving(Clock(), tmp_path) as client:
        (ann, bob), _ = open_table(client, "Ann", "Bob", options={"max_rounds": 2})
        client.post(f"{ann}/start", json={})
        play_together(client, [ann, bob])
        again = client.post(f"{ann}/rematch", json={}).json()["address"]
    with serving(Clock(), tmp_path) as client:
        assert client.post(f"{ann}/rematch", json={}).json()["address"] == again
        other = client.post(f"{bob}/rematch", json={}).json()["address"]
        assert [client.get(f"{address}/table").json()["seat"] for address in (again, other)] == [0, 1]


def test_everybody_sees_the_end_and_the_review_but_nobody_before() -> None:
    with serving(Clock()) as client:
        (ann, bob), links = open_table(client, "Ann", "Bob", options={"max_rounds": 2})
        client.post(f"{ann}/start", json={})
        everybody = [ann, bob, links["watching"]]
        play_together(client, [ann, bob], 4)
        for address in everybody:
            assert client.get(f"{address}/state").json()["end"] is None
            refused(client.post(f"{address}/review", json={}), 409)
            refused(client.get(f"{address}/review"), 409)
            refused(client.get(f"{address}/review/state"), 409)
        play_together(client, [ann, bob])
        ends = [client.get(f"{address}/state").json()["end"] for address in everybody]
        assert ends[0] == ends[1] == ends[2] is not None
        while not client.post(f"{links['watching']}/review", json={}).json()["ready"]:
            pass
        panels = []
        for address in everybody:
            while not (panel := client.get(f"{address}/review/state").json())["done"]:
                pass
            panels.append(panel)
            assert client.get(f"{address}/review").status_code == 200
        assert panels[0] == panels[1] == panels[2]
