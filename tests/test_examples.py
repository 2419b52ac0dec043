"""What the README and the documentation tell users to do is done here."""

import re
import shlex
from pathlib import Path

import pettingzoo
import pytest

from tests.programs import thurn

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("page", "code"),
    [
        pytest.param(page, code, id=f"{page.name}-{n}")
        for page in PAGES
        for n, code in enumerate(python_blocks(page))
        # Those that start processes run as scripts, in test_subprocess_environments.py.
        if "__main__" not in code
    ],
)
def test_python_examples_run(page: Path, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "from pettingzoo import make" in code and not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    if "open_spiel" in code:
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})


def test_there_are_examples_to_run() -> None:
    assert len(python_blocks(ROOT / "README.md")) >= 2


def readme_commands() -> list[str]:
    return re.findall(r"^\| `(.+?)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", [c for c in readme_commands() if re.match(r"thurn (info|watch)", c)])
def test_commands_of_the_readme_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    from thurn_env.commands.cli import main

    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out


def test_the_tournament_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = [c for c in readme_commands() if c.startswith("thurn tournament")]
    words = shlex.split(command)[2:]
    words[words.index("--games") + 1] = "4"
    monkeypatch.chdir(tmp_path)
    assert thurn("tournament", [*words, "--jobs", "1"]) == 0
    assert list(tmp_path.glob("runs/first/**/*.jsonl"))


def test_make_has_the_commands_of_the_readme() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
