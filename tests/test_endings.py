"""The end of a game on the page: points by source, who triggered it and how, and a rematch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.serving import Clock, begin, play_out, serving
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


def test_a_rematch_is_the_same_table() -> None:
    with serving(Clock()) as client:
        page = client.get(begin(client, options={"max_rounds": 7})).text
    assert (
        '"rematch":{"game":"thurn_und_taxis","board":"tiny","agents":["human","greedy"],"options":{"max_rounds":7}}'
        in page
    )
