"""HTML as a browser parses it, into a digest.

The parser stands behind one small promise, `HtmlParser`: it fires the events of the finished tree at
a sink. The product uses turbohtml; in the tests lexbor gives a second opinion behind the same promise.
"""

from __future__ import annotations

from collections.abc import Callable

from turbohtml.saxparse import sax_parse

from webvigil.document.digest import PageDigest
from webvigil.document.sink import Sink

HtmlParser = Callable[[str, Sink], None]


def turbohtml(text: str, sink: Sink) -> None:
    sax_parse(text, sink)  # type: ignore[arg-type]  # a sink has the methods of a SaxHandler


def read_html(text: str, url: str = "", parser: HtmlParser = turbohtml) -> PageDigest:
    sink = Sink()
    parser(text, sink)
    return sink.digest("html", url)
