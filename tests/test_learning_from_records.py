"""Recorded games as data: transitions, data sets, and policies that imitate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from pyarrow import parquet

from tests.programs import thurn as run_command
from thurn_env import Game, OptionError, ThurnError, make_rules
from thurn_env.commands.imitate import main as imitate
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match
from thurn_env.players.policy import load as load_policy
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position, replay
from thurn_env.table.transitions import transitions
from thurn_env.tournament.dataset import load
from thurn_env.training.cloning import Cloning
from thurn_env.training.imitation import files_of, held_out_games


def games(number: int, *specs: str) -> list[Record]:
    """Games on the tiny board."""
    rules = make_rules("thurn_und_taxis", len(specs), "tiny")
    return [play_match(rules, [make_agent(spec, rules.bots) for spec in specs], seed=seed) for seed in range(number)]


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three agents at one table, four decks in three rotations."""
    out = tmp_path_factory.mktemp("tournament") / "played"
    command = ["--agents", "random", "greedy", "heuristic", "--players", "3", "--board", "tiny", "--seed", "1"]
    assert run_command("tournament", [*command, "--games", "4", "--jobs", "1", "--out", str(out)]) == 0
    return out


def test_transitions_are_what_the_seats_saw_and_did() -> None:
    (record,) = games(1, "greedy", "heuristic", "random")
    data = transitions([record])
    game = Game.from_rules(record.rules, seed=0)
    position = 0
    for game, move in zip(replay(record), record.moves, strict=False):
        if len(game.legal_actions) == 1:
            continue
        assert data.observations[position].tolist() == game.view().observation.tolist()
        assert data.masks[position].tolist() == game.action_mask.tolist()
        assert record.rules.action_texts[data.actions[position]] == move
        assert data.seats[position] == game.seat
        position += 1
    assert position == len(data)


def test_rewards_come_once_and_returns_everywhere() -> None:
    record, _ = games(2, "greedy", "heuristic", "random")
    data = transitions([record], reward="rank")
    assert record.result is not None
    for seat, rank in enumerate(record.result["ranks"]):
        paid = {1: 1.0, 2: 0.0, 3: -1.0}[rank]
        assert set(data.returns[data.seats == seat].tolist()) == {paid}
        assert np.flatnonzero(data.last[data.seats == seat]).tolist() == [int((data.seats == seat).sum()) - 1]
        rewards = data.rewards[data.seats == seat]
        assert rewards[-1] == paid
        assert not rewards[:-1].any()


def test_final_observations_are_what_the_seats_saw_at_the_end() -> None:
    records = games(2, "greedy", "heuristic", "random")
    data = transitions(records)
    assert len(data.final_observations) == int(data.last.sum()) == 6
    for row, seen in zip(np.flatnonzero(data.last), data.final_observations, strict=True):
        end = last_position(records[data.games[row]])
        assert end.over
        assert seen.tolist() == end.view(int(data.seats[row])).observation.tolist()


def test_only_the_agents_asked_for() -> None:
    records = games(3, "greedy", "heuristic", "greedy")
    both, one = transitions(records), transitions(records, agents=["heuristic"])
    assert len(one) == int((both.seats == 1).sum())
    assert set(one.seats.tolist()) == {1}
    assert set(one.games.tolist()) == {0, 1, 2}
    assert np.array_equal(transitions(records, agents="heuristic").observations, one.observations)
    with pytest.raises(OptionError, match="there are no decisions of greedy and more"):
        transitions(records, agents="greedy and more")
    with pytest.raises(OptionError, match="there are no decisions of mcts:1 in the records"):
        transitions(records, agents=["mcts:1"])


def test_games_that_did_not_end_are_left_out() -> None:
    """After a forfeit nothing can be said of what a decision was worth."""
    finished, other = games(2, "greedy", "heuristic", "random")
    cut = Game.from_rules(other.rules, seed=1)
    for move in other.moves[:20]:
        cut.play(move)
    both = transitions([cut.record(["greedy", "heuristic", "random"]), finished])
    assert set(both.games.tolist()) == {1}
    assert np.array_equal(both.actions, transitions([finished]).actions)
    with pytest.raises(OptionError, match="there are no decisions in the records"):
        transitions([cut.record(["greedy", "heuristic", "random"])])


def test_records_of_different_games_are_not_mixed() -> None:
    with pytest.raises(OptionError, match="record 2 is of another game"):
        transitions([*games(1, "greedy", "random", "random"), *games(1, "greedy", "random")])


def test_a_data_set_holds_every_decision(tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("dataset", [str(tournament), "--out", str(tmp_path / "data")]) == 0
    data = load(tmp_path / "data")
    records = [record for file in sorted((tournament / "games").iterdir()) for record in Record.load_all(file)]
    expected = transitions(records)
    assert f"{len(expected):,} decisions of 12 games" in capsys.readouterr().out
    for name in (
        "observations",
        "masks",
        "actions",
        "rewards",
        "returns",
        "seats",
        "games",
        "last",
        "final_observations",
    ):
        assert np.array_equal(getattr(data, name), getattr(expected, name)), name
    # Four decks in three rotations, one after the other.
    assert np.array_equal(data.decks, expected.games // 3)
    assert data.agents.tolist() == [
        (records[game].agents or [])[seat] for game, seat in zip(expected.games, expected.seats, strict=True)
    ]
    part = ["--players", "3", "--board", "tiny", "--seed", "1", "--games", "2", "--first-deck", "2", "--jobs", "1"]
    agents = ["--agents", "random", "greedy", "heuristic"]
    assert run_command("tournament", [*agents, *part, "--out", str(tmp_path / "part")]) == 0
    assert run_command("dataset", [str(tmp_path / "part"), "--out", str(tmp_path / "data of the part")]) == 0
    assert np.array_equal(load(tmp_path / "data of the part").decks, data.decks[data.decks >= 2])
    only = load(tmp_path / "data", agents=("greedy",))
    of_greedy = transitions(records, agents=["greedy"])
    assert np.array_equal(only.actions, of_greedy.actions)
    assert np.array_equal(only.final_observations, of_greedy.final_observations)
    assert np.array_equal(load(tmp_path / "data", agents="greedy").actions, of_greedy.actions)
    with pytest.raises(ThurnError, match="has no decisions of gredy, mcts:1"):
        load(tmp_path / "data", agents=["gredy", "greedy", "mcts:1"])
    card = (tmp_path / "data" / "README.md").read_text("utf-8")
    assert "Decisions from 12 games of Thurn und Taxis" in card
    assert f"{len(expected):,} decisions with more than one legal action" in card


def test_decisions_of_an_agent_that_sat_at_some_tables_only(tmp_path: Path) -> None:
    """Four agents for three seats: at every table one is missing."""
    agents = ["random", "sensible-random", "greedy", "heuristic"]
    command = ["--agents", *agents, "--players", "3", "--board", "tiny", "--seed", "1", "--games", "1", "--jobs", "1"]
    assert run_command("tournament", [*command, "--out", str(tmp_path / "played")]) == 0
    assert run_command("dataset", [str(tmp_path / "played"), "--out", str(tmp_path / "data")]) == 0
    parts = [load(tmp_path / "data", agents=(agent,)) for agent in agents]
    assert min(len(part) for part in parts) > 0
    assert sum(len(part) for part in parts) == len(load(tmp_path / "data"))


def test_twins_and_where_they_come_from(tmp_path: Path) -> None:
    """Of two agents with the same spec each has its name; and what is told of the games is what was noted of them."""
    command = ["--agents", "greedy", "greedy", "--board", "tiny", "--games", "1", "--jobs", "1"]
    assert run_command("tournament", [*command, "--out", str(tmp_path / "played")]) == 0
    description = tmp_path / "played" / "tournament.json"
    noted = json.loads(description.read_text("utf-8"))
    noted["config"]["engine"] = "an older one"
    description.write_text(json.dumps(noted), "utf-8")
    assert (
        run_command("dataset", [str(tmp_path / "played"), "--out", str(tmp_path / "data"), "--agents", "greedy#2"]) == 0
    )
    assert set(load(tmp_path / "data").agents) == {"greedy#2"}
    assert json.loads((tmp_path / "data" / "dataset.json").read_text("utf-8"))["tournament"] == noted["config"]


def test_a_tournament_that_is_not_finished(
    tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be taken for the whole one ever after."""
    shutil.copytree(tournament, tmp_path / "stopped")
    (tmp_path / "stopped" / "results.json").unlink()
    assert run_command("dataset", [str(tmp_path / "stopped"), "--out", str(tmp_path / "data")]) == 2
    assert "the tournament is not finished" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_data_set_of_another_version(tournament: Path, tmp_path: Path) -> None:
    assert run_command("dataset", [str(tournament), "--out", str(tmp_path / "data")]) == 0
    (file,) = (tmp_path / "data").glob("*.parquet")
    parquet.write_table(parquet.read_table(file).drop_columns(["deck"]), file)
    with pytest.raises(ThurnError, match=r"has no column deck: another version wrote it; write the data set again"):
        load(tmp_path / "data")


def test_a_folder_with_other_files_is_left_alone(
    tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text("my project", "utf-8")
    assert run_command("dataset", [str(tournament), "--out", str(tmp_path)]) == 2
    assert "holds other files; choose an empty or a new folder" in capsys.readouterr().err
    assert (tmp_path / "README.md").read_text("utf-8") == "my project"
    assert [file.name for file in tmp_path.iterdir()] == ["README.md"]


def test_a_data_set_goes_on_and_is_not_mixed_with_another(
    tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "data"
    command = [str(tournament), "--out", str(out), "--agents", "heuristic"]
    assert run_command("dataset", command) == 0
    (file,) = out.glob("*.parquet")
    before = file.stat().st_mtime_ns
    assert run_command("dataset", command) == 0
    assert file.stat().st_mtime_ns == before
    assert run_command("dataset", [*command, "--reward", "rank"]) == 2
    assert "holds another data set; choose another folder" in capsys.readouterr().err
    assert run_command("dataset", [str(tournament), "--out", str(tmp_path / "new"), "--agents", "nobody"]) == 2
    assert "no agent 'nobody' played in" in capsys.readouterr().err
    file.write_bytes(b"")
    assert run_command("dataset", command) == 2
    assert "is damaged" in capsys.readouterr().err
    file.write_bytes(b"PAR1")
    with pytest.raises(Exception, match="is damaged"):
        load(out)
    with pytest.raises(Exception, match=r"there is no data set in .*; create one with thurn dataset"):
        load(tmp_path)


def test_a_policy_learns_to_imitate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From sixty games it guesses more of the greedy bot's choices than chance, and plays them."""
    records = games(60, "greedy", "greedy", "greedy")
    (tmp_path / "games.jsonl").write_text("".join(record.to_json() + "\n" for record in records))
    command = ["--records", str(tmp_path), "--out", str(tmp_path / "clone.npz"), "--width", "64", "--threads", "1"]
    assert imitate([*command, "--minibatch", "128"]) == 0
    assert "agreement on" in capsys.readouterr().out
    policy = load_policy(tmp_path / "clone.npz")
    data = transitions(games(90, "greedy", "greedy", "greedy")[80:])
    blind = float((1 / data.masks.sum(axis=1)).mean())
    logits = np.where(data.masks != 0, policy(data.observations)[0], -np.inf)
    right = float((logits.argmax(axis=1) == data.actions).mean())
    assert right > blind + 0.15
    assert policy.made["right"] > blind + 0.15
    agent = make_agent(f"ppo:{tmp_path / 'clone.npz'}", records[0].rules.bots)
    play_match(records[0].rules, [agent, *(make_agent("random", records[0].rules.bots) for _ in range(2))], seed=1)
    more = ["--records", str(tmp_path), "--out", str(tmp_path / "more.npz"), "--width", "64", "--threads", "1"]
    assert imitate([*more, "--epochs", "1", "--start", str(tmp_path / "clone.npz")]) == 0
    start = {key: policy.made[key] for key in ("command", "version")}
    assert load_policy(tmp_path / "more.npz").made["start"] == {"file": "clone.npz", **start}


def test_the_policy_to_begin_with_may_be_deleted_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or be replaced: it is read once, also if the lessons are interrupted and resumed."""
    before, out, learn = tmp_path / "before.npz", tmp_path / "pupil.npz", Cloning.learn
    small = ["--players", "3", "--board", "tiny", "--width", "16", "--depth", "1", "--threads", "1"]
    command = ["--teacher", "greedy", "--decisions", "50000", *small]
    assert imitate([*command, "--decisions", "1", "--out", str(before)]) == 0
    made = load_policy(before).made["command"]

    def without_it(self: Cloning, *arguments: Any) -> None:
        before.unlink(missing_ok=True)
        monkeypatch.setattr(Cloning, "learn", learn)
        raise KeyboardInterrupt

    monkeypatch.setattr(Cloning, "learn", without_it)
    command += ["--start", str(before), "--out", str(out)]
    assert imitate(command) == 130
    assert imitate([*command, "--resume"]) == 0
    assert load_policy(out).made["start"]["command"] == made


def test_the_test_has_decks_of_its_own() -> None:
    """Twelve decks, each in three rotations: those of the first and of the eleventh deck are kept apart."""
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    names = ("random", "greedy", "sensible-random")
    records = [
        play_match(rules, [make_agent(names[(seat + shift) % 3], rules.bots) for seat in range(3)], seed=deck)
        for deck in range(12)
        for shift in range(3)
    ]
    assert held_out_games(records).tolist() == [deck in (0, 10) for deck in range(12) for _ in range(3)]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "there are no records in"),
        (["--players", "3"], "--players applies only with --teacher; records contain their game"),
        (["--game", "thurn_und_taxis"], "--game applies only with --teacher"),
        (["--resume"], "--resume continues the lessons of a --teacher"),
    ],
)
def test_nothing_to_imitate(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str) -> None:
    assert imitate(["--records", str(tmp_path), "--out", str(tmp_path / "clone.npz"), *more]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "clone.npz").exists()


def test_records_of_a_tournament(tournament: Path, tmp_path: Path) -> None:
    """In its folder, wherever that lies, the games are found, and not the files beside them."""
    copied = shutil.copytree(tournament, tmp_path / "runs" / "tournament")
    loose = tmp_path / "loose.jsonl"
    loose.write_text("".join(record.to_json() + "\n" for record in games(2, "greedy", "greedy", "greedy")))
    played = sorted((copied / "games").iterdir())
    assert files_of((tmp_path,)) == [loose, *played]
    assert files_of((copied,)) == files_of((copied / "games",)) == played
    assert {record.game for file in played for record in Record.load_all(file)} == {"thurn_und_taxis"}


def test_a_policy_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "clone.npz"
    out.write_bytes(b"a policy")
    for source in (["--records", str(tmp_path)], ["--teacher", "greedy"]):
        assert imitate([*source, "--out", str(out)]) == 2
        assert f"{out} exists; name another --out, or delete it" in capsys.readouterr().err
    out.rename(tmp_path / "clone.npz.lessons")
    assert imitate(["--teacher", "greedy", "--out", str(out)]) == 2
    assert "clone.npz.lessons holds interrupted lessons; add --resume" in capsys.readouterr().err
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"a policy"]
