"""A stored digest gives back everything, tells equal aspects without reading them, and damage is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import PageDigest, read
from webvigil.document.containers import StoredContainers
from webvigil.errors import DocumentRefused

PAGE = b"""<!DOCTYPE html><title>T</title><!-- c --><p id=a class="x y">one <a href=/b>two</a></p>
<ul><li>three<li>four</ul>"""
ARRAYS = ("structure", "tags", "attribute_node", "attribute_name", "attribute_value", "content")
TABLES = ("tag_names", "attribute_names", "attribute_values", "texts")


def same(first, second):
    return (
        all(np.array_equal(getattr(first, name), getattr(second, name)) for name in ARRAYS)
        and all(getattr(first, name) == getattr(second, name) for name in TABLES)
        and (first.kind, first.source_url, len(first)) == (second.kind, second.source_url, len(second))
    )


@given(st.lists(st.text(st.characters(), max_size=5), max_size=6))
def test_any_texts_survive_storing(texts):
    digest = read(json.dumps(texts).encode(), "application/json", "https://e.org/")
    assert same(PageDigest.from_bytes(digest.to_bytes()), digest)


@pytest.mark.parametrize("body", [PAGE, b"", b"x", b"<a/>" * 70000, b"\0\1\2"])
def test_a_digest_survives_storing(body):
    digest = read(body, url="https://example.org/a")
    stored = PageDigest.from_bytes(digest.to_bytes())
    assert same(stored, digest)
    assert stored == digest
    assert stored.path(len(stored) - 1) == digest.path(len(digest) - 1)
    assert stored.words.words == digest.words.words


def test_aspects_are_compared_without_decoding_a_container(monkeypatch):  # D3
    stored = PageDigest.from_bytes(read(PAGE).to_bytes())
    other = PageDigest.from_bytes(read(PAGE.replace(b"three", b"3")).to_bytes())
    monkeypatch.setattr(StoredContainers, "_block", lambda *_: pytest.fail("a container was decoded"))
    assert stored.structure_hash == other.structure_hash
    assert stored.tags_hash == other.tags_hash
    assert stored.attributes_hash == other.attributes_hash
    assert stored.comments_hash == other.comments_hash
    assert stored.content_hash != other.content_hash
    assert len(stored) == len(other)
    assert stored != other
    assert stored.characters >= read(PAGE).characters > 0


def is_told(data):
    """Returns whether loading everything from these bytes gives a clear error."""
    try:
        digest = PageDigest.from_bytes(data)
        for name in (*ARRAYS, *TABLES, "source_url"):
            getattr(digest, name)
    except DocumentRefused:
        return True
    return False


def test_any_damaged_byte_is_told_or_does_not_matter():
    data = read(PAGE, url="https://e.org/").to_bytes()
    for place in range(len(data)):
        broken = data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :]
        # Only the kind and the signatures in the head have no checksum.
        assert is_told(broken) or place < 89


def test_a_cut_file_is_told_wherever_it_is_cut():
    data = read(PAGE).to_bytes()
    for end in range(len(data)):
        assert is_told(data[:end])


def test_foreign_bytes_are_told():
    with pytest.raises(DocumentRefused, match="not a stored page digest"):
        PageDigest.from_bytes(b"<html>" * 100)
