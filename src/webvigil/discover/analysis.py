"""The verdict of an analysis: a capability profile with the steps that work, or why there is none (S3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from webvigil.errors import ServiceRefused
from webvigil.model.page import Page, Sending, normal_url

if TYPE_CHECKING:
    from webvigil.model.shapes import FilledShape, ProfilePageShape, ProfileShape, ProfileStepShape

Outcome = Literal["matched", "possible", "filtered", "refused by manners", "unmatched", "unreachable"]
FOUND: tuple[Outcome, ...] = ("matched", "possible")
"""The outcomes of a form that is a service."""
StepKind = Literal["form", "confirmation", "refresh", "link", "frame"]
Method = Sending
Render = Literal["http", "browser"]

# Limits for profiles that are read: no real form and no way to a result is longer.
_MOST_STEPS = 50
_MOST_FIELDS = 1000
# A link as `views` lists it.
_LINK = re.compile(r'href="([^"]*)" ?(.*)', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """One field as it was sent, and the argument that filled it ("" if the form's own value stayed)."""

    name: str
    value: str
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One request, and the state of the control flow graph that its answer has ("" for a page between
    states)."""

    kind: StepKind
    method: Method
    url: str
    fields: tuple[Filled, ...] = ()
    render: Render = "http"
    state: str = ""

    @property
    def page(self) -> Page:
        pairs = tuple((field.name, field.value) for field in self.fields)
        return Page(url=self.url, method=self.method, fields=pairs, render=self.render)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a service can do and how: the steps from the page with the form to a result.

    `form` is the form's place on the page, `arguments` are the values asked, `result` is the type of the
    answer, and `found` is a sample of what was recognised in it. `doubt` says why the service is only a
    possible one, "" if it was proven.
    """

    service: str
    page: Page
    form: str
    steps: tuple[Step, ...]
    states: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]
    result: str
    found: str = ""
    doubt: str = ""

    @property
    def sample(self) -> tuple[str, str]:
        """What was found, for a person: the address of a hit, "" if it is no link, and its words."""
        link = _LINK.fullmatch(self.found)
        return (link[1], link[2] or link[1]) if link else ("", self.found)

    def as_json(self) -> ProfileShape:
        """Returns plain data that `profile_from_json` reads."""
        return {
            "service": self.service,
            "page": _page_as_json(self.page),
            "form": self.form,
            "steps": [_step_as_json(step) for step in self.steps],
            "states": list(self.states),
            "arguments": _lists(self.arguments),
            "result": self.result,
            "found": self.found,
            "doubt": self.doubt,
        }


def _page_as_json(page: Page) -> ProfilePageShape:
    told: ProfilePageShape = {
        "url": page.url,
        "method": page.method,
        "fields": _lists(page.fields),
        "render": page.render,
    }
    return {**told, "login": page.login} if page.login else told


def _step_as_json(step: Step) -> ProfileStepShape:
    told: ProfileStepShape = {
        "kind": step.kind,
        "method": step.method,
        "url": step.url,
        "fields": [_filled_as_json(one) for one in step.fields],
        "render": step.render,
    }
    return {**told, "state": step.state} if step.state else told


def _filled_as_json(filled: Filled) -> FilledShape:
    told: FilledShape = {"name": filled.name, "value": filled.value}
    return {**told, "argument": filled.argument} if filled.argument else told


def _lists(pairs: tuple[tuple[str, str], ...]) -> list[list[str]]:
    return [list(pair) for pair in pairs]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The verdict on one form. `form` is its place on the page ("" if the page has none), `fields` counts its
    fields, `seconds` is the time taken; `reason` explains the outcome in words."""

    page: str
    form: str = ""
    fields: int = 0
    outcome: Outcome
    reason: str
    probes: int = 0
    seconds: float = 0.0
    profile: Profile | None = None


# --- plain data ---------------------------------------------------------------------------------------


def profile_from_json(plain: Any) -> Profile:
    """Reads a profile from plain data. Raises ServiceRefused, with the place in the data, if it is no
    profile."""
    given = _members(plain, "", Profile)
    return Profile(
        service=_text(given, "service", "service"),
        page=_page(given.get("page")),
        form=_text(given, "form", "form"),
        steps=tuple(
            _step(one, f"steps[{n}]") for n, one in enumerate(_list(given.get("steps"), "steps", _MOST_STEPS))
        ),
        states=tuple(_string(one, "states") for one in _list(given.get("states"), "states", _MOST_STEPS)),
        arguments=_pairs(given.get("arguments"), "arguments"),
        result=_text(given, "result", "result"),
        found=_text(given, "found", "found", ""),
        doubt=_text(given, "doubt", "doubt", ""),
    )


def _page(plain: Any) -> Page:
    given = _members(plain, "page", Page)
    return Page(
        url=_url(given, "page.url"),
        method=_one_of(given.get("method", "GET"), Method, "page.method"),
        fields=_pairs(given.get("fields", []), "page.fields"),
        render=_one_of(given.get("render", "http"), Render, "page.render"),
        login=_text(given, "login", "page.login", ""),
    )


def _step(plain: Any, where: str) -> Step:
    given = _members(plain, where, Step)
    filled = _list(given.get("fields", []), f"{where}.fields", _MOST_FIELDS)
    return Step(
        kind=_one_of(given.get("kind"), StepKind, f"{where}.kind"),
        method=_one_of(given.get("method"), Method, f"{where}.method"),
        url=_url(given, f"{where}.url"),
        fields=tuple(_filled(one, f"{where}.fields") for one in filled),
        render=_one_of(given.get("render", "http"), Render, f"{where}.render"),
        state=_text(given, "state", f"{where}.state", ""),
    )


def _filled(plain: Any, where: str) -> Filled:
    given = _members(plain, where, Filled)
    texts = (_text(given, "name", where), _text(given, "value", where), _text(given, "argument", where, ""))
    return Filled(name=texts[0], value=texts[1], argument=texts[2])


def _members(plain: Any, where: str, kind: type[Any]) -> dict[str, Any]:
    known = [field.name for field in fields(kind)]
    if not isinstance(plain, dict):
        raise _refused(where, "is not an object")
    for name in plain:
        if name not in known:
            raise _refused(where, f"has an unknown member {str(name)[:40]!r}; known are {', '.join(known)}")
    return plain


def _list(plain: Any, where: str, most: int) -> list[Any]:
    if not isinstance(plain, list) or len(plain) > most:
        raise _refused(where, f"is not a list of at most {most}")
    return plain


def _string(plain: Any, where: str) -> str:
    if not isinstance(plain, str):
        raise _refused(where, "is not a text")
    return plain


def _text(given: dict[str, Any], name: str, where: str, default: str | None = None) -> str:
    return _string(given.get(name, default), where)


def _url(given: dict[str, Any], where: str) -> str:
    written = _text(given, "url", where)
    try:
        normal_url(written)
    except ValueError as error:
        raise _refused(where, f"is no address: {error}") from error
    return written


def _pairs(plain: Any, where: str) -> tuple[tuple[str, str], ...]:
    found = []
    for pair in _list(plain, where, _MOST_FIELDS):
        first, second = _list(pair, where, 2) if isinstance(pair, list) and len(pair) == 2 else (None, None)
        found.append((_string(first, where), _string(second, where)))
    return tuple(found)


def _one_of(plain: Any, kinds: Any, where: str) -> Any:
    if plain not in get_args(kinds):
        raise _refused(where, f"is none of {', '.join(get_args(kinds))}")
    return plain


def _refused(where: str, reason: str) -> ServiceRefused:
    return ServiceRefused(f"not a capability profile: {where or 'the whole'} {reason}")
