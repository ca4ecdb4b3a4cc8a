"""Which versions are still needed (R1): no watch looks at one before its `oldest_needed`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, case

from webvigil.store.sql.schema import watch


def oldest_needed() -> ColumnElement[Any]:
    """Of a row of `watch`: the version it is compared with, or an older one that values are measured from.

    All versions from there on may be asked for: `every n` and `moving n` take them one after the other.
    """
    measured, reference = watch.c.measured_from, watch.c.reference
    return case(((measured > 0) & (measured < reference), measured), else_=reference)
