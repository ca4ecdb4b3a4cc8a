"""Searches that a page describes for programs, without a server (S3)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from webvigil.discover.descriptions import described, descriptions_on
from webvigil.discover.questions import Button, Control, Question
from webvigil.discover.views import Views
from webvigil.document import read
from webvigil.model.page import Page
from webvigil.model.version import Answer

OPENSEARCH = "application/opensearchdescription+xml"
TEMPLATE = "/find?q={searchTerms}"


def answer(body: str | bytes, url: str = "http://e.org/") -> Answer:
    raw = body if isinstance(body, bytes) else body.encode()
    return Answer(url=url, status=200, headers=(("Content-Type", "text/html"),), body=raw)


class Web:
    """Answers every address with the same description, and remembers who was asked."""

    def __init__(self, body: str | bytes | None) -> None:
        self.body, self.asked = body, list[str]()

    async def fetch(self, page: Page) -> Answer | None:
        self.asked.append(page.url)
        return None if self.body is None else answer(self.body, page.url)


def found(page: str, web: Web | None = None) -> list[Question]:
    return asyncio.run(described(Views(answer(page), 10_000), web or Web(None)))


def keys(page: str) -> list[str]:
    return descriptions_on(read(page.encode(), "text/html", "http://e.org/d/"))


def data(told: Any, kind: str = "application/ld+json") -> str:
    return f"<script type='{kind}'>{told if isinstance(told, str) else json.dumps(told)}</script>"


def action(target: Any) -> dict[str, Any]:
    return {"@type": "WebSite", "potentialAction": {"@type": "SearchAction", "target": target}}


def link(href: str = "/os.xml", kind: str = OPENSEARCH) -> str:
    return f'<link rel=search type="{kind}" href="{href}">'


def opensearch(*urls: str) -> str:
    return f"<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>{''.join(urls)}</OpenSearchDescription>"


def url(template: str = TEMPLATE, kind: str = "text/html", more: str = "") -> str:
    return f'<Url type="{kind}" template="{template}" {more}/>'


def test_a_search_action_is_a_form_with_one_field():
    (one,) = found(data(action("http://e.org/find?q={search_term_string}&lang=en&page={page}")))
    assert one == Question(
        place="SearchAction",
        action="http://e.org/find",
        method="GET",
        controls=(
            Control(name="q", kind="search", words=("q", "search")),
            Control(name="lang", kind="hidden", value="en", words=("lang",)),
        ),
        buttons=(Button(text="search"),),
    )


@pytest.mark.parametrize(
    "told",
    [
        action("/a?q={q}"),
        action({"@type": "EntryPoint", "urlTemplate": "/a?q={q}"}),
        action(["/a?q={q}"]),
        [[action("/a?q={q}")]],
        {"@graph": [{"x": 1}, action("/a?q={q}")]},
        action([{"urlTemplate": "/a?q={q}"}, {"urlTemplate": 7}, None]),
    ],
)
def test_search_actions_are_found_wherever_they_stand(told: Any):
    assert keys(data(told)) == ["/a?q={q}"]


@pytest.mark.parametrize(
    "page",
    [
        data(action(None)),
        data(action({"url": "/a?q={q}"})),
        data({"@type": "ReadAction", "target": "/a?q={q}", "about": "SearchAction"}),
        data('{"@type": "SearchAction", "target": '),
        data(action("/a?q={q}"), kind="text/javascript"),
        data(action("/a?q={q}") | {"more": "x" * 100_000}),
        "<script>SearchAction</script>",
        "",
    ],
)
def test_what_is_no_search_action_is_left(page: str):
    assert keys(page) == []


@pytest.mark.parametrize(("depth", "is_found"), [(11, True), (12, False)])
def test_structured_data_is_read_to_a_depth(depth: int, is_found: bool):
    listed: Any = {"@type": "SearchAction", "target": "/a?q={q}"}
    named: Any = listed
    for _ in range(depth + 1):
        listed, named = [listed], {"part": named}
    assert bool(keys(data(listed))) is bool(keys(data(named))) is is_found


def test_a_text_that_is_as_long_as_allowed_is_read():
    told = json.dumps(action("/a?q={q}"))
    assert keys(data(told.ljust(100_000))) == ["/a?q={q}"]
    assert keys(data(told.ljust(100_001))) == []


def test_two_of_each_are_enough_and_each_counts_once():
    targets = ["/a?q={q}", "/a?q={q}", "/b?q={q}", "/c?q={q}"]
    links = "".join(map(link, ("/1.xml", "/1.xml", "2.xml", "/3.xml")))
    assert keys(links + data(action(targets))) == [
        "http://e.org/1.xml",
        "http://e.org/d/2.xml",
        "/a?q={q}",
        "/b?q={q}",
    ]


@pytest.mark.parametrize("tag", ["link", "script"])
def test_the_first_two_hundred_elements_of_a_kind_are_looked_at(tag: str):
    other, own = {
        "link": ("<link rel=icon href=/i>", link()),
        "script": ("<script></script>", data(action("/a?q={q}"))),
    }[tag]
    assert len(keys(other * 199 + own)) == 1
    assert keys(other * 200 + own) == []


@pytest.mark.parametrize("wrong", [link(kind="text/xml"), link(href=""), link(href="ftp://e.org/os.xml")])
def test_links_to_something_else_are_left_and_further_ones_are_read(wrong: str):
    assert keys(wrong + link(kind=f" {OPENSEARCH.upper()} ")) == ["http://e.org/os.xml"]


def test_a_linked_description_is_fetched_and_asked_like_a_form():
    web = Web(opensearch(url()))
    (one,) = found(link(), web)
    assert web.asked == ["http://e.org/os.xml"]
    assert (one.place, one.action, [each.name for each in one.controls]) == (
        "OpenSearch",
        "http://e.org/find",
        ["q"],
    )


@pytest.mark.parametrize("kind", ["text/html", "TEXT/HTML", "application/xhtml+xml"])
@pytest.mark.parametrize("more", ["", "method='get'", "method='GET'"])
def test_addresses_for_people_that_are_asked_with_get_count(kind: str, more: str):
    assert len(found(link(), Web(opensearch(url(kind=kind, more=more))))) == 1


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "no xml",
        opensearch(),
        opensearch(url(kind="application/rss+xml")),
        opensearch(url(more="method='post'")),
        opensearch(url(template="/find")),
        opensearch(url(template="/find/{searchTerms}")),
        opensearch(url(template="ftp://e.org/?q={searchTerms}")),
        opensearch("<Url type='text/html'/>"),
    ],
)
def test_a_description_of_something_else_describes_no_search(body: str | None):
    assert found(link(), Web(body)) == []


def test_search_actions_come_before_linked_descriptions_and_two_are_asked():
    page = link() + data(action(["/a?q={q}", "/b?q={s}"]))
    assert [one.action for one in found(page, Web(opensearch(url())))] == ["http://e.org/a", "http://e.org/b"]
    page = link() + data(action("/a?q={q}"))
    assert [one.place for one in found(page, Web(opensearch(url())))] == ["SearchAction", "OpenSearch"]


@pytest.mark.parametrize(
    "name", ["searchTerms", "SEARCHTERMS", "search_term_string", "query", "q", "search_term", "search", "s"]
)
def test_the_place_for_the_words_has_many_names(name: str):
    ((field, paged),) = (
        [(each.name, each.kind) for each in one.controls]
        for one in found(data(action(f"/find?w=a:{{{name}}}&x=&p={{startPage?}}")))
    )
    assert (field, paged) == (("w", "search"), ("x", "hidden"))
