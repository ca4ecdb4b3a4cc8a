"""A sentinel is installed among many without reading them all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.first_look import _with_others
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import WebVigilError
from webvigil.store.promises import Knowledge

MANY = 1_100  # more names than are asked for with one question
Store = tuple[Knowledge, Settings]


def _texts(numbers: range) -> str:
    return "".join(f"Create Sentinel s{one} Using http://site.test/{one}\n" for one in numbers)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with opened(settings) as knowledge:
        install_text(knowledge, settings, _texts(range(MANY)))
        monkeypatch.setattr(knowledge.sentinels, "all", _refuse)
        yield knowledge, settings


def _refuse(_: object) -> None:
    raise AssertionError("all sentinels of the user are read")


def test_one_more_is_installed(store: Store):
    knowledge, settings = store
    (made,) = install_text(knowledge, settings, "Create Sentinel more Using http://site.test/more\n")
    assert _with_others(knowledge.sentinels, settings, [made])[0].warnings == ()


def test_a_sentinel_that_asks_for_the_same_is_found(store: Store):
    knowledge, settings = store
    (made,) = install_text(knowledge, settings, "Create Sentinel more Using http://site.test/7\n")
    (warning,) = _with_others(knowledge.sentinels, settings, [made])[0].warnings
    assert "the same as s7;" in warning


@pytest.mark.parametrize("taken", [0, MANY - 1])
def test_a_name_is_taken_wherever_it_stands_in_a_large_file(store: Store, taken: int):
    knowledge, settings = store
    text = _texts(range(MANY, 2 * MANY)) + f"Create Sentinel s{taken} Using http://site.test/again\n"
    with pytest.raises(WebVigilError, match=f"'s{taken}' already"):
        install_text(knowledge, settings, text)


def test_a_sentinel_that_names_an_installed_one_finds_its_page(store: Store):
    knowledge, settings = store
    (made,) = install_text(knowledge, settings, "Create Sentinel more Using sentinel s9\n")
    assert [page.url for page in made.pages] == ["http://site.test/9"]
