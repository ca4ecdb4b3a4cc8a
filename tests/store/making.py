"""Short functions that make the values which tests of the store need: sentinels, versions, results,
notices."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.installed import NewSentinel
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_datetime
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.work import CheckResult, Claim, DuePage, Look, NewChange, NewVersion, WatchUpdate
from webvigil.store.promises import Knowledge

BIRTH = as_datetime(1_800_000_000_000)
ALIVE = LifeRecord(installed_at=BIRTH, within=True, started_at=BIRTH, next_at=BIRTH + timedelta(days=365))
MINUTE = 60_000
LEASE = 30_000


def sentinel(name: str = "s1", *urls: str, **more: Any) -> NewSentinel:
    pages = tuple(Page(url=url) for url in urls or ("http://site.test/",))
    values = {"user": "jill", "text": f"Create Sentinel {name} …", "interval": MINUTE, "life": ALIVE} | more
    return NewSentinel(name=name, pages=pages, **values)


def remove_for_good(knowledge: Knowledge, user: str, name: str) -> None:
    """Removes a sentinel so that nobody can bring it back, as the collector does after a week."""
    knowledge.sentinels.set_aside(user, name)
    knowledge.sentinels.forget_removed(knowledge.schedule.now() + 1, limit=100)


def claim_all(knowledge: Knowledge, worker: str = "w1", **more: Any) -> list[Claim]:
    options = {"hosts": 10, "pages": 10, "lease": LEASE} | more
    return knowledge.schedule.claim(worker, **options)


def checked(claim: Claim, page: DuePage, **more: Any) -> CheckResult:
    """Returns the result of an uneventful check: nothing is new, and the next look is in a minute."""
    values: dict[str, Any] = {
        "page": page.id,
        "asked": page.asked,
        "due": claim.now + MINUTE,
        "failures": 0,
        "look": Look(why="due", decision="same", status=200),
        "watches": tuple(
            WatchUpdate(sentinel=w.sentinel, reference=w.reference, next_at=claim.now + w.interval)
            for w in page.watches
        ),
    } | more
    return CheckResult(**values)


def new_version(number: int, content: str = "x") -> NewVersion:
    return NewVersion(
        number=number,
        url="http://site.test/",
        status=200,
        signature=content,
        object=content * 20,
        size=len(content),
    )


def new_change(sentinel: int, old: int, new: int, *notices: Notice) -> NewChange:
    finding = Finding(
        type="all links",
        objects=(ObjectChange(object="http://x/", status=Status.NEW, old=0, new=1, where=("/html/a",)),),
        share=0.25,
        score=256,
    )
    return NewChange(
        sentinel=sentinel, old_version=old, new_version=new, findings=(finding,), notices=notices
    )


def notice(dedup: str = "n1") -> Notice:
    return Notice(dedup=dedup, user="jill", channel="log", address="", subject="News", body={"changes": [1]})
