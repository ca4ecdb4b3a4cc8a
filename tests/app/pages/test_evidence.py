"""Evidence files hold what a page said and when, signed, and a changed file is recognised."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of, program_of
from webvigil.app.operating.stores import opened, repository
from webvigil.app.pages.evidence import evidence_of, read_evidence
from webvigil.app.peers.wiring import identity_of
from webvigil.app.settings import Settings, read_settings
from webvigil.cli.evidence import evidence
from webvigil.errors import DocumentRefused
from webvigil.model.version import Answer, Frame
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

TERMS = b"<h1>Terms</h1><p>You may return it within 30 days.</p>"
HEADERS = (("Content-Type", "text/html"), ("Set-Cookie", "session=secret"))
FRAME = Frame(address="f", answer=Answer(url="http://site.test/f", status=200, headers=(), body=b"<p>small"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "user": "jill", "host_delay": "0"}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    """Yields a page with two versions. A look between them found the first version unchanged."""
    with opened(settings) as made:
        made.sentinels.add(sentinel("terms"))
        for number, body in ((1, TERMS), (0, b""), (2, b"<h1>Terms</h1>")):
            (claim,) = claim_all(made)
            due, version = claim.pages[0], None
            if number:
                answer = Answer(
                    url="http://site.test/", status=200, headers=HEADERS, body=body, frames=(FRAME,)
                )
                kept = repository(settings, made.versions).keep(answer)
                version = replace(new_version(number), object=kept.object, size=len(body))
            made.schedule.finish(claim, [checked(claim, due, version=version)])
            made.schedule.ask(due.id)
        yield made


@pytest.fixture
def file(knowledge: Knowledge, settings: Settings) -> bytes:
    return evidence_of(
        knowledge, settings, repository(settings, knowledge.versions), knowledge.versions.get(1, 1)
    )


def parts_of(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def test_an_evidence_file_holds_the_bytes_the_address_and_the_times(
    file: bytes, knowledge: Knowledge, settings: Settings
):
    found = read_evidence(file)
    first, second = knowledge.versions.get(1, 1), knowledge.versions.get(1, 2)
    said = found.statement
    assert found.troubles == ()
    assert found.fingerprint == identity_of(settings).fingerprint
    assert (said["address"], said["version"], said["status"]) == ("http://site.test/", 1, 200)
    assert said["fetched_at"] == first.fetched_at.isoformat()
    assert said["fetched_at"] <= said["last_seen_so_at"] <= said["another_version_at"]
    assert said["another_version_at"] == second.fetched_at.isoformat()
    assert parts_of(file)["body"] == TERMS
    assert parts_of(file)["frames/1"] == b"<p>small"


def test_no_cookie_goes_along(file: bytes):
    assert b"secret" not in parts_of(file)["statement.json"]


def test_the_newest_version_stands_until_now(knowledge: Knowledge, settings: Settings):
    file = evidence_of(
        knowledge, settings, repository(settings, knowledge.versions), knowledge.versions.get(1, 2)
    )
    assert read_evidence(file).statement["another_version_at"] is None


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("body", b"30", b"14"),
        ("frames/1", b"small", b"large"),
        ("statement.json", b'"version": 1', b'"version": 9'),
        ("signature.txt", b"", b"A"),
    ],
)
def test_whatever_was_changed_is_noticed(file: bytes, part: str, old: bytes, new: bytes):
    parts = parts_of(file)
    parts[part] = parts[part].replace(old, new, 1)
    assert read_evidence(packed(parts)).troubles


def test_what_was_added_or_left_out_is_noticed(file: bytes):
    parts = parts_of(file)
    assert read_evidence(packed(parts | {"more": b"x"})).troubles == (
        "more is not what the statement tells of",
    )
    del parts["body"]
    assert read_evidence(packed(parts)).troubles == ("body is not what the statement tells of",)


def test_another_key_makes_another_fingerprint(file: bytes, tmp_path: Path, knowledge: Knowledge):
    other = read_settings({"data": str(tmp_path), "peer_key": "another key, long enough"}, environment={})
    forged = evidence_of(
        knowledge, other, repository(other, knowledge.versions), knowledge.versions.get(1, 1)
    )
    assert read_evidence(forged).fingerprint != read_evidence(file).fingerprint


@pytest.mark.parametrize("junk", [b"", b"PK", b"x" * 1000, packed({}), packed({"statement.json": b"["})])
def test_what_is_no_evidence_is_refused(junk: bytes):
    with pytest.raises(DocumentRefused, match="no evidence"):
        read_evidence(junk)


def test_a_damaged_file_is_refused_or_not_believed(file: bytes):
    for place in range(0, len(file), 7):
        damaged = file[:place] + bytes([file[place] ^ 0x55]) + file[place + 1 :]
        try:
            found = read_evidence(damaged)
        except DocumentRefused:
            continue
        assert found.troubles or parts_of(damaged) == parts_of(file)


@pytest.mark.parametrize("way", [8, 12, 14, 93])
def test_a_file_that_names_another_way_of_compression_is_refused(file: bytes, way: int):
    """Deflate, bzip2, LZMA and Zstandard; each raises errors of its own for what is none of it."""
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        first = file.index(mark) + place
        file = file[:first] + way.to_bytes(2, "little") + file[first + 2 :]
    if way == zipfile.ZIP_DEFLATED:
        assert not read_evidence(file).troubles
    else:
        with pytest.raises(DocumentRefused, match="or it is damaged"):
            read_evidence(file)


class TestCommands:
    def run(self, *words: str) -> Result:
        return CliRunner().invoke(evidence, words, standalone_mode=False)

    @pytest.mark.usefixtures("knowledge")
    def test_a_version_is_kept_and_checked(self, tmp_path: Path, settings: Settings):
        target = str(tmp_path / "terms.zip")
        store = ("--data", str(tmp_path), "--user", "jill")
        kept = self.run("keep", "http://site.test/", "first", "-o", target, *store)
        assert "version 1 of http://site.test/, fetched" in kept.output
        mine = identity_of(settings).fingerprint
        checked = self.run("check", target, "--fingerprint", mine.upper())
        assert checked.return_value == 0
        assert f"genuine: signed by {mine}" in checked.output
        for_programs = self.run("check", target, "--json")
        assert for_programs.return_value == 0
        assert json.loads(for_programs.output)["genuine"] is True
        other = self.run("check", target, "--fingerprint", "aaaa-bbbb", "--json")
        assert other.return_value == 1
        assert json.loads(other.output)["troubles"] == [f"it was signed by another server: {mine}"]


class TestWeb:
    def test_who_watches_the_page_gets_it_and_nobody_else(self, knowledge: Knowledge, settings: Settings):
        knowledge.users.add("jack")
        application = create_application(knowledge, settings)
        jill, jack = (browser_of(application, knowledge, name) for name in ("jill", "jack"))
        program = program_of(application, knowledge, "jill", "read")
        for client, place in ((jill, "/pages/1"), (program, "/api/v1/pages/1")):
            self.both(client, place)
        assert jack.get("/pages/1/versions/1/evidence").status_code == 404
        assert jack.get("/api/v1/pages/1/versions/1/body").status_code == 404
        assert jill.get("/pages/1/versions/9/evidence").status_code == 404
        assert 'href="/pages/1/versions/2/evidence"' in jill.get("/pages/1").text

    def both(self, client: TestClient, place: str) -> None:
        answer = client.get(f"{place}/versions/1/evidence")
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"].endswith('version-1.zip"')
        assert read_evidence(answer.content).troubles == ()
        body = f"{place}/versions/1" + ("/body" if "api" in place else "")
        assert client.get(body).content == TERMS
