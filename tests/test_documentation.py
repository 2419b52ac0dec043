"""The documentation says what the code does: tables and pictures are generated, the examples of the environment run."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from docs import generate
from thurn_env import thurn_und_taxis_v0

EXAMPLES = re.findall(r"```python\n(.*?)```", thurn_und_taxis_v0.__doc__ or "", re.DOTALL)


def test_the_page_is_up_to_date() -> None:
    stale = [path.name for path in generate.out_of_date()]
    assert not stale, f"{stale} are out of date: run python -m docs.generate"


def test_a_changed_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = generate.MODULE.read_text("utf-8")
    changed = tmp_path / "module.py"
    changed.write_text(module.replace("| 22 | `draw` |", "| 23 | `draw` |"), "utf-8")
    assert changed.read_text("utf-8") != module
    monkeypatch.setattr(generate, "MODULE", changed)
    assert generate.out_of_date() == [changed]
    assert generate.generated()[changed] == module


def test_a_changed_picture_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MOMENT", generate.MOMENT + 1)
    assert generate.out_of_date() == [generate.PICTURE]


def test_all_tables_are_on_the_page() -> None:
    named = [block[2] for block in generate.BLOCK.finditer(generate.MODULE.read_text("utf-8"))]
    assert sorted(named) == sorted(generate.tables())


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_run(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(example, "example", "exec"), {})
    if "render()" in example:
        assert "Thurn und Taxis" in capsys.readouterr().out


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3
