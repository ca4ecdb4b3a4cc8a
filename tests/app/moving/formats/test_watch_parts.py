"""What the nested parts of a watch of changedetection.io become, each by itself."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.app.moving.formats.said import Said
from webvigil.app.moving.formats.watch_parts import (
    DAYS,
    conditions,
    message,
    restock,
    schedule,
    seconds,
    steps,
)

LAST = Said(
    "remark", "compared is with the last version, not with the last one that met the conditions", "conditions"
)
NUMBERS = Said(
    "remark", "it is about the numbers that changed, not about the first number on the page", "conditions"
)


def rule(field: str, operator: str, value: str) -> dict[str, str]:
    return {"field": field, "operator": operator, "value": value}


def when(text: str) -> list[Said]:
    return [Said("when", text, "conditions"), LAST]


TEXT, NUMBER, RATIO = "page_filtered_text", "extracted_number", "levenshtein_ratio"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([rule(TEXT, "in", "7")], when("matches /7/")),
        ([rule(TEXT, "!in", "7")], when("NOT matches /7/")),
        ([rule(TEXT, "contains_regex", "7")], when("matches /(?i)7/")),
        ([rule(TEXT, "!contains_regex", "7")], when("NOT matches /(?i)7/")),
        ([rule(TEXT, "starts_with", "7")], when(r"matches /(?i)\A\s*7/")),
        ([rule(TEXT, "ends_with", "7")], when(r"matches /(?i)7\s*\z/")),
        ([rule(TEXT, "==", "7")], when(r"matches /\A\s*7\s*\z/")),
        ([rule(TEXT, "!=", "7")], when(r"NOT matches /\A\s*7\s*\z/")),
        ([rule(TEXT, "length_min", "7")], when("matches /(?s).{7}/")),
        ([rule(TEXT, "length_max", "7")], when("NOT matches /(?s).{8}/")),
        ([rule(NUMBER, ">", "2.50")], [*when("value > 2.5"), NUMBERS]),
        ([rule(NUMBER, "<", "2.50")], [*when("value < 2.5"), NUMBERS]),
        ([rule(NUMBER, ">=", "2.50")], [*when("value >= 2.5"), NUMBERS]),
        ([rule(NUMBER, "<=", "2.50")], [*when("value <= 2.5"), NUMBERS]),
        ([rule(NUMBER, "==", "2.50")], [*when("value = 2.5"), NUMBERS]),
        ([rule(NUMBER, "!=", "2.50")], [*when("value != 2.5"), NUMBERS]),
        (
            [rule(RATIO, "<", "0.8")],
            [
                Said("remark", "measured is the share of the text that changed", "conditions 1"),
                *when("changed > 20%"),
            ],
        ),
        (
            [rule(RATIO, "<=", "0.8")],
            [
                Said("remark", "measured is the share of the text that changed", "conditions 1"),
                *when("changed >= 20%"),
            ],
        ),
        (
            [rule(RATIO, ">", "0.8")],
            [
                Said(
                    "remark",
                    "not taken along; it compares levenshtein_ratio by >",
                    "conditions 1",
                    "levenshtein_ratio > 0.8",
                )
            ],
        ),
        (
            ["no rule", rule(TEXT, "in", "a"), rule("word_count", ">", "5")],
            [
                Said(
                    "remark",
                    "not taken along; it counts the words of the page",
                    "conditions 2",
                    "word_count > 5",
                ),
                *when("matches /a/"),
            ],
        ),
        (
            [rule(NUMBER, ">", "x")],
            [
                Said(
                    "remark",
                    "not taken along; it compares extracted_number by >",
                    "conditions 1",
                    "extracted_number > x",
                )
            ],
        ),
        ([rule(TEXT, "in", "a"), rule(TEXT, "!in", "b")], when("matches /a/ AND NOT matches /b/")),
        ([rule("", "in", "5"), rule(TEXT, "", "5"), rule(TEXT, "in", "")], []),
        ([rule("None", "in", "5"), rule(TEXT, "None", "5"), rule(TEXT, "in", "None")], []),
        ({"rule": 1}, []),
    ],
)
def test_each_condition_is_said_or_reported(rules: Any, expected: list[Said]):
    assert list(conditions(rules, {})) == expected


@pytest.mark.parametrize(("logic", "sign"), [({}, "AND"), ("ALL", "AND"), ("ANY", "OR")])
def test_conditions_are_joined_as_they_were(logic: Any, sign: str):
    rules = [rule(TEXT, "in", "a"), rule(TEXT, "in", "b")]
    watch = {"conditions_match_logic": logic} if logic else {}
    assert list(conditions(rules, watch)) == when(f"matches /a/ {sign} matches /b/")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([], [NUMBERS]),
        (["json:$.a", "jq:.a"], [NUMBERS]),
        ([" .a "], [Said("monitor", 'value css ".a"', "conditions")]),
        (["//a"], [Said("monitor", 'value xpath "//a"', "conditions")]),
        (["xpath:/a"], [Said("monitor", 'value xpath "/a"', "conditions")]),
        (["xpath1:/a", "jq:.b"], [Said("monitor", 'value xpath "/a"', "conditions")]),
        ([".a", ".b"], []),
    ],
)
def test_a_number_is_that_of_the_watched_part(filters: list[str], expected: list[Said]):
    said = list(conditions([rule(NUMBER, ">", "5")], {"include_filters": filters}))
    assert said == [*when("value > 5"), *expected]


def day(start: str = "", **duration: Any) -> dict[str, Any]:
    return {"enabled": True, "start_time": start} | ({"duration": duration} if duration else {})


DIFFERENT = "monday between 9:30 and 17:30, friday all day"
NO_DAY = ["not taken along; no day is enabled, so it is never looked at there"]
OF_VIENNA = "its hours are those of Europe/Vienna; here they are those of your time zone"


@pytest.mark.parametrize(
    ("limit", "said", "remarks"),
    [
        (None, "", []),
        ({"enabled": False, "monday": day()}, "", []),
        ({"enabled": True}, "", NO_DAY),
        ({"enabled": True, "monday": {"enabled": False}, "friday": "x"}, "", NO_DAY),
        ({"enabled": True} | dict.fromkeys(DAYS, day()), "", []),
        ({"enabled": True, "timezone": "Europe/Vienna"} | dict.fromkeys(DAYS, day()), "", [OF_VIENNA]),
        ({"enabled": True} | dict.fromkeys(DAYS, day("8:00", hours=2)), "between 8:00 and 10:00", []),
        ({"enabled": True} | dict.fromkeys(DAYS[1:], day()), f"on {', '.join(DAYS[1:])}", []),
        ({"enabled": True, "monday": day()}, "on monday", []),
        (
            {"enabled": True, "monday": day("09:30", hours="8", minutes="15")},
            "on monday between 9:30 and 17:45",
            [],
        ),
        (
            {"enabled": True, "friday": day("9:05", hours=1), "monday": day("09:05", minutes=60)},
            "on monday, friday between 9:05 and 10:05",
            [],
        ),
        (
            {"enabled": True, "timezone": "Europe/Vienna", "monday": day("9:30", hours=8), "friday": day()},
            "on monday, friday",
            [
                OF_VIENNA,
                f"not taken along: hours that differ from day to day ({DIFFERENT})",
            ],
        ),
        (
            {"enabled": True, "monday": day("20:00", hours=8, minutes=5)},
            "on monday between 20:00 and 4:05",
            [],
        ),
        ({"enabled": True, "monday": day("16:00", hours=8)}, "on monday between 16:00 and 0:00", []),
        ({"enabled": True, "monday": day(hours=23, minutes=59)}, "on monday between 0:00 and 23:59", []),
        ({"enabled": True, "monday": day(hours=24)}, "on monday", []),
        (
            {"enabled": True, "monday": day("x:y", hours="x", minutes=30)},
            "on monday between 0:00 and 0:30",
            [],
        ),
    ],
)
def test_days_and_hours_are_taken_along(limit: Any, said: str, remarks: list[str]):
    assert schedule(limit) == (said, remarks)


@pytest.mark.parametrize(
    ("value", "waited"),
    [(0, 1), ("0.4", 1), (1, 1), ("1.6", 2), (59, 59), (60, 60), (61, 60), ("x", 1), (None, 1), ("inf", 1)],
)
def test_a_step_waits_a_second_to_a_minute(value: Any, waited: int):
    assert seconds(value) == waited


def step(operation: str, selector: str = "#a", value: str = "7") -> dict[str, str]:
    return {"operation": operation, "selector": selector, "optional_value": value}


FAILS = "a page without it is a step that fails"
TYPED = (
    'the text stands in the sentinel; if it is a secret, keep it sealed, then write type css "#a" secret NAME'
)


@pytest.mark.parametrize(
    ("one", "text", "value", "remark"),
    [
        (step("Check checkbox"), 'choose css "#a" "on"', "Check checkbox #a 7", ""),
        (step("Uncheck checkbox"), 'choose css "#a" "off"', "Uncheck checkbox #a 7", ""),
        (step("Click element"), 'click css "#a"', "Click element #a 7", ""),
        (step("Click element if exists"), 'click css "#a"', "Click element if exists #a 7", FAILS),
        (step("Click element containing text"), 'click text "7"', "Click element containing text #a 7", ""),
        (
            step("Click element containing text if exists"),
            'click text "7"',
            "Click element containing text if exists #a 7",
            FAILS,
        ),
        (step("Enter text in field"), 'type css "#a" "7"', "Enter text in field #a (text not shown)", TYPED),
        (
            step("Execute JS"),
            'run "7"',
            "Execute JS #a 7",
            "scripts run only if the operator allows them",
        ),
        (step("Goto URL", ""), "open 7", "Goto URL  7", ""),
        (step("Press Enter", "", ""), "press Enter", "Press Enter", ""),
        (step("Select by label"), 'choose css "#a" "7"', "Select by label #a 7", ""),
        (step("<select> by option text"), 'choose css "#a" "7"', "<select> by option text #a 7", ""),
        (
            step("Scroll down", "", ""),
            "scroll to bottom",
            "Scroll down",
            "it scrolls to the end of the page",
        ),
        (step("Wait for seconds"), "wait 7 second", "Wait for seconds #a 7", ""),
        (step("Wait for text"), 'wait for text "7"', "Wait for text #a 7", ""),
        (
            step("Wait for text in element"),
            'wait for text "7"',
            "Wait for text in element #a 7",
            "the text may come anywhere",
        ),
        (step("Click element", "//a", ""), 'click xpath "//a"', "Click element //a", ""),
        (step("Click element", "xpath=//a", ""), 'click xpath "//a"', "Click element xpath=//a", ""),
        (step("Click element", "xpath://a", ""), 'click xpath "//a"', "Click element xpath://a", ""),
        (step("Click element", "css=.b", ""), 'click css ".b"', "Click element css=.b", ""),
    ],
)
def test_each_step_is_said(one: dict[str, str], text: str, value: str, remark: str):
    said = list(steps([one]))
    assert said[0] == Said("steps", text, "browser_steps 1", value)
    shown = "" if remark == TYPED else one["operation"]
    assert said[1:] == ([Said("remark", remark, "browser_steps 1", shown)] if remark else [])


@pytest.mark.parametrize(
    ("one", "remark"),
    [
        (
            step("Enter text in field", "#Pass"),
            'not taken along: a secret; keep it sealed, then write type css "#Pass" secret NAME',
        ),
        (
            step("Enter text in field", "#PIN"),
            'not taken along: a secret; keep it sealed, then write type css "#PIN" secret NAME',
        ),
        (
            step("Click X,Y"),
            "not taken along; it clicks at a place of the screen; here steps name an element",
        ),
        (step("Goto site"), "so it is anyway: the page is open before the first step"),
        (step("Choose one"), "so it is anyway: an empty step"),
        (step("Fly"), "unknown here, not taken along: Fly"),
    ],
)
def test_a_step_that_cannot_be_said_is_reported(one: dict[str, str], remark: str):
    assert list(steps([{}, "x", one])) == [Said("remark", remark, "browser_steps 3", one["operation"])]


def test_elements_that_are_removed_are_ignored():
    assert list(steps([step("Remove elements", "#a")])) == [
        Said("ignore", 'css "#a"', "browser_steps 1", "Remove elements #a")
    ]
    assert list(steps("no steps")) == list(steps(None)) == []


OF_ALL, OF_TAG, OLD = (
    "processor_config_restock_diff",
    "processor_config_restock_diff of a tag",
    "restock_settings",
)
NOTHING_TOLD = "neither stock nor price is followed there, so nothing is told; here every change is"
WHATEVER = "stock is told whatever the price is"
NO_NUMBER = "not taken along; a limit of the price is no number"


@pytest.mark.parametrize(
    ("watch", "key", "said", "remarks"),
    [
        ({}, "processor", "becomes in stock OR price moves 0.01", []),
        (
            {"in_stock_only": False},
            "processor",
            "becomes in stock OR becomes not in stock OR price moves 0.01",
            [],
        ),
        ({"follow_price_changes": False}, "processor", "becomes in stock", []),
        (
            {"price_change_threshold_percent": "2.5"},
            "processor",
            "becomes in stock OR price moves 2.5%",
            [],
        ),
        (
            {"price_change_threshold_percent": "x"},
            "processor",
            "becomes in stock OR price moves 0.01",
            [NO_NUMBER],
        ),
        ({OF_ALL: "x"}, "processor", "becomes in stock OR price moves 0.01", []),
        ({OF_ALL: {"in_stock_processing": "off"}}, OF_ALL, "", [NOTHING_TOLD]),
        (
            {OF_ALL: {"in_stock_processing": "all_changes"}},
            OF_ALL,
            "becomes in stock OR becomes not in stock",
            [],
        ),
        (
            {OF_ALL: {"follow_price_changes": True}},
            OF_ALL,
            "becomes in stock OR price moves 0.01",
            [],
        ),
        (
            {OF_ALL: {"follow_price_changes": True, "price_change_min": 5}},
            OF_ALL,
            "becomes in stock OR price moves 0.01 AND (price < 5)",
            [WHATEVER],
        ),
        (
            {OF_ALL: {"follow_price_changes": True, "price_change_min": 5, "price_change_max": "9.50"}},
            OF_ALL,
            "becomes in stock OR price moves 0.01 AND (price < 5 OR price > 9.5)",
            [WHATEVER],
        ),
        ({OF_ALL: {"price_change_max": 9}}, OF_ALL, "becomes in stock", [WHATEVER]),
        (
            {OF_ALL: {"follow_price_changes": True, "price_change_max": "x"}},
            OF_ALL,
            "becomes in stock OR price moves 0.01",
            [NO_NUMBER, WHATEVER],
        ),
        (
            {
                OF_ALL: {},
                OLD: {
                    "in_stock_processing": "off",
                    "follow_price_changes": True,
                    "price_change_threshold_percent": 10,
                },
            },
            OLD,
            "price moves 10%",
            [],
        ),
        (
            {OF_TAG: {"in_stock_processing": "off"}, OF_ALL: {"in_stock_processing": "all_changes"}},
            OF_TAG,
            "",
            [NOTHING_TOLD],
        ),
    ],
)
def test_prices_and_stock_are_conditions_of_a_product(
    watch: dict[str, Any], key: str, said: str, remarks: list[str]
):
    found = list(restock(watch))
    assert found[0] == Said("monitor", "product", "processor")
    assert [one for one in found[1:] if one.slot == "when"] == ([Said("when", said, key)] if said else [])
    assert [one for one in found[1:] if one.slot == "remark"] == [Said("remark", one, key) for one in remarks]


def test_an_unknown_setting_of_a_product_is_reported():
    assert list(restock({OF_ALL: {"other": 1}}))[2:] == [
        Said("remark", "unknown here, not taken along", f"{OF_ALL} other")
    ]


@pytest.mark.parametrize(
    ("value", "said", "left_out"),
    [
        ("{{ watch_url }} {{watch_title}} {{ diff_added|upper }}", "{{ url }} {{ title }} {{ added }}", ""),
        ("{% if x %}a{% endif %}", "a", "{% if x %}, {% endif %}"),
        ("{{ unknown }} b {{ unknown }}", "b", "{{ unknown }}"),
        ("{{ unknown }}", "", "{{ unknown }}"),
        (" plain ", "plain", ""),
        ("", "", ""),
        (7, "7", ""),
    ],
)
def test_a_message_has_our_fields(value: Any, said: str, left_out: str):
    expected = [Said("message", f'body "{said}"')] if said else []
    if left_out:
        expected.append(Said("remark", f"has no field here, left out of the message: {left_out}"))
    assert list(message("body", value)) == expected
