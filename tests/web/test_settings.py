"""The page of settings: what wins is named, what is chosen is used at once, secrets are only written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.notify.mailbox import Mailbox
from tests.web.doors import browser_of
from webvigil.app.operating.chosen import CHOOSABLE, stored
from webvigil.app.settings import TABLE, read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.dashboard.settings import part_of


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge()
    made.users.add("root", role="admin")
    made.users.add("jill")
    return made


@pytest.fixture
def root(tmp_path: Path, knowledge: MemoryKnowledge) -> Iterator[TestClient]:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8"}
    settings = read_settings(given, environment={"WEBVIGIL_KEEP_DAYS": "30"})
    with browser_of(create_application(knowledge, settings), knowledge, "root") as client:
        client.headers["accept"] = "text/html"
        yield client


@pytest.mark.parametrize("name", CHOOSABLE)
def test_every_setting_that_can_be_chosen_stands_in_the_form(name: str):
    assert part_of(name), f"{name} is in no part of the form: add it to web/dashboard/settings.py PARTS"


def test_a_setting_stands_in_the_form_or_among_the_rest(root: TestClient):
    shown = html.fromstring(root.get("/settings").text)
    (last,) = shown.xpath("//details[summary/h2='Only in the file or the environment']")
    rest = [str(one) for one in last.xpath(".//li//small/code/text()")]
    assert rest == [name for name in TABLE if name not in CHOOSABLE]
    fields = {str(one) for one in shown.xpath("//label/@for")}
    assert {"smtp_host", "looks_per_hour"} <= fields
    assert not fields & {*rest}


def test_what_wins_is_named_and_has_no_field(root: TestClient):
    shown = html.fromstring(root.get("/settings").text)
    assert shown.cssselect("[name=keep_days]") == []
    assert "Set by WEBVIGIL_KEEP_DAYS" in shown.text_content()
    answer = root.post("/settings/keeping", data={"keep_days": "3"})
    assert "keep_days is set by WEBVIGIL_KEEP_DAYS" in answer.text


def test_a_choice_is_saved_and_used_at_once(root: TestClient, knowledge: MemoryKnowledge):
    assert "E-mail needs a mail server" in root.get("/account/telling").text
    saved = root.post("/settings/mail", data={"smtp_host": "mail.test", "smtp_password": "s3cret"})
    shown = root.get(saved.headers["location"]).text
    assert "Saved smtp_host, smtp_password." in shown
    assert "s3cret" not in shown
    assert "E-mail needs a mail server" not in root.get("/account/telling").text
    kept = root.post("/settings/mail", data={"smtp_host": "mail.test", "smtp_password": ""})
    assert "saved=nothing" in kept.headers["location"], "an empty field keeps the password"
    root.post("/settings/mail", data={"smtp_host": "mail.test", "forget_smtp_password": "yes"})
    assert "smtp_password" not in stored(knowledge.journal)


def test_what_counts_after_a_restart_is_said(root: TestClient):
    saved = root.post("/settings/fetching", data={"fetch_timeout": "10"})
    assert "Counts after a restart: fetch_timeout." in root.get(saved.headers["location"]).text


def test_a_wrong_value_comes_back_with_its_reason_and_what_was_typed(root: TestClient):
    answer = root.post("/settings/telling", data={"notices_per_hour": "few"})
    assert answer.status_code == 400
    shown = html.fromstring(answer.text)
    assert "is not a whole number" in shown.text_content()
    assert shown.cssselect("[name=notices_per_hour]")[0].get("value") == "few"


def test_the_mail_server_is_tried_before_it_is_saved(root: TestClient, knowledge: MemoryKnowledge):
    with Mailbox() as server:
        typed = {
            "smtp_host": "127.0.0.1",
            "smtp_port": str(server.port),
            "smtp_security": "none",
            "test_address": "root@example.org",
        }
        tried = root.post("/settings/mail/test", data=typed, headers={"hx-request": "true"})
        assert "took the test for root@example.org" in tried.text
        assert server.mails[0]["To"] == "root@example.org"
        wrong = root.post("/settings/mail/test", data=typed | {"smtp_security": "tls"})
        assert (wrong.status_code, "the mail server cannot be used" in wrong.text) == (400, True)
        nobody = root.post("/settings/mail/test", data=typed | {"test_address": ""})
        assert "Write an address" in nobody.text
    assert stored(knowledge.journal) == {}, "nothing was saved"


@pytest.mark.parametrize(
    "other",
    [
        {"smtp_host": "localhost"},
        {"smtp_port": "4711"},
        {"smtp_user": "someone"},
        {"smtp_security": "starttls"},
    ],
)
def test_the_stored_password_is_not_sent_elsewhere(
    root: TestClient, knowledge: MemoryKnowledge, other: dict[str, str]
):
    with Mailbox() as server:
        home = {"smtp_host": "127.0.0.1", "smtp_port": str(server.port), "smtp_security": "none"}
        root.post("/settings/mail", data=home | {"smtp_user": "root", "smtp_password": "s3cret"})
        before = stored(knowledge.journal)
        sent = home | {"smtp_user": "root", "smtp_password": "", "test_address": "a@b.test"} | other
        for path in ("/settings/mail", "/settings/mail/test"):
            refused = root.post(path, data=sent)
            assert (refused.status_code, "type the password again" in refused.text) == (400, True)
        assert stored(knowledge.journal) == before
        assert server.mails == []
        allowed = root.post("/settings/mail", data=sent | {"smtp_password": "n3w"})
        assert allowed.status_code == 303


def test_a_password_from_the_environment_stays_with_its_server(tmp_path: Path, knowledge: MemoryKnowledge):
    settings = read_settings({"data": str(tmp_path)}, environment={"WEBVIGIL_SMTP_PASSWORD": "s3cret"})
    with browser_of(create_application(knowledge, settings), knowledge, "root") as client:
        refused = client.post("/settings/mail", data={"smtp_host": "evil.test"})
        assert refused.status_code == 400
        assert "smtp_password is set by WEBVIGIL_SMTP_PASSWORD" in refused.text
        assert client.post("/settings/mail", data={"mail_from": "a@b.test"}).status_code == 303


def test_without_a_password_the_server_is_chosen_freely(root: TestClient):
    for host in ("one.test", "two.test", ""):
        assert root.post("/settings/mail", data={"smtp_host": host}).status_code == 303


def test_only_administrators_choose(root: TestClient, knowledge: MemoryKnowledge):
    with browser_of(root.app, knowledge, "jill") as jill:
        assert jill.get("/settings").status_code == 403
        assert jill.post("/settings/mail", data={"smtp_host": "x"}).status_code == 403
        assert jill.post("/settings/mail/test", data={"smtp_host": "x"}).status_code == 403
