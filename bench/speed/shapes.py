"""Hostile pages: two versions of each shape, of any size.

A shape is a function of a size in bytes; its two versions are up to that long.
"""

from __future__ import annotations

from bench.speed.making import Shape, chance, each, filled, halves, shuffled
from bench.speed.shapes_data import DATA
from bench.speed.shapes_markup import MARKUP
from bench.speed.shapes_meaning import MEANING
from bench.speed.shapes_order import ORDERS


def _ragged(size: int, version: int) -> str:
    wide = "".join(f"<td>{n}" for n in range(size // 50))
    rows = filled(f"<tr><td>word{version}<td>b", size * 4 // 5)
    return f"<table><tr>{wide}{rows}</table>"


def _spread(size: int, version: int) -> str:
    return "<table>" + filled(f"<tr><td colspan=1000 rowspan=1000>word {version}<td>a", size) + "</table>"


def _record(number: int, version: int) -> str:
    return f"<r id='{number}'><a>{number * (1 + version)}</a><b>word {number}</b></r>"


def _entry(number: int) -> str:
    return "<item><title>word</title><link>https://example.org/a</link><pubDate>today</pubDate></item>"


def _feed(size: int, version: int) -> str:
    """Returns a feed of equal entries, behind one entry that differs between the versions."""
    entries = filled(_entry(0), size - 200)
    return f"<rss><channel><item><title>a {version}</title></item>{entries}</channel></rss>"


def _nested_json(size: int, version: int) -> str:
    """Returns nested JSON lists with a number on every level."""
    levels = size // 8
    return "".join(f"[{(n + version) % 90 + 10}," for n in range(levels)) + "0" + "]" * levels


SHAPES: dict[str, Shape] = {
    "nested divs": lambda size: (
        (filled("<div>", size) + "old", filled("<div>", size) + "new"),
        "text/html",
    ),
    "nested with text": lambda size: (each(size, lambda n, v: f"<div>word {n + v}"), "text/html"),
    "nested tables": lambda size: (each(size, lambda n, v: f"<table><tr><td>{n * (1 + v)}"), "text/html"),
    "nested lists": lambda size: (each(size, lambda n, v: f"<ul><li>{n * (1 + v)} word"), "text/html"),
    "many tables": lambda size: (
        each(size, lambda n, v: f"<table><tr><td>{n * (1 + v)}</table>"),
        "text/html",
    ),
    "many lists": lambda size: (each(size, lambda n, v: f"<ul><li>{n % (7 + v)} word</ul>"), "text/html"),
    "equal paragraphs, some new": lambda size: (
        (filled("<p>x", size), filled("<p>x" * 9 + "<p>y", size)),
        "text/html",
    ),
    "paragraphs, all changed": lambda size: (each(size, lambda n, v: f"<p>a {n * 2 + v} b"), "text/html"),
    "paragraphs, shuffled": lambda size: (shuffled(size, lambda n: f"<p>word {n} a b a"), "text/html"),
    "paragraphs with ids, all changed": lambda size: (
        each(size, lambda n, v: f"<p id=i{n} class=c{n % (5 + v)}>{n + v}"),
        "text/html",
    ),
    "one word": lambda size: ((filled("a ", size), filled("a ", size) + "a b a"), "text/html"),
    "one word and another": lambda size: ((filled("a ", size), filled("a a a b ", size)), "text/html"),
    "two words by chance": lambda size: ((chance(size, "a b", 1), chance(size, "a b", 2)), "text/html"),
    "few words by chance": lambda size: (
        (chance(size, "a b c d e the of", 1), chance(size, "a b c d e the of", 2)),
        "text/html",
    ),
    "all words changed": lambda size: (each(size, lambda n, v: f"{'ab'[v]}{n} "), "text/html"),
    "halves exchanged": lambda size: (halves(size, lambda n: f"w{n} "), "text/html"),
    "phrases with new neighbours": lambda size: (
        each(size, lambda n, v: f"{n * 2 + v} a b a "),
        "text/html",
    ),
    "phrases in paragraphs": lambda size: (
        each(size, lambda n, v: f"<p>{n * 2 + v} <b>low</b> risk growth"),
        "text/html",
    ),
    "phrases, every other gone": lambda size: (
        each(size, lambda n, v: f"<p>{n} a {'c' if v and n % 2 else 'b'} a"),
        "text/html",
    ),
    "large table": lambda size: (
        tuple("<table>" + text for text in each(size, lambda n, v: f"<tr><td>{n}<td>{n * (1 + v)}<td>a b")),
        "text/html",
    ),
    "large table, shuffled": lambda size: (
        shuffled(size, lambda n: f"<tr><td>{n}<td>{n % 7}<td>word", "<table>{}</table>"),
        "text/html",
    ),
    "table of equal rows": lambda size: (
        (
            "<table>" + filled("<tr><td>a<td>b", size),
            "<table>" + filled("<tr><td>a<td>b<tr><td>b<td>a<tr><td>a<td>c", size),
        ),
        "text/html",
    ),
    "wide table": lambda size: (
        tuple("<table><tr>" + text for text in each(size, lambda n, v: f"<td>{n * (1 + v)}")),
        "text/html",
    ),
    "ragged table": lambda size: ((_ragged(size, 0), _ragged(size, 1)), "text/html"),
    "spans": lambda size: ((_spread(size, 0), _spread(size, 1)), "text/html"),
    "large list, shuffled": lambda size: (
        shuffled(size, lambda n: f"<li>word {n}", "<ul>{}</ul>"),
        "text/html",
    ),
    "large list, all changed": lambda size: (
        tuple("<ul>" + text for text in each(size, lambda n, v: f"<li>{n * 2 + v} and more words of it")),
        "text/html",
    ),
    "links, all changed": lambda size: (
        each(size, lambda n, v: f"<a href=/{'ab'[v]}{n}>x</a>"),
        "text/html",
    ),
    "links, shuffled": lambda size: (shuffled(size, lambda n: f"<a href=/{n}>x</a> "), "text/html"),
    "pictures, all changed": lambda size: (each(size, lambda n, v: f"<img src=/{'ab'[v]}{n}>"), "text/html"),
    "comments, all changed": lambda size: (each(size, lambda n, v: f"<!--{n * 2 + v}-->"), "text/html"),
    "comments, shuffled": lambda size: (shuffled(size, lambda n: f"<!--{n}-->"), "text/html"),
    "different names": lambda size: (each(size, lambda n, v: f"<x{n * 2 + v}>a"), "text/html"),
    "other elements": lambda size: (each(size, lambda n, v: f"<{'pb'[v]}>{n}</{'pb'[v]}>"), "text/html"),
    "headings, all changed": lambda size: (
        each(size, lambda n, v: f"<h2>word {n * 2 + v}</h2>"),
        "text/html",
    ),
    "ideographs": lambda size: (each(size, lambda n, v: chr(0x4E00 + (n * (7 + v)) % 5000)), "text/html"),
    "lines of text, shuffled": lambda size: (shuffled(size, lambda n: f"word {n} a b\n"), "text/plain"),
    "XML records, all changed": lambda size: (
        tuple(f"<x>{text}</x>" for text in each(size, _record)),
        "text/xml",
    ),
    "XML records, shuffled": lambda size: (shuffled(size, lambda n: _record(n, 0), "<x>{}</x>"), "text/xml"),
    "deep XML": lambda size: (
        ("<a>" * (size // 7) + "a" + "</a>" * (size // 7), "<a>" * (size // 7) + "b" + "</a>" * (size // 7)),
        "text/xml",
    ),
    "JSON numbers": lambda size: (
        tuple(f"[{text}0]" for text in each(size, lambda n, v: f"{n * 2 + v},")),
        "application/json",
    ),
    "JSON keys, shuffled": lambda size: (
        shuffled(size, lambda n: f'"k{n}":{n},', '{{{}"end":0}}'),
        "application/json",
    ),
    "inline elements, nested": lambda size: (each(size, lambda n, v: f"<b><i>{n * 2 + v} "), "text/html"),
    "one long word": lambda size: (("x" * size, "x" * (size // 2) + "y" * (size // 2)), "text/html"),
    "attributes of one element": lambda size: (
        tuple(f"<p {text}>x" for text in each(size, lambda n, v: f"a{n}={n * 2 + v} ")),
        "text/html",
    ),
    "options, all changed": lambda size: (
        tuple("<select>" + text for text in each(size, lambda n, v: f"<option>{n * 2 + v}")),
        "text/html",
    ),
    "lines of code, all changed": lambda size: (
        tuple("<pre>" + text for text in each(size, lambda n, v: f"a = {n * 2 + v}\n")),
        "text/html",
    ),
    "lines of text, all changed": lambda size: (each(size, lambda n, v: f"{n * 2 + v} a b\n"), "text/plain"),
    "deep JSON": lambda size: (
        tuple("[" * 900 + text + "0" + "]" * 900 for text in each(size, lambda n, v: f"[{n * 2 + v}],")),
        "application/json",
    ),
    "one cell with everything": lambda size: (
        tuple(
            f"<table><tr><th>a<th>b<tr><td>1<td>{text}</table>"
            for text in each(size, lambda n, v: f"{'ab'[v]}{n} ")
        ),
        "text/html",
    ),
    "one item with everything": lambda size: (
        tuple(f"<ul><li>1<li>{text}</ul>" for text in each(size, lambda n, v: f"{n * 2 + v} a b ")),
        "text/html",
    ),
    "prices": lambda size: (each(size, lambda n, v: f"<p>EUR {n + v}.99"), "text/html"),
    "dates": lambda size: (
        each(size, lambda n, v: f"<p>{n % 28 + 1} May 20{n % (80 + v) + 10}"),
        "text/html",
    ),
    "comments between words": lambda size: (each(size, lambda n, v: f"a<!--{n}--> b{n + v} "), "text/html"),
    "one long comment": lambda size: (
        tuple(f"<p>a<!--{text}-->" for text in each(size, lambda n, v: f"{n * 2 + v} ")),
        "text/html",
    ),
    "one long value": lambda size: (
        tuple(f"<p class='{text}'>a" for text in each(size, lambda n, v: f"c{n * 2 + v} ")),
        "text/html",
    ),
    "many long values": lambda size: (
        each(size, lambda n, v: f"<a href=/{n + v}?{'x' * 900}>a</a>"),
        "text/html",
    ),
    "attributes, all changed": lambda size: (
        each(size, lambda n, v: f"<i a={n + v} b={n + v} c={n + v} d={n + v}>"),
        "text/html",
    ),
    "srcset": lambda size: (
        tuple(f"<img srcset='{text}'>" for text in each(size, lambda n, v: f"/{n * 2 + v}.png {n + 1}w, ")),
        "text/html",
    ),
    "styles": lambda size: (
        each(size, lambda n, v: f"<b style='background:url(/{n + v})'>"),
        "text/html",
    ),
    "forms": lambda size: (
        each(size, lambda n, v: f"<form action=/{n * 2 + v}><input name=a></form>"),
        "text/html",
    ),
    "definitions": lambda size: (
        tuple("<dl>" + text for text in each(size, lambda n, v: f"<dt>{n}<dd>{n * 2 + v}")),
        "text/html",
    ),
    "rows of many columns": lambda size: (
        tuple("<table>" + text for text in each(size, lambda n, v: "<tr>" + f"<td>{n + v}" * 100)),
        "text/html",
    ),
    "XML attributes, all changed": lambda size: (
        tuple(f"<x>{text}</x>" for text in each(size, lambda n, v: f"<r a='{n}' b='{n * 2 + v}'/>")),
        "text/xml",
    ),
    "XML, a value on every level": lambda size: (
        tuple(
            "".join(f"<a>{n + version} " for n in range(size // 14)) + "</a>" * (size // 14)
            for version in (0, 1)
        ),
        "text/xml",
    ),
    "XML, a name on every level": lambda size: (
        tuple(
            "".join(f"<n{n % 900}>" for n in range(size // 14))
            + str(version)
            + "".join(f"</n{n % 900}>" for n in reversed(range(size // 14)))
            for version in (0, 1)
        ),
        "text/xml",
    ),
    "feed of equal entries": lambda size: ((_feed(size, 0), _feed(size, 1)), "application/rss+xml"),
    "JSON, a value on every level": lambda size: (
        (_nested_json(size, 0), _nested_json(size, 1)),
        "application/json",
    ),
    "JSON records": lambda size: (
        tuple(f"[{text}0]" for text in each(size, lambda n, v: f'{{"id":{n},"price":{n + v}.5}},')),
        "application/json",
    ),
    "JSON text": lambda size: (
        tuple(f'{{"a":"{text}"}}' for text in each(size, lambda n, v: f"{n * 2 + v} ")),
        "application/json",
    ),
    "right to left": lambda size: (
        each(size, lambda n, v: f"<p>\u05d0\u05d1 {n + v} \u0627\u0644"),
        "text/html",
    ),
    "combining marks": lambda size: (
        each(size, lambda n, v: "e" + "\u0301" * (n % (40 + v)) + " "),
        "text/html",
    ),
    "emoji": lambda size: (
        each(size, lambda n, v: chr(0x1F600 + (n * (3 + v)) % 70) + "\u200d"),
        "text/html",
    ),
    "odd entities": lambda size: (
        each(size, lambda n, v: f"<p>&#xD8{n % 10}0;&#0;&#{n + v};&notit;&amp"),
        "text/html",
    ),
    "control characters": lambda size: (each(size, lambda n, v: f"\x1c\x0b{n + v}\x85\xa0"), "text/plain"),
    "blanks": lambda size: (
        ("<p>a" + " " * size + "b", "<p>a" + "\n\t " * (size // 3) + "c"),
        "text/html",
    ),
    "lines": lambda size: (("\n" * size, "\n" * (size - 1) + "a"), "text/plain"),
    "line breaks": lambda size: (each(size, lambda n, v: f"{n * 2 + v}<br>"), "text/html"),
    "hidden text": lambda size: (each(size, lambda n, v: f"<script>{n + v}</script>"), "text/html"),
    **ORDERS,
    **MARKUP,
    **DATA,
    **MEANING,
}  # type: ignore[dict-item]
