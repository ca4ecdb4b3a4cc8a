"""A change type that is skipped, because what it rests on stayed the same, would have found nothing."""

from __future__ import annotations

import pytest

from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.document.masks import view
from webvigil.graph.aspects import Aspects, Together
from webvigil.graph.nodes import ChangeNode, PartNode
from webvigil.language import parse_expression
from webvigil.model.sentinel import ChangeType, Part, change_types

SHOP = """<!doctype html><html><head><title>Shop</title></head><body><!-- made by hand --><h1>Lamps</h1>
<p class=lead>Two <b>new</b> lamps. <a href=/all>All lamps</a></p><img src=/a.png srcset="/b.png 2x">
<table><caption>Prices</caption><tr><th>Name<th>Price<tr><td><a href=/aurora>Aurora</a><td>10 EUR</table>
<ul><li>red<li>blue</ul><dl><dt>Open<dd>9</dl><p hidden>sold out</p></body></html>"""
EDITS = {
    "nothing": ("", ""),
    "title": ("Shop", "Store"),
    "words": ("Two", "Three"),
    "link": ("/all", "/every"),
    "link in a table": ("/aurora", "/polaris"),
    "picture": ("/a.png", "/c.png"),
    "large picture": ("/b.png", "/c.png"),
    "cell": ("10 EUR", "12 EUR"),
    "span": ("<td>10", "<td colspan=2>10"),
    "item": ("<li>blue", "<li>green"),
    "description": ("<dd>9", "<dd>10"),
    "hidden": ("<p hidden>", "<p>"),
    "class": ("class=lead", "class=intro"),
    "tag": ("<b>new</b>", "<i>new</i>"),
    "element": ("<ul>", "<hr><ul>"),
    "comment": ("by hand", "by machine"),
    "caption": ("Prices", "Costs"),
    "space": ("Two <b>", "Two  <b>"),
    "moved attribute": ("<dd>9</dl><p hidden>", "<dd hidden>9</dl><p>"),
}
WANTED = """any change; all links; all images; all words; all words by loctags; keywords: {sold, new};
keywords part {lam}; phrase: {new lamps}; regular expression: {EUR \\d|\\d+}; table: {1}; table: {Aurora};
table: {1} text only; table css: {table}; list: {1}; list: {red}; layout; tags; attributes; appearance;
comments; structure; content"""


def wanted() -> list[ChangeType]:
    found = [change for one in WANTED.split(";") for change in change_types(parse_expression(one.strip()))]
    assert len(found) == 22
    return found


def assert_sound(old: PageDigest, new: PageDigest) -> set[str]:
    """Asserts that the change types that are skipped find nothing. Returns their kinds."""
    aspects = Aspects(old, new)
    left_out = [change for change in wanted() if aspects.leave_out(change)]
    for change in left_out:
        assert not find(old, new, change).changed, change
    return {change.kind for change in left_out}


def page(text: str, url: str = "https://shop.test/", kind: str = "text/html") -> PageDigest:
    return read(text.encode(), kind, url)


@pytest.mark.parametrize("name", EDITS)
def test_what_is_left_out_finds_nothing(name: str):
    assert EDITS[name][0] in SHOP
    old, new = page(SHOP), page(SHOP.replace(*EDITS[name]) if name != "nothing" else SHOP)
    assert_sound(old, new)
    assert_sound(new, old)
    for selector in ("p.lead, p.intro", "table", "ul", "body"):
        part = [Part("css", selector)]
        assert_sound(view(old, within=part), view(new, within=part))


def test_a_page_that_is_the_same_leaves_out_what_it_can():
    kinds = {change.kind for change in wanted()}
    assert assert_sound(page(SHOP), page(SHOP)) == kinds - {"content"}


def test_new_words_leave_out_links_pictures_tables_and_markup():
    left = assert_sound(page(SHOP), page(SHOP.replace("Two", "Three")))
    assert left >= {"all links", "all images", "table", "list", "layout", "tags", "attributes", "comments"}


def test_relative_links_lead_elsewhere_from_another_address():
    old, new = page(SHOP), page(SHOP, "https://other.test/")
    left = assert_sound(old, new)
    assert not left & {"any change", "all links", "all images", "appearance"}
    assert "all words" in left


@pytest.mark.parametrize(
    ("kind", "text", "edit"),
    [
        ("application/xml", "<feed><link href='https://a.test/1'/><p>new lamps</p></feed>", ("/1", "/2")),
        ("application/xml", "<feed><p>new lamps</p></feed>", ("new", "old")),
        ("application/xml", "<feed><p state='new'>lamps</p></feed>", ("new", "old")),
        ("application/json", '{"lamps": ["new", "sold"], "n": 1}', ("1", "2")),
        ("text/plain", "new lamps at https://a.test/1", ("/1", "/2")),
        ("text/plain", "new lamps for EUR 1", ("EUR 1", "EUR  1")),
    ],
)
def test_other_documents_are_searched_for_what_may_have_changed(kind: str, text: str, edit: tuple[str, str]):
    old, new = page(text, kind=kind), page(text.replace(*edit), kind=kind)
    assert_sound(old, new)
    assert_sound(old, page(SHOP))


OF_WORDS = {
    "all words",
    "all words by loctags",
    "keywords: {sold, new}",
    "keywords part {lam}",
    "phrase: {new lamps}",
    "regular expression: {EUR \\d|\\d+}",
}
TABLES = {"table: {1}", "table: {Aurora}", "table: {1} text only"}
LISTS = {"list: {1}", "list: {red}"}
OF_VALUES = {"attributes", "appearance", "structure"}
OF_ELEMENTS = {"all words by loctags", "layout", "tags", "comments", *OF_VALUES, *TABLES, *LISTS}
SEARCHED = {
    "nothing": set[str](),
    "title": {"any change"},
    "words": {"any change", *OF_WORDS},
    "link": {"any change", "all links", "all images", *OF_VALUES},
    "link in a table": {
        *("any change", "all links", "all images", "table: {1}", "table: {Aurora}"),
        *OF_VALUES,
    },
    "picture": {"any change", "all images", *OF_VALUES},
    "large picture": {"any change", "all images", *OF_VALUES},
    "cell": {"any change", *OF_WORDS, *TABLES},
    "span": {"any change", "all images", *OF_VALUES, *TABLES, *LISTS},
    "item": {"any change", *OF_WORDS, *LISTS},
    "description": {"any change", *OF_WORDS, *LISTS},
    "hidden": {"any change", "all images", *OF_WORDS, *OF_VALUES, *TABLES, *LISTS},
    "class": OF_VALUES,
    "tag": {"any change", "all images", *OF_ELEMENTS},
    "element": {"any change", "all images", *OF_ELEMENTS},
    "comment": {"comments", "structure"},
    "caption": {"any change", *OF_WORDS, *TABLES},
    "space": {"any change", *OF_WORDS} - {"keywords part {lam}", "regular expression: {EUR \\d|\\d+}"},
    "moved attribute": {"any change", "all images", *OF_WORDS, *OF_VALUES, *TABLES, *LISTS},
}


@pytest.mark.parametrize("name", EDITS)
def test_only_what_may_have_changed_is_searched(name: str):
    old, new = page(SHOP), page(SHOP.replace(*EDITS[name]) if name != "nothing" else SHOP)
    texts = [" ".join(one.split()) for one in WANTED.split(";")]
    for aspects in (Aspects(old, new), Aspects(new, old)):
        searched = {text for text, one in zip(texts, wanted(), strict=True) if not aspects.leave_out(one)}
        assert searched == {*SEARCHED[name], "table css: {table}", "content"}


@pytest.mark.parametrize("name", ["title", "words", "link", "element", "class"])
@pytest.mark.parametrize("selector", ["table", "dl"])
def test_what_changed_around_a_part_lets_only_tables_and_lists_be_searched(name: str, selector: str):
    texts = [" ".join(one.split()) for one in WANTED.split(";")]
    part = [Part("css", selector)]
    old, new = (view(one, within=part) for one in (page(SHOP), page(SHOP.replace(*EDITS[name]))))
    aspects = Aspects(old, new)
    searched = {text for text, one in zip(texts, wanted(), strict=True) if not aspects.leave_out(one)}
    assert searched == {*TABLES, *LISTS, "table css: {table}", "content"}


INPUT = "<!doctype html><form><input name=a value='{}'></form><p>text"


@pytest.mark.parametrize(
    ("before", "after", "same_links"),
    [
        ("1", "2", True),
        ("1", "https://a.test/", False),
        ("https://a.test/", "1", False),
        ("https://a.test/", "https://b.test/", False),
    ],
)
def test_a_value_is_a_link_if_it_is_an_address(before: str, after: str, same_links: bool):
    aspects = Aspects(page(INPUT.format(before)), page(INPUT.format(after)))
    assert aspects.leave_out(ChangeType("all links")) is same_links


LONG = "a new lamp stands here, and the table stands there, at"


def together(*wishes: str, old: str = f"{LONG} home", new: str = f"{LONG} work") -> list[str]:
    """Returns which of the searches one pass rules out."""
    changes = [change for one in wishes for change in change_types(parse_expression(one))]
    nodes = [ChangeNode(PartNode(), change) for change in changes]
    one = Together(page(f"<p>{old}"), page(f"<p>{new}"), nodes)
    return [wish for wish, node in zip(wishes, nodes, strict=True) if one.leave_out(node)]


@pytest.mark.parametrize(
    ("wishes", "ruled_out"),
    [
        (
            ["keywords: {lamp}", "keywords: {home}", "keywords: {sofa}"],
            ["keywords: {lamp}", "keywords: {sofa}"],
        ),
        (["keywords: {lamp}", "keywords: {sofa}"], []),
        (["keywords: {work}", "keywords: {home, sofa}", "keywords: {at}"], ["keywords: {at}"]),
        (["phrase: {new lamp}", "phrase: {at home}", "phrase: {at work}"], ["phrase: {new lamp}"]),
        (
            ["phrase: {lamp}", "keywords: {lamp}", "phrase: {chair}"],
            ["phrase: {lamp}", "keywords: {lamp}", "phrase: {chair}"],
        ),
        (["keywords part {sof}", "keywords: {sofa}", "phrase: {chair}"], []),
        (
            ["regular expression: {x+}", "regular expression: {hom.}", "regular expression: {wor.}"],
            ["regular expression: {x+}"],
        ),
        (["regular expression: {x+}", "regular expression: {y+}"], []),
        (
            ["regular expression: {x+}", "regular expression: {y+}", "regular expression: {z+} in source"],
            [],
        ),
        (["regular expression: {x+}", "keywords: {sofa}", "keywords: {chair}"], []),
    ],
)
def test_one_pass_rules_out_at_least_three_searches(wishes: list[str], ruled_out: list[str]):
    assert together(*wishes) == ruled_out


@pytest.mark.parametrize(
    ("kind", "ruled_out"),
    [("text/html", ["lamp  for"]), ("text/plain", ["new lamp"])],
)
def test_spaces_count_in_a_text_and_on_a_page_they_are_one(kind: str, ruled_out: list[str]):
    texts = ["new lamp", "lamp  for", "EUR"]
    nodes = [ChangeNode(PartNode(), ChangeType("regular expression", (text,))) for text in texts]
    old, new = (page(f"a new  lamp  for {price} EUR", kind=kind) for price in (1, 2))
    one = Together(old, new, nodes)
    assert [text for text, node in zip(texts, nodes, strict=True) if one.leave_out(node)] == ruled_out


def test_a_phrase_is_searched_if_it_reaches_into_a_change_and_not_if_it_ends_before_it():
    before = ["phrase: {stands here and the table stands there at}", "phrase: {sofa}", "phrase: {chair}"]
    into = ["phrase: {here and the table stands there at home}", "phrase: {sofa}", "phrase: {chair}"]
    assert together(*before) == before
    assert together(*into) == into[1:]


def test_a_keyword_that_only_moved_is_ruled_out_and_a_phrase_near_a_change_is_not():
    wishes = ("keywords: {lamp}", "phrase: {lamp}", "keywords: {sofa}")
    assert together(*wishes, old="lamp sofa", new="sofa lamp") != list(wishes)
    assert "phrase: {lamp}" not in together(*wishes, old="the lamp", new="lamp the")
