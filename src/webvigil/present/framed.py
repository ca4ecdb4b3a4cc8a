"""Two versions of a page in, a document out that shows them in the page's own look (P1, P3).

Each version stands in a frame that may run nothing but our script, so its style can touch neither our
document nor the other version. `as_page` returns None where this is impossible: a version is no HTML or too
large, or the shown page does not read exactly as its versions.
"""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.document import PageDigest, arrays, read
from webvigil.document.reading import changed_lines, text_outside
from webvigil.model.change import ObjectChange
from webvigil.present.comparison import Comparison
from webvigil.present.dressed import Dressed, dressed
from webvigil.present.html import Showing, document, script
from webvigil.present.html_text import html_text
from webvigil.present.marks import Marks, Merging, beside
from webvigil.present.static import PAGE_SCRIPT, PAGE_STYLE

LARGEST = 40_000  # Nodes. A larger page is shown by its words, in instalments: see `html.py`.


def as_page(
    comparison: Comparison,
    old: PageDigest,
    new: PageDigest,
    *,
    columns: int,
    showing: Showing | None = None,
    attributes: Sequence[ObjectChange] = (),
) -> str | None:
    """Returns the whole document, or None if the versions cannot be shown in their own look."""
    showing = showing or Showing()
    small = all(page.kind == "html" and len(page.whole) <= LARGEST for page in (old, new))
    if not small or comparison.left_out:
        return None
    frames = _two(comparison, old, new, showing) if columns > 1 else _one(comparison, old, new, showing)
    if frames is None:
        return None
    main_kind = "two" if columns > 1 else "one"
    return document(comparison, frames, showing, attributes=attributes, kind="framed", main_kind=main_kind)


def _one(comparison: Comparison, old: PageDigest, new: PageDigest, showing: Showing) -> list[str] | None:
    marks = Merging(comparison, old, new).run()
    _mark_pictures(marks, comparison, new, old=False)
    shown = dressed(new, marks, showing.dress)
    if _is_whole(old, new) and not faithful(shown.html, old, new):
        return None
    both = _told("In one page", " → ".join(filter(None, showing.captions))) if showing.bare else ""
    return [_frame(shown, "Both versions in one page", showing, both)]


def _two(comparison: Comparison, old: PageDigest, new: PageDigest, showing: Showing) -> list[str] | None:
    frames = []
    for page, is_old in ((old, True), (new, False)):
        marks = beside(comparison, old=is_old)
        _mark_pictures(marks, comparison, page, old=is_old)
        shown = dressed(page, marks, showing.dress.of_old if is_old else showing.dress)
        if _is_whole(page) and not faithful_side(shown.html, page):
            return None
        name, said = ("Before", showing.captions[0]) if is_old else ("After", showing.captions[1])
        frames.append(_frame(shown, name, showing, _told(name, said), side=True))
    # On a phone only one of the two is shown at a time.
    swap = '<button type="button" class="swap" data-swap="">Show before</button>'
    return [swap, *frames] if showing.bare else frames


def _is_whole(*pages: PageDigest) -> bool:
    return all(page.whole is page for page in pages)


def _mark_pictures(marks: Marks, comparison: Comparison, page: PageDigest, *, old: bool) -> None:
    """Marks the pictures that only this version has."""
    alone = {one.object for one in comparison.pictures if not (one.new if old else one.old)}
    if alone:
        whole = page.whole
        shown = [
            image.node for image in whole.images if image.url in alone and whole.tag(image.node) == "img"
        ]
        marks.pictures.update(dict.fromkeys(shown, "gone" if old else "new"))


def _told(name: str, said: str) -> str:
    """Returns the caption of a frame: its name, and which version it shows."""
    return f"<b>{name}</b> {html_text(said)}" if said else name


def _frame(shown: Dressed, name: str, showing: Showing, caption: str = "", *, side: bool = False) -> str:
    sheets = "".join([f"<style>{sheet}</style>" for sheet in shown.sheets])
    inside = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><style>{PAGE_STYLE}</style>{sheets}</head>'
        f"<body{shown.attributes}>{shown.html}{script(PAGE_SCRIPT, showing)}</body></html>"
    )
    frame = f'<iframe sandbox="allow-scripts" title="{name}" srcdoc="{html_text(inside)}"></iframe>'
    head = f"<figcaption>{caption}</figcaption>" if caption else ""
    kind = ' class="side"' if side and showing.bare else ""
    return f"<figure{kind}>{head}{frame}</figure>"


def _reads_as(shown: PageDigest, page: PageDigest, without: str = "") -> bool:
    """Tells whether the text of a shown page outside of all elements with one tag has the same words as a
    page. Equal texts have, and so have texts that are the same but for white space: to see either, no word
    has to be found."""
    ours, wanted = text_outside(shown, without), page.reading.text
    start, end, other_end = changed_lines(ours, wanted)
    if ours[start:end].split() == wanted[start:other_end].split():
        return True
    return list(_without(shown, without).words.words) == list(page.words.words)


def _without(shown: PageDigest, tag: str) -> PageDigest:
    """Returns what stands outside of all elements with one tag."""
    if tag not in shown.tag_index:
        return shown
    return shown.part(~arrays.below(shown.is_tag((tag,)), shown.sizes))


def faithful(html: str, old: PageDigest, new: PageDigest) -> bool:
    """Tells whether a merged page reads exactly as its two versions (P3).

    Without the `ins` elements it must read as the old version, without the `del` elements as the new one.
    Strange markup can break this, so the check is made on the finished HTML; if it fails, the page is shown
    by its words instead.
    """
    shown = _read(html)
    return _reads_as(shown, old, "ins") and _reads_as(shown, new, "del")


def faithful_side(html: str, page: PageDigest) -> bool:
    """Tells whether one of two columns reads as its version."""
    return _reads_as(_read(html), page)


def _read(html: str) -> PageDigest:
    return read(b"<!DOCTYPE html><body>" + html.encode("utf-8", "replace"), "text/html; charset=utf-8")
