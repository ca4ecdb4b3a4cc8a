"""Files of other programs with values that no key should have: the entry is taken over, and what cannot be
read is told."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from webvigil.app.moving.formats import read_foreign
from webvigil.app.moving.formats.changedetection import _about_settings, _found
from webvigil.app.moving.formats.contacts import SERVICES, contact, reporter
from webvigil.app.moving.formats.found import Found
from webvigil.app.moving.formats.job_keys import KEYS as JOBS
from webvigil.app.moving.formats.said import shown
from webvigil.app.moving.formats.settings_keys import APPLICATION, OF_TAG, REQUESTS, TAG
from webvigil.app.moving.formats.urlwatch import _found as found_job
from webvigil.app.moving.formats.watch_keys import KEYS as WATCHES
from webvigil.language import print_sentinel

URL = "https://a.test/"
SCHEDULE = {"enabled": True, "monday": {"enabled": True}}
ODD: list[Any] = [
    *("abc", "²", "9" * 5000, "http://[", "json://[x", "mailto:a@[", "\0", "\ud800"),
    *(-1, 1.5, float("nan"), float("inf"), 10**400, True, b"x", date(2020, 1, 1), {date(2020, 1, 1)}),
    *([1], ["http://["], [["a"]], [{"a": 1}], {"a": ["b"]}, {1: 2}, SCHEDULE),
    SCHEDULE | {"monday": {"enabled": True, "start_time": [1], "duration": {"hours": "x"}}},
    {"price_change_min": "x", "price_change_threshold_percent": ["x"], "follow_price_changes": True},
    [{"operation": "Enter text in field", "selector": ["a"], "optional_value": {"x": 1}}],
    [{"field": "page_filtered_text", "operator": "length_min", "value": "x"}],
]


def is_taken(found: Found) -> bool:
    return bool(found.sentinel or found.trouble)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_no_value_ends_the_import(value: Any):
    watch = dict.fromkeys(WATCHES, value) | {"url": URL, "method": "GET"}
    tag = dict.fromkeys((*TAG, *OF_TAG), value) | {"title": "x", "overrides_watch": True}
    settings = {"application": dict.fromkeys(APPLICATION, value), "requests": dict.fromkeys(REQUESTS, value)}
    for more in ({}, {"processor": "restock_diff"}, {"processor": "image_ssim_diff", "body": None}):
        assert is_taken(_found(watch | more | {"tags": ["t"]}, {"t": tag}, settings))
    assert _about_settings(settings, {"t": tag}).remarks
    job = dict.fromkeys(set(JOBS) - {"command"}, value) | {"url": URL}
    for more in ({}, {"use_browser": True}, {"method": "GET", "data": None}):
        assert is_taken(found_job(job | more, []))
    for name in ("email", "webhook", "unknown", *SERVICES):
        for option in ("to", "server_url", "topic_url", "webhook_url", "homeserver", "token"):
            assert list(reporter(name, {"enabled": True, option: value}, "report"))


def test_a_schedule_without_a_time_zone_is_taken_along():
    text = print_sentinel(
        _found(
            {"url": URL, "time_between_check": {"hours": 1}, "time_schedule_limit": SCHEDULE}, {}, {}
        ).sentinel
    )
    assert "Fetch 1 hour on monday" in text


def test_one_address_that_cannot_be_read_leaves_the_others():
    found = _found({"url": URL, "notification_urls": ["json://[", "mailto://me@b.test"]}, {}, {})
    assert "Notify By email me@b.test" in print_sentinel(found.sentinel)
    assert any("its address cannot be read" in one for one in found.remarks)
    assert [one.slot for one in contact("json://[")] == ["remark"]


def test_what_cannot_be_read_is_told_with_its_key():
    found = found_job({"url": URL, "timeout": "abc"}, [])
    assert found.remarks == ("timeout: not taken along, it cannot be read: abc",)


# --- secrets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("browser", {"login": {"password": "hidden"}}),
        ("browser", [{"api-key": "hidden"}, {"x": {"Authorization": "hidden"}}]),
        ("slack", {"webhook_url": "https://hooks.test/hidden"}),
        ("database", "redis://me:hidden@host/0"),
        ("proxy", "http://me:hidden@host/"),
    ],
)
def test_secrets_deep_in_a_value_are_not_shown(name: str, value: Any):
    assert "hidden" not in shown(name, value)
    (found,) = read_foreign(json.dumps({"uuid": "u", "url": URL, f"my_{name}": value}).encode())[1]
    assert "hidden" not in str((found.told, found.remarks))


def test_a_text_that_is_typed_is_in_the_sentinel_and_not_in_the_report():
    step = {"operation": "Enter text in field", "selector": '#f2 "x"', "optional_value": 'hid"den'}
    found = _found({"url": URL, "browser_steps": [step]}, {}, {})
    assert r'type css "#f2 \"x\"" "hid\"den"' in print_sentinel(found.sentinel)
    (told,) = [one for one in found.told if one.key == "browser_steps 1"]
    assert told.value == 'Enter text in field #f2 "x" (text not shown)'
    assert told.becomes == r'Steps type css "#f2 \"x\"" "…"'
    assert "keep it sealed, then write type" in told.remark
    assert "den" not in str((found.told, found.remarks)).replace("hidden", "")
