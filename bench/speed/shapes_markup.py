"""Hostile markup: broken, misnested, endless, or with impossible numbers."""

from __future__ import annotations

from bench.speed.making import Shape, Versions, around, each, filled, html


def _twice(piece: str, size: int) -> Versions:
    """Returns a piece repeated up to the size, with another last word in each version."""
    return filled(piece, size) + "<p>old", filled(piece, size) + "<p>new"


def _sheet(size: int) -> Versions:
    return around(
        "<style>",
        each(size, lambda n, v: f".c{n}>p:not(.d){{color:#{n + v:06x};background:url(/{n})}}"),
        "</style><p class=c1>a",
    )


MARKUP: dict[str, Shape] = {
    "bold paragraphs, misnested": lambda size: html(each(size, lambda n, v: f"<b><p>{n + v}</b>")),
    "links, misnested": lambda size: html(each(size, lambda n, v: f"<a href=/{n + v}><p><a>")),
    "text in tables": lambda size: html(each(size, lambda n, v: f"<table>{n + v}")),
    "text between cells": lambda size: html(
        around("<table>", each(size, lambda n, v: f"{n + v}<b>a</b><tr><td>x"))
    ),
    "nothing but less-than signs": lambda size: html(_twice("<", size)),
    "nothing but ampersands": lambda size: html(_twice("&", size)),
    "tags that never end": lambda size: html(_twice("<a ", size)),
    "end tags": lambda size: html(_twice("</p></b>", size)),
    "comments that never end": lambda size: html(_twice("<!--", size)),
    "quotes that never end": lambda size: html(_twice("<p a='", size)),
    "declarations": lambda size: html(_twice("<!doctype html><?a?>", size)),
    "character references": lambda size: html(each(size, lambda n, v: f"&#{n % 9000 + v + 33};")),
    "soft hyphens": lambda size: html(each(size, lambda n, v: f"a&shy;{n + v}&zwj;&nbsp;")),
    "nested svg": lambda size: html(each(size, lambda n, v: f"<svg><a>{n + v}")),
    "nested templates": lambda size: html(each(size, lambda n, v: f"<template><p>{n + v}")),
    "nested blocks of three kinds": lambda size: html(
        each(size, lambda n, v: f"<section><article><blockquote>{n + v}")
    ),
    "nested lists, a text behind each": lambda size: html(
        tuple(
            "".join(f"<ul><li>{n + v}" for n in range(size // 30))
            + "".join(f"</li></ul>{n * (1 + v)}" for n in range(size // 30))
            for v in (0, 1)
        )  # type: ignore[arg-type]
    ),
    "nested tables of two columns": lambda size: html(
        each(size, lambda n, v: f"<table><tr><th>a<td>{n + v}<td>")
    ),
    "spans that nobody can mean": lambda size: html(
        around(
            "<table>",
            each(size, lambda n, v: f"<tr><td rowspan=99999999999999999999 colspan={10**9}>{n + v}"),
        )
    ),
    "addresses that climb": lambda size: html(
        each(size, lambda n, v: f"<a href='{'../' * 100}{n + v}'>a</a>")
    ),
    "digits of other scripts": lambda size: html(
        each(size, lambda n, v: "<p>" + "".join(chr(0x660 + int(digit)) for digit in str(n + v)))
    ),
    "heads in the middle of a table": lambda size: html(
        around(
            "<table>", each(size, lambda n, v: f"<thead><tr><th>{n}<th>b</thead><tbody><tr><td>{n + v}<td>x")
        )
    ),
    "rows that reach over all": lambda size: html(
        around("<table>", each(size, lambda n, v: f"<tr><td rowspan=65534>{n + v}<td>a"))
    ),
    "headings of all ranks": lambda size: html(
        each(size, lambda n, v: f"<h{n % 6 + 1}>part {n}</h{n % 6 + 1}><p>{n + v}")
    ),
    "headings of columns": lambda size: html(
        tuple(
            "<table><tr>"
            + "".join(f"<th>{n}" for n in range(size // 20))
            + "<tr>"
            + "".join(f"<td>{n + v}" for n in range(size // 20))
            for v in (0, 1)
        )  # type: ignore[arg-type]
    ),
    "labels of one text": lambda size: html(
        around(
            "<p id=a>" + filled("word ", size // 2),
            each(
                size // 2,
                lambda n, v: f"<label for=i{n}>x</label><input aria-labelledby=a id=i{n} value={n + v}>",
            ),
        )
    ),
    "equal ids": lambda size: html(each(size, lambda n, v: f"<p id=a><a name=a href=#a>{n + v}</a>")),
    "one style sheet": lambda size: html(_sheet(size)),
    "style sheet of braces": lambda size: html(
        around("<style>", (filled("{", size), filled("{}", size)), "</style><p>a")
    ),
    "style sheet of comments": lambda size: html(
        around("<style>", (filled("/*", size), filled("/* */", size)), "</style><p>a")
    ),
    "styles of elements": lambda size: html(
        each(size, lambda n, v: f"<p style='color:#{n + v:06x};width:{n}px;display:block'>a")
    ),
    "hidden elements": lambda size: html(
        each(size, lambda n, v: f"<p hidden>{n + v}</p><p style='display:none'>{n}</p>x ")
    ),
    "one long title": lambda size: html(
        around("<title>", each(size, lambda n, v: f"{n * 2 + v} "), "</title><p>a")
    ),
    "descriptions": lambda size: html(each(size, lambda n, v: f"<meta name=a{n} content={n + v}>")),
    "one long address": lambda size: html(
        around("<a href='/", each(size, lambda n, v: f"{n + v}/../"), "'>a")
    ),
    "one address with many parts": lambda size: html(
        around("<a href='/?", each(size, lambda n, v: f"a{n}={n + v}&"), "'>a")
    ),
    "addresses with tracks": lambda size: html(
        each(size, lambda n, v: f"<a href='/{n}?utm_source=a{n + v}&gclid={n + v}&id={n}'>a</a>")
    ),
    "one long picture": lambda size: html(
        around("<img src='data:image/png;base64,", each(size, lambda n, v: f"{n + v:08x}"), "'>")
    ),
    "options chosen": lambda size: html(
        around("<select>", each(size, lambda n, v: f"<option {'selected' * ((n + v) % 2)} value={n}>{n}"))
    ),
    "one long line of code": lambda size: html(around("<pre>", each(size, lambda n, v: f"a={n + v};"))),
    "ruby": lambda size: html(each(size, lambda n, v: f"<ruby>{n}<rt>{n + v}</ruby>")),
    "frames": lambda size: html(each(size, lambda n, v: f"<iframe src=/{n + v}></iframe>")),
}
