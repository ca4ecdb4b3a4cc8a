"""A real Chromium for tests; without one they are skipped, and `./test` says how to get it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

from webvigil.fetch.browser import NAMES

_EXECUTABLE = next((path for name in NAMES if (path := shutil.which(name))), None)
_REASON = "there is no Chromium here; apt-get install chromium"
needs_chromium = pytest.mark.skipif(_EXECUTABLE is None, reason=_REASON)
_QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@contextmanager
def browser(*more: str) -> Iterator[Browser]:
    """`more` are further switches of Chromium."""
    if _EXECUTABLE is None:
        pytest.skip(_REASON)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=_EXECUTABLE, args=[*_QUIET, *more])
        try:
            yield running
        finally:
            running.close()
