"""A stored digest gives back everything, tells equal aspects without reading them, and damage is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_128

from webvigil.document import PageDigest, containers, read
from webvigil.document.containers import HEAD_SIZE, StoredContainers
from webvigil.document.fast import twins
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


@pytest.mark.parametrize(
    ("body", "content_type", "signature", "stored"),
    [
        (
            PAGE.replace(b"\n", b""),
            "text/html",
            "594acc415b6b7e60488fb9e41dd6b510",
            "da5ac5dd79b69170b5758112b109f2b2",
        ),
        (
            b"<a b='c'><!--d--><e>f</e><?g h?></a>",
            "text/xml",
            "c245740a24b1d2794b5518c0a0546e25",
            "e32a04d1ff7b5e345ff63291d4d5bbac",
        ),
        (
            b'{"a": [1, "x\\u0000y", null, true]}',
            "application/json",
            "f2166a3bb2e2a5fe5d236e97d424b0a1",
            "585d0af217e974b1f720df2212040faa",
        ),
        (
            b"one\ntwo\n",
            "text/plain",
            "735eebf3594ed5e65a0bd3d4ccb84914",
            "f252808242c181bbb4dfd605c3d08f64",
        ),
        (b"\0\1", "image/png", "6c3b47a44e480f2876f2731c18022614", "abe74dcf164cfb1a056fd70b9a60769b"),
        (
            b"<p>" * 300 + b"x",
            "text/html",
            "10e90287645fe1b6f54eeee7640f0096",
            "9a13d39fc25e2149ef7741328371d7a1",
        ),
    ],
)
def test_a_signature_and_the_stored_bytes_are_what_they_were(
    body: bytes, content_type: str, signature: str, stored: str
):
    """They stand in the stores of users."""
    digest = read(body, content_type, "https://e.org/a").with_pictures({"https://e.org/p": "00ff"})
    assert digest.signature.hex() == signature
    assert xxh3_128(digest.to_bytes()).hexdigest() == stored


@pytest.mark.parametrize(
    ("numbers", "stored"),
    [
        ([], "01"), ([0], "0100"), ([255], "01ff"), ([256], "020001"), ([65535], "02ffff"),
        ([65536], "0400000100"), ([1, 2], "010102"),
    ],
)  # fmt: skip
def test_numbers_are_as_wide_as_the_largest_of_them(numbers: list[int], stored: str):
    assert containers._numbers(np.array(numbers, dtype=np.int32)).hex() == stored


@pytest.mark.parametrize(
    ("strings", "stored"),
    [
        ((), b"\0\0\0\0\0"),
        (("",), b"\1\0\0\0\0"),
        (("a",), b"\1\0\0\0\0a"),
        (("a", "b"), b"\2\0\0\0\0a\0b"),
        (("a\0", "b"), b"\2\0\0\0\1\2\0\0\0\1\0\0\0a\0b"),
        (("\0",), b"\1\0\0\0\1\1\0\0\0\0"),
        (("é\ud800", ""), b"\2\0\0\0\0\xc3\xa9\xed\xa0\x80\0"),
    ],
)
def test_strings_stand_with_zeros_between_them_or_with_their_lengths(strings: tuple[str, ...], stored: bytes):
    assert containers._strings(strings) == stored
    assert containers._read_strings(memoryview(stored), "texts") == strings
    if strings:
        with pytest.raises(DocumentRefused, match="the stored page digest is damaged: container texts"):
            containers._read_strings(memoryview(bytes([len(strings) + 1]) + stored[1:]), "texts")


@pytest.mark.parametrize(
    ("counts", "is_tree"),
    [
        ([], False), ([0], True), ([1], False), ([1, 0], True), ([0, 0], False), ([2, 0, 0], True),
        ([1, 1, 0], True), ([2, 0], False), ([0, 1], False), ([1, 0, 0], False), ([2, -1, 1, 0], False),
        ([3, 0, 0, 0], True), ([1, 0, 1, 0], False), ([2, 0, 1, 0], True), ([3, -1, 1, 0], False),
    ],
)  # fmt: skip
def test_counts_of_children_are_those_of_one_tree_or_not(counts: list[int], is_tree: bool):
    twin = containers.is_tree
    plain = twins["is_tree"][0] if "is_tree" in twins else twin
    for one in (plain, twin):
        assert one(np.array(counts, dtype=np.int32)) is is_tree


def test_the_head_alone_tells_the_kind_and_the_rest_is_loaded_once():
    digest = read(PAGE, url="https://e.org/")
    data = digest.to_bytes()
    loaded = []

    def load() -> bytes:
        loaded.append(1)
        return data[HEAD_SIZE:]

    head = PageDigest.from_bytes(data[:HEAD_SIZE], load)
    assert (head.kind, len(head), head.signature) == ("html", len(digest), digest.signature)
    assert (head.characters, head.attribute_characters) == (
        len("\0".join(digest.texts)) + 5,
        len("\0".join(digest.attribute_values)) + 5,
    )
    assert not loaded
    assert (head.source_url, head.texts, head.content.tolist()) == (
        "https://e.org/", digest.texts, digest.content.tolist(),
    )  # fmt: skip
    assert head.source_hash == digest.source_hash
    assert loaded == [1]
    with pytest.raises(DocumentRefused, match="these bytes are not a stored page digest"):
        PageDigest.from_bytes(data[: HEAD_SIZE - 1], load)
    short = PageDigest.from_bytes(data[:HEAD_SIZE], lambda: data[HEAD_SIZE:-1])
    assert short.texts == digest.texts
    with pytest.raises(DocumentRefused, match="the stored page digest is damaged: container addresses"):
        assert short.source_url


@pytest.mark.parametrize(("kind", "said"), [(4, ""), (5, "unknown kind of document"), (255, "unknown kind")])
def test_a_kind_that_there_is_not_is_told(kind: int, said: str):
    data = read(PAGE).to_bytes()
    data = data[:4] + bytes([kind]) + data[5:]
    if not said:
        assert PageDigest.from_bytes(data).kind == "binary"
        return
    with pytest.raises(DocumentRefused, match=f"the stored page digest is damaged: {said}"):
        PageDigest.from_bytes(data)


def test_pictures_are_stored_by_their_addresses():
    digest = read(PAGE, url="https://e.org/")
    assert PageDigest.from_bytes(digest.to_bytes()).pictures == {}
    pictures = {"https://e.org/b": "1f", "https://e.org/a": ""}
    stored = PageDigest.from_bytes(digest.with_pictures(pictures).to_bytes())
    assert [*stored.pictures.items()] == [("https://e.org/a", ""), ("https://e.org/b", "1f")]
    assert stored.with_source(b"x").pictures == pictures
    assert stored.with_source(b"x").source_hash == b"x"


def test_a_digest_says_what_it_is():
    digest = read(b"<p>one<p>two", "text/html", "https://e.org/a")
    assert repr(digest) == "<PageDigest html 8 nodes https://e.org/a>"
    assert repr(read(b"x", "text/plain")) == "<PageDigest text 2 nodes>"
    assert (digest.characters, digest.attribute_characters) == (6, 0)
    assert read(b"<p id=ab class=cde>").attribute_characters == 5
