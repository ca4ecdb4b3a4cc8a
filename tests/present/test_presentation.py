"""The three presentations (P1-P3), the choice between them (P2), and their formats (P5)."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

from tests.detect.pages import versions
from tests.present.reading import page, texts, tree
from webvigil import diff
from webvigil.document import PageDigest, read
from webvigil.document.plain_text import read_text
from webvigil.document.words import words_of
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.choose import How, cheapest, view
from webvigil.present.comparison import compare
from webvigil.present.dressed import Dress
from webvigil.present.html import POLICY, Showing
from webvigil.present.only import Shown, Skipped, only_changes
from webvigil.present.presentation import present

FORMS = ("html", "text", "terminal", "markdown")
HOWS = ("only", "single", "dual", "auto")
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "details", "summary"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "ul", "ol", "li", "table", "tr", "td", "th"),
    *("ins", "del", "a", "span", "div", "section", "button", "kbd", "script"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "dir", "href", "aria-label"),
    *("colspan", "open", "type", "data-key", "data-number", "role"),
}
HOSTILE = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt; &#60;i&#62; <!-- -->",
    "]]> <![CDATA[ x ]]>",
    "\x1b[2J\x1b]0;owned\x07 \x9b31m \x00 \x7f",
    "\u202egnp.exe\u202c \u2066x\u2069",
    "**bold** [x](javascript:alert(1)) `code` | pipe ~~s~~ <del>x</del> # - +",
    "{+not ours+} [-nor this-]",
)


lines = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


# --- laws ---------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(versions())
def test_without_insertions_it_reads_as_the_old_page_and_without_deletions_as_the_new(
    pair: tuple[PageDigest, PageDigest],
):
    main = tree(present(*pair, "single")).find(".//main")
    assert texts(main, "ins") == pair[0].words.words
    assert texts(main, "del") == pair[1].words.words


@settings(max_examples=25, deadline=None)
@given(versions())
def test_side_by_side_has_the_old_page_left_and_the_new_page_right(pair: tuple[PageDigest, PageDigest]):
    main = tree(present(*pair, "dual")).find(".//main")
    old, new = [], []
    for part in main:
        if part.tag == "table":
            for row in part:
                border = next(n for n, cell in enumerate(row) if cell.get("class") == "border")
                old += ["".join(cell.itertext()) for cell in row[:border]]
                new += ["".join(cell.itertext()) for cell in row[border + 1 :]]
        else:
            old += part.xpath("string(div[@class='before'])").splitlines() or [""]
            new += part.xpath("string(div[@class='after'])").splitlines() or [""]
    assert words_of("\n".join(old)) == pair[0].words.words
    assert words_of("\n".join(new)) == pair[1].words.words


@settings(max_examples=20, deadline=None)
@given(versions(), st.sampled_from(HOWS))
def test_marks_wrap_text_alone_and_every_change_can_be_reached(pair: tuple[PageDigest, PageDigest], how: str):
    document = tree(present(*pair, how))
    for mark in document.iter("ins", "del"):
        assert len(mark) == 0
        assert mark.getparent().tag in {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th"}
    for parent in document.iter("table", "tr", "ul", "ol"):
        assert not (parent.text or "").strip()
    changes = compare(*pair).changes
    entries = document.xpath("//details[@id='changes']/ol/li/a/@href")
    assert entries == [f"#c{change.number}" for change in changes]
    names = document.xpath("//@id")
    assert len(names) == len(set(names))
    assert {target[1:] for target in document.xpath("//a/@href")} <= set(names)


@settings(max_examples=20, deadline=None)
@given(st.lists(lines, max_size=4), st.lists(lines, max_size=4))
def test_any_text_whatsoever_gives_a_well_formed_document(old: list[str], new: list[str]):
    pages = [read_text("\n".join(written)) for written in (old, new)]
    for how in HOWS:
        tree(present(*pages, how))
    main = tree(present(*pages, "single")).find(".//main")
    assert texts(main, "ins") == pages[0].words.words
    assert texts(main, "del") == pages[1].words.words


# --- hostile and strange pages --------------------------------------------------------------------------


@pytest.mark.parametrize("how", HOWS)
def test_hostile_text_stays_text(how: str):
    old = page("<title>x</title>" + paragraphs("one two three"))
    rows = "".join(f"<tr><td>{escaped(text)}<td>2" for text in HOSTILE)
    inside = paragraphs(*map(escaped, HOSTILE))
    items = "".join(f"<li>{escaped(text)}" for text in HOSTILE)
    title = escaped(" ".join(HOSTILE))
    link = (
        '<a href="/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">one two three</a><img src="x:<y>&quot;">'
    )
    new = page(f"<title>{title}</title>{inside}<ul>{items}</ul><table>{rows}</table><h2>{title}</h2>{link}")
    document = tree(present(old, new, how))
    assert {one.tag for one in document.iter(etree.Element)} <= ELEMENTS
    assert {name for one in document.iter(etree.Element) for name in one.attrib} <= ATTRIBUTES
    assert all(target.startswith("#") for target in document.xpath("//@href"))
    policy = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == [POLICY]
    for form in ("text", "markdown"):
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", present(old, new, how, form)
        )
    terminal = present(old, new, how, "terminal")
    assert set(re.findall("\x1b.{0,8}?m|\x1b", terminal)) <= {
        f"\x1b[{code}m" for code in ("0", "1", "2", "31", "32", "33", "36", "31;9")
    }


@pytest.mark.parametrize("how", HOWS)
def test_hostile_text_stays_text_in_markdown(how: str):
    old = page(paragraphs("one"))
    new = page(paragraphs("one", *map(escaped, HOSTILE), "1. x", "- y", "# z", "=== w", "12) v", "+ u"))
    rendered = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render(present(old, new, how, "markdown"))
    )
    tags = set(re.findall(r"<(\w+)", rendered))
    assert tags <= {
        "h1",
        "h2",
        "p",
        "strong",
        "em",
        "code",
        "ins",
        "del",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
    assert "alert(1)" in rendered


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("form", FORMS)
def test_pages_without_anything_are_shown(how: str, form: str):
    nothing, something = page(""), page("<h1>Hello</h1>")
    for old, new in ((nothing, nothing), (nothing, something), (something, nothing)):
        shown = present(old, new, how, form)
        assert ("Hello" in shown) is (old is not new)
        if form == "html":
            tree(shown)


def test_tag_soup_gives_a_well_formed_document():
    soup = "<table><tr><td>a<td>b<p>c<tr>stray<td colspan=0>d</b><i>e<ul><li>f</table>g<h2>h<li>i<td>j"
    old, new = page(soup), page(soup.replace("d</b>", "dd</b>").replace("<td>a", "<th>a"))
    main = tree(present(old, new, "single")).find(".//main")
    assert texts(main, "ins") == old.words.words
    assert texts(main, "del") == new.words.words


def test_text_of_any_script_is_marked_by_its_words():
    old = page(paragraphs("今日は雨です。明日も雨です。", "السلام عليكم يا صديقي العزيز"))
    new = page(paragraphs("今日は晴です。明日も雨です。", "السلام عليكم يا أخي العزيز"))
    shown = present(old, new, "single")
    assert "今日は<del>雨</del><ins>晴</ins>です。明日も雨です。" in shown
    assert "يا <del>صديقي</del> <ins>أخي</ins> العزيز" in shown
    assert 'dir="auto"' in shown
    assert "今日は[-雨-]{+晴+}です" in present(old, new, "single", "text")
    row = present(old, new, "dual", "text", width=60).splitlines()[3]
    before, _, after = row.partition("│")
    wide = sum(2 if east_asian_width(one) in "WF" else 1 for one in before)
    assert (wide, after[:2]) == (2 + 26 + 1, " 今")


# --- tables and lists -----------------------------------------------------------------------------------


def test_tables_stay_tables_and_lists_lists():
    old = page("<ul><li>one<li>two words</ul><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>")
    new = page("<ul><li>one<li>three</ul><table><tr><th>A<th>B<tr><td>1<td>5<tr><td>6<td>7</table>")
    main = tree(present(old, new, "single")).find(".//main")
    assert [one.tag for one in main] == ["ul", "table"]
    assert [(row.get("class"), len(row)) for row in main.iter("tr")] == [
        (None, 2),
        ("changed", 2),
        ("gone", 2),
        ("new", 2),
    ]
    assert [one.get("class") for one in main.iter("li")] == [None, "gone", "new"]
    markdown = present(old, new, "single", "markdown")
    assert "| `~` | 1 | <del>2</del><ins> 5</ins> |" in markdown


def test_a_removed_column_is_struck_out_and_nothing_else():
    head, rows = "<tr><th>Name<th>Age<th>Town", [("Ann", "30", "Rome"), ("Bob", "31", "Oslo")]
    old = page(f"<table>{head}" + "".join(f"<tr><td>{'<td>'.join(row)}" for row in rows) + "</table>")
    new = page("<table><tr><th>Name<th>Town<tr><td>Ann<td>Rome<tr><td>Bob<td>Oslo</table>")
    main = tree(present(old, new, "single")).find(".//main")
    assert [one.text for one in main.iter("del")] == ["Age", "30", "31"]
    assert not list(main.iter("ins"))


def test_a_cell_over_several_columns_stays_one():
    old = page("<table><tr><td colspan=2>wide<td>x<tr><td>1<td>2<td>3</table>")
    new = page("<table><tr><td colspan=2>wide<td>y<tr><td>1<td>2<td>3</table>")
    assert '<td colspan="2" dir="auto">' in present(old, new, "single")


# --- only changes ---------------------------------------------------------------------------------------


def test_a_change_stands_between_its_neighbours_under_its_heading():
    names = [f"block number {n}" for n in range(40)]
    old = page("<h2>Part one</h2>" + paragraphs(*names[:20]) + "<h2>Part two</h2>" + paragraphs(*names[20:]))
    changed = [*names[:30], "block number thirty", *names[31:]]
    new = page(
        "<h2>Part one</h2>" + paragraphs(*changed[:20]) + "<h2>Part two</h2>" + paragraphs(*changed[20:])
    )
    shown = [
        str(item) if isinstance(item, Skipped) else (str(item.step.mark), item.step.block.text)
        for item in only_changes(compare(old, new))
    ]
    assert shown == [
        "… 21 unchanged blocks",
        ("=", "Part two"),
        "… 9 unchanged blocks",
        ("=", "block number 29"),
        ("~", "block number thirty"),
        ("=", "block number 31"),
        "… 8 unchanged blocks",
    ]
    assert "… 21 unchanged blocks" in present(old, new, "only")


def test_a_single_block_is_not_worth_leaving_out():
    old, new = page(paragraphs("a", "b", "c", "d", "e")), page(paragraphs("a", "b", "c", "d", "e", "new"))
    assert [isinstance(item, Shown) for item in only_changes(compare(old, new))] == [False, True, True]
    old, new = page(paragraphs("a", "b", "e")), page(paragraphs("a", "b", "e", "new"))
    assert [isinstance(item, Shown) for item in only_changes(compare(old, new))] == [False, True, True]
    old, new = page(paragraphs("a", "b")), page(paragraphs("a", "b", "new"))
    assert all(isinstance(item, Shown) for item in only_changes(compare(old, new)))


# --- the choice -----------------------------------------------------------------------------------------


def test_a_small_page_is_shown_merged_a_large_one_by_its_changes_and_a_new_one_side_by_side():
    def names(first: int, last: int) -> list[str]:
        return [f"thing{n} stuff{n} words{n}" for n in range(first, last)]

    def chosen(old: list[str], new: list[str]) -> How:
        return cheapest(compare(page(paragraphs(*old)), page(paragraphs(*new))))

    assert chosen(names(0, 5), [*names(0, 2), "other", *names(3, 5)]) is How.SINGLE
    assert chosen(names(0, 100), [*names(0, 50), "other", *names(51, 100)]) is How.ONLY
    assert chosen(names(0, 20), names(100, 120)) is How.DUAL
    assert chosen(names(0, 20), names(0, 20)) is How.ONLY


@pytest.mark.parametrize(
    ("types", "columns", "skips"),
    [
        (("phrase",), 2, False),
        (("keywords", "regular expression"), 2, False),
        (("table",), 2, True),
        (("list", "table"), 2, True),
        (("all links",), 1, True),
    ],
)
def test_a_change_type_has_its_own_presentation(types: tuple[str, ...], columns: int, skips: bool):
    old, new = page(paragraphs(*"abcdefgh", "one two")), page(paragraphs(*"abcdefgh", "one three"))
    objects = (ObjectChange(object="x", status=Status.NEW),)
    found = view(compare(old, new), How.AUTO, [Finding(type=name, objects=objects) for name in types])
    assert (found.columns, found.skips) == (columns, skips)


# --- amounts, links, moves ------------------------------------------------------------------------------


def test_amounts_come_first():
    old = page(
        "<title>T</title>" + paragraphs("one two three", "stays as it is", "goes away") + "<a href=/a>x</a>"
    )
    new = page("<title>U</title>" + paragraphs("one two four", "stays as it is") + "<a href=/b>x</a>")
    comparison = compare(old, new)
    assert comparison.amounts == "2 changed, 1 gone; -3 +1 words; 2 links"
    assert [change.amount for change in comparison.changes] == [
        "changed: -1 +1 words",
        "gone: -2 words",
        "changed: 2 links",
    ]
    assert compare(old, old).amounts == "no change a reader can see"
    document = tree(present(old, new, "single"))
    assert "".join(document.find(".//h1").itertext()) == "T U"
    rows = document.xpath("//header//table/tr/td[1]/text()")
    assert rows == ["https://example.org/a", "https://example.org/b", "a@href"]


def test_a_move_is_labelled_once():
    old = page(paragraphs("this one moves", "b", "c", "d"))
    new = page(paragraphs("b", "c", "d", "this one moves"))
    assert [change.amount for change in compare(old, new).changes] == ["moved"]
    main = tree(present(old, new, "single")).find(".//main")
    assert [one.get("class") for one in main] == ["left", None, None, None, "moved"]
    assert present(old, new, "single", "text").splitlines()[-5:] == [
        "< this one moves",
        "  b",
        "  c",
        "  d",
        "> this one moves",
    ]


def test_a_picture_that_another_took_the_place_of_is_shown_as_it_was_and_as_it_is():
    """P2, C3: both pictures are shown, in the table and in the two columns."""
    text = b"<p>x</p><img src=/logo.png>"
    old, new = (
        read(text, "text/html", "https://example.org/").with_pictures({"https://example.org/logo.png": seen})
        for seen in ("one", "two")
    )
    dress = Dress(address=lambda url: f"/now/{url[-8:]}", earlier=lambda url: f"/then/{url[-8:]}")
    showing = Showing(dress=dress)
    table = present(old, new, "only", "page", showing=showing)
    assert 'src="/then/logo.png"' in table
    assert 'src="/now/logo.png"' in table
    assert "<td>another picture</td>" in table
    left, right = present(old, new, "dual", "page", showing=showing).split("<figure>")[1:]
    assert ("/then/logo.png" in left, "/now/logo.png" in left) == (True, False)
    assert ("/then/logo.png" in right, "/now/logo.png" in right) == (False, True)
    assert "~ picture https://example.org/logo.png (another one)" in present(old, new, "only", "text")
    assert "| https://example.org/logo.png | 1 | 1 |" in present(old, new, "only", "markdown")


URL = "https://shop.test/"
PIXEL = '<p>one</p><img src="/t.gif?n={}" width="1" height="1"><img src="/{}" alt="A sofa">'


@pytest.mark.parametrize("form", ["page", "html", "text", "markdown"])
def test_a_picture_that_nobody_sees_is_no_new_picture(form: str):
    old, new = (read(PIXEL.format(n, "sofa.jpg").encode(), "text/html", URL) for n in ("1", "2"))
    assert "t.gif" not in present(old, new, form=form)
    assert compare(old, new).pictures == ()
    assert compare(old, new).amounts == "no change a reader can see"


def test_an_address_that_means_the_same_is_no_change():
    old = read(b'<a href="/y?utm_source=a">y</a><img src="/sofa.1a2b3c4d.jpg">', "text/html", URL)
    new = read(b'<a href="/y?utm_source=b">y</a><img src="/sofa.5e6f7a8b.jpg">', "text/html", URL)
    found = compare(old, new)
    assert (found.links, found.pictures, found.changes) == ((), (), ())


def test_a_link_that_leads_elsewhere_is_a_change_of_its_block_alone():
    old = b'<p>x <a href="/y?utm_source=a">y</a> <a href="/z?page=1">z</a>'
    new = old.replace(b"=a", b"=b").replace(b"page=1", b"page=2")
    (change,) = compare(read(old, "text/html", URL), read(new, "text/html", URL)).changes
    assert (change.links_gone, change.links_new) == ((f"{URL}z?page=1",), (f"{URL}z?page=2",))


def test_a_picture_that_a_sentinel_found_is_shown_also_if_nobody_sees_it():
    old, new = (read(PIXEL.format(n, "sofa.jpg").encode(), "text/html", URL) for n in ("1", "2"))
    found = diff(old, new, "all images").findings
    assert len(compare(old, new, found).pictures) == 2
    assert "t.gif?n=2" in present(old, new, form="text", findings=found)


def test_a_picture_that_people_see_is_a_new_picture():
    old, new = (read(PIXEL.format("1", name).encode(), "text/html", URL) for name in ("sofa.jpg", "lamp.jpg"))
    assert [one.object for one in compare(old, new).pictures] == [f"{URL}sofa.jpg", f"{URL}lamp.jpg"]


@pytest.mark.parametrize(
    ("part", "bar"),
    [(1, "Part 1 of 3|Part 2 →"), (2, "← Part 1|Part 2 of 3|Part 3 →"), (3, "← Part 2|Part 3 of 3")],
)
def test_each_part_of_a_long_page_leads_to_the_others_and_to_all_changes(part: int, bar: str):
    places = [(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6)]
    links = [f"#c{change}" if one == part else f"?part={one}#c{change}" for one, change in places]
    old = [f"line {number} of the page" for number in range(2600)]
    new = [f"row {one} was rewritten" if one in (5, 1500, 2500) else text for one, text in enumerate(old)]
    pages = page(paragraphs(*old)), page(paragraphs(*new))
    shown = tree(present(*pages, "single", showing=Showing(part=part)))
    assert [one.get("href") for one in shown.findall(".//ol/li/a")] == links
    assert [f"#{one.get('id')}" for one in shown.findall(".//main//*[@id]")] == [
        one for one in links if one.startswith("#")
    ]
    for parts in shown.findall(".//p[@class='parts']"):
        assert "|".join(one.text for one in parts) == bar
        addresses = [one.get("href") for one in parts.findall("a")]
        assert addresses == [f"?part={one}" for one in (part - 1, part + 1) if 1 <= one <= 3]


def test_a_part_behind_the_last_is_the_last_and_a_short_page_has_one():
    short = page(paragraphs("one")), page(paragraphs("two"))
    assert "Part 1" not in present(*short, "single", showing=Showing(part=1))
    long = page(paragraphs(*map(str, range(2600)))), page(paragraphs(*map(str, range(2601))))
    assert "Part 3 of 3" in present(*long, "single", showing=Showing(part=9))


BEFORE = b'{"shop": {"open": true}, "products": [{"name": "Aurora lamp", "price": 53.9, "stock": {"a": 3, "b": 3}}], "tags": ["x", "y"]}'  # fmt: skip # noqa: E501
AFTER = b'{"shop": {"open": true}, "products": [{"name": "Aurora lamp", "price": 55.9, "stock": {"a": 4, "b": 3}}], "tags": ["z", "x", "y"]}'  # fmt: skip # noqa: E501


def json_page(body: bytes) -> PageDigest:
    return read(body, "application/json", "https://example.org/")


class TestValuesOfDocuments:
    """Values of JSON and XML are shown with their names."""

    def test_a_changed_value_stands_behind_the_names_on_the_way(self):
        shown = present(json_page(BEFORE), json_page(AFTER), "single", "text").splitlines()
        assert [line for line in shown if line[:1] in "~+-" and line] == [
            "~ Aurora lamp · price: [-53.9-] {+55.9+}",
            "~ Aurora lamp · stock · a: [-3-] {+4+}",
            "+ tags 1: z",
        ]
        assert "  open: true" in shown
        assert "  tags: x" in shown

    @pytest.mark.parametrize("how", ["single", "dual", "only"])
    def test_every_way_of_showing_has_the_names(self, how: str):
        old, new = json_page(BEFORE), json_page(AFTER)
        assert '<span class="name">Aurora lamp · price</span> <' in present(old, new, how)
        assert "Aurora lamp · price: " in present(old, new, how, "text")
        assert "Aurora lamp · price: <del>53.9</del>" in present(old, new, how, "markdown")

    def test_equal_values_of_other_keys_are_not_taken_for_each_other(self):
        steps = compare(json_page(BEFORE), json_page(AFTER)).steps
        assert [(one.block.name, str(one.mark)) for one in steps if one.block.text == "3"] == [("b", "=")]

    def test_a_key_that_got_another_name_is_gone_and_new(self):
        old, new = json_page(b'{"price": "12"}'), json_page(b'{"cost": "12"}')
        assert [(one.block.name, str(one.mark)) for one in compare(old, new).steps] == [
            ("price", "-"),
            ("cost", "+"),
        ]

    def test_elements_and_attributes_of_xml_are_named(self):
        old, new = (
            read(b'<c><item id="a"><s:price vat="%d">%d</s:price></item></c>' % pair, "text/xml")
            for pair in ((19, 12), (7, 13))
        )
        shown = present(old, new, "dual")
        assert '<span class="name">a · price</span> <del>12</del>' in shown
        assert "@vat</td><td>19</td><td>7</td>" in shown

    def test_lists_in_lists_have_the_key_of_the_outer_list(self):
        found = compare(json_page(b'{"grid": [[1, 2]]}'), json_page(b'{"grid": [[1, 2]]}'))
        assert [one.block.name for one in found.steps] == ["grid", "grid"]
        bare = compare(json_page(b"[1, 2]"), json_page(b"[1, 3]"))
        assert [one.block.text for one in bare.steps if str(one.mark) != "="]


@pytest.mark.parametrize("how", HOWS)
def test_all_lines_of_a_cell_that_spans_as_many_columns_are_shown(how: How):
    table = "<table><tr><th>A<th>B</tr><tr><td colspan=2>one<br>{} words</td></tr><tr><td>x<td>y</tr></table>"
    old, new = page(table.format("two")), page(table.format("three"))
    told = str(present(old, new, how=how, form="text"))
    assert "two" in told
    assert "three" in told


@pytest.mark.parametrize(("many", "told"), [(500, []), (501, ["1"]), (1_700, ["1,200"])])
def test_of_very_many_links_and_attributes_the_rest_is_counted(many: int, told: list[str]):
    links = read(b"<p>x", "text/html"), read(b"<p>x" + b"".join(b"<a href=/%d></a>" % n for n in range(many)))
    titles = (read((b"<b title=%c>x</b>" % sign) * many, "text/html") for sign in b"xy")
    for old, new in (links, tuple(titles)):
        shown = present(old, new, "single", "html")
        assert re.findall(r'<td colspan="4">… ([\d,]+) more</td>', shown) == told
        assert len(re.findall(r"<tr><td>", shown)) == min(many, 500)
