"""A node in, its short name for a finding out, by which a reader recognises the node."""

from __future__ import annotations

from webvigil.document import PageDigest
from webvigil.document.naming import cut

# Enough for a reader to recognise a text; longer names would fill the list of changes.
_LONGEST = 200
_FIRST = 4_000  # nodes that are read at most: an element, and each element in it, may hold a whole page


def element_label(digest: PageDigest, node: int) -> str:
    """Returns the tag, the id and the first classes of an element, such as `ul#menu` or `p.price.old`."""
    attributes = digest.attributes(node)
    identifier = f"#{attributes['id']}" if attributes.get("id") else ""
    classes = [f".{name}" for name in attributes.get("class", "").split()[:2]]
    return "".join([digest.tag(node), identifier, *classes])


def shown_text(digest: PageDigest, node: int) -> str:
    """Returns the text below a node on one line, cut if it is long."""
    end = node + min(int(digest.sizes[node]), _FIRST)
    found = digest.content[node:end][digest.is_text[node:end]]
    return shortened("".join([digest.texts[index] for index in found.tolist()]))


def shortened(text: str) -> str:
    """Returns a text on one line, cut if it is long."""
    return cut(text, _LONGEST)
