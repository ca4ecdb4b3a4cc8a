"""A web archive becomes the past of a watched page: versions, changes, search and values know it, and only
the user who brought it sees it."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from warcio.archiveiterator import ArchiveIterator

from tests.app.moving.kept import Clock
from tests.app.moving.old_archive import CAPTURES, URL, page, with_revisit, write
from tests.site import Site
from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of, program_of
from webvigil.app.moving.archives import write_archive
from webvigil.app.moving.captures import Chosen
from webvigil.app.moving.past import Brought, BroughtPage, _watched, bring_past, forget_past
from webvigil.app.moving.records import heads
from webvigil.app.moving.sources import Pointer, Unreadable, opened_source
from webvigil.app.operating.stores import opened, repository
from webvigil.app.pages.collector import Collector
from webvigil.app.pages.evidence import evidence_of
from webvigil.app.pages.retention import Policy
from webvigil.app.pages.view import seen_page
from webvigil.app.sentinels.values import values_of
from webvigil.app.settings import Settings, read_settings
from webvigil.cli.main import webvigil
from webvigil.errors import DocumentRefused, NotFound, SentinelRefused
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.model.wanted import FROM_THE_PAST_ON, WantedChanges
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects import open_objects
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.web.application import create_application

TEXT = f'Create Sentinel lamp Using {URL} Monitor value css ".price"'


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    values = {"data": str(tmp_path / "data"), "user": "jill", "host_delay": "0"}
    return read_settings(values | {"allow_networks": "127.0.0.0/8"}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    """Yields a store in which Jill and Kim watch the lamp. Its price was 30 at the first look, in 2025."""
    with opened(settings):
        pass
    with closing(SqlKnowledge(settings.database_url, clock=Clock())) as made:
        made.users.add("kim")
        for user in ("jill", "kim"):
            made.sentinels.add(sentinel("lamp", URL, user=user, text=TEXT))
        (claim,) = claim_all(made)
        answer = Answer(url=URL, status=200, headers=(("Content-Type", "text/html"),), body=page(30))
        kept = repository(settings, made.versions).keep(answer)
        version = replace(new_version(1), url=URL, object=kept.object, size=len(answer.body))
        made.schedule.finish(claim, [checked(claim, claim.pages[0], version=version)])
        yield made


def brought(
    knowledge: Knowledge, settings: Settings, file: Path, captures: str = "", **more: bool
) -> Brought:
    with opened_source(file, settings, captures) as source:
        return bring_past(knowledge, settings, source, **more)


def bodies(knowledge: Knowledge, settings: Settings, user: str | None = "jill") -> list[bytes]:
    versions = seen_page(knowledge, settings, user, 1).versions()
    return [repository(settings, knowledge.versions).answer(one.object).body for one in reversed(versions)]


@pytest.mark.parametrize("name", ["old.warc.gz", "old.warc"])
def test_captures_become_versions_in_the_order_of_time(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, name: str
):
    done = brought(knowledge, settings, write(tmp_path / name))
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]
    (one,) = done.pages
    assert (one.versions, one.unchanged, one.not_pages, done.others) == (3, 1, 1, 1)
    versions = seen_page(knowledge, settings, "jill", 1).versions()
    assert [one.number for one in versions] == [1, -1, -2, -3]
    assert versions[-1].fetched_at.isoformat() == "2018-01-01T00:00:00+00:00"


def test_changes_of_the_past_are_found_searched_and_drawn(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    found = knowledge.changes.some(WantedChanges(user="jill", after=FROM_THE_PAST_ON))
    assert [(one.old_version, one.new_version, one.found_at.year, one.seen) for one in found] == [
        (-1, 1, 2025, True),
        (-2, -1, 2021, True),
        (-3, -2, 2019, True),
    ]
    assert [one.id for one in knowledge.search.find("jill", "30")] == [found[0].id]
    assert [one.id for one in knowledge.search.find("jill", "8")] == [found[2].id]
    series = values_of(knowledge.changes, knowledge.versions, knowledge.sentinels.get("jill", "lamp"))
    assert series
    assert [(one.at.year, int(one.number)) for one in series.steps] == [
        (2018, 8),
        (2019, 10),
        (2021, 25),
        (2025, 30),
    ]


def test_nobody_is_told_of_the_past(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    assert knowledge.changes.all("jill") == []
    assert knowledge.changes.count(WantedChanges(user="jill", seen=False, after=FROM_THE_PAST_ON)) == 0
    assert knowledge.outbox.all("jill") == []
    assert knowledge.versions.of(1)[0].number == 1


def test_only_who_brought_it_sees_it(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    assert bodies(knowledge, settings, "kim") == [page(30)]
    seen = seen_page(knowledge, settings, "kim", 1)
    with pytest.raises(NotFound):
        seen.version(-1)
    assert seen.some() == seen.versions()
    assert knowledge.changes.some(WantedChanges(user="kim", after=FROM_THE_PAST_ON)) == []
    kim = replace(settings, user="kim")
    brought(knowledge, kim, with_revisit(tmp_path / "kim.warc.gz"))
    assert bodies(knowledge, settings, "kim") == [page(8), page(9), page(8), page(30)]
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]


def test_pieces_of_the_history_go_over_into_the_past(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    seen = seen_page(knowledge, settings, "jill", 1)
    assert seen.count() == 4
    assert [one.number for one in seen.some(limit=2)] == [1, -1]
    assert [one.number for one in seen.some(before=-1, limit=2)] == [-2, -3]
    assert [one.number for one in seen.some(oldest_first=True, limit=2)] == [-3, -2]
    assert [one.number for one in seen.some(after=-2, oldest_first=True)] == [-1, 1]
    in_2020 = versions = knowledge.versions.get(1, -2)
    assert seen.some(until=in_2020.fetched_at.replace(year=2020), limit=1) == [versions]


def test_content_that_a_record_only_points_to_is_found(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, with_revisit(tmp_path / "r.warc.gz"))
    assert bodies(knowledge, settings)[:3] == [page(8), page(9), page(8)]


def test_what_is_not_older_than_our_first_look_is_left_out_and_told(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    late = ("2026-06-01T00:00:00Z", URL, 200, page(99))
    done = brought(knowledge, settings, write(tmp_path / "old.warc.gz", [*CAPTURES, late]))
    assert done.pages[0].later == 1
    assert page(99) not in bodies(knowledge, settings)


def test_a_second_import_is_refused_or_replaces_the_first(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    file = write(tmp_path / "old.warc.gz")
    brought(knowledge, settings, file)
    with pytest.raises(SentinelRefused, match="again"):
        brought(knowledge, settings, file)
    brought(knowledge, settings, file, again=True)
    assert len(knowledge.changes.some(WantedChanges(user="jill", after=FROM_THE_PAST_ON))) == 3
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]
    assert forget_past(knowledge, settings, 1) == 3
    assert bodies(knowledge, settings) == [page(30)]
    assert knowledge.changes.some(WantedChanges(user="jill", after=FROM_THE_PAST_ON)) == []


def test_of_several_pages_none_is_brought_if_one_has_a_past(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    other = "http://elsewhere.test/"
    knowledge.sentinels.add(
        sentinel("other", other, user="jill", text=f"Create Sentinel other Using {other}")
    )
    brought(knowledge, settings, write(tmp_path / "lamp.warc.gz", [one for one in CAPTURES if one[1] == URL]))
    before = list(open_objects(settings.objects_url).keys())
    both = write(tmp_path / "both.warc.gz", [CAPTURES[2], *CAPTURES])
    for dry_run in (True, False):
        with pytest.raises(SentinelRefused, match=r"site\.test/lamp has a past already"):
            brought(knowledge, settings, both, dry_run=dry_run)
    assert knowledge.pasts.of(2, "jill") == []
    assert list(open_objects(settings.objects_url).keys()) == before
    assert {one.url for one in brought(knowledge, settings, both, again=True).pages} == {URL, other}


def test_an_archive_without_anything_to_bring_leaves_the_past_that_is_there(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    gone = write(tmp_path / "gone.warc.gz", [("2019-03-01T00:00:00Z", URL, 404, b"gone")])
    done = brought(knowledge, settings, gone, again=True)
    assert done.pages[0].versions == 0
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]


def test_a_dry_run_writes_nothing(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    before = list(open_objects(settings.objects_url).keys())
    done = brought(knowledge, settings, write(tmp_path / "old.warc.gz"), dry_run=True)
    assert done.pages[0].versions == 3
    assert bodies(knowledge, settings) == [page(30)]
    assert list(open_objects(settings.objects_url).keys()) == before


def test_the_collector_leaves_the_past_alone(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    strict = Policy(versions=1, days=1, bytes=1, log_days=1)
    in_years = knowledge.versions.get(1, 1).fetched_at.replace(year=2090)
    Collector(knowledge, open_objects(settings.objects_url), strict, now=lambda: in_years).collect()
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]


# --- what is told of an import ------------------------------------------------------------------------


class Told:
    """A source of captures that are told one by one, with what each answers."""

    def __init__(self, *captures: Pointer | Unreadable) -> None:
        self._captures = captures
        self.asked: list[datetime] = []

    def pointers(self, _: Any = None) -> Iterator[Pointer | Unreadable]:
        yield from self._captures

    def answer(self, pointer: Pointer) -> Answer:
        self.asked.append(pointer.at)
        if pointer.place is None:
            raise DocumentRefused("it is lost")
        headers = (("Content-Type", "text/html"),)
        return Answer(url=pointer.url, status=pointer.status, headers=headers, body=page(pointer.place))


def capture(year: int, price: int | None, status: int = 200, payload: str = "", url: str = URL) -> Pointer:
    at = datetime(year, 5, 6, 7, 8, 9, tzinfo=UTC)
    return Pointer(url=url, at=at, status=status, place=price, payload=payload)


def test_each_capture_is_counted_for_what_it_is(knowledge: Knowledge, settings: Settings):
    first = seen_page(knowledge, settings, "jill", 1).versions()[0]
    source = Told(
        Unreadable("x.warc, byte 7: it is cut off"),
        capture(2015, 9, 300),
        capture(2014, 8, 299),
        capture(2013, 7, 200, "A"),
        capture(2012, 6, 199),
        capture(2016, 9, 200, "B"),
        capture(2017, 5, 200, "B"),
        capture(2018, 9, 200, "C"),
        capture(2019, None, 200, "D"),
        capture(2020, 9, 200, "C"),
        capture(2021, 4),
        capture(2022, 3),
        capture(2010, 1, url="http://elsewhere.test/"),
        capture(2010, 1, url="http://[broken/"),
        replace(capture(2010, 1), at=first.fetched_at),
        replace(capture(2010, 2), at=first.fetched_at - timedelta(seconds=1)),
    )
    done = bring_past(knowledge, settings, source)
    assert done == Brought(
        pages=[
            BroughtPage(
                id=1,
                url=URL,
                versions=6,
                changes=6,
                unchanged=3,
                later=1,
                not_pages=2,
                oldest=datetime(2013, 5, 6, 7, 8, 9, tzinfo=UTC),
                newest=first.fetched_at - timedelta(seconds=1),
            )
        ],
        others=2,
        troubles=["x.warc, byte 7: it is cut off", f"{URL} of 2019-05-06 07:08:09: it is lost"],
    )
    assert [at.year for at in source.asked[:-1]] == [2013, 2014, 2016, 2018, 2019, 2021, 2022]
    brought = knowledge.pasts.of(1, "jill")
    assert sorted((one.fetched_at.year, one.status) for one in brought)[:5] == [
        (2013, 200),
        (2014, 299),
        (2016, 200),
        (2021, 200),
        (2022, 200),
    ]
    assert {one.size for one in brought} == {len(page(7))}
    found = knowledge.changes.some(WantedChanges(user="jill", after=FROM_THE_PAST_ON))
    assert [(one.old_version, one.new_version) for one in found] == [
        (-1, 1),
        (-2, -1),
        (-3, -2),
        (-4, -3),
        (-5, -4),
        (-6, -5),
    ]


def test_a_thousand_troubles_are_named_and_the_others_counted(knowledge: Knowledge, settings: Settings):
    done = bring_past(knowledge, settings, Told(*(Unreadable(str(number)) for number in range(1002))))
    assert done.troubles == [str(number) for number in range(1000)]
    assert (done.untold, done.pages, done.others) == (2, [], 0)


@pytest.mark.parametrize(
    ("number", "named"),
    [
        (1, "{0} has"),
        (2, "{0}, {1} have"),
        (3, "{0}, {1}, {2} have"),
        (4, "{0}, {1}, {2} and 1 more have"),
        (5, "{0}, {1}, {2} and 2 more have"),
    ],
)
def test_pages_with_a_past_are_named(knowledge: Knowledge, settings: Settings, number: int, named: str):
    urls = [f"http://site.test/{one}" for one in range(number)]
    for name, url in enumerate(urls):
        text = f"Create Sentinel s{name} Using {url}"
        knowledge.sentinels.add(sentinel(f"s{name}", url, user="jill", text=text))
    source = Told(*(capture(2015, 9, url=url) for url in urls))
    bring_past(knowledge, settings, source)
    with pytest.raises(SentinelRefused) as refused:
        bring_past(knowledge, settings, source)
    assert str(refused.value) == (
        f"{named.format(*urls)} a past already; it is replaced only if you ask for it (again)"
    )


def test_only_the_page_that_is_asked_for_gets_a_past(knowledge: Knowledge, settings: Settings):
    other = "http://site.test/other"
    knowledge.sentinels.add(
        sentinel("both", other, URL, user="jill", text=f"Create Sentinel both Using {other}, {URL}")
    )
    source = Told(capture(2015, 9), capture(2015, 9, url=other))
    done = bring_past(knowledge, settings, source, page=other)
    assert ([one.url for one in done.pages], done.others) == ([other], 1)


def test_answers_of_forms_have_no_past(knowledge: Knowledge, settings: Settings):
    pages = (
        Page(url="http://site.test/a", method="POST"),
        Page(url="http://site.test/b", fields=(("q", "tea"),)),
        Page(url="http://site.test/c"),
    )
    made = replace(
        sentinel("forms", user="jill", text="Create Sentinel forms Using http://a.test"), pages=pages
    )
    knowledge.sentinels.add(made)
    source = Told(*(capture(2015, 9, url=f"http://site.test/{name}") for name in "abc"))
    done = bring_past(knowledge, settings, source)
    assert ([one.url for one in done.pages], done.others) == (["http://site.test/c"], 2)


# --- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["old.warc.gz", "old.warc"])
def test_damaged_records_are_named_and_the_rest_is_brought(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, name: str
):
    file = write(tmp_path / name)
    content = bytearray(file.read_bytes())
    if name.endswith(".gz"):
        with file.open("rb") as stream:
            second = [one.offset for one in heads(stream)][2]
        content[second + 20 : second + 40] = b"\xff" * 20
    else:
        second = content.rindex(b"WARC/1.0\r\n", 0, content.index(b"WARC-Date: 2018"))
        content[second : second + 20] = b"\xff" * 20
    file.write_bytes(content)
    done = brought(knowledge, settings, file)
    assert len(done.troubles) == 1
    assert done.troubles[0].startswith(f"{name}, byte {second:,}: ")
    assert bodies(knowledge, settings) == [page(10), page(25), page(30)]


@pytest.mark.parametrize("name", ["old.warc.gz", "old.warc"])
def test_a_file_that_is_cut_off_gives_what_is_whole(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, name: str
):
    file = write(tmp_path / name)
    file.write_bytes(file.read_bytes()[:-40])
    done = brought(knowledge, settings, file)
    assert "cut off" in done.troubles[0]
    assert bodies(knowledge, settings) == [page(8), page(10), page(30)]


def test_content_that_is_not_what_its_checksum_says_is_named(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    file = write(tmp_path / "old.warc")
    other = re.sub(rb"(?<=sha1:)[A-Z2-7]", lambda one: b"B" if one[0] == b"A" else b"A", file.read_bytes())
    file.write_bytes(other)
    done = brought(knowledge, settings, file)
    assert any("checksum" in one for one in done.troubles)


def test_no_garbage_hurts(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    chance = random.Random(7)
    good = write(tmp_path / "old.warc.gz").read_bytes()
    file = tmp_path / "bad.warc.gz"
    for _ in range(60):
        content = bytearray(good)
        for _ in range(chance.randrange(1, 30)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        file.write_bytes(content[: chance.randrange(len(content))] if chance.random() < 0.3 else content)
        try:
            brought(knowledge, settings, file, dry_run=True)
        except DocumentRefused:
            continue


def test_what_is_no_archive_is_refused(settings: Settings, tmp_path: Path):
    (tmp_path / "x.warc.gz").write_bytes(b"no archive at all")
    with (
        pytest.raises(DocumentRefused, match="no WARC, WACZ or CDX"),
        opened_source(tmp_path / "x.warc.gz", settings),
    ):
        pass
    (tmp_path / "x.wacz").write_bytes(b"PK no ZIP")
    with pytest.raises(DocumentRefused, match="no WACZ"), opened_source(tmp_path / "x.wacz", settings):
        pass


# --- other files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_file_is_read_in_place_or_opened(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, packed: int
):
    inner = write(tmp_path / "data.warc.gz").read_bytes()
    with zipfile.ZipFile(tmp_path / "x.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/data.warc.gz", inner, compress_type=packed)
    brought(knowledge, settings, tmp_path / "x.wacz")
    assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]


def test_what_we_wrote_we_read_again(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    for kind in ("warc", "wacz"):
        with (tmp_path / f"ours.{kind}").open("wb") as file:
            write_archive(knowledge, settings, Chosen(user="jill"), kind, file)
        forget_past(knowledge, settings, 1)
        done = brought(knowledge, settings, tmp_path / f"ours.{kind}")
        assert done.troubles == []
        assert bodies(knowledge, settings) == [page(8), page(10), page(25), page(30)]


SERVER_LINES = (
    "test,site)/lamp 20180101000000 http://site.test/lamp text/html 200 AAAA 512\n"
    "test,site)/lamp 20190301000000 http://site.test/lamp text/html 200 BBBB 512\n"
    "test,site)/lamp 20200101000000 http://site.test/lamp text/html 301 CCCC 512\n"
)
SERVER_JSON = json.dumps(
    [
        ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"],
        ["test,site)/lamp", "20180101000000", URL, "text/html", "200", "AAAA", "512"],
        ["test,site)/lamp", "20190301000000", URL, "text/html", "200", "BBBB", "512"],
    ]
).replace("], [", "],\n[")


@pytest.mark.parametrize("listed", [SERVER_LINES, SERVER_JSON])
def test_a_list_of_the_wayback_machine_with_a_folder_of_captures(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, listed: str
):
    (tmp_path / "list.cdx").write_text(listed)
    folder = tmp_path / "captures"
    folder.mkdir()
    (folder / "20180101000000.html").write_bytes(page(8))
    (folder / "lamp-20190301000000").write_bytes(page(10))
    brought(knowledge, settings, tmp_path / "list.cdx", str(folder))
    assert bodies(knowledge, settings) == [page(8), page(10), page(30)]


def test_captures_are_asked_of_a_web_archive(
    knowledge: Knowledge, settings: Settings, tmp_path: Path, site: Site
):
    (tmp_path / "list.cdx").write_text(SERVER_LINES)
    first = site.page(f"/web/20180101000000id_/{URL}", page(8).decode())
    home = first.url.partition("/20180101")[0]
    done = brought(knowledge, settings, tmp_path / "list.cdx", home)
    assert bodies(knowledge, settings) == [page(8), page(30)]
    assert done.pages[0].not_pages == 1
    assert len(done.troubles) == 1
    assert "the archive does not send it" in done.troubles[0]


def test_a_list_with_places_in_warc_files(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    file = with_revisit(tmp_path / "r.warc.gz")
    content = file.read_bytes()
    places = [at for at in range(len(content)) if content.startswith(b"\x1f\x8b\x08", at)]
    lines = [
        f"test,site)/lamp {stamp} "
        + json.dumps({"url": URL, "mime": mime, "status": "200", "digest": digest, "offset": str(at)} | name)
        for stamp, mime, digest, at, name in zip(
            ("20180101000000", "20190101000000", "20200101000000"),
            ("text/html", "text/html", "warc/revisit"),
            ("A", "B", "A"),
            places,
            [{"filename": "r.warc.gz"}] * 3,
            strict=True,
        )
    ]
    (tmp_path / "list.cdxj").write_text("\n".join(lines))
    brought(knowledge, settings, tmp_path / "list.cdxj")
    assert bodies(knowledge, settings) == [page(8), page(9), page(8), page(30)]


# --- commands, API and dashboard --------------------------------------------------------------------


def run(*words: str) -> Result:
    return CliRunner().invoke(webvigil, words)


def test_commands_know_the_past(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    store = ("--data", str(settings.data), "--user", "jill")
    file = str(write(tmp_path / "old.warc.gz"))
    assert (
        "3 versions would be its past, 2018-01-01 to 2021-01-01\n"
        in run("import", file, "--dry-run", *store).output
    )
    assert "3 versions are its past" in run("import", file, *store).output
    assert "2018-01-01" in run("versions", URL, *store).output
    assert "10 → 25" in run("compare", URL, "-2", "-1", *store).output
    assert "8 → 30" in run("compare", URL, "2018-06-01", "latest", *store).output
    assert "8 EUR → 10 EUR" in run("changes", *store).output
    assert "10 EUR → 25 EUR" in run("search", "25", *store).output
    assert "has a past already" in str(run("import", file, *store).exception)
    assert "3 versions are its past" in run("import", file, "--again", "--page", URL, *store).output


def test_the_api_and_the_dashboard_show_the_past(knowledge: Knowledge, settings: Settings, tmp_path: Path):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    application = create_application(knowledge, settings)
    program = program_of(application, knowledge, "jill", scope="read")
    numbers = [one["number"] for one in program.get("/api/v1/pages/1/versions").json()]
    assert numbers == [1, -1, -2, -3]
    assert program.get("/api/v1/pages/1/versions/-3/body").content == page(8)
    assert program.get("/api/v1/pages/1/compare", params={"a": "-3", "b": "-2"}).json()["changed"]
    changes = program.get("/api/v1/changes", params={"limit": 2}).json()
    assert len(changes) == 2
    older = program.get("/api/v1/changes", params={"limit": 2, "before": changes[-1]["id"]}).json()
    assert [one["id"] < changes[-1]["id"] for one in older] == [True]
    assert program.get(f"/api/v1/changes/{older[0]['id']}").json()["new_version"] == -2
    assert program.get("/api/v1/changes", params={"after": 0}).json() == []
    browser = browser_of(application, knowledge, "jill")
    shown = browser.get("/pages/1").text
    assert shown.count("brought from an archive") == 3
    assert shown.count("/evidence") == 1
    assert "archive?format=wacz" in shown
    assert "2019" in browser.get(f"/changes/{older[0]['id']}").text
    for shown in ("/inbox", "/sentinels/lamp"):
        assert f'href="/changes/{older[0]["id"]}"' in browser.get(shown).text
    assert browser.get("/pages/1/compare", params={"a": "-3", "b": "1"}).status_code == 200
    kim = program_of(application, knowledge, "kim", scope="read")
    assert kim.get("/api/v1/pages/1/versions/-3/body").status_code == 404
    assert kim.get(f"/api/v1/changes/{older[0]['id']}").status_code == 404


def test_nothing_is_testified_that_this_server_did_not_see(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    with pytest.raises(DocumentRefused, match="cannot testify"):
        evidence_of(
            knowledge, settings, repository(settings, knowledge.versions), knowledge.versions.get(1, -1)
        )
    program = program_of(create_application(knowledge, settings), knowledge, "jill", scope="read")
    assert 400 <= program.get("/api/v1/pages/1/versions/-1/evidence").status_code < 500
    file = io.BytesIO()
    write_archive(knowledge, settings, Chosen(user="jill"), "warc", file)
    file.seek(0)
    records = [(one.rec_type, one.content_stream().read()) for one in ArchiveIterator(file)]
    assert [kind for kind, _ in records].count("request") == 1
    assert sum(b"webvigil-imported: from another archive" in content for _, content in records) == 3


def test_bodies_are_kept_as_browsers_would_read_them(
    knowledge: Knowledge, settings: Settings, tmp_path: Path
):
    brought(knowledge, settings, write(tmp_path / "old.warc.gz"))
    answer = repository(settings, knowledge.versions).answer(knowledge.versions.get(1, -1).object)
    assert answer.header("Content-Encoding") is None
    assert answer.content_type == "text/html"


@pytest.mark.parametrize(
    ("method", "fields", "found"),
    [
        ("GET", (), ["lamp.example/stock"]),
        ("POST", (), []),
        ("GET", (("a", "1"),), []),
        ("POST", (("a", "1"),), []),
    ],
)
def test_the_past_of_what_was_sent_is_not_told_apart(
    settings: Settings, method: Any, fields: tuple[tuple[str, str], ...], found: list[str]
):
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    target = Page(url="https://lamp.example/stock", method=method, fields=fields)
    made.sentinels.add(replace(sentinel("stock"), pages=(target,)))
    assert [*_watched(made, settings, None)] == found
