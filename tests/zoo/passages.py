"""The pages between a form and its result (S4): none, a redirect, a wait, a link, frames or a confirmation.

A passage connects the form's action ("go") with the page that shows results ("show"), and returns the pages
between. Fields travel along in the address, or as a ticket that stands for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import urlencode

from tests.zoo.specimen import Content, Fields, Redirect
from tests.zoo.tongues import Tongue

Show = Callable[[Fields], str]


@dataclass(frozen=True)
class Between:
    pages: dict[str, Content]
    redirects: dict[str, Redirect] = field(default_factory=dict)


Passage = Callable[[Tongue, Show], Between]


def direct(tongue: Tongue, show: Show) -> Between:
    return Between({"go": show})


def redirected(tongue: Tongue, show: Show) -> Between:
    return Between({"show": show}, {"go": lambda sent: f"show?{urlencode(sent)}"})


def patient(tongue: Tongue, show: Show) -> Between:
    """Shows a page that asks to wait and moves on by itself."""
    return Between({"go": lambda sent: _meta(f"2; url=show?{urlencode(sent)}", tongue.wait), "show": show})


def polled(tongue: Tongue, show: Show) -> Between:
    """Starts a job whose page refreshes itself until the result is there."""
    jobs: dict[str, Fields] = {}
    looks: dict[str, int] = {}

    def go(sent: Fields) -> str:
        ticket = f"job{len(jobs) + 1:04d}"
        jobs[ticket] = sent
        return _meta(f"1;URL='job?id={ticket}'", tongue.wait)

    def job(sent: Fields) -> str:
        ticket = sent.get("id", "")
        looks[ticket] = looks.get(ticket, 0) + 1
        return show(jobs[ticket]) if looks[ticket] > 1 else _meta("1", tongue.wait)

    return Between({"go": go, "job": job})


def scripted(tongue: Tongue, show: Show) -> Between:
    def go(sent: Fields) -> str:
        return f"<html><script>window.location.href = 'show?{urlencode(sent)}';</script><body>{tongue.wait}"

    return Between({"go": go, "show": show})


def linked(tongue: Tongue, show: Show) -> Between:
    def go(sent: Fields) -> str:
        address = escape(f"show?{urlencode(sent)}")
        return (
            f"<html><body><p>{tongue.wait}</p><p><a href='{address}'>{tongue.here}</a><a href='/about'>?</a>"
        )

    return Between({"go": go, "show": show})


def framed(tongue: Tongue, show: Show) -> Between:
    def go(sent: Fields) -> str:
        address = escape(f"show?{urlencode(sent)}")
        return f"<html><frameset cols='20%,*'><frame src='menu'><frame src='{address}'></frameset></html>"

    return Between({"go": go, "menu": "<ul><li><a href='/'>Home</a></ul>", "show": show})


def inlined(tongue: Tongue, show: Show) -> Between:
    def go(sent: Fields) -> str:
        address = escape(f"show?{urlencode(sent)}")
        return f"<html><body><h1>{tongue.results}</h1><iframe width=600 height=400 src='{address}'></iframe>"

    return Between({"go": go, "show": show})


def confirmed(tongue: Tongue, show: Show) -> Between:
    """Shows a second form that only has to be sent on, such as one for the format of the result."""

    def go(sent: Fields) -> str:
        hidden = "".join(
            f"<input type=hidden name='{escape(k)}' value='{escape(v)}'>" for k, v in sent.items()
        )
        choice = "<select name=format><option>HTML<option>Text</select>"
        return (
            f"<html><body><form action=show>{hidden}{choice}<input type=submit value='{tongue.go_on}'></form>"
        )

    return Between({"go": go, "show": show})


def patient_then_linked(tongue: Tongue, show: Show) -> Between:
    def go(sent: Fields) -> str:
        return _meta(f"0;url=ready?{urlencode(sent)}", tongue.wait)

    def ready(sent: Fields) -> str:
        return f"<p><a href='{escape('show?' + urlencode(sent))}'>{tongue.here}</a>"

    return Between({"go": go, "ready": ready, "show": show})


PASSAGES: tuple[Passage, ...] = (
    direct, redirected, direct, patient, linked, direct, framed, confirmed, inlined, scripted, direct, polled,
    patient_then_linked,
)  # fmt: skip


def _meta(content: str, text: str) -> str:
    return f'<html><head><meta http-equiv="Refresh" content="{escape(content)}"></head><body>{text}</body></html>'
