"""A page in, its forms as questions out: their fields, how these are called, and what is sent (S3).

A control is called by its name, its id, its label and the text before it. The values that are sent are those
that a browser would send: ticked boxes, one radio button of a group, the pressed button. A control without a
name is known by # and its id: only a script can send it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from webvigil.discover.analysis import Filled, Method
from webvigil.document import PageDigest
from webvigil.document.forms import Field, Form, Option
from webvigil.document.reading import OwnedTexts
from webvigil.fetch.client import resolved

TEXTS = frozenset(
    (
        "text",
        "search",
        "textarea",
        "tel",
        "url",
        "number",
        "email",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
    )
)
"""Kinds of controls that take text. An unknown kind takes text as well, as in a browser."""
CHOICES = frozenset(("select", "radio"))
_OTHERS = frozenset(("checkbox", "hidden", "password", "file", "range", "color"))
_PRESSED = frozenset(("submit", "image"))
_NEVER_SENT = frozenset(("button", "reset"))

_RIDDLES = re.compile(r"(?i)[a-z-]{0,12}captcha|cf-turnstile|not.?a.?robot|human.?check|anti.?spam")
# Bounds for forms of any size; what is beyond is ignored.
_MOST_CONTROLS = 300
_MOST_OPTIONS = 1000
_LONGEST_WORDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One field of a form. `words` is what the field is called, best first. `on` tells whether it is sent if
    nobody touches it."""

    name: str
    kind: str
    value: str = ""
    words: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    on: bool = True
    required: bool = False
    longest: int | None = None
    autocomplete: str = ""

    @property
    def is_text(self) -> bool:
        return self.kind in TEXTS

    @property
    def is_choice(self) -> bool:
        return self.kind in CHOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button that sends the form. It may send the form to another address than the form itself names."""

    text: str = ""
    name: str = ""
    value: str = ""
    image: bool = False
    action: str = ""
    method: Method | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One form. `about` is what the form itself is called, `lead` are the words shown in and above it."""

    place: str
    action: str
    method: Method
    controls: tuple[Control, ...]
    buttons: tuple[Button, ...] = ()
    about: tuple[str, ...] = ()
    lead: str = ""
    multipart: bool = False
    riddle: str = ""
    """The name of the test for being human that the form has, "" if it has none."""

    def target(self, button: Button) -> str:
        """Returns the address that the form is sent to. With GET the fields replace the query of the address,
        as in a browser."""
        address = button.action or self.action
        if self.verb(button) != "GET":
            return address
        parts = urlsplit(address)
        return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))

    def verb(self, button: Button) -> Method:
        method = button.method or self.method
        return "MULTIPART" if method == "POST" and self.multipart else method

    def filled(self, button: Button, values: Mapping[str, tuple[str, str]]) -> tuple[Filled, ...]:
        """Returns the fields that are sent. `values` holds, by the name of a control, an argument and its
        value in that control."""
        found = [one for control in self.controls for one in _sent(control, values)]
        if button.image:
            stem = f"{button.name}." if button.name else ""
            found += [Filled(name=f"{stem}x", value="1"), Filled(name=f"{stem}y", value="1")]
        elif button.name:
            found.append(Filled(name=button.name, value=button.value))
        return tuple(found)


def _sent(control: Control, values: Mapping[str, tuple[str, str]]) -> Iterator[Filled]:
    if not control.name or control.name.startswith("#") or control.kind in ("file", "password"):
        return
    if control.name in values and (control.is_text or control.is_choice):
        argument, value = values[control.name]
        yield Filled(name=control.name, value=value, argument=argument)
    elif control.on:
        yield Filled(name=control.name, value=control.value)


# --- from a page --------------------------------------------------------------------------------------


class Questions:
    """The forms of a page, made into questions one by one, because a page may have ten thousand forms."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self.forms = digest.forms
        self._legends = OwnedTexts(digest, digest.is_tag(("legend",))) if self.forms else None

    def __len__(self) -> int:
        return len(self.forms)

    def __iter__(self) -> Iterator[Question]:
        return map(self._question, self.forms)

    def _question(self, form: Form) -> Question:
        digest, attributes = self._digest, self._digest.attributes(form.node)
        fields = form.fields[:_MOST_CONTROLS]
        sent = [one for one in fields if "disabled" not in digest.attributes(one.node)]
        controls = _controls(digest, form, [one for one in sent if one.type not in _PRESSED | _NEVER_SENT])
        return Question(
            place=digest.path(form.node),
            action=_address(digest, attributes.get("action"), form.action),
            method="POST" if form.method == "POST" else "GET",
            controls=controls,
            buttons=tuple(_button(digest, one) for one in _pressed(sent)),
            about=tuple(
                attributes[name]
                for name in ("id", "name", "class", "role", "aria-label")
                if name in attributes
            ),
            lead=self._lead(form.node),
            multipart=attributes.get("enctype", "").strip().lower() == "multipart/form-data",
            riddle=self._riddle(form.node),
        )

    def _riddle(self, form: int) -> str:
        """Returns the mark of a test for being human in a form: an element or a picture that is called so."""
        end = form + int(self._digest.sizes[form])
        return next((mark for node, mark in self._riddles if form < node < end), "")

    @cached_property
    def _riddles(self) -> list[tuple[int, str]]:
        """The elements of the page that are called like a test for being human, each with the mark. A page
        has fewer different values than elements, so each value is searched once."""
        digest = self._digest
        rows = digest.rows_of("class", "id", "name", "src", "data-sitekey")
        values = digest.attribute_value[rows].tolist()
        marks = {one: _RIDDLES.search(digest.attribute_values[one]) for one in set(values)}
        nodes = digest.attribute_node[rows].tolist()
        return [(node, mark[0]) for node, value in zip(nodes, values, strict=True) if (mark := marks[value])]

    def _lead(self, form: int) -> str:
        """Returns the legends of a form, headings inside of it, and the heading that it stands under."""
        digest = self._digest
        inside = slice(form, form + int(digest.sizes[form]))
        legends = np.flatnonzero(digest.is_tag(("legend",))[inside])[:5] + form
        assert self._legends is not None, "a page with a form"
        above = [heading.text for heading in digest.headings if heading.node < form][-1:]
        within = [heading.text for heading in digest.headings if form < heading.node < inside.stop][:2]
        return " ".join([*map(self._legends.of, legends.tolist()), *within, *above])[:_LONGEST_WORDS]


def _address(digest: PageDigest, written: str | None, whole: str) -> str:
    """Returns an absolute address, or "" for an address that cannot be fetched, because only a script knows
    what to do with it."""
    try:
        return resolved(digest.url, written) if written and written.strip() else resolved(digest.url, whole)
    except ValueError:
        return ""


def _pressed(fields: list[Field]) -> list[Field]:
    """Returns the buttons that send a form; where it has none, those that may do it by a script."""
    sending = [one for one in fields if one.type in _PRESSED]
    return sending or [one for one in fields if one.type == "button"]


def _button(digest: PageDigest, field: Field) -> Button:
    attributes = digest.attributes(field.node)
    shown = attributes.get("value", "") if digest.tag(field.node) == "input" else digest.text(field.node)
    said = [shown, attributes.get("alt", ""), attributes.get("aria-label", ""), attributes.get("title", "")]
    method = attributes.get("formmethod", "").strip().upper()
    action = attributes.get("formaction", "")
    return Button(
        text=" ".join(" ".join(said).split())[:_LONGEST_WORDS],
        name=field.name if field.type in _PRESSED else "",
        value=field.value,
        image=field.type == "image",
        action=_address(digest, action, "") if action.strip() else "",
        method="POST" if method == "POST" else "GET" if method == "GET" else None,
    )


def _controls(digest: PageDigest, form: Form, fields: list[Field]) -> tuple[Control, ...]:
    """Returns the controls of a form. The radio buttons of one name become one control, at the place of the
    first."""
    before = _before(digest, form, fields)
    found: list[Control] = []
    groups: dict[str, list[tuple[Field, str]]] = {}
    for field in fields:
        if field.type == "radio":
            if field.name not in groups:
                found.append(Control(name=field.name, kind="radio"))
            groups.setdefault(field.name, []).append((field, before.get(field.node, "")))
        else:
            found.append(_control(digest, field, before.get(field.node, "")))
    return tuple(_radio(groups[one.name]) if one.kind == "radio" else one for one in found)


def _control(digest: PageDigest, field: Field, before: str) -> Control:
    attributes = digest.attributes(field.node)
    kind = field.type if field.type in TEXTS | CHOICES | _OTHERS else "text"
    longest = attributes.get("maxlength", "").strip()
    own = attributes.get("id", "").strip()
    return Control(
        name=field.name or (f"#{own}" if own else ""),
        kind=kind,
        value=field.value,
        words=_words(
            field.name, attributes.get("id", ""), field.label, attributes.get("placeholder", ""),
            attributes.get("title", ""), before,
        ),
        options=field.options[:_MOST_OPTIONS],
        on=field.checked if kind == "checkbox" else kind != "select" or _offers(attributes, field),
        required=field.required,
        longest=int(longest) if longest.isascii() and longest.isdigit() and len(longest) < 7 else None,
        autocomplete=attributes.get("autocomplete", "").strip().lower(),
    )  # fmt: skip


def _offers(attributes: Mapping[str, str], field: Field) -> bool:
    """Tells whether a list sends a value when nobody touches it. Where several entries may be chosen, none
    is, unless the page says so."""
    return bool(field.options) and (
        "multiple" not in attributes or any(one.selected for one in field.options)
    )


def _radio(group: list[tuple[Field, str]]) -> Control:
    """Returns the radio buttons of one name as one control, with their values as options."""
    fields = [field for field, _ in group]
    chosen = next((field for field in fields if field.checked), None)
    options = tuple(Option(field.value, field.label, field.checked) for field in fields[:_MOST_OPTIONS])
    return Control(
        name=fields[0].name,
        kind="radio",
        value=chosen.value if chosen else "",
        words=_words(fields[0].name, group[0][1]),
        options=options,
        on=chosen is not None,
    )


def _words(*said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(one.split())[:_LONGEST_WORDS] for one in said if one.strip()))


def _before(digest: PageDigest, form: Form, fields: Iterable[Field]) -> dict[int, str]:
    """Returns, by control, the last text between that control and the control before it."""
    pieces = digest.pieces
    found: dict[int, str] = {}
    edge = form.node
    for field in sorted(fields, key=lambda one: one.node):
        first, last = (int(place) for place in np.searchsorted(pieces.nodes, (edge, field.node)))
        for at in range(last - 1, max(first, last - 6) - 1, -1):
            text = " ".join(pieces.table[pieces.indices[at]].split())
            if text.strip(":*-–| "):
                found[field.node] = text[-_LONGEST_WORDS:]
                break
        edge = field.node + int(digest.sizes[field.node])
    return found
