"""What a form of another program needs to make a sentinel: offers, clicks, and the text of it all (U8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.site import Site
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.sentinels.adding import ABOUT, EVERY, MARK
from webvigil.app.sentinels.pick import kinds, picked
from webvigil.app.settings import read_settings
from webvigil.document import read
from webvigil.language import parse
from webvigil.model.contact import KnownContact
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

WORDS = "The lamps of this shop are made by hand in the old mill at the river. " * 8
URL = "https://shop.test/lamps"
PAGE = (
    "<title>Lamps</title><main><table><tr><th>what<th>price<tr><td>lamp<td>3</table>"
    "<ul><li>one<li>two<li>three</ul><p>Open <b>every day</b>.</p><p>Lamp <i>49,00 €</i></p>"
    "<img src=a.png alt=A></main>"
)


@pytest.fixture
def reader(knowledge: MemoryKnowledge, tmp_path: Path) -> Iterator[TestClient]:
    """Yields a program with the least scope: none of these routes writes anything."""
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0"}
    application = create_application(knowledge, read_settings(given, environment={}))
    secret = new_api_token(knowledge, knowledge.users.get("jill"), "browser", "read")
    with TestClient(application, headers={"authorization": f"Bearer {secret}"}) as client:
        yield client


def marked(html: str) -> tuple[str, dict[int, int]]:
    """Returns the page as a browser sends it, each element with a number, and the node of our tree by the
    number."""
    digest = read(html.encode(), "text/html; charset=utf-8", URL)
    elements = [node for node in range(len(digest)) if not digest.tag(node).startswith(("#", "?", "!"))]
    numbers = dict(enumerate(elements))
    text = _written(digest, 0, {node: at for at, node in numbers.items()})
    return text, numbers


def _written(digest: Any, node: int, numbers: dict[int, int]) -> str:
    tag = digest.tag(node)
    inner = "".join(_written(digest, child, numbers) for child in digest.children(node))
    if node not in numbers:
        return inner if tag == "#document" else (digest.text(node) if tag == "#text" else "")
    said = "".join(f' {name}="{value}"' for name, value in digest.attribute_pairs(node))
    end = "" if tag in ("img", "br") else f"</{tag}>"
    return f'<{tag}{said} {MARK}="{numbers[node]}">{inner}{end}'


class TestOffers:
    def test_they_are_those_of_the_dashboard(self, reader: TestClient, knowledge: MemoryKnowledge):
        knowledge.contacts.put(KnownContact(user="jill", channel="email", address="jill@example.org"))
        knowledge.contacts.put(KnownContact(user="jill", channel="feed", address=""))
        with Site() as site:
            page = site.page(
                "/",
                f"<header>Top</header>{PAGE}<footer>Below</footer>".replace(
                    "<main>", f"<main><p>{WORDS}</p>"
                ),
            )
            told = reader.post("/api/v1/offers", json={"url": page.url}).json()
        assert (told["title"], told["name"]) == ("Lamps", "lamps")
        best = [one for one in told["offers"] if one["recommended"]]
        assert len(best) == 1
        assert all(one["about"] == ABOUT.get(one["kind"], "") for one in told["offers"])
        main = next(one for one in told["offers"] if one["kind"] == "main")
        assert (main["label"], main["within"]) == ("The main part", "main")
        assert [one["value"] for one in told["every"]] == list(EVERY)
        assert "email jill@example.org" in {one["value"] for one in told["tell"]}
        assert not [one for one in told["tell"] if "feed" in one["value"]]

    def test_without_a_look_nothing_is_fetched(self, reader: TestClient):
        with Site() as site:
            page = site.page("/", PAGE)
            asked = {"url": page.url, "look": False, "title": "The lamp – Shop"}
            told = reader.post("/api/v1/offers", json=asked).json()
            assert page.hits == 0
        assert (told["name"], told["offers"]) == ("the-lamp", [])

    @pytest.mark.parametrize("url", ["", "nonsense:/x", "http://", "ftp://x.test/", "http://10.0.0.1/"])
    def test_what_cannot_be_watched_is_refused_with_a_reason(self, reader: TestClient, url: str):
        answer = reader.post("/api/v1/offers", json={"url": url})
        assert 400 <= answer.status_code < 500
        assert answer.json()["detail"]


class TestClicks:
    def test_each_element_means_what_it_means_in_the_dashboard(self, reader: TestClient):
        html, numbers = marked(PAGE)
        digest = read(html.encode(), "text/html; charset=utf-8", URL)
        ours = kinds(digest)
        told = reader.post("/api/v1/pick", json={"url": URL, "html": html}).json()
        assert {numbers[int(at)]: kind for at, kind in told["kinds"].items()} == ours
        assert {"table", "list", "text", "value", "picture"} <= set(told["kinds"].values())
        for at, node in numbers.items():
            answer = reader.post("/api/v1/pick", json={"url": URL, "html": html, "at": at})
            if digest.hidden[node]:
                assert answer.status_code == 404
                continue
            found = picked(digest, node)
            said = answer.json()
            assert said["chosen"] == found.chosen
            for one, same in zip(said["choices"], found.choices, strict=True):
                assert all(one[name] == getattr(same, name) for name in one)
                assert MARK not in one["monitor"] + one["within"], "the number is not part of the page"

    def test_hostile_numbers_and_pages(self, reader: TestClient):
        for html in (
            "",
            "<p>",
            f'<p {MARK}="-1">x',
            f'<p {MARK}="1e9">x',
            f'<p {MARK}="{"9" * 400}">x',
            "\x00",
        ):
            asked = {"url": URL, "html": html}
            assert reader.post("/api/v1/pick", json=asked).status_code == 200
            assert reader.post("/api/v1/pick", json={**asked, "at": 7}).status_code == 404
        two = f'<p {MARK}="1">one</p><p {MARK}="1">two</p>'
        assert reader.post("/api/v1/pick", json={"url": URL, "html": two, "at": 1}).status_code == 200
        large = "<p>x" * 50_000
        refused = reader.post("/api/v1/pick", json={"url": URL, "html": large})
        assert refused.status_code == 422
        assert "too large" in refused.json()["detail"]
        for wrong in ({"at": -1}, {"at": "x"}, {"html": 5}, {"more": 1}):
            assert reader.post("/api/v1/pick", json={"url": URL, "html": "", **wrong}).status_code == 422


class TestComposing:
    def test_fields_become_the_text_of_a_sentinel(self, reader: TestClient):
        form = {
            "url": URL,
            "name": "the lamp",
            "monitor": 'value css "i"',
            "within": "div.a > p",
            "fetch": "1 hour",
            "notify": "email jill@example.org Every 1 day",
            "topic": "home, money",
        }
        text = reader.post("/api/v1/compose", json=form).json()["text"]
        (made,) = parse(text)
        assert (made.name, made.topics, made.render) == ("the lamp", ("home", "money"), None)
        rendered = reader.post("/api/v1/compose", json=form | {"render": "browser"}).json()["text"]
        assert parse(rendered)[0].render == "browser"
        assert [(one.channel, one.address) for one in made.contacts] == [("email", "jill@example.org")]
        least = reader.post("/api/v1/compose", json={"url": URL, "name": "x"}).json()["text"]
        assert parse(least)[0].monitor is None

    @pytest.mark.parametrize(
        "wrong",
        [
            {"monitor": "Notify By email x@y.z"},
            {"within": 'css "a" Monitor all links'},
            {"fetch": "never"},
            {"notify": "pigeon home"},
            {"url": "javascript:alert(1)"},
        ],
    )
    def test_a_field_cannot_say_more_than_its_clause(self, reader: TestClient, wrong: dict[str, str]):
        answer = reader.post("/api/v1/compose", json={"url": URL, "name": "x"} | wrong)
        if answer.status_code == 200:  # A strange selector is a selector: it stays within its quotes.
            (made,) = parse(answer.json()["text"])
            assert not made.contacts
            assert made.monitor is None
            assert "within" in wrong
        else:
            assert answer.json()["detail"]
