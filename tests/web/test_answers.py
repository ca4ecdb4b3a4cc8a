"""Where each form of the dashboard leads, which status an error has, and what lists say of their ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from lxml import html

from tests.store.making import ALIVE, checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import browser_of
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import read_settings
from webvigil.model.change import ChangeOutline
from webvigil.model.installed import RemovedSentinel, WatchedPage
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.activity import DAYS
from webvigil.web.application import create_application
from webvigil.web.dashboard import inbox, overview, search, sentinels, settings, summaries

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
TODAY = NOW.date()
DAY = timedelta(days=1)
TEXT = "Create Sentinel {0} Using http://{0}.test/\nMonitor all links"


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    """Two sentinels of an administrator; each found one change."""
    made = MemoryKnowledge(delay=0)
    made.users.add("jill", role="admin")
    made.users.add("ann")
    for name in ("tea", "cake"):
        made.sentinels.add(sentinel(name, f"http://{name}.test/", text=TEXT.format(name), life=ALIVE))
    for claim in claim_all(made):
        for due in claim.pages:
            done = checked(
                claim, due, version=new_version(1, "1"), changes=(new_change(due.watches[0].sentinel, 0, 1),)
            )
            made.schedule.finish(claim, [done])
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "jill")


@pytest.mark.parametrize(
    ("path", "sent", "place"),
    [
        ("/account/zone", {"zone": "Europe/Vienna"}, "/account"),
        ("/account/zone", {"zone": "UTC", "to": "/inbox?show=unread"}, "/inbox?show=unread"),
        ("/account/scores", {"interests": "tea\n\n cake  shop"}, "/account#scores"),
        ("/account/share-pages", {"share": "yes"}, "/account#community"),
        ("/account/preferences", {"quiet": "22:00-06:00"}, "/account/telling"),
        ("/account/notices/retry", {}, "/account/telling"),
        ("/account/notices/retry", {"back": "/"}, "/"),
        ("/account/notices/1/retry", {}, "/account/telling"),
        ("/health/notices/1/retry", {}, "/health"),
        ("/topics", {"name": "shops", "clauses": "Fetch every 2 hours"}, "/topics"),
        ("/community/broadcasts", {"text": "We pause tonight."}, "/community/agents"),
        ("/users/ann/role", {"role": "admin"}, "/users"),
        ("/users/ann/remove", {}, "/users"),
        ("/settings/looking", {"looks_per_hour": "7"}, "/settings?saved=looks_per_hour&part=looking"),
        ("/settings/looking", {}, "/settings?saved=nothing&part=looking"),
        ("/changes/seen", {}, "/inbox"),
        ("/changes/seen", {"topic": "a b", "type": "all links"}, "/inbox?topic=a+b&type=all+links"),
        ("/changes/seen", {"sentinel": "tea"}, "/inbox?sentinel=tea"),
        ("/sentinels/tea", {"action": "disable"}, "/sentinels/tea"),
        ("/sentinels/tea", {"action": "disable", "back": "/"}, "/"),
        ("/sentinels/tea", {"action": "disable", "back": "/sentinels"}, "/sentinels?did=disable&number=1"),
        (
            "/sentinels/many",
            {"action": "disable", "name": ["tea", "cake"]},
            "/sentinels?did=disable&number=2",
        ),
        (
            "/sentinels/many",
            {"action": "run", "everything": "true", "filters": "words=tea"},
            "/sentinels?words=tea&did=run&number=1",
        ),
        ("/sign-out", {}, "/sign-in"),
    ],
)
def test_a_form_that_was_sent_leads_on(jill: TestClient, path: str, sent: dict[str, str], place: str):
    answer = jill.post(path, data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, place)


def test_a_change_that_was_read_or_noted_is_shown_again(jill: TestClient, knowledge: MemoryKnowledge):
    change = knowledge.changes.all("jill")[0].id
    for path, sent in (("seen", {}), ("note", {"note": " look "})):
        answer = jill.post(f"/changes/{change}/{path}", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/changes/{change}")
    assert (knowledge.changes.get(change).seen, knowledge.changes.get(change).note) == (True, "look")
    jill.post(f"/changes/{change}/seen", data={"seen": "false"})
    assert not knowledge.changes.get(change).seen


def test_a_token_that_was_ended_is_gone(jill: TestClient, knowledge: MemoryKnowledge):
    new_api_token(knowledge, knowledge.users.get("jill"), "a program", "read")
    (token,) = knowledge.users.tokens("jill", purpose="api")
    answer = jill.post(f"/account/tokens/{token.id}/end")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert knowledge.users.tokens("jill", purpose="api") == []


@pytest.mark.parametrize(
    ("path", "sent", "status", "said"),
    [
        ("/account/zone", {"zone": "No/Such"}, 400, "No/Such"),
        ("/account/logins/forget", {"url": "http://tea.test/"}, 404, "log-in"),
        (
            "/account/contacts/test",
            {"channel": "email", "address": "a@b.test"},
            404,
            "There is no such contact.",
        ),
        ("/account/preferences", {"quiet": "at night"}, 400, "night"),
        ("/topics", {"name": "shops", "clauses": "Nonsense"}, 400, "Nonsense"),
        ("/community/agents", {"name": "tea", "peer": "http://none.test/"}, 400, "none.test"),
        ("/users", {"name": "ann"}, 400, "ann"),
        ("/users/none/role", {"role": "admin"}, 400, "none"),
        ("/settings/looking", {"looks_per_hour": "many"}, 400, "looks_per_hour"),
        (
            "/sentinels/many",
            {"action": "run"},
            400,
            "No sentinel is chosen: tick the box in front of at least one.",
        ),
        ("/sentinels/many", {"action": "run", "name": ["tea", "no"]}, 400, "1 of 2 could not be done: "),
        ("/sentinels-removed", {}, 400, "1 of 1 could not be done: nothing is left to bring back"),
        ("/sentinels-removed", {"number": "99"}, 400, "1 of 1 could not be done: "),
        ("/settings/mail/test", {}, 400, "Write the name of the mail server first."),
        (
            "/settings/mail/test",
            {"smtp_host": "mail.test"},
            400,
            "Write an address that the test is sent to.",
        ),
    ],
)
def test_a_form_that_is_refused_says_why(
    jill: TestClient, path: str, sent: dict[str, str], status: int, said: str
):
    answer = jill.post(path, data=sent)
    assert answer.status_code == status
    assert said in html.fromstring(answer.text).text_content()


def test_what_one_form_removed_comes_back_together(jill: TestClient, knowledge: MemoryKnowledge):
    gone = jill.post("/sentinels/many", data={"action": "remove", "name": ["tea", "cake"]})
    place, _, undo = gone.headers["location"].partition("?undo=")
    assert (gone.status_code, place) == (303, "/sentinels")
    assert knowledge.sentinels.all("jill") == []
    back = jill.post("/sentinels-removed", data={"undo": undo})
    assert (back.status_code, back.headers["location"]) == (303, "/sentinels?did=restore&number=2")
    assert {one.name for one in knowledge.sentinels.all("jill")} == {"tea", "cake"}


def test_the_old_address_of_the_inbox_leads_there(jill: TestClient):
    answer = jill.get("/?topic=a&show=all")
    assert (answer.status_code, answer.headers["location"]) == (307, "/inbox?topic=a&show=all")


class TestSearch:
    def test_the_last_day_is_searched_whole(self):
        vienna = ZoneInfo("Europe/Vienna")
        assert search._between("2026-11-01", "2026-11-02", vienna) == (
            datetime(2026, 11, 1, tzinfo=vienna),
            datetime(2026, 11, 3, tzinfo=vienna),
        )
        assert search._between("", "", UTC) == (None, None)

    @pytest.mark.parametrize(
        ("found", "said"), [(50, "50 found."), (51, "The newest 50; there are more, so add a word or a day.")]
    )
    def test_fifty_changes_are_shown_and_more_are_told(
        self,
        jill: TestClient,
        knowledge: MemoryKnowledge,
        monkeypatch: pytest.MonkeyPatch,
        found: int,
        said: str,
    ):
        one = knowledge.changes.all("jill")[0]
        many = [replace(one, id=number) for number in range(1, found + 1)]
        monkeypatch.setattr(knowledge.search, "find", lambda *_, limit, **__: many[:limit])
        page = jill.get("/search", params={"q": "tea"})
        (status,) = html.fromstring(page.text).xpath("//p[@role='status']/text()")
        assert status == said

    def test_a_day_that_is_none_is_refused(self, jill: TestClient):
        answer = jill.get("/search", params={"since": "yesterday"})
        assert (answer.status_code, "Write days like 2026-12-31." in answer.text) == (400, True)
        assert jill.get("/search").status_code == 200


class TestInbox:
    @pytest.mark.parametrize(
        ("day", "name"),
        [
            (TODAY, "Today"),
            (TODAY - DAY, "Yesterday"),
            (TODAY - 2 * DAY, "Saturday, 14 November"),
            (TODAY + DAY, "Tuesday, 17 November"),
            (date(2025, 12, 31), "Wednesday, 31 December 2025"),
        ],
    )
    def test_days_have_names(self, day: date, name: str):
        assert inbox._name_of_day(day, TODAY) == name

    def test_changes_are_grouped_by_day(self, knowledge: MemoryKnowledge):
        one = replace(knowledge.changes.all("jill")[0], seen=False, found_at=NOW)
        read, old = replace(one, seen=True), replace(one, found_at=NOW - 3 * DAY)
        days = inbox.days_of([one, read, old], UTC, TODAY, more=True)
        assert [(day.name, len(day.changes), day.unread, day.is_today, day.is_whole) for day in days] == [
            ("Today", 2, 1, True, True),
            ("Friday, 13 November", 1, 1, False, False),
        ]
        assert [day.is_whole for day in inbox.days_of([one, old], UTC, TODAY, more=False)] == [True, True]
        on = inbox.days_of([old], UTC, TODAY, more=False, going_on="2026-11-13", live=True)
        assert [(day.name, len(day.changes)) for day in on] == [("", 1)]
        live = inbox.days_of([old], UTC, TODAY, more=False, live=True)
        assert [(day.name, day.is_today) for day in live] == [("", True), ("Friday, 13 November", False)]
        assert len(inbox.days_of([one], UTC, TODAY, more=False, live=True)) == 1
        assert len(inbox.days_of([], UTC, TODAY, more=False, live=True)) == 1
        assert inbox.days_of([], UTC, TODAY, more=False) == []

    def test_a_link_leaves_out_what_is_usual(self):
        filters = {"show": "all", "topic": "", "order": "newest"}
        assert inbox._link(filters, topic="a b") == "show=all&topic=a+b"
        assert inbox._link(filters | {"order": "largest"}, show="") == "order=largest"

    def test_only_what_was_on_the_screen_is_seen(self, jill: TestClient, knowledge: MemoryKnowledge):
        first, second = sorted(one.id for one in knowledge.changes.all("jill"))
        jill.post("/changes/seen", data={"up_to": first})
        assert [knowledge.changes.get(one).seen for one in (first, second)] == [True, False]
        jill.post("/changes/seen", data={"up_to": second})
        assert knowledge.changes.get(second).seen


def outline(sentinel_: str = "s", page: int = 1, days: float = 0, title: str = "") -> ChangeOutline:
    return ChangeOutline(
        id=1,
        sentinel=sentinel_,
        page=page,
        url=f"http://{page}.test/",
        found_at=NOW - days * DAY,
        topic="",
        seen=False,
        title=title,
    )


class TestOverview:
    def test_who_finds_more_than_anybody_reads_is_restless(self):
        most = overview.RESTLESS * 7
        assert overview.restless_among([outline()] * most, NOW) == []
        assert overview.restless_among([outline(title="T")] * (most + 1), NOW) == [("s", "T", most + 1)]
        assert overview.restless_among([outline(days=1)] * (most + 1), NOW) == []
        two = [outline("a"), *[outline("b", 2)] * (most + 3), *[outline("a")] * most]
        assert [one.name for one in overview.restless_among(two, NOW)] == ["b", "a"]

    def test_the_most_active_pages_stand_first(self):
        found = [outline(page=number) for number in range(1, 30) for _ in range(number)]
        made = overview.active_pages(found, ZoneInfo("UTC"), TODAY, 7)
        assert [one.number for one in made] == list(range(29, 29 - overview.ACTIVE, -1))
        (one,) = overview.active_pages(
            [outline(page=3, title="T"), outline(page=3, days=6)], ZoneInfo("UTC"), TODAY, 7
        )
        assert (one.page, one.url, one.title, one.number, one.last) == (3, "http://3.test/", "T", 2, NOW)
        assert "".join(stroke.kind or "." for stroke in one.strokes) == ".zzzzz."


class TestSentinels:
    @pytest.mark.parametrize(
        ("number", "said"),
        [
            (1, "1 of 20 could not be done: r0"),
            (10, "10 of 20 could not be done: r0; r1; r2; r3; r4; r5; r6; r7; r8; r9"),
            (11, "11 of 20 could not be done: r0; r1; r2; r3; r4; r5; r6; r7; r8; r9; and 1 more"),
        ],
    )
    def test_ten_failures_are_named(self, number: int, said: str):
        assert sentinels._failed([f"r{one}" for one in range(number)], 20) == said

    @pytest.mark.parametrize(
        ("action", "number", "said"),
        [
            ("enable", 1, "Watching 1 sentinel again."),
            ("disable", 2, "Paused 2 sentinels."),
            ("run", 0, ""),
            ("unknown", 3, ""),
        ],
    )
    def test_what_was_done_is_said(self, action: str, number: int, said: str):
        assert sentinels._said(action, number) == said

    def test_the_way_back_says_what_was_done(self):
        assert sentinels.saying("/sentinels?a=1", "run", 2) == "/sentinels?a=1&did=run&number=2"
        assert sentinels.place_of("a/b?") == "/sentinels/a%2Fb%3F"

    @pytest.mark.parametrize(
        ("undo", "found"),
        [("", []), ("5-", []), ("2000-3000", [2, 3]), ("2001-3000", [3]), ("2000-2999", [2]), ("1-9", [])],
    )
    def test_removals_of_one_form_are_found_by_their_times(self, undo: str, found: list[int]):
        class Removed:
            def removed(self, _: str) -> list[RemovedSentinel]:
                return [
                    RemovedSentinel(
                        id=number,
                        name=f"s{number}",
                        title="",
                        url="",
                        removed_at=datetime.fromtimestamp(number, UTC),
                        changes=0,
                    )
                    for number in (1, 2, 3, 4)
                ]

        assert [one.id for one in sentinels._removed_in(Removed(), "jill", undo)] == found

    @pytest.mark.parametrize(
        ("since", "failures", "days"),
        [(NOW, 1, 1), (NOW - 2 * DAY, 1, 3), (NOW - 99 * DAY, 1, DAYS), (NOW, 0, 0), (None, 1, 0)],
    )
    def test_days_of_failure_reach_until_today(
        self, knowledge: MemoryKnowledge, since: datetime | None, failures: int, days: int
    ):
        one = knowledge.sentinels.get("jill", "tea")
        page = WatchedPage(
            id=1, url="u", due=None, latest=0, checks=1, failures=failures, failing_since=since
        )
        made = sentinels._failed_days(replace(one, pages=(page,)), UTC, TODAY)
        assert made == [False] * (DAYS - days) + [True] * days


class TestSettings:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (True, "yes"),
            (False, "no"),
            (0.1, "0.1"),
            (30.0, "30"),
            (("a", "b"), "a, b"),
            (7, "7"),
            ("x", "x"),
        ],
    )
    def test_values_are_shown_as_they_are_written(self, value: object, text: str):
        assert settings._text(value) == text

    def test_secrets_are_not_shown(self):
        assert settings._shown("database", "postgresql://u:p@h/") == "(set, not shown)"
        assert settings._shown("database", "") == ""
        assert settings._shown("looks_per_hour", 7) == "7"

    def test_it_is_told_what_was_saved_and_what_waits_for_a_restart(self):
        assert settings._saved(["nothing"]) == "Nothing was changed."
        assert settings._saved(["looks_per_hour", "x"]) == "Saved looks_per_hour."
        waits = settings._saved(["looks_per_hour", "fetch_timeout"])
        assert waits == "Saved looks_per_hour, fetch_timeout. Counts after a restart: fetch_timeout."

    def test_the_first_mail_address_of_the_caller_is_offered_for_the_test(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        def offered() -> str:
            (field,) = html.fromstring(jill.get("/settings").text).xpath(
                "//input[@name='test_address']/@value"
            )
            return field

        assert offered() == ""
        jill.post("/account/contacts", data={"channel": "webhook", "address": "http://hook.test/"})
        assert offered() == ""
        jill.post("/account/contacts", data={"channel": "email", "address": "jill@home.test"})
        assert offered() == "jill@home.test"

    def test_a_value_may_be_so_long(self, jill: TestClient):
        long = jill.post("/settings/fetching", data={"user_agent": "a" * 2_001})
        assert (long.status_code, "user_agent is longer than 2000 characters" in long.text) == (400, True)
        assert "longer than" not in jill.post("/settings/fetching", data={"user_agent": "a" * 2_000}).text


class TestSummaries:
    @pytest.mark.parametrize(("days", "until"), [(8, "2026-11-15"), (7, ""), (3, "")])
    def test_later_summaries_end_today_at_the_latest(self, days: int, until: str):
        assert summaries._later(TODAY - days * DAY, 7, TODAY) == until

    def test_an_address_names_what_was_chosen(self):
        at = {"by": "day", "topic": "", "until": date(2026, 11, 1)}
        assert summaries._address(at) == "/summaries?by=day&until=2026-11-01"
