"""The state of a healthy page: its content, and how the server describes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from tests.site.log import Request

T = TypeVar("T")
Body = str | bytes
Content = Body | Callable[[Request], Body]

# "etag-noise" sends a new ETag with every answer. The lying validators stay the same, whatever the content.
Validators = Literal[
    "both", "etag", "last-modified", "none", "weak-etag", "etag-noise", "lying-etag", "lying-last-modified"
]
Digest = Literal["content-md5", "digest", "content-digest", "repr-digest"]
Coding = Literal["gzip", "deflate", "deflate-raw", "br", "zstd"]
# How the client learns where the body ends; "close" is the way of HTTP/1.0.
Framing = Literal["length", "chunked", "close"]


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    headers: tuple[tuple[str, str], ...] = ()


Guard = Callable[[Request], Refusal | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Everything that a healthy answer depends on, besides the request."""

    content: Content
    modified: int  # seconds since 1970
    touched: int = 0  # changes of the validators without a change of the content
    media_type: str | None = "text/html"
    charset: str = "utf-8"
    declared: str | None = "utf-8"
    validators: Validators = "both"
    conditional: bool = True
    digests: frozenset[Digest] = frozenset()
    codings: tuple[Coding, ...] = ()
    forced: bool = False  # compressed even for a client that does not accept it
    packed: bytes | None = None  # the compressed body, if it was prepared beforehand (a bomb)
    framing: Framing = "length"
    headers: tuple[tuple[str, str], ...] = ()
    methods: tuple[str, ...] = ("GET", "HEAD")
    guards: tuple[Guard, ...] = ()


def known(value: T, kinds: object) -> T:
    """Returns the value if it is one of the literal's values. Otherwise a mistyped switch would silently do
    nothing."""
    if value not in get_args(kinds):
        raise ValueError(f"{value!r} is none of {', '.join(map(repr, get_args(kinds)))}")
    return value
