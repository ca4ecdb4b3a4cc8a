"""A click on any element of any page gives choices that can be watched (U1)."""

from __future__ import annotations

import pytest

from tests.app.sentinels.test_offers import SHOP
from tests.present.hostile import PAYLOADS
from webvigil.app.sentinels.pick import Choice, followed, kinds, picked, places
from webvigil.app.sentinels.selectors import selected, selector_of_one
from webvigil.document import PageDigest, read
from webvigil.errors import NotFound
from webvigil.graph.preview import watched
from webvigil.language import parse_expression
from webvigil.model.sentinel import Part, Sentinel, WebPage

MARKET = """<!doctype html><title>Market</title>
<nav><ul><li><a href=/next>Next</a><li><a href="javascript:alert(1)">Bad</a>
<li><a href="mailto:a@b.test">Mail</a></ul></nav>
<div><p>Open <b>every day</b> but Monday.</p><p>Entrance <span class=p>2,50 €</span></p></div>
<div><p>Tea <span class=p>3 €</span></p><p><img src=/tea.png alt="A cup"> The tea of the day.</p></div>
<table><caption>Prices</caption><tr><th>what<th>price<tr><td>tea<td>3 €<tr><td>milk<td>2 €</table>
<ul><li>Anna<li>Berta <i>4,00 €</i><li>Carl</ul>
<div><div><div id=deep>Deep down</div></div></div><!-- a comment -->"""


def page(html: str = MARKET) -> PageDigest:
    return read(html.encode(), "text/html", "https://market.test/here/")


def at(digest: PageDigest, words: str) -> int:
    """Returns the innermost element with exactly this text."""
    nodes = [node for node in range(len(digest)) if not digest.is_text[node]]
    return [node for node in nodes if " ".join(digest.text(node).split()) == words][-1]


def chosen(digest: PageDigest, node: int) -> Choice:
    found = picked(digest, node)
    return found.choices[found.chosen]


def sentinel(choice: Choice) -> Sentinel:
    within = (Part("css", choice.within),) if choice.within else ()
    monitor = parse_expression(choice.monitor)
    return Sentinel(name="s", target=WebPage("https://market.test/"), monitor=monitor, within=within)


@pytest.mark.parametrize(
    ("words", "label", "monitor", "within"),
    [
        ("milk", "Table “Prices” (2 rows)", "table: {1}", ""),
        ("Prices", "Table “Prices” (2 rows)", "table: {1}", ""),
        ("Anna", "List (3 items)", "list: {2}", ""),
        ("4,00 €", "The value 4,00 €", 'value css "ul > li:nth-of-type(2) > i"', ""),
        ("every day", "The words “every day”", "phrase: {every day}", ""),
        ("Deep down", "The words “Deep down”", "phrase: {Deep down}", ""),
        ("Next", "The words “Next”", "phrase: {Next}", ""),
    ],
)
def test_a_click_means_the_nearest_thing_that_people_watch(words: str, label: str, monitor: str, within: str):
    digest = page()
    one = chosen(digest, at(digest, words))
    assert (one.label, one.monitor, one.within) == (label, monitor, within)


def test_a_picture_and_a_part_are_watched_where_they_are():
    digest = page()
    picture = chosen(digest, int(digest.nodes_of("img")[0]))
    assert (picture.kind, picture.label) == ("picture", "The picture “A cup”")
    assert selected(digest, picture.within) == digest.nodes_of("img").tolist()
    box = int(digest.nodes_of("div")[0])
    part = chosen(digest, box)
    assert (part.kind, part.monitor, selected(digest, part.within)) == ("part", "any change", [box])


def test_choices_go_from_narrow_to_wide_and_end_with_the_whole_page():
    digest = page()
    found = picked(digest, at(digest, "every day")).choices
    assert [one.kind for one in found] == ["text", "part", "text", "part", "part", "page"]
    assert found[2].phrase == "Open every day but Monday."
    nodes = [one.node for one in found[:-1]]
    assert nodes == sorted(nodes, reverse=True)
    assert all(one.node in digest.ancestors(nodes[0]) or one.node == nodes[0] for one in found)


def test_one_value_and_all_like_it_can_be_chosen():
    digest = page("<p class=a><b class=p>2,50 €</b></p><p class=a><b class=p>3 €</b></p>")
    one, like = [one for one in picked(digest, at(digest, "2,50 €")).choices if one.kind == "value"]
    assert (one.times, one.label) == (1, "The value 2,50 €")
    assert (like.times, like.label) == (2, "All 2 values like 2,50 €")
    assert len(watched(digest, sentinel(like))[0].objects) == 2


def test_words_come_with_the_words_around_them():
    digest = page()
    one = chosen(digest, at(digest, "every day"))
    assert one.before[-1:] == ("Open",)
    assert one.after[:3] == ("but", "Monday", "Entrance")
    assert len(one.after) == 10
    (place,) = places(digest, "EVERY day")
    assert (place.before, place.words, place.after) == (one.before, ("every", "day"), one.after)
    assert places(digest, "not there") == places(digest, " ") == ()


def test_how_often_words_are_found_is_told():
    digest = page("<p>tea</p><p>more <b>tea</b></p><p>Tea</p>")
    assert chosen(digest, at(digest, "more tea") + 2).times == 3


@pytest.mark.parametrize("node", [-1, 0, 10**6, 10**30])
def test_an_element_that_is_not_there_is_told(node: int):
    with pytest.raises(NotFound):
        picked(page(), node)
    with pytest.raises(NotFound):
        followed(page(), node)


def test_hidden_elements_cannot_be_chosen():
    digest = page("<p>x</p><script>y</script><p hidden>z</p>")
    for node in [*digest.nodes_of("script").tolist(), int(digest.nodes_of("p")[1])]:
        with pytest.raises(NotFound):
            picked(digest, node)


def test_links_are_followed_on_the_web_alone():
    digest = page()
    links = digest.nodes_of("a").tolist()
    assert [followed(digest, node) for node in links] == ["https://market.test/next", "", ""]
    assert followed(digest, links[0] + 1) == "https://market.test/next", "a click on the text of a link"
    assert followed(digest, at(digest, "Anna")) == ""
    other = page("<base href=https://other.test/a/><a href=b>x</a>")
    assert followed(other, int(other.nodes_of("a")[0])) == "https://other.test/a/b"


PAGES = {
    "market": MARKET,
    "shop": SHOP,
    **PAYLOADS,
    "braces and quotes": '<p>{a} "b" \\c, } {</p><p class="x\\" y">1 {</p><p id=\'a"b\'>2 "</p>',
    "strange names": '<x-y.z>a</x-y.z><a:b>c</a:b><d"e>f</d"e><svg><g><text>h</text></g></svg>',
    "many of one id": "<p id=a>1</p><p id=a>2</p><p id=a>3</p>",
    "layout": "<table><tr><td><table><tr><td>a<td>b</table></table>",
    "only text": "nothing but text",
    "nothing": "",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_element_of_every_page_can_be_chosen(name: str):
    digest = page(PAGES[name])
    marked = kinds(digest)
    for node in range(1, len(digest), len(digest) // 60 + 1):
        if digest.hidden[node]:
            continue
        found = picked(digest, node)
        for one in found.choices:
            findings = watched(digest, sentinel(one))
            assert any(finding.objects for finding in findings) or one.kind == "page", one
        way = [node, *digest.ancestors(node)]
        outlined = next(((one, marked[one]) for one in way if one in marked), None)
        meant = [(one.node, one.kind) for one in found.choices]
        if outlined in meant:
            assert meant[found.chosen] == outlined


def test_a_selector_finds_one_element_alone():
    for html in (MARKET, SHOP, PAGES["many of one id"]):
        digest = page(html)
        for node in range(1, len(digest)):
            if not digest.tag(node).startswith("#"):
                assert selected(digest, selector_of_one(digest, node)) == [node]


def test_a_very_deep_page_is_answered_soon():
    digest = page("<div>" * 400 + "deep" + "</div>" * 400)
    assert chosen(digest, len(digest) - 1).phrase == "deep"
    digest = page("<div>" * 20_000 + "deep" + "</div>" * 20_000)
    assert picked(digest, len(digest) - 1).choices[-1].kind == "page"
