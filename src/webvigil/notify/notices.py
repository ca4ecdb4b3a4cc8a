"""A change in, its notices out: one for each contact of the sentinel, with an id that never changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, NamedTuple

from webvigil.detect.headline import amounts as in_words
from webvigil.detect.headline import titled, told_with
from webvigil.model.change import Finding, finding_as_json
from webvigil.model.moment import span
from webvigil.model.notice import AT_ONCE, BEST_EFFORT, COUNTED, GATHERED, Notice
from webvigil.model.sentinel import NotifyAt, NotifyEachChanges, NotifyEvery, NotifyWhen, Sentinel
from webvigil.model.topics import topics_text
from webvigil.model.work import DuePage, Watch
from webvigil.notify.amounts import NO_AMOUNT, amounts, is_important

# People read notices, so long findings are cut; the report on the dashboard shows all of them.
OBJECTS_TOLD = 50
LONGEST_TOLD = 2_000


class Report(NamedTuple):
    """The content of a notice that is the same for all its receivers."""

    amounts: dict[str, Any]
    findings: list[dict[str, Any]]
    headline: str
    summary: str


def report_of(findings: Iterable[Finding]) -> Report:
    """Returns the amounts and the shortened findings, with what the headline names first."""
    found = tuple(findings)
    headline, summary, first = told_with(found)
    told = [_told(finding) for finding in first]
    return Report(amounts(found), told, headline, summary or NO_AMOUNT)


def notices_for(
    sentinel: Sentinel,
    watch: Watch,
    due: DuePage,
    versions: tuple[int, int],
    report: Report,
    at: datetime,
    title: Callable[[], str] = str,
) -> tuple[Notice, ...]:
    """Returns the notices for a change between two `versions`: the number of the old one and of the new one.
    `title` returns the title of the page, and is asked if the sentinel has none of its own."""
    if sentinel.notify is NotifyAt.INTERACTIVE or not sentinel.contacts:
        return ()
    named = replace(sentinel, name=watch.name, title=sentinel.title or title())
    body = told_body(named, report, url=due.page.url, page=due.id, versions=versions, at=at)
    return tuple(
        Notice(
            dedup=f"{due.id}:{watch.sentinel}:{versions[0]}-{versions[1]}:{number}",
            user=watch.user,
            channel=contact.channel,
            address=contact.address,
            subject=subject_of(body),
            body=body,
            sentinel=watch.name,
            **_waiting(sentinel.notify),
        )
        for number, contact in enumerate(sentinel.contacts)
    )


def told_body(
    sentinel: Sentinel, report: Report, *, url: str, page: int, versions: tuple[int, int], at: datetime
) -> dict[str, Any]:
    """Returns the body of a notice: what a sentinel found between two versions of a page."""
    return {
        "event": "change",
        "sentinel": sentinel.name,
        "title": sentinel.title or "",
        "topic": topics_text(sentinel.topics),
        "url": url,
        "page": page,
        "at": at.isoformat(),
        "old_version": versions[0],
        "new_version": versions[1],
        "headline": report.headline,
        **_weighed(report.amounts, sentinel.priority or 0, report.summary),
        "findings": report.findings,
        **({"message": asdict(sentinel.message)} if sentinel.message else {}),
    }


def how_much(findings: Iterable[Finding], priority: int) -> dict[str, Any]:
    """Returns the amounts of a change, and whether it is marked as important."""
    found = tuple(findings)
    return _weighed(amounts(found), priority, in_words(found) or NO_AMOUNT)


def _weighed(counted: dict[str, Any], priority: int, summary: str) -> dict[str, Any]:
    return {
        "priority": priority,
        "important": is_important(priority),
        "summary": summary,
        "amounts": counted,
    }


def _told(finding: Finding) -> dict[str, Any]:
    """Returns a finding with at most `OBJECTS_TOLD` objects, and with long texts cut."""
    left = sum(one.many for one in finding.objects[OBJECTS_TOLD:])
    short = finding_as_json(replace(finding, objects=finding.objects[:OBJECTS_TOLD]))
    objects = [_cut(dict(one)) for one in short["objects"]]
    return {**short, "objects": objects, **({"more": left} if left else {})}


def _cut(one: dict[str, Any]) -> dict[str, Any]:
    texts = {
        name: value[:LONGEST_TOLD] + "…"
        for name, value in one.items()
        if isinstance(value, str) and len(value) > LONGEST_TOLD
    }
    return one | texts | {"where": one["where"][:5]}


def subject_of(body: Mapping[str, Any]) -> str:
    """Returns the subject of a notice about a change: its headline, with the title of the page (without one,
    the name of the sentinel) where the headline does not say which page it is about."""
    mark = "[important] " if body["important"] else ""
    return mark + titled(str(body["headline"]), str(body["title"] or body["sentinel"]))


def _waiting(when: NotifyWhen | None) -> dict[str, Any]:
    """Returns how the notice waits for others, from the sentinel's `Notify` clause."""
    match when:
        case NotifyEvery(interval):
            return {"lane": GATHERED, "every": span(interval)}
        case NotifyEachChanges(count) if count > 1:
            return {"lane": COUNTED, "needs": count}
        case NotifyAt.BEST_EFFORT:
            return {"lane": BEST_EFFORT}
        case _:
            return {"lane": AT_ONCE}
