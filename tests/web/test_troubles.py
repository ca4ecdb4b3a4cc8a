"""Sentinels that see nothing of what they watch are found in the dashboard and the API, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, sentinel
from tests.web.doors import browser_of, program_of
from webvigil.app.settings import read_settings
from webvigil.model.trouble import Trouble, Why
from webvigil.model.work import NewTrouble
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

NO_PRICE = "there is no value at css on the page"


@pytest.fixture
def doors(tmp_path: Path) -> tuple[TestClient, TestClient]:
    """Returns a browser and a program of Jill, who has two sentinels, one of them in trouble."""
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill", role="admin")
    text = "Create Sentinel {} Using http://site.test/ Monitor any change"
    made = knowledge.sentinels.add(*(sentinel(name, text=text.format(name)) for name in ("fine", "wrong")))
    (claim,) = claim_all(knowledge)
    told = (NewTrouble(sentinel=made[1].id, trouble=Trouble(Why.NOTHING, NO_PRICE)),)
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], troubles=told)])
    application = create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))
    return browser_of(application, knowledge, "jill"), program_of(application, knowledge, "jill", "admin")


def test_the_dashboard_says_what_is_wrong_with_which(doors: tuple[TestClient, TestClient]):
    browser, _ = doors
    listed = browser.get("/sentinels").text
    assert listed.count("Watching nothing</span>") == 1
    assert listed.count(f'<p class="why">{NO_PRICE[0].upper()}{NO_PRICE[1:]}.</p>') == 1
    only = browser.get("/sentinels?trouble=true").text
    assert ('id="wrong"' in only, 'id="fine"' in only) == (True, False)
    shown = browser.get("/sentinels/wrong").text
    assert f"{NO_PRICE[0].upper()}{NO_PRICE[1:]}" in shown
    assert "Watching nothing</span>" in shown
    assert NO_PRICE not in browser.get("/sentinels/fine").text
    overview = browser.get("/").text
    assert "1 thing needs you" in overview
    assert NO_PRICE[1:] in overview
    assert NO_PRICE in browser.get("/health").text


def test_the_api_says_what_is_wrong_with_which(doors: tuple[TestClient, TestClient]):
    _, program = doors
    found = {one["name"]: one for one in program.get("/api/v1/sentinels").json()}
    assert found["wrong"]["trouble"] == {"http://site.test/": NO_PRICE}
    assert (found["fine"]["trouble"], found["fine"]["pages"][0]["trouble"]) == ({}, "")
    only = program.get("/api/v1/sentinels?trouble=true").json()
    assert [one["name"] for one in only] == ["wrong"]
    assert program.get("/api/v1/sentinels/wrong").json()["trouble"] == {"http://site.test/": NO_PRICE}
