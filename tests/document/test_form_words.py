"""What a form or a button does is known by its words, in many languages."""

from __future__ import annotations

import pytest

from webvigil.document import form_words
from webvigil.document.form_words import (
    ACCOUNT,
    PURCHASE,
    SEARCH,
    act_of_button,
    act_said,
    is_called,
    is_said,
    rank_of_button,
    said,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("addToCart", " add to cart "),
        ("Add-to_cart 2x", " add to cart x "),
        ("HTMLPage", " htmlpage "),
        ("STRASSE Straße", " strasse strasse "),
        ("", "  "),
        ("12 !", "  "),
        ("a" * 1999 + "bc", f" {'a' * 1999}b "),
    ],
)
def test_a_name_has_its_words_apart(text: str, words: str):
    assert tokens(text) == words


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Buy now", "buy"),
        ("We bought it", ""),
        ("buyer", ""),
        ("place your order", "order"),
        ("go to checkout", "checkout"),
        ("今すぐ購入する", "購入"),
        ("구매하기", "구매"),
        ("купить", "купить"),
        ("покупить", ""),
        ("", ""),
    ],
)
def test_a_word_is_said_as_a_whole_where_blanks_part_words(text: str, word: str):
    assert said(PURCHASE, text) == word


@pytest.mark.parametrize(
    ("text", "most", "begins"),
    [
        ("search", 1, True),
        ("Search all courses", 3, True),
        ("Search all courses", 2, False),
        ("all courses: search", 3, False),
        ("searching", 1, False),
        ("検索する", 1, True),
        ("全検索", 1, False),
        ("", 0, False),
    ],
)
def test_a_text_begins_with_a_word_and_is_short(text: str, most: int, begins: bool):
    assert is_said(SEARCH, text, most) is begins


@pytest.mark.parametrize(
    ("text", "called"),
    [("Search", True), ("search_", True), ("search it", False), ("検索", True), ("検索x", False)],
)
def test_a_text_is_called_by_one_word_alone(text: str, called: bool):
    assert is_called(SEARCH, text) is called


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Log in", ("log in", "a log-in")),
        ("Forgot password", ("password", "an account")),
        ("Pay", ("pay", "a purchase")),
        ("Newsletter", ("newsletter", "a subscription")),
        ("Reply", ("reply", "a contact or comment form")),
        ("Attach file", ("attach", "an upload")),
        ("Löschen", ("löschen", "a deletion")),
        ("Save", ("save", "a change")),
        ("Vote", ("vote", "a change")),
        ("Preview", ("preview", "an edit")),
        ("Create", ("create", "a new entry")),
        ("Report abuse", ("report abuse", "a report")),
        ("Delete account", ("account", "an account")),
        ("Save and delete", ("delete", "a deletion")),
        ("Order", ("order", "a purchase")),
        ("Sort order", None),
        ("sorting_order", None),
        ("Order by price", None),
        ("ordered-by", None),
        ("in order", None),
        ("Reading order", None),
        ("Order in time", ("order", "a purchase")),
        ("Show", None),
        ("", None),
    ],
)
def test_a_text_names_an_act(text: str, act: tuple[str, str] | None):
    assert act_said(text) == act


@pytest.mark.parametrize(
    ("says", "act"),
    [
        (("Buy",), ("buy", "a purchase")),
        (("OK", "", "buyNow"), ("buy", "a purchase")),
        (("OK", "delete", "buyNow"), ("delete", "a deletion")),
        (("", "", "deleteItem"), ("delete", "a deletion")),
        (("Search", "Save", "delete"), ("", "")),
        (("", "Search", "delete"), ("", "")),
        (("Save search",), ("save", "a change")),
        (("Delete search",), ("delete", "a deletion")),
        (("Save or delete search",), ("save", "a change")),
        (("Go", "search"), ("", "")),
        ((), ("", "")),
    ],
)
def test_a_button_acts_by_what_it_shows_its_value_or_its_name(says: tuple[str, ...], act: tuple[str, str]):
    assert act_of_button(*says) == act


@pytest.mark.parametrize(
    ("shown", "rank"),
    [
        ("Search", 0),
        ("Find courses", 0),
        ("Show", 1),
        ("Go and search", 0),
        ("Courses", 2),
        ("", 2),
        ("Reset", 3),
        ("Clear search", 3),
        (" X ", 3),
        ("×", 3),
        ("xx", 2),
    ],
)
def test_the_button_that_asks_goes_before_one_that_clears(shown: str, rank: int):
    assert rank_of_button(shown) == rank


LISTS = {
    name: words for name, words in vars(form_words).items() if name.isupper() and not name.startswith("_")
}


@pytest.mark.parametrize("name", LISTS)
def test_every_word_of_a_list_is_found_where_it_stands(name: str):
    listed = [word.strip() for line in LISTS[name].splitlines() for word in line.split("|") if word.strip()]
    assert listed
    assert [word for word in listed if not said(LISTS[name], f"x {word} x")] == []
    assert [word for word in listed if not is_said(LISTS[name], word, 9)] == []


def test_a_word_counts_up_to_the_two_thousandth_letter():
    assert said(ACCOUNT, " " * 1993 + "account") == "account"
    assert said(ACCOUNT, " " * 1994 + "account") == ""
