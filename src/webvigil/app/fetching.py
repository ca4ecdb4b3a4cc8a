"""The fetcher that the settings describe."""

from __future__ import annotations

from pathlib import Path

from webvigil.app.settings import Settings
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


def limits_of(settings: Settings) -> Limits:
    return Limits(
        timeout=settings.fetch_timeout,
        bytes=settings.fetch_bytes,
        redirects=settings.fetch_redirects,
        frames=settings.fetch_frames,
    )
