"""Who plays whom: formats, seatings, decks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn
from tests.tournaments import TINY, index, play
from thurn_env.errors import OptionError
from thurn_env.tournament.config import Config
from thurn_env.tournament.schedule import Format, Schedule, entrant_names, named_tables, seatings, tables
from thurn_env.tournament.seeds import deck_seed


def test_tables() -> None:
    assert tables(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert tables(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert tables(1, 4) == [(0, 0, 0, 0)]
    assert len(tables(5, 4)) == 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("entrants", [1, 2, 3, 4, 5])
def test_every_entrant_sits_in_every_seat_equally_often(entrants: int, players: int) -> None:
    schedule = Schedule(tuple(tables(entrants, players)), decks=6, seed=3)
    seated: Counter[tuple[int, int]] = Counter()
    for table in schedule.tables:
        for number in range(schedule.games_at(table)):
            seated.update(enumerate(schedule.slot(table, number).seats))
    assert len(seated) == entrants * players
    assert len(set(seated.values())) == 1


@pytest.mark.parametrize("table", [(0, 1), (0, 1, 2), (0, 0, 1), (0, 1, 2, 3), (0, 0, 1, 1), (0, 0)])
def test_rotations_of_a_deck(table: tuple[int, ...]) -> None:
    for deck in range(12):
        turned = seatings(table, deck)
        assert len(turned) == len(set(turned)) == len(seatings(table, 0))
        assert all(sorted(seats) == list(table) for seats in turned)
        assert turned[1:] == [seats[-1:] + seats[:-1] for seats in turned[:-1]]


def test_neighbours_change() -> None:
    followers = {seats[(seats.index(0) + 1) % 4] for deck in range(6) for seats in seatings((0, 1, 2, 3), deck)}
    assert followers == {1, 2, 3}


def test_every_table_plays_the_same_decks() -> None:
    schedule = Schedule(tuple(tables(4, 2)), decks=5, seed=9)
    seeds = [
        [schedule.slot(table, number).seeds.cards for number in range(schedule.games_at(table))]
        for table in schedule.tables
    ]
    assert all(row == seeds[0] for row in seeds)
    assert seeds[0] == [deck_seed(9, deck) for deck in range(5) for _ in range(2)]
    assert len(set(seeds[0])) == 5
    assert deck_seed(8, 0) != deck_seed(9, 0)


def test_names_of_the_same_agent_twice() -> None:
    assert entrant_names(["greedy", "random", "greedy"]) == ("greedy", "random", "greedy#2")


def test_one_against_all() -> None:
    """The first one with every other, who fills the other seats."""
    assert tables(3, 2, "one-against-all") == [(0, 1), (0, 2)]
    assert tables(4, 3, "one-against-all") == [(0, 1, 1), (0, 2, 2), (0, 3, 3)]
    assert tables(2, 4, "one-against-all") == [(0, 1, 1, 1)]


def test_ladder() -> None:
    """Every rung alone among copies of the one before."""
    assert tables(4, 2, "ladder") == [(0, 1), (1, 2), (2, 3)]
    assert tables(3, 3, "ladder") == [(0, 0, 1), (1, 1, 2)]
    assert tables(2, 4, "ladder") == [(0, 0, 0, 1)]


@pytest.mark.parametrize("format", ["ladder", "one-against-all"])
def test_formats_that_need_an_opponent(format: Format) -> None:
    with pytest.raises(OptionError, match=f"format '{format}' needs at least two agents"):
        tables(1, 2, format)


def test_permutations() -> None:
    assert seatings((0, 1), 7, "permutations") == [(0, 1), (1, 0)]
    assert seatings((0, 1, 1), 0, "permutations") == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert set(seatings((0, 0, 1, 1), 0, "permutations")) == {
        *((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0))
    }
    assert len(seatings((0, 1, 2, 3), 5, "permutations")) == 24
    schedule = Schedule(((0, 1, 2),), decks=3, seed=1, seating="permutations")
    assert schedule.games == 18
    slots = [schedule.slot((0, 1, 2), number) for number in range(18)]
    assert Counter(slot.deck for slot in slots) == {0: 6, 1: 6, 2: 6}
    assert Counter(slot.seats for slot in slots) == dict.fromkeys(seatings((0, 1, 2), 0, "permutations"), 3)


def test_tables_of_ones_own() -> None:
    config = Config(("a", "b", "c"), players=3, format="tables", tables=("a,b,c", "b,b,c", "a,c,a"))
    assert config.schedule.tables == ((0, 1, 2), (1, 1, 2), (0, 2, 0))
    # Two pairs may sit side by side or crosswise.
    pairs = Config(("a", "b"), players=4, format="tables", tables=("a,a,b,b", "a,b,a,b"))
    assert [pairs.schedule.games_per_deck(table) for table in pairs.schedule.tables] == [4, 2]


def test_tables_of_agents_with_commas() -> None:
    """`mcts:100,c=0.7` is one agent, also beside `mcts:100`."""
    names = ("mcts:100", "mcts:100,c=0.7", "ppo+mcts:model,200", "greedy", "mcts:100,c=0.7#2")
    tables = ("mcts:100,c=0.7,mcts:100", "greedy,ppo+mcts:model,200", "mcts:100,c=0.7,mcts:100,c=0.7#2")
    assert named_tables(tables, names, 2) == [(1, 0), (3, 2), (1, 4)]
    # The longest name that leaves names for all other seats.
    assert named_tables(("a,b,c", "a,b,c,c"), ("a,b", "a", "c", "b,c,c"), 2) == [(0, 2), (1, 3)]
    with pytest.raises(OptionError, match=r"unknown agent 'c=0.7'; the agents are mcts:100, greedy"):
        named_tables(("greedy,mcts:100,c=0.7",), ("mcts:100", "greedy"), 2)
    with pytest.raises(OptionError, match="has 2 agents, but there are 3 players"):
        named_tables(("greedy,mcts:100,c=0.7",), ("mcts:100,c=0.7", "greedy"), 3)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"tables": ("a,b", "a,c")}, "table 'a,c': unknown agent 'c'; the agents are a, b"),
        ({"tables": ("a,b,b",)}, "table 'a,b,b' has 3 agents, but there are 2 players"),
        ({"tables": ("a,a",)}, "'b' has no seat at any table"),
        ({"tables": ("a,b", "b,a")}, "the tables 'a,b' and 'b,a' would play the same games"),
        ({"tables": ()}, "give the tables"),
        ({"tables": ("a,b",), "format": "ladder"}, "tables and format 'ladder' exclude each other"),
        ({"format": "knockout"}, "format must be one of round-robin, one-against-all, ladder, tables"),
        ({"format": "ladder", "seating": "wild"}, "seating must be one of rotations, permutations"),
    ],
)
def test_tables_that_cannot_be(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        _ = Config(("a", "b"), **{"format": "tables", **given}).schedule


def test_formats_and_seatings_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    three = ["--jobs", "1", "--players", "3", "--option", "max_rounds=3"]
    arguments = ["--format", "ladder", "--seating", "permutations"]
    assert play(tmp_path / "ladder", *three, *arguments, agents="random greedy random", games=1) == 0
    lines = [line["agents"] for line in index(tmp_path / "ladder")]
    assert lines == [
        *(["random", "random", "greedy"], ["random", "greedy", "random"], ["greedy", "random", "random"]),
        *(["greedy", "greedy", "random#2"], ["greedy", "random#2", "greedy"], ["random#2", "greedy", "greedy"]),
    ]
    # The agents of the tables need no naming.
    assert (
        thurn(
            "tournament",
            ["--tables", "random,greedy,greedy", "--games", "1", "--out", str(tmp_path / "own"), *three, *TINY],
        )
        == 0
    )
    assert [sorted(line["agents"]) for line in index(tmp_path / "own")] == [["greedy", "greedy", "random"]] * 3
    capsys.readouterr()
    assert play(tmp_path / "ladder", *three, agents="random greedy random", games=1) == 2
    error = capsys.readouterr().err
    assert (
        "format 'ladder' in the folder, 'round-robin' now; seating 'permutations' in the folder, 'rotations' now"
        in error
    )
    assert play(tmp_path / "none", *three, "--format", "ladder", agents="random") == 2
    assert "needs at least two agents" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("table", ["mcts:9,cut=none,greedy", "mcts:9,cut=none", "ppo:nothing,sample"])
def test_agents_with_commas_that_are_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    assert thurn("tournament", ["--tables", table, "--games", "1", "--out", str(tmp_path / "out"), *TINY]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "agents with a comma in their spec have to be named with --agents" in error
    assert not (tmp_path / "out").exists()
