"""A page and what we learnt about its server in, a document or "unchanged" out, at the least cost (F2).

The validators that the server gave us are always sent back, because that costs nothing; a server that honours
them answers 304. A server that gives no validators, or that sent the same body in full twice although it was
asked for changes only, is first asked by HEAD, as long as its headers contain a digest of the body or
validators. If nothing helps, the page is fetched in full and its checksum decides. The size of a page proves
nothing: an edit from 10 to 12 keeps the size.

Trust is checked. After a number of answers without a body (4, then 8, 16 … 256, but never more than 16 if the
server calls its ETag weak) the page is fetched in full. If the body differs although the headers are the
same, the server's validators are not believed again.

`Last-Modified` counts whole seconds, and so do many ETags that are made from it. A page that was made in the
second of our fetch may be made again before that second ends. So such a page is fetched in full once more,
unless its ETag has shown that it does not depend on the time.

All of this is one value, stored with the page as plain text and replaced after every check. A server that
sends a new ETag for an unchanged page gets that new ETag back next time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from xxhash import xxh3_128_hexdigest

from webvigil.errors import HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Asks, Cookies, Reply, same_origin
from webvigil.fetch.login import Login
from webvigil.model.page import Page
from webvigil.model.request import headers_to_send
from webvigil.model.version import Answer, date_of, retry_after

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
    """Asks for a document: by HEAD, with conditions, or in full, as `plan` decides."""
    if ask.method != "GET":
        return await _in_full(client, ask, learnt, Plan())
    how = plan(learnt)
    if how.head:
        proof = await _proof_by_head(client, ask, learnt)
        if proof:
            known = trusted(learnt)
            return Seen(answer=None, status=200, learnt=known, reason=f"HEAD: the same {proof}")
    return await _in_full(client, ask, learnt, how)


async def _proof_by_head(client: Asks, ask: Ask, learnt: Learnt) -> str:
    """Asks by HEAD. Returns the name of the header that proves the page unchanged, or an empty text."""
    try:
        return same_by_head(learnt, (await client.ask(replace(ask, method="HEAD"))).answer)
    except PageRefused:
        return ""


async def _in_full(client: Asks, ask: Ask, learnt: Learnt, how: Plan) -> Seen:
    """Asks by GET, with conditions if the plan says so. Raises the error for an answer of 400 or more."""
    headers = conditions(learnt) if how.conditions else {}
    reply = await client.ask(replace(ask, headers={**ask.headers, **headers}) if headers else ask)
    if reply.answer.status == 304 and how.conditions:
        by = "ETag" if learnt.etag else "Last-Modified"
        known = not_modified(learnt, reply.answer)
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


def _seen(learnt: Learnt, how: Plan, reply: Reply) -> Seen:
    now, same = fetched(learnt, how, reply.answer)
    return Seen(
        answer=reply.answer,
        status=reply.answer.status,
        learnt=now,
        reason=reason(learnt, how, same),
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


# --- what we learnt ----------------------------------------------------------------------------------

# How many answers without a body are believed before a full fetch checks them. Checking costs under half a
# percent of the fetches of a page that is watched for long (docs/decisions/trust-in-servers.md);
# tests/fetch/test_conditional.py covers the numbers.
FIRST_TRUST = 4
MOST_TRUST = 256
MOST_TRUST_IF_WEAK = 16
# After so many useless answers the cheaper way of asking is given up.
_PATIENCE = 2
_SAME_SECOND = 1.0  # the most seconds between `Last-Modified` and `Date`

# Headers with a digest of the body, the best first.
_DIGESTS = ("repr-digest", "content-digest", "digest", "content-md5")
# Sums of RFC 3230 and RFC 9530 that are so short or simple that two different pages may share one.
_POOR_SUMS = ("unixsum", "unixcksum", "adler", "crc32c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What we learnt about one page. An empty value means that the page was never fetched."""

    etag: str = ""
    modified: str = ""
    digest: str = ""
    body: str = ""  # checksum of the body that these headers came with
    misses: int = 0  # full answers to conditional requests although nothing had changed
    head_misses: int = 0  # answers to HEAD that showed a change where there was none
    unseen: int = 0  # answers without a body since the last full one
    trust: int = FIRST_TRUST
    lies: bool = False
    # the page was made in the second of the answer: equal validators may hide another body
    young: bool = False

    @classmethod
    def read(cls, facts: dict[str, str]) -> Learnt:
        """Reads what the store kept. Damaged values count as nothing learnt."""
        try:
            return cls(**{name: kind(facts[name]) for name, kind in _KINDS.items() if name in facts})
        except ValueError:
            return cls()

    def written(self) -> dict[str, str]:
        """Returns the values to store: those that differ from the defaults."""
        return {
            name: str(int(value) if isinstance(value, bool) else value)
            for name, default in _DEFAULTS.items()
            if (value := getattr(self, name)) != default
        }

    @property
    def known(self) -> bool:
        return bool(self.body)


_KINDS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("etag", "modified", "digest", "body"), str),
    **dict.fromkeys(("misses", "head_misses", "unseen", "trust"), int),
    **dict.fromkeys(("lies", "young"), lambda text: bool(int(text))),
}
_DEFAULTS = {one.name: one.default for one in fields(Learnt)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to ask: by HEAD first, with conditions, or in full to verify what the server said."""

    head: bool = False
    conditions: bool = False
    verify: bool = False


def plan(learnt: Learnt) -> Plan:
    """Decides how to ask for the page next time."""
    if not learnt.known:
        return Plan()
    if learnt.young:
        return Plan()
    if learnt.unseen >= min(learnt.trust, _most_trust(learnt)):
        return Plan(verify=True)
    believed = bool(learnt.etag or learnt.modified) and not learnt.lies
    useless = not believed or learnt.misses >= _PATIENCE
    return Plan(conditions=believed, head=useless and _head_tells(learnt))


def conditions(learnt: Learnt) -> dict[str, str]:
    """Returns the headers of a conditional request."""
    pairs = (("If-None-Match", learnt.etag), ("If-Modified-Since", learnt.modified))
    return {name: value for name, value in pairs if value}


def not_modified(learnt: Learnt, answer: Answer) -> Learnt:
    """Returns what we know after a 304, which may carry newer validators."""
    return replace(
        learnt,
        etag=answer.header("etag") or learnt.etag,
        modified=answer.header("last-modified") or learnt.modified,
        misses=0,
        unseen=learnt.unseen + 1,
    )


def same_by_head(learnt: Learnt, answer: Answer) -> str:
    """Returns the name of the header that proves the page unchanged, or an empty text if none does."""
    if answer.status != 200 or learnt.lies:
        return ""
    said = _said(answer)
    for name, before, now in (
        ("digest", learnt.digest, said.digest),
        ("ETag", learnt.etag, said.etag),
        ("Last-Modified", learnt.modified, said.modified),
    ):
        if before:
            return name if before == now else ""
    return ""


def trusted(learnt: Learnt) -> Learnt:
    """Returns what we know after a check that did not need the body."""
    return replace(learnt, unseen=learnt.unseen + 1)


def fetched(learnt: Learnt, how: Plan, answer: Answer) -> tuple[Learnt, bool]:
    """Returns what we know after a full answer, and whether the body is the same as before."""
    said = _said(answer)
    body = xxh3_128_hexdigest(answer.body)
    same = body == learnt.body
    lied = learnt.known and not same and not learnt.young and _speaks_the_same(learnt, said)
    return Learnt(
        etag=said.etag,
        modified=said.modified,
        digest=said.digest,
        body=body,
        misses=learnt.misses + (same and how.conditions),
        head_misses=learnt.head_misses + (how.head and same),
        trust=min(2 * learnt.trust, MOST_TRUST) if how.verify and same else learnt.trust,
        lies=learnt.lies or lied,
        young=_is_young(learnt, said, answer),
    ), same


def reason(learnt: Learnt, how: Plan, same: bool) -> str:
    """Returns in words, for the page's log, why the page was fetched in full."""
    if not learnt.known:
        return "fetched for the first time"
    if how.verify:
        return f"fetched in full, to check what the server said {learnt.unseen} times"
    if learnt.young:
        return "fetched in full: it was made in the second of the last look, and may have been made again"
    if learnt.lies:
        return "fetched in full: the server's validators cannot be believed"
    if how.conditions and same and learnt.misses + 1 >= _PATIENCE:
        return "fetched in full: the server sends it whole, changed or not"
    if how.conditions:
        return "sent in full by the server"
    return "fetched in full: the server gives no validators"


def _head_tells(learnt: Learnt) -> bool:
    """Returns True if a HEAD request can prove the page unchanged."""
    evidence = learnt.digest or learnt.etag or learnt.modified
    return bool(evidence) and not learnt.lies and learnt.head_misses < _PATIENCE


def _most_trust(learnt: Learnt) -> int:
    """Returns the bound of trust. It is low for a weak ETag, which says that some edits do not change it."""
    weak = learnt.etag.startswith("W/") and not learnt.digest
    return MOST_TRUST_IF_WEAK if weak else MOST_TRUST


def _is_young(before: Learnt, now: Learnt, answer: Answer) -> bool:
    """Returns True if the page was made in the second of the answer. Both times are read from the server's
    clock.

    An ETag that stays while Last-Modified moves depends on the content alone, so then the second does not
    matter.
    """
    made, sent = date_of(now.modified), date_of(answer.header("date") or "")
    if made is None or sent is None or abs((sent - made).total_seconds()) > _SAME_SECOND:
        return False
    of_content = bool(now.etag) and now.etag == before.etag and now.modified != before.modified
    return not of_content


def _said(answer: Answer) -> Learnt:
    """Reads validators and digest from the headers of an answer. Of repeated headers the first counts."""
    said = {name.lower(): value for name, value in reversed(answer.headers)}
    return Learnt(
        etag=said.get("etag", ""),
        modified=said.get("last-modified", ""),
        digest=next(
            (f"{name} {said[name]}" for name in _DIGESTS if name in said and _is_proof(said[name])), ""
        ),
    )


def _is_proof(digest: str) -> bool:
    """Returns True if at least one sum of the digest is strong enough to prove two bodies equal."""
    sums = [one.partition("=")[0].strip().lower() for one in digest.split(",")]
    return bool(digest) and not all(one in _POOR_SUMS for one in sums)


def _speaks_the_same(before: Learnt, now: Learnt) -> bool:
    """Returns True if a header that we would have believed stayed the same. Last-Modified counts only if
    there is no ETag."""
    claims = ((one.digest, one.etag, "" if one.etag else one.modified) for one in (before, now))
    return any(old and old == new for old, new in zip(*claims, strict=True))
