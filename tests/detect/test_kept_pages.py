"""What is found on many small pages of one kind stays as it is: tables, phrases, shops, what is left out.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_kept_pages`
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import product as all_of
from pathlib import Path

import numpy as np
from PIL import Image

from tests.detect.keeping import Kept
from tests.lots import Element, Lot, catalogue, changed, element, page, written
from webvigil import diff
from webvigil.detect.coarse import match_coarsely
from webvigil.detect.context import Boxes
from webvigil.detect.edits import apply, edit_script
from webvigil.detect.find import find
from webvigil.detect.in_context import Context, in_context, marked
from webvigil.detect.measure import score, topic_score
from webvigil.detect.pair import pair
from webvigil.detect.registry import functions_of
from webvigil.detect.sdiff import sdiff
from webvigil.detect.shop.products import products, variants
from webvigil.detect.shop.shown import price_places, shown, stock_places
from webvigil.detect.surroundings import among_same_tags, at_same_path
from webvigil.document import PageDigest, read
from webvigil.document.screenshot import Box, with_places
from webvigil.errors import MistakeInText, PatternRefused
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import ChangeType

KEPT = Kept(Path(__file__).with_name("kept_pages"))
HTML = "text/html; charset=utf-8"
URL = "https://harbour.example/town/news.html"


def digest_of(source: str, content_type: str = HTML) -> PageDigest:
    return read(source.encode(), content_type, URL)


def told(objects: Iterable[ObjectChange]) -> list[object]:
    """Returns what tells objects apart: what happened, to what, and where."""
    return [
        [
            one.status,
            one.object[:40],
            one.old,
            one.new,
            (one.before or "")[:60],
            (one.after or "")[:60],
            *one.where,
        ]
        for one in objects
    ]


def found(
    sides: Sequence[str], monitor: str, content_type: str = HTML, *, quiet: bool = False
) -> list[object]:
    """Returns what a change type finds, with the amounts; of what cannot be asked, why."""
    try:
        one = diff(sides[0], sides[1], monitor, content_type=content_type, url=URL, quiet=quiet)
    except (PatternRefused, MistakeInText) as error:
        return [str(error)]
    (finding,) = one.findings
    if not finding.changed and not one.left_out:
        return []
    left_out = [[out.why, out.object.object[:30]] for out in one.left_out]
    return [f"{finding.share:.4f}", finding.score, finding.note, *told(finding.objects), *left_out]


# --- tables and lists -------------------------------------------------------------------------------


def grid_by(lot: Lot, number: int) -> list[Element]:
    """Returns a table or list, mostly with something that names it."""
    names = ("Prices", "Opening hours", "The team", "prices", "Lamps and prices")
    head = [element(lot.one_of(("h2", "h3")), lot.one_of(names))] if lot.happens(40) else []
    if lot.happens(35):
        items = [element("li", lot.words(2)) for _ in range(lot.below(5))]
        if lot.happens(20):
            items.append(element("li", lot.word(), element("ul", element("li", lot.words(2)))))
        return [*head, element("ul", *items, **({"id": f"g{number}"} if lot.happens(30) else {}))]
    width = 1 + lot.below(3)
    rows = [
        [lot.one_of(("Lamp", "Sofa", "Rug", "Bed", "Chair")) for _ in range(width)]
        for _ in range(lot.below(5))
    ]
    cells = [element("tr", *[element("td", cell) for cell in row]) for row in rows]
    if lot.happens(60):
        cells.insert(
            0, element("tr", *[element("th", lot.one_of(("Name", "Price", "Stock"))) for _ in range(width)])
        )
    if lot.happens(50):
        cells.insert(0, element("caption", lot.one_of(names)))
    return [*head, element("table", *cells, **({"class_": f"g{number}"} if lot.happens(30) else {}))]


@KEPT
def named_grids() -> Iterator[object]:
    """Tables and lists that are named in each way, and carried over to the other version."""
    lot = Lot(23)
    names = (
        *(
            "1",
            "2",
            "3",
            "9",
            "Prices",
            "prices",
            "Lamp",
            "Name",
            "The team",
            "x",
            "#g1",
            "table.g0",
            "ul",
        ),
        *(
            'caption "Prices"',
            'caption "hours"',
            'css "#g1"',
            'css ".g2, #g0"',
            'css "td"',
            'css "main"',
            'css "["',
        ),
    )
    for number in range(70):
        body = element(
            "body", element("main", *[one for at in range(1 + lot.below(4)) for one in grid_by(lot, at)])
        )
        new = changed(lot, body, 1 + number % 4)
        if number % 7 == 6:
            new = element("body", element("main", *grid_by(lot, 0), *grid_by(lot, 1)))
        old_page, new_page = written(body, "A"), written(new, "A")
        yield number
        for kind in ("table", "list"):
            for name in lot.shuffled(names)[:7]:
                yield kind, name, found((old_page, new_page), f"{kind}: {{{name}}}")


@KEPT
def rows_of_grids() -> Iterator[object]:
    """Tables whose columns, rows, cells and links changed, told one by one and row by row."""
    lot = Lot(29)
    for _ in range(110):
        width, height = 1 + lot.below(4), lot.below(6)
        heads = [lot.one_of(("Name", "Price", "Stock", "Place", "", "Prices")) for _ in range(width)]
        rows = [[lot.words(2), *[lot.fact() for _ in range(width - 1)]] for _ in range(height)]
        sides = [html_table(lot, heads, rows)]
        for _ in range(1 + lot.below(3)):
            heads, rows = table_changed(lot, heads, rows)
        sides.append(html_table(lot, heads, rows))
        yield found(sides, "table: {1}")
        yield found(sides, "table: {1} text only")
        one = diff(sides[0], sides[1], url=URL)
        yield told(one.findings[0].objects), one.headline


def html_table(lot: Lot, heads: list[str], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{head}" for head in heads) if any(heads) else ""
    link = lot.one_of(("", "", "<a href=/x>", "<a href=/y?utm_source=z>"))
    lines = "".join(f"<tr>{''.join(f'<td>{link}{cell}' for cell in row)}" for row in rows)
    caption = lot.one_of(("", "", "<caption>Prices", "<caption>All prices"))
    return f"<h1>Shop</h1><table>{caption}{f'<tr>{top}' if top else ''}{lines}</table><p>Open</p>"


def table_changed(lot: Lot, heads: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    heads, rows = list(heads), [list(row) for row in rows]
    kind, at = lot.below(8), lot.below(len(heads) + 1)
    if kind == 0:
        heads.insert(at, lot.one_of(("Size", "", "Colour")))
        for row in rows:
            row.insert(at, lot.fact())
    elif kind == 1 and len(heads) > 1:
        at = min(at, len(heads) - 1)
        heads, rows = [*heads[:at], *heads[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in rows]
    elif kind == 2:
        heads[min(at, len(heads) - 1)] = lot.one_of(("Name", "Prices", "", "Amount"))
    elif kind == 3:
        order = lot.shuffled(range(len(heads)))
        heads, rows = [heads[one] for one in order], [[row[one] for one in order] for row in rows]
    elif kind == 4:
        rows = lot.shuffled(rows)
    elif kind == 5:
        rows.insert(lot.below(len(rows) + 1), [lot.words(2), *[lot.fact() for _ in heads[1:]]])
    elif rows:
        row = lot.one_of(rows)
        row[lot.below(len(row))] = lot.fact() if kind == 6 else lot.words(2)
    return heads, rows


# --- words ------------------------------------------------------------------------------------------

FEW = ("low", "risk", "growth", "Risk", "fund", "the")


def few_words(lot: Lot, most: int) -> str:
    return " ".join(lot.one_of(FEW) for _ in range(lot.below(most + 1)))


def texts_by(lot: Lot) -> Element:
    blocks = [
        element(
            lot.one_of(("p", "p", "li", "h2", "div")),
            few_words(lot, 9),
            *([element("b", few_words(lot, 3))] if lot.happens(30) else []),
        )
        for _ in range(1 + lot.below(5))
    ]
    return element("body", *blocks)


@KEPT
def phrases() -> Iterator[object]:
    """Phrases, keywords and expressions on pages of few words, which are often there and often change."""
    lot = Lot(31)
    options = ("", " context 1", " context 2", " context tags", " context 2 tags", " context 9")
    for number in range(130):
        body = texts_by(lot)
        new = changed_words(lot, body, 1 + number % 5)
        sides = written(body, "A"), written(new, "A")
        yield sides[0].partition("<body>")[2], sides[1].partition("<body>")[2]
        phrase = " ".join(lot.one_of(FEW) for _ in range(1 + number % 4))
        yield (
            phrase,
            *(found(sides, f"phrase: {{{phrase}}}{option}") for option in lot.shuffled(options)[:3]),
        )
        words = lot.shuffled(FEW)
        yield found(sides, f"keywords: {{{words[0]}, {words[1]} {words[2]}}}")
        yield found(sides, f"keywords part {{{words[0][:2]}, {words[1][-2:]}, x}}")
        yield found(
            *sides, f"keywords all {{{words[0]}, {words[1]}}}{lot.one_of(('', ' appear', ' disappear'))}"
        )
        yield found(sides, f"all words except {{{words[0]}, {words[1]} {words[2]}}}")
        yield found(sides, lot.one_of(("all words by loctags", "content any order", "all words")))
        yield found(
            *sides, f"regular expression: {{{lot.one_of(('r[a-z]+', 'low risk', 'the.*fund', '^[a-z]+'))}}}"
        )
        yield found(
            *sides, f"regular expression: {{{lot.one_of(('<[a-z]+>', 'risk', '<b>[a-z]+'))}}} in source"
        )
    yield [
        str(Boxes.read(option)) for option in ("", "context 5", "context tags", "context 1000 tags", "words")
    ]


def changed_words(lot: Lot, body: Element, many: int) -> Element:
    new = body.copy()
    for _ in range(many):
        held = [one for one in new.below() if not one.name]
        if held and lot.happens(80):
            one = lot.one_of(held)
            words = one.text.split()
            at = lot.below(len(words) + 1)
            words[at : at + lot.below(3)] = few_words(lot, 3).split()
            one.text = " ".join(words)
        elif new.children:
            block = new.children.pop(lot.below(len(new.children)))
            if lot.happens(60):
                new.children.insert(lot.below(len(new.children) + 1), block)
    return new


@KEPT
def phrases_in_data() -> Iterator[object]:
    """Phrases and keywords in the leaves of XML and JSON."""
    lot = Lot(37)
    for number in range(110):
        records = [
            {one: few_words(lot, 5) for one in ("title", "text")[: 1 + lot.below(2)]}
            for _ in range(1 + lot.below(4))
        ]
        new = [
            {key: reworded(lot, one) for key, one in record.items()} for record in records if lot.happens(85)
        ]
        new = lot.shuffled(new) if lot.happens(20) else new
        if lot.happens(30):
            new.insert(lot.below(len(new) + 1), {"title": few_words(lot, 5)})
        if number % 2:
            sides, kind = [json.dumps({"all": side}) for side in (records, new)], "application/json"
        else:
            sides, kind = [xml_of(side) for side in (records, new)], "application/xml"
        phrase = " ".join(lot.one_of(FEW) for _ in range(1 + number % 3))
        yield sides, phrase, found(sides, f"phrase: {{{phrase}}}", kind)
        yield found(sides, f"keywords: {{{lot.one_of(FEW)}, {phrase}}}", kind)
        yield found(sides, lot.one_of(("any change", "content", "all words")), kind)


def reworded(lot: Lot, said: str) -> str:
    words = said.split()
    if lot.happens(50):
        at = lot.below(len(words) + 1)
        words[at : at + lot.below(3)] = few_words(lot, 2).split()
    return " ".join(words)


def xml_of(records: list[dict[str, str]]) -> str:
    items = (element("item", *[element(key, one) for key, one in record.items()]) for record in records)
    return element("all", *items).xml


# --- what nobody would call a change ----------------------------------------------------------------


def quiet_block(lot: Lot) -> Element:
    """Returns a block with an address or a time in it."""
    number, code = lot.below(3), lot.one_of(("3f2a9c1d", "20260519", "a1b2c3d4"))
    sizes = {"width": lot.one_of(("1", "0", "1px", "90", "2")), "height": lot.one_of(("1", "0.5", "90"))}
    hidden = lot.one_of(
        ("display:none", "width:1px;height:1px", "color:red", "height: 0", "visibility: hidden")
    )
    picture = element("img", src=f"/p{number}.{code}.png", **lot.one_of(({}, sizes, {"style": hidden})))
    ago = lot.one_of(
        ("{} minutes ago", "{} hours ago", "yesterday", "1{}:05", "just now", "in {} days", "took 0.{} s")
    )
    time = ago.format(1 + lot.below(9))
    moment = {
        lot.one_of(("datetime", "title", "data-time")): lot.one_of(("2026-03-01T10:00", "x", "1790000000"))
    }
    link = element("a", lot.one_of(("News", "Sport")), href=f"/a{number}?utm_source={code}&b={lot.below(2)}")
    since = element("a", "Since", href=f"/changes?from=2026-11-1{number}T12:1{lot.below(9)}")
    return lot.one_of(
        (
            element("p", picture),
            element("div", element("span", picture), style=hidden),
            element("noscript", picture),
            element("p", link, " ", time),
            element("p", element("time", time, **moment), " by Ann"),
            element("h2", lot.one_of(("Within an hour", "Past 24 hours", "This week", "Today", time))),
            element("summary", lot.one_of(("Last week", "This week", time))),
            element("pre", f"made\n{time}\n{few_words(lot, 3)}"),
            element("p", since, hidden="") if lot.happens(20) else element("p", since),
            element("p", f"Page generated in 0.{lot.below(99)} s, {lot.below(99)} queries"),
            element("li", few_words(lot, 3), element("small", time), few_words(lot, 14)),
            element("p", f"Posted {time} by Jill"),
        )
    )


@KEPT
def left_out() -> Iterator[object]:
    """Pages with what quiet leaves out, and with what only looks like it."""
    lot = Lot(41)
    for _ in range(150):
        state = lot.below(2**20)
        old = [quiet_block(lot) for _ in range(1 + lot.below(5))]
        new = [one.copy() if lot.happens(45) else alike(lot, one) for one in old]
        if lot.happens(30):
            new.insert(lot.below(len(new) + 1), quiet_block(lot))
        sides = [written(element("body", *side), "A") for side in (old, new)]
        yield state, [side.partition("<body>")[2] for side in sides]
        for monitor in ("any change", "all words", "all links", "all images", "content", "phrase: {ago by}"):
            if lines := found(sides, monitor, quiet=True):
                yield monitor, lines


def alike(lot: Lot, one: Element) -> Element:
    """Returns a block of the same kind: numbers, addresses and times are others."""
    new = one.copy()
    for inner in new.below():
        if not inner.name:
            inner.text = "".join(
                str(lot.below(9)) if sign.isdigit() and lot.happens(60) else sign for sign in inner.text
            )
        for name in ("href", "src", "datetime", "data-time"):
            if inner.attributes.get(name) and lot.happens(60):
                value = inner.attributes[name]
                at = lot.below(len(value))
                inner.attributes[name] = value[:at] + lot.one_of("0123abcd") + value[at + 1 :]
    return new


# --- shops ------------------------------------------------------------------------------------------


def shop_by(lot: Lot) -> str:
    """Returns the page of a shop, which describes its products in one way or several."""
    name, price = lot.one_of(("Brass lamp", "Sofa", "Rug")), f"{5 + lot.below(50)}.{lot.below(90)}"
    stock = lot.one_of(("InStock", "OutOfStock", "PreOrder"))
    offer: dict[str, object] = {"price": price, "priceCurrency": "EUR"}
    if lot.happens(50):
        offer["availability"] = f"https://schema.org/{stock}"
    several = [{"name": size, "price": 5 + lot.below(9)} for size in "SML"[: 1 + lot.below(3)]]
    offers: object = several if lot.happens(30) else offer
    linked: dict[str, object] = {"@type": "Product", "name": name, "sku": "7", "offers": offers}
    graph: object = linked
    if lot.happens(30):
        others = [{**linked, "name": f"{name} {at}", "sku": str(at)} for at in range(lot.below(4))]
        graph = {"itemListElement": others} if lot.happens(50) else [linked, *others]
    script = json.dumps(graph)
    broken = lot.one_of(("{}", "{}", "<!-- {} -->", "{};", "/* x */\n{}", "// x\n{}", "{},"))
    old_price = lot.one_of(
        ("", f"<del>{price[0]}9.00 €</del>", f"<span class=old-price>{price[0]}8 €</span>")
    )
    said = lot.one_of((f"{price} €", f"€ {price}", f"ab {price} €", price))
    stocked = (
        "In stock",
        "Sold out",
        "<button>Add to cart</button>",
        "<button disabled>Buy now</button>",
        "",
    )
    beside = ("", "<input type=submit value=Buy>", "<input type=text value=lieferbar>", "pick up in store")
    more = ("", "<h2>Others</h2><p>12 €</p><p>In stock</p>", "<select><option>9 €</select>")
    shows = f"<p>{lot.one_of(stocked)}</p><p>{lot.one_of(beside)}</p>{lot.one_of(more)}"
    visible = f"<h1>{name}</h1>{old_price}<p><b>{said}</b></p>{shows}"
    micro = (
        f"<div itemscope itemtype=https://schema.org/Product><b itemprop=name>{name}</b>"
        "<div itemprop=offers itemscope itemtype=https://schema.org/Offer>"
        f"<i itemprop=price content={price}>x</i><s>1</s><meta itemprop=priceCurrency content=EUR>"
        f"<link itemprop=availability href=https://schema.org/{stock}></div></div>"
    )
    rdfa = (
        f"<div vocab=https://schema.org/ typeof=Product><b property=name>{name} <s>x</s></b>"
        f"<div property=offers typeof=Offer><i property=price>{price}</i>"
        "<i property=priceCurrency>EUR</i></div></div>"
    )
    graph_tags = (
        f"<meta property=og:title content='{name}'><meta property=product:price:amount content={price}>"
        "<meta property=product:price:currency content=EUR>"
        f"<meta name=og:availability content={stock.lower()}>"
    )
    ways = [f"<script type=application/ld+json>{broken.format(script)}</script>", micro, rdfa, graph_tags]
    chosen = [one for one in ways if lot.happens(35)]
    return f"<title>{lot.one_of((name, 'Shop'))}</title>{''.join(chosen)}{visible if lot.happens(70) else ''}"


@KEPT
def shops() -> Iterator[object]:
    """What products pages offer, in data and in what they show, and what became of them."""
    lot = Lot(43)
    before = shop_by(lot)
    for _ in range(150):
        after = shop_by(lot)
        digest = digest_of(after)
        yield (
            [[str(part) for part in one] for one in products(digest)],
            [one.name for one in variants(digest)],
        )
        yield [str(part) for part in shown(digest)]
        yield (
            [[str(price), node] for price, node in price_places(digest).items()],
            [*stock_places(digest).items()],
        )
        yield found((before, after), "product"), found((before, after), "product variants")
        before = after


# --- trees ------------------------------------------------------------------------------------------


@KEPT
def trees() -> Iterator[object]:
    """What became of every node, in the exact and in the coarse way, and where elements are found again."""
    lot = Lot(47)
    for number in range(120):
        root = page(lot) if number % 2 else catalogue(lot)
        sides = root, changed(lot, root, 1 + number % 6)
        if number % 2:
            old, new = (digest_of(written(side, "A")) for side in sides)
        else:
            old, new = (digest_of(side.xml, "application/xml") for side in sides)
        difference = sdiff(old, new)
        edits = edit_script(old, new)
        assert apply(old, edits) == new
        yield number, [str(edit)[:90] for edit in edits]
        yield difference.old.marks.tolist(), difference.new.below.astype(int).tolist()
        yield [side.tolist() for side in match_coarsely(old, new)]
        nodes = [lot.below(len(old)) for _ in range(6)]
        yield [
            (at_same_path(old, node, new), among_same_tags(old, node, new, 1 + node % 4)[:9])
            for node in nodes
        ]


# --- amounts ----------------------------------------------------------------------------------------


@KEPT
def amounts() -> Iterator[object]:
    """How much weight changes have, and the words that somebody is interested in."""
    lot = Lot(53)
    kinds = ("any change", "exact change", "all words", "all links", "all images", "content", "appearance")
    for _ in range(90):
        root = page(lot)
        old, new = (digest_of(written(side, lot.one_of("AAB"))) for side in (root, changed(lot, root)))
        for kind in kinds:
            change = ChangeType(kind)
            finding = find(old, new, change)
            some = [one for one in finding.objects if lot.happens(60)]
            interests = [lot.word(), f"{lot.word()} {lot.word()}", "the", ""]
            yield (
                kind,
                [f"{finding.share:.5f}", finding.score, score(old, new, change, some)],
                [topic_score(finding.objects, interests), score(old, new, change, some, interests=interests)],
                bool(functions_of(kind).share),
            )
        both = pair(old, new)
        yield both.words_changed, both.same_layout, both.same_tags, both.same_attributes, both.same_markup


# --- what objects are called ------------------------------------------------------------------------

XML_SHOP = "<shop><title>Lamps</title><item><name>Brass</name><price unit='EUR'>5</price></item></shop>"
JSON_SHOP = '{"title": "Lamps", "goods": [{"name": "Brass", "price": 5, "long": "low risk. growth"}]}'
HTML_SHOP = (
    "<title>Lamps</title><h1>Brass</h1><p title=x>Five euro. More of 5 for 15</p><table><tr><td>5<td>Lamp 5"
    "<tr><td><p>deep<div><b><i><u>5</u></i></b></div><td>x</table><ul><li><p>One</p><p>5</p></ul><p></p>"
)
PLACED = {
    "application/xml": (
        *(
            "/shop/item/price",
            "/shop/item/price/@unit",
            "/shop",
            "/",
            "/shop/gone",
            "/shop/item/price/text()",
        ),
    ),
    "application/json": ("$.goods[0].price", "$.goods[0]", "$", "$.gone", "$.title", "$.goods[0].long", "$["),
    "text/plain": ("/text()", "/text()[2]", "/text()[9]", "/", "/p"),
    "text/html": (
        *("/html/body/p/@title", "/html/body/p", "/html/body/gone", "/", "/html/body/table/tbody/tr[1]"),
        *(
            "/html/body/table/tbody/tr[1]/td[1]",
            "/html/body/table/tbody/tr[2]/td[1]/div/b/i/u",
            "/html/head/title",
        ),
        *(
            "/html/body/ul/li",
            "/html/body/ul/li/p[2]",
            "/html/body/p[2]",
            "/html/body/table/tbody/tr[1]/td[2]",
        ),
    ),
}


@KEPT
def called() -> Iterator[object]:
    """What objects are called, and what stands around them, by their places."""
    lot = Lot(103)
    texts = {
        "application/xml": XML_SHOP,
        "application/json": JSON_SHOP,
        "text/plain": "One 5\nFive\n\nlow risk",
        "text/html": HTML_SHOP,
    }
    for kind, paths in PLACED.items():
        page = digest_of(texts[kind], kind)
        other = digest_of(texts[kind].replace("5", "6"), kind)
        for path, status, said in all_of((*paths, ""), Status, ("5", "Five", "5 | Lamp 5", None, "")):
            one = ObjectChange(said or "x", status, before=said, after=said, where=(path,) if path else ())
            if status is Status.UPDATED:
                one = one._replace(before=(said or "").replace("5", "6"))
            if status is Status.MORE:
                one = one._replace(old=1, new=2, before=None, after=None)
            if path and lot.happens(30):
                one = one._replace(where=(path, lot.one_of(paths)))
            sides = (page, other) if status is Status.GONE else (other, page)
            monitor = lot.one_of(("any change", "all links", "table", "attributes", "content"))
            (finding,) = in_context(*sides, [Finding(type=monitor, objects=(one,))])
            told = finding.objects[0] if finding.objects else one
            yield Context(*sides).label(one), told.label, told.section, told.surrounding, told.link_text
    for _ in range(150):
        before = " ".join(lot.sentence() for _ in range(1 + lot.below(14)))
        words = before.split(" ")
        at = lot.below(len(words))
        words[at : at + lot.below(4)] = lot.words(3).split()
        yield [list(map(list, side)) for side in marked(before, " ".join(words))]
        sides = (digest_of(f"<p>{before}</p>"), digest_of(f"<p>{' '.join(words)}</p>"))
        found_here = find(*sides, ChangeType("any change"))
        (finding,) = in_context(*sides, [found_here])
        yield [one.surrounding for one in finding.objects]


# --- what a browser shows ---------------------------------------------------------------------------


@KEPT
def visuals() -> Iterator[object]:
    """The regions of pictures that changed on a page, whole and in parts."""
    lot = Lot(59)
    parts = (None, "#a", "#b", "p", "div")
    for _ in range(60):
        boxes = [Box(lot.below(60), 30 * at, 20 + lot.below(60), 10 + lot.below(20)) for at in range(4)]
        html = "<div id=a><p>One</p></div><div id=b>Two</div>"
        places = list(zip(("body", "div", "p", "div"), [Box(0, 0, 120, 120), *boxes[:3]], strict=True))
        old = np.full((120, 120, 3), 255, dtype=np.uint8)
        for box in boxes:
            old[box.top : box.top + box.height, box.left : box.left + box.width] = 50 + 50 * lot.below(4)
        new = old.copy()
        for _ in range(lot.below(3)):
            top, left = lot.below(110), lot.below(110)
            new[top : top + 4 + lot.below(20), left : left + 4 + lot.below(20)] = 10 * lot.below(20)
        sides = [rendered(html, one, places) for one in (old, new)]
        for within, ignore in ((lot.one_of(parts), None), (None, lot.one_of(parts)), (None, None)):
            answer = diff(sides[0], sides[1], "visual", within=within, ignore=ignore)
            (finding,) = answer.findings
            yield within, ignore, f"{finding.share:.4f}", finding.score, finding.note, told(finding.objects)


def rendered(
    html: str, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], places: list[tuple[str, Box]]
) -> PageDigest:
    """Returns a page with its picture, as a browser would hand it over."""
    out = BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    picture = with_places(out.getvalue(), [tag for tag, _ in places], [box for _, box in places])
    return digest_of(html).with_screenshot(lambda: picture)


# --- the tests --------------------------------------------------------------------------------------


def test_tables_and_lists_are_found_by_their_names_as_before():
    KEPT.check("named_grids")


def test_rows_and_columns_of_tables_are_told_as_before():
    KEPT.check("rows_of_grids")


def test_phrases_and_keywords_on_pages_are_told_as_before():
    KEPT.check("phrases")


def test_phrases_and_keywords_in_data_are_told_as_before():
    KEPT.check("phrases_in_data")


def test_what_is_no_change_to_a_person_is_left_out_as_before():
    KEPT.check("left_out")


def test_what_shops_offer_is_told_as_before():
    KEPT.check("shops")


def test_nodes_are_found_again_as_before():
    KEPT.check("trees")


def test_changes_weigh_as_much_as_before():
    KEPT.check("amounts")


def test_objects_are_called_as_before():
    KEPT.check("called")


def test_regions_of_what_a_browser_shows_are_told_as_before():
    KEPT.check("visuals")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
