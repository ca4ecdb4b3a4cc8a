"""A page and what we learnt about its server in, a document or "unchanged" out, at the least cost (F2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from webvigil.errors import HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch import learnt as facts
from webvigil.fetch.client import Ask, Asks, Cookies, Reply, same_origin
from webvigil.fetch.learnt import Learnt
from webvigil.fetch.login import Login
from webvigil.model.page import Page
from webvigil.model.request import headers_to_send
from webvigil.model.version import Answer, retry_after

# Statuses by which a host asks us to come less often, and other statuses that pass by themselves.
_BUSY = (429, 503)
_PASSES = (408, 421, 425, 500, 502, 504)
_FRESH = {"Cache-Control": "no-cache"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a request found. `answer` is None if the server showed that nothing changed. `reason` says how we
    know."""

    answer: Answer | None
    status: int
    learnt: Learnt
    reason: str
    received: int = 0


def asked(page: Page, login: Login | None = None, cookies: Cookies | None = None) -> Ask:
    """Returns the request for a page. Raises PageRefused if a secret of its headers is gone."""
    request = page.approach.request
    if request is None:
        return Ask(
            url=page.url,
            method="GET" if page.method == "GET" else "POST",
            fields=page.fields,
            login=login,
            multipart=page.method == "MULTIPART",
            cookies=cookies,
        )
    return Ask(
        url=page.url,
        method=request.method,
        own_headers=headers_to_send(request, lambda name: _secret(page.url, name, login)),
        body=request.content,
        login=login,
        cookies=cookies,
    )


def _secret(url: str, name: str, login: Login | None) -> str:
    """Returns a secret of the log-in for this page. No message repeats it."""
    known = dict(login.secrets) if login and same_origin(login.url, url) else {}
    if name not in known:
        raise PageRefused(f"there is no secret {name!r} in the log-in for {url}; keep it anew")
    if not known[name].isascii() or not known[name].isprintable():
        raise PageRefused(f"the secret {name!r} has a character that cannot be sent in a header")
    return known[name]


async def look(client: Asks, ask: Ask, learnt: Learnt) -> Seen:
    """Asks for a document: by HEAD, with conditions, or in full, as `learnt.plan` decides."""
    if ask.method != "GET":
        return await _in_full(client, ask, learnt, facts.Plan())
    how = facts.plan(learnt)
    if how.head:
        proof = await _proof_by_head(client, ask, learnt)
        if proof:
            known = facts.trusted(learnt)
            return Seen(answer=None, status=200, learnt=known, reason=f"HEAD: the same {proof}")
    return await _in_full(client, ask, learnt, how)


async def _proof_by_head(client: Asks, ask: Ask, learnt: Learnt) -> str:
    """Asks by HEAD. Returns the name of the header that proves the page unchanged, or an empty text."""
    try:
        return facts.same_by_head(learnt, (await client.ask(replace(ask, method="HEAD"))).answer)
    except PageRefused:
        return ""


async def _in_full(client: Asks, ask: Ask, learnt: Learnt, how: facts.Plan) -> Seen:
    """Asks by GET, with conditions if the plan says so. Raises the error for an answer of 400 or more."""
    headers = facts.conditions(learnt) if how.conditions else {}
    reply = await client.ask(replace(ask, headers={**ask.headers, **headers}) if headers else ask)
    if reply.answer.status == 304 and how.conditions:
        by = "ETag" if learnt.etag else "Last-Modified"
        known = facts.not_modified(learnt, reply.answer)
        return Seen(answer=None, status=304, learnt=known, reason=f"the server says so by {by}")
    if reply.answer.status == 304:
        reply = await _insist(client, ask)
    if reply.answer.status >= 400:
        raise refusal(reply.answer)
    return _seen(learnt, how, reply)


async def _insist(client: Asks, ask: Ask) -> Reply:
    """Asks again, past all caches. Called after a 304 to a request without conditions, which comes from a
    confused cache on the way. Raises PageUnreachable if the answer is 304 again."""
    reply = await client.ask(replace(ask, headers={**ask.headers, **_FRESH}))
    if reply.answer.status == 304:
        raise PageUnreachable("the server says 304 Not Modified of a page that we do not have")
    return reply


def _seen(learnt: Learnt, how: facts.Plan, reply: Reply) -> Seen:
    now, same = facts.fetched(learnt, how, reply.answer)
    return Seen(
        answer=reply.answer,
        status=reply.answer.status,
        learnt=now,
        reason=facts.reason(learnt, how, same),
        received=reply.received,
    )


# What a status means for somebody who wants to watch the page, and what to do about it.
_MEANS = {
    401: "it wants a log-in; give one with 'webvigil login' or where the page is added",
    403: "it lets nobody in without a log-in, or no programs; give a log-in, or let a browser look",
    404: "there is no such page; is the address right?",
    410: "the page is gone for good",
    429: "we asked too often",
}


def refusal(answer: Answer) -> PageError:
    """Returns the error for an answer of 400 or more: HostBusy, PageUnreachable (try later) or PageRefused
    (needs a person)."""
    means = _MEANS.get(answer.status, "")
    message = f"the server answered {answer.status}" + (f": {means}" if means else "")
    if answer.status in _BUSY:
        return HostBusy(message, wait=retry_after(answer))
    return PageUnreachable(message) if answer.status in _PASSES else PageRefused(message)
