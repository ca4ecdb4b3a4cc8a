"""A digest in, signatures of its aspects and of its subtrees out.

Signatures of aspects are xxh3_128. They are equal on every machine and may be stored. Signatures of subtrees
are 64-bit numbers that hold in one process only, because they use Python's randomised string hash. A
comparison uses them to skip equal subtrees. A subtree is a contiguous run of nodes in depth-first order, so
its signature is a polynomial over that run, and prefix sums give the signatures of all subtrees in one pass
over the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_128

from webvigil.document.arrays import Hashes, Ints, Longs, first_use
from webvigil.document.fast import accelerated

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# Two constants that mix the bits of a number well (2^64 divided by the golden ratio, and a constant of the
# MurmurHash3 finalizer). They are odd, so that a product loses no bits. Stored signatures do not use them.
ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)


def of_arrays(*arrays: npt.NDArray[np.generic]) -> bytes:
    state = xxh3_128()
    for array in arrays:
        state.update(len(array).to_bytes(8, "little"))
        state.update(np.ascontiguousarray(array).tobytes())
    return state.digest()


def of_strings(strings: Sequence[str]) -> bytes:
    """Returns the signature of a list of strings. The strings are joined with NULs, so that ["a", "b"] and
    ["ab"] differ; if a string itself holds a NUL, the lengths of all strings are hashed too."""
    joined = "\0".join(strings)
    borders = b""
    if joined.count("\0") >= len(strings) > 0:
        borders = of_arrays(np.fromiter(map(len, strings), dtype=np.int64, count=len(strings)))
    count = len(strings).to_bytes(8, "little")
    return xxh3_128(count + borders + joined.encode("utf-8", "surrogatepass")).digest()


def of_table(table: Sequence[str], indices: Ints) -> bytes:
    """Returns the signature of the strings that the indices name, in order. Each distinct string is hashed
    once."""
    order, numbers = first_use(indices, len(table))
    return both(of_strings([table[index] for index in order.tolist()]), of_arrays(numbers))


def both(*parts: bytes) -> bytes:
    return xxh3_128(b"".join(parts)).digest()


@accelerated
def string_hashes(strings: Iterable[str]) -> Hashes:
    """Returns one number per string with well mixed bits. The numbers hold in this process only."""
    return _mixed(np.fromiter(map(hash, strings), dtype=np.int64).view(np.uint64))


def subtrees(digest: PageDigest) -> Hashes:
    """Returns a number for each subtree; equal for subtrees with the same shape, names, attributes (in any
    order) and text."""
    own = _shape(digest) + _attributes(digest)
    written = digest.content >= 0
    own[written] += string_hashes(digest.texts)[digest.content[written]] * np.uint64(3)
    return _over_subtrees(_mixed(own), digest.sizes)


def shapes(digest: PageDigest) -> Hashes:
    """Returns a number for each subtree; equal for subtrees with the same shape and names, whatever their
    attributes and text."""
    return _over_subtrees(_mixed(_shape(digest)), digest.sizes)


def _shape(digest: PageDigest) -> Hashes:
    names = string_hashes(digest.tag_names)
    return names[digest.tags] + digest.structure.astype(np.uint64) * ODD


def _attributes(digest: PageDigest) -> Hashes:
    names = string_hashes(digest.attribute_names)[digest.attribute_name]
    values = string_hashes(digest.attribute_values)[digest.attribute_value]
    pairs = _mixed(names * np.uint64(5) + values)
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(pairs, dtype=np.uint64)])
    first = digest.attribute_start
    totals: Hashes = sums[first[1:]] - sums[first[:-1]]
    return totals


def _over_subtrees(own: Hashes, sizes: Ints) -> Hashes:
    first, second = (field.powers(len(own)) for field in _FIELDS)
    return over_runs(own, sizes, *first, *second)


@accelerated
def over_runs(
    own: Hashes, sizes: Ints, powers: Hashes, inverses: Hashes, others: Hashes, their_inverses: Hashes
) -> Hashes:
    """Returns for each subtree one number made of its two polynomials, each modulo another prime."""
    place = np.arange(len(own))
    ends = place + sizes
    first = _polynomials(own, place, ends, (powers, inverses), _FIELDS[0].prime)
    second = _polynomials(own, place, ends, (others, their_inverses), _FIELDS[1].prime)
    return _mixed((first << np.uint64(32)) + second + sizes.astype(np.uint64) * ODD)


def _polynomials(
    own: Hashes, starts: Longs, ends: Longs, known: tuple[Hashes, Hashes], prime: np.uint64
) -> Hashes:
    """Returns the polynomial of each run of nodes, multiplied by a power of the inverse base so that equal
    runs have equal polynomials wherever they stand."""
    powers, inverses = known
    sums = np.zeros(len(own) + 1, dtype=np.uint64)
    # Each term is below 2**32, so the sum of even 2**31 of them fits into 64 bits.
    np.cumsum(own % prime * powers % prime, out=sums[1:])
    return (sums[ends] - sums[starts]) % prime * inverses % prime


class _Field:
    """Arithmetic modulo a prime below 2**32, so that a product fits into 64 bits.

    Modulo a power of two there are different sequences of a thousand nodes that have the same polynomial for
    every base (Thue–Morse sequences), so a page could be made to look unchanged. Modulo a prime there are
    none for a base that is random and secret.
    """

    def __init__(self, prime: int) -> None:
        self.prime = np.uint64(prime)
        self._base = hash(f"base {prime}") % (prime - 3) + 2
        self._inverse = pow(self._base, -1, prime)
        self._known = self._grown(1024)

    def powers(self, count: int) -> tuple[Hashes, Hashes]:
        """Returns the powers of the base from 0 to count - 1, and their inverses."""
        if count > len(self._known[0]):
            self._known = self._grown(2 * count)
        return self._known[0][:count], self._known[1][:count]

    def _grown(self, count: int) -> tuple[Hashes, Hashes]:
        return self._powers_of(self._base, count), self._powers_of(self._inverse, count)

    def _powers_of(self, base: int, count: int) -> Hashes:
        found = np.ones(count, dtype=np.uint64)
        done, factor = 1, base
        while done < count:
            fresh = found[done : 2 * done]
            np.remainder(found[: len(fresh)] * np.uint64(factor), self.prime, out=fresh)
            done, factor = 2 * done, factor * factor % int(self.prime)
        return found


_FIELDS = (_Field(2**32 - 5), _Field(2**32 - 17))


def _mixed(numbers: Hashes) -> Hashes:
    numbers = (numbers ^ (numbers >> np.uint64(33))) * _MIX
    return numbers ^ (numbers >> np.uint64(29))


def scattered(numbers: npt.NDArray[np.integer[Any]]) -> Hashes:
    """Mixes the bits of each number, so that sums of a few numbers do not collide."""
    mixed = (numbers.astype(np.uint64) + np.uint64(1)) * ODD
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(29))


def factors(count: int) -> Hashes:
    """Returns a factor for each of so many places, so that the order of what they multiply matters."""
    return np.cumprod(np.full(count, ODD), dtype=np.uint64)
