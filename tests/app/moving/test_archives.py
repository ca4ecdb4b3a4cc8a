"""Versions are exported as WARC and signed WACZ; other programs read them, and they say what was not kept."""

from __future__ import annotations

import base64
import gzip
import io
import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from fastapi.testclient import TestClient
from warcio.archiveiterator import ArchiveIterator

from tests.app.moving.kept import BODIES, URL, kept_pages
from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of, program_of
from webvigil.app.moving.archives import write_archive
from webvigil.app.moving.captures import Chosen
from webvigil.app.moving.wacz import read_wacz, signed, surt
from webvigil.app.operating.stores import repository
from webvigil.app.peers.wiring import identity_of
from webvigil.app.settings import Settings, read_settings
from webvigil.cli.main import webvigil
from webvigil.errors import DocumentRefused, NotFound
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "user": "jill", "host_delay": "0"}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with kept_pages(settings) as made:
        yield made


def written(knowledge: Knowledge, settings: Settings, kind: Any, **chosen: Any) -> bytes:
    file = io.BytesIO()
    write_archive(knowledge, settings, Chosen(user="jill", **chosen), kind, file)
    return file.getvalue()


def records(content: bytes) -> list[Any]:
    found = []
    for record in ArchiveIterator(io.BytesIO(content), check_digests="raise"):
        record.content = record.content_stream().read()
        found.append(record)
    return found


def of_type(content: bytes, kind: str) -> list[Any]:
    return [one for one in records(content) if one.rec_type == kind]


def run(*words: str) -> Result:
    return CliRunner().invoke(webvigil, words)


# --- WARC ----------------------------------------------------------------------------------------


def test_each_version_is_a_response_with_the_kept_bytes_and_its_time(
    knowledge: Knowledge, settings: Settings
):
    content = written(knowledge, settings, "warc")
    pages = [one for one in of_type(content, "response") if one.rec_headers["WARC-Target-URI"] == URL]
    assert [one.content for one in pages] == list(BODIES[:2])
    assert {one.rec_headers.protocol for one in pages} == {"WARC/1.1"}
    first = knowledge.versions.get(1, 1).fetched_at
    assert pages[0].rec_headers["WARC-Date"] == first.strftime("%Y-%m-%dT%H:%M:%S.") + (
        f"{first.microsecond // 1000:03d}Z"
    )


def test_headers_that_would_be_wrong_are_renamed_and_cookies_stay_here(
    knowledge: Knowledge, settings: Settings
):
    content = written(knowledge, settings, "warc")
    headers = of_type(content, "response")[0].http_headers
    assert headers["X-Archive-Orig-Content-Encoding"] == "gzip"
    assert headers["X-Archive-Orig-Content-Length"] == "7"
    assert headers["Content-Length"] == str(len(BODIES[0]))
    assert headers.get_header("Content-Encoding") is None
    assert "secret" not in gzip.decompress(content).decode("utf-8", "replace")


def test_equal_content_is_a_revisit_that_names_the_first_record(knowledge: Knowledge, settings: Settings):
    content = written(knowledge, settings, "warc")
    first = of_type(content, "response")[0]
    same = [one for one in of_type(content, "revisit") if one.rec_headers["WARC-Target-URI"] == URL]
    assert same[0].rec_headers["WARC-Refers-To"] == first.rec_headers["WARC-Record-ID"]
    assert same[0].rec_headers["WARC-Payload-Digest"] == first.rec_headers["WARC-Payload-Digest"]
    assert same[0].rec_headers["WARC-Refers-To-Date"] == first.rec_headers["WARC-Date"]
    assert same[0].rec_headers["WARC-Profile"].endswith("/1.1/revisit/identical-payload-digest")
    assert same[0].content == b""


def test_the_last_look_that_found_it_unchanged_is_a_revisit(knowledge: Knowledge, settings: Settings):
    content = written(knowledge, settings, "warc")
    last = knowledge.journal.fetch_log(1)[0]
    assert last["decision"] == "same"
    dates = [one.rec_headers["WARC-Date"][:19] for one in of_type(content, "revisit")]
    assert last["at"].strftime("%Y-%m-%dT%H:%M:%S") in dates


def test_a_request_says_what_is_known_and_the_metadata_what_is_not(knowledge: Knowledge, settings: Settings):
    content = written(knowledge, settings, "warc")
    request = of_type(content, "request")[0]
    assert request.http_headers.protocol == "GET"
    assert request.http_headers.statusline == "/prices?b=2&a=1 HTTP/1.1"
    assert request.http_headers.headers == [("Host", "site.test")]
    response = of_type(content, "response")[0]
    assert request.rec_headers["WARC-Concurrent-To"] == response.rec_headers["WARC-Record-ID"]
    told = of_type(content, "metadata")[0].content.decode()
    assert "webvigil-version: 1" in told
    assert "content coding undone" in told
    assert "content coding undone" in of_type(content, "warcinfo")[0].content.decode()


def test_the_metadata_of_a_version_tell_how_it_came_about(knowledge: Knowledge, settings: Settings):
    first, second, third = (
        one.content.decode() for one in of_type(written(knowledge, settings, "warc"), "metadata")
    )
    again = f"webvigil-last-seen: {knowledge.journal.fetch_log(1)[0]['at']:%Y-%m-%dT%H:%M:%S}"
    assert [again in one for one in (first, second, third)] == [False, False, True]
    for name in ("webvigil-rendered", "webvigil-redirected", "webvigil-imported"):
        assert name not in first + second + third


def test_the_metadata_of_a_rendered_and_of_a_redirected_page_say_so(knowledge: Knowledge, settings: Settings):
    drawn = Page(url="http://drawn.test/", render="browser")
    knowledge.sentinels.add(replace(sentinel("drawn"), pages=(drawn,)))
    for claim in claim_all(knowledge):
        due = claim.pages[0]
        if due.page != drawn:
            continue
        answer = Answer(url="http://drawn.test/now", status=200, headers=(), body=b"<p>drawn")
        kept = repository(settings, knowledge.versions).keep(answer)
        version = replace(new_version(1), url=answer.url, object=kept.object, size=len(answer.body))
        knowledge.schedule.finish(claim, [checked(claim, due, version=version)])
    told = of_type(written(knowledge, settings, "warc", page=drawn.url), "metadata")[0].content.decode()
    assert "webvigil-rendered: by a browser: the page after its scripts ran" in told
    assert "webvigil-redirected: from http://drawn.test/; the redirect itself is not kept" in told


def test_frames_are_written_once(knowledge: Knowledge, settings: Settings):
    content = written(knowledge, settings, "warc")
    frames = [one for one in records(content) if one.rec_headers["WARC-Target-URI"] == "http://site.test/f"]
    assert [one.rec_type for one in frames] == ["response", "revisit", "revisit"]
    assert frames[0].content == b"<p>small"


def test_a_user_gets_what_the_user_may_see_and_nothing_else(knowledge: Knowledge, settings: Settings):
    assert b"other.test" not in gzip.decompress(written(knowledge, settings, "warc"))
    by_name = written(knowledge, settings, "warc", sentinel="prices")
    by_address = written(knowledge, settings, "warc", page=URL)
    assert (
        len(records(by_name))
        == len(records(by_address))
        == len(records(written(knowledge, settings, "warc")))
    )
    with pytest.raises(NotFound):
        written(knowledge, settings, "warc", page="http://other.test/")
    with pytest.raises(NotFound):
        written(knowledge, settings, "warc", page_id=2)


def test_a_lost_version_is_named_and_the_others_are_written(knowledge: Knowledge, settings: Settings):
    gone = knowledge.versions.get(1, 2).object
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE version SET delta = '' WHERE object = ?", [gone])
    file = io.BytesIO()
    made = write_archive(knowledge, settings, Chosen(user="jill"), "warc", file)
    assert any("version 2 cannot be read" in one for one in made.lost)
    assert made.versions == 3 - len(made.lost)
    assert len(records(file.getvalue())) > 1


def test_warcio_finds_every_digest_right(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    file = tmp_path / "x.warc.gz"
    file.write_bytes(written(knowledge, settings, "warc"))
    done = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", "-v", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "digest failed" not in done.stdout
    assert "digest pass" in done.stdout


# --- WACZ ----------------------------------------------------------------------------------------


def parts_of(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_wacz_file_has_its_records_index_pages_and_hashes(knowledge: Knowledge, settings: Settings):
    content = written(knowledge, settings, "wacz")
    parts = parts_of(content)
    package = json.loads(parts["datapackage.json"])
    assert {one["path"] for one in package["resources"]} == parts.keys() - {
        "datapackage.json",
        "datapackage-digest.json",
    }
    lines = gzip.decompress(parts["indexes/index.cdx.gz"]).decode().splitlines()
    assert lines == sorted(lines)
    assert lines[-1].startswith("test,site)/prices?a=1&b=2 ")
    for line in lines:
        told = json.loads(line.split(" ", 2)[2])
        piece = parts["archive/data.warc.gz"][int(told["offset"]) :][: int(told["length"])]
        (record,) = records(piece)
        assert record.rec_headers["WARC-Target-URI"] == told["url"]
    shown = [json.loads(line) for line in parts["pages/pages.jsonl"].decode().splitlines()]
    assert [one["url"] for one in shown[1:]] == [URL] * 3
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED


def test_the_signature_of_a_wacz_is_made_as_the_standard_says(knowledge: Knowledge, settings: Settings):
    """Viewers check it so: P-384, SHA-256, r and s one after the other, over the text of the hash."""
    proof = json.loads(parts_of(written(knowledge, settings, "wacz"))["datapackage-digest.json"])
    data = proof["signedData"]
    key = serialization.load_der_public_key(base64.b64decode(data["publicKey"]))
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert key.curve.name == "secp384r1"
    raw = base64.b64decode(data["signature"])
    whole = encode_dss_signature(int.from_bytes(raw[:48]), int.from_bytes(raw[48:]))
    key.verify(whole, data["hash"].encode(), ec.ECDSA(hashes.SHA256()))
    assert data["hash"] == proof["hash"]


def repacked(parts: dict[str, bytes], file: Path) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


def test_a_changed_wacz_file_is_recognised(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    parts = parts_of(written(knowledge, settings, "wacz"))
    fine = read_wacz(repacked(parts, tmp_path / "fine.wacz"))
    assert fine.troubles == ()
    assert fine.fingerprint == identity_of(settings).fingerprint
    changed = parts | {"pages/pages.jsonl": b"{}"}
    assert read_wacz(repacked(changed, tmp_path / "a.wacz")).troubles == (
        "pages/pages.jsonl is not what datapackage.json tells of",
    )
    more = parts | {"archive/more.warc": b"x"}
    assert "archive/more.warc" in read_wacz(repacked(more, tmp_path / "b.wacz")).troubles[0]
    renamed = parts | {"datapackage.json": parts["datapackage.json"].replace(b"Pages of", b"Lies of")}
    assert len(read_wacz(repacked(renamed, tmp_path / "c.wacz")).troubles) == 3
    bare = {name: content for name, content in parts.items() if name != "datapackage-digest.json"}
    assert read_wacz(repacked(bare, tmp_path / "d.wacz")).troubles == ("it is not signed",)
    (tmp_path / "e.wacz").write_bytes(b"no ZIP")
    with pytest.raises(DocumentRefused):
        read_wacz(tmp_path / "e.wacz")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_wacz_file_with_too_many_parts_or_two_of_one_name_is_refused_for_that(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    parts = parts_of(written(knowledge, settings, "wacz"))
    twice = repacked(parts, tmp_path / "twice.wacz")
    with zipfile.ZipFile(twice, "a") as archive:
        archive.writestr("datapackage.json", "{}")
    with pytest.raises(DocumentRefused, match="two of its parts have the same name"):
        read_wacz(twice)
    many = parts | {f"more/{number}": b"" for number in range(10_001)}
    with pytest.raises(DocumentRefused, match="more than 10,000 parts"):
        read_wacz(repacked(many, tmp_path / "many.wacz"))


def test_a_signature_of_another_server_under_our_name_is_not_believed(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    """The server's key, which has the fingerprint, signs the key for WACZ, so nobody can replace that one."""
    parts = parts_of(written(knowledge, settings, "wacz"))
    other = replace(settings, data=tmp_path / "other")
    other.data.mkdir()
    theirs = json.loads(parts["datapackage-digest.json"])
    ours = theirs["signedData"]["webvigil"]
    forged = json.loads(
        signed(parts["datapackage.json"], identity_of(other), theirs["signedData"]["created"])
    )
    forged["signedData"]["webvigil"] = ours
    parts["datapackage-digest.json"] = json.dumps(forged).encode()
    assert read_wacz(repacked(parts, tmp_path / "f.wacz")).troubles == (
        "it is not signed by a WebVigil server",
    )


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.org/A/?b=2&a=1", "org,example)/a?a=1&b=2"),
        ("http://example.org", "org,example)/"),
        ("http://example.org:8080/x", "org,example:8080)/x"),
        ("https://example.org:443/x/", "org,example)/x"),
        ("http://127.0.0.1:80/", "1,0,0,127)/"),
        ("urn:view:http://X/", "urn:view:http://x/"),
        ("http://[broken/", "http://[broken/"),
    ],
)
def test_addresses_are_filed_as_indexes_of_archives_do(url: str, key: str):
    assert surt(url) == key


# --- command, API and dashboard ----------------------------------------------------------------------


def test_the_command_writes_what_the_name_of_the_file_says(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    store = ("--data", str(settings.data), "--user", "jill")
    file = str(tmp_path / "x.wacz")
    done = run("export", file, *store)
    assert done.exit_code == 0, done.output
    assert "3 versions of 1 pages" in done.output
    checked = run("evidence", "check", file, "--fingerprint", identity_of(settings).fingerprint)
    assert "genuine: signed by" in checked.output
    assert "another server" in run("evidence", "check", file, "--fingerprint", "aaaa").output
    plain = tmp_path / "x.warc"
    assert run("export", str(plain), "--page", URL, *store).exit_code == 0
    assert plain.read_bytes().startswith(b"WARC/1.1\r\n")
    assert not list(tmp_path.glob("*.part"))
    assert run("export", str(tmp_path / "y"), "--warc", "--sentinel", "prices", *store).exit_code == 0
    assert (tmp_path / "y").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize(
    "words", [("--warc",), ("x.warc", "--page", "a", "--sentinel", "b"), ("x.txt", "--page", "a")]
)
def test_the_command_refuses_what_makes_no_sense(settings: Settings, words: tuple[str, ...]):
    assert run("export", *words, "--data", str(settings.data)).exit_code == 2


def test_a_page_that_is_not_watched_leaves_no_file_behind(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    store = ("--data", str(settings.data), "--user", "jill")
    assert run("export", str(tmp_path / "z.wacz"), "--page", "http://nobody.test/", *store).exit_code != 0
    assert not list(tmp_path.glob("z.wacz*"))


def test_the_api_and_the_dashboard_send_archives_and_leave_nothing_on_the_disk(
    knowledge: Knowledge, settings: Settings
):
    application = create_application(knowledge, settings)
    program = program_of(application, knowledge, "jill", scope="read")
    for path in ("/api/v1/pages/1/archive", "/api/v1/sentinels/prices/archive", "/api/v1/archive"):
        answer = program.get(path, params={"format": "wacz"})
        assert answer.status_code == 200, answer.text
        assert "archive/data.warc.gz" in parts_of(answer.content)
        assert "attachment" in answer.headers["content-disposition"]
        assert len(records(program.get(path, params={"format": "warc"}).content)) > 5
    assert program.get("/api/v1/pages/2/archive").status_code == 404
    assert program.get("/api/v1/archive", params={"format": "zip"}).status_code == 422
    browser = browser_of(application, knowledge, "jill")
    assert "WACZ" in browser.get("/pages/1").text
    assert "datapackage.json" in parts_of(browser.get("/pages/1/archive").content)
    assert "datapackage.json" in parts_of(browser.get("/export/wacz").content)
    assert not list(settings.data.glob("archive-*"))
    assert TestClient(application).get("/api/v1/archive").status_code == 401
