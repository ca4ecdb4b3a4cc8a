"""What we learnt about the way a server speaks of one page, and what follows from it for the next look (F2).

Cheapest first: we send the validators it gave us, always, since that costs nothing; a server that honours
them answers 304. One that has no validators, or that sent the same body in full twice although it was asked
for changes only, is asked by HEAD first, as long as its head tells something: a digest of the body or its
validators. Where nothing helps the page is fetched and its checksum counts. The size of a page proves
nothing: an edit from 10 to 12 keeps it.

Trust is checked. After a number of looks that were answered without the body (4, then 8, 16 … 256, but never
more than 16 where the server calls its ETag weak) the page is fetched in full; if it differs although what
the server says of it is the same, the server is not believed again.

`Last-Modified` counts in whole seconds, and so do many ETags that are made of it. A page that was made in the
second in which we fetched it may have been made once more before that second ended; so it is fetched in full
once more, unless its ETag has shown that it does not depend on the time.

All of it is a value, kept with the page as plain text and replaced by every look: a server that sends a new
ETag for an unchanged page gets its new ETag back next time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from xxhash import xxh3_128_hexdigest

from webvigil.fetch.retry import date_of
from webvigil.model.version import Answer

FIRST_TRUST = 4
MOST_TRUST = 256
MOST_TRUST_IF_WEAK = 16
_PATIENCE = 2
_SAME_SECOND = 1.0

_DIGESTS = ("repr-digest", "content-digest", "digest", "content-md5")
# The sums of RFC 3230 and RFC 9530 that are so short, or so simple, that two pages may well share them.
_POOR_SUMS = ("unixsum", "unixcksum", "adler", "crc32c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    etag: str = ""
    modified: str = ""
    digest: str = ""
    body: str = ""  # checksum of the body that the above was said of
    misses: int = 0  # answers in full to a conditional request, though nothing had changed
    head_misses: int = 0  # answers to HEAD that spoke of a change that was none
    unseen: int = 0  # looks answered without the body since the last full one
    trust: int = FIRST_TRUST
    lies: bool = False
    young: bool = False  # made in the second of the answer: the same validators may mean another body

    @classmethod
    def read(cls, facts: dict[str, str]) -> Learnt:
        """From what the store kept; unknown or damaged facts count as never learnt."""
        try:
            return cls(**{name: kind(facts[name]) for name, kind in _KINDS.items() if name in facts})
        except ValueError:
            return cls()

    def written(self) -> dict[str, str]:
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
    """How to look: by HEAD first, with conditions, or in full to see whether all is true."""

    head: bool = False
    conditions: bool = False
    verify: bool = False


def plan(learnt: Learnt) -> Plan:
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
    pairs = (("If-None-Match", learnt.etag), ("If-Modified-Since", learnt.modified))
    return {name: value for name, value in pairs if value}


def not_modified(learnt: Learnt, answer: Answer) -> Learnt:
    """After a 304: it may carry newer validators."""
    said = _said(answer)
    return replace(
        learnt,
        etag=said.etag or learnt.etag,
        modified=said.modified or learnt.modified,
        misses=0,
        unseen=learnt.unseen + 1,
    )


def same_by_head(learnt: Learnt, answer: Answer) -> str:
    """What in the head proves that the page is the same; "" where nothing does."""
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
    """After a look that did not need the body."""
    return replace(learnt, unseen=learnt.unseen + 1)


def fetched(learnt: Learnt, how: Plan, answer: Answer) -> tuple[Learnt, bool]:
    """After a full answer: what we know now, and whether the body is the one we had."""
    said = _said(answer)
    body = xxh3_128_hexdigest(answer.body)
    same = body == learnt.body
    lied = learnt.known and not same and not learnt.young and _speaks_the_same(learnt, said)
    return replace(
        said,
        body=body,
        misses=learnt.misses + (same and how.conditions),
        head_misses=learnt.head_misses + (how.head and same),
        trust=min(2 * learnt.trust, MOST_TRUST) if how.verify and same else learnt.trust,
        lies=learnt.lies or lied,
        young=_is_young(learnt, said, answer),
    ), same


def reason(learnt: Learnt, how: Plan, same: bool) -> str:
    """Why the page was fetched in full, in words for its log."""
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
    evidence = learnt.digest or learnt.etag or learnt.modified
    return bool(evidence) and not learnt.lies and learnt.head_misses < _PATIENCE


def _most_trust(learnt: Learnt) -> int:
    """A server that calls its ETag weak says itself that it leaves some edits out."""
    weak = learnt.etag.startswith("W/") and not learnt.digest
    return MOST_TRUST_IF_WEAK if weak else MOST_TRUST


def _is_young(before: Learnt, now: Learnt, answer: Answer) -> bool:
    """Was the page made in the second of the answer? Both moments are read from the server's clock.

    An ETag that stays while Last-Modified moves depends on the content alone; so the second does not matter.
    """
    made, sent = date_of(now.modified), date_of(answer.header("date") or "")
    if made is None or sent is None or abs((sent - made).total_seconds()) > _SAME_SECOND:
        return False
    of_content = bool(now.etag) and now.etag == before.etag and now.modified != before.modified
    return not of_content


def _said(answer: Answer) -> Learnt:
    """The first of each header counts."""
    said = {name.lower(): value for name, value in reversed(answer.headers)}
    return Learnt(
        etag=said.get("etag", ""),
        modified=said.get("last-modified", ""),
        digest=next((f"{name} {said[name]}" for name in _DIGESTS if _is_proof(said.get(name, ""))), ""),
    )


def _is_proof(digest: str) -> bool:
    sums = [one.partition("=")[0].strip().lower() for one in digest.split(",")]
    return bool(digest) and not all(one in _POOR_SUMS for one in sums)


def _speaks_the_same(before: Learnt, now: Learnt) -> bool:
    """Did a word that we would have believed stay as it was? Last-Modified counts where there is no ETag."""
    claims = ((one.digest, one.etag, "" if one.etag else one.modified) for one in (before, now))
    return any(old and old == new for old, new in zip(*claims, strict=True))
