"""Two versions of a page in, one of the presentations in one of the formats out (P1, P5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from webvigil.detect import attributes
from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange
from webvigil.present.choose import How, view
from webvigil.present.comparison import compare
from webvigil.present.framed import as_page
from webvigil.present.html import Showing, as_html
from webvigil.present.markdown import as_markdown
from webvigil.present.text import as_text

# What a reader cannot see in the text of an element that stayed.
_TOLD = frozenset({"href", "src", "srcset", "alt", "title", "action", "datetime", "aria-label"})


class Form(StrEnum):
    """`page` is HTML in the page's own look where that can be, `html` is made of its words alone."""

    PAGE = "page"
    HTML = "html"
    TEXT = "text"
    TERMINAL = "terminal"
    MARKDOWN = "markdown"


def present(
    old: PageDigest,
    new: PageDigest,
    how: How | str = How.AUTO,
    form: Form | str = Form.HTML,
    *,
    findings: Sequence[Finding] = (),
    width: int = 100,
    showing: Showing | None = None,
) -> str:
    """`findings` help to choose where `how` is auto; `width` is that of the terminal or text file."""
    comparison = compare(old, new)
    chosen = view(comparison, How(how), findings)
    match Form(form):
        case Form.PAGE | Form.HTML as html:
            told = attribute_changes(old, new)
            if html is Form.PAGE and not chosen.only:
                page = as_page(comparison, old, new, columns=chosen.columns, showing=showing, attributes=told)
                if page is not None:
                    return page
            return as_html(comparison, chosen, showing, told)
        case Form.MARKDOWN:
            return as_markdown(comparison, chosen)
        case other:
            return as_text(comparison, chosen, colour=other is Form.TERMINAL, width=width)


def attribute_changes(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    """Attributes of elements that stayed, as far as they say something to a reader."""
    return attributes.updated(old, new, _TOLD)
