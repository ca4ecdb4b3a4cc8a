"""The page /add: one or many addresses in, a sentinel out.

The user chooses from what is on the page, or writes the sentinel as a text.

The third way, by clicks on the page, is in `pick`; `save` installs what was chosen in either way. The page is
fetched as the sentinel will fetch it: with the user's log-in for it, and in a browser if that is chosen.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from pydantic import Field as Limited

from webvigil.app.meaning.asking import model_of
from webvigil.app.pages.documents import document_of
from webvigil.app.pages.logins import folder_of, login_from, logins, with_login
from webvigil.app.sentinels.adding import (
    ABOUT,
    EVERY,
    Render,
    as_seen,
    recommended,
    ways_of,
    wished_name,
    wished_topic,
)
from webvigil.app.sentinels.check import checked_for
from webvigil.app.sentinels.fields import fetched_at, told_by, told_if
from webvigil.app.sentinels.first_look import looked_at
from webvigil.app.sentinels.install import install_text
from webvigil.app.sentinels.names import free_name
from webvigil.app.sentinels.offers import Offer, OnPage, on_page
from webvigil.app.sentinels.pick import Place, places
from webvigil.app.sentinels.preview import found_before, would_watch
from webvigil.app.sentinels.request_fields import asking_text, target_of
from webvigil.app.settings import Settings
from webvigil.app.telling.channels import channels_of
from webvigil.errors import MistakeInText, WebVigilError
from webvigil.language import parse_expression, parse_steps, print_expression, print_sentinel
from webvigil.model.moment import zone_named
from webvigil.model.page import Page, normal_url, with_scheme
from webvigil.model.sentinel import (
    NEVER_ENDS,
    AtTime,
    ChangeType,
    LifeSpan,
    Part,
    Sentinel,
)
from webvigil.model.topics import topics_in
from webvigil.store.promises import Logins
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.sentinels import LONGEST_TEXT
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.problem import told_of
from webvigil.web.standing import WANTS_LOG_IN, in_dashboard
from webvigil.web.templates import page

router = APIRouter()

MOST_ADDRESSES = 200
DEPTHS = {
    "0": "only this page",
    "1": "also the pages that it links to",
    "2": "also what those link to, at their own domain",
}
PHRASE = "phrase"
_NO_TEXT = "Write at least one sentinel: Create Sentinel news Using https://example.org/"
Addresses = Annotated[str, Query(max_length=100_000)]
Field = Annotated[str, Form(max_length=100_000)]


Short = Annotated[str, Limited(max_length=100_000)]


# A page with less text than this, in characters, is probably built by a script.
SHORTEST_TEXT = 40
A_YEAR = timedelta(days=365)
"""The end of a sentinel that never ends: the last day that the language can write."""


class Said(BaseModel):
    """The fields of the form as the user wrote them. If the user clicked on an element, `token` names the
    page and `node` the element."""

    url: Short = ""
    choice: Short = ""
    own: Short = ""
    phrase: Short = ""
    within: Short = ""
    name: Short = ""
    fetch: Short = "on change"
    hours: Short = ""
    topic: Short = ""
    notify: Short = ""
    render: Render = ""
    steps: Short = ""
    asking: Short = ""
    depth: Literal["", "0", "1", "2"] = "0"
    end: Literal["", "never"] = ""
    means: Annotated[str, Limited(max_length=2_000)] = ""
    summary: Literal["", "on"] = ""
    token: Annotated[str, Limited(max_length=8_000)] = ""
    node: Annotated[int, Limited(ge=0, le=10**7)] = 0

    @property
    def monitor(self) -> str:
        """The change expression for the user's choice. Raises ValueError if a phrase was chosen but not
        written."""
        # A choice is the expression, a line break, and the part of the page. Browsers send the line break as
        # \r\n, so the expression is stripped.
        monitor = self.choice.partition("\n")[0].strip()
        if monitor == "own":
            return self.own.strip()
        if monitor != PHRASE:
            return monitor
        if not self.phrase.strip():
            raise ValueError("Write the words that shall be watched")
        return print_expression(ChangeType("phrase", (" ".join(self.phrase.split()),)))

    @property
    def part(self) -> str:
        return self.within.strip() or self.choice.partition("\n")[2].strip()


@router.get("/add")
async def add(
    request: Request,
    caller: Reader,
    url: Addresses = "",
    text: bool = False,
    render: Render = "",
    steps: Addresses = "",
    asking: Addresses = "",
    log_in: bool = False,
) -> Response:
    """Shows the form for an address or, with an address, what can be watched on its page. `log_in` asks for
    a log-in before the page is read."""
    if text:
        return page("add_text.html", user=caller.user, text="")
    if not url.strip() or log_in:
        return page("add.html", user=caller.user, url=url, render=render, log_in=log_in)
    try:
        urls = addresses(url)
        looked = await look(request, caller.name, urls, render, steps, asking)
    except (ValueError, WebVigilError) as error:
        wants = WANTS_LOG_IN in str(error)
        trouble = f"{in_dashboard(said(error))}. Give it below" if wants else said(error)
        kept = {"url": url, "render": render, "log_in": wants}
        return page("add.html", status=400, user=caller.user, trouble=trouble, **kept)
    sentinels = knowledge_of(request).sentinels
    name = await asyncio.to_thread(wished_name, sentinels, caller.name, looked.title, urls[0])
    topic = await asyncio.to_thread(wished_topic, sentinels, caller.name, urls[0])
    end: Literal["", "never"] = "never" if settings_of(request).endless else ""
    form = Said(name=name, topic=topic, render=render, steps=steps, asking=asking, end=end)
    return choices(request, caller, urls, looked, form)


@router.post("/add/look")
def begin(
    request: Request,
    caller: Writer,
    url: Field = "",
    way: Annotated[Literal["look", "pick", "steps"], Form()] = "look",
    render: Annotated[Render, Form()] = "",
    cookies: Field = "",
    headers: Field = "",
    secrets: Field = "",
    method: Field = "",
    ask_headers: Field = "",
    kind: Annotated[Literal["", "json", "form", "body"], Form()] = "",
    body: Field = "",
) -> Response:
    """Takes the address and redirects to the page that offers choices. A log-in is stored (encrypted) before
    that, because it is needed to fetch the page."""
    try:
        urls = addresses(url)
        asking = asking_text(method, ask_headers, kind, body)
        if asking and way != "look":
            raise ValueError("A request is sent without a browser: choose Look at it")
        if cookies.strip() or headers.strip() or secrets.strip():
            if len(urls) > 1:
                raise ValueError("Log in to one page at a time: give one address")
            pairs = [one for one in cookies.replace(";", "\n").splitlines() if one.strip()]
            lines = [one for one in headers.splitlines() if one.strip()]
            hidden = [one for one in secrets.splitlines() if one.strip()]
            login = login_from(folder_of(urls[0]), lines, pairs, hidden)
            logins(knowledge_of(request), settings_of(request)).put(caller.name, login)
    except (ValueError, WebVigilError) as error:
        kept = {"url": url, "render": render, "cookies": cookies, "headers": headers}
        kept |= {"method": method, "ask_headers": ask_headers, "kind": kind, "body": body}
        return page("add.html", status=400, user=caller.user, trouble=said(error), **kept)
    query = {"url": "\n".join(urls)} | ({"render": render} if render else {})
    if asking and way == "look":
        query["asking"] = asking
    if way == "steps":
        query = {"url": query["url"]}
    return RedirectResponse(f"/add{'' if way == 'look' else f'/{way}'}?{urlencode(query)}", status_code=303)


@router.post("/add/preview")
async def preview(request: Request, caller: Reader, form: Annotated[Said, Form()]) -> Response:
    """Shows what the sentinel would watch on the page now, and what it would have found in the stored
    versions."""
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    try:
        urls = addresses(form.url)[:1]
        name = await asyncio.to_thread(free_name, knowledge.sentinels, caller.name, "preview")
        sentinel = sentinel_of(form.model_copy(update={"url": urls[0], "name": name}))
        found = await would_watch(knowledge, settings, request.app.state.cache, print_sentinel(sentinel))
        wanted = await asyncio.to_thread(
            as_seen, knowledge.logins, caller.name, urls[0], form.render, form.steps, form.asking
        )
        before = await asyncio.to_thread(found_before, knowledge, settings, sentinel, wanted)
        places = await _places(request, wanted, form.phrase) if form.choice.startswith(PHRASE) else ()
    except (ValueError, WebVigilError) as error:
        return page("preview.html", trouble=said(error))
    return page("preview.html", found=found, before=before, places=places)


def choices(
    request: Request, caller: Caller, urls: tuple[str, ...], looked: OnPage, form: Said, **values: Any
) -> Response:
    """Shows what can be watched on the page, with the form filled in as the user had written it."""
    offered = [f"{one.monitor}\n{one.within}" for one in looked.offers if not one.url]
    chosen = next((one for one in offered if one == form.choice.replace("\r", "")), "")
    return page(
        "add_choose.html",
        user=caller.user,
        urls=urls,
        looked=looked,
        form=form,
        chosen=chosen or ("own" if form.choice else next(iter(offered), "own")),
        recommended=recommended(looked.offers),
        about=ABOUT,
        readable=any(
            len(one.sample) > SHORTEST_TEXT
            for one in looked.offers
            if one.kind in ("main", "page", "document")
        ),
        obeys_robots=settings_of(request).obey_robots,
        topics=knowledge_of(request).sentinels.topics(caller.name),
        until=datetime.now(zone_named(caller.user.zone)).date() + A_YEAR,
        login=login_of(knowledge_of(request).logins, caller.name, urls[0]) if len(urls) == 1 else "",
        **field_offers(request, caller),
        **values,
    )


def field_offers(request: Request, caller: Caller) -> dict[str, Any]:
    """Returns the options of the fields below the choice: intervals, depths, ways to be told."""
    return {
        "every": EVERY,
        "depths": DEPTHS,
        "most_linked": settings_of(request).linked_pages,
        "ways": ways_of(knowledge_of(request).contacts, caller.name),
        "channels": channels_of(settings_of(request)),
        "model": model_of(settings_of(request)),
    }


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
        knowledge = knowledge_of(request)
        installed = looked_at(
            knowledge.duties, knowledge.sentinels, settings, install_text(knowledge, settings, text)
        )
    except WebVigilError as error:
        return page("add_text.html", status=400, user=caller.user, text=text, trouble=told_of(error))
    target = place_of(installed[0].name) if len(installed) == 1 else "/sentinels"
    return RedirectResponse(target, status_code=303)


@router.post("/add/check")
def check(
    request: Request,
    caller: Reader,
    text: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    edited: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Shows the mistakes in a text, or its sentinels in their usual form, while the user writes the text.
    `edited` names the sentinel that gets this text, if it exists already."""
    settings: Settings = replace(settings_of(request), user=caller.name)
    checked = checked_for(knowledge_of(request), settings, text, edited=edited) if text.strip() else None
    texts = [print_sentinel(one) for one in checked.sentinels] if checked else []
    return page("checked.html", checked=checked, texts=texts)


def sentinel_of(form: Said) -> Sentinel:
    """Returns the sentinel that the form describes. Raises MistakeInText for an expression that cannot be
    read, ValueError for an address or a missing phrase."""
    monitor = form.monitor
    sentinel = Sentinel(
        name=form.name.strip() or "new",
        target=target_of(addresses(form.url), form.asking),
        monitor=parse_expression(monitor) if monitor else None,
        within=(Part("css", form.part),) if form.part else (),
        fetch=fetched_at(form.fetch if form.fetch in EVERY else "", form.hours),
        topics=topics_in(form.topic),
        render=form.render or None,
        steps=parse_steps(form.steps),
        depth=int(form.depth or "0") or None,
        life=(LifeSpan(end=AtTime(NEVER_ENDS)),) if form.end == "never" else (),
    )
    return told_if(told_by(sentinel, form.notify), form.means, form.summary == "on")


_MANY = OnPage(
    "",
    (
        Offer(label="The whole page", monitor="any change", sample="Any change of the text, on any of them"),
        Offer(label="Links", monitor="all links", sample="Links that come and go"),
        Offer(label="Images", monitor="all images", sample="Images that come and go"),
    ),
)


async def look(
    request: Request, user: str, urls: tuple[str, ...], render: Render, steps: str = "", asking: str = ""
) -> OnPage:
    if len(urls) > 1:
        return _MANY
    known = knowledge_of(request).logins
    wanted = await asyncio.to_thread(as_seen, known, user, urls[0], render, steps, asking)
    answer = await request.app.state.cache.get(wanted, fresh=60_000)
    return await asyncio.to_thread(lambda: on_page(document_of(answer)))


def login_of(logins: Logins, user: str, url: str) -> str:
    """Returns the address for which the user stored the log-in that is used for this page; "" for none."""
    known = logins.all(user)
    number = with_login(Page(url=url), known).login
    return next((one.url for one in known if str(one.id) == number), "")


def addresses(text: str) -> tuple[str, ...]:
    """Returns the addresses in a text, separated by spaces or line breaks, each once and in its normal form.
    An address without a scheme gets https. Raises ValueError for none or too many."""
    words = text.split()
    if not words:
        raise ValueError("Give the address of a page, such as https://example.org/news")
    if len(words) > MOST_ADDRESSES:
        raise ValueError(f"These are {len(words)} addresses; at most {MOST_ADDRESSES} at a time")
    return tuple(dict.fromkeys(normal_url(with_scheme(one)) for one in words))


def said(error: Exception) -> str:
    return error.message if isinstance(error, MistakeInText) else told_of(error)
