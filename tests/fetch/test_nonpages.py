"""Error pages, log-in pages and the like are known by the words in their titles and texts."""

from __future__ import annotations

import random

import pytest

from webvigil.fetch import nonpages
from webvigil.fetch.nonpages import KINDS, in_titles


@pytest.mark.parametrize("kind", KINDS)
def test_every_title_and_phrase_names_its_kind(kind: str):
    for phrase in KINDS[kind].titles | KINDS[kind].phrases:
        assert kind in in_titles([phrase])
        assert kind in in_titles(["News of today", f"{phrase} | Acme"])


def test_the_search_in_one_pass_finds_what_each_search_would(monkeypatch: pytest.MonkeyPatch):
    dice = random.Random(1)
    phrases = sorted({one for kind in KINDS.values() for one in kind.titles | kind.phrases})
    known = {word for phrase in phrases for word in phrase.split()}
    words = [*sorted(known), "news", "cat’s", "404", "İ", "日本", "\ud800"]
    joints = [" ", "  ", " | ", ": ", "\n"]

    def title() -> str:
        return "".join(word + dice.choice(joints) for word in dice.choices(words, k=dice.randint(1, 4)))

    titles = [[title() for _ in range(dice.choice((1, 1, 3)))] for _ in range(2_000)]
    found = list(map(in_titles, titles))

    class Everything:
        def search(self, _: str) -> bool:
            return True

    monkeypatch.setattr(nonpages, "_any_phrase", Everything)
    assert found == list(map(in_titles, titles))
    assert 0 < sum(map(bool, found)) < len(found)
