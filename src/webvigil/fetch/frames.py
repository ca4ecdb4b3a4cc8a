"""A page and the documents of its frames in, one document with the frames in their places out (F3).

A frame that nobody sees (in `noscript`, hidden, one pixel large) is ignored. In the whole document a frame is
a `div` with the frame's address in `data-frame`. It contains the body of the frame's document, with absolute
links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webvigil.document import PageDigest, read
from webvigil.document.hashes import both
from webvigil.document.links import absolute
from webvigil.document.sink import Sink
from webvigil.fetch.client import resolved
from webvigil.model.version import Answer, Frame

DEEPEST = 2
"""How deep frames are fetched: a frame inside a frame is fetched, a frame inside that one is not."""

FRAME_TAG = re.compile(rb"<i?frame[\s/>]", re.IGNORECASE)
_LINKS = frozenset({"href", "src", "action", "formaction", "background", "poster", "data"})
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PIXEL = ("0", "1", "0px", "1px")


@dataclass(frozen=True, slots=True)
class FramePlace:
    """The place of a frame in a page, and its address. It is `essential` if it is a `frame` of a frameset:
    without those the page shows nothing."""

    node: int
    address: str
    essential: bool


def frame_places(answer: Answer) -> list[FramePlace]:
    """Returns the visible frames of a page. A page without the bytes of a frame tag is not even parsed."""
    if not FRAME_TAG.search(answer.body):
        return []
    digest = read(answer.body, answer.content_type, answer.url)
    return list(_places(digest)) if digest.is_html else []


def whole(answer: Answer) -> PageDigest:
    """Returns the digest of a page with its frames in their places."""
    digest = read(answer.body, answer.content_type, answer.url)
    if not answer.frames:
        return digest
    sink = Sink()
    _page(sink, digest, answer)
    return sink.digest("html", answer.url).with_source(both(b"".join(_bodies(answer))))


def _bodies(answer: Answer) -> Iterator[bytes]:
    """Yields the bytes of the page and of all its frames."""
    yield answer.body
    for frame in answer.frames:
        yield from _bodies(frame.answer)


def _places(digest: PageDigest) -> Iterator[FramePlace]:
    hidden = digest.hidden
    for node in digest.nodes_of("iframe", "frame").tolist():
        parent = int(digest.parents[node])
        if hidden[parent] or _unseen(digest.attributes(node)):
            continue
        address = _address(digest, node)
        if address:
            yield FramePlace(node, address, digest.tag(node) == "frame")


def _unseen(attributes: dict[str, str]) -> bool:
    """Returns True if the attributes of a frame make it invisible."""
    size = [attributes.get(name, "").strip() for name in ("width", "height")]
    return (
        "hidden" in attributes
        or any(one in _PIXEL for one in size)
        or bool(_INVISIBLE.search(attributes.get("style", "")))
    )


def _address(digest: PageDigest, node: int) -> str:
    """Returns the web address of a frame, or an empty text if it has none."""
    source = (digest.attribute(node, "src") or "").strip()
    if not source or source.lower().startswith(("about:", "javascript:", "data:", "blob:")):
        return ""
    try:
        return resolved(digest.url, source)
    except ValueError:
        return ""


def _page(sink: Sink, digest: PageDigest, answer: Answer) -> None:
    """Writes a page. The outermost frameset becomes the body."""
    outermost = next((node for node in digest.nodes_of("frameset").tolist()), None)
    _emit(sink, digest, answer.frames, range(1, len(digest)), absolute_links=False, body=outermost)


def _frame(sink: Sink, frame: Frame) -> None:
    """Writes a frame as a `div` with the content of its body, or with its text if it is not HTML."""
    answer = frame.answer
    sink.start_element("div", [("data-frame", frame.address)])
    if answer.status == 200:
        digest = read(answer.body, answer.content_type, answer.url)
        if digest.is_html:
            for start in digest.nodes_of("body", "frameset").tolist()[:1]:
                inside = range(start + 1, start + int(digest.sizes[start]))
                _emit(sink, digest, answer.frames, inside, absolute_links=True)
        else:
            sink.start_element("pre", [])
            sink.characters(digest.visible_text)
            sink.end_element("pre")
    sink.end_element("div")


def _emit(
    sink: Sink,
    digest: PageDigest,
    frames: tuple[Frame, ...],
    nodes: range,
    *,
    absolute_links: bool,
    body: int | None = None,
) -> None:
    """Writes the nodes of a document in order. Frames are replaced by their documents."""
    shown = _at_their_places(digest, frames)
    ends: list[tuple[int, str]] = []
    node = nodes.start
    while node < nodes.stop:
        while ends and ends[-1][0] <= node:
            sink.end_element(ends.pop()[1])
        tag = digest.tag(node)
        if node in shown:
            _frame(sink, shown[node])
            node += int(digest.sizes[node])
            continue
        if tag[:1] in ("#", "?"):
            sink.leaf(tag, digest.own_text(node)) if tag != "#text" else sink.characters(
                digest.own_text(node)
            )
        else:
            name = "body" if node == body else "div" if tag == "frameset" else tag
            sink.start_element(name, _attributes(digest, node, absolute_links))
            ends.append((node + int(digest.sizes[node]), name))
        node += 1
    while ends:
        sink.end_element(ends.pop()[1])


def _at_their_places(digest: PageDigest, frames: tuple[Frame, ...]) -> dict[int, Frame]:
    by_address = {frame.address: frame for frame in frames}
    return {place.node: by_address[place.address] for place in _places(digest) if place.address in by_address}


def _attributes(digest: PageDigest, node: int, absolute_links: bool) -> list[tuple[str, str | None]]:
    pairs = digest.attributes(node).items()
    if not absolute_links:
        return [(name, value) for name, value in pairs]
    return [
        (name, (absolute(digest.url, value) or value) if name in _LINKS else value) for name, value in pairs
    ]
