"""What a crawl has seen, and which addresses it takes no more (S2)."""

from __future__ import annotations

from collections import Counter

import pytest

from webvigil.discover.crawler.known import Known, text_signature
from webvigil.discover.crawler.lead import How, Lead
from webvigil.discover.crawler.reach import Reach


def lead(path: str, depth: int = 1, how: How = "link") -> Lead:
    return Lead(url=f"http://e.org{path}", depth=depth, how=how)


def news(known: Known, *leads: Lead) -> tuple[list[str], dict[str, int]]:
    kept, left_out = known.news(leads)
    return [one.url.removeprefix("http://e.org") for one in kept], dict(left_out)


def test_an_address_is_news_once():
    known = Known(Reach())
    assert news(known, lead("/a"), lead("/b"), lead("/a")) == (["/a", "/b"], {"known": 1})
    assert news(known, lead("/b"), lead("/a"), lead("/c")) == (["/c"], {"known": 2})
    assert (len(known), known.knows("http://e.org/a"), known.knows("http://e.org/d")) == (3, True, False)


def test_an_address_as_deep_as_allowed_is_kept_and_a_deeper_one_is_not():
    known = Known(Reach(depth=2))
    assert news(known, lead("/a", 2), lead("/b", 3), lead("/c", 3)) == (["/a"], {"too deep": 2})
    assert news(Known(Reach(depth=0)), lead("/a", 0), lead("/b", 1)) == (["/a"], {"too deep": 1})


def test_so_many_addresses_are_known_and_no_more():
    known = Known(Reach(known=2))
    assert news(known, lead("/a"), lead("/b"), lead("/c"), lead("/a")) == (
        ["/a", "/b"],
        {"too many addresses": 1, "known": 1},
    )
    known.arrived("http://e.org/d")
    assert (len(known), known.knows("http://e.org/d")) == (2, False)


def test_where_a_redirect_led_is_not_visited_again():
    known = Known(Reach(known=2))
    known.arrived("http://e.org/d")
    assert news(known, lead("/d"), lead("/e")) == (["/e"], {"known": 1})


def test_addresses_that_differ_in_numbers_alone_are_alike_and_few_are_taken():
    known = Known(Reach(alike=2))
    pages = [lead(f"/page/{number}") for number in (1, 2, 3)]
    assert news(known, *pages, lead("/other/3")) == (
        ["/page/1", "/page/2", "/other/3"],
        {"too many alike": 1},
    )
    known.note(lead("/other/3"))
    assert news(known, lead("/other/4")) == (["/other/4"], {})


def test_a_trap_is_left_out_with_its_name_unless_somebody_gave_it():
    trap = "/a/a/a/a/a/a/a/a/a/a/a/a"
    kept, left_out = news(Known(Reach()), lead(trap))
    assert (kept, list(left_out.values())) == ([], [1])
    assert news(Known(Reach(alike=1)), lead(trap, how="seed")) == ([trap], {})
    seeds = [lead(f"/page/{number}", how="seed") for number in (1, 2, 3)]
    assert news(Known(Reach(alike=1)), *seeds)[1] == {}


def test_a_host_is_full_after_as_many_visits_as_allowed():
    known = Known(Reach(pages_per_host=2))
    filled = []
    for _ in range(3):
        filled.append(known.is_full("e.org"))
        known.visited("e.org")
    assert filled == [False, False, True]
    assert known.visits == Counter({"e.org": 3})
    assert not known.is_full("other.org")


def test_a_text_that_came_often_enough_has_twins():
    known = Known(Reach(twins=2))
    seen = []
    for _ in range(3):
        seen.append(known.has_twins(7))
        known.saw_text(7)
    assert seen == [False, False, True]
    assert not known.has_twins(8)


@pytest.mark.parametrize(("letters", "same"), [(199, False), (200, True)])
def test_numbers_count_in_short_texts_alone(letters: int, same: bool):
    words = "a" * letters
    one = text_signature("e.org", "Page 1", f"{words} 1, 2")
    other = text_signature("e.org", "Page 2", f"{words} 3_4!")
    assert (one == other) is same


def test_the_host_the_title_and_the_words_tell_texts_apart():
    words = "a" * 200
    for text in ("short", words):
        told = {
            text_signature(*one)
            for one in (
                ("e.org", "T", text),
                ("other.org", "T", text),
                ("e.org", "U", text),
                ("e.org", "T", text + "b"),
            )
        }
        assert len(told) == 4
