"""The notebooks as they are stored: what they show is what somebody sees who only reads them.

That they run is tested by nbmake, which executes every file of the folder.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 150_000
"""Bytes: a notebook is to be read, and every change of a picture stays in the history for ever."""
MACHINE_PATH = re.compile(r"(?<![\w./])/(?:home|root|tmp|work|usr|opt|var|Users|private)/|[A-Z]:\\\\")
BY_NOTEBOOK = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@BY_NOTEBOOK
def test_it_is_stored_as_executed_from_top_to_bottom(path: Path) -> None:
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert any(cell["outputs"] for cell in cells)


@BY_NOTEBOOK
def test_its_outputs_hold_no_error_no_warning_and_no_path_of_a_machine(path: Path) -> None:
    for number, cell in enumerate(code_cells(path), start=1):
        for output in cell["outputs"]:
            assert output["output_type"] != "error", f"cell {number} failed"
            assert output.get("name") != "stderr", f"cell {number} wrote to standard error"
            texts = {kind: data for kind, data in output.get("data", {}).items() if not kind.startswith("image/png")}
            shown = json.dumps([output.get("text", ""), texts], ensure_ascii=False)
            assert not (found := MACHINE_PATH.search(shown)), f"cell {number} shows a path: {found}"
            assert "Warning" not in shown, f"cell {number} shows a warning"


@BY_NOTEBOOK
def test_it_is_small(path: Path) -> None:
    assert path.stat().st_size <= LARGEST


@BY_NOTEBOOK
def test_its_links_lead_somewhere(path: Path) -> None:
    """Anchors are those of GitHub, as in the pages of docs/."""
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        name, _, place = target.partition("#")
        file = (path.parent / name).resolve()
        assert file.is_file(), f"there is no {name}"
        headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
        anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
        assert not place or place in anchors, f"{name} has no heading {place!r}"


@BY_NOTEBOOK
def test_the_first_page_lists_it(path: Path) -> None:
    assert f"`{path.name}`" in (ROOT / "docs" / "index.md").read_text("utf-8")


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 5
