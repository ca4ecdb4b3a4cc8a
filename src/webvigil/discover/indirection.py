"""A page between a form and its result in, the requests that may lead on to the result out (S4).

Such a page refreshes itself while it asks for patience, shows the result in a frame, has a form to confirm,
or has a link to follow. Only links and forms that the form's own page did not have count, and the same
manners hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from webvigil.discover.analysis import Filled, Step, StepKind
from webvigil.discover.manners import acts, refusal, usable_buttons
from webvigil.discover.questions import Question, Questions
from webvigil.discover.views import Views
from webvigil.document import form_words as words
from webvigil.document.form_words import said
from webvigil.fetch.client import resolved
from webvigil.fetch.frames import frame_places

_REFRESH = re.compile(
    r"\s*(\d{0,6})(?:\.\d*)?\s*(?:[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'\s>]+))?", re.IGNORECASE
)
_SCRIPTED = re.compile(
    r"\blocation(?:\.href)?\s{0,3}=\s{0,3}[\"']([^\"'\s]{1,2000})[\"']"
    r"|\blocation\.(?:replace|assign)\(\s{0,3}[\"']([^\"'\s]{1,2000})[\"']"
)
# Characters of text. A page with more than this does not just point onwards.
_SHORT = 1500
# Most links, forms and frames of one page that are followed: each is a request, and the budget is small.
_MOST_LINKS = 3
_MOST_FORMS = 5
_MOST_FRAMES = 4
# Elements, and characters of scripts, that are searched for a redirect: a page that only leads on is short.
_MOST_METAS, _MOST_SCRIPTS = 50, 20
_MOST_SCRIPT = 50_000


@dataclass(frozen=True, slots=True)
class Move:
    """A request that may lead on, and how many seconds the page wants us to wait first."""

    step: Step
    wait: float = 0.0


class Beginning:
    """The links and forms of the form's own page: they do not lead on to a result."""

    def __init__(self, views: Views) -> None:
        self.links = frozenset(address for address, _ in views.links)
        self.forms = frozenset(_signature(one) for one in _first(views))


def moves(views: Views, beginning: Beginning, arguments: dict[str, str], *, post: bool) -> Iterator[Move]:
    """Yields the requests that may lead on, the likeliest first.

    `arguments` holds the values that were asked, so that the steps say which field carries which argument.
    """
    yield from _refreshes(views, arguments)
    yield from _frames(views, arguments)
    yield from _confirmations(views, beginning, arguments, post)
    yield from _links(views, beginning, arguments)


def _refreshes(views: Views, arguments: dict[str, str]) -> Iterator[Move]:
    """Yields the moves of a Refresh header, of a meta refresh, and of a script that only redirects."""
    digest = views.digest
    said_so = [views.answer.header("refresh") or ""]
    for node in digest.nodes_of("meta").tolist()[:_MOST_METAS]:
        attributes = digest.attributes(node)
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            said_so.append(attributes.get("content", ""))
    for content in filter(str.strip, said_so):
        found = _REFRESH.match(content)
        if found and (found[1] or found[2]):
            yield from _refresh(views, found[2] or "", arguments, float(found[1] or 0))
    if len(views("text")) <= _SHORT:
        scripts = "\n".join(digest.text(node) for node in digest.nodes_of("script").tolist()[:_MOST_SCRIPTS])
        for script in _SCRIPTED.finditer(scripts[:_MOST_SCRIPT]):
            yield from _refresh(views, script[1] or script[2], arguments)


def _frames(views: Views, arguments: dict[str, str]) -> Iterator[Move]:
    there = {frame.address for frame in views.answer.frames}
    for place in frame_places(views.answer)[:_MOST_FRAMES]:
        if place.address not in there:
            yield Move(_get("frame", place.address, arguments))


def _links(views: Views, beginning: Beginning, arguments: dict[str, str]) -> Iterator[Move]:
    new = [(address, text) for address, text in views.links if address not in beginning.links]
    ranked = sorted(
        (rank, at) for at, one in enumerate(new) if (rank := _rank(views, arguments, *one)) is not None
    )
    for _, at in ranked[:_MOST_LINKS]:
        yield Move(_get("link", new[at][0], arguments))


def _rank(views: Views, arguments: dict[str, str], address: str, text: str) -> int | None:
    """Returns how likely a link leads to the result (0 is likeliest), or None for a link that leads
    elsewhere."""
    if urlsplit(address).netloc != urlsplit(views.answer.url).netloc or address == views.answer.url:
        return None
    if acts(f"{text} {urlsplit(address).path}"):
        return None
    if said(words.RESULTS, text):
        return 0
    if not _is_short(views):
        return None
    if said(words.PASSING, text):
        return 1
    asked = {value for _, value in parse_qsl(urlsplit(address).query)}
    return 2 if asked & set(arguments.values()) or said(words.RESULTS, urlsplit(address).path) else None


def _is_short(views: Views) -> bool:
    return len(views("text")) <= _SHORT


def _confirmations(
    views: Views, beginning: Beginning, arguments: dict[str, str], post: bool
) -> Iterator[Move]:
    """Yields the moves of forms that are already filled in and only have to be sent on."""
    for question in _first(views):
        if _signature(question) in beginning.forms or not question.action or not _only_confirms(question):
            continue
        if refusal(question, post=post):
            continue
        button = next(one for one in usable_buttons(question) if post or question.verb(one) == "GET")
        fields = tuple(_told(one, arguments) for one in question.filled(button, {}))
        step = Step(
            kind="confirmation", method=question.verb(button), url=question.target(button), fields=fields
        )
        yield Move(step)


def _only_confirms(question: Question) -> bool:
    """Tells whether all text fields are filled in already. A form that wants new input is no confirmation."""
    return all(control.value.strip() for control in question.controls if control.is_text)


def _first(views: Views) -> list[Question]:
    return [question for question, _ in zip(Questions(views.digest), range(_MOST_FORMS), strict=False)]


def _signature(question: Question) -> tuple[str, tuple[str, ...]]:
    return urlsplit(question.action).path, tuple(control.name for control in question.controls)


# --- steps --------------------------------------------------------------------------------------------


def _refresh(views: Views, reference: str, arguments: dict[str, str], wait: float = 0.0) -> Iterator[Move]:
    """Yields the move of a refresh. A refresh without an address reloads the page itself."""
    try:
        address = resolved(views.digest.url, reference) if reference else views.answer.url
    except ValueError:
        return
    yield Move(_get("refresh", address, arguments), wait)


def _get(kind: StepKind, address: str, arguments: dict[str, str]) -> Step:
    """Returns a GET step. If the query of the address carries an argument, the query becomes fields."""
    parts = urlsplit(address)
    asked = tuple(
        _told(Filled(name=name, value=value), arguments)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )
    if not any(field.argument for field in asked):
        return Step(kind=kind, method="GET", url=address)
    bare = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    return Step(kind=kind, method="GET", url=bare, fields=asked)


def _told(field: Filled, arguments: dict[str, str]) -> Filled:
    """Returns the field with the argument that has the same value. Values of one or two characters are
    ignored: they would be equal by chance."""
    value = "".join(field.value.split())
    if len(value) < 3:
        return field
    whose = next((name for name, given in arguments.items() if "".join(given.split()) == value), "")
    return Filled(name=field.name, value=field.value, argument=whose) if whose else field
