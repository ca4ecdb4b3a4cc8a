"""An XPath and a document in, the answers of lxml and of the packed document in the same form out."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
from lxml import etree

from webvigil.document import PageDigest, read
from webvigil.document.markup import DOCTYPE, DOCUMENT
from webvigil.xpack import Found, Packed, open_packed, pack

NAMESPACES = {"x": "urn:x", "y": "urn:y", "o": "urn:one", "t": "urn:other", "m": "urn:media"}


class Original:
    """A document parsed by lxml, and packed by us."""

    def __init__(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        self.digest: PageDigest = read(data, "application/xml")
        self.packed: Packed = open_packed(pack(self.digest)).only
        parser = etree.XMLParser(no_network=True, huge_tree=True, attribute_defaults=True)
        self.root = etree.fromstring(data, parser)
        self._number = self._numbers()

    def _numbers(self) -> dict[Any, int]:
        """Maps lxml's elements, comments and instructions to the numbers of nodes in the digest."""
        before = reversed(list(self.root.itersiblings(preceding=True)))
        found = [*before, *self.root.iter(), *self.root.itersiblings()]
        digest = self.digest
        nodes = np.flatnonzero(~(digest.is_text | digest.is_tag((DOCUMENT, DOCTYPE))))
        return dict(zip(found, nodes.tolist(), strict=True))

    # --- theirs -----------------------------------------------------------------------------------

    def theirs(self, expression: str, **variables: Any) -> Any:
        """Returns lxml's answer, "refused" for an expression that lxml does not accept."""
        tree = self.root.getroottree()
        try:
            found = tree.xpath(expression, namespaces=NAMESPACES, **variables)
        except etree.XPathError:
            return "refused"
        return self._nodes(found) if isinstance(found, list) else found

    def _nodes(self, found: list[Any]) -> Any:
        """Describes the nodes that lxml found.

        libxml2 takes the doctype for a node before the root. XPath knows no such node and lxml gives it no
        parent, so it is left out.
        """
        found = [one for one in found if not (isinstance(one, str) and one.getparent() is None)]
        if any(isinstance(one, tuple) for one in found):
            return Counter(one if isinstance(one, tuple) else self._node(one) for one in found)
        return [self._node(one) for one in found]

    def _node(self, one: Any) -> Any:
        if not isinstance(one, str):
            return self._number[one]
        parent = self._number[one.getparent()]
        if one.is_attribute:
            return parent, one.attrname, str(one)
        at = parent + int(self.digest.sizes[parent]) if one.is_tail else parent + 1
        return at, "text", str(one)

    # --- ours -------------------------------------------------------------------------------------

    def ours(self, expression: str, packed: Packed | None = None, **variables: Any) -> Any:
        found = (packed or self.packed).query(expression, namespaces=NAMESPACES, variables=variables)
        return self._ours(found) if isinstance(found, Found) else found

    def _ours(self, found: Found) -> Any:
        """Describes the nodes that we found. The document node is left out, as lxml does."""
        rows = [
            self._row(found, label, node, text)
            for label, node, text in zip(found.labels(), found.nodes.tolist(), found.texts(), strict=True)
            if label[0] != DOCUMENT
        ]
        return Counter(rows) if any(label[0][0] == "&" for label in found.labels()) else rows

    def _row(self, found: Found, label: tuple[str, str], node: int, text: str) -> Any:
        name, address = label
        if name[0] == "&":
            return name[1:] or None, text
        if name[0] == "@":
            return node, f"{{{address}}}{name.rpartition(':')[2]}" if address else name[1:], text
        return (node, "text", text) if name in ("#text", "#cdata") else node

    def agree(self, expression: str, **variables: Any) -> None:
        """Asserts that lxml and we give the same answer."""
        ours, theirs = self.ours(expression, **variables), self.theirs(expression, **variables)
        assert same(ours, theirs), f"{expression}\nours:   {ours!r}\ntheirs: {theirs!r}"


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float):
        if math.isnan(ours) or math.isnan(theirs):
            return math.isnan(ours) and math.isnan(theirs)
        # libxml2 reads numbers of more than fifteen digits with an error in the last digit.
        return math.isclose(ours, theirs, rel_tol=1e-14)
    return (type(ours) is type(theirs) and ours == theirs) or _same_text(ours, theirs)


def _same_text(ours: Any, theirs: Any) -> bool:
    return isinstance(ours, str) and isinstance(theirs, str) and str(ours) == str(theirs)
