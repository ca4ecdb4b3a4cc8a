"""Two pictures of one thing in, HTML out in which the reader swipes between them.

The older picture is left of a line that the reader drags, the newer one right of it.

Without a script both pictures stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webvigil.document.screenshot import Box
from webvigil.model.change import Finding, ObjectChange
from webvigil.present.html_text import html_text

# Frames that are drawn over one picture: each is an element of the page that shows it.
_MOST_REGIONS = 200
# The height of the ground of a number.
_TAG = 28


class Drawn(NamedTuple):
    """A picture: its address, and its width and height in pixels (0 if they are not known)."""

    address: str
    width: int = 0
    height: int = 0


def swipe(old: Drawn, new: Drawn, name: str, findings: Sequence[Finding] = ()) -> str:
    """Returns the element. The regions that `visual` findings name are framed in both pictures."""
    regions = [one for finding in findings if finding.type == "visual" for one in finding.objects]
    return "".join(
        [
            '<div class="swipe">',
            (
                '<label class="slide"><span>Before</span><input type="range" min="0" max="100" value="50" '
                f'aria-label="{html_text(name)}: where before ends and after begins"/>'
                "<span>After</span></label>"
            ),
            '<div class="stack">',
            *_side(old, f"{name}, before", "was", [(one, one.before) for one in regions]),
            *_side(new, f"{name}, after", "is", [(one, one.after) for one in regions]),
            "</div></div>",
        ]
    )


def _side(
    picture: Drawn, name: str, kind: str, regions: Sequence[tuple[ObjectChange, str | None]]
) -> Iterator[str]:
    size = f' width="{picture.width}" height="{picture.height}"' if picture.width else ""
    yield f'<div class="{kind}"><img alt="{html_text(name)}" src="{html_text(picture.address)}"{size}/>'
    if picture.width:
        yield f'<svg viewBox="0 0 {picture.width} {picture.height}" aria-hidden="true">'
        for number, (one, place) in enumerate(regions[:_MOST_REGIONS], 1):
            if place:
                yield _region(Box.read(place), number, one)
        yield "</svg>"
    yield "</div>"


def _region(box: Box, number: int, one: ObjectChange) -> str:
    shape = f'<rect x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}"/>'
    # The number stands above the frame, where there is room, on a ground of its own.
    top, wide = max(box.top - _TAG, 0), 12 + 14 * len(str(number))
    ground = f'<rect class="tag" x="{box.left}" y="{top}" width="{wide}" height="{_TAG}"/>'
    return (
        f'<g class="{html_text(str(one.status))}">{shape}{ground}'
        f'<text x="{box.left + 6}" y="{top + 22}">{number}</text></g>'
    )
