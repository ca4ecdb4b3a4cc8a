"""`webvigil versions`, `compare` and `collect` work on a stored page (R1, R6, U3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.store.making import checked, claim_all, sentinel
from tests.whole.serving import webvigil
from webvigil.app.pages.documents import signature_of
from webvigil.model.version import Answer
from webvigil.model.work import NewVersion
from webvigil.store.objects.directory import Directory
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

URL = "http://site.test/prices"


class Clock:
    now = 1_762_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def data(tmp_path: Path) -> str:
    """Returns a page with three versions that are a day apart."""
    clock = Clock()
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'webvigil.sqlite3'}", clock=clock)
    knowledge.users.add("me", role="admin")
    text = f"Create Sentinel s1 Using {URL} Monitor any change"
    knowledge.sentinels.add(sentinel("s1", URL, user="me", text=text))
    pages = PageRepository(Directory(tmp_path / "objects"))
    before = ""
    for number in (1, 2, 3):
        body = f"<p>Price {number}</p><a href=/{number}>link</a><p>{'same words ' * 200}".encode()
        answer = Answer(url=URL, status=200, headers=(("Content-Type", "text/html"),), body=body)
        kept = pages.keep(answer, after=before)
        before = kept.object
        new = NewVersion(
            number=number,
            url=URL,
            status=200,
            signature=signature_of(answer),
            object=kept.object,
            size=len(body),
            base=kept.base,
            stored=kept.stored,
        )
        (claim,) = claim_all(knowledge)
        assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new)])
        clock.now += 24 * 3_600_000
    knowledge.close()
    return str(tmp_path)


def test_versions_are_compared_by_number(data: str):
    done = webvigil("compare", URL, "1", "3", "--monitor", "all links", "--data", data)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[1:] == [
        "  - link: http://site.test/1 (1 → 0)  /html/body/a",
        "  + link: http://site.test/3 (0 → 1)  /html/body/a",
    ]


def test_the_last_two_are_compared_by_themselves_and_as_json(data: str):
    done = webvigil("compare", URL, "--json", "--data", data)
    assert done.returncode == 1
    findings = json.loads(done.stdout)["findings"]
    assert "Price" not in findings[0]["objects"][0]["object"]
    assert json.loads(done.stdout)["changed"]


def test_versions_are_named_by_time_and_the_changes_written_as_a_page(data: str, tmp_path: Path):
    file = tmp_path / "changes.html"
    done = webvigil(
        "compare", URL, "2025-11-01 23:00", "2025-11-02 23:00", "-o", str(file), "--plain", "--data", data
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert "<del" in file.read_text("utf-8")
    same = webvigil("compare", URL, "latest", "now", "--data", data)
    assert (same.returncode, same.stdout) == (0, "any change: no change\n")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((URL, "7"), 1, "the page has no version 7; there are 1 to 3"),
        (("http://nobody.test/",), 1, "no sentinel of me watches http://nobody.test/"),
        ((URL, "soon"), 2, "'soon' is no version"),
        ((URL, "1", "2", "-o", "x.pdf"), 2, "write to a file that ends in"),
        ((URL, "1", "2", "--monitor", "all lincs"), 2, "--monitor: line 1"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_line(
    data: str, arguments: tuple[str, ...], code: int, told: str
):
    done = webvigil("compare", *arguments, "--data", data)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_what_nobody_needs_is_collected(data: str):
    dry = webvigil("collect", "--dry-run", "--json", "--data", data, WEBVIGIL_KEEP_VERSIONS="1")
    assert json.loads(dry.stdout) == {
        "dry_run": True,
        "pages": 1,
        "versions": 2,
        "objects": 0,
        "digests": 0,
        "left_over": 0,
        "looks": 2,
        "notices": 0,
        "events": 1,
        "abandoned": 0,
        "sentinels": 0,
    }
    done = webvigil("collect", "--data", data, WEBVIGIL_KEEP_VERSIONS="1")
    assert done.stdout.startswith("Removed 2 of the versions of 1 pages (0 objects)"), done.stderr
    listed = webvigil("versions", URL, "--json", "--data", data)
    assert [one["number"] for one in json.loads(listed.stdout)] == [3]
    left = webvigil("compare", URL, "2", "--data", data)
    assert "no version 2; there are 3" in left.stderr
