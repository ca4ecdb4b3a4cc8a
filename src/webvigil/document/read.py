"""Bytes and what the server says about them in, a Page Digest out."""

from __future__ import annotations

import webencodings

from webvigil.document.digest import PageDigest
from webvigil.document.html import read_html


def read(body: bytes, content_type: str = "", url: str = "") -> PageDigest:
    """The digest of a page. `content_type` is the header as sent, `url` the address it came from."""
    text, _ = webencodings.decode(body, "utf-8", errors="replace")
    return read_html(text, url)
