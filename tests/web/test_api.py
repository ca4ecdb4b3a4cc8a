"""The REST API: everything the dashboard can do, for programs (U2)."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.site import Site
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import program_of
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.first_look import NOBODY_LOOKS
from webvigil.app.settings import Settings, read_settings
from webvigil.model.doubt import Doubt
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

TEXT = "Create Sentinel news Using http://site.test/news Monitor all links Fetch 2 hour"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        made.users.add("jill")
        made.users.add("jack")
        yield made


@pytest.fixture
def jill(knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:
    with program_of(create_application(knowledge, settings), knowledge, "jill", "write") as client:
        yield client


def test_a_parameter_that_a_route_does_not_take_is_refused(jill: TestClient):
    described = jill.get("/openapi.json").json()["paths"]
    routes = [path for path, ways in described.items() if "get" in ways and path.startswith("/api/v1")]
    open_to_her = [path for path in routes if "{" not in path and jill.get(path).is_success]
    assert len(open_to_her) > 15
    for path in open_to_her:
        refused = jill.get(path, params={"limits": "1"})
        assert (refused.status_code, refused.json()["detail"]) == (422, "limits is not known here"), path


def test_times_are_read_as_times(jill: TestClient):
    installed = jill.get("/api/v1/me").json()["created_at"]
    assert datetime.fromisoformat(installed).tzinfo is not None


class TestSentinels:
    def test_a_sentinel_lives_through_the_api(self, jill: TestClient):
        made = jill.post("/api/v1/sentinels", json={"text": TEXT})
        assert made.status_code == 201
        assert [one["name"] for one in made.json()] == ["news"]
        shown = jill.get("/api/v1/sentinels/news").json()
        assert shown["state"] == "active"
        assert shown["next"]
        assert jill.post("/api/v1/sentinels/news/disable").json()["state"] == "disabled"
        assert jill.post("/api/v1/sentinels/news/enable").json()["state"] == "active"
        assert jill.post("/api/v1/sentinels/news/run").json() == {
            "name": "news",
            "pages": 1,
            "warnings": [NOBODY_LOOKS],
        }
        assert jill.delete("/api/v1/sentinels/news").status_code == 204
        assert jill.get("/api/v1/sentinels/news").status_code == 404
        (gone,) = jill.get("/api/v1/removed").json()
        assert (gone["name"], gone["changes"]) == ("news", 0)
        assert jill.post("/api/v1/removed/4711/restore").status_code == 404
        assert jill.post(f"/api/v1/removed/{gone['id']}/restore").json()["state"] == "active"
        assert jill.get("/api/v1/removed").json() == []

    def test_what_it_watches_and_how_it_fares_is_told(
        self, jill: TestClient, knowledge: Knowledge, settings: Settings
    ):
        jill.post("/api/v1/sentinels", json={"text": TEXT})
        shown = jill.get("/api/v1/sentinels/news").json()
        assert (shown["pace"], shown["trouble"]) == ({"http://site.test/news": ""}, {})
        assert shown["most_linked"] == settings.linked_pages
        assert jill.get("/api/v1/sentinels/news/watched").json() == []
        (claim,) = claim_all(knowledge)
        failed = Look(why="due", decision="failed", error="it answered 410")
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], failures=1, look=failed)])
        shown = jill.get("/api/v1/sentinels/news").json()
        assert shown["trouble"] == {"http://site.test/news": "it answered 410"}
        assert shown["pages"][0]["doubt"] is None

    def test_what_came_in_place_of_a_page_is_told(self, jill: TestClient, knowledge: Knowledge):
        jill.post("/api/v1/sentinels", json={"text": TEXT})
        (claim,) = claim_all(knowledge)
        doubt = Doubt(kind="empty", said="is empty", clear=True, since=1_800_000_000_000, told=True)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], doubt=doubt)])
        shown = jill.get("/api/v1/sentinels/news").json()
        since = "2027-01-15T08:00:00+00:00"
        assert shown["pages"][0]["doubt"] == {
            "kind": "empty",
            "said": "is empty",
            "since": since,
            "told": True,
        }
        assert shown["trouble"] == {"http://site.test/news": "it is empty since 2027-01-15 08:00 UTC"}

    def test_the_time_line_is_told_of_one_and_of_all(self, jill: TestClient):
        for name in ("news", "more"):
            jill.post("/api/v1/sentinels", json={"text": TEXT.replace("news", name, 1)})
        every = jill.get("/api/v1/timeline").json()
        one = jill.get("/api/v1/timeline", params={"sentinel": "more"}).json()
        assert [entry["what"] for entry in one] == [
            "is installed",
            "starts",
            "is near its end",
            "ends",
            "has ended",
        ]
        assert [entry["past"] for entry in one] == [True, True, False, False, False]
        assert [entry for entry in every if entry["sentinel"] == "more"] == one
        assert {entry["sentinel"] for entry in every} == {"news", "more"}
        assert jill.get("/api/v1/timeline", params={"sentinel": "none"}).status_code == 404

    def test_the_time_line_of_many_comes_in_pieces(self, jill: TestClient):
        texts = [TEXT.replace("news", f"s{number}", 1) for number in range(7)]
        last = "Create Sentinel last Using http://site.test/last From end(s0)"
        jill.post("/api/v1/sentinels", json={"text": "\n".join([*texts, last])})
        whole = jill.get("/api/v1/timeline").json()
        found, address = [], "/api/v1/timeline?limit=3"
        while address:
            answer = jill.get(address)
            found += answer.json()
            address = answer.links.get("next", {}).get("url", "")
        order = operator.itemgetter("sentinel", "at", "what")
        assert sorted(found, key=order) == sorted(whole, key=order)
        assert {entry["sentinel"] for entry in answer.json()} == {"s0", "s1"}
        assert "last" in {entry["sentinel"] for entry in found if not entry["past"]}
        assert jill.get("/api/v1/timeline", params={"limit": 201}).status_code == 422

    def test_a_list_without_ids_comes_in_pieces(self, jill: TestClient):
        for name in ("a", "b", "c"):
            jill.post("/api/v1/sentinels", json={"text": TEXT.replace("news", name, 1)})
            jill.delete(f"/api/v1/sentinels/{name}")
        first = jill.get("/api/v1/removed", params={"limit": 2})
        second = jill.get(first.links["next"]["url"])
        assert [one["name"] for one in [*first.json(), *second.json()]] == ["c", "b", "a"]
        assert "next" not in second.links

    def test_the_same_text_twice_is_refused_where_only_new_ones_are_meant(self, jill: TestClient):
        for status in (201, 400):
            answer = jill.post("/api/v1/sentinels", params={"new": "true"}, json={"text": TEXT})
            assert answer.status_code == status
        assert "there is a sentinel 'news' already" in answer.json()["detail"]

    def test_the_same_text_twice_installs_once(self, jill: TestClient):
        first = jill.post("/api/v1/sentinels", json={"text": TEXT})
        again = jill.post("/api/v1/sentinels", json={"text": TEXT})
        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json()[0]["text"] == first.json()[0]["text"]
        other = jill.post("/api/v1/sentinels", json={"text": TEXT.replace("links", "images")})
        assert other.status_code == 400
        assert "already" in other.json()["detail"]

    def test_a_sentinel_gets_another_text_and_keeps_its_changes(self, jill: TestClient, knowledge: Knowledge):
        find_a_change(knowledge, "Create Sentinel s1 Using http://site.test/")
        text = "Create Sentinel s1 Using http://site.test/ Monitor all images Topic t"
        answer = jill.put("/api/v1/sentinels/s1", json={"text": text})
        assert answer.status_code == 200
        assert (answer.json()["changes"], "Topic t" in answer.json()["text"]) == (1, True)
        assert jill.get("/api/v1/changes?topic=t").json()[0]["sentinel"] == "s1"
        for wrong, status in (
            (text.replace("s1", "s2"), 400),
            (text.replace("http://site.test/", "http://192.168.0.1/"), 400),
            (text.replace("Topic", "Topik"), 422),
            ("", 400),
        ):
            assert jill.put("/api/v1/sentinels/s1", json={"text": wrong}).status_code == status, wrong
        assert jill.put("/api/v1/sentinels/s2", json={"text": text}).status_code == 404

    def test_a_new_text_is_checked_against_itself(self, jill: TestClient):
        jill.post("/api/v1/sentinels", json={"text": TEXT})
        other = {"text": TEXT.replace("links", "images")}
        assert not jill.post("/api/v1/check", json=other).json()["correct"]
        assert jill.post("/api/v1/check?edited=news", json=other).json()["correct"]

    def test_a_mistake_is_told_with_its_place(self, jill: TestClient):
        answer = jill.post("/api/v1/sentinels", json={"text": TEXT.replace("Monitor", "Moniter")})
        assert answer.status_code == 422
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["line"] == 1
        assert answer.json()["column"] > 1

    def test_all_or_none_are_installed(self, jill: TestClient):
        both = f"{TEXT}\n{TEXT.replace('news', 'more').replace('2 hour', '1 second')}"
        assert jill.post("/api/v1/sentinels", json={"text": both}).status_code == 400
        assert jill.get("/api/v1/sentinels").json() == []

    def test_a_long_list_is_walked_by_its_links(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(*(sentinel(f"s{number}") for number in range(7)))
        found, address = [], "/api/v1/sentinels?limit=3&words=s"
        while address:
            answer = jill.get(address)
            found += [one["name"] for one in answer.json()]
            address = answer.links["next"]["url"] if "next" in answer.links else ""
        assert found == [f"s{number}" for number in range(6, -1, -1)]

    def test_other_peoples_sentinels_are_not_there(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("his", user="jack"))
        for method, path in (
            ("GET", ""),
            ("DELETE", ""),
            ("POST", "/enable"),
            ("POST", "/disable"),
            ("POST", "/run"),
        ):
            assert jill.request(method, f"/api/v1/sentinels/his{path}").status_code == 404
        assert knowledge.sentinels.get("jack", "his").enabled


class TestChecking:
    def test_a_right_text_comes_back_in_its_canonical_form(self, jill: TestClient):
        answer = jill.post("/api/v1/check", json={"text": TEXT}).json()
        assert answer["correct"]
        assert answer["sentinels"][0]["text"].startswith("Create Sentinel news")
        assert jill.get("/api/v1/sentinels").json() == []

    def test_mistakes_come_all_at_once(self, jill: TestClient):
        answer = jill.post(
            "/api/v1/check", json={"text": "Create Sentinel\nCreate Sentinel x Using 4"}
        ).json()
        assert not answer["correct"]
        assert len(answer["mistakes"]) == 2
        assert set(answer["mistakes"][0]) == {"line", "column", "message", "word", "expected", "suggestion"}

    def test_a_preview_shows_what_would_be_watched(self, jill: TestClient, site: Site):
        page = site.page("/news", '<h1>News</h1><a href="/a">A</a><a href="/b">B</a>')
        text = TEXT.replace("http://site.test/news", page.url)
        (shown,) = jill.post("/api/v1/preview", json={"text": text}).json()
        assert shown["url"] == page.url
        objects = [one["object"] for one in shown["findings"][0]["objects"]]
        assert objects == [page.url.replace("/news", "/a"), page.url.replace("/news", "/b")]

    def test_a_preview_of_a_page_that_does_not_come_says_why(self, jill: TestClient, site: Site):
        text = TEXT.replace("http://site.test/news", f"{site.url}/missing")
        answer = jill.post("/api/v1/preview", json={"text": text})
        assert answer.status_code in (422, 502)
        assert "404" in answer.json()["detail"]

    def test_a_preview_reaches_no_private_address(self, knowledge: Knowledge, tmp_path: Path, site: Site):
        page = site.page("/secret", "secret")
        settings = read_settings({"data": str(tmp_path)}, environment={})
        with program_of(create_application(knowledge, settings), knowledge, "jill", "read") as client:
            text = TEXT.replace("http://site.test/news", page.url)
            answer = client.post("/api/v1/preview", json={"text": text})
        assert answer.status_code == 400
        assert "not a public address" in answer.json()["detail"]


class TestChanges:
    def test_a_change_is_marked_and_noted(self, jill: TestClient, knowledge: Knowledge):
        change = find_a_change(knowledge)
        path = f"/api/v1/changes/{change}"
        assert jill.get(path).json()["seen"] is False
        assert jill.patch(path, json={"note": "call them"}).json()["note"] == "call them"
        assert jill.patch(path, json={"seen": True}).json()["seen"] is True
        assert jill.get("/api/v1/changes?seen=false").json() == []
        assert jill.post("/api/v1/changes/mark", json={"ids": [change], "seen": False}).json() == {
            "marked": 1
        }
        assert len(jill.get("/api/v1/changes?seen=false&type=all links&sentinel=s1").json()) == 1
        assert jill.get("/api/v1/changes?since=2100-01-01").json() == []

    def test_what_is_known_is_not_sent_again(self, jill: TestClient, knowledge: Knowledge):
        change = find_a_change(knowledge)
        tag = jill.get("/api/v1/changes").headers["etag"]
        again = jill.get("/api/v1/changes", headers={"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")
        jill.patch(f"/api/v1/changes/{change}", json={"seen": True})
        assert jill.get("/api/v1/changes", headers={"if-none-match": tag}).status_code == 200

    def test_the_unread_ones_are_counted_and_the_newest_told(self, jill: TestClient, knowledge: Knowledge):
        nothing = {"count": 0, "more": False, "newest": []}
        assert jill.get("/api/v1/unread").json() == nothing
        change = find_a_change(knowledge)
        told = jill.get("/api/v1/unread")
        assert (told.json()["count"], told.json()["more"]) == (1, False)
        (one,) = told.json()["newest"]
        whole = jill.get(f"/api/v1/changes/{change}").json()
        same = ("id", "headline", "sentinel", "topic", "title", "url", "found_at")
        assert {name: one[name] for name in same} == {name: whole[name] for name in same}
        assert one["link"] == f"http://testserver/changes/{change}"
        assert jill.get("/api/v1/unread?newest=0").json() == {**nothing, "count": 1}
        assert jill.get("/api/v1/unread?newest=51").status_code == 422
        tag = told.headers["etag"]
        assert jill.get("/api/v1/unread", headers={"if-none-match": tag}).status_code == 304
        jill.patch(f"/api/v1/changes/{change}", json={"seen": True})
        assert jill.get("/api/v1/unread", headers={"if-none-match": tag}).json() == nothing


class TestSearch:
    def test_changes_are_found_by_words_and_the_rest(self, jill: TestClient, knowledge: Knowledge):
        change = find_a_change(knowledge)
        for query, found in (
            ("q=x", [change]),
            ("q=x nothing", []),
            ("q=SITE*&sentinel=s1&type=all links", [change]),
            ("q=x&sentinel=other", []),
            ("q=x&type=phrase", []),
            ("topic=none", []),
            ("since=2100-01-01", []),
            ("until=2100-01-01&limit=1", [change]),
        ):
            assert [one["id"] for one in jill.get(f"/api/v1/search?{query}").json()] == found, query
        assert jill.get("/api/v1/search?limit=0").status_code == 422
        assert jill.get("/api/v1/search?user=jack").status_code == 404

    def test_other_peoples_changes_are_not_found(
        self, knowledge: Knowledge, settings: Settings, jill: TestClient
    ):
        find_a_change(knowledge)
        with program_of(create_application(knowledge, settings), knowledge, "jack", "read") as jack:
            assert jack.get("/api/v1/search?q=x").json() == []
        knowledge.users.add("root", role="admin")
        with program_of(create_application(knowledge, settings), knowledge, "root", "admin") as root:
            assert len(root.get("/api/v1/search?q=x&user=*").json()) == 1


class TestPages:
    def test_only_watched_pages_are_there(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(
            sentinel("mine", "http://a.test/"), sentinel("his", "http://b.test/", user="jack")
        )
        (page,) = jill.get("/api/v1/pages").json()
        assert page["url"] == "http://a.test/"
        assert jill.get(f"/api/v1/pages/{page['id']}/versions").json() == []
        assert jill.get(f"/api/v1/pages/{page['id']}/log").json() == []
        assert jill.get("/api/v1/pages?words=b.test").json() == []
        his = knowledge.sentinels.get("jack", "his").pages[0].id
        for path in ("versions", "log", "compare"):
            assert jill.get(f"/api/v1/pages/{his}/{path}").status_code == 404
        assert jill.post(f"/api/v1/pages/{his}/run").status_code == 404
        assert jill.post(f"/api/v1/pages/{page['id']}/run").status_code == 202


class TestTrouble:
    @pytest.mark.parametrize(
        ("method", "path", "body", "status"),
        [
            ("GET", "/api/v1/nothing", None, 404),
            ("PUT", "/api/v1/sentinels", None, 405),
            ("POST", "/api/v1/sentinels", {}, 422),
            ("POST", "/api/v1/sentinels", {"text": 4}, 422),
            ("POST", "/api/v1/sentinels", {"text": TEXT, "user": "jack"}, 422),
            ("GET", "/api/v1/changes?limit=0", None, 422),
            ("GET", "/api/v1/changes?since=yesterday-ish", None, 422),
            ("GET", "/api/v1/changes/one", None, 404),
            ("GET", "/api/v1/pages/99999999999999999999/versions", None, 404),
            ("PATCH", "/api/v1/me", {"zone": "Mars/Phobos"}, 400),
        ],
    )
    def test_trouble_is_one_sentence_in_a_problem_document(
        self, jill: TestClient, method: str, path: str, body: object, status: int
    ):
        answer = jill.request(method, path, json=body)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status
        assert answer.json()["detail"]
        assert "Traceback" not in answer.text


def find_a_change(knowledge: Knowledge, text: str = "…") -> int:
    knowledge.sentinels.add(sentinel("s1", text=text))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return knowledge.changes.all()[0].id


class TestWhatIsLost:
    """The object of a version is missing."""

    @pytest.fixture(autouse=True)
    def lost(self, jill: TestClient, knowledge: Knowledge) -> None:
        jill.post("/api/v1/sentinels", json={"text": TEXT})
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(1))])

    @pytest.mark.parametrize("what", ["versions/1/body", "versions/1/evidence", "compare?a=1&b=1"])
    def test_it_is_told_in_plain_words(self, jill: TestClient, knowledge: Knowledge, what: str):
        page = knowledge.sentinels.all("jill")[0].pages[0].id
        answer = jill.get(f"/api/v1/pages/{page}/{what}")
        assert (answer.status_code, answer.headers["content-type"]) == (410, "application/problem+json")
        missing = f"there is no object '{new_version(1).object}'"
        assert answer.json()["detail"] == f"version 1 cannot be read any more: {missing}"

    def test_what_a_sentinel_watches_is_told_with_its_trouble(self, jill: TestClient):
        (watched,) = jill.get("/api/v1/sentinels/news/watched").json()
        assert (watched["version"], watched["findings"]) == (1, [])
        assert watched["trouble"].startswith("version 1 cannot be read any more")
