"""The XML of a service class in, a ServiceClass out, or the line of what is wrong in it (S1)."""

from __future__ import annotations

from webvigil.discover.description import ServiceClass

__all__ = ["ServiceClass", "read_service_class", "service_class", "shipped"]


def read_service_class(data: bytes) -> ServiceClass:
    """Raises MistakeInText with the line of the first thing that is wrong."""
    raise NotImplementedError


def shipped() -> tuple[str, ...]:
    """The names of the classes that come with WebVigil."""
    raise NotImplementedError


def service_class(name: str) -> ServiceClass:
    """One of those, by name. Raises NotFound."""
    raise NotImplementedError
