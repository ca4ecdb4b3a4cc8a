"""The keys of a watch of changedetection.io, and what each becomes here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from webvigil.app.moving.formats import patterns, requests
from webvigil.app.moving.formats.contacts import contact
from webvigil.app.moving.formats.found import texts, topics_from
from webvigil.app.moving.formats.said import OFF, REMARK, RUNS, SHOWN, Key, Said
from webvigil.app.moving.formats.watch_parts import conditions, message, restock, schedule, seconds, steps
from webvigil.language.texts import pattern_in_slashes, quoted
from webvigil.language.times import interval_text

Watch = Mapping[str, Any]
# In the place of a list of filters, what stands in the settings or the tags of the file is added under keys
# of these names, which no watch has.
TAGGED, GLOBAL = "of a tag", "of the settings"
_SLASHED = re.compile(r"/(.*?)/([a-z]*)", re.DOTALL)
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_JSON = ("json:", "jq:", "jqraw:")
_AI = "has changes judged or retold by a language model"
_LIST = "says how the watch is listed"


def expression(text: str) -> str:
    """Returns the expression that a line in changedetection.io means: a text in any case, or an expression in
    slashes with flags. An expression without flags is in any case, too."""
    found = _SLASHED.fullmatch(text.strip())
    if found is None:
        return patterns.literal(text.strip())
    flags = "".join(sorted(set(found[2] or "i") & set("imsx")))
    return f"(?{flags}){found[1]}" if flags else found[1]


def part(selector: str) -> str:
    """Returns the part of a page that a selector names."""
    text = selector.strip()
    for prefix in ("xpath:", "xpath1:"):
        if text.startswith(prefix):
            return patterns.xpath_part(text.removeprefix(prefix).strip())
    if text.startswith("/"):
        return patterns.xpath_part(text)
    return patterns.css_part(text.removeprefix("css:").strip())


def several(watch: Watch, key: str) -> list[str]:
    """Returns the lines of a key, of the same key in tags and, where there is one, in the settings."""
    names = (key, f"{key} {TAGGED}", f"{key} {GLOBAL}")
    return list(dict.fromkeys(one for name in names for one in texts(watch.get(name))))


# --- What is compared ----------------------------------------------------------------------------


def monitored(watch: Watch) -> Iterator[Said]:
    """Yields what the watch compares, said by the key that decides it."""
    kind = str(watch.get("processor") or "text_json_diff")
    if kind == "restock_diff":
        yield from restock(watch)
        return
    if kind == "image_ssim_diff":
        yield Said("monitor", "visual", "processor")
        yield Said("render", "browser", "processor")
        return
    if kind != "text_json_diff":
        yield Said(REMARK, f"not taken along; the page is compared by {kind}", "processor")
    found = several(watch, "extract_text")
    kept = several(watch, "extract_lines_containing")
    asked = [one for one in several(watch, "include_filters") if one.strip().startswith(_JSON)]
    if found:
        for one in found:
            yield Said("monitor", patterns.regex_monitor(expression(one)), "extract_text")
        yield Said(REMARK, "the order of what is found does not count here", "extract_text")
        if kept:
            said = "not taken along; it chooses lines before extract_text looks in them"
            yield Said(REMARK, said, "extract_lines_containing")
    elif kept:
        anyone = patterns.either([patterns.literal(one) for one in kept])
        yield Said("monitor", patterns.regex_monitor(patterns.lines([anyone])), "extract_lines_containing")
        yield Said(REMARK, "the order of these lines does not count here", "extract_lines_containing")
    for one in asked:
        yield Said("monitor", _asked(one.strip()), "include_filters")
    if not (found or kept or asked):
        yield from _whole(watch)
    if watch.get("track_ldjson_price_data") == "accepted":
        yield Said("monitor", "product", "track_ldjson_price_data")


def _whole(watch: Watch) -> Iterator[Said]:
    if str(watch.get("url") or "").startswith("source:"):
        filtered = several(watch, "include_filters") or several(watch, "subtractive_selectors")
        yield Said("monitor", "content OR structure" if filtered else "exact change", "url")
    elif watch.get("sort_text_alphabetically"):
        yield Said("monitor", patterns.any_order(), "sort_text_alphabetically")
    elif "json" in str(watch.get("content-type")):
        yield Said("monitor", "any change", "processor")
    else:
        yield Said("monitor", "content", "processor")


def _asked(text: str) -> str:
    prefix, _, query = text.partition(":")
    return f"value json {quoted(query.strip())}" if prefix == "json" else patterns.json_value(query.strip())


def _include(value: Any, watch: Watch) -> Iterator[Said]:
    for one in texts(value):
        if not one.strip().startswith(_JSON):
            yield Said("within", part(one))
            yield _runs("also", one)


def _remove(value: Any, watch: Watch) -> Iterator[Said]:
    for one in texts(value):
        yield Said("ignore", part(one))
        yield _runs("remove", one)


def _runs(do: str, selector: str) -> Said:
    text = selector.strip()
    if text.startswith(("/", "xpath:", "xpath1:")):
        return Said(RUNS, f"{do} xpath {text.removeprefix('xpath1:').removeprefix('xpath:').strip()}")
    return Said(RUNS, f"{do} css {text.removeprefix('css:').strip()}")


def _ignore(value: Any, watch: Watch) -> Iterator[Said]:
    for one in texts(value):
        wanted = expression(one)
        whole = wanted if re.match(r"\(\?[a-z]*[ms]", wanted) else patterns.lines([wanted])
        yield Said("ignore", pattern_in_slashes(whole))


def _trigger(value: Any, watch: Watch) -> Iterator[Said]:
    yield Said("when", " OR ".join(_holds(one) for one in texts(value)))


def _block(value: Any, watch: Watch) -> Iterator[Said]:
    for one in texts(value):
        yield Said("when", f"NOT {_holds(one)}")


def _holds(text: str) -> str:
    return f"matches {pattern_in_slashes(expression(text))}"


def _sides(value: Any, watch: Watch) -> Iterator[Said]:
    """Yields the condition that three switches together mean: they say which changes count. It is said at the
    first of them in the watch, for all three."""
    names = {
        "filter_text_added": "inserted",
        "filter_text_removed": "deleted",
        "filter_text_replaced": "updated",
    }
    wanted = [amount for name, amount in names.items() if watch.get(name, True)]
    if wanted:
        yield Said("when", " OR ".join(f"{one} > 0" for one in wanted))
    else:
        yield Said(REMARK, "not taken along; nothing would ever be told")


def _so_anyway(value: Any, watch: Watch) -> Iterator[Said]:
    yield Said(SHOWN, "so it is anyway")


def _in_monitor(value: Any, watch: Watch) -> Iterator[Said]:
    """Says nothing: `monitored` says what the key means, together with other keys."""
    return iter(())


def _of_restock(watch: Watch) -> Iterator[Said]:
    """Says that `monitored` has taken a setting of restock, which counts for such watches only."""
    is_used = watch.get("processor") == "restock_diff"
    yield Said(SHOWN, "in When" if is_used else "nothing: the watch is not about prices and stock")


# --- Where, when and how -------------------------------------------------------------------------


def _url(value: Any, watch: Watch) -> Iterator[Said]:
    url = str(value).removeprefix("source:")
    method = str(watch.get("method") or "GET")
    yield requests.target(url, method, watch.get("body"), watch.get("headers"), browser=_by_browser(watch))


def _in_using(value: Any, watch: Watch) -> Iterator[Said]:
    yield Said(SHOWN, "in Using")
    if isinstance(value, str) and ("{{" in value or "{%" in value):
        yield Said(REMARK, "it is a template there; here it is sent as it is written")


def _fetch_backend(value: Any, watch: Watch) -> Iterator[Said]:
    name = str(value)
    if name == "system":
        yield Said(SHOWN, "as the settings say")
        name = str(watch.get(f"fetch_backend {GLOBAL}") or "html_requests")
    if name == "html_requests":
        return
    yield Said("render", "browser")
    if name.startswith("extra_browser_"):
        yield Said(REMARK, "not taken along; it names a browser that runs elsewhere")


def _delay(value: Any, watch: Watch) -> Iterator[Said]:
    yield Said("render", "browser")
    yield Said("render", f"wait {seconds(value)} second")


def _script(value: Any, watch: Watch) -> Iterator[Said]:
    yield Said("steps", f"run {quoted(str(value))}")
    yield Said(REMARK, "scripts run only if the operator allows them")


def _fetch(value: Any, watch: Watch) -> Iterator[Said]:
    if watch.get("time_between_check_use_default", False) and f"time_between_check {GLOBAL}" in watch:
        return
    interval = seconds_of(value)
    if watch.get("time_between_check_use_default", False) or not interval:
        said = (
            "its settings say how often, and are not in this file; so it is looked at when it tends to change"
        )
        yield Said(REMARK, said)
        interval = 0
    yield from _looked_at(interval, watch)


def _fetch_as_set(value: Any, watch: Watch) -> Iterator[Said]:
    if watch.get("time_between_check_use_default", False) or not seconds_of(watch.get("time_between_check")):
        yield from _looked_at(seconds_of(value), watch)


def _looked_at(seconds: int, watch: Watch) -> Iterator[Said]:
    often = interval_text(timedelta(seconds=seconds)) if seconds else "on change"
    hours, remarks = schedule(watch.get("time_schedule_limit"))
    yield Said("fetch", f"{often} {hours}".strip())
    yield from (Said(REMARK, one, "time_schedule_limit") for one in remarks)


def seconds_of(between: Any) -> int:
    if not isinstance(between, dict):
        return 0
    numbers = ((between.get(unit), seconds) for unit, seconds in _SECONDS.items())
    return int(sum(n * size for n, size in numbers if isinstance(n, int | float) and 0 < n < 1e6))


def _schedule(value: Any, watch: Watch) -> Iterator[Said]:
    if isinstance(value, dict) and value.get("enabled"):
        yield Said(SHOWN, f"in Fetch: {schedule(value)[0]}")


# --- Whom to tell, and how it is filed -----------------------------------------------------------


def _contacts(value: Any, watch: Watch) -> Iterator[Said]:
    for one in texts(value):
        yield from contact(one)


def _topics(value: Any, watch: Watch) -> Iterator[Said]:
    for one in value if isinstance(value, list) else str(value).split(","):
        for topic in topics_from([one]):
            yield Said("topic", quoted(topic))


def _when_set(*said: Said) -> Any:
    return lambda value, watch: iter(said)


def _contacts_of_tag(value: Any, watch: Watch) -> Iterator[Said]:
    if not texts(watch.get("notification_urls")):
        yield from _contacts(value, watch)


def _contacts_as_set(value: Any, watch: Watch) -> Iterator[Said]:
    if not texts(watch.get(f"notification_urls {TAGGED}")):
        yield from _contacts_of_tag(value, watch)


def _headers_as_set(value: Any, watch: Watch) -> Iterator[Said]:
    return requests.headers(value, f"headers {GLOBAL}", sealed=True)


def _delay_as_set(value: Any, watch: Watch) -> Iterator[Said]:
    if not watch.get("webdriver_delay") and _is_rendered(watch):
        yield from _delay(value, watch)


def _quietly(value: Any, watch: Watch) -> Iterable[Said]:
    return (Said("every", "interactive"),)


KEYS: dict[str, Key] = {
    "url": Key(about="names the page", becomes="`Using …`", translate=_url),
    "title": Key(about="is the title", becomes="`Title`", translate=_when_set(Said(SHOWN, "Title"))),
    "page_title": Key(about="is the title of the page", becomes="`Title`", record=True),
    "tags": Key(about="names groups", becomes="`Topic`; filters of the group come along", translate=_topics),
    "tag": Key(about="names groups", becomes="`Topic`", translate=_topics),
    "paused": Key(about="rests", becomes="disabled", translate=_when_set(Said(OFF, "")), usual=(False,)),
    "notification_muted": Key(
        about="tells nobody", becomes="`Every interactive`", translate=_quietly, usual=(False,)
    ),
    "method": Key(
        about="is the method of the request", becomes="`Using request …`", translate=_in_using, usual=("GET",)
    ),
    "body": Key(
        about="is the body of the request",
        becomes="`Using form POST …`, `Using request … json`",
        translate=_in_using,
    ),
    "headers": Key(
        about="sends these headers",
        becomes="`Using request … header …`; what may be a secret: a log-in for this page, kept sealed; "
        "`User-Agent`: `Agent`",
        translate=lambda value, watch: requests.headers(value, "headers", sealed=_by_browser(watch)),
    ),
    "fetch_backend": Key(
        about="chooses how pages are fetched",
        becomes="`Render browser`",
        translate=_fetch_backend,
        usual=("html_requests",),
    ),
    "proxy": Key(
        about="asks through a proxy; the operator names proxies, then write Through NAME", usual=("no-proxy",)
    ),
    "ignore_status_codes": Key(
        about="watches what an error page says; here an error is trouble of the page", usual=(False,)
    ),
    "webdriver_delay": Key(
        about="waits before the page is read", becomes="`Render browser wait …`", translate=_delay, usual=(0,)
    ),
    "webdriver_js_execute_code": Key(
        about="runs a script in the page", becomes='`Steps run "…"`', translate=_script
    ),
    "browser_steps": Key(
        about="takes steps in a browser", becomes="`Steps …`", translate=lambda value, watch: steps(value)
    ),
    "time_between_check": Key(
        about="says how often it looks",
        becomes="`Fetch …`",
        translate=_fetch,
    ),
    "time_between_check_use_default": Key(
        about="looks as often as the settings say", becomes="`Fetch …`", record=True
    ),
    "time_schedule_limit": Key(
        about="says on which days and at which hours it looks",
        becomes="`Fetch … on … between … and …`",
        translate=_schedule,
    ),
    "notification_urls": Key(
        about="tells by these addresses",
        becomes="`Notify By email …`, `webhook …`, `apprise …`",
        translate=_contacts,
    ),
    "notification_title": Key(
        about="words the title of messages",
        becomes="`Message`",
        translate=lambda value, watch: message("title", value),
    ),
    "notification_body": Key(
        about="words messages", becomes="`Message`", translate=lambda value, watch: message("body", value)
    ),
    "notification_format": Key(
        about="says in which format messages are sent; here each channel takes its own",
        usual=("System default",),
    ),
    "notification_screenshot": Key(about="sends a picture of the page along", usual=(False,)),
    "filter_failure_notification_send": Key(
        about="says nothing when a part of the page has gone; here you are told", usual=(True,)
    ),
    "processor": Key(
        about="chooses what is compared",
        becomes="`Monitor content`, `Monitor product` (restock_diff), `Monitor visual` (image_ssim_diff)",
        translate=_in_monitor,
    ),
    "include_filters": Key(
        about="watches only these parts",
        becomes='`Within css "…"`, `Within xpath "…"`, `Monitor value json "…"`',
        translate=_include,
    ),
    "css_filter": Key(about="watches only this part", becomes="`Within …`", translate=_include),
    "subtractive_selectors": Key(
        about="leaves out these parts", becomes='`Ignore css "…"`, `Ignore xpath "…"`', translate=_remove
    ),
    "ignore_text": Key(
        about="leaves out lines with these texts or expressions",
        becomes="`Ignore /.*….*/`",
        translate=_ignore,
    ),
    "trigger_text": Key(
        about="tells changes only while one of these is there",
        becomes="`When matches /…/`",
        difference="compared is with the last version, not with the last one that held the text",
        translate=_trigger,
    ),
    "text_should_not_be_present": Key(
        about="tells changes only while none of these is there",
        becomes="`When NOT matches /…/`",
        difference="compared is with the last version, not with the last one without the text",
        translate=_block,
    ),
    "extract_text": Key(
        about="watches only what expressions find",
        becomes="`Monitor regular expression: {…}`",
        translate=_in_monitor,
    ),
    "extract_lines_containing": Key(
        about="watches only lines with these texts",
        becomes="`Monitor regular expression: {.*….*}`",
        translate=_in_monitor,
    ),
    "trim_text_whitespace": Key(
        about="takes away white space",
        becomes="nothing: white space does not count",
        translate=_so_anyway,
        usual=(False,),
    ),
    "sort_text_alphabetically": Key(
        about="sorts the lines",
        becomes="`Monitor regular expression: {.+}`",
        translate=_in_monitor,
        usual=(False,),
    ),
    "remove_duplicate_lines": Key(
        about="drops lines that were there before; here a line that comes once more is a change",
        usual=(False,),
    ),
    "check_unique_lines": Key(
        about="tells only lines that were never there",
        becomes="`Only new`",
        translate=_when_set(Said("only", "new")),
        usual=(False,),
    ),
    "strip_ignored_lines": Key(
        about="does not show ignored lines", becomes="so it is anyway", translate=_so_anyway, usual=(False,)
    ),
    "filter_text_added": Key(
        about="counts what came", becomes="`When inserted > 0 …`", translate=_sides, usual=(True,)
    ),
    "filter_text_removed": Key(
        about="counts what went", becomes="`When deleted > 0 …`", translate=_sides, usual=(True,)
    ),
    "filter_text_replaced": Key(
        about="counts what was replaced", becomes="`When updated > 0 …`", translate=_sides, usual=(True,)
    ),
    "conditions": Key(
        about="tells changes only while conditions hold",
        becomes="`When …`",
        translate=lambda value, watch: conditions(value, watch),
    ),
    "conditions_match_logic": Key(
        about="says whether all conditions must hold or one of them",
        becomes="`AND` or `OR` in `When`",
        record=True,
    ),
    "in_stock_only": Key(
        about="tells only that a product is in stock again (older versions)",
        becomes="`When becomes in stock`, without it also `becomes NOT in stock`",
        translate=lambda value, watch: _of_restock(watch),
        usual=(True,),
    ),
    "follow_price_changes": Key(
        about="tells changes of the price (older versions)",
        becomes="`When price moves …`",
        translate=lambda value, watch: _of_restock(watch),
        usual=(True,),
    ),
    "price_change_threshold_percent": Key(
        about="tells changes of the price from so many percent on (older versions)",
        becomes="`When price moves …%`",
        translate=lambda value, watch: _of_restock(watch),
    ),
    "restock_settings": Key(
        about="says which changes of price and stock count",
        becomes="`When …`",
        translate=_in_monitor,
    ),
    "processor_config_restock_diff": Key(
        about="says which changes of price and stock count",
        becomes="`When …`",
        translate=_in_monitor,
    ),
    "processor_config_image_ssim_diff": Key(
        about="says how much of a picture must change, and in which frame",
        becomes="`When changed > …%`",
        translate=lambda value, watch: _picture(value),
    ),
    "track_ldjson_price_data": Key(
        about="watches the price in the page's data",
        becomes="`Monitor … OR product`",
        translate=_in_monitor,
        usual=("rejected", False),
    ),
    "history_snapshot_max_length": Key(
        about="says how many versions are kept; here the settings of retention do"
    ),
    "link_to_open": Key(about="is opened instead of the page"),
    "use_page_title_in_list": Key(about=_LIST),
    "llm_intent": Key(about=_AI),
    "llm_change_summary": Key(about=_AI),
    "llm_change_summary_mode": Key(about=_AI, usual=("replace",)),
    "llm_backend_profile": Key(about=_AI, usual=(True, False)),
    "llm_prefilter": Key(about=_AI),
    "llm_evaluation_cache": Key(about=_AI, record=True),
    "llm_last_tokens_used": Key(about=_AI, record=True),
    "llm_tokens_used_cumulative": Key(about=_AI, record=True),
    "llm_tokens_this_period": Key(about=_AI, record=True),
    "llm_tokens_period_key": Key(about=_AI, record=True),
    **{
        name: Key(about="is what the program writes down for itself", record=True)
        for name in (
            *("uuid", "date_created", "last_checked", "last_changed", "last_error", "last_viewed", "link"),
            *("open_link", "check_count", "fetch_time", "previous_md5", "previous_md5_before_filters"),
            *("consecutive_filter_failures", "last_notification_error", "notification_alert_count"),
            *(
                "content-type",
                "content_type",
                "remote_server_reply",
                "browser_steps_last_error_step",
                "viewed",
            ),
            *("history_n", "has_ldjson_price_data", "processor_config_restock_diff_source", "restock"),
            *("last_check_status", "last_filter_config_hash", "newest_history_key", "favicon", "_llm_result"),
            *("ui_favicon_is_expired", "_llm_intent", "_llm_change_summary"),
        )
    },
}

_OF_A_TAG = (
    *(
        "include_filters",
        "subtractive_selectors",
        "ignore_text",
        "trigger_text",
        "text_should_not_be_present",
    ),
    *("extract_text", "extract_lines_containing", "processor_config_restock_diff"),
)
KEYS |= {f"{name} {TAGGED}": KEYS[name] for name in _OF_A_TAG}
KEYS |= {f"{name} {GLOBAL}": KEYS[name] for name in ("proxy", "subtractive_selectors", "ignore_text")}
# Here the watch, its tags and the settings are not added up: one of them says it.
KEYS |= {
    f"{name} {origin}": replace(KEYS[name], translate=translate)
    for name, origin, translate in (
        ("notification_urls", TAGGED, _contacts_of_tag),
        ("notification_urls", GLOBAL, _contacts_as_set),
        ("headers", GLOBAL, _headers_as_set),
        ("webdriver_delay", GLOBAL, _delay_as_set),
        ("time_between_check", GLOBAL, _fetch_as_set),
    )
}
KEYS[f"fetch_backend {GLOBAL}"] = replace(KEYS["fetch_backend"], record=True)


def _by_browser(watch: Watch) -> bool:
    """Tells whether a browser asks for the page here, which sends its own requests."""
    keys = ("browser_steps", "webdriver_delay", "webdriver_js_execute_code")
    return _is_rendered(watch) or watch.get("processor") == "image_ssim_diff" or any(map(watch.get, keys))


def _is_rendered(watch: Watch) -> bool:
    name = str(watch.get("fetch_backend") or "system")
    return (watch.get(f"fetch_backend {GLOBAL}") if name == "system" else name) not in (None, "html_requests")


_PICTURE = {
    "pixel_difference_threshold_sensitivity": "says how much a pixel must change; slight ones never count",
    "bounding_box": "watches one rectangle of the picture; here Within css names a part",
    "selection_mode": "says how the rectangle was chosen",
}


def _picture(value: Any) -> Iterator[Said]:
    for name, given in value.items() if isinstance(value, dict) else ():
        label = f"processor_config_image_ssim_diff {name}"
        if given in (None, ""):
            continue
        if name == "min_change_percentage":
            yield Said("when", f"changed > {given}%", label)
        else:
            yield Said(REMARK, f"not taken along; it {_PICTURE.get(name, 'is unknown here')}", label)
