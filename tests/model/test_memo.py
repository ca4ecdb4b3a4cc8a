"""Tests that results computed for a digest are kept with it and are freed with it."""

from __future__ import annotations

import gc
import weakref

from webvigil.detect.find import find
from webvigil.detect.pair import pair
from webvigil.detect.wording import wording
from webvigil.document import PageDigest, kept, read
from webvigil.model.memo import AT_WORK, MOST, remembered
from webvigil.model.sentinel import ChangeType

OLD = b"<title>a</title><h1>one</h1><p style='background: red'>two <a href=/x>go</a> <img src=/a.png>"
NEW = b"<title>b</title><h1>won</h1><p style='background: tan'>too <a href=/y>go</a> <img src=/b.png>"


def test_what_rests_on_one_digest_is_worked_out_once():
    asked: list[int] = []

    @kept
    def length(digest: PageDigest) -> int:
        asked.append(len(digest))
        return len(digest)

    digest, other = read(OLD, "text/html"), read(b"<p>short", "text/html")
    assert [length(one) for one in (digest, other, digest, other)] == 2 * [len(digest), len(other)]
    assert asked == [len(digest), len(other)]
    assert wording(digest) is wording(digest)


def test_a_digest_that_was_compared_goes_as_soon_as_nobody_needs_it():
    """A digest that its own wording refers to would be a cycle, and stay until the garbage collector runs."""
    gc.disable()
    try:
        old, new = read(OLD, "text/html"), read(NEW, "text/html")
        assert find(old, new, ChangeType("any change")).changed
        gone = weakref.ref(new)
        pair.forget()
        del new
        assert gone() is None
    finally:
        gc.enable()


def test_of_large_digests_only_those_at_work_are_remembered():
    @remembered
    def length(digest: PageDigest) -> int:
        return len(digest)

    small = [read(b"<p>", "text/html") for _ in range(20)]
    alive = [weakref.ref(one) for one in small]
    for one in small:
        length(one)
    del small, one
    assert sum(known() is not None for known in alive) == MOST
    large = read(b"<b></b>" * 60_000, "text/html")
    others = [large.with_source(b"") for _ in range(3)]
    alive += [weakref.ref(one) for one in others]
    for one in others:
        length(one)
    del others, one
    assert [known() is not None for known in alive][-4:] == [False, False, True, True]
    assert sum(known() is not None for known in alive) == AT_WORK
