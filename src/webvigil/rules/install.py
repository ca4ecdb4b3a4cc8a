"""A verified Sentinel in, a NewSentinel for the store out: its pages, its interval, its life, its
priority."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from webvigil.model.following import NO_REACH, Reach
from webvigil.model.installed import NewSentinel
from webvigil.model.joint import Joint
from webvigil.model.life import LifeRecord
from webvigil.model.moment import Millis, span
from webvigil.model.page import Page, Render, normal_url
from webvigil.model.sentinel import (
    STATUS,
    FormPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    Target,
    WebPage,
    part_key,
)
from webvigil.rules.schedule import shortest_wait

PagesOf = Callable[[str], tuple[Page, ...]]
JointOf = Callable[[Sentinel], Joint | None]


def installation(
    sentinel: Sentinel,
    *,
    user: str,
    text: str,
    life: LifeRecord,
    pages_of: PagesOf,
    joint_of: JointOf,
    default_interval: timedelta,
) -> NewSentinel:
    """Returns what the store needs to install a sentinel that was verified and completed.

    `pages_of` returns the pages of another sentinel by its name, `joint_of` which pages must have changed
    together.
    """
    return NewSentinel(
        user=user,
        name=sentinel.name,
        text=text,
        pages=pages(sentinel.target, render_of(sentinel), pages_of),
        interval=_interval(sentinel, default_interval),
        life=life,
        priority=sentinel.priority or 0,
        topic=sentinel.topic or "",
        joint=joint_of(sentinel),
        reach=reach(sentinel),
    )


def render_of(sentinel: Sentinel) -> Render:
    return "status" if sentinel.monitor == STATUS else sentinel.render or "http"


def _interval(sentinel: Sentinel, default: timedelta) -> Millis:
    """Returns the interval of the looks; 0 means on change, at the times of the page's best-effort rule
    (F1). Of looks at certain times it is the shortest wait between two."""
    return shortest_wait(sentinel.fetch) if sentinel.fetch else span(default)


def reach(sentinel: Sentinel) -> Reach:
    """Returns how far the sentinel follows links. On its own pages it follows the links in the part that it
    watches; on linked pages all links except those in ignored parts (B7)."""
    if not sentinel.depth:
        return NO_REACH
    return Reach(
        depth=sentinel.depth,
        part=part_key(sentinel.within, sentinel.ignore),
        below=part_key((), sentinel.ignore),
    )


def pages(target: Target, render: Render, pages_of: PagesOf) -> tuple[Page, ...]:
    """Returns all pages of a target, each once, in the order in which they are named."""
    match target:
        case WebPage(url):
            return (Page(url=normal_url(url), render=render),)
        case FormPage(url, method, fields):
            by = "browser" if method == "FILL" else render
            return (Page(url=normal_url(url), method=method, fields=fields, render=by),)
        case SentinelPages(name):
            return tuple(_shown_as(page, render) for page in pages_of(name))
        case SeveralTargets(_, targets):
            every = [page for one in targets for page in pages(one, render, pages_of)]
            return tuple(dict.fromkeys(every))


def _shown_as(page: Page, render: Render) -> Page:
    """Returns a page of another sentinel as this one sees it: as the other sentinel does, unless just one of
    them watches its state."""
    return replace(page, render=render) if "status" in (page.render, render) else page
