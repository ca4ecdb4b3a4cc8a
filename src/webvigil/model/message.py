"""A message in the user's own words: two texts with fields, such as `{{ headline }}`, that each notice fills.

Fields are the only thing that a text can ask for. There are no expressions and no loops, so that no text can
read what it should not, or run for long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LONGEST_TITLE = 300
LONGEST_BODY = 10_000
FIELDS: Mapping[str, str] = {
    "headline": "the change in one sentence",
    "sentence": "the change in one sentence by a language model (`Summary on`), or else the headline",
    "label": "what the first changed object is: `Aurora lamp · Price`",
    "before": "the first changed object as it was",
    "after": "the first changed object as it is now",
    "changes": "all that changed, a line each",
    "added": "what is new, a line each",
    "removed": "what is gone, a line each",
    "summary": "how much changed: `2 new, 1 gone`",
    "types": "the change types that found something",
    "title": "the title of the sentinel, or else its name",
    "sentinel": "the name of the sentinel",
    "topic": "its topic",
    "priority": "its priority",
    "url": "the address of the page",
    "report": "the address of the comparison on the dashboard",
    "time": "when the change was found, in your time zone",
    "old_version": "the number of the version compared with",
    "new_version": "the number of the new version",
}
_FIELD = re.compile(r"\{\{[ \t]*(\w{1,40})[ \t]*\}\}")


@dataclass(frozen=True, slots=True)
class Message:
    """What a notice says in place of our own words. A text that is "" is left to us."""

    title: str = ""
    body: str = ""


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yields the plain texts, and the names of fields with True, in order."""
    at = 0
    for found in _FIELD.finditer(text):
        yield text[at : found.start()], False
        yield found[1], True
        at = found.end()
    yield text[at:], False


def filled(text: str, values: Mapping[str, str]) -> str:
    """Puts the values into the fields. What a value says is never read as a field."""
    return "".join(values.get(piece, "") if is_field else piece for piece, is_field in pieces(text))


def trouble_with(message: Message) -> str:
    """Says why a message cannot be used; "" if it can."""
    if not message.title.strip() and not message.body.strip():
        return 'Message says nothing; write Message title "…", body "…" or both'
    if len(message.title) > LONGEST_TITLE:
        return f"the title of Message has more than {LONGEST_TITLE} letters"
    if "\n" in message.title or "\r" in message.title:
        return "the title of Message is one line"
    if len(message.body) > LONGEST_BODY:
        return f"the body of Message has more than {LONGEST_BODY:,} letters"
    return _trouble_in(message.title) or _trouble_in(message.body)


def _trouble_in(text: str) -> str:
    for piece, is_field in pieces(text):
        if is_field and piece not in FIELDS:
            return _no_field(piece)
        if not is_field and "{{" in piece:
            return "{{ begins a field of Message and needs a name and }}, such as {{ headline }}"
    return ""


def _no_field(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), FIELDS, n=1)
    instead = f"did you mean {{{{ {close[0]} }}}}?" if close else f"the fields are {', '.join(FIELDS)}"
    return f"{{{{ {name} }}}} is no field of Message; {instead}"
