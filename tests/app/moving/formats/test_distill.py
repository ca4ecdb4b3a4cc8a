"""Monitors of Distill: each value becomes a clause or is reported."""

from __future__ import annotations

import json
from typing import Any

import pytest

from webvigil.app.moving.formats.distill import is_mine, read
from webvigil.app.moving.formats.found import Found, Told
from webvigil.errors import SettingRefused
from webvigil.language import print_sentinel

URL = "http://a.test/x"
FRAMES = "the frames of a page are part of it here"


def found(**monitor: Any) -> Found:
    (one,) = read(json.dumps({"data": [monitor, "no monitor"]}).encode())
    return one


def clauses(one: Found) -> str:
    assert one.sentinel
    return print_sentinel(one.sentinel).partition(URL)[2].strip()


def selection(**one: Any) -> str:
    return json.dumps({"selections": [one]})


def parts(**frame: Any) -> str:
    return selection(frames=[frame])


@pytest.mark.parametrize(
    ("monitor", "said"),
    [
        ({}, "Fetch on change"),
        ({"tags": "a,b"}, "Fetch on change\nTopic a, b"),
        ({"tags": ["a"]}, "Fetch on change\nTopic a"),
        ({"schedule": json.dumps({"params": {"interval": 60}})}, "Fetch 1 minute"),
        ({"schedule": {"params": {"interval": 1}}}, "Fetch 1 second"),
        ({"schedule": {"params": {"interval": 0}}}, "Fetch on change"),
        ({"schedule": {"params": {"interval": 999_999_999}}}, "Fetch 999999999 second"),
        ({"schedule": {"params": {"interval": 1e9}}}, "Fetch on change"),
        ({"schedule": {"params": {"interval": "x"}}}, "Fetch on change"),
        ({"schedule": {"params": []}}, "Fetch on change"),
        ({"config": selection(dynamic=True)}, "Fetch on change\nRender browser"),
        ({"config": selection(dynamic=False)}, "Fetch on change"),
        ({"config": parts(includes=[{"type": "css", "expr": ".a"}])}, 'Within css ".a"\nFetch on change'),
        (
            {"config": parts(includes=[{"type": "xpath", "expr": "//b"}], excludes=[{"expr": ".c"}])},
            'Within xpath "//b"\nIgnore css ".c"\nFetch on change',
        ),
        ({"config": parts(includes=[{"expr": one} for one in ("html", "body", "")])}, "Fetch on change"),
        (
            {"config": parts(includes=[{"type": "xpath", "expr": one} for one in ("/html", "//body")])},
            "Fetch on change",
        ),
    ],
)
def test_a_monitor_becomes_a_sentinel(monitor: dict[str, Any], said: str):
    assert clauses(found(uri=URL, **monitor)) == said


@pytest.mark.parametrize(
    ("state", "enabled"),
    [
        (40, True),
        ("ready", True),
        ("active", True),
        ("on", True),
        (41, False),
        (39, False),
        ("paused", False),
    ],
)
def test_a_monitor_that_is_off_is_taken_along_switched_off(state: Any, *, enabled: bool):
    assert found(uri=URL, state=state).enabled is enabled
    assert found(uri=URL).enabled


@pytest.mark.parametrize(
    ("monitor", "told"),
    [
        ({"name": "Tea"}, Told("name", "Tea", "Title")),
        ({"id": 5}, None),
        ({"content_type": 1}, None),
        ({"content_type": 2}, None),
        (
            {"content_type": 3},
            Told(
                "content_type",
                "3",
                "",
                "not taken along; it says what kind of page it is; that is seen here",
            ),
        ),
        (
            {"config": parts(index=1)},
            Told(
                "config selections frames index",
                "1",
                "",
                f"not taken along; it selects in a frame of the page; {FRAMES}",
            ),
        ),
        ({"config": parts(index=0)}, None),
        ({"schedule": {"type": "INTERVAL"}}, None),
        (
            {"schedule": {"type": "RANDOM"}},
            Told(
                "schedule type",
                "RANDOM",
                "",
                "not taken along; it says how looks are planned; only intervals are taken along",
            ),
        ),
        ({"new": {"deep": 1}}, Told("new deep", "1", "", "unknown here, not taken along")),
        ({"config": "{broken"}, Told("config", "{broken", "", "unknown here, not taken along")),
        ({"config": [1]}, Told("config", "[1]", "", "unknown here, not taken along")),
    ],
)
def test_each_value_is_told(monitor: dict[str, Any], told: Told | None):
    one = found(uri=URL, **monitor)
    assert one.told == (Told("uri", URL, "Using"), *filter(None, [told]))
    assert one.remarks == ((f"{told.key}: {told.remark}",) if told and told.remark else ())


@pytest.mark.parametrize(("depth", "key"), [(10, 11), (11, 12), (12, 12), (20, 12)])
def test_a_value_is_looked_into_as_deep_as_monitors_are(depth: int, key: int):
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    assert len(found(uri=URL, x=value).told[-1].key.split()) == key


def test_an_address_may_stand_in_the_selections():
    one = found(config=selection(uri=URL))
    assert clauses(one) == "Fetch on change"
    assert one.source == URL
    gone = found(name="x" * 201)
    assert (gone.source, gone.trouble, gone.sentinel) == ("x" * 200, "there is no address", None)


@pytest.mark.parametrize(
    ("data", "is_one"),
    [(b' {"data":[], "uri"', True), (b'{"data"', False), (b'{"uri"', False), (b'["data" "uri"]', False)],
)
def test_an_export_is_known_by_its_keys(data: bytes, *, is_one: bool):
    assert is_mine(data) is is_one


@pytest.mark.parametrize("data", [b"{", b"{}", b"[]", b'"x"'])
def test_what_is_no_export_is_refused(data: bytes):
    with pytest.raises(SettingRefused, match=r"^this is no export of Distill that can be read$"):
        read(data)


def test_an_export_without_monitors_brings_nothing():
    assert read(b'{"data": {}}') == []
