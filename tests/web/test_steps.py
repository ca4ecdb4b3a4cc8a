"""Steps made by doing: a picture after each, the next one chosen on it (K1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.browser import needs_chromium
from tests.fetch.test_steps import FORM
from tests.site import Site, SitePage
from tests.web.doors import browser_of
from tests.web.test_adding import form_of, texts
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.document.screenshot import media_type, read_screenshot
from webvigil.language import parse
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.dashboard.steps import WIDTH, Tried, _with_added

pytestmark = needs_chromium


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0", "step_timeout": "2"}
    made = create_application(knowledge, read_settings(given, environment={}))
    made.state.passes, made.state.shown_port = Passes(b"k" * 32), 4
    return made


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "jill") as client:
        yield client


@pytest.fixture
def door(site: Site) -> SitePage:
    site.page("/home", "<h1>Welcome</h1><p>Two orders").requires_cookie("id", "7")
    site.page("/enter").answers(302, headers={"Location": "/home", "Set-Cookie": "id=7; path=/"})
    return site.page("/door", f"<title>Door</title>{FORM}")


class Hand:
    """A user of the page /add/steps, who sends back what the page shows together with the next step."""

    def __init__(self, client: TestClient, application: FastAPI, url: str) -> None:
        self._client = client
        self._pages = application.state
        self.text = client.get("/add/steps", params={"url": url}).text
        self.sends(until="-1")

    def sends(self, **more: str) -> None:
        found: dict[str, object] = {"url": self.field("url"), "at": self.field("at"), "steps": self.steps}
        found |= {"shots": re.findall(r'name="shots" value="([^"]+)"', self.text)}
        answer = self._client.post("/add/steps", data=found | more)
        self.status, self.text = answer.status_code, answer.text

    def field(self, name: str) -> str:
        found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', self.text)
        return unescape(found[1]) if found else ""

    @property
    def steps(self) -> str:
        return unescape(re.search(r"<textarea[^>]*>([^<]*)</textarea>", self.text)[1])

    def clicks(self, tag: str, number: int = 0) -> None:
        """Clicks into the middle of an element in the newest picture."""
        token = re.findall(r'name="shots" value="([^"]+)"', self.text)[-1]
        told = self._pages.passes.read("steps", token)
        picture = read_screenshot(self._pages.pages.picture(told["picture"]))
        boxes = [b for t, b in zip(picture.places.tags, picture.places.boxes, strict=True) if t == tag]
        box, scale = boxes[number], WIDTH / picture.pixels.shape[1]
        middle = (box.left + box.width / 2) * scale, (box.top + box.height / 2) * scale
        self.sends(**{"place.x": str(int(middle[0])), "place.y": str(int(middle[1]))})

    @property
    def offers(self) -> list[str]:
        return [unescape(one) for one in re.findall(r'name="add" value="([^"]*)"', self.text)]


def test_a_log_in_is_made_by_clicks_on_pictures(
    jill: TestClient, application: FastAPI, knowledge: MemoryKnowledge, door: SitePage, site: Site
):
    kept = {"url": f"{site.url}/", "secrets": ["word=s3cret"]}
    assert jill.put("/api/v1/logins", json=kept).status_code == 204
    assert jill.get("/api/v1/logins").json() == [{"url": f"{site.url}/", "secrets": ["word"]}]
    hand = Hand(jill, application, door.url)
    assert "After opening it" in hand.text
    hand.clicks("input", 0)
    assert hand.offers[0] == 'type css "#user"'
    hand.sends(add=hand.offers[0], typed="jill")
    assert hand.steps == 'type css "#user" "jill"'
    hand.clicks("input", 1)
    assert re.search(r"<option selected>word</option>", hand.text), "a secret is offered for a password"
    hand.sends(add=hand.offers[0], secret="word")
    hand.clicks("select")
    assert hand.offers[0] == 'choose css "#size"'
    assert "<option>Large</option>" in hand.text
    hand.sends(add=hand.offers[0], typed="Large")
    hand.clicks("button")
    assert hand.offers[0] == 'click text "Log in"'
    hand.sends(add=hand.offers[0])
    assert hand.steps.splitlines() == [
        'type css "#user" "jill"',
        'type css "#pass" secret word',
        'choose css "#size" "Large"',
        'click text "Log in"',
    ]
    onward = unescape(re.search(r'href="(/add\?[^"]+)"', hand.text.partition("Choose what")[0])[1])
    seen = jill.get(onward).text
    assert "Two orders" in seen
    assert "Reached in 4 steps" in seen
    assert (
        jill.post("/add", data=form_of(seen) | {"name": "orders"}).headers["location"] == "/sentinels/orders"
    )
    (one,) = parse(texts(knowledge)["orders"])
    assert [step.do for step in one.steps] == ["type", "type", "choose", "click"]
    assert "s3cret" not in texts(knowledge)["orders"]


def test_a_step_that_fails_is_shown_and_tried_again_from_before(
    jill: TestClient, application: FastAPI, door: SitePage
):
    hand = Hand(jill, application, door.url)
    hand.sends(steps='type css "#user" "jill"\nclick css "#gone"\npress Enter', until="-1")
    assert "step 2 failed: click css &#34;#gone&#34;: there was no such element" in hand.text
    failed = re.search(r'src="(/add/steps/picture\?token=[^"]+)" alt="What the browser showed', hand.text)[1]
    picture = jill.get(unescape(failed))
    assert (picture.status_code, media_type(picture.content)) == (200, "image/jpeg")
    hand.sends(until="1")
    assert "After step 1" in hand.text
    assert hand.steps.splitlines()[2] == "press Enter", "later steps stay"
    hand.clicks("button")
    hand.sends(add=hand.offers[0])
    assert hand.steps.splitlines()[1] == 'click text "Log in"', "the new step is put where the try ended"


def test_what_is_no_step_is_said(jill: TestClient, application: FastAPI, door: SitePage):
    hand = Hand(jill, application, door.url)
    hand.sends(steps="press Enter\nclik it", until="-1")
    assert hand.status == 400
    assert "did you mean click?" in unescape(hand.text)
    hand.sends(steps='run "1"', until="-1")
    assert "scripts do not run here" in hand.text


def test_a_picture_is_for_whoever_took_it(
    jill: TestClient, application: FastAPI, knowledge: MemoryKnowledge, door: SitePage
):
    hand = Hand(jill, application, door.url)
    place = unescape(re.search(r'src="(/add/steps/picture\?token=[^"]+)"', hand.text)[1])
    assert jill.get(place).status_code == 200
    with browser_of(application, knowledge, "jack") as jack:
        assert jack.get(place).status_code == 404


@pytest.mark.parametrize(("at", "keys", "until"), [(0, "CAB", 1), (1, "ACB", 2), (9, "ABC", 3)])
def test_a_chosen_step_stands_behind_those_that_were_tried_and_is_tried_next(at: int, keys: str, until: int):
    form = _with_added(Tried(steps="press A\npress B", at=at, add="press C"))
    assert (form.steps, form.until, form.add) == ("\n".join(f'press "{key}"' for key in keys), until, "")
