"""A digest is stored as what differs from the digest of the version before (R2)."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.app.pages.documents import compressed, document_of, opened, packed, unpacked
from webvigil.document.containers import BLOCKS
from webvigil.model.version import Answer

KEY = "0123456789abcdef" * 2
_BLOCKS = st.lists(st.binary(max_size=12), min_size=BLOCKS, max_size=BLOCKS)


def page(token: str, articles: int = 200) -> Answer:
    body = "".join(f"<p class=c{number}>Article {number} of many" for number in range(articles))
    text = f"<!doctype html><meta name=token content={token}><title>é</title>{body}<!-- {token} -->"
    return Answer(url="http://site.test/", status=200, headers=(), body=text.encode())


@given(old=_BLOCKS, new=_BLOCKS, same=st.binary(min_size=2000, max_size=2000))
def test_blocks_come_back_as_they_were_whatever_they_are_packed_against(old, new, same):
    first = compressed([same, *old[1:]])
    patched = first.followed_by([same, *new[1:]])
    assert patched is not None
    again = opened(bytes(patched))
    assert bytes(again.blocks()) == b"".join([same, *new[1:]])
    back = again.followed_by([same, *old[1:]])
    assert back is not None
    assert bytes(opened(bytes(back)).blocks()) == bytes(first.blocks()) == b"".join([same, *old[1:]])


def test_blocks_that_differ_in_much_are_compressed_again():
    few, many = ([b"x" * 800, *[b""] * (BLOCKS - 2), tail] for tail in (b"a" * 100, b"b" * 200))
    assert compressed([b"x" * 800, *[b""] * (BLOCKS - 1)]).followed_by(few) is not None
    assert compressed(few).followed_by(many) is None


def test_a_digest_that_follows_many_others_is_the_one_that_is_parsed():
    stored = packed(document_of(page("t0")), KEY)
    whole = len(stored)
    for number in accumulate(range(1, 20)):
        before = unpacked(stored, KEY)
        digest = document_of(page(f"t{number}"))
        stored = packed(digest, KEY, before)
        assert unpacked(stored, KEY) == digest
        assert unpacked(stored, KEY).attribute_values == digest.attribute_values
        assert len(stored) < whole + 1000


@pytest.mark.parametrize("articles", [1, 100, 199, 201, 400])
def test_a_page_that_grew_or_shrank_comes_back_too(articles):
    before = unpacked(packed(document_of(page("a")), KEY), KEY)
    digest = document_of(page("b", articles))
    again = unpacked(packed(digest, KEY, before), KEY)
    assert again == digest
    assert again.texts == digest.texts
    assert again.content.tolist() == digest.content.tolist()


def test_what_was_parsed_and_never_loaded_is_no_base():
    digest = document_of(page("b"))
    assert packed(digest, KEY, document_of(page("a"))) == packed(digest, KEY)
