"""The dashboard and its API: signing in, the inbox, the stream of events, and the pages in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from tests.browser import browser
from tests.site import Site
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.whole.serving import Serving, webvigil
from webvigil.app.people.sign_in import new_link
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

BASE = "http://testserver"


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def client(knowledge: MemoryKnowledge, tmp_path: Path) -> TestClient:
    settings = read_settings({"data": str(tmp_path)}, environment={})
    return TestClient(create_application(knowledge, settings), headers={"accept": "text/html"})


def signed_in(client: TestClient, knowledge: MemoryKnowledge, user: str = "jill") -> TestClient:
    assert client.get(new_link(knowledge, user, BASE)).status_code == 200
    return client


def find_a_change(knowledge: MemoryKnowledge) -> int:
    knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return knowledge.changes.all()[0].id


@pytest.mark.parametrize(
    "path", ["/", "/sentinels", "/changes/1", "/events", "/api/v1/changes", "/api/v1/sentinels"]
)
def test_nothing_is_shown_without_signing_in(client: TestClient, path: str):
    response = client.get(path)
    assert response.status_code == 401
    assert "sign in" in response.text.lower()


def test_a_link_opens_the_door(client: TestClient, knowledge: MemoryKnowledge):
    response = signed_in(client, knowledge).get("/")
    assert response.status_code == 200
    assert "Nothing is watched yet" in response.text


@pytest.mark.parametrize("token", ["wrong", "\x00", "x" * 10_000])
def test_a_wrong_link_opens_nothing(client: TestClient, token: str):
    response = client.get("/sign-in", params={"token": token})
    assert response.status_code == 401
    assert "set-cookie" not in response.headers


def test_a_new_link_ends_the_old_one(client: TestClient, knowledge: MemoryKnowledge):
    old = new_link(knowledge, "jill", BASE)
    new_link(knowledge, "jill", BASE)
    assert client.get(old).status_code == 401


def test_signing_out_ends_the_session(client: TestClient, knowledge: MemoryKnowledge):
    signed_in(client, knowledge)
    cookies = dict(client.cookies)
    client.post("/sign-out", headers={"origin": BASE})
    client.cookies.update(cookies)
    assert client.get("/").status_code == 401


def test_the_session_cookie_is_out_of_reach_for_scripts(client: TestClient, knowledge: MemoryKnowledge):
    response = client.get(new_link(knowledge, "jill", BASE), follow_redirects=False)
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_a_change_is_listed_and_shown(client: TestClient, knowledge: MemoryKnowledge):
    change = find_a_change(knowledge)
    signed_in(client, knowledge)
    assert "http://x/" in client.get("/inbox").text
    assert "Versions" in client.get(f"/changes/{change}").text
    (plain,) = client.get("/api/v1/changes").json()
    assert plain == client.get(f"/api/v1/changes/{change}").json()
    assert plain["findings"][0]["objects"] == [
        {"object": "http://x/", "status": "i", "old": 0, "new": 1, "where": ["/html/a"]}
    ]


def test_other_peoples_things_are_not_there(client: TestClient, knowledge: MemoryKnowledge):
    change = find_a_change(knowledge)
    signed_in(client, knowledge, "jack")
    assert client.get("/api/v1/changes").json() == []
    assert client.get("/api/v1/sentinels").json() == []
    for path in (f"/api/v1/changes/{change}", "/api/v1/sentinels/s1", f"/changes/{change}"):
        assert client.get(path).status_code == 404


def test_trouble_is_a_problem_document_for_programs(client: TestClient, knowledge: MemoryKnowledge):
    response = signed_in(client, knowledge).get("/api/v1/sentinels/none")
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"] == "there is no sentinel 'none'"


@pytest.mark.parametrize("path", ["/changes/99999999999999999999", "/changes/-1", "/api/v1/changes/4711"])
def test_a_strange_number_is_not_found(client: TestClient, knowledge: MemoryKnowledge, path: str):
    assert signed_in(client, knowledge).get(path).status_code == 404


def test_text_from_pages_and_users_is_only_text(client: TestClient, knowledge: MemoryKnowledge):
    knowledge.sentinels.add(sentinel("<script>alert(1)</script>"))
    text = signed_in(client, knowledge).get("/sentinels").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_every_answer_carries_the_security_headers(client: TestClient):
    for path in ("/", "/sign-in", "/static/style.css", "/healthz", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_health_is_told_without_signing_in(client: TestClient):
    assert client.get("/healthz").json()["status"] == "ok"


def test_no_page_holds_inline_script_or_style():
    files = [*(Path(__file__).parents[2] / "src/webvigil/web/templates").glob("*.html")]
    assert files
    for file in files:
        text = file.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), file.name


def test_a_change_appears_in_an_open_browser_by_itself(site: Site, tmp_path: Path):
    page = site.page("/news", "<p>Nothing new")
    webvigil("watch", page.url, "--name", "news", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path) as serving, browser() as chromium:
        window = chromium.new_page(viewport={"width": 390, "height": 800})
        troubles: list[str] = []
        window.on(
            "console", lambda message: troubles.append(message.text) if message.type == "error" else None
        )
        window.on("pageerror", lambda error: troubles.append(str(error)))
        window.goto(serving.link)
        window.goto(f"{serving.address}/inbox")
        window.get_by_text("No change yet").wait_for()
        page.wait_for(1, within=60)
        page.becomes("<p>Something new")
        card = window.locator(".change.fresh")
        card.wait_for(timeout=30_000)
        assert "Something" in card.inner_text()
        assert window.get_by_text("No change yet").is_hidden()
        assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "fits a phone"
        card.locator("[data-open]").click()
        window.get_by_role("heading", name="Found by this sentinel").wait_for()
        assert "Something" in window.locator(".objs").inner_text()
        assert troubles == []


def test_the_stream_goes_on_where_a_reader_left_it(site: Site, tmp_path: Path):
    page = site.page("/news", ["<p>1", "<p>2", "<p>3"])
    webvigil("watch", page.url, "--name", "news", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path) as serving, httpx2.Client(base_url=serving.address) as client:
        assert client.get(serving.link, follow_redirects=True).status_code == 200
        page.wait_for(1, within=60)
        page.next()
        first = _next_event(client, "0")
        page.next()
        assert _next_event(client, first) != first


def _next_event(client: httpx2.Client, seen: str) -> str:
    with client.stream("GET", "/events", headers={"last-event-id": seen}, timeout=30) as stream:
        return next(line.partition(": ")[2] for line in stream.iter_lines() if line.startswith("id: "))


def test_scripts_of_one_page_do_not_take_each_others_names():
    """Scripts of a page share one scope: of two that declare the same name, the second does not run."""
    scripts = Path(__file__).parents[2] / "src/webvigil/web/static"
    always = declared(scripts / "keys.js")
    for other in ("pick.js", "live.js", "change.js"):
        assert not always & declared(scripts / other), other


def declared(script: Path) -> set[str]:
    return set(
        re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", script.read_text(), re.MULTILINE)
    )
