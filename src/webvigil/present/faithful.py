"""Does a shown page read as its versions? Without what came as the old, without what went as the new (P3).

Whatever a strange page does to its markup, this is asked of what comes out; where the answer is no, the
page is shown by its words instead.
"""

from __future__ import annotations

from webvigil.document import PageDigest, arrays, read


def words_without(shown: PageDigest, tag: str) -> list[str]:
    """The visible words outside of the elements of one name."""
    if tag not in shown.tag_index:
        return list(shown.words.words)
    return list(shown.part(~arrays.below(shown.is_tag((tag,)), shown.sizes)).words.words)


def faithful(html: str, old: PageDigest, new: PageDigest) -> bool:
    """A merged page."""
    shown = _read(html)
    return words_without(shown, "ins") == list(old.words.words) and words_without(shown, "del") == list(
        new.words.words
    )


def faithful_side(html: str, page: PageDigest) -> bool:
    """One of two columns."""
    return list(_read(html).words.words) == list(page.words.words)


def _read(html: str) -> PageDigest:
    return read(b"<!DOCTYPE html><body>" + html.encode("utf-8", "replace"), "text/html; charset=utf-8")
