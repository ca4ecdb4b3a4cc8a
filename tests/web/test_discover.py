"""Searching for services by the API and on the dashboard, and watching what was found (S2, S6, S7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from lxml import html

from tests.discover.making import profile, searched
from tests.site import Site
from tests.web.doors import browser_of, program_of
from webvigil.app.discovery.requests import class_text
from webvigil.app.settings import read_settings
from webvigil.discover.analysis import profile_from_json
from webvigil.discover.service import shipped
from webvigil.language import parse
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.dashboard.discover import Search

ABOUT = {"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
SEARCH = {"class": "keyword-search", "seeds": ["http://library.test/"], "hints": ["catalogue"], "pages": 40}


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge()
    made.users.add("root", role="admin")
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment=ABOUT))


@pytest.fixture
def program(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return program_of(application, knowledge, "jill", "write")


@pytest.fixture
def dashboard(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "jill")


class TestForPrograms:
    def test_the_classes_that_come_along_are_listed(self, program: TestClient):
        classes = program.get("/api/v1/service-classes").json()
        assert [one["name"] for one in classes] == list(shipped())
        assert all(one["title"] and one["about"] for one in classes)

    def test_a_search_is_started_seen_cancelled_and_removed(self, program: TestClient):
        made = program.post("/api/v1/discoveries", json=SEARCH)
        assert made.status_code == 201
        id_ = made.json()["id"]
        assert (made.json()["state"], made.json()["service"]) == ("waiting", "keyword-search")
        assert made.json()["wanted"]["hints"] == ["catalogue"]
        assert [one["id"] for one in program.get("/api/v1/discoveries").json()] == [id_]
        assert program.get(f"/api/v1/discoveries/{id_}").json() == made.json()
        assert program.post(f"/api/v1/discoveries/{id_}/cancel").json()["state"] == "cancelled"
        assert program.delete(f"/api/v1/discoveries/{id_}").status_code == 204
        assert program.get(f"/api/v1/discoveries/{id_}").status_code == 404

    def test_a_description_of_ones_own_does_as_well(self, program: TestClient):
        text = class_text("keyword-search").replace('name="keyword-search" title', 'name="mine" title')
        made = program.post("/api/v1/discoveries", json=SEARCH | {"class": "", "description": text})
        assert made.json()["service"] == "mine"

    @pytest.mark.parametrize(
        ("said", "status", "words"),
        [
            ({"class": "nothing"}, 404, "no service class"),
            ({"class": "", "description": "<x/>"}, 422, "begins with <serviceclass>"),
            ({"seeds": []}, 422, "seeds"),
            ({"seeds": ["ftp://a.test"]}, 400, "not a web address"),
            ({"frontier": "hint", "hints": []}, 400, "--hint"),
            ({"pages": 10**9}, 422, "pages is more than"),
            ({"user": "root"}, 422, "user is not known here"),
        ],
    )
    def test_what_cannot_be_done_is_a_problem_that_says_so(
        self, program: TestClient, said: dict[str, object], status: int, words: str
    ):
        answer = program.post("/api/v1/discoveries", json=SEARCH | said)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
        assert words in answer.json()["detail"]

    def test_what_was_found_is_told_with_its_profile(self, program: TestClient, knowledge: MemoryKnowledge):
        id_ = searched(knowledge, "jill", profile(), profile("http://other.test/x"))
        first, second = program.get(f"/api/v1/discoveries/{id_}/services").json()
        assert (first["number"], second["number"]) == (1, 2)
        assert first["arguments"] == {"keywords": "water"}
        assert profile_from_json(first["profile"]) == profile()
        assert program.get(f"/api/v1/discoveries/{id_}/steps").json()[0]["step"] == "started"
        assert program.get(f"/api/v1/discoveries/{id_}/report").json()[-1]["title"].startswith("Services")

    def test_a_service_and_a_question_become_a_sentinel(
        self, program: TestClient, knowledge: MemoryKnowledge
    ):
        id_ = searched(knowledge, "jill", profile())
        place = f"/api/v1/discoveries/{id_}/services/1/sentinel"
        asked = {"arguments": {"keywords": "solar power"}, "name": "sun"}
        written = program.post(place, json=asked)
        assert written.status_code == 200
        (sentinel,) = parse(written.json()["text"])
        assert sentinel.name == "sun"
        assert "solar" in written.json()["text"]
        assert knowledge.sentinels.all("jill") == []
        installed = program.post(place, json=asked | {"install": True})
        assert (installed.status_code, installed.json()["name"]) == (201, "sun")
        assert [one.name for one in knowledge.sentinels.all("jill")] == ["sun"]
        assert program.post(place, json=asked | {"install": True}).status_code in (400, 409)
        assert program.post(place, json={"arguments": {"colour": "red"}}).status_code == 400
        assert program.post(place.replace("/1/", "/2/"), json={}).status_code == 404

    def test_an_administrator_may_see_everybodys(self, application: FastAPI, knowledge: MemoryKnowledge):
        searched(knowledge, "jill")
        searched(knowledge, "jack")
        root = program_of(application, knowledge, "root", "admin")
        assert root.get("/api/v1/discoveries").json() == []
        assert len(root.get("/api/v1/discoveries?user=*").json()) == 2


class TestOnTheDashboard:
    def test_who_has_none_yet_is_helped_to_start(self, dashboard: TestClient):
        page = dashboard.get("/discover").text
        assert "Much of the web stands behind forms" in page
        assert page.count('type="radio"') == len(shipped()) + 1

    def test_a_search_is_started_from_the_form(self, dashboard: TestClient, knowledge: MemoryKnowledge):
        said = {
            "class": "library-catalogue",
            "seeds": "library.test\nhttp://b.test/x",
            "hints": "opac, books=2",
        }
        answer = dashboard.post("/discover", data=said | {"pages": "50", "post": "true"})
        (made,) = knowledge.discoveries.all("jill")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/discover/{made.id}")
        assert made.wanted.seeds == ("https://library.test/", "http://b.test/x")
        assert made.wanted.hints == ("opac", "books=2")
        assert (made.wanted.pages, made.wanted.post) == (50, True)
        page = dashboard.get(f"/discover/{made.id}").text
        assert 'hx-trigger="every 2s"' in page
        assert "Waiting" in page

    def test_without_words_those_of_the_class_count(self, dashboard: TestClient, knowledge: MemoryKnowledge):
        dashboard.post("/discover", data={"class": "dna-blast", "seeds": "http://a.test/"})
        assert "blast" in knowledge.discoveries.all("jill")[0].wanted.hints

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"seeds": ""}, "Give the address of a page"),
            ({"seeds": "ftp://x"}, "not a web address"),
            ({"class": "own", "description": "<x"}, "The description cannot be read. Line 1"),
            ({"class": "own"}, "Paste the description"),
            ({"class": ""}, "Choose what to look for"),
            ({"hints": "=3"}, "is no hint"),
        ],
    )
    def test_what_was_written_is_still_there_with_the_reason(
        self, dashboard: TestClient, knowledge: MemoryKnowledge, said: dict[str, str], words: str
    ):
        written = {"class": "dna-blast", "seeds": "http://a.test/", "hints": "mouse"} | said
        answer = dashboard.post("/discover", data=written)
        assert answer.status_code == 400
        assert words in answer.text
        assert written["hints"] in answer.text
        assert written["seeds"] in answer.text
        assert knowledge.discoveries.all() == []

    def test_progress_brings_new_services_once_and_ends_with_the_search(
        self, dashboard: TestClient, knowledge: MemoryKnowledge
    ):
        id_ = searched(knowledge, "jill", profile(), profile("http://b.test/x"), over=False)
        piece = dashboard.get(f"/discover/{id_}/progress?after=1").text
        assert "b.test" in piece
        assert "library.test" not in piece
        assert f"/discover/{id_}/progress?after=2" in piece
        knowledge.discoveries.end(id_, "done", "40 pages were visited")
        over = dashboard.get(f"/discover/{id_}/progress?after=2").text
        assert "40 pages were visited" in over
        assert "hx-get" not in over
        assert "services/" not in over

    def test_a_search_is_cancelled_and_removed(self, dashboard: TestClient, knowledge: MemoryKnowledge):
        id_ = searched(knowledge, "jill", over=False)
        dashboard.post(f"/discover/{id_}/cancel")
        assert knowledge.discoveries.get("jill", id_).state == "cancelled"
        assert "Cancelled" in dashboard.get("/discover").text
        assert dashboard.get(f"/discover/{id_}/report").status_code == 200
        dashboard.post(f"/discover/{id_}/remove")
        assert knowledge.discoveries.all() == []

    def test_a_service_is_watched_with_a_question_of_ones_own(
        self, application: FastAPI, knowledge: MemoryKnowledge, site: Site
    ):
        site.page("/find/answer", lambda request: f"<p>Books about {request.fields.get('q')}: three")
        id_ = searched(knowledge, "jill", profile(site.url + "/find"))
        place = f"/discover/{id_}/services/1"
        with browser_of(application, knowledge, "jill") as dashboard:
            page = dashboard.get(place).text
            assert 'name="ask.keywords" value="water"' in page
            seen = dashboard.post(f"{place}/preview", data={"ask.keywords": "solar"}).text
            assert "Create Sentinel" in seen
            assert "solar" in seen
            assert site.hits("/find/answer") == 1
            saved = dashboard.post(place, data={"ask.keywords": "solar"})
            again = dashboard.post(place, data={"ask.keywords": "solar"})
        assert saved.status_code == again.status_code == 303
        names = {one.name for one in knowledge.sentinels.all("jill")}
        assert len(names) == 2
        pages = [page.url for one in knowledge.sentinels.all("jill") for page in one.pages]
        assert all("solar" in url or url.endswith("/find/answer") for url in pages)

    def test_an_edited_text_is_kept_as_it_was_edited_or_said_what_is_wrong(
        self, dashboard: TestClient, knowledge: MemoryKnowledge
    ):
        id_ = searched(knowledge, "jill", profile())
        place = f"/discover/{id_}/services/1"
        wrong = dashboard.post(place, data={"ask.keywords": "tea", "text": "Create Sentinel x Using"})
        assert wrong.status_code == 400
        assert "Create Sentinel x Using" in wrong.text
        assert 'value="tea"' in wrong.text
        edited = "Create Sentinel mine Using http://library.test/find Monitor all links Fetch 1 day"
        assert dashboard.post(place, data={"text": edited}).headers["location"] == "/sentinels/mine"


def test_a_search_says_what_the_form_said():
    said = {"class": "dna-blast", "seeds": "a.test b.test", "ask": " mouse, , rat ,", "hints": "a,b c=2"}
    limits = {"pages": 50, "probes": 7, "post": True, "dry_run": True}
    wanted = Search.model_validate({**said, **limits}).wanted()
    assert (wanted.seeds, wanted.ask, wanted.hints) == (
        ("https://a.test/", "https://b.test/"),
        ("mouse", "rat"),
        ("a", "b", "c=2"),
    )
    assert (wanted.pages, wanted.probes_per_form, wanted.probes_per_site) == (50, 7, 35)
    assert (wanted.post, wanted.dry_run) == (True, True)
    usual = Search.model_validate({"class": "dna-blast", "seeds": "a.test"}).wanted()
    assert (usual.pages, usual.probes_per_form, usual.probes_per_site) == (200, 12, 60)
    assert (usual.post, usual.dry_run, usual.ask) == (False, False, ())


def test_the_class_that_most_people_look_for_stands_first(dashboard: TestClient):
    page = html.fromstring(dashboard.get("/discover/new?seeds=http://a.test/").text)
    classes = [str(one) for one in page.xpath("//input[@name='class']/@value")]
    assert classes[0] == "keyword-search"
    assert sorted(classes) == sorted([*shipped(), "own"])
    (chosen,) = page.xpath("//input[@name='class'][@checked]/@value")
    assert chosen == "keyword-search"
    sizes = page.xpath("//select[@name='pages']/option")
    assert [int(one.get("value")) for one in sizes][:3] == [50, 200, 1_000]
    assert "http://a.test/" in "".join(page.xpath("//textarea[@name='seeds']/text()"))
