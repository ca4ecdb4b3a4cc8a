"""Tests of requests with a method, headers, a query and a body of their own: what a real server gets."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from tests.fetch.fetching import Looks, fetch
from tests.site import Site, SitePage
from webvigil.errors import PageRefused
from webvigil.fetch.login import Login
from webvigil.language import parse
from webvigil.model.page import Page
from webvigil.rules.install import fetching_of, pages


def page_for(target: str) -> Page:
    (sentinel,) = parse(f"Create Sentinel s Using {target}")
    (found,) = pages(sentinel.target, fetching_of(sentinel), lambda name: ())
    return found


def api(site: Site, path: str = "/api") -> SitePage:
    """Returns a page that answers every method."""
    return site.page(path, "[1]").allows("GET", "HEAD", "POST", "PUT", "PATCH")


def test_a_request_arrives_as_it_was_said(site: Site):
    page = api(site)
    asked = (
        f'request PUT {page.url} header Accept "application/json" header X-Key "a: b" '
        'query {page = 2, q = "a b&c"} json {"q": "ü"}'
    )
    fetch(page_for(asked))
    (request,) = [one for one in site.log.requests if one.path == "/api"]
    assert request.method == "PUT"
    assert request.query == (("page", "2"), ("q", "a b&c"))
    assert request.headers["Accept"] == "application/json"
    assert request.headers["X-Key"] == "a: b"
    assert request.headers["Content-Type"] == "application/json"
    assert request.body == '{"q": "ü"}'.encode()


@pytest.mark.parametrize(
    ("said", "kind", "body"),
    [
        ('POST {} body "a\\nb"', "text/plain; charset=utf-8", b"a\nb"),
        ("POST {} form {{a = 1, b = x y}}", "application/x-www-form-urlencoded", b"a=1&b=x+y"),
        ("PATCH {} form {{a = 1}}", "application/x-www-form-urlencoded", b"a=1"),
        ('POST {} json "[1]" header content-type "application/vnd.x+json"', "application/vnd.x+json", b"[1]"),
    ],
)
def test_a_body_has_its_kind(site: Site, said: str, kind: str, body: bytes):
    page = api(site)
    fetch(page_for("request " + said.format(page.url)))
    assert (page.requests[0].headers["Content-Type"], page.requests[0].body) == (kind, body)
    assert len(page.requests[0].headers.getall("Content-Type")) == 1


def test_what_is_sent_with_a_body_is_never_asked_with_conditions(site: Site):
    page = api(site)
    looks = Looks(page_for(f'request POST {page.url} json "1"'))
    looks.times(3)
    assert [one.method for one in page.requests] == ["POST"] * 3
    assert not any(
        "If-None-Match" in one.headers or "If-Modified-Since" in one.headers for one in page.requests
    )


def test_headers_do_not_keep_a_page_from_being_asked_with_conditions(site: Site):
    page = api(site)
    looks = Looks(page_for(f'request {page.url} header Accept "text/x"'))
    assert looks.look().answer is not None
    assert looks.look().answer is None
    assert [one.headers["Accept"] for one in page.requests] == ["text/x"] * 2
    assert page.requests[1].status == 304


def test_robots_are_asked_first(site: Site):
    site.page("/robots.txt", "User-agent: *\nDisallow: /api")
    page = api(site)
    with pytest.raises(PageRefused, match=r"robots\.txt"):
        fetch(page_for(f'request POST {page.url} json "1"'))
    assert page.hits == 0


def login_for(site: Site, **secrets: str) -> Login:
    return Login(url=site.url, secrets=tuple(secrets.items()))


def test_a_secret_is_sent_by_its_name_and_shown_nowhere(site: Site, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    page = api(site)
    asked = page_for(f'request {page.url} header Authorization "Bearer " secret token')
    fetched = fetch(asked, login=login_for(site, token="s3cret-s3cret"))
    assert page.requests[0].headers["Authorization"] == "Bearer s3cret-s3cret"
    for shown in (repr(asked), asked.key, repr(fetched.validators), caplog.text):
        assert "s3cret" not in shown


@pytest.mark.parametrize(
    ("secrets", "said"),
    [
        ({}, "there is no secret 'token' in the log-in for"),
        ({"token": "a\r\nHost: b"}, "the secret 'token' has a character that cannot be sent in a header"),
    ],
)
def test_a_secret_that_cannot_be_sent_is_said_without_repeating_it(
    site: Site, secrets: dict[str, str], said: str
):
    page = api(site)
    with pytest.raises(PageRefused) as refused:
        fetch(page_for(f"request {page.url} header X-Key secret token"), login=login_for(site, **secrets))
    assert said in str(refused.value)
    assert "Host: b" not in str(refused.value)
    assert page.hits == 0


def test_a_secret_of_another_site_is_not_sent(site: Site, another_site: Any):
    other = another_site("127.0.0.2")
    page = api(site)
    with pytest.raises(PageRefused, match="there is no secret 'token'"):
        fetch(page_for(f"request {page.url} header X-Key secret token"), login=login_for(other, token="x"))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_headers_stay_at_their_origin(site: Site, another_site: Any, status: int):
    other = api(another_site("127.0.0.2"), "/there")
    page = api(site)
    page.redirects_to(other.url, status)
    asked = f'request POST {page.url} header X-Key "a " secret token header X-B "b" json "1"'
    fetch(page_for(asked), login=login_for(site, token="t0ken"))
    (arrived,) = other.requests
    assert "X-Key" not in arrived.headers
    assert "X-B" not in arrived.headers
    assert (arrived.method, arrived.body) == (("POST", b"1") if status > 306 else ("GET", b""))
    assert ("application/json" in arrived.headers.get("Content-Type", "")) == (status > 306)


@pytest.mark.parametrize("status", [302, 307])
def test_headers_go_along_within_their_origin(site: Site, status: int):
    there = api(site, "/there")
    page = api(site)
    page.redirects_to(there.url, status)
    fetch(page_for(f'request PUT {page.url} header X-B "b" json "1"'))
    (arrived,) = there.requests
    assert arrived.headers["X-B"] == "b"
    assert arrived.method == ("PUT" if status == 307 else "GET")


def test_a_redirect_into_the_private_network_is_refused(site: Site, another_site: Any):
    page = api(site)
    page.redirects_to("http://10.0.0.1/", 307)
    with pytest.raises(PageRefused, match="not a public address"):
        fetch(page_for(f'request POST {page.url} json "1"'))


# --- identity -------------------------------------------------------------------------------------


def test_equal_requests_are_one_page():
    url = "https://a.example/x"
    assert page_for(f"request {url}") == page_for(url) == page_for(f"request GET {url}")
    assert page_for(f"request {url} query {{a = b c}}") == page_for(f"{url}?a=b+c")
    assert page_for(f"request POST {url} form {{a = b}}") == page_for(f"form POST {url} {{a = b}}")
    assert page_for(f'request {url} header A "b"').key == page_for(f'request {url} header A "b"').key


def test_other_requests_are_other_pages():
    url = "https://a.example/x"
    said = (
        url,
        f"request POST {url}",
        f"request PUT {url}",
        f'request POST {url} json "1"',
        f'request POST {url} json "2"',
        f'request POST {url} body "1"',
        f'request {url} header A "b"',
        f'request {url} header A "c"',
        f'request {url} header A "b" secret c',
        f'request {url} header A "b" header C "d"',
    )
    assert len({page_for(one).key for one in said}) == len(said)


def test_a_page_with_a_log_in_is_another_one():
    page = page_for("request https://a.example/ header A secret b")
    assert replace(page, login="1").key != replace(page, login="2").key
