"""Tests that a sentinel sees its part, follows it when it moves, and reports its loss (L8, V4)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from webvigil.detect.find import evaluate
from webvigil.document import read
from webvigil.graph.part import Cover, cover, loud, part_in_words, views
from webvigil.graph.preview import watched
from webvigil.language import parse
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import MAIN, Part

PAGE = """<!doctype html><title>Shop</title><nav>Home Shop About us and more</nav>
<div class="ad">Buy now! {ad}</div>
<section class="{name}"><h2>Prices of the week</h2>
<p>Apples cost {price} today, pears a little more.</p></section>
<footer>Contact and imprint</footer>"""


def page(ad: str = "one", name: str = "prices", price: str = "10") -> bytes:
    return PAGE.format(ad=ad, name=name, price=price).encode()


def compare(clauses: str, old: bytes, new: bytes) -> tuple[Finding, ...]:
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/ Monitor all words {clauses}")
    seen = views(read(old), read(new), sentinel)
    if isinstance(seen, Finding):
        return (seen,)
    assert sentinel.monitor is not None
    result = evaluate(*seen, sentinel.monitor)
    return result.findings if result.changed else ()


def test_only_what_is_within_counts():
    within = 'Within css "section.prices"'
    assert compare(within, page(), page(ad="two")) == ()
    (finding,) = compare(within, page(), page(ad="two", price="12"))
    assert [(one.before, one.after) for one in finding.objects] == [("10", "12")]


def test_what_is_ignored_does_not_count():
    assert compare('Ignore css ".ad"', page(), page(ad="two")) == ()
    assert compare('Ignore css ".ad"', page(), page(price="12"))


def test_a_part_is_followed_when_its_name_changes():
    (finding,) = compare('Within css "section.prices"', page(), page(name="p-9f3", price="12"))
    assert [(one.before, one.after) for one in finding.objects] == [("10", "12")]


def test_a_part_that_is_gone_is_told_as_vanished():
    (finding,) = compare(
        'Within css "section.prices"', page(), b"<!doctype html><title>Shop</title><p>Closed"
    )
    assert [(one.status, one.old, one.new) for one in finding.objects] == [(Status.GONE, 1, 0)]
    assert "vanished" in finding.note


def test_what_will_be_watched_is_shown():
    (sentinel,) = parse(
        "Create Sentinel s Using https://a.org/ Monitor all links OR keywords: {apples, plums}"
    )
    links, words = watched(read(b"<a href='/x'>apples</a> apples", "text/html", "https://a.org/"), sentinel)
    assert [one.object for one in links.objects] == ["https://a.org/x"]
    assert [(one.object, one.new) for one in words.objects] == [("apples", 2)]


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("application/json", b'{"shop": "Nordlicht", "left": 7}', ["$.shop", "$.left"]),
        ("application/json", b"null", []),
        ("application/xml", b"<r><a>1</a></r>", ["/r/a"]),
        ("text/html", b"<p>tea", ["tea"]),
        ("text/plain", b"tea", ["tea"]),
    ],
)
def test_nothing_is_watched_that_is_not_on_the_page(kind: str, body: bytes, expected: list[str]):
    (finding,) = watched(
        read(body, kind, "http://s.test/"), parse("Create Sentinel s Using http://s.test/")[0]
    )
    assert [one.object for one in finding.objects] == expected


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ('Within css ".b"', ["two"]),
        ('Ignore css ".b"', ["one", "three"]),
        ('Within css ".b", css ".i" Ignore css ".b"', ["three"]),
        ("", ["one", "two", "three"]),
    ],
)
def test_what_will_be_watched_stands_in_the_part(clauses: str, expected: list[str]):
    (sentinel,) = parse(f"Create Sentinel s Using http://s.test/ Monitor content {clauses}")
    page = read(b"<p>one<p class=b>two<p class=i>three", "text/html", "http://s.test/")
    assert [one.object for found in watched(page, sentinel) for one in found.objects] == expected


GLASS = "The lamp is made of glass and of brass, and it gives a warm light to every room of the house. " * 3
SHIPS = "Nobody knows where the ships of the harbour went when winter came over the northern sea. " * 12
LAMP = "<!doctype html><h1>Shop</h1><div class=lamp>{}<p>{}</p></div>{}<p>end"


def test_a_main_part_that_is_followed_comes_without_the_navigation_in_it():
    old = read(LAMP.format("", GLASS, "").encode(), "text/html")
    menu = "<nav><a href=/x>menu</a></nav>"
    new = read(LAMP.format(menu, GLASS, f"<article><p>{SHIPS}</p></article>").encode(), "text/html")
    for within in ((MAIN,), (MAIN, Part("css", ".none"))):
        before, after = views(old, new, Watched(within))
        assert (before.reading.text.strip(), after.reading.text.strip()) == (GLASS.strip(), GLASS.strip())
    before, after = views(old, new, Watched((MAIN, Part("css", "nav"))))
    assert after.reading.text.split() == ["menu", *GLASS.split()]


def test_another_part_that_is_followed_keeps_the_navigation_in_it():
    page = "<section class={}><nav>menu</nav><p>one two three four five</section>"
    old, new = (read(page.format(name).encode(), "text/html") for name in "ab")
    before, after = views(old, new, Watched((Part("css", ".a"),)))
    assert before.reading.text == after.reading.text
    assert after.reading.text.split()[0] == "menu"


SMALL = "<h1>News</h1><div id=a class=x><p>one <b>two</b></p></div><p>more</p>"
A = Part("css", "#a")
DIV = "/html/body/div"


@dataclass(frozen=True)
class Watched:
    within: tuple[Part, ...] = (A,)
    ignore: tuple[Part, ...] = ()


def unchanged(new: str, watched: Watched, url: str = "https://a.org/") -> bool:
    old = read(SMALL.encode(), "text/html", "https://a.org/")
    found = cover(old, read(new.encode(), "text/html", url), watched)
    assert isinstance(found, Cover)
    return found.unchanged


AROUND, INSIDE = SMALL.replace("more", "less"), SMALL.replace("two", "three")


@pytest.mark.parametrize(
    ("new", "watched", "expected"),
    [
        (AROUND, Watched(), True),
        (INSIDE, Watched(), False),
        (SMALL.replace("class=x", "class=y"), Watched(), False),
        (AROUND, Watched((A, Part("css", "h1"))), True),
        (AROUND.replace("News", "Olds"), Watched((A, Part("css", "h1"))), False),
        (AROUND, Watched(ignore=(Part("words", ("more",)),)), True),
        (AROUND, Watched(ignore=(Part("css", "b"),)), False),
        (AROUND, Watched(ignore=(Part("xpath", "//b"),)), False),
        (AROUND, Watched((Part("xpath", "//div"),)), True),
        (AROUND, Watched((Part("xpath", "//div/@class"),)), False),
        (AROUND, Watched(()), False),
    ],
)
def test_a_part_is_known_to_be_the_same_without_being_cut_out(new: str, watched: Watched, expected: bool):
    assert unchanged(new, watched) is expected


def test_an_attribute_that_only_one_version_chooses_may_have_changed():
    watched = Watched((A, Part("xpath", "//h1[@id]/following-sibling::div/@class")))
    pages = [
        read(one.encode(), "text/html", "https://a.org/") for one in (SMALL, SMALL.replace("<h1", "<h1 id=n"))
    ]
    for old, new in (pages, reversed(pages)):
        found = cover(old, new, watched)
        assert isinstance(found, Cover)
        assert not found.unchanged


def test_a_part_at_another_address_may_lead_elsewhere():
    assert not unchanged(AROUND, Watched(), "https://b.org/")


def test_what_vanished_is_named_and_is_all_of_the_part():
    (finding,) = compare(
        'Within css "section.prices", css ".ad"', page(), b"<!doctype html><title>Shop</title><p>Closed"
    )
    assert [one.object for one in finding.objects] == ["css section.prices", "css .ad"]
    assert (finding.type, finding.share) == ("within", 1.0)
    assert finding.note.startswith("the watched part has vanished: ")


@pytest.mark.parametrize(
    ("part", "words"), [(A, "css #a"), (Part("words", ("one", "two")), "words one, two")]
)
def test_a_part_is_named_as_it_is_written(part: Part, words: str):
    assert part_in_words(part) == words


@pytest.mark.parametrize(
    ("where", "is_loud"),
    [
        ((DIV,), True),
        ((f"{DIV}/p",), True),
        ((f"{DIV}2",), False),
        (("/html/body/p",), False),
        (("/html/body/p", DIV), True),
        ((), False),
    ],
)
def test_what_stands_in_a_loud_part_is_loud(where: tuple[str, ...], is_loud: bool):
    digest = read(SMALL.encode(), "text/html", "https://a.org/")
    other = read(b"<p>nothing", "text/html", "https://a.org/")
    one = ObjectChange("x", Status.NEW, where=where)
    assert loud(digest, other, (A,))(one) is is_loud
    assert loud(other, digest, (A,))(one) is is_loud
    assert not loud(other, other, (A,))(one)


def test_a_part_that_is_nowhere_or_everywhere_is_looked_for_in_each_version():
    old, new = read(b"<p>one", "text/html"), read(b"<p>one<div id=a>two</div>", "text/html")
    before, after = views(old, new, Watched())
    assert (before.reading.text.strip(), after.reading.text.strip()) == ("", "two")
    before, after = views(old, new, Watched((Part("css", "html"),)))
    assert (before.reading.text.split(), after.reading.text.split()) == (["one"], ["one", "two"])
