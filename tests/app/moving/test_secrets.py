"""Headers, cookies and notification addresses of imported files are kept sealed, or named in the report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from webvigil.app.moving.imports import (
    Plan,
    Secrets,
    install_plan,
    plan_import,
    secrets_as_json,
    with_secrets,
)
from webvigil.app.operating.stores import opened
from webvigil.app.pages.logins import logins, seal_of
from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling.contacts import service_url
from webvigil.errors import SettingRefused
from webvigil.store.promises import Knowledge

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

WATCH = {
    "uuid": "u-1",
    "url": "https://shop.test/a",
    "headers": {"X-Api-Key": "t0ken", "Cookie": "session=abc"},
    "notification_urls": [
        "mailto://jill:pw@mail.test?to=jill@mail.test",
        "tgram://123456789:abcdefg_hijklmnop/12315544",
        "jsons://hooks.test/in",
        "matrix://secret@chat.test/room",
    ],
}


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "smtp_host": "mail.test"}, environment={})


@pytest.fixture
def knowledge(here: Settings) -> Iterator[Knowledge]:
    with opened(here) as made:
        yield made


@pytest.fixture
def plan(knowledge: Knowledge, here: Settings) -> Plan:
    return plan_import(knowledge, here, json.dumps(WATCH).encode())


def test_headers_and_cookies_become_a_log_in_for_the_page(knowledge: Knowledge, here: Settings, plan: Plan):
    install_plan(knowledge, here, plan)
    page = knowledge.versions.page(knowledge.sentinels.get("me", plan.rows[0].name).pages[0].id)
    login = logins(knowledge, here).of(page)
    assert login is not None
    assert (login.url, login.headers, login.cookies) == (
        "https://shop.test/a",
        (("X-Api-Key", "t0ken"),),
        (("session", "abc"),),
    )


def test_a_service_is_kept_sealed_under_the_name_that_the_sentinel_says(
    knowledge: Knowledge, here: Settings, plan: Plan
):
    install_plan(knowledge, here, plan)
    text = knowledge.sentinels.get("me", plan.rows[0].name).text
    assert "abcdefg" not in text
    (name,) = [one.address for one in plan.rows[0].sentinel.contacts if one.channel == "apprise"]  # type: ignore[union-attr]
    assert service_url(knowledge.contacts, seal_of(here), "me", name) == WATCH["notification_urls"][1]
    assert "email jill@mail.test" in text
    assert "webhook https://hooks.test/in" in text


def test_a_service_that_the_operator_does_not_allow_is_told(plan: Plan):
    assert any("'matrix' may not be used here" in one for one in plan.rows[0].remarks)


def test_without_a_mail_server_the_address_is_left_out_and_told(tmp_path: Path):
    here = read_settings({"data": str(tmp_path)}, environment={})
    with opened(here) as knowledge:
        plan = plan_import(knowledge, here, json.dumps(WATCH).encode())
        (row,) = plan.fine
        assert "email" not in row.text
        assert any(one.startswith("email: not taken along; ") for one in row.remarks)


def test_a_header_that_cannot_be_sent_is_told(knowledge: Knowledge, here: Settings):
    watch = WATCH | {"headers": {"X Key": "a"}, "notification_urls": []}
    (row,) = plan_import(knowledge, here, json.dumps(watch).encode()).fine
    assert row.secrets == Secrets()
    assert any(one.startswith("headers: not taken along") for one in row.remarks)


def test_secrets_go_through_the_form_that_asks_first(plan: Plan):
    asked = replace(plan, rows=tuple(replace(row, secrets=Secrets()) for row in plan.rows))
    assert with_secrets(asked, secrets_as_json(plan)).rows[0].secrets == plan.rows[0].secrets
    assert with_secrets(asked, "") == asked
    for wrong in ("[1]", "{", '{"a": 1}', '{"a": {"colour": ["red"]}}', '{"a": {"headers": 3}}'):
        with pytest.raises(SettingRefused, match="cannot be read"):
            with_secrets(asked, wrong)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_script_is_taken_along_only_if_the_operator_allows_scripts(tmp_path: Path, allowed: bool):
    here = read_settings({"data": str(tmp_path), "step_scripts": "on" if allowed else "off"}, environment={})
    steps = [{"operation": "Execute JS", "optional_value": "1"}, {"operation": "Press Enter"}]
    watch = {"uuid": "u-1", "url": "https://shop.test/a", "browser_steps": steps}
    with opened(here) as knowledge:
        (row,) = plan_import(knowledge, here, json.dumps(watch).encode()).fine
    assert ('run "1"' in row.text) is allowed
    assert "press Enter" in row.text
    assert any(one.startswith("scripts: not taken along") for one in row.remarks) is not allowed
