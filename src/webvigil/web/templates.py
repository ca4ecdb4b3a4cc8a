"""The name of a template and values in, an HTML page out.

Values are escaped unless a template says otherwise.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, select_autoescape

from webvigil.app.moving.formats import KNOWN
from webvigil.app.sentinels.names import title_of
from webvigil.app.sentinels.removal import KEPT
from webvigil.app.sentinels.watched import found_in_short
from webvigil.detect.headline import told_first
from webvigil.document.naming import cut
from webvigil.language.change_types import print_change_type
from webvigil.model.change_types import KINDS, called_together
from webvigil.model.sentinel import is_never
from webvigil.notify.render import href
from webvigil.present.lines import amounts
from webvigil.present.rows import rows_in
from webvigil.web.axis import day
from webvigil.web.compiled import Compiled
from webvigil.web.drawn import address, clause_words, headline, icon, things, tile, watched_things
from webvigil.web.found import first_in
from webvigil.web.menu import menu_of
from webvigil.web.standing import sentence
from webvigil.web.times import ago, clock, hours, moment, since, soon
from webvigil.web.unread import unread_of

# What the journal calls otherwise than people do.
_HAPPENED = {
    "SentinelInstalled": "Sentinel added",
    "SentinelDisabled": "Sentinel paused",
    "SentinelEnabled": "Sentinel watches again",
    "SentinelExpired": "Sentinel ended",
    "SentinelExpiring": "Sentinel ends soon",
    "SentinelRestored": "Sentinel brought back",
}


def _apart(name: str) -> str:
    """Returns the name of an event as words: `UserRemoved` as `User removed`."""
    return re.sub("(?<=.)(?=[A-Z])", " ", name).capitalize()


_environment = Environment(
    loader=PackageLoader("webvigil.web", "templates"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
    bytecode_cache=Compiled(__file__),
)
_environment.globals["amounts"] = amounts
_environment.globals["title_of"] = title_of
_environment.globals["formats"] = KNOWN
_environment.globals["change_types"] = [
    (print_change_type(kind.example), kind.about) for kind in KINDS.values()
]
_environment.globals["icon"] = icon
_environment.globals["tile"] = tile
_environment.globals["clause_words"] = clause_words
_environment.globals["headline"] = headline
_environment.globals["found_in_short"] = found_in_short
_environment.globals["first_in"] = first_in
_environment.globals["rows_in"] = rows_in
_environment.globals["told_first"] = told_first
_environment.globals["things"] = things
_environment.globals["watched_things"] = watched_things
_environment.tests["never"] = is_never
_environment.globals["undo_days"] = KEPT.days
_environment.globals["menu_of"] = menu_of
_environment.globals["unread_of"] = unread_of
_environment.filters["href"] = href
_environment.filters["called_together"] = called_together
_environment.filters["ago"] = ago
_environment.filters["since"] = since
_environment.filters["soon"] = soon
_environment.filters["address"] = address
_environment.filters["clock"] = clock
_environment.filters["day"] = day
_environment.filters["moment"] = moment
_environment.filters["hours"] = hours
_environment.filters["sentence"] = sentence
_environment.filters["truncate"] = lambda text, longest, *_: cut(str(text or ""), longest)
_environment.filters["words"] = lambda name: _HAPPENED.get(name) or _apart(name)
_environment.filters["host"] = lambda url: urlsplit(url).netloc.rpartition("@")[2] or url


def page(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    return HTMLResponse(piece(template, **values), status_code=status)


def piece(template: str, **values: Any) -> str:
    return _environment.get_template(template).render(**values)


def compile_all() -> None:
    """Stores the compiled form of every template, where Python may write."""
    for name in _environment.list_templates():
        _environment.get_template(name)
