"""The words, the links and the pictures of a change are shown separately (P2)."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from tests.present.hostile import PAYLOADS
from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import ChangeType
from webvigil.present.aspect import LISTED, Aspect, aspect
from webvigil.present.dressed import Dress
from webvigil.present.html import Showing
from webvigil.present.presentation import present
from webvigil.present.swipe import Drawn


def page(html: str) -> PageDigest:
    return read(html.encode(), "text/html", "http://x.test/")


def rows(html: str) -> list[tuple[str, ...]]:
    """Returns the cells of the table as a reader sees them."""
    found = re.findall(r"<tr class=.*?</tr>", html)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", one) for one in found]
    return [tuple(" ".join(unescape(re.sub("<[^>]+>", " ", cell)).split()) for cell in one) for one in cells]


def test_links_tell_what_became_of_each_and_how_often_it_stands_there():
    old = page("<a href=/gone>Old</a> <a href=/less>a</a> <a href=/less>b</a> <a href=/same>s</a>")
    new = page("<a href=/new>New</a> <a href=/less>a</a> <a href=/same>s</a>")
    html = aspect(old, new, Aspect.LINKS)
    assert rows(html) == [
        ("+ added", "New http://x.test/new", "0", "1"),
        ("− gone", "Old http://x.test/gone", "1", "0"),
        ("− fewer", "a http://x.test/less", "2", "1"),
    ]
    assert "1 added, 1 gone, 1 fewer; 4 links before, 3 after" in html


def test_pictures_stand_on_the_side_they_were_on_and_replaced_ones_on_both():
    old = page("<img src=/old.png alt=Cup><img src=/same.png>")
    new = page("<img src=/same.png>")
    one = ObjectChange(object="http://x.test/same.png", status=Status.UPDATED, before="1", after="2")
    showing = Showing(nonce="n", dress=Dress(address=lambda url: f"/through?{url}"))
    findings = (Finding(type="all images", objects=(one,)),)
    html = aspect(old, new, Aspect.IMAGES, findings=findings, showing=showing)
    assert [row[0] for row in rows(html)] == ["− gone", "~ another picture"]
    gone, replaced = re.findall(r"<tr class=.*?</tr>", html)
    assert gone.count("/through?http://x.test/old.png") == 1
    assert replaced.count("/through?http://x.test/same.png") == 2


@pytest.mark.parametrize(
    ("kind", "told", "untold"),
    [("all images", "b.png", "/l2"), ("all links", "/l2", "b.png")],
)
@pytest.mark.parametrize("form", ["page", "html", "text", "terminal", "markdown"])
def test_links_or_pictures_alone_are_presented_as_their_table(kind: str, told: str, untold: str, form: str):
    old = page("<p>Lamp for 5 EUR <img src=/a.png> <a href=/l1>more</a>")
    new = page("<p>Lamp for 6 EUR <img src=/b.png> <a href=/l2>more</a>")
    findings = [find(old, new, ChangeType(kind))]
    shown = present(old, new, form=form, findings=findings)
    # The style and the script of a file are not what it shows.
    shown = re.sub(r"(?s)<(style|script).*?</\1>", "", shown).replace("\\", "")
    assert (told in shown, untold in shown, "EUR" in shown) == (True, False, False)
    asked = present(old, new, "only", form, findings=findings)
    assert "EUR" in asked


def test_links_and_pictures_together_are_presented_with_their_surroundings():
    old, new = (
        page("<p>Lamp 5 <img src=/a.png><a href=/a>x</a>"),
        page("<p>Lamp 6 <img src=/b.png><a href=/b>x</a>"),
    )
    findings = [find(old, new, ChangeType(kind)) for kind in ("all links", "all images")]
    assert "Lamp" in present(old, new, form="text", findings=findings)


def test_text_has_the_words_of_both_versions_and_nothing_else():
    html = aspect(page("<p>Tea costs 3 euro<img src=a.png>"), page("<p>Tea costs 4 euro"), Aspect.TEXT)
    assert "<del>3</del>" in html
    assert "<ins>4</ins>" in html
    assert "Pictures:" not in html


@pytest.mark.parametrize("what", [Aspect.LINKS, Aspect.IMAGES])
def test_the_same_and_none_are_told_apart(what: Aspect):
    some = page("<a href=/a>a</a><img src=/a.png>")
    none = page("<p>nothing")
    assert "Both versions have the same" in aspect(some, some, what)
    assert "Neither version has" in aspect(none, none, what)


def test_a_flood_of_links_is_counted_and_cut():
    flood = page("".join(f"<a href=/{number}>{number}</a>" for number in range(LISTED + 25)))
    html = aspect(page("<p>"), flood, Aspect.LINKS)
    assert len(rows(html)) == LISTED
    assert "… 25 more" in html


OURS = (
    "header|h[1-6]|p|div|table|thead|tbody|tr|th|td|span|br|main|details|summary|ol|ul|li|a|del|ins|button|kbd"
    "|img|section|blockquote"
)


@pytest.mark.parametrize("what", list(Aspect))
@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_nothing_of_a_hostile_page_acts(what: Aspect, payload: str):
    """P4: the document has only our own elements, and nothing in them runs or fetches."""
    bad = "javascript:alert(1)"
    both = f"<a href='{bad}'>x{payload}</a><img src='{bad}' alt='{payload}'>{payload}"
    html = aspect(page("<p>before"), page(both), what)
    body = html.partition("<body")[2].rpartition("<script")[0]
    assert not re.search(rf"<(?!/?(?:{OURS})\b)[a-z]", body, re.IGNORECASE)
    assert not re.search(r"<[^>]*\s(?:on\w+|style|srcdoc|formaction)=", body)
    assert not re.search(r"(?:href|src)=\"(?!#|data:image/|\?part=)", body)


def test_of_very_many_links_all_are_counted():
    old, new = (
        page("".join(f"<a href=/{of}/{number}>{number}</a>" for number in range(3_000))) for of in "ab"
    )
    html = aspect(old, new, Aspect.LINKS)
    assert "3,000 added, 3,000 gone; 3,000 links before, 3,000 after" in html
    assert f"… {6_000 - LISTED:,} more" in html


def test_what_is_framed_in_the_picture_of_a_page_has_the_number_of_its_frame_and_a_table_has_none():
    old, new = page("<h1>Kites</h1><p>Soon"), page("<h1>Kites</h1><p>Sold out")
    region = ObjectChange("region", Status.UPDATED, before="100×50 at 10,40", after="100×50 at 10,40")
    findings = [find(old, new, ChangeType("any change")), Finding(type="visual", objects=(region,))]
    bare = Showing(bare=True, drawn=(Drawn("/a.png", 300, 200), Drawn("/b.png", 300, 200)))
    for what, showing, numbers in (
        (Aspect.IMAGES, bare, [0, 1]),
        (Aspect.LINKS, Showing(bare=True), [0, 0]),
    ):
        html = aspect(old, new, what, findings=findings, showing=showing)
        told = json.loads(unescape(re.findall(r'data-told="([^"]+)"', html)[0]))
        assert (told["objects"], told["cut"]) == (numbers, False)
