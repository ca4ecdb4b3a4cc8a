"""Attacks by strangers and by other users fail on every route. The routes come from the application itself.

Injection into pages, headers and redirects; other people's ids; fields that nobody may set; requests into the
private network; guesses, forged headers, and requests that are too large or too many. What other people's
pages may do in the frame is tested in tests/present/test_hostile, archives in tests/store/test_archive,
foreign files in tests/app/moving/test_imports, addresses in tests/fetch/test_safety, and the rules of each
route in test_access.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from fastapi.testclient import TestClient
from lxml import html

from tests.discover.making import profile, searched
from tests.site import Site
from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_change, new_version, notice, sentinel
from tests.web.doors import BASE, SAME_ORIGIN, browser_of, program_of, stranger
from webvigil.app.people import passwords
from webvigil.app.people.passes import Passes
from webvigil.app.people.passwords import Guesses, set_password
from webvigil.app.people.sign_in import USED_LINK_LASTS, new_api_token, new_link, new_session
from webvigil.app.settings import read_settings
from webvigil.app.telling.shares import share, shares
from webvigil.errors import NotFound, PageUnreachable
from webvigil.fetch.login import Seal
from webvigil.model.contact import KnownContact
from webvigil.store.memory import MemoryKnowledge
from webvigil.web import bodies
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application
from webvigil.web.dashboard import live
from webvigil.web.dashboard.sign_in import way
from webvigil.web.push import distribute

EVIL = "\"'><svg onload=alert(1)>{{1337*1337}}${1337*1337}\r\nX-Evil: yes"
NAME = "\"'><svg onload=alert(1)>{{1337*1337}}"
PLACES = ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)")
PASSWORD = "correct horse battery"
# The stream of events, which never ends.
STREAM = "/events"


EMPTY = tempfile.mkdtemp(prefix="webvigil-attacks-")


class NoWeb:
    """A web that answers nothing, for tests that are not about fetching."""

    async def get(self, *_: Any, **__: Any) -> Any:
        raise PageUnreachable("there is no web here")


@cache
def built(*given: tuple[str, str]) -> FastAPI:
    """Returns an application that tests share, because building one takes longer than most of them."""
    return create_application(MemoryKnowledge(), read_settings({"data": EMPTY} | dict(given), environment={}))


def made(knowledge: MemoryKnowledge, **given: str) -> FastAPI:
    """Returns an application in the state of one that has just been started, with this knowledge."""
    application = built(*given.items())
    state = application.state
    state.knowledge, state.cache, state.guesses, state.streams = knowledge, NoWeb(), Guesses(), Counter()
    state.passes, state.seal = Passes(b"key"), Seal(b"k" * 32)
    return application


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    """Returns a store in which Jill has one of everything, and each has a hostile name."""
    known = MemoryKnowledge(delay=0, clock=clock)
    known.users.add("root", role="admin")
    known.users.add("jack")
    jill = known.users.add("jill")
    known.sentinels.add(sentinel(NAME, f"http://site.test/?{EVIL.split(chr(13))[0]}", topic=NAME))
    (claim,) = claim_all(known)
    (due,) = claim.pages
    change = new_change(due.watches[0].sentinel, 1, 2, replace(notice(), subject=NAME))
    (finding,) = change.findings
    (thing,) = finding.objects
    change = replace(
        change, findings=(replace(finding, objects=(thing._replace(object=EVIL, after=EVIL),), note=EVIL),)
    )
    known.schedule.finish(
        claim, [checked(claim, due, version=new_version(number), changes=(change,)) for number in (1,)]
    )
    known.changes.note("jill", known.changes.all()[0].id, EVIL)
    new_api_token(known, jill, NAME, "read")
    known.contacts.put(KnownContact(user="jill", channel="webhook", address=f"http://x.test/{NAME}"))
    known.users.add(NAME)
    evil = profile(f"http://site.test/{EVIL.split(chr(13))[0]}", EVIL, found=EVIL, result=EVIL)
    searched(known, "jill", evil, service=EVIL, seeds=(EVIL, "javascript:alert(1)"), hints=(EVIL,))
    searched(known, "jill", evil, over=False)
    return known


@pytest.fixture
def application(knowledge: MemoryKnowledge) -> FastAPI:
    return made(knowledge)


def every_route() -> Iterator[tuple[str, str, list[str]]]:
    """Yields path, method and the names of all fields of each route."""
    for context in iter_route_contexts(made(MemoryKnowledge(delay=0)).routes):
        if isinstance(context.original_route, APIRoute):
            wanted = context.dependant
            fields = [*wanted.query_params, *wanted.body_params]
            for method in context.methods or ():
                yield context.path or "", method, [one.alias for one in fields]


ROUTES = sorted(every_route(), key=lambda one: one[:2])
EVERY = pytest.mark.parametrize(
    ("path", "method", "fields"), [one for one in ROUTES if one[0] != STREAM and one[1] != "HEAD"]
)


def things_of_jill(knowledge: MemoryKnowledge) -> dict[str, Any]:
    change = knowledge.changes.all("jill")[0]
    (search, *_) = knowledge.discoveries.all("jill")
    return {
        "discovery": search.id,
        "service": 1,
        "change": change.id,
        "name": "NAME",
        "sentinel": "NAME",
        "page": change.page,
        "number": change.page,
        "version": 1,
        "picture": "0" * 64,
        "old": 1,
        "new": 2,
        "token": knowledge.users.tokens("jill", purpose="api")[0].id,
        "notice": 1,
        "share_id": share(knowledge, change, 7)[1].id,
    }


class TestWhatIsTypedStaysText:
    @EVERY
    def test_nothing_that_is_sent_becomes_markup_a_header_or_a_place_to_go(
        self,
        application: FastAPI,
        knowledge: MemoryKnowledge,
        pytestconfig: pytest.Config,
        path: str,
        method: str,
        fields: list[str],
    ):
        """A quick run tries one of the places at each route, and each place at a quarter of the routes."""
        client = browser_of(application, knowledge, "root")
        client.headers["accept"] = "text/html"
        step = 1 if pytestconfig.getoption("--all") else len(PLACES)
        for text in (EVIL, *PLACES[ROUTES.index((path, method, fields)) % step :: step]):
            filled = re.sub(r"\{\w+\}", "1", path)
            sent = dict.fromkeys(fields, text)
            answer = client.request(method, filled, params=sent, data=sent if method != "GET" else None)
            assert answer.status_code < 500
            assert "json" in answer.headers.get("content-type", "") or "<svg onload" not in answer.text
            assert str(1337 * 1337) not in answer.text
            assert "x-evil" not in answer.headers
            assert re.match(r"/(?![/\\])|http://testserver/|$", answer.headers.get("location", ""))
            looked_at(answer.text)

    @pytest.mark.parametrize(
        "path", sorted({path for path, method, _ in ROUTES if method == "GET"} - {STREAM})
    )
    @pytest.mark.parametrize("user", ["jill", "root"])
    def test_nothing_that_is_kept_becomes_markup(
        self, application: FastAPI, knowledge: MemoryKnowledge, path: str, user: str
    ):
        client = browser_of(application, knowledge, user)
        client.headers["accept"] = "text/html"
        known = things_of_jill(knowledge) | {
            "name": "%22%27%3E%3Csvg%20onload=alert(1)%3E%7B%7B1337*1337%7D%7D"
        }
        filled = re.sub(r"\{(\w+)\}", lambda found: str(known.get(found[1], 1)), path)
        answer = client.get(filled, params={"q": "alert", "topic": ""})
        assert answer.status_code < 500
        if "json" in answer.headers.get("content-type", "") or "attachment" in str(answer.headers):
            return
        assert "<svg onload" not in answer.text
        assert str(1337 * 1337) not in answer.text
        looked_at(answer.text)

    def test_the_live_stream_carries_text(
        self, application: FastAPI, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(live, "LASTS", 0.1)
        answer = browser_of(application, knowledge, "jill").get(STREAM)
        assert "event: change" in answer.text
        assert "<svg onload" not in answer.text
        assert "\nX-Evil" not in answer.text


def looked_at(text: str) -> None:
    """Asserts that every address on a page leads to us or to the web, and that no element runs a script."""
    if "<html" not in text:
        return
    for element in html.fromstring(text).iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on"), name
            if name in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
                assert re.match(r"/(?!/)|#|https?://|$", value.strip()), value


TEXT = "Create Sentinel x Using https://a.test/"
# All fields that any of the forms asks for.
FORM = {
    "action": "remove",
    "seen": "false",
    "note": "mine now",
    "text": TEXT,
    "monitor": "all links",
    "fetch": "1 day",
    "role": "admin",
    "place": "/html/body/p",
}
JSON = {
    "/api/v1/sentinels/{name}": {"text": TEXT},
    "/api/v1/changes/{change}": {"seen": True},
    "/api/v1/sentinels/{name}/tell-again": {"place": "/html/body/p"},
    "/api/v1/sentinels/{name}/meaning": {"means": "the price went down"},
    "/api/v1/sentinels/{name}/watch-too": {"place": "/html/body/nav"},
    "/api/v1/discoveries/{discovery}/services/{service}/sentinel": {"install": True},
}
PROXY = {"trusted_proxies": "10.1.0.0/16", "user_header": "X-Forwarded-User"}


class TestOtherPeoplesThings:
    @pytest.mark.parametrize(
        ("path", "method"),
        [
            one[:2]
            for one in ROUTES
            if re.search(r"\{(change|name|sentinel|page|number|token|notice|share_id|discovery)\}", one[0])
        ],
    )
    def test_are_not_there(self, application: FastAPI, knowledge: MemoryKnowledge, path: str, method: str):
        known = things_of_jill(knowledge)
        before = self.everything(knowledge)
        name = "jill" if "/users/" in path else "%22%27%3E%3Csvg%20onload=alert(1)%3E%7B%7B1337*1337%7D%7D"
        filled = re.sub(r"\{(\w+)\}", lambda found: str(known[found[1]]).replace("NAME", name), path)
        for client in (
            browser_of(application, knowledge, "jack"),
            program_of(application, knowledge, "jack", "write"),
            program_of(application, knowledge, "root", "write"),
        ):
            more = {"json": JSON.get(path)} if path.startswith("/api/") else {"data": FORM}
            answer = client.request(method, filled, **more)
            assert answer.status_code in (403, 404) or (method == "POST" and "/notices/" in path), answer.text
        assert self.everything(knowledge) == before

    def everything(self, knowledge: MemoryKnowledge) -> list[Any]:
        return [
            knowledge.sentinels.all("jill"),
            knowledge.changes.all("jill"),
            knowledge.users.tokens("jill", purpose="api"),
            knowledge.users.get("jill"),
            knowledge.contacts.all("jill"),
            knowledge.outbox.all("jill"),
            shares(knowledge.users, "jill"),
            [
                (one, knowledge.discoveries.services("jill", one.id))
                for one in knowledge.discoveries.all("jill")
            ],
        ]

    @EVERY
    def test_nobody_becomes_somebody_else_by_saying_so(
        self, application: FastAPI, knowledge: MemoryKnowledge, path: str, method: str, fields: list[str]
    ):
        before = self.everything(knowledge)
        jack = knowledge.users.get("jack")
        wanted = {
            "role": "admin",
            "user": "jill",
            "user_id": 1,
            "owner": "jill",
            "is_admin": True,
            "scope": "admin",
        }
        client = browser_of(application, knowledge, "jack")
        filled = re.sub(r"\{\w+\}", "1", path)
        sent = dict.fromkeys(fields, "x") | wanted
        client.request(method, filled, json=sent)
        client.request(method, filled, data={key: str(value) for key, value in sent.items()})
        assert knowledge.users.get("jack") == jack
        assert self.everything(knowledge) == before
        assert all(one.scope != "admin" for one in knowledge.users.tokens("jack", purpose="api"))


class TestRequestsIntoThePrivateNetwork:
    @pytest.mark.parametrize(
        ("method", "path", "field"),
        [
            ("GET", "/add", "url"),
            ("GET", "/add/pick", "url"),
            ("POST", "/add/preview", "url"),
            ("POST", "/add", "url"),
        ],
    )
    def test_no_form_makes_us_look_there(
        self, knowledge: MemoryKnowledge, site: Site, tmp_path: Any, method: str, path: str, field: str
    ):
        application = made(knowledge, data=str(tmp_path))
        page = site.page("/secret", "<p>inside")
        ways = [page.url, page.url.replace("127.0.0.1", "localhost"), page.url.replace("127.0.0.1", "0x7f.1")]
        with browser_of(application, knowledge, "jill") as client:
            for url in ways:
                sent = {field: url, "choice": "any change", "name": "n"}
                answer = client.request(method, path, **{"params" if method == "GET" else "data": sent})
                assert "not a public address" in answer.text
        assert site.connections == 0

    @pytest.mark.parametrize("path", ["/api/v1/preview", "/api/v1/sentinels"])
    def test_no_text_does(self, knowledge: MemoryKnowledge, site: Site, tmp_path: Any, path: str):
        application = made(knowledge, data=str(tmp_path))
        page = site.page("/secret", "<p>inside")
        with browser_of(application, knowledge, "jill") as client:
            answer = client.post(path, json={"text": f"Create Sentinel n Using {page.url}"})
        assert answer.status_code in (400, 422)
        assert site.connections == 0

    @pytest.mark.parametrize(
        "address",
        ["http://10.0.0.1/", "http://127.1/", "http://[::1]/", "http://localhost/", "http://169.254.169.254/x",
         "file:///etc/passwd", "javascript:alert(1)", "gopher://x/", "", "http://", "\r\nHost: x"],
    )  # fmt: skip
    def test_no_webhook_is_told_there(self, application: FastAPI, knowledge: MemoryKnowledge, address: str):
        client = browser_of(application, knowledge, "jack")
        answer = client.post("/api/v1/contacts", json={"channel": "webhook", "address": address})
        assert answer.status_code == 400
        assert knowledge.contacts.all("jack") == []


class TestBehindAProxy:
    def entered(self, knowledge: MemoryKnowledge, peer: str, **headers: str) -> str:
        application = made(knowledge, **PROXY)
        client = TestClient(application, client=(peer, 1), follow_redirects=False)
        link = new_link(knowledge, "jill", BASE)
        return str(client.get(link, headers=headers).headers["set-cookie"])

    def test_a_session_by_https_is_for_https_only(self, knowledge: MemoryKnowledge):
        said = {"x-forwarded-proto": "https"}
        assert "Secure" in self.entered(knowledge, "10.1.0.1", **said)
        assert "Secure" not in self.entered(knowledge, "10.1.0.1")
        assert "Secure" not in self.entered(knowledge, "192.0.2.1", **said), "anybody can write that"

    def test_a_session_at_a_public_address_with_https_is_secure(self, knowledge: MemoryKnowledge):
        application = made(knowledge, public_url="https://testserver")
        client = TestClient(application, follow_redirects=False)
        assert "Secure" in client.get(new_link(knowledge, "jill", BASE)).headers["set-cookie"]

    def test_the_proxy_is_known_though_it_tells_of_the_reader(self, knowledge: MemoryKnowledge):
        client = TestClient(made(knowledge, **PROXY), client=("10.1.0.1", 1))
        headers = {"x-forwarded-user": "jill", "x-forwarded-for": "192.0.2.7"}
        assert client.get("/api/v1/me", headers=headers).json()["name"] == "jill"

    def test_a_reader_does_not_become_the_proxy_by_saying_so(self, knowledge: MemoryKnowledge):
        for peer in ("192.0.2.1", "127.0.0.1"):
            client = TestClient(made(knowledge, **PROXY), client=(peer, 1))
            headers = {"x-forwarded-user": "root", "x-forwarded-for": "10.1.0.1", "forwarded": "for=10.1.0.1"}
            assert client.get("/api/v1/me", headers=headers).status_code == 401

    @pytest.mark.parametrize("name", ["*", "x" * 101, "a\tb"])
    def test_a_proxy_brings_nobody_whose_name_cannot_be_one(self, knowledge: MemoryKnowledge, name: str):
        client = TestClient(made(knowledge, **PROXY), client=("10.1.0.1", 1))
        assert client.get("/api/v1/me", headers={"x-forwarded-user": name}).status_code == 403

    @pytest.mark.parametrize("peer", ["192.0.2.1", "10.1.0.1"])
    def test_guesses_are_counted_for_the_one_who_guesses(self, knowledge: MemoryKnowledge, peer: str):
        """Each guess comes with another forged address and another user name."""
        client = TestClient(made(knowledge, **PROXY), client=(peer, 1), headers=SAME_ORIGIN)
        answers = [
            client.post(
                "/sign-in",
                data={"name": f"user {number}", "password": "guess"},
                headers={"x-forwarded-for": f"203.0.113.{number}, 192.0.2.1"},
            ).status_code
            for number in range(7)
        ]
        assert answers == [401] * 5 + [429] * 2

    def test_requests_from_the_public_address_are_our_own(self, knowledge: MemoryKnowledge):
        """The host name that a proxy uses towards us may differ from the public one."""
        client = browser_of(made(knowledge, public_url="https://vigil.example"), knowledge, "jill")
        for origin, status in (
            ("https://vigil.example", 303),
            ("http://vigil.example", 403),
            ("https://vigil.example.evil.example", 403),
        ):
            assert client.post("/changes/seen", headers={"origin": origin}).status_code == status

    @pytest.mark.parametrize(
        ("user", "path"),
        [("root", "/users/jill/link"), ("root", "/api/v1/users/jill/link"), ("jill", "share")],
    )
    def test_links_name_the_public_address_whatever_host_was_asked(
        self, knowledge: MemoryKnowledge, user: str, path: str
    ):
        application = made(knowledge, public_url="https://vigil.example")
        change = knowledge.changes.all("jill")[0].id
        client = browser_of(application, knowledge, user)
        headers = {
            "host": "evil.example",
            "origin": "http://evil.example",
            "x-forwarded-host": "evil.example",
        }
        answer = client.post(path if path != "share" else f"/changes/{change}/share", headers=headers)
        assert "https://vigil.example/s" in answer.text
        assert "evil.example" not in answer.text


class TestSessions:
    def test_a_secret_that_was_there_before_signing_in_is_not_the_session(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        client = stranger(application)
        client.cookies.set(COOKIE, "planted", domain="testserver.local", path="/")
        answer = client.get(new_link(knowledge, "jill", BASE))
        assert "planted" not in answer.headers["set-cookie"]
        other = stranger(application)
        other.cookies.set(COOKIE, "planted")
        assert other.get("/api/v1/me").status_code == 401

    def test_a_new_password_ends_all_other_sessions_and_links(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        here, there = (browser_of(application, knowledge, "jill") for _ in range(2))
        link = new_link(knowledge, "jill", BASE)
        done = here.put("/api/v1/me/password", json={"new": PASSWORD})
        here.cookies.set(COOKIE, done.headers["set-cookie"].partition("=")[2].partition(";")[0])
        assert there.get("/api/v1/me").status_code == 401
        assert stranger(application).get(link).status_code == 401
        assert here.get("/api/v1/me").json()["name"] == "jill"

    def test_who_found_an_open_window_does_not_guess_the_password(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        set_password(knowledge.users, "jill", PASSWORD)
        client = browser_of(application, knowledge, "jill")
        said = [
            client.put("/api/v1/me/password", json={"old": f"guess {number}", "new": "another horse"}).json()
            for number in range(6)
        ]
        assert "not right" in said[0]["detail"]
        assert "too many attempts" in said[-1]["detail"]

    def test_a_link_is_over_soon_after_it_was_used(
        self, application: FastAPI, knowledge: MemoryKnowledge, clock: Clock
    ):
        link = new_link(knowledge, "jill", BASE)
        assert stranger(application).get(link).status_code == 303
        clock.passes(seconds=USED_LINK_LASTS / 1000 - 1)
        assert stranger(application).get(link).status_code == 303, "the same window, loaded again"
        clock.passes(seconds=USED_LINK_LASTS / 1000 + 1)
        assert stranger(application).get(link).status_code == 401

    def test_an_unknown_name_is_judged_as_long_as_a_known_one(
        self, application: FastAPI, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
    ):
        set_password(knowledge.users, "jill", PASSWORD)
        hashed: list[str] = []
        fits = passwords._fits
        monkeypatch.setattr(
            passwords, "_fits", lambda known, given: hashed.append(known[:40]) or fits(known, given)
        )
        for name in ("jill", "nobody", "root"):
            stranger(application).post("/sign-in", data={"name": name, "password": "guess"})
        assert len(hashed) == 3
        assert len({one.split("$")[3] for one in hashed}) == 1, "with the same effort"


class TestTheWayBack:
    def test_who_wanted_to_see_something_sees_it_after_signing_in(
        self, application: FastAPI, knowledge: MemoryKnowledge
    ):
        set_password(knowledge.users, "jill", PASSWORD)
        client = stranger(application)
        asked = client.get("/search?q=a&topic=b", headers={"accept": "text/html"})
        (form,) = [one for one in html.fromstring(asked.text).forms if one.action == "/sign-in"]
        answer = client.post(
            "/sign-in", data=dict(form.form_values()) | {"name": "jill", "password": PASSWORD}
        )
        assert answer.headers["location"] == "/search?q=a&topic=b"

    @pytest.mark.parametrize(
        "to",
        ["//evil.example", "/\\evil.example", "https://evil.example", "evil.example", "javascript:alert(1)",
         "", "/\n/evil.example", "/\t/evil.example", "\\/evil.example", " //evil.example"],
    )  # fmt: skip
    def test_no_way_leads_elsewhere(self, to: str):
        assert way(to) == "/"


class TestTooMuch:
    def pieces(self, size: int) -> Iterator[bytes]:
        for _ in range(size // 10_000):
            yield b"x" * 10_000

    @pytest.mark.parametrize("announced", [True, False])
    @pytest.mark.parametrize(
        "path", ["/sign-in", "/api/v1/check", "/import", "/add/text", "/contacts/verify"]
    )
    def test_strangers_send_little(
        self, application: FastAPI, path: str, announced: bool, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(bodies, "FROM_ANYBODY", 50_000)
        content = b"x" * 100_000 if announced else self.pieces(100_000)
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if path.startswith("/api"):
            headers = {"content-type": "application/json"}
        answer = stranger(application).post(path, content=content, headers=headers)
        assert answer.status_code in ((413,) if announced else (413, 401, 404)), "or it was not read"
        if answer.status_code == 413:
            assert "at most 50 KB" in answer.json()["detail"]

    def test_people_who_are_signed_in_send_more(
        self, application: FastAPI, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(bodies, "FROM_ANYBODY", 50_000)
        client = program_of(application, knowledge, "jill", "read")
        assert client.post("/api/v1/check", json={"text": "x" * 100_000}).status_code == 200
        monkeypatch.setattr(bodies, "FROM_THE_KNOWN", 80_000)
        assert client.post("/api/v1/check", json={"text": "x" * 100_000}).status_code == 413

    def test_what_a_hub_sends_to_an_address_that_we_never_gave_is_not_read(self, application: FastAPI):
        read: list[int] = []

        class Request:
            """A request that counts the pieces of its body that are read."""

            app = application

            async def stream(self) -> AsyncIterator[bytes]:
                for number in range(10):
                    read.append(number)
                    yield b"x"

        with pytest.raises(NotFound):
            asyncio.run(distribute(Request(), None, "unknown"))  # type: ignore[arg-type]
        assert read == []

    def test_nobody_keeps_more_than_a_few_streams_open(
        self, application: FastAPI, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(live, "LASTS", 0.0)
        client = browser_of(application, knowledge, "jill")
        assert client.get(STREAM).status_code == 200
        assert not +application.state.streams, "what has ended is not counted"
        application.state.streams["jill"] = live.MOST
        assert client.get(STREAM).status_code == 429
        assert browser_of(application, knowledge, "jack").get(STREAM).status_code == 200

    def test_whoever_was_signed_out_hears_nothing_more(
        self, application: FastAPI, knowledge: MemoryKnowledge, monkeypatch: pytest.MonkeyPatch
    ):
        """A stream ends by itself, and the browser must show its session to open another one."""
        monkeypatch.setattr(live, "LASTS", 0.0)
        client = browser_of(application, knowledge, "jill")
        assert client.get(STREAM).status_code == 200
        knowledge.users.drop_tokens("jill", purpose="session")
        assert client.get(STREAM).status_code == 401


class TestWhatIsKeptElsewhere:
    @pytest.mark.parametrize(
        "path", sorted({path for path, method, _ in ROUTES if method == "GET"} - {STREAM})
    )
    def test_nothing_private_is_kept_by_a_cache(
        self, application: FastAPI, knowledge: MemoryKnowledge, path: str
    ):
        client = browser_of(application, knowledge, "root")
        answer = client.get(re.sub(r"\{\w+\}", "1", path), headers={"accept": "text/html"})
        assert re.search("no-store|private", answer.headers["cache-control"]) or path == "/favicon.ico"

    def test_signing_out_empties_the_browser(self, application: FastAPI, knowledge: MemoryKnowledge):
        answer = browser_of(application, knowledge, "jill").post("/sign-out")
        assert answer.headers["clear-site-data"] == '"cache"'

    def test_no_secret_stands_on_the_page_of_settings(self, knowledge: MemoryKnowledge):
        given = {
            "smtp_password": "s3cret-one",
            "secret_key": "s3cret-two",
            "database": "postgresql://u:s3cret-three@h/d",
            "proxy": "http://u:s3cret-four@h:1",
        }
        answer = browser_of(made(knowledge, **given), knowledge, "root").get("/settings")
        assert "s3cret" not in answer.text

    @pytest.mark.parametrize(
        "path",
        ["/static/../application.py", "/static/%2e%2e/application.py", "/static/..%2fapplication.py",
         "/static/%2e%2e%2f%2e%2e%2fapp/settings.py", "/static//etc/passwd", "/static/..%5capplication.py",
         "/export/..%2f..%2fetc%2fpasswd", "/pages/..%2f1/versions/1", "/static/%00"],
    )  # fmt: skip
    def test_no_file_of_the_machine_is_given_away(
        self, application: FastAPI, knowledge: MemoryKnowledge, path: str
    ):
        assert browser_of(application, knowledge, "root").get(path).status_code == 404


@pytest.mark.parametrize("text", ["x" * 3_000, "é" * 3_000, "\ud800", "\x00"])
def test_a_cookie_or_token_of_any_kind_is_only_wrong(application: FastAPI, text: str):
    for header in (f"{COOKIE}={text}".encode("utf-8", "surrogatepass"), b"\xff"):
        answer = stranger(application).get("/api/v1/me", headers=[(b"cookie", header)])
        assert answer.status_code == 401


def test_a_session_of_a_user_who_is_gone_opens_nothing(application: FastAPI, knowledge: MemoryKnowledge):
    secret = new_session(knowledge, "jack")
    knowledge.users.remove("jack")
    client = stranger(application)
    client.cookies.set(COOKIE, secret)
    assert client.get("/api/v1/me").status_code == 401
