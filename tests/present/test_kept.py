"""Presentations of many small pages, and what their parts say, stay as they are.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.present.test_kept`
"""

# ruff: noqa: E501  (a page reads best as it is)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.detect.keeping import Kept
from tests.detect.test_by_lot import DOCUMENTS, documents, pages
from tests.detect.test_kept_pages import html_table, table_changed
from tests.detect.test_kept_sentences import finding_by
from tests.lots import Lot
from webvigil import diff
from webvigil.document import read
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.aspect import Aspect, aspect
from webvigil.present.choose import How, costs, view
from webvigil.present.claimed import claimed
from webvigil.present.comparison import compare
from webvigil.present.css import declarations, style_sheet
from webvigil.present.dressed import Dress, dressed
from webvigil.present.excerpt import AROUND, CHANGED, excerpt
from webvigil.present.html import Showing, as_html
from webvigil.present.lines import lines
from webvigil.present.marks import Marks
from webvigil.present.only import everything, only_changes
from webvigil.present.pairing import Look, paired
from webvigil.present.presentation import attribute_changes, present
from webvigil.present.rows import by_row, rows_in
from webvigil.present.runs import pieces, runs
from webvigil.present.story import habit_of, pace_changes, story
from webvigil.present.swipe import Drawn, swipe

KEPT = Kept(Path(__file__).with_name("kept"))
_OURS = re.compile(r"<(style|script)\b.*?</\1>|<meta [^>]*>", re.DOTALL)
"""Our own style, scripts and policy."""
DRESS = Dress(
    address=lambda url: f"/seen?{url[-20:]}" if "png" in url else "",
    sheet=lambda url: "p { color: red; background: url(a.png) }" if "css" in url else "",
    earlier=lambda url: f"/before?{url[-20:]}" if "lamp" in url else "",
)


def number_of(shown: str) -> str:
    """Returns a number for what is shown, without what is the same for every page."""
    return f"{crc32(_OURS.sub('', unescape(shown)).encode()):08x} {len(shown.splitlines())}"


def both(seed: int) -> tuple[str, str, str]:
    if seed in DOCUMENTS:
        return documents(seed)
    return *pages(seed), "text/html; charset=utf-8"


@KEPT
def presentations() -> Iterator[object]:
    """Pages and documents by lot in every form, the text in full."""
    for seed in (*range(40), *DOCUMENTS[::2]):
        old, new, content_type = both(seed)
        found = diff(old, new, content_type=content_type, url="https://a.test/b/c.html")
        showing = Showing(dress=DRESS, nonce="n" * (seed % 2), bare=seed % 3 == 0, captions=("Mon", "Tue"))
        for how in ("only", "single", "dual", "auto"):
            numbers = []
            for form in ("terminal", "markdown", "html", "page"):
                shown = present(
                    found.old, found.new, how, form, findings=found.findings, width=60, showing=showing
                )
                numbers.append(number_of(shown))
            yield seed, how, numbers
        yield present(found.old, found.new, "only", "text", findings=found.findings).splitlines()
        yield present(found.old, found.new, "dual", "text", width=44).splitlines()[:30]


@KEPT
def comparisons() -> Iterator[object]:
    """The steps, changes, amounts and costs of comparisons, and what a sentinel found of them."""
    lot = Lot(67)
    monitors = ("any change", "all links", "all words", "table: {1}", "list: {1}", 'value css "span, td, b"')
    for seed in (*range(48), *DOCUMENTS):
        old, new, content_type = both(seed)
        found = diff(old, new, lot.one_of(monitors), content_type=content_type, url="https://a.test/b/c.html")
        compared = compare(found.old, found.new, found.findings)
        yield seed, compared.amounts, [str(cost) for cost in costs(compared).values()], compared.is_cut
        yield [[str(one.mark), one.first, one.size, one.excerpt[:40], one.amount] for one in compared.changes]
        told = [
            [str(step.mark), step.move, step.table, step.block.kind, *step.links]
            + [[str(cell.mark), cell.wide, cell.column, *map(list, cell.runs)] for cell in step.cells]
            for step in compared.steps
            if step.mark != "="
        ]
        yield told, [*compared.numbers]
        claims = claimed(compared, found.findings)
        yield [*claims.objects], sorted(claims.mine), claims.left
        yield [[one.number, one.kind, *map(list, one.runs)] for one in claims.others]
        whole = [*map(str, everything(compared))]
        yield (
            crc32("".join(whole).encode()),
            [str(one) for one in only_changes(compared) if "…" in str(one)[:2]],
        )
        yield [[one.object, one.before, one.after] for one in attribute_changes(found.old, found.new)]


@KEPT
def tables_shown() -> Iterator[object]:
    """Tables whose rows and columns changed, as text, as the rows of a card, and as lines."""
    lot = Lot(71)
    for number in range(110):
        width, height = 1 + lot.below(4), lot.below(6)
        heads = [lot.one_of(("Name", "Price", "Stock", "")) for _ in range(width)]
        grid = [[lot.words(2), *[lot.fact() for _ in range(width - 1)]] for _ in range(height)]
        sides = [html_table(lot, heads, grid)]
        for _ in range(1 + lot.below(3)):
            heads, grid = table_changed(lot, heads, grid)
        sides.append(html_table(lot, heads, grid))
        if number % 4 == 0:
            sides = [side.replace("<td>", "<td colspan=2>", 2 + number % 3) for side in sides]
        found = diff(sides[0], sides[1], lot.one_of(("any change", "table: {1}")))
        shown = rows_in(found.findings, 1 + number % 4)
        yield (
            number,
            shown and [shown.head, shown.more],
            [[row.sign, row.word, *map(str, row.cells)] for row in (shown.rows if shown else ())],
        )
        yield [len(some) for some in by_row(found.findings[0].objects)]
        yield [[str(one), one.within, one.old, one.new] for one in lines(found.findings[0])]
        yield present(found.old, found.new, "single", "text").splitlines()[4:]
        yield [
            number_of(present(found.old, found.new, how, form))
            for how in ("single", "dual", "only")
            for form in ("markdown", "html", "page")
        ]


@KEPT
def lines_of_findings() -> Iterator[object]:
    """Findings by lot as lines."""
    lot = Lot(73)
    for _ in range(260):
        finding = finding_by(lot, 4)
        shown = rows_in([finding])
        yield [str(one) for one in lines(finding)], [[one.old, one.new] for one in lines(finding)]
        yield shown and [shown.head, [[*map(str, row.cells)] for row in shown.rows], shown.more]


ODD = """<html lang=de class=a><body bgcolor=red text=#00f class="b wv-x" id=wv-1 style="color: red">
<form action=/x><input type=text value="Say &quot;it&quot;" class=q><input type=hidden value=h><input type=password>
<input placeholder=Name><select><option>One<optgroup label=x><option>Two</select><textarea>Long
text</textarea><button disabled>Go</button></form><svg width=5><title>Drawn</title><text>in svg</text><g><rect/></g>
</svg><math><mi>x</mi></math><video width=90 height=12345 poster=p.png></video><canvas width=x height=1000></canvas>
<img src=lamp.png alt="A lamp" class="c d"><img data-src=late.png src="data:image/gif;base64,R0lGOD"><img srcset="b.png 2x">
<img src=a.jpg><img><img src=/gone/tree.jpg class=z><x-card data-a=1 data-wv-b=2>Own</x-card><blink>b</blink><dir><li>d
</dir><a href=/x#y title=t onclick=z>link</a><a href="javascript:x()">no</a><ins>new</ins><del>old</del><xmp>kept  so</xmp>
<p style="background: url(lamp.png); behavior: url(x)">s</p><frameset><b>f</b></frameset><noscript>n</noscript>
<style>p { color: blue } @import "x"; </style><link rel=stylesheet href=a.css media=print><link rel="alternate stylesheet"
href=b.css><style media="screen and (x)">b{}</style><style disabled>i{}</style><details open><summary>S</summary>D</details>
<table><tr><td colspan=2 width=5>1<tr><th scope=row>2<td>3</table><ol start=3 reversed><li value=7>x</ol><br>end"""


@KEPT
def dressed_pages() -> Iterator[object]:
    """An odd page in its own look, with and without the numbers of its elements, and after changes."""
    old = read(ODD.encode(), "text/html", "https://a.test/b/c.html")
    for kinds in (None, {}, {5: "table", 9: "list"}):
        shown = dressed(old, Marks(kinds=kinds), DRESS)
        yield shown.html, shown.attributes, shown.sheets
    yield dressed(old, Marks(), Dress()).html
    words = (
        "it&quot;",
        "One",
        "Long",
        "in svg",
        "A lamp",
        "late",
        "Own",
        "kept",
        "link",
        "1<tr>",
        "x</ol>",
        "end",
    )
    for word in words:
        for after in ("", f"changed {word}"):
            new = read(ODD.replace(word, after).encode(), "text/html", "https://a.test/b/c.html")
            for how in ("single", "dual"):
                shown_page = present(old, new, how, "page", showing=Showing(dress=DRESS))
                yield word, how, number_of(shown_page), "srcdoc" in shown_page


@KEPT
def aspects() -> Iterator[object]:
    """The words, links and pictures of changes alone."""
    for seed in (*range(0, 48, 2), *DOCUMENTS[::5]):
        old, new, content_type = both(seed)
        monitor = ("all images", "all links", "any change")[seed % 3]
        found = diff(old, new, monitor, content_type=content_type, url="https://a.test/b/c.html")
        picture = Drawn("/old.png", 400, 300), Drawn("/new.png", 400, 0)
        for what in Aspect:
            for showing in (Showing(), Showing(bare=True, dress=DRESS), Showing(bare=True, drawn=picture)):
                shown = aspect(found.old, found.new, what, findings=found.findings, showing=showing)
                yield what, number_of(shown), re.findall(r'class="amounts">([^<]*)', shown)
    regions = tuple(
        ObjectChange(f"{at}", status, before=f"9×8 at {at},{at}", after=f"9×8 at {at},30", where=("/",))
        for at, status in ((0, Status.NEW), (28, Status.UPDATED), (29, Status.GONE))
    )
    for one in (Drawn("/a.png"), Drawn("/a.png", 90, 80)):
        yield swipe(one, Drawn("/b.png", 70, 60), "The <page>", [Finding(type="visual", objects=regions)])
    old = read(ODD.encode(), "text/html", "https://a.test/")
    new = read(
        ODD.replace("lamp.png", "sofa.png").replace("/x#y", "/z").encode(), "text/html", "https://a.test/"
    )
    replaced = ObjectChange("https://a.test/a.jpg", Status.UPDATED, before="1", after="2", where=("/",))
    for what in Aspect:
        findings = [Finding(type="all images", objects=(replaced,)), Finding(type="visual", objects=regions)]
        for drawn in (None, (Drawn("/o.png"), Drawn("/n.png", 9, 9))):
            shown = aspect(
                old, new, what, findings=findings, showing=Showing(dress=DRESS, drawn=drawn, bare=True)
            )
            yield _OURS.sub("", shown).splitlines()


TOKENS = (
    *(
        "url(",
        "url(a.png)",
        "URL( 'b.png' )",
        "u\\72l(c.png)",
        "image-set(",
        "@import",
        "@media",
        "@\\6dedia",
        "</x",
    ),
    *(
        "<!--",
        "/*",
        "*/",
        "a",
        "-b",
        ";",
        ":",
        "{",
        "}",
        "(",
        ")",
        '"q"',
        "'q",
        "\\",
        "\\28 ",
        "expression(",
        "\n",
    ),
    *(
        "data:image/png;base64,AA",
        "url(data:image/png;base64,AA)",
        "url(data:text/html,x)",
        "calc(1 + 2)",
        " ",
        "\0",
    ),
    *("@supports", "@font-face", "paint(x)", "p{color:red}", "url()", "url( x y )", "//", "é"),
)


@KEPT
def styles() -> Iterator[object]:
    """Style sheets and style attributes put together by lot, made harmless."""
    lot = Lot(79)
    address = DRESS.address
    for _ in range(700):
        text = "".join(lot.one_of(TOKENS) for _ in range(1 + lot.below(9)))
        yield (
            text,
            style_sheet(text, address, "https://a.test/b/"),
            declarations(text, address, "https://a.test/"),
        )


@KEPT
def excerpts() -> Iterator[object]:
    """The parts that are shown of long versions."""
    lot = Lot(83)
    for number in range(40):
        size = (CHANGED // 2, CHANGED // 2 + 1, 4_000, 8_000, 9_000)[number % 5]
        old = [f"line {at}" for at in range(size)]
        new = list(old)
        for _ in range(1 + lot.below(4)):
            at, many = (
                lot.below(len(new)),
                lot.one_of((1, 3, AROUND, 2 * AROUND, 900, CHANGED - AROUND, CHANGED)),
            )
            new[at : at + many] = [f"new {at} {one}" for one in range(lot.one_of((0, 1, many, many + 1)))]
        if number % 8 == 7:
            new = [f"other {at}" for at in range(size)]
        found = excerpt(old, new)
        yield size, len(new), found and [[tuple(part) for part in found.parts], found.beyond]
        found = excerpt(new, old)
        yield found and [[tuple(part) for part in found.parts], found.beyond]
    for size in (CHANGED // 2 - 1, CHANGED // 2, CHANGED // 2 + 1):
        same = [str(at) for at in range(size)]
        yield size, excerpt(same, same) is None, excerpt(same, [*same, "x"]) is None


@KEPT
def pairs_of_blocks() -> Iterator[object]:
    """Which block became which, few and many of them, and the runs of words in them."""
    lot = Lot(89)
    for number in range(60):
        most = 9 if number % 4 else 70
        sides = []
        old = [lot.words(7) for _ in range(1 + lot.below(most))]
        new = [f"{one} {lot.word()}" if lot.happens(40) else one for one in old if lot.happens(80)]
        new[1:1] = [lot.words(5) for _ in range(lot.below(4))]
        for texts in (old, new):
            cut = pieces(texts)
            sides.append([look_of(lot, words) for words in cut])
        yield paired(sides[0], sides[1])
        if old and new:
            yield [list(run) for run in runs(*pieces([old[0], new[0]]))]


def look_of(lot: Lot, words: Sequence[str]) -> Look:
    kind = lot.one_of(("text", "text", "row"))
    key = words[0].strip() if kind == "row" and words and lot.happens(50) else ""
    return Look(frozenset(one.strip() for one in words), kind, key, len(words) < 6 and lot.happens(20), words)


@KEPT
def stories() -> Iterator[object]:
    """Looks at pages, told as stories."""
    lot = Lot(97)
    decisions = ("new version", "same", "not modified", "postponed", "failed", "no page", "odd")
    for _ in range(60):
        at = datetime(2026, 12, 1, 22, 0, 3, tzinfo=UTC)
        looks: list[dict[str, Any]] = []
        for _ in range(1 + lot.below(9)):
            at += timedelta(minutes=lot.one_of((1, 5, 61, 1_000)))
            looks.append(
                {
                    "at": at,
                    "decision": lot.one_of(decisions),
                    "why": lot.one_of(("due", "due", "asked")),
                    "bytes": lot.one_of((0, 1, 999, 1_000, 1_499, 999_999, 1_000_000)),
                    "duration": lot.one_of((0, 49, 50, 312, 9_999)),
                    "error": lot.one_of(("", "", "no answer")),
                    "reason": lot.one_of(("", "sent in full", "by ETag")),
                    **lot.one_of(
                        (
                            {},
                            {"left_out": "3 times"},
                            {"plan": "looked at every hour"},
                            {"plan": "changes daily; next look in 1 day"},
                            {"plan": "changes hourly; next look in 1 hour"},
                        )
                    ),
                }
            )
        yield list(story(looks))
        yield habit_of(looks[::-1]), [[str(when), said] for when, said in pace_changes(looks[::-1])]
    yield list(story([])), habit_of([]), pace_changes([])


@KEPT
def long_pages() -> Iterator[object]:
    """A page so long that it is shown in parts, part by part."""
    lot = Lot(101)
    blocks = [f"<h2>Part {at}</h2>" if at % 90 == 7 else f"<p>{lot.words(3)} {at}</p>" for at in range(2_600)]
    rows = "".join(f"<tr><td>{at}<td>{lot.word()}" for at in range(450))
    old = f"{''.join(blocks)}<table>{rows}</table>"
    new = old.replace(" 100<", " 101<").replace(" 1500<", " x<").replace("<td>300<", "<td>no<")
    sides = [read(side.encode(), "text/html", "https://a.test/") for side in (old, new)]
    compared = compare(sides[0], sides[1])
    for part in (0, 1, 2, 3, 9):
        shown = as_html(compared, view(compared, How.SINGLE), Showing(part=part))
        yield part, number_of(shown), re.findall(r'class="parts">.*?</p>', shown), shown.count("<section")
        yield re.findall(r'<a href="([^"]*#c\d+)"', shown)


# --- the tests --------------------------------------------------------------------------------------


def test_pages_are_presented_as_before():
    KEPT.check("presentations")


def test_versions_are_compared_block_by_block_as_before():
    KEPT.check("comparisons")


def test_tables_are_shown_as_before():
    KEPT.check("tables_shown")


def test_findings_are_told_in_lines_as_before():
    KEPT.check("lines_of_findings")


def test_an_odd_page_is_shown_in_its_own_look_as_before():
    KEPT.check("dressed_pages")


def test_words_links_and_pictures_are_shown_alone_as_before():
    KEPT.check("aspects")


def test_styles_are_made_harmless_as_before():
    KEPT.check("styles")


def test_the_parts_of_long_versions_are_chosen_as_before():
    KEPT.check("excerpts")


def test_blocks_are_paired_as_before():
    KEPT.check("pairs_of_blocks")


def test_looks_are_told_as_before():
    KEPT.check("stories")


def test_long_pages_are_cut_as_before():
    KEPT.check("long_pages")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
