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
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request, Response

from webvigil.app.operating.stores import repository
from webvigil.app.pages.find import page_of
from webvigil.app.pages.view import seen_page
from webvigil.errors import NotFound
from webvigil.model.version import Version
from webvigil.store.repository import reading_version
from webvigil.web.access import Caller, Reader, knowledge_of, settings_of
from webvigil.web.around import home_of_request

router = APIRouter(tags=["memento"])
_STAMP = "%Y%m%d%H%M%S"
_ABSOLUTE = re.compile(r"(https?):/{1,}")
Url = Annotated[str, Path(max_length=8_000, description="The address of a watched page, as it is.")]
Stamp = Annotated[str, Path(pattern=r"^\d{14}$", description="A time (UTC), as 14 digits.")]


class _Mementos:
    """The versions of one page, oldest first, and the addresses that stand for them."""

    def __init__(self, request: Request, caller: Caller, url: str) -> None:
        self.url = _whole(url, request.url.query)
        knowledge = knowledge_of(request)
        try:
            page = page_of(knowledge, caller.name, self.url)
        except ValueError as error:
            raise NotFound(str(error)) from error
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
        until = time.replace(microsecond=0) + timedelta(seconds=1)
        return next((one for one in reversed(self.versions) if one.fetched_at < until), self.versions[0])

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


@router.get("/memento/timegate/{url:path}", response_class=Response, summary="The page as it was at a time")
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


@router.get("/memento/timemap/link/{url:path}", response_class=Response, summary="All versions of a page")
def timemap(request: Request, caller: Reader, url: Url) -> Response:
    content = _Mementos(request, caller, url).listed()
    return Response(
        content, media_type="application/link-format", headers={"cache-control": "private, no-store"}
    )


@router.get(
    "/memento/{stamp}/{url:path}", response_class=Response, summary="A version: the bytes as they came"
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
        return Response(
            status_code=302, headers={"location": mementos.address(chosen), "link": mementos.links(chosen)}
        )
    with reading_version(chosen.number):
        answer = repository(settings_of(request)).answer(chosen.object)
    headers = {
        "memento-datetime": _told(chosen),
        "link": mementos.links(chosen),
        # A foreign page must not run on our origin: browsers save it, and show nothing of it.
        "content-disposition": f'attachment; filename="memento-{stamp}"',
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "private, no-store",
    }
    return Response(answer.body, media_type=_media_type(answer.content_type), headers=headers)


def _whole(url: str, query: str) -> str:
    """Returns the address of the page. Proxies may have made one slash of two; the query of the request is
    that of the page."""
    spelled = _ABSOLUTE.sub(r"\1://", url, count=1) if _ABSOLUTE.match(url) else url
    return f"{spelled}?{query}" if query else spelled


def _time_of(text: str) -> datetime:
    try:
        found = parsedate_to_datetime(text)
    except ValueError as error:
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
