"""Each form is asked once in a crawl, and a dry run asks nothing (S5)."""

from __future__ import annotations

import asyncio

import pytest

from webvigil.discover.crawler.asking import Asking, form_key, shape_key
from webvigil.document import read
from webvigil.document.forms import Form
from webvigil.errors import PageRefused
from webvigil.fetch.client import Cookies
from webvigil.model.page import Page
from webvigil.model.version import Answer

URL = "http://e.org/find"
AGAIN = "this form was asked before, on another page"
DRY = "nothing is asked in a dry run"


def form(markup: str) -> Form:
    (one,) = read(markup.encode(), "text/html", "http://e.org/d/").forms
    return one


async def answered(page: Page, cookies: Cookies) -> Answer:
    return Answer(url=page.url, status=200, headers=(), body=b"")


def said(asking: Asking, page: Page) -> str:
    try:
        return asyncio.run(asking(page, Cookies())).url
    except PageRefused as error:
        return str(error)


def page(*names: str, method: str = "GET", url: str = URL) -> Page:
    return Page(url=url, method=method, fields=tuple((name, "apple") for name in names))  # type: ignore[arg-type]


ASKED = "<form action='/find?old=1'><input name=q><input name=sort></form>"


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        (page("q", "sort"), AGAIN),
        (page("q"), AGAIN),
        (page("q", "more"), URL),
        (page(), URL),
        (page("q", method="POST"), URL),
        (page("q", url="http://e.org/other"), "http://e.org/other"),
    ],
)
def test_a_form_that_was_asked_on_another_page_is_not_asked_again(asked: Page, outcome: str):
    assert said(Asking(answered, [form(ASKED)]), asked) == outcome


@pytest.mark.parametrize("method", ["POST", "MULTIPART"])
def test_a_form_that_is_posted_is_known_by_its_whole_address(method: str):
    known = [form(ASKED.replace("<form", "<form method=post"))]
    assert said(Asking(answered, known), page("q", method=method, url=f"{URL}?old=1")) == AGAIN
    assert said(Asking(answered, known), page("q", method=method)) == URL


def test_a_dry_run_remembers_the_first_twenty_requests_and_makes_none():
    asking = Asking(answered, dry_run=True)
    assert [said(asking, page("q", url=f"http://e.org/{number}")) for number in range(21)] == [DRY] * 21
    assert [one["url"] for one in asking.would_ask] == [f"http://e.org/{number}" for number in range(20)]
    assert asking.would_ask[0] == {"method": "GET", "url": "http://e.org/0", "fields": {"q": "apple"}}


def test_a_known_form_is_not_among_what_a_dry_run_would_ask():
    asking = Asking(answered, [form(ASKED)], dry_run=True)
    assert (said(asking, page("q")), asking.would_ask) == (AGAIN, [])


def test_forms_have_one_key_where_they_send_the_same_fields_to_the_same_address():
    one = form("<form action=/f?a=1><input name=q><input name=x type=hidden value=1><input></form>")
    other = form("<form action=/f?b=2><input name=x type=hidden value=2><input name=q></form>")
    assert form_key(one) == form_key(other)
    assert form_key(one, exact=True) != form_key(other, exact=True)
    same = form("<form action=/f><input name=x type=hidden value=1><input name=q></form>")
    assert form_key(one, exact=True) == form_key(same, exact=True)
    assert form_key(one) != form_key(form("<form action=/g><input name=q><input name=x></form>"))
    assert form_key(one) != form_key(form("<form action=/f><input name=q></form>"))
    assert form_key(one) != form_key(form("<form method=post action=/f><input name=q><input name=x></form>"))


def test_forms_of_one_shape_are_on_one_host_and_have_the_same_fields():
    def key(action: str, name: str = "q") -> str:
        return shape_key(form(f"<form action={action}><input name={name}></form>"))

    assert key("/a") == key("/b?x=1") == key("http://e.org/c")
    assert key("/a") != key("http://other.org/a")
    assert key("/a") != key("/a", "w")
