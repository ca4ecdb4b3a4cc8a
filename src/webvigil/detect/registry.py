"""The table of change types. A new change type is a module in this package and a line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webvigil.detect import (
    all_images,
    all_links,
    all_words,
    any_change,
    attributes,
    comments,
    content,
    exact_change,
    keywords,
    layout,
    lists,
    phrase,
    regular_expression,
    structure,
    tables,
    tags,
    value,
    visual,
    xml_any_change,
    xml_keywords,
    xml_phrase,
)
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType

Detector = Callable[[PageDigest, PageDigest, ChangeType], list[ObjectChange]]

DETECTORS: dict[str, Detector] = {
    "any change": any_change.detect,
    "exact change": exact_change.detect,
    "all links": all_links.detect,
    "all images": all_images.detect,
    "all words": all_words.detect,
    "keywords": keywords.detect,
    "phrase": phrase.detect,
    "table": tables.detect,
    "list": lists.detect,
    "regular expression": regular_expression.detect,
    "content": content.detect,
    "structure": structure.detect,
    "layout": layout.detect,
    "tags": tags.detect,
    "attributes": attributes.detect,
    "comments": comments.detect,
    "value": value.detect,
    "visual": visual.detect,
}

# On XML and JSON pages the same words at another place are another object (C13), so these types differ there.
XML_DETECTORS: dict[str, Detector] = {
    "any change": xml_any_change.detect,
    "keywords": xml_keywords.detect,
    "phrase": xml_phrase.detect,
}

# What a finding says beyond its objects: by how much a value changed, or that a whole table is gone.
NOTES: dict[str, Callable[[ChangeType, Sequence[ObjectChange]], str]] = {
    "value": value.note,
    "table": tables.note,
    "list": tables.note,
}

# These look at more than the document, so equal documents may still differ in them.
BEYOND_THE_DOCUMENT = frozenset({"exact change", "visual"})


def detector(change: ChangeType, kind: str) -> Detector:
    """Returns the function for a change type on pages of a kind ("html", "xml" and so on)."""
    detectors = DETECTORS | XML_DETECTORS if kind in ("xml", "json") else DETECTORS
    return detectors[change.kind]
