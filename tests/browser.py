"""A real Chromium for tests; without one they are skipped, and `./test` says how to get it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@contextmanager
def browser(*more: str) -> Iterator[Browser]:
    """`more` are further switches of Chromium."""
    executable = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if executable is None:
        pytest.skip("there is no Chromium here; apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=[*_QUIET, *more])
        try:
            yield running
        finally:
            running.close()
