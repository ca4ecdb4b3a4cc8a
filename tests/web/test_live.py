"""The stream of events: which changes it sends, when it says that it is still there, and when it ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, sentinel
from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.dashboard import live


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    """Returns a store in which jill has three changes and jack has one."""
    made = MemoryKnowledge(delay=0)
    for name, count in (("jill", 3), ("jack", 1)):
        made.users.add(name)
        (one,) = made.sentinels.add(sentinel("s1", f"http://{name}.test/", user=name))
        (claim,) = claim_all(made)
        changes = tuple(new_change(one.id, old, old + 1) for old in range(1, count + 1))
        made.schedule.finish(claim, [checked(claim, claim.pages[0], changes=changes)])
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """Returns the application with streams that last for some hundredths of a second."""
    monkeypatch.setattr(live, "LASTS", 0.04)
    monkeypatch.setattr(live, "LIVE_EVERY", 0.01)
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "jill")


@pytest.mark.parametrize(
    ("after", "seen", "sent"),
    [
        (None, "", [0, 1, 2]),
        (0, "", [1, 2]),
        (2, "", []),
        (2, "0", [1, 2]),
        (1, "no number", [2]),
        (1, "\u0663", [2]),
        (0, "9" * 30, []),
    ],
)
def test_changes_come_in_order_behind_the_one_that_was_seen(
    jill: TestClient, knowledge: MemoryKnowledge, after: int | None, seen: str, sent: list[int]
):
    ids = sorted(one.id for one in knowledge.changes.all("jill"))
    header = str(ids[int(seen)]) if seen == "0" else seen
    query = "" if after is None else f"?after={ids[after]}"
    answer = jill.get(f"/events{query}", headers={"last-event-id": header.encode()})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("retry: 2000\n\n")
    assert re.findall(r"^event: change\nid: (\d+)\ndata: ", answer.text, re.MULTILINE) == [
        str(ids[one]) for one in sent
    ]


def test_a_silent_stream_says_that_it_is_there(jill: TestClient, monkeypatch: pytest.MonkeyPatch):
    last = 10**6
    assert "still here" not in jill.get(f"/events?after={last}").text
    monkeypatch.setattr(live, "STILL_THERE_EVERY", 0.01)
    assert jill.get(f"/events?after={last}").text.startswith("retry: 2000\n\n: still here\n\n")


@pytest.mark.parametrize(("others", "status"), [(live.MOST - 1, 200), (live.MOST, 429)])
def test_a_user_has_so_many_streams(application: FastAPI, jill: TestClient, others: int, status: int):
    application.state.streams["jill"] = others
    answer = jill.get("/events")
    assert answer.status_code == status
    assert application.state.streams["jill"] == others, "one that has ended counts no more"
    if status == 429:
        said = f"{live.MOST} windows of yours are live already; close some of them"
        assert answer.json()["detail"] == said


def test_no_stream_is_sent_while_the_server_ends(application: FastAPI, jill: TestClient):
    application.state.stopping = True
    assert jill.get("/events").text == "retry: 2000\n\n"


def test_the_picture_of_the_site_is_sent_to_anybody(application: FastAPI):
    answer = TestClient(application).get("/favicon.ico")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.content.startswith(b"<svg")
