"""From a capability profile to a sentinel: watch what a discovered service answers to a query (S6)."""

from __future__ import annotations

from collections.abc import Mapping

from webvigil.discover.analysis import Profile
from webvigil.model.sentinel import Sentinel


def sentinel_for(profile: Profile, arguments: Mapping[str, str] | None = None, *, name: str = "") -> Sentinel:
    """Arguments that are left out stay as in the profile; without a name one is made from the class and them.

    Raises SentinelRefused where no single request brings the answer, or an argument is unknown.
    """
    raise NotImplementedError


def sentinel_text(profile: Profile, arguments: Mapping[str, str] | None = None, *, name: str = "") -> str:
    """The same as canonical text."""
    raise NotImplementedError
