"""A link to one change opens that change, for a week, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import browser_of, stranger
from webvigil.app.passes import Passes
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    made.sentinels.add(sentinel("secret-name"))
    (claim,) = claim_all(made)
    (due,) = claim.pages
    change = new_change(due.watches[0].sentinel, 1, 2)
    made.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    made.changes.note("jill", made.changes.all()[0].id, "my own note")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, clock: Clock) -> FastAPI:
    made = create_application(knowledge)
    made.state.passes = Passes(b"key", clock)
    return made


def link_of(client: TestClient, change: int) -> str:
    answer = client.post(f"/changes/{change}/share")
    (link,) = re.findall(r"http://testserver(/shared/[^<\s]+)", answer.text)
    return str(link)


def test_who_has_the_link_sees_the_change_and_nothing_else(application: FastAPI, knowledge: MemoryKnowledge):
    change = knowledge.changes.all()[0].id
    link = link_of(browser_of(application, knowledge, "jill"), change)
    answer = stranger(application).get(link, headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert "http://x/" in answer.text
    for hidden in ("secret-name", "my own note", "jill", "/sentinels", "/changes/"):
        assert hidden not in answer.text, hidden
    assert answer.headers["x-robots-tag"] == "noindex"
    assert stranger(application).get(f"/changes/{change}").status_code == 401


def test_it_is_over_after_a_week_and_cannot_be_made_up(
    application: FastAPI, knowledge: MemoryKnowledge, clock: Clock
):
    link = link_of(browser_of(application, knowledge, "jill"), knowledge.changes.all()[0].id)
    other = application.state.passes.written("shown", {"change": 1, "user": "jill"})
    for wrong in (link[:-2], link + "A", "/shared/x", "/shared/x.y", f"/shared/{other}"):
        assert stranger(application).get(wrong).status_code == 404, wrong
    clock.now += 6 * 86_400
    assert stranger(application).get(link).status_code == 200
    clock.now += 2 * 86_400
    assert stranger(application).get(link).status_code == 404


def test_nobody_shares_what_is_not_theirs(application: FastAPI, knowledge: MemoryKnowledge):
    change = knowledge.changes.all()[0].id
    assert browser_of(application, knowledge, "jack").post(f"/changes/{change}/share").status_code == 404


def test_a_change_that_is_gone_is_not_shown(application: FastAPI, knowledge: MemoryKnowledge):
    link = link_of(browser_of(application, knowledge, "jill"), knowledge.changes.all()[0].id)
    knowledge.sentinels.remove("jill", "secret-name")
    assert stranger(application).get(link).status_code == 404
