"""Tournaments: a fair schedule, the same bytes however they are played, honest ratings, clear errors."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import choix
import numpy as np
import pytest

from eval import breakdown, tournament
from eval.config import Config
from eval.folder import Folder
from eval.ratings import ELO, Comparisons, elo_ratings, orders, resampled
from eval.schedule import Schedule, deck_seed, entrant_names, rotations, tables
from thurn_env.record import Record

ROOT = Path(__file__).parents[1]
TINY = ["--board", "tiny", "--bootstrap", "20"]
SHORT = ["--option", "max_rounds=15"]
"""For agents that never close a route."""


class Slow:
    """An agent that is no scripted bot: it takes the first legal action, and its time."""

    name = "slow"

    def reset(self, seat, rules, seed):
        pass

    def act(self, view):
        time.sleep(0.002)
        return view.legal[0]


class Broken(Slow):
    """An agent that fails."""

    name = "broken"

    def act(self, view):
        raise KeyError("no such key")


class Cheat(Slow):
    """An agent that plays what is not legal."""

    name = "cheat"

    def act(self, view):
        return "discard Ansbach"


def play(out: Path, *arguments: str, agents: str = "random greedy", games: int = 6) -> int:
    return tournament.main(["--agents", *agents.split(), "--games", str(games), "--out", str(out), *TINY, *arguments])


def files(out: Path) -> dict[str, bytes]:
    """The games of a tournament as bytes, by name."""
    return {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.glob("*/*.jsonl"))}


# The schedule


def test_tables() -> None:
    assert tables(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert tables(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert tables(1, 4) == [(0, 0, 0, 0)]
    assert len(tables(5, 4)) == 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("entrants", [1, 2, 3, 4, 5])
def test_every_entrant_sits_in_every_seat_equally_often(entrants: int, players: int) -> None:
    schedule = Schedule(entrants, players, decks=6, seed=3)
    seated: Counter[tuple[int, int]] = Counter()
    for table in schedule.tables:
        for number in range(schedule.games_at(table)):
            seated.update(enumerate(schedule.slot(table, number).seats))
    assert len(seated) == entrants * players
    assert len(set(seated.values())) == 1


@pytest.mark.parametrize("table", [(0, 1), (0, 1, 2), (0, 0, 1), (0, 1, 2, 3), (0, 0, 1, 1), (0, 0)])
def test_rotations_of_a_deck(table: tuple[int, ...]) -> None:
    for deck in range(12):
        seatings = rotations(table, deck)
        assert len(seatings) == len(set(seatings)) == len(rotations(table, 0))
        assert all(sorted(seats) == list(table) for seats in seatings)
        assert seatings[1:] == [seats[-1:] + seats[:-1] for seats in seatings[:-1]]


def test_neighbours_change() -> None:
    followers = {seats[(seats.index(0) + 1) % 4] for deck in range(6) for seats in rotations((0, 1, 2, 3), deck)}
    assert followers == {1, 2, 3}


def test_every_table_plays_the_same_decks() -> None:
    schedule = Schedule(4, 2, decks=5, seed=9)
    seeds = [
        [schedule.slot(table, number).seed for number in range(schedule.games_at(table))] for table in schedule.tables
    ]
    assert all(row == seeds[0] for row in seeds)
    assert seeds[0] == [deck_seed(9, deck) for deck in range(5) for _ in range(2)]
    assert len(set(seeds[0])) == 5
    assert deck_seed(8, 0) != deck_seed(9, 0)


def test_names_of_the_same_agent_twice() -> None:
    assert entrant_names(["greedy", "random", "greedy"]) == ("greedy", "random", "greedy#2")


# Playing


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of three bots."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out, "--jobs", "1", agents="random greedy heuristic") == 0
    return out


def test_every_game_is_a_true_record(played: Path) -> None:
    assert sorted(file.name for file in (played / "games").iterdir()) == [
        *("1-random-greedy.jsonl", "2-random-heuristic.jsonl", "3-greedy-heuristic.jsonl")
    ]
    for file in (played / "games").iterdir():
        records = list(Record.load_all(file))
        index = [json.loads(line) for line in (played / "index" / file.name).read_text("utf-8").splitlines()]
        assert len(records) == len(index) == 12
        for record, line in zip(records, index, strict=True):
            final = record.final()
            assert (line["agents"], line["scores"], line["ranks"]) == (record.agents, final.scores, final.ranks)
            assert (line["rounds"], line["moves"]) == (final.rounds, len(record.moves))


def test_rotations_share_deck_and_start_player(played: Path) -> None:
    records = list(Record.load_all(played / "games" / "3-greedy-heuristic.jsonl"))
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.agents == other.agents[::-1]
        assert (one.chance["decks"][0], one.start_player) == (other.chance["decks"][0], other.start_player)


def test_description_and_results(played: Path) -> None:
    description = json.loads((played / "tournament.json").read_text("utf-8"))
    assert description["config"]["agents"] == ["random", "greedy", "heuristic"]
    assert description["runs"][0]["versions"].keys() == {"thurn-env", "python", "numpy", "numba"}
    results = json.loads((played / "results.json").read_text("utf-8"))
    assert results["games"] == 36
    rows = {row["agent"]: row for row in results["agents"]}
    assert [row["games"] for row in rows.values()] == [24] * 3
    assert sum(row["win_rate"] for row in rows.values()) == pytest.approx(1.5)
    assert sum(row["rating"] for row in rows.values()) == pytest.approx(0, abs=1e-6)
    assert np.mean([row["rank"] for row in rows.values()]) == pytest.approx(1.5)
    assert rows["random"]["rating"] < rows["heuristic"]["rating"]
    index = [line for _, line in Folder(played, Config(("random", "greedy", "heuristic"), 2, 6)).index()]
    scores = [s for line in index for s, name in zip(line["scores"], line["agents"], strict=True) if name == "greedy"]
    assert rows["greedy"]["score"] == pytest.approx(np.mean(scores))


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_any_number_of_jobs_gives_the_same_bytes(played: Path, tmp_path: Path, jobs: str) -> None:
    assert play(tmp_path, "--jobs", jobs, agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)


@pytest.mark.parametrize("games_cut", [0, 1, 700, 20_000])
@pytest.mark.parametrize("index_cut", [0, 1, 300])
def test_a_resumed_tournament_is_the_uninterrupted_one(
    played: Path, tmp_path: Path, games_cut: int, index_cut: int
) -> None:
    """Whatever is missing at the end of the files, half lines included."""
    for name, content in files(played).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        cut = games_cut if name.startswith("games") else index_cut
        (tmp_path / name).write_bytes(content[: max(0, len(content) - cut)])
    (tmp_path / "tournament.json").write_bytes((played / "tournament.json").read_bytes())
    assert play(tmp_path, "--jobs", "1", agents="random greedy heuristic") == 0
    assert files(tmp_path) == files(played)
    assert (tmp_path / "results.json").read_bytes() == (played / "results.json").read_bytes()
    assert len(json.loads((tmp_path / "tournament.json").read_text())["runs"]) == 2


def test_another_configuration_is_refused(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(played)
    assert play(played, "--seed", "2", agents="random greedy heuristic", games=7) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "games 6 there, 7 now; seed 1 there, 2 now" in error
    assert files(played) == before


def test_a_folder_is_for_one_tournament_at_a_time(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fcntl")
    with Folder(played, Config(("random", "greedy", "heuristic"), 2, 6)).locked():
        assert play(played, agents="random greedy heuristic") == 2
    assert "another tournament is being played" in capsys.readouterr().err


def test_agents_of_ones_own_and_fewer_agents_than_seats(tmp_path: Path) -> None:
    """A table with an agent that is no scripted bot; the games do not depend on the number of jobs."""
    agents = "test_tournament:Slow random"
    assert play(tmp_path / "one", *SHORT, "--players", "3", "--jobs", "1", agents=agents, games=2) == 0
    assert play(tmp_path / "two", *SHORT, "--players", "3", "--jobs", "2", agents=agents, games=2) == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert len(files(tmp_path / "one")) == 4
    record = next(
        Record.load_all(tmp_path / "one" / "games" / "1-test_tournament_Slow-test_tournament_Slow-random.jsonl")
    )
    assert record.agents == ["test_tournament:Slow", "test_tournament:Slow", "random"]


def test_an_agent_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "--jobs", "1", agents="greedy greedy", games=20) == 0
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert [row["agent"] for row in results["agents"]] == ["greedy", "greedy#2"]
    assert [row["win_rate"] for row in results["agents"]] == [0.5, 0.5]
    assert [row["rating"] for row in results["agents"]] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("agents", "reason"),
    [
        ("greedy hueristic", "there is no agent 'hueristic'; did you mean 'heuristic'?"),
        ("greedy no_such.module:Agent", "no_such"),
        ("test_tournament:Broken greedy", "agent 'test_tournament:Broken' raised KeyError: 'no such key'"),
        ("test_tournament:Cheat greedy", "agent 'test_tournament:Cheat' at seat 0: 'discard Ansbach' is not legal"),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bad_agent_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agents: str, reason: str, jobs: str
) -> None:
    assert play(tmp_path, "--jobs", jobs, agents=agents) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error
    if "test_tournament" in agents:
        assert "[table " in error
        assert "deck 0, rotation 0" in error


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--players", "7"], "2 to 4 players, not 7"),
        (["--board", "nowhere"], 'no board is called "nowhere"'),
        (["--option", "max_rounds"], "--option wants name=value, not 'max_rounds'"),
        (["--option", "max_round=3"], "did you mean max_rounds?"),
        (["--games", "0"], "--games must be at least 1"),
        (["--seed", "-1"], "--seed must be 0 or more"),
    ],
)
def test_wrong_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    assert play(tmp_path, *arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error


def test_options_reach_the_games(tmp_path: Path) -> None:
    options = ["--option", "max_rounds=1", "optional_houses=true"]
    assert play(tmp_path, *options, "--jobs", "1", agents="random random", games=3) == 0
    for record in Record.load_all(tmp_path / "games" / "1-random-random#2.jsonl"):
        assert record.options["optional_houses"] is True
        assert record.final().truncated
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert results["truncated"] == results["tied"] == 6
    assert [row["rank"] for row in results["agents"]] == [1.5, 1.5]


@pytest.mark.skipif(sys.platform == "win32", reason="signals to one process")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_the_finished_games(tmp_path: Path, jobs: str) -> None:
    agents = "test_tournament:Slow random"
    command = [sys.executable, "-m", "eval.tournament", "--agents", *agents.split(), "--games", "10"]
    command += ["--out", str(tmp_path / "stopped"), "--jobs", jobs, *TINY, *SHORT]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment, process_group=0)
    games = tmp_path / "stopped" / "games" / "1-test_tournament_Slow-random.jsonl"
    deadline = time.monotonic() + 120
    while not (games.exists() and games.stat().st_size) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    # To the whole group, as a terminal does it.
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "of 20 games are kept" in error
    assert "again to go on" in error
    assert "Traceback" not in error
    kept = games.read_bytes()
    assert kept.endswith(b"\n")
    assert play(tmp_path / "stopped", *SHORT, "--jobs", "1", agents=agents, games=10) == 0
    assert play(tmp_path / "whole", *SHORT, "--jobs", "1", agents=agents, games=10) == 0
    assert files(tmp_path / "stopped") == files(tmp_path / "whole")


# Ratings


def two_players(wins: list[int], games: int) -> Comparisons:
    """Deck by deck: how many of the games the first of two entrants won."""
    results = [
        (deck, (0, 1), (1, 2) if game < won else (2, 1)) for deck, won in enumerate(wins) for game in range(games)
    ]
    return Comparisons.of(2, len(wins), results)


@pytest.mark.parametrize(("won", "games"), [(500, 1000), (750, 1000), (990, 1000), (1000, 1000)])
def test_two_players_by_hand(won: int, games: int) -> None:
    """The difference is 400 log10(p / (1 - p)), with one drawn game added."""
    ratings, _ = elo_ratings(two_players([won], games), resampled(1, 0, 1))
    expected = 400 * math.log10((won + 0.5) / (games - won + 0.5))
    assert ratings[0] - ratings[1] == pytest.approx(expected, abs=1e-6)
    assert sum(ratings) == pytest.approx(0, abs=1e-9)


def test_two_players_agree_with_choix() -> None:
    wins = np.array([[0, 30, 45], [20, 0, 31], [5, 19, 0]])
    results = [(0, (one, two), (1, 2)) for one in range(3) for two in range(3) for _ in range(wins[one, two])]
    fitted = Comparisons.of(3, 1, results).fit(np.ones(1))
    credited = wins + 0.5 * (1 - np.eye(3))
    assert fitted == pytest.approx(choix.ilsr_pairwise_dense(credited), abs=1e-6)


def test_three_players_agree_with_choix() -> None:
    """Plackett-Luce; everything twice, so that the credited half wins are whole ones."""
    generator = np.random.default_rng(5)
    strengths = np.exp([1.0, 0.2, -0.3, -0.9])
    rankings = []
    for _ in range(60):
        seats = list(generator.choice(4, 3, replace=False))
        order = []
        while seats:
            weights = strengths[seats]
            order.append(int(seats.pop(generator.choice(len(seats), p=weights / weights.sum()))))
        rankings.append(order)
    fitted = Comparisons.of(4, 1, [(0, order, (1, 2, 3)) for order in rankings]).fit(np.ones(1))
    pairs = [[one, two] for one in range(4) for two in range(4) if one != two]
    assert fitted == pytest.approx(
        choix.ilsr_rankings(4, [tuple(order) for order in [*rankings, *rankings, *pairs]]), abs=1e-6
    )


def test_ties_count_as_every_order() -> None:
    assert list(orders((7, 8, 9), (2, 1, 2))) == [((8, 7, 9), 0.5), ((8, 9, 7), 0.5)]
    fitted = Comparisons.of(2, 1, [(0, (0, 1), (1, 1))] * 9).fit(np.ones(1))
    assert fitted == pytest.approx([0, 0], abs=1e-9)


def test_the_same_entrant_twice_at_a_table() -> None:
    """Two of three seats are worth two tickets: who wins two games of three so is not stronger."""
    results = [(0, (0, 0, 1), ranks) for ranks in [(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2), (2, 3, 1), (3, 2, 1)]]
    assert Comparisons.of(2, 1, results).fit(np.ones(1)) == pytest.approx([0, 0], abs=1e-9)


def test_intervals_resample_decks_not_games() -> None:
    """Decks that decide all their games alike leave a wider interval than as many independent games."""
    generator = np.random.default_rng(1)
    alike = two_players(list(10 * (generator.random(100) < 0.6)), 10)
    mixed = two_players(list(generator.binomial(10, 0.6, 100)), 10)
    widths = []
    for comparisons in (alike, mixed):
        ratings, intervals = elo_ratings(comparisons, resampled(100, 300, 1))
        low, high = intervals[0]
        assert low < ratings[0] < high
        widths.append(high - low)
    assert 2 < widths[0] / widths[1] < 5
    # The textbook width for 1,000 independent games, of one rating, which is half the difference.
    error = ELO / 2 * math.sqrt(1 / (1000 * 0.6 * 0.4))
    assert widths[1] == pytest.approx(2 * 1.96 * error, rel=0.35)


def test_the_interval_covers_the_truth() -> None:
    """In 60 tournaments between equals the 95 % interval holds 0 nearly always."""
    generator = np.random.default_rng(2)
    covered = 0
    for _ in range(60):
        comparisons = two_players(list(generator.binomial(2, 0.5, 200)), 2)
        low, high = elo_ratings(comparisons, resampled(200, 200, 1))[1][0]
        covered += low <= 0 <= high
    assert covered >= 52


# Where the points come from


def test_breakdown(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert breakdown.main([str(played), "--jobs", "1"]) == 0
    output = capsys.readouterr().out
    assert "all provinces" in output
    assert "36" in output
    sums = breakdown.sums_of(breakdown.record_files(played), None, 1)
    rows = {row["agent"]: row for row in json.loads((played / "results.json").read_text("utf-8"))["agents"]}
    for name, row in rows.items():
        assert sum(sums[name].points.values()) / sums[name].games == pytest.approx(row["score"])
        assert sums[name].wins / sums[name].games == pytest.approx(row["win_rate"])
    assert sums["all"].games == 72


def test_breakdown_names_the_bad_record(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (played / "games" / "1-random-greedy.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "bad.jsonl").write_text(lines[0] + "\n" + lines[1].replace('"draw"', '"close"', 1) + "\n", "utf-8")
    assert breakdown.main([str(tmp_path / "bad.jsonl"), "--jobs", "1"]) == 2
    assert "bad.jsonl, line 2: move" in capsys.readouterr().err
    assert breakdown.main([str(tmp_path)]) == 2
    assert "there are no records" in capsys.readouterr().err


def test_the_tournament_says_where_its_files_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from eval.tournament import main

    words = ["--agents", "random", "greedy", "--players", "2", "--games", "1", "--board", "tiny", "--jobs", "1"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    output = capsys.readouterr().out.replace("\n", "")
    assert str(tmp_path / "out" / "games") in output
    assert str(tmp_path / "out" / "results.json") in output
