"""A selector for one element of a page: as short as it can be and still last."""

from __future__ import annotations

from webvigil.document import PageDigest, css
from webvigil.errors import PatternRefused

_TOP = ("html", "body", "#document")
_LONGEST_WAY = 60  # steps; nobody's page is so deep, and a selector so long finds nothing for long


def selector(digest: PageDigest, node: int) -> str:
    """An id, or the way from the nearest element that has one. Others may be found by it, too."""
    steps: list[str] = []
    while node > 0 and digest.tag(node) not in _TOP and len(steps) < _LONGEST_WAY:
        step, unique = _step(digest, node)
        steps.append(step)
        if unique:
            break
        node = int(digest.parents[node])
    return " > ".join(reversed(steps))


def selector_of_one(digest: PageDigest, node: int) -> str:
    """One that finds this element alone; "" where there is none."""
    candidates = (selector(digest, node), _by_places(digest, node))
    return next((one for one in candidates if one and selected(digest, one) == [node]), "")


def selected(digest: PageDigest, text: str) -> list[int]:
    """The elements that a selector finds; none for one that cannot be read."""
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
    """The name of an element, with its number where others beside it have the same."""
    tag = digest.tag(node)
    same = [child for child in digest.children(int(digest.parents[node])) if digest.tag(child) == tag]
    return tag if len(same) == 1 else f"{tag}:nth-of-type({same.index(node) + 1})"


def _by_places(digest: PageDigest, node: int) -> str:
    """Every step by its number, from an id that no other element has, or from the top."""
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
    """Written in a selector as it is; a long number in it is made anew with every page."""
    letters = name.replace("-", "").replace("_", "")
    return bool(letters) and letters.isascii() and letters.isalnum() and name[0].isalpha() and len(name) < 60
