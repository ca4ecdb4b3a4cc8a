"""A Sentinel becomes work for the schedule: its pages, its interval, its life, its place in the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from webvigil.model.installed import NewSentinel
from webvigil.model.life import LifeRecord
from webvigil.model.moment import Millis, span
from webvigil.model.page import Page, normal_url
from webvigil.model.sentinel import (
    FetchEvery,
    FetchOnChange,
    FormPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    Target,
    WebPage,
)

Render = Literal["http", "browser"]
PagesOf = Callable[[str], tuple[Page, ...]]


def installation(
    sentinel: Sentinel,
    *,
    user: str,
    text: str,
    life: LifeRecord,
    pages_of: PagesOf,
    default_interval: timedelta,
) -> NewSentinel:
    """For a sentinel that was verified and completed. `pages_of` tells the pages of another by its name."""
    return NewSentinel(
        user=user,
        name=sentinel.name,
        text=text,
        pages=pages(sentinel.target, sentinel.render or "http", pages_of),
        interval=_interval(sentinel, default_interval),
        life=life,
        priority=sentinel.priority or 0,
        topic=sentinel.topic or "",
    )


def _interval(sentinel: Sentinel, default: timedelta) -> Millis:
    """0: on change, whenever the best-effort rule of the page looks (F1)."""
    match sentinel.fetch:
        case FetchOnChange():
            return 0
        case FetchEvery(interval):
            return span(interval)
    return span(default)


def pages(target: Target, render: Render, pages_of: PagesOf) -> tuple[Page, ...]:
    match target:
        case WebPage(url):
            return (Page(url=normal_url(url), render=render),)
        case FormPage(url, method, fields):
            return (Page(url=normal_url(url), method=method, fields=fields, render=render),)
        case SentinelPages(name):
            return pages_of(name)
        case SeveralTargets(_, targets):
            every = [page for one in targets for page in pages(one, render, pages_of)]
            return tuple(dict.fromkeys(every))
