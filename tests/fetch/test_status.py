"""The state of a page: up or down, its status, where it leads to, when its certificate ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fetch.fetching import fetch
from tests.site import Site, SitePage
from tests.site.certificates import Authority
from webvigil.detect.status import facts, status_of
from webvigil.document import read
from webvigil.errors import PageRefused
from webvigil.model.page import Page


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
