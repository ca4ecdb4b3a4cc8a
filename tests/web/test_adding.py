"""From an address to a sentinel (U1): nothing that was said is lost; the page is seen as by the sentinel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import ClassVar

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.browser import needs_chromium
from tests.site import Site
from tests.web.doors import browser_of, program_of
from tests.web.test_pick import MARKET, numbered
from webvigil.app.people.passes import Passes
from webvigil.app.people.sign_in import new_session
from webvigil.app.settings import read_settings
from webvigil.errors import PageRefused
from webvigil.language import parse
from webvigil.model.contact import KnownContact
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application

BUILT = (
    "<title>Shop</title><p id=empty></p><script>document.getElementById('empty').innerHTML = "
    "'Built by a script, 12.50 €. <a href=/next>On</a>'</script>"
)


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0"}
    made = create_application(knowledge, read_settings(given, environment={}))
    made.state.passes, made.state.shown_port = Passes(b"k" * 32), 4
    return made


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "jill") as client:
        yield client


def form_of(text: str) -> dict[str, str]:
    """Returns what a browser would send back: hidden and text fields, chosen radio buttons and options."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", text):
        said = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        chosen = said.get("type") != "radio" or tag.endswith(" checked>")
        if "name" in said and chosen and said.get("type") != "checkbox":
            found[said["name"]] = said.get("value", "")
    for name, inside in re.findall(r'<select name="(\w+)">(.*?)</select>', text, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]*)" selected', inside)
        found[name] = chosen[0] if chosen else ""
    return found


def texts(knowledge: MemoryKnowledge) -> dict[str, str]:
    return {one.name: one.text for one in knowledge.sentinels.all("jill")}


class TestARequest:
    SAID: ClassVar = {
        "method": "POST",
        "ask_headers": "Accept: application/json\nX-Key: Key {token}\n",
        "kind": "json",
        "body": '{"q": "lamp"}',
    }

    def test_what_is_asked_for_is_shown_and_watched(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site
    ):
        page = site.page("/api", '{"found": ["lamp 12.50"]}').content_type("application/json").allows("POST")
        data = self.SAID | {"url": page.url, "secrets": "token=s3cret"}
        answer = jill.post("/add/look", data=data)
        assert answer.status_code == 303, answer.text
        view = jill.get(answer.headers["location"]).text
        assert "s3cret" not in view
        assert "Asked for by" in view
        said = form_of(view) | {"name": "lamps", "choice": "any change\r\n"}
        assert "lamp 12.50" in jill.post("/add/preview", data=said).text
        assert jill.post("/add", data=said).headers["location"] == "/sentinels/lamps"
        assert texts(knowledge)["lamps"].startswith(
            f'Create Sentinel lamps Using request POST {page.url} header Accept "application/json" '
            """header X-Key "Key " secret token json '{"q": "lamp"}'"""
        )
        for request in page.requests:
            assert (request.method, request.body) == ("POST", b'{"q": "lamp"}')
            assert request.headers["X-Key"] == "Key s3cret"
        assert "POST with a JSON body and 2 headers" in jill.get("/sentinels/lamps").text

    @pytest.mark.parametrize(
        ("change", "trouble"),
        [
            ({"body": "{"}, "the body is no JSON"),
            ({"method": "GET"}, "GET sends no body"),
            ({"method": "DELETE"}, "DELETE would remove something"),
            ({"ask_headers": "Host: x"}, "the header Host is made for each request"),
            ({"ask_headers": "what"}, "is no header; write Name: value"),
            ({"kind": "form", "body": "a"}, "is no field; write name=value"),
            ({"way": "pick"}, "A request is sent without a browser: choose Look at it"),
        ],
    )
    def test_what_cannot_be_sent_is_said_and_kept(
        self, jill: TestClient, change: dict[str, str], trouble: str
    ):
        answer = jill.post("/add/look", data=self.SAID | {"url": "https://a.example/"} | change)
        assert answer.status_code == 400
        assert trouble in unescape(answer.text)
        assert escape((self.SAID | change)["body"]) in answer.text.replace("&#34;", "&quot;")


class TestATakenName:
    def test_everything_is_kept_and_a_free_name_is_said(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site
    ):
        page = site.page("/m", MARKET.format(3))
        said = {
            "url": page.url,
            "choice": "table: {1}\r\n",
            "name": "market",
            "fetch": "6 hour",
            "topic": "food",
            "notify": "log Every 1 day",
        }
        assert jill.post("/add", data=said).headers["location"] == "/sentinels/market"
        assert "Notify By log Every 1 day" in texts(knowledge)["market"]
        answer = jill.post("/add", data=said)
        assert answer.status_code == 400
        assert "You have a sentinel “market” already. “market-2” is free" in unescape(answer.text)
        kept = form_of(answer.text)
        assert (kept["choice"], kept["fetch"], kept["topic"]) == ("table: {1}\n", "6 hour", "food")
        assert (kept["name"], kept["url"], kept["notify"]) == ("market-2", page.url, "log Every 1 day")
        assert jill.post("/add", data=kept).headers["location"] == "/sentinels/market-2"
        one, other = (text.replace("market-2", "market") for text in texts(knowledge).values())
        assert one == other, "the second is what the first was"

    @pytest.mark.parametrize(("words", "edited"), [("tea", ""), ("every day", "every day but")])
    def test_a_pick_is_kept_with_its_view(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site, words: str, edited: str
    ):
        page = site.page("/m", MARKET.format(3))
        view = jill.get("/add/pick", params={"url": page.url}).text
        frame = re.findall(r'src="(http[^"]+/pick/[^"]+)"', view)
        token = form_of(view)["token"]
        panel = jill.post("/add/pick/node", data={"token": token, "node": numbered(words)}).text
        said = form_of(view) | form_of(panel) | ({"phrase": edited} if edited else {}) | {"topic": "food"}
        said["name"] = "market"
        assert jill.post("/add", data=said).status_code == 303
        page.becomes("<p>meanwhile another page")
        answer = jill.post("/add", data=said)
        assert answer.status_code == 400
        assert re.findall(r'src="(http[^"]+/pick/[^"]+)"', answer.text) == frame, "the same view"
        kept = form_of(answer.text)
        assert kept == said | {"name": "market-2", "choice": said["choice"].replace("\r", "")}
        if edited:
            assert 'data-phrase="every day but"' in answer.text
            assert re.search(r'data-after="Monday', answer.text), "the words around the edited ones"
        assert jill.post("/add", data=kept).headers["location"] == "/sentinels/market-2"
        one, other = (text.replace("market-2", "market") for text in texts(knowledge).values())
        assert one == other

    def test_a_pick_whose_view_is_over_stands_as_an_expression(
        self, jill: TestClient, application: FastAPI, site: Site
    ):
        page = site.page("/m", MARKET.format(3))
        token = form_of(jill.get("/add/pick", params={"url": page.url}).text)["token"]
        said = {"url": page.url, "choice": 'value css "b"\r\nmain', "name": "x", "token": token, "node": "1"}
        jill.post("/add", data=said)
        application.state.passes = Passes(b"another key")
        kept = form_of(jill.post("/add", data=said).text)
        assert (kept["choice"], kept["own"], kept["within"], kept["name"]) == (
            "own",
            'value css "b"',
            "main",
            "x-2",
        )
        assert jill.post("/add", data=kept).status_code == 303

    def test_a_page_that_does_not_come_loses_nothing(self, jill: TestClient, site: Site):
        page = site.page("/m", MARKET.format(3))
        said = {"url": page.url, "choice": "own", "own": "keywords: {tea", "name": "x", "topic": "food"}
        page.answers(500)
        answer = jill.post("/add", data=said)
        assert answer.status_code == 400
        kept = form_of(answer.text)
        assert (kept["own"], kept["name"], kept["topic"]) == ("keywords: {tea", "x", "food")

    def test_hostile_words_stay_words(self, jill: TestClient, site: Site):
        page = site.page("/m", MARKET.format(3))
        evil = '"><script>alert(1)</script>'
        said = dict.fromkeys(("choice", "own", "phrase", "within", "name", "topic"), evil)
        answer = jill.post("/add", data=said | {"url": page.url})
        assert answer.status_code == 400
        assert "<script>alert" not in answer.text


class TestLogIns:
    """F7: pages are looked at, picked from and previewed by the user's log-in."""

    def test_a_page_behind_a_log_in_is_added_in_one_go(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site
    ):
        page = site.page("/mine/m", MARKET.format(3)).requires_cookie("session", "s3cret")
        assert jill.get("/add", params={"url": page.url}).status_code == 400
        data = {"url": page.url, "cookies": "other=1; session=s3cret", "way": "look"}
        answer = jill.post("/add/look", data=data)
        assert (answer.status_code, "s3cret" in answer.headers["location"]) == (303, False)
        seen = jill.get(answer.headers["location"]).text
        assert "Table “Market”" in seen
        assert f"Seen by your log-in for {site.url}/mine/" in seen
        previewed = jill.post("/add/preview", data=form_of(seen) | {"choice": "table: {1}\n"}).text
        assert "tea" in previewed
        picking = jill.get("/add/pick", params={"url": page.url}).text
        token = form_of(picking)["token"]
        assert (
            "Table “Market”"
            in jill.post("/add/pick/node", data={"token": token, "node": numbered("tea")}).text
        )
        assert jill.post("/add", data=form_of(seen) | {"name": "mine"}).status_code == 303
        (watched,) = knowledge.sentinels.get("jill", "mine").pages
        assert knowledge.versions.page(watched.id).login, "the sentinel sees it so, too"
        jill.cookies.clear()
        jill.cookies.set(COOKIE, new_session(knowledge, "jack"))
        assert jill.get("/add", params={"url": page.url}).status_code == 400, "nobody else does"

    def test_headers_count_and_the_picker_is_reached(self, jill: TestClient, site: Site):
        page = site.page("/mine/m", MARKET.format(3)).requires_login("me", "pw")
        data = {"url": page.url, "headers": "Authorization: Basic bWU6cHc=", "way": "pick"}
        place = jill.post("/add/look", data=data).headers["location"]
        assert place.startswith("/add/pick?url=")
        assert 'id="pick"' in jill.get(place).text

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            ({"cookies": "no cookie"}, "write NAME=VALUE"),
            ({"headers": "Host: x"}, "not for you to set"),
            ({"url": "http://a.test/ http://b.test/", "cookies": "a=1"}, "one page at a time"),
            ({"url": "javascript:alert(1)"}, "is not a web address"),
        ],
    )
    def test_what_cannot_be_sent_is_told_and_kept(self, jill: TestClient, data: dict[str, str], told: str):
        answer = jill.post("/add/look", data={"url": "http://a.test/"} | data)
        assert answer.status_code == 400
        assert told in unescape(answer.text)
        assert data.get("cookies", "") in answer.text

    def test_a_log_in_is_listed_and_forgotten(self, jill: TestClient, knowledge: MemoryKnowledge):
        jill.post("/add/look", data={"url": "http://a.test/x/y", "cookies": "a=s3cret"})
        shown = jill.get("/account").text
        assert "<h3>http://a.test/x/</h3>" in shown
        assert "s3cret" not in shown
        data = {"url": "http://a.test/x/"}
        assert jill.post("/account/logins/forget", data=data).status_code == 303
        assert knowledge.logins.all("jill") == []
        assert jill.post("/account/logins/forget", data=data).status_code == 404

    def test_programs_keep_log_ins_too(
        self, application: FastAPI, knowledge: MemoryKnowledge, jill: TestClient
    ):
        """The API keeps and lists log-ins (U2)."""
        program = program_of(application, knowledge, "jill", "write")
        body = {"url": "http://a.test/x/", "cookies": ["a=1"], "headers": ["X-Key: 2"]}
        assert program.put("/api/v1/logins", json=body).status_code == 204
        assert program.get("/api/v1/logins").json() == [{"url": "http://a.test/x/", "secrets": []}]
        assert program_of(application, knowledge, "jack", "read").get("/api/v1/logins").json() == []
        assert program.put("/api/v1/logins", json={"url": "http://a.test/"}).status_code == 400
        assert program.delete("/api/v1/logins", params={"url": "http://a.test/x/"}).status_code == 204
        assert jill.get("/api/v1/logins").json() == []


class TestAPageThatAsksForALogIn:
    def test_it_is_recognised_and_the_way_offered(self, jill: TestClient, site: Site):
        form = '<form method="post"><input name="user"><input type="password" name="word"></form>'
        page = site.page("/members", f"<title>Members</title><h1>Sign in</h1>{form}")
        shown = jill.get("/add", params={"url": page.url}).text
        assert "It asks for a log-in" in shown
        assert "No log-in needed" not in shown
        assert "log_in=true" in shown

    def test_a_page_with_a_log_in_box_beside_its_text_is_none(self, jill: TestClient, site: Site):
        box = '<form method="post"><input type="password" name="word"></form>'
        page = site.page(
            "/news", f"<title>News</title>{box}<main>{'<p>A long story of the town.</p>' * 60}</main>"
        )
        assert "No log-in needed" in jill.get("/add", params={"url": page.url}).text


class TestRendering:
    """F6: what a script builds is seen where a browser is chosen."""

    @needs_chromium
    def test_the_page_is_rendered_wherever_it_is_shown(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site
    ):
        page = site.page("/built", BUILT)
        assert "Built by a script" not in jill.get("/add", params={"url": page.url}).text
        place = jill.post("/add/look", data={"url": page.url, "render": "browser"}).headers["location"]
        seen = jill.get(place).text
        assert "Built by a script" in seen
        assert "Rendered in a browser" in seen
        form = form_of(seen)
        assert form["render"] == "browser"
        assert "12.50" in jill.post("/add/preview", data=form | {"choice": "own", "own": "all words"}).text
        pick = form_of(jill.get("/add/pick", params={"url": page.url, "render": "browser"}).text)
        assert pick["render"] == "browser"
        panels = [
            jill.post("/add/pick/node", data={"token": pick["token"], "node": n}).text for n in range(20)
        ]
        assert any("Built by" in one for one in panels)
        ways = [jill.post("/add/pick/follow", data={"token": pick["token"], "node": n}) for n in range(20)]
        (way,) = {one.headers["HX-Redirect"] for one in ways if "HX-Redirect" in one.headers}
        assert way.endswith("%2Fnext&render=browser"), "links are followed in the same way"
        assert jill.post("/add", data=form | {"name": "built"}).status_code == 303
        assert parse(texts(knowledge)["built"])[0].render == "browser"

    def test_where_there_is_no_browser_that_is_said(self, jill: TestClient, application: FastAPI, site: Site):
        application.state.cache._browser = None
        page = site.page("/built", BUILT)
        answer = jill.get("/add", params={"url": page.url, "render": "browser"})
        assert answer.status_code == 400
        assert str(PageRefused("pages are not rendered in a browser here")) in answer.text
        assert 'value="browser" checked' in answer.text, "what was chosen is still chosen"


def test_a_preview_is_made_also_where_something_bears_its_name(jill: TestClient, site: Site):
    page = site.page("/m", MARKET.format(3))
    jill.post("/add", data={"url": page.url, "choice": "any change\n", "name": "preview"})
    assert "tea" in jill.post("/add/preview", data={"url": page.url, "choice": "table: {1}\n"}).text


class TestBeingTold:
    def test_known_contacts_are_offered_where_a_sentinel_is_added(
        self, jill: TestClient, knowledge: MemoryKnowledge, site: Site
    ):
        hook = KnownContact(user="jill", channel="webhook", address="https://example.org/hook")
        knowledge.contacts.put(hook)
        page = site.page("/m", MARKET.format(3))
        for place in ("/add", "/add/pick"):
            text = jill.get(place, params={"url": page.url}).text
            assert '<option value="webhook https://example.org/hook">at once</option>' in text
            assert '<option value="webhook https://example.org/hook Every 1 day">' in text

    @pytest.mark.parametrize(
        ("notify", "told"),
        [
            ("email jill@example.org", "the operator has named no mail server (the setting smtp_host)"),
            ("pigeon", "nobody can be reached by 'pigeon'"),
            ("email jill", "Notify By email jill: expected"),
        ],
    )
    def test_what_cannot_be_is_told_and_kept(self, jill: TestClient, site: Site, notify: str, told: str):
        page = site.page("/m", MARKET.format(3))
        said = {"url": page.url, "choice": "all links\n", "name": "m", "notify": notify}
        answer = jill.post("/add", data=said)
        assert answer.status_code == 400
        assert told in unescape(answer.text)
        assert form_of(answer.text)["notify"] == notify


def test_a_page_that_wants_a_log_in_opens_the_form_for_it(jill: TestClient, site: Site):
    page = site.page("/club", "members").requires_header("Cookie", "session=1", status=401)
    refused = jill.get("/add", params={"url": page.url})
    assert refused.status_code == 400
    assert "it wants a log-in. Give it below" in refused.text
    assert "<details open><summary>It needs a log-in" in refused.text
    missing = jill.get("/add", params={"url": f"{page.url}/nowhere"})
    assert "<details><summary>It needs a log-in" in missing.text
