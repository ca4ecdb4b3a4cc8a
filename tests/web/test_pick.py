"""Picking on the page (U1): what the server takes from a frame, and what people do with it in Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.browser import browser
from tests.present.hostile import RUN
from tests.site import Site
from tests.web.doors import browser_of
from tests.web.test_journeys import look_at
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.app.operating.stores import opened as open_store
from webvigil.app.pages.display import Sights
from webvigil.app.people.passes import Passes
from webvigil.app.sentinels.pick import kinds
from webvigil.app.sentinels.preview import found_before
from webvigil.app.settings import read_settings
from webvigil.document import read
from webvigil.language import parse
from webvigil.model.page import Page
from webvigil.present.html import Showing
from webvigil.present.pickable import pickable
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.second_origin import create_shown

MARKET = (
    "<title>Town market</title><nav><a href=/next>Next page</a></nav><h1>Prices</h1>"
    "<table><caption>Market</caption><tr><th>what<th>price<tr><td>tea<td>{}<tr><td>milk<td>2</table>"
    "<p>Open <b>every day</b> but Monday.</p>"
)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def application(knowledge: MemoryKnowledge, clock: Clock, tmp_path: Path) -> FastAPI:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0"}
    made = create_application(knowledge, read_settings(given, environment={}))
    made.state.passes, made.state.shown_port = Passes(b"k" * 32, clock), 4
    return made


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "jill") as client:
        yield client


def opened(client: TestClient, url: str) -> str:
    """Returns the token of the view."""
    text = client.get("/add/pick", params={"url": url}).text
    return re.findall(r'data-token="([\w.-]+)"', text)[0]


def ask(client: TestClient, token: str, node: object, path: str = "node") -> tuple[int, str]:
    answer = client.post(f"/add/pick/{path}", data={"token": token, "node": node})
    return answer.status_code, answer.text


def numbered(text: str) -> int:
    digest = read(MARKET.format(3).encode(), "text/html", "http://x.test/")
    return next(node for node in range(len(digest)) if digest.is_text[node] and digest.own_text(node) == text)


def test_a_node_is_answered_in_words(jill: TestClient, site: Site):
    token = opened(jill, site.page("/m", MARKET.format(3)).url)
    status, text = ask(jill, token, numbered("tea"))
    assert status == 200
    assert re.search(r'value="table: \{1\}&#10;"[^>]* checked', text)
    assert "Table “Market” (2 rows)" in text
    status, text = ask(jill, token, numbered("every day"))
    assert 'data-phrase="every day"' in text
    assert "found once now" in text


def test_the_page_is_the_one_that_was_shown(jill: TestClient, site: Site):
    """A number means the same element, also when the page has become another one meanwhile."""
    page = site.page("/m", MARKET.format(3))
    token = opened(jill, page.url)
    page.becomes("<p>other</p>" * 50)
    assert "Table “Market”" in ask(jill, token, numbered("tea"))[1]


@pytest.mark.parametrize("node", [0, 9_999_999])
def test_a_node_that_is_not_there_is_told(jill: TestClient, site: Site, node: int):
    status, text = ask(jill, opened(jill, site.page("/m", MARKET.format(3)).url), node)
    assert (status, "no such element" in text) == (404, True)


@pytest.mark.parametrize("node", [-1, 10**30, "1; drop", "", "<b>"])
def test_a_node_that_is_no_number_is_refused(jill: TestClient, site: Site, node: object):
    assert ask(jill, opened(jill, site.page("/m", MARKET.format(3)).url), node)[0] == 422


@pytest.mark.parametrize("path", ["node", "follow"])
def test_a_view_is_for_one_user_and_an_hour(
    application: FastAPI, knowledge: MemoryKnowledge, jill: TestClient, clock: Clock, site: Site, path: str
):
    token = opened(jill, site.page("/m", MARKET.format(3)).url)
    node = numbered("Next page")
    assert ask(jill, token, node, path)[0] == 200
    body, _, signature = token.partition(".")
    shown = application.state.passes.written("shown", {"user": "jill", "object": "x"})
    for hostile in (
        "x",
        "é.é",
        body,
        f"{body}x.{signature}",
        f"{body}.{signature}x",
        shown,
        "../../etc/passwd",
    ):
        assert ask(jill, hostile, node, path)[0] == 404, hostile
    assert ask(browser_of(application, knowledge, "jack"), token, node, path)[0] == 404
    clock.now += 3_601
    status, text = ask(jill, token, node, path)
    assert (status, "This view has expired" in text) == (404, True)


def test_a_link_leads_to_the_next_page_in_the_picker(jill: TestClient, site: Site):
    page = site.page("/m", MARKET.format(3))
    token = opened(jill, page.url)
    answer = jill.post("/add/pick/follow", data={"token": token, "node": numbered("Next page")})
    there = page.url.replace("/m", "/next")
    assert answer.headers["hx-redirect"] == f"/add/pick?url={quote(there, safe='')}"
    assert "no link here" in ask(jill, token, numbered("tea"), "follow")[1]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "Give the address"),
        ("javascript:alert(1)", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("http://a.test/ http://b.test/", "one page at a time"),
        ("http://a.test/" + "x" * 3_000, "too long"),
    ],
)
def test_what_cannot_be_picked_from_is_told(jill: TestClient, url: str, words: str):
    answer = jill.get("/add/pick", params={"url": url})
    assert (answer.status_code, words in answer.text) == (400, True)


def test_what_is_no_html_is_told(jill: TestClient, site: Site):
    page = site.page("/j", '{"a": 1}').content_type("application/json")
    answer = jill.get("/add/pick", params={"url": page.url})
    assert (answer.status_code, "no HTML" in answer.text) == (400, True)


def test_old_versions_are_asked_as_well(site: Site, tmp_path: Path):
    page = site.page("/m", MARKET.format(3))
    data = ("--data", str(tmp_path))
    webvigil("watch", page.url, "--name", "m", "--every", "1 second", *data)
    with Serving(tmp_path):
        eventually(lambda: webvigil_json("versions", page.url, *data))
        page.becomes("<title>Town market</title><p>Closed.</p>")
        eventually(lambda: len(webvigil_json("versions", page.url, *data)) == 2)
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with open_store(settings) as knowledge:
        for monitor, found, told in (("table: {1}", 1, 1), ("any change", 2, 1), ("phrase: {nowhere}", 0, 0)):
            (sentinel,) = parse(f"Create Sentinel x Using {page.url} Monitor {monitor}")
            before = found_before(knowledge, settings, sentinel, Page(url=page.url))
            assert (before.found, before.versions, before.told) == (found, 2, told)
            assert before.since is not None
        assert found_before(knowledge, settings, sentinel, Page(url="http://no.test/")) == (0, 0, 0, None)


def test_the_frame_bears_our_numbers_alone():
    html = "<p data-wv-node=7 data-wv-kind=table class=wv-over id=wv-x>one <b>two</b></p><img src=x alt=y>"
    digest = read(html.encode(), "text/html", "http://x.test/")
    text = pickable(digest, kinds(digest), Showing(nonce="n"), token="t", home="http://home.test")
    shown = read(text.encode(), "text/html", "http://x.test/")
    numbers = {
        int(value): shown.text(node)
        for node in range(len(shown))
        if (value := shown.attribute(node, "data-wv-node") or "")
    }
    assert {node: digest.text(node) for node in numbers} == numbers
    assert set(numbers) >= set(digest.nodes_of("p", "b", "img").tolist())
    assert "wv-x" not in text
    assert 'class="wv-over' not in text


def test_the_second_origin_shows_a_page_with_its_own_pass_alone(
    application: FastAPI, jill: TestClient, knowledge: MemoryKnowledge, clock: Clock, site: Site
):
    token = opened(jill, site.page("/m", MARKET.format(3) + "<script>alert(1)</script>").url)
    shown = create_shown(
        knowledge.changes, Sights(knowledge, application.state.pages, None), application.state.passes
    )
    client = TestClient(shown)
    answer = client.get(f"/pick/{token}")
    policy = answer.headers["content-security-policy"]
    (nonce,) = re.findall(r"script-src 'nonce-([\w-]+)';", policy)
    assert re.findall(r"<script[^>]*nonce=\"([^\"]*)\"", answer.text) == [nonce]
    assert "alert(1)" not in answer.text
    assert "sandbox allow-scripts;" in policy
    assert "frame-ancestors http://testserver" in policy
    assert client.get(f"/shown/{token}").status_code == 403
    assert client.get(f"/pick/{token[:-3]}xyz").status_code == 403
    clock.now += 3_601
    assert client.get(f"/pick/{token}").status_code == 403


HOSTILE = (
    f'<script>{RUN}</script><img src=x: onerror="{RUN}"><a href="javascript:{RUN}">Click me</a>'
    "<style>@import 'TRAP/css';</style><form action=TRAP/form><button>Send</button></form>"
    "<iframe src=TRAP/frame></iframe><meta http-equiv=refresh content='0;url=TRAP/refresh'>"
    "<script>parent.postMessage({token: 'x', node: 5}, '*')</script>"
)


def test_from_an_address_to_a_watched_table_by_clicking(site: Site, tmp_path: Path):
    page = site.page("/m", MARKET.format(3))
    site.page("/next", "<title>Next</title><p>The next page.</p>")
    hostile = site.page("/hostile", MARKET.format(5) + HOSTILE.replace("TRAP", page.url))
    there = page.url.removesuffix("/m")
    with Serving(tmp_path) as serving, browser() as running:
        window = running.new_page()
        troubles: list[str] = []
        reached: list[str] = []
        window.on("request", lambda one: reached.append(one.url) if one.url.startswith(there) else None)
        window.on("pageerror", lambda error: troubles.append(str(error)))
        window.on("console", lambda one: troubles.append(one.text) if "ran:" in one.text else None)
        window.goto(serving.link)
        window.goto(f"{serving.address}/add")
        window.get_by_role("textbox", name="Address of the page").fill(page.url)
        window.get_by_role("button", name="Pick on the page").click()
        frame = window.frame_locator("#pick")
        assert window.locator("#pick").get_attribute("sandbox") == "allow-scripts"

        # Pointing shows what a click means; a click chooses it.
        frame.get_by_text("tea", exact=True).hover()
        assert frame.locator("table.wv-over").count() == 1
        assert frame.locator(".wv-label").inner_text() == "Table"
        frame.get_by_text("tea", exact=True).click()
        window.get_by_text("Table “Market” (2 rows)").wait_for()
        window.locator("#preview").get_by_text("tea").wait_for()
        frame.locator("table.wv-picked").wait_for()
        asked: list[str] = []
        window.on("request", lambda one: asked.append(one.url) if "/add/pick/" in one.url else None)

        # Messages from other frames and from the page itself are ignored.
        window.evaluate(
            """() => {
              const shown = document.getElementById("pick"), other = document.createElement("iframe");
              other.id = "other";
              other.sandbox = "allow-scripts";
              other.src = shown.src;
              document.body.append(other);
              window.postMessage({ token: shown.dataset.token, node: 3 }, "*");
            }"""
        )
        window.frame_locator("#other").get_by_text("Next page").click()
        window.wait_for_timeout(300)
        assert asked == [], "only the frame is heard"

        # The keyboard does the same; words are edited with those around them.
        words = frame.get_by_role("button", name="Text: every day")
        words.focus()
        window.keyboard.press("Enter")
        field = window.get_by_role("textbox", name="The words")
        field.wait_for()
        assert field.input_value() == "every day"
        window.locator(".context[data-side=after] button").nth(0).click()
        assert field.input_value() == "every day but"
        window.locator("#preview mark").get_by_text("every day but").wait_for()
        window.get_by_role("button", name="Wider").click()
        frame.locator("p.wv-picked, b.wv-picked").first.wait_for()

        # Links lead on inside the picker.
        window.get_by_label("follows links").check()
        frame.get_by_text("Next page").click()
        window.wait_for_url("**/add/pick?url=*next")
        frame.get_by_text("The next page.").wait_for()
        window.go_back()

        # A hostile page runs nothing and reaches nobody.
        window.goto(f"{serving.address}/add/pick?url={quote(hostile.url, safe='')}")
        frame.get_by_text("Click me").click()
        window.get_by_text("The words “Click me”").wait_for()
        assert len(asked) >= 2
        assert reached == []
        assert troubles == []
        assert frame.locator("body").evaluate("() => self.origin") == "null"

        frame.get_by_text("milk", exact=True).click()
        window.get_by_text("Table “Market” (2 rows)").wait_for()
        window.set_viewport_size({"width": 390, "height": 800})
        for scheme in ("light", "dark"):
            window.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert look_at(window, "/add/pick", scheme) == ""
        window.get_by_role("textbox", name="Name").fill("market")
        window.get_by_role("button", name="Start watching").click()
        window.get_by_role("heading", name="market").wait_for()
    (made,) = [one for one in webvigil_json("list", "--data", str(tmp_path)) if one["name"] == "market"]
    assert "table: {1}" in str(made)
