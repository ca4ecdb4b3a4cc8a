"""Helpers that make hostile pages: a size in bytes in, two versions of up to that size out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

Versions = tuple[str, str]
# Takes a size in bytes; returns the two versions, and the media type with which they are served.
Shape = Callable[[int], tuple[Versions, str]]


def filled(piece: str, size: int) -> str:
    return piece * (size // len(piece.encode()))


def joined(pieces: Iterator[str], size: int) -> str:
    found, length = [], 0
    for piece in pieces:
        length += len(piece.encode())
        if length > size:
            break
        found.append(piece)
    return "".join(found)


def endless(make: Callable[[int], str]) -> Iterator[str]:
    number = 0
    while True:
        yield make(number)
        number += 1


def each(size: int, make: Callable[[int, int], str]) -> Versions:
    """Returns two versions made of as many pieces as fit: `make` gets the number of the piece and of the
    version (0 or 1)."""
    old, new = (joined(endless(lambda n, v=version: make(n, v)), size) for version in (0, 1))
    return old, new


def shuffled(size: int, make: Callable[[int], str], around: str = "{}") -> Versions:
    old: list[str] = []
    length = 0
    while length < size - 100:
        old.append(make(len(old)))
        length += len(old[-1])
    new = old[:]
    random.Random(1).shuffle(new)
    return around.format("".join(old)), around.format("".join(new))


def chance(size: int, words: str, seed: int) -> str:
    dice = random.Random(seed)
    return " ".join(dice.choices(words.split(), k=size // 3))


def halves(size: int, make: Callable[[int], str]) -> Versions:
    pieces = joined(endless(make), size).split(" ")
    half = len(pieces) // 2
    return " ".join(pieces), " ".join(pieces[half:] + pieces[:half])


def around(before: str, versions: Versions, after: str = "") -> Versions:
    """Returns the two versions with the same text before and after each of them."""
    old, new = (before + version + after for version in versions)
    return old, new


def by_chance(size: int, pieces: tuple[str, ...]) -> Versions:
    """Returns two versions in which these pieces follow each other at random."""
    count = size * len(pieces) // len("".join(pieces))
    old, new = ("".join(random.Random(seed).choices(pieces, k=count)) for seed in (1, 2))
    return old, new


def reversed_pieces(size: int, make: Callable[[int], str]) -> Versions:
    count = size // max(len(make(size // 10)), 1)
    pieces = [make(number) for number in range(count)]
    return "".join(pieces), "".join(reversed(pieces))


def dealt(size: int, make: Callable[[int], str]) -> Versions:
    """Returns two versions of the same pieces: in order, and with all even pieces before all odd ones."""
    count = size // max(len(make(size // 10)), 1)
    pieces = [make(number) for number in range(count)]
    return "".join(pieces), "".join(pieces[::2] + pieces[1::2])


def html(versions: Versions) -> tuple[Versions, str]:
    return versions, "text/html"
