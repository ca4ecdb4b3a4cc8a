"""Blocks are aligned, and each step says what became of its block (P3)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from tests.detect.pages import digest, versions
from webvigil.document import PageDigest, read
from webvigil.document.tables import MOST_CELLS
from webvigil.document.words import words_of
from webvigil.present import align as module
from webvigil.present.align import Mark, Step, align
from webvigil.present.blocks import blocks
from webvigil.present.runs import GONE, NEW, Run, pieces, runs, side


def page(html: str) -> PageDigest:
    return read(html.encode(), "text/html; charset=utf-8", "https://example.org/")


def steps(old: str, new: str) -> list[tuple[str, str]]:
    return [(str(step.mark), step.block.text) for step in align(blocks(page(old)), blocks(page(new)))]


def old_text(step: Step) -> str:
    return _joined(step, NEW)


def new_text(step: Step) -> str:
    return _joined(step, GONE)


def _joined(step: Step, without: str) -> str:
    return " ".join(filter(None, (side(cell.runs, without) for cell in step.cells)))


def marked(old: str, new: str) -> list[Run]:
    return list(runs(*pieces([old, new])))


def test_rows_of_a_table_that_came_or_went_have_the_columns_of_that_table_alone():
    wide = "<tr>" + "".join(f"<td>{letter}" for letter in "abcdef")
    stays = f"<table>{wide}{wide.upper()}</table>"
    comes = "<table><tr><th>Lamp<th>9.50<tr><th>Boat<th>120</table>"
    for old, new, mark in ((f"{stays}{comes}", stays, "removed"), (stays, f"{stays}{comes}", "added")):
        found = align(blocks(page(old)), blocks(page(new)))
        changed = [step for step in found if step.mark is not Mark.SAME]
        assert [[cell.wide for cell in step.cells] for step in changed] == [[1, 1], [1, 1]], mark


@settings(max_examples=60, deadline=None)
@given(versions())
def test_the_words_of_the_blocks_are_the_words_of_the_page(pair: tuple[PageDigest, PageDigest]):
    for one in pair:
        assert [word for block in blocks(one) for word in words_of(block.text)] == one.words.words


@settings(max_examples=150, deadline=None)
@given(versions())
def test_the_steps_read_as_the_old_page_and_as_the_new(pair: tuple[PageDigest, PageDigest]):
    before, after = blocks(pair[0]), blocks(pair[1])
    found = align(before, after)
    assert [old_text(step) for step in found if step.old] == [block.text for block in before]
    assert [new_text(step) for step in found if step.new] == [block.text for block in after]
    assert [step.old for step in found if step.old] == before
    assert [step.new for step in found if step.new] == after


@settings(max_examples=50, deadline=None)
@given(versions())
def test_a_page_has_not_changed_from_itself(pair: tuple[PageDigest, PageDigest]):
    one = blocks(pair[0])
    assert {step.mark for step in align(one, one)} <= {Mark.SAME}


def test_blocks_are_what_a_reader_takes_for_one():
    html = (
        "<h1>Hi  there</h1><div><div>a <b>b</b>c <a href=/x>link</a></div>tail</div>"
        "<ul><li>one<ul><li>two</ul></ul><pre>x\n  y  z\n</pre><script>no</script>"
    )
    assert [(block.kind, block.text) for block in blocks(page(html))] == [
        ("h1", "Hi there"),
        ("paragraph", "a bc link"),
        ("paragraph", "tail"),
        ("item", "one"),
        ("item", "two"),
        ("line", "x"),
        ("line", "y z"),
    ]
    assert blocks(page(html))[1].links == ("https://example.org/x",)


def test_a_row_is_a_block_with_a_cell_for_each_column():
    html = "<table><tr><th>A<th colspan=2>B<tr><td rowspan=2>1<td>2<td><p>3<p>4<tr><td>5<td></table>"
    assert [(block.cells, block.header) for block in blocks(page(html))] == [
        (("A", "B", ""), True),
        (("1", "2", "3 4"), False),
        (("", "5", ""), False),
    ]


def test_a_table_that_arranges_a_page_is_no_table():
    html = "<table><tr><td><h2>Menu</h2><td><table><tr><td>1<td>2</table></table>"
    assert [block.kind for block in blocks(page(html))] == ["h2", "row"]


def test_a_part_of_a_page_has_blocks_too():
    whole = page("<p>out</p><table><tr><td>1<td>2<tr><td>3<td>4</table>")
    kept = whole.is_tag(("td",)) | whole.is_text
    assert [block.text for block in blocks(whole.part(kept))] == ["out", "1 2", "3 4"]


def test_pages_without_text_have_no_blocks():
    assert blocks(page("")) == []
    assert blocks(page("<table></table><img src=x>")) == []
    assert align([], []) == ()


def test_lines_of_plain_text_and_bytes_are_blocks():
    text = read(b"one\n\n  two\n", "text/plain")
    assert [block[:2] for block in blocks(text)] == [("line", ("one",)), ("line", ("two",))]
    assert len(blocks(read(bytes(range(256)), "application/octet-stream"))) == 1


def test_wrappers_and_classes_make_no_difference():
    assert steps("<p>one two</p>", "<div class=x><section><h2>one two</h2></section></div>") == [
        ("=", "one two")
    ]


def test_a_block_with_enough_common_words_changed_and_another_was_replaced():
    assert steps("<p>one two three four</p>", "<p>one two six seven</p>") == [("~", "one two six seven")]
    assert steps("<p>one two three four</p>", "<p>five six seven one</p>") == [
        ("-", "one two three four"),
        ("+", "five six seven one"),
    ]


def test_a_short_heading_needs_less_in_common():
    assert steps("<h2>News of May today</h2>", "<h2>News in late June</h2>")[0][0] == "~"


def test_a_block_that_stands_elsewhere_moved():
    old = "<p>first thing here</p><p>second</p><p>third</p><p>fourth</p>"
    new = "<p>second</p><p>third</p><p>fourth</p><p>first thing here</p>"
    found = align(blocks(page(old)), blocks(page(new)))
    assert [str(step.mark) for step in found] == ["<", "=", "=", "=", ">"]
    assert found[0].move == found[-1].move == 1


def test_a_label_that_stands_at_several_places_does_not_move():
    old = "<p>a b c</p><p>More</p><p>d e f</p><p>More</p><p>g h i</p>"
    new = "<p>d e f</p><p>More</p><p>g h i</p><p>More</p><p>j k l</p>"
    assert {mark for mark, _ in steps(old, new)} == {"-", "=", "+"}


def test_a_removed_column_marks_only_that_column():
    old = "<table><tr><th>Name<th>Age<th>Town<tr><td>Ann<td>30<td>Rome<tr><td>Bob<td>31<td>Oslo</table>"
    new = "<table><tr><th>Name<th>Town<tr><td>Ann<td>Rome<tr><td>Bob<td>Oslo<tr><td>Cy<td>Bern</table>"
    found = align(blocks(page(old)), blocks(page(new)))
    assert [[str(cell.mark) for cell in step.cells] for step in found] == [
        ["=", "-", "="],
        ["=", "-", "="],
        ["=", "-", "="],
        ["+", "=", "+"],
    ]
    assert len({step.table for step in found}) == 1


def test_a_row_is_found_again_by_its_first_cell():
    old = "<table><tr><td>Ann<td>thirty<tr><td>Bob<td>forty</table>"
    new = "<table><tr><td>Ann<td>31 years<tr><td>Bob<td>forty</table>"
    assert [mark for mark, _ in steps(old, new)] == ["~", "="]


def test_words_are_marked_and_spaces_stay_with_them():
    assert marked("low risk growth investing.", "low risk index investing.") == [
        Run("=", "low risk"),
        Run("-", " growth"),
        Run("+", " index"),
        Run("=", " investing."),
    ]
    assert marked("low risk", "low risk growth") == [Run("=", "low risk"), Run("+", " growth")]
    assert marked("risk", "low risk") == [Run("+", "low"), Run("=", " risk")]
    assert marked("東京は雨です今日も", "東京は晴です今日も") == [
        Run("=", "東京は"),
        Run("-", "雨"),
        Run("+", "晴"),
        Run("=", "です今日も"),
    ]


def test_a_single_equal_word_between_changes_is_swallowed():
    assert marked("a one b c d", "a two b three c d")[1:3] == [Run("-", " one b"), Run("+", " two b three")]


def test_a_link_that_leads_elsewhere_is_a_change_of_its_block():
    (step,) = align(blocks(page("<a href=/a>go</a>")), blocks(page("<a href=/b>go</a>")))
    assert step.mark is Mark.CHANGED
    assert step.links == (["https://example.org/a"], ["https://example.org/b"])


def test_many_changed_blocks_find_their_versions():
    old = [f"<p>number{n} of many blocks is here with token{n} and {n * 7}</p>" for n in range(2000)]
    new = [text.replace("many", "some") for text in old if "9 of" not in text]
    found = align(blocks(digest(old)), blocks(digest(new)))
    marks = [step.mark for step in found]
    assert (marks.count(Mark.CHANGED), marks.count(Mark.GONE), marks.count(Mark.NEW)) == (1800, 200, 0)


def test_a_row_that_stayed_is_as_it_was_whatever_became_of_the_columns():
    old = "<table><tr><th>Line<th>Gas<tr><td>A<td>1<tr><td>Gas<td>B</table>"
    new = "<table><tr><th>Gas<th>Line<tr><td>1<td>A<tr><td>Gas<td>B</table>"
    (*_, last) = align(blocks(page(old)), blocks(page(new)))
    assert (last.mark, [cell.mark for cell in last.cells]) == (Mark.SAME, [Mark.SAME] * 2)


def test_spans_of_a_thousand_columns_take_no_longer_than_the_page():
    # This took 17 s when every row was filled up to the widest one.
    old, new = (f"<table>{f'<tr><td colspan=1000 rowspan=1000>word {n}<td>a' * 400}</table>" for n in (1, 2))
    began = time.process_time()
    found = align(blocks(page(old)), blocks(page(new)))
    assert [old_text(step) for step in found][:2] == ["word 1 a", "word 1 a"]
    assert time.process_time() - began < 5


def test_rows_of_a_wide_table_end_where_both_versions_end():
    wide = "<tr>" + "".join(f"<td>{n}" for n in range(150))
    old, new = (f"<table>{wide}<tr><td>a<td>b<td>{n}</table>" for n in (1, 2))
    changed = [step for step in align(blocks(page(old)), blocks(page(new))) if step.mark is Mark.CHANGED]
    assert [(len(step.cells), old_text(step), new_text(step)) for step in changed] == [(3, "a b 1", "a b 2")]


def test_of_very_many_cells_each_row_stays_one_block():
    rows = "".join(f"<tr><td>a{n}<td>b{n}" for n in range(MOST_CELLS // 2 + 1))
    found = blocks(page(f"<p>before<table>{rows}</table>"))
    assert [(block.kind, block.cells) for block in found[:3]] == [
        ("paragraph", ("before",)),
        ("row", ("a0 b0",)),
        ("row", ("a1 b1",)),
    ]


def test_what_the_links_of_a_block_mean_is_asked_once_for_each(monkeypatch: pytest.MonkeyPatch):
    pages = ["".join(f"<a href=/{side}{n}?a=1&utm_source=b>x</a>" for n in range(500)) for side in "ab"]
    (step,) = align(*(blocks(page(html)) for html in pages))
    asked: list[str] = []
    plain = module.meant
    monkeypatch.setattr(module, "meant", lambda address: asked.append(address) or plain(address))
    went, came = step.links
    assert (len(went), len(came)) == (500, 500)
    assert len(asked) == 1_000


def grid(*rows: str) -> str:
    cells = "".join("<tr><td>" + row.replace(" ", "<td>") for row in rows)
    return f"<table>{cells}</table>"


def told(old: str, new: str) -> list[str]:
    """Returns each step with its text, the number of its move, of its table, and its cells: the mark, the
    width and the place in the new table."""
    return [
        f"{step.mark} {step.block.text}: {step.move} {step.table}: "
        + " ".join(f"{cell.mark}{cell.wide}{'.' if cell.column < 0 else cell.column}" for cell in step.cells)
        for step in align(blocks(page(old)), blocks(page(new)))
    ]


PEOPLE, LAMPS = grid("n p", "a 1", "b 2"), grid("x y", "c 3", "d 4")


@pytest.mark.parametrize(
    ("old", "new", "steps"),
    [
        ("<p>x" + PEOPLE, "<p>x" + PEOPLE,
         ["= x: 0 -1: =1.", "= n p: 0 0: =10 =11", "= a 1: 0 0: =10 =11", "= b 2: 0 0: =10 =11"]),
        (PEOPLE + LAMPS, grid("x y", "c 5", "d 4"),
         ["- n p: 0 1: -1. -1.", "- a 1: 0 1: -1. -1.", "- b 2: 0 1: -1. -1.",
          "= x y: 0 0: =10 =11", "~ c 5: 0 0: =10 ~11", "= d 4: 0 0: =10 =11"]),
        (LAMPS, PEOPLE + grid("x y", "c 5", "d 4"),
         ["+ n p: 0 0: +10 +11", "+ a 1: 0 0: +10 +11", "+ b 2: 0 0: +10 +11",
          "= x y: 0 2: =10 =11", "~ c 5: 0 2: =10 ~11", "= d 4: 0 2: =10 =11"]),
        (PEOPLE + "<p>m" + LAMPS, LAMPS + "<p>m" + PEOPLE,
         ["> x y: 1 0: +10 +11", "> c 3: 2 0: +10 +11", "> d 4: 3 0: +10 +11", "> m: 4 -1: =1.",
          "= n p: 0 2: =10 =11", "= a 1: 0 2: =10 =11", "= b 2: 0 2: =10 =11", "< m: 4 -1: =1.",
          "< x y: 1 3: -1. -1.", "< c 3: 2 3: -1. -1.", "< d 4: 3 3: -1. -1."]),
        (PEOPLE, grid("p n", "1 a", "2 b"),
         ["~ p n: 0 0: -1. =10 +11", "~ 1 a: 0 0: -1. =10 +11", "~ 2 b: 0 0: -1. =10 +11"]),
        (PEOPLE, grid("n p q", "a 1 z", "b 2 z"),
         ["~ n p q: 0 0: =10 =11 +12", "~ a 1 z: 0 0: =10 =11 +12", "~ b 2 z: 0 0: =10 =11 +12"]),
        (grid("n p q", "a 1 z", "b 2 z"), PEOPLE,
         ["~ n p: 0 0: =10 =11 -1.", "~ a 1: 0 0: =10 =11 -1.", "~ b 2: 0 0: =10 =11 -1."]),
        (PEOPLE, "<p>none",
         ["- n p: 0 1: -1. -1.", "- a 1: 0 1: -1. -1.", "- b 2: 0 1: -1. -1.", "+ none: 0 -1: =1."]),
        ("<p>none", grid("n p"), ["- none: 0 -1: =1.", "+ n p: 0 0: +10 +11"]),
        (grid("w", "a b").replace("<td>w", "<td colspan=2>w"),
         grid("w", "a c").replace("<td>w", "<td colspan=2>w"),
         ["= w: 0 0: =20", "~ a c: 0 0: =10 ~11"]),
        (grid("w", "a b").replace("<td>w", "<td colspan=2>w"),
         grid("v", "a b").replace("<td>w", "<td colspan=2>w").replace("<td>v", "<td colspan=2>v"),
         ["- w: 0 0: -20", "+ v: 0 0: +20", "= a b: 0 0: =10 =11"]),
    ],
)  # fmt: skip
def test_each_step_tells_its_table_its_move_and_its_cells(old: str, new: str, steps: list[str]):
    assert told(old, new) == steps


@pytest.mark.parametrize(("length", "moves"), [(29, 0), (30, 1)])
def test_a_longer_text_that_stands_at_several_places_moves(length: int, moves: int):
    label = "y ".ljust(length, "x")
    old = f"<p>a b c<p>{label}<p>d e f<p>{label}<p>g h i"
    new = f"<p>d e f<p>{label}<p>g h i<p>{label}<p>j k l"
    assert sum(step.startswith("> y") for step in told(old, new)) == moves


@pytest.mark.parametrize(
    ("old", "new", "went", "came"),
    [
        ("/a /a", "/a /b", "/a", "/b"),
        ("/a /a /b", "/a - /c", "/a /b", "/c"),
        ("/a - -", "/a /a /a", "", "/a /a"),
        ("/a /b", "/b /a", "", ""),
        ("/a?utm_source=1 /b", "/a /c", "/b", "/c"),
    ],
)
def test_each_link_counts_once(old: str, new: str, went: str, came: str):
    def written(links: str) -> str:
        return "".join(f"<a href={one}>go</a>" if one != "-" else "go" for one in links.split())

    (step,) = align(blocks(page(written(old))), blocks(page(written(new))))
    shown = [" ".join(one.removeprefix("https://example.org") for one in side) for side in step.links]
    assert shown == [went, came]
    assert step.mark is Mark.CHANGED


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>one\ntwo<pre>x\n y  z\n\nw</pre>", ["paragraph: one two", "line: x", "line: y z", "line: w"]),
        ("<table><tr><td><pre>a\nb</pre><td>c</table>", ["row: a b|c"]),
        ("<pre>a\nb</pre><table><tr><td>x\ny</table>", ["line: a", "line: b", "row: x y"]),
        ("<div><pre>  a\n<b>b</b> c</pre>\n d</div>", ["line: a", "line: b c", "paragraph: d"]),
    ],
)
def test_lines_that_stand_as_they_are_written_are_blocks_of_their_own(text: str, found: list[str]):
    assert [f"{block.kind}: {'|'.join(block.cells)}" for block in blocks(page(text))] == found
