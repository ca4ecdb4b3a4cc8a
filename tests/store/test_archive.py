"""Backup and restore: everything comes back on any database, and a damaged or foreign file is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from tests.store.making import checked, claim_all, new_change, new_version, notice, sentinel
from webvigil.errors import ObjectLost, StoreRefused
from webvigil.model.discovery import WantedServices
from webvigil.model.past import PastVersion
from webvigil.model.version import Answer
from webvigil.model.work import HostAfter
from webvigil.store.archive import MANIFEST, back_up, restore, verify
from webvigil.store.migrate import HEAD
from webvigil.store.objects.directory import Directory
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import version


def fill(knowledge: SqlKnowledge) -> None:
    knowledge.users.add("jill", role="admin")
    knowledge.users.set_password("jill", "$hash")
    knowledge.sentinels.add(sentinel("s1", "http://a.test/ä", topic="press"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    knowledge.outbox.add(notice("n1"))
    knowledge.logins.put("jill", "http://a.test/", "sealed")


def answer(body: bytes) -> Answer:
    return Answer(url="http://a.test/", status=200, headers=(), body=body)


def objects() -> MemoryObjects:
    made = MemoryObjects()
    for number in range(5):
        made.put(f"{number:02x}{'ab' * 19}", bytes([number]) * 1000)
    return made


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}")
    fill(knowledge)
    back_up(knowledge.database, objects(), tmp_path / "backup.zip")
    knowledge.close()
    return tmp_path / "backup.zip"


def test_everything_comes_back(database_url: str, tmp_path: Path):
    knowledge = SqlKnowledge(database_url)
    fill(knowledge)
    before = seen(knowledge)
    made = back_up(knowledge.database, objects(), tmp_path / "b.zip")
    assert verify(tmp_path / "b.zip") == made
    assert made.objects == 5
    knowledge.close()
    place = f"sqlite:///{tmp_path / 'second.sqlite3'}"
    target = MemoryObjects()
    with closing(Database(place)) as empty:
        assert restore(empty, target, tmp_path / "b.zip") == made
    again = SqlKnowledge(place)
    assert seen(again) == before
    assert contents(target) == contents(objects())
    assert again.sentinels.add(sentinel("s2"))[0].id > before[0][0].id, "ids go on where they were"
    again.close()


def versions_with_objects(knowledge: SqlKnowledge, kept: MemoryObjects, *, in_row: bool = False) -> list[str]:
    """Stores three versions of a page, the second and third relative to the first, and returns their keys.
    With `in_row`, small deltas are in the rows of the versions."""
    knowledge.users.add("jill", role="admin")
    knowledge.sentinels.add(sentinel("s1", "http://a.test/ä"))
    pages, keys = PageRepository(kept, knowledge.versions.deltas), [""]
    words = b" ".join(str(n * n).encode() for n in range(400))
    for number in (1, 2, 3):
        made = pages.keep(answer(words + str(number).encode()), after=keys[-1], in_row=in_row)
        keys.append(made.object)
        (page,) = (one.pages[0].id for one in knowledge.sentinels.all())
        knowledge.schedule.ask(page)
        (claim,) = claim_all(knowledge, lease=0)
        new = replace(new_version(number), object=made.object, base=made.base, delta=made.delta)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new)], HostAfter(rest=0))
    return keys[1:]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("which", "harm", "lost"),
    [
        (2, "missing", ["3: object {2} is missing"]),
        (0, "missing", ["1: object {0} is missing", "2: object {0} is missing", "3: object {0} is missing"]),
        (2, "damaged", ["3: object {2} is damaged"]),
    ],
)
def test_versions_that_are_lost_are_named(
    database_url: str, tmp_path: Path, which: int, harm: str, lost: list[str]
):
    knowledge, kept = SqlKnowledge(database_url), MemoryObjects()
    keys = versions_with_objects(knowledge, kept)
    assert back_up(knowledge.database, kept, tmp_path / "fine.zip").lost == ()
    data = kept.get(keys[which])
    kept.delete([keys[which]])
    if harm == "damaged":
        kept.put(keys[which], data[:-1])
    made = back_up(knowledge.database, kept, tmp_path / "b.zip")
    url = knowledge.versions.page(knowledge.sentinels.all()[0].pages[0].id).url
    knowledge.close()
    assert list(made.lost) == [f"{url}, version {one.format(*keys)}" for one in lost]
    assert verify(tmp_path / "b.zip") == made
    place = Database(f"sqlite:///{tmp_path / 'second.sqlite3'}")
    assert restore(place, MemoryObjects(), tmp_path / "b.zip") == made
    place.close()


def test_deltas_in_rows_come_back_and_damaged_ones_are_named(database_url: str, tmp_path: Path):
    knowledge, kept = SqlKnowledge(database_url), MemoryObjects()
    keys = versions_with_objects(knowledge, kept, in_row=True)
    assert list(kept.keys()) == keys[:1]
    pages = PageRepository(kept, knowledge.versions.deltas)
    bodies = [pages.answer(key).body for key in keys]
    made = back_up(knowledge.database, kept, tmp_path / "fine.zip")
    assert (made.lost, made.objects) == ((), 1)
    url = knowledge.versions.page(knowledge.sentinels.all()[0].pages[0].id).url
    for harm in (version.c.delta + "AAAA", "%%%", "a"):
        with knowledge.database.write() as connection:
            mine = version.c.object == keys[1]
            connection.execute(update(version).where(mine).values(delta=harm))
        lost = [f"{url}, version {number}: object {keys[1]} is damaged" for number in (2, 3)]
        made = back_up(knowledge.database, kept, tmp_path / "b.zip")
        assert sorted(made.lost) == sorted(verify(tmp_path / "b.zip").lost) == lost
        with pytest.raises(ObjectLost):
            pages.answer(keys[2])
    knowledge.close()
    place, target = f"sqlite:///{tmp_path / 'second.sqlite3'}", MemoryObjects()
    with closing(Database(place)) as empty:
        assert restore(empty, target, tmp_path / "fine.zip").lost == ()
    again = SqlKnowledge(place)
    pages = PageRepository(target, again.versions.deltas)
    assert [pages.answer(key).body for key in keys] == bodies
    again.close()


def contents(store: MemoryObjects) -> list[tuple[str, bytes]]:
    return [(key, store.get(key)) for key in sorted(store.keys())]


def test_a_backup_moves_from_one_kind_of_database_to_the_other(bare_url: str, backup: Path):
    database = Database(bare_url)
    restore(database, MemoryObjects(), backup)
    database.close()
    knowledge = SqlKnowledge(bare_url)
    assert [one.name for one in knowledge.sentinels.all()] == ["s1"]
    assert len(knowledge.search.find("jill", "s1")) == 1
    knowledge.sentinels.add(sentinel("s2"))
    assert len(claim_all(knowledge)) == 1
    knowledge.close()


def seen(knowledge: SqlKnowledge) -> tuple[object, ...]:
    page = knowledge.sentinels.all()[0].pages[0].id
    return (
        knowledge.sentinels.all(),
        knowledge.users.all(),
        knowledge.users.password("jill"),
        knowledge.changes.all(),
        knowledge.versions.of(page),
        knowledge.journal.fetch_log(page),
        knowledge.logins.all("jill"),
        knowledge.journal.counts(),
        knowledge.search.find("jill", "x"),
    )


def test_a_store_in_use_is_not_overwritten(tmp_path: Path, backup: Path):
    place = f"sqlite:///{tmp_path / 'full.sqlite3'}"
    knowledge = SqlKnowledge(place)
    knowledge.users.add("jack")
    knowledge.sentinels.add(sentinel("mine", user="jack"))
    with pytest.raises(StoreRefused, match="sentinels already"):
        restore(knowledge.database, MemoryObjects(), backup)
    assert [one.name for one in knowledge.sentinels.all()] == ["mine"]
    knowledge.close()


def test_a_store_that_was_only_opened_is_empty(tmp_path: Path, backup: Path):
    place = f"sqlite:///{tmp_path / 'opened.sqlite3'}"
    knowledge = SqlKnowledge(place)
    knowledge.users.add("me", role="admin")
    knowledge.close()
    database = Database(place)
    restore(database, MemoryObjects(), backup)
    database.close()
    with closing(SqlKnowledge(place)) as again:
        assert [user.name for user in again.users.all()] == ["jill"]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_damaged_file_is_refused_and_nothing_is_written(
    tmp_path_factory: pytest.TempPathFactory, backup: Path, place: float, bit: int
):
    content = bytearray(backup.read_bytes())
    content[int(place * len(content))] ^= 1 << bit
    folder = tmp_path_factory.mktemp("damaged")
    damaged = folder / "b.zip"
    damaged.write_bytes(content)
    target = MemoryObjects()
    database = Database(f"sqlite:///{folder / 'new.sqlite3'}")
    try:
        restore(database, target, damaged)
    except StoreRefused:
        assert list(target.keys()) == []
    else:
        knowledge = SqlKnowledge(f"sqlite:///{folder / 'new.sqlite3'}")
        assert [one.name for one in knowledge.sentinels.all()] == ["s1"], "a bit that nobody reads"
        knowledge.close()
    database.close()
    shutil.rmtree(folder)


def test_a_bit_turned_over_in_what_is_said_of_a_part_is_never_a_surprise(tmp_path: Path, backup: Path):
    """The flipped bits make the archive claim encryption, another packing, another length or another
    place."""
    content = backup.read_bytes()
    entry = content.index(b"PK\x01\x02")
    damaged = tmp_path / "b.zip"
    flags_and_packing = {(place, bit) for place in range(8, 12) for bit in range(8)}
    refused = 0
    for place, bit in sorted(flags_and_packing | {(place, 0) for place in range(46)}):
        turned = bytearray(content)
        turned[entry + place] ^= 1 << bit
        damaged.write_bytes(turned)
        try:
            verify(damaged)
        except StoreRefused:
            refused += 1
    assert refused > 30


def test_a_backup_said_to_be_encrypted_is_refused(tmp_path: Path, backup: Path):
    content = bytearray(backup.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    damaged = tmp_path / "b.zip"
    damaged.write_bytes(content)
    with pytest.raises(StoreRefused, match="encrypted"):
        verify(damaged)


@pytest.mark.parametrize("length", [0, 1, 100, 5000])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, backup: Path, length: int):
    cut = tmp_path / "cut.zip"
    cut.write_bytes(backup.read_bytes()[:length])
    with pytest.raises(StoreRefused, match="not a whole backup"):
        verify(cut)


def rewritten(backup: Path, change: object) -> Path:
    """Writes the backup again after `change` modified its parts and manifest, and returns the new file."""
    with zipfile.ZipFile(backup) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts.pop(MANIFEST))
    change(parts, manifest)  # type: ignore[operator]
    new = backup.with_name("evil.zip")
    with warnings.catch_warnings(), zipfile.ZipFile(new, "w") as archive:
        warnings.simplefilter("ignore")
        for name, content in parts.items():
            archive.writestr(name, content)
        archive.writestr(MANIFEST, json.dumps(manifest))
    return new


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/passwd",
        "objects/../../evil",
        "tables/x.jsonl\\..",
        "other",
        "objects/..webvigil.toml",
        "objects/..secret_key",
        "objects/ab..",
        "objects/webvigil.toml",
        "objects/AB12",
        "objects/ab12.exe",
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, backup: Path, name: str):
    def slip(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        parts[name] = b""
        empty = {"sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "size": 0}
        manifest["parts"][name] = empty  # type: ignore[index]

    with pytest.raises(StoreRefused, match=r"no part of a backup|not those of its list"):
        verify(rewritten(backup, slip))


def test_restoring_writes_nothing_beside_the_objects(tmp_path: Path, backup: Path):
    def slip(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        parts["objects/..webvigil.toml"] = b"user = 'evil'"
        known = {"sha256": hashlib.sha256(b"user = 'evil'").hexdigest(), "size": 13}
        manifest["parts"]["objects/..webvigil.toml"] = known  # type: ignore[index]

    data = tmp_path / "data"
    evil = rewritten(backup, slip)
    database = Database(f"sqlite:///{tmp_path / 'new.sqlite3'}")
    with pytest.raises(StoreRefused, match="no part of a backup"):
        restore(database, Directory(data / "objects"), evil)
    assert [file for file in data.rglob("*") if file.is_file()] == []
    database.close()


def test_links_are_refused(backup: Path):
    new = backup.with_name("links.zip")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(new, "w") as archive:
        for info in old.infolist():
            if info.filename.startswith("objects/"):
                info.external_attr = 0o120777 << 16
            archive.writestr(info, old.read(info.filename))
    with pytest.raises(StoreRefused, match="no part of a backup"):
        verify(new)


def test_a_bomb_is_not_unpacked(backup: Path):
    def swell(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        name = next(one for one in parts if one.startswith("objects/"))
        parts[name] = b"\0" * 50_000_000

    with pytest.raises(StoreRefused, match="damaged"):
        verify(rewritten(backup, swell))


def test_a_backup_of_a_newer_version_says_so(backup: Path):
    def newer(_: object, manifest: dict[str, object]) -> None:
        manifest["schema"] = "webvigil_9999"

    with pytest.raises(StoreRefused, match="newer WebVigil"):
        verify(rewritten(backup, newer))


@pytest.mark.parametrize(
    "manifest", ["[]", "{}", "null", '{"product": "other", "parts": {}, "schema": "x"}', "{"]
)
def test_another_zip_file_is_not_ours(tmp_path: Path, manifest: str):
    file = tmp_path / "other.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST, manifest)
    with pytest.raises(StoreRefused, match="not a backup of WebVigil"):
        verify(file)


# --- at the borders -------------------------------------------------------------------------------------


def test_a_backup_says_what_it_holds(tmp_path: Path, backup: Path):
    with zipfile.ZipFile(backup) as archive:
        manifest = json.loads(archive.read(MANIFEST))
        parts = {name: archive.read(name) for name in archive.namelist() if name != MANIFEST}
    assert (manifest["product"], manifest["schema"], manifest["objects"]) == ("webvigil", HEAD, 5)
    assert {name: one["size"] for name, one in manifest["parts"].items()} == {
        name: len(content) for name, content in parts.items()
    }
    assert manifest["rows"] == sum(
        content.count(b"\n") for name, content in parts.items() if name.startswith("tables/")
    )
    assert manifest["counters"]["sentinel"] == manifest["counters"]["wv_user"] == 1
    assert {name for name in parts if "fts" in name or "words" in name or "alembic" in name} == set()
    made = verify(backup)
    assert (made.rows, made.objects, made.schema, made.created, made.version) == tuple(
        manifest[name] for name in ("rows", "objects", "schema", "created", "version")
    )
    assert made.bytes == sum(map(len, parts.values()))


def test_only_its_owner_reads_a_backup_and_no_draft_is_left(tmp_path: Path, backup: Path):
    assert backup.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir() if "zip" in file.name] == ["backup.zip"]


def test_each_object_is_a_step_of_progress(tmp_path: Path):
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}")
    fill(knowledge)
    steps: list[int] = []
    back_up(knowledge.database, objects(), tmp_path / "b.zip", steps.append)
    knowledge.close()
    assert steps == [1] * 5
    steps.clear()
    with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite3'}")) as empty:
        restore(empty, MemoryObjects(), tmp_path / "b.zip", steps.append)
    assert steps == [1] * 5


@pytest.mark.parametrize(
    ("counters", "next_id"),
    [
        ({"sentinel": 7}, 8),
        ({"sentinel": (1 << 62) - 1}, 1 << 62),
        ({"sentinel": 1 << 62}, 2),
        ({"sentinel": "7"}, 2),
        ({}, 2),
        ([], 2),
    ],
)
def test_ids_go_on_above_the_highest_that_the_backup_tells(
    tmp_path: Path, backup: Path, counters: object, next_id: int
):
    told = rewritten(backup, lambda _, manifest: manifest.update(counters=counters))
    place = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    with closing(Database(place)) as empty:
        restore(empty, MemoryObjects(), told)
    with closing(SqlKnowledge(place)) as again:
        assert again.sentinels.add(sentinel("s2"))[0].id == next_id


@pytest.mark.parametrize(("counters", "next_id"), [({}, 1), ({"discovery": 1}, 2)])
def test_ids_of_a_table_without_rows_begin_with_one_unless_it_gave_that(
    tmp_path: Path, backup: Path, counters: dict[str, int], next_id: int
):
    told = rewritten(backup, lambda _, manifest: manifest.update(counters=counters))
    place = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    with closing(Database(place)) as empty:
        restore(empty, MemoryObjects(), told)
    with closing(SqlKnowledge(place)) as again:
        wanted = WantedServices(service="s", description="d", seeds=())
        assert again.discoveries.add("jill", wanted).id == next_id


NOT_WRITTEN = "is not what was written"
NOT_GIVEN = "is not given"


@pytest.mark.parametrize(
    ("size", "why"),
    [
        (0, NOT_WRITTEN),
        (999, NOT_WRITTEN),
        (1_001, NOT_WRITTEN),
        (4_000_000_000, NOT_WRITTEN),
        (4_000_000_001, NOT_GIVEN),
        (-1, NOT_GIVEN),
        ("1000", NOT_GIVEN),
        (None, NOT_GIVEN),
    ],
)
def test_the_length_of_each_part_is_given_and_right(backup: Path, size: object, why: str):
    def change(_: object, manifest: dict[str, Any]) -> None:
        manifest["parts"][f"objects/00{'ab' * 19}"]["size"] = size

    with pytest.raises(StoreRefused, match=why):
        verify(rewritten(backup, change))


def test_what_stands_behind_the_stated_length_is_noticed(backup: Path):
    def longer(parts: dict[str, bytes], _: object) -> None:
        parts[f"objects/00{'ab' * 19}"] += b"x"

    with pytest.raises(StoreRefused, match=NOT_WRITTEN):
        verify(rewritten(backup, longer))


def test_the_same_length_with_another_content_is_noticed(backup: Path):
    def other(parts: dict[str, bytes], _: object) -> None:
        parts[f"objects/00{'ab' * 19}"] = bytes(999) + b"x"

    with pytest.raises(StoreRefused, match=NOT_WRITTEN):
        verify(rewritten(backup, other))


def test_a_part_of_two_megabytes_is_read_to_its_end(tmp_path: Path):
    knowledge, kept = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}"), MemoryObjects()
    kept.put("ab" * 20, bytes(2 << 20) + b"end")
    made = back_up(knowledge.database, kept, tmp_path / "b.zip")
    knowledge.close()
    assert verify(tmp_path / "b.zip") == made


def test_a_part_of_nothing_is_fine_and_one_that_the_list_describes_by_a_word_is_not(backup: Path):
    def empty(parts: dict[str, bytes], manifest: dict[str, Any]) -> None:
        parts["objects/abc"] = b""
        manifest["parts"]["objects/abc"] = {"sha256": hashlib.sha256(b"").hexdigest(), "size": 0}

    assert verify(rewritten(backup, empty)).objects == 5

    def word(_: object, manifest: dict[str, Any]) -> None:
        manifest["parts"][f"objects/00{'ab' * 19}"] = "whole"

    with pytest.raises(StoreRefused, match=NOT_GIVEN):
        verify(rewritten(backup, word))


def _lacking(parts: dict[str, bytes], _: object) -> None:
    del parts[f"objects/00{'ab' * 19}"]


def _unlisted(parts: dict[str, bytes], _: object) -> None:
    parts["objects/abc"] = b""


def test_parts_that_are_lacking_or_not_in_the_list_or_there_twice_are_noticed(backup: Path):
    for change in (_lacking, _unlisted):
        with pytest.raises(StoreRefused, match="its parts are not those of its list"):
            verify(rewritten(backup, change))
    with warnings.catch_warnings(), zipfile.ZipFile(backup, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(f"objects/00{'ab' * 19}", bytes(1_000))
    with pytest.raises(StoreRefused, match="its parts are not those of its list"):
        verify(backup)


@pytest.mark.parametrize(
    "change", [{"product": "other"}, {"parts": []}, {"parts": None}, {"product": "other", "parts": []}]
)
def test_a_list_of_another_kind_is_no_backup(backup: Path, change: dict[str, object]):
    with pytest.raises(StoreRefused, match="is not a backup of WebVigil"):
        verify(rewritten(backup, lambda _, manifest: manifest.update(change)))


def test_a_database_of_another_program_is_not_restored_into(tmp_path: Path, backup: Path):
    database = Database(f"sqlite:///{tmp_path / 'recipes.sqlite3'}")
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(StoreRefused, match="another program's tables"):
        restore(database, MemoryObjects(), backup)
    database.close()


def test_a_lost_picture_is_named_and_a_dropped_version_is_not(tmp_path: Path):
    knowledge, kept = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}"), MemoryObjects()
    keys = versions_with_objects(knowledge, kept)
    with knowledge.database.write() as connection:
        pictured = update(version).where(version.c.object == keys[2])
        connection.execute(pictured.values(picture=keys[2] + ".picture"))
        connection.execute(update(version).where(version.c.object == keys[1]).values(dropped=True))
    said = f"http://a.test/ä, version 3: picture {keys[2]}.picture is missing"
    made = back_up(knowledge.database, kept, tmp_path / "b.zip")
    assert made.lost == verify(tmp_path / "b.zip").lost == (said,)
    kept.put(keys[2] + ".picture", b"png")
    assert back_up(knowledge.database, kept, tmp_path / "b.zip").lost == ()
    kept.delete([keys[1]])
    lost = back_up(knowledge.database, kept, tmp_path / "b.zip").lost
    knowledge.close()
    assert lost == (f"http://a.test/ä, version 3: object {keys[1]} is missing",)


@pytest.mark.parametrize(("is_relative", "whose"), [(False, (1, 2)), (True, (2,))])
def test_a_lost_version_of_the_past_is_named(tmp_path: Path, is_relative: bool, whose: tuple[int, ...]):
    knowledge, kept = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}"), MemoryObjects()
    knowledge.users.add("jill")
    (made,) = knowledge.sentinels.add(sentinel("s1", "http://a.test/"))
    pages, words = PageRepository(kept), b" ".join(str(n * n).encode() for n in range(400))
    one = pages.keep(answer(words))
    two = pages.keep(answer(words + b"!"), after=one.object)
    past = [
        PastVersion(
            fetched_at=datetime(2020, 1, day, tzinfo=UTC),
            url="http://a.test/",
            status=200,
            signature="s",
            object=kind.object,
            size=9,
            base=kind.base,
            stored=9,
        )
        for day, kind in ((1, one), (2, two))
    ]
    brought = knowledge.pasts.bring(made.pages[0].id, "jill", past)
    assert back_up(knowledge.database, kept, tmp_path / "b.zip").lost == ()
    gone = two.object if is_relative else one.object
    kept.delete([gone])
    lost = back_up(knowledge.database, kept, tmp_path / "b.zip").lost
    knowledge.close()
    assert lost == tuple(
        f"http://a.test/, version {brought[number - 1].number}: object {gone} is missing" for number in whose
    )


def test_a_version_that_was_removed_during_the_backup_is_not_lost(tmp_path: Path):
    """The collector removes a version and its object after the rows were read."""

    class Collected(MemoryObjects):
        def keys(self) -> Iterator[str]:
            with knowledge.database.write() as connection:
                connection.execute(delete(version).where(version.c.object == gone))
            self.delete([gone])
            return super().keys()

    knowledge, kept = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}"), Collected()
    gone = versions_with_objects(knowledge, kept)[2]
    assert back_up(knowledge.database, kept, tmp_path / "b.zip").lost == ()
    knowledge.close()
