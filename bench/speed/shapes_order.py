"""Hostile orders: the same pieces reversed, dealt, repeated, or in random order."""

from __future__ import annotations

from bench.speed.making import (
    Shape,
    Versions,
    around,
    by_chance,
    dealt,
    each,
    filled,
    html,
    reversed_pieces,
    shuffled,
)


def _morse(size: int) -> Versions:
    """Returns a sequence of two words in which no part comes three times in a row (Thue and Morse), and the
    same sequence with the two words exchanged."""
    words = ("a ", "b ")
    old = [words[number.bit_count() & 1] for number in range(size // 2)]
    return "".join(old), "".join(words[one == "a "] for one in old)


def _doubled(size: int) -> Versions:
    old = [f"<p>word {number} a b" for number in range(size // 40)]
    return "".join(old), "".join(one + one for one in old)


def _exchanged_columns(size: int, columns: int) -> Versions:
    rows = range(size // (columns * 9))
    order = [(place * 7 + 3) % columns for place in range(columns)]
    old = (f"<td>{row % 89}x{place}" for row in rows for place in ("tr", *range(columns)))
    new = (f"<td>{row % 89}x{place}" for row in rows for place in ("tr", *order))
    return around(
        "<table>",
        ("".join(map(_row_start, old)), "".join(map(_row_start, new))),
        "</table>",
    )


def _row_start(cell: str) -> str:
    return "<tr>" if cell.endswith("xtr") else cell


def _moved_across(size: int) -> Versions:
    items = [f"<li>word {number}" for number in range(size // 20)]
    half = len(items) // 2
    first, second = "".join(items[:half]), "".join(items[half:])
    return (
        f"<ul>{first}</ul><ol>{second}</ol>",
        f"<ul>{second}</ul><ol>{first}</ol>",
    )


ORDERS: dict[str, Shape] = {
    "words, all shuffled": lambda size: html(shuffled(size, lambda n: f"w{n} ")),
    "words, reversed": lambda size: html(reversed_pieces(size, lambda n: f"w{n} ")),
    "words, dealt": lambda size: html(dealt(size, lambda n: f"w{n} ")),
    "words of Thue and Morse": lambda size: html(_morse(size)),
    "words of two periods": lambda size: html((filled("a b c ", size), filled("a b c d ", size))),
    "words by chance, shifted": lambda size: html((filled("a b a a b ", size), filled("b a b a a ", size))),
    "paragraphs by chance": lambda size: html(by_chance(size, ("<p>a", "<p>b", "<p>c d"))),
    "paragraphs, reversed": lambda size: html(reversed_pieces(size, lambda n: f"<p>word {n} a b")),
    "paragraphs, dealt": lambda size: html(dealt(size, lambda n: f"<p>word {n} a b")),
    "paragraphs, doubled": lambda size: html(_doubled(size)),
    "paragraphs, new ones between": lambda size: html(
        each(size, lambda n, v: f"<p>word {n} a" + f"<p>new {n}" * v)
    ),
    "items by chance": lambda size: html(around("<ul>", by_chance(size, ("<li>a", "<li>b", "<li>c d")))),
    "items, reversed": lambda size: html(around("<ul>", reversed_pieces(size, lambda n: f"<li>word {n}"))),
    "items, moved to another list": lambda size: html(_moved_across(size)),
    "rows by chance": lambda size: html(
        around("<table>", by_chance(size, ("<tr><td>a<td>b", "<tr><td>b<td>a", "<tr><td>c<td>c")))
    ),
    "rows, reversed": lambda size: html(
        around("<table>", reversed_pieces(size, lambda n: f"<tr><td>{n}<td>{n % 7}<td>word"))
    ),
    "rows, dealt": lambda size: html(
        around("<table><tr><th>a<th>b", dealt(size, lambda n: f"<tr><td>{n % 50}<td>{n}"))
    ),
    "columns exchanged, 7": lambda size: html(_exchanged_columns(size, 7)),
    "columns exchanged, 1,000": lambda size: html(_exchanged_columns(size, 1000)),
    "tables, shuffled": lambda size: html(shuffled(size, lambda n: f"<table><tr><td>{n}<td>a</table>")),
    "lists, shuffled": lambda size: html(shuffled(size, lambda n: f"<ul><li>{n}<li>{n + 1}</ul>")),
    "sections, shuffled": lambda size: html(
        shuffled(size, lambda n: f"<section><h2>part {n}</h2><p>text {n}</section>")
    ),
    "pictures, shuffled": lambda size: html(shuffled(size, lambda n: f"<img src=/{n} alt='picture {n}'>")),
    "links by chance": lambda size: html(
        by_chance(size, ("<a href=/a>x</a> ", "<a href=/b>y</a> ", "<a href=/a>z</a> "))
    ),
    "links to one place, texts shuffled": lambda size: html(
        shuffled(size, lambda n: f"<a href=/a>word {n}</a> ")
    ),
    "elements by chance": lambda size: html(by_chance(size, ("<b>x</b>", "<i>y</i>", "<u></u>", "<s>z</s>"))),
    "one letter in each element": lambda size: html(
        each(size, lambda n, v: f"<b>{chr(97 + (n * (3 + v)) % 26)}</b>")
    ),
    "divs by chance": lambda size: html(by_chance(size, ("<div>a", "</div>", "<div>b", "</div>"))),
    "attributes by chance": lambda size: html(
        by_chance(size, ("<p class=a>x", "<p class=b>x", "<p id=a>x", "<p>x"))
    ),
    "lines by chance": lambda size: (by_chance(size, ("a\n", "b\n", "c d\n")), "text/plain"),
    "lines, reversed": lambda size: (reversed_pieces(size, lambda n: f"line {n}\n"), "text/plain"),
    "comments, shuffled": lambda size: html(shuffled(size, lambda n: f"<!--word {n}-->")),
}
