"""Two versions compared by hand are cut down to a part that either of them has (L8, D5)."""

from __future__ import annotations

import pytest

from webvigil.document import read
from webvigil.errors import PatternRefused
from webvigil.graph.by_hand import Cut, cut
from webvigil.model.change import Status
from webvigil.model.sentinel import Part

NEWS = "<div id=news><p>The mill opens on Monday at nine.</div><p>Read on.</p>"
NONE = "<h1>Closed</h1>"
NEWS_PART = Part("css", "#news")


def made(old: str, new: str, *within: Part, ignore: tuple[Part, ...] = ()) -> Cut:
    return cut(*(read(page.encode(), "text/html") for page in (old, new)), within, ignore)


def texts(cut_down: Cut) -> tuple[str, str]:
    return cut_down.old.visible_text, cut_down.new.visible_text


def test_the_part_is_followed_from_the_version_that_has_it():
    renamed = NEWS.replace("id=news", "id=today").replace("nine", "ten")
    expected = "The mill opens on Monday at nine.", "The mill opens on Monday at ten."
    assert texts(made(NEWS, renamed, NEWS_PART)) == expected
    assert texts(made(renamed, NEWS, NEWS_PART)) == expected[::-1]
    assert made(NEWS, renamed, NEWS_PART).lost is None


def test_a_part_that_only_the_older_version_has_is_gone():
    found = made(NEWS, NONE, NEWS_PART)
    assert texts(found) == ("The mill opens on Monday at nine.", "")
    assert found.lost
    assert (
        found.lost.note == "the watched part has vanished: the part is gone: nothing on the page is like it"
    )
    (one,) = found.lost.objects
    assert (one.object, one.status, one.old, one.new) == ("css #news", Status.GONE, 1, 0)


def test_a_part_that_only_the_newer_version_has_is_new():
    found = made(NONE, NEWS, NEWS_PART)
    assert texts(found) == ("", "The mill opens on Monday at nine.")
    assert found.lost
    assert found.lost.note == "the part is new"
    (one,) = found.lost.objects
    assert (one.object, one.status, one.old, one.new) == ("css #news", Status.NEW, 0, 1)


def test_a_part_that_neither_version_has_is_refused():
    with pytest.raises(PatternRefused, match=r"matches css '#news', words \{mill, nine\}$"):
        made(NONE, NONE, NEWS_PART, Part("words", ("mill", "nine")))


def test_without_a_part_only_what_is_ignored_goes():
    found = made(NEWS, NEWS, ignore=(NEWS_PART,))
    assert texts(found) == ("Read on.", "Read on.")
