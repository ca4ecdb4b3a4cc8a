"""The value that every import format returns (`Found`), and the helper functions that the formats share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from webvigil.language.names import normal, trouble_with
from webvigil.model.page import normal_url
from webvigil.model.sentinel import FetchEvery, FetchOnChange, FetchWhen, Part, Sentinel, WebPage
from webvigil.model.topics import LONGEST_TOGETHER, topics_text

_LONGEST_NAME = 60


class Told(NamedTuple):
    """What became of one key of an entry: its value there, the clauses it becomes here, and a remark on what
    differs or is left out."""

    key: str
    value: str
    becomes: str = ""
    remark: str = ""


class Selects(NamedTuple):
    """One selector of the other program, in the order in which it is applied. `select` looks in what is there
    so far, `also` adds to what the selectors before it found, `remove` takes away."""

    do: Literal["select", "also", "remove"]
    by: Literal["css", "xpath"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One thing from an imported file. `sentinel` is None if it cannot be taken over, and `trouble` says why;
    `remarks` name what was left out, and `told` says it key by key. A thing without a sentinel and without a
    trouble is about the file as a whole, such as the settings in it.

    `headers` (`Name: value`) and `cookies` (`name=value`) are for a log-in, `services` the addresses of
    notification services (`name address`); all of them are secrets. `selectors` are those of the other
    program, to be run beside ours."""

    source: str
    sentinel: Sentinel | None = None
    enabled: bool = True
    trouble: str = ""
    remarks: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    headers: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    selectors: tuple[Selects, ...] = ()


def page_of(url: Any) -> WebPage:
    """Returns the page at this address. Raises ValueError, with a sentence for the user, if it is no address
    of a page."""
    if not isinstance(url, str) or not url.strip():
        raise ValueError("there is no address")
    return WebPage(normal_url(url))


def name_from(title: Any, url: str) -> str:
    """Makes a valid sentinel name from a title, or from the host of the address if the title gives none."""
    words = re.findall(r"\w+", normal(title)) if isinstance(title, str) else []
    name = "-".join(words)[:_LONGEST_NAME].strip("-_")
    if not name or trouble_with(name):
        host = (urlsplit(url).hostname or "page").removeprefix("www.")
        name = re.sub(r"[^\w]+", "-", host)[:_LONGEST_NAME].strip("-") or "page"
    return name


def title_from(title: Any) -> str | None:
    """Returns the title in one line of at most 200 characters, or None if it is empty or not printable."""
    text = " ".join(title.split())[:200] if isinstance(title, str) else ""
    return text if text and text.isprintable() else None


def topics_from(names: Iterable[Any]) -> tuple[str, ...]:
    """Returns the names that can be topics, each once, as many as a sentinel can have."""
    found: dict[str, None] = {}
    for one in names:
        text = " ".join(re.sub(r"[/\\,]", " ", one).split()) if isinstance(one, str) else ""
        name = normal(text)[:100].strip()
        if text and not trouble_with(name) and len(topics_text([*found, name])) <= LONGEST_TOGETHER:
            found[name] = None
    return tuple(found)


def every(seconds: float) -> FetchWhen:
    whole = int(seconds)
    return FetchEvery(timedelta(seconds=whole)) if whole > 0 else FetchOnChange()


def part(text: str) -> Part:
    """Returns the part of the page that a selector names: an XPath if the text looks like one, otherwise
    CSS."""
    for prefix in ("xpath:", "xpath1:"):
        if text.startswith(prefix):
            return Part("xpath", text.removeprefix(prefix).strip())
    return (
        Part("xpath", text) if text.startswith(("/", "(/", "./")) else Part("css", text.removeprefix("css:"))
    )


def texts(value: Any) -> list[str]:
    """Returns the non-empty texts in a value that may be a list, a single text or anything else."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [one for one in value if isinstance(one, str) and one.strip()] if isinstance(value, list) else []
