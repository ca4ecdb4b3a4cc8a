"""Links in mail, feeds, the bulletin, notices and preferences on the web (N2, N4, N5, V4)."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import feedparser
import icalendar
import pytest
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, new_version, notice, sentinel
from webvigil.app.people.sign_in import new_session
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.telling.contacts import (
    ask_to_verify,
    digest_of,
    new_feed,
    new_verification,
    stop_token,
)
from webvigil.errors import NotFound, SettingRefused
from webvigil.fetch.login import Seal
from webvigil.model.moment import as_datetime
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application

BASE = "http://testserver"
SEAL = Seal(b"key")
ADDRESS = "jill@example.org"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def client(knowledge: MemoryKnowledge, tmp_path: Path) -> TestClient:
    application = create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))
    application.state.seal = SEAL
    return TestClient(application, headers={"origin": BASE})


def signed_in(client: TestClient, knowledge: MemoryKnowledge, user: str = "jill") -> TestClient:
    client.cookies.clear()
    client.cookies.set(COOKIE, new_session(knowledge, user))
    return client


def find_changes(knowledge: MemoryKnowledge, name: str, topic: str = "", hostile: str = "") -> None:
    text = f"Create Sentinel {name} Using http://{name}.test/ Monitor all links"
    text += f" Topic {topic}" if topic else ""
    knowledge.sentinels.add(sentinel(name, f"http://{name}.test/{hostile}", text=text, topic=topic))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])


class TestVerification:
    def test_a_link_confirms_an_address_with_a_click(self, client, knowledge):
        ask_to_verify(knowledge, "jill", ADDRESS)
        secret = new_verification(knowledge.contacts, knowledge.schedule, "jill", ADDRESS)
        page = client.get(f"/contacts/verify?token={secret}")
        assert ADDRESS in page.text
        assert knowledge.contacts.get("jill", "email", ADDRESS).verified_at is None, "looking is not enough"
        assert "confirmed" in client.post(f"/contacts/verify?token={secret}").text
        assert knowledge.contacts.get("jill", "email", ADDRESS).verified_at is not None
        assert client.post(f"/contacts/verify?token={secret}").status_code == 404, "it works once"

    def test_an_old_or_wrong_link_opens_nothing(self, client, knowledge, clock):
        secret = new_verification(knowledge.contacts, knowledge.schedule, "jill", ADDRESS)
        clock.now += 8 * 24 * 3_600_000
        for token in (secret, "nonsense", "", "\x00"):
            for answer in (
                client.post("/contacts/verify", params={"token": token}),
                client.get("/contacts/verify", params={"token": token}),
            ):
                assert answer.status_code == 404
                assert "is older than a week" in answer.text
                assert 'href="/account/telling"' in answer.text, "what to do next"
        assert knowledge.contacts.get("jill", "email", ADDRESS).verified_at is None

    def test_the_secret_is_not_in_the_knowledge_base(self, knowledge):
        secret = new_verification(knowledge.contacts, knowledge.schedule, "jill", ADDRESS)
        known = knowledge.contacts.get("jill", "email", ADDRESS)
        assert known.digest == digest_of(secret)
        assert secret not in repr(known)

    def test_one_mail_and_not_one_for_each_time_somebody_asks(self, knowledge, clock):
        for _ in range(5):
            ask_to_verify(knowledge, "jill", ADDRESS)
        assert len(knowledge.outbox.all("jill")) == 1
        clock.now += 2 * 3_600_000
        ask_to_verify(knowledge, "jill", ADDRESS)
        assert len(knowledge.outbox.all("jill")) == 2

    def test_nobody_has_us_write_to_the_whole_world(self, knowledge):
        for number in range(20):
            ask_to_verify(knowledge, "jill", f"a{number}@example.org")
        with pytest.raises(SettingRefused, match="not confirmed"):
            ask_to_verify(knowledge, "jill", "one@more.example")

    def test_a_link_in_every_mail_ends_them(self, client, knowledge):
        secret = new_verification(knowledge.contacts, knowledge.schedule, "jill", ADDRESS)
        client.post(f"/contacts/verify?token={secret}")
        token = stop_token(SEAL, "jill", ADDRESS)
        assert ADDRESS in client.get("/contacts/stop", params={"token": token}).text
        assert client.post("/contacts/stop", params={"token": token}).status_code == 200
        assert knowledge.contacts.get("jill", "email", ADDRESS).verified_at is None
        for ask in (client.get, client.post):
            wrong = ask("/contacts/stop", params={"token": token[:-4] + "AAAA"})
            assert wrong.status_code == 404
            assert "use the link at the end of the newest mail" in wrong.text


class TestFeeds:
    def read(self, client: TestClient, secret: str):
        answer = client.get(f"/feeds/{secret}.atom")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        found = feedparser.parse(answer.content)
        assert not found.bozo, found.get("bozo_exception")
        return found

    def test_a_feed_reader_reads_it(self, client, knowledge):
        find_changes(knowledge, "s1", "art")
        find_changes(knowledge, "s2", hostile="%3Cscript%3E]]>&amp;")
        feed = self.read(client, new_feed(knowledge.contacts, knowledge.sentinels, "jill"))
        assert feed.version == "atom10"
        assert [entry.title for entry in feed.entries] == ["New link: x · s2", "New link: x · s1"]
        assert all(entry.id.startswith("urn:uuid:") for entry in feed.entries)
        assert all(entry.link.startswith(f"{BASE}/changes/") for entry in feed.entries)
        assert feed.entries[1].tags[0].term == "art"
        assert all(entry.updated_parsed for entry in feed.entries)
        assert "http://x/" in feed.entries[0].content[0].value

    def test_ids_stay_the_same(self, client, knowledge):
        find_changes(knowledge, "s1")
        secret = new_feed(knowledge.contacts, knowledge.sentinels, "jill")
        first = self.read(client, secret)
        find_changes(knowledge, "s2")
        second = self.read(client, new_feed(knowledge.contacts, knowledge.sentinels, "jill"))
        assert first.feed.id == second.feed.id
        assert second.entries[1].id == first.entries[0].id

    def test_of_a_topic_and_of_a_sentinel(self, client, knowledge):
        for name, topic in (("s1", "art"), ("s2", "art"), ("s3", "money")):
            find_changes(knowledge, name, topic)
        of_topic = self.read(client, new_feed(knowledge.contacts, knowledge.sentinels, "jill", "topic:art"))
        assert [entry.title[-2:] for entry in of_topic.entries] == ["s2", "s1"]
        of_one = self.read(client, new_feed(knowledge.contacts, knowledge.sentinels, "jill", "sentinel:s3"))
        assert [entry.title[-2:] for entry in of_one.entries] == ["s3"]

    def test_an_ended_feed_and_a_guess_open_nothing(self, client, knowledge):
        secret = new_feed(knowledge.contacts, knowledge.sentinels, "jill")
        assert client.get(f"/feeds/{secret}.atom").status_code == 200
        new_feed(knowledge.contacts, knowledge.sentinels, "jill")
        assert client.get(f"/feeds/{secret}.atom").status_code == 404
        last = new_feed(knowledge.contacts, knowledge.sentinels, "jill")
        knowledge.contacts.remove("jill", "feed", "")
        assert client.get(f"/feeds/{last}.atom").status_code == 404
        secret = new_verification(knowledge.contacts, knowledge.schedule, "jill", ADDRESS)
        assert client.get(f"/feeds/{secret}.atom").status_code == 404, "a secret for something else"

    def test_a_reader_that_has_it_gets_nothing_new(self, client, knowledge):
        secret = new_feed(knowledge.contacts, knowledge.sentinels, "jill")
        tag = client.get(f"/feeds/{secret}.atom").headers["etag"]
        assert client.get(f"/feeds/{secret}.atom", headers={"if-none-match": tag}).status_code == 304
        find_changes(knowledge, "s1")
        assert client.get(f"/feeds/{secret}.atom", headers={"if-none-match": tag}).status_code == 200

    def test_others_feeds_are_not_shown(self, client, knowledge):
        find_changes(knowledge, "s1")
        assert self.read(client, new_feed(knowledge.contacts, knowledge.sentinels, "jack")).entries == []
        with pytest.raises(NotFound):
            new_feed(knowledge.contacts, knowledge.sentinels, "jack", "sentinel:s1")
        with pytest.raises(SettingRefused):
            new_feed(knowledge.contacts, knowledge.sentinels, "jill", "nonsense:x")


class TestCalendars:
    """N7: what is to come, for calendar programs."""

    def read(self, client: TestClient, secret: str) -> list[icalendar.Event]:
        answer = client.get(f"/feeds/{secret}.ics")
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        found = icalendar.Calendar.from_ical(answer.content)
        assert not found.errors
        return found.walk("VEVENT")

    def feed(self, knowledge, scope: str = "", user: str = "jill") -> str:
        return new_feed(knowledge.contacts, knowledge.sentinels, user, scope)

    def install(self, knowledge, text: str, tmp_path: Path, user: str = "jill") -> None:
        settings = read_settings({"data": str(tmp_path), "user": user}, environment={})
        install_text(knowledge, settings, text)

    def test_the_next_look_and_the_end_of_each_sentinel(self, client, knowledge, clock, tmp_path):
        self.install(
            knowledge,
            "Create Sentinel news Using https://example.org/ Monitor any change Fetch 2 hour Topic art "
            "Create Sentinel short Using https://example.org/s From Now To Now + 10 day",
            tmp_path,
        )
        events = self.read(client, self.feed(knowledge))
        told = {str(one["SUMMARY"]): one for one in events}
        assert set(told) == {"Look: news", "Look: short", "news ends", "short ends"}
        now = as_datetime(clock.now)
        assert told["short ends"].decoded("DTSTART") == now + timedelta(days=10)
        assert told["news ends"].decoded("DTSTART") == now + timedelta(days=365)
        assert told["news ends"].walk("VALARM")[0].decoded("TRIGGER") == -timedelta(days=7)
        assert told["short ends"].walk("VALARM")[0].decoded("TRIGGER") == -timedelta(days=1)
        assert told["Look: news"]["URL"] == f"{BASE}/sentinels/news"
        assert told["Look: news"]["DESCRIPTION"] == "https://example.org/"
        assert told["Look: news"]["CATEGORIES"].cats == ["art"]
        assert not told["Look: news"].walk("VALARM"), "nobody wants to be reminded of each look"

    def test_a_sentinel_is_called_by_its_title(self, client, knowledge, tmp_path):
        text = 'Create Sentinel news Using https://example.org/ Fetch 2 hour Title "The harbour"'
        self.install(knowledge, text, tmp_path)
        secret = self.feed(knowledge, "sentinel:news")
        told = {str(one["SUMMARY"]): one for one in self.read(client, secret)}
        assert set(told) == {"Look: The harbour", "The harbour ends"}
        assert told["Look: The harbour"]["DESCRIPTION"] == "news\nhttps://example.org/"
        assert "X-WR-CALNAME:WebVigil: The harbour" in client.get(f"/feeds/{secret}.ics").text

    def test_of_a_schedule_the_next_ten_looks(self, client, knowledge, clock, tmp_path):
        knowledge.users.change("jill", zone="Europe/Vienna")
        self.install(knowledge, 'Create Sentinel c Using https://x.test/ Fetch cron "0 9 * * 1-5"', tmp_path)
        looks = [one for one in self.read(client, self.feed(knowledge)) if one["SUMMARY"] == "Look: c"]
        times = [one.decoded("DTSTART").astimezone(ZoneInfo("Europe/Vienna")) for one in looks]
        assert len(times) == 10
        assert {(one.hour, one.minute) for one in times} == {(9, 0)}
        assert all(one.weekday() < 5 for one in times)
        assert times == sorted(times)
        assert times[0] >= as_datetime(clock.now)

    def test_of_a_topic_of_a_sentinel_and_of_nobody_else(self, client, knowledge, tmp_path):
        for name, topic in (("s1", "art"), ("s2", "art"), ("s3", "money")):
            text = f"Create Sentinel {name} Using https://{name}.test/ Topic {topic}"
            self.install(knowledge, text, tmp_path)

        def names(scope: str, user: str = "jill") -> set[str]:
            found = self.read(client, self.feed(knowledge, scope, user))
            return {str(one["SUMMARY"]) for one in found if str(one["SUMMARY"]).startswith("Look")}

        assert names("topic:art") == {"Look: s1", "Look: s2"}
        assert names("sentinel:s3") == {"Look: s3"}
        assert names("", "jack") == set()
        scope = self.feed(knowledge, "sentinel:s3")
        knowledge.sentinels.set_aside("jill", "s3")
        assert self.read(client, scope) == [], "it is gone, and its calendar is empty"

    def test_what_rests_is_not_looked_at_and_still_ends(self, client, knowledge, tmp_path):
        self.install(knowledge, "Create Sentinel s Using https://s.test/ From Now To Now + 3 day", tmp_path)
        knowledge.sentinels.enable("jill", "s", enabled=False)
        assert [str(one["SUMMARY"]) for one in self.read(client, self.feed(knowledge))] == ["s ends"]

    def test_one_that_waits_for_its_time_starts(self, client, knowledge, clock, tmp_path):
        self.install(
            knowledge, "Create Sentinel s Using https://s.test/ From Now + 1 day To Now + 3 day", tmp_path
        )
        told = {
            str(one["SUMMARY"]): one.decoded("DTSTART") for one in self.read(client, self.feed(knowledge))
        }
        now = as_datetime(clock.now)
        assert told == {"s starts": now + timedelta(days=1), "s ends": now + timedelta(days=3)}

    def test_a_program_that_has_it_gets_nothing_new(self, client, knowledge, clock, tmp_path):
        self.install(knowledge, "Create Sentinel s Using https://s.test/", tmp_path)
        secret = self.feed(knowledge)
        answer = client.get(f"/feeds/{secret}.ics")
        assert answer.headers["cache-control"] == "private, no-cache"
        tag = answer.headers["etag"]
        clock.now += 60_000
        for known in (tag, f"W/{tag}", f'"other", {tag}'):
            again = client.get(f"/feeds/{secret}.ics", headers={"if-none-match": known})
            assert (again.status_code, again.content) == (304, b"")
        self.install(knowledge, "Create Sentinel t Using https://t.test/", tmp_path)
        assert client.get(f"/feeds/{secret}.ics", headers={"if-none-match": tag}).status_code == 200

    def test_the_events_of_yesterday_keep_their_uids(self, client, knowledge, tmp_path):
        self.install(knowledge, "Create Sentinel s Using https://s.test/", tmp_path)
        secret = self.feed(knowledge)
        before = {str(one["SUMMARY"]): str(one["UID"]) for one in self.read(client, secret)}
        self.install(knowledge, "Create Sentinel t Using https://t.test/", tmp_path)
        after = {str(one["SUMMARY"]): str(one["UID"]) for one in self.read(client, self.feed(knowledge))}
        assert before.items() <= after.items()

    def test_an_ended_calendar_and_a_guess_open_nothing(self, client, knowledge):
        secret = self.feed(knowledge)
        assert client.get(f"/feeds/{secret}.ics").status_code == 200
        knowledge.contacts.remove("jill", "feed", "")
        assert client.get(f"/feeds/{secret}.ics").status_code == 404
        assert client.get("/feeds/guess.ics").status_code == 404

    def test_its_address_is_told_with_that_of_the_feed(self, client, knowledge):
        signed_in(client, knowledge)
        made = client.post("/api/v1/contacts", json={"channel": "feed"}).json()
        assert made["calendar"] == made["url"].removesuffix(".atom") + ".ics"
        assert client.get(made["calendar"]).status_code == 200
        shown = client.post("/account/contacts", data={"channel": "feed", "address": ""}).text
        assert re.search(rf'value="{BASE}/feeds/[\w-]+[.]ics"', shown)


class TestBulletin:
    def test_all_that_a_summary_tells(self, client, knowledge):
        """The bulletin shows every field that N2 lists."""
        find_changes(knowledge, "s1", "art")
        signed_in(client, knowledge)
        page = client.get("/bulletin").text
        for word in (
            "links",
            "art",
            "http://s1.test/",
            "changed",
            "looked at",
            "seen",
            "told",
            "installed",
        ):
            assert word in page
        assert "1 look · 0 messages · 1 change" in page
        (row,) = client.get("/api/v1/summary").json()
        assert row["urls"] == ["http://s1.test/"]
        assert row["watches"] == "links"
        assert (row["type"], row["evaluations"], row["notifications"], row["changes"]) == (
            "all links",
            1,
            0,
            1,
        )
        assert None not in [row[name] for name in ("modified", "evaluated", "last_seen", "installed", "ends")]
        assert row["notified"] is None

    def test_by_topic(self, client, knowledge):
        for name, topic in (("s1", "art"), ("s2", "money"), ("s3", "art")):
            find_changes(knowledge, name, topic)
        signed_in(client, knowledge)
        rows = client.get("/api/v1/summary?order=topic").json()
        assert [(row["topic"], row["sentinel"]) for row in rows][2] == ("money", "s2")
        page = client.get("/bulletin?topic=money").text
        assert ">s2</a></h3>" in page
        assert ">s1</a></h3>" not in page

    def test_the_summary_comes_in_pieces(self, client, knowledge):
        for name in ("s1", "s2", "s3"):
            find_changes(knowledge, name, "art")
        signed_in(client, knowledge)
        answer = client.get("/api/v1/summary?limit=2&topic=art")
        assert answer.headers["link"] == '</api/v1/summary?limit=2&topic=art&skip=2>; rel="next"'
        rest = client.get("/api/v1/summary?limit=2&topic=art&skip=2")
        assert "link" not in rest.headers
        names = [row["sentinel"] for row in (*answer.json(), *rest.json())]
        assert names == [row["sentinel"] for row in client.get("/api/v1/summary").json()]
        assert client.get("/api/v1/summary?topic=none").json() == []

    def test_the_link_of_a_message_leads_to_its_report(self, client, knowledge):
        find_changes(knowledge, "s1")
        change = knowledge.changes.all()[0]
        signed_in(client, knowledge)
        answer = client.get(f"/reports/s1/{change.page}/1-2", follow_redirects=False)
        assert answer.headers["location"] == f"/changes/{change.id}"
        assert client.get(f"/reports/s1/{change.page}/1-9").status_code == 404
        signed_in(client, knowledge, "jack")
        assert client.get(f"/reports/s1/{change.page}/1-2").status_code == 404

    def test_nothing_for_strangers(self, client):
        for path in (
            "/bulletin",
            "/reports/s/1/1-2",
            "/api/v1/notices",
            "/api/v1/contacts",
            "/api/v1/summary",
        ):
            assert client.get(path).status_code == 401


class TestApi:
    def test_what_was_given_up_is_tried_again(self, client, knowledge):
        knowledge.outbox.add(notice("n1"))
        (item,) = knowledge.outbox.claim("w", count=1, lease=1000)
        knowledge.outbox.give_up(item, error="no such address")
        signed_in(client, knowledge, "jack")
        assert client.get("/api/v1/notices").json() == []
        assert client.post(f"/api/v1/notices/{item.id}/retry").status_code == 404
        signed_in(client, knowledge)
        (dead,) = client.get("/api/v1/notices?state=given up").json()
        assert (dead["id"], dead["error"], dead["attempts"]) == (item.id, "no such address", 1)
        assert client.post(f"/api/v1/notices/{item.id}/retry").json() == {"retried": 1}
        assert client.post("/api/v1/notices/retry").json() == {"retried": 0}
        assert client.get("/api/v1/notices").json()[0]["state"] == "pending"

    def test_contacts_are_added_and_removed(self, client, knowledge):
        signed_in(client, knowledge)
        feed = client.post("/api/v1/contacts", json={"channel": "feed"}).json()
        assert re.match(f"{BASE}/feeds/.+[.]atom", feed["url"])
        hook = {"channel": "webhook", "address": "https://a.test/"}
        assert len(client.post("/api/v1/contacts", json=hook).json()["secret"]) > 30
        mail = client.post("/api/v1/contacts", json={"channel": "email", "address": ADDRESS}).json()
        assert mail == {"channel": "email", "address": ADDRESS, "verified": False}
        bad = client.post("/api/v1/contacts", json={"channel": "email", "address": "a\nb@c"})
        assert bad.status_code == 400
        shown = client.get("/api/v1/contacts").text
        assert "secret" not in shown
        assert client.delete("/api/v1/contacts/webhook?address=https://a.test/").status_code == 204
        assert client.delete("/api/v1/contacts/webhook?address=https://a.test/").status_code == 404

    def test_preferences(self, client, knowledge):
        signed_in(client, knowledge)
        wanted = {"quiet": "22:00-7:00", "rate": 5, "order": "topic"}
        changed = client.patch("/api/v1/preferences", json=wanted).json()
        told = {"quiet": "22:00-07:00", "rate": 5, "summary_at": "08:00", "order": "topic"}
        assert changed == {**told, "share_pages": True}
        assert client.get("/api/v1/preferences").json() == changed
        for wrong in (
            {"quiet": "25:00-7:00"},
            {"rate": "many"},
            {"order": "x"},
            {"what": 1},
            {"summary_at": "noon"},
        ):
            assert client.patch("/api/v1/preferences", json=wrong).status_code == 400
        assert client.patch("/api/v1/preferences", json={"quiet": None}).json()["quiet"] is None


def test_a_name_for_the_installation_is_made_once(knowledge):
    from webvigil.app.telling.feeds import place_of

    assert place_of(knowledge.journal) == asyncio.run(asyncio.to_thread(place_of, knowledge.journal))
