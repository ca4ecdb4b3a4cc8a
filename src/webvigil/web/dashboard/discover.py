"""The page /discover: start a search for services, see its progress and the services it found (S2, S7).

The module `discovered` makes a sentinel on one of these services.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from webvigil.app.discovery.requests import MOST_PAGES, cancel, class_text, profile_of, start, tables_as_json
from webvigil.discover.analysis import Profile
from webvigil.discover.service import read_service_class, service_class, shipped
from webvigil.errors import MistakeInText, WebVigilError
from webvigil.model.discovery import FoundService, WantedServices
from webvigil.model.wanted import LARGEST_ID
from webvigil.store.promises import Discoveries
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Before, Id
from webvigil.web.dashboard.add import addresses
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()
_COMMON = "keyword-search"

SHOWN = 30
OWN = "own"
PAGES = (50, 200, 1_000, MOST_PAGES)
_Text = Annotated[str, Field(max_length=100_000)]


class Search(BaseModel):
    """The fields of the form as the user wrote them."""

    class_: Annotated[str, Field(max_length=200, alias="class")] = ""
    description: Annotated[str, Field(max_length=600_000)] = ""
    seeds: _Text = ""
    hints: Annotated[str, Field(max_length=2_000)] = ""
    ask: Annotated[str, Field(max_length=2_000)] = ""
    pages: Annotated[int, Field(ge=1, le=MOST_PAGES)] = 200
    probes: Annotated[int, Field(ge=1, le=60)] = 12
    post: bool = False
    dry_run: bool = False

    def wanted(self) -> WantedServices:
        """Returns the search that the form describes. Raises ValueError for a missing field or a bad address,
        and a WebVigilError for a description that cannot be read."""
        if not self.class_:
            raise ValueError("Choose what to look for, or paste a description")
        own = self.class_ == OWN
        text = self.description if own else class_text(self.class_)
        if not text.strip():
            raise ValueError("Paste the description of the services, or choose one of the classes")
        service = read_service_class(text.encode("utf-8", "replace"))
        written = tuple(self.hints.replace(",", " ").split())
        return WantedServices(
            service=service.title or service.name,
            description=text,
            seeds=addresses(self.seeds),
            hints=written or service.words,
            pages=self.pages,
            probes_per_form=self.probes,
            probes_per_site=self.probes * 5,
            post=self.post,
            dry_run=self.dry_run,
            ask=tuple(one.strip() for one in self.ask.split(",") if one.strip()),
        )


@router.get("/discover")
def show(request: Request, caller: Reader, before: Before = LARGEST_ID) -> Response:
    found = knowledge_of(request).discoveries.all(caller.name, before=before, limit=SHOWN + 1)
    if not found and before == LARGEST_ID:
        return _form(caller, Search(), first=True)
    older = found[SHOWN - 1].id if len(found) > SHOWN else 0
    return page("discover.html", user=caller.user, runs=found[:SHOWN], older=older)


@router.get("/discover/new")
def new(caller: Reader, seeds: Annotated[str, Query(max_length=100_000)] = "") -> Response:
    return _form(caller, Search(seeds=seeds))


@router.post("/discover")
def begin(request: Request, caller: Writer, form: Annotated[Search, Form()]) -> Response:
    try:
        made = start(knowledge_of(request), settings_of(request), caller.name, form.wanted())
    except (ValueError, WebVigilError) as error:
        return _form(caller, form, status=400, trouble=_said(error, form))
    return RedirectResponse(f"/discover/{made.id}", status_code=303)


@router.get("/discover/{discovery}")
def one(request: Request, caller: Reader, discovery: Id) -> Response:
    known = knowledge_of(request).discoveries
    run = known.get(caller.name, discovery)
    return page(
        "discovery.html",
        user=caller.user,
        run=run,
        cards=_cards(knowledge_of(request).discoveries, caller.name, discovery),
    )


@router.get("/discover/{discovery}/progress")
def progress(
    request: Request, caller: Reader, discovery: Id, after: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> Response:
    """Shows the progress of the search and the services that were found after the one with the number
    `after`."""
    run = knowledge_of(request).discoveries.get(caller.name, discovery)
    cards = _cards(knowledge_of(request).discoveries, caller.name, discovery, after)
    return page("discovery_progress.html", run=run, cards=cards, after=after, fresh=True)


@router.get("/discover/{discovery}/report")
def report(request: Request, caller: Reader, discovery: Id) -> Response:
    known = knowledge_of(request).discoveries
    run = known.get(caller.name, discovery)
    return page(
        "discovery_report.html", user=caller.user, run=run, tables=tables_as_json(known.steps(run.id))
    )


@router.post("/discover/{discovery}/cancel")
def stop(request: Request, caller: Writer, discovery: Id) -> Response:
    cancel(knowledge_of(request), caller.name, discovery)
    return RedirectResponse(f"/discover/{discovery}", status_code=303)


@router.post("/discover/{discovery}/remove")
def remove(request: Request, caller: Writer, discovery: Id) -> Response:
    knowledge_of(request).discoveries.remove(caller.name, discovery)
    return RedirectResponse("/discover", status_code=303)


def _form(caller: Caller, form: Search, *, status: int = 200, **values: Any) -> Response:
    # What most people look for stands first.
    classes = [service_class(name) for name in sorted(shipped(), key=lambda name: name != _COMMON)]
    return page(
        "discover_new.html",
        status=status,
        user=caller.user,
        form=form,
        classes=classes,
        chosen=form.class_ or classes[0].name,
        own=OWN,
        sizes=PAGES,
        **values,
    )


def _cards(
    discoveries: Discoveries, user: str, discovery: int, after: int = 0
) -> list[tuple[FoundService, Profile]]:
    found = discoveries.services(user, discovery)
    return [(one, profile_of(one)) for one in found if one.number > after]


def _said(error: Exception, form: Search) -> str:
    if isinstance(error, MistakeInText) and form.class_ == OWN:
        return f"The description cannot be read. Line {error.line}: {error.message}"
    return told_of(error)
