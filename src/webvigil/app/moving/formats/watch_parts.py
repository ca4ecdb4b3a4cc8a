"""The nested parts of a watch of changedetection.io in, pieces of clauses out: conditions, hours, steps …"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from webvigil.app.moving.formats import patterns
from webvigil.app.moving.formats.found import texts
from webvigil.app.moving.formats.said import REMARK, Said
from webvigil.language.texts import pattern_in_slashes, quoted

Watch = Mapping[str, Any]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# --- Conditions ----------------------------------------------------------------------------------


def _literal(value: str) -> str:
    return patterns.literal(value, any_case=False)


# The expression that a condition on the text of the page asks for. One that begins with ! must not be found.
TEXT_CONDITIONS: dict[str, Callable[[str], str]] = {
    "in": _literal,
    "!in": _literal,
    "contains_regex": lambda value: f"(?i){value}",
    "!contains_regex": lambda value: f"(?i){value}",
    "starts_with": lambda value: r"(?i)\A\s*" + _literal(value),
    "ends_with": lambda value: f"(?i){_literal(value)}" + r"\s*\z",
    "==": lambda value: r"\A\s*" + _literal(value) + r"\s*\z",
    "!=": lambda value: r"\A\s*" + _literal(value) + r"\s*\z",
    "length_min": lambda value: f"(?s).{{{int(value)}}}",
    "length_max": lambda value: f"(?s).{{{int(value) + 1}}}",
}
_NOT = ("!in", "!contains_regex", "!=", "length_max")
NUMBER_CONDITIONS = {">": ">", "<": "<", ">=": ">=", "<=": "<=", "==": "=", "!=": "!="}
OTHER_FIELDS = {
    "word_count": "counts the words of the page",
    "levenshtein_distance": "counts the edits between two versions",
    "levenshtein_similarity": "measures how alike two versions are",
}


def conditions(value: Any, watch: Watch) -> Iterator[Said]:
    """Yields one condition out of all rules, and what a condition on a number needs."""
    rules = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    joined, numbers = [], False
    for number, rule in enumerate(rules, 1):
        label = f"conditions {number}"
        field, operator, given = (str(rule.get(name) or "") for name in ("field", "operator", "value"))
        if not (field and operator and given) or "None" in (field, operator, given):
            continue
        try:
            said = _condition(field, operator, given)
        except (ValueError, KeyError):
            about = OTHER_FIELDS.get(field, f"compares {field} by {operator}")
            yield Said(REMARK, f"not taken along; it {about}", label, f"{field} {operator} {given}")
            continue
        joined.append(said)
        numbers = numbers or field == "extracted_number"
        if field == "levenshtein_ratio":
            yield Said(REMARK, "measured is the share of the text that changed", label)
    if joined:
        sign = " AND " if watch.get("conditions_match_logic", "ALL") == "ALL" else " OR "
        yield Said("when", sign.join(joined), "conditions")
        yield Said(
            REMARK,
            "compared is with the last version, not with the last one that met the conditions",
            "conditions",
        )
    if numbers:
        yield from _with_number(watch)


def _condition(field: str, operator: str, given: str) -> str:
    if field == "extracted_number":
        return f"value {NUMBER_CONDITIONS[operator]} {float(given):g}"
    if field == "page_filtered_text":
        matches = f"matches {pattern_in_slashes(TEXT_CONDITIONS[operator](given))}"
        return f"NOT {matches}" if operator in _NOT else matches
    if field == "levenshtein_ratio" and operator in ("<", "<="):
        return f"changed {'>' if operator == '<' else '>='} {100 - float(given) * 100:g}%"
    raise ValueError(field)


def _with_number(watch: Watch) -> Iterator[Said]:
    """Yields the value that a condition on a number is about: the first one in the watched part."""
    filters = [one for one in texts(watch.get("include_filters")) if not one.startswith(("json:", "jq"))]
    if len(filters) == 1:
        text = filters[0].strip()
        is_path = text.startswith(("/", "xpath"))
        path = text.removeprefix("xpath1:").removeprefix("xpath:")
        yield Said(
            "monitor", f"value xpath {quoted(path)}" if is_path else f"value css {quoted(text)}", "conditions"
        )
    elif not filters:
        yield Said(
            REMARK,
            "it is about the numbers that changed, not about the first number on the page",
            "conditions",
        )


# --- Hours ---------------------------------------------------------------------------------------


def schedule(limit: Any) -> tuple[str, list[str]]:
    """Returns the days and hours of a `Fetch` clause, "" for always, and remarks."""
    if not isinstance(limit, dict) or not limit.get("enabled"):
        return "", []
    days = {
        name: about for name in DAYS if isinstance(about := limit.get(name), dict) and about.get("enabled")
    }
    if not days:
        return "", ["not taken along; no day is enabled, so it is never looked at there"]
    hours = {name: _hours(about) for name, about in days.items()}
    zone = limit.get("timezone")
    remarks = [f"its hours are those of {zone}; here they are those of your time zone"] if zone else []
    if len({*hours.values()}) > 1:
        told = ", ".join(f"{name} {span or 'all day'}" for name, span in hours.items())
        return f"on {', '.join(days)}", [
            *remarks,
            f"not taken along: hours that differ from day to day ({told})",
        ]
    every = "" if len(days) == len(DAYS) else f"on {', '.join(days)}"
    return f"{every} {next(iter(hours.values()))}".strip(), remarks


def _hours(about: Mapping[str, Any]) -> str:
    start = _minutes(str(about.get("start_time") or "00:00"))
    lasts = about.get("duration")
    length = 1440
    if isinstance(lasts, dict):
        length = _number(lasts.get("hours")) * 60 + _number(lasts.get("minutes"))
    if length >= 1440:
        return ""
    return f"between {_clock(start)} and {_clock((start + length) % 1440)}"


def _minutes(text: str) -> int:
    hour, _, minute = text.partition(":")
    return _number(hour) * 60 + _number(minute)


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


# --- Steps in a browser --------------------------------------------------------------------------


def _place(selector: str) -> str:
    text = selector.strip()
    if text.startswith(("/", "xpath=", "xpath:")):
        return patterns.xpath_part(text.removeprefix("xpath=").removeprefix("xpath:"))
    return patterns.css_part(text.removeprefix("css="))


def seconds(value: Any) -> int:
    """Returns how long a step waits: whole seconds, from 1 to 60."""
    try:
        return min(60, max(1, round(float(value))))
    except (TypeError, ValueError, OverflowError):
        return 1


# What each operation becomes; the arguments are the selector and the value.
STEPS: dict[str, Callable[[str, str], str]] = {
    "Check checkbox": lambda place, value: f'choose {_place(place)} "on"',
    "Uncheck checkbox": lambda place, value: f'choose {_place(place)} "off"',
    "Click element": lambda place, value: f"click {_place(place)}",
    "Click element if exists": lambda place, value: f"click {_place(place)}",
    "Click element containing text": lambda place, value: f"click text {quoted(value)}",
    "Click element containing text if exists": lambda place, value: f"click text {quoted(value)}",
    "Enter text in field": lambda place, value: f"type {_place(place)} {quoted(value)}",
    "Execute JS": lambda place, value: f"run {quoted(value)}",
    "Goto URL": lambda place, value: f"open {value}",
    "Press Enter": lambda place, value: "press Enter",
    "Select by label": lambda place, value: f"choose {_place(place)} {quoted(value)}",
    "<select> by option text": lambda place, value: f"choose {_place(place)} {quoted(value)}",
    "Scroll down": lambda place, value: "scroll to bottom",
    "Wait for seconds": lambda place, value: f"wait {seconds(value)} second",
    "Wait for text": lambda place, value: f"wait for text {quoted(value)}",
    "Wait for text in element": lambda place, value: f"wait for text {quoted(value)}",
}
STEP_REMARKS = {
    "Click element if exists": "a page without it is a step that fails",
    "Click element containing text if exists": "a page without it is a step that fails",
    "Execute JS": "scripts run only if the operator allows them",
    "Scroll down": "it scrolls to the end of the page",
    "Wait for text in element": "the text may come anywhere",
    "Click X,Y": "not taken along; it clicks at a place of the screen; here steps name an element",
    "Make all child elements visible": "not taken along; it shows hidden elements; their text is read anyway",
    "Goto site": "so it is anyway: the page is open before the first step",
    "Choose one": "so it is anyway: an empty step",
}
_TYPES = "Enter text in field"
_PASSWORDS = ("pass", "pwd", "secret", "token", "pin")


def steps(value: Any) -> Iterator[Said]:
    for number, step in enumerate(value if isinstance(value, list) else [], 1):
        if not isinstance(step, dict) or not step.get("operation"):
            continue
        name, place, given = (str(step.get(one) or "") for one in ("operation", "selector", "optional_value"))
        label = f"browser_steps {number}"
        if name == _TYPES and any(one in place.lower() for one in _PASSWORDS):
            yield Said(REMARK, f"not taken along: a secret; {_sealed(place)}", label, name)
        elif name == "Remove elements":
            yield Said("ignore", _place(place), label, f"{name} {place}")
        elif name == _TYPES:
            yield Said("steps", STEPS[name](place, given), label, f"{name} {place} (text not shown)")
            yield Said(REMARK, f"the text stands in the sentinel; if it is a secret, {_sealed(place)}", label)
        elif name in STEPS:
            yield Said("steps", STEPS[name](place, given), label, f"{name} {place} {given}".strip())
        elif name not in STEP_REMARKS:
            yield Said(REMARK, f"unknown here, not taken along: {name}", label, name)
        if name in STEP_REMARKS:
            yield Said(REMARK, STEP_REMARKS[name], label, name)


def _sealed(place: str) -> str:
    return f"keep it sealed, then write type {_place(place)} secret NAME"


# --- Prices and stock ----------------------------------------------------------------------------

RESTOCK = {
    "in_stock_processing": "`becomes in stock`, or any change of stock",
    "follow_price_changes": "`price moves …`",
    "price_change_min": "`price < …`",
    "price_change_max": "`price > …`",
    "price_change_threshold_percent": "`price moves …%`",
}


def restock(watch: Watch) -> Iterator[Said]:
    """Yields the product and the condition under which its price or stock is told."""
    names = ("processor_config_restock_diff of a tag", "processor_config_restock_diff", "restock_settings")
    key = next((name for name in names if isinstance(watch.get(name), dict) and watch[name]), "processor")
    about = watch[key] if key != "processor" else _as_older_versions_kept_it(watch)
    yield Said("monitor", "product", "processor")
    wanted = [*_stock(str(about.get("in_stock_processing") or "in_stock_only"))]
    if about.get("follow_price_changes", key == "processor"):
        try:
            wanted.append(_price(about))
        except (TypeError, ValueError, OverflowError):
            yield Said(REMARK, "not taken along; a limit of the price is no number", key)
            wanted.append(_price({}))
    if wanted:
        yield Said("when", " OR ".join(wanted), key)
    else:
        yield Said(
            REMARK, "neither stock nor price is followed there, so nothing is told; here every change is", key
        )
    for name in about:
        if name not in RESTOCK:
            yield Said(REMARK, "unknown here, not taken along", f"{key} {name}")
    if about.get("price_change_min") or about.get("price_change_max"):
        yield Said(REMARK, "stock is told whatever the price is", key)


def _as_older_versions_kept_it(watch: Watch) -> dict[str, Any]:
    """Returns the settings of a watch that has them beside its other keys, or those that hold without any."""
    return {
        "in_stock_processing": "in_stock_only" if watch.get("in_stock_only", True) else "all_changes",
        "follow_price_changes": watch.get("follow_price_changes", True),
        "price_change_threshold_percent": watch.get("price_change_threshold_percent"),
    }


def _stock(processing: str) -> Iterable[str]:
    match processing:
        case "off":
            return ()
        case "all_changes":
            return ("becomes in stock", "becomes not in stock")
    return ("becomes in stock",)


def _price(about: Mapping[str, Any]) -> str:
    percent = about.get("price_change_threshold_percent")
    moves = f"price moves {float(percent):g}%" if percent else "price moves 0.01"
    limits = [
        f"price {sign} {float(about[name]):g}"
        for name, sign in (("price_change_min", "<"), ("price_change_max", ">"))
        if about.get(name)
    ]
    return f"{moves} AND ({' OR '.join(limits)})" if limits else moves


# --- Messages ------------------------------------------------------------------------------------


# The tokens of changedetection.io, and our fields that say the same.
_TOKENS = {
    "watch_url": "url",
    "watch_title": "title",
    "watch_tag": "topic",
    "watch_uuid": "sentinel",
    "diff": "changes",
    "diff_full": "changes",
    "diff_patch": "changes",
    "diff_added": "added",
    "diff_removed": "removed",
    "diff_url": "report",
    "preview_url": "report",
}
_TOKEN = re.compile(r"\{\{\s*(\w+)[^{}]*\}\}|\{%[^{}]*%\}")


def message(part: str, value: Any) -> Iterator[Said]:
    """Yields a message with its tokens in our words. A token that has no field here is left out, and the
    report says so."""
    text = str(value)
    unknown = [one[0] for one in _TOKEN.finditer(text) if one[1] not in _TOKENS]
    ours = _TOKEN.sub(lambda one: f"{{{{ {_TOKENS[one[1]]} }}}}" if one[1] in _TOKENS else "", text)
    if ours.strip():
        yield Said("message", f"{part} {quoted(ours.strip())}")
    if unknown:
        yield Said(REMARK, f"has no field here, left out of the message: {', '.join(dict.fromkeys(unknown))}")
