"""Adding: from an address (or many) to a sentinel, by choosing from what is on the page, or as a text.

The third way, by clicking on the page, is `pick`; it is saved and previewed here as well.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.checking import checked_for
from webvigil.app.documents import document_of
from webvigil.app.installing import install, install_text
from webvigil.app.offers import Offer, OnPage, on_page
from webvigil.app.picking import Place, places
from webvigil.app.previewing import found_before, would_watch
from webvigil.app.settings import Settings
from webvigil.errors import MistakeInText, WebVigilError
from webvigil.language import parse_expression, print_change_type, print_sentinel
from webvigil.model.page import Page, normal_url
from webvigil.model.sentinel import (
    ChangeType,
    FetchEvery,
    FetchOnChange,
    FetchWhen,
    Part,
    Sentinel,
    SeveralTargets,
    WebPage,
)
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.sentinels import LONGEST_TEXT
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page

router = APIRouter()

MOST_ADDRESSES = 200
EVERY = {
    "on change": "when it tends to change (recommended)",
    "5 minute": "every 5 minutes",
    "1 hour": "every hour",
    "6 hour": "every 6 hours",
    "1 day": "every day",
    "1 week": "every week",
}
_LENGTHS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
PHRASE = "phrase"
_NO_TEXT = "Write at least one sentinel: Create Sentinel news Using https://example.org/"
Addresses = Annotated[str, Query(max_length=100_000)]
Field = Annotated[str, Form(max_length=100_000)]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the form says."""

    urls: tuple[str, ...]
    monitor: str
    within: str
    name: str
    fetch: str
    topic: str


@router.get("/add")
async def add(request: Request, caller: Reader, url: Addresses = "", text: bool = False) -> Response:
    """Without an address: where to begin. With one: what is on the page."""
    if text:
        return page("add_text.html", user=caller.user, text="")
    if not url.strip():
        return page("add.html", user=caller.user, url="")
    try:
        urls = addresses(url)
        looked = await _look(request, urls[0]) if len(urls) == 1 else _MANY
    except (ValueError, WebVigilError) as error:
        return page("add.html", status=400, user=caller.user, url=url, trouble=str(error))
    return page(
        "add_choose.html",
        user=caller.user,
        urls=urls,
        looked=looked,
        name=await wished_name(request, caller.name, looked.title, urls[0]),
        every=EVERY,
    )


@router.post("/add")
def save(
    request: Request,
    caller: Writer,
    url: Field,
    choice: Field = "",
    own: Field = "",
    phrase: Field = "",
    within: Field = "",
    name: Field = "",
    fetch: Field = "on change",
    topic: Field = "",
) -> Response:
    try:
        settings = replace(settings_of(request), user=caller.name)
        monitor, chosen_within = _meant(choice, own, phrase)
        chosen = Choice(
            urls=addresses(url),
            monitor=monitor,
            within=within.strip() or chosen_within,
            name=name.strip(),
            fetch=fetch,
            topic=topic.strip(),
        )
        (installed,) = install(knowledge_of(request), settings, [sentinel_of(chosen)])
    except (ValueError, WebVigilError) as error:
        return page("add.html", status=400, user=caller.user, url=url, trouble=said(error))
    return RedirectResponse(place_of(installed.name), status_code=303)


@router.post("/add/preview")
async def preview(
    request: Request,
    caller: Reader,
    url: Field,
    choice: Field = "",
    own: Field = "",
    phrase: Field = "",
    within: Field = "",
) -> Response:
    """What would be watched, as it is now and as it was in the versions that are kept."""
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    try:
        monitor, chosen_within = _meant(choice, own, phrase)
        urls = addresses(url)[:1]
        chosen = Choice(urls, monitor, within.strip() or chosen_within, "preview", "", "")
        sentinel = sentinel_of(chosen)
        found = await would_watch(knowledge, settings, request.app.state.cache, print_sentinel(sentinel))
        wanted = Page(url=urls[0])
        before = await asyncio.to_thread(found_before, knowledge, settings, sentinel, wanted)
        places = await _places(request, wanted, phrase) if choice.startswith(PHRASE) else ()
    except (ValueError, WebVigilError) as error:
        return page("preview.html", trouble=said(error))
    return page("preview.html", found=found, before=before, places=places)


def _meant(choice: str, own: str, phrase: str) -> tuple[str, str]:
    """The change expression and the part that a choice stands for."""
    monitor, _, within = choice.partition("\n")
    if monitor == "own":
        return own.strip(), within
    if monitor == PHRASE:
        if not phrase.strip():
            raise ValueError("Write the words that shall be watched")
        return print_change_type(ChangeType("phrase", (" ".join(phrase.split()),))), within
    return monitor, within


async def _places(request: Request, wanted: Page, phrase: str) -> tuple[Place, ...]:
    answer = await request.app.state.cache.get(wanted)
    return await asyncio.to_thread(lambda: places(document_of(answer), phrase))


@router.post("/add/text")
def save_text(
    request: Request, caller: Writer, text: Annotated[str, Form(max_length=LONGEST_TEXT)] = ""
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    if not text.strip():
        return page("add_text.html", status=400, user=caller.user, text="", trouble=_NO_TEXT)
    try:
        installed = install_text(knowledge_of(request), settings, text)
    except WebVigilError as error:
        return page("add_text.html", status=400, user=caller.user, text=text, trouble=str(error))
    target = place_of(installed[0].name) if len(installed) == 1 else "/sentinels"
    return RedirectResponse(target, status_code=303)


@router.post("/add/check")
def check(
    request: Request,
    caller: Reader,
    text: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    edited: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """While a text is written: what is wrong with it, or what it says."""
    settings: Settings = replace(settings_of(request), user=caller.name)
    checked = checked_for(knowledge_of(request), settings, text, edited=edited) if text.strip() else None
    texts = [print_sentinel(one) for one in checked.sentinels] if checked else []
    return page("checked.html", checked=checked, texts=texts)


def sentinel_of(choice: Choice) -> Sentinel:
    """Raises MistakeInText for an expression or a name that cannot be read."""
    pages = tuple(WebPage(one) for one in choice.urls)
    return Sentinel(
        name=choice.name or "new",
        target=pages[0] if len(pages) == 1 else SeveralTargets("OR", pages),
        monitor=parse_expression(choice.monitor) if choice.monitor else None,
        within=(Part("css", choice.within),) if choice.within else (),
        fetch=_fetch(choice.fetch),
        topic=choice.topic or None,
    )


def _fetch(text: str) -> FetchWhen | None:
    if text not in EVERY:
        return None
    if text == "on change":
        return FetchOnChange()
    count, unit = text.split()
    return FetchEvery(timedelta(seconds=int(count) * _LENGTHS[unit]))


_MANY = OnPage(
    "",
    (
        Offer(label="The whole page", monitor="any change", sample="Any change of the text, on any of them"),
        Offer(label="Links", monitor="all links", sample="Links that come and go"),
        Offer(label="Images", monitor="all images", sample="Images that come and go"),
    ),
)


async def _look(request: Request, url: str) -> OnPage:
    answer = await request.app.state.cache.get(Page(url=url), fresh=60_000)
    return await asyncio.to_thread(lambda: on_page(document_of(answer)))


def addresses(text: str) -> tuple[str, ...]:
    """One for each line or word; an address without a scheme is meant with https."""
    words = text.split()
    if not words:
        raise ValueError("Give the address of a page, such as https://example.org/news")
    if len(words) > MOST_ADDRESSES:
        raise ValueError(f"These are {len(words)} addresses; at most {MOST_ADDRESSES} at a time")
    return tuple(dict.fromkeys(normal_url(_whole(one)) for one in words))


def _whole(word: str) -> str:
    """With its scheme; `example.org:8080` begins with none, `mailto:jill` does."""
    scheme = re.match(r"([a-z][a-z0-9+-]*):(?!\d+(/|$))", word, re.IGNORECASE)
    return word if scheme else f"https://{word}"


async def wished_name(request: Request, user: str, title: str, url: str) -> str:
    """One that is still free, after the page."""
    taken = {one.name for one in await asyncio.to_thread(knowledge_of(request).sentinels.all, user)}
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    host = (urlsplit(url).hostname or "page").removeprefix("www.").replace(".", "-")
    wished = "-".join(words[:4]).lower()[:40] or host
    numbered = (wished if number == 1 else f"{wished}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in numbered if name not in taken)


def said(error: Exception) -> str:
    return error.message if isinstance(error, MistakeInText) else str(error)
