"""A sentinel in, the fields of a form out, and back: what, where, how often, how deep, whom to tell.

Each field holds a clause of the language without its first word. Whatever a sentinel says therefore fits into
a form and comes back unchanged. A part may also be a plain CSS selector, which most people know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from webvigil.errors import MistakeInText
from webvigil.language import BARE, HEAD, parse, print_clauses
from webvigil.model.message import Message, trouble_with
from webvigil.model.sentinel import (
    ALWAYS,
    Condition,
    Contact,
    FetchEvery,
    FetchOnChange,
    FetchWhen,
    Part,
    Sentinel,
    WhenCondition,
    is_about_meaning,
    no_question,
)
from webvigil.model.topics import topics_in, topics_text

# A field that begins with one of these is a Within clause as a sentinel writes it. Anything else is a CSS
# selector.
_CLAUSES = ('css "', 'xpath "', 'json "', 'regex "', "/", "words {")
_MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    title: str = ""
    monitor: str = ""
    within: str = ""
    fetch: str = ""
    hours: str = ""
    topic: str = ""
    notify: str = ""
    depth: str = ""
    message_title: str = ""
    message_body: str = ""
    means: str | None = None
    summary: bool | None = None


def fields_of(sentinel: Sentinel) -> Fields:
    only = sentinel.within
    plain = len(only) == 1 and only[0].by == "css" and _is_plain(str(only[0].argument))
    return Fields(
        title=sentinel.title or "",
        monitor=_clause("Monitor ", monitor=sentinel.monitor),
        within=str(only[0].argument) if plain else _clause("Within ", within=only),
        fetch=_clause("Fetch ", fetch=_at_any_hour(sentinel.fetch)),
        hours=_clause("Fetch on change", fetch=_only_hours(sentinel.fetch)).strip(),
        topic=topics_text(sentinel.topics),
        notify=_clause("Notify By ", contacts=sentinel.contacts, notify=sentinel.notify),
        depth="" if sentinel.depth is None else str(sentinel.depth),
        message_title=sentinel.message.title if sentinel.message else "",
        message_body=sentinel.message.body if sentinel.message else "",
        means=_means(sentinel.when),
        summary=sentinel.summary == "on",
    )


def _means(when: WhenCondition | None) -> str | None:
    """Returns the sentence behind `means`, "" if there is no condition, None if there is another one: a form
    has no field for that."""
    if when is None:
        return ""
    return when.text if isinstance(when, Condition) and is_about_meaning(when) else None


def told_if(sentinel: Sentinel, means: str | None, summary: bool | None) -> Sentinel:
    """Returns the sentinel with a sentence behind `means` and with or without summaries; None leaves it as it
    is. Raises MistakeInText for a sentence that cannot be used."""
    if means is not None and _means(sentinel.when) is not None:
        sentence = " ".join(means.split())
        if sentence and (trouble := no_question(sentence)):
            raise MistakeInText(trouble, line=1, column=1)
        sentinel = replace(sentinel, when=Condition("means", text=sentence) if sentence else None)
    if summary is None or summary == (sentinel.summary == "on"):
        return sentinel
    return replace(sentinel, summary="on" if summary else None)


def told_by(sentinel: Sentinel, notify: str) -> Sentinel:
    """Returns the sentinel with the contacts and times that `notify` names. Raises MistakeInText if it cannot
    be read."""
    told = _read("Notify By", notify)
    return replace(sentinel, contacts=told.contacts, notify=told.notify)


def ways_to_tell(contacts: Iterable[Contact]) -> dict[str, str]:
    """Returns the texts that a user can write to be told by these contacts, each with its meaning."""
    ways: dict[str, str] = {}
    for one in contacts:
        at_once = _clause("Notify By ", contacts=(one,))
        ways |= {at_once: "at once", f"{at_once} Every 1 day": "once a day, all in one message"}
    return ways


def with_fields(sentinel: Sentinel, fields: Fields) -> Sentinel:
    """Returns the sentinel with the values of a form. Raises MistakeInText, with the clause in its message,
    for a field that cannot be read."""
    return replace(
        told_if(told_by(sentinel, fields.notify), fields.means, fields.summary),
        title=_title(sentinel, fields.title),
        monitor=_read("Monitor", fields.monitor).monitor,
        within=_within(fields.within),
        fetch=fetched_at(fields.fetch, fields.hours),
        topics=topics_in(fields.topic),
        depth=_depth(sentinel, fields.depth),
        message=own_words(fields.message_title, fields.message_body),
    )


def _title(sentinel: Sentinel, text: str) -> str | None:
    """Returns the title. A sentinel that has an empty one keeps it."""
    return text if text == sentinel.title else text.strip() or None


def own_words(title: str, body: str) -> Message | None:
    """Returns the message of a form; None if both fields are empty. Raises MistakeInText if it cannot be
    used."""
    lines = body.replace("\r\n", "\n")
    said = Message(title if title.strip() else "", lines if lines.strip() else "")
    if not said.title and not said.body:
        return None
    if trouble := trouble_with(said):
        raise MistakeInText(trouble, line=1, column=1)
    return said


def fetched_at(fetch: str, hours: str) -> FetchWhen | None:
    """Returns when to look, from an interval (or "on change", or nothing) and the hours beside it. Raises
    MistakeInText if they cannot be read."""
    if not hours.strip():
        return _read("Fetch", fetch).fetch
    return _read("Fetch", f"{fetch.strip() or 'on change'} {hours.strip()}").fetch


def _at_any_hour(fetch: FetchWhen | None) -> FetchWhen | None:
    return replace(fetch, hours=ALWAYS) if isinstance(fetch, FetchEvery | FetchOnChange) else fetch


def _only_hours(fetch: FetchWhen | None) -> FetchWhen:
    return FetchOnChange(fetch.hours if isinstance(fetch, FetchEvery | FetchOnChange) else ALWAYS)


def _depth(sentinel: Sentinel, text: str) -> int | None:
    """Returns the depth. A sentinel that named no depth stays without one if the form says 0."""
    wanted = _read("Depth", text).depth
    return wanted or (None if sentinel.depth is None else wanted)


def _within(text: str) -> tuple[Part, ...]:
    text = text.strip()
    first, _, others = text.partition(",")
    has_main = first.strip() == _MAIN and (not others or others.strip().startswith((_MAIN, *_CLAUSES)))
    if has_main or text.startswith(_CLAUSES):
        return _read("Within", text).within
    return (Part("css", text),) if text else ()


def _is_plain(selector: str) -> bool:
    """Tells whether the form can show this CSS selector without `css "…"` and read it back unchanged."""
    return (
        bool(selector)
        and selector == selector.strip()
        and selector != _MAIN
        and not selector.startswith(_CLAUSES)
    )


def _read(clause: str, text: str) -> Sentinel:
    if not text.strip():
        return BARE
    # The field may hold `Every …` alone: a clause that names a time but no contact.
    written = text if clause == "Notify By" and text.strip().startswith("Every ") else f"{clause} {text}"
    try:
        return parse(HEAD + written)[0]
    except MistakeInText as error:
        raise MistakeInText(f"{clause} {text.strip()}: {error.message}", line=1, column=1) from error


def _clause(keyword: str, **fields: Any) -> str:
    """Returns the clause that says these fields, without its first words."""
    return print_clauses(**fields).removeprefix(keyword)
