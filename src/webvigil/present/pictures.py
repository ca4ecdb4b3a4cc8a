"""Two screenshots of a page in, an HTML file out that frames the changed regions side by side (C14, P2).

The file holds the pictures and needs nothing else. Each region has the same number on both sides. A solid
frame marks a region that came, a dashed frame one that went, so the marks can be told apart without colour.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

from webvigil.document.screenshot import Box, media_type, read_screenshot
from webvigil.model.change import Finding, ObjectChange
from webvigil.present.html_text import html_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
figure { margin: 0; } svg { width: 100%; height: auto; border: 1px solid gray; background: white; }
rect { fill: none; stroke-width: 4; } text { font: bold 22px sans-serif; stroke: white; stroke-width: 4;
  paint-order: stroke; }
.i rect { stroke: #0b7a2f; } .d rect { stroke: #b3261e; stroke-dasharray: 12 6; } .u rect { stroke: #b25e00; }
@media (max-width: 40rem) { main { grid-template-columns: 1fr; } }
"""


def pictured(old: bytes, new: bytes, findings: Sequence[Finding]) -> str:
    """Returns the whole HTML document for two screenshots and the `visual` findings between them."""
    regions = [one for finding in findings if finding.type == "visual" for one in finding.objects]
    return "\n".join(_document(old, new, regions)) + "\n"


def _document(old: bytes, new: bytes, regions: Sequence[ObjectChange]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{html_text(POLICY)}"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f"<title>Changes of a picture</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>{len(regions):,} changed region{'' if len(regions) == 1 else 's'}</h1>\n<main>"
    yield from _side("Before", old, [(one.before, one) for one in regions])
    yield from _side("After", new, [(one.after, one) for one in regions])
    yield "</main>\n</body>\n</html>"


def _side(name: str, picture: bytes, regions: Sequence[tuple[str | None, ObjectChange]]) -> Iterator[str]:
    height, width = read_screenshot(picture).pixels.shape[:2]
    source = f"data:{media_type(picture)};base64,{base64.b64encode(picture).decode('ascii')}"
    yield f'<figure>\n<figcaption>{name}</figcaption>\n<svg viewBox="0 0 {width} {height}">'
    yield f'<image href="{source}" width="{width}" height="{height}"/>'
    for number, (box, one) in enumerate(regions, start=1):
        if box is not None:
            yield _frame(Box.read(box), number, one)
    yield "</svg>\n</figure>"


def _frame(box: Box, number: int, one: ObjectChange) -> str:
    shape = f'<rect x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}"/>'
    label = f'<text x="{box.left + 4}" y="{box.top + 22}">{number}</text>'
    title = f"<title>{html_text(f'{box}, {one.where[0]}' if one.where else str(box))}</title>"
    return f'<g class="{one.status}">{title}{shape}{label}</g>'
