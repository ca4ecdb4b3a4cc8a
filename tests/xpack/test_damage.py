"""Damaged, hostile, foreign and future files give a right answer or a clear error, in bounded memory (X5)."""

from __future__ import annotations

import io
import random
import tracemalloc
from pathlib import Path

import lxml.etree
import pytest

from tests.whole.serving import webvigil
from tests.xpack import fuzz
from tests.xpack.documents import HTML, PLAY, XML
from tests.xpack.fuzz import CLEAR, answer, everything
from webvigil.document import read
from webvigil.errors import XPackError
from webvigil.xpack import Writer, open_packed, pack
from webvigil.xpack.codecs import LARGEST, ZSTD, packed
from webvigil.xpack.document import raw_document, read_names
from webvigil.xpack.numbers import varint
from webvigil.xpack.sections import DOCUMENT, INDEX, MAGIC, NODES, VALUES, section

GOLDEN = Path(__file__).parent / "golden"
MEGABYTE = 1 << 20


def many() -> bytes:
    stream = io.BytesIO()
    with Writer(stream) as writer:
        for day in range(4):
            writer.add(read(HTML.replace("Welcome", f"Day {day}").encode(), "text/html"), name=f"day {day}")
    return stream.getvalue()


FILES = {
    "one": pack(XML["books"].encode(), "text/xml", exact=True, signatures=True),
    "page": pack(HTML.encode(), "text/html"),
    "many": many(),
    "lines": pack(PLAY.encode(), "text/xml"),
    "digest": pack(HTML.encode(), "text/html", profile="digest", codec="fast", signatures=True),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_at_any_byte_is_refused(name: str):
    whole = FILES[name]
    assert everything(whole)
    for length in range(len(whole)):
        with pytest.raises(XPackError):
            everything(whole[:length])


@pytest.mark.parametrize("name", FILES)
def test_any_byte_flipped_is_noticed(name: str):
    whole, truth = FILES[name], everything(FILES[name])
    dice = random.Random(3)
    for place in range(0, len(whole), 1 if len(whole) < 1200 else 3):
        broken = bytearray(whole)
        broken[place] ^= dice.randint(1, 255)
        found = answer(bytes(broken))
        assert found is None or found == truth, place


def test_a_byte_more_is_noticed():
    for whole in FILES.values():
        assert answer(whole + b"\0") is None


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"XPK", "not a packed file"),
        (b"PK\3\4 and so on", "not a packed file"),
        (MAGIC, "cut off"),
        (MAGIC + b"\1\0", "cut off"),
        (MAGIC + b"\4\0D", "format version 4; this program reads up to 3"),
        (MAGIC + b"\0\0D", "format version 0"),
        (MAGIC + b"\1\x80D", "flags"),
        (MAGIC + b"\1\1" + b"D" * 40, "index is missing"),
    ],
)
def test_what_is_no_packed_file_is_told(data: bytes, says: str):
    with pytest.raises(XPackError, match=says):
        everything(data)


def test_mutations_never_give_a_wrong_answer():
    """A short run of `python -m tests.xpack.fuzz`, which tries a hundred thousand mutations."""
    assert list(fuzz.run(1500, seed=11)) == []


# --- wrong numbers with right checksums --------------------------------------------------------------------


def written(containers: list[tuple[int, int, bytes, int]]) -> bytes:
    head = raw_document(read(XML["books"].encode(), "text/xml")).head
    return MAGIC + b"\1\0" + section(DOCUMENT, head.packed(), containers)


def test_a_container_that_says_less_than_it_holds_is_refused():
    raw = raw_document(read(XML["books"].encode(), "text/xml"))
    for lie in (-1, +1, 10**6, 10**9, 10**15):
        containers = [(one, *packed(data, ZSTD), len(data) + lie) for one, data in raw.containers]
        assert answer(written(containers)) is None


def test_two_containers_of_one_kind_or_none_do_not_confuse():
    raw = raw_document(read(XML["books"].encode(), "text/xml"))
    plain = [(one, 0, data, len(data)) for one, data in raw.containers]
    truth = everything(written(plain))
    assert everything(written([*plain, (NODES, 0, b"\0\0", 2)])) == truth
    for missing in range(len(plain)):
        assert answer(written(plain[:missing] + plain[missing + 1 :])) is None


@pytest.mark.parametrize("size", [50 * MEGABYTE, LARGEST + 1, 1 << 40])
def test_a_bomb_does_not_explode(size: int):
    """Whether the size of a container is true or false, memory stays within what is allowed."""
    zeros = packed(bytes(min(size, 50 * MEGABYTE)), ZSTD)[1]
    raw = raw_document(read(XML["books"].encode(), "text/xml"))
    containers = [(one, 0, data, len(data)) for one, data in raw.containers if one not in (NODES, VALUES)]
    bomb = written([*containers, (NODES, ZSTD, zeros, size), (VALUES, ZSTD, zeros, size)])
    assert len(bomb) < MEGABYTE
    tracemalloc.start()
    assert answer(bomb) is None
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The container of the allowed size is opened (and has the wrong number of rows); the others are not.
    assert most < (4 * 50 * MEGABYTE if size == 50 * MEGABYTE else 2 * MEGABYTE)


def test_a_length_that_lies_costs_no_memory():
    raw = raw_document(read(XML["books"].encode(), "text/xml"))
    containers = [(one, *packed(data, ZSTD), LARGEST) for one, data in raw.containers]
    tracemalloc.start()
    assert answer(written(containers)) is None
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4 * MEGABYTE


@pytest.mark.parametrize("number", [2**63, 2**64, 2**69 - 1])
def test_a_number_of_namespaces_that_lies_is_refused(number: int):
    with pytest.raises(XPackError, match="damaged"):
        read_names(varint(1) + varint(number) + b"name")


def test_an_index_that_leads_in_circles_is_refused():
    start = len(MAGIC) + 2
    from webvigil.xpack.file import _index_section

    for previous in (start, start + 1, 10**9):
        data = MAGIC + b"\1\1" + _index_section(start, previous, 0, [])
        assert answer(data) is None
    assert data[6:7] == INDEX


def test_a_dictionary_that_is_somewhere_else_is_refused():
    raw = raw_document(read(XML["books"].encode(), "text/xml"))
    for place in (6, 7, 10**12):
        lied = raw.head._replace(shared=place)
        containers = [(one, 0, data, len(data)) for one, data in raw.containers]
        assert answer(MAGIC + b"\1\0" + section(DOCUMENT, lied.packed(), containers)) is None


def test_hostile_files_leave_one_clear_line_on_the_command_line(tmp_path: Path):
    broken = bytearray(FILES["one"])
    broken[len(broken) // 2] ^= 1
    file = tmp_path / "broken.xpk"
    file.write_bytes(broken)
    for command in (["stat"], ["unpack", "-o", "-"], ["query", "string(/)"]):
        done = webvigil(command[0], str(file), *command[1:])
        assert done.returncode == 2
        assert done.stderr.startswith("webvigil: the packed file is damaged")
        assert done.stderr.count("\n") == 1


# --- older versions --------------------------------------------------------------------------------------


def golden_digests() -> list[tuple[str, bytes, str]]:
    found = [(name, text.encode(), "text/xml") for name, text in XML.items()]
    return [*found, ("page", HTML.encode(), "text/html")]


@pytest.mark.parametrize("version", [1])
def test_files_of_every_version_are_still_read(version: int):
    """The files were made once with `python -m tests.xpack.golden` and are never rewritten."""
    with open_packed(GOLDEN / f"version-{version}.xpk") as packed:
        assert packed.names == [name for name, _, _ in golden_digests()]
        for document, (_, source, kind) in zip(packed, golden_digests(), strict=True):
            assert document.digest() == read(source, kind)
            assert document.document() == source
    for profile in ("page", "data", "text", "counts", "subpaths"):
        with open_packed(GOLDEN / f"version-{version}-{profile}.xpk") as packed:
            assert packed.only.digest() == read(XML["books"].encode(), "text/xml")
            assert packed.only.query("count(//author)") == 5.0


def test_digests_as_tables_are_of_the_second_version():
    with open_packed(GOLDEN / "version-2-digest.xpk") as packed:
        assert packed.only.digest() == read(XML["books"].encode(), "text/xml")
        assert packed.only.query("count(//author)") == 5.0
    assert pack(XML["books"].encode(), "text/xml")[4] == 1, "older programs read what they can"
    assert pack(XML["books"].encode(), "text/xml", profile="digest")[4] == 2


def test_verses_are_of_the_third_version():
    with open_packed(GOLDEN / "version-3-lines.xpk") as packed:
        assert packed.only.digest() == read(PLAY.encode(), "text/xml")
        assert packed.only.query("string(//LINE[1])") == lxml.etree.fromstring(PLAY)[0].text
    assert pack(PLAY.encode(), "text/xml")[4] == 3


@pytest.mark.parametrize("lie", ["tag", "text", "owner", "structure", "width", "count", "behind"])
def test_tables_that_lie_are_refused(lie: str):
    """Numbers that lead beyond their table are refused although all checksums are right."""
    raw = raw_document(read(b"<p id=a>b<i>c</i></p>", "text/html"), profile="digest")
    containers = {number: bytearray(data) for number, (_, data) in enumerate(raw.containers)}
    nodes = raw.head.nodes
    first = 7
    place = {"structure": 0, "tag": nodes, "text": 2 * nodes, "owner": 3 * nodes}
    if lie in place:
        containers[0][first + place[lie]] = 99
    elif lie == "width":
        containers[0][0] = 3
    elif lie == "count":
        containers[0][6] += 1
    else:
        containers[3] += b"x"
    changed = tuple((one, bytes(containers[number])) for number, (one, _) in enumerate(raw.containers))
    broken = MAGIC + bytes([2, 0]) + raw._replace(containers=changed).section(ZSTD)
    with pytest.raises(XPackError):
        everything(broken)


def test_everything_clear_is_ours():
    assert all(issubclass(error, Exception) and error.__module__ == "webvigil.errors" for error in CLEAR)
