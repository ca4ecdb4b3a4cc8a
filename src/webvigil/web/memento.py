"""The kept versions of pages as Mementos (RFC 7089), for the signed-in user and programs with a token.

    /memento/timegate/URL        leads to the version that was current at the time in Accept-Datetime
    /memento/timemap/link/URL    lists all versions
    /memento/20261101120000/URL  a version: the bytes as they came, with its time

A time means the page as it was then, as everywhere in WebVigil: the last version that was fetched before. The
first version stands for all earlier times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import APIRouter, HTTPException, Path, Request, Response

from webvigil.app.pages.find import FindStore, page_of
from webvigil.app.pages.view import seen_page
from webvigil.errors import NotFound
from webvigil.model.version import Version
from webvigil.store.repository import reading_version
from webvigil.web.access import Caller, Reader, home_of_request, knowledge_of, pages_of, settings_of
from webvigil.web.api.answers import file_answer

router = APIRouter(tags=["memento"])
_STAMP = "%Y%m%d%H%M%S"
_ABSOLUTE = re.compile(r"(https?):/{1,}")
_LETTERS = re.compile(r"(?:%[89a-fA-F][0-9a-fA-F])+")
# Of an address in a header only that is escaped which a header or a link cannot hold.
_SAFE = "".join(letter for letter in map(chr, range(0x21, 0x7F)) if letter not in '<>"')
Url = Annotated[str, Path(max_length=8_000, description="The address of a watched page, as it is.")]
Stamp = Annotated[str, Path(pattern=r"^[0-9]{14}$", description="A time (UTC), as 14 digits.")]


class _Mementos:
    """The versions of one page, oldest first, and the addresses that stand for them."""

    def __init__(self, request: Request, caller: Caller, url: str) -> None:
        knowledge = knowledge_of(request)
        spelled, page = _known(knowledge, caller.name, list(_spellings(request, url)))
        self.url = quote(spelled, safe=_SAFE)
        found = seen_page(knowledge, settings_of(request), caller.name, page).versions()
        if not found:
            raise NotFound(f"no version of {self.url} is kept")
        # Times are told in whole seconds. Of several versions in one second the last stands for it.
        self.versions: Sequence[Version] = list({_stamp(one): one for one in reversed(found)}.values())
        self.home = f"{home_of_request(request)}/memento"

    def address(self, version: Version) -> str:
        return f"{self.home}/{_stamp(version)}/{self.url}"

    def at(self, time: datetime) -> Version:
        """Returns the version that was current at this time, or the first one."""
        second = time.replace(microsecond=0)
        return next(
            (one for one in reversed(self.versions) if one.fetched_at.replace(microsecond=0) <= second),
            self.versions[0],
        )

    def links(self, chosen: Version | None = None) -> str:
        """Returns the header Link: the page itself, the two ways to its versions, and the versions around the
        chosen one."""
        return ", ".join([*self._ways(), *(self._around(chosen) if chosen else ())])

    def listed(self) -> str:
        """Returns the TimeMap."""
        times = f'from="{_told(self.versions[0])}"; until="{_told(self.versions[-1])}"'
        rels = {0: "first ", len(self.versions) - 1: "last "}
        if len(self.versions) == 1:
            rels = {0: "first last "}
        lines = [
            f'<{self.url}>; rel="original"',
            f'<{self.home}/timemap/link/{self.url}>; rel="self"; type="application/link-format"; {times}',
            f'<{self.home}/timegate/{self.url}>; rel="timegate"',
            *(self._link(one, f"{rels.get(place, '')}memento") for place, one in enumerate(self.versions)),
        ]
        return ",\n".join(lines) + "\n"

    def _ways(self) -> Iterator[str]:
        yield f'<{self.url}>; rel="original"'
        yield f'<{self.home}/timegate/{self.url}>; rel="timegate"'
        yield f'<{self.home}/timemap/link/{self.url}>; rel="timemap"; type="application/link-format"'

    def _around(self, chosen: Version) -> Iterator[str]:
        last = len(self.versions) - 1
        here = self.versions.index(chosen)
        rels: dict[int, list[str]] = {here: []}
        for place, rel in ((0, "first"), (here - 1, "prev"), (here + 1, "next"), (last, "last")):
            if 0 <= place <= last:
                rels.setdefault(place, []).append(rel)
        for place in sorted(rels):
            yield self._link(self.versions[place], " ".join([*rels[place], "memento"]))

    def _link(self, version: Version, rel: str) -> str:
        return f'<{self.address(version)}>; rel="{rel}"; datetime="{_told(version)}"'


@router.get(
    "/memento/timegate/{url:path}",
    status_code=302,
    response_class=Response,
    summary="The page as it was at a time",
)
def timegate(request: Request, caller: Reader, url: Url) -> Response:
    """Leads to the version that was current at the time in the header `Accept-Datetime`; without the header,
    to the newest."""
    mementos = _Mementos(request, caller, url)
    asked = request.headers.get("accept-datetime")
    chosen = mementos.at(_time_of(asked)) if asked else mementos.versions[-1]
    headers = {
        "location": mementos.address(chosen),
        "vary": "accept-datetime",
        "link": mementos.links(chosen),
        "cache-control": "private, no-store",
    }
    return Response(status_code=302, headers=headers)


@router.get(
    "/memento/timemap/link/{url:path}",
    response_class=Response,
    responses=file_answer("application/link-format"),
    summary="All versions of a page",
)
def timemap(request: Request, caller: Reader, url: Url) -> Response:
    content = _Mementos(request, caller, url).listed()
    return Response(
        content, media_type="application/link-format", headers={"cache-control": "private, no-store"}
    )


@router.get(
    "/memento/{stamp}/{url:path}",
    response_class=Response,
    responses={**file_answer(), 302: {"description": "Leads to the version that was current"}},
    summary="A version: the bytes as they came",
)
def memento(request: Request, caller: Reader, stamp: Stamp, url: Url) -> Response:
    """Leads to the version that was current at this time if none was fetched at this very second."""
    mementos = _Mementos(request, caller, url)
    try:
        time = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError as error:
        raise NotFound(f"{stamp} is no time") from error
    chosen = mementos.at(time)
    if _stamp(chosen) != stamp:
        headers = {
            "location": mementos.address(chosen),
            "link": mementos.links(chosen),
            "cache-control": "private, no-store",
        }
        return Response(status_code=302, headers=headers)
    with reading_version(chosen.number):
        answer = pages_of(request).answer(chosen.object)
    headers = {
        "memento-datetime": _told(chosen),
        "link": mementos.links(chosen),
        # A foreign page must not run on our origin: browsers save it, and show nothing of it.
        "content-disposition": f'attachment; filename="memento-{stamp}"',
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "private, no-store",
    }
    return Response(answer.body, media_type=_media_type(answer.content_type), headers=headers)


def _known(knowledge: FindStore, user: str, spellings: Sequence[str]) -> tuple[str, int]:
    """Returns the first of the addresses that is watched, and the id of its page."""
    for spelled in spellings[:-1]:
        try:
            return spelled, page_of(knowledge, user, spelled)
        except (NotFound, ValueError):
            continue
    try:
        return spellings[-1], page_of(knowledge, user, spellings[-1])
    except ValueError as error:
        raise NotFound(str(error)) from error


def _spellings(request: Request, url: str) -> Iterator[str]:
    """Yields the addresses of the page that the request may mean: with escapes as they came, with letters
    instead of their escapes, and without any escapes. The query of the request is that of the page."""
    raw = request.scope.get("raw_path", b"").decode("ascii", "replace")
    came = re.sub(r"^.*?/memento/(?:timegate|timemap/link|[0-9]{14})/", "", raw)
    query = f"?{request.url.query}" if request.url.query else ""
    if _ABSOLUTE.match(came):
        yield _absolute(came) + query
        yield _LETTERS.sub(lambda one: unquote(one[0]), _absolute(came) + query)
    yield _absolute(url) + query


def _absolute(url: str) -> str:
    """Returns the address with two slashes behind its scheme. Proxies may have made one of them."""
    return _ABSOLUTE.sub(r"\1://", url, count=1) if _ABSOLUTE.match(url) else url


def _time_of(text: str) -> datetime:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError) as error:
        raise HTTPException(400, "Accept-Datetime is no time as HTTP writes it") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _stamp(version: Version) -> str:
    return version.fetched_at.astimezone(UTC).strftime(_STAMP)


def _told(version: Version) -> str:
    return format_datetime(version.fetched_at.astimezone(UTC).replace(microsecond=0), usegmt=True)


def _media_type(said: str) -> str:
    """Returns the type that the server told, if it can stand in a header."""
    plain = said if said.isascii() and said.isprintable() else ""
    return plain or "application/octet-stream"
