"""API routes for discoveries: search for services, list them, watch one (S2, S6, S7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.discovery.requests import (
    MOST_PAGES,
    MOST_PROBES,
    MOST_SEEDS,
    cancel,
    class_text,
    discovery_as_json,
    profile_of,
    service_as_json,
    start,
    tables_as_json,
)
from webvigil.app.sentinels.first_look import with_warnings
from webvigil.app.sentinels.install import install
from webvigil.app.sentinels.names import free_name
from webvigil.app.to_json import with_warnings_as_json
from webvigil.discover.search_words import MOST_GIVEN
from webvigil.discover.sentinel import sentinel_for
from webvigil.discover.service import read_service_class, service_class, shipped
from webvigil.language import print_sentinel
from webvigil.model.discovery import WantedServices
from webvigil.model.shapes import (
    DiscoveryShape,
    MadeShape,
    ServiceClassShape,
    ServiceShape,
    StepShape,
    TableShape,
    WrittenShape,
)
from webvigil.model.wanted import LARGEST_ID
from webvigil.web.access import Reader, Whose, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, SOME, Before, Id, Limit, Skip, in_pieces, link_to_next

router = APIRouter(tags=["discoveries"])

LONGEST_DESCRIPTION = 512 * 1024
_Address = Annotated[str, Field(max_length=4_000)]
_Word = Annotated[str, Field(max_length=100)]
_Value = Annotated[str, Field(max_length=10_000)]
Number = Annotated[int, Path(ge=1, lt=2**31)]


class NewDiscovery(BaseModel):
    """A search for services of one class: the name of a class that comes with WebVigil, or a description of
    your own."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    class_: str = Field("", alias="class", max_length=200, examples=["keyword-search"])
    description: str = Field("", max_length=LONGEST_DESCRIPTION, description="A service class in XML.")
    seeds: list[_Address] = Field(
        min_length=1, max_length=MOST_SEEDS, examples=[["https://example.org/search.html"]]
    )
    frontier: Literal["trace", "random", "hint", "learned"] = "learned"
    hints: list[_Word] = Field([], max_length=50, examples=[["search", "find=2"]])
    pages: int = Field(200, ge=1, le=MOST_PAGES)
    depth: int = Field(8, ge=0, le=100)
    probes_per_form: int = Field(12, ge=0, le=MOST_PROBES)
    probes_per_site: int = Field(60, ge=0, le=MOST_PROBES)
    post: bool = Field(False, description="Ask forms that are sent with POST, too.")
    dry_run: bool = Field(False, description="Visit pages and look at forms, and ask nothing.")
    ask: list[_Value] = Field(
        [],
        max_length=MOST_GIVEN,
        description="Words to ask first, or NAME=WORDS for one argument of the class.",
    )

    def wanted(self) -> WantedServices:
        text = self.description or class_text(self.class_)
        return WantedServices(
            service=read_service_class(text.encode("utf-8", "replace")).name,
            description=text,
            seeds=tuple(self.seeds),
            frontier=self.frontier,
            hints=tuple(self.hints),
            pages=self.pages,
            depth=self.depth,
            probes_per_form=self.probes_per_form,
            probes_per_site=self.probes_per_site,
            post=self.post,
            dry_run=self.dry_run,
            ask=tuple(self.ask),
        )


class NewWatch(BaseModel):
    """What the service is asked. An argument that is left out keeps the value with which the service was
    found."""

    model_config = ConfigDict(extra="forbid")
    arguments: dict[_Word, _Value] = Field({}, max_length=50, examples=[{"keywords": "solar power"}])
    name: str = Field("", max_length=200, examples=["solar-news"])
    install: bool = Field(False, description="Install the sentinel, not only write it.")


@router.get("/service-classes", summary="The service classes that come with WebVigil")
def service_classes(_: Reader) -> list[ServiceClassShape]:
    classes = [service_class(name) for name in shipped()]
    return [
        {"name": one.name, "title": one.title, "about": one.about, "words": list(one.words)}
        for one in classes
    ]


@router.get("/discoveries", summary="Searches for services, newest first")
def discoveries(
    request: Request, response: Response, whose: Whose, before: Before = LARGEST_ID, limit: Limit = SOME
) -> list[DiscoveryShape]:
    found = knowledge_of(request).discoveries.all(whose, before=before, limit=limit)
    link_to_next(request, response, found, limit)
    return [discovery_as_json(one) for one in found]


@router.post("/discoveries", status_code=201, summary="Start a search; a worker takes it up")
def begin(request: Request, caller: Writer, body: NewDiscovery) -> DiscoveryShape:
    made = start(knowledge_of(request), settings_of(request), caller.name, body.wanted())
    return discovery_as_json(made)


@router.get("/discoveries/{discovery}", summary="One search: how far it is, how it ended")
def discovery(request: Request, caller: Reader, discovery: Id) -> DiscoveryShape:
    return discovery_as_json(knowledge_of(request).discoveries.get(caller.name, discovery))


@router.delete("/discoveries/{discovery}", status_code=204, summary="Forget it and what it found")
def remove(request: Request, caller: Writer, discovery: Id) -> None:
    knowledge_of(request).discoveries.remove(caller.name, discovery)


@router.post("/discoveries/{discovery}/cancel", summary="Stop it; what it found stays")
def cancel_one(request: Request, caller: Writer, discovery: Id) -> DiscoveryShape:
    return discovery_as_json(cancel(knowledge_of(request), caller.name, discovery))


@router.get("/discoveries/{discovery}/services", summary="What it found, with capability profiles")
def services(
    request: Request, response: Response, caller: Reader, discovery: Id, skip: Skip = 0, limit: Limit = MOST
) -> list[ServiceShape]:
    every = knowledge_of(request).discoveries.services(caller.name, discovery)
    return [service_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.get("/discoveries/{discovery}/steps", summary="Every step: what was visited, why, what came of it")
def steps(
    request: Request, response: Response, caller: Reader, discovery: Id, skip: Skip = 0, limit: Limit = MOST
) -> list[StepShape]:
    known = knowledge_of(request).discoveries
    every = known.steps(known.get(caller.name, discovery).id)
    return cast("list[StepShape]", in_pieces(request, response, every, skip, limit))


@router.get("/discoveries/{discovery}/report", summary="Its tables: pages, forms, probes, services")
def report(request: Request, caller: Reader, discovery: Id) -> list[TableShape]:
    known = knowledge_of(request).discoveries
    return tables_as_json(known.steps(known.get(caller.name, discovery).id))


@router.post(
    "/discoveries/{discovery}/services/{service}/sentinel",
    summary="A sentinel that watches what the service answers",
    responses={201: {"model": MadeShape, "description": "Installed"}},
)
def sentinel(
    request: Request, response: Response, caller: Writer, discovery: Id, service: Number, body: NewWatch
) -> WrittenShape | MadeShape:
    """Returns the text of a sentinel on the service. With `install` the sentinel is also installed, as if its
    text had been sent to /sentinels."""
    knowledge = knowledge_of(request)
    found = knowledge.discoveries.service(caller.name, discovery, service)
    made = sentinel_for(profile_of(found), body.arguments, name=body.name.strip())
    if not body.name.strip():
        made = replace(made, name=free_name(knowledge.sentinels, caller.name, made.name))
    if not body.install:
        return {"text": print_sentinel(made)}
    settings = replace(settings_of(request), user=caller.name)
    response.status_code = 201
    installed = with_warnings(knowledge, settings, install(knowledge, settings, [made]))
    return with_warnings_as_json(installed[0])
