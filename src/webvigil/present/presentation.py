"""Two versions of a page in, one of the presentations in one of the output formats out (P1, P5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from webvigil.detect import attributes
from webvigil.detect.edits import SetAttribute
from webvigil.detect.quiet.addresses import meant
from webvigil.detect.quiet.calm import is_unseen
from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange
from webvigil.present.aspect import Aspect, aspect
from webvigil.present.choose import How, view
from webvigil.present.claimed import with_claims
from webvigil.present.comparison import compare, tabled
from webvigil.present.framed import as_page
from webvigil.present.html import Showing, as_html
from webvigil.present.markdown import as_markdown
from webvigil.present.text import as_text

# Attributes whose change matters to a reader though the visible text of the element stays the same.
_ADDRESSES = frozenset({"href", "src", "action"})
_TOLD = frozenset({"href", "src", "srcset", "alt", "title", "action", "datetime", "aria-label"})


class Form(StrEnum):
    """The output formats. `page` is HTML in the page's own look if possible, `html` is made of the page's
    words alone."""

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
    """Compares two versions and returns the presentation as a document.

    `findings` help to choose a presentation where `how` is auto: links or pictures alone are shown as their
    table, anything else as `choose` says. `width` is the width of the terminal or text
    file.
    """
    comparison = compare(old, new, findings)
    if How(how) is How.AUTO and (what := _tabled({one.type for one in findings if one.changed})):
        if Form(form) in (Form.PAGE, Form.HTML):
            return aspect(old, new, what, findings=findings, showing=showing)
        comparison = tabled(comparison, _TABLES[what])
    if showing is not None and showing.bare:
        comparison, showing = with_claims(comparison, findings, showing)
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


_TABLES = {Aspect.LINKS: "links", Aspect.IMAGES: "pictures"}


def _tabled(types: set[str]) -> Aspect | None:
    """Returns the table that alone shows changes of these types: that of links or that of pictures. None for
    any other types, and for both together."""
    alone = {"all links": Aspect.LINKS, "all images": Aspect.IMAGES}
    return alone.get(next(iter(types))) if len(types) == 1 else None


def attribute_changes(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    """Returns the changed attributes that matter to a reader, of elements that both versions have: not those
    of an element that nobody sees, nor an address that means the same as before (Q1). The attributes of XML
    are data: all of them matter."""

    def counts(edit: SetAttribute) -> bool:
        addresses = edit.name in _ADDRESSES and edit.before is not None and edit.after is not None
        same = addresses and meant(str(edit.before)) == meant(str(edit.after))
        return not same and not is_unseen(new, edit.node)

    is_data = new.kind == "xml" and not new.is_html
    return attributes.updated(old, new, old.attribute_index if is_data else _TOLD, counts)
