# ruff: noqa: T201  # it is a command
"""Damages packed files at random and checks that each answer is right or a clear error.

    python -m tests.xpack.fuzz [NUMBER OF MUTATIONS] [SEED]

Half of the mutations damage the bytes of a file. The others rebuild files with right checksums and wrong
numbers, which are harder to notice. Memory is bounded for the whole run.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable, Iterator

from tests.xpack.documents import HTML, PLAY, XML
from webvigil.document import read
from webvigil.errors import DocumentRefused, NotFound, PatternRefused, XPackError
from webvigil.xpack import PROFILES, open_packed, pack
from webvigil.xpack.document import Raw, raw_document
from webvigil.xpack.sections import MAGIC
from webvigil.xpack.structure import Widths

# The errors that a hostile file may make us raise. All are our own; any other exception is a fault.
CLEAR = (XPackError, NotFound, PatternRefused, DocumentRefused)
_QUESTIONS = ("count(//b)", "//b[1]/..", "//@*", "//*[contains(., 'o')]", "string(/)", "//text()[2]")
_ROOM = 1 << 30


def everything(data: bytes) -> list[object]:
    """Returns the answers to all that can be asked of a file."""
    found: list[object] = []
    with open_packed(data) as packed:
        for one in packed:
            found += [len(one), one.tag_names, one.attribute_names, one.kind, one.name, one.signatures]
            for question in _QUESTIONS:
                answer = one.query(question)
                found.append(
                    answer if isinstance(answer, (float, str, bool)) else (answer.texts(), answer.paths())
                )
            found += [one.document(), one.digest().signature]
    return found


def answer(data: bytes) -> list[object] | None:
    """Returns all answers, None for a file that is refused with a clear error."""
    try:
        return everything(data)
    except CLEAR:
        return None


def samples() -> list[bytes]:
    digests = [read(XML[name].encode(), "text/xml") for name in ("books", "namespaces", "mixed")]
    digests.append(read(HTML.encode(), "text/html"))
    found = [pack(digest, profile=profile, signatures=True) for digest in digests for profile in PROFILES]
    found += [pack(digests[0], codec=codec) for codec in ("none", "zstd", "deflate", "brotli", "xz")]
    found.append(pack(XML["books"].encode(), "text/xml", exact=True))
    found.append(pack(PLAY.encode(), "text/xml"))
    return found


# --- mutations of the bytes: each must be refused or leave the answer as it was ---------------------------


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Returns the bytes with one random damage: cut off, changed, removed or inserted bytes."""
    broken = bytearray(data)
    match dice.randrange(6):
        case 0:
            del broken[dice.randrange(len(broken)) :]
        case 1:
            broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
        case 2:
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        case 3:
            start = dice.randrange(len(broken))
            del broken[start : start + dice.randint(1, 40)]
        case 4:
            broken[dice.randrange(len(broken)) :][:0] = dice.randbytes(dice.randint(1, 40))
            broken += dice.randbytes(dice.randint(1, 40))
        case _:
            start, end = sorted(dice.randrange(len(broken)) for _ in range(2))
            broken[start:end] = dice.randbytes(end - start)
    return bytes(broken)


# --- wrong numbers with right checksums: the answer may differ, but any error must be a clear one ---------


def lying(raw: Raw, dice: random.Random) -> bytes:
    """Returns a packed file whose checksums are right and whose containers or head are wrong."""
    containers = list(raw.containers)
    head = raw.head
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(containers))
        identifier, data = containers[place]
        match dice.randrange(6):
            case 0:
                containers[place] = identifier, damaged(data, dice) if data else b"\xff"
            case 1:
                head = head._replace(nodes=dice.choice((0, 1, 2**31, 2**62, head.nodes + 1)))
            case 2:
                head = head._replace(widths=Widths(*dice.choices((1, 2, 4, 8), k=6)))
            case 3:
                head = head._replace(form=dice.choice(("paths", "walk", "counts", "subpaths")))
            case 4:
                containers[place] = dice.randint(1, 14), data
            case _:
                del containers[place]
                if not containers:
                    containers = [(1, b"\1\0#document")]
    lied = raw._replace(head=head, containers=tuple(containers))
    return MAGIC + b"\1\0" + lied.section(dice.choice((0, 1)))


def raws() -> list[Raw]:
    digests = [read(XML[name].encode(), "text/xml") for name in ("books", "namespaces", "mixed", "list")]
    digests.append(read(HTML.encode(), "text/html"))
    return [raw_document(digest, profile=profile) for digest in digests for profile in PROFILES]


def run(count: int, seed: int, report: Callable[[int], None] = lambda done: None) -> Iterator[str]:
    """Tries `count` mutations and describes each that gave a wrong answer or an unclear error."""
    dice = random.Random(seed)
    whole = [(data, everything(data)) for data in samples()]
    raw = raws()
    for number in range(count):
        if number % 2:
            data, truth = dice.choice(whole)
            broken = damaged(data, dice)
            found = _tried(broken)
            if found is not None and found != truth:
                yield f"mutation {number}: a wrong answer: {str(found)[:200]}"
        else:
            broken = lying(dice.choice(raw), dice)
            found = _tried(broken)
        if isinstance(found, str):
            yield f"mutation {number}: {found}"
        if number % 1000 == 0:
            report(number)


def _tried(data: bytes) -> list[object] | str | None:
    try:
        return answer(data)
    except Exception as error:  # noqa: BLE001  # every exception but a clear error is a finding
        return f"{type(error).__name__}: {error}"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    # RLIMIT_DATA and not RLIMIT_AS: the libraries that are mapped already do not count.
    resource.setrlimit(resource.RLIMIT_DATA, (_ROOM, _ROOM))
    wrong = list(run(count, seed, lambda done: print(f"\r{done:,} of {count:,}", end="", file=sys.stderr)))
    print(f"\r{count:,} mutations, {len(wrong)} wrong")
    print("\n".join(wrong[:20]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
