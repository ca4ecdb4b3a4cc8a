"""How far the analysis of a page may go (S5): the most requests, pages, forms, characters and seconds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webvigil.fetch.client import Cookies
from webvigil.model.page import Page
from webvigil.model.version import Answer

Ask = Callable[[Page, Cookies], Awaitable[Answer]]
"""Fetches a page, politely, with the cookies of a visit. Raises PageError if the page cannot be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of an analysis. A probe is one request of any kind.

    `probes_per_site` is what the site has left when the analysis begins. `indirections` counts the pages
    between form and result, `wait` is the longest time in seconds that a page may make us wait. `post` allows
    forms that are sent with POST, `browser` says that a browser is available to render pages. `descriptions`
    says that searches which the page describes for programs are asked as well.
    """

    probes_per_form: int = 12
    probes_per_site: int = 60
    indirections: int = 3
    forms: int = 40
    text: int = 400_000
    wait: float = 5.0
    post: bool = False
    browser: bool = False
    descriptions: bool = True
