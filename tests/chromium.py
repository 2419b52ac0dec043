"""A real browser for tests of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on the path")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; as root it needs to be started without its sandbox."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if root else [])
        yield launched
        launched.close()
