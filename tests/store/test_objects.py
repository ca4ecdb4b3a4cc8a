"""Every object store keeps bytes by key, and the page repository stores answers in it (R2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.errors import ObjectMissing, SettingRefused, StoreError, StoreRefused
from webvigil.model.version import Answer
from webvigil.store.objects import open_objects
from webvigil.store.objects.directory import Directory
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Objects
from webvigil.store.repository import PageRepository

KEY = "ab" + "0" * 62


def test_bytes_come_back_as_they_were(objects: Objects):
    objects.put(KEY, b"\x00\xff exact")
    assert objects.has(KEY)
    assert objects.get(KEY) == b"\x00\xff exact"


def test_putting_twice_is_one_object_and_the_last_counts(objects: Objects):
    objects.put(KEY, b"old")
    objects.put(KEY, b"new")
    assert list(objects.keys()) == [KEY]
    assert objects.get(KEY) == b"new"


def test_what_need_not_last_is_there_like_the_rest(objects: Objects):
    objects.put("ab12", b"one", lasting=False)
    objects.put("ab12", b"two", lasting=False)
    assert objects.get("ab12") == b"two"
    assert list(objects.keys()) == ["ab12"]


@pytest.mark.parametrize("size", [1, 4000, 50_000])
def test_an_object_takes_the_place_of_another(objects: Objects, size: int):
    old, new = KEY + ".digest", "cd" + KEY[2:] + ".digest"
    objects.put(old, b"o" * 4000, lasting=False)
    objects.succeed(new, b"n" * size, old=old)
    assert list(objects.keys()) == [new]
    assert objects.get(new) == b"n" * size
    objects.succeed(old, b"again", old=new)
    assert (list(objects.keys()), objects.get(old)) == ([old], b"again")


def test_an_object_takes_the_place_of_one_that_is_not_there(objects: Objects):
    objects.succeed(KEY, b"new", old="ab12")
    objects.succeed("cd12", b"newer", old="../../etc/passwd")
    assert sorted(objects.keys()) == sorted([KEY, "cd12"])
    with pytest.raises(StoreRefused):
        objects.succeed("../x", b"", old=KEY)
    assert objects.get(KEY) == b"new"


def test_objects_tell_since_when_they_are_there(objects: Objects):  # R1
    begun = datetime.now(UTC) - timedelta(seconds=2)
    objects.put(KEY, b"1")
    objects.put(KEY + ".digest", b"2")
    listed = dict(objects.aged())
    assert sorted(listed) == [KEY, KEY + ".digest"]
    assert all(begun <= since <= datetime.now(UTC) + timedelta(seconds=2) for since in listed.values())


def test_what_is_not_there_is_missing(objects: Objects):
    assert not objects.has(KEY)
    with pytest.raises(ObjectMissing, match=KEY):
        objects.get(KEY)


def test_deleted_objects_are_gone_and_deleting_again_is_harmless(objects: Objects):
    other = "cd" + "1" * 62
    objects.put(KEY, b"1")
    objects.put(other, b"2")
    objects.delete([KEY])
    objects.delete([])
    assert list(objects.keys()) == [other]


NO_KEYS = (
    "",
    "ab",
    "..webvigil.toml",
    "../../secret_key",
    "ab../../../secret_key",
    "ab/../secret_key",
    "/etc/passwd",
    "AB12",
    "ab12\n",
    "ab12.exe",
    "ab12.digest.digest",
    "ab12\0",
    "\u0661\u0662\u0663\u0664",
    "a" * 200,
)


@pytest.mark.parametrize("name", NO_KEYS)
def test_only_digests_are_names_of_objects(objects: Objects, name: str):
    with pytest.raises(StoreRefused, match="no name of an object"):
        objects.put(name, b"evil")
    with pytest.raises(ObjectMissing):
        objects.get(name)
    assert not objects.has(name)
    objects.delete([name])
    assert list(objects.keys()) == []


def test_a_name_that_leads_out_of_the_folder_reads_and_removes_nothing(tmp_path: Path):
    directory = Directory(tmp_path / "objects")
    secret = tmp_path / "secret_key"
    secret.write_bytes(b"secret")
    for name in ("..secret_key", "../../secret_key"):
        with pytest.raises(ObjectMissing):
            directory.get(name)
        directory.delete([name])
    assert secret.read_bytes() == b"secret"


def test_files_of_others_among_the_objects_are_left_alone(tmp_path: Path):
    directory = Directory(tmp_path)
    directory.put(KEY, b"ours")
    (tmp_path / "ab" / ".nfs0001").write_bytes(b"")
    (tmp_path / "ab" / "notes.txt").write_bytes(b"")
    assert list(directory.keys()) == [KEY]
    assert list(dict(directory.aged())) == [KEY]


def test_a_file_cut_off_while_writing_is_no_object(tmp_path: Path):
    directory = Directory(tmp_path)
    directory.put(KEY, b"whole")
    half = f"{KEY}.0123abcd.part"
    (tmp_path / half[:2] / half[2:]).write_bytes(b"half")
    assert list(directory.keys()) == [KEY]
    assert half in dict(directory.aged()), "but it can be found, and removed"
    directory.delete([half])
    assert list(dict(directory.aged())) == [KEY]


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreRefused, match="cannot be made"):
        Directory(tmp_path / "file" / "objects")


@pytest.mark.parametrize("url", ["ftp://x", "s3://"])
def test_a_strange_address_is_refused(url: str):
    with pytest.raises(SettingRefused):
        open_objects(url)


OTHER = Answer(url="u", status=1, headers=(), body=b"x")
ANSWER = Answer(
    url="http://site.test/ä",
    status=200,
    headers=(("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")),
    body=b"<p>caf\xe9\x00",
)


def test_an_answer_comes_back_with_its_exact_bytes_and_headers(objects: Objects):
    repository = PageRepository(objects)
    kept = repository.keep(ANSWER, picture=b"\x89PNG")
    assert repository.answer(kept.object) == ANSWER
    assert repository.picture(kept.picture) == b"\x89PNG"
    assert sorted(objects.keys()) == sorted([kept.object, kept.picture])


@given(
    st.binary(max_size=300),
    st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))),
)
def test_every_answer_comes_back(body: bytes, headers: list[tuple[str, str]]):
    answer = Answer(url="http://x/", status=404, headers=tuple(headers), body=body)
    repository = PageRepository(MemoryObjects())
    assert repository.answer(repository.keep(answer).object) == answer


def test_header_bytes_that_are_no_text_survive():
    odd = b"caf\xe9".decode("utf-8", "surrogateescape")
    answer = Answer(url="http://x/", status=200, headers=(("X-Odd", odd),), body=b"")
    repository = PageRepository(MemoryObjects())
    assert repository.answer(repository.keep(answer).object) == answer


def test_a_damaged_object_is_noticed(tmp_path: Path):
    directory = Directory(tmp_path)
    repository = PageRepository(directory)
    key, other = repository.keep(ANSWER).object, repository.keep(OTHER).object
    file = tmp_path / key[:2] / key[2:]
    file.write_bytes((tmp_path / other[:2] / other[2:]).read_bytes())
    with pytest.raises(StoreError, match="does not match its name"):
        repository.answer(key)
    file.write_bytes(b"garbage")
    with pytest.raises(StoreError, match="damaged"):
        repository.answer(key)
