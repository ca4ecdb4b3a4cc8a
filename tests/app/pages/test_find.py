"""A page is found by what a person types: its address or the name of its sentinel (R6, F10)."""

from __future__ import annotations

import pytest

from webvigil.app.pages.find import page_of
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.errors import NotFound
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge

SENTINELS = """
Create Sentinel news Using https://site.test/news
Create Sentinel shop Using form POST https://site.test/shop {q = chairs}
Create Sentinel trains Using form GET https://site.test/board {from = here}
Create Sentinel buses Using form GET https://site.test/board {from = there}
Create Sentinel two Using https://site.test/a AND https://site.test/b
"""


@pytest.fixture
def knowledge() -> Knowledge:
    knowledge = MemoryKnowledge()
    settings = read_settings(environment={})
    knowledge.users.add(settings.user)
    install_text(knowledge, settings, SENTINELS)
    return knowledge


def watched(knowledge: Knowledge, name: str) -> int:
    return knowledge.sentinels.get("me", name).pages[0].id


@pytest.mark.parametrize(
    ("typed", "sentinel"),
    [
        ("https://site.test/news", "news"),
        ("HTTPS://SITE.test/news#top", "news"),
        ("news", "news"),
        ("https://site.test/shop", "shop"),
        ("shop", "shop"),
        ("buses", "buses"),
    ],
)
def test_a_page_is_found_by_its_address_or_its_sentinel(knowledge: Knowledge, typed: str, sentinel: str):
    assert page_of(knowledge, "me", typed) == watched(knowledge, sentinel)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("https://site.test/board", "with several values; name the sentinel instead: buses, trains"),
        ("two", "two watches 2 pages; name one by its address"),
        ("nowhere", "not a web address"),
    ],
)
def test_what_is_not_clear_is_asked_back(knowledge: Knowledge, typed: str, told: str):
    with pytest.raises(ValueError, match=told):
        page_of(knowledge, "me", typed)


def test_a_page_that_nobody_watches(knowledge: Knowledge):
    with pytest.raises(NotFound, match=r"no sentinel of me watches https://site\.test/other"):
        page_of(knowledge, "me", "https://site.test/other")
