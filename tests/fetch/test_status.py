"""The state of a page: up or down, its status, where it leads to, when its certificate ends."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fetch.fetching import fetch
from tests.site import Site, SitePage
from tests.site.certificates import Authority
from webvigil.detect.status import facts, status_of
from webvigil.document import read
from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Reply
from webvigil.fetch.status import state_of
from webvigil.model.page import Page
from webvigil.model.version import Answer


def state(page: SitePage, **options: Any) -> dict[str, str]:
    answer = fetch(Page(url=page.url, render="status"), **options).answer
    assert answer is not None
    return {name: one.text for name, one in facts(read(answer.body)).items()}


def test_a_page_that_answers_is_up(site: Site):
    page = site.page("/a", "<p>one")
    assert state(page) == {"state": "up", "status": "200 OK", "address": page.url}


@pytest.mark.parametrize(
    ("status", "said"),
    [(404, "404 Not Found"), (410, "410 Gone"), (500, "500 Internal Server Error")],
)
def test_a_page_that_answers_an_error_is_down_and_no_failure(site: Site, status: int, said: str):
    page = site.page("/a", "<p>one").answers(status)
    assert state(page) == {"state": "down", "status": said, "address": page.url}


def test_where_a_page_leads_to_is_told(site: Site):
    there = site.page("/new", "<p>moved")
    assert state(site.page("/old").redirects_to(there))["address"] == there.url


def test_a_host_that_does_not_answer_is_down_with_the_reason(site: Site):
    page = site.page("/a", "<p>one")
    site.goes_down()
    found = state(page)
    assert (found["state"], "status" in found) == ("down", False)
    assert "no connection to 127.0.0.1" in found["reason"]


def test_what_is_forbidden_is_a_failure_and_not_a_state(site: Site):
    page = site.page("/a", "<p>one")
    with pytest.raises(PageRefused, match="not a public address"):
        fetch(Page(url=page.url, render="status"), allowed=())
    site.robots("User-agent: *\nDisallow: /")
    with pytest.raises(PageRefused):
        fetch(Page(url=page.url, render="status"))


@pytest.mark.parametrize(("days", "said"), [(60, "valid until"), (13, "ends soon:")])
def test_the_end_of_a_certificate_is_told(another_site: Any, tmp_path: Path, days: int, said: str):
    authority = Authority(tmp_path)
    site = another_site(tls=authority.server("127.0.0.1", valid_for=timedelta(days=days)))
    ends = datetime.now(UTC) + timedelta(days=days)
    found = state(site.page("/a", "x"), ca_file=authority.file)
    assert found["certificate"] == f"{said} {ends:%Y-%m-%d}"


def test_a_certificate_that_is_not_valid_means_down(another_site: Any, tmp_path: Path):
    site = another_site(tls=Authority(tmp_path).server("127.0.0.1"))
    found = state(site.page("/a", "x"))
    assert found["state"] == "down"
    assert "certificate of 127.0.0.1 is not valid" in found["reason"]


def test_the_status_is_a_number_for_conditions(site: Site):
    page = site.page("/a", "<p>one").answers(503)
    answer = fetch(Page(url=page.url, render="status")).answer
    assert answer is not None
    assert status_of(read(answer.body)) == 503
    assert status_of(read(b'<table><tr><td data-status="state">down</td></table>')) == 0
    assert status_of(read(b"<p>any page")) is None


NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Server:
    """A client whose server answers so, with a certificate that ends then."""

    def __init__(self, status: int, url: str, ends: datetime, error: PageError | None = None) -> None:
        self.reply = Reply(answer=Answer(url=url, status=status, headers=(), body=b"x"), received=7)
        self.certificates = {"a.test": ends}
        self.error = error

    async def ask(self, ask: Ask) -> Reply:
        if self.error:
            raise self.error
        return self.reply


def told(status: int = 200, url: str = "https://a.test/", **more: Any) -> tuple[dict[str, str], int, int]:
    server: Any = Server(status, url, **({"ends": NOW + timedelta(days=99)} | more))
    answer, code, received = asyncio.run(state_of(server, Page(url="https://a.test/"), now=lambda: NOW))
    assert (answer.status, answer.url) == (200, "https://a.test/")
    return {name: one.text for name, one in facts(read(answer.body)).items()}, code, received


@pytest.mark.parametrize(
    ("status", "state", "said"),
    [(399, "up", "399"), (400, "down", "400 Bad Request"), (200, "up", "200 OK"), (299, "up", "299")],
)
def test_a_page_is_down_from_400_on(status: int, state: str, said: str):
    found, code, received = told(status)
    assert (found["state"], found["status"], code, received) == (state, said, status, 7)


@pytest.mark.parametrize(
    ("days", "said"),
    [(13.999, "ends soon: 2026-03-14"), (14, "valid until 2026-03-15"), (-1, "ends soon: 2026-02-28")],
)
def test_a_certificate_ends_soon_within_fourteen_days(days: float, said: str):
    assert told(ends=NOW + timedelta(days=days))[0]["certificate"] == said


def test_a_page_without_a_secure_connection_has_no_certificate():
    assert "certificate" not in told(url="http://a.test/")[0]
    assert "certificate" not in told(url="https://b.test/")[0]


def test_a_page_that_cannot_be_reached_has_no_status():
    found = told(error=PageUnreachable("no <way>"))
    assert found == ({"state": "down", "reason": "no <way>"}, 0, 0)
