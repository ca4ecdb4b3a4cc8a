"""A message of one's own is tried on the last change, saved, and sent (K7)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from tests.site import Site
from tests.web.doors import browser_of, program_of
from tests.web.test_quiet import knowledge, look, settings  # noqa: F401  (fixtures)
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings
from webvigil.cli.main import webvigil
from webvigil.language import parse
from webvigil.model.message import Message
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

PRICE = '<h1>Aurora lamp</h1><p>Price: <b class="price">€ {}</b></p>'
OWN = 'Message title "{{ label }}: {{ after }}" body "was {{ before }}"'


@pytest.fixture
def lamp(site: Site, knowledge: Knowledge, settings: Settings) -> None:  # noqa: F811
    """Watches a price that has changed once."""
    page = site.page("/lamp", PRICE.format("49.90"))
    text = (
        f'Create Sentinel lamp Using {page.url} Monitor value css ".price" Fetch 1 hour Notify By log {OWN}'
    )
    install_text(knowledge, settings, text)
    look(knowledge, settings)
    page.becomes(PRICE.format("44.90"))
    (watched,) = knowledge.sentinels.get("jill", "lamp").pages
    knowledge.schedule.ask(watched.id)
    look(knowledge, settings)


@pytest.fixture
def browser(lamp: None, knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:  # noqa: F811
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
        yield client


def test_the_worker_writes_it_into_the_notice(lamp: None, knowledge: Knowledge):  # noqa: F811
    (told,) = [one.notice for one in knowledge.outbox.all() if one.notice.body["event"] == "change"]
    assert told.body["message"] == {"title": "{{ label }}: {{ after }}", "body": "was {{ before }}"}


def test_the_api_shows_what_it_says(lamp: None, knowledge: Knowledge, settings: Settings):  # noqa: F811
    with program_of(create_application(knowledge, settings), knowledge, "jill", "read") as program:
        now = program.post("/api/v1/sentinels/lamp/message", json={}).json()
        assert now["title"].endswith(": € 44.90")
        assert now["text"] == "was € 49.90\n"
        assert now["change"]
        tried = program.post("/api/v1/sentinels/lamp/message", json={"body": "{{ removed }}"}).json()
        assert tried["text"] == "Price: € 49.90\n"
        wrong = program.post("/api/v1/sentinels/lamp/message", json={"body": "{{ prize }}"})
        assert wrong.status_code in (400, 422)
        assert "is no field" in wrong.text
        assert program.post("/api/v1/sentinels/other/message", json={}).status_code == 404


def test_the_dashboard_shows_and_saves_it(browser: TestClient, knowledge: Knowledge):  # noqa: F811
    form = browser.get("/sentinels/lamp/edit").text
    assert "{{ label }}: {{ after }}" in form
    shown = browser.post("/sentinels/lamp/message", data={"message_title": "Now {{ after }}"}).text
    assert "Now € 44.90" in shown
    assert "is no field" in browser.post("/sentinels/lamp/message", data={"message_body": "{{ x }}"}).text
    data = {"monitor": 'value css ".price"', "message_title": "Lamp", "message_body": "a\r\n{{ after }}"}
    assert browser.post("/sentinels/lamp/edit", data=data).status_code == 303
    (saved,) = parse(knowledge.sentinels.get("jill", "lamp").text)
    assert saved.message == Message("Lamp", "a\n{{ after }}")
    refused = browser.post("/sentinels/lamp/edit", data=data | {"message_body": "{{ y }}"})
    assert refused.status_code == 400
    assert "{{ y }} is no field" in refused.text


def test_the_command_shows_it_and_an_example_before_the_first_change(
    lamp: None,
    site: Site,
    knowledge: Knowledge,  # noqa: F811
    settings: Settings,  # noqa: F811
):
    install_text(knowledge, settings, f"Create Sentinel new Using {site.page('/n', 'x').url} {OWN}")
    store = ["--data", str(settings.data), "--user", "jill"]
    said = CliRunner().invoke(webvigil, ["message", "lamp", "--title", "{{ after }}!", *store])
    assert said.output.startswith("€ 44.90!\n"), said.output
    example = CliRunner().invoke(webvigil, ["message", "new", *store])
    assert "this is an example" in example.output
    assert "was € 49.90" in example.output
