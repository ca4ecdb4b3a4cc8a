"""A shown page and its versions in, whether the shown page reads exactly as they do out (P3).

Without the `ins` elements a merged page must read as the old version, without the `del` elements as the new
one. Strange markup can break this, so the check is made on the finished HTML; if it fails, the page is shown
by its words instead.
"""

from __future__ import annotations

from webvigil.document import PageDigest, arrays, read


def words_without(shown: PageDigest, tag: str) -> list[str]:
    """Returns the visible words outside of all elements with one tag."""
    if tag not in shown.tag_index:
        return list(shown.words.words)
    return list(shown.part(~arrays.below(shown.is_tag((tag,)), shown.sizes)).words.words)


def faithful(html: str, old: PageDigest, new: PageDigest) -> bool:
    """Tells whether a merged page reads as its two versions."""
    shown = _read(html)
    return words_without(shown, "ins") == list(old.words.words) and words_without(shown, "del") == list(
        new.words.words
    )


def faithful_side(html: str, page: PageDigest) -> bool:
    """Tells whether one of two columns reads as its version."""
    return list(_read(html).words.words) == list(page.words.words)


def _read(html: str) -> PageDigest:
    return read(b"<!DOCTYPE html><body>" + html.encode("utf-8", "replace"), "text/html; charset=utf-8")
