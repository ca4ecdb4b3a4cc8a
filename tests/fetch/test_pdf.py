"""Tests that the text of a PDF is watched like the text of any page (F9)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fetch.fetching import fetch
from tests.fetch.pdfs import pdf
from tests.site import Site
from webvigil.app.pages.documents import document_of
from webvigil.detect.find import find
from webvigil.document.parsing import is_pdf
from webvigil.errors import DocumentRefused
from webvigil.fetch.pdf import pdf_text
from webvigil.model.sentinel import ChangeType
from webvigil.model.version import Answer


def answer(body: bytes, content_type: str = "application/pdf") -> Answer:
    return Answer(url="http://a/x.pdf", status=200, headers=(("Content-Type", content_type),), body=body)


def test_the_text_of_a_pdf_is_read_page_by_page():
    assert pdf_text(pdf("One (1)\nTwo", "Café")) == "One (1)\nTwo\fCafé"


def test_a_changed_word_in_a_pdf_is_found(site: Site):
    page = site.page("/price.pdf", pdf("The price is 10 euro")).content_type("application/pdf")
    old = document_of(fetch(page).answer)
    page.becomes(pdf("The price is 12 euro"))
    new = document_of(fetch(page).answer)
    finding = find(old, new, ChangeType("all words"))
    assert finding.changed
    assert {word for one in finding.objects for word in (one.before, one.after, one.object)} >= {"10", "12"}


def test_other_bytes_with_the_same_text_are_only_an_exact_change():
    old, new = document_of(answer(pdf("One"))), document_of(answer(pdf("One") + b"\n"))
    assert not find(old, new, ChangeType("any change")).changed
    assert find(old, new, ChangeType("exact change")).changed


@pytest.mark.parametrize(
    ("content_type", "wanted"),
    [("application/pdf", True), ("application/PDF; x=y", True), ("", True), ("text/html", False)],
)
def test_a_pdf_is_known_by_its_name_or_its_first_bytes(content_type: str, wanted: bool):
    assert is_pdf(pdf("One"), content_type) is wanted


def test_what_is_only_called_so_is_read_as_what_it_is():
    assert not is_pdf(b"<p>Sorry", "application/pdf")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 700), st.binary(min_size=1, max_size=8))
def test_damage_is_an_answer_or_a_clear_error(place: int, noise: bytes):
    whole = pdf("One", "Two")
    damaged = whole[:place] + noise + whole[place + len(noise) :]
    with suppress(DocumentRefused):
        pdf_text(damaged)
    document_of(answer(damaged))
    document_of(answer(whole[:place]))
