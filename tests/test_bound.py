"""The lower bound of `thurn exploit` on the card of a published model."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from docs.models import strength
from thurn_env.players import policy
from thurn_env.players.policy import RELEASE
from thurn_env.tournament.config import digest_of
from thurn_env.training.exploit import LowerBound
from train import bound as program
from train.bound import main
from train.model_card import WEAKNESSES, bound_of, response, with_bound

NAME = "thurn_und_taxis-south-2"
PLAYS = {"spec": "ppo:response.npz", "iterations": 0, "opponents": None}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A published model without a bound, in a folder of its own."""
    folder = tmp_path / "models"
    folder.mkdir()
    shutil.copy(RELEASE / f"{NAME}.npz", folder)
    sections = (RELEASE / f"{NAME}.md").read_text("utf-8").split("\n\n## ")
    without = [section for section in sections if not section.startswith("Best response")]
    (folder / f"{NAME}.md").write_text("\n\n## ".join(without), "utf-8")
    monkeypatch.setattr(program, "RELEASE", folder)
    monkeypatch.setattr(policy, "RELEASE", folder)
    return folder / f"{NAME}.npz"


def some_bound(folder: Path, model: Path, share: float = 0.575) -> LowerBound:
    """A result in a folder."""
    made = {
        "command": f"thurn exploit ppo:{NAME} --hours 1 --out {folder}",
        "files": {NAME: digest_of(model)},
    }
    bound = LowerBound(f"ppo:{NAME}", "best", share, 0.53, 0.61, 400, {"best": 0.6}, PLAYS, made)
    folder.mkdir(exist_ok=True)
    bound.write(folder)
    return bound


def test_a_card_gets_the_bound(model: Path, tmp_path: Path) -> None:
    card = model.with_suffix(".md")
    before = card.read_text("utf-8")
    some_bound(tmp_path / "out", model)
    assert main([str(tmp_path / "out"), f"ppo:{NAME}"]) == 0
    text = card.read_text("utf-8")
    command = f"thurn exploit ppo:{NAME} --hours 1 --out runs/exploit-{NAME}"
    for fact in ("ranks before it in 57.5% of 400 games", "53.0% to 61.0%", "lower bound", f"```sh\n{command}\n```"):
        assert fact in text
    assert text.index("## Strength") < text.index("## Best response") < text.index("## Learning")
    assert str(tmp_path) not in text
    found = bound_of(model)
    assert found is not None
    assert text.replace("\n".join(response(found)) + "\n\n", "") == before, "nothing else has changed"
    assert strength([NAME], [text]).endswith("| 57.5 (53.0 to 61.0) |")
    assert strength([NAME], [before]).endswith(" |  |")


def test_a_search_is_told_with_its_iterations(model: Path, tmp_path: Path) -> None:
    bound = some_bound(tmp_path / "out", model)
    searching = replace(bound, response="own-search", plays={**PLAYS, "iterations": 1000})
    assert "for this policy alone (`best`) ranks before it in 57.5%" in "\n".join(response(bound))
    assert "for this policy alone (`own-search` with 1,000 iterations) ranks before" in "\n".join(response(searching))


def test_a_new_bound_takes_the_place_of_the_old_one(model: Path, tmp_path: Path) -> None:
    for share in (0.575, 0.583):
        some_bound(tmp_path / "out", model, share)
        assert main([str(tmp_path / "out"), NAME]) == 0
    text = model.with_suffix(".md").read_text("utf-8")
    assert text.count("## Best response") == 1
    assert "ranks before it in 58.3%" in text
    assert "ranks before it in 57.5%" not in text


def test_a_policy_that_no_response_beats(model: Path, tmp_path: Path) -> None:
    """Its card says so, with the figures of what was tried; the policy itself is no response made for it."""
    found = some_bound(tmp_path / "out", model, 0.435)
    weak = replace(found, low=0.365, high=0.5, candidates={"bot": 0.34, "best": 0.56})
    text = with_bound(model.with_suffix(".md").read_text("utf-8"), weak)
    for fact in (
        "No response was found that does better than the policy itself, which by symmetry ranks before copies of "
        "itself in 50.0% of games. `best`, ",
        "(`bot` 34.0%, `best` 56.0%), ranks before it in 43.5% of 400 games (95 % interval 36.5% to 50.0%).",
    ):
        assert fact in text
    assert "lower bound" not in text
    assert strength([NAME], [text]).endswith("| 43.5 (36.5 to 50.0) |")
    tried = {"bot": 0.26, "start": 0.5, "best": 0.42}
    for games in (0, 200):
        mirrored = replace(weak, response="start", share=0.5, games=games, candidates=tried)
        text = with_bound(text, mirrored)
        assert "50.0% of games. On the decks that choose a response: `bot` 26.0%, `best` 42.0%." in text
        assert strength([NAME], [text]).endswith("| 50.0 |")


def test_a_card_without_learning(model: Path, tmp_path: Path) -> None:
    text = f"# some\n\n## Strength\n\nStrong.\n\n{WEAKNESSES}\n\nNone.\n"
    found = with_bound(text, some_bound(tmp_path / "out", model))
    assert found.index("Strong.") < found.index("## Best response") < found.index(WEAKNESSES)
    assert found.endswith("None.\n")


def test_the_bound_of_another_file_is_refused(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bound = some_bound(tmp_path / "out", model)
    replace(bound, made={**bound.made, "files": {}}).write(tmp_path / "out")
    assert main([str(tmp_path / "out"), NAME]) == 2
    assert f"not of this file of {NAME}; run thurn exploit ppo:{NAME}" in capsys.readouterr().err
    assert main([str(tmp_path / "out"), "nobody"]) == 2
    assert "there is no published model 'nobody'" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere"), NAME]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_a_model_that_was_published_again_loses_its_bound(model: Path, tmp_path: Path) -> None:
    some_bound(tmp_path / "out", model)
    assert main([str(tmp_path / "out"), NAME]) == 0
    shutil.copy(RELEASE / "thurn_und_taxis-south-3.npz", model)
    assert bound_of(model) is None
