"""Text of a page in, the same text out in a spelling that HTML shows as plain text."""

from __future__ import annotations

import re

from webvigil.document.fast import accelerated
from webvigil.present.escape import DOT, UNSPEAKABLE

# Characters that HTML text cannot hold as they are. Most texts have none, and are returned after this one
# search.
_SPECIAL = re.compile("[&<>\"'\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@accelerated
def html_text(text: str) -> str:
    """Escapes a text for HTML, for use in elements and in quoted attributes. Control characters become
    dots."""
    if not _SPECIAL.search(text):
        return text
    text = UNSPEAKABLE.sub(DOT, text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")
