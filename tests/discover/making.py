"""A capability profile and a finished discovery, for tests of what is done with them."""

from __future__ import annotations

from typing import Any

from webvigil.app.discovery.requests import class_text
from webvigil.discover.analysis import Filled, Profile, Step
from webvigil.model.discovery import Counted, NewService, WantedServices
from webvigil.model.page import Page
from webvigil.store.promises import Knowledge


def profile(url: str = "http://library.test/find", words: str = "water", **more: Any) -> Profile:
    fields = (Filled(name="q", value=words, argument="keywords"), Filled(name="sort", value="date"))
    about: dict[str, Any] = {
        "service": "keyword-search",
        "page": Page(url=url),
        "form": "/html/body/form[1]",
        "steps": (Step(kind="form", method="GET", url=url + "/answer", fields=fields, state="hits"),),
        "states": ("start", "hits"),
        "arguments": (("keywords", words),),
        "result": "Hits",
        "found": "Water, a biography",
    }
    return Profile(**about | more)


def wanted(**more: Any) -> WantedServices:
    about: dict[str, Any] = {
        "service": "Keyword search",
        "description": class_text("keyword-search"),
        "seeds": ("http://library.test/",),
    }
    return WantedServices(**about | more)


def searched(knowledge: Knowledge, user: str, *found: Profile, over: bool = True, **more: Any) -> int:
    """Stores a discovery that has found these services, and returns its id."""
    made = knowledge.discoveries.add(user, wanted(**more))
    knowledge.discoveries.begin(made.id)
    services = [
        NewService(url=one.page.url, title="Find books", probes=3, profile=one.as_json()) for one in found
    ]
    counted = Counted(pages=7, forms=4, probes=9, services=len(found))
    step = {"step": "started", "service": "keyword-search", "frontier": "learned"}
    assert knowledge.discoveries.append(made.id, 0, step, counted, services)
    if over:
        knowledge.discoveries.end(made.id, "done", "there is nothing left to visit")
    return made.id
