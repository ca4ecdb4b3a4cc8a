"""Many documents in one file share dictionaries and are reached alone, added to, and asked together (X6)."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.xpack.documents import HTML, XML
from webvigil.document import PageDigest, read
from webvigil.errors import NotFound, XPackError
from webvigil.xpack import PackedFile, Writer, append, codecs, open_packed, pack
from webvigil.xpack.sections import InMemory, OnDisk


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
