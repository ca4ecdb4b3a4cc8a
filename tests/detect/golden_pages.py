"""Pairs of versions as the web has them, with what is monitored on each: for `test_golden.py`."""

# ruff: noqa: E501  (a page reads best as it is)

from __future__ import annotations

from dataclasses import dataclass

ALL = (
    "any change",
    "exact change",
    "all words",
    "all links",
    "all images",
    "content",
    "structure",
    "layout",
    "tags",
    "attributes",
    "comments",
    "status",
)
"""Change types that need no argument and suit every page."""
URL = "https://harbour.example/town/news.html"


@dataclass(frozen=True)
class Pair:
    old: str
    new: str
    also: tuple[str, ...] = ()
    content_type: str = "text/html; charset=utf-8"


def _table(*rows: str, caption: str = "") -> str:
    head, *body = [row.split("|") for row in rows]
    top = "".join(f"<th>{cell}" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in body)
    return f"<table>{caption and f'<caption>{caption}</caption>'}<tr>{top}{lines}</table>"


def _feed(*entries: tuple[str, str, str]) -> str:
    items = "".join(
        f"<item><title>{title}</title><link>https://harbour.example/{guid}</link>"
        f"<guid>{guid}</guid><pubDate>{date}</pubDate></item>"
        for guid, title, date in entries
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title>{items}</channel></rss>'


def _news(*, headline: str, time: str, comments: int, more: str = "") -> str:
    return f"""<!doctype html><html lang=en><head><title>{headline} | Harbour Post</title></head><body>
<nav><a href=/>Home</a> <a href=/sport>Sport</a> <a href="/login?next=/news">Log in</a></nav>
<main><article><h1>{headline}</h1><p class=by>By Ann Lee, <time datetime=2026-03-01>{time}</time></p>
<p>The bridge over the river was closed on Monday after a ship had touched one of its pillars.</p>
{more}<p>Engineers will look at the damage; cars drive around by the old ferry until then.</p></article></main>
<aside><h2>Comments ({comments})</h2><p>Most read today: tides, markets, weather.</p></aside>
<footer>&copy; 2026 Harbour Post. Served in 0.0{comments} s.</footer></body></html>"""


def _shop(price: str, stock: str, *, was: str = "") -> str:
    before = f"<del>{was}</del> " if was else ""
    return f"""<main itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Brass lamp</h1>
<div itemprop=offers itemscope itemtype="https://schema.org/Offer">{before}<span class=price itemprop=price
 content="{price}">{price} EUR</span><meta itemprop=priceCurrency content=EUR>
<link itemprop=availability href="https://schema.org/{stock}"> {"In stock" if stock == "InStock" else "Sold out"}
</div><p>A lamp of brass, 40 cm high.</p></main>"""


LAW = """<h1>Terms of service</h1><h2 id=a>1. Scope</h2><p>These terms apply to all accounts.</p>
<h2 id=b>2. Payment</h2><p>You pay {} a month, in advance. Fees are not returned.</p>
<h2 id=c>3. Notice</h2><p>Either side may end the contract with {} days of notice.{}</p>"""

PAIRS = {
    "news headline": Pair(
        _news(headline="Bridge closed", time="10:15", comments=3),
        _news(headline="Bridge closed for weeks", time="11:40", comments=9),
        ("phrase {the old ferry}", "keywords {pillars, ferry}", "value css {time}", "value css {h1}"),
    ),
    "news paragraph": Pair(
        _news(headline="Bridge closed", time="10:15", comments=3),
        _news(
            headline="Bridge closed",
            time="10:15",
            comments=3,
            more="<p>The mayor asked for patience, and promised 250,000 euros for the repair.</p>",
        ),
        ("keywords part {mayor, bridge}", "regular expression: {[0-9,]+ euros}", "phrase {asked for}"),
    ),
    "law": Pair(
        LAW.format("9.50 EUR", 30, ""),
        LAW.format("12 EUR", 14, " Notice is given in writing."),
        ("phrase {of notice}", "regular expression: {\\d+ days}", "keywords all {advance, writing} appear"),
    ),
    "law section moved": Pair(
        LAW.format("5 EUR", 30, ""),
        LAW.format("5 EUR", 30, "").replace(
            "<h2 id=a>1. Scope</h2><p>These terms apply to all accounts.</p>", ""
        )
        + "<h2 id=a>1. Scope</h2><p>These terms apply to all accounts.</p>",
    ),
    "price list": Pair(
        _table("Name|Price|Stock", "Sofa|120.00|3", "Lamp|15.50|1", "Rug|70.00|0", caption="Prices"),
        _table("Name|Price|Stock", "Sofa|99.00|3", "Bed|240.00|5", "Rug|70.00|2", caption="Prices"),
        ("table caption {Prices}", "table {1}", "value css {td}", "phrase {Rug}"),
    ),
    "table with a column more": Pair(
        _table("Route|Leaves|Arrives", "1|08:00|08:40", "2|09:10|10:00", "7|11:00|11:20"),
        _table("Route|Platform|Leaves|Arrives", "1|A|08:00|08:40", "2|B|09:15|10:00", "7|A|11:00|11:20"),
        ("table {1}",),
    ),
    "table with its rows in another order": Pair(
        _table("Team|Points", "Ants|40", "Bees|38", "Cats|31", "Dogs|30", "Eels|12"),
        _table("Team|Points", "Bees|41", "Ants|40", "Cats|31", "Eels|13", "Foxes|2"),
        ("table {1}", "value css {tr:nth-child(2) td}"),
    ),
    "two tables": Pair(
        "<h2>Summer</h2>"
        + _table("Day|Open", "Mon|9–17", "Tue|9–17")
        + "<h2>Winter</h2>"
        + _table("Day|Open", "Mon|10–16", "Tue|closed"),
        "<h2>Summer</h2>"
        + _table("Day|Open", "Mon|9–17", "Tue|9–18")
        + "<h2>Winter</h2>"
        + _table("Day|Open", "Mon|10–16", "Tue|10–12", "Wed|closed"),
        ("table {1}", "table {2}", "table {Winter}"),
    ),
    "table of spans": Pair(
        "<table><tr><th rowspan=2>Hall<th colspan=2>Hours<tr><th>from<th>to<tr><td>A<td>9<td>17<tr><td>B<td>8<td>12"
        "</table>",
        "<table><tr><th rowspan=2>Hall<th colspan=2>Hours<tr><th>from<th>to<tr><td>A<td>9<td>18<tr><td>C<td>8<td>12"
        "</table>",
        ("table {1}",),
    ),
    "list of jobs": Pair(
        "<h1>Jobs</h1><ul><li>Baker, part time<li>Clerk in the harbour office<li>Teacher of music</ul>",
        "<h1>Jobs</h1><ul><li>Baker, full time<li>Teacher of music<li>Pilot<li>Cook for the canteen</ul>",
        ("list {1}", "keywords part {pilot, sailor}", "keywords all {clerk} disappear"),
    ),
    "lists in lists": Pair(
        "<ol><li>Plan<ul><li>Draw<li>Count</ul><li>Build<ul><li>Walls<li>Roof</ul></ol><p>Done.",
        "<ol><li>Plan<ul><li>Draw<li>Count twice</ul><li>Buy<li>Build<ul><li>Roof<li>Doors</ul></ol><p>Done.",
        ("list {1}", "list {2}"),
    ),
    "definitions": Pair(
        "<dl><dt>Open<dd>9–17<dt>Phone<dd>555 12 34<dt>Fax<dd>555 12 35</dl>",
        "<dl><dt>Open<dd>9–18<dt>Phone<dd>555 12 99<dt>Mail<dd>office@harbour.example</dl>",
        ("value css {dd}", "regular expression: {555 \\d\\d \\d\\d}"),
    ),
    "links": Pair(
        "<p>See <a href=/a>the plan</a>, <a href=/b>the map</a> and <a href='/c?utm_source=x'>the list</a>."
        "<p><a href='#top'>Up</a> <a href=mailto:a@harbour.example>Write</a>",
        "<p>See <a href=/a2>the plan</a>, <a href=/b>the new map</a> and <a href='/c?utm_source=y'>the list</a>."
        "<p><a href=/d>More</a> <a href='#top'>Up</a> <a href=mailto:b@harbour.example>Write</a>",
        ("phrase {the map}",),
    ),
    "pictures": Pair(
        "<img src=/ship.png alt='A ship' width=90><img src=/logo.svg alt=Logo><img src=/x.gif>",
        "<img src=/ship2.png alt='A ship' width=90><img src=/logo.svg alt='Our logo'><img src=/y.gif><img src=/z.gif>",
    ),
    "words in a sentence": Pair(
        "<p>The <b>quick</b> brown fox jumps over the lazy dog, and the dog sleeps on.</p>",
        "<p>The quick <i>red</i> fox jumped over the lazy dogs, and the dog sleeps.</p>",
        (
            "phrase {lazy dog}",
            "phrase {the dog sleeps}",
            "keywords {fox, dog, cat}",
            "all words except {the}",
        ),
    ),
    "numbers": Pair(
        "<p>Water 2.31 m, wind 14 km/h, 1,204 visitors, 12 March 2026, 45 %</p>",
        "<p>Water 2.35 m, wind 9 km/h, 1,377 visitors, 13 March 2026, 44.5 %</p>",
        ("regular expression: {[0-9.]+ m}", "value css {p}", "value regex {wind (\\d+)}"),
    ),
    "product": Pair(
        _shop("49.90", "InStock"),
        _shop("39.90", "OutOfStock", was="49.90 EUR"),
        ("product", "value css {.price}"),
    ),
    "products in a list": Pair(
        "<ul>"
        + "".join(f"<li><a href=/p{n}><h3>Lamp {n}</h3></a> <span>{9 + n}.90 €</span>" for n in range(6))
        + "</ul>",
        "<ul>"
        + "".join(
            f"<li><a href=/p{n}><h3>Lamp {n}</h3></a> <span>{9 + n + (n == 3)}.90 €</span>"
            for n in range(1, 7)
        )
        + "</ul>",
        ("product", "list {1}", "value css {span}"),
    ),
    "source alone": Pair(
        "<!-- build 17 --><div class=a data-x=1><p style='color:red'>Same words.</p></div>",
        "<!-- build 18 --><div class=b data-x=1 hidden=no><section><p>Same words.</p></section></div>",
        ("appearance", "regular expression {build \\d+} in source"),
    ),
    "hidden": Pair(
        "<p>Shown.</p><p hidden>Secret one.</p><div style='display:none'>Menu</div><script>var a=1</script>",
        "<p>Shown.</p><p hidden>Secret two.</p><div>Menu</div><script>var a=2</script>",
    ),
    "form": Pair(
        "<form action=/find><label>Town <input name=town value=Ayr></label><select name=s><option selected>A<option>B"
        "</select><textarea name=t>Hello</textarea><button>Find</button></form>",
        "<form action=/find2><label>City <input name=town value=Ely></label><select name=s><option>A<option selected>B"
        "<option>C</select><textarea name=t>Hello you</textarea><button>Search</button></form>",
    ),
    "ticking": Pair(
        "<p>Updated 5 minutes ago</p><p>1,204 views</p><p>Page made in 0.12 s</p><p>The harbour is open.</p>",
        "<p>Updated 9 minutes ago</p><p>1,377 views</p><p>Page made in 0.31 s</p><p>The harbour is shut.</p>",
        ("phrase {harbour is open}",),
    ),
    "many languages": Pair(
        "<p lang=de>Die Brücke ist geöffnet.</p><p lang=ja>橋は開いています。</p><p lang=ar dir=rtl>الجسر مفتوح</p>",
        "<p lang=de>Die Brücke ist geschlossen.</p><p lang=ja>橋は閉まっています。</p><p lang=ar dir=rtl>الجسر مغلق</p>",
        ("phrase {die brücke}", "keywords {geöffnet, geschlossen}"),
    ),
    "code": Pair(
        "<pre>def f(x):\n    return x + 1\n\nprint(f(2))</pre><p>Version <code>1.4.2</code></p>",
        "<pre>def f(x, y=0):\n    return x + y\n\nprint(f(2))\n# end</pre><p>Version <code>1.5.0</code></p>",
        ("value css {code}", "regular expression: {Version [0-9.]+}"),
    ),
    "nothing left": Pair(
        "<h1>Harbour</h1><p>Welcome.</p><a href=/x>More</a>", "", ("phrase {welcome}", "list {1}")
    ),
    "from nothing": Pair("", "<h1>Harbour</h1><p>Welcome.</p><a href=/x>More</a>", ("phrase {welcome}",)),
    "repeated": Pair(
        "".join(f"<p>Line {n % 3}</p>" for n in range(9)),
        "".join(f"<p>Line {n % 3}</p>" for n in range(11)) + "<p>Line 9</p>",
        ("phrase {line 2}", "keywords {line}"),
    ),
    "feed": Pair(
        _feed(
            ("a", "Storm on its way", "Mon, 02 Mar 2026 08:00:00 GMT"),
            ("b", "Market day", "Sun, 01 Mar 2026 08:00:00 GMT"),
        ),
        _feed(
            ("c", "Storm is over", "Tue, 03 Mar 2026 08:00:00 GMT"),
            ("a", "Storm is near", "Mon, 02 Mar 2026 09:00:00 GMT"),
        ),
        ("phrase {market day}", "value xpath {//item/title}", "keywords {storm}"),
        "application/rss+xml",
    ),
    "xml": Pair(
        "<ship name='Ann'><crew><man role='cook'>Bo</man><man role='mate'>Cy</man></crew><load>12</load></ship>",
        "<ship name='Ann B'><crew><man role='mate'>Cy</man><man role='cook'>Di</man></crew><load unit='t'>14</load></ship>",
        ("value xpath {//load}", "phrase {Cy}"),
        "application/xml",
    ),
    "json": Pair(
        '{"town": "Ayr", "tides": [{"at": "04:10", "m": 2.3}, {"at": "16:40", "m": 2.5}], "open": true, "note": null}',
        '{"town": "Ayr", "tides": [{"at": "04:10", "m": 2.4}, {"at": "17:00", "m": 2.5}, {"at": "23:00", "m": 1}], "open": false}',
        ("value json {$.tides[*].m}", "phrase {Ayr}", "keywords {open}"),
        "application/json",
    ),
    "csv": Pair(
        "id;name;price\n1;Sofa;120\n2;Lamp;15\n3;Rug;70\n",
        "id;name;price\n1;Sofa;99\n3;Rug;70\n4;Bed;240\n",
        ("table {1}", "phrase {Rug}"),
        "text/csv",
    ),
    "plain text": Pair(
        "HARBOUR\n\nShips today:\n  Ann      08:00\n  Bo       09:30\n\nNo fishing.\n",
        "HARBOUR\n\nShips today:\n  Ann      08:15\n  Cy       11:00\n  Di       12:00\n\nNo fishing at night.\n",
        ("phrase {no fishing}", "regular expression: {[0-9]+:[0-9]+}"),
        "text/plain",
    ),
}
