"""Long chains of sentinels that are set on each other are installed in bounded time and memory (L3, V1)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.store.making import remove_for_good
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.errors import SentinelRefused
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge


@pytest.fixture
def knowledge() -> Knowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("me")
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path)}, environment={})


def chain(first: int, end: int, using: str = "sentinel c{before}") -> str:
    root = "Create Sentinel c0 Using https://a.test/ AND https://b.test/ Monitor all links\n"
    numbers = range(max(1, first), end)
    steps = [f"Create Sentinel c{n} Using {using.format(before=n - 1)}" for n in numbers]
    return (root if first == 0 else "") + "\n".join(steps)


def test_a_chain_of_a_thousand_is_installed(knowledge: Knowledge, settings: Settings):
    made = install_text(knowledge, settings, chain(0, 1000))
    assert len(made) == 1000
    assert {page.url for page in made[-1].pages} == {"https://a.test/", "https://b.test/"}


def test_making_a_chain_longer_costs_what_the_new_part_costs(knowledge: Knowledge, settings: Settings):
    install_text(knowledge, settings, chain(0, 400))
    begun = time.process_time()
    install_text(knowledge, settings, chain(400, 800))
    assert time.process_time() - begun < 15, "it was 81 seconds when each one read the whole chain again"


def test_editing_the_first_of_a_long_chain_moves_all_of_it(knowledge: Knowledge, settings: Settings):
    install_text(knowledge, settings, chain(0, 300))
    edit(knowledge, settings, "c0", "Create Sentinel c0 Using https://c.test/ Monitor all links")
    pages = knowledge.sentinels.get("me", "c299").pages
    assert [page.url for page in pages] == ["https://c.test/"]


def test_naming_another_twice_again_and_again_does_not_grow_beyond_bounds(
    knowledge: Knowledge, settings: Settings
):
    text = chain(0, 60, "sentinel c{before} AND sentinel c{before}")
    with pytest.raises(SentinelRefused, match=r"c13 names 16,384 pages .* at most 10,000"):
        install_text(knowledge, settings, text)
    assert knowledge.sentinels.all("me") == []


def test_joining_further_pages_again_and_again_is_bounded(knowledge: Knowledge, settings: Settings):
    text = chain(0, 1000, "sentinel c{before} AND https://x.test/")
    with pytest.raises(SentinelRefused, match="more than 200 levels of sentinels"):
        install_text(knowledge, settings, text)


def test_a_long_circle_is_told_in_few_words(knowledge: Knowledge, settings: Settings):
    text = "\n".join(f"Create Sentinel c{n} Using sentinel c{(n + 1) % 3000}" for n in range(3000))
    with pytest.raises(SentinelRefused, match=r"c0 → c1 → .*\(2989 more\) → c2999 → c0$") as refused:
        install_text(knowledge, settings, text)
    assert len(str(refused.value)) < 300


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tied", ["From during({0}) To end({0})", "From end({0}) To end({0}) + 1 day"])
def test_lives_tied_to_each_other_in_a_long_chain_are_lived(
    knowledge: Knowledge, settings: Settings, tied: str
):
    first = "Create Sentinel c0 Using https://a.test/\n"
    rest = [f"Create Sentinel c{n} Using https://a.test/ {tied.format(f'c{n - 1}')}" for n in range(1, 600)]
    install_text(knowledge, settings, first + "\n".join(rest))
    keeper = Keeper(knowledge)
    keeper.turn()
    remove_for_good(knowledge, "me", "c0")
    keeper.turn()
    assert knowledge.sentinels.get("me", "c599").name == "c599"


def test_the_log_ins_of_a_user_are_read_once_for_many_sentinels(monkeypatch: pytest.MonkeyPatch):
    knowledge = MemoryKnowledge()
    knowledge.users.add("jill")
    asked: list[str] = []
    logins = knowledge.logins.all
    monkeypatch.setattr(knowledge.logins, "all", lambda user: asked.append(user) or logins(user))
    settings = read_settings({"user": "jill"}, environment={})
    install_text(
        knowledge, settings, "\n".join(f"Create Sentinel s{n} Using https://a.org/{n}" for n in range(20))
    )
    assert asked == ["jill"]
