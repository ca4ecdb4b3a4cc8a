"""The headlines and the gists of many findings stay as they are.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_kept_sentences`
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product as all_of
from pathlib import Path

from tests.detect.keeping import Kept
from tests.lots import Lot
from webvigil.detect import gist
from webvigil.detect.headline import amounts, headline, links_told_by_text, titled, told_first, told_with
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Status, Surrounding

KEPT = Kept(Path(__file__).with_name("kept") / "sentences")


PATHS = (
    *("/html/body/main/p[1]", "/html/body/main/p[2]", "/html/body/nav/a[1]", "/html/body/footer/p", "/"),
    *("/html/head/title", "/html/body/main/table/tbody/tr[2]", "/html/body/main/table/tbody/tr[2]/td[1]"),
    *(
        "/html/body/main/ul/li[1]",
        "/html/body/main/ul[2]/li[3]/a",
        "/html/body/main/h2[1]",
        "/html/body/aside[2]",
    ),
    *(
        "/html/body/main/img[1]",
        "/html/body/main/table",
        "/html/body/main/ol",
        "/html/body/main/th",
        "$.a[3].b",
    ),
    *("/rss/channel/item[2]/title", "/rss/channel/item[2]/link", "/feed/entry[1]/title", "$.a[3].name"),
)
KINDS = (
    *(
        "any change",
        "any change",
        "any change",
        "all links",
        "all images",
        "keywords",
        "value",
        "table",
        "list",
    ),
    *("content", "all words", "structure", "tags", "attributes", "comments", "visual", "appearance"),
    *("exact change", "phrase", "status", "product"),
)


def object_by(lot: Lot) -> ObjectChange:
    status = lot.one_of([*Status, Status.UPDATED, Status.UPDATED, Status.NEW, Status.GONE])
    path = lot.one_of(PATHS)
    label, section = lot.words(2), lot.one_of(("", "", "Prices", "News of today"))
    label = lot.one_of(("", label, f"{label} · Price", section, f"{label} from € 5"))
    if lot.happens(25):
        return ObjectChange(
            object=lot.one_of(("/a/b.html", "https://a.test/x/", "harbour", "12 more", "1,200 more", "/x/1")),
            status=status,
            old=lot.below(3),
            new=lot.below(4),
            where=(path, *(lot.one_of(PATHS) for _ in range(lot.below(2)))) if lot.happens(70) else (),
            label=label,
            section=section,
            link_text=lot.words(2) if lot.happens(60) else "",
        )
    before, after = line_by(lot), line_by(lot)
    if lot.happens(60):
        at = lot.below(len(before.split()) + 1)
        words = before.split()
        words[at : at + 1] = lot.fact().split() if lot.happens(70) else []
        after = " ".join(words)
    around = None
    if lot.happens(50):
        lead, more = (
            lot.one_of(("", f"{lot.words(3)} ", f"{lot.sentence()} ")),
            lot.one_of(("", f", {lot.words(3)}.")),
        )
        lead = lead if lot.happens(70) else f"{lot.words(2)}{CELL_JOINT}"
        marks = (((len(lead), len(lead) + len(side)),) if lot.happens(80) else () for side in (before, after))
        around = Surrounding(f"{lead}{before}{more}", f"{lead}{after}{more}", *marks)
    has_before, has_after = status is not Status.NEW, status is not Status.GONE
    return ObjectChange(
        object=lot.one_of((before, after, lot.words(2))),
        status=status,
        before=before if has_before else None,
        after=after if has_after else None,
        where=(path, *(lot.one_of(PATHS) for _ in range(lot.below(2)))),
        label=label,
        section=section,
        surrounding=around,
    )


def line_by(lot: Lot) -> str:
    return lot.one_of((lot.fact(), lot.fact(), lot.words(4), f"{lot.words(2)} {lot.fact()}", lot.sentence()))


def finding_by(lot: Lot, most: int) -> Finding:
    kind = lot.one_of(KINDS)
    objects = [object_by(lot) for _ in range(1 + lot.below(most))]
    if kind == "product":
        names = [lot.one_of(("Lamp", "Sofa", "Rug")) for _ in objects]
        facts = [lot.one_of(("price", "availability", "name")) for _ in objects]
        objects = [
            one._replace(object=fact, label=f"{name} · {fact.capitalize()}", section=name)
            for one, name, fact in zip(objects, names, facts, strict=True)
        ]
    share = lot.one_of((0.0, 0.004, 0.005, 0.0099, 0.01, 0.3, 1.0))
    note = "the watched part has vanished" if lot.happens(2) else ""
    return Finding(type="within" if note else kind, objects=tuple(objects), share=share, note=note)


@KEPT
def headlines() -> Iterator[object]:
    lot = Lot(7)
    for number in range(700):
        most = (1, 2, 3, 5, 9, 40)[number % 6]
        findings = [finding_by(lot, most) for _ in range(1 + (number % 5 == 4))]
        first = [[at.object[:9] for at in one.objects] for one in told_first(findings)]
        told = told_with(findings)
        line = headline(findings)
        assert told[0] == line
        assert told[2] == told_first(findings, 0)
        links = sum(one in found for found in [links_told_by_text(findings[0].objects)] for one in found)
        yield line, amounts(findings), first[0][:3], links
        if number % 10 == 0:
            title = lot.one_of((lot.words(3), line[:12], f"{line[:9]} – Shop", "", lot.sentence() * 2))
            yield titled(line, title)


@KEPT
def product_headlines() -> Iterator[object]:
    """Headlines of products, pictures and much changed text, which few findings have."""
    lot = Lot(61)
    for _ in range(150):
        found = finding_by(lot, 4)
        facts = [lot.one_of(("price", "availability", "name")) for _ in found.objects]
        names = [lot.one_of(("Lamp", "Sofa")) for _ in facts]
        objects = [
            one._replace(object=fact, label=f"{name} · {fact.capitalize()}", section=name)
            for one, name, fact in zip(found.objects, names, facts, strict=True)
        ]
        yield headline([Finding(type="product", objects=tuple(objects))])
    for many, share in all_of((1, 19, 20, 21), (0.0, 0.0099, 0.01, 0.5)):
        texts = [
            ObjectChange("x", Status.NEW, after=f"x {at}", where=("/html/body/p",)) for at in range(many)
        ]
        link = ObjectChange("/a", Status.NEW, old=0, new=1, where=("/html/body/a",))
        for kind in ("any change", "phrase", "content"):
            yield headline([Finding(type=kind, objects=(*texts, link), share=share)])
    for status, label in all_of((Status.NEW, Status.GONE, Status.UPDATED), ("", "Map")):
        one = ObjectChange("9×9 at 1,1", status, before="9×9 at 1,1", after="9×9 at 1,1", label=label)
        yield headline([Finding(type="visual", objects=(one,), share=0.2)])
        yield headline([Finding(type="visual", objects=(one, one._replace(object="8×8 at 1,1")))])


@KEPT
def long_headlines() -> Iterator[object]:
    """Headlines with texts, names and titles of every length at which something is cut."""
    for size in (*range(34, 52), *range(76, 84), *range(90, 170, 3)):
        word = "".join("word "[at % 5] for at in range(size)).strip()
        one = ObjectChange(object=word, status=Status.NEW, after=word, where=("/html/body/p",))
        more = one._replace(
            object="x", after="x", where=("/html/body/nav/p",), status=Status.GONE, before="x"
        )
        other = more._replace(where=("/html/body/ul/li",))
        link = ObjectChange(object="/a", status=Status.NEW, old=0, new=1, where=("/html/body/a",))
        new_price = ObjectChange("price", Status.UPDATED, before="€ 5", after="€ 6", section=word, label=word)
        around = Surrounding(after=f"low {word[:-6]}, risk", after_marks=((0, 3),))
        groups = (
            ("any change", (one,)),
            ("any change", (one, more, other)),
            ("any change", (one, more, other, link, link._replace(object="/b"))),
            ("any change", (one._replace(label=word, section="x"),)),
            ("any change", (one._replace(object="low", after="low", label="Fund", surrounding=around),)),
            ("list", (one._replace(object="x", section=word), more)),
            ("product", (new_price,)),
            ("value", (new_price,)),
        )
        for kind, objects in groups:
            yield headline([Finding(type=kind, objects=objects)])
        yield titled("A new harbour", word)
        yield titled(word, "The town")


@KEPT
def gists() -> Iterator[object]:
    lot = Lot(11)
    for _ in range(900):
        one = object_by(lot)
        if one.old is None:
            yield gist.quantity(one), f"{gist.moved_by(one):.3f}", [tuple(step) for step in gist.steps(one)]
    for _ in range(300):
        line = " ".join(lot.sentence() for _ in range(1 + lot.below(3)))
        words = line.split()
        first = lot.below(len(words))
        text = " ".join(words[first : first + 1 + lot.below(3)])
        at = line.find(text)
        marks = ((at, at + len(text)),) if lot.happens(50) else ()
        yield text, gist.in_clause(text, line, marks), [*gist.whole_words(text, line)]
    yield (
        gist.in_clause("", "a b"),
        gist.in_clause("x", ""),
        gist.in_clause("abc", "ab"),
        gist.in_clause("x", "ab"),
    )
    for size in (46, 47, 48, 49, 50):
        text = "ab " * 20
        yield gist.short(text[:size]), gist.short(text, size), gist.isolated("ابجد"), gist.isolated("abc")
        one = ObjectChange(
            object="x", status=Status.UPDATED, before=f"{'a' * (size - 3)} 12", after=f"{'a' * (size - 3)} 13"
        )
        yield gist.quantity(one), [tuple(step) for step in gist.steps(one)]


def test_headlines_of_findings_by_lot_stay_as_they_were():
    KEPT.check("headlines")


def test_headlines_of_products_and_pictures_stay_as_they_were():
    KEPT.check("product_headlines")


def test_headlines_of_long_texts_stay_as_they_were():
    KEPT.check("long_headlines")


def test_the_gist_of_changes_by_lot_stays_as_it_was():
    KEPT.check("gists")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
