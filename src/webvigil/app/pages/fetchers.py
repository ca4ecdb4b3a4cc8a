"""Settings in, fetchers out: the HTTP client and the browser that fetch pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from webvigil.app.settings import Settings
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import HttpFetcher, Limits


def http_fetcher(settings: Settings) -> HttpFetcher:
    return HttpFetcher(
        user_agent=settings.user_agent,
        limits=limits_of(settings),
        allowed=settings.allow_networks,
        proxy=settings.proxy,
        ca_file=Path(settings.ca_file) if settings.ca_file else None,
        obey_robots=settings.obey_robots,
    )


@asynccontextmanager
async def browser_fetcher(settings: Settings) -> AsyncIterator[BrowserFetcher | None]:
    """Opens a browser for rendering pages. Yields None if a proxy is set: the browser's requests would go
    through that proxy, which does not judge addresses."""
    if settings.proxy:
        yield None
        return
    fetcher = BrowserFetcher(
        limits=limits_of(settings),
        allowed=settings.allow_networks,
        executable=settings.browser,
        at_a_time=settings.browser_pages,
        scripts=settings.step_scripts,
    )
    async with fetcher:
        yield fetcher


def limits_of(settings: Settings) -> Limits:
    return Limits(
        timeout=settings.fetch_timeout,
        step=settings.step_timeout,
        bytes=settings.fetch_bytes,
        redirects=settings.fetch_redirects,
        frames=settings.fetch_frames,
    )
