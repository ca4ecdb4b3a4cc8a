"""Hostile contents: ages and clocks, prices, products, menus, numbers without an end."""

from __future__ import annotations

import json

from bench.speed.making import Shape, Versions, around, each, filled, html


def _offers(size: int, version: int) -> str:
    offers = [
        {"@type": "Offer", "sku": f"s{n}", "price": n + version, "priceCurrency": "EUR", "name": f"size {n}"}
        for n in range(size // 90)
    ]
    product = {"@context": "https://schema.org", "@type": "Product", "name": "Lamp", "offers": offers}
    return f"<script type='application/ld+json'>{json.dumps(product)}</script><p>Lamp"


def _offers_in_offers(size: int, version: int) -> str:
    levels = size // 60
    told = '{"@type":"Product","name":"a","offers":[' * levels + f'{{"price":{version}}}' + "]}" * levels
    return f"<script type='application/ld+json'>{told}</script><p>Lamp"


def _products(size: int) -> Versions:
    def make(n: int, v: int) -> str:
        return (
            f"<div itemscope itemtype='https://schema.org/Product'><b itemprop=name>Lamp {n}</b>"
            f"<b itemprop=price>{n + v}</b></div>"
        )

    return each(size, make)


MEANING: dict[str, Shape] = {
    "ages": lambda size: html(each(size, lambda n, v: f"<p>{n % 50 + v} minutes ago, word {n}")),
    "ages in one line": lambda size: html(each(size, lambda n, v: f"{n % 50 + v} hours ago ")),
    "clocks": lambda size: html(each(size, lambda n, v: f"<p>{n % 24:02}:{(n + v) % 60:02}:{n % 60:02}")),
    "clocks in one line": lambda size: html(each(size, lambda n, v: f"{n % 24:02}:{(n + v) % 60:02} ")),
    "days": lambda size: html(each(size, lambda n, v: f"<p>2026-{n % 12 + 1:02}-{(n + v) % 28 + 1:02} a")),
    "days in one line": lambda size: html(each(size, lambda n, v: f"{(n + v) % 28 + 1} March 2026, ")),
    "times": lambda size: html(
        each(size, lambda n, v: f"<time datetime=2026-01-{(n + v) % 28 + 1:02}>{n % 9 + v} days ago</time> ")
    ),
    "ages in rows": lambda size: html(
        around("<table>", each(size, lambda n, v: f"<tr><td>word {n}<td>{n % 50 + v} min ago"))
    ),
    "one endless number": lambda size: html(("<p>" + "1" * size, "<p>" + "2" * size)),
    "endless numbers": lambda size: html(each(size, lambda n, v: f"<p>{'9' * 5000}.{n + v}")),
    "numbers with signs": lambda size: html(each(size, lambda n, v: f"<p>{n},{n % 9}.{v}-{n}%/{n}:{n}")),
    "prices in one line": lambda size: html(each(size, lambda n, v: f"$1,{n % 1000:03}.{v} ")),
    "prices beside names": lambda size: html(
        around("<ul>", each(size, lambda n, v: f"<li>Lamp {n} <b>EUR {n + v},99</b>"))
    ),
    "offers of one product": lambda size: html((_offers(size, 0), _offers(size, 1))),
    "offers in offers": lambda size: html((_offers_in_offers(size, 0), _offers_in_offers(size, 1))),
    "products": lambda size: html(_products(size)),
    "products in products": lambda size: html(
        each(
            size,
            lambda n, v: f"<div itemscope itemtype=https://schema.org/Product><b itemprop=price>{n + v}</b>",
        )
    ),
    "menus": lambda size: html(each(size, lambda n, v: f"<nav><a href=/{n}>{n + v}</a></nav>")),
    "articles": lambda size: html(
        each(size, lambda n, v: f"<article><h3>news {n}</h3><p>text {n + v}. More of it!</article>")
    ),
    "sentences in one line": lambda size: html(each(size, lambda n, v: f"Sentence {n * 2 + v} ends here. ")),
    "one sentence": lambda size: html(
        tuple(filled("word and other ", size // 2) + w + filled(" more of it", size // 2) for w in "ab")
    ),  # type: ignore[arg-type]
    "definitions of one term": lambda size: html(
        around("<dl><dt>a", each(size, lambda n, v: f"<dd>{n * 2 + v}"))
    ),
    "fields of a form": lambda size: html(
        around("<form>", each(size, lambda n, v: f"<label>a{n} <input name=a{n} value={n + v}></label>"))
    ),
    "fields with a password": lambda size: html(
        each(size, lambda n, v: f"<form><input type=password name=a{n + v}>log in</form>")
    ),
    "figures": lambda size: html(
        each(size, lambda n, v: f"<figure><img src=/{n + v}><figcaption>word {n}</figcaption></figure>")
    ),
    "backgrounds": lambda size: html(
        each(size, lambda n, v: f"<td background=/{n + v} bgcolor=#{n:06x}><object data=/{n}></object>")
    ),
}
