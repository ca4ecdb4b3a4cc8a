"""`/openapi.json` names every field of every answer, so that clients can be made from it (U2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("data")
    settings = read_settings({"data": str(folder)}, environment={})
    return create_application(MemoryKnowledge(delay=0), settings).openapi()


def _answers(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", answer["content"]["application/json"]["schema"])
        for path, methods in described["paths"].items()
        for method, route in methods.items()
        for status, answer in route["responses"].items()
        if status.startswith("2") and "application/json" in answer.get("content", {})
    ]


def _names_fields(schema: dict[str, Any], described: dict[str, Any]) -> bool:
    if "$ref" in schema:
        named = described["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return bool(named.get("properties"))
    if schema.get("type") == "array":
        return _names_fields(schema["items"], described)
    return "anyOf" in schema and all(_names_fields(one, described) for one in schema["anyOf"])


def test_every_answer_in_json_names_its_fields(described: dict[str, Any]):
    answers = _answers(described)
    assert len(answers) > 55
    nameless = [route for route, schema in answers if not _names_fields(schema, described)]
    assert nameless == [], "give these routes a return type from webvigil.model.shapes"


def test_fields_that_may_be_left_out_are_not_required(described: dict[str, Any]):
    page = described["components"]["schemas"]["PageShape"]
    assert {"level", "via"} <= page["properties"].keys()
    assert not {"level", "via"} & set(page["required"])
    assert "url" in page["required"]


def test_trouble_is_described_once_and_operations_have_short_names(described: dict[str, Any]):
    assert described["components"]["schemas"]["Problem"]["properties"].keys() >= {"title", "detail"}
    routes = [route for methods in described["paths"].values() for route in methods.values()]
    names = [route["operationId"] for route in routes]
    assert len(set(names)) == len(names)
    assert {"sentinels_add", "users_add", "changes_search"} <= set(names)


UNLIMITED = {
    "/api/v1/service-classes": "they come with the program",
    "/api/v1/discoveries/{discovery}/report": "its tables are always the same few",
}


def test_no_list_is_told_without_a_limit(described: dict[str, Any]):
    lists = {
        route.removeprefix("GET "): schema
        for route, schema in _answers(described)
        if route.startswith("GET ") and schema.get("type") == "array"
    }
    for path in lists:
        asked = described["paths"][path]["get"].get("parameters", [])
        lists[path] = {one["name"]: one["schema"] for one in asked}
    assert len(lists) > 18
    limited = {path for path, asked in lists.items() if asked.get("limit", {}).get("maximum", 10**9) <= 1000}
    assert lists.keys() - limited == UNLIMITED.keys(), (
        "give these routes a limit, and a way to the next piece"
    )
    one_by_one = {path for path in limited if not {"skip", "before", "until"} & lists[path].keys()}
    newest_only = {"/api/v1/pages/{page}/log", "/api/v1/search", "/api/v1/notices"}
    assert one_by_one <= newest_only
