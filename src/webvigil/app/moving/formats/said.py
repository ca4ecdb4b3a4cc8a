"""What the keys of a foreign entry say in, one `Found` out: a sentinel, and for each key what became of it.

A format has a table of `Key`s. Each key of an entry is looked up there and gives `Said`s: pieces of clauses,
or remarks. The pieces are put together as the text of a sentinel and read by the language, so that an import
can say nothing that a user could not have written. A piece that the language refuses becomes a remark. A key
that the table does not know is reported too, so no key of a file vanishes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from webvigil.app.moving.formats.found import Found, Selects, Told, name_from, title_from
from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language import parse
from webvigil.language.texts import quoted
from webvigil.model.sentinel import Sentinel
from webvigil.model.short_text import short_text

REMARK, SHOWN, OFF, TROUBLE = "remark", "shown", "off", "trouble"
"""Said without being a clause: a remark; a piece that another key puts into the sentinel; disabled; the
reason why the entry cannot be taken over."""
HEADER, COOKIE, SERVICE = "header", "cookie", "service"
"""Secrets that are kept sealed: a header or cookie of the log-in, the address of a notification service."""
RUNS = "runs"
"""A selector as the other program runs it, to be tried beside ours: `select css .news`."""

# How the pieces of a clause are joined, in the order in which the clauses are written.
_CLAUSES: dict[str, tuple[str, str]] = {
    "monitor": ("Monitor", " OR "),
    "within": ("Within", ", "),
    "ignore": ("Ignore", ", "),
    "quiet": ("Quiet", ""),
    "only": ("Only", ""),
    "when": ("When", " AND "),
    "fetch": ("Fetch", ""),
    "steps": ("Steps", ", "),
    "render": ("Render", " "),
    "through": ("Through", ""),
    "agent": ("Agent", ""),
    "timeout": ("Timeout", ""),
    "notify": ("Notify By", ", "),
    "every": ("Every", ""),
    "message": ("Message", " "),
    "compare": ("Compare", ""),
    "topic": ("Topic", ", "),
    "present": ("Present", ""),
}
_SECRET = re.compile(
    r"header|cookie|token|passw|passphrase|pwd|secret|api.?key|credential|auth|notification_urls|proxy|webhook"
    r"|optional_value",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"://[^/\s@\"]+@")
_TYPED = re.compile(r'(type \w+ "(?:\\.|[^"\\])*") "(?:\\.|[^"\\])*"')
# What reading a value of a kind that nobody expects can raise.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_LONGEST_SHOWN = 120


class Said(NamedTuple):
    """What a key says: a piece of the clause `slot`, or one of the things that are no clause (REMARK …).

    `key` may name a part of the value, such as a filter in a chain; `value` is then what stands there."""

    slot: str
    text: str
    key: str = ""
    value: str = ""


Translate = Callable[[Any, Mapping[str, Any]], Iterable[Said]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a foreign format.

    `about` says what it does there, as the end of the sentence "it …". `becomes` names the clause for the
    documentation; a key that becomes nothing is reported with `about`. With one of the `usual` values it says
    nothing. `record` keys are what the other program writes down for itself.
    """

    about: str
    becomes: str = ""
    difference: str = ""
    translate: Translate | None = None
    usual: tuple[Any, ...] = ()
    record: bool = False
    tools: tuple[str, ...] = ()


Keys = Mapping[str, Key]


def said_by(entry: Mapping[str, Any], keys: Keys) -> Iterator[Said]:
    """Yields what each key of the entry says. A key that means nothing special, or is a mere record, says
    nothing."""
    for name, value in entry.items():
        key = keys.get(str(name))
        if key is None:
            yield Said(REMARK, f"unknown here, not taken along: {shown(name, value)}", str(name))
        elif key.record or is_usual(value, key):
            continue
        elif key.translate is None:
            yield Said(REMARK, reported(key), str(name))
        else:
            yield from _translated(key.translate, str(name), value, entry)
            if key.difference:
                yield Said(REMARK, key.difference, str(name))


def _translated(translate: Translate, name: str, value: Any, entry: Mapping[str, Any]) -> list[Said]:
    """Returns what a key says. A value that the key cannot have becomes a remark."""
    try:
        return [one if one.key else one._replace(key=name) for one in translate(value, entry)]
    except _UNREADABLE:
        return [Said(REMARK, f"not taken along, it cannot be read: {shown(name, value)}", name)]


def reported(key: Key) -> str:
    return f"not taken along; it {key.about}" + (f"; {key.difference}" if key.difference else "")


def is_usual(value: Any, key: Key) -> bool:
    return value is None or value in ("", [], {}) or any(value is one or value == one for one in key.usual)


def shown(name: Any, value: Any) -> str:
    """Returns a value in one short line. Of secrets, also of those within the value, only their number is
    shown."""
    plain = _without_secrets(str(name), value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, default=str)
    text = _IN_ADDRESS.sub("://…@", text)
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return short_text(text, _LONGEST_SHOWN)


def _without_secrets(name: str, value: Any) -> Any:
    if _SECRET.search(name):
        several = len(value) if isinstance(value, Sequence | Mapping) and not isinstance(value, str) else 1
        return f"({several} not shown)"
    if isinstance(value, Mapping):
        return {str(key): _without_secrets(str(key), inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_secrets("", inner) for inner in value]
    return value


def found_from(source: str, title: Any, url: str, said: Iterable[Said], entry: Mapping[str, Any]) -> Found:
    """Returns the sentinel that the pieces make, with what became of each key."""
    pieces = list(said)
    sentinel, pieces = _readable(_head(title, url), url, pieces)
    trouble = next((one.text for one in pieces if one.slot == TROUBLE), "")
    if trouble:
        return Found(source=source, trouble=trouble, told=told(pieces, entry))
    return Found(
        source=source,
        sentinel=sentinel,
        enabled=not any(one.slot == OFF for one in pieces),
        remarks=tuple(remarks_of(pieces)),
        told=told(pieces, entry),
        headers=tuple(one.text for one in pieces if one.slot == HEADER),
        cookies=tuple(one.text for one in pieces if one.slot == COOKIE),
        services=tuple(one.text for one in pieces if one.slot == SERVICE),
        selectors=tuple(_selects(one.text) for one in pieces if one.slot == RUNS),
    )


def _selects(text: str) -> Selects:
    do, by, selector = text.split(" ", 2)
    return Selects(cast(Any, do), cast(Any, by), selector)


def _head(title: Any, url: str) -> str:
    """Returns the text of a sentinel without clauses, in which {} stands for its target."""
    named = title_from(title)
    called = quoted(name_from(title, url)).replace("{", "{{").replace("}", "}}")
    titled = quoted(named).replace("{", "{{").replace("}", "}}") if named else ""
    return f"Create Sentinel {called} Using {{}}" + (f"\nTitle {titled}" if titled else "")


def _readable(head: str, url: str, pieces: list[Said]) -> tuple[Sentinel, list[Said]]:
    """Returns the sentinel, and the pieces. Those that the language refuses are remarks then."""
    try:
        return parse(_text(head, url, pieces))[0], pieces
    except (MistakeInText, SentinelRefused):
        fine: list[Said] = []
        for one in pieces:
            fine.append(_judged(head, url, fine, one) if one.slot in ("using", *_CLAUSES) else one)
            if one.slot == "monitor" and fine[-1].slot == REMARK:
                fine.append(Said("monitor", "content", one.key))
        return parse(_text(head, url, fine))[0], fine


def _judged(head: str, url: str, before: list[Said], piece: Said) -> Said:
    try:
        parse(_text(head, url, [*before, piece]))
    except (MistakeInText, SentinelRefused) as error:
        slot = TROUBLE if piece.slot == "using" else REMARK
        return piece._replace(slot=slot, text=f"not taken along: {_as_clause(piece)} ({_reason(error)})")
    return piece


def _reason(error: Exception) -> str:
    """Returns what is wrong, without the place in a text that the user never saw."""
    said = re.sub(r"^line \d+, column \d+: ", "", str(error).partition("\n")[0])[:200]
    return "this cannot be said in a sentinel" if said.startswith("expected ") else said


def _text(head: str, url: str, pieces: Sequence[Said]) -> str:
    target = next((one.text for one in pieces if one.slot == "using"), url)
    lines = [head.format(target)]
    for slot, (word, sign) in _CLAUSES.items():
        texts = list(dict.fromkeys(one.text for one in pieces if one.slot == slot))
        if slot == "when" and len(texts) > 1:
            texts = [f"({one})" for one in texts]
        if slot == "render":
            texts.sort(key=lambda one: one != "browser")
        if slot == "message":
            texts.sort(key=lambda one: not one.startswith("title "))
        if texts:
            lines.append(f"{word} {sign.join(texts) if sign else texts[0]}")
    return "\n".join(lines)


def remarks_of(pieces: Iterable[Said]) -> Iterator[str]:
    """Yields the remarks, each once, with the keys that they are about."""
    about: dict[str, list[str]] = {}
    for one in pieces:
        if one.slot == REMARK:
            about.setdefault(one.text, []).append(one.key)
    for text, keys in about.items():
        yield f"{', '.join(dict.fromkeys(keys))}: {text}"


def told(pieces: Iterable[Said], entry: Mapping[str, Any]) -> tuple[Told, ...]:
    """Returns for each key that says something its value there and what it becomes here."""
    found: dict[str, list[Said]] = {}
    for one in pieces:
        if one.slot != RUNS:
            found.setdefault(one.key, []).append(one)
    return tuple(_told(key, several, entry) for key, several in found.items() if key)


def _told(key: str, pieces: list[Said], entry: Mapping[str, Any]) -> Told:
    clauses = dict.fromkeys(_as_clause(one) for one in pieces if one.slot not in (REMARK, TROUBLE))
    remarks = dict.fromkeys(one.text for one in pieces if one.slot in (REMARK, TROUBLE))
    value = next((one.value for one in pieces if one.value), shown(key, entry[key]) if key in entry else "")
    return Told(key, value, ", ".join(clauses), "; ".join(remarks))


def _as_clause(one: Said) -> str:
    match one.slot:
        case "using":
            return f"Using {one.text}"
        case "off":
            return "disabled"
        case "header" | "cookie":
            return f"a {one.slot} of the log-in, kept sealed"
        case "service":
            return "an Apprise service, kept sealed"
        case "shown":
            return one.text
        case "steps":
            return f"Steps {_TYPED.sub(_without_text, one.text)}"
    return f"{_CLAUSES[one.slot][0]} {one.text}" if one.slot in _CLAUSES else one.text


def _without_text(typed: re.Match[str]) -> str:
    return f'{typed[1]} "…"'
