"""A Sentinel becomes work for the schedule: its pages, its interval, its place in the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from webvigil.errors import SentinelRefused
from webvigil.model.installed import NewSentinel
from webvigil.model.moment import Millis, span
from webvigil.model.page import Page, normal_url
from webvigil.model.sentinel import (
    FetchEvery,
    FormPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    Target,
    WebPage,
)

PagesOf = Callable[[str], tuple[Page, ...]]


def installation(
    sentinel: Sentinel,
    *,
    user: str,
    text: str,
    pages_of: PagesOf,
    default_interval: timedelta,
    minimum_interval: timedelta,
) -> NewSentinel:
    """`pages_of` tells the pages of an earlier sentinel by its name. Raises SentinelRefused."""
    return NewSentinel(
        user=user,
        name=sentinel.name,
        text=text,
        pages=_pages(sentinel, sentinel.target, pages_of),
        interval=_interval(sentinel, default_interval, minimum_interval),
        priority=sentinel.priority or 0,
        topic=sentinel.topic or "",
    )


def _interval(sentinel: Sentinel, default: timedelta, minimum: timedelta) -> Millis:
    wanted = sentinel.fetch.interval if isinstance(sentinel.fetch, FetchEvery) else default
    if wanted < minimum:
        raise SentinelRefused(
            f"{sentinel.name}: Fetch {wanted.total_seconds():g} second is more often than allowed; "
            f"the shortest interval is {minimum.total_seconds():g} seconds"
        )
    return span(wanted)


def _pages(sentinel: Sentinel, target: Target, pages_of: PagesOf) -> tuple[Page, ...]:
    render = sentinel.render or "http"
    match target:
        case WebPage(url):
            return (Page(url=_address(sentinel, url), render=render),)
        case FormPage(url, method, fields):
            return (Page(url=_address(sentinel, url), method=method, fields=fields, render=render),)
        case SentinelPages(name):
            return pages_of(name)
        case SeveralTargets(_, targets):
            every = [page for one in targets for page in _pages(sentinel, one, pages_of)]
            return tuple(dict.fromkeys(every))


def _address(sentinel: Sentinel, url: str) -> str:
    try:
        return normal_url(url)
    except ValueError as error:
        raise SentinelRefused(f"{sentinel.name}: {error}") from error
