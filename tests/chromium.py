"""A real browser for tests of pages."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

TIMEOUT = 120_000.0
"""Milliseconds until a page that does not change fails its test: its server may have to compile kernels first."""

_idle: dict[Browser, list[BrowserContext]] = {}
"""Contexts of every browser that nobody uses any more and that remember nothing."""

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on the path")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; as root it needs to be started without its sandbox."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if root else [])
        yield launched
        _idle.pop(launched, None)
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
    # A new context costs the browser nearly a second of computing, a new page in an old one a third of it.
    idle = _idle.setdefault(browser, [])
    context = idle.pop() if idle else browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda sent: None if sent.url.startswith(addresses) else complaints.append(sent.url))
    yield page
    _forget(context)
    idle.append(context)
    faults = [complaint for complaint in complaints if not re.search(allowed, complaint)]
    assert faults == [], faults


def _forget(context: BrowserContext) -> None:
    """Close all pages of a context, and let it forget what they kept and what they were allowed."""
    for page in context.pages:
        # Pages without an address have no storage.
        page.evaluate("location.origin !== 'null' || location.protocol === 'file:' ? localStorage.clear() : null")
        page.close()
    context.clear_cookies()
    context.clear_permissions()
