"""A real Chromium for tests; without one they are skipped, and `./test` says how to get it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Worker, sync_playwright

from webvigil.fetch.browser import CALM, NAMES

_EXECUTABLE = next((path for name in NAMES if (path := shutil.which(name))), None)
_REASON = "there is no Chromium here; apt-get install chromium"
needs_chromium = pytest.mark.skipif(_EXECUTABLE is None, reason=_REASON)


def _switches(*off: str) -> list[str]:
    """Returns the switches of the product's own Chromium, with these further parts turned off."""
    *others, features = CALM
    return ["--no-sandbox", *others, ",".join((features, *off))]


@contextmanager
def browser(*more: str, off: tuple[str, ...] = ()) -> Iterator[Browser]:
    """Yields a Chromium with the switches `more`, in which the features `off` are turned off, too."""
    if _EXECUTABLE is None:
        pytest.skip(_REASON)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=_EXECUTABLE, args=[*_switches(*off), *more])
        try:
            yield running
        finally:
            running.close()


@contextmanager
def browser_with_extension(extension: Path, profile: Path) -> Iterator[tuple[BrowserContext, Worker]]:
    """Yields a Chromium with an unpacked extension in a new profile, and the worker of the extension."""
    if _EXECUTABLE is None:
        pytest.skip(_REASON)
    switches = [f"--load-extension={extension}", f"--disable-extensions-except={extension}"]
    with sync_playwright() as playwright:
        # Extensions run in the new headless mode alone, which Playwright does not choose by itself.
        running = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=_EXECUTABLE,
            headless=False,
            args=[*_switches(), *switches, "--headless=new"],
            ignore_default_args=["--disable-extensions"],
        )
        try:
            found = running.service_workers
            yield running, found[0] if found else running.wait_for_event("serviceworker")
        finally:
            running.close()
