"""Two versions as a sentinel sees them: only what is within, without what it ignores (L8, D5).

The part is found in the older version and carried to the newer one, so that it is followed when the page
around it moves. A part that is no longer there is told as such: it has vanished (V4).
"""

from __future__ import annotations

from webvigil.document import PageDigest
from webvigil.document.carry import Lost, carry
from webvigil.document.masks import mask, seen, union, view
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import Part, Sentinel

Views = tuple[PageDigest, PageDigest]


def views(old: PageDigest, new: PageDigest, sentinel: Sentinel) -> Views | Finding:
    """Both versions cut down, or the finding that the watched part has vanished."""
    within, ignore = sentinel.within, sentinel.ignore
    if not within:
        return (view(old, (), ignore), view(new, (), ignore)) if ignore else (old, new)
    watched = union(mask(old, part) for part in within)
    if not watched.any():
        return view(old, within, ignore), view(new, within, ignore)
    carried = carry(old, watched, new, within)
    if isinstance(carried, Lost):
        return _vanished(within, carried)
    return seen(old, watched, ignore), seen(new, carried, ignore)


def _vanished(within: tuple[Part, ...], lost: Lost) -> Finding:
    gone = tuple(ObjectChange(object=_named(part), status=Status.GONE, old=1, new=0) for part in within)
    return Finding(
        type="within", objects=gone, share=1.0, note=f"the watched part has vanished: {lost.reason}"
    )


def _named(part: Part) -> str:
    words = part.argument if isinstance(part.argument, str) else ", ".join(part.argument)
    return f"{part.by} {words}"
