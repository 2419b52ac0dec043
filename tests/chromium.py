"""A real browser for tests of pages."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

# The shell is Chromium without windows of its own, and makes a new page with an eighth of the computing.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

TIMEOUT = 120_000.0
"""Milliseconds until a page that does not change fails its test: its server may have to compile kernels first."""

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on the path")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; as root it needs to be started without its sandbox."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    with sync_playwright() as playwright:
        # There is nothing to draw for a screen, and a process for it would take a tenth of the computing.
        arguments = ["--disable-gpu", *(["--no-sandbox"] if root else [])]
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield launched
        launched.close()


@contextmanager
def faultless(browser: Browser, *addresses: str, allowed: str = "(?!)") -> Iterator[Page]:
    """A page on which nothing may fail or be warned of, and which may ask for nothing but addresses that begin so.

    It knows nothing of pages before it, and shares nothing with others that are open.

    Args:
        browser: where to open it.
        addresses: the beginnings.
        allowed: a regular expression of what the browser may note nevertheless; by default one that nothing matches.
    """
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda sent: None if sent.url.startswith(addresses) else complaints.append(sent.url))
    yield page
    context.close()
    faults = [complaint for complaint in complaints if not re.search(allowed, complaint)]
    assert faults == [], faults
