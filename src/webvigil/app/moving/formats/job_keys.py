"""The keys of a job of urlwatch and webchanges, and what each becomes here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from webvigil.app.moving.formats import chain, requests
from webvigil.app.moving.formats.found import topics_from
from webvigil.app.moving.formats.said import OFF, REMARK, SHOWN, Key, Said
from webvigil.app.moving.formats.watch_parts import seconds
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused
from webvigil.language.texts import quoted
from webvigil.language.times import interval_text

Job = Mapping[str, Any]
_U, _W = ("urlwatch",), ("webchanges",)
_BOTH = ("urlwatch", "webchanges")
_NEVER = "runs a program of the system, which WebVigil never does"
_FAILING = "keeps an error to itself; here you are told of a page that keeps failing, not of a single error"
_DISGUISE = "disguises the program as another one; WebVigil says who it is"
_WHOLE = "has the whole page sent each time; here a server that says 'not modified' is tested now and then"
_LOOK = "says how a change looks in the report"


def is_browser(job: Job) -> bool:
    return bool(job.get("navigate") or job.get("use_browser") or job.get("kind") == "browser")


def _target(value: Any, job: Job) -> Iterator[Said]:
    url = requests.with_query(str(value), job.get("params"))
    json = bool(job.get("data_as_json"))
    yield requests.target(
        url,
        str(job.get("method") or ""),
        job.get("data"),
        job.get("headers"),
        as_json=json,
        browser=is_browser(job),
    )


def _in_target(value: Any, job: Job) -> Iterator[Said]:
    yield Said(SHOWN, "in Using")


def _filters(key: str) -> Any:
    return lambda value, job: chain.translated(key, value)


def _tags(value: Any, job: Job) -> Iterator[Said]:
    several = value if isinstance(value, list) else str(value).strip("[]").split(",")
    for one in several:
        for topic in topics_from([str(one)]):
            yield Said("topic", quoted(topic))


def _browser(value: Any, job: Job) -> Iterator[Said]:
    yield Said("render", "browser")
    if isinstance(value, str) and "://" not in value:
        yield Said(REMARK, "not taken along; it names another browser, here it is Chromium")


_WAITS = ("wait_for_timeout", "wait_for_selector", "wait_for", "wait_until")


def _waits(job: Job) -> str:
    """Returns the first key that says what to wait for."""
    return next((name for name in _WAITS if job.get(name) and _wait(name, job[name])), "")


def _wait(name: str, value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = value.get("selector")
    match name, value:
        case "wait_for_timeout", int() | float():
            return f"wait {seconds(value / 1000)} second"
        case "wait_for", int() | float():
            return f"wait {seconds(value)} second"
        case "wait_for_selector" | "wait_for", str():
            by = "xpath" if value.startswith(("//", "xpath=")) else "css"
            return f"wait {by} {quoted(value.removeprefix('xpath=').removeprefix('css='))}"
        case "wait_until", "networkidle" | "networkidle0" | "networkidle2":
            return "wait for rest"
    return ""


def _waiting(name: str, about: str) -> Key:
    def translate(value: Any, job: Job) -> Iterator[Said]:
        if _waits(job) == name:
            yield Said("render", _wait(name, value))
        elif not _wait(name, value):
            yield Said(SHOWN, "Render browser waits until the page has loaded")
        else:
            yield Said(REMARK, f"not taken along; it {about}; one wait is taken")

    tools = _BOTH if name in ("wait_for", "wait_until") else _W
    return Key(about=about, becomes="`Render browser wait …`", translate=translate, tools=tools)


def _additions(value: Any, job: Job) -> Iterator[Said]:
    yield Said("when", "inserted > 0 OR updated > 0")
    if value not in (True, "true"):
        yield Said(REMARK, f"how much must come before it is told is not taken along: {value}")


def _deletions(value: Any, job: Job) -> Iterator[Said]:
    yield Said("when", "deleted > 0 OR updated > 0")


def _diff_filters(key: str) -> Any:
    return lambda value, job: _conditions(key, value)


# The lines of a difference: its head, what came, what went, what stayed.
_HEAD, _CAME, _WENT = ("+++ @", "--- @", "@@ -1 +1 @@"), "+Anna", "-Anna"


def _conditions(key: str, value: Any) -> Iterator[Said]:
    """Yields the conditions that filters on the difference mean. A filter is a condition if it drops the head
    of the difference, and drops either all lines that came or all that went."""
    for number, (name, argument) in enumerate(chain.named(value), 1):
        label = f"{key} {number} {name}"
        text = str(argument.get("re") if isinstance(argument, dict) else argument)
        kept = _kept(name, text)
        if kept is None or any(kept(line) for line in _HEAD) or kept(_CAME) == kept(_WENT):
            yield Said(REMARK, "not taken along; it says which lines of a difference are shown", label)
        else:
            yield Said("when", f"{'inserted' if kept(_CAME) else 'deleted'} > 0 OR updated > 0", label)


def _kept(name: str, text: str) -> Callable[[str], bool] | None:
    """Returns which lines a filter keeps; None for a filter that does something else."""
    try:
        pattern = compile_pattern(text)
    except PatternRefused:
        return None
    if name in ("grep", "keep_lines_containing"):
        return pattern.occurs_in
    if name in ("grepi", "delete_lines_containing"):
        return lambda line: not pattern.occurs_in(line)
    return None


_DIFFERS = {
    "unified": ("", ""),
    "table": ("dual", ""),
    "wdiff": ("single", ""),
    "deepdiff": ("", "JSON and XML are compared value by value anyway"),
    "image": (
        "",
        "not taken along; it compares pictures: Monitor all images content does, or Monitor visual",
    ),
    "command": ("", f"not taken along; it {_NEVER}"),
    "ai_google": ("", "not taken along; it has a difference retold by a service"),
}


def _differ(value: Any, job: Job) -> Iterator[Said]:
    about = value if isinstance(value, dict) else {"name": value}
    name = str(about.get("name") or "unified")
    look, remark = _DIFFERS.get(name, ("", f"unknown here, not taken along: {name}"))
    if look:
        yield Said("present", look)
    if remark:
        yield Said(REMARK, remark)
    if not look and not remark:
        yield Said(SHOWN, "so it is anyway")
    for option, given in about.items():
        if option == "additions_only" and given:
            yield from (one._replace(key="differ additions_only") for one in _additions(True, job))
        elif option == "deletions_only" and given:
            yield from (one._replace(key="differ deletions_only") for one in _deletions(True, job))
        elif option != "name":
            yield Said(REMARK, f"not taken along; it {_LOOK}", f"differ {option}")


def _only_new(value: Any, job: Job) -> Iterator[Said]:
    yield Said("only", "new")


def _timeout(value: Any, job: Job) -> Iterator[Said]:
    yield Said("timeout", interval_text(timedelta(seconds=max(1, round(float(value))))))


def _off(value: Any, job: Job) -> Iterator[Said]:
    yield Said(OFF, "")


def _credentials(value: Any, job: Job) -> Iterator[Said]:
    from base64 import b64encode

    yield Said("header", f"Authorization: Basic {b64encode(str(value).encode()).decode()}")


def _opens_first(value: Any, job: Job) -> Iterator[Said]:
    if is_browser(job):
        yield Said("steps", f"open {value}")
        yield Said("steps", f"open {job.get('url')}")
    else:
        yield Said(REMARK, "not taken along; it visits another address first; a browser can: Steps open …")


def _runs(value: Any, job: Job) -> Iterator[Said]:
    yield Said("steps", f"run {quoted(str(value))}")
    yield Said(REMARK, "scripts run only if the operator allows them")


KEYS: dict[str, Key] = {
    "url": Key(about="names the page", becomes="`Using …`", translate=_target, tools=_BOTH),
    "navigate": Key(
        about="names the page that a browser shows",
        becomes="`Using … Render browser`",
        translate=lambda value, job: [*_browser(True, job), Said("using", str(value))],
        tools=_BOTH,
    ),
    "use_browser": Key(
        about="shows the page to a browser",
        becomes="`Render browser`",
        translate=_browser,
        usual=(False,),
        tools=_W,
    ),
    "kind": Key(
        about="says of what kind the job is", becomes="what the other keys say", record=True, tools=_BOTH
    ),
    "name": Key(
        about="is the title", becomes="`Title`", translate=lambda v, j: [Said(SHOWN, "Title")], tools=_BOTH
    ),
    "note": Key(about="is a note for yourself", tools=_W),
    "index_number": Key(about="is the number of the job", record=True, tools=_W),
    "enabled": Key(
        about="says whether it is watched",
        becomes="enabled or disabled",
        translate=_off,
        usual=(True,),
        tools=_BOTH,
    ),
    "tags": Key(about="is for choosing jobs", becomes="`Topic`", translate=_tags, tools=_U),
    "tag": Key(about="is for choosing jobs", becomes="`Topic`", translate=_tags, tools=_U),
    "user_visible_url": Key(about="is shown instead of the address", tools=_BOTH),
    "filter": Key(
        about="filters the page", becomes="see the filters", translate=_filters("filter"), tools=_BOTH
    ),
    "filters": Key(
        about="filters the page", becomes="see the filters", translate=_filters("filters"), tools=_W
    ),
    "diff_filter": Key(
        about="filters the difference",
        becomes="`When inserted > 0 OR updated > 0` if it keeps only what came, `deleted` if only what went",
        translate=_diff_filters("diff_filter"),
        tools=_BOTH,
    ),
    "diff_filters": Key(
        about="filters the difference",
        becomes="`When inserted > 0 OR updated > 0` if it keeps only what came, `deleted` if only what went",
        translate=_diff_filters("diff_filters"),
        tools=_W,
    ),
    "additions_only": Key(
        about="tells only what came",
        becomes="`When inserted > 0 OR updated > 0`",
        translate=_additions,
        usual=(False,),
        tools=_W,
    ),
    "deletions_only": Key(
        about="tells only what went",
        becomes="`When deleted > 0 OR updated > 0`",
        translate=_deletions,
        usual=(False,),
        tools=_W,
    ),
    "compared_versions": Key(
        about="tells nothing if one of the last versions was the same",
        becomes="`Only new`",
        difference="what was ever on the page is not told again, also one by one",
        translate=_only_new,
        usual=(1,),
        tools=_BOTH,
    ),
    "diff_tool": Key(about=_NEVER, tools=_BOTH),
    "differ": Key(
        about="says how versions are compared",
        becomes="`Present dual` (table), `Present single` (wdiff)",
        translate=_differ,
        tools=_W,
    ),
    "contextlines": Key(about=_LOOK, tools=_W),
    "is_markdown": Key(about=_LOOK, tools=_W, usual=(False,)),
    "markdown_padded_tables": Key(about=_LOOK, tools=_W, usual=(False,)),
    "monospace": Key(about=_LOOK, tools=_W, usual=(False,)),
    "treat_new_as_changed": Key(
        about="tells the first version too; here you are told that the sentinel is installed",
        tools=_U,
        usual=(False,),
    ),
    "max_tries": Key(
        about="says how many errors are kept quiet; here a page that keeps failing is told", tools=_BOTH
    ),
    "suppress_errors": Key(about=_FAILING, tools=_W, usual=(False,)),
    "suppress_error_ended": Key(about=_FAILING, tools=_W, usual=(False,)),
    "suppress_repeated_errors": Key(
        about="tells an error once",
        becomes="so it is anyway",
        translate=lambda v, j: [Said(SHOWN, "so it is anyway")],
        usual=(False,),
        tools=_W,
    ),
    "data": Key(
        about="is the body of the request",
        becomes="`Using form POST …`, `Using request …`",
        translate=_in_target,
        tools=_BOTH,
    ),
    "data_as_json": Key(
        about="sends the body as JSON",
        becomes="`Using request … json`",
        translate=_in_target,
        usual=(False,),
        tools=_W,
    ),
    "method": Key(
        about="is the method of the request",
        becomes="`Using request …`",
        translate=_in_target,
        usual=("GET",),
        tools=_BOTH,
    ),
    "params": Key(
        about="is the query of the request", becomes="the query in `Using`", translate=_in_target, tools=_W
    ),
    "headers": Key(
        about="sends these headers",
        becomes="`Using request … header …`; what may be a secret: a log-in for this page, kept sealed; "
        "`User-Agent`: `Agent`",
        translate=lambda value, job: requests.headers(value, "headers", sealed=is_browser(job)),
        tools=_BOTH,
    ),
    "cookies": Key(
        about="sends these cookies",
        becomes="a log-in for this page, kept sealed",
        translate=lambda value, job: requests.cookies(value, "cookies"),
        tools=_BOTH,
    ),
    "http_credentials": Key(
        about="logs in by name and password",
        becomes="a log-in for this page, kept sealed",
        translate=_credentials,
        tools=_W,
    ),
    "referer": Key(
        about="names the page it comes from",
        becomes="a log-in for this page, kept sealed",
        translate=lambda value, job: [Said("header", f"Referer: {value}")],
        tools=_W,
    ),
    "useragent": Key(
        about="names the program",
        becomes="`Agent`",
        translate=lambda value, job: requests.agent(value, "useragent"),
        tools=_U,
    ),
    "timeout": Key(
        about="limits how long an answer may take",
        becomes="`Timeout`",
        translate=_timeout,
        usual=(0,),
        tools=_BOTH,
    ),
    "http_proxy": Key(
        about="asks through a proxy; the operator names proxies, then write Through NAME", tools=_BOTH
    ),
    "https_proxy": Key(
        about="asks through a proxy; the operator names proxies, then write Through NAME", tools=_BOTH
    ),
    "proxy": Key(about="asks through a proxy; the operator names proxies, then write Through NAME", tools=_W),
    "ssl_no_verify": Key(
        about="does not verify certificates; only the operator may allow that, for a host",
        tools=_BOTH,
        usual=(False,),
    ),
    "ignore_https_errors": Key(
        about="does not verify certificates; only the operator may allow that, for a host",
        tools=_W,
        usual=(False,),
    ),
    "ignore_dh_key_too_small": Key(
        about="accepts weak keys, which WebVigil does not", tools=_W, usual=(False,)
    ),
    "encoding": Key(about="says how the text is encoded; here the page says so itself", tools=_BOTH),
    "ignore_cached": Key(
        about=_WHOLE,
        tools=_BOTH,
        usual=(False,),
    ),
    "no_conditional_request": Key(
        about=_WHOLE,
        tools=_W,
        usual=(False,),
    ),
    "ignore_connection_errors": Key(about=_FAILING, tools=_BOTH, usual=(False,)),
    "ignore_timeout_errors": Key(about=_FAILING, tools=_BOTH, usual=(False,)),
    "ignore_too_many_redirects": Key(about=_FAILING, tools=_BOTH, usual=(False,)),
    "ignore_incomplete_reads": Key(about=_FAILING, tools=_U, usual=(False,)),
    "ignore_http_error_codes": Key(about=_FAILING, tools=_BOTH),
    "empty_as_transient": Key(
        about="does not believe an empty answer",
        becomes="so it is anyway",
        translate=lambda v, j: [Said(SHOWN, "so it is anyway: an empty answer is looked at twice")],
        usual=(False,),
        tools=_W,
    ),
    "no_redirects": Key(about="does not follow redirects; here they are followed", tools=_W, usual=(False,)),
    "retries": Key(
        about="says how often a request is repeated; here a page that fails is tried again after minutes",
        tools=_W,
    ),
    "same_site_delay": Key(
        about="waits between requests to a site; here the setting host_delay does", tools=_W
    ),
    "http_client": Key(about="chooses a library for requests", tools=_W),
    "http_version": Key(about="chooses the version of HTTP", tools=_W),
    "fingerprints": Key(about=_DISGUISE, tools=_W),
    "impersonate": Key(about=_DISGUISE, tools=_W),
    "stealth": Key(about=_DISGUISE, tools=_W),
    "initialization_url": Key(
        about="visits another address first",
        becomes="`Steps open …` in a browser",
        translate=_opens_first,
        tools=_W,
    ),
    "initialization_js": Key(
        about="runs a script after that visit", becomes='`Steps run "…"`', translate=_runs, tools=_W
    ),
    "init_script": Key(about="runs a script before each page", tools=_W),
    "evaluate": Key(about="watches what a script gives; here the page is watched", tools=_W),
    "block_elements": Key(about="does not load pictures, styles and the like", tools=_W),
    "connect_over_cdp": Key(about="uses a browser that runs elsewhere", tools=_W),
    "ignore_default_args": Key(about="starts the browser with other switches", tools=_W),
    "switches": Key(about="starts the browser with other switches", tools=_W),
    "user_data_dir": Key(about="uses the profile of a browser; here each visit is a stranger's", tools=_W),
    "browser": Key(about="chooses the browser; here it is Chromium", tools=_U, usual=("chromium",)),
    "wait_for_timeout": _waiting("wait_for_timeout", "waits for some time"),
    "wait_for_selector": _waiting("wait_for_selector", "waits for an element"),
    "wait_for": _waiting("wait_for", "waits for an element"),
    "wait_until": _waiting("wait_until", "waits until the page has loaded"),
    "wait_for_function": Key(about="waits until a script says so", tools=_W),
    "wait_for_navigation": Key(about="waits for another address", tools=_W),
    "wait_for_url": Key(about="waits for another address", tools=_W),
    "command": Key(about=_NEVER, tools=_BOTH),
    "stderr": Key(about="says what becomes of the error output of a command", tools=_BOTH),
}
