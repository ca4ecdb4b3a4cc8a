"""When a sentinel wants to look, as a worker needs it: its Fetch clause and the time zone of its user."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.sentinel import FetchWhen


@dataclass(frozen=True, slots=True)
class Schedule:
    fetch: FetchWhen
    zone: str
