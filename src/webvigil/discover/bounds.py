"""How far an analysis may go (S5): a site is asked as little as will do, and never more than this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webvigil.model.page import Page
from webvigil.model.version import Answer

Ask = Callable[[Page], Awaitable[Answer]]
"""Fetches a page, politely; raises PageError where it does not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A probe is one request, of whatever kind.

    `probes_per_site` is what is left for the site when the analysis begins. `indirections` counts the pages
    between form and result, `wait` the seconds that a page may make us wait before we go on. `post` allows
    forms that are sent with POST, `browser` says that pages can be had rendered.
    """

    probes_per_form: int = 12
    probes_per_site: int = 60
    indirections: int = 3
    forms: int = 40
    text: int = 400_000
    wait: float = 5.0
    post: bool = False
    browser: bool = False
