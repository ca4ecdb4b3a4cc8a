"""Verification of how a sentinel approaches its pages: steps, waits, proxies, time limits (K1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from webvigil.errors import PatternRefused
from webvigil.model.approach import Step, shown
from webvigil.model.objection import Objection
from webvigil.model.page import normal_url
from webvigil.model.request import trouble_with
from webvigil.model.sentinel import (
    FormPage,
    Part,
    RequestPage,
    Sentinel,
    SeveralTargets,
    Target,
    WebPage,
    approach_of,
    requests_in,
)

if TYPE_CHECKING:
    from webvigil.rules.verify import Surroundings


def about_approach(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    if sentinel.steps and sentinel.render == "http":
        said = "Steps are taken in a browser; write Render browser, or leave Render out"
        yield Objection(said, "Render")
    if sentinel.steps and sentinel.depth:
        said = "Depth does not go with Steps: linked pages are visited without them"
        yield Objection(said, "Depth")
    if any(requests_in(sentinel.target)):
        yield from _about_requests(sentinel)
    for number, step in enumerate(sentinel.steps, 1):
        yield from _about_step(number, step, around)
    if sentinel.wait:
        yield from _about_place("Render browser wait", "Render", sentinel.wait)
    if around.secrets is not None:
        yield from _about_secrets(sentinel, around)
    yield from _about_way(sentinel, around)


def _about_requests(sentinel: Sentinel) -> Iterator[Objection]:
    """Yields what does not go with a request. A browser asks in its own way, and linked pages are asked for
    as usual."""
    others = {
        "Steps": bool(sentinel.steps),
        "Render": sentinel.render == "browser",
        "Depth": bool(sentinel.depth),
    }
    for clause in (name for name, given in others.items() if given):
        yield Objection(f"Using request is sent once, without a browser; leave out {clause}", clause)
    for one in requests_in(sentinel.target):
        if trouble := trouble_with(one.request):
            yield Objection(f"Using request: {trouble}", "Using", "request")


def _about_step(number: int, step: Step, around: Surroundings) -> Iterator[Objection]:
    yield from _about_place(f"step {number}", "Steps", step)
    if step.do == "run" and not around.scripts:
        allowing = "the operator can allow them with the setting step_scripts"
        yield Objection(f"step {number}: scripts do not run here; {allowing}", "Steps", "run")
    if step.do == "open":
        host = urlsplit(normal_url(step.text)).hostname or ""
        if reason := around.forbidden(host):
            yield Objection(f"step {number}: {step.text} may not be opened: {reason}", "Steps", step.text)


def _about_place(what: str, clause: str, step: Step) -> Iterator[Objection]:
    if step.by not in ("css", "xpath"):
        return
    from webvigil.document.masks import check  # loaded only for a step with a place to try

    try:
        check(Part(step.by, step.argument))
    except PatternRefused as error:
        yield Objection(f"{what} ({shown(step)}): {error}", clause, step.argument)


def _about_secrets(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    assert around.secrets is not None, "the caller has looked"
    typed = approach_of(sentinel).secrets
    wanted = [("Steps", url, name) for url in _addresses(sentinel.target) for name in typed]
    sent = [("Using", normal_url(one.url), one.request.secrets) for one in requests_in(sentinel.target)]
    wanted += [(clause, url, name) for clause, url, several in sent for name in several]
    for clause, url, name in wanted:
        known = around.secrets(url)
        if known is None:
            site = urljoin(url, "/")
            said = f"there is no log-in for {url}; keep one: webvigil login add {site} --secret {name}"
            yield Objection(said, clause, "secret", name)
        elif name not in known:
            said = f"there is no secret {name!r} in the log-in for {url}; keep it anew, with all its secrets"
            yield Objection(said, clause, "secret", name)


def _about_way(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    if sentinel.through is not None and sentinel.through not in around.proxies:
        known = ", ".join(sorted(around.proxies)) or "none"
        said = f"there is no proxy {sentinel.through!r} here; the setting proxies names: {known}"
        yield Objection(said, "Through", sentinel.through)
    if sentinel.timeout is not None and sentinel.timeout > around.longest_timeout:
        most = f"{around.longest_timeout.total_seconds():g} seconds"
        yield Objection(f"Timeout is too long; the longest here is {most}", "Timeout")


def _addresses(target: Target) -> Iterator[str]:
    match target:
        case WebPage(url) | FormPage(url=url) | RequestPage(url=url):
            yield normal_url(url)
        case SeveralTargets(_, targets):
            for one in targets:
                yield from _addresses(one)
