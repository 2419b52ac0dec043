"""The commit that a tournament notes: of the project's own checkout, or none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import thurn_env
from thurn_env.tournament import checkout
from thurn_env.tournament.checkout import state_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root: Path, *command: str) -> str:
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    return subprocess.run(["git", "-C", root, *identity, *command], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with one file and one commit."""
    (tmp_path / "code.py").write_text("print(1)\n", "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "code.py")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "--message", "Begin")
    return tmp_path


def test_the_commit_and_whether_tracked_files_differ(root: Path) -> None:
    commit = git(root, "rev-parse", "HEAD").strip()
    (root / "games.jsonl").write_text("", "utf-8")
    assert state_of(root) == {"commit": commit, "dirty": False}
    (root / "code.py").write_text("print(2)\n", "utf-8")
    assert state_of(root) == {"commit": commit, "dirty": True}
    git(root, "add", "code.py")
    assert state_of(root) == {"commit": commit, "dirty": True}


def test_what_a_ladder_noted_is_no_change_of_the_code(root: Path) -> None:
    """With `--write` one ladder notes its results in the checkout before the next one is played."""
    noted = root / "eval" / "ladders" / "full-2.json"
    noted.parent.mkdir(parents=True)
    noted.write_text("{}", "utf-8")
    git(root, "add", "eval")
    git(root, "commit", "--quiet", "--no-gpg-sign", "--message", "Note")
    noted.write_text("[]", "utf-8")
    assert state_of(root)["dirty"] is True
    assert state_of(root, ["eval/ladders"])["dirty"] is False


def test_the_repository_of_a_hook_is_another_one(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = state_of(root)
    monkeypatch.setenv("GIT_DIR", str(tmp_path_factory.mktemp("other")))
    assert state_of(root) == known != {}


def test_nothing_is_noted_of_what_is_no_checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    inner = root / "site-packages"
    inner.mkdir()
    assert state_of(inner) == {}
    empty = tmp_path_factory.mktemp("empty")
    assert state_of(empty) == {}
    git(empty, "init", "--quiet")
    assert state_of(empty) == {}


def test_packages_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an installed thurn_env the checkout of `eval` says nothing."""
    monkeypatch.setattr(thurn_env, "__file__", str(tmp_path / "thurn_env" / "__init__.py"))
    assert checkout.checkout() == {}


@pytest.mark.skipif(sys.platform == "win32", reason="a script in place of git")
def test_a_git_that_is_missing_or_hangs_is_no_error(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", str(folder))
    assert state_of(root) == {}
    (folder / "git").write_text("#!/bin/sh\nexec /bin/sleep 60\n", "utf-8")
    (folder / "git").chmod(0o755)
    monkeypatch.setattr(checkout, "GIT_TIMEOUT", 0.2)
    assert state_of(root) == {}
