"""A watched part is found again when the page around it moved, or reported as lost (D5, C7)."""

import pytest

from webvigil.document import read
from webvigil.document.carry import Lost, carry
from webvigil.document.masks import mask, seen
from webvigil.model.sentinel import Part

NEWS = """<!DOCTYPE html><body><div class=nav>Home News Sport</div>
<div class=box><h2>Weather</h2><p>Rain in the north, sun in the south, wind from the west.</p></div>
<div class=box><h2>Markets</h2><p>Shares rose after the bank left its rate where it was.</p></div>
<div class=box><h2>Sport</h2><p>The home side won by two goals in a game of two halves.</p></div>
<div class=foot>About us</div>"""


def page(text):
    return read(text.encode(), "text/html")


def carried(old, new, selector):
    part = Part("css", selector)
    before, after = page(old), page(new)
    found = carry(before, mask(before, part), after, [part])
    return found if isinstance(found, Lost) else seen(after, found).visible_text


def test_a_selector_that_still_finds_its_part_is_followed():
    new = NEWS.replace("two goals", "three goals")
    assert "three goals" in carried(NEWS, new, "div:nth-of-type(4)")


def test_a_part_whose_number_changed_is_found_by_its_text():
    new = NEWS.replace(
        "<div class=box><h2>Weather",
        "<div class=box><h2>New</h2><p>Something quite else here.</p></div><div class=box><h2>Weather",
        1,
    )
    assert carried(NEWS, new, "div:nth-of-type(3)").startswith("Markets")


def test_a_part_whose_class_was_renamed_is_found_by_text_and_place():
    new = NEWS.replace("class=box><h2>Markets", "class=card><h2>Markets").replace("class=box", "class=card")
    old = NEWS.replace("class=box><h2>Markets", "class='box money'><h2>Markets")
    assert carried(old, new, ".money").startswith("Markets")


def test_a_part_that_moved_into_a_new_frame_and_changed_a_little_is_found():
    new = NEWS.replace("<div class=nav>", "<main><div class=wrap><div class=nav>").replace(
        "two goals", "one goal"
    )
    new = new.replace("class=box", "class=story")
    assert "one goal" in carried(NEWS.replace("class=box><h2>Sport", "id=s class=box><h2>Sport"), new, "#s")


def test_all_places_of_a_part_are_carried():
    old = NEWS.replace("<p>", "<p class=text>")
    answer = carried(old, NEWS, "p.text")
    assert answer.count("\n") == 2
    assert answer.startswith("Rain")
    assert "Markets" not in answer


@pytest.mark.parametrize(
    "new", ["<p>Nothing here is like it.</p>", "", "<div class=box><h2>Jobs</h2><p>Cook wanted.</p></div>"]
)
def test_a_part_that_is_gone_is_reported_as_lost(new):
    old = NEWS.replace("class=box><h2>Markets", "id=m><h2>Markets")
    answer = carried(old, new, "#m")
    assert isinstance(answer, Lost)
    assert answer.reason


def test_a_part_whose_content_is_all_new_is_still_the_part():
    old = NEWS.replace("class=box><h2>Markets", "id=lead><h2>Markets")
    new = old.replace("Markets", "Storm").replace(
        "Shares rose after the bank left its rate where it was.", "Roofs flew."
    )
    assert carried(old, new, "#lead") == "Storm\nRoofs flew."


def test_nothing_watched_is_nothing_found():
    before = page(NEWS)
    answer = carry(before, mask(before, Part("css", "#none")), before, [])
    assert isinstance(answer, Lost)


def test_many_places_are_carried_in_time():
    old = "<ul>" + "".join(f"<li class=a>item {n} costs {n * 7 % 91} pounds" for n in range(400)) + "</ul>"
    new = "<p>Sale</p>" + old.replace("class=a", "class=b")
    assert carried(old, new, "li.a").count("\n") == 399
