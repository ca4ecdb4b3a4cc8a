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


def test_no_field_of_an_answer_holds_just_anything(described: dict[str, Any]):
    """What goes into a request may: the preferences of a user are changed by name."""
    shapes = described["components"]["schemas"]
    free = [
        f"{name}.{field}"
        for name, shape in shapes.items()
        if name.endswith("Shape")
        for field, said in shape.get("properties", {}).items()
        if not said.keys() - {"title", "description"} or said.get("additionalProperties") is True
    ]
    assert free == [], "name what is in these fields by a shape in webvigil.model.shapes"


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
    assert {"sentinels_add", "users_add", "changes_search", "contacts_add", "notices_retry"} <= set(names)
    assert [name for name, route in zip(names, routes, strict=True) if not route.get("tags")] == []


def test_every_route_describes_what_it_says_in_trouble(described: dict[str, Any]):
    named = {"$ref": "#/components/schemas/Problem"}
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            for status in ("401", "404", "422", "default"):
                told = route["responses"].get(status, {}).get("content", {})
                assert told.get("application/problem+json", {}).get("schema") == named, (method, path, status)


def test_a_text_that_is_sent_twice_has_the_same_shape_both_times(described: dict[str, Any]):
    told = described["paths"]["/api/v1/sentinels"]["post"]["responses"]
    first, again = (
        told[status]["content"]["application/json"]["schema"]["items"] for status in ("201", "200")
    )
    assert first == again == {"$ref": "#/components/schemas/MadeShape"}


def test_every_file_has_a_type_that_generators_of_clients_can_read(described: dict[str, Any]):
    files = {
        f"{method.upper()} {path}": route["responses"]["200"].get("content", {})
        for path, methods in described["paths"].items()
        for method, route in methods.items()
        if "200" in route["responses"]
    }
    files = {path: told for path, told in files.items() if "application/json" not in told}
    assert len(files) > 8
    for route, told in files.items():
        assert any(one.startswith("text/") or one == "application/octet-stream" for one in told), route
        assert all(one["schema"]["type"] == "string" for one in told.values()), route
    assert "text/csv" in files["GET /api/v1/sentinels/{name}/values.csv"]
    assert {"application/wacz", "application/warc"} <= files["GET /api/v1/archive"].keys()


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


def test_times_are_described_as_times(described: dict[str, Any]):
    """A client that is made from the description reads them as times. `summary_at` is an hour of the day."""
    times = [
        (shape, name, form)
        for shape, schema in described["components"]["schemas"].items()
        for name, field in schema.get("properties", {}).items()
        for form in field.get("anyOf", [field])
        if name.endswith("_at") and name != "summary_at" and form.get("type") == "string"
    ]
    assert len(times) > 25
    plain = [f"{shape}.{name}" for shape, name, form in times if form.get("format") != "date-time"]
    assert plain == [], "these fields are of the type Time in webvigil.model.shapes"


def test_every_operation_names_the_answers_that_are_no_success(described: dict[str, Any]):
    refused = {"400", "401", "403", "404", "409", "422", "default"}  # `/healthz` has 503 as well
    for path, ways in described["paths"].items():
        for method, operation in ways.items():
            others = {one for one in operation["responses"] if not one.startswith(("2", "3"))}
            assert others - {"503"} == refused, f"{method} {path}"
