"""The looks of forms and results: careful, handwritten or generated markup; lists, tables and prose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tests.zoo.databases import Row


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One field of a form. With choices it is a list to choose from."""

    name: str
    label: str = ""
    kind: str = "text"
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()


FormLook = Callable[[list[Entry], str], str]
"""Takes the fields and the button's label, and returns the inside of the form."""


def labelled(entries: list[Entry], button: str) -> str:
    rows = [
        f'<p><label for="id-{e.name}">{e.label}</label> {_control(e, f"id-{e.name}")}</p>' for e in entries
    ]
    return "\n".join(rows) + f"\n<button type=submit>{button}</button>"


def wrapped(entries: list[Entry], button: str) -> str:
    rows = [f"<label><span>{e.label}:</span> {_control(e)}</label><br>" for e in entries]
    return "".join(rows) + f'<input type="submit" name="btn" value="{button}">'


def tabular(entries: list[Entry], button: str) -> str:
    rows = "".join(f"<tr><td align=right><b>{e.label}</b>:</td><td>{_control(e)}</td></tr>" for e in entries)
    return f"<table border=0>{rows}<tr><td><td><input type=submit value='{button}'><input type=reset></table>"


def placed(entries: list[Entry], button: str) -> str:
    """Writes placeholders instead of labels, and an image instead of a button."""
    shown = "".join(_control(e).replace("<input", f'<input placeholder="{e.label}"', 1) for e in entries)
    return f'{shown}<input type="image" src="go.gif" alt="{button}">'


def soup(entries: list[Entry], button: str) -> str:
    """Closes no element and quotes few attributes."""
    rows = "".join(f"<LI>{e.label} <FONT SIZE=2>{_control(e)}" for e in entries)
    return f"<UL>{rows}</UL><B><CENTER><INPUT TYPE=SUBMIT VALUE={button.split()[0]}></B>"


def prose(entries: list[Entry], button: str) -> str:
    told = " ".join(f"{e.label} {_control(e)}" for e in entries)
    return f"<fieldset><legend>{button}</legend>{told}</fieldset><button><i></i> {button}</button>"


FORM_LOOKS: tuple[FormLook, ...] = (labelled, wrapped, tabular, placed, soup, prose)


def _control(entry: Entry, identity: str = "") -> str:
    marked = f' id="{identity}"' if identity else ""
    if entry.choices:
        options = "".join(
            f'<option value="{escape(value)}"{" selected" if value == entry.value else ""}>{escape(text)}</option>'
            for value, text in entry.choices
        )
        return f'<select name="{entry.name}"{marked}>{options}</select>'
    if entry.kind == "textarea":
        return f'<textarea name="{entry.name}"{marked} rows=8 cols=60></textarea>'
    return f'<input type="{entry.kind}" name="{entry.name}" value="{escape(entry.value)}"{marked}>'


ResultLook = Callable[[tuple[str, ...], list[Row]], str]
"""Takes headings and rows, and returns the markup of a result."""


def table(heads: tuple[str, ...], rows: list[Row]) -> str:
    head = "".join(f"<th>{one}</th>" for one in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(one)}</td>" for one in row) + "</tr>\n" for row in rows)
    return f'<table class="t"><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>'


def items(heads: tuple[str, ...], rows: list[Row]) -> str:
    told = "".join(f"<li><b>{escape(row[0])}</b>, {escape(', '.join(row[1:]))}</li>\n" for row in rows)
    return f"<ol>{told}</ol>"


def cards(heads: tuple[str, ...], rows: list[Row]) -> str:
    return "".join(
        f'<div class="card"><h3><a href="d?n={n}">{escape(row[0])}</a></h3>'
        + "".join(f"<div>{escape(one)}</div>" for one in row[1:])
        + "</div>\n"
        for n, row in enumerate(rows)
    )


def definitions(heads: tuple[str, ...], rows: list[Row]) -> str:
    return (
        "<dl>" + "".join(f"<dt>{escape(row[0])}<dd>{escape(' – '.join(row[1:]))}" for row in rows) + "</dl>"
    )


def lines(heads: tuple[str, ...], rows: list[Row]) -> str:
    return "".join(f"<P>{escape(row[0])}<BR>{escape(' | '.join(row[1:]))}<HR>" for row in rows)


def preformatted(heads: tuple[str, ...], rows: list[Row]) -> str:
    told = "\n".join("  ".join(f"{one:<28}" for one in row).rstrip() for row in rows)
    return f"<pre>\n{escape(told)}\n</pre>"


RESULT_LOOKS: tuple[ResultLook, ...] = (table, items, cards, definitions, lines, preformatted)


def page(title: str, body: str, *, old: bool = False) -> str:
    if old:
        return f"<HTML><TITLE>{title}</TITLE><BODY BGCOLOR=white><H1>{title}</H1>{body}"
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body>'
        f'<nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/help">Help</a></nav>'
        f"<main><h1>{title}</h1>{body}</main><footer>© the zoo</footer></body></html>"
    )
