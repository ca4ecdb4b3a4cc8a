"""A page in, a document to click on out, in which each element carries its number in our tree (U1).

The page is shown like changed pages are: in its own look, sanitised, with nothing active but our own script.
That script tells the document around it the number of the clicked element, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from webvigil.document import PageDigest
from webvigil.present.dressed import dressed
from webvigil.present.framed import LARGEST
from webvigil.present.html import Showing
from webvigil.present.html_text import html_text
from webvigil.present.marks import Marks
from webvigil.present.static import PAGE_STYLE, PICK_SCRIPT, PICK_STYLE, PLAIN_STYLE


def can_be_picked_from(page: PageDigest) -> bool:
    """Tells whether a page is HTML and small enough to be shown in its own look."""
    return page.kind == "html" and len(page) <= LARGEST


def pickable(
    page: PageDigest,
    kinds: Mapping[int, str],
    showing: Showing,
    *,
    token: str,
    home: str,
    plain: bool = False,
) -> str:
    """Returns the whole document. Its script sends messages to the origin `home` alone, and shows `token` in
    each.

    `plain`: without the style sheets of the page, so that nothing covers the elements.
    """
    shown = dressed(page, Marks(kinds=kinds), showing.dress)
    sheets = (PLAIN_STYLE,) if plain else shown.sheets
    styles = "".join([f"<style>{sheet}</style>" for sheet in (PAGE_STYLE, PICK_STYLE, *sheets)])
    script = (
        f'<script nonce="{html_text(showing.nonce)}" data-token="{html_text(token)}" '
        f'data-home="{html_text(home)}">{PICK_SCRIPT}</script>'
    )
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(page.title)}</title>{styles}</head>"
        f"<body{shown.attributes}>{shown.html}{script}</body></html>"
    )
