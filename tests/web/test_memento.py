"""Kept versions of a page are Mementos: clients of others find the page as it was at a time (RFC 7089)."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from memento_client import MementoClient

from tests.app.moving.kept import BODIES, URL, kept_pages
from tests.web.doors import browser_of, program_of
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import Settings, read_settings
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application
from webvigil.web.memento import _media_type


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "user": "jill", "host_delay": "0"}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with kept_pages(settings) as made:
        yield made


@pytest.fixture
def application(knowledge: Knowledge, settings: Settings) -> FastAPI:
    return create_application(knowledge, settings)


@pytest.fixture
def program(application: FastAPI, knowledge: Knowledge) -> TestClient:
    return program_of(application, knowledge, "jill", scope="read")


def times(knowledge: Knowledge) -> list[datetime]:
    return [one.fetched_at for one in reversed(knowledge.versions.of(1))]


def http(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")


def test_the_timegate_leads_to_the_page_as_it_was(program: TestClient, knowledge: Knowledge):
    first, second, third = times(knowledge)
    between = second + timedelta(minutes=10)
    for asked, meant in (
        (between, second),
        (first, first),
        (first - timedelta(days=900), first),
        (third + timedelta(days=9), third),
    ):
        answer = program.get(f"/memento/timegate/{URL}", headers={"accept-datetime": http(asked)})
        assert answer.status_code == 302
        assert answer.headers["location"] == f"http://testserver/memento/{meant:%Y%m%d%H%M%S}/{URL}"
        assert "accept-datetime" in answer.headers["vary"]
        assert f'<{URL}>; rel="original"' in answer.headers["link"]
    assert f"{third:%Y%m%d%H%M%S}" in program.get(f"/memento/timegate/{URL}").headers["location"]


def test_a_memento_is_the_bytes_and_says_its_time_and_neighbours(program: TestClient, knowledge: Knowledge):
    first, second, third = times(knowledge)
    answer = program.get(f"/memento/{second:%Y%m%d%H%M%S}/{URL}")
    assert answer.content == BODIES[1]
    assert answer.headers["memento-datetime"] == http(second)
    link = answer.headers["link"]
    assert f'/memento/{first:%Y%m%d%H%M%S}/{URL}>; rel="first prev memento"; datetime="{http(first)}"' in link
    assert f'/memento/{third:%Y%m%d%H%M%S}/{URL}>; rel="next last memento"; datetime="{http(third)}"' in link
    assert 'rel="timegate"' in link
    assert 'rel="timemap"' in link
    assert program.head(f"/memento/{second:%Y%m%d%H%M%S}/{URL}").headers["memento-datetime"] == http(second)


def test_a_foreign_page_does_not_run_on_our_origin(application: FastAPI, knowledge: Knowledge):
    browser = browser_of(application, knowledge, "jill")
    answer = browser.get(f"/memento/{times(knowledge)[0]:%Y%m%d%H%M%S}/{URL}")
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["content-disposition"].startswith("attachment")


def test_another_time_leads_to_the_memento_of_that_time(program: TestClient, knowledge: Knowledge):
    second = times(knowledge)[1]
    answer = program.get(f"/memento/{second + timedelta(seconds=5):%Y%m%d%H%M%S}/{URL}")
    assert answer.status_code == 302
    assert f"{second:%Y%m%d%H%M%S}" in answer.headers["location"]


def test_the_timemap_lists_every_version(program: TestClient, knowledge: Knowledge):
    answer = program.get(f"/memento/timemap/link/{URL}")
    assert answer.headers["content-type"].startswith("application/link-format")
    found = re.findall(r'/memento/(\d{14})/[^>]*>; rel="([^"]*)"', answer.text)
    assert found == [
        (f"{one:%Y%m%d%H%M%S}", rel)
        for one, rel in zip(times(knowledge), ("first memento", "memento", "last memento"), strict=True)
    ]
    assert f'from="{http(times(knowledge)[0])}"' in answer.text
    assert 'rel="self"' in answer.text


def test_nobody_sees_the_versions_of_others(application: FastAPI, knowledge: Knowledge, program: TestClient):
    kim = program_of(application, knowledge, "kim", scope="read")
    for place in ("timegate", "timemap/link", "20251101120000"):
        assert kim.get(f"/memento/{place}/{URL}").status_code == 404
        assert TestClient(application).get(f"/memento/{place}/{URL}").status_code == 401
    assert program.get("/memento/timegate/http://other.test/").status_code == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/memento/timegate/nonsense", 404),
        ("/memento/timegate/http://nobody.test/", 404),
        ("/memento/20259999999999/" + URL, 404),
        ("/memento/2025/" + URL, 404),
    ],
)
def test_what_makes_no_sense_is_refused(program: TestClient, path: str, status: int):
    assert program.get(path).status_code == status


def test_a_wrong_time_is_refused(program: TestClient):
    for wrong in ("yesterday", "2025-01-01", "", "Mon, 99 Foo 2025 00:00:00 GMT"):
        answer = program.get(f"/memento/timegate/{URL}", headers={"accept-datetime": wrong})
        assert answer.status_code == (302 if not wrong else 400), wrong


def test_a_proxy_may_have_swallowed_a_slash(program: TestClient):
    assert program.get("/memento/timegate/" + URL.replace("://", ":/")).status_code == 302


def test_the_last_second_of_all_is_a_time(program: TestClient, knowledge: Knowledge):
    last = f"{times(knowledge)[-1]:%Y%m%d%H%M%S}"
    answer = program.get(f"/memento/99991231235959/{URL}")
    assert (answer.status_code, last in answer.headers["location"]) == (302, True)
    assert answer.headers["cache-control"] == "private, no-store"
    never = {"accept-datetime": "Fri, 31 Dec 9999 23:59:59 GMT"}
    assert last in program.get(f"/memento/timegate/{URL}", headers=never).headers["location"]
    odd = {"accept-datetime": f"Fri, 31 Dec 9999 23:59:59 +{'9' * 400}"}
    assert program.get(f"/memento/timegate/{URL}", headers=odd).status_code == 400


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://site.test/a%20b/c%2Fd?x=%26&y=a+b", "http://site.test/a%20b/c%2Fd?x=%26&y=a+b"),
        ("http://site.test/größe/€?q=ä", "http://site.test/gr%C3%B6%C3%9Fe/%E2%82%AC?q=%C3%A4"),
        ("http://site.test/ä%20ö", "http://site.test/%C3%A4%20%C3%B6"),
        ("http://site.test/%C3%A4", "http://site.test/%C3%A4"),
        ("http://site.test/a", "http%3A%2F%2Fsite.test%2Fa"),
        ('http://site.test/"<b>"', "http://site.test/%22%3Cb%3E%22"),
    ],
)
def test_a_page_is_found_however_its_address_is_spelled(settings: Settings, url: str, asked: str):
    with kept_pages(settings, url) as knowledge:
        program = program_of(create_application(knowledge, settings), knowledge, "jill", scope="read")
        answer = program.get(f"/memento/timegate/{asked}")
        assert answer.status_code == 302, answer.text
        found = program.get(answer.headers["location"])
        assert found.content == BODIES[2]
        links = re.findall(r"<([^>]*)>; rel=", found.headers["link"])
        assert links[1].startswith("http://testserver/memento/timegate/http://site.test/")
        assert program.get(links[1]).status_code == 302
        assert program.get(links[2]).text.count('memento"') == 3


@pytest.fixture
def home(application: FastAPI) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.02)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def test_a_public_client_finds_its_way(home: str, knowledge: Knowledge):
    first, second, third = times(knowledge)
    secret = new_api_token(knowledge, knowledge.users.get("jill"), "a client", "read")
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {secret}"
        client = MementoClient(
            timegate_uri=f"{home}/memento/timegate/", check_native_timegate=False, session=session
        )
        client.get_original_uri = lambda request_uri, **_: request_uri  # the page itself is not there
        told = client.get_memento_info(URL, (second + timedelta(minutes=1)).replace(tzinfo=None))
        mementos = told["mementos"]
        assert mementos["closest"]["uri"] == [f"{home}/memento/{second:%Y%m%d%H%M%S}/{URL}"]
        assert mementos["closest"]["datetime"] == second.replace(microsecond=0, tzinfo=None)
        assert mementos["prev"]["datetime"] == first.replace(microsecond=0, tzinfo=None)
        assert mementos["next"]["uri"] == [f"{home}/memento/{third:%Y%m%d%H%M%S}/{URL}"]
        assert mementos["first"]["uri"] == mementos["prev"]["uri"]
        assert session.get(mementos["closest"]["uri"][0]).content == BODIES[1]


def test_a_memento_names_its_neighbours_and_no_others(program: TestClient, knowledge: Knowledge):
    kept = times(knowledge)
    ways = (
        f'<{URL}>; rel="original", <http://testserver/memento/timegate/{URL}>; rel="timegate", '
        f'<http://testserver/memento/timemap/link/{URL}>; rel="timemap"; type="application/link-format"'
    )
    for here, rels in enumerate(
        (
            ["first memento", "next memento", "last memento"],
            ["first prev memento", "memento", "next last memento"],
            ["first memento", "prev memento", "last memento"],
        )
    ):
        links = [
            f'<http://testserver/memento/{one:%Y%m%d%H%M%S}/{URL}>; rel="{rel}"; datetime="{http(one)}"'
            for one, rel in zip(kept, rels, strict=True)
        ]
        answer = program.get(f"/memento/{kept[here]:%Y%m%d%H%M%S}/{URL}")
        assert answer.headers["link"] == ", ".join([ways, *links])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("text/html; charset=utf-8", "text/html; charset=utf-8"),
        ("", "application/octet-stream"),
        ("text/hätml", "application/octet-stream"),
        ("text/html\r\nset-cookie: a", "application/octet-stream"),
    ],
)
def test_the_type_of_a_memento_is_one_that_a_header_can_hold(said: str, told: str):
    assert _media_type(said) == told


@pytest.mark.parametrize(
    ("dropped", "rels"),
    [([1], ["first memento", "last memento"]), ([1, 2], ["first last memento"])],
)
def test_the_first_of_few_mementos_may_be_the_last(
    program: TestClient, knowledge: Knowledge, dropped: list[int], rels: list[str]
):
    assert knowledge.histories.drop(1, dropped) == dropped
    answer = program.get(f"/memento/timemap/link/{URL}")
    assert re.findall(r'/memento/\d{14}/[^>]*>; rel="([^"]*)"', answer.text) == rels
