"""The parts around the main part of a page are named as people call them (Q5, Q7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.around import MOST, Beside, around
from webvigil.document.main import main

TEXT = "<p>" + "The harbour master keeps a log of every ship that enters the bay at night. " * 4 + "</p>"


def beside(body: str) -> list[Beside]:
    return around(read(f"<html><body>{body}</body></html>".encode(), "text/html; charset=utf-8"))


@pytest.mark.parametrize(
    ("block", "called"),
    [
        ("<nav>{}</nav>", "the navigation"),
        ("<div id=mainMenu>{}</div>", "the navigation"),
        ("<header>{}</header>", "the header"),
        ("<footer>{}</footer>", "the footer"),
        ("<aside>{}</aside>", "the side column"),
        ("<div class='cookie-banner'>{}</div>", "the question for consent"),
        ("<section class='related'>{}</section>", "recommendations"),
        ("<div><div role=dialog>{}</div></div>", "a dialog"),
        ("<div><a href=/x>{}</a></div>", "a list of links"),
    ],
)
def test_a_block_is_called_by_its_name(block: str, called: str):
    (one,) = beside(f"<main>{TEXT}</main>" + block.format("Home Ships Weather Contact"))
    assert (one.called, one.words, one.begins) == (called, 4, "Home Ships Weather Contact")


def test_a_long_block_is_cut():
    (one,) = beside(f"<nav>{'Home ' * 20}</nav><main>{TEXT}</main>")
    assert (one.path, one.words) == ("/html/body/nav", 20)
    assert one.begins == "Home Home Home Home Home Home Home Home …"


def test_a_page_that_is_all_main_leaves_nothing_out():
    assert beside(TEXT) == []
    assert around(read(b'{"a": 1}', "application/json")) == []


def test_of_many_blocks_the_largest_are_told():
    assert len(beside(f"<main>{TEXT}</main>" + "<nav>Home</nav>" * 50)) == MOST


BLOCKS = st.lists(
    st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from(["nav", "main", "div", "p", "footer", "aside", "ul", "section", "a"]),
        st.sampled_from([TEXT, "Home Ships", "<a href=/x>Ships and more ships</a>", f"<div>{TEXT}</div>"]),
    ),
    max_size=8,
).map("".join)


@given(BLOCKS)
def test_what_is_around_and_the_main_part_have_no_word_in_common(body: str):
    digest = read(f"<html><body>{body}</body></html>".encode(), "text/html; charset=utf-8")
    kept = set(digest.paths(main(digest).nonzero()[0].tolist()))
    for one in around(digest):
        assert one.words
        assert not any(path == one.path or path.startswith(one.path + "/") for path in kept)


@pytest.mark.parametrize(("words", "begins"), [(7, "Home" + " Home" * 6), (8, "Home" + " Home" * 7)])
def test_a_block_of_eight_words_is_shown_as_a_whole(words: int, begins: str):
    (one,) = beside(f"<nav>{'Home ' * words}</nav><main>{TEXT}</main>")
    assert (one.words, one.begins) == (words, begins)
    (one,) = beside(f"<nav>{'Home ' * 8}<b>Last</b></nav><main>{TEXT}</main>")
    assert (one.words, one.begins) == (9, "Home Home Home Home Home Home Home Home …")


def test_blocks_stand_in_the_order_of_the_page_with_their_places():
    nav, aside = "<nav><ul><li>Home<li>Ships</ul></nav>", "<aside><p>One two three.</aside>"
    assert beside(f"{nav}<div></div><main>{TEXT}</main>{aside}<nav></nav>") == [
        Beside("the navigation", "/html/body/nav[1]", 2, "Home Ships"),
        Beside("the side column", "/html/body/aside", 3, "One two three"),
    ]


def test_of_more_than_twenty_blocks_the_smaller_are_left_out():
    blocks = "".join(f"<nav>{'Home ' * (number % 21 + 1)}</nav>" for number in range(22))
    counts = [one.words for one in beside(f"<main>{TEXT * 9}</main>{blocks}")]
    assert counts == [*range(2, 22)]


@pytest.mark.parametrize(
    ("links", "texts", "called"),
    [(3, 2, "a list of links"), (2, 2, "a block beside the text"), (0, 1, "a block beside the text")],
)
def test_a_block_of_which_most_texts_are_links_is_a_list_of_links(links: int, texts: int, called: str):
    inside = "<p><a href=/x>Ships</a></p>" * links + "<p>Ships</p>" * texts
    (one,) = beside(f"<main>{TEXT}</main><div>{inside}</div>")
    assert one.called == called


@pytest.mark.parametrize(
    ("attributes", "called"),
    [
        ("role=navigation", "the navigation"),
        ("id=NAVBar", "the navigation"),
        ("class='x breadcrumbs'", "the way to this page"),
        ("role=search", "the search"),
        ("class=social-links", "links to share it"),
        ("id=newsletterBox", "the newsletter"),
        ("class=ads", "advertising"),
        ("class=pager", "links to other pages of a list"),
        ("class=x title=nav", "a block beside the text"),
        (f"class='{'a ' * 98}nav'", "the navigation"),
        (f"class='{'a ' * 99}nav'", "a block beside the text"),
    ],
)
def test_a_block_is_called_by_its_role_id_or_class(attributes: str, called: str):
    (one,) = beside(f"<main>{TEXT}</main><div {attributes}>Ships and more</div>")
    assert one.called == called
