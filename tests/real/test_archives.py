"""The web archives that WebVigil writes are indexed, validated and replayed by the programs of others."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.moving.kept import BODIES, URL, kept_pages
from tests.real.installing import CannotInstall, python
from webvigil.app.moving.archives import write_archive
from webvigil.app.moving.captures import Chosen
from webvigil.app.moving.wacz import surt
from webvigil.app.operating.stores import opened
from webvigil.app.settings import Settings, read_settings

pytestmark = pytest.mark.real


@pytest.fixture(scope="session")
def programs() -> Path:
    try:
        return python("web-archives", "pywb", "cdxj-indexer", "wacz", "setuptools<81")
    except CannotInstall as error:
        pytest.skip(str(error))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path / "data"), "user": "jill", "host_delay": "0"}, environment={})


@pytest.fixture
def files(settings: Settings, tmp_path: Path) -> dict[str, Path]:
    made = {"warc": tmp_path / "x.warc.gz", "wacz": tmp_path / "x.wacz"}
    with kept_pages(settings) as knowledge:
        for kind, file in made.items():
            with file.open("wb") as stream:
                write_archive(knowledge, settings, Chosen(user="jill"), kind, stream)
    return made


def ran(*command: object, folder: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=120, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_cdxj_indexer_makes_the_same_index(programs: Path, files: dict[str, Path]):
    lines = ran(programs / "cdxj-indexer", "--sort", files["warc"]).splitlines()
    with zipfile.ZipFile(files["wacz"]) as archive:
        ours = gzip.decompress(archive.read("indexes/index.cdx.gz")).decode().splitlines()
    assert lines
    assert [_told(one) for one in lines] == [_told(one) for one in ours]


def _told(line: str) -> tuple[str, str, str, str]:
    key, at, rest = line.split(" ", 2)
    told = json.loads(rest)
    return key, at, told["mime"], told["digest"].removeprefix("sha1:")


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.org/A/B/?z=1&a=2",
        "http://example.org",
        "http://example.org:8080/x/",
        "http://127.0.0.1:5000/a//b",
        "https://example.org/caf%C3%A9?Q=%C3%9C",
        "https://sub.example.co.uk/a?b",
    ],
)
def test_addresses_are_filed_like_theirs(programs: Path, url: str):
    theirs = ran(programs / "python", "-c", "import surt, sys; print(surt.surt(sys.argv[1]))", url)
    assert surt(url) == theirs.strip().removeprefix("(")


def test_wacz_says_that_the_file_is_valid(programs: Path, files: dict[str, Path]):
    ran(programs / "wacz", "validate", "-f", files["wacz"])


def test_warcio_finds_nothing_wrong(programs: Path, files: dict[str, Path]):
    ran(programs / "warcio", "check", files["warc"])


@contextmanager
def replaying(programs: Path, folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "wayback", "-p", str(port), "-b", "127.0.0.1"], cwd=folder, stdout=log, stderr=log
        )
        try:
            for _ in range(150):
                with socket.socket() as door:
                    if door.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(10)


@pytest.mark.parametrize("kind", ["warc", "wacz"])
def test_pywb_replays_every_version(
    programs: Path, files: dict[str, Path], settings: Settings, tmp_path: Path, kind: str
):
    folder = tmp_path / "pywb"
    folder.mkdir()
    ran(programs / "wb-manager", "init", "pages", folder=folder)
    more = ["--unpack-wacz"] if kind == "wacz" else []
    ran(programs / "wb-manager", "add", *more, "pages", files[kind], folder=folder)
    with kept_pages_times(settings) as times, replaying(programs, folder) as home:
        for body, at in zip(BODIES, times, strict=True):
            with urllib.request.urlopen(f"{home}/pages/{at}id_/{URL}", timeout=30) as answer:
                assert answer.status == 200
                assert answer.read() == body
                assert answer.headers["content-type"] == "text/html; charset=utf-8"


@contextmanager
def kept_pages_times(settings: Settings) -> Iterator[list[str]]:
    with opened(settings) as knowledge:
        yield [f"{one.fetched_at:%Y%m%d%H%M%S}" for one in reversed(knowledge.versions.of(1))]
