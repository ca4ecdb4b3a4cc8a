"""HTML in, a Page Digest out, with the tree that a browser would build.

A parser is a function of the type `HtmlParser`: it sends the finished tree to a sink as a series of events.
The product uses turbohtml; the tests compare it with lexbor behind the same type.
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
