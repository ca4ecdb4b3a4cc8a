"""Findings in, whether they tell of nothing but what went away out (Q4).

A text that is missing for a moment (an application left it out because a database was slow, a part was not
ready) looks like one that was taken away. Only a further look can tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.model.change import Finding, Status
from webvigil.model.change_types import KINDS

_GOING = (Status.GONE, Status.FEWER)


def only_went(findings: Iterable[Finding]) -> bool:
    """Tells whether all objects went away, and were found by change types that `Quiet` is for."""
    told = [finding for finding in findings if finding.objects]
    return bool(told) and all(
        finding.type in KINDS
        and KINDS[finding.type].quieted
        and all(one.status in _GOING for one in finding.objects)
        for finding in told
    )
