"""A watched part is found again when the page around it moved, or reported as lost (D5, C7)."""

import numpy as np
import pytest

from webvigil.document import PageDigest, read
from webvigil.document import carry as module
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


def test_a_selector_is_believed_although_nothing_but_the_place_is_as_it_was():
    old = "<h1>Red</h1><p>One two three.</p><footer>left</footer>"
    new = "<h1>Blue</h1><p>Four five six.</p><footer>right</footer>"
    assert isinstance(carry(page(old), mask(page(old), Part("css", "p")), page(new)), Lost)
    assert carried(old, new, "p") == "Four five six."


def test_a_selector_is_followed_to_another_element_where_there_is_none_of_the_old_kind():
    assert (
        carried("<p id=lead>The mill opens.</p>", "<div id=lead>The mill opens.</div>", "#lead")
        == "The mill opens."
    )


def test_the_first_element_of_a_page_may_be_the_part():
    assert carried("<h1>The mill</h1><p>opens.", "<h1>The mill</h1><p>closes.", "html") == "The mill\ncloses."


def test_a_part_of_many_places_is_found_when_half_of_them_are():
    places = [f"<li class=a>number {word} of the list" for word in ("one", "two", "three", "four")]
    rest = [place.replace(" class=a", "") for place in places]
    assert carried("".join(places), "".join(rest[:2]), "li.a").count("\n") == 1
    assert isinstance(carried("".join(places), rest[0], "li.a"), Lost)


@pytest.mark.parametrize(
    "new", ["<p>Nothing here is like it.</p>", "", "<div class=box><h2>Jobs</h2><p>Cook wanted.</p></div>"]
)
def test_a_part_that_is_gone_is_reported_as_lost(new):
    old = NEWS.replace("class=box><h2>Markets", "id=m><h2>Markets")
    answer = carried(old, new, "#m")
    assert isinstance(answer, Lost)
    assert answer.reason


def test_a_lost_part_says_why():
    old = NEWS.replace("class=box><h2>Markets", "id=m><h2>Markets")
    gone = carried(old, "<p>Nothing here is like it.</p>", "#m")
    assert gone == Lost("the part is gone: nothing on the page is like it")
    other = carried(old, "<div>Home</div><p id=m>Quite another thing.</p>", "#m")
    assert other == Lost("the selector finds something else now, and nothing on the page is like the part")
    many = "".join(f"<li class=a>item {number}" for number in range(501))
    assert carried(many, "<p>empty", "li.a") == Lost("the part is in 501 places, too many to look for")


def test_a_part_whose_content_is_all_new_is_still_the_part():
    old = NEWS.replace("class=box><h2>Markets", "id=lead><h2>Markets")
    new = old.replace("Markets", "Storm").replace(
        "Shares rose after the bank left its rate where it was.", "Roofs flew."
    )
    assert carried(old, new, "#lead") == "Storm\nRoofs flew."


def test_nothing_watched_is_nothing_found():
    before = page(NEWS)
    answer = carry(before, mask(before, Part("css", "#none")), before, [])
    assert answer == Lost("nothing was watched in the older version")


def test_many_places_are_carried_in_time():
    old = "<ul>" + "".join(f"<li class=a>item {n} costs {n * 7 % 91} pounds" for n in range(400)) + "</ul>"
    new = "<p>Sale</p>" + old.replace("class=a", "class=b")
    assert carried(old, new, "li.a").count("\n") == 399


# --- the likeness of two nodes, counted one by one -----------------------------------------------

MOVED = NEWS.replace("<div class=nav>", "<main><div class='wide nav'>").replace(
    "Sport</h2>", "Sport today</h2>"
)
BARE = "<p>Rain</p><section><div title=north>Rain in the north</div></section><hr>"


@pytest.mark.parametrize(
    ("old", "new"), [(NEWS, MOVED), (MOVED, NEWS), (NEWS, BARE), (BARE, NEWS), (BARE, BARE)]
)
def test_each_node_is_as_like_the_part_as_counted_one_by_one(old: str, new: str):
    before, after = page(old), page(new)
    nodes = np.arange(len(after))
    for root in range(1, len(before)):
        counted = [_likeness(before, root, after, node) for node in nodes.tolist()]
        assert module._likeness(before, root, after, nodes) == pytest.approx(counted)


def _likeness(old: PageDigest, root: int, new: PageDigest, node: int) -> float:
    same = old.subtree_hashes[root] == new.subtree_hashes[node]
    (ahead, inside, behind), (ahead_now, inside_now, behind_now) = _words(old, root), _words(new, node)
    text = 1.0 if same else _share(inside, inside_now, max(len(inside), len(inside_now)))
    around = (
        _share(ahead[-10:], ahead_now[-10:], len(ahead_now[-10:])),
        _share(behind[:10], behind_now[:10], len(behind_now[:10])),
    )
    attributes = _common_attributes(old.attributes(root), new.attributes(node))
    return 0.35 * text + 0.25 * attributes + 0.2 * sum(around) / 2 + 0.2 * _place(old, root, new, node)


def _words(digest: PageDigest, node: int) -> tuple[list[str], list[str], list[str]]:
    """Returns the words before a node, those in it, and those after it."""
    placed = list(zip(digest.words.nodes.tolist(), digest.words.words, strict=True))
    end = node + int(digest.sizes[node])
    return (
        [word for home, word in placed if home < node],
        [word for home, word in placed if node <= home < end],
        [word for home, word in placed if home >= end],
    )


def _share(wanted: list[str], found: list[str], whole: int) -> float:
    if not wanted:
        return float(not found)
    return sum(word in wanted for word in found) / max(whole, 1)


def _common_attributes(wanted: dict[str, str], found: dict[str, str]) -> float:
    score = 0.0
    for name in wanted.keys() & found.keys():
        one, other = set(wanted[name].split()), set(found[name].split())
        score += 1.0 if wanted[name] == found[name] else len(one & other) / len(one | other) / 2
    union = len(wanted) + len(found) - score
    return score / union if union else 1.0


def _place(old: PageDigest, root: int, new: PageDigest, node: int) -> float:
    ours = [old.tag(one) for one in old.ancestors(root)][:4]
    theirs = [new.tag(one) for one in new.ancestors(node)]
    ancestors = sum(one == other for one, other in zip(ours, theirs, strict=False)) / len(ours)
    depth = 1 / (1 + abs(int(new.depths[node]) - int(old.depths[root])))
    down = 1 - abs(node / len(new) - root / len(old))
    return 0.4 * ancestors + 0.3 * depth + 0.3 * down


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (500, "the part is gone: nothing on the page is like it"),
        (501, "the part is in 501 places, too many to look for"),
    ],
)
def test_a_part_in_at_most_five_hundred_places_is_looked_for(count: int, reason: str):
    old = "".join(f"<li class=a>item {number}" for number in range(count))
    assert carried(old, "<p>empty", "li.a") == Lost(reason)


@pytest.mark.parametrize(("left", "lost"), [(1, True), (2, False), (3, False)])
def test_half_of_the_places_of_a_part_are_enough(left: int, lost: bool):
    words = ("one sun", "two moon", "three star", "four sky")
    old = "".join(f"<li class=a>{word} of the list" for word in words)
    new = "".join(f"<li>{word} of the list" for word in words[:left])
    assert isinstance(carried(old, new, "li.a"), Lost) is lost
