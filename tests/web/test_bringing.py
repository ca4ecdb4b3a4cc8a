"""A web archive that is sent to the server becomes the past of the sender's pages: by the API, by the form,
and in Chromium with a bar that shows how much was sent."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from fastapi.testclient import TestClient

from tests.app.moving.old_archive import CAPTURES, URL, page, write
from tests.app.moving.test_damaged_archives import record
from tests.browser import browser, needs_chromium
from tests.web.doors import program_of
from tests.whole.serving import Serving, webvigil, webvigil_json
from webvigil.app.operating.stores import opened
from webvigil.app.settings import read_settings
from webvigil.web import bodies
from webvigil.web.api import archives
from webvigil.web.application import create_application


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    data = tmp_path / "data"
    done = webvigil("watch", URL, "--name", "lamp", "--monitor", 'value css ".price"', "--data", str(data))
    assert done.returncode == 0, done.stderr
    with Serving(data) as made:
        yield made


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write(tmp_path / "old.warc.gz")


def token(serving: Serving, tmp_path: Path, scope: str) -> dict[str, str]:
    made = webvigil("token", "add", f"for {scope}", "--scope", scope, "--data", str(tmp_path / "data"))
    secret = next(word for word in made.stdout.split() if word.startswith("wv_"))
    return {"authorization": f"Bearer {secret}"}


def test_a_program_brings_an_archive(serving: Serving, archive: Path, tmp_path: Path):
    home = f"{serving.address}/api/v1/archive"
    content = archive.read_bytes()
    with requests.Session() as program:
        program.headers.update(token(serving, tmp_path, "write"))
        tried = program.post(home, params={"dry_run": "true"}, data=content).json()
        assert tried["pages"][0]["versions"] == 3
        told = program.post(home, data=content).json()
        (one,) = told["pages"]
        assert (one["url"], one["versions"], one["unchanged"], one["not_pages"]) == (URL, 3, 1, 1)
        assert (told["others"], told["troubles"], one["oldest"][:10]) == (1, [], "2018-01-01")
        again = program.post(home, data=content)
        assert (again.status_code, "has a past already" in again.json()["detail"]) == (400, True)
        damaged = record(page(7)) + record(date="never")
        told = program.post(home, params={"again": "true", "page": URL}, data=damaged).json()
        assert (told["pages"][0]["versions"], len(told["troubles"])) == (1, 1)
        numbers = [row["number"] for row in program.get(f"{serving.address}/api/v1/pages/1/versions").json()]
        assert numbers == [-1]
        assert program.get(f"{serving.address}/api/v1/pages/1/versions/-1/body").content == page(7)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no WARC, WACZ or CDX file"),
        (b"PK no ZIP", "is no WACZ file"),
        (b"com,a)/ 20190101000000 http://site.test/lamp text/html 200 A 1\n", "captures that lie elsewhere"),
        (gzip.compress(b"no archive", mtime=0), "is no WARC, WACZ or CDX file"),
    ],
    ids=["nothing", "no ZIP", "a list", "packed"],
)
def test_what_is_no_archive_is_refused_in_words(serving: Serving, tmp_path: Path, content: bytes, told: str):
    headers = token(serving, tmp_path, "write")
    answer = requests.post(f"{serving.address}/api/v1/archive", data=content, headers=headers)
    assert (answer.status_code, told in answer.json()["detail"]) == (422, True), answer.text
    nowhere = {"page": "nowhere"}
    answer = requests.post(
        f"{serving.address}/api/v1/archive", params=nowhere, data=record(), headers=headers
    )
    assert answer.status_code == 404


def test_who_may_not_write_sends_nothing(serving: Serving, archive: Path, tmp_path: Path):
    home = f"{serving.address}/api/v1/archive"
    headers = token(serving, tmp_path, "read")
    assert requests.post(home, data=archive.read_bytes(), headers=headers).status_code == 403
    assert requests.post(home, data=archive.read_bytes()).status_code == 401
    assert requests.post(home, data=b"x" * 200_000).status_code == 413
    assert webvigil_json("versions", URL, "--data", str(tmp_path / "data")) == []


def signed_in(serving: Serving) -> requests.Session:
    client = requests.Session()
    client.headers["origin"] = serving.address
    shown = client.get(serving.link)
    assert shown.status_code == 200
    return client


def test_a_form_brings_an_archive_and_shows_what_was_left_out(serving: Serving, archive: Path):
    with signed_in(serving) as person:
        home = f"{serving.address}/import/archive"
        assert 'action="/import/archive"' in person.get(f"{serving.address}/import").text
        file = {"file": ("old.warc.gz", archive.read_bytes() + b"garbage")}
        shown = person.post(home, files=file, data={"dry_run": "true"}).text
        assert "Would be its past" in shown
        shown = person.post(home, files=file).text
        assert "3 versions, 2018-01-01 to 2021-01-01; 2 changes" in shown
        assert "nothing new: 1; no page: 1</td>" in shown
        assert "Captures of other addresses: 1<" in shown
        assert "old.warc.gz, byte" in shown
        refused = person.post(home, files=file)
        assert (refused.status_code, "has a past already" in refused.text) == (400, True)
        assert "3 versions" in person.post(home, files=file, data={"again": "true"}).text
        assert person.post(home, data={"again": "true"}).status_code == 400
        other = person.post(home, files={"file": ("<b>.gz", b"nothing")})
        assert (other.status_code, "&lt;b&gt;.gz is no WARC" in other.text) == (422, True)
        foreign = person.post(home, files=file, headers={"origin": "http://evil.test"})
        assert foreign.status_code == 403


@needs_chromium
def test_a_person_sees_how_much_was_sent_and_then_the_report(serving: Serving, tmp_path: Path):
    noise = [("2017-01-01T00:00:00Z", f"http://noise.test/{n}", 200, os.urandom(900_000)) for n in range(30)]
    file = write(tmp_path / "old.warc.gz", [*CAPTURES, *noise])
    with browser() as chromium:
        window = chromium.new_page()
        troubles: list[str] = []
        window.on("pageerror", lambda error: troubles.append(str(error)))
        window.on("console", lambda one: troubles.append(one.text) if one.type == "error" else None)
        window.goto(serving.link)
        window.goto(f"{serving.address}/import")
        window.evaluate(
            "() => { window.seen = []; new MutationObserver(() => window.seen.push("
            "document.querySelector('[data-upload] [role=status]')?.textContent)).observe("
            "document.querySelector('[data-upload] [role=status]'), {childList: true}); }"
        )
        window.get_by_label("A web archive (WARC or WACZ)").set_input_files(file)
        window.get_by_role("button", name="Bring it").click()
        window.get_by_text("3 versions, 2018-01-01 to 2021-01-01; 2 changes").wait_for()
        seen = window.evaluate("window.seen")
        assert any(one and one.endswith("% sent") for one in seen), seen
        assert "Reading the archive…" in seen
        window.get_by_text("Captures of other addresses: 31").wait_for()
        window.get_by_role("link", name=URL).click()
        window.get_by_text("brought from an archive").first.wait_for()
        assert troubles == []


class TestLimits:
    @pytest.fixture
    def program(self, tmp_path: Path) -> Iterator[TestClient]:
        settings = read_settings({"data": str(tmp_path), "user": "jill"}, environment={})
        with opened(settings) as knowledge:
            yield program_of(create_application(knowledge, settings), knowledge, "jill", scope="write")

    def test_an_archive_may_be_larger_than_other_bodies_up_to_a_limit(
        self, program: TestClient, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(bodies, "FROM_THE_KNOWN", 150_000)
        monkeypatch.setattr(bodies, "FROM_ARCHIVES", 400_000)
        large = record(os.urandom(300_000))
        assert program.post("/api/v1/archive", content=large).status_code == 200
        assert program.post("/api/v1/archive", content=large * 2).status_code == 413
        assert program.post("/api/v1/check", content=large).status_code == 413

    def test_one_archive_is_read_at_a_time(self, program: TestClient):
        with archives._reading:
            assert program.post("/api/v1/archive", content=record()).status_code == 503
        assert program.post("/api/v1/archive", content=record()).status_code == 200
