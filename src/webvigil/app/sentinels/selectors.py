"""An element of a page in, a CSS selector for it out: short, and likely to fit later versions, too."""

from __future__ import annotations

from webvigil.document import PageDigest, css
from webvigil.errors import PatternRefused

_TOP = ("html", "body", "#document")
_LONGEST_WAY = 60  # steps; a longer selector would break with the next small change of the page


def selector(digest: PageDigest, node: int) -> str:
    """Returns a selector with an id, or with the way from the nearest element that has one. It may also find
    other elements."""
    steps: list[str] = []
    while node > 0 and digest.tag(node) not in _TOP and len(steps) < _LONGEST_WAY:
        step, unique = _step(digest, node)
        steps.append(step)
        if unique:
            break
        node = int(digest.parents[node])
    return " > ".join(reversed(steps))


def selector_of_one(digest: PageDigest, node: int) -> str:
    """Returns a selector that finds this element alone; "" if there is none."""
    candidates = (selector(digest, node), _by_places(digest, node))
    return next((one for one in candidates if one and selected(digest, one) == [node]), "")


def selected(digest: PageDigest, text: str) -> list[int]:
    """Returns the elements that a selector finds; none if the selector cannot be read."""
    try:
        found: list[int] = css.select(digest, text).nonzero()[0].tolist()
    except PatternRefused:
        return []
    return found


def _step(digest: PageDigest, node: int) -> tuple[str, bool]:
    id_ = digest.attribute(node, "id") or ""
    if _is_plain(id_):
        return f"#{id_}", True
    tag = digest.tag(node)
    classes = [name for name in (digest.attribute(node, "class") or "").split() if _is_plain(name)]
    if classes:
        return tag + "".join(f".{name}" for name in classes[:2]), False
    return _place(digest, node), False


def _place(digest: PageDigest, node: int) -> str:
    """Returns the tag of an element, with its number among its siblings of the same tag if there are
    several."""
    tag = digest.tag(node)
    same = [child for child in digest.children(int(digest.parents[node])) if digest.tag(child) == tag]
    return tag if len(same) == 1 else f"{tag}:nth-of-type({same.index(node) + 1})"


def _by_places(digest: PageDigest, node: int) -> str:
    """Returns a selector that numbers every step, from an element with a unique id or from the top."""
    steps: list[str] = []
    while node > 0 and digest.tag(node) != "#document" and len(steps) < _LONGEST_WAY:
        id_ = digest.attribute(node, "id") or ""
        if _is_plain(id_) and selected(digest, f"#{id_}") == [node]:
            steps.append(f"#{id_}")
            break
        steps.append(_place(digest, node))
        node = int(digest.parents[node])
    return " > ".join(reversed(steps))


def _is_plain(name: str) -> bool:
    """Tells whether a name can be written in a selector without escapes. Very long names are left out."""
    letters = name.replace("-", "").replace("_", "")
    return bool(letters) and letters.isascii() and letters.isalnum() and name[0].isalpha() and len(name) < 60
