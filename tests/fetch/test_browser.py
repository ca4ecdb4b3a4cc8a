"""Tests of pages that are rendered in a real Chromium, which reaches no more of the network than we do (F6).

Each visit is also separate from all others.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser import needs_chromium
from tests.fetch.fetching import LOOPBACK, as_page
from tests.site import Site
from tests.site.certificates import Authority
from webvigil.errors import HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch import browser, tab
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.client import Limits
from webvigil.fetch.frames import whole
from webvigil.fetch.http import Fetched
from webvigil.fetch.login import Login
from webvigil.model.page import Page

pytestmark = needs_chromium

T = TypeVar("T")
ONE = (ipaddress.ip_network("127.0.0.1"),)
SCRIPT = "<body><p id=a>loading</p><script>document.getElementById('a').textContent='it is '+(40+2)</script>"


class Browsers:
    """Browsers that stay open for all tests of this file, one for each way to start them."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._open: dict[str, BrowserFetcher] = {}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(90)

    async def browser(self, options: dict[str, Any]) -> BrowserFetcher:
        key = repr(sorted(options.items()))
        if key not in self._open:
            usual: dict[str, Any] = {"allowed": LOOPBACK, "limits": Limits(timeout=30)}
            self._open[key] = await BrowserFetcher(**(usual | options)).__aenter__()
        return self._open[key]

    async def close(self) -> None:
        for one in self._open.values():
            await one.__aexit__(None, None, None)

    def stop(self) -> None:
        self.run(self.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.stop()


Render = Callable[..., Fetched]


@pytest.fixture
def render(browsers: Browsers) -> Render:
    async def once(page: Any, login: Login | None, wait_for: tuple[str, ...], options: Any) -> Fetched:
        return await (await browsers.browser(options)).fetch(as_page(page), login, wait_for)

    def rendered(page: Any, *, login: Login | None = None, wait_for: Any = (), **options: Any) -> Fetched:
        return browsers.run(once(page, login, wait_for, options))

    return rendered


def nowhere(_: str) -> list[str]:
    return ["127.0.0.2"]


def shown(fetched: Fetched) -> str:
    assert fetched.answer is not None
    return whole(fetched.answer).visible_text


def test_what_a_script_writes_is_seen_and_pictured(site: Site, render: Render):
    seen = render(site.page("/a", SCRIPT))
    assert shown(seen) == "it is 42"
    assert seen.picture.startswith(b"\x89PNG")
    assert seen.answer.url == f"{site.url}/a"
    assert seen.reason == "rendered in a browser"


def test_a_part_that_comes_late_is_waited_for(site: Site, render: Render):
    write = "document.body.insertAdjacentHTML('beforeend', '<p class=x>late')"
    stream = site.page("/stream", "").hangs()  # so that the page never stops loading
    page = site.page("/a", f"<body><p>early<script>fetch('/stream');setTimeout(() => {write}, 1500)</script>")
    assert shown(render(page, wait_for=("p.x",))) == "early\nlate"
    stream.answers_normally()


def test_a_part_that_never_comes_is_named(site: Site, render: Render, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(browser, "_SELECTOR_SECONDS", 0.5)
    seen = render(site.page("/a", "<p>early"), wait_for=("p.x", "#y"))
    assert (shown(seen), seen.reason) == ("early", "rendered in a browser; waited in vain for p.x, #y")


def test_frames_forms_cookies_and_redirects(site: Site, render: Render):
    site.page("/frame", "<body><script>document.write('<p>framed')</script>")
    target = site.page("/b", '<p>one<iframe src="/frame"></iframe>').requires_cookie("id", "7")
    page = site.page("/a").redirects_to(target)
    seen = render(page, login=Login(url=f"{site.url}/", cookies=(("id", "7"),)))
    assert shown(seen).split() == ["one", "framed"]
    assert seen.answer.url == target.url
    site.form("/search", ["q"], method="POST", answer=lambda fields: f"<p>found {fields['q']}")
    form = Page(url=f"{site.url}/search/answer", method="POST", fields=(("q", "ä&b"),))
    assert shown(render(form)) == "found ä&b"


def test_a_form_that_a_script_sends_is_filled_in(site: Site, render: Render):
    form = """<form onsubmit="event.preventDefault(); show(this.elements)"><input id=word><select name=in>
        <option value=a>A<option value=b>B</select><button>Go</button></form><p id=out></p>
        <script>const out = document.getElementById('out');
        const show = all => out.textContent = all.word.value + all.in.value</script>"""
    page = site.page("/a", form)
    fields = (("#word", "tide"), ("in", "b"))
    assert "tideb" in shown(render(Page(url=page.url, method="FILL", fields=fields, render="browser")))
    with pytest.raises(PageRefused, match="no form of the page has the fields #other"):
        render(Page(url=page.url, method="FILL", fields=(("#other", "x"),), render="browser"))


_BUTTONS = {
    "clear": "<button onclick=\"this.form.word.value = ''; return pressed(this)\">Clear</button>{}",
    "login": '<button onclick="return pressed(this)" formaction="/login">Log in</button>{}',
    "hidden": '<button onclick="return pressed(this)" style="display: none">Search</button>{}',
    "cross": '<button onclick="return pressed(this)" aria-label="Clear">&times;</button>{}',
    "picture": '<button onclick="return pressed(this)">Swap</button><input type=image alt=Suche '
    'onclick="return pressed(this)" id=right><button onclick="return pressed(this)">Menu</button>',
    "script": '<button onclick="return pressed(this)">Sign in</button><button type=button id=right '
    'onclick="pressed(this)">Search</button>',
    "late": '<button onclick="return pressed(this)">Clear</button><button disabled id=right '
    'onclick="return pressed(this)">Search</button><script>const [word] = document.getElementsByName("word");'
    'word.oninput = () => document.getElementById("right").disabled = !word.value</script>',
    "elsewhere": '<button onclick="return pressed(this)">Cancel</button></form><button form=f id=right '
    'onclick="return pressed(this)">Go</button><form>',
}
_RIGHT = '<button onclick="return pressed(this)" id=right>Go</button>'


@pytest.mark.parametrize("name", _BUTTONS)
def test_the_button_is_pressed_that_sends_the_question(name: str, site: Site, render: Render):
    pressing = """<p id=out></p><script>const pressed = one => {
        document.getElementById('out').textContent += one.id + one.form.word.value; return false }</script>"""
    form = f"{pressing}<form id=f><input name=word>{_BUTTONS[name].format(_RIGHT)}</form>"
    page = site.page("/a", form)
    sent = Page(url=page.url, method="FILL", fields=(("word", "tide"),), render="browser")
    assert "righttide" in shown(render(sent))


def test_the_button_is_pressed_that_the_fields_name(site: Site, render: Render):
    site.page(
        "/a",
        """<form action=/b><input name=word><button name=how value=search>Search</button>
        <button name=how value=list>List all</button>
        <button id=map name=where value=map>Map</button></form>""",
    )
    site.page("/b", lambda request: f"<p>{request.target}")
    for field in (("how", "list"), ("how", "List all"), ("#map", "")):
        fields = (("word", "tide"), field)
        seen = shown(render(Page(url=f"{site.url}/a", method="FILL", fields=fields, render="browser")))
        assert seen == f"/b?word=tide&{'where=map' if field[0] == '#map' else 'how=list'}"


def test_a_form_in_parts_is_sent_in_parts(site: Site, render: Render):
    page = site.page("/a", lambda request: f"<p>{request.body.count(b'name=')} parts").allows("GET", "POST")
    assert shown(render(Page(url=page.url, method="MULTIPART", fields=(("a", "1"), ("b", "2"))))) == "2 parts"
    assert site.requests[-1].headers["Content-Type"].startswith("multipart/form-data; boundary=")


class TestSafety:
    def test_the_page_itself(self, another_site: Any, render: Render):
        inside = another_site("127.0.0.2")
        with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
            render(inside.page("/a", "<p>secret"), allowed=ONE)
        assert inside.connections == 0

    def test_whatever_the_page_loads(self, site: Site, another_site: Any, render: Render):
        inside = another_site("127.0.0.2")
        url = inside.url
        page = site.page(
            "/a",
            f"""<body><p>one<img src="{url}/img"><iframe src="{url}/frame"></iframe>
            <link rel=preconnect href="{url}"><link rel=stylesheet href="{url}/css">
            <script src="{url}/js"></script>
            <script>fetch("{url}/fetch", {{mode: "no-cors"}}).catch(() => 0);
            new WebSocket("ws://{inside.host}/ws"); navigator.sendBeacon("{url}/beacon");
            new Worker(URL.createObjectURL(new Blob(['fetch("{url}/w")'])));</script>""",
        )
        assert shown(render(page, allowed=ONE)).startswith("one")
        assert inside.connections == 0
        render(page)  # the same visit with permission: it proves that the browser did try
        assert {request.path for request in inside.requests} >= {
            "/img",
            "/frame",
            "/css",
            "/js",
            "/fetch",
            "/ws",
        }

    def test_a_redirect_and_a_name_that_leads_inside(self, site: Site, another_site: Any, render: Render):
        inside = another_site("127.0.0.2", port=site.port)
        for target in (f"{inside.url}/", f"http://inside.test:{site.port}/"):
            with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
                render(site.page("/a").redirects_to(target), allowed=ONE, lookup=nowhere)
        assert inside.connections == 0

    def test_a_script_that_goes_inside(self, site: Site, another_site: Any, render: Render):
        inside = another_site("127.0.0.2")
        page = site.page("/a", f'<body><p>one<script>location = "{inside.url}/x"</script>')
        with suppress(PageRefused):
            render(page, allowed=ONE)
        assert inside.connections == 0

    @pytest.mark.parametrize(
        "target", ["file:///etc/passwd", "chrome://version", "view-source:file:///etc/passwd"]
    )
    def test_a_script_that_leaves_the_web(self, site: Site, target: str, render: Render):
        page = site.page("/a", f'<body><p>one<script>location = "{target}"</script>')
        assert "root:" not in shown(render(page))

    def test_the_gate_is_for_the_browser_alone(self, site: Site):
        page = site.page("/a", "<p>one")

        async def ask() -> bytes:
            async with BrowserFetcher(allowed=LOOPBACK) as browser:
                host, port = browser._gate.url.removeprefix("http://").split(":")
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(f"GET {page.url} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                answer = await reader.read()
                writer.close()
                return answer

        assert asyncio.run(ask()).startswith(b"HTTP/1.1 407")
        assert page.hits == 0

    def test_a_wrong_certificate(self, another_site: Any, tmp_path: Path, render: Render):
        site = another_site(tls=Authority(tmp_path).server("127.0.0.1"))
        with pytest.raises(PageRefused, match="certificate of the page is not valid"):
            render(site.page("/a", "<p>one"))
        assert site.requests == []


class TestTrouble:
    def test_nobody_there(self, site: Site, render: Render):
        page = site.page("/a")
        site.goes_down()
        with pytest.raises(HostUnreachable, match="could not be fetched"):
            render(page)

    @pytest.mark.parametrize(("status", "kind"), [(404, PageRefused), (500, PageUnreachable)])
    def test_an_answer_that_is_no_page(self, site: Site, status: int, kind: type[Exception], render: Render):
        with pytest.raises(kind, match=f"answered {status}"):
            render(site.page("/a").answers(status))

    def test_an_error_without_a_word(self, site: Site, render: Render):
        answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with pytest.raises(PageRefused, match="answered 404"):
            render(site.page("/a").raw(answer))

    def test_a_page_that_never_ends_costs_its_time_and_no_more(self, site: Site, render: Render):
        started = time.monotonic()
        with pytest.raises(PageUnreachable, match="not rendered within 3 seconds"):
            render(site.page("/a", "<p>one").hangs(), limits=Limits(timeout=3))
        assert time.monotonic() - started < 20

    def test_a_script_that_spins(self, site: Site, render: Render):
        with pytest.raises(PageUnreachable):
            render(site.page("/a", "<body><script>for(;;);</script>"), limits=Limits(timeout=4))

    def test_a_page_that_loads_too_much(self, site: Site, render: Render):
        big = site.page("/big").endless()
        page = site.page("/a", f'<body><p>one<script src="{big.url}"></script>')
        with pytest.raises(PageRefused, match="larger than 3,000,000 bytes"):
            render(page, limits=Limits(bytes=3_000_000))

    @pytest.mark.parametrize(
        "way", ['<script>location = "{0}"</script>', '<meta http-equiv=refresh content="0; url={0}">']
    )
    def test_a_page_that_leads_to_a_forbidden_place(self, site: Site, render: Render, way: str):
        page = site.page("/a", "<body><p>one" + way.format("http://127.0.0.2:45999/x"))
        with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
            render(page, allowed=ONE)

    @pytest.mark.parametrize(
        ("target", "kind", "reason"),
        [
            ("http://127.0.0.1:45999/", HostUnreachable, "the page could not be fetched: 127.0.0.1"),
            ("http://nowhere.test/", PageUnreachable, "the page could not be fetched: nowhere.test"),
            ("about:blank", PageRefused, "the page leads to about:blank, which is no page of the web"),
            ("/gone", PageRefused, "the server answered 404"),
            ("/empty", PageUnreachable, "the server answered 500"),
            ("/cut", PageUnreachable, "the server closed the connection without an answer"),
            ("/nonsense", PageUnreachable, "what came back is no answer of a web server"),
        ],
    )
    def test_an_error_page_of_the_browser_is_a_failure_with_its_reason(
        self, site: Site, render: Render, target: str, kind: type[PageError], reason: str
    ):
        site.page("/gone", "<p>no such page").answers(404)
        site.page("/empty").raw(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        site.page("/cut").raw(b"")
        site.page("/nonsense").raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
        page = site.page("/a", f'<body><p>one<script>location = "{target}"</script>')
        with pytest.raises(PageError, match=re.escape(reason)) as caught:
            render(page)
        assert type(caught.value) is kind

    def test_a_page_that_leads_on_is_the_page_it_leads_to(self, site: Site, render: Render):
        target = site.page("/b", "<p>two").headers({"X-Which": "two"})
        page = site.page("/a", '<body><p>one<script>location = "/b"</script>')
        seen = render(page)
        assert (shown(seen), seen.answer.url) == ("two", target.url)
        assert seen.answer.header("x-which") == "two"

    def test_a_page_that_leads_on_before_it_was_read(self, site: Site, render: Render):
        site.page("/b", "<p>two")
        slow = site.page("/slow.js", "1").hangs()
        leads = f'<script>location = "/b"</script><script src="{slow.url}"></script>'
        assert shown(render(site.page("/a", f"<body><p>one{leads}<p>three"))) == "two"

    def test_a_navigation_that_was_aborted_is_named_by_what_the_tab_shows(
        self, site: Site, render: Render, monkeypatch: Any
    ):
        # Chromium sometimes says ERR_ABORTED for an answer that it could not read.
        monkeypatch.setattr(tab.Trail, "_failed", _aborted)
        nonsense = site.page("/nonsense")
        nonsense.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
        page = site.page("/a", f'<body><p>one<script>location = "{nonsense.url}"</script>')
        with pytest.raises(PageUnreachable, match="what came back is no answer of a web server"):
            render(page)

    def test_a_script_that_writes_another_address_shows_the_same_page(self, site: Site, render: Render):
        page = site.page("/a", "<body><p>one<script>history.pushState({}, '', '/b#c')</script>")
        seen = render(page)
        assert (shown(seen), seen.status) == ("one", 200)

    def test_a_download_is_no_page(self, site: Site, render: Render):
        page = site.page("/a", b"PK").headers({"Content-Disposition": "attachment; filename=a.zip"})
        with pytest.raises(PageRefused, match="a download, which a browser does not show"):
            render(page)

    def test_an_answer_without_content(self, site: Site, render: Render):
        with pytest.raises(PageUnreachable, match="answered 204: there is nothing to show"):
            render(site.page("/a").raw(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"))

    def test_a_page_that_crashes_the_browser(self, site: Site, render: Render, monkeypatch: Any):
        async def crashes(tab: Any, wait_for: Any) -> str:
            with suppress(Exception):
                await tab.goto("chrome://crash")
            return ""

        monkeypatch.setattr(browser, "_settled", crashes)
        with pytest.raises(PageUnreachable, match="the page made the browser crash"):
            render(site.page("/a", "<p>one"))

    def test_a_frame_in_trouble_shows_nothing_of_the_browser(self, site: Site, render: Render):
        site.page("/gone", "<p>no such frame").answers(404)
        page = site.page(
            "/a",
            '<body><p>one<iframe src="http://127.0.0.2:45999/"></iframe><iframe src="/gone"></iframe>'
            '<iframe src="http://nowhere.test/"></iframe>',
        )
        assert shown(render(page, allowed=ONE)) == "one"

    def test_a_frame_of_its_own_that_fails_is_the_trouble_of_the_page(self, site: Site, render: Render):
        frame = site.page("/frame", "<p>two").answers(500)
        page = site.page("/a", '<body><p>one<iframe src="/frame"></iframe>')
        with pytest.raises(PageUnreachable, match=f"the frame {frame.url}: the server answered 500"):
            render(page)

    def test_a_login_by_header_is_refused_with_the_reason(self, site: Site, render: Render):
        with pytest.raises(PageRefused, match="by cookies only"):
            render(site.page("/a"), login=Login(url=site.url, headers=(("X", "1"),)))

    def test_no_browser_is_said_so(self, render: Render):
        with pytest.raises(PageRefused, match="the browser does not start"):
            render("http://127.0.0.1/", executable="/nowhere/chromium")


def test_what_playwright_turns_off_stays_off(tmp_path: Path):
    chromium = tmp_path / "chromium"
    chromium.write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/arguments\n')
    chromium.chmod(0o755)
    with sync_playwright() as playwright, pytest.raises(Error):
        playwright.chromium.launch(executable_path=chromium)
    (theirs,) = re.findall(r"--disable-features=(\S+)", (tmp_path / "arguments").read_text())
    assert set(theirs.split(",")) <= set(browser.OFF), (
        "Chromium obeys the last list alone: repeat theirs in OFF"
    )


def test_one_browser_serves_many_pages_and_comes_back_after_a_crash(site: Site):
    pages = [site.page(f"/{n}", SCRIPT) for n in range(4)]

    async def many() -> list[str]:
        async with BrowserFetcher(allowed=LOOPBACK) as browser:
            seen = await asyncio.gather(*(browser.fetch(as_page(page)) for page in pages))
            assert browser._browser is not None
            await browser._browser.close()
            seen.append(await browser.fetch(as_page(pages[0])))
            return [shown(one) for one in seen]

    assert asyncio.run(many()) == ["it is 42"] * 5


def _aborted(trail: tab.Trail, request: Any) -> None:
    trail._failures[request.frame] = "net::ERR_ABORTED"
