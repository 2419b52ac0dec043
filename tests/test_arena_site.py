"""The site of a standing list, in a real browser: the list, agents, games, and names that look like markup."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.arenas import TINY, arena
from tests.chromium import faultless, needs_chromium
from thurn_env.tournament.arena.playing import play

NAME = '<img src=x onerror="alert(1)"> & [bold]'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a list of three agents that play and one without games."""
    folder = tmp_path_factory.mktemp("arena") / "list"
    assert arena(folder, "add", "random", "sensible-random", *TINY) == 0
    assert arena(folder, "add", "greedy", "--name", NAME) == 0
    play(folder, goal=250, jobs=0)
    assert arena(folder, "add", "heuristic") == 0
    out = folder.parent / "site #1 & 100%"
    assert arena(folder, "html", str(out), "--last-games", "2", "--bootstrap", "50") == 0
    return out


def test_pages_are_written_once(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (site / "index.html").is_file()
    assert len(list((site / "agents").iterdir())) == 3
    games = {file: file.stat().st_mtime_ns for file in (site / "games").iterdir()}
    assert 2 <= len(games) <= 6
    assert arena(site.parent / "list", "html", str(site), "--last-games", "2") == 0
    assert {file: file.stat().st_mtime_ns for file in (site / "games").iterdir()} == games


def test_pages_hold_no_markup_of_names_and_load_nothing(site: Path) -> None:
    for page in [site / "index.html", *(site / "agents").iterdir()]:
        text = page.read_text("utf-8")
        assert "<img" not in text
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text
        assert "<script" not in text


@needs_chromium
def test_from_the_list_to_a_game(site: Path, browser: Browser) -> None:
    with faultless(browser, site.as_uri()) as page:
        page.goto((site / "index.html").as_uri())
        rows = page.locator("#list ~ .wide tbody tr")
        expect(rows).to_have_count(4)
        expect(rows.first).to_contain_text(NAME)
        expect(rows.last).to_contain_text("no games")
        expect(page.locator(".heat tbody tr")).to_have_count(3)
        page.get_by_role("link", name=NAME).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
        expect(page.locator("#opponents ~ .wide tbody tr").first).to_contain_text("%")
        expect(page.locator("#style ~ .wide tbody tr").first).to_contain_text("turns")
        page.get_by_role("link", name="deck").first.click()
        expect(page.locator("#turns li").first).to_be_visible()
        page.go_back()
        page.get_by_role("link", name="All agents").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Standing list of agents")


@needs_chromium
@pytest.mark.parametrize("place", ["index.html", "agents/1.html"])
def test_pages_fit_a_phone(site: Path, browser: Browser, place: str) -> None:
    with faultless(browser, site.as_uri()) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto((site / place).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_empty_list(tmp_path: Path) -> None:
    assert arena(tmp_path, "add", "random", *TINY) == 0
    assert arena(tmp_path, "html", str(tmp_path / "site")) == 0
    assert "no games" in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_without_jinja_there_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(tmp_path, "add", "random", *TINY) == 0
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "thurn_env.tournament.templating", raising=False)
    capsys.readouterr()
    assert arena(tmp_path, "html", str(tmp_path / "site")) == 2
    assert 'the site needs jinja2: pip install "thurn-env[eval]"' in capsys.readouterr().err
