"""A click on the picture of a page in, the steps that it may mean out (K1).

The picture knows where the elements were. The element is looked up in WebVigil's own tree of the page, and is
named there by what is likely to stay: an id, the name of a field, the words on a button.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.app.sentinels.selectors import selected, selector_of_one
from webvigil.detect.visual import nodes_at
from webvigil.document import PageDigest
from webvigil.document.screenshot import Places, read_screenshot
from webvigil.errors import NotFound
from webvigil.language.stepping import print_step
from webvigil.model.approach import Step

Kind = Literal["field", "choice", "box", "other"]

_FIELDS = ("input", "textarea", "select")
_ACTIVE = frozenset(("a", "button", "summary", *_FIELDS))
_PRESSED = ("submit", "button", "image", "reset")
# A longer text of a link or button is no name by which a step finds it again. Further options of a field are
# not offered.
_LONGEST_LABEL = 60
_MOST_OPTIONS = 100


@dataclass(frozen=True, slots=True)
class NextSteps:
    """The element that was clicked and what can be done with it. `steps` are texts of steps; those of a field
    lack the text that is typed, those of a choice the option."""

    label: str
    kind: Kind
    steps: tuple[str, ...]
    options: tuple[str, ...] = ()
    secret: bool = False

    @property
    def first(self) -> str:
        return self.steps[0]


def next_steps(digest: PageDigest, picture: bytes, left: int, top: int) -> NextSteps:
    """Returns what can be done at a place of the picture. Raises NotFound if there is no element."""
    node = _acting(digest, _element(digest, picture, left, top))
    by, argument = _named(digest, node)
    tag, kind = digest.tag(node), (digest.attribute(node, "type") or "text").lower()
    place = print_step(Step("click", by, argument)).removeprefix("click ")
    others = (f"wait for {place}", f"scroll to {place}")
    label = _label(digest, node)
    if tag == "select":
        return NextSteps(label, "choice", (f"choose {place}", *others), _options(digest, node))
    if tag == "input" and kind in ("checkbox", "radio"):
        return NextSteps(label, "box", (f'choose {place} "on"', *others))
    if tag == "textarea" or (tag == "input" and kind not in _PRESSED):
        return NextSteps(
            label, "field", (f"type {place}", f"click {place}", *others), secret=kind == "password"
        )
    return NextSteps(label, "other", (f"click {place}", *others))


def _element(digest: PageDigest, picture: bytes, left: int, top: int) -> int:
    """Returns the innermost element at a place of the picture."""
    places = read_screenshot(picture).places
    if places is None:
        raise NotFound("this picture does not know where the elements of the page are")
    nodes = nodes_at(digest, places)
    found = [
        (box.area, -at)
        for at, box in enumerate(places.boxes)
        if nodes[at] >= 0 and _holds(places, at, left, top)
    ]
    if not found:
        raise NotFound("there is no element of the page at that place")
    return nodes[-min(found)[1]]


def _holds(places: Places, at: int, left: int, top: int) -> bool:
    box = places.boxes[at]
    return box.left <= left < box.left + box.width and box.top <= top < box.top + box.height


def _acting(digest: PageDigest, node: int) -> int:
    """Returns the nearest element above that does something when it is clicked; the element itself if none
    does. A label stands for its field."""
    for one in (node, *digest.ancestors(node)):
        if digest.tag(one) == "option":
            continue
        if digest.tag(one) == "label":
            return _field_of(digest, one)
        if (
            digest.tag(one) in _ACTIVE
            or digest.attribute(one, "onclick")
            or digest.attribute(one, "role") == "button"
        ):
            return one
    return node


def _field_of(digest: PageDigest, label: int) -> int:
    named = digest.attribute(label, "for")
    if named:
        return next((one for one in _fields(digest) if digest.attribute(one, "id") == named), label)
    return next((one for one in _fields(digest) if label in digest.ancestors(one)), label)


def _fields(digest: PageDigest) -> list[int]:
    return sorted(int(one) for tag in _FIELDS for one in digest.nodes_of(tag).tolist())


def _named(digest: PageDigest, node: int) -> tuple[Literal["css", "text"], str]:
    """Returns how the element is found again: by its id, by the name of a field, by the words on it if no
    other button or link has them, otherwise by its place in the page."""
    tag, name = digest.tag(node), digest.attribute(node, "name") or ""
    if name and '"' not in name and "\\" not in name and not digest.attribute(node, "id"):
        by_name = f'{tag}[name="{name}"]'
        if selected(digest, by_name) == [node]:
            return "css", by_name
    words = _words(digest, node)
    found = selector_of_one(digest, node)
    if not found.startswith("#") and tag in ("a", "button") and words and _is_only(digest, words):
        return "text", words
    if not found:
        raise NotFound("this element cannot be named; write the step by hand")
    return "css", found


def _is_only(digest: PageDigest, words: str) -> bool:
    """Tells whether the words stand in the page only once."""
    return digest.visible_text.lower().count(words.lower()) == 1


def _words(digest: PageDigest, node: int) -> str:
    words = " ".join(digest.text(node).split())
    return words if len(words) <= _LONGEST_LABEL else ""


def _label(digest: PageDigest, node: int) -> str:
    shown = ("value", "placeholder", "aria-label", "name", "id")
    said = (digest.attribute(node, one) or "" for one in shown)
    return (
        (_words(digest, node) if digest.tag(node) != "select" else "")
        or next(filter(None, said), "")
        or digest.tag(node)
    )


def _options(digest: PageDigest, node: int) -> tuple[str, ...]:
    inside = [one for one in digest.nodes_of("option").tolist() if node in digest.ancestors(one)]
    return tuple(" ".join(digest.text(one).split()) for one in inside[:_MOST_OPTIONS])
