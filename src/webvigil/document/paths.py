"""Where a node is, as an XPath that finds it: `/html/body/ul[1]/li[3]/a`.

A number stands only where the parent has several children of that name. Neighbouring text and CDATA
nodes are one text to XPath, so they share a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, TEXT

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_STEPS = {TEXT: "text()", CDATA: "text()", COMMENT: "comment()", DOCTYPE: "doctype()"}


def path(digest: PageDigest, node: int) -> str:
    if node == 0:
        return "/"
    lineage = [node, *digest.ancestors(node)][:-1]
    return "".join(f"/{_step(digest, one)}" for one in reversed(lineage))


def _step(digest: PageDigest, node: int) -> str:
    name = _name(digest, node)
    parent = int(digest.parents[node])
    place, total, last = 0, 0, ""
    for sibling in digest.children(parent):
        current = _name(digest, sibling)
        if current == name and not (name == "text()" and last == "text()"):
            total += 1
        if sibling == node:
            place = total
        last = current
    return f"{name}[{place}]" if total > 1 else name


def _name(digest: PageDigest, node: int) -> str:
    tag = digest.tag(node)
    if tag.startswith("?"):
        return f"processing-instruction('{tag[1:]}')"
    return _STEPS.get(tag, tag)
