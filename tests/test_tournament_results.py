"""What a tournament reports: by hand on games made up, and in agreement with the games on real ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.tournaments import SHORT, index, play, results
from thurn_env import ThurnError
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position
from thurn_env.tournament import rate
from thurn_env.tournament.intervals import resampled
from thurn_env.tournament.outcomes import Outcomes
from thurn_env.tournament.pairs import meetings, pair_shares, pairing, variances
from thurn_env.tournament.table import duration, forfeit_lines, pairing_line, share


def outcomes(ranks: list[list[int]], seats: list[list[int]], decks: int, names: str = "ab") -> Outcomes:
    """Games with these ranks, in equal numbers for every deck."""
    deck = np.arange(len(ranks)) * decks // len(ranks)
    first = np.array(ranks) == 1
    wins = first / first.sum(axis=1, keepdims=True)
    whole = np.ones(len(ranks), np.bool_)
    starts = np.zeros(len(ranks), np.int64)
    return Outcomes(tuple(names), decks, deck, np.array(seats), starts, np.array(ranks, float), wins, whole, [])


TURNS = [[0, 1], [1, 0]]


def test_pairing_by_hand() -> None:
    """Deck means 1/2, 1/2, 1; games 1 0 1 0 1 1."""
    games = outcomes([[1, 2], [1, 2], [1, 2], [1, 2], [1, 2], [2, 1]], TURNS * 3, decks=3)
    (meeting,) = meetings(games)
    assert meeting.share.tolist() == [1, 0, 1, 0, 1, 1]
    # Means 2/3 in both cases: sums of squares 1/6 over 3 decks, 4/3 over 6 games.
    paired, independent = variances(meeting.deck, meeting.share)
    assert paired == pytest.approx(1 / 6 / 2 / 3)
    assert independent == pytest.approx(4 / 3 / 5 / 6)
    found = pairing(games)
    assert found["worth"] == pytest.approx(1.6)
    assert found["pairs"][0].pop("worth") == pytest.approx(1.6)
    assert found["pairs"][0].pop("variance_paired") == paired
    assert found["pairs"][0].pop("variance_independent") == independent
    assert found["pairs"] == [{"agents": ["a", "b"], "games_per_deck": 2}]


def test_pairing_that_cannot_be_told() -> None:
    """One deck tells no variance, and equals who share every deck leave none."""
    assert pairing(outcomes([[1, 2], [1, 2]], TURNS, decks=1)) == {"worth": None, "pairs": []}
    equals = pairing(outcomes([[1, 2]] * 8, TURNS * 4, decks=4))
    assert equals["worth"] is equals["pairs"][0]["worth"] is None
    assert pairing_line({"pairing": equals}) is None


def test_pairing_of_independent_games_is_worth_nothing_and_of_lucky_decks_much() -> None:
    generator = np.random.default_rng(4)
    decks = np.arange(4000) // 2
    paired, independent = variances(decks, generator.binomial(1, 0.6, 4000).astype(float))
    assert independent / paired == pytest.approx(1, abs=0.1)
    # Nine decks of ten go to the same seat: both agents win one game with it.
    first = generator.binomial(1, 0.5, 2000)
    lucky = generator.binomial(1, 0.9, 2000)
    shares = np.stack([first, np.where(lucky, 1 - first, first)], axis=1).ravel().astype(float)
    paired, independent = variances(decks, shares)
    assert independent / paired == pytest.approx(5, rel=0.2)


def test_pairs_at_larger_tables() -> None:
    """A game counts once, as the mean over the pairs of seats."""
    games = outcomes([[1, 2, 3], [2, 1, 3], [3, 1, 2]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]], decks=1)
    found = pair_shares(games, resampled(1, 0, 1))
    assert found["a"]["b"] == {"share": pytest.approx((1 + 1 + 0.5) / 3), "interval": None, "games": 3}
    assert found["b"]["a"]["share"] == pytest.approx(0.5 / 3)
    tied = outcomes([[1, 1, 3]], [[0, 1, 2]], decks=1, names="abc")
    assert pair_shares(tied, resampled(1, 0, 1))["a"]["b"]["share"] == 0.5
    assert tied.wins_in(tied.seating_order()) == [[0.5, None, None], [None, 0.5, None], [None, None, 0.0]]


def test_intervals_of_pairs_hold_the_share_and_narrow_with_decks() -> None:
    generator = np.random.default_rng(6)
    widths = []
    for decks in (50, 800):
        ranks = [[1, 2] if one else [2, 1] for one in generator.binomial(1, 0.7, 2 * decks)]
        found = pair_shares(outcomes(ranks, [[0, 1]] * len(ranks), decks), resampled(decks, 400, 1))
        low, high = found["a"]["b"]["interval"]
        assert low < found["a"]["b"]["share"] < high
        assert low < 0.7 < high
        assert found["b"]["a"]["interval"] == pytest.approx([1 - high, 1 - low])
        widths.append(high - low)
    # The textbook width of independent games.
    assert widths == pytest.approx([2 * 1.96 * (0.21 / games) ** 0.5 for games in (100, 1600)], rel=0.35)


def test_a_pair_whose_decks_all_agree() -> None:
    """Four decks, all won: less than 0.025 ** (1/4) of all decks can be ruled out, and no more."""
    found = pair_shares(outcomes([[1, 2], [2, 1]] * 4, TURNS * 4, decks=4), resampled(4, 100, 1))
    assert found["a"]["b"] == {"share": 1, "interval": pytest.approx([0.025**0.25, 1]), "games": 8}
    assert found["b"]["a"] == {"share": 0, "interval": pytest.approx([0, 1 - 0.025**0.25]), "games": 8}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with an agent that is no scripted bot."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out, *SHORT, "--jobs", "0", agents="tests.failing:First greedy heuristic", games=4) == 0
    return out


def test_figures_agree_with_the_games(played: Path) -> None:
    lines, found = index(played), results(played)
    records = [record for file in sorted((played / "games").iterdir()) for record in Record.load_all(file)]
    assert [line["breakdown"] for line in lines] == [last_position(record).breakdown() for record in records]
    assert all(line["forfeit"] is None for line in lines)
    for row in found["agents"]:
        name = row["agent"]
        own = [(line, line["agents"].index(name)) for line in lines if name in line["agents"]]
        wins = [(line["ranks"][seat] == 1) / line["ranks"].count(1) for line, seat in own]
        assert row["games"] == len(own) == 16
        assert row["win_rate"] == pytest.approx(np.mean(wins))
        assert row["win_rate_95"][0] <= row["win_rate"] <= row["win_rate_95"][1]
        for seat in (0, 1):
            there = [win for win, (_, sat) in zip(wins, own, strict=True) if sat == seat]
            assert row["seats"][seat] == pytest.approx(np.mean(there))
        for source, mean in row["breakdown"].items():
            points = [line["breakdown"][seat][source] for line, seat in own]
            assert mean == pytest.approx(np.mean(points))
            if sum(wins):
                having = [win for win, point in zip(wins, points, strict=True) if point]
                assert row["won_with"][source] == pytest.approx(sum(having) / sum(wins))
            else:
                assert row["won_with"][source] is None
        assert sum(row["breakdown"].values()) == pytest.approx(row["score"])
        assert (row["forfeits"], row["forfeit_reasons"]) == (0, {})
        for other, pair in found["pairs"][name].items():
            both = [line for line in lines if {name, other} <= set(line["agents"])]
            ranks = [
                (line["ranks"][line["agents"].index(name)], line["ranks"][line["agents"].index(other)]) for line in both
            ]
            assert pair["share"] == pytest.approx(np.mean([(a < b) + (a == b) / 2 for a, b in ranks]))
            assert pair["games"] == 8
    for turn, overall in enumerate(found["order_shares"]):
        there = [(line, (line["start_player"] + turn) % 2) for line in lines]
        shares = [(line["ranks"][seat] == 1) / line["ranks"].count(1) for line, seat in there]
        assert overall["share"] == pytest.approx(np.mean(shares))
        for row in found["agents"]:
            own = [one for one, (line, seat) in zip(shares, there, strict=True) if line["agents"][seat] == row["agent"]]
            assert row["order"][turn] == pytest.approx(np.mean(own))
    assert [line["start_player"] for line in lines] == [record.start_player for record in records]
    for seat, overall in enumerate(found["seat_shares"]):
        shares = [(line["ranks"][seat] == 1) / line["ranks"].count(1) for line in lines]
        assert overall["share"] == pytest.approx(np.mean(shares))
        assert overall["interval"][0] <= overall["share"] <= overall["interval"][1]
    assert sum(overall["share"] for overall in found["seat_shares"]) == pytest.approx(1)


def test_time_per_decision(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Timed are the tables with other agents than scripted bots; the times are in files of their own."""
    assert sorted(file.name for file in (played / "times").iterdir()) == [
        *("1-tests.failing_First-greedy.jsonl", "2-tests.failing_First-heuristic.jsonl")
    ]
    lines = [json.loads(line) for file in (played / "times").iterdir() for line in file.read_text().splitlines()]
    assert len(lines) == 16
    for row in results(played)["agents"]:
        own = [(line, line["agents"].index(row["agent"])) for line in lines if row["agent"] in line["agents"]]
        seconds = sum(line["seconds"][seat] for line, seat in own)
        decisions = sum(line["decisions"][seat] for line, seat in own)
        assert row["seconds_per_decision"] == pytest.approx(seconds / decisions)
        assert 0 < row["seconds_per_decision"] < 0.1
    assert play(played, *SHORT, agents="tests.failing:First greedy heuristic", games=4) == 0
    assert "per decision" in capsys.readouterr().out


def test_a_game_played_again_is_timed_once(played: Path) -> None:
    """What a crash left of a line goes, and a game that has two lines counts with the later one."""
    before = results(played)
    file = played / "times" / "1-tests.failing_First-greedy.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0].replace('"seconds": [', '"seconds": [9') + "".join(lines) + '{"deck": ')
    assert play(played, *SHORT, agents="tests.failing:First greedy heuristic", games=4) == 0
    assert results(played) == before


def test_what_people_read() -> None:
    assert [duration(value) for value in (None, 2.5, 0.012, 0.0000042)] == ["", "2.5 s", "12 ms", "4.2 µs"]
    assert [share(None), share(0.5), share(0.5, [0.41, 0.6])] == ["", "50.0%", "50.0% (41-60)"]
    assert share(0.999, [0.9985, 0.9995]) == "99.9% (99-100)"
    assert share(0.29, [0.29, 0.29]) == "29.0% (29-29)"
    row = {"agent": "a", "forfeits": 8, "forfeit_reasons": {"one": 4, "two": 2, "three": 1, "four": 1}}
    assert forfeit_lines({"agents": [row]}) == [
        "agent 'a' forfeited 8 games: one (4 times); two (2 times); three; and for other reasons"
    ]
    assert "is worth 1.60 times as many games" in str(pairing_line({"pairing": {"worth": 1.6}}))


def test_a_share_without_intervals_says_so(played: Path) -> None:
    with pytest.raises(ThurnError, match="the results have no intervals; rate them with a `bootstrap` above 0"):
        rate(played, bootstrap=0).share("greedy", "heuristic")
