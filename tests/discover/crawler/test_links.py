"""The leads on a page are found: links, areas, frames and refreshes, unless the page forbids it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from webvigil.discover.crawler.lead import Lead
from webvigil.discover.crawler.links import leads_on
from webvigil.document import read
from webvigil.model.version import Answer

HERE = Lead(url="http://a.test/dir/page", depth=2)


def leads(body: str, *headers: tuple[str, str], most: int = 100) -> list[Lead]:
    told = (("content-type", "text/html"), *headers)
    answer = Answer(url=HERE.url, status=200, headers=told, body=body.encode())
    return leads_on(read(answer.body, "text/html", HERE.url), answer, source=HERE, most=most)


def test_links_areas_frames_and_refreshes_lead_on():
    found = leads(
        "<meta http-equiv=Refresh content='5; URL=\"/next\"'>"
        "<a href=x>An <b>x</b></a><map><area href=/y alt=Why></map><iframe src=//b.test/z title=Zed></iframe>"
    )
    assert [(one.how, one.url, one.words) for one in found] == [
        ("refresh", "http://a.test/next", ""),
        ("link", "http://a.test/dir/x", "An x"),
        ("area", "http://a.test/y", "Why"),
        ("frame", "http://b.test/z", "Zed"),
    ]
    assert {one.depth for one in found} == {3}
    assert {one.source for one in found} == {HERE.url}


def test_a_base_counts_and_an_address_is_named_once():
    found = leads("<base href=http://c.test/d/><a href=e>one</a><a href=./e#part>two</a>")
    assert [(one.url, one.words) for one in found] == [("http://c.test/d/e", "one")]


def test_what_is_no_page_of_the_web_is_left_out():
    body = "<a href=mailto:x@a.test><a href='javascript:x()'><a href=ftp://a.test/x><a href=p.pdf><a href='http://['>"
    assert leads(body) == []


def test_who_asks_robots_not_to_follow_is_heard():
    links = "<a href=/x>x</a>"
    assert leads("<a rel='nofollow noopener' href=/y>y</a>" + links)[0].url == "http://a.test/x"
    assert leads("<meta name=robots content='noindex, NOFOLLOW'>" + links) == []
    assert leads("<meta name=robots content=none>" + links) == []
    assert leads(links, ("X-Robots-Tag", "nofollow")) == []
    assert len(leads("<meta name=robots content=noindex>" + links)) == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/user/logout/?next=/", "keeper"),
        ("/x", "Log out"),
        ("/x", "Delete this topic"),
        ("/comment/delete/1/", "×"),
        ("/index.php?action=delete&id=7", "x"),
        ("/deleteComment?id=7", "x"),
        ("/x", "Abmelden"),
        ("/x", "ログアウト"),
        ("/stories/7/upvote", "▲"),
        ("/x", "Add to cart"),
    ],
)
def test_links_that_act_as_soon_as_they_are_followed_are_left_alone(address: str, words: str):
    assert leads(f"<a href='{address}'>{words}</a>") == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/how-to-remove-rust", "How to remove rust"),
        ("/wiki/Removed_rules", "Removed rules of the harbour office"),
        ("/votes", "Votes of the council"),
        ("/login", "Log in"),
        ("/contact", "Contact"),
        ("/search?q=how+to+delete+a+file", "again"),
    ],
)
def test_links_that_only_speak_of_it_are_followed(address: str, words: str):
    assert len(leads(f"<a href='{address}'>{words}</a>")) == 1


def test_a_page_of_fifty_thousand_links_gives_as_many_as_are_wanted():
    assert len(leads("".join(f"<a href=/{n}>{n}</a>" for n in range(50_000)), most=40)) == 40


@given(st.lists(st.sampled_from(["/a", "b", "../c?d=1", "http://b.test/e", "#f", "?g=h"]), max_size=12))
def test_links_are_those_that_another_parser_finds(written: list[str]):
    body = "<p>" + "".join(f"<a href='{one}'>x</a>" for one in written) + "</p>"
    tree = html.fromstring(f"<html><body>{body}</body></html>")
    tree.make_links_absolute(HERE.url)
    expected = dict.fromkeys(str(one).partition("#")[0] for one in tree.xpath("//a/@href"))
    assert [one.url for one in leads(body)] == list(expected)
