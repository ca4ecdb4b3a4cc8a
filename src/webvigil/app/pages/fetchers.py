"""Settings in, fetchers out: the HTTP client and the browser that fetch pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from webvigil.app.settings import Settings
from webvigil.errors import PageRefused, SettingRefused
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import HttpFetcher, Limits
from webvigil.fetch.ways import Ways
from webvigil.model.page import Page


def http_fetcher(settings: Settings) -> HttpFetcher:
    return HttpFetcher(
        user_agent=settings.user_agent,
        limits=limits_of(settings),
        allowed=settings.allow_networks,
        ways=ways_of(settings),
        ca_file=Path(settings.ca_file) if settings.ca_file else None,
        obey_robots=settings.obey_robots,
    )


def ways_of(settings: Settings) -> Ways:
    """Returns what the operator said about proxies and certificates. Raises SettingRefused if a host is to be
    reached through a proxy that has no address."""
    known = dict(settings.proxies)
    for host, name in settings.host_proxies:
        if name not in known:
            raise SettingRefused(f"host_proxies: there is no proxy {name!r} for {host}; proxies names them")
    return Ways(
        everywhere=settings.proxy,
        proxies=settings.proxies,
        hosts=settings.host_proxies,
        unverified=settings.unverified_hosts,
    )


@asynccontextmanager
async def browser_fetcher(settings: Settings) -> AsyncIterator[BrowserFetcher | None]:
    """Opens a browser for rendering pages. It reaches the web as the HTTP client does."""
    fetcher = BrowserFetcher(
        limits=limits_of(settings),
        allowed=settings.allow_networks,
        executable=settings.browser,
        at_a_time=settings.browser_pages,
        scripts=settings.step_scripts,
        ways=ways_of(settings),
        ca_file=Path(settings.ca_file) if settings.ca_file else None,
    )
    async with fetcher:
        yield fetcher


async def browser_for(page: Page, browser: BrowserFetcher | None, fetcher: HttpFetcher) -> BrowserFetcher:
    """Returns the browser that opens the page, once all addresses of the page were judged: a browser asks
    robots.txt nothing by itself. Raises PageRefused if there is no browser, or if an address is refused."""
    if browser is None:
        raise PageRefused("pages are not rendered in a browser here")
    for url in page.addresses:
        await fetcher.judge(url, page.approach)
    return browser


def limits_of(settings: Settings) -> Limits:
    return Limits(
        timeout=settings.fetch_timeout,
        step=settings.step_timeout,
        bytes=settings.fetch_bytes,
        redirects=settings.fetch_redirects,
        frames=settings.fetch_frames,
    )
