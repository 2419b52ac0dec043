"""Published models: measured, with a card that says how they were made and what they can do."""

from __future__ import annotations

import hashlib
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from tests.test_learning_from_records import games
from tests.test_training import SMALL, train
from thurn_env import make_rules
from thurn_env.commands.imitate import main as imitate
from thurn_env.players import policy
from thurn_env.players.policy import Policy, load
from thurn_env.tournament.playing import play_tournament
from thurn_env.tournament.results import Results
from thurn_env.training.pool import origins
from train import publish
from train.model_card import Match, origin, runs_before
from train.ppo import main as train_and_publish
from train.publish import elsewhere, main, portable

SEARCH = ["--search", "5", "--search-against", "random"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short run."""
    out = tmp_path_factory.mktemp("runs") / "short"
    assert train(out, 400) == train(out, 800, "--resume") == 0
    return out / "best.npz"


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for models of its own."""
    folder = tmp_path / "models"
    monkeypatch.setattr(publish, "RELEASE", folder)
    monkeypatch.setattr(policy, "RELEASE", folder)
    return folder


def told(policy: Policy) -> list[str]:
    """The commands on a card."""
    page = "\n".join(origin("some", policy, b""))
    return page.partition("```sh\n")[2].partition("\n```")[0].splitlines()


def test_a_model_is_published_with_its_card(trained: Path, release: Path, tmp_path: Path) -> None:
    # One process plays: others would not see the folder of this test.
    command = [str(trained), "--name", "small", "--decks", "2", "--against", "greedy", *SEARCH]
    assert main([*command, "--jobs", "0", "--out", str(tmp_path / "matches")]) == 0
    model, card = load(release / "small.npz"), (release / "small.md").read_text("utf-8")
    assert (release / "small.jsonl").read_bytes() == (trained.parent / "evaluations.jsonl").read_bytes()
    for ours, theirs in zip(model.trunk, load(trained).trunk, strict=True):
        assert (np.abs(ours.weight - theirs.weight) <= 0.501 / 127 * np.abs(theirs.weight).max(axis=0)).all()
    assert str(trained.parent) not in f"{model.made}{card}", "the folders of the machine are nobody's business"
    assert "--out runs/small" in model.made["command"]
    assert "--resume" not in model.made["command"]
    made = model.made
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    cities, scored = len(rules.neighbours()), int((rules.action_places >= 0).sum())
    actions = f"{rules.action_size} actions, {scored} of which shared layers score, and the value"
    for fact in (
        "A policy for `thurn_und_taxis`, 3 players, board `tiny`, max_rounds=8.",
        f"| network | 166 values observed, 2 rounds of 48 values for each of {cities} cities, hidden layers of "
        f"16, 16, {actions} |",
        f"| data | {made['steps']:,} decisions against greedy=0.3, self=0.3, past=0.4 |",
        f"\n```sh\n{made['command']}\n```\n",
        f"engine `{made['engine']}` |",
        "| `ppo:small` | `greedy` | 6 |",
        "| `ppo+mcts:small,5` | `ppo:small` | 6 |",
        "thurn tournament --format ladder --agents greedy ppo:small",
        "| 576 | ",
        "Not examined yet.",
    ):
        assert fact in card, fact


def test_a_card_says_how_the_policy_was_made_that_it_began_with(trained: Path, release: Path, tmp_path: Path) -> None:
    run, before = tmp_path / "run", tmp_path / "before.npz"
    before.write_bytes(trained.read_bytes())
    assert train(run, 200, f"--start={before}") == 0
    before.unlink()
    command = [str(run / "best.npz"), "--name", "second", "--decks", "1", "--against", "random", *SEARCH]
    assert main([*command, "--jobs", "0", "--out", str(tmp_path / "matches")]) == 0
    made, card = load(release / "second.npz").made, (release / "second.md").read_text("utf-8")
    data = f"| data | begun with `before.npz`{runs_before(made)}, then {made['steps']:,} decisions against"
    assert data in card
    assert made["command"].endswith("--out runs/second --start=runs/before/best.npz")
    # The run was stopped once: the best policy has the command of the part that made it.
    assert re.search(r"--steps (400|800)( --resume)? --out runs/before$", made["start"]["command"])
    assert f"\n```sh\n{made['start']['command']}\n{made['command']}\n```\n" in card
    assert str(trained.parent) not in f"{made}{card}", "the folders of the machine are nobody's business"


def test_an_option_given_twice_is_told_once() -> None:
    """The last one counts, as for the command."""
    words = "python -m train.ppo --steps 16 --option a=1 b=2 --players 3 --steps=40 --option c=3 --out runs/a --resume"
    assert elsewhere(words.split(), "runs/b", {}) == (
        "python -m train.ppo --steps=40 --option c=3 --players 3 --out runs/b"
    )


def test_a_card_says_how_long_the_runs_before_were() -> None:
    """A policy may come from the middle of a run, whose command has more steps."""
    assert runs_before({"start": {"steps": 5, "start": {"steps": 1_000}}}) == " (runs of 1,000 and 5 decisions)"
    assert runs_before({"start": {"steps": 0}}) == runs_before({}) == ""
    assert runs_before({"start": {"steps": 5, "start": {"steps": 0}}}) == "", "the first one is not known"


def test_a_card_names_all_runs_that_led_to_the_model(trained: Path, release: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert train(first, 200, f"--start={trained}") == 0
    assert train(second, 200, f"--start={first / 'last.npz'}") == 0
    assert train(second, 400, f"--start={first / 'last.npz'}", "--resume") == 0
    policy = portable(load(second / "last.npz"), "third")
    ends = ("--out runs/short", "--out runs/first --start=runs/short/best.npz")
    for line, end in zip(told(policy), (*ends, "--out runs/third --start=runs/first/last.npz"), strict=True):
        assert line.endswith(end)
    assert policy.made["config"]["start"] == "first/last.npz"
    assert str(tmp_path) not in str(policy.made)
    # A policy may continue one of its own name, in another folder.
    again = portable(load(second / "last.npz"), "first")
    ends = ("--out runs/short", "--out runs/first-before --start=runs/short/best.npz")
    for line, end in zip(told(again), (*ends, "--out runs/first --start=runs/first-before/last.npz"), strict=True):
        assert line.endswith(end)
    assert again.made["config"]["start"] == "first-before/last.npz"
    # The same name may be further back.
    again = portable(load(second / "last.npz"), "short")
    ends = ("--out runs/short-before", "--out runs/first --start=runs/short-before/best.npz")
    for line, end in zip(told(again), (*ends, "--out runs/short --start=runs/first/last.npz"), strict=True):
        assert line.endswith(end)


def test_a_policy_that_a_run_begins_with_and_meets_has_one_name(trained: Path, tmp_path: Path) -> None:
    """In a folder with an equals sign, as a sweep names it: all words of the command that name it agree."""
    first, second = tmp_path / "seed=4", tmp_path / "second"
    assert train(first, 200, f"--start={trained}") == 0
    policy = f"{first / 'last.npz'}"
    met = ["--start", policy, "--opponents", "greedy=0.5", f"ppo:{policy}=0.5", "--evaluate-against", f"ppo:{policy}"]
    assert train(second, 200, *met) == 0
    *_, command = told(portable(load(second / "last.npz"), "third"))
    here = "runs/seed=4/last.npz"
    words = f"--start {here} --opponents greedy=0.5 ppo:{here}=0.5 --evaluate-against ppo:{here}"
    assert words in command.replace("'", "")


@pytest.mark.parametrize(
    ("entry", "anywhere"),
    [
        ("ppo:/home/me/a=b/best.npz", "ppo:best.npz"),
        ("ppo:/home/me/best.npz,sample=0.5", "ppo:best.npz,sample=0.5"),
        ("ppo+mcts:/home/me/best.npz,48", "ppo+mcts:best.npz,48"),
        ("each:ppo+mcts:/home/me/best.npz,5=0.5", "each:ppo+mcts:best.npz,5=0.5"),
        ("each:mcts:5=0.5", "each:mcts:5=0.5"),
        ("greedy=0.5", "greedy=0.5"),
    ],
)
def test_no_agent_keeps_the_folder_of_its_policy(entry: str, anywhere: str) -> None:
    assert publish.without_folder(entry) == anywhere
    assert publish.elsewhere(["--opponents", entry], "", {}) == shlex.join(["--opponents", anywhere])


def test_search_too_was_made_from_a_policy(trained: Path) -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny", max_rounds=8)
    names = [f"ppo:{trained}", f"ppo+mcts:{trained},5", f"each:ppo+mcts:{trained},5"]
    found = origins(rules, [*names, "greedy", "each:mcts:5", "tests.guests:Last"])
    assert list(found) == names
    assert {made["command"] for made in found.values()} == {load(trained).made["command"]}


def test_a_card_says_how_the_policies_were_made_that_it_met(trained: Path, release: Path, tmp_path: Path) -> None:
    """Those in the pool, and what these were made from; a command that several have in common is told once."""
    clone, run = tmp_path / "clones" / "clone.npz", tmp_path / "run"
    records = tmp_path / "games"
    records.mkdir()
    (records / "games.jsonl").write_text(
        "".join(record.to_json() + "\n" for record in games(20, "greedy", "greedy", "random"))
    )
    learn = ["--records", str(records), "--width", "16", "--threads", "1", "--epochs", "1"]
    learn += ["--network", "city", f"--start={trained}"]
    clone.parent.mkdir()
    assert imitate([*learn, "--out", str(clone)]) == 0
    pool = ["--opponents", "greedy=0.5", f"ppo:{clone},sample=0.5", "--evaluate-against", f"ppo:{clone}"]
    assert train(run, 200, f"--start={trained}", *pool) == 0
    clone.unlink()
    made = portable(load(run / "best.npz"), "fourth")
    first, second, third = told(made)
    assert first.startswith("thurn train")
    assert first.endswith("--out runs/short")
    assert second.startswith("thurn imitate --records games")
    assert second.endswith("--start=runs/short/best.npz --out clone.npz")
    assert "--opponents greedy=0.5 ppo:clone.npz,sample=0.5 --evaluate-against ppo:clone.npz" in third
    rows = "\n".join(origin("fourth", made, b""))
    assert "against greedy=0.5, ppo:clone.npz,sample=0.5 |" in rows
    assert str(tmp_path) not in str(made.made)


def test_what_a_card_says_of_weaknesses_is_kept(trained: Path, release: Path, tmp_path: Path) -> None:
    release.mkdir()
    (release / "small.md").write_text("# old\n\n## Known weaknesses\n\nIt never takes the postmaster.\n", "utf-8")
    command = [str(trained), "--name", "small", "--decks", "2", "--search-decks", "1", "--against", "random", *SEARCH]
    assert main([*command, "--jobs", "0", "--out", str(tmp_path / "matches")]) == 0
    card = (release / "small.md").read_text("utf-8")
    assert "| `ppo:small` | `random` | 6 |" in card
    assert "| `ppo+mcts:small,5` | `ppo:small` | 3 |" in card
    assert card.startswith("# small\n")
    assert card.endswith("## Known weaknesses\n\nIt never takes the postmaster.\n")
    assert str(tmp_path) not in card


def test_the_card_is_never_that_of_the_model_before(
    trained: Path, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is its learning that of the model before, if the policy has lost the evaluations of its run."""
    release.mkdir()
    card, alone = release / "small.md", tmp_path / "alone.npz"
    alone.write_bytes(trained.read_bytes())
    card.write_text("# the model before\n", "utf-8")
    (release / "small.jsonl").write_text('{"steps": 7777, "kept": true, "minutes": 1}\n', "utf-8")
    seen: list[str] = []
    play = play_tournament

    def stop_at_the_second(*arguments: Any, **named: Any) -> Results:
        seen.append(card.read_text("utf-8"))
        if len(seen) > 1:
            raise KeyboardInterrupt
        return play(*arguments, **named)

    monkeypatch.setattr(publish, "play_tournament", stop_at_the_second)
    command = [str(alone), "--name", "small", "--decks", "1", "--against", "random", *SEARCH, "--jobs", "0"]
    assert main([*command, "--out", str(tmp_path / "matches")]) == 130
    assert not (release / "small.jsonl").exists()
    seen.append(card.read_text("utf-8"))
    digest = hashlib.sha256((release / "small.npz").read_bytes()).hexdigest()[:16]
    assert all(digest in page and "the model before" not in page for page in seen)
    played = ["Incomplete: 0 of 3 matches", *["Incomplete: 1 of 3 matches"] * 2]
    assert [words in page for words, page in zip(played, seen, strict=True)] == [True] * 3
    assert "| `ppo:small` | `random` | 3 |" in seen[-1]
    monkeypatch.setattr(publish, "play_tournament", play)
    assert main([*command, "--out", str(tmp_path / "matches")]) == 0
    assert "Not measured" not in card.read_text("utf-8")


def test_what_cannot_be_published(tmp_path: Path, release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.npz"), "--name", "small"]) == 2
    assert "there is no policy" in capsys.readouterr().err
    assert main([str(tmp_path / "no.npz"), "--name", "../small"]) == 2
    assert "--name must be made of letters, digits, - and _" in capsys.readouterr().err
    assert not release.exists()


@pytest.mark.parametrize(
    ("game", "players", "board", "search_decks", "search"),
    [
        ("thurn_und_taxis", 2, None, 100, ("mcts:1000",)),
        ("thurn_und_taxis", 3, "north", 30, ()),
        ("thurn_und_taxis", 4, None, 20, ()),
        # Without an evaluation, `mcts` plays every game to its end, which takes twenty times as long.
        ("zug_um_zug_deutschland", 2, None, 100, ()),
        ("zug_um_zug_deutschland", 5, None, 20, ()),
    ],
)
def test_usual_matches_take_minutes(
    game: str, players: int, board: str | None, search_decks: int, search: tuple[str, ...]
) -> None:
    """Many decks without search, few with it; what is given counts."""
    rules = make_rules(game, players, board)
    usual = publish.complete(publish.Arguments(Path("best.npz"), "some"), rules)
    assert (usual.against, usual.search_against) == (("heuristic", *search), search)
    assert publish.decks_of(usual, "ppo:some", "heuristic") == 1000
    assert publish.decks_of(usual, "ppo+mcts:some,200", "ppo:some") == search_decks
    few = publish.complete(publish.Arguments(Path("best.npz"), "some", decks=7), rules)
    assert publish.decks_of(few, "ppo:some", "mcts:1000") == 7
    given = publish.Arguments(Path("best.npz"), "some", 10, 2000, against=("random",), search_against=("greedy",))
    assert publish.complete(given, rules) == given


def test_the_decks_of_a_publication_can_be_chosen(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with the command that trains; refused before the training if they are wrong or for nothing."""
    met: list[publish.Arguments] = []

    def matched(arguments: publish.Arguments, policy: Policy, agent: str, other: str) -> Match:
        met.append(arguments)
        return Match(agent, other, 6, 0.5, 0.4, 0.6, 1.5, 1.5, None, "thurn tournament", None)

    monkeypatch.setattr(publish, "played", matched)
    out = tmp_path / "recipe"
    command = [*SMALL, "--steps", "200", "--out", str(out), "--decks", "9", "--search-decks"]
    assert train_and_publish([*command, "3"]) == 2
    assert "--decks applies only with --publish" in capsys.readouterr().err
    assert train_and_publish([*command, "0", "--publish"]) == 2
    assert "--search-decks must be from 1 to" in capsys.readouterr().err
    assert not out.exists()
    assert train_and_publish([*command, "3", "--publish"]) == 0
    assert {(arguments.decks, arguments.search_decks) for arguments in met} == {(9, 3)}


def test_a_folder_that_cannot_name_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the option that was given."""
    assert train_and_publish([*SMALL, "--steps", "200", "--out", str(tmp_path / "a b"), "--publish"]) == 2
    said = capsys.readouterr().err
    assert "--out with --publish must end in the name of the model, made of letters, digits, - and _, not 'a b'" in said
    assert "--name" not in said


def test_one_command_trains_and_publishes(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, str]] = []

    def matched(arguments: publish.Arguments, policy: Policy, agent: str, other: str) -> Match:
        met.append((agent, other))
        return Match(agent, other, 6, 0.5, 0.4, 0.6, 1.5, 1.5, None, "thurn tournament", None)

    monkeypatch.setattr(publish, "played", matched)
    out = tmp_path / "recipe"
    command = [*SMALL, "--steps", "400", "--out", str(out), "--publish"]
    assert train_and_publish(command) == 0
    assert np.allclose(
        load(release / "recipe.npz").actions.bias, load(out / "best.npz").actions.bias, rtol=1e-3, atol=1e-6
    )
    (told_command,) = told(load(release / "recipe.npz"))
    assert told_command.startswith("python -m train.ppo ")
    assert told_command.endswith("--out runs/recipe --publish")
    assert ("ppo:recipe", "heuristic") in met
    assert ("ppo+mcts:recipe,200", "ppo:recipe") in met
    # The run is finished: resuming only plays what its publication lacks.
    before = (out / "best.npz").read_bytes()
    assert train_and_publish([*command, "--resume"]) == 0
    assert (out / "best.npz").read_bytes() == before
