"""Reads the YAML job lists of urlwatch and webchanges, one YAML document for each job."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from webvigil.app.moving.formats.found import Found, name_from, page_of, part, title_from, topic_from
from webvigil.errors import SettingRefused
from webvigil.model.sentinel import FormPage, Part, Sentinel, WebPage

# Bytes. The bound is lower than for other formats, because the YAML loader is written in Python and slow.
_LARGEST = 5_000_000
_CHOOSING = ("css", "xpath", "element-by-id", "element-by-class", "element-by-tag", "element-by-style")
_HARMLESS = ("html2text", "strip", "strip_each_line", "beautify", "format-json", "html2markdown", "sort")
_LEFT_BEHIND = {
    "headers": "request headers: add them with 'webvigil login'",
    "cookies": "cookies: add them with 'webvigil login'",
    "diff_tool": "an outside program that compares",
    "diff_filter": "a filter on the difference",
    "compared_versions": "the number of compared versions",
    "ssl_no_verify": "certificates that are not verified",
    "http_proxy": "proxy",
}


class _Loader(yaml.SafeLoader):
    """A YAML loader that refuses aliases: a few lines with nested aliases can stand for more data than fits
    in memory."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def is_mine(data: bytes) -> bool:
    text = data[:200_000].decode("utf-8-sig", "replace")
    return bool(re.search(r"^(url|navigate|command|name|kind):\s", text, re.MULTILINE))


def read(data: bytes) -> list[Found]:
    if len(data) > _LARGEST:
        raise SettingRefused("this YAML file is too large to import")
    try:
        documents = list(yaml.load_all(data, _Loader))
    except RecursionError as error:
        raise SettingRefused("this YAML file cannot be read: it is nested too deeply") from error
    except (yaml.YAMLError, ValueError) as error:
        raise SettingRefused(f"this YAML file cannot be read: {_first_line(error)}") from error
    return [_found(job) for document in documents for job in _jobs(document)]


def _jobs(document: Any) -> Iterator[dict[str, Any]]:
    for one in document if isinstance(document, list) else [document]:
        if isinstance(one, dict):
            yield one


def _found(job: dict[str, Any]) -> Found:
    """Turns a job into a sentinel. Jobs that run commands are refused: WebVigil never runs a program on
    behalf of a file."""
    url = job.get("url") or job.get("navigate")
    title = job.get("name")
    source = str(title or url or job.get("command"))[:200]
    if "command" in job:
        return Found(source=source, trouble="runs a command of the system, which WebVigil never does")
    try:
        page = page_of(url)
    except ValueError as error:
        return Found(source=source, trouble=str(error))
    within, ignore, remarks = _filters(job.get("filter") or job.get("filters"))
    remarks += [f"not taken along: {words}" for key, words in _LEFT_BEHIND.items() if job.get(key)]
    sentinel = Sentinel(
        name=name_from(title, page.url),
        target=_target(page, job),
        title=title_from(title),
        within=tuple(within),
        ignore=tuple(ignore),
        render="browser" if job.get("navigate") or job.get("use_browser") else None,
        topic=topic_from(str(job.get("tags") or job.get("tag") or "").strip("[]").split(",")),
    )
    enabled = job.get("enabled", True) is not False
    return Found(source=source, sentinel=sentinel, enabled=enabled, remarks=tuple(remarks))


def _target(page: WebPage, job: dict[str, Any]) -> WebPage | FormPage:
    data = job.get("data")
    if isinstance(data, dict):
        fields = tuple((str(key), str(value)) for key, value in data.items())
        return FormPage(page.url, "POST", fields)
    return page


def _filters(given: Any) -> tuple[list[Part], list[Part], list[str]]:
    """Returns the parts that filters select, the parts they exclude, and remarks on filters that cannot be
    taken over."""
    within: list[Part] = []
    ignore: list[Part] = []
    remarks: list[str] = []
    for name, argument in _named(given):
        if name in _CHOOSING:
            chosen, excluded = _chosen(name, argument)
            within += chosen
            ignore += excluded
        elif name not in _HARMLESS:
            remarks.append(f"not taken along: the filter {name}")
    return within, ignore, remarks


def _named(given: Any) -> Iterator[tuple[str, Any]]:
    """Yields name and argument of each filter. Filters are written as one text, as a list of texts, or as
    dicts."""
    if isinstance(given, str):
        given = [one.strip() for one in given.split(",")]
    for one in given if isinstance(given, list) else []:
        if isinstance(one, str):
            name, _, argument = one.partition(":")
            yield name.strip(), argument.strip()
        elif isinstance(one, dict):
            yield from ((str(name), argument) for name, argument in one.items())


def _chosen(name: str, argument: Any) -> tuple[list[Part], list[Part]]:
    """Returns the part that a filter selects and the part that it excludes, as CSS or XPath."""
    about = argument if isinstance(argument, dict) else {"selector": argument}
    text = str(about.get("selector") or about.get("path") or about.get("expression") or "")
    if not text:
        return [], []
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    spelled = {
        "element-by-id": f'[id="{quoted}"]',
        "element-by-class": f'[class~="{quoted}"]',
        "element-by-style": f'[style="{quoted}"]',
        "xpath": f"xpath:{text}",
    }
    excluded = about.get("exclude")
    left_out = [part(f"xpath:{excluded}" if name == "xpath" else str(excluded))] if excluded else []
    return [part(spelled.get(name, text))], left_out


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
