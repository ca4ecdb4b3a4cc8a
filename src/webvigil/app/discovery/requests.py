"""Searches for services as users request them: validated, queued, cancelled, told as JSON (S2, S6)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any, Protocol

from webvigil.app.settings import Settings
from webvigil.discover.analysis import Profile, profile_from_json
from webvigil.discover.bounds import Bounds
from webvigil.discover.crawler.crawl import Wanted
from webvigil.discover.crawler.frontier import STRATEGIES, make_frontier
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.report import tables_of
from webvigil.discover.crawler.steps import step_from_json
from webvigil.discover.search_words import asked
from webvigil.discover.sentinel import sentinel_text
from webvigil.discover.service import read_service_class, service_class
from webvigil.errors import SettingRefused, WebVigilError
from webvigil.model.discovery import Discovery, FoundService, WantedServices
from webvigil.model.shapes import DiscoveryShape, ServiceShape, TableShape
from webvigil.store.promises import Discoveries, Journal

# Limits for one search. A search asks foreign sites on behalf of a user, so no user may start one without
# end.
MOST_SEEDS = 500
MOST_OPEN = 3
"""How many searches of one user may wait or run at the same time."""
MOST_PAGES = 5_000
"""How many pages one search may visit. A host is asked once a second at most, so this many pages of
one host take more than an hour."""
MOST_PROBES = 200
"""How often one search may ask a form, and a site: each request costs a stranger's server a real query."""


class _Store(Protocol):
    """The parts of the knowledge base that a request for a discovery needs."""

    discoveries: Discoveries
    journal: Journal


def crawl_of(wanted: WantedServices, settings: Settings) -> Wanted:
    """Returns the crawl that a search asks for.

    Raises MistakeInText if the service description cannot be read, and SettingRefused if a crawl cannot do
    what is wanted.
    """
    service = asked(read_service_class(wanted.description.encode("utf-8", "replace")), wanted.ask)
    made = Wanted(
        service=service,
        seeds=wanted.seeds,
        frontier=_strategy(wanted.frontier),
        hints=wanted.hints,
        reach=Reach(pages=wanted.pages, depth=wanted.depth),
        bounds=Bounds(
            probes_per_form=wanted.probes_per_form,
            probes_per_site=wanted.probes_per_site,
            post=wanted.post,
            browser=True,
        ),
        dry_run=wanted.dry_run,
    )
    made.leads()
    make_frontier(made.frontier, hints=made.hints)
    return made


def class_text(name: str) -> str:
    """Returns the description of a service class that comes with WebVigil. Raises NotFound for an unknown
    name."""
    service_class(name)
    return (resources.files("webvigil.discover") / "classes" / f"{name}.scd").read_text("utf-8")


def start(knowledge: _Store, settings: Settings, user: str, wanted: WantedServices) -> Discovery:
    """Queues a search for a worker and returns it. Raises SettingRefused or MistakeInText if it cannot be
    done."""
    if not wanted.seeds:
        raise SettingRefused("give at least one address to start from, such as https://example.org/")
    if len(wanted.seeds) > MOST_SEEDS:
        raise SettingRefused(f"these are {len(wanted.seeds)} addresses to start from; at most {MOST_SEEDS}")
    if not (1 <= wanted.pages <= MOST_PAGES and 0 <= wanted.depth <= 100):
        raise SettingRefused(f"a search visits between 1 and {MOST_PAGES} pages")
    if not (0 <= wanted.probes_per_form <= MOST_PROBES and 0 <= wanted.probes_per_site <= MOST_PROBES):
        raise SettingRefused(f"a form, and a site, may be asked {MOST_PROBES} times at most")
    crawl_of(wanted, settings)
    if len(knowledge.discoveries.open(user)) >= MOST_OPEN:
        raise SettingRefused(f"{MOST_OPEN} searches of yours are under way; wait for one, or cancel it")
    made = knowledge.discoveries.add(user, wanted)
    knowledge.journal.record("DiscoveryStarted", str(made.id), {"user": user, "service": wanted.service})
    return made


def cancel(knowledge: _Store, user: str, discovery: int) -> Discovery:
    """Cancels a search and returns it. Services found so far stay; a search that has ended is not changed."""
    knowledge.discoveries.get(user, discovery)
    if knowledge.discoveries.end(discovery, "cancelled", "cancelled by its owner"):
        knowledge.journal.record("DiscoveryCancelled", str(discovery), {"user": user})
    return knowledge.discoveries.get(user, discovery)


def profile_of(service: FoundService) -> Profile:
    return profile_from_json(service.profile)


def discovery_as_json(one: Discovery) -> DiscoveryShape:
    wanted, counted = one.wanted, one.counted
    return {
        "id": one.id,
        "service": wanted.service,
        "state": one.state,
        "why": one.why,
        "pages": counted.pages,
        "forms": counted.forms,
        "probes": counted.probes,
        "services": counted.services,
        "created_at": one.created_at.isoformat(),
        "started_at": one.started_at.isoformat() if one.started_at else None,
        "ended_at": one.ended_at.isoformat() if one.ended_at else None,
        "wanted": {
            "description": wanted.description,
            "seeds": list(wanted.seeds),
            "frontier": wanted.frontier,
            "hints": list(wanted.hints),
            "pages": wanted.pages,
            "depth": wanted.depth,
            "probes_per_form": wanted.probes_per_form,
            "probes_per_site": wanted.probes_per_site,
            "post": wanted.post,
            "dry_run": wanted.dry_run,
            "ask": list(wanted.ask),
        },
    }


def service_as_json(one: FoundService) -> ServiceShape:
    profile = profile_of(one)
    return {
        "discovery": one.discovery,
        "number": one.number,
        "url": one.url,
        "title": one.title,
        "probes": one.probes,
        "found_at": one.found_at.isoformat(),
        "arguments": dict(profile.arguments),
        "found": profile.found,
        "profile": profile.as_json(),
        "sentinel": text_or_none(profile),
    }


def tables_as_json(steps: Sequence[dict[str, Any]]) -> list[TableShape]:
    tables = tables_of([step_from_json(told) for told in steps])
    return [
        {"title": one.title, "head": list(one.head), "rows": [list(row) for row in one.rows]}
        for one in tables
    ]


def text_or_none(profile: Profile) -> str | None:
    """Returns the text of a sentinel that repeats the query of this service. Returns None if the service
    needs more than one request."""
    try:
        return sentinel_text(profile)
    except WebVigilError:
        return None


def _strategy(name: str) -> Any:
    if name not in STRATEGIES:
        raise SettingRefused(f"{name!r} is no way to crawl; choose one of {', '.join(STRATEGIES)}")
    return name
