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
