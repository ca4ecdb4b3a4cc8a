"""Tests of expressions over change types, and of what need not be compared (L2, G2, G5)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from tests.detect import pages
from webvigil.detect.find import evaluate, find
from webvigil.detect.registry import Functions
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused
from webvigil.language import parse_expression
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

OLD = b"<p>one two <a href=/x>go</a></p>"
NEW = b"<p>one three <a href=/x>go</a></p>"


@pytest.mark.parametrize(
    ("monitor", "changed"),
    [
        ("all words", True),
        ("all links", False),
        ("all words AND all links", False),
        ("all words OR all links", True),
        ("NOT all links", True),
        ("all words AND NOT all links", True),
        ("NOT (all words OR all links)", False),
        ("NOT NOT all words", True),
    ],
)
def test_an_expression_says_whether_the_page_changed(monitor: str, changed: bool):
    answer = evaluate(read(OLD, "text/html"), read(NEW, "text/html"), parse_expression(monitor))
    assert answer.changed is changed


def test_each_change_type_is_compared_once_in_the_order_written():
    expression = parse_expression("all links OR (all words AND NOT all links)")
    answer = evaluate(read(OLD, "text/html"), read(NEW, "text/html"), expression)
    assert [finding.type for finding in answer.findings] == ["all links", "all words"]


def test_equal_documents_are_not_looked_at(monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> list[ObjectChange]:
        raise AssertionError("was called")

    monkeypatch.setattr("webvigil.detect.find.functions_of", lambda _: Functions(fail))
    one, other = read(OLD, "text/html"), read(OLD.replace(b"<p>", b"<P>"), "text/html")
    assert not find(one, other, ChangeType("all words")).changed


def test_the_same_document_at_another_address_has_other_links():
    one = read(OLD, "text/html", "https://one.test/")
    other = read(OLD, "text/html", "https://two.test/")
    assert [link.status for link in find(one, other, ChangeType("all links")).objects] == ["d", "i"]


def test_any_byte_is_an_exact_change():  # C1
    one, other = read(OLD, "text/html"), read(OLD + b"\n", "text/html")
    (change,) = find(one, other, ChangeType("exact change")).objects
    assert change.status == Status.UPDATED
    assert change.before != change.after
    assert not find(one, read(OLD, "text/html"), ChangeType("exact change")).changed


def test_an_exact_change_is_told_by_stored_digests_too():
    one, other = (
        PageDigest.from_bytes(read(body, "text/html").to_bytes())
        for body in (OLD, OLD.replace(b"<p>", b"<P>"))
    )
    assert one == other
    assert find(one, other, ChangeType("exact change")).changed
    assert not find(one, one, ChangeType("exact change")).changed


def test_a_picture_behind_an_unchanged_address_was_replaced():  # C3
    body = b"<p><img src=a.png><img src=b.png><img src=c.png></p>"
    old, new = (read(body, "text/html", "https://example.org/") for _ in range(2))
    urls = [f"https://example.org/{name}.png" for name in "abc"]
    old = old.with_pictures({urls[0]: "1", urls[1]: "2", urls[2]: "3"})
    new = PageDigest.from_bytes(new.with_pictures({urls[0]: "1", urls[1]: "7"}).to_bytes())
    change = ChangeType("all images", (), "content")
    (one,) = find(old, new, change).objects
    assert (one.object, one.status, one.before, one.after) == (urls[1], "u", "2", "7")
    assert one.where == ("/html/body/p/img[2]",)
    assert not find(old, new, ChangeType("all images")).changed


def test_a_document_without_text_changes_with_any_byte():
    old, new = (read(body, "image/png") for body in (b"\x89PNG\x00one", b"\x89PNG\x00two"))
    assert find(old, new, ChangeType("any change")).changed
    assert not find(old, read(b"\x89PNG\x00one", "image/png"), ChangeType("any change")).changed


def test_an_unknown_change_type_is_refused():
    with pytest.raises(PatternRefused, match="there is no change type 'all smells'"):
        find(read(OLD, "text/html"), read(NEW, "text/html"), ChangeType("all smells"))


def test_xml_pages_have_detectors_of_their_own(monkeypatch: pytest.MonkeyPatch):  # C13
    def marked(*_: object) -> list[ObjectChange]:
        return [ObjectChange(object="xml", status=Status.NEW, after="xml")]

    monkeypatch.setattr("webvigil.detect.find.xml_detector", lambda _: marked)
    one, other = (read(body, "application/xml") for body in (b"<a>1</a>", b"<a>2</a>"))
    assert find(one, other, ChangeType("any change")).objects == tuple(marked())
    assert find(one, read(NEW, "text/html"), ChangeType("any change")).objects != tuple(marked())


@settings(max_examples=60, deadline=None)
@given(both=pages.versions())
def test_links_and_images_are_compared_as_multisets(both: tuple[PageDigest, PageDigest]):  # C2, C3
    old, new = both
    for kind, before, after in (
        ("all links", Counter(link.url for link in old.links), Counter(link.url for link in new.links)),
        ("all images", Counter(one.url for one in old.images), Counter(one.url for one in new.images)),
    ):
        found = {
            one.object: (one.old, one.new, str(one.status))
            for one in find(old, new, ChangeType(kind)).objects
        }
        assert found == {
            url: (before[url], after[url], sign(before[url], after[url]))
            for url in before | after
            if before[url] != after[url]
        }


def sign(old: int, new: int) -> str:
    return "i" if not old else "d" if not new else "i+" if new > old else "d-"


@pytest.mark.parametrize(
    ("old", "content_type", "where"),
    [
        ("<table><tr><td>x<td class=v1>y</table>", "text/html", "/html/body/table/tbody/tr/td[2]"),
        ("<meta charset=koi8-r><p>a</p><p>v1</p>", "text/html", "/html/body/p[2]"),
        ("<p>a</p><!-- v1 -->", "text/html", "/html/body/comment()"),
        ("<a><b/><c d='v1'/></a>", "text/xml", "/a/c"),
        ('{"a": [1, {"b": "v1"}]}', "application/json", "$.a[1].b"),
        ("one\ntwo\nv1", "text/plain", "/text()[3]"),
    ],
)
def test_what_is_found_in_the_source_is_told_by_its_node(old: str, content_type: str, where: str):  # C9, C15
    pages = (read(text.encode(), content_type) for text in (old, old.replace("v1", "v2")))
    (one,) = find(*pages, ChangeType("regular expression", (r"v\d",), "in source")).objects
    assert (one.before, one.after, one.where) == ("v1", "v2", (where,))
