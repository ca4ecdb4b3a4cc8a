"""Two documents about the state of a page in, what changed of the state out: up or down, status, address …

`fetch.status` writes these documents. Other pages have no state here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

_TOLD = ("state", "status", "address", "certificate")


class Fact(NamedTuple):
    text: str
    node: int


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    """Returns the facts that differ. A page that does not answer has nothing but its state, so that only that
    is told, with the reason."""
    before, after = facts(old), facts(new)
    where = Where(new)
    return [
        ObjectChange(
            object=name,
            status=Status.UPDATED,
            before=_said(before, name),
            after=_said(after, name),
            where=where.paths(after[name].node),
        )
        for name in _TOLD
        if name in before and name in after and before[name].text != after[name].text
    ]


def is_there(digest: PageDigest, _: ChangeType) -> bool:
    return bool(facts(digest))


def facts(digest: PageDigest) -> dict[str, Fact]:
    cells = digest.nodes_of("td").tolist()
    named = ((digest.attribute(node, "data-status"), node) for node in cells)
    return {name: Fact(digest.text(node).strip(), node) for name, node in named if name}


def status_of(digest: PageDigest) -> int | None:
    """Returns the status of the answer; 0 if there was none, None for a document about something else."""
    found = facts(digest)
    number = re.match(r"\d+", found["status"].text) if "status" in found else None
    return int(number[0]) if number else 0 if "state" in found else None


def _said(found: dict[str, Fact], name: str) -> str:
    reason = f" ({found['reason'].text})" if name == "state" and "reason" in found else ""
    return found[name].text + reason
