"""What one user learns of another by any route (U5): nothing, though both watch the same page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, notice, sentinel
from tests.web.doors import browser_of
from tests.web.test_access import routes
from webvigil.app.operating.stores import repository
from webvigil.app.pages.find import page_of
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import NotFound
from webvigil.model.version import Answer
from webvigil.model.work import Look, NewVersion
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

URL = "http://site.test/"
# Words that stand in nothing but what belongs to the other user.
SECRETS = ("jillian", "zebra", "okapi", "quagga", "tapir", "dugong")
TEXT = f"Create Sentinel zebra Using {URL}\nMonitor keywords: {{okapi}}\nTopic quagga"
NOTHING = 987_654


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path)}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> MemoryKnowledge:
    """jillian has watched the page for two versions when jack begins to; then there is a third."""
    times = count(1_800_000_000_000, 10)
    made = MemoryKnowledge(delay=0, clock=lambda: next(times))
    for user in ("root", "jillian", "jack"):
        made.users.add(user, role="admin" if user == "root" else "user")
    told = replace(notice(), user="jillian", address="a@dugong.test", sentinel="zebra")
    (first,) = made.sentinels.add(
        sentinel("zebra", URL, user="jillian", text=TEXT, topic="quagga", notices=(told,))
    )
    _look(made, settings, 1, b"<p>one</p>")
    _look(made, settings, 2, b"<p>two</p>")
    text = f"Create Sentinel mine Using {URL}\nMonitor all links"
    (second,) = made.sentinels.add(sentinel("mine", URL, user="jack", text=text))
    troubles = ((first.id, "zebra: the expression 'okapi' cannot be used"), (second.id, "mine: no"))
    _look(made, settings, 3, b"<p>three</p>", troubles, new_change(first.id, 2, 3))
    (change,) = made.changes.all("jillian")
    made.changes.note("jillian", change.id, "tapir")
    return made


def _look(
    knowledge: MemoryKnowledge,
    settings: Settings,
    number: int,
    body: bytes,
    troubles: tuple[tuple[int, str], ...] = (),
    *changes: object,
) -> None:
    headers = (("content-type", "text/html"),)
    kept = repository(settings).keep(Answer(url=URL, status=200, headers=headers, body=body))
    version = NewVersion(
        number=number, url=URL, status=200, signature=str(number), object=kept.object, size=len(body)
    )
    look = Look(why="due", decision="new version", status=200, troubles=troubles)
    (claim,) = claim_all(knowledge)
    (due,) = claim.pages
    assert knowledge.schedule.finish(
        claim, [checked(claim, due, version=version, look=look, changes=changes)]
    )
    knowledge.schedule.ask(due.id)


@pytest.fixture
def application(knowledge: MemoryKnowledge, settings: Settings) -> FastAPI:
    return create_application(knowledge, settings)


@pytest.fixture
def jack(application: FastAPI, knowledge: MemoryKnowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "jack") as client:
        yield client


# Never answers, shows a stream of its own (below), or is for everybody alike.
NOT_WALKED = {"/events", "/openapi.json", "/language", "/sign-in"}


def places(application: FastAPI) -> list[str]:
    return sorted({path for path, method, _ in routes(application) if method == "GET"} - NOT_WALKED)


def filled(path: str, number: int, name: str) -> str:
    numbers = re.sub(r"\{(page|number|version|change|notice|id|discovery|service)\}", str(number), path)
    return re.sub(r"\{[a-z_]+\}", name, numbers)


def test_no_route_tells_one_user_of_another(application: FastAPI, jack: TestClient):
    """Every address, with every number that is something of somebody, and with the other's names."""
    walked = 0
    for path in places(application):
        for number in range(1, 12):
            for accept in ("text/html", "application/json"):
                for name in ("mine", "zebra", "jillian"):
                    address = filled(path, number, name)
                    answer = jack.get(address, headers={"accept": accept})
                    said = answer.text.lower().replace(address.lower(), "")
                    found = [word for word in SECRETS if word in said.replace(f"{name!r}", "")]
                    if name != "mine":
                        found = [word for word in found if word != name]
                    assert not found, f"{address}: {found}"
                    walked += 1
                    if "{" not in path or filled(path, number, "x") == address:
                        break
            if "{" not in path:
                break
    assert walked > 200


def test_what_is_anothers_is_answered_like_what_is_not_there(jack: TestClient, knowledge: MemoryKnowledge):
    (change,) = knowledge.changes.all("jillian")
    (waiting,) = knowledge.outbox.all("jillian")
    asked = [
        ("GET", "/api/v1/changes/{}", change.id, NOTHING),
        ("GET", "/changes/{}", change.id, NOTHING),
        ("POST", "/api/v1/notices/{}/retry", waiting.id, NOTHING),
        ("GET", "/api/v1/sentinels/{}", "zebra", "giraffe"),
        ("DELETE", "/api/v1/sentinels/{}", "zebra", "giraffe"),
        ("POST", "/api/v1/sentinels/{}/run", "zebra", "giraffe"),
        ("GET", "/sentinels/{}", "zebra", "giraffe"),
        ("GET", "/api/v1/pages/1/versions/{}/body", 1, NOTHING),
        ("GET", "/api/v1/pages/1/versions/{}/evidence", 1, NOTHING),
        ("GET", "/pages/1/versions/{}", 1, NOTHING),
        ("GET", "/pages/1/versions/{}/evidence", 1, NOTHING),
        ("GET", "/api/v1/pages/1/compare?a={}&b=latest", 1, NOTHING),
        ("GET", "/api/v1/sentinels?user={}", "jillian", "nobody"),
    ]
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    for method, path, theirs, nothing in asked:
        place = path.replace("pages/1/", f"pages/{page}/")
        both = [jack.request(method, place.format(one)) for one in (theirs, nothing)]
        said = [one.text.replace(str(value), "…") for one, value in zip(both, (theirs, nothing), strict=True)]
        assert both[0].status_code == both[1].status_code in (404, 405), (path, both[0].text)
        assert said[0] == said[1], path


def versions(client: TestClient, page: int) -> list[int]:
    return [one["number"] for one in client.get(f"/api/v1/pages/{page}/versions").json()]


def test_versions_from_before_are_not_shown(jack: TestClient, knowledge: MemoryKnowledge):
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    assert versions(jack, page) == [3, 2], "2 was the newest when jack began: it is what 3 is compared with"
    html = {"accept": "text/html"}
    for path in (f"/pages/{page}", "/sentinels/mine"):
        shown = jack.get(path, headers=html).text
        assert f"/pages/{page}/versions/2" in shown or "2" in shown
        assert f"/pages/{page}/versions/1" not in shown
    assert jack.get(f"/pages/{page}/compare?a=1&b=3", headers=html).status_code == 400
    first = jack.get(f"/api/v1/pages/{page}/compare?a=first&b=latest").json()
    assert "one" not in json.dumps(first)


def test_a_log_begins_with_the_sentinel_and_names_its_troubles_alone(
    jack: TestClient, knowledge: MemoryKnowledge
):
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    (look,) = jack.get(f"/api/v1/pages/{page}/log").json()
    assert look["error"] == "mine: no"
    assert "troubles" not in look


def test_whoever_watched_from_the_start_and_administrators_see_all(
    application: FastAPI, knowledge: MemoryKnowledge
):
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    for user, troubles in (("jillian", "zebra: the expression"), ("root", "mine: no")):
        client = browser_of(application, knowledge, user)
        assert versions(client, page) == [3, 2, 1]
        log = client.get(f"/api/v1/pages/{page}/log").json()
        assert len(log) == 3
        assert troubles in log[0]["error"]


def test_history_is_shared_where_the_operator_says_so(knowledge: MemoryKnowledge, settings: Settings):
    application = create_application(knowledge, replace(settings, share_history=True))
    jack = browser_of(application, knowledge, "jack")
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    assert versions(jack, page) == [3, 2, 1]
    log = jack.get(f"/api/v1/pages/{page}/log").json()
    assert [one["error"] for one in log] == ["mine: no", "", ""], "but not whom the troubles are of"


def test_a_sentinel_that_is_moved_to_the_page_later_opens_no_past(
    jack: TestClient, knowledge: MemoryKnowledge
):
    page = knowledge.sentinels.get("jack", "mine").pages[0].id
    knowledge.sentinels.add(sentinel("old", "http://other.test/", user="jack"))
    knowledge.sentinels.replace(sentinel("old", URL, user="jack"))
    knowledge.sentinels.remove("jack", "mine")
    assert versions(jack, page) == [3]


def test_a_command_finds_the_pages_of_its_user_alone(knowledge: MemoryKnowledge):
    knowledge.sentinels.add(sentinel("hers", "http://hers.test/", user="jillian"))
    assert page_of(knowledge, "jillian", "http://hers.test/") == page_of(
        knowledge, "root", "http://hers.test/"
    )
    told = []
    for address in ("http://hers.test/", "http://nobody.test/"):
        with pytest.raises(NotFound) as missing:
            page_of(knowledge, "jack", address)
        told.append(str(missing.value).replace(address, "…"))
    assert told[0] == told[1]
