"""What filters and keys of foreign files become together stays as it is, letter for letter.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.app.moving.test_combinations`
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webvigil.app.moving.formats import read_foreign
from webvigil.app.moving.formats.chain import translated
from webvigil.app.moving.formats.found import Found
from webvigil.language import print_sentinel

KEPT = Path(__file__).parent / "cases" / "combinations.txt"
URL = "https://shop.test/a"

CHAINS: list[Any] = [
    "html2text",
    "css:.a, html2text",
    ["css:.a", "xpath://b"],
    ["xpath://a", "css:.b", "html2text"],
    [{"css": {"selector": ".a", "exclude": ".b", "skip": 1, "maxitems": 2, "sort": True}}],
    [{"css": {"selector": ".a", "skip": 1}}],
    [{"css": {"selector": ".a", "maxitems": 2}}],
    [{"css": {"selector": ".a", "skip": 0, "maxitems": -1}}],
    [{"css": {"selector": ".a", "method": "xml", "odd": 1}}],
    [{"css": "["}, "html2text"],
    [{"css": {}}],
    [{"xpath": {"path": "//a", "exclude": "//b", "namespaces": {"x": "y"}}}, "html2text"],
    [{"xpath": {"path": ""}}],
    ["xpath://a", "xpath:/b"],
    ["xpath://a", {"xpath": {"path": "//b", "maxitems": 1}}],
    ["element-by-id:x", "html2text"],
    [{"element-by-class": 'a"b'}],
    [{"element-by-style": "color: red"}],
    [{"element-by-tag": "h1"}, {"element-by-id": ""}],
    ["grep:a"],
    ["html2text", "grep:a"],
    ["html2text", "grep:a", "grep:b", "grepi:c"],
    ["html2text", "grepi:c"],
    ["grepi:c"],
    ["css:.a", "grepi:c"],
    ["html2text", {"grep": ""}, {"grepi": {}}],
    ["html2text", {"keep_lines_containing": "a.b"}],
    ["html2text", {"keep_lines_containing": {"re": "a.b", "text": "x"}}],
    ["html2text", {"delete_lines_containing": "a.b"}],
    ["html2text", {"re.findall": "a+"}],
    ["html2text", {"re.findall": {"pattern": "a+", "repl": "x"}}, "grep:b", "grepi:c", "sort"],
    ["re.findall:a+"],
    ["html2text", {"re.sub": {"pattern": "a", "repl": "b"}}],
    ["html2text", {"re.sub": {"pattern": "a", "repl": "\\1"}}],
    [{"re.sub": {"pattern": "a"}}],
    ["css:.a", {"re.sub": "a"}],
    [{"re.sub": {}}],
    ["html2text", {"between": {"start": "a", "end": "b"}}],
    ["html2text", {"between": {"start": "a"}}],
    ["html2text", {"between": {"end": "b"}}],
    ["html2text", "sort"],
    ["html2text", {"sort": {"reverse": True, "separator": ";"}}],
    ["html2text", "grep:a", "sort"],
    ["sort"],
    ["css:.a", "sort"],
    ["css:.a", "sha1sum"],
    ["html2text", "sha1sum"],
    ["format-json"],
    ["format-json", "grep:a"],
    [{"format-json": {"indentation": 2, "sort_keys": True}}, "sort"],
    [{"jq": ".a"}],
    [{"jq": ".a | length"}, "sort"],
    [{"jq": ""}],
    ["pretty-xml"],
    ["beautify", "strip", "striplines", "reverse"],
    ["css:.a", "beautify"],
    [{"pdf2text": {"password": "x", "raw": True}}],
    ["remove-duplicate-lines"],
    [{"ocr": {"language": "eng"}}],
    [{"shellpipe": "rm"}],
    [{"unknown": 1}],
    {"css": ".a", "html2text": None},
    [7, None, " "],
    7,
]

WATCHES: list[dict[str, Any]] = [
    {
        "include_filters": [".a", "//b", "xpath:/c", "xpath1:/d", "css:.e"],
        "subtractive_selectors": [".f", "//g"],
    },
    {"include_filters": ["json:$.a", "jq:.b", "jqraw:.c | length", ".d"]},
    {"include_filters": ".a"},
    {"css_filter": ".a"},
    {"extract_text": ["/a+/", "b.c"], "extract_lines_containing": ["x"]},
    {"extract_lines_containing": ["x", "y z"]},
    {"extract_lines_containing": ["x"], "include_filters": ["json:$.a"]},
    {"ignore_text": ["a", "/^b/i", "/c/s", "/d/mx", "/e/"]},
    {"trigger_text": ["a", "/b/"], "text_should_not_be_present": ["c", "d"]},
    {"filter_text_added": False},
    {"filter_text_removed": False, "filter_text_replaced": False},
    {"filter_text_added": False, "filter_text_removed": False, "filter_text_replaced": False},
    {"url": f"source:{URL}"},
    {"url": f"source:{URL}", "include_filters": [".a"]},
    {"url": f"source:{URL}", "subtractive_selectors": [".a"]},
    {"sort_text_alphabetically": True},
    {"content-type": "application/json"},
    {"processor": "image_ssim_diff"},
    {"processor": "other"},
    {"processor": "restock_diff", "in_stock_only": False},
    {"track_ldjson_price_data": "accepted"},
    {"track_ldjson_price_data": "rejected"},
    {"method": "POST", "body": "a=b", "headers": {"Accept": "x", "Cookie": "y"}},
    {"body": "{{ token }}"},
    {"fetch_backend": "html_webdriver"},
    {"fetch_backend": "html_requests"},
    {"fetch_backend": "system"},
    {"fetch_backend": "extra_browser_x"},
    {"webdriver_delay": 3},
    {"webdriver_js_execute_code": "go()"},
    {"time_between_check": {"hours": 2, "minutes": 30, "days": 0, "weeks": None, "seconds": "x"}},
    {"time_between_check": {"weeks": 1, "days": 1, "seconds": 1}},
    {"time_between_check": {"minutes": 1_000_000}},
    {"time_between_check": {}},
    {"time_between_check": {"hours": 2}, "time_between_check_use_default": True},
    {
        "time_between_check": {"hours": 2},
        "time_schedule_limit": {"enabled": True, "monday": {"enabled": True, "start_time": "8:00"}},
    },
    {"notification_urls": ["mailto://a@b.test"], "notification_title": "{{ watch_title }}"},
    {"title": "Tea", "paused": True, "notification_muted": True},
    {"title": "Tea", "page_title": "Other"},
    {"page_title": "Other"},
    {"url": "https://shop.test/{{ x }}"},
    {"url": "https://shop.test/{% x %}"},
    {"url": ""},
    {"tags": ["t1", "t2"], "title": "x" * 201},
    {"tag": "news, tea"},
    {"nothing": 1},
]

TAGS = {
    "t1": {
        "title": "Tea",
        "include_filters": [".t"],
        "notification_urls": ["mailto://t@b.test"],
        "overrides_watch": True,
        "restock_settings": {"in_stock_processing": "off", "follow_price_changes": True},
    },
    "t2": {"title": "Shop", "url_match_pattern": "shop.test", "ignore_text": ["x"], "odd": 1},
    "t3": {"title": "Glob", "url_match_pattern": "https://SHOP.test/*", "overrides_watch": False},
    "t4": {"title": "Other", "url_match_pattern": "https://other.test/?"},
    "t5": {"title": "No pattern", "url_match_pattern": " "},
}
SETTINGS: list[dict[str, Any]] = [
    {"application": {"tags": TAGS}},
    {
        "headers": {"Accept": "x"},
        "requests": {"time_between_check": {"hours": 5}, "proxy": "office"},
        "application": {
            "tags": TAGS,
            "fetch_backend": "html_webdriver",
            "webdriver_delay": 4,
            "notification_urls": ["mailto://s@b.test"],
            "global_ignore_text": ["g"],
            "global_subtractive_selectors": [".h"],
            "all_paused": True,
            "all_muted": True,
            "password": "x",
            "new": 1,
        },
    },
    {"application": {"webdriver_delay": 0, "fetch_backend": "html_requests"}, "requests": "x", "new": 2},
]

OUTLINES = """<opml><body><outline text="News" title=""><outline text="Tea" xmlUrl="http://a.test/f"
 htmlUrl="http://a.test/" category="x,/y" type="rss" isComment="false" odd="1"/>
<outline title="Rum" text="other" htmlUrl="http://b.test/" isComment="true" type="strange" description="d"/>
<outline xmlUrl="http://[x"/><outline text="T" xmlUrl="http://[x"/><outline text="folder"/>
<outline xmlUrl="http://c.test/"/></outline><outline text="Top" xmlUrl="http://d.test/"/></body></opml>"""

CONFIGURATION = """report:
  email: {enabled: true, to: a@b.test}
  tea: {enabled: false}
job_defaults:
  all: {user_visible_url: x}
  url: {timeout: 9}
  browser: {timeout: 8}
  shell: 7
display: {new: true}
odd: 1
"""
TIMED = "url: http://c.test/\ntimeout: 3\n"
JOBS = [
    "name: Tea\nurl: http://a.test/\n",
    "- url: http://a.test/\n- url: http://b.test/\n- 7\n",
    "url: http://a.test/\nfilter: html2text\n---\nnavigate: http://b.test/\n---\ncommand: ls\n---\nname: x\n",
    f"url: http://a.test/\n---\n{CONFIGURATION}---\nnavigate: http://b.test/\n---\n{TIMED}",
    "report:\n  email: {enabled: true, to: a@b.test}\ndatabase: {}\nfootnote: x\n",
]


def _found(one: Found) -> Iterator[str]:
    text = print_sentinel(one.sentinel) if one.sentinel else f"no sentinel: {one.trouble}"
    yield f"  {one.source} | {' / '.join(' '.join(line.split()) for line in text.splitlines())}"
    sealed = [*one.headers, *one.cookies, *one.services]
    if sealed or not one.enabled:
        yield f"    enabled {one.enabled}, sealed {sealed}"
    if one.selectors:
        yield f"    runs {'; '.join(' '.join(each) for each in one.selectors)}"
    for each in one.told:
        yield f"    {each.key} = {each.value} -> {each.becomes} ({each.remark})"
    said = {f"{each.key}: {each.remark}" for each in one.told}
    yield from (f"    remark {each}" for each in one.remarks if each not in said)


def combinations() -> str:
    """Returns what each of the examples becomes."""
    lines: list[str] = []
    for chain in CHAINS:
        lines.append(f"filter {json.dumps(chain)}")
        lines += [
            f"  {one.slot} {one.key} = {one.value} -> {one.text}" for one in translated("filter", chain)
        ]
    for watch in WATCHES:
        lines.append(f"watch {json.dumps(watch)[:200]}")
        whole = {"uuid": "u", "url": URL} | watch
        lines += [line for one in read_foreign(json.dumps(whole).encode())[1] for line in _found(one)]
    for settings in SETTINGS:
        lines.append(f"settings {sorted(settings)}")
        for more in (
            {},
            {"tags": ["t1"], "processor": "restock_diff"},
            {"headers": {"A": "b"}, "webdriver_delay": 2},
        ):
            backup = {"settings": settings, "watching": {"u": {"url": URL} | more}}
            lines += [line for one in read_foreign(json.dumps(backup).encode())[1] for line in _found(one)]
    lines.append("outlines")
    lines += [line for one in read_foreign(OUTLINES.encode())[1] for line in _found(one)]
    for jobs in JOBS:
        lines.append(f"jobs {json.dumps(jobs)}")
        lines += [line for one in read_foreign(jobs.encode(), "urlwatch")[1] for line in _found(one)]
    return "\n".join(lines) + "\n"


def test_what_stands_together_becomes_what_it_became():
    assert combinations() == KEPT.read_text("utf-8"), (
        "if this is meant: .venv/bin/python -m tests.app.moving.test_combinations"
    )


if __name__ == "__main__":
    KEPT.write_text(combinations(), "utf-8")
