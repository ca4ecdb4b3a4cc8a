"""Agents in the dashboard, the API and on the command line (B1, B2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi import FastAPI

from tests.web.doors import browser_of, program_of
from webvigil.app.operating.stores import repository
from webvigil.app.pages.documents import document_of
from webvigil.app.peers.agents import send_agent
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.cli.main import webvigil as group
from webvigil.detect.find import find
from webvigil.model.agent import Letter
from webvigil.model.page import Page
from webvigil.model.peer import Peer
from webvigil.model.sentinel import ChangeType, State
from webvigil.model.version import Answer
from webvigil.model.work import NewVersion
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.web.application import create_application

URL = "https://site.test/"
HTML = (("Content-Type", "text/html"),)
PEER = Peer(key="k" * 43, url="https://vigil.example", state="known")


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    made = SqlKnowledge(f"sqlite:///{tmp_path / 'webvigil.sqlite3'}", delay=0)
    made.users.add("me", role="admin")
    made.users.add("jill")
    made.peers.put(PEER)
    settings = read_settings({"data": str(tmp_path)}, environment={})
    install_text(made, settings, "Create Sentinel news Using https://site.test/")
    yield made
    made.close()


@pytest.fixture
def application(knowledge: Knowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


def run(tmp_path: Path, *words: str):
    return CliRunner().invoke(group, [*words, "--data", str(tmp_path)])


def test_from_the_command_line(knowledge: Knowledge, tmp_path: Path):
    assert "No agents are away" in run(tmp_path, "agent", "list").output
    sent = run(tmp_path, "agent", "send", "news", "--peer", PEER.url)
    assert sent.output == "the agent of news goes to https://vigil.example; the running server sends it\n"
    assert knowledge.sentinels.get("me", "news").state is State.DISABLED
    (listed,) = json.loads(run(tmp_path, "agent", "list", "--json").output)
    assert (listed["sentinel"], listed["side"], listed["state"]) == ("news", "away", "sending")
    assert "news" in run(tmp_path, "agent", "list").output
    assert run(tmp_path, "agent", "recall", "news").exit_code == 0
    assert knowledge.sentinels.get("me", "news").state is State.ACTIVE
    assert [one.state for one in knowledge.agents.all()] == ["recalling"]


def test_the_api_sends_and_recalls_agents_and_broadcasts(application: FastAPI, knowledge: Knowledge):
    with program_of(application, knowledge, "me", "admin") as program:
        body = {"sentinel": "news", "peer": PEER.url}
        assert program.post("/api/v1/agents", json=body).status_code == 201
        assert program.post("/api/v1/agents", json=body).status_code == 400
        assert [one["state"] for one in program.get("/api/v1/agents").json()] == ["sending"]
        assert program.get("/api/v1/agents/guests").json() == []
        assert program.delete("/api/v1/agents/news").status_code == 204
        assert program.delete("/api/v1/agents/other").status_code == 404
        said = program.post("/api/v1/broadcasts", json={"text": "Hello", "days": 1}).json()
        assert [one["text"] for one in program.get("/api/v1/broadcasts").json()] == ["Hello"]
        assert program.delete(f"/api/v1/broadcasts/{said['id']}").status_code == 204
        assert program.get("/api/v1/broadcasts").json() == []


def test_the_dashboard_sends_and_recalls_agents_and_broadcasts(application: FastAPI, knowledge: Knowledge):
    with browser_of(application, knowledge, "me") as browser:
        assert "Let it work at a peer" in browser.get("/sentinels/news").text
        assert "<option>https://vigil.example</option>" in browser.get("/community/agents").text
        form = {"name": "news", "peer": PEER.url}
        assert browser.post("/community/agents", data=form).status_code == 303
        assert browser.post("/community/agents", data=form).status_code == 400
        shown = browser.get("/sentinels/news").text
        assert "Its agent is sent to https://vigil.example" in shown
        assert browser.post("/community/agents/recall", data={"name": "news"}).status_code == 303
        assert browser.post("/community/broadcasts", data={"text": "Hello"}).status_code == 303
        assert browser.post("/community/broadcasts", data={"text": " "}).status_code == 400


def test_everybody_reads_what_the_operator_says_and_nobody_sees_the_agents_of_others(
    application: FastAPI, knowledge: Knowledge
):
    with browser_of(application, knowledge, "me") as browser:
        browser.post("/community/agents", data={"name": "news", "peer": PEER.url})
        browser.post("/community/broadcasts", data={"text": "<b>Hello</b>"})
    with browser_of(application, knowledge, "jill") as jill:
        assert "&lt;b&gt;Hello&lt;/b&gt;" in jill.get("/inbox").text
        agents = jill.get("/community/agents").text
        assert "news" not in agents
        assert "Say something to everybody" not in agents
        assert jill.post("/community/agents/recall", data={"name": "news"}).status_code == 404


def test_a_change_that_an_agent_found_is_shown_like_any_other(
    application: FastAPI, knowledge: Knowledge, tmp_path: Path
):
    settings = read_settings({"data": str(tmp_path)}, environment={})
    one = send_agent(knowledge, settings, "news", PEER.url)
    pages = [Answer(url=URL, status=200, headers=HTML, body=f"<p>{word}".encode()) for word in ("one", "two")]
    found = find(document_of(pages[0]), document_of(pages[1]), ChangeType("all words"))
    kept = [repository(settings, knowledge.versions).keep(page) for page in pages]
    versions = tuple(
        NewVersion(number=number, url=URL, status=200, signature=str(number), object=made.object, size=6)
        for number, made in enumerate(kept, 1)
    )
    letter = Letter(
        number=1,
        page=Page(url=URL, login=f"agent:{one.id}"),
        old_version=1,
        new_version=2,
        found_at=1_800_000_000_000,
        findings=(found,),
        versions=versions,
    )
    knowledge.agents.arrived(one.id, letter)
    (change,) = knowledge.changes.all("me")
    with browser_of(application, knowledge, "me") as browser:
        assert f"/changes/{change.id}" in browser.get("/inbox").text
        for view in ("", "?view=text", "?view=links", "?view=images", "?view=dual", "?view=single"):
            shown = browser.get(f"/changes/{change.id}{view}")
            assert shown.status_code == 200, view
        assert "two" in browser.get(f"/changes/{change.id}?view=text").text
        assert browser.get("/pages").status_code == 200


def test_a_server_that_is_no_peer_yet_gets_no_agent(application: FastAPI, knowledge: Knowledge):
    knowledge.peers.put(Peer(key="j" * 43, url="https://new.example", state="invited"))
    with program_of(application, knowledge, "me", "write") as program:
        answer = program.post("/api/v1/agents", json={"sentinel": "news", "peer": "https://new.example"})
    assert answer.status_code >= 400
    assert "do not know each other yet" in answer.json()["detail"]
    assert knowledge.sentinels.get("me", "news").state is State.ACTIVE
