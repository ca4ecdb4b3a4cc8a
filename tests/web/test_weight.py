"""Every page is light: with all that it needs, under 150 KB on the way, also where there is much to show."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of, stranger
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.work import Look, NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

LIMIT = 150_000
SENTINELS = 60
LOOKS = 35
PAGES = (
    "/",
    "/inbox",
    "/inbox?show=unread",
    "/more",
    "/sentinels",
    "/sentinels/s59",
    "/pages/1",
    "/pages/1/compare",
    "/sentinels/s59/edit",
    "/topics",
    "/summaries",
    "/summaries?by=week",
    "/summaries?by=topic",
    "/bulletin",
    "/search?q=links",
    "/discover",
    "/discover/new",
    "/add",
    "/add?text=true",
    "/import",
    "/account",
    "/account/telling",
    "/account/shares",
    "/users",
    "/health",
    "/settings",
    "/nowhere",
)


@pytest.fixture(scope="module")
def knowledge() -> MemoryKnowledge:
    """Returns a user with lists as long as they are shown, and one change with thousands of objects."""
    made = MemoryKnowledge(delay=0)
    made.users.add("root", role="admin")
    for number in range(SENTINELS):
        name, url = f"s{number}", f"http://h{number}.test/{'path/' * 10}"
        text = f"Create Sentinel {name} Using {url} Monitor all links Topic t{number % 7}"
        made.sentinels.add(sentinel(name, url, user="root", text=text, topic=f"t{number % 7}"))
    for look in range(LOOKS):
        for claim in claim_all(made, hosts=100, pages=100):
            for due in claim.pages:
                changes = (change(due.watches[0].sentinel, 8),) if look == 1 else ()
                big = (
                    (change(due.watches[0].sentinel, 4_000),)
                    if (look, due.page.host) == (1, "h59.test")
                    else changes
                )
                told = Look(
                    why="due", decision="same", status=200, reason="looked at as the page tends to change"
                )
                version = new_version(look + 1, str(look))
                made.schedule.finish(
                    claim, [checked(claim, due, version=version, changes=big, due=claim.now, look=told)]
                )
        for page in made.sentinels.pages("root", limit=100):
            made.schedule.ask(page.id)
    return made


def change(sentinel: int, objects: int) -> NewChange:
    found = tuple(
        ObjectChange(
            object=f"http://x.test/{'folder/' * 8}{number}?{hash(number) ** 2}",
            status=Status.NEW,
            old=0,
            new=1,
            where=(f"/html/body/a[{number}]",),
        )
        for number in range(objects)
    )
    return NewChange(
        sentinel=sentinel, old_version=1, new_version=2, findings=(Finding(type="all links", objects=found),)
    )


@pytest.fixture(scope="module")
def application(knowledge: MemoryKnowledge, tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    settings = read_settings({"data": str(tmp_path_factory.mktemp("weight"))}, environment={})
    made = create_application(knowledge, settings)
    made.state.passes, made.state.shown_port = Passes(b"k" * 32), 4
    return made


@pytest.fixture(scope="module")
def root(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "root")


def transferred(client: TestClient, address: str) -> int:
    """Returns the bytes of an answer on the way: its head, and its body as it is sent."""
    with client.stream("GET", address, headers={"accept": "text/html", "accept-encoding": "gzip"}) as answer:
        body = b"".join(answer.iter_raw())
    assert answer.status_code in (200, 401, 404), (address, answer.status_code)
    return len(body) + sum(len(name) + len(value) + 4 for name, value in answer.headers.raw)


def assets(client: TestClient, address: str) -> Iterator[str]:
    """Yields the addresses of all that a browser fetches for a page, without what a frame shows."""
    text = client.get(address, headers={"accept": "text/html"}).text
    ours = re.sub(r"<iframe[^>]*>", "", text)
    for one in re.findall(r"<(?:script|img)[^>]* src=\"([^\"]+)\"|<link[^>]* href=\"([^\"]+)\"", ours):
        yield urljoin(address, one[0] or one[1])


def weight(client: TestClient, address: str) -> int:
    needed = dict.fromkeys(assets(client, address))
    assert all(one.startswith("/") for one in needed), needed
    return transferred(client, address) + sum(transferred(client, one) for one in needed)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_with_all_that_it_needs_is_light(root: TestClient, address: str):
    assert weight(root, address) < LIMIT


def test_a_change_of_thousands_of_objects_is_light(root: TestClient, knowledge: MemoryKnowledge):
    big = next(one for one in knowledge.changes.all("root") if len(one.findings[0].objects) > 1_000)
    for address in (f"/changes/{big.id}", f"/changes/{big.id}?view=links", f"/changes/{big.id}/share"):
        assert weight(root, address) < LIMIT
    assert "… and 3,700 more" in root.get(f"/changes/{big.id}").text


LIGHT = 150_000


def test_the_pages_with_pictures_are_lighter_still(root: TestClient, knowledge: MemoryKnowledge):
    change = knowledge.changes.all("root")[0].id
    for address in ("/sentinels/s59", f"/changes/{change}", "/pages/1", "/pages/1/compare?a=1&b=2"):
        assert weight(root, address) < LIGHT, address


def test_the_door_is_light(application: FastAPI):
    assert weight(stranger(application), "/sign-in") < LIMIT / 2


def test_pages_travel_compressed_and_answers_with_secrets_do_not(root: TestClient, application: FastAPI):
    page = root.get("/sentinels")
    assert page.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in page.headers["vary"].lower()
    assert "content-encoding" not in root.get("/sentinels", headers={"accept-encoding": "identity"}).headers
    made = root.post("/account/tokens", data={"name": "x" * 90, "scope": "read"})
    assert "wv_" in made.text
    assert "content-encoding" not in made.headers
    assert "content-encoding" not in root.get("/api/v1/changes").headers
    with root.stream("GET", "/static/vendor/htmx.min.js") as answer:
        assert len(gzip.decompress(b"".join(answer.iter_raw()))) > 50_000
