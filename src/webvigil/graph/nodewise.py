"""Two versions of one layout, node by node: which texts and which attributes are not the same.

Where the elements are the same, in the same order, a node of one version is that of the other, and a
difference is a place in two arrays. Nothing is worked out that a reader would see; that makes it quick.
"""

from __future__ import annotations

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, below
from webvigil.document.derived import cached_property
from webvigil.document.named import differing


class Nodewise:
    """Of whole pages of one layout only: in a part it counts what is around it."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old = old
        self._new = new

    @cached_property
    def texts(self) -> Longs:
        """The text nodes that say something else."""
        old, new = self._old, self._new
        if old.same_content(new):
            return np.zeros(0, dtype=np.int64)
        places = differing(old.texts, old.content, new.texts, new.content)
        return places[old.is_text[places]]

    @cached_property
    def attributes(self) -> frozenset[str] | None:
        """The names of attributes with another value; None where nodes have gained or lost one."""
        old, new = self._old, self._new
        if old.same_attributes(new):
            return frozenset()
        if not _same_rows(old, new):
            return None
        rows = differing(old.attribute_values, old.attribute_value, new.attribute_values, new.attribute_value)
        return frozenset(old.attribute_names[name] for name in np.unique(old.attribute_name[rows]).tolist())

    def keeps_attributes(self, *names: str) -> bool:
        """Are all attributes with these names as they were?"""
        return self.attributes is not None and self.attributes.isdisjoint(names)

    def keeps_texts_in(self, *tags: str) -> bool:
        """Is everything that is written inside these elements as it was?"""
        if not len(self.texts):
            return True
        return not below(self._old.is_tag(tags), self._old.sizes)[self.texts].any()


def _same_rows(old: PageDigest, new: PageDigest) -> bool:
    return (
        old.attribute_names == new.attribute_names
        and np.array_equal(old.attribute_node, new.attribute_node)
        and np.array_equal(old.attribute_name, new.attribute_name)
    )
