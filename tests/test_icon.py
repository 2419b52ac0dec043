"""The icon of all pages: part of the page, and allowed by its policy."""

from __future__ import annotations

import re
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.serving import Clock, begin, serving
from thurn_env.show.template import ICON, ICON_LINK, TEMPLATES

PAGES = [file.name for file in TEMPLATES.iterdir() if file.read_text("utf-8").startswith("<!doctype html>")]
"""The templates of whole pages; others are parts of them."""


def test_the_icon_is_a_drawing() -> None:
    assert ElementTree.fromstring(ICON).tag.endswith("svg")
    (address,) = re.findall('href="data:image/svg\\+xml,([^"]*)"', ICON_LINK)
    assert unquote(address) == ICON


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_the_common_head(name: str) -> None:
    assert "{{ head }}" in (TEMPLATES / name).read_text("utf-8")
    assert "{{ icon }}" in (TEMPLATES / "head.html").read_text("utf-8")


def test_the_pages_of_the_server_allow_it() -> None:
    with serving(Clock()) as client:
        for address in ("/", begin(client)):
            page = client.get(address)
            assert ICON_LINK in page.text
            assert "img-src data:" in page.headers["content-security-policy"]
