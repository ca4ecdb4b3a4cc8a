"""The commands pack, unpack, stat and query work with files and with pipes (X5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole.serving import environment, webvigil, webvigil_json
from tests.xpack.documents import HTML, XML
from webvigil.cli.unpack import inside
from webvigil.document import read


@pytest.fixture
def books(tmp_path: Path) -> Path:
    (tmp_path / "books.xml").write_text(XML["books"], encoding="utf-8")
    done = webvigil("pack", str(tmp_path / "books.xml"), "-o", str(tmp_path / "books.xpk"), "--exact")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return tmp_path / "books.xpk"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("books", "play", "table"):
        (tmp_path / "in/deep").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in/deep" / f"{name}.xml").write_text(XML[name], encoding="utf-8")
    (tmp_path / "in/page.html").write_text(HTML, encoding="utf-8")
    assert webvigil("pack", str(tmp_path / "in"), "-o", str(tmp_path / "all.xpk"), "--exact").returncode == 0
    return tmp_path


def test_a_query_prints_what_was_asked_for(books: Path):
    assert webvigil("query", str(books), "count(//book)").stdout == "4\n"
    assert webvigil("query", str(books), "//book", "--count").stdout == "4\n"
    assert webvigil("query", str(books), "//author", "--text").stdout == "Ann\nBo\nAnn\nCy\nBo\n"
    assert webvigil("query", str(books), "//shelf//title").stdout == "/books/shelf/book/title\n"
    assert (
        webvigil("query", str(books), "//book[1]/@id", "--paths").stdout.splitlines()[0]
        == "/books/book[1]/@id"
    )
    assert webvigil("query", str(books), "boolean(//book)").stdout == "true\n"
    assert webvigil("query", str(books), "1 div 4").stdout == "0.25\n"
    assert (
        webvigil("query", str(books), "//book[author=$who]/title", "--var", "who=Cy", "--count").stdout
        == "1\n"
    )
    assert webvigil("query", str(books), "string(//q:title)", "--ns", "q=urn:q").stdout == "\n"


def test_a_query_for_programs(books: Path):
    assert webvigil_json("query", str(books), "count(//book)")["value"] == 4
    found = webvigil_json("query", str(books), "//shelf/book/year")
    assert (found["type"], found["count"]) == ("nodes", 1)
    assert found["nodes"] == [{"path": "/books/shelf/book/year", "text": "2010"}]
    assert webvigil_json("query", str(books), "1 div 0")["value"] == "Infinity"
    assert webvigil_json("query", str(books), "not(//x)") | {"document": ""} == {
        "document": "", "type": "boolean", "value": True,
    }  # fmt: skip


def test_exit_codes_tell_found_from_not_found_and_trouble(books: Path):
    assert webvigil("query", str(books), "//nothing").returncode == 1
    assert webvigil("query", str(books), "//nothing", "--count").stdout == "0\n"
    wrong = webvigil("query", str(books), "//book[")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("webvigil: XPath, column 8:")
    missing = webvigil("query", str(books.parent / "none.xpk"), "1")
    assert missing.returncode == 2
    assert "No such file" in missing.stderr
    assert webvigil("stat", str(books), "--document", "nobody").returncode == 1


def test_many_documents_are_asked_together(folder: Path):
    file = str(folder / "all.xpk")
    lines = webvigil("query", file, "count(//title)").stdout.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["4", "13", "0", "1"]
    found = webvigil_json("query", file, "count(//td)")
    assert [one["value"] for one in found] == [0, 0, 30, 3]
    assert webvigil("query", file, "count(//td)", "--document", "3").stdout == "30\n"


def test_unpacking_gives_the_files_again(folder: Path):
    assert webvigil("unpack", str(folder / "all.xpk"), "-o", str(folder / "out")).returncode == 0
    found = sorted(file for file in (folder / "out").rglob("*") if file.is_file())
    assert [file.name for file in found] == ["books.xml", "play.xml", "table.xml", "page.html"]
    assert found[0].read_text(encoding="utf-8") == XML["books"]
    assert found[3].read_text(encoding="utf-8") == HTML
    refused = webvigil("unpack", str(folder / "all.xpk"), "-o", "-")
    assert refused.returncode == 2
    assert "4 documents" in refused.stderr


def test_documents_are_added(books: Path):
    (books.parent / "play.xml").write_text(XML["play"], encoding="utf-8")
    assert webvigil("pack", str(books.parent / "play.xml"), "-o", str(books), "--append").returncode == 0
    assert webvigil("query", str(books), "count(//act)", "--document", "2").stdout == "3\n"


def test_stat_shows_sizes(books: Path):
    text = webvigil("stat", str(books)).stdout
    assert "nodes" in text
    assert "of the document's" in text
    (found,) = webvigil_json("stat", str(books))
    assert found["nodes"] == len(read(XML["books"].encode(), "text/xml"))
    assert found["tags"] == ["a", "author", "b", "book", "books", "shelf", "title", "year"]
    assert found["attributes"] == ["currency", "id", "price"]
    assert sum(one["packed"] for one in found["containers"]) < found["packed"] == books.stat().st_size - 6


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_packing_much_shows_how_far_it_is_on_a_terminal(tmp_path: Path):
    (tmp_path / "long.txt").write_text("".join(f"line {number}\n" for number in range(200_000)))
    screen, terminal = os.openpty()
    arguments = ["pack", str(tmp_path / "long.txt"), "-o", str(tmp_path / "long.xpk"), "--codec", "fast"]
    subprocess.run(
        [sys.executable, "-m", "webvigil", *arguments], stderr=terminal, env=environment(), check=True
    )
    os.close(terminal)
    shown = os.read(screen, 100_000).decode()
    os.close(screen)
    assert "Packing" in shown
    assert "%" in shown


def test_packed_files_stream_through_pipes(tmp_path: Path):
    def run(*arguments: str, data: bytes) -> bytes:
        line = [sys.executable, "-m", "webvigil", *arguments]
        return subprocess.run(line, input=data, capture_output=True, check=True, env=environment()).stdout

    source = XML["mixed"].encode()
    packed = run("pack", "-", "-o", "-", "--exact", "--type", "text/xml", data=source)
    assert run("unpack", "-", "-o", "-", data=packed) == source
    assert run("query", "-", "count(//b)", data=packed) == b"4\n"
    assert json.loads(run("stat", "-", "--json", data=packed))[0]["kind"] == "xml"


def test_a_file_that_fails_to_pack_leaves_the_old_one(books: Path):
    before = books.read_bytes()
    failed = webvigil(
        "pack", str(books.parent / "books.xml"), str(books.parent / "none.xml"), "-o", str(books)
    )
    assert failed.returncode == 2
    assert books.read_bytes() == before
    assert sorted(file.name for file in books.parent.iterdir()) == ["books.xml", "books.xpk"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a/b.xml", "a/b.xml"),
        ("../../etc/passwd", "etc/passwd.xml"),
        ("/abs/x.html", "abs/x.html"),
        ("..\\..\\x", "x.xml"),
        ("", "document.xml"),
        ("C:\\x.xml", "C_/x.xml"),
    ],
)
def test_names_cannot_lead_out_of_the_folder(name: str, path: str):
    assert inside(name, "xml") == Path(path)


def test_benchmarks_are_listed_where_the_source_is():
    listed = webvigil("bench")
    assert "xpack" in listed.stdout.splitlines()
    assert webvigil("bench", "nosuch").returncode == 1
