"""The documentation as a site: every page is in its navigation, every link leads somewhere, and it is made offline."""

from __future__ import annotations

import re
import socket
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from docs import floors
from tests.test_floors import FLOORS
from thurn_env.drawing.writing import text_width

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SECTIONS = (
    "Usage",
    "Arguments",
    "The rules in short",
    "Observation Space",
    "Action Space",
    "Rewards",
    "Termination and Truncation",
    "Rendering",
    "Seeds, copies, records",
    "Version History",
)
"""What the page of every environment has, in this order; a game's own sections may stand between."""


def headings(page: Path) -> list[str]:
    """The headings of a page, without their marks."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading: lower case, without punctuation, hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(page: Path) -> list[str]:
    """Where the links of a page lead, those to other servers left out."""
    found = LINK.findall(CODE.sub("", page.read_text("utf-8")))
    return [target for target in found if "://" not in target]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The configuration of the site, made into a folder of this test."""
    pytest.importorskip("material", reason="the site is made with the extra docs")
    mkdocs = pytest.importorskip("mkdocs.config")
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    return mkdocs.load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"), strict=True)


def named_pages(navigation: Any) -> list[str]:
    """The files of a navigation, in order."""
    if isinstance(navigation, str):
        return [navigation]
    entries = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for entry in entries for page in named_pages(entry)]


def test_the_navigation_names_every_page_once(site: Any) -> None:
    assert sorted(named_pages(site.nav)) == sorted(page.name for page in PAGES[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Files and anchors, as GitHub finds them."""
    for target in links(page):
        name, _, place = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}: there is no such file"
        if place:
            assert place in map(anchor, headings(file)), f"{page.name} links to {target}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lists_stand_apart(page: Path) -> None:
    """GitHub sees a list right after a line of text, the site does not."""
    lines = CODE.sub("", page.read_text("utf-8")).splitlines()
    for before, line in pairwise(lines):
        if re.match(r"- |\d+\. ", line):
            assert re.match(r"$|- |\d+\. |  |#", before), f"{page.name}: a blank line is missing before {line!r}"


def test_there_are_links_to_follow() -> None:
    assert sum(len(links(page)) for page in PAGES) > 50


@pytest.mark.parametrize("name", ["environment.md", "zug_um_zug_deutschland.md"])
def test_pages_of_environments_have_the_same_sections(name: str) -> None:
    assert tuple(heading for heading in headings(ROOT / "docs" / name) if heading in SECTIONS) == SECTIONS


def test_the_site_is_made_without_network(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strictly: a warning, such as a link that leads nowhere in the site, is an error."""
    build = pytest.importorskip("mkdocs.commands.build").build

    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.chdir(ROOT)
    site.plugins.on_startup(command="build", dirty=False)
    build(site)
    made = Path(site.site_dir)
    assert {page.stem for page in made.glob("*.html")} == {page.stem for page in PAGES[1:]} | {"404"}
    for page in made.glob("*.html"):
        text = page.read_text("utf-8")
        fetched = re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\" >]+)", text)
        fetched += re.findall(r"<link\b[^>]*\brel=\"?(?:stylesheet|preconnect|icon)\"?[^>]*\bhref=\"?([^\" >]+)", text)
        assert fetched
        assert not [url for url in fetched if "//" in url], f"{page.name} fetches from elsewhere"
    assert not list(made.rglob("*.py"))
    assert 'id="thurn_env.table.game.Game.view"' in (made / "reference.html").read_text("utf-8")


def test_the_picture_of_the_architecture_shows_the_floors() -> None:
    """Those that the package is held to."""
    assert [floor.rooms.split() for floor in reversed(floors.PACKAGE)] == [rooms.split() for rooms in FLOORS]


@pytest.mark.parametrize("floor", [*floors.WORKBENCH, *floors.PACKAGE], ids=lambda floor: floor.name)
def test_the_rooms_of_a_floor_fit_into_its_box(floor: floors.Floor) -> None:
    rooms = " · ".join(room for room in floor.rooms.split() if not room.startswith("__"))
    assert text_width(rooms, 13) < floors.WIDTH - 4 * floors.MARGIN
