"""The Page Digest of a version is loaded without parsing the page again (R2)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from webvigil.app.pages import documents
from webvigil.app.pages.documents import Digests, document_of, packed, unpacked
from webvigil.errors import DocumentRefused, ObjectMissing
from webvigil.model.version import Answer, Frame
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository
from webvigil.xpack import pack

PAGE = b"<!doctype html><title>News</title><p>caf\xc3\xa9 <a href=/a>one</a><img src=i.png><!--c-->"
KEY = "0123456789abcdef" * 2
KINDS = {
    "html": (PAGE, "text/html; charset=utf-8"),
    "xml": (b'<a x="1" xmlns:n="u"><n:b>t</n:b><![CDATA[c]]></a>', "application/xml"),
    "json": (b'{"a": [1, {"b\\u0000": "c\\u0000d"}]}', "application/json"),
    "text": (b"two\n\nlines", "text/plain"),
    "binary": (bytes(range(256)), "application/octet-stream"),
    "empty": (b"", "text/html"),
}


def answer(body: bytes = PAGE, kind: str = "text/html", **more) -> Answer:
    return Answer(url="http://site.test/", status=200, headers=(("Content-Type", kind),), body=body, **more)


@pytest.mark.parametrize("name", KINDS)
def test_a_packed_digest_comes_back_with_all_its_signatures(name: str):
    digest = document_of(answer(*KINDS[name]))
    again = unpacked(packed(digest, KEY), KEY)
    assert again is not None
    assert again == digest
    for known in ("kind", "source_url", "source_hash", "pictures", "title"):
        assert getattr(again, known) == getattr(digest, known)
    for aspect in ("structure_hash", "tags_hash", "attributes_hash", "content_hash", "comments_hash"):
        assert aspect in again.__dict__, "known from the file, not made anew"
        assert getattr(again, aspect) == getattr(digest, aspect)


def test_frames_and_pictures_are_part_of_it():
    framed = answer(
        b"<p>outside<iframe src=/in></iframe>",
        frames=(Frame(address="http://site.test/in", answer=answer(b"<p>inside")),),
        pictures=(("http://site.test/i.png", "s1"),),
    )
    again = unpacked(packed(document_of(framed), KEY), KEY)
    assert again is not None
    assert "inside" in again.text(0)
    assert dict(again.pictures) == {"http://site.test/i.png": "s1"}


def test_a_version_is_compared_without_its_body():
    objects = MemoryObjects()
    pages = PageRepository(objects)
    key = pages.keep(answer()).object
    Digests(pages).keep(key, answer())
    objects.delete([key])
    assert Digests(pages).of(key) == document_of(answer())
    with pytest.raises(ObjectMissing):
        pages.answer(key)


def test_what_was_kept_or_asked_for_is_remembered_until_it_is_forgotten():
    objects = MemoryObjects()
    pages = PageRepository(objects)
    key = pages.keep(answer()).object
    digests = Digests(pages)
    digests.keep(key, answer())
    digests.drop(key)
    objects.delete([key])
    assert digests.of(key) is digests.of(key)
    digests.forget(key)
    with pytest.raises(ObjectMissing):
        digests.of(key)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "body",
    [b"<p>" * 1000, b"<p>" + b"word " * 20_000, b'<img src="data:image/png,' + b"a" * 300_000 + b'">'],
    ids=["nodes", "text", "attributes"],
)
def test_memory_is_bounded_by_what_digests_may_take(body):
    pages = PageRepository(MemoryObjects())
    keys = [pages.keep(answer(b"<title>%d</title>" % number + body)).object for number in range(20)]
    digests = Digests(pages, memory=13_000_000)
    alive = [weakref.ref(digests.of(key)) for key in keys]
    gc.collect()
    held = [number for number, known in enumerate(alive) if known() is not None]
    assert held == list(range(20 - len(held), 20))
    assert 2 <= len(held) <= 16
    few = Digests(pages, memory=1)
    alive = [weakref.ref(few.of(key)) for key in keys]
    gc.collect()
    assert sum(known() is not None for known in alive) == 2, "both that are compared"


def test_a_digest_takes_the_place_of_the_one_before():
    objects = MemoryObjects()
    pages = PageRepository(objects)
    old, new = (pages.keep(answer(body)).object for body in (b"<p>old", b"<p>new"))
    digests = Digests(pages)
    digests.keep(old, answer(b"<p>old"))
    digests.keep(new, answer(b"<p>new"), instead_of=old)
    assert (pages.digest(old), pages.digest(new)) == (None, packed(document_of(answer(b"<p>new")), new))
    assert Digests(pages).of(new) == document_of(answer(b"<p>new"))
    assert Digests(pages).of(old) == document_of(answer(b"<p>old")), "made again"


ENTITIES = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 12))
BOMB = b'<!DOCTYPE a [<!ENTITY e0 "0123456789">' + ENTITIES + b"]><a>&e11;</a>"


def test_a_digest_goes_also_if_the_next_version_has_none():
    objects = MemoryObjects()
    pages = PageRepository(objects)
    old, new = (pages.keep(answer(body)).object for body in (b"<p>old", b"<p>new"))
    digests = Digests(pages)
    digests.keep(old, answer(b"<p>old"))
    with pytest.raises(DocumentRefused):
        digests.keep(new, answer(BOMB, "application/xml"), instead_of=old)
    assert not pages.digest(new)
    assert not pages.digest(old)


def test_a_digest_that_is_not_kept_is_made_from_the_body():
    pages = PageRepository(MemoryObjects())
    key = pages.keep(answer()).object
    digests = Digests(pages)
    digests.keep(key, answer())
    digests.drop(key)
    assert Digests(pages).of(key) == document_of(answer())


WRONG = document_of(answer(b"<p>wrong" * 3000))
STALE: dict[str, Callable[[str], bytes]] = {
    "other mark": lambda key: b"another mark\n" + packed(WRONG, key).partition(b"\n")[2],
    "no mark": lambda _: WRONG.to_bytes(),
    "packed file": lambda _: pack(WRONG, name=documents.mark(), profile="digest", signatures=True),
    "no digest": lambda key: documents.mark().encode() + b"\n" + documents._checksum(b"WVD0", key) + b"WVD0",
    "empty": lambda _: b"",
    "garbage": lambda _: b"garbage",
    "cut off": lambda key: packed(WRONG, key)[:-3],
    "damaged": lambda key: packed(WRONG, key)[:-3] + b"abc",
    "another version's": lambda key: packed(WRONG, key[::-1]),
}


@pytest.mark.parametrize("stale", STALE)
def test_a_digest_made_in_another_way_is_made_again(stale: str):
    pages = PageRepository(MemoryObjects())
    key = pages.keep(answer()).object
    pages.keep_digest(key, packed(WRONG, key))
    assert Digests(pages).of(key) == WRONG, "it is read if nothing is the matter with it"
    pages.keep_digest(key, STALE[stale](key))
    assert Digests(pages).of(key).text(0) == document_of(answer()).text(0)


def test_the_mark_tells_how_documents_are_read(monkeypatch: pytest.MonkeyPatch):
    before = documents.mark()
    monkeypatch.setattr(documents, "_READING", 0)
    documents.mark.cache_clear()
    after = documents.mark()
    documents.mark.cache_clear()
    assert before != after
    assert packed(document_of(answer()), KEY).startswith(documents.mark().encode())


def test_a_page_that_cannot_be_read_is_no_trouble():
    pages = PageRepository(MemoryObjects())
    deep = answer(b"<a>" * 2_000_000, "application/xml")
    Digests(pages).keep(pages.keep(deep).object, deep)
