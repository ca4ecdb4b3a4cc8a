"""Many documents in one file share dictionaries and are reached alone, added to, and asked together (X6)."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.xpack.documents import HTML, XML
from webvigil.document import PageDigest, read
from webvigil.errors import NotFound, XPackError
from webvigil.xpack import PackedFile, Writer, append, codecs, open_packed, pack
from webvigil.xpack import file as files
from webvigil.xpack.document import Raw, raw_document
from webvigil.xpack.file import Entry, _index_section, read_index
from webvigil.xpack.sections import NAMES, PATHS, SOURCE, VALUES, InMemory, OnDisk


def versions(count: int) -> list[PageDigest]:
    """Returns versions of a page with a long list, one of whose items is another each day."""
    items = "".join(f"<li>Item number {number} of the list, with some words</li>" for number in range(60))
    return [
        read(HTML.replace("<ul>", f"<ul>{items}<li>news {day}</li>", 1).encode(), "text/html")
        for day in range(count)
    ]


def packed_together(digests: list[PageDigest], **options: str) -> bytes:
    stream = io.BytesIO()
    with Writer(stream, **options) as writer:  # type: ignore[arg-type]
        for number, digest in enumerate(digests):
            writer.add(digest, name=f"v{number}")
    return stream.getvalue()


def test_each_document_is_reached_by_number_and_name():
    digests = versions(40)
    packed = open_packed(packed_together(digests))
    assert len(packed) == 40
    assert packed.names == [f"v{number}" for number in range(40)]
    assert packed[17].digest() == packed["v17"].digest() == digests[17]
    assert packed[-1].digest() == digests[-1]
    assert [one.digest() for one in packed] == digests
    with pytest.raises(NotFound, match="no document 'v99'"):
        packed["v99"]
    with pytest.raises(NotFound, match="no document 40"):
        packed[40]
    with pytest.raises(XPackError, match="holds 40 documents"):
        _ = packed.only


def test_versions_share_their_dictionaries():
    digests = versions(40)
    alone = sum(len(pack(digest)) for digest in digests)
    assert len(packed_together(digests)) < alone / 4


def test_a_document_with_nothing_in_common_gets_new_dictionaries():
    digests = versions(20)
    other = [read(XML["play"].replace("says", f"says {n}").encode(), "text/xml") for n in range(20)]
    packed = open_packed(packed_together([*digests, *other]))
    assert [one.digest() for one in packed] == [*digests, *other]


@pytest.mark.parametrize("codec", ["none", "deflate", "brotli", "xz", "zstd"])
def test_other_compressors_pack_many_as_well(codec: str):
    digests = versions(3)
    assert [one.digest() for one in open_packed(packed_together(digests, codec=codec))] == digests


def test_documents_are_added_one_by_one(tmp_path: Path):
    digests = versions(33)
    file = tmp_path / "page.xpk"
    file.write_bytes(pack(digests[0], name="v0"))
    for number, digest in enumerate(digests[1:], 1):
        assert append(file, [(f"v{number}", digest, None)]) == 1
    with open_packed(file) as packed:
        assert packed.names == [f"v{number}" for number in range(33)]
        assert [one.digest() for one in packed] == digests
        assert len(packed.indexes) <= 6  # each index absorbs smaller ones
        # Walking from section to section finds the same documents without the index.
        assert [entry.start for entry in packed._walked()] == [entry.start for entry in packed.entries]


def test_what_is_added_may_keep_its_signatures(tmp_path: Path):
    first, second, third = versions(3)
    file = tmp_path / "page.xpk"
    file.write_bytes(pack(first, name="v0", signatures=True))
    append(file, [("v1", second, None)], signatures=True)
    append(file, [("v2", third, None)])
    with open_packed(file) as packed:
        assert packed["v1"].signatures["content_hash"] == second.content_hash
        assert packed["v2"].signatures == {}


def test_adding_that_fails_leaves_the_file_as_it_was(tmp_path: Path):
    file = tmp_path / "page.xpk"
    file.write_bytes(packed_together(versions(3)))
    before = file.read_bytes()

    def broken():
        yield "good", versions(1)[0], None
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        append(file, broken())
    assert file.read_bytes() == before
    assert append(file, []) == 0
    assert file.read_bytes() == before


def test_all_documents_are_asked_with_progress():
    digests = versions(5)
    seen: list[tuple[int, int]] = []
    packed = open_packed(packed_together(digests))
    answers = list(packed.query("count(//li)", progress=lambda done, total: seen.append((done, total))))
    assert answers == [(f"v{number}", 65.0) for number in range(5)]
    assert seen == [(number, 5) for number in range(1, 6)]


def test_large_documents_tell_how_far_they_are_packed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(codecs, "_LARGE", 40_000)
    monkeypatch.setattr(codecs, "_AT_ONCE", 10_000)
    digest = read("\n".join(f"line {number * 7919}" for number in range(10_000)).encode(), "text/plain")
    heard: list[int] = []
    stream = io.BytesIO()
    with Writer(stream, told=heard.append) as writer:
        writer.add(digest)
    packed = open_packed(stream.getvalue()).only
    assert packed.digest() == digest
    assert stream.getvalue() == pack(digest)
    assert len(heard) > 10
    assert sum(heard) == sum(size for _, _, size in packed.sizes())


def test_a_file_is_written_to_a_stream_that_cannot_seek():
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    with Writer(pipe) as writer:  # type: ignore[arg-type]
        for digest in versions(3):
            writer.add(digest)
    assert len(open_packed(pipe.data)) == 3


def test_nothing_to_pack_is_refused():
    with pytest.raises(XPackError, match="nothing to pack"):
        packed_together([])


# --- only what is needed is read -----------------------------------------------------------------------


class Counted(InMemory):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.reads: list[tuple[int, int]] = []

    def read(self, start: int, length: int) -> bytes:
        self.reads.append((start, length))
        return super().read(start, length)


def large() -> bytes:
    people = "".join(
        f"<person id='p{n}'><name>{n * 7919 % 5003}</name><note>{'word ' * (n % 13)}{n * 31}</note></person>"
        for n in range(3000)
    )
    return pack(f"<people>{people}</people>".encode(), "text/xml")


def containers_read(question: str) -> set[str]:
    """Returns the names of the containers that a question reads."""
    source = Counted(large())
    packed = PackedFile(source).only
    match question:
        case "node count":
            len(packed)
        case "tag list":
            assert packed.tag_names == ("name", "note", "people", "person")
        case _:
            found = packed.query(question)
            _ = found.texts() if question.startswith("//name") else found
    spans = {
        (one.start, one.stored): name
        for name, many in (
            ("names", 1),
            ("paths", 2),
            ("nodes", 3),
            ("groups", 4),
            ("maps", 5),
            ("values", 6),
        )
        for one in packed.containers.get(many, [])
    }
    reads = source.reads[2:]
    return {spans[span] for span in reads if span in spans}


@pytest.mark.parametrize(
    ("question", "containers"),
    [
        ("node count", set()),
        ("tag list", {"names"}),
        ("count(//person)", {"names", "paths"}),
        ("count(/people/person/@id)", {"names", "paths"}),
        ("boolean(//nothing)", {"names", "paths"}),
        ("count(//person[1])", {"names", "paths", "nodes"}),
        ("count(//person[note]/name)", {"names", "paths", "nodes"}),
        ("//name", {"names", "paths", "groups", "maps", "values"}),
    ],
)
def test_only_the_needed_containers_are_opened(question: str, containers: set[str]):  # X3, X4
    found = containers_read(question)
    assert found <= containers
    assert found >= containers - {"maps"}


def test_the_node_count_reads_only_the_head(tmp_path: Path):  # X3
    file = tmp_path / "large.xpk"
    file.write_bytes(large())
    head = file.read_bytes()[:200]
    assert len(PackedFile(Counted(head + b"\0" * (file.stat().st_size - 200)))[0]) == 3000 * 5 + 2
    with PackedFile(OnDisk(file)) as packed:
        assert len(packed.only) == 3000 * 5 + 2


def test_the_attributes_are_listed_without_the_texts():  # ROC Table 8
    for text, kind in ((XML["books"], "text/xml"), (XML["namespaces"], "text/xml"), (HTML, "text/html")):
        digest = read(text.encode(), kind)
        found = open_packed(pack(digest)).only.attribute_values()
        pairs = [pair for node in range(len(digest)) for pair in digest.attribute_pairs(node)]
        assert {name: sorted(values) for name, values in found.items()} == {
            name: sorted(value for own, value in pairs if own == name) for name, _ in pairs
        }


# --- what the writer holds back, and how indexes grow ---------------------------------------------------


def small(number: int, size: int = 1) -> PageDigest:
    return read(f"<a><b>{str(number) * size}</b></a>".encode(), "text/xml")


def test_fifteen_documents_are_held_back_and_sixteen_are_written():
    with Writer(io.BytesIO()) as writer:
        for number in range(15):
            writer.add(small(number))
            assert writer.written == 0
        writer.add(small(15))
        assert writer.written > 0


@pytest.mark.parametrize(("spare", "is_written"), [(0, True), (1, False)])
def test_documents_of_a_quarter_of_a_megabyte_are_not_held_back(spare: int, is_written: bool):
    def waiting(size: int) -> int:
        raw = raw_document(small(1, size), profile="text")
        return sum(len(data) for _, data in raw.containers)

    wanted = (256 << 10) // 2 - spare
    size = wanted - (waiting(100_000) - 100_000)
    assert waiting(size) == wanted
    with Writer(io.BytesIO(), profile="text") as writer:
        writer.add(small(1, size))
        assert writer.written == 0
        writer.add(small(1, size + spare))
        assert (writer.written > 0) is is_written


def test_one_large_document_waits_for_a_second():
    with Writer(io.BytesIO()) as writer:
        writer.add(small(1, 300_000))
        assert writer.written == 0


@pytest.mark.parametrize(
    ("first", "added", "lengths"), [(2, 1, [3]), (3, 1, [1, 3]), (4, 2, [6]), (5, 2, [2, 5]), (1, 1, [2])]
)
def test_an_index_absorbs_those_that_are_at_most_twice_as_long(
    first: int, added: int, lengths: list[int], tmp_path: Path
):
    file = tmp_path / "x.xpk"
    file.write_bytes(packed_together([small(number) for number in range(first)]))
    append(file, [(f"more {number}", small(number), None) for number in range(added)])
    with open_packed(file) as packed:
        assert [len(index.entries) for index in packed.indexes] == lengths
        assert len(packed) == first + added


def test_the_flag_for_many_is_set_if_there_are_two():
    one, two = packed_together([small(1)]), packed_together([small(1), small(2)])
    assert (one[5], two[5]) == (0, 1)
    assert open_packed(one).indexes == ()
    assert open_packed(one).names == ["v0"]
    assert open_packed(one).only.digest() == open_packed(one)[0].digest() == small(1)
    assert open_packed(two)[0].digest() == small(1)
    with pytest.raises(XPackError, match="the packed file holds 2 documents; say which"):
        _ = open_packed(two).only


def test_a_file_is_whole_while_documents_are_being_added(tmp_path: Path):
    """The flag for many is set last; until then the documents are found from section to section."""
    file = tmp_path / "x.xpk"
    file.write_bytes(packed_together([small(1)]))
    append(file, [("more", small(2), None)])
    data = bytearray(file.read_bytes())
    data[5] = 0
    adding = open_packed(bytes(data))
    assert adding[0].digest() == small(1)
    assert adding.names == ["v0", "more"]
    for behind in (b"x", b"\0"):
        with pytest.raises(XPackError, match="is cut off or has something behind its end"):
            _ = open_packed(packed_together([small(1)]) + behind)[0]


@pytest.mark.parametrize(("codec", "has_dictionary"), [("auto", True), ("zstd", True), ("brotli", False)])
def test_only_zstd_shares_dictionaries(codec: str, has_dictionary: bool):
    digests = versions(2)
    packed = open_packed(packed_together(digests, codec=codec))
    assert (packed.indexes[0].shared > 0) is has_dictionary
    assert open_packed(packed_together(digests[:1], codec=codec)).indexes == ()


def test_a_dictionary_has_each_container_once_until_it_has_enough():
    def raw(*containers: tuple[int, bytes]) -> Raw:
        return raw_document(small(1))._replace(containers=containers)

    enough = bytes(range(256)) * 384
    assert len(enough) == 96 << 10
    found = files._dictionaries_of(
        [
            raw((NAMES, b"12345678"), (PATHS, b"1234567"), (VALUES, enough[:-1]), (SOURCE, b"x" * 9)),
            raw((NAMES, b"345"), (VALUES, b"zy")),
            raw((NAMES, b"9"), (VALUES, b"never")),
        ]
    )
    assert found == {NAMES: b"123456789", VALUES: enough[:-1] + b"zy"}
    alone = files._dictionaries_of([raw((VALUES, enough)), raw((VALUES, b"never"))])
    assert alone == {VALUES: enough}


def test_an_index_says_where_each_document_is():
    entries = (Entry(6, "a"), Entry(300, ""), Entry(70_000, "ä"))
    written = _index_section(99, 0, 7, entries)
    found = read_index(InMemory(bytes(99) + written), 99)
    assert found == (99, 99 + len(written), 0, 7, entries)
    assert written.endswith((99).to_bytes(8, "little") + b"XPKI")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\x01\x03abc", "its index has an impossible width"),
        (b"\x01\x00", "its index has an impossible width"),
        (b"\x01\x01\x06\xff", "a name is not UTF-8"),
        (b"\x01\x01\x06a\0b", "its index has another length than it says"),
        (b"\x02\x01\x06", "its index has another length than it says"),
    ],
)
def test_an_index_that_lies_is_refused(raw: bytes, said: str):
    with pytest.raises(XPackError, match=said):
        files._read_entries(raw)
    assert files._read_entries(b"\x00\x01") == ()
    assert files._read_entries(b"\x02\x01\x06\x07a\0b") == (Entry(6, "a"), Entry(13, "b"))


def rooted(*names: str) -> PackedFile:
    """Returns a file of documents with these names; their roots are `a`, `b` and so on."""
    stream = io.BytesIO()
    with Writer(stream) as writer:
        for number, name in enumerate(names):
            writer.add(read(f"<{chr(ord('a') + number)}/>".encode(), "text/xml"), name=name)
        assert writer.written == len(stream.getvalue())
    return PackedFile.open(stream.getvalue())


def test_of_documents_with_one_name_the_last_counts():
    file = rooted("one", "two", "one")
    assert [document.query("name(/*)") for document in file] == ["a", "b", "c"]
    assert [file[which].query("name(/*)") for which in ("one", "two", 0, 2, -1, -3)] == [
        *"cbacca"[:3],
        "c",
        "c",
        "a",
    ]
    assert file.names == ["one", "two", "one"]
    assert [name for name, _ in file.query("name(/*)")] == file.names


@pytest.mark.parametrize(
    ("names", "which", "said"),
    [
        (["one", "two", "one"], "x", "there is no document 'x' in the packed file"),
        (["one", "two", "one"], 3, "there is no document 3: the packed file has 3"),
        (["one", "two", "one"], -4, "there is no document -4: the packed file has 3"),
        (["one"], "x", "there is no document 'x' in the packed file"),
        (["one"], 1, "there is no document 1: the packed file has 1"),
    ],
)
def test_a_document_that_is_not_there_is_told(names: list[str], which: int | str, said: str):
    with pytest.raises(NotFound) as told:
        rooted(*names)[which]
    assert str(told.value) == said


def test_what_a_file_cannot_answer_is_told_in_words():
    with pytest.raises(XPackError) as told:
        _ = rooted("one", "two").only
    assert str(told.value) == "the packed file holds 2 documents; say which"
    assert rooted("one").only.name == "one"
    with pytest.raises(XPackError) as told:
        Writer(io.BytesIO(), codec="zip")
    assert str(told.value) == (
        "there is no compressor 'zip'; there are auto, none, zstd, deflate, brotli, xz, fast"
    )


def test_what_many_queries_open_is_packed_for_speed():
    """A container is 448 bytes instead of 469 with brotli, which takes ten times as long to open."""
    lines = "".join(
        f"<ACT><SCENE n='{number}'><SPEECH><SPEAKER>Ada {number % 7}</SPEAKER>"
        f"<LINE>the {number * 37 % 101} words of line {number}</LINE></SPEECH></SCENE></ACT>"
        for number in range(900)
    )
    packed = open_packed(pack(read(f"<PLAY>{lines}</PLAY>".encode(), "text/xml"))).only
    assert packed.head.form == "paths"
    (groups,) = (one for some in packed.containers.values() for one in some if one.size == 3_600)
    assert groups.codec == codecs.ZSTD
