"""Times are told by the reader's own clock, and every one of them says the exact instant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from lxml import html

from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of, stranger
from webvigil.app.sentinels.values import Step, values_of
from webvigil.app.settings import read_settings
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.moment import on_clock, zone_named
from webvigil.model.user import User
from webvigil.model.work import Look, NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.templates import _environment
from webvigil.web.times import distance, in_time, span_until_now

ZONE = "Asia/Kolkata"
PLACES = (
    "/",
    "/inbox",
    "/inbox?before=1000",
    "/changes/{change}",
    "/changes/{change}/share",
    "/account/shares",
    "/sentinels",
    "/sentinels/tea",
    "/pages",
    "/pages/{page}",
    "/pages/{page}/compare?a=1&b=2",
    "/summaries",
    "/bulletin",
    "/search?q=tea",
    "/health",
    "/users",
)
FORMS = (
    "%Y-%m-%d %H:%M:%S IST",
    "%Y-%m-%d %H:%M IST",
    "%m-%d %H:%M IST",
    "%a %d %b %Y, %H:%M IST",
    "%Y-%m-%d",
    "%H:%M",
)
REASON = "changes about every hour, mostly on workdays between 9 and 17 h UTC; next look in 5 minutes"


@pytest.fixture(scope="module")
def knowledge() -> MemoryKnowledge:
    """Returns a value that changed three times, told to somebody in India."""
    made = MemoryKnowledge(delay=0)
    made.users.add("jill", role="admin", zone=ZONE)
    text = 'Create Sentinel tea Using http://tea.test/ Monitor value css "b" To 2099-05-01T00:00:00Z'
    made.sentinels.add(sentinel("tea", "http://tea.test/", text=text))
    for look in range(1, 4):
        (claim,) = claim_all(made)
        (due,) = claim.pages
        price = ObjectChange(object="b", status=Status.UPDATED, before=str(look), after=str(look + 1))
        found = NewChange(
            sentinel=due.watches[0].sentinel,
            old_version=look - 1,
            new_version=look,
            findings=(Finding(type="value", objects=(price,)),),
        )
        told = Look(why="due", decision="new version", status=200, reason=REASON)
        done = checked(
            claim, due, version=new_version(look, str(look)), changes=(found,), due=claim.now, look=told
        )
        made.schedule.finish(claim, [done])
        made.schedule.ask(due.id)
    return made


@pytest.fixture(scope="module")
def application(knowledge: MemoryKnowledge, tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    settings = read_settings({"data": str(tmp_path_factory.mktemp("times"))}, environment={})
    return create_application(knowledge, settings)


@pytest.fixture(scope="module")
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    client = browser_of(application, knowledge, "jill")
    client.post(f"/changes/{the_change(knowledge)}/share")
    return client


def the_change(knowledge: MemoryKnowledge) -> int:
    return knowledge.changes.all()[-1].id


def shown_times(text: str) -> list[tuple[datetime, str, str]]:
    """Returns the exact instant, what is shown, and what is told of it, of every time on a page."""
    found = html.fromstring(text).findall(".//time")
    return [
        (datetime.fromisoformat(one.get("datetime")), "".join(one.itertext()), one.get("title", ""))
        for one in found
        if "T" in one.get("datetime")
    ]


@pytest.mark.parametrize("place", PLACES)
def test_every_page_tells_times_by_the_clock_of_its_reader(
    jill: TestClient, knowledge: MemoryKnowledge, place: str
):
    headers = {"accept": "text/html"} | ({"hx-request": "true"} if "before" in place else {})
    numbers = {"change": the_change(knowledge), "page": knowledge.sentinels.pages("jill")[0].id}
    answer = jill.get(place.format(**numbers), headers=headers)
    assert answer.status_code == 200
    times = shown_times(answer.text)
    assert times or place == "/summaries"
    for exact, shown, title in times:
        local = exact.astimezone(ZoneInfo(ZONE))
        if title.endswith(" UTC"):
            assert shown in [f"{local:{form}}" for form in FORMS]
            assert title == f"{exact:%Y-%m-%d %H:%M:%S} UTC"
        else:
            assert shown in (distance(exact, ZoneInfo(ZONE)), "now")
            assert title == f"{local:%A, %d %B %Y, %H:%M:%S} IST"
    words = re.sub(r"<[^>]*>", "", answer.text)
    assert "UTC" not in words


def test_what_comes_next_and_why_is_told_by_the_same_clock(jill: TestClient):
    answer = jill.get("/sentinels/tea").text
    assert "Ends 2028-01-15 13:30 IST (To 2099-05-01 05:30 IST)" in answer
    assert "mostly on workdays between 14:30 and 22:30 h IST; next look in" in answer
    (spark,) = html.fromstring(jill.get("/sentinels").text).xpath("//*[@class='spark']/@aria-label")
    assert spark == "1 → 4; 3 changes in 24 days"


def test_values_are_drawn_by_the_readers_clock(jill: TestClient, knowledge: MemoryKnowledge):
    page = html.fromstring(jill.get("/sentinels/tea").text)
    assert len(page.xpath("//svg[@role='img'][@tabindex]//circle")) == 4, "the first value and three changes"
    local = [f"{one.at.astimezone(ZoneInfo(ZONE)):%H:%M}" for one in steps_of(knowledge)]
    says = page.xpath("//*[contains(@class, 'say')]/text()")
    assert [one.rpartition(" ")[2] for one in says] == local
    rows = page.xpath("//section[@id='value']//tbody//time/text()")
    assert len(rows) == 4
    assert all(one.endswith(" IST") for one in rows)


def test_values_are_kept_as_a_file(jill: TestClient, knowledge: MemoryKnowledge):
    answer = jill.get("/sentinels/tea/values.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    first, *rows = answer.text.splitlines()
    assert first == "from,number,text"
    assert [row.split(",")[1] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0].startswith(steps_of(knowledge)[0].at.isoformat(timespec="seconds"))
    assert jill.get("/sentinels/none/values.csv").status_code == 404


def test_values_are_data_for_programs(jill: TestClient):
    found = jill.get("/api/v1/sentinels/tea/values").json()
    assert [one["number"] for one in found] == ["1", "2", "3", "4"]
    assert [one["change"] is None for one in found] == [True, False, False, False]
    assert jill.get("/api/v1/sentinels/tea/values.csv").text == jill.get("/sentinels/tea/values.csv").text
    later = jill.get("/api/v1/sentinels/tea/values", params={"since": "2100-01-01"}).json()
    assert [(one["from"], one["number"]) for one in later] == [("2100-01-01T00:00:00+00:00", "4")]
    assert jill.get("/api/v1/sentinels/none/values").status_code == 404


@pytest.mark.parametrize(("range_", "current"), [("7", "7 days"), ("all", "All"), ("x", "30 days")])
def test_a_range_of_time_is_a_link_and_the_chosen_one_is_told(jill: TestClient, range_: str, current: str):
    page = html.fromstring(jill.get("/sentinels/tea", params={"range": range_}).text)
    assert page.xpath("//nav[@aria-label='Time']/a[@aria-current]/text()") == [current]


def steps_of(knowledge: MemoryKnowledge) -> tuple[Step, ...]:
    series = values_of(knowledge.changes, knowledge.versions, knowledge.sentinels.get("jill", "tea"))
    assert series is not None
    return series.steps


def test_who_has_only_a_link_is_told_utc(application: FastAPI, jill: TestClient, knowledge: MemoryKnowledge):
    made = jill.post(f"/changes/{the_change(knowledge)}/share").text
    (link,) = re.findall(r'value="http://testserver(/shared/[^"]+)"', made)
    times = shown_times(stranger(application).get(link, headers={"accept": "text/html"}).text)
    assert len(times) == 3, "when it was found, when the link ends, and where the line of the value begins"
    assert all(title.endswith(" UTC") for _, _, title in times)


def test_programs_get_utc(jill: TestClient, knowledge: MemoryKnowledge):
    assert jill.get(f"/api/v1/changes/{the_change(knowledge)}").json()["found_at"].endswith("+00:00")
    assert jill.get("/api/v1/sentinels/tea").json()["installed_at"].endswith("+00:00")


def test_the_zone_is_chosen_where_it_was_offered(tmp_path: Path):
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("ann")
    client = browser_of(
        create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={})),
        knowledge,
        "ann",
    )
    assert 'data-zone="UTC"' in client.get("/inbox", headers={"accept": "text/html"}).text
    answer = client.post("/account/zone", data={"zone": "Europe/Vienna", "to": "/"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert knowledge.users.get("ann").zone == "Europe/Vienna"
    assert "data-zone" not in client.get("/inbox", headers={"accept": "text/html"}).text
    away = client.post("/account/zone", data={"zone": "UTC", "to": "https://evil.test/"})
    assert away.headers["location"] == "/"
    wrong = client.post("/account/zone", data={"zone": "../../etc/passwd", "to": "/"})
    assert (wrong.status_code, knowledge.users.get("ann").zone) == (400, "UTC")


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "between 9 and 17 h UTC"),
        ("Asia/Tokyo", "between 18 and 2 h JST"),
        ("Asia/Kathmandu", "between 14:45 and 22:45 h UTC+0545"),
        ("No/Such", "between 9 and 17 h UTC"),
    ],
)
def test_hours_of_a_habit_are_told_by_the_readers_clock(zone: str, text: str):
    said = _environment.from_string("{{ 'mostly between 9 and 17 h UTC' | hours }}")
    assert said.render(zone=zone_named(zone)) == f"mostly {text}"


def test_the_hour_that_comes_twice_is_told_apart_and_the_ends_of_time_are_told():
    vienna = ZoneInfo("Europe/Vienna")
    twice = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    assert [on_clock(one, vienna) for one in twice] == ["2026-10-25 02:30 CEST", "2026-10-25 02:30 CET"]
    assert on_clock(datetime.max.replace(tzinfo=UTC), vienna) == "9999-12-31 23:59 UTC"
    assert on_clock(datetime.min.replace(tzinfo=UTC), ZoneInfo("America/Lima")).endswith("UTC")


NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (-44, "just now"),
        (30, "now"),
        (-50, "1 min ago"),
        (-12 * 60, "12 min ago"),
        (48 * 60, "in 48 min"),
        (-3 * 3600, "3 h ago"),
        (6 * 3600, "in 6 h"),
        (-13 * 3600, "yesterday"),
        (14 * 3600, "tomorrow"),
        (-30 * 3600, "yesterday"),
        (5 * 86_400, "in 5 days"),
        (-3 * 86_400, "3 days ago"),
        (-9 * 86_400, "7 Nov"),
        (15 * 86_400, "1 Dec"),
        (-400 * 86_400, "12 Oct 2025"),
        (45, "in 1 min"),
        (44, "now"),
        (-45, "1 min ago"),
        (59 * 60 + 29, "in 59 min"),
        (59 * 60 + 31, "in 1 h"),
        (-90 * 60 - 1, "2 h ago"),
        (12 * 3600 - 1, "in 12 h"),
        (12 * 3600, "tomorrow"),
        (-12 * 3600, "12 h ago"),
        (-12 * 3600 - 1, "yesterday"),
        (86_400, "tomorrow"),
        (-86_400, "yesterday"),
        (2 * 86_400, "in 2 days"),
        (-2 * 86_400, "2 days ago"),
        (6 * 86_400, "in 6 days"),
        (-6 * 86_400, "6 days ago"),
        (7 * 86_400, "23 Nov"),
        (-7 * 86_400, "9 Nov"),
        (46 * 86_400, "1 Jan 2027"),
    ],
)
def test_a_time_is_told_by_its_distance(seconds: int, words: str):
    assert distance(NOON + timedelta(seconds=seconds), ZoneInfo("UTC"), NOON) == words


def test_yesterday_is_that_of_the_reader():
    late = NOON - timedelta(hours=13)
    assert distance(late, ZoneInfo("Asia/Tokyo"), NOON) == "13 h ago"


def test_a_whole_day_of_the_reader_may_be_told_in_hours():
    midnight = datetime(2026, 11, 16, tzinfo=UTC)
    late = midnight + timedelta(hours=23, minutes=40)
    assert distance(midnight, ZoneInfo("UTC"), late) == "24 h ago"
    assert distance(late, ZoneInfo("UTC"), midnight) == "in 24 h"


@pytest.mark.parametrize(("seconds", "words"), [(-1, "now"), (0, "now"), (1, "now"), (120, "in 2 min")])
def test_a_look_that_is_overdue_comes_now(seconds: int, words: str):
    assert in_time(NOON + timedelta(seconds=seconds), ZoneInfo("UTC"), NOON) == words


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{ none | clock }}", "never"),
        ("{{ none | ago }}", "never"),
        ("{{ none | ago('not yet') }}", "not yet"),
        ("{{ '2026-11-16T12:00:00+00:00' | clock('time') }}", ">17:30<"),
        ("{{ '2026-11-16T20:00:00+00:00' | clock('day') }}", ">2026-11-17<"),
        ("{{ noon | clock }}", ">2026-11-16 17:30:00 IST<"),
        ("{{ noon | clock('words') }}", ">Mon 16 Nov 2026, 17:30 IST<"),
        ("{{ noon | moment }}", "16 Nov, 17:30"),
        ("{{ '2000-01-01T00:00:00+00:00' | ago }}", ">1 Jan 2000<"),
        ("{{ noon | since }}", ' title="Monday, 16 November 2026, 17:30:00 IST">'),
        ("{{ noon | clock }}", ' title="2026-11-16 12:00:00 UTC">'),
    ],
)
def test_a_template_tells_a_time_by_the_zone_it_is_given(template: str, shown: str):
    assert shown in _environment.from_string(template).render(zone=ZoneInfo(ZONE), noon=NOON)


def test_a_template_without_a_zone_takes_that_of_the_user_or_utc():
    said = _environment.from_string("{{ noon | moment }}")
    assert said.render(noon=NOON) == "16 Nov, 12:00"
    assert said.render(noon=NOON, user=User(name="jill", zone=ZONE, created_at=NOON)) == "16 Nov, 17:30"


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "in the last minute"),
        (4, "in the last 4 min"),
        (180, "in the last 3 h"),
        (24 * 60, "since yesterday"),
        (3 * 24 * 60, "in the last 3 days"),
        (10 * 24 * 60, "since 6 Nov"),
    ],
)
def test_a_span_until_now_is_told_in_words(minutes: int, said: str):
    now = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
    assert span_until_now(now - timedelta(minutes=minutes), UTC, now) == said
