"""Two versions with the same layout in, the text nodes and attributes that differ out.

If both versions have the same elements in the same order, the nodes correspond by their number, and a
difference is a position in two arrays. This is quick because the text that a reader sees need not be built.
"""

from __future__ import annotations

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, below
from webvigil.document.derived import cached_property
from webvigil.document.named import differing


class Nodewise:
    """Compares two whole pages with the same layout. It is not meant for a part, because the arrays contain
    what surrounds the part, too."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old = old
        self._new = new

    @cached_property
    def texts(self) -> Longs:
        """The numbers of the text nodes whose text differs."""
        old, new = self._old, self._new
        if old.same_content(new):
            return np.zeros(0, dtype=np.int64)
        places = differing(old.texts, old.content, new.texts, new.content)
        return places[old.is_text[places]]

    @cached_property
    def attributes(self) -> frozenset[str] | None:
        """The names of the attributes whose values differ, or None if some node gained or lost one."""
        old, new = self._old, self._new
        if old.same_attributes(new):
            return frozenset()
        if not _same_rows(old, new):
            return None
        rows = differing(old.attribute_values, old.attribute_value, new.attribute_values, new.attribute_value)
        return frozenset(old.attribute_names[name] for name in np.unique(old.attribute_name[rows]).tolist())

    def keeps_attributes(self, *names: str) -> bool:
        """Returns True if no attribute with one of these names changed."""
        return self.attributes is not None and self.attributes.isdisjoint(names)

    def keeps_texts_in(self, *tags: str) -> bool:
        """Returns True if no text inside elements with these tags changed."""
        if not len(self.texts):
            return True
        return not below(self._old.is_tag(tags), self._old.sizes)[self.texts].any()


def _same_rows(old: PageDigest, new: PageDigest) -> bool:
    """Returns True if the same nodes have the same attributes, whatever their values."""
    return (
        old.attribute_names == new.attribute_names
        and np.array_equal(old.attribute_node, new.attribute_node)
        and np.array_equal(old.attribute_name, new.attribute_name)
    )
