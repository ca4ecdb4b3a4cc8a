"""Two versions of a page in, one side of the change alone out: its words, its links or its pictures (P1, P2).

The words of both versions are shown in one text. Links and pictures are shown in a table: how often each
stood on the old page and stands on the new one, and what became of it. The table of pictures shows the
pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, count

from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.short_text import short_text
from webvigil.present.choose import How, view
from webvigil.present.claimed import MOST_OBJECTS, with_claims
from webvigil.present.comparison import Comparison, compare, tabled
from webvigil.present.dressed import Dress
from webvigil.present.html import LONGEST_ADDRESS, Showing, as_html, document, thumbnail
from webvigil.present.html_text import html_text
from webvigil.present.swipe import Drawn, swipe

_AS_A_PICTURE = "The whole page as a picture: drag to see it before and after"
# Rows of a table; further links or pictures are counted.
LISTED = 500
_LONGEST_NAME = 120  # characters
_SIDES = ("Before", "After")
_BECAME = {
    Status.NEW: ("new", "+ added"),
    Status.MORE: ("new", "+ more"),
    Status.GONE: ("gone", "− gone"),
    Status.FEWER: ("gone", "− fewer"),
    Status.UPDATED: ("changed", "~ another picture"),
    Status.MOVED: ("moved", "→ moved"),
}


class Aspect(StrEnum):
    """The sides of a change that can be shown alone."""

    TEXT = "text"
    LINKS = "links"
    IMAGES = "images"


@dataclass(frozen=True, slots=True)
class _Listing:
    """The contents of one table. `names` holds, by address, what a reader sees of the object on the page."""

    what: str
    objects: Sequence[ObjectChange]
    before: int
    after: int
    names: Mapping[str, str]


def aspect(
    old: PageDigest,
    new: PageDigest,
    what: Aspect,
    *,
    findings: Sequence[Finding] = (),
    showing: Showing | None = None,
) -> str:
    """Returns the whole document. `findings` tell which pictures were replaced behind an unchanged
    address."""
    showing = showing or Showing()
    comparison = compare(old, new, findings)
    if showing.bare:
        numbers = None if what is Aspect.TEXT else _regions(findings, showing)
        comparison, showing = with_claims(comparison, findings, showing, numbers)
    if what is Aspect.TEXT:
        words = replace(comparison, told=frozenset())
        return as_html(words, view(words, How.SINGLE), showing)
    if what is Aspect.LINKS:
        names = _link_names(old) | _link_names(new)
        found = _Listing("link", comparison.links, len(old.links), len(new.links), names)
        return _page(comparison, found, showing)
    names = _picture_names(old) | _picture_names(new)
    known = {one.object for one in comparison.pictures if one.status is Status.UPDATED}
    told = [one for one in _replaced(findings) if one.object not in known]
    objects = (*comparison.pictures, *told)
    found = _Listing("picture", objects, len(old.images), len(new.images), names)
    page = swipe(*showing.drawn, "The page", findings) if showing.drawn else ""
    return _page(comparison, found, showing, showing.dress, page)


def _regions(findings: Sequence[Finding], showing: Showing) -> tuple[int, ...]:
    """Returns for each object of the findings the number of its frame in the picture of the page, 0 for
    none. In a table nothing has a number."""
    framed = count(1)
    return tuple(
        next(framed) if finding.type == "visual" and showing.drawn else 0
        for finding in findings
        for _ in finding.objects[:MOST_OBJECTS]
    )


def _page(
    comparison: Comparison, found: _Listing, showing: Showing, dress: Dress | None = None, first: str = ""
) -> str:
    """Returns the document: the whole page as a picture (`first`), if there is one, and the table. Where no
    single object changed, the picture stands alone."""
    alone = bool(first) and not found.objects
    main = [first] if alone else chain([first] if first else (), _table(found, dress))
    told = _AS_A_PICTURE if alone else _amounts(found)
    return document(tabled(comparison), main, showing, kind="single", amounts=told)


def _amounts(found: _Listing) -> str:
    """Returns the amounts in words: `3 added, 1 gone; 40 links before, 42 after`."""
    counted: Counter[str] = Counter()
    for one in _in_order(found.objects):
        counted[_BECAME[one.status][1][2:]] += one.many
    told = ", ".join(f"{count:,} {became}" for became, count in counted.items()) or "none changed"
    plural = "" if found.before == 1 else "s"
    return f"{told}; {found.before:,} {found.what}{plural} before, {found.after:,} after"


def _table(found: _Listing, dress: Dress | None) -> Iterator[str]:
    if not found.objects:
        same = f"Both versions have the same {found.what}s."
        yield f"<p>{same if found.before else f'Neither version has {found.what}s.'}</p>"
        return
    yield '<div class="objects"><table class="listing">'
    heads = "".join(f"<th>{side}</th>" for side in _SIDES)
    yield (f"<thead><tr><th>Became</th><th>{found.what.capitalize()}</th>{heads}</tr></thead><tbody>")
    ordered = _in_order(found.objects)
    for one in ordered[:LISTED]:
        yield _row(one, found.names.get(one.object, ""), dress)
    if left := sum(one.many for one in ordered[LISTED:]):
        yield f'<tr><td colspan="4">… {left:,} more</td></tr>'
    yield "</tbody></table></div>"


def _in_order(objects: Iterable[ObjectChange]) -> list[ObjectChange]:
    """Sorts the objects by what became of them: added first, then gone, then the rest; equals stay in page
    order."""
    places = list(_BECAME)
    return sorted(objects, key=lambda one: places.index(one.status))


def _row(one: ObjectChange, name: str, dress: Dress | None) -> str:
    kind, became = _BECAME[one.status]
    # A picture was replaced behind the same address. It stands in both versions; how often was not counted.
    counts = ("yes", "yes") if one.status is Status.UPDATED else (str(one.old or 0), str(one.new or 0))
    sides = (dress.of_old, dress) if dress else ()
    shown = [thumbnail(one.object, side) for side in sides] or ["", ""]
    cells = [f"{count}{shown[k] if count != '0' else ''}" for k, count in enumerate(counts)]
    both = "".join([f'<td data-of="{of}">{cell}</td>' for of, cell in zip(_SIDES, cells, strict=True)])
    if one.status is Status.UPDATED and dress and all(shown):
        pictures = [Drawn(side.address(one.object)) for side in sides]
        both = f'<td colspan="2">{swipe(pictures[0], pictures[1], name or "The picture")}</td>'
    address = short_text(one.object, LONGEST_ADDRESS)
    named = f'<span dir="auto">{html_text(name)}</span><br/>' if name else ""
    return (
        f'<tr class="{kind}"><th scope="row">{html_text(became)}</th>'
        f"<td>{named}{html_text(address)}</td>{both}</tr>"
    )


def _replaced(findings: Iterable[Finding]) -> list[ObjectChange]:
    pictures = [finding for finding in findings if finding.type == "all images"]
    return [one for finding in pictures for one in finding.objects if one.status is Status.UPDATED]


def _link_names(page: PageDigest) -> dict[str, str]:
    """Returns, by address, the words of the first link to it."""
    return _first((link.url, page.text(link.node)) for link in page.links)


def _picture_names(page: PageDigest) -> dict[str, str]:
    """Returns, by address, the description (`alt`) of the first picture there."""
    return _first((one.url, page.attribute(one.node, "alt") or "") for one in page.images)


def _first(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for url, text in named:
        if url not in found and (words := " ".join(text.split())):
            found[url] = short_text(words, _LONGEST_NAME)
    return found
