"""The button that sends a form is the one that a person would press (F7)."""

from __future__ import annotations

import pytest

from webvigil.fetch.filling import FormButton, pressed


def told(*buttons: FormButton | str) -> int:
    return pressed([FormButton(shown=one) if isinstance(one, str) else one for one in buttons])


@pytest.mark.parametrize(
    "wrong",
    [
        "Clear",
        "×",
        "Reset",
        "Log in",
        "Sign up",
        "Save search",
        "Suche löschen",
        "Clear search",
        "Zurücksetzen",
        "Annuler",
        "清除",
        "ログイン",
        "Delete",
    ],
)
def test_buttons_that_clear_log_in_or_write_are_passed_over(wrong: str):
    for right in ("Weiter", "Search"):
        assert told(wrong, right) == 1
        assert told(right, wrong) == 0


@pytest.mark.parametrize("right", ["Search", "Suchen", "Rechercher", "検索", "Find a book", "Пошук"])
def test_a_button_that_says_that_it_searches_comes_first(right: str):
    assert told("Swap", "Advanced", right, "Show map") == 2


def test_without_words_the_next_button_after_the_fields_is_pressed():
    assert told(FormButton(after=False), FormButton(), FormButton()) == 1
    assert told(FormButton(shown="A", after=False), FormButton(shown="B", after=False)) == 0


def test_a_button_that_sends_comes_before_one_that_needs_a_script():
    assert told(FormButton(shown="Options", sends=False), FormButton(shown="OK")) == 1
    assert told(FormButton(shown="Log in"), FormButton(shown="Tide", sends=False)) == 1


def test_a_button_that_is_seen_comes_before_a_hidden_one():
    assert told(FormButton(shown="Search", seen=False), FormButton(shown="Go")) == 1
    assert told(FormButton(shown="Search", seen=False), FormButton(shown="Clear")) == 0


def test_what_a_button_is_called_counts_too():
    assert told(FormButton(shown="OK", name="delete_all"), FormButton(shown="OK", name="go")) == 1


def test_the_button_that_the_fields_name_is_pressed():
    assert told("Search", FormButton(shown="Clear", named=True)) == 1


def test_a_form_may_have_one_button_or_none():
    assert told("Log in") == 0
    assert told() == -1
