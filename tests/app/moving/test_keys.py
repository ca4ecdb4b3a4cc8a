"""Every key of a foreign file is translated or reported, and a key that is translated makes a difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from webvigil.app.moving.formats import (
    chain,
    changedetection,
    job_keys,
    patterns,
    read_foreign,
    requests,
    urlwatch,
    watch_parts,
)
from webvigil.app.moving.formats.contacts import REPORTERS, SERVICES
from webvigil.app.moving.formats.found import Found
from webvigil.app.moving.formats.said import Key
from webvigil.app.moving.formats.settings_keys import APPLICATION, OF_TAG, REQUESTS, SETTINGS, TAG
from webvigil.app.moving.formats.watch_keys import GLOBAL, KEYS, TAGGED
from webvigil.language import parse, print_sentinel

CASES = Path(__file__).parent / "cases"
BACKUP: dict[str, Any] = json.loads((CASES / "changedetection.json").read_text())
JOBS = {
    tool: [job for job in yaml.safe_load_all((CASES / f"{tool}.yaml").read_text()) if job]
    for tool in ("urlwatch", "webchanges")
}


def outcome(found: Found) -> tuple[Any, ...]:
    """Returns what an entry becomes, without the report."""
    text = print_sentinel(found.sentinel) if found.sentinel else found.trouble
    return text, found.enabled, found.headers, found.cookies, found.services


def told_of(found: Found, key: str) -> list[Any]:
    return [one for one in found.told if one.key == key or one.key.startswith(f"{key} ")]


def silent(key: Key | None, value: Any) -> bool:
    """Tells whether a key needs no line in the report, because of what it means or because of its value."""
    return key is not None and (key.record or value in (None, "", [], {}) or value in key.usual)


# --- Jobs of urlwatch and webchanges -------------------------------------------------------------


def found_job(job: dict[str, Any]) -> Found:
    (found,) = read_foreign(yaml.safe_dump(job, sort_keys=False).encode(), "urlwatch")[1]
    return found


@pytest.mark.parametrize("tool", JOBS)
def test_the_fixture_has_every_key_of_the_tool(tool: str):
    used = {key for job in JOBS[tool] for key in job}
    assert {name for name, key in job_keys.KEYS.items() if tool in key.tools} <= used


@pytest.mark.parametrize("tool", JOBS)
def test_the_fixture_has_every_filter_of_the_tool_with_every_option(tool: str):
    used: dict[str, set[str]] = {}
    for job in JOBS[tool]:
        for name, argument in chain.named(job.get("filter") or job.get("filters")):
            default = chain.FILTERS[name].default
            options = set(argument) if isinstance(argument, dict) else {default} if argument else set()
            used.setdefault(name, set()).update(options)
    wanted = {name for name, one in chain.FILTERS.items() if tool in one.tools}
    assert wanted <= set(used)
    if tool == "webchanges":
        assert {name: set(chain.FILTERS[name].options) - used[name] - {"<any>"} for name in used} == {
            name: set() for name in used
        }


@pytest.mark.parametrize(
    "job", [pytest.param(job, id=str(number)) for jobs in JOBS.values() for number, job in enumerate(jobs)]
)
def test_no_key_of_a_job_vanishes(job: dict[str, Any]):
    found = found_job(job)
    if "command" in job:
        assert "never" in found.trouble
        return
    for key, value in job.items():
        assert silent(job_keys.KEYS.get(key), value) or told_of(found, key), key
    assert all(one.becomes or one.remark for one in found.told), found.told


@pytest.mark.parametrize(
    "job", [pytest.param(job, id=str(number)) for jobs in JOBS.values() for number, job in enumerate(jobs)]
)
def test_each_filter_of_a_job_is_translated_or_reported_with_its_options(job: dict[str, Any]):
    found = found_job(job)
    for key in ("filter", "filters"):
        for number, (name, argument) in enumerate(chain.named(job.get(key)), 1):
            label = f"{key} {number} {name}"
            assert told_of(found, label), label
            for option in argument if isinstance(argument, dict) else ():
                doing = chain.FILTERS[name].options.get(option, chain.FILTERS[name].options.get("<any>"))
                assert not doing or told_of(found, f"{label} {option}"), (label, option)


@pytest.mark.parametrize(
    "job", [pytest.param(job, id=str(number)) for jobs in JOBS.values() for number, job in enumerate(jobs)]
)
def test_a_translated_key_of_a_job_makes_a_difference(job: dict[str, Any]):
    found = found_job(job)
    if found.trouble:
        return
    for name in job:
        key = job_keys.KEYS[name]
        if (
            name in ("url", "navigate", "command")
            or silent(key, job[name])
            or key.becomes.startswith(("so", "see"))
        ):
            continue
        without = found_job({one: value for one, value in job.items() if one != name})
        differs = outcome(without) != outcome(found)
        reported = any(one.remark for one in told_of(found, name))
        if name != "method" or job[name] != "POST":
            assert differs or not key.becomes or reported, name


def test_an_unknown_key_and_an_unknown_filter_are_reported():
    found = found_job({"url": "https://a.test/", "colour": "red", "filter": [{"bleach": {"strength": 3}}]})
    assert [(one.key, one.remark) for one in found.told if one.remark] == [
        ("colour", "unknown here, not taken along: red"),
        ("filter 1 bleach", "unknown here, not taken along"),
    ]
    found = found_job({"url": "https://a.test/", "filter": [{"css": {"selector": "p", "mood": "good"}}]})
    assert "unknown" in told_of(found, "filter 1 css mood")[0].remark


def test_every_section_of_a_configuration_is_translated_or_reported():
    text = (CASES / "urlwatch-configuration.yaml").read_text()
    jobs = "url: https://harbour.test/a\n---\n" + text
    job, settings = read_foreign(jobs.encode(), "urlwatch")[1]
    known = yaml.safe_load(text)
    for name in known["report"]:
        assert told_of(job, f"report {name}") or told_of(settings, f"report {name}"), name
        assert name in REPORTERS or name in SERVICES or name in ("email", "mailgun"), name
    assert told_of(settings, "display")
    assert "Topic everything" in outcome(job)[0]
    assert job.sentinel is not None
    assert [one.address for one in job.sentinel.contacts if one.channel == "email"] == [
        "jill@harbour.test",
        "jack@harbour.test",
    ]
    assert len(job.services) == len(SERVICES)


def test_a_configuration_alone_says_how_to_import_it():
    (settings,) = read_foreign((CASES / "urlwatch-configuration.yaml").read_bytes(), "urlwatch")[1]
    assert settings.sentinel is None
    assert not settings.trouble
    assert any("together with this file" in one for one in settings.remarks)


# --- Watches of changedetection.io ---------------------------------------------------------------


def found_watches(backup: dict[str, Any]) -> list[Found]:
    return read_foreign(json.dumps(backup).encode(), "changedetection.io")[1]


def watch_alone(watch: dict[str, Any]) -> Found:
    return found_watches({"watching": {watch["uuid"]: watch}})[0]


WATCHES = list(BACKUP["watching"].values())


def test_the_fixture_has_every_key_of_a_watch():
    used = {key for watch in WATCHES for key in watch}
    mine = {name for name, key in KEYS.items() if not name.endswith((GLOBAL, TAGGED)) and not key.record}
    assert mine - used == {"processor_config_image_ssim_diff"}  # stands in a file of its own


@pytest.mark.parametrize("watch", [pytest.param(one, id=one["url"]) for one in WATCHES])
def test_no_key_of_a_watch_vanishes(watch: dict[str, Any]):
    found = watch_alone(watch)
    if "{%" in watch["url"]:
        assert "template" in found.trouble
        return
    for key, value in watch.items():
        own = told_of(found, key) or key in ("processor", "tags")
        if (
            key in ("restock_settings", "processor_config_restock_diff")
            and watch.get("processor") != "restock_diff"
        ):
            continue
        assert silent(KEYS.get(key), value) or own, key
    assert all(one.becomes or one.remark for one in found.told), found.told


@pytest.mark.parametrize("watch", [pytest.param(one, id=one["url"]) for one in WATCHES])
def test_a_translated_key_of_a_watch_makes_a_difference(watch: dict[str, Any]):
    found = watch_alone(watch)
    if found.trouble:
        return
    for name in watch:
        key = KEYS[name]
        if name in ("url", "uuid") or silent(key, watch[name]) or key.becomes.startswith(("so", "nothing")):
            continue
        without = watch_alone({one: value for one, value in watch.items() if one != name})
        differs = outcome(without) != outcome(found)
        reported = any(one.remark for one in told_of(found, name))
        default = name == "processor" and watch[name] == "text_json_diff"
        unused = name == "processor_config_restock_diff" or (
            name == "fetch_backend" and (watch[name] == "system" or "webdriver_delay" in watch)
        )
        assert differs or reported or default or unused or name in ("tags", "tag"), name


@pytest.mark.parametrize(
    ("keys", "when"),
    [
        ({}, "becomes in stock OR price moves 0.01"),
        ({"in_stock_only": False}, "becomes in stock OR becomes NOT in stock OR price moves 0.01"),
        ({"follow_price_changes": False}, "becomes in stock"),
        ({"price_change_threshold_percent": 5}, "becomes in stock OR price moves 5%"),
        (
            {"restock_settings": {"in_stock_processing": "all_changes", "follow_price_changes": False}},
            "becomes in stock OR becomes NOT in stock",
        ),
        (
            {
                "restock_settings": {
                    "in_stock_processing": "off",
                    "follow_price_changes": True,
                    "price_change_min": 5,
                    "price_change_max": 9.5,
                }
            },
            "price moves 0.01 AND (price < 5 OR price > 9.5)",
        ),
    ],
)
def test_a_watch_for_stock_follows_the_product(keys: dict[str, Any], when: str):
    found = watch_alone(
        {"uuid": "a", "url": "https://shop.test/", "processor": "restock_diff", "last_checked": 1, **keys}
    )
    assert found.sentinel is not None
    text = print_sentinel(found.sentinel)
    assert f"Monitor product\nWhen {when}\n" in text
    assert not any("not taken along" in one for one in found.remarks)


def test_every_key_of_the_settings_is_known_and_what_is_not_shared_is_reported():
    settings = BACKUP["settings"]
    for section, keys in (
        (settings, SETTINGS),
        (settings["requests"], REQUESTS),
        (settings["application"], APPLICATION),
    ):
        assert set(section) <= set(keys)
    (report,) = [one for one in found_watches(BACKUP) if one.source == "settings"]
    for name, section, keys in (
        ("requests", settings["requests"], REQUESTS),
        ("application", settings["application"], APPLICATION),
    ):
        for key, value in section.items():
            if not silent(keys[key], value) and not keys[key].becomes:
                assert told_of(report, f"{name} {key}"), key
    assert told_of(report, "tag Market llm_intent")


def test_what_a_tag_and_the_settings_say_arrives_in_each_watch():
    stalls, lines, _, _, apples = [outcome(one)[0] for one in found_watches(BACKUP)][:5]
    for text in ('css ".of-group"', 'css ".not-of-group"', "of group", 'css "footer"', "cookies"):
        assert text in stalls
    assert "Fetch 3 hour" in lines
    assert "Render browser" in lines
    assert "Topic Fruit" in apples
    (found, *_) = found_watches(BACKUP)
    assert "X-Everywhere: yes" in found.headers
    assert not found.enabled
    assert not any("slack" in one or "discord" in one for one in found.services), "the watch has its own"
    assert any("discord" in one for one in found_watches(BACKUP)[1].services)
    assert any("slack" in one for one in found_watches(BACKUP)[4].services)
    assert set(OF_TAG) <= {name.removesuffix(f" {TAGGED}") for name in KEYS}
    assert set(TAG) == {"overrides_watch", "url_match_pattern", "tag_colour"}


def test_each_operation_and_each_condition_is_in_the_fixture():
    steps = {one["operation"] for one in WATCHES[0]["browser_steps"]}
    assert {*watch_parts.STEPS, *watch_parts.STEP_REMARKS} - {"Choose one"} <= steps
    rules = {one["operator"] for one in WATCHES[0]["conditions"] if one["field"] == "page_filtered_text"}
    assert set(watch_parts.TEXT_CONDITIONS) - {"==", "!="} == rules


def test_a_password_in_a_step_is_never_written_into_a_sentinel():
    found = watch_alone(WATCHES[0])
    assert "s3cret" not in json.dumps([outcome(found)[0], *found.remarks, *found.told])


def test_secrets_are_not_shown():
    for found in (
        *map(found_job, JOBS["urlwatch"]),
        *map(found_job, JOBS["webchanges"]),
        *found_watches(BACKUP),
    ):
        shown = json.dumps([*found.remarks, *found.told])
        assert "t0ken" not in shown
        assert "abc123" not in shown


def test_both_modules_read_by_the_tables():
    assert urlwatch.KEYS is job_keys.KEYS
    assert changedetection.KEYS is KEYS


@pytest.mark.parametrize(
    ("query", "monitor"),
    [
        (".ships[].name", 'value json "$.ships[*].name"'),
        (".[0]", 'value json "$[0]"'),
        (".ships | .[0] | .name", 'value json "$.ships[0].name"'),
        ('.["a key"].b?', 'value json "$[\\"a key\\"].b"'),
        (".", 'value json "$"'),
        (".ships | length", 'value jq ".ships | length"'),
        (".ships[] | select(.at > 3)", 'value jq ".ships[] | select(.at > 3)"'),
    ],
)
def test_a_query_of_jq_that_is_a_path_becomes_a_json_path(query: str, monitor: str):
    assert patterns.json_value(query) == monitor


@pytest.mark.parametrize(
    ("method", "body", "headers", "using"),
    [
        ("", None, {}, "{}"),
        ("PUT", None, {}, "request PUT {}"),
        ("", '{"q": 1}', {}, "request POST {} json '{{\"q\": 1}}'"),
        ("PUT", "q=1", {}, "request PUT {} form {{q = 1}}"),
        ("", {"q": "1"}, {}, "form POST {} {{q = 1}}"),
        ("", "plain", {}, 'request POST {} body "plain"'),
        ("", None, {"Accept": "text/csv"}, 'request GET {} header Accept "text/csv"'),
        ("", None, {"X-Key": "s3cret", "Content-Type": "text/plain"}, "{}"),
        (
            "PATCH",
            "<a/>",
            {"Content-Type": "text/xml"},
            'request PATCH {} header Content-Type "text/xml" body "<a/>"',
        ),
        (
            "",
            {"q": "1"},
            {"X-Requested-With": "x", "Content-Type": "application/x-www-form-urlencoded"},
            'request POST {} header X-Requested-With "x" form {{q = 1}}',
        ),
    ],
)
def test_a_request_stays_what_it_was(method: str, body: Any, headers: dict[str, str], using: str):
    url = "https://a.test/x"
    said = requests.target(url, method, body, headers)
    (read,) = parse(f"Create Sentinel s Using {said.text}")
    assert print_sentinel(read) == f"Create Sentinel s Using {using.format(url)}\n"
    kept = [one.text for one in requests.headers(headers, "headers") if one.slot == "header"]
    assert kept == [f"{name}: {value}" for name, value in headers.items() if name == "X-Key"]


def test_a_method_that_removes_something_is_refused_with_its_reason():
    found = found_job({"url": "https://a.test/x", "method": "DELETE"})
    assert "DELETE would remove something at every look" in found.trouble


def test_a_browser_sends_requests_of_its_own():
    found = found_job({"url": "https://a.test/x", "use_browser": True, "headers": {"Accept": "text/csv"}})
    assert found.headers == ("Accept: text/csv",)
    assert "request" not in print_sentinel(found.sentinel)


def test_lines_that_must_and_must_not_match_are_one_expression():
    assert patterns.lines(["a"]) == ".*a.*"
    assert patterns.lines(["a|b"]) == ".*(?:a|b).*"
    assert patterns.lines(["(?i)^a"]) == "(?m).*(?i:^a).*"
    assert patterns.lines(["a", "b"], ["c|d"]) == "(?m)^(?=.*a)(?=.*b)(?!.*(?:c|d)).+$"
