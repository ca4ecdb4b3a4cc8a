"""Which elements nobody sees: pictures of one pixel, elements that are hidden where they are written (Q1)."""

from __future__ import annotations

import re

from webvigil.document import PageDigest

_TINY = re.compile(r"\s*[01](?:\.\d+)?(?:px)?\s*")
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_TINY_STYLE = re.compile(r"(?:^|;)\s*(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$)", re.IGNORECASE)
# A picture is rarely hidden by an element further up; whole parts that open on a click are.
_ABOVE = 1


def is_unseen_picture(digest: PageDigest, node: int) -> bool:
    """Of one pixel, hidden, or only for browsers without script."""
    if _is_hidden(digest, node) or _is_tiny(digest, node):
        return True
    around = [one for one in digest.ancestors(node)[:_ABOVE] if one > 0]
    return any(_is_hidden(digest, one) or _TINY_STYLE.search(_style(digest, one)) for one in around)


def is_unseen_link(digest: PageDigest, node: int) -> bool:
    return _is_hidden(digest, node)


def _is_hidden(digest: PageDigest, node: int) -> bool:
    return bool(digest.hidden[node]) or _HIDDEN_STYLE.search(_style(digest, node)) is not None


def _is_tiny(digest: PageDigest, node: int) -> bool:
    sides = [digest.attribute(node, name) for name in ("width", "height")]
    if all(side is not None and _TINY.fullmatch(side) for side in sides):
        return True
    return len(_TINY_STYLE.findall(_style(digest, node))) == 2


def _style(digest: PageDigest, node: int) -> str:
    return digest.attribute(node, "style") or ""
