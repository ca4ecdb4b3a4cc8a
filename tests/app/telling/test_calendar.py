"""What an event of a calendar tells of its sentinel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.app.moving.kept import Clock
from tests.store.making import sentinel
from webvigil.app.telling.calendar import _addresses, ical_of
from webvigil.model.contact import KnownContact
from webvigil.model.life import LifeRecord
from webvigil.store.memory import MemoryKnowledge


@pytest.mark.parametrize(("pages", "more"), [(1, []), (5, []), (6, ["and 1 more"]), (9, ["and 4 more"])])
def test_five_addresses_are_named_and_the_rest_is_counted(pages: int, more: list[str]):
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    urls = [f"http://site.test/{number}" for number in range(pages)]
    knowledge.sentinels.add(sentinel("many", *urls))
    assert list(_addresses(knowledge.sentinels.get("jill", "many"))) == [*urls[:5], *more]


NOW = datetime.fromtimestamp(Clock.now / 1000, UTC)
HOUR = timedelta(hours=1)


def added(
    knowledge: MemoryKnowledge, name: str, clauses: str, life: LifeRecord, *urls: str, **more: str
) -> None:
    text = f"Create Sentinel {name} Using http://a.test/\n{clauses}"
    knowledge.sentinels.add(sentinel(name, *urls, text=text, life=life, **more))


def events(scope: str = "") -> tuple[str, list[tuple[str, ...]]]:
    """The title of a calendar, and of each event its time, title, lines, address and reminder."""
    clock = Clock()
    knowledge = MemoryKnowledge(delay=0, clock=clock)
    knowledge.users.add("jill")
    alive = LifeRecord(installed_at=NOW - HOUR, within=True, started_at=NOW - HOUR, next_at=NOW + 48 * HOUR)
    added(
        knowledge,
        "tea",
        'Title "Green tea"\nFetch at 7:30\nTopic shop\n',
        alive,
        "http://a.test/",
        topic="shop",
    )
    added(knowledge, "rum", "", alive, "http://b.test/", "http://c.test/")
    waiting = LifeRecord(installed_at=NOW - HOUR, next_at=NOW + 24 * HOUR)
    added(knowledge, "late", "", waiting, "http://d.test/")
    feed = KnownContact(user="jill", channel="feed", address=scope)
    made = ical_of(knowledge, feed, home="http://h").decode().replace("\r\n ", "").splitlines()
    title = next(line for line in made if line.startswith("NAME:")).removeprefix("NAME:")
    found: list[dict[str, str]] = []
    for line in made:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and (name not in found[-1]):
            found[-1][name] = value
    names = ("DTSTART", "SUMMARY", "DESCRIPTION", "URL", "CATEGORIES", "TRIGGER")
    return title, [tuple(one.get(name, "") for name in names) for one in found]


TEA = ("tea\\nhttp://a.test/", "http://h/sentinels/tea", "shop", "")
TEA_ENDS = ("20251103T122640Z", "Green tea ends", *TEA[:3], "-PT4H54M0S")


def test_a_calendar_has_looks_and_ends_with_reminders():
    title, found = events()
    assert title == "WebVigil: looks and ends"
    looks = [one for one in found if one[1] == "Look: Green tea"]
    assert [one[0] for one in looks] == [f"202511{day:02}T073000Z" for day in range(2, 12)]
    assert {one[2:] for one in looks} == {TEA}
    assert [one for one in found if "Green tea" not in one[1]] == [
        (
            "20251101T122640Z",
            "Look: rum",
            "http://b.test/\\nhttp://c.test/",
            "http://h/sentinels/rum",
            "",
            "",
        ),
        ("20251102T122640Z", "late starts", "http://d.test/", "http://h/sentinels/late", "", ""),
        (
            "20251103T122640Z",
            "rum ends",
            "http://b.test/\\nhttp://c.test/",
            "http://h/sentinels/rum",
            "",
            "-PT4H54M0S",
        ),
        ("20261102T122640Z", "late ends", "http://d.test/", "http://h/sentinels/late", "", "-P7D"),
    ]
    assert TEA_ENDS in found
    assert [one[0] for one in found] == sorted(one[0] for one in found)


@pytest.mark.parametrize(
    ("scope", "title", "number"),
    [
        ("sentinel:tea", "WebVigil: Green tea", 11),
        ("sentinel:late", "WebVigil: late", 2),
        ("sentinel:none", "WebVigil: none", 0),
        ("topic:shop", "WebVigil: shop (topic)", 11),
        ("topic:none", "WebVigil: none (topic)", 0),
    ],
)
def test_a_calendar_is_of_a_sentinel_or_a_topic(scope: str, title: str, number: int):
    made, found = events(scope)
    assert (made, len(found)) == (title, number)
