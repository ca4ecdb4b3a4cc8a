"""Sites that tell us of a change (F8): pings, WebSub, and hints of feeds and sitemaps."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from tests.app.worker.test_loop import Clock, Watching
from tests.fetch.fetching import LOOPBACK, fetch
from tests.site import Request, Site
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.pages.pushes import Subscriber, digest_of, hub_and_topic, new_ping
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.hints import spoken_of
from webvigil.app.worker.news import News
from webvigil.document import read
from webvigil.fetch.client import Client
from webvigil.fetch.login import Seal
from webvigil.model.push import Push
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

SEAL = Seal(b"key")
NAMESPACE = "http://www.w3.org/2005/Atom"
ATOM_LINKS = '<atom:link rel="hub" href="/h"/><atom:link rel="self" href="/s"/>'


class Watched:
    """One page that was looked at a moment ago and is due in an hour."""

    def __init__(self, settings: Settings, url: str = "http://site.test/") -> None:
        self.clock = Clock()
        self.knowledge: Knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        (installed,) = self.knowledge.sentinels.add(sentinel("s1", url, interval=3_600_000))
        self.page = installed.pages[0].id
        (claim,) = claim_all(self.knowledge)
        due = claim.now + 3_600_000
        self.knowledge.schedule.finish(
            claim, [checked(claim, claim.pages[0], version=new_version(1), due=due)]
        )
        application = create_application(self.knowledge, settings)
        application.state.seal = SEAL
        self.client = TestClient(application)

    def wishes(self) -> list[str]:
        return [page.wish for claim in claim_all(self.knowledge) for page in claim.pages]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(read_settings({"data": str(tmp_path)}, environment={}))


class TestPing:
    def test_who_knows_the_address_makes_us_look(self, watched: Watched):
        secret = new_ping(watched.knowledge.pushes, watched.page)
        assert watched.client.post(f"/push/{secret}").status_code == 202
        assert watched.wishes() == ["the site pinged"]

    @pytest.mark.parametrize("secret", ["x", "x" * 150, "%00", "..%2f.."])
    def test_who_does_not_know_it_does_not(self, watched: Watched, secret: str):
        new_ping(watched.knowledge.pushes, watched.page)
        assert watched.client.post(f"/push/{secret}").status_code == 404
        assert watched.wishes() == []

    def test_looking_at_the_address_does_nothing(self, watched: Watched):
        secret = new_ping(watched.knowledge.pushes, watched.page)
        assert watched.client.get(f"/push/{secret}").status_code == 405
        assert watched.wishes() == []

    def test_the_secret_is_not_kept(self, watched: Watched):
        secret = new_ping(watched.knowledge.pushes, watched.page)
        assert [one.digest for one in watched.knowledge.pushes.all()] == [digest_of(secret)]
        assert secret not in repr(watched.knowledge.pushes.all())

    def test_a_closed_address_is_gone(self, watched: Watched):
        secret = new_ping(watched.knowledge.pushes, watched.page)
        watched.knowledge.pushes.remove(digest_of(secret))
        assert watched.client.post(f"/push/{secret}").status_code == 404


class TestWebSub:
    """The hub is a real page of the loopback site; what it posts back goes through the real application."""

    @pytest.fixture
    def hub(self, site: Site) -> Any:
        return site.page("/hub", "accepted").allows("POST")

    def subscribe(self, watched: Watched, answer: Answer) -> None:
        async def once() -> None:
            async with Client(user_agent="test", allowed=LOOPBACK) as client:
                subscriber = Subscriber(watched.knowledge, client, SEAL, "https://vigil.test/")
                await subscriber.noticed(watched.page, answer)

        asyncio.run(once())

    def asked(self, hub: Any) -> dict[str, str]:
        request: Request = hub.requests[-1]
        return request.fields

    def feed(self, hub: Any) -> Answer:
        links = f'<{hub.url}>; rel="hub", <http://site.test/feed>; rel=self'
        return Answer(url="http://site.test/f", status=200, headers=(("Link", links),), body=b"<p>one")

    def test_from_the_hub_to_the_look(self, watched: Watched, hub: Any):
        self.subscribe(watched, self.feed(hub))
        asked = self.asked(hub)
        assert (asked["hub.mode"], asked["hub.topic"]) == ("subscribe", "http://site.test/feed")
        assert asked["hub.callback"].startswith("https://vigil.test/websub/")
        callback = urlsplit(asked["hub.callback"]).path

        content = b"<feed>news</feed>"
        signature = hmac.new(asked["hub.secret"].encode(), content, hashlib.sha256).hexdigest()
        signed = {"X-Hub-Signature": f"sha256={signature}"}
        assert watched.client.post(callback, content=content, headers=signed).status_code == 202
        assert watched.wishes() == [], "nobody has confirmed the subscription yet"

        question = {"hub.mode": "subscribe", "hub.topic": asked["hub.topic"], "hub.challenge": "c7"}
        answer = watched.client.get(callback, params={**question, "hub.lease_seconds": "86400"})
        assert (answer.status_code, answer.text) == (200, "c7")

        for wrong in ({}, {"X-Hub-Signature": "sha256=00"}, {"X-Hub-Signature": f"md5={signature}"}):
            assert watched.client.post(callback, content=content, headers=wrong).status_code == 202
        assert watched.client.post(callback, content=b"other", headers=signed).status_code == 202
        assert watched.wishes() == [], "what is not signed as agreed counts for nothing"

        watched.client.post(callback, content=content, headers=signed)
        assert watched.wishes() == ["told by WebSub"]

    def test_one_subscription_is_enough(self, watched: Watched, hub: Any):
        for _ in range(3):
            self.subscribe(watched, self.feed(hub))
        assert hub.hits == 1

    @pytest.mark.parametrize(
        "said", [{"hub.mode": "unsubscribe"}, {"hub.topic": "http://evil.test/"}, {"hub.mode": "x"}]
    )
    def test_what_we_did_not_ask_for_is_denied(self, watched: Watched, hub: Any, said: dict[str, str]):
        self.subscribe(watched, self.feed(hub))
        callback = urlsplit(self.asked(hub)["hub.callback"]).path
        question = {"hub.mode": "subscribe", "hub.topic": "http://site.test/feed", "hub.challenge": "c"}
        assert watched.client.get(callback, params=question | said).status_code == 404
        assert watched.client.get("/websub/nobody", params=question).status_code == 404
        assert watched.client.post("/websub/nobody", content=b"x").status_code == 404

    def test_a_hub_that_says_no_is_not_asked_again(self, watched: Watched, hub: Any):
        hub.answers(403)
        self.subscribe(watched, self.feed(hub))
        self.subscribe(watched, self.feed(hub))
        assert hub.hits == 1
        assert [one.state for one in watched.knowledge.pushes.all()] == ["refused"]

    def test_it_is_renewed_before_it_ends_and_when_nobody_answered(self, watched: Watched, hub: Any):
        self.subscribe(watched, self.feed(hub))
        (one,) = watched.knowledge.pushes.all()

        def renew(push: Push) -> int:
            before = hub.hits
            watched.knowledge.pushes.put(push)

            async def once() -> None:
                async with Client(user_agent="test", allowed=LOOPBACK) as client:
                    await Subscriber(watched.knowledge, client, SEAL, "https://vigil.test").renew()

            asyncio.run(once())
            return int(hub.hits) - before

        now = watched.knowledge.schedule.now()
        assert renew(one) == 0
        assert renew(replace(one, state="active", until=now + 86_400_000)) == 0
        assert renew(replace(one, state="active", until=now + 60_000)) == 1
        assert renew(replace(one, until=now - 1)) == 1
        assert len({fields.fields["hub.callback"] for fields in hub.requests}) == 1

    @pytest.mark.parametrize(
        ("body", "content_type"),
        [
            ('<link rel="hub" href="/h"><link rel=self href="/s">', "text/html"),
            (
                f'<feed xmlns="{NAMESPACE}"><link rel="hub" href="/h"/><link rel="self" href="/s"/></feed>',
                "text/xml",
            ),
            (f'<rss xmlns:atom="{NAMESPACE}"><channel>{ATOM_LINKS}</channel></rss>', "application/rss+xml"),
        ],
    )
    def test_the_hub_is_found_in_the_page(self, site: Site, body: str, content_type: str):
        answer = fetch(site.page("/a", body).content_type(content_type)).answer
        assert answer is not None
        assert hub_and_topic(answer) == (f"{site.url}/h", f"{site.url}/s")

    @pytest.mark.parametrize(
        "link", ["", "<>; rel=hub", "<javascript:x>; rel=hub", "rel=hub", "<x>; rel=next"]
    )
    def test_no_hub_is_no_hub(self, link: str):
        answer = Answer(url="http://a/", status=200, headers=(("Link", link),), body=b"")
        assert hub_and_topic(answer) in (None, ("http://a/", "http://a/"))


SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>http://a.test/1</loc><lastmod>{}</lastmod></url><url><loc>http://a.test/2</loc></url></urlset>"
)
RSS = "<rss><channel><link>http://a.test/</link>{}</channel></rss>"
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>'


class TestHints:
    def spoken(self, old: str, new: str, content_type: str = "application/xml") -> list[str]:
        return spoken_of(*(read(text.encode(), content_type, "http://a.test/f") for text in (old, new)))

    def test_a_new_date_in_a_sitemap(self):
        assert self.spoken(SITEMAP.format("2026-01-01"), SITEMAP.format("2026-01-02")) == ["http://a.test/1"]

    def test_a_new_item_in_a_feed(self):
        old = "<item><title>x</title><link>/1</link></item>"
        assert self.spoken(RSS.format(old), RSS.format(f"<item><link>/2</link></item>{old}")) == [
            "http://a.test/2"
        ]

    def test_an_updated_entry_in_a_feed(self):
        entry = '<entry><link rel="edit" href="/e"/><link href="/1"/><updated>{}</updated></entry>'
        old, new = (ATOM.format(entry.format(day)) for day in (1, 2))
        assert self.spoken(old, new) == ["http://a.test/1"]

    def test_nothing_new(self):
        assert self.spoken(SITEMAP, SITEMAP) == []
        assert self.spoken("<p>one", "<p>two", "text/html") == []
        assert spoken_of(None, read(SITEMAP.encode(), "application/xml", "http://a.test/f")) == []

    def test_a_watched_page_is_looked_at_when_a_watched_sitemap_speaks_of_it(self, site: Site):
        page = site.page("/1", "<p>one")
        text = f"<urlset><url><loc>{page.url}</loc><lastmod>{{}}</lastmod></url></urlset>"
        sitemap = site.page("/sitemap.xml", text.format(1)).content_type("application/xml")
        watching = Watching(page, sitemap)
        watching.until(lambda: watching.decisions() == ["new version"] * 2)
        page.becomes("<p>two")
        sitemap.becomes(text.format(2))
        sitemap_id = watching.page_id
        watching.knowledge.schedule.ask(sitemap_id)
        watching.until(lambda: watching.decisions().count("new version") == 4, news=_news)
        first = watching.knowledge.sentinels.all()[-1].pages[0].id
        assert watching.knowledge.journal.fetch_log(first)[0]["why"] == f"a hint of {site.host}"


def _news(knowledge: Knowledge, client: Client) -> News:
    return News(knowledge, client, SEAL, "")
