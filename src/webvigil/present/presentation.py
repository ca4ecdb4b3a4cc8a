"""Two versions of a page in, one of the presentations in one of the formats out (P1, P5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from webvigil.document import PageDigest
from webvigil.model.change import Finding
from webvigil.present.choose import How, view
from webvigil.present.comparison import compare
from webvigil.present.html import as_html
from webvigil.present.markdown import as_markdown
from webvigil.present.text import as_text


class Form(StrEnum):
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
) -> str:
    """`findings` help to choose where `how` is auto; `width` is that of the terminal or text file."""
    comparison = compare(old, new)
    chosen = view(comparison, How(how), findings)
    match Form(form):
        case Form.HTML:
            return as_html(comparison, chosen)
        case Form.MARKDOWN:
            return as_markdown(comparison, chosen)
        case other:
            return as_text(comparison, chosen, colour=other is Form.TERMINAL, width=width)
