"""The commands on packed files choose documents, name files and tell sizes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webvigil.cli import stat, unpack
from webvigil.cli.main import webvigil
from webvigil.cli.packing import chosen, listed
from webvigil.document import read
from webvigil.errors import NotFound
from webvigil.xpack import Writer, open_packed


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three documents, of which the second has no name."""
    stream = io.BytesIO()
    with Writer(stream) as writer:
        for name, text in (("a.xml", "<a>one</a>"), ("", "<a>two</a>"), ("a.xml.old", "<a>three</a>")):
            writer.add(read(text.encode(), "text/xml"), name=name)
    (tmp_path / "x.xpk").write_bytes(stream.getvalue())
    return tmp_path / "x.xpk"


def run(*words: str) -> Result:
    return CliRunner().invoke(webvigil, words, standalone_mode=False)


@pytest.mark.parametrize(
    ("which", "names"),
    [
        (None, ["a.xml", "2", "a.xml.old"]),
        ("a.xml", ["a.xml"]),
        ("1", ["1"]),
        ("3", ["3"]),
        ("0", None),
        ("4", None),
        ("-1", None),
        ("b", None),
    ],
)
def test_documents_are_chosen_by_name_or_by_number_from_1(
    archive: Path, which: str | None, names: list[str] | None
):
    with open_packed(archive) as packed:
        if names is None:
            with pytest.raises(NotFound, match=f"there is no document '{which}': the file has 3"):
                list(chosen(packed, which))
            return
        found = list(chosen(packed, which))
        assert [name for name, _ in found] == names
        if which == "3":
            assert found[0][1].digest() == packed[2].digest()


def test_the_files_of_a_folder_are_listed_sorted(tmp_path: Path):
    for name in ("b", "a", "sub/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [str(one.relative_to(tmp_path)) for one in listed((tmp_path, tmp_path / "b"))]
    assert found == ["a", "b", "sub/c", "b"]
    assert list(listed((Path("-"), Path("gone")))) == [Path("-"), Path("gone")]


@pytest.mark.parametrize(
    ("name", "kind", "path"),
    [
        ("a.xml", "xml", "a.xml"),
        ("a", "xml", "a.xml"),
        ("a", "text", "a.txt"),
        ("", "html", "document.html"),
        ("/..", "html", "document.html"),
        ("../../x.html", "html", "x.html"),
        ("a/./b\\c:d", "json", "a/b/c_d.json"),
    ],
)
def test_a_name_is_a_path_inside_the_folder(name: str, kind: str, path: str):
    assert str(unpack.inside(name, kind)) == path


def test_documents_of_the_same_name_get_numbers():
    taken: set[Path] = set()
    found = [str(unpack._free(Path("a.xml"), taken)) for _ in range(3)]
    assert found == ["a.xml", "a-2.xml", "a-3.xml"]


def test_one_of_several_documents_is_written_to_standard_output(archive: Path):
    assert str(run("unpack", str(archive), "-o", "-").exception) == (
        "the file holds 3 documents; say which with --document"
    )
    assert "two" in run("unpack", str(archive), "-o", "-", "--document", "2").output


def test_stat_tells_the_size_of_each_part(archive: Path):
    found = json.loads(run("stat", str(archive), "--json").output)
    assert [one["document"] for one in found] == ["a.xml", "2", "a.xml.old"]
    (two,) = json.loads(run("stat", str(archive), "--document", "2", "--json").output)
    assert (two["kind"], two["nodes"], two["tags"], two["attributes"]) == ("xml", 3, ["a"], [])
    assert two["size"] == sum(one["size"] for one in two["containers"])
    assert two["document_size"] == len(b"<a>two</a>")
    assert two["ratio"] == round(two["packed"] / 10, 4)


def test_stat_is_told_in_lines():
    found = {
        "document": "a.xml",
        "kind": "xml",
        "profile": "text",
        "exact": True,
        "nodes": 1234,
        "tags": ["a", "b"],
        "attributes": [],
        "containers": [{"name": "names", "packed": 1000, "size": 2000}],
        "packed": 1500,
        "size": 2000,
        "ratio": 0.25,
        "document_size": 6000,
    }
    lines = [
        "a.xml",
        "  xml, profile text, exact",
        "  1,234 nodes, 2 names, 0 attribute names",
        "  container         packed        size",
        "  names              1,000       2,000",
        "  all                1,500       2,000",
    ]
    assert stat._shown(found).splitlines() == [*lines, "  25.0% of the document's 6,000 bytes"]
    plain = {**found, "exact": False, "ratio": None}
    assert stat._shown(plain).splitlines() == [lines[0], "  xml, profile text", *lines[2:]]
