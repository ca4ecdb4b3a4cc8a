"""The row of a page in SQL in, its identity out, and back."""

from __future__ import annotations

from typing import Any

from webvigil.model.approach import approach_from_text, approach_text
from webvigil.model.page import Page


def page_of(row: Any) -> Page:
    return Page(
        url=row.url,
        method=row.method,
        fields=tuple((name, value) for name, value in row.fields),
        render=row.render,
        login=row.login,
        approach=approach_from_text(row.approach),
    )


def identity_of(page: Page) -> dict[str, Any]:
    """Returns the columns that say which page it is."""
    return {
        "key": page.key,
        "url": page.url,
        "method": page.method,
        "fields": page.fields,
        "render": page.render,
        "login": page.login,
        "approach": approach_text(page.approach),
    }
