"""A click on the picture of a page finds the element that was meant, and says what can be done with it."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from webvigil.app.sentinels.next_steps import NextSteps, next_steps
from webvigil.document import PageDigest, read
from webvigil.document.screenshot import with_places
from webvigil.errors import NotFound


def page(markup: str) -> PageDigest:
    return read(markup.encode(), "text/html", "http://a.test/")


def picture(digest: PageDigest, boxes: dict[str, tuple[int, int, int, int]]) -> bytes:
    """Returns a picture of the page in which the elements of these names, in order, have these places."""
    written = BytesIO()
    Image.new("RGB", (9, 9)).save(written, "PNG")
    tags = [digest.tag(node) for node in range(len(digest))]
    elements = [tag for tag in tags if tag[0] not in "#?"]
    return with_places(written.getvalue(), elements, [boxes.get(tag, (0, 0, 0, 0)) for tag in elements])


def clicked(markup: str, tag: str, at: tuple[int, int] = (5, 5)) -> NextSteps:
    digest = page(markup)
    return next_steps(digest, picture(digest, {tag: (0, 0, 10, 10)}), *at)


FIELD = ("type {}", "click {}")
CLICK = ("click {}",)
BOX = ('choose {} "on"',)


@pytest.mark.parametrize(
    ("markup", "tag", "kind", "label", "first", "place"),
    [
        ("<input id=q>", "input", "field", "q", FIELD, 'css "#q"'),
        ("<input id=q placeholder=Name>", "input", "field", "Name", FIELD, 'css "#q"'),
        ("<textarea id=t type=submit>x</textarea>", "textarea", "field", "x", FIELD, 'css "#t"'),
        ("<input id=c type=checkbox aria-label=Agree>", "input", "box", "Agree", BOX, 'css "#c"'),
        ("<input id=r type=RADIO>", "input", "box", "r", BOX, 'css "#r"'),
        ("<input id=s type=submit value=Go>", "input", "other", "Go", CLICK, 'css "#s"'),
        ("<button>Go on</button>", "button", "other", "Go on", CLICK, 'text "Go on"'),
        ("<p><b onclick=x id=o>t</b>", "b", "other", "t", CLICK, 'css "#o"'),
        ("<div role=button id=d><i>t</i></div>", "i", "other", "t", CLICK, 'css "#d"'),
        ("<a href=/x><i>More</i></a>", "i", "other", "More", CLICK, 'text "More"'),
        ("<p id=p>t</p>", "p", "other", "t", CLICK, 'css "#p"'),
        ("<label for=q>Name</label><input id=x><input id=q>", "label", "field", "q", FIELD, 'css "#q"'),
        ("<input id=x><label>Name <input id=q></label>", "label", "field", "q", FIELD, 'css "#q"'),
        ("<label for=no id=l>Name</label><input id=q>", "label", "other", "Name", CLICK, 'css "#l"'),
        ("<label id=l>Name</label><input id=q>", "label", "other", "Name", CLICK, 'css "#l"'),
    ],
)
def test_an_element_offers_what_it_can_do(
    markup: str, tag: str, kind: str, label: str, first: tuple[str, ...], place: str
):
    found = clicked(markup, tag)
    assert (found.kind, found.label, found.secret, found.options) == (kind, label, False, ())
    assert found.steps == tuple(one.format(place) for one in (*first, "wait for {}", "scroll to {}"))
    assert found.first == found.steps[0]


@pytest.mark.parametrize(("kind", "secret"), [("Password", True), ("text", False)])
def test_what_is_typed_into_a_password_is_secret(kind: str, secret: bool):
    assert clicked(f"<input id=q type={kind}>", "input").secret is secret


@pytest.mark.parametrize(("number", "offered"), [(2, 2), (100, 100), (101, 100)])
def test_a_choice_offers_its_options(number: int, offered: int):
    inside = "".join(f"<option>  o {n}</option>" for n in range(number))
    found = clicked(f"<select><option>x</select><select id=s name=sort>{inside}</select>", "option")
    assert (found.kind, found.label, len(found.options)) == ("choice", "sort", offered)
    assert found.steps == ('choose css "#s"', 'wait for css "#s"', 'scroll to css "#s"')
    assert found.options[:2] == ("o 0", "o 1")


@pytest.mark.parametrize(
    ("markup", "tag", "place"),
    [
        ("<p>x<input name=q>", "input", r'css "input[name=\"q\"]"'),
        ("<input name=q id=i>", "input", 'css "#i"'),
        ("<a href=x>Next</a><p>next", "a", 'css "a"'),
        (f"<button>{'x' * 60}</button>", "button", f'text "{"x" * 60}"'),
        (f"<button>{'x' * 61}</button>", "button", 'css "button"'),
        ("<button id=b>Go</button>", "button", 'css "#b"'),
    ],
)
def test_an_element_is_named_by_what_is_likely_to_stay(markup: str, tag: str, place: str):
    assert clicked(markup, tag).steps[-1] == f"scroll to {place}"


@pytest.mark.parametrize(
    ("at", "found"),
    [((0, 0), "a"), ((9, 9), "a"), ((2, 2), "b"), ((4, 4), "b"), ((5, 5), "a"), ((2, 5), "a")],
)
def test_the_innermost_element_at_the_place_is_meant(at: tuple[int, int], found: str):
    digest = page("<div id=a><p id=b>x</p></div>")
    boxes = {"div": (0, 0, 10, 10), "p": (2, 2, 3, 3)}
    assert next_steps(digest, picture(digest, boxes), *at).first == f'click css "#{found}"'


@pytest.mark.parametrize("at", [(10, 5), (5, 10), (-1, 5), (5, -1)])
def test_where_no_element_is_nothing_can_be_done(at: tuple[int, int]):
    with pytest.raises(NotFound, match="there is no element of the page at that place"):
        clicked("<p id=p>x</p>", "p", at)


def test_of_two_elements_of_one_size_the_inner_one_is_meant():
    digest = page("<div id=a><p id=b>x</p></div>")
    boxes = dict.fromkeys(("div", "p"), (0, 0, 10, 10))
    assert next_steps(digest, picture(digest, boxes), 5, 5).first == 'click css "#b"'


def test_a_picture_without_places_knows_no_elements():
    written = BytesIO()
    Image.new("RGB", (9, 9)).save(written, "PNG")
    with pytest.raises(NotFound, match="this picture does not know where the elements of the page are"):
        next_steps(page("<p>x"), written.getvalue(), 1, 1)


def test_an_element_that_the_page_no_longer_has_is_none():
    shown = page("<p id=p>x</p><i>y</i>")
    with pytest.raises(NotFound, match="there is no element of the page at that place"):
        next_steps(page("<p id=p>x</p>"), picture(shown, {"i": (0, 0, 10, 10)}), 5, 5)
