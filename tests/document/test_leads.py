"""Which links of a page a program may follow (B7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.leads import does_something, is_readable, leads

HERE = "https://site.test/news/"


def followed(markup: str, kind: str = "text/html") -> list[str]:
    return [url.removeprefix("https://site.test") for url in leads(read(markup.encode(), kind, HERE))]


def test_anchors_lead_on_and_nothing_else_does():
    page = """<a href=a>A</a><area href=/b><form action=/c><input value=https://site.test/d>
        <button formaction=/e>
        </button></form><link href=/f><img src=/g><a name=h>H</a><a href="mailto:x@y.z">m</a>
        <a href="javascript:void(0)">j</a><a href="ftp://site.test/k">f</a>"""
    assert followed(page) == ["/news/a", "/b"]


def test_entries_of_a_feed_lead_on():
    feed = "<rss><channel><item><link>https://site.test/1</link></item></channel></rss>"
    assert followed(feed, "application/rss+xml") == ["/1"]


def test_downloads_and_what_the_site_asks_not_to_follow_are_left():
    page = "<a href=/a download>A</a><a href=/b rel='external NoFollow'>B</a><a href=/c rel=next>C</a>"
    assert followed(page) == ["/c"]


@pytest.mark.parametrize(
    "url",
    ["/a.jpg", "/a.tar.gz", "/A.ZIP?x=1", "/film.mp4", "/style.css", "/letter.docx"],
)
def test_what_holds_nothing_to_read_is_left(url: str):
    assert not is_readable(f"https://site.test{url}")


@pytest.mark.parametrize(
    "url", ["/", "/a", "/a.html", "/a.pdf", "/feed.xml", "/v1.2/notes", "/zip", "/x.php?f=a.zip"]
)
def test_what_may_be_a_document_is_followed(url: str):
    assert is_readable(f"https://site.test{url}")


@pytest.mark.parametrize(
    "url",
    [
        "/logout",
        "/users/sign_out",
        "/account/logOut",
        "/wp-login.php?action=logout&_wpnonce=1",
        "/items/7/delete",
        "/items?do=delete&id=7",
        "/delete-item",
        "/newsletter/unsubscribe/abc",
        "/konto/abmelden",
        "/konto/l%C3%B6schen",
        "/shop/add-to-cart/7",
        "/u/sign-off",
    ],
)
def test_what_looks_as_if_it_did_something_is_never_followed(url: str):
    assert does_something(f"https://site.test{url}")


@pytest.mark.parametrize(
    "url",
    ["/news/signs-of-life", "/how-to-delete-a-branch", "/blog/outlook", "/annual-report", "/catalogout"],
)
def test_what_only_speaks_of_it_is_followed(url: str):
    assert not does_something(f"https://site.test{url}")


@pytest.mark.parametrize("text", ["Sign out", "Log out", "Delete", "Abmelden", " log\n off "])
def test_the_name_of_a_link_counts_too(text: str):
    assert followed(f"<a href=/x?7>{text}</a>") == []
    assert followed(f"<a href=/x?7>{text} and what it means for the town</a>") == ["/x?7"]


def test_addresses_with_a_password_or_without_end_are_left():
    assert not is_readable("https://jill:secret@site.test/")
    assert not is_readable("https://site.test/" + "a" * 2_000)
    assert not is_readable("https://[::1/")


@given(st.text(max_size=60))
def test_whatever_is_written_as_an_address_gives_an_answer(text: str):
    page = f'<a href="{text.replace(chr(34), "")}">x</a>'
    for url in leads(read(page.encode("utf-8", "replace"), "text/html", HERE)):
        assert url.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("url", "readable"),
    [
        ("https://site.test/" + "a" * 1_982, True),
        ("https://site.test/" + "a" * 1_983, False),
        ("http://site.test", True),
        ("ftp://site.test/a", False),
        ("https://site.test/a.ZIP", False),
        ("https://site.test/a.zip/b", True),
        ("https://site.test/a.zip/", True),
        ("https://a.zip/", True),
        ("https://site.test/zip", True),
        ("https://jill@site.test/", False),
        ("https://site.test/@jill", True),
        ("https://[::1/", False),
    ],
)
def test_a_document_may_stand_at_an_address(url: str, readable: bool):
    assert is_readable(url) is readable


@pytest.mark.parametrize(
    ("path", "does"),
    [
        ("/a-b-delete", True),
        ("/delete-a-b", True),
        ("/a-delete-b", False),
        ("/a-b-c-delete", False),
        ("/delete-a-b-c", False),
        ("/x-sign-out", True),
        ("/sign-x-out", False),
        ("/out-sign", False),
        ("/x?y=1&delete", True),
        ("/x;delete", True),
        ("/addToBasket", True),
        ("/toCart", True),
        ("/cerrar_sesi%C3%B3n", True),
        ("/x#delete", False),
        ("/", False),
    ],
)
def test_a_deed_is_the_first_or_last_of_at_most_three_words(path: str, does: bool):
    assert does_something(f"https://site.test{path}") is does


@pytest.mark.parametrize(
    ("name", "count"), [("Delete", 0), (f"Delete {'a' * 33}", 0), (f"Delete {'a' * 34}", 1)]
)
def test_a_name_of_more_than_forty_characters_is_no_deed(name: str, count: int):
    assert len(followed(f"<a href=/x>{name}</a>")) == count


def test_each_link_leads_on_as_often_as_it_stands_there():
    assert followed("<a href=/x>a</a><a href=/x>b</a><area value=https://site.test/y>") == ["/x", "/x"]
    assert followed("<a value=https://site.test/y>y</a><a href=/z download>z</a><a href=/z rel=x>z</a>") == [
        "/z"
    ]
