"""HTML as a browser parses it, into a digest.

turbohtml hands over a flat stream of events; per event we only sort it into columns, the rest is
array arithmetic.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from turbohtml._html import _sax_events

from webvigil.document.builder import build
from webvigil.document.digest import PageDigest
from webvigil.document.markup import COMMENT, DOCTYPE, DOCUMENT, TEXT

_START, _END, _TEXT, _COMMENT, _DOCTYPE, _INSTRUCTION = range(1, 7)


def read_html(text: str, url: str = "") -> PageDigest:
    events: list[tuple[Any, ...]] = list(_sax_events(text))
    kinds = np.frombuffer(bytes([event[0] for event in events]), dtype=np.uint8)
    steps = (kinds == _START).astype(np.int32) - (kinds == _END)
    depth_after = np.cumsum(steps, dtype=np.int32)
    is_node = kinds != _END
    # An element's own depth is that before its start; the document adds one to all.
    depths = np.concatenate([[0], depth_after[is_node] + (kinds[is_node] != _START)]).astype(np.int32)
    node_kinds = np.concatenate([[0], kinds[is_node]])
    rows = [event for event in events if event[0] != _END]
    names = [DOCUMENT, *[_name(row) for row in rows]]
    elements = np.flatnonzero(node_kinds == _START)
    pairs = [row[2] for row in rows if row[0] == _START]
    counts = np.fromiter(map(len, pairs), dtype=np.int32, count=len(pairs))
    flat = list(chain.from_iterable(pairs))
    return build(
        kind="html",
        url=url,
        depths=depths,
        names=names,
        attribute_rows=(
            np.repeat(elements, counts).astype(np.int32),
            [pair[0] for pair in flat],
            [pair[1] or "" for pair in flat],
        ),
        written=(
            np.flatnonzero(node_kinds > _START).astype(np.int32),
            [_written(row) for row in rows if row[0] != _START],
        ),
    )


def _name(event: tuple[Any, ...]) -> str:
    kind = event[0]
    if kind == _START:
        return str(event[1])
    if kind == _TEXT:
        return TEXT
    if kind == _COMMENT:
        return COMMENT
    return DOCTYPE if kind == _DOCTYPE else f"?{event[1]}"


def _written(event: tuple[Any, ...]) -> str:
    kind = event[0]
    if kind == _DOCTYPE:
        return doctype_text(*event[1:])
    return str(event[2] if kind == _INSTRUCTION else event[1])


def doctype_text(name: str, public: str | None, system: str | None) -> str:
    """What stands between `<!DOCTYPE ` and `>`."""
    if public is not None:
        return f'{name} PUBLIC "{public}"' + (f' "{system}"' if system is not None else "")
    return f'{name} SYSTEM "{system}"' if system is not None else name
