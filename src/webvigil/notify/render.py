"""A notice in, its subject, text and HTML for a person out, made from templates that an operator may replace.

Texts from a page, names and addresses are values in a template, never parts of a template. Templates run in a
sandbox. If an operator's template fails, the built-in one is used and a warning logged, so that no notice is
lost.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from markupsafe import Markup

from webvigil.model.change_types import KINDS, called_together
from webvigil.model.message import Message
from webvigil.model.notice import Notice
from webvigil.model.short_text import short_text
from webvigil.notify.message import fields, message_of, said

if TYPE_CHECKING:
    from jinja2 import BaseLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_log = logging.getLogger("webvigil.notify")

# Longer subjects, and longer lines of a message, are cut.
LONGEST_SUBJECT = 180
LONGEST_LINE = 400
_TEMPLATES = {"change": "report", "summary": "summary", "verify": "verify"}
# A run of white space. No-break spaces tie a number to its unit, so they stay.
_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
# Control characters, and characters that reverse the direction of writing: with them a page could make our
# text look like something else.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# A text that is set apart, so that its direction does not turn the words around it. Headlines do so with
# texts that are written from right to left.
_APART = re.compile("\u2068([^\u2066-\u2069]*)\u2069")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A notice as a person reads it."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The addresses that a message may contain. `verify` and `stop` hold secrets and are made when it is
    sent."""

    home: str = ""
    verify: str = ""
    stop: str = ""


class Renderer:
    """Fills the templates. `lines` turns a finding (as JSON) into lines, `rows` into the rows of a small
    table (None if it is about no table), and `zone` returns the time zone of a user.

    The template engine takes 2 MB and is loaded with the first notice that is rendered: webhooks and the log
    need none."""

    def __init__(
        self,
        *,
        home: str,
        lines: Callable[[dict[str, Any]], Iterable[Any]],
        rows: Callable[[dict[str, Any]], Any],
        zone: Callable[[str], ZoneInfo],
        templates: Path | None = None,
    ) -> None:
        self._home = home.rstrip("/")
        self._lines = lines
        self._rows = rows
        self._zone = zone
        self._templates = templates

    def render(self, notice: Notice, links: Links | None = None) -> Rendered:
        name = _TEMPLATES.get(str(notice.body.get("event", "")), "event")
        notice = self.in_own_words(notice)
        own = message_of(notice.body) or Message()
        subject = own.title or notice.subject
        values = {
            "it": notice.body,
            "user": notice.user,
            "subject": subject,
            "said": own.body,
            "links": links or Links(home=self._home),
            "zone": self._zone(notice.user),
            "home": self._home,
        }
        name = "message" if own.body else name
        return Rendered(
            subject=subject_line(subject),
            text=self._filled(f"{name}.txt", values).strip() + "\n",
            html=self._filled(f"{name}.html", values),
        )

    def in_own_words(self, notice: Notice) -> Notice:
        """Returns the notice with the user's own messages filled. In a summary, the title of such a message
        takes the place of a change's headline."""
        body = self._said(notice.body, notice.user)
        if any(one.get("message") for one in body.get("entries", ())):
            body = body | {"entries": [self._entry(one, notice.user) for one in body["entries"]]}
        return notice if body is notice.body else replace(notice, body=body)

    def _said(self, it: dict[str, Any], user: str) -> dict[str, Any]:
        own = message_of(it)
        if own is None:
            return it
        time = when(it.get("at", ""), self._zone(user))
        own = said(own, fields(it, self._lines, time=time, report=self._report(it)))
        return it | {"message": asdict(own)}

    def _entry(self, entry: dict[str, Any], user: str) -> dict[str, Any]:
        entry = self._said(entry, user)
        own = message_of(entry)
        return entry | {"headline": own.title} if own and own.title else entry

    def _filled(self, name: str, values: dict[str, Any]) -> str:
        """Fills a template. If the operator's template fails, the built-in one is used."""
        from jinja2 import TemplateError

        try:
            return self._theirs.get_template(name).render(values)
        except (TemplateError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            if self._theirs is self._ours:
                raise
            _log.warning("Cannot use the template %s, using the built-in one instead: %s", name, error)
            return self._ours.get_template(name).render(values)

    @cached_property
    def _ours(self) -> ImmutableSandboxedEnvironment:
        from jinja2 import PackageLoader

        return self._environment(PackageLoader("webvigil.notify", "templates"), edited=False)

    @cached_property
    def _theirs(self) -> ImmutableSandboxedEnvironment:
        """The operator's templates, and the built-in ones where there are none of the operator."""
        if self._templates is None:
            return self._ours
        from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader

        ours = PackageLoader("webvigil.notify", "templates")
        return self._environment(ChoiceLoader([FileSystemLoader(self._templates), ours]), edited=True)

    def _environment(self, loader: BaseLoader, *, edited: bool) -> ImmutableSandboxedEnvironment:
        """Returns a sandbox for templates. If `edited`, files may change while the program runs, and a
        changed file is compiled again."""
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        made = ImmutableSandboxedEnvironment(
            loader=loader,
            autoescape=lambda name: bool(name) and not str(name).endswith(".txt"),
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=edited,
            finalize=_finalised,
        )
        made.filters |= {"when": when, "day": day, "href": href, "line": one_line, "report": self._report}
        made.filters |= {"line_part": _part_of_line, "joined": _joined, "share": _share, "called": _called}
        made.filters["called_together"] = called_together
        made.globals |= {"lines": self._lines, "rows": self._rows}
        return made

    def _report(self, it: Any) -> str:
        """Returns the address of the report of a change on the dashboard, or nothing if there is no
        dashboard."""
        if not self._home or not it.get("page"):
            return ""
        versions = f"{it.get('old_version', 0)}-{it.get('new_version', 0)}"
        name = quote(cleaned(str(it.get("sentinel", ""))), safe="")
        return f"{self._home}/reports/{name}/{it['page']}/{versions}"


def subject_line(text: str) -> str:
    """Returns the text as one line of at most `LONGEST_SUBJECT` characters."""
    return short_text(_SPACES.sub(" ", cleaned(text)).strip(), LONGEST_SUBJECT)


def cleaned(text: str) -> str:
    """Removes control characters and characters that reverse the direction of writing."""
    if text.isascii() and text.isprintable():
        return text
    apart = _APART.split(text.encode("utf-8", "replace").decode())
    said = [_UNSEEN.sub("", part) for part in apart]
    return "".join(f"\u2068{part}\u2069" if place % 2 else part for place, part in enumerate(said))


def one_line(text: Any) -> str:
    return short_text(_SPACES.sub(" ", cleaned(str(text))).strip(), LONGEST_LINE)


def _part_of_line(text: Any) -> str:
    """Returns a piece of a line, with the spaces at its ends."""
    return short_text(_SPACES.sub(" ", cleaned(str(text))), LONGEST_LINE)


def _joined(pieces: Any) -> str:
    return "".join(str(text) for text, _ in pieces)


def _called(kind: str) -> str:
    """Returns what people call the things that a change type watches."""
    return KINDS[kind].called if kind in KINDS else kind


def _share(finding: Any) -> str:
    """Returns how much of the text or picture changed, "" where that says nothing: a share is told where text
    is watched."""
    share, kind = finding.get("share") or 0, finding.get("type")
    if share < 0.005 or kind not in _SHARED:
        return ""
    return f"{round(share * 100)}\u00a0% of the {_SHARED[kind]}"


_SHARED = {"any change": "text", "all words": "text", "content": "text", "visual": "picture"}


def href(address: Any) -> str:
    """Returns the address if it is http or https, else an empty text, so that no script hides in a link."""
    text = str(address)
    try:
        scheme = urlsplit(text).scheme
    except ValueError:
        return ""
    return text if scheme in ("http", "https") else ""


def when(time: Any, zone: ZoneInfo) -> str:
    try:
        return f"{datetime.fromisoformat(str(time)).astimezone(zone):%a %d %b %Y, %H:%M}"
    except ValueError:
        return str(time)


def day(time: Any, zone: ZoneInfo) -> str:
    try:
        return f"{datetime.fromisoformat(str(time)).astimezone(zone):%Y-%m-%d %H:%M}"
    except ValueError:
        return str(time)


def _finalised(value: Any) -> Any:
    """Cleans every value that a template writes. None becomes an empty text."""
    if isinstance(value, Markup):
        return Markup(cleaned(value))  # noqa: S704  (it was safe, and only gets shorter)
    if isinstance(value, str):
        return cleaned(value)
    return "" if value is None else value
