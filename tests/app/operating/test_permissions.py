"""Files that WebVigil writes are private whatever the umask is; files that were readable become private."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from webvigil.app.operating.stores import opened
from webvigil.app.settings import read_settings


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_data_folder_and_all_in_it_are_for_the_owner_alone(tmp_path: Path):
    data = tmp_path / "data"
    with opened(read_settings({"data": str(data)}, environment={})) as knowledge:
        knowledge.users.add("jill")
        assert {file.name: mode(file) for file in data.iterdir() if file.is_file()} == {
            file.name: 0o600 for file in data.glob("webvigil.sqlite3*")
        }
    assert mode(data) == 0o700


def test_what_was_open_is_closed(tmp_path: Path):
    data = tmp_path / "data"
    settings = read_settings({"data": str(data)}, environment={})
    with opened(settings):
        pass
    data.chmod(0o755)
    (data / "webvigil.sqlite3").chmod(0o644)
    with opened(settings):
        pass
    assert (mode(data), mode(data / "webvigil.sqlite3")) == (0o700, 0o600)


def test_a_folder_that_many_share_stays_as_it_is(tmp_path: Path):
    tmp_path.chmod(0o1777)
    with opened(read_settings({"data": str(tmp_path)}, environment={})):
        pass
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777
    assert mode(tmp_path / "webvigil.sqlite3") == 0o600
