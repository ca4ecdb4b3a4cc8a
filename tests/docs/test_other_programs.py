"""The sensors for Home Assistant in the documentation read what the API really answers (U7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from fastapi.testclient import TestClient
from jinja2 import Environment, StrictUndefined

from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.people.sign_in import new_api_token
from webvigil.app.settings import read_settings
from webvigil.model.change import Finding, ObjectChange
from webvigil.model.work import NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

PAGE = Path(__file__).parents[2] / "docs/other-programs.md"
LONGEST_STATE = 255  # Home Assistant refuses a longer one.


class _Yaml(yaml.SafeLoader):
    """YAML with the mark by which Home Assistant names a secret."""


_Yaml.add_constructor("!secret", lambda loader, node: f"secret {node.value}")


def documented() -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Returns the entries under `rest` and the secrets, as the page shows them."""
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found = [yaml.load(one, _Yaml) for one in blocks]
    rest = next(one["rest"] for one in found if "rest" in one)
    return rest, next(one for one in found if "webvigil" in one)


def sensors() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for entry in documented()[0]:
        for kind in ("sensor", "binary_sensor"):
            for one in entry.get(kind, []):
                yield entry, one


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    text = 'Create Sentinel lamp Using http://lamp.test/ Monitor value css ".price"'
    made.sentinels.add(sentinel("lamp", "http://lamp.test/", text=text))
    (claim,) = claim_all(made)
    due = claim.pages[0]
    change = NewChange(
        sentinel=due.watches[0].sentinel,
        old_version=1,
        new_version=2,
        findings=(
            Finding(
                type="value",
                objects=(ObjectChange(object="49 €", status="u", before="59 €", after="49 €"),),
            ),
        ),
    )
    made.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return made


@pytest.fixture
def client(knowledge: MemoryKnowledge, tmp_path: Path) -> TestClient:
    application = create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))
    return TestClient(application)


def asked(client: TestClient, knowledge: MemoryKnowledge, entry: dict[str, Any]) -> Any:
    """Returns what the server answers to Home Assistant."""
    secret = new_api_token(knowledge, knowledge.users.get("jill"), "home", "read")
    written = documented()[1]
    headers = {
        name: written[value.removeprefix("secret ")].replace("wv_…", secret)
        for name, value in entry.get("headers", {}).items()
    }
    address = entry.get("resource") or rendered(entry["resource_template"])
    parts = urlsplit(str(address))
    answer = client.get(f"{parts.path}?{parts.query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rendered(template: str, value_json: Any = None) -> str:
    made = Environment(undefined=StrictUndefined, autoescape=False).from_string(template)
    return made.render(value_json=value_json, now=lambda: datetime.now(UTC))


def states(client: TestClient, knowledge: MemoryKnowledge) -> dict[str, str]:
    return {
        one["name"]: rendered(one["value_template"], asked(client, knowledge, entry))
        for entry, one in sensors()
    }


def test_every_sensor_has_a_state(client, knowledge):
    found = states(client, knowledge)
    assert found["WebVigil unread"] == "1"
    assert "49" in found["WebVigil newest"]
    assert float(found["Price of the lamp"]) == 49
    assert found["WebVigil trouble"] == "False"
    assert all(len(one) <= LONGEST_STATE for one in found.values())


def test_every_attribute_is_in_the_answer(client, knowledge):
    for entry, one in sensors():
        told = asked(client, knowledge, entry)
        for step in re.findall(r"\w+", one.get("json_attributes_path", "")):
            told = told[int(step) if step.isdigit() else step]
        for name in one.get("json_attributes", ()):
            assert name in told, one["name"]


def test_nothing_unread_and_no_value_are_states_too(client, knowledge):
    (change,) = knowledge.changes.all("jill")
    knowledge.changes.mark("jill", [change.id], seen=True)
    knowledge.sentinels.set_aside("jill", "lamp")
    knowledge.sentinels.add(
        sentinel("lamp", "http://lamp.test/", text="Create Sentinel lamp Using http://lamp.test/")
    )
    found = states(client, knowledge)
    assert found["WebVigil unread"] == "0"
    assert found["WebVigil newest"] == "nothing unread"
    assert found["Price of the lamp"] == "None"


def test_every_sensor_can_be_told_apart():
    ids = [one["unique_id"] for _, one in sensors()]
    assert len(ids) == len(set(ids)) == 4
