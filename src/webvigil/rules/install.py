"""A verified Sentinel in, a NewSentinel for the store out: its pages, interval, life and priority."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from webvigil.model.approach import PLAIN, Approach
from webvigil.model.following import NO_REACH, Reach
from webvigil.model.installed import NewSentinel
from webvigil.model.joint import Joint
from webvigil.model.life import LifeRecord
from webvigil.model.moment import Millis, span
from webvigil.model.page import Page, Render, normal_url
from webvigil.model.request import PLAIN_REQUEST, Request, with_query
from webvigil.model.sentinel import (
    FormPage,
    RequestPage,
    Sentinel,
    SentinelPages,
    SeveralTargets,
    Target,
    WebPage,
    approach_of,
    part_key,
    render_of,
)
from webvigil.model.topics import topics_text
from webvigil.rules.schedule import shortest_wait

PagesOf = Callable[[str], tuple[Page, ...]]
JointOf = Callable[[Sentinel], Joint | None]


class Fetching(NamedTuple):
    """How the pages of a sentinel are fetched; the fields are those of `Page`."""

    render: Render = "http"
    approach: Approach = PLAIN


def installation(
    sentinel: Sentinel,
    *,
    user: str,
    text: str,
    own: str,
    life: LifeRecord,
    pages_of: PagesOf,
    joint_of: JointOf,
    default_interval: timedelta,
) -> NewSentinel:
    """Returns what the store needs to install a sentinel that was verified and completed. `own` is what the
    user wrote, "" if no topic adds to it.

    `pages_of` returns the pages of another sentinel by its name, `joint_of` which pages must have changed
    together.
    """
    return NewSentinel(
        user=user,
        name=sentinel.name,
        text=text,
        own=own,
        pages=pages(sentinel.target, fetching_of(sentinel), pages_of),
        interval=_interval(sentinel, default_interval),
        life=life,
        priority=sentinel.priority or 0,
        topic=topics_text(sentinel.topics),
        joint=joint_of(sentinel),
        reach=reach(sentinel),
    )


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


def fetching_of(sentinel: Sentinel) -> Fetching:
    return Fetching(render_of(sentinel), approach_of(sentinel))


def pages(target: Target, fetching: Fetching, pages_of: PagesOf) -> tuple[Page, ...]:
    """Returns all pages of a target, each once, in the order in which they are named."""
    match target:
        case WebPage(url):
            return (Page(url=normal_url(url), **fetching._asdict()),)
        case FormPage(url, method, fields):
            by = fetching._replace(render="browser") if method == "FILL" else fetching
            return (Page(url=normal_url(url), method=method, fields=fields, **by._asdict()),)
        case RequestPage(url, request):
            return (page_of_request(url, request, fetching),)
        case SentinelPages(name):
            return tuple(_shown_as(page, fetching.render) for page in pages_of(name))
        case SeveralTargets(_, targets):
            every = [page for one in targets for page in pages(one, fetching, pages_of)]
            return tuple(dict.fromkeys(every))


def page_of_request(url: str, request: Request, fetching: Fetching) -> Page:
    """Returns the page behind a request. A request that an address or a form says as well is the same page
    as theirs, so that it is fetched once for all who watch it."""
    page = Page(url=normal_url(with_query(url, request.query)), **fetching._asdict())
    bare = replace(request, query=())
    if bare == PLAIN_REQUEST:
        return page
    if bare == Request(method="POST", kind="form", fields=request.fields):
        return replace(page, method="POST", fields=request.fields)
    return replace(page, approach=replace(page.approach, request=bare))


def _shown_as(page: Page, render: Render) -> Page:
    """Returns a page of another sentinel as this one sees it: as the other sentinel does, unless just one of
    them watches its state."""
    return replace(page, render=render) if "status" in (page.render, render) else page
