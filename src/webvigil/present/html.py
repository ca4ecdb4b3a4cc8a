"""A comparison in, one HTML file out that needs no request and no script but our own (P4, P5).

The file is made of our own elements; only escaped words come from the page. The policy in its head forbids
everything but its own style and its script for stepping from change to change. The marks are lines and signs
as well as colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from webvigil.model.change import ObjectChange, Status
from webvigil.model.short_text import short_text
from webvigil.present.choose import View
from webvigil.present.comparison import Change, Comparison, counted
from webvigil.present.css import data_picture
from webvigil.present.dressed import Dress
from webvigil.present.html_text import html_text
from webvigil.present.instalments import SECTION, SIZE, instalments, parts_of_changes
from webvigil.present.markup import CLASSES, marked
from webvigil.present.merged import merged
from webvigil.present.runs import GONE, side
from webvigil.present.side_by_side import side_by_side
from webvigil.present.static import PAGE_SCRIPT, SHOW_SCRIPT, SHOW_STYLE, hash_of
from webvigil.present.swipe import Drawn

_OPEN = 30  # Changes; a longer list is folded.
_LISTED = 500  # Rows in the tables of links, pictures and attributes; the rest is counted.
LONGEST_ADDRESS = 300  # Characters of an address in these tables.


@dataclass(frozen=True, slots=True)
class Showing:
    """How a document is shown. In a file (no `nonce`) the policy stands in the head; a server sends the
    policy in a header.

    `part` is the number of the only part of a long page to show, counted from 1, and `link` makes the address
    of another part; 0 shows all parts. With `bare`, the page around the document shows its title, the list of
    changes and the buttons, and the document tells it the changes in `told` (JSON). `captions` say which two
    versions are compared. `drawn` are the pictures that a browser took of the two versions, if it did.
    """

    nonce: str = ""
    dress: Dress = field(default_factory=Dress)
    part: int = 0
    link: Callable[[int], str] = "?part={}".format
    bare: bool = False
    told: str = ""
    captions: tuple[str, str] = ("", "")
    drawn: tuple[Drawn, Drawn] | None = None


def policy(script: str, pictures: str = "data:") -> str:
    """Returns the content security policy of a shown page: `script` says what may run, `pictures` where
    pictures may come from."""
    return (
        f"default-src 'none'; script-src {script}; style-src 'unsafe-inline'; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


POLICY = policy(f"'{hash_of(SHOW_SCRIPT)}' '{hash_of(PAGE_SCRIPT)}'")


def as_html(
    comparison: Comparison,
    view: View,
    showing: Showing | None = None,
    attributes: Sequence[ObjectChange] = (),
) -> str:
    """Returns the whole document, made of the page's words."""
    showing = showing or Showing()
    parts = instalments(view.items, SIZE if showing.part else SECTION)
    chosen = min(showing.part, len(parts))
    show = side_by_side if view.columns > 1 else merged
    shown = parts[chosen - 1 : chosen] if chosen else parts
    main = chain(
        _parts_bar(showing, chosen, len(parts)),
        _sections([show(part, len(comparison.changes)) for part in shown], alone=len(shown) == 1),
        _parts_bar(showing, chosen, len(parts)),
    )
    where = parts_of_changes(parts) if chosen and len(parts) > 1 else {}
    return document(
        comparison,
        main,
        showing,
        attributes=attributes,
        kind="dual" if view.columns > 1 else "single",
        target=lambda number: _target(showing, where, chosen, number),
    )


def document(
    comparison: Comparison,
    main: Iterable[str],
    showing: Showing,
    *,
    attributes: Sequence[ObjectChange] = (),
    kind: str,
    main_kind: str = "",
    target: Callable[[int], str] = "#c{}".format,
    amounts: str = "",
) -> str:
    """Returns the frame around the shown content: title, amounts (those of the comparison unless given), the
    list of changes, the tables and the keys."""
    name = side(comparison.title, GONE) or comparison.url or "Page"
    # If no block changed, the tables are all there is to see: they begin unfolded.
    alone = not comparison.changes and kind != "framed"
    said = amounts or comparison.amounts
    if showing.bare:
        shown = f'<p class="amounts">{html_text(said)}</p>' if amounts or not comparison.changes else ""
        told = f' data-told="{html_text(showing.told)}"' if showing.told else ""
        first = [f'<body class="{kind} bare" data-total="{len(comparison.changes)}"{told}>']
        first += [shown, *_tables(comparison, attributes, showing, is_open=True)] if alone else []
    else:
        first = [
            f'<body class="{kind}">\n<header>',
            f'<h1 dir="auto">{marked(comparison.title) or html_text(name)}</h1>',
            f'<p class="url">{html_text(comparison.url)}</p>' if comparison.url else "",
            f'<p class="amounts">{html_text(said)}</p>',
            *_list(comparison.changes, target, folded=kind == "framed"),
            *_tables(comparison, attributes, showing, is_open=alone),
            _TOOLS if comparison.changes and kind == "framed" else "",
            "</header>",
            _TOOLS if comparison.changes and kind != "framed" else "",
        ]
    parts = [
        *_head(name, showing),
        *first,
        f'<main class="{main_kind}">' if main_kind else "<main>",
        *main,
        f"</main>\n{script(SHOW_SCRIPT, showing)}\n</body>\n</html>",
    ]
    return "\n".join(filter(None, parts)) + "\n"


def _tables(
    comparison: Comparison, attributes: Sequence[ObjectChange], showing: Showing, *, is_open: bool
) -> Iterator[str]:
    """Yields the tables of links, pictures and attributes that changed."""
    yield from _objects("Links", comparison.links, is_open=is_open)
    yield from _objects("Pictures", comparison.pictures, showing.dress, is_open=is_open)
    yield from _attributes(attributes)


def script(source: str, showing: Showing) -> str:
    nonce = f' nonce="{html_text(showing.nonce)}"' if showing.nonce else ""
    return f"<script{nonce}>{source}</script>"


_TOOLS = (
    '<p class="tools"><button type="button" data-key="p">↑ Previous <kbd>p</kbd></button>'
    '<button type="button" data-key="n">↓ Next <kbd>n</kbd></button><span id="here" role="status"></span></p>'
)


def _head(name: str, showing: Showing) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>'
    if not showing.nonce:
        yield f'<meta http-equiv="Content-Security-Policy" content="{html_text(POLICY)}"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield '<meta name="referrer" content="no-referrer"/>'
    yield f"<title>Changes: {html_text(name)}</title>\n<style>{SHOW_STYLE}</style>\n</head>"


def _sections(parts: Sequence[Iterable[str]], *, alone: bool) -> Iterator[str]:
    """Yields each part in a section of its own, so that a browser lays out only the parts that are on the
    screen."""
    for part in parts:
        inside = "\n".join(part)
        yield inside if alone else f'<section class="part">\n{inside}\n</section>'


def _parts_bar(showing: Showing, part: int, last: int) -> Iterator[str]:
    if part and last > 1:
        before = f'<a href="{html_text(showing.link(part - 1))}">← Part {part - 1}</a>' if part > 1 else ""
        behind = f'<a href="{html_text(showing.link(part + 1))}">Part {part + 1} →</a>' if part < last else ""
        yield f'<p class="parts">{before}<span>Part {part} of {last}</span>{behind}</p>'


def _target(showing: Showing, where: dict[int, int], part: int, number: int) -> str:
    there = where.get(number, part - 1) + 1
    return f"#c{number}" if there == part or not where else f"{showing.link(there)}#c{number}"


def _list(changes: Sequence[Change], target: Callable[[int], str], *, folded: bool) -> Iterator[str]:
    """Yields the list of all changes, each with a link to it."""
    if not changes:
        return
    many = f"{len(changes):,} change{'s' if len(changes) > 1 else ''}"
    is_open = len(changes) <= _OPEN and not folded
    yield f'<details id="changes"{" open=" + chr(34) * 2 if is_open else ""}>'
    yield f"<summary>{many}</summary>\n<ol>"
    for change in changes:
        links = [f"<li>− {html_text(url)}</li>" for url in change.links_gone[:_LISTED]]
        links += [f"<li>+ {html_text(url)}</li>" for url in change.links_new[:_LISTED]]
        if more := len(change.links_gone) + len(change.links_new) - len(links):
            links.append(f"<li>… {more:,} more</li>")
        inside = f"<ul>{''.join(links)}</ul>" if links else ""
        yield (
            f'<li class="{CLASSES[change.mark]}"><a href="{html_text(target(change.number))}" '
            f'data-number="{change.number}">{html_text(change.amount)}</a> '
            f'<span class="excerpt" dir="auto">{html_text(change.excerpt)}</span>{inside}</li>'
        )
    yield "</ol>\n</details>"


def _objects(
    name: str, objects: Sequence[ObjectChange], dress: Dress | None = None, *, is_open: bool = False
) -> Iterator[str]:
    """Yields the table of links or pictures: address, old count, new count, change (P2). Pictures are shown
    in the table."""
    if not objects:
        return
    opened = ' open=""' if is_open else ""
    yield f'<details class="objects"{opened}>\n<summary>{name}: {len(objects):,} changed</summary>\n<table>'
    yield "<tr><th>Address</th><th>Before</th><th>After</th><th>Change</th></tr>"
    for one in objects[:_LISTED]:
        old, new = counted(one)
        before = f"{old}{thumbnail(one.object, dress.of_old) if dress and old else ''}"
        after = f"{new}{thumbnail(one.object, dress) if dress and new else ''}"
        named = html_text(short_text(one.object, LONGEST_ADDRESS))
        told = "another picture" if one.status is Status.UPDATED else f"{new - old:+d}"
        yield f"<tr><td>{named}</td><td>{before}</td><td>{after}</td><td>{told}</td></tr>"
    if len(objects) > _LISTED:
        yield f'<tr><td colspan="4">… {len(objects) - _LISTED:,} more</td></tr>'
    yield "</table>\n</details>"


def thumbnail(url: str, dress: Dress) -> str:
    shown = data_picture(url) or dress.address(url)
    return f'<img alt="" loading="lazy" src="{html_text(shown)}"/>' if shown else ""


def _attributes(changed: Sequence[ObjectChange]) -> Iterator[str]:
    """Yields the table of changes that a reader does not see in the text: other link targets, descriptions
    and titles."""
    if not changed:
        return
    yield f'<details class="objects">\n<summary>Attributes: {len(changed):,} changed</summary>\n<table>'
    yield "<tr><th>Attribute</th><th>Before</th><th>After</th><th>Where</th></tr>"
    for one in changed[:_LISTED]:
        cells = (one.object, one.before or "", one.after or "", one.where[0] if one.where else "")
        yield "<tr>" + "".join([f"<td>{html_text(text[:300])}</td>" for text in cells]) + "</tr>"
    if len(changed) > _LISTED:
        yield f'<tr><td colspan="4">… {len(changed) - _LISTED:,} more</td></tr>'
    yield "</table>\n</details>"
