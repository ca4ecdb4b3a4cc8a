"""The record that the database's clock was set back: when this was noticed, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.moment import Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBack:
    at: Millis
    by: Millis
