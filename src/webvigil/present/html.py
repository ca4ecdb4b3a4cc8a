"""A presentation as one HTML file that needs nothing else: no script, no picture, no request (P4, P5).

It is made of our own elements; from the page come only words, escaped. The policy in its head forbids
everything but its own style. The marks are lines and signs as well as colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webvigil.model.change import ObjectChange
from webvigil.present.choose import View
from webvigil.present.comparison import Change, Comparison
from webvigil.present.escape import html_text
from webvigil.present.markup import CLASSES, marked
from webvigil.present.merged import merged
from webvigil.present.runs import GONE, side
from webvigil.present.side_by_side import side_by_side

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_OPEN = 30  # a longer list of changes is folded

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2125; --paper: #fff; --soft: #667; --line: #ccd;
  --new: #d9f5df; --new-ink: #0b5b23; --gone: #fde0de; --gone-ink: #8f1d14; --moved: #e3e8fb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --paper: #17191c; --soft: #9aa3ad;
  --line: #3a4048; --new: #12391f; --new-ink: #8fe3a7; --gone: #47201d; --gone-ink: #ffb1a8;
  --moved: #232c4d; } }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
main { overflow-x: auto; }
body.dual { max-width: 90rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.url, .amounts, .skipped, .excerpt { color: var(--soft); }
.skipped { text-align: center; border-block: 1px dashed var(--line); }
ins, del { unicode-bidi: isolate; border-radius: .2em; padding: 0 .1em; }
ins { background: var(--new); color: var(--new-ink); text-decoration: underline; font-weight: 600; }
del { background: var(--gone); color: var(--gone-ink); text-decoration: line-through; }
main .new, main .gone, main .changed, main .moved, main .left { border-inline-start: .25rem solid var(--soft);
  padding-inline-start: .5rem; }
main td.new, main td.gone, main td.changed, main th.new, main th.gone, main th.changed {
  border-inline-start-width: .15rem; }
main .new { border-color: var(--new-ink); }
main .gone, main .left { border-color: var(--gone-ink); }
main .moved ins, main .left del { background: var(--moved); color: inherit; }
main :not(tr).new::before, tr.new > :first-child::before { content: "+ "; }
main :not(tr).gone::before, tr.gone > :first-child::before { content: "− "; }
main :not(tr).changed::before, tr.changed > :first-child::before { content: "~ "; }
main :not(tr).moved::before, tr.moved > :first-child::before { content: "→ moved here: "; }
main :not(tr).left::before, tr.left > :first-child::before { content: "← moved away: "; }
main tr > .new::before, main tr > .gone::before, main tr > .changed::before { content: none; }
.line { font-family: ui-monospace, monospace; margin: 0; }
p.item { margin: 0 0 .3rem 1rem; }
p.item:not(.new, .gone, .changed, .moved, .left)::before { content: "• "; }
a.next { float: inline-end; text-decoration: none; color: var(--soft); padding: 0 .4rem; }
a.next::before { content: "↓"; }
:target { outline: 2px solid var(--soft); outline-offset: 2px; }
table { border-collapse: collapse; margin: .5rem 0; max-width: 100%; }
td, th { border: 1px solid var(--line); padding: .2rem .5rem; text-align: start; vertical-align: top; }
.border { border-block: 0; width: 2rem; }
.none { background: repeating-linear-gradient(45deg, transparent 0 .4rem, var(--line) .4rem .45rem); }
table.both { width: 100%; }
.pair > div > * { margin-block: .3rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem; position: relative; }
.pair > a.next { position: absolute; inset-inline-end: 50%; transform: translateX(50%); padding: 0; }
@media (max-width: 40rem) { body { padding: .5rem; } .pair { gap: 0 .8rem; } }
"""


def as_html(comparison: Comparison, view: View) -> str:
    """The whole document."""
    return "\n".join(_document(comparison, view)) + "\n"


def _document(comparison: Comparison, view: View) -> Iterator[str]:
    name = side(comparison.title, GONE) or comparison.url or "Page"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{html_text(POLICY)}"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield '<meta name="referrer" content="no-referrer"/>'
    yield f"<title>Changes: {html_text(name)}</title>\n<style>{_STYLE}</style>\n</head>"
    yield f'<body class="{"dual" if view.columns > 1 else "single"}">\n<header>'
    yield f'<h1 dir="auto">{marked(comparison.title) or html_text(name)}</h1>'
    if comparison.url:
        yield f'<p class="url">{html_text(comparison.url)}</p>'
    yield f'<p class="amounts">{html_text(comparison.amounts)}</p>'
    yield from _list(comparison.changes)
    yield from _objects("Links", comparison.links)
    yield from _objects("Pictures", comparison.pictures)
    yield "</header>\n<main>"
    show = side_by_side if view.columns > 1 else merged
    yield from show(view.items, len(comparison.changes))
    yield "</main>\n</body>\n</html>"


def _list(changes: Sequence[Change]) -> Iterator[str]:
    """Every change, with a way to it."""
    if not changes:
        return
    many = f"{len(changes):,} change{'s' if len(changes) > 1 else ''}"
    yield f'<details id="changes"{" open=" + chr(34) * 2 if len(changes) <= _OPEN else ""}>'
    yield f"<summary>{many}</summary>\n<ol>"
    for change in changes:
        links = [f"<li>− {html_text(url)}</li>" for url in change.links_gone]
        links += [f"<li>+ {html_text(url)}</li>" for url in change.links_new]
        inside = f"<ul>{''.join(links)}</ul>" if links else ""
        yield (
            f'<li class="{CLASSES[change.mark]}"><a href="#c{change.number}">{html_text(change.amount)}</a> '
            f'<span class="excerpt" dir="auto">{html_text(change.excerpt)}</span>{inside}</li>'
        )
    yield "</ol>\n</details>"


def _objects(name: str, objects: Sequence[ObjectChange]) -> Iterator[str]:
    """P2: a table of object, old count, new count, change."""
    if not objects:
        return
    yield f"<details>\n<summary>{name}: {len(objects):,} changed</summary>\n<table>"
    yield "<tr><th>Address</th><th>Before</th><th>After</th><th>Change</th></tr>"
    for one in objects:
        old, new = one.old or 0, one.new or 0
        yield f"<tr><td>{html_text(one.object)}</td><td>{old}</td><td>{new}</td><td>{new - old:+d}</td></tr>"
    yield "</table>\n</details>"
