"""The second origin: passes, policies, pictures, and what a reader sees in the dashboard (P4, DESIGN 7)."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from tests.browser import browser
from tests.site import Site
from tests.store.making import checked, claim_all, sentinel
from tests.web.doors import browser_of
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.app.pages.display import Picture, Sights
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.version import Answer
from webvigil.model.work import NewChange, NewVersion
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository
from webvigil.web.application import create_application
from webvigil.web.frame import VIEWS
from webvigil.web.second_origin import (
    _how,
    _through,
    create_shown,
    pick_pass,
    rendered_pass,
    shown_pass,
    versions_pass,
)

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
OLD = (
    "<title>Shop</title><p>Tea costs 3 euro.</p><img src=/old.png alt=Tea><script>alert(1)</script>"
    "<p><a href=/old>The <i>old</i> one</a> <a href=/same>Same</a></p>"
)
NEW = (
    "<title>Shop</title><p>Tea costs 4 euro.</p><img src=/new.png alt='&lt;img src=x onerror=1>'>"
    "<script>alert(1)</script>"
    "<p><a href=/new>The <i>new</i> one &lt;img src=x></a> <a href=/same>Same</a></p>"
)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def passes(clock: Clock) -> Passes:
    return Passes(b"k" * 32, clock)


class Pictures(Sights):
    """Sights that fetch nothing and record the addresses of pictures that they were asked for."""

    asked: tuple[str, ...] = ()

    async def picture(self, url: str) -> Picture | None:
        self.asked += (url,)
        return Picture("image/png", PNG) if url.endswith(".png") else None


@pytest.fixture
def sights() -> Pictures:
    knowledge, pages = MemoryKnowledge(delay=0), PageRepository(MemoryObjects())
    knowledge.users.add("jill")
    made = Pictures(knowledge, pages, None)
    made.knowledge = knowledge  # type: ignore[attr-defined]
    knowledge.sentinels.add(sentinel("tea", "http://shop.test/"))
    for number, text in enumerate((OLD, NEW), 1):
        answer = Answer(
            url="http://shop.test/", status=200, headers=(("Content-Type", "text/html"),), body=text.encode()
        )
        new = NewVersion(
            number=number,
            url=answer.url,
            status=200,
            signature=text,
            object=pages.keep(answer).object,
            size=len(text),
        )
        for claim in claim_all(knowledge):
            due = claim.pages[0]
            one = ObjectChange(object="4", status=Status.UPDATED, before="3", after="4")
            change = NewChange(
                sentinel=due.watches[0].sentinel,
                old_version=1,
                new_version=2,
                findings=(Finding(type="all words", objects=(one,)),),
            )
            result = checked(claim, due, version=new, changes=(change,) if number == 2 else (), due=claim.now)
            knowledge.schedule.finish(claim, [result])
            knowledge.schedule.ask(due.id)
    return made


@pytest.fixture
def client(sights: Pictures, passes: Passes) -> Iterator[TestClient]:
    with TestClient(create_shown(sights.knowledge.changes, sights, passes)) as made:  # type: ignore[attr-defined]
        yield made


def address(passes: Passes, sights: Pictures, **more: Any) -> str:
    change = sights.knowledge.changes.all("jill")[0].id  # type: ignore[attr-defined]
    said: dict[str, Any] = {
        "user": "jill",
        "origin": "http://shown.test",
        "frame": "http://vigil.test",
    } | more
    return "/shown/" + shown_pass(passes, change=change, **said)


def test_a_pass_opens_one_change_until_it_is_over(
    client: TestClient, passes: Passes, sights: Pictures, clock: Clock
):
    place = address(passes, sights, how="single")
    answer = client.get(place)
    assert answer.status_code == 200
    assert "&lt;del&gt;3&lt;/del&gt;" in answer.text
    assert "alert(1)" not in answer.text
    assert client.get(place[:-2] + "xx").status_code == 403
    assert client.get("/shown/nonsense").status_code == client.get("/shown/é.").status_code == 403
    clock.now += 601
    assert client.get(place).status_code == 403


def test_a_pass_names_what_it_opens_and_how_long(passes: Passes, clock: Clock):
    frame = {"origin": "http://shown.test", "frame": "http://vigil.test"}
    named = {"bare": 1, "before": "version 1", "after": "version 2"}
    captions = ("version 1", "version 2")
    shown = shown_pass(passes, user="jill", change=7, how="dual", **frame, captions=captions)
    assert passes.read("shown", shown) == {
        "kind": "shown",
        "until": 1_600,
        "user": "jill",
        "change": 7,
        "how": "dual",
        **frame,
        **named,
    }
    shared = shown_pass(passes, user=None, change=7, **frame)
    assert passes.read("shown", shared) == {
        "kind": "shown",
        "until": 1_600,
        "shared": 1,
        "change": 7,
        "how": "",
        **frame,
    }
    two = versions_pass(passes, page=3, old=1, new=2, how="text", **frame, captions=captions)
    assert passes.read("shown", two) == {
        "kind": "shown",
        "until": 1_600,
        "page": 3,
        "old": 1,
        "new": 2,
        "how": "text",
        **frame,
        **named,
    }
    pick = pick_pass(passes, user="jill", url="u", kept="k", plain=True, **frame)
    assert passes.read("pick", pick) == {
        "kind": "pick",
        "until": 4_600,
        "user": "jill",
        "url": "u",
        "object": "k",
        "render": "",
        "plain": 1,
        **frame,
    }
    drawn = rendered_pass(passes, 3, 2)
    assert passes.read("picture", drawn) == {"kind": "picture", "until": 4_600, "page": 3, "version": 2}
    clock.now = 4_599.9
    assert passes.read("picture", drawn) is not None
    clock.now = 4_600
    assert passes.read("picture", drawn) is None


def test_a_pass_may_be_so_long(passes: Passes):
    def of_length(length: int) -> str:
        return next(
            made
            for count in range(length * 3 // 4 - 120, length)
            if len(made := passes.written("x", {"a": "b" * count})) >= length
        )

    assert passes.read("x", of_length(7_990)) is not None
    long = of_length(8_001)
    assert len(long) > 8_000
    assert passes.read("x", long) is None


@pytest.mark.parametrize(
    ("how", "types", "shown"),
    [
        ("", ["visual"], "images"),
        ("auto", ["visual"], "images"),
        ("dual", ["visual"], "dual"),
        ("", ["visual", "all words"], ""),
        ("auto", ["all words"], "auto"),
        ("", [], ""),
    ],
)
def test_what_differs_in_the_picture_alone_is_shown_by_the_pictures(how: str, types: list[str], shown: str):
    one = ObjectChange(object="x", status=Status.NEW)
    findings = [Finding(type=kind, objects=(one,)) for kind in types] + [Finding(type="all links")]
    assert _how(how, tuple(findings)) == shown


@pytest.mark.parametrize(
    ("url", "is_fetched"),
    [
        ("http://a.test/x.png", True),
        ("https://a.test/x.png", True),
        ("ftp://a.test/x.png", False),
        ("data:image/png,x", False),
        ("http://a.test/" + "x" * 3_986, True),
        ("http://a.test/" + "x" * 3_987, False),
    ],
)
def test_only_pictures_of_the_web_come_through_us(passes: Passes, url: str, *, is_fetched: bool):
    made = _through(passes, "http://shown.test")(url)
    assert made.startswith("http://shown.test/picture/") is is_fetched
    if is_fetched:
        said = passes.read("picture", made.rpartition("/")[2])
        assert said == {"kind": "picture", "until": 4_600, "url": url}
    else:
        assert made == ""


def test_what_cannot_be_shown_is_said(client: TestClient, passes: Passes, sights: Pictures):
    closed = client.get("/shown/nonsense")
    assert (closed.status_code, closed.text) == (403, "This view has expired. Go back and open it again.")
    assert closed.headers["content-security-policy"].endswith("; sandbox")
    others = client.get(address(passes, sights, user="jack"))
    assert (others.status_code, others.text) == (404, "This cannot be shown: this is another user's change")
    none = client.get("/picture/" + passes.written("picture", {"url": "http://x.test/page"}))
    assert (none.status_code, none.text) == (404, "there is no such picture")
    assert client.get("/pick/nonsense").status_code == client.get("/picture/nonsense").status_code == 403


def test_another_users_change_stays_closed(client: TestClient, passes: Passes, sights: Pictures):
    assert client.get(address(passes, sights, user="jack")).status_code == 404


def test_the_policy_forbids_all_but_our_own(client: TestClient, passes: Passes, sights: Pictures):
    answer = client.get(address(passes, sights), headers={"cookie": "webvigil_session=x"})
    policy = answer.headers["content-security-policy"]
    (nonce,) = re.findall(r"script-src 'nonce-([\w-]+)';", policy)
    assert f'nonce="{nonce}"' in answer.text
    for rule in (
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "sandbox allow-scripts",
        "img-src data: http://shown.test/picture/",
        "frame-ancestors http://vigil.test",
    ):
        assert rule in policy
    assert "allow-same-origin" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert client.get(address(passes, sights)).headers["content-security-policy"] != policy, (
        "a new nonce each time"
    )


def test_pictures_come_through_us_alone(client: TestClient, passes: Passes, sights: Pictures):
    shown = client.get(address(passes, sights, how="dual")).text
    links = set(re.findall(r"http://shown\.test(/picture/[\w.-]+)", shown))
    assert "shop.test/old.png" not in re.sub(r"<td>.*?</td>|data-wv-alt.*?;", "", shown)
    answers = [client.get(link) for link in links]
    assert {answer.headers["content-type"] for answer in answers} == {"image/png"}
    assert {"http://shop.test/old.png", "http://shop.test/new.png"} <= set(sights.asked)
    assert all("sandbox" in answer.headers["content-security-policy"] for answer in answers)
    assert (
        client.get("/picture/" + passes.written("picture", {"url": "http://x.test/page"})).status_code == 404
    )
    assert (
        client.get("/picture/" + passes.written("shown", {"url": "http://x.test/a.png"})).status_code == 403
    )


def test_a_reader_sees_the_change_marked_in_the_page(site: Site, tmp_path):
    """The whole way: a page changes, the dashboard shows it in its frame, keys step through it."""
    page = site.page("/tea", OLD)
    data = ("--data", str(tmp_path))
    webvigil("watch", page.url, "--name", "tea", "--every", "1 second", *data)
    with Serving(tmp_path) as serving:
        eventually(lambda: webvigil_json("versions", page.url, *data))
        page.becomes(NEW)
        (change,) = eventually(lambda: webvigil_json("changes", *data))
        with browser() as running:
            tab = running.new_page()
            tab.goto(serving.link)
            tab.goto(f"{serving.address}/changes/{change['id']}?view=single")
            outer = tab.frame_locator("iframe#shown")
            inner = outer.frame_locator("iframe")
            assert inner.locator("del").first.inner_text().strip() == "3"
            assert inner.locator("ins").first.inner_text().strip() == "4"
            tab.get_by_text("1 of 2", exact=True).wait_for()
            assert tab.locator(".objs .o[aria-current]").count() == 1
            tab.keyboard.press("n")
            tab.get_by_text("2 of 2", exact=True).wait_for()
            assert tab.locator("iframe#shown").get_attribute("sandbox") == "allow-scripts"
            kept = {one["domain"] for one in tab.context.cookies()}
            source = httpx2.URL(tab.locator("iframe#shown").get_attribute("src") or "")
            assert source.host not in kept, "no cookie ever reaches the other origin"
            tab.get_by_role("link", name="Links", exact=True).focus()
            tab.keyboard.press("Enter")
            outer.get_by_role("rowheader", name="+ added").wait_for()
            assert tab.url.endswith("?view=links")
            tab.get_by_role("link", name="Pictures", exact=True).click()
            outer.get_by_text("/new.png").wait_for()
            still = running.new_context(java_script_enabled=False).new_page()
            still.goto(serving.link)
            still.goto(f"{serving.address}/changes/{change['id']}?view=text")
            words = still.frame_locator("iframe#shown")
            words.locator("del").get_by_text("3").wait_for()


ASPECTS = {
    "text": ("<del>3</del>", "<ins>4</ins>"),
    "links": ("+ added", "− gone", "http://shop.test/new", "The new one", "1 added, 1 gone; 2 links before"),
    "images": ("+ added", "− gone", "http://shop.test/old.png", "1 added, 1 gone; 1 picture before, 1 after"),
}


@pytest.mark.parametrize("how", ASPECTS)
def test_the_words_the_links_and_the_pictures_are_shown_by_themselves(
    client: TestClient, passes: Passes, sights: Pictures, how: str
):
    """P2: these presentations are sandboxed like the others (P4)."""
    answer = client.get(address(passes, sights, how=how))
    assert answer.status_code == 200
    for words in ASPECTS[how]:
        assert words in answer.text, words
    body = answer.text.partition("<body")[2].rpartition("<script")[0]
    assert "alert(1)" not in body
    assert "<img src=x" not in body
    assert "sandbox allow-scripts" in answer.headers["content-security-policy"]
    pictures = re.findall(r'<img alt="" loading="lazy" src="([^"]+)"/>', body)
    assert all(one.startswith("http://shown.test/picture/") for one in pictures)
    assert len(pictures) == (2 if how == "images" else 0)


def test_every_view_is_an_address_and_the_chosen_one_is_told(
    sights: Pictures, passes: Passes, tmp_path: Path
):
    settings = read_settings({"data": str(tmp_path)}, environment={})
    application = create_application(sights.knowledge, settings)  # type: ignore[attr-defined]
    application.state.passes, application.state.shown_port = passes, 4
    jill = browser_of(application, sights.knowledge, "jill")  # type: ignore[attr-defined]
    change = sights.knowledge.changes.all("jill")[0].id  # type: ignore[attr-defined]
    for view in VIEWS:
        text = jill.get(f"/changes/{change}?view={view}").text
        assert re.findall(r'href="/changes/\d+\?view=(\w+)" aria-current="true"', text) == [view]
        (source,) = re.findall(r'<iframe[^>]* src="([^"]+)"', text)
        assert (passes.read("shown", source.rpartition("/")[2]) or {})["how"] == view.replace("auto", "")
    assert 'view=auto" aria-current' in jill.get(f"/changes/{change}?view=<script>").text


def drawn(sights: Pictures, *colours: str) -> None:
    """Gives each version of the page a screenshot of one colour."""
    pages, knowledge = sights._pages, sights.knowledge  # type: ignore[attr-defined]
    page = knowledge.changes.all("jill")[0].page
    row = knowledge.versions._rows.pages[page]
    for place, colour in enumerate(colours):
        file = BytesIO()
        Image.new("RGB", (1280, 2000 + 100 * place), colour).save(file, "PNG")
        answer = Answer(url="http://shop.test/", status=200, headers=(), body=colour.encode())
        key = pages.keep(answer, picture=file.getvalue()).picture
        row.versions[place] = replace(row.versions[place], picture=key)


def test_pictures_of_the_page_are_swiped_between_before_and_after(
    client: TestClient, passes: Passes, sights: Pictures
):
    assert 'class="swipe"' not in client.get(address(passes, sights, how="images")).text
    drawn(sights, "red", "blue")
    text = client.get(address(passes, sights, how="images")).text
    assert text.count('class="swipe"') == 1
    found = re.findall(r'src="http://shown\.test(/picture/[^"]+)" width="(\d+)" height="(\d+)"', text)
    assert [size[1:] for size in found] == [("1280", "2000"), ("1280", "2100")]
    pictures = [client.get(place) for place, *_ in found]
    assert [one.headers["content-type"] for one in pictures] == ["image/png"] * 2
    assert pictures[0].content != pictures[1].content
    assert 'type="range"' in text


def test_what_differs_in_the_look_alone_is_shown_by_pictures(
    client: TestClient, passes: Passes, sights: Pictures
):
    drawn(sights, "red", "blue")
    changes = sights.knowledge.changes._rows.changes  # type: ignore[attr-defined]
    (number, change), *_ = changes.items()
    region = ObjectChange(
        object="main", status=Status.UPDATED, before="120×40 at 10,200", after="120×40 at 10,220"
    )
    changes[number] = replace(change, findings=(Finding(type="visual", objects=(region,)),))
    text = client.get(address(passes, sights)).text
    assert text.count('<rect x="10"') == 2
    assert 'class="swipe"' in text
    assert 'class="swipe"' not in client.get(address(passes, sights, how="dual")).text


def test_a_pass_for_a_shared_change_does_not_name_its_user(
    passes: Passes, client: TestClient, sights: Pictures
):
    place = address(passes, sights, user=None)
    assert client.get(place).status_code == 200
    assert "user" not in (passes.read("shown", place.rpartition("/")[2]) or {})
