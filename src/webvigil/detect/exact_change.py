"""Two pages in, a change out if any byte differs (C1).

For a part of a page, or a digest without its bytes, the documents themselves are compared.
"""

from __future__ import annotations

from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    before, after = old.source_hash, new.source_hash
    if not (before and after):
        before, after = old.signature, new.signature
    if before == after:
        return []
    return [
        ObjectChange(
            object="page", status=Status.UPDATED, before=before.hex(), after=after.hex(), where=("/",)
        )
    ]
