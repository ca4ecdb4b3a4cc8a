"""A page with forms and a service class in, what each form turned out to be out (S3)."""

from __future__ import annotations

from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import ServiceClass
from webvigil.model.page import Page
from webvigil.model.version import Answer

__all__ = ["Ask", "Bounds", "analyse"]


async def analyse(
    page: Page, answer: Answer, service: ServiceClass, ask: Ask, bounds: Bounds
) -> list[Analysis]:
    """One for each form; one in all for a page without forms. Raises nothing of the pages it asks for."""
    raise NotImplementedError
