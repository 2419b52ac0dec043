"""The documentation says what the code does: tables and pictures are generated, the examples of the pages run."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pettingzoo
import pytest

from docs import agent_transcript, exploitability, generate, models
from docs.generate import PAGES, Page
from thurn_env.games import GAMES, make_rules

EXAMPLES = [
    pytest.param(page, example, id=f"{page.game}-{number}")
    for page in PAGES
    for number, example in enumerate(re.findall(r"```python\n(.*?)```", page.module.read_text("utf-8"), re.DOTALL))
]
BY_GAME = pytest.mark.parametrize("page", PAGES, ids=[page.game for page in PAGES])


@pytest.fixture(scope="module", autouse=True)
def made_once() -> Iterator[None]:
    """The plots, the page of models and the transcript, which none of the changes in these tests touches."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((exploitability, "files"), (models, "files"), (agent_transcript, "table")):
            patch.setattr(module, name, cache(getattr(module, name)))
        yield


def out_of_date() -> list[Path]:
    """Releases of matplotlib draw a little differently, so plots are only compared with the pinned one."""
    pins = (generate.ROOT / "constraints.txt").read_text("utf-8").splitlines()
    plots = [generate.IMAGES / name for name in ("learning.svg", "exploitability.svg")]
    same = f"matplotlib=={version('matplotlib')}" in pins
    return [path for path in generate.out_of_date() if same or path not in plots]


def test_every_game_has_a_page() -> None:
    assert [page.game for page in PAGES] == list(GAMES)


def test_everything_is_up_to_date() -> None:
    stale = [path.name for path in out_of_date()]
    assert not stale, f"{stale} are out of date: run python -m docs.generate"


def test_a_changed_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGES[0]
    module = page.module.read_text("utf-8")
    changed = tmp_path / "module.py"
    changed.write_text(module.replace("- `draw` (22):", "- `draw` (23):"), "utf-8")
    assert changed.read_text("utf-8") != module
    monkeypatch.setattr(generate, "PAGES", (replace(page, module=changed), *PAGES[1:]))
    assert out_of_date() == [changed]
    assert generate.generated()[changed] == module


def test_a_changed_picture_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    name, (source, moment) = next(iter(generate.PICTURES.items()))
    monkeypatch.setattr(generate, "PICTURES", generate.PICTURES | {name: (source, moment + 1)})
    assert out_of_date() == [generate.IMAGES / name]


@BY_GAME
def test_all_tables_are_on_the_page(page: Page) -> None:
    named = [block[2] for block in generate.BLOCK.finditer(page.module.read_text("utf-8"))]
    assert sorted(named) == sorted(generate.tables(page))


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_the_examples_run(page: Page, example: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "from pettingzoo import make" in example and not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(example, "example", "exec"), {})
    if "render()" in example:
        assert make_rules(page.game, 2).title in capsys.readouterr().out


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 2


def test_curves_begin_after_lessons_and_runs_for_other_tables() -> None:
    first = {"lesson_minutes": 7.5, "minutes": 60.0}
    second = {"minutes": 20.0, "start": first}
    assert models.minutes_before({"minutes": 5.0}) == 0
    assert models.minutes_before(first) == 7.5
    assert models.minutes_before({"lesson_minutes": 1.0, "minutes": 30.0, "start": second}) == 88.5
