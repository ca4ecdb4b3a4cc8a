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


TEAS = "<div><p>Tea <b class=p>3 €</b></p><p>Rum <b class=p>4 €</b></p></div><p><img src=/a.png></p>"


def test_each_choice_says_what_is_watched_and_where():
    digest = page(TEAS)
    node = at(digest, "3 €")
    place = "div > p:nth-of-type(1)"
    sample = "Tea 3 € Rum 4 €"
    assert picked(digest, node).choices == (
        Choice(
            kind="value",
            node=node,
            label="The value 3 €",
            monitor=f'value css "{place} > b.p"',
            sample=f"{place} > b.p",
        ),
        Choice(
            kind="text",
            node=node,
            label="The words “3 €”",
            monitor="phrase: {3 €}",
            phrase="3 €",
            before=("Tea",),
            after=("Rum", "4", "€"),
        ),
        Choice(
            kind="part",
            node=node,
            label="This part (2 words)",
            monitor="any change",
            within=f"{place} > b.p",
            sample="3 €",
        ),
        Choice(
            kind="text",
            node=node - 2,
            label="The words “Tea 3 €”",
            monitor="phrase: {Tea 3 €}",
            phrase="Tea 3 €",
            after=("Rum", "4", "€"),
        ),
        Choice(
            kind="part",
            node=node - 2,
            label="This part (3 words)",
            monitor="any change",
            within=place,
            sample="Tea 3 €",
        ),
        Choice(
            kind="part",
            node=node - 3,
            label="This part (6 words)",
            monitor="any change",
            within="div",
            sample=sample,
        ),
        Choice(kind="page", node=0, label="The whole page", monitor="any change", sample=sample),
    )
    assert picked(digest, node).chosen == 0
    image = int(digest.nodes_of("img")[0])
    assert picked(digest, image).choices[0] == Choice(
        kind="picture",
        node=image,
        label="The picture",
        monitor="all images",
        within="p > img",
        sample="p > img",
    )


def test_a_part_of_one_word_says_so():
    digest = page("<p>one</p>")
    assert [one.label for one in picked(digest, at(digest, "one")).choices] == [
        "The words “one”",
        "This part (1 word)",
        "The whole page",
    ]


@pytest.mark.parametrize(("depth", "number"), [(7, 11), (8, 12), (9, 12), (30, 12)])
def test_a_click_has_up_to_twelve_choices(depth: int, number: int):
    html = "".join(f"<div><i>a{one}</i> " for one in range(depth)) + "<b>deep</b>" + "</div>" * depth
    digest = page(html)
    choices = picked(digest, at(digest, "deep")).choices
    assert (len(choices), choices[-1].kind, choices[-1].node) == (number, "page", 0)


@pytest.mark.parametrize(("number", "kind"), [(0, "page"), (1, "text"), (40, "text"), (41, "part")])
def test_up_to_forty_words_are_a_phrase(number: int, kind: str):
    digest = page(f"<p>{' '.join(f'w{one}' for one in range(number))}<img></p>")
    assert chosen(digest, int(digest.nodes_of("p")[0])).kind == kind


@pytest.mark.parametrize(("inner", "is_text"), [("b", True), ("br", True), ("div", False), ("p", False)])
def test_an_element_with_blocks_is_no_phrase(inner: str, *, is_text: bool):
    digest = page(f"<section>one <{inner}>two three")
    kinds_ = [one.kind for one in picked(digest, int(digest.nodes_of("section")[0])).choices]
    assert ("text" in kinds_) is is_text


@pytest.mark.parametrize(("digits", "is_value"), [(39, True), (40, True), (41, False)])
def test_a_value_is_a_number_of_up_to_forty_characters(digits: int, *, is_value: bool):
    digest = page(f"<p>{'1' * digits}</p><p>x</p>")
    found = picked(digest, int(digest.nodes_of("p")[0])).choices
    assert [one.kind for one in found] == [*["value"] * is_value, "text", "part", "page"]


def test_only_the_nearest_value_is_offered():
    digest = page("<p><span><b>3 €</b></span></p><p>x</p>")
    assert [one.kind for one in picked(digest, at(digest, "3 €")).choices] == [
        "value",
        "text",
        "part",
        "page",
    ]


@pytest.mark.parametrize(("around_it", "number"), [(9, 9), (10, 10), (11, 10)])
def test_up_to_ten_words_on_either_side_are_kept(around_it: int, number: int):
    words = " ".join(f"w{one}" for one in range(around_it))
    digest = page(f"<p>{words} <b>tea</b> {words}</p>")
    (place,) = places(digest, "tea")
    assert (len(place.before), place.words, len(place.after)) == (number, ("tea",), number)
    assert place.before[-1] == f"w{around_it - 1}"
    assert place.after[0] == "w0"


@pytest.mark.parametrize(("times", "number"), [(1, 1), (3, 3), (4, 3)])
def test_up_to_three_places_of_a_phrase_are_told(times: int, number: int):
    assert len(places(page("<p>tea</p>" * times), "tea")) == number


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td>a<td>b</table>", ["table"]),
        ("<table><tr><td>a<tr><td>b</table>", ["table"]),
        ("<table><tr><td>a</table>", []),
        ("<table></table>", []),
        ("<table hidden><tr><td>a<td>b</table>", []),
        ("<table><tr><td><table><tr><td>a<td>b</table></table>", ["table"]),
        ("<table><tr><td>a<td>b</table><table><tr><td>a<td>b</table>", ["table", "table"]),
        ("<ul><li>a<li>b<li>c</ul>", ["list"]),
        ("<ul><li>a<li>b</ul>", []),
        ("<nav><ul><li>a<li>b<li>c</ul></nav>", []),
        ("<img src=/a.png>", ["picture"]),
        ("<img>", []),
        ("<img src=/a.png hidden>", []),
        ("<table><tr><td><img src=/a.png><td>b</table>", ["table"]),
        ("<ul><li>€ 3<li>b<li>c</ul>", ["list", "value"]),
        ("<table><tr><td>€ 3<td>b</table>", ["table"]),
    ],
)
def test_tables_lists_pictures_and_amounts_are_meant_by_a_click(html: str, expected: list[str]):
    found = [kind for _, kind in sorted(kinds(page(f"{html}<p>text")).items()) if kind != "text"]
    assert found == expected


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ("<a href=/x><b>go</b></a>", "https://market.test/x"),
        ("<a><b>go</b></a>", ""),
        ("<a href=''><b>go</b></a>", ""),
        ("<a href=http://other.test/><b>go</b></a>", "http://other.test/"),
        ("<a href=ftp://other.test/><b>go</b></a>", ""),
        ("<p href=/x><b>go</b></p>", ""),
    ],
)
def test_a_click_in_a_link_leads_to_its_page(html: str, address: str):
    digest = page(html)
    assert followed(digest, at(digest, "go")) == address


def test_the_last_element_of_a_page_can_be_clicked():
    digest = page("<p>a</p><i>b</i>")
    assert chosen(digest, len(digest) - 1).phrase == "b"
    with pytest.raises(NotFound, match="the page has no such element"):
        picked(digest, len(digest))


@pytest.mark.parametrize(("above", "is_offered"), [(59, True), (60, True), (61, False)])
def test_sixty_elements_around_a_click_are_considered(above: int, *, is_offered: bool):
    digest = page("<table><caption>Far</caption><tr><td>x<td>" + "<i>" * 70 + "deep")
    table = int(digest.nodes_of("table")[0])
    (node,) = (one for one in range(len(digest)) if [*digest.ancestors(one)][above - 1 : above] == [table])
    assert ("table" in {one.kind for one in picked(digest, node).choices}) is is_offered
