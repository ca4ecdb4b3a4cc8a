"""An answer and a trouble in, the steps on the wire out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.site.answer import Answer
from tests.site.trouble import BEFORE_HEAD, Gate, Trouble


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


@dataclass(frozen=True, slots=True)
class Hang:
    gate: Gate


@dataclass(frozen=True, slots=True)
class Head:
    pass


@dataclass(frozen=True, slots=True)
class Write:
    piece: bytes


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that are sent without the framing of HTTP."""

    piece: bytes


@dataclass(frozen=True, slots=True)
class Complete:
    """Marks the request as finished in the log. This step comes before the last bytes: `log` says why."""


@dataclass(frozen=True, slots=True)
class Cut:
    reset: bool


Step = Wait | Hang | Head | Write | Raw | Complete | Cut


def script(answer: Answer, trouble: Trouble, with_body: bool) -> Iterator[Step]:
    yield Wait(trouble.first_byte)
    yield from _incidents(trouble, BEFORE_HEAD)
    if trouble.raw is not None:
        yield from (Complete(), Raw(trouble.raw), Cut(trouble.reset))
    elif not with_body:
        yield from (Complete(), Head())
    else:
        yield Head()
        yield from _body(answer.body, trouble)


def _body(body: bytes, trouble: Trouble) -> Iterator[Step]:
    size = len(body)
    places = [*_places(size, trouble), size]
    for start, end in zip([0, *places], places, strict=False):
        yield from _incidents(trouble, start)
        yield Wait(trouble.per_chunk if start else 0)
        if end == size and not _more_follows(trouble, size):
            yield Complete()
        yield Write(body[start:end])
    yield from _incidents(trouble, size)
    while trouble.endless:
        yield Write(trouble.endless)
    yield Complete()


def _places(size: int, trouble: Trouble) -> list[int]:
    """Returns where the body is divided: between chunks, and where a trouble happens."""
    chunks = range(trouble.chunk, size, trouble.chunk)
    incidents = [place for place in (trouble.cut_at, trouble.hang_at) if place is not None]
    return sorted({*chunks, *(place for place in incidents if 0 < place < size)})


def _more_follows(trouble: Trouble, size: int) -> bool:
    return bool(trouble.endless) or size in (trouble.cut_at, trouble.hang_at)


def _incidents(trouble: Trouble, place: int) -> Iterator[Step]:
    if trouble.hang_at == place and trouble.gate:
        yield Hang(trouble.gate)
    if trouble.cut_at == place:
        yield Cut(trouble.reset)
