"""A change of one aspect of a page changes the signature of that aspect and no other (D3, ROC Fig. 22)."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import hashes, read

PAGE = b"<!DOCTYPE html><div id=a class=b><p>one</p><!-- c --></div><div><p>two</p></div>"
ASPECTS = {"structure", "tags", "attributes", "content", "comments"}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (b"one", b"1", {"content"}),
        (b"id=a", b"id=z", {"attributes"}),
        (b" c ", b" d ", {"comments"}),
        (b"id=a class=b", b"class=b id=a", set()),
        (b"<p>two</p>", b"<i>two</i>", {"tags"}),
        (b"<p>two</p>", b"<p>two</p><hr>", {"structure", "tags"}),
        (b"<p>one</p>", b"<p><b>one</b></p>", {"structure", "tags"}),
        (b"<!DOCTYPE html>", b'<!DOCTYPE html SYSTEM "x">', {"comments"}),
        (b"<div><p>two</p></div>", b"<div><p>tw</p>o</div>", {"structure", "content", "tags"}),
    ],
)
def test_each_aspect_has_a_signature_of_its_own(old, new, changed):
    before, after = read(PAGE, "text/html"), read(PAGE.replace(old, new), "text/html")
    differing = {
        name for name in ASPECTS if getattr(before, f"{name}_hash") != getattr(after, f"{name}_hash")
    }
    assert differing == changed
    assert (before == after) == (not changed)


def test_a_border_moved_between_two_texts_is_a_change():
    assert read(b"<p>ab</p><p>c</p>").content_hash != read(b"<p>a</p><p>bc</p>").content_hash


pages = st.lists(
    st.sampled_from(["<p>", "</p>", "<b class=x>", "</b>", "a", "b", "<i>", "</i>", "<hr id=q>"]), max_size=12
).map("".join)


def plain(digest, node):
    return [
        (int(digest.structure[one]), digest.tag(one), digest.attributes(one), digest.own_text(one))
        for one in digest.depth_first(node)
    ]


@given(pages, pages)
def test_subtree_signatures_are_equal_exactly_for_equal_subtrees(first, second):
    old, new = read(f"<p>{first}".encode(), "text/html"), read(f"<p>{second}".encode(), "text/html")
    for left in range(len(old)):
        for right in range(len(new)):
            equal = plain(old, left) == plain(new, right)
            assert (old.subtree_hashes[left] == new.subtree_hashes[right]) == equal
            shape = [row[:2] for row in plain(old, left)] == [row[:2] for row in plain(new, right)]
            assert (old.shape_hashes[left] == new.shape_hashes[right]) == shape


def test_signatures_are_the_same_in_every_process():
    script = f"from webvigil.document import read; print(read({PAGE!r}, 'text/html').signature.hex())"
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert told.stdout.strip() == read(PAGE, "text/html").signature.hex()


@given(pages, pages)
def test_aspects_can_be_compared_directly_and_by_signature(first, second):  # D3
    def fresh():
        return [read(f"<p>{one}".encode(), "text/html") for one in (first, second)]

    for aspect in ("structure", "tags", "attributes", "content"):
        old, new = fresh()
        direct = getattr(old, f"same_{aspect}")(new)
        assert direct == (getattr(old, f"{aspect}_hash") == getattr(new, f"{aspect}_hash"))
        assert direct == getattr(old, f"same_{aspect}")(new)


@pytest.mark.parametrize(
    ("strings", "signature"),
    [
        ([], "2c0a8a99dc147d5445c3b49d035665b2"),
        ([""], "bdc94bce2eda264dbc08dc21994df8a2"),
        (["a", "b"], "19fa7c99a30634dd6407158373875d89"),
        (["a\0b"], "6d986e8e16742df7bddbc16e512b7242"),
        (["a\0", "b"], "9e1e17dbd0393c08fd8982f99f00ca13"),
        (["a", "\0b"], "244b15ce61e3b15b9608e46a970c429a"),
    ],
)
def test_the_signature_of_strings_is_what_it_was(strings: list[str], signature: str):  # D3
    assert hashes.of_strings(strings).hex() == signature


def test_the_signatures_of_arrays_and_tables_are_what_they_were():  # D3
    assert hashes.of_arrays().hex() == "99aa06d3014798d86001c324468d497f"
    assert hashes.of_arrays(np.array([1, 2], dtype=np.int32)).hex() == "dee94aaf49bf350d386bec528ebf3a2c"
    table = hashes.of_table(["a", "b"], np.array([1, 0, 1], dtype=np.int32))
    assert table.hex() == "bee0607894c83f21bb74774c1487e6d7"
    assert table == hashes.of_table(["b", "x", "a"], np.array([0, 2, 0], dtype=np.int32))


def test_signatures_of_subtrees_are_counted_modulo_two_primes():
    primes = [int(field.prime) for field in hashes._FIELDS]
    assert primes == [2**32 - 5, 2**32 - 17]
    assert all(pow(base, prime - 1, prime) == 1 for prime in primes for base in (2, 3, 5, 7))
    for field in hashes._FIELDS:
        few, inverses = field.powers(5)
        many, _ = field.powers(3_000)
        base, prime = int(few[1]), int(field.prime)
        assert 1 < base < prime - 1
        assert few.tolist() == many[:5].tolist() == [pow(base, power, prime) for power in range(5)]
        assert many[-1] == pow(base, 2_999, prime)
        assert [int(one) * int(other) % prime for one, other in zip(few, inverses, strict=True)] == [1] * 5
        assert [len(one) for one in field.powers(0)] == [0, 0]


def test_numbers_are_scattered_and_factors_tell_places():
    numbers = hashes.scattered(np.arange(1_000))
    assert len({*numbers.tolist()}) == 1_000
    sums = numbers[:100, None] + numbers[None, :100]
    assert len({*sums.ravel().tolist()}) == 5_050
    factors = hashes.factors(100).tolist()
    assert len({*factors}) == 100
    assert factors[0] == int(hashes.ODD)
    assert factors[1] == int(hashes.ODD) ** 2 % 2**64
    assert all(factor % 2 for factor in factors)
