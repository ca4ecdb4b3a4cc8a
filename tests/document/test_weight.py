"""How heavy a digest is, with all that was derived of it."""

from __future__ import annotations

import gc
import tracemalloc
from types import MappingProxyType

import numpy as np
import pytest

from webvigil.document import PageDigest, read
from webvigil.document.weight import weight

DERIVED = ("words", "vocabulary", "links", "lists", "shown", "pieces", "subtree_hashes", "parents", "hidden")


def page(stories: int) -> bytes:
    told = [
        f"<div class='s{place % 7}' id=n{place}><h2>Story {place}</h2><p>{f'Said {place} more. ' * 9}"
        f"<a href='/{place}'>on é</a></p><ul><li>one<li>two {place}</ul></div>"
        for place in range(stories)
    ]
    return f"<title>News</title><script>{'let a = 1;' * 3000}</script>{''.join(told)}".encode()


def used(body: bytes) -> PageDigest:
    digest = read(body, "text/html", "http://site.test/")
    for name in DERIVED:
        getattr(digest, name)
    digest.once("a test", lambda one: [str(number) for number in range(5000)])
    return digest


@pytest.mark.parametrize("stories", [1, 40, 700])
def test_a_digest_weighs_about_what_it_takes(stories: int):
    used(page(stories))  # what all digests share is there now
    gc.collect()
    tracemalloc.start()
    digest = used(page(stories))
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.6 < weight(digest) / taken < 1.6


def test_what_is_derived_weighs():
    digest = read(page(40), "text/html")
    fresh = weight(digest)
    _ = digest.words.words
    assert weight(digest) > 1.3 * fresh
    read_only = weight(digest)
    _ = digest.tree
    assert weight(digest) > read_only + 100 * len(digest.tree.node_of)


def test_shared_things_weigh_once_and_views_as_what_they_keep_alive():
    numbers = np.zeros(100_000)
    assert 800_000 < weight([numbers, numbers, {"a": numbers}, MappingProxyType({"b": numbers})]) < 802_000
    assert weight(numbers[:10]) > 800_000
    assert weight(memoryview(bytes(50_000))) > 50_000
    assert weight(["x" * 1000 for _ in range(10_000)]) == pytest.approx(10_000 * 1049, rel=0.05)


def test_things_that_hold_each_other_are_weighed():
    circle: list[object] = [1, 2]
    circle.append(circle)
    deep: object = ()
    for _ in range(50_000):
        deep = (deep,)
    assert 0 < weight(circle) < 1000
    assert weight(deep) > 50_000 * 40
