"""A presentation in, its texts out, read by parsers that know nothing about how it was made."""

from __future__ import annotations

import html5lib
from lxml import etree

from webvigil.document import PageDigest, read
from webvigil.document.words import words_of


def page(html: str, url: str = "https://example.org/") -> PageDigest:
    return read(html.encode("utf-8", "replace"), "text/html; charset=utf-8", url)


def tree(html: str) -> etree._Element:
    """Parses the document with a strict HTML parser and with a strict XML parser: both must accept it."""
    html5lib.HTMLParser(strict=True).parse(html)
    return etree.fromstring(html.encode().partition(b">")[2])


def texts(main: etree._Element, without: str) -> list[str]:
    """Returns the words of each block and cell, without the text in elements named `without`."""
    found = []
    for block in main.iter("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "blockquote"):
        if block.get("class") != "skipped":
            gone = f"not(ancestor::{without})"
            found.append("".join(block.xpath(f".//text()[{gone}]")))
    return words_of("\n".join(found))
