"""The landing page: what happened, what needs attention, what is unread, and what comes next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.model.change import ChangeOutline
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import as_datetime, as_millis, zone_named
from webvigil.model.sentinel import State
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.store.promises import Journal, Sentinels
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.activity import Stroke, activity, per_day, sparkline
from webvigil.web.chart import RANGES as IN_WORDS
from webvigil.web.dashboard.agents import standing as broadcasts
from webvigil.web.standing import Standing, errors_of, standing_of
from webvigil.web.templates import page
from webvigil.web.times import midnight

router = APIRouter()

# The days of each range, and the days that one bar of its chart stands for.
RANGES = {
    name: (int(name), 7 if int(name) > 100 else 1, words) for name, words in IN_WORDS.items() if name != "all"
}
COUNTED = 20_000
"""The most changes that are counted for the chart; findings are not loaded for them."""
UNREAD, NEXT, ACTIVE, NEEDS, TABLE = 5, 5, 5, 5, 14
RESTLESS = 5
"""A sentinel that finds more changes than this on an average day of a week is restless."""
RESTLESS_SHOWN = 3
_INBOX = ("show", "topic", "type", "sentinel", "order", "before")


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a person should mend. `standing` says what and how."""

    sentinel: InstalledSentinel
    standing: Standing


@dataclass(frozen=True, slots=True)
class Active:
    """A page with many changes in the range that the chart shows."""

    page: int
    url: str
    title: str
    number: int
    last: datetime
    strokes: tuple[Stroke, ...]


class Restless(NamedTuple):
    """A sentinel that finds much, the title of its page if it has one page, and how many changes it found."""

    name: str
    title: str
    number: int


@router.get("/")
def overview(
    request: Request, caller: Reader, days: Annotated[str, Query(pattern="^(7|30|365)$")] = "30"
) -> Response:
    if any(name in request.query_params for name in _INBOX):
        return RedirectResponse(f"/inbox?{request.url.query}", status_code=307)
    knowledge, zone = knowledge_of(request), zone_named(caller.user.zone)
    today = as_datetime(knowledge.schedule.now()).astimezone(zone).date()
    length, step, _ = RANGES[days]
    found = knowledge.changes.outlines(
        WantedChanges(
            user=caller.name, since=midnight(today - timedelta(days=2 * length - 1), zone), limit=COUNTED
        )
    )
    begin = midnight(today - timedelta(days=length - 1), zone)
    shown = [one for one in found if one.found_at >= begin]
    count = knowledge.sentinels.count(WantedSentinels(user=caller.name))
    needs = needs_of(knowledge.sentinels, knowledge.journal, caller.name, zone)
    stuck = knowledge.outbox.stuck(caller.name)
    restless = restless_among(found, midnight(today - timedelta(days=6), zone))
    return page(
        "overview.html",
        user=caller.user,
        today=today,
        days=days,
        ranges=RANGES,
        chart=activity(shown, zone, today, length, step),
        before=len(found) - len(shown),
        changed_pages=len({one.page for one in shown}),
        changed_today=sum(one.found_at >= midnight(today, zone) for one in found),
        count=count,
        watching=knowledge.sentinels.count(WantedSentinels(user=caller.name, state=str(State.ACTIVE))),
        needs=needs,
        most_needs=NEEDS,
        stuck=stuck,
        told=knowledge.outbox.count_delivered(caller.name, since=as_millis(begin)),
        restless=restless,
        most_restless=RESTLESS_SHOWN,
        attention=len(needs) + len(stuck) + len(restless),
        unread=knowledge.changes.some(WantedChanges(user=caller.name, seen=False, limit=UNREAD)),
        coming=knowledge.sentinels.coming(caller.name, limit=NEXT),
        active=active_pages(shown, zone, today, min(length, 30)),
        table=TABLE,
        broadcasts=broadcasts(request),
    )


def needs_of(sentinels: Sentinels, journal: Journal, user: str, zone: tzinfo) -> list[Need]:
    """Returns the active sentinels with a page that fails or shows nothing of what is watched."""
    wanted = WantedSentinels(user=user, trouble=True, state=str(State.ACTIVE))
    found = sentinels.some(wanted)
    errors = errors_of(journal, found)
    needs = [Need(one, standing_of(one, zone, error=errors.get(one.id, ""))) for one in found]
    return [one for one in needs if one.standing.needs_attention]


def restless_among(found: Iterable[ChangeOutline], since: datetime) -> list[Restless]:
    """Returns the sentinels that found more changes in the last week than anybody reads, the most restless
    first."""
    grouped: dict[str, list[ChangeOutline]] = defaultdict(list)
    for one in found:
        if one.found_at >= since:
            grouped[one.sentinel].append(one)
    found_much = [
        Restless(name, mine[0].title if len({one.page for one in mine}) == 1 else "", len(mine))
        for name, mine in grouped.items()
        if len(mine) > RESTLESS * 7
    ]
    return sorted(found_much, key=lambda one: -one.number)


def active_pages(found: Sequence[ChangeOutline], zone: ZoneInfo, today: date, days: int) -> list[Active]:
    grouped: dict[int, list[ChangeOutline]] = defaultdict(list)
    for one in found:
        grouped[one.page].append(one)
    busiest = sorted(grouped.items(), key=lambda pair: -len(pair[1]))[:ACTIVE]
    return [
        Active(
            number,
            mine[0].url,
            mine[0].title,
            len(mine),
            mine[0].found_at,
            sparkline(per_day(Counter(one.found_at for one in mine), zone, today, days)),
        )
        for number, mine in busiest
    ]
