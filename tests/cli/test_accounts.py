"""Users and tokens are managed from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webvigil.app.operating.stores import opened
from webvigil.app.people.passwords import is_right
from webvigil.app.people.sign_in import api_token
from webvigil.app.settings import read_settings
from webvigil.cli.token import token
from webvigil.cli.user import user


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path)


def run(command: object, *words: str, data: str, typed: str = "") -> Result:
    return CliRunner().invoke(command, [*words, "--data", data], input=typed)  # type: ignore[arg-type]


def test_a_password_is_asked_for_twice_and_not_shown(data: str):
    run(user, "add", "jill", data=data)
    typed = "correct horse battery\n"
    result = run(user, "password", "jill", data=data, typed=typed * 2)
    assert result.exit_code == 0, result.output
    assert "correct" not in result.output
    with opened(read_settings({"data": data}, environment={})) as knowledge:
        assert is_right(knowledge, "jill", "correct horse battery")


def test_roles_change_and_users_go(data: str):
    run(user, "add", "jill", data=data)
    assert run(user, "role", "jill", "admin", data=data).exit_code == 0
    assert "jill                     admin" in run(user, "list", data=data).output
    refused = run(user, "remove", "jill", data=data, typed="n\n")
    assert refused.exit_code == 1
    assert run(user, "remove", "jill", "--yes", data=data).exit_code == 0
    assert "jill" not in run(user, "list", data=data).output


def test_a_token_is_shown_once_listed_and_ended(data: str):
    made = run(token, "add", "my script", "--scope", "write", data=data)
    secret = made.stdout.strip()
    with opened(read_settings({"data": data}, environment={})) as knowledge:
        found = api_token(knowledge, secret)
        assert found and (found.user.name, found.scope) == ("me", "write")  # noqa: PT018
    (listed,) = json.loads(run(token, "list", "--json", data=data).stdout)
    assert listed["name"] == "my script"
    assert secret not in run(token, "list", data=data).output
    assert run(token, "end", listed["id"], data=data).exit_code == 0
    assert json.loads(run(token, "list", "--json", data=data).stdout) == []
