"""How the nodes of a page are called: by their row and column, term, label, lead-in, item, heading or keys.

The names of every node of some pages are kept in `names.txt`. After a change that is meant, write them anew
and read what git says is different: `.venv/bin/python -m tests.document.test_naming`
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webvigil.document import PageDigest, jsonpath, read
from webvigil.document.naming import Naming, cut, parts_of, title_of

KEPT = Path(__file__).with_name("names.txt")
SHOP = """<!doctype html><title>Lamps – The shop</title><body>
<nav aria-label="Main"><a href=/>Home</a><a href=/l><img src=i.png alt="Lamps we have"></a></nav>
<nav><h2>Topics</h2><a href=/o aria-label="Open all"></a></nav><nav><a href=/z>Z</a></nav>
<h1>All lamps</h1><p>Open: daily</p><p>Not: <b>a lead</b></p><div>Price: <b id=p>12 EUR</b></div>
<h2>Prices</h2>
<table><caption>Price list</caption><thead><tr><th>Lamp<th>Price<th>Stock</thead>
<tr><td>Aurora<td>10<td>3<tr><td>7<td>Borealis<td>5<tr><td>Candela<td>9</table>
<table><tr><th>Day<th>Hours<tr><th>Monday<td>9 to 5<tr><td>Tuesday<td>closed</table>
<table><tr><td>a<td>b<tr><td>c<td>d</table>
<table><tr><th colspan=2>Wide<th>Third<tr><td>one<td>two<td>three</table>
<h3>Details</h3><dl><dt>Weight :<dd>5 kg<dt>Colour<dd>red<dd>blue</dl>
<form><label for=q>Search: </label><input id=q name=q><label>Size <select name=s><option>small
<option>large</select></label><input placeholder="Your name"><input name=plain>
<textarea title=Note></textarea><button>Go</button></form>
<ul><li><h4>First</h4><p>about it</p><li><a href=/2>Second</a> and more<li>
<span class="item-title">Third</span><em>x</em><li><i>no title</i> here</ul>
<div class=card><b>Apollo</b><p>shines</p></div><div class=card><b>Diana</b><p>glows</p></div>
<div class=other><b>Lone</b><p>alone</p></div><div><b>Bare</b><p>no class</p></div>
<article><h2>An article</h2><p>Its text</p><section><p>inside</p></section></article><p>after it</p>
<figure><img src=f.png><figcaption>A view</figcaption></figure><img src=g.png title="By title"><img src=h.png>
<svg aria-label="Drawn"><path/></svg><aside><p>aside</p></aside>
<p hidden><h2 hidden>Hidden</h2></p><h2> </h2><p>under an empty one</p>
<footer><p>Imprint: here we are</p></footer></body>"""
JSON = """{"title": "x", "items": [{"name": "Ann", "age": 5, "tags": ["a", "b"]},
{"age": 6, "in": {"deep": {"er": 1}}}, {"id": 7, "list": [[1, 2], [3]]}], "count": 2, "": 3}"""
XML = """<shop><item id="i1"><title>One</title><price>5</price></item><item code="c2"><price>6</price></item>
<p:entry xmlns:p="urn:p"><p:name>Three</p:name><p:x/></p:entry><other><a>1</a><a>2</a></other></shop>"""
PAGES = {
    "shop": (SHOP, "text/html"),
    "no title": (
        "<body><p>before</p><h2>One</h2><p>x</p><h3>Two</h3><p>y</p><h2>Three</h2><p>z</p>",
        "text/html",
    ),
    "json": (JSON, "application/json"),
    "list": ('[{"key": "k", "value": 1}, {"value": 2}, 3, [4]]', "application/json"),
    "xml": (XML, "text/xml"),
    "text": ("one\n\ntwo", "text/plain"),
}


def kept() -> str:
    return "\n".join(line for name in PAGES for line in _names(name)) + "\n"


def _names(page: str) -> Iterator[str]:
    text, kind = PAGES[page]
    digest = read(text.encode(), kind)
    names = Naming(digest)
    yield f"{page}: {title_of(digest)!r}, first heading {names.first_heading!r}"
    for node in range(len(digest)):
        label, section = names.of(node)
        more = [f"link {names.link_text(node)!r}"] if digest.tag(node) == "a" else []
        more += [f"picture {names.picture(node)!r}"] if digest.tag(node) in ("img", "svg") else []
        more += [f"item {item!r}"] if (item := names.item(node)) else []
        yield f"    {node} {digest.tag(node)}: {label!r} in {section!r}{''.join(f', {one}' for one in more)}"


def test_the_nodes_of_pages_are_called_as_before():
    assert kept() == KEPT.read_text("utf-8"), (
        "if this is meant: .venv/bin/python -m tests.document.test_naming"
    )


def named(body: str, wanted: str = "x") -> str:
    """Returns the label of the element with this id."""
    digest = read(body.encode(), "text/html")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == wanted]
    return Naming(digest).of(node).label


def page(body: str) -> PageDigest:
    return read(f"<title>T</title>{body}".encode(), "text/html")


@pytest.mark.parametrize(
    ("before", "label"),
    [
        ("the price", "the price"),
        ("a" * 60, "a" * 60),
        ("a" * 61, "T"),
        ("This was said of it. The price", "The price"),
        # Of a long sentence as many whole words as have room.
        (
            "Longer sentences go on without any punctuation until they say the price",
            "go on without any punctuation until they say the price",
        ),
        (
            "x Longer sentences go on without any punctuation until it says the price",
            "go on without any punctuation until it says the price",
        ),
    ],
)
def test_a_lead_in_begins_with_a_whole_word(before: str, label: str):
    assert named(f"<title>T</title><p>{before}: <b id=x>5</b></p>") == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Price: 12", "Price"),
        ("Price:12", "T"),
        ("12: 13", "T"),
        ("a b c d e: 1", "a b c d e"),
        ("a b c d e f: 1", "T"),
        ("a" * 40 + ": 1", "a" * 40),
        ("a" * 41 + ": 1", "T"),
        ("Price: " + "b" * 153, "Price"),
        ("Price: " + "b" * 154, "T"),
    ],
)
def test_the_words_before_a_colon_name_a_short_line(text: str, label: str):
    assert named(f"<title>T</title><p id=x>{text}</p>") == label


@pytest.mark.parametrize(
    ("box", "label"),
    [
        ("<div class=c><b>Name</b><i id=x>5</i></div><div class=c>1</div>", "Name"),
        ("<div class=c>1</div><div class=c><b>Name</b><i id=x>5</i></div>", "Name"),
        ("<div class=d>1</div><div class=c><b>Name</b><i id=x>5</i></div>", "T"),
        ("<p class=c>1</p><div class=c><b>Name</b><i id=x>5</i></div>", "T"),
        ("<div class=c>1</div><i></i><div class=c><b>Name</b><i id=x>5</i></div>", "Name"),
        ("<div class=c>1</div><i></i><i></i><div class=c><b>Name</b><i id=x>5</i></div>", "T"),
        ("<div class=c><b>Name</b><i id=x>5</i></div><i></i><div class=c>1</div>", "Name"),
        ("<div class=c><b>Name</b><i id=x>5</i></div><i></i><i></i><div class=c>1</div>", "T"),
        ("<div class=c><i id=x>Name</i></div><div class=c>1</div>", "T"),
        ("<li>so <b>Name</b><i id=x>5</i></li>", "T"),
        ("<li><b>5</b><b>Name</b><i id=x>5</i></li>", "T"),
    ],
)
def test_a_box_is_an_item_if_one_like_it_stands_near(box: str, label: str):
    assert named(f"<title>T</title>{box}") == label


def test_a_row_is_called_by_the_first_cell_before_that_can_be_a_name():
    table = "<table><tr><td>{}<td>Borealis<td id=x>5<tr><td>1<td>2<td>3</table>"
    assert named(table.format("Aurora")) == "Aurora"
    assert named(table.format("17")) == "Borealis"
    assert named(table.format("a" * 160)) == "a" * 79 + "…"
    assert named(table.format("a" * 161)) == "Borealis"
    assert named("<title>T</title>" + table.replace("Borealis", "8").format("7")) == "T"


def test_a_heading_of_a_column_needs_as_many_columns_as_the_row_has_cells():
    head = "<table><tr><th>A<th>B<tr>{}</table>"
    assert named(head.format("<td>Row<td id=x>5")) == "Row · B"
    assert named("<title>T</title>" + head.format("<td>Row<td id=x>5<td>6")) == "Row"
    assert named(head.format("<td>9<td id=x>5")) == "B"
    assert named(head.format("<td>Row<td id=x>B")) == "Row"
    assert named("<title>T</title><table><tr><th>A<th id=x>B<tr><td>1<td>2</table>") == "T"


@pytest.mark.parametrize(
    ("text", "longest", "shown"),
    [
        ("", 80, ""),
        (" a \n b ", 80, "a b"),
        ("a" * 80, 80, "a" * 80),
        ("a" * 81, 80, "a" * 79 + "…"),
        ("aaaaaa bbbbb", 10, "aaaaaa…"),
        ("aaaaa bbbbbb", 10, "aaaaa bbb…"),
        ("aaaaaa, bbbb", 10, "aaaaaa…"),
        ("a" * 9 + " b", 10, "a" * 9 + "…"),
        ("aa bb cc dd ee", 10, "aa bb cc…"),
    ],
)
def test_a_name_is_cut_behind_a_word(text: str, longest: int, shown: str):
    assert cut(text, longest) == shown


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Sofa – The shop", ["Sofa", "The shop"]),
        ("Sofa|Shop", ["Sofa", "Shop"]),
        ("Sofa-bed: a – b · c", ["Sofa-bed: a", "b", "c"]),
        ("| Sofa", ["Sofa"]),
        ("Sofa", ["Sofa"]),
        ("", []),
    ],
)
def test_the_parts_of_a_title(title: str, parts: list[str]):
    assert parts_of(title) == parts


def test_a_page_without_a_title_is_called_by_its_first_heading():
    assert title_of(page("<h1>H</h1>")) == "T"
    assert title_of(read(b"<h2> </h2><h3>Third</h3><h1>H</h1>", "text/html")) == "Third"
    assert title_of(read(b"<p>x", "text/html")) == ""
    assert title_of(read(f"<title>{'t' * 201}</title>".encode(), "text/html")) == "t" * 199 + "…"


def test_a_table_without_rows_in_a_cell_has_no_headings():
    """Only XHTML can have cells without a row."""
    inner = "<table><caption>Inner</caption><td id='x'>5</td></table>"
    page = f"<html xmlns='http://www.w3.org/1999/xhtml'><table><tr><td>Row</td><td>{inner}</td></tr></table></html>"
    digest = read(page.encode(), "application/xhtml+xml")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    assert Naming(digest).of(node) == ("Row", "Inner")


def item(body: str) -> str:
    """Returns the title of the item with the id x."""
    digest = read(body.encode(), "text/html")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    return Naming(digest).item(node)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<li id=x>Name</li>", ""),
        ("<li id=x><b>Name</b></li>", "Name"),
        ("<li id=x><b>Big <i>lamp</i></b> of brass</li>", "Big lamp"),
        ("<p id=x><b>Name</b> and more</p>", ""),
        # A heading, or what is marked as a title, goes before strong words.
        ("<li id=x><b>First</b> <h4>Name</h4></li>", "Name"),
        ("<li id=x><b>First</b> <i class=title>Name</i></li>", "Name"),
        ("<li id=x><b>First</b> <i itemprop=name>Name</i></li>", "Name"),
        ("<li id=x><b>First</b> <i class=title>Name</i> <h4>Head</h4></li>", "Head"),
        ("<li id=x><b class=headline>Name</b> so</li>", "Name"),
        ("<li id=x>so <i data-a=title>Name</i></li>", ""),
        ("<li id=x class=title>so <b>Name</b></li>", ""),
        ("<li id=x>so <i class=subtitle>Name</i></li>", ""),
        ("<li id=x>so <i class=item_title>Name</i></li>", "Name"),
        (f"<li id=x>so <i class='{'a ' * 97}title'>Name</i></li>", "Name"),
        (f"<li id=x>so <i class='{'a ' * 98}title'>Name</i></li>", ""),
        # Numbers name nothing.
        ("<li id=x><h4>7</h4><h4>Name</h4></li>", "Name"),
        (f"<li id=x>{'<h4>7</h4>' * 39}<h4>Name</h4></li>", "Name"),
        (f"<li id=x>{'<h4>7</h4>' * 40}<h4>Name</h4></li>", ""),
        # Of strong words the first three elements are read.
        ("<li id=x><b></b><b></b><b>Name</b></li>", "Name"),
        ("<li id=x><b></b><b></b><b></b><b>Name</b></li>", ""),
        # A larger element is no item.
        (f"<li id=x><b>Name</b>{'<br>' * 397}</li>", "Name"),
        (f"<li id=x><b>Name</b>{'<br>' * 398}</li>", ""),
    ],
)
def test_an_item_has_a_title(body: str, title: str):
    assert item(body) == title


@pytest.mark.parametrize(
    ("body", "label"),
    [
        # Sixty elements around a node are looked at, and forty siblings before it.
        (f"<ul><li><b>Name</b>{'<span>' * 58}<u id=x>5", "Name"),
        (f"<ul><li><b>Name</b>{'<span>' * 59}<u id=x>5", "T"),
        (f"<dl><dt>Term{'<dd>a' * 39}<dd id=x>5", "Term"),
        (f"<dl><dt>Term{'<dd>a' * 40}<dd id=x>5", "T"),
        # Siblings begin at most four hundred nodes away.
        (f"<dl><dt>Term<dd>{'<br>' * 397}<dd id=x>5", "Term"),
        (f"<dl><dt>Term<dd>{'<br>' * 398}<dd id=x>5", "T"),
        (
            f"<div class=c><b>Name</b><i id=x>5</i></div><p>{'<br>' * 398}</p><div class=c>1</div>",
            "Name",
        ),
        (f"<div class=c><b>Name</b><i id=x>5</i></div><p>{'<br>' * 399}</p><div class=c>1</div>", "T"),
        # A heading is looked for among sixty.
        (f"<h2>Head</h2>{'<section><h3>o</h3></section>' * 59}<p id=x>5", "Head"),
        (f"<h2>Head</h2>{'<section><h3>o</h3></section>' * 60}<p id=x>5", "T"),
        # A row has forty cells with names.
        (f"<table><tr>{'<th>H' * 39}<th>Last<tr>{'<td>1' * 39}<td id=x>5</table>", "Last"),
        (f"<table><tr>{'<th>H' * 40}<th>Last<tr>{'<td>1' * 40}<td id=x>5</table>", "T"),
        # A caption is one of the first three elements of its table.
        (f"<table>{'<colgroup></colgroup>' * 2}<caption>Cap</caption><tr><td id=x>5</table>", "Cap"),
        (f"<table>{'<colgroup></colgroup>' * 3}<caption>Cap</caption><tr><td id=x>5</table>", "T"),
        ("<table><caption>Cap</caption><caption>Other</caption><tr><td id=x>5</table>", "Cap"),
        ("<nav><h2 id=x>Topics</h2></nav>", "Navigation"),
        ("<aside aria-label=More><p id=x>5</p></aside>", "More"),
        ("<footer><p id=x>5</p></footer>", "Footer"),
        ("<h2>Head</h2><aside><p id=x>5</p></aside>", "Side column"),
        ("<h2>Head</h2><aside><h3>Inner</h3><p id=x>5</p></aside>", "Inner"),
    ],
)
def test_a_name_is_looked_for_near_the_node(body: str, label: str):
    assert named(f"<title>T</title>{body}") == label


@pytest.mark.parametrize(("empty", "heading"), [(59, "Head"), (60, "")])
def test_the_first_heading_is_one_of_sixty(empty: int, heading: str):
    assert title_of(read(f"{'<h2></h2>' * empty}<h2>Head</h2>".encode(), "text/html")) == heading


@pytest.mark.parametrize("body", ["<p>A</p><td id='x'>5</td>", "<tr><td>Row</td><td id='x'>5</td></tr>"])
def test_a_cell_outside_of_a_table_has_no_row(body: str):
    """Only XHTML can have such cells."""
    page = (
        f"<html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title></head><body>{body}</body></html>"
    )
    digest = read(page.encode(), "application/xhtml+xml")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    assert Naming(digest).of(node) == ("T", "T")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<figure><img id=x><figcaption>A view</figcaption></figure>", "A view"),
        ("<figure><img id=x><figcaption>A <b>fine</b> view</figcaption></figure>", "A fine view"),
        ("<figure><img id=x><figcaption> </figcaption><figcaption>View</figcaption></figure>", "View"),
        ("<figure><img id=x alt=Alt><figcaption>A view</figcaption></figure>", "Alt"),
        ("<figure><img id=x title=Title><figcaption>A view</figcaption></figure>", "A view"),
        ("<figure><img id=x title=Title></figure>", "Title"),
        ("<figure><figcaption>A view</figcaption></figure><img id=x aria-label=Said title=Title>", "Said"),
        ("<figure><figcaption>A view</figcaption></figure><img id=x>", ""),
    ],
)
def test_a_picture_is_called_by_what_it_shows(body: str, shown: str):
    digest = read(body.encode(), "text/html")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    assert Naming(digest).picture(node) == shown


@pytest.mark.parametrize(
    ("text", "path", "label"),
    [
        ('{"a": {"b": {"c": {"d": 1}}}}', "$.a.b.c.d", "b · c · d"),
        ('{"a": {"b": {"b": {"d": 1}}}}', "$.a.b.b.d", "b · d"),
        ('{"a": [{"x": 1}, {"x": 2}]}', "$.a[1].x", "a 2 · x"),
        ('{"a": [{"name": "N", "x": 2}]}', "$.a[0].x", "N · x"),
        ('{"a": [{"Title": "N", "id": 7, "x": 2}]}', "$.a[0].x", "N · x"),
        ('{"a": [{"name": "N"}]}', "$.a[0].name", "a 1 · name"),
        ('{"a": {"name": "N", "x": 2}}', "$.a.x", "a · x"),
        ("[{}, 5]", "$[1]", "item 2"),
    ],
)
def test_keys_name_a_value(text: str, path: str, label: str):
    digest = read(text.encode(), "application/json")
    assert Naming(digest).of(jsonpath.node_at(digest, path)).label == label


@pytest.mark.parametrize(("members", "label"), [(79, "N · x"), (80, "a 1 · x")])
def test_the_name_of_an_object_is_one_of_its_first_eighty_members(members: int, label: str):
    more = "".join(f'"k{n}": 0, ' for n in range(members - 1))
    digest = read(f'{{"a": [{{"x": 1, {more}"name": "N"}}]}}'.encode(), "application/json")
    assert Naming(digest).of(jsonpath.node_at(digest, "$.a[0].x")).label == label


if __name__ == "__main__":
    KEPT.write_text(kept(), "utf-8")


@pytest.mark.parametrize(
    ("row", "label"),
    [
        ("<div><td id='x'>5</td></div>", ""),
        ("<td>a</td><div><td id='x'>5</td></div>", "a"),
        ("<div><td id='x'>5</td></div><td>a</td>", ""),
    ],
)
def test_a_cell_may_stand_deeper_in_its_row(row: str, label: str):
    """Only in XHTML."""
    page = f"<html xmlns='http://www.w3.org/1999/xhtml'><table><tr>{row}</tr></table></html>"
    digest = read(page.encode(), "application/xhtml+xml")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    assert Naming(digest).of(node).label == label


@pytest.mark.parametrize(
    ("body", "label"),
    [
        # What stands in a heading of a column is not called after it.
        ("<table><tr><th>A <b id=x>b</b><th>C<tr><td>1<td>2</table>", "T"),
        ("<table><tr><th>A <b>b</b><th>C<tr><td>1<td id=x>2</table>", "C"),
        # A row is none of the items around it; a cell without a name is.
        ("<ul><li><b>Name</b><table><tr><td id=x>5</table></ul>", "Name"),
        ("<ul><li><b>Name</b><table><tr id=x><td>5</table></ul>", "T"),
        ("<table><tbody class=c><tr><td><b>Name</b> n<tr><td id=x>5<tbody class=c><tr><td>1</table>", "Name"),
        ("<table><tbody class=c><tr id=x><td><b>Name</b> n<tbody class=c><tr><td>1</table>", "T"),
        # The smallest item has three nodes.
        ("<li id=x><b>Name</b></li>", "T"),
        ("<li><b id=x>Name</b></li>", "T"),
        ("<li><b>Name</b><i id=x></i></li>", "Name"),
        ("<ul><li><u id=x></u></ul>", "T"),
        # Fields
        ("<label for=x>Price:* </label><input id=x>", "Price"),
        ("<label for=x></label><input id=x title=t name=n>", "t"),
        ("<label for=y>Other</label><input id=x name=n>", "n"),
        ("<label>Price <input id=x name=n></label>", "Price"),
        ("<input id=x placeholder=p aria-label=a>", "a"),
        ("<input id=x>", "T"),
        ("<option id=x>1</option>", "T"),
        ("<option id=x title=t>1</option>", "t"),
        ("<select name=s><option id=x>1</select>", "s"),
        ("<label for=s>Size</label><select id=s><optgroup><option id=x>1</select>", "Size"),
        ("<label for=x>One</label><label for=x>Two</label><input id=x>", "One"),
        # Pictures and links
        ("<figure><img id=x><figcaption>Cap</figcaption></figure>", "Cap"),
        ("<figure><img id=x alt=a><figcaption>Cap</figcaption></figure>", "a"),
        ("<figure><img id=x title=t></figure>", "t"),
        (
            "<figure><img id=x title=t><figcaption> </figcaption><figcaption>Second</figcaption></figure>",
            "Second",
        ),
        # Descriptions
        ("<dl><dt>Term :<dd id=x>a<dt>Next<dd>b</dl>", "Term"),
        ("<dl><dd id=x>a<dt>Next<dd>b</dl>", "T"),
        ("<dl><dt>Term<dd><p id=x>a</dl>", "Term"),
    ],
)
def test_what_stands_around_names_a_node(body: str, label: str):
    assert named(f"<title>T</title>{body}") == label


@pytest.mark.parametrize(
    ("body", "section"),
    [
        ("<h2>A</h2><p id=x>1", "A"),
        ("<h2>A</h2><h3>B</h3><p id=x>1", "B"),
        ("<h2>A</h2><h3 id=x>B</h3>", "A"),
        ("<h2>A</h2><h2 id=x>B</h2>", "T"),
        ("<h3>A</h3><h2 id=x>B</h2>", "T"),
        ("<section><h2>A</h2></section><p id=x>1", "T"),
        ("<section><h2>A</h2><p id=x>1</section>", "A"),
        ("<h2>A</h2><section><p id=x>1</section>", "A"),
        ("<nav><h2>A</h2><p id=x>1</nav>", "A"),
        ("<h2>Z</h2><nav aria-label=L><p id=x>1</nav>", "L"),
        ("<h2>Z</h2><nav><p id=x>1<h2>A</h2></nav>", "Navigation"),
        ("<h2>Z</h2><nav id=x><h2>A</h2></nav>", "Navigation"),
        ("<h2>A</h2><h2> </h2><p id=x>1", "A"),
        ("<h2>A</h2><table><caption>C</caption><tr><td id=x>1</table>", "C"),
        ("<h2>A</h2><table><caption></caption><tr><td id=x>1</table>", "A"),
        ("<p id=x>1<h2>A</h2>", "T"),
    ],
)
def test_a_section_has_the_nearest_heading_before(body: str, section: str):
    digest = read(f"<title>T</title>{body}".encode(), "text/html")
    (node,) = [one for one in range(len(digest)) if digest.attribute(one, "id") == "x"]
    assert Naming(digest).of(node).section == section
    without = read(body.encode(), "text/html")
    (node,) = [one for one in range(len(without)) if without.attribute(one, "id") == "x"]
    first = Naming(without).first_heading
    assert Naming(without).of(node).section == (first if section == "T" else section)


def test_links_and_pictures_are_called_by_what_they_say():
    digest = read(
        b"<a href=1>Text</a><a href=2><img alt=Alt></a>"
        b"<a href=3 title=Tip></a>"
        b"<a href=4><svg aria-label=S></svg></a><a href=5><i></i><img><img alt=Second></a><a href=6></a>"
        b"<a href=7 aria-label=L title=T></a>",
        "text/html",
    )
    names = Naming(digest)
    assert [names.link_text(node) for node in digest.nodes_of("a").tolist()] == [
        "Text", "Alt", "Tip", "S", "Second", "", "L",
    ]  # fmt: skip
    assert [names.picture(node) for node in digest.nodes_of("img", "svg").tolist()] == [
        "Alt",
        "S",
        "",
        "Second",
    ]


@pytest.mark.parametrize(
    ("body", "path", "label"),
    [
        ('{"a": {"b": 1}}', "$.a.b", "a · b"),
        ('{"a": {"b": {"c": {"d": 1}}}}', "$.a.b.c.d", "b · c · d"),
        ('{"a": [1, 2]}', "$.a[1]", "a 2"),
        ("[1, 2]", "$[1]", "item 2"),
        ('{"a": [{"name": "N", "v": 1}]}', "$.a[0].v", "N · v"),
        ('{"a": [{"id": 7, "v": 1}]}', "$.a[0].v", "7 · v"),
        ('{"a": [{"id": 7, "title": "T", "v": 1}]}', "$.a[0].v", "T · v"),
        ('{"a": [{"v": 1}]}', "$.a[0].v", "a 1 · v"),
        ('{"a": [{"b": [{"v": 1}]}]}', "$.a[0].b[0].v", "a 1 · b 1 · v"),
        ('{"title": "P", "a": 1}', "$.a", "a"),
        ('{"a": [[1]]}', "$.a[0][0]", "a · item 1"),
    ],
)
def test_keys_on_the_way_name_a_value(body: str, path: str, label: str):
    digest = read(body.encode(), "application/json")
    (node,) = jsonpath.select(digest, path)
    assert Naming(digest).of(node).label == label
