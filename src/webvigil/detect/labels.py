"""How a node is called in a finding: short, and so that a reader knows it again."""

from __future__ import annotations

from webvigil.document import PageDigest

_LONGEST = 200
_FIRST = 4_000  # nodes that are read for it: an element may hold all of a page, and so may all those in it


def element_label(digest: PageDigest, node: int) -> str:
    """`ul#menu`, `p.price.old`: the name, the id, the first classes."""
    attributes = digest.attributes(node)
    identifier = f"#{attributes['id']}" if attributes.get("id") else ""
    classes = [f".{name}" for name in attributes.get("class", "").split()[:2]]
    return "".join([digest.tag(node), identifier, *classes])


def shown_text(digest: PageDigest, node: int) -> str:
    """What is written below a node, on one line, cut where it gets long."""
    end = node + min(int(digest.sizes[node]), _FIRST)
    found = digest.content[node:end][digest.is_text[node:end]]
    return shortened("".join([digest.texts[index] for index in found.tolist()]))


def shortened(text: str) -> str:
    # Cut before the white space is collapsed as well: a text may be megabytes.
    line = " ".join(text[: 20 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
