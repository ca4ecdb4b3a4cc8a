"""The landing page and the list of sentinels: what happened, what needs attention, and what to do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.store.making import ALIVE, checked, claim_all, new_change, new_version, sentinel
from webvigil.fetch.conditional import refusal
from webvigil.model.change import ChangeOutline
from webvigil.model.moment import as_millis
from webvigil.model.notice import Notice
from webvigil.model.version import Answer
from webvigil.model.work import Look
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.activity import BASE, TOP, activity, per_day, sparkline
from webvigil.web.dashboard.overview import restless_among
from webvigil.web.standing import Stand, standing_of

TODAY = date(2026, 11, 16)
UTC_ZONE = ZoneInfo("UTC")
TEXT = "Create Sentinel {0} Using http://{0}.test/\nMonitor all links"


def watching(knowledge: MemoryKnowledge, *names: str, **more: str) -> None:
    for name in names:
        knowledge.sentinels.add(
            sentinel(name, f"http://{name}.test/", text=TEXT.format(name), life=ALIVE, **more)
        )


def look(knowledge: MemoryKnowledge, *, failing: str = "", error: str = "", changes: bool = False) -> None:
    for claim in claim_all(knowledge):
        for due in claim.pages:
            if due.page.host == f"{failing}.test":
                bad = Look(why="due", decision="failed", status=403, error=error)
                done = checked(claim, due, failures=2, look=bad)
            elif changes:
                found = new_change(due.watches[0].sentinel, 1, 2)
                done = checked(claim, due, version=new_version(1), changes=(found,))
            else:
                done = checked(claim, due, version=new_version(1))
            knowledge.schedule.finish(claim, [done])


def outline(days: float, topic: str = "", page: int = 1) -> ChangeOutline:
    at = datetime(2026, 11, 16, 12, tzinfo=UTC) - timedelta(days=days)
    return ChangeOutline(
        id=1, sentinel="s", page=page, url="http://s.test/", found_at=at, topic=topic, seen=False
    )


class TestActivity:
    def test_changes_are_stacked_by_topic_and_day(self):
        found = [outline(0, "a"), outline(0, "b"), outline(0, "a"), outline(2, "b"), outline(9, "a")]
        drawn = activity(found, UTC_ZONE, TODAY, 7)
        assert drawn.topics == ("a", "b")
        assert [bar.counts for bar in drawn.bars][-3:] == [(0, 1), (0, 0), (2, 1)]
        assert (drawn.total, drawn.most.name, drawn.said(drawn.most)) == (4, "Mon 16 Nov", "a 2, b 1")

    def test_a_topic_that_is_written_from_right_to_left_stays_before_its_number(self):
        drawn = activity([outline(0, "أخبار"), outline(0, "a")], UTC_ZONE, TODAY, 7)
        assert drawn.said(drawn.most) in ("\u2068أخبار\u2069 1, a 1", "a 1, \u2068أخبار\u2069 1")

    def test_a_bar_stands_on_the_line_and_below_the_highest_number(self):
        drawn = activity([outline(0, "a")] * 7 + [outline(0, "b")] * 4, UTC_ZONE, TODAY, 7)
        lower, upper = drawn.bars[-1].parts
        assert lower.y + lower.height == pytest.approx(BASE - 1.5)
        assert upper.y >= TOP
        assert upper.y + upper.height < lower.y
        assert drawn.ticks[-1][0] >= 11

    def test_the_fourth_topic_and_those_without_one_share_the_last_place(self):
        found = [outline(0, topic) for topic in ("a", "a", "b", "b", "c", "c", "d", "")]
        drawn = activity(found, UTC_ZONE, TODAY, 7)
        assert drawn.topics == ("a", "b", "c", "other topics")
        assert drawn.totals == (2, 2, 2, 2)
        assert activity([outline(0)], UTC_ZONE, TODAY, 7).topics == ("no topic",)

    def test_days_are_those_of_the_reader(self):
        late = {outline(0.9).found_at: 1}
        assert per_day(late, UTC_ZONE, TODAY, 3) == [0, 1, 0]
        assert per_day(late, ZoneInfo("Pacific/Auckland"), TODAY, 3) == [0, 0, 1]

    def test_a_year_is_told_by_weeks_and_nothing_is_lost(self):
        drawn = activity([outline(day) for day in range(365)], UTC_ZONE, TODAY, 365, 7)
        assert (len(drawn.bars), drawn.total) == (53, 365)
        assert drawn.bars[-1].last == TODAY

    def test_a_failed_day_hangs_from_the_top(self):
        quiet, busy, failed = sparkline([0, 3, 0], [False, False, True])
        assert (quiet.kind, busy.kind, failed.kind) == ("z", "", "x")
        assert failed.y == 0
        assert busy.y + busy.height == 28


class TestRestless:
    def test_the_most_restless_stand_first_with_the_title_of_their_page(self):
        found = [
            replace(outline(0), sentinel=name, title=title, page=page)
            for name, title, pages, times in (
                ("calm", "Calm", [1], 3),
                ("news", "News", [2], 40),
                ("many", "One of many", [3, 4], 50),
            )
            for page in pages
            for _ in range(times // len(pages))
        ]
        assert restless_among(found, datetime(2000, 1, 1, tzinfo=UTC)) == [
            ("many", "", 50),
            ("news", "News", 40),
        ]


class TestOverview:
    def test_one_sentence_sums_up(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "a", "b")
        look(knowledge, changes=True)
        text = jill.get("/").text
        assert "2 changes today, 2 unread. 2 sentinels are watching, nothing needs you." in text
        assert "Nothing needs you now." in text

    def test_a_chart_has_its_table(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "a", topic="press")
        look(knowledge, changes=True)
        page = html.fromstring(jill.get("/?days=7").text)
        assert page.xpath("(//details[@class='table']//tbody/tr)[1]/td/text()")[1:] == ["1"]
        assert page.xpath("//g[@class='day']/title/text()")[0].endswith("1 change (press 1)")

    def test_an_active_page_says_how_often_it_changed(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "a")
        look(knowledge, changes=True)
        (number,) = html.fromstring(jill.get("/").text).cssselect(".actv .num")
        assert number.text == "1"

    def test_what_fails_is_named_with_its_reason_and_remedy(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        watching(knowledge, "good", "bad")
        look(knowledge, failing="bad", error="the server answers 403 Forbidden")
        text = jill.get("/").text
        assert "1 thing needs you" in text
        assert "Failing: The server answers 403 Forbidden. It failed 2 times in a row." in text
        answer = jill.post("/sentinels/bad", data={"action": "browser", "back": "/"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "Render browser" in knowledge.sentinels.get("jill", "bad").text

    def test_a_page_that_wants_a_log_in_leads_to_the_form_for_it(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        watching(knowledge, "club")
        refused = str(refusal(Answer(url="http://club.test/", status=401, headers=(), body=b"")))
        look(knowledge, failing="club", error=refused)
        for path in ("/", "/sentinels", "/sentinels/club"):
            shown = jill.get(path).text
            assert "it wants a log-in. It failed 2 times" in shown
            assert "webvigil login" not in shown or path == "/sentinels/club", "its log has the whole error"
            assert 'href="/add?log_in=true&amp;url=http%3A%2F%2Fclub.test%2F"' in shown
            assert "Look with a browser" not in shown
        assert "<details open><summary>It needs a log-in" in jill.get("/add?log_in=true&url=x").text

    def test_a_page_that_was_not_tried_says_why(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "a")
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        why = "the host did not answer for other pages; tried again in 3 minutes"
        not_tried = Look(why="due", decision="postponed", reason=why)
        knowledge.schedule.finish(claim, [checked(claim, due, failures=1, look=not_tried)])
        assert "The host did not answer for other pages. It failed once" in jill.get("/sentinels").text

    def test_messages_that_were_not_delivered_are_sent_again(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        watching(knowledge, "a")
        knowledge.outbox.add(
            Notice(dedup="n", user="jill", channel="email", address="j@x.test", subject="News", body={})
        )
        (item,) = knowledge.outbox.claim("w", count=1, lease=10_000)
        knowledge.outbox.give_up(item, error="the mail server refused the log-in")
        text = jill.get("/").text
        assert "1 message not delivered" in text
        assert "the mail server refused the log-in" in text
        assert jill.post("/account/notices/retry", data={"back": "/"}).headers["location"] == "/"
        assert knowledge.outbox.given_up("jill") == []

    def test_addresses_of_the_inbox_still_lead_there(self, jill: TestClient):
        answer = jill.get("/?topic=press&show=unread")
        assert answer.headers["location"] == "/inbox?topic=press&show=unread"

    def test_others_are_not_counted(self, jill: TestClient, knowledge: MemoryKnowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("his", "http://his.test/", user="jack"))
        look(knowledge, changes=True)
        assert "Nothing is watched yet" in jill.get("/").text


class TestList:
    def test_the_state_tells_the_truth(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "fine", "bad", "off")
        look(knowledge, failing="bad", error="the name cannot be resolved")
        knowledge.sentinels.enable("jill", "off", enabled=False)
        watching(knowledge, "fresh")
        page = html.fromstring(jill.get("/sentinels").text)
        rows = {row.get("id"): row for row in page.xpath("//tr[@class='row']")}
        words = {
            name: row.xpath(".//*[contains(@class, 'chip')]")[0].text_content() for name, row in rows.items()
        }
        assert words == {"bad": "Failing", "fresh": "First look now", "off": "Paused", "fine": "Watching"}
        assert next(iter(rows)) == "bad"
        assert "The name cannot be resolved" in rows["bad"].text_content()
        newest = html.fromstring(jill.get("/sentinels?order=newest").text).xpath("//tr[@class='row']/@id")
        assert newest == ["fresh", "off", "bad", "fine"]

    def test_the_busiest_stand_first(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, *(f"s{number}" for number in range(130)))
        for claim in claim_all(knowledge, pages=200, hosts=200):
            for due in claim.pages:
                watch = due.watches[0]
                many = {"s3": 3, "s40": 2, "s7": 1}.get(watch.name, 0)
                found = tuple(new_change(watch.sentinel, at, at + 1) for at in range(1, many + 1))
                knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=found)])

        def names(query: str) -> list[str]:
            page = html.fromstring(jill.get(f"/sentinels?{query}").text)
            return [str(one) for one in page.xpath("//tr[@class='row']/@id")]

        first = names("order=busiest")
        assert first[:5] == ["s3", "s40", "s7", "s129", "s128"]
        assert names("order=busiest&words=s4")[:1] == ["s40"]
        later = names(f"order=busiest&before={knowledge.sentinels.get('jill', 's41').id}")
        assert (later[0], "s40" in later, "s3" in later) == ("s39", False, False), "they were shown before"
        assert jill.get("/sentinels?order=loudest").status_code == 422

    def test_an_ended_sentinel_says_so(self):
        made = MemoryKnowledge(delay=0)
        made.users.add("jill")
        over = ALIVE.__class__(installed_at=ALIVE.installed_at, over=True, ended_at=ALIVE.installed_at)
        one = made.sentinels.add(sentinel("old", life=over))[0]
        stand = standing_of(one, UTC_ZONE, now=ALIVE.installed_at + timedelta(days=2))
        assert (stand.kind, stand.word, stand.why) == (Stand.ENDED, "Ended", "Its time ended 2 days ago.")

    def test_many_get_an_interval_a_topic_and_a_contact_at_once(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        watching(knowledge, "a", "b", "c")
        chosen = {"name": ["a", "b"]}
        for action, value in (("fetch", "6 hour"), ("topic", "press"), ("notify", "log")):
            answer = jill.post("/sentinels/many", data={"action": action, action: value, **chosen})
            assert answer.headers["location"] == f"/sentinels?did={action}&number=2"
        text = knowledge.sentinels.get("jill", "a").text
        assert ("Fetch 6 hour" in text, "Topic press" in text, "Notify By log" in text) == (True, True, True)
        assert knowledge.sentinels.get("jill", "c").topic == ""
        assert "Changed the topic of 2 sentinels." in jill.get("/sentinels?did=topic&number=2").text

    def test_what_was_done_is_said_in_words_of_ours_alone(self, jill: TestClient):
        assert "toast" not in jill.get("/sentinels?did=<b>hello&number=2").text

    def test_a_later_piece_of_the_list_comes_alone_where_a_script_asks_for_it(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        watching(knowledge, "a", "b", "c")
        later = f"/sentinels?order=newest&before={knowledge.sentinels.get('jill', 'c').id}"
        script = {"hx-request": "true"}
        rows = jill.get(later, headers=script).text
        assert "<h1" not in rows
        assert html.fromstring(rows).xpath("//tr[@class='row']/@id") == ["b", "a"]
        assert "<h1" in jill.get(later).text
        assert "<h1" in jill.get("/sentinels", headers=script).text

    def test_a_thousand_sentinels_fit(self, jill: TestClient, knowledge: MemoryKnowledge):
        knowledge.sentinels.add(
            *(sentinel(f"s{number}", f"http://h{number % 50}.test/{number}") for number in range(1000))
        )
        for path in ("/", "/sentinels"):
            answer = jill.get(path)
            assert len(answer.content) < 400_000, path
            assert int(answer.headers["content-length"]) < 100_000, path

    def test_the_newest_change_stands_in_the_row(self, jill: TestClient, knowledge: MemoryKnowledge):
        watching(knowledge, "a")
        look(knowledge, changes=True)
        change = knowledge.changes.all("jill")[0]
        assert f'href="/changes/{change.id}"' in jill.get("/sentinels").text
        assert as_millis(change.found_at)
