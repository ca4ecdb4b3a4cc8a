"""A Sentinel becomes work for the schedule: its pages, its interval, its life, its place in the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from webvigil.model.following import NO_REACH, Reach
from webvigil.model.installed import NewSentinel
from webvigil.model.joint import Joint, unless_any_will_do
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
    part_key,
)

Render = Literal["http", "browser"]
PagesOf = Callable[[str], tuple[Page, ...]]
SentinelOf = Callable[[str], Sentinel | None]


def installation(
    sentinel: Sentinel,
    *,
    user: str,
    text: str,
    life: LifeRecord,
    pages_of: PagesOf,
    sentinel_of: SentinelOf,
    default_interval: timedelta,
) -> NewSentinel:
    """For a sentinel that was verified and completed.

    `pages_of` tells the pages of another by its name, `sentinel_of` what it was told to do.
    """
    return NewSentinel(
        user=user,
        name=sentinel.name,
        text=text,
        pages=pages(sentinel.target, sentinel.render or "http", pages_of),
        interval=_interval(sentinel, default_interval),
        life=life,
        priority=sentinel.priority or 0,
        topic=sentinel.topic or "",
        joint=joint(sentinel, pages_of, sentinel_of),
        reach=reach(sentinel),
    )


def _interval(sentinel: Sentinel, default: timedelta) -> Millis:
    """0: on change, whenever the best-effort rule of the page looks (F1)."""
    match sentinel.fetch:
        case FetchOnChange():
            return 0
        case FetchEvery(interval):
            return span(interval)
    return span(default)


def reach(sentinel: Sentinel) -> Reach:
    """Links are followed in the part of its own pages that it watches; of linked pages it sees all but what
    it ignores (B7)."""
    if not sentinel.depth:
        return NO_REACH
    return Reach(
        depth=sentinel.depth,
        part=part_key(sentinel.within, sentinel.ignore),
        below=part_key((), sentinel.ignore),
    )


def joint(sentinel: Sentinel, pages_of: PagesOf, sentinel_of: SentinelOf) -> Joint | None:
    """Which of the pages must have changed; None: any."""

    def joined(one: Target, render: Render, names: frozenset[str]) -> Page | Joint:
        match one:
            case SeveralTargets(operator, targets):
                return Joint(operator, tuple(joined(inner, render, names) for inner in targets))
            case SentinelPages(name):
                other = None if name in names else sentinel_of(name)
                if other is None:
                    return Joint("OR", pages_of(name))
                return joined(other.target, other.render or "http", names | {name})
        return pages(one, render, pages_of)[0]

    return unless_any_will_do(joined(sentinel.target, sentinel.render or "http", frozenset({sentinel.name})))


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
