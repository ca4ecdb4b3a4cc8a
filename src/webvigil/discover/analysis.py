"""What an analysis found: a capability profile, the exact steps that work, or why there is none (S3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from webvigil.errors import ServiceRefused
from webvigil.model.page import Page

Outcome = Literal["matched", "filtered", "refused by manners", "unmatched", "unreachable"]
StepKind = Literal["form", "confirmation", "refresh", "link", "frame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """One field as it was sent, and the argument that filled it ("" where the form's own value stayed)."""

    name: str
    value: str
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One request, and the state of the control flow graph that its answer was ("" for a page between)."""

    kind: StepKind
    method: Literal["GET", "POST"]
    url: str
    fields: tuple[Filled, ...] = ()
    render: Literal["http", "browser"] = "http"
    state: str = ""

    @property
    def page(self) -> Page:
        fields = tuple((field.name, field.value) for field in self.fields)
        return Page(url=self.url, method=self.method, fields=fields, render=self.render)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a service can do and how: from the page with the form, step by step, to a result.

    `form` is the form's place on the page, `arguments` what was asked, `result` the type of the answer and
    `found` a sample of what was recognised there.
    """

    service: str
    page: Page
    form: str
    steps: tuple[Step, ...]
    states: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]
    result: str
    found: str = ""

    def as_json(self) -> dict[str, Any]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One form, looked at. `form` is its place on the page ("" where the page has none), `fields` how many
    it has, `seconds` how long it took; `reason` says in words why the outcome is what it is."""

    page: str
    form: str = ""
    fields: int = 0
    outcome: Outcome
    reason: str
    probes: int = 0
    seconds: float = 0.0
    profile: Profile | None = None


def profile_from_json(plain: Any) -> Profile:
    """Raises ServiceRefused for what is no profile."""
    raise ServiceRefused("not a capability profile")
