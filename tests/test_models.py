"""The published models: what their cards say of the files is true, and they win more than an equal would."""

from __future__ import annotations

import hashlib
import json
import re
import shlex

import pytest

pytest.importorskip("sb3_contrib")

from thurn_env.games.contract import GameRules
from thurn_env.players.policy import RELEASE, load, published
from thurn_env.training.config import rules_of
from thurn_env.training.matches import play_paired
from train.model_card import network

NAMES = published()
FEW_MEGABYTES = 4_000_000


def test_a_model_is_published() -> None:
    assert "thurn_und_taxis-south-2" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_that_of_the_file(name: str) -> None:
    content = (RELEASE / f"{name}.npz").read_bytes()
    card = (RELEASE / f"{name}.md").read_text("utf-8")
    policy = load(RELEASE / f"{name}.npz")
    made = policy.made
    assert hashlib.sha256(content).hexdigest()[:16] in card
    assert f"\n{made['command']}\n```\n" in card
    assert f"\n| network | {network(policy)} |\n" in card
    assert len(content) < FEW_MEGABYTES
    assert not re.search(r"/(tmp|home|root|work|Users)/", f"{json.dumps(made)}{card}"), "a folder of some machine"
    assert "Not examined yet" not in card, "say where it is weak"


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_of_a_card_find_what_they_need(name: str) -> None:
    """Every policy that one begins with or plays against is published, or what one before wrote."""
    block = re.search(r"^```sh\n(.*?)```", (RELEASE / f"{name}.md").read_text("utf-8"), re.M | re.S)
    assert block
    written = set[str]()
    for line in block.group(1).splitlines():
        words = shlex.split(line)
        for path in re.findall(r"--start (\S+)|ppo:([\w./-]+)", line):
            assert "".join(path) in written | set(NAMES), line
        out = words[words.index("--out") + 1]
        written |= {out} if words[2] in ("train.imitate", "imitate") else {f"{out}/best.npz", f"{out}/last.npz"}


def table_of(name: str) -> GameRules:
    return rules_of(load(RELEASE / f"{name}.npz").made["config"])


@pytest.mark.parametrize("name", NAMES)
def test_it_fits_its_table(name: str) -> None:
    assert not load(RELEASE / f"{name}.npz").fits(table_of(name))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("-2")])
def test_it_ranks_before_the_heuristic(name: str) -> None:
    """More often than an equal would, on decks that no card counts; kernels for more players would take minutes."""
    rules = table_of(name)
    assert play_paired(rules, load(RELEASE / f"{name}.npz"), "heuristic", decks=50, seed=10_000).won.mean() > 1 / 2
