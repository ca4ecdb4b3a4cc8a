"""What is left out in, sentences for people out (Q7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webvigil.model.change import ObjectChange, Status
from webvigil.model.quiet import LeftOut, Place, Why
from webvigil.model.short_text import short_text
from webvigil.trigger.restless import AGE, form_of, is_shell

# A line of the fetch log stays legible: sentences in it, and characters of a text that it quotes.
_MOST = 5
_LONGEST = 60
_SHELLS = {"nav": "the navigation", "menu": "the menu", "aside": "the side column"}


def in_sentences(left_out: Iterable[LeftOut]) -> str:
    """Returns what was left out as one text, with things that belong together in one sentence; "" if nothing
    was left out."""
    groups: dict[tuple[Why, str], list[LeftOut]] = {}
    for one in dict.fromkeys(left_out):
        groups.setdefault((one.why, one.place), []).append(one)
    said = [_sentence(why, some[0], [one.object for one in some]) for (why, _), some in groups.items()]
    more = f"; and at {len(said) - _MOST} more places" if len(said) > _MOST else ""
    return "; ".join(said[:_MOST]) + more


def about_place(place: Place) -> str:
    """Returns a sentence about a restless place and what happens there."""
    if is_shell(place.key):
        return f"{where(place.key)} changes at nearly every look, last: {_quoted(place.example)}"
    called = where(place.key, place.label, place.form) if place.label else f"a {place.form} at {place.key}"
    if place.returned:
        return f"{called} comes and goes, last: {_quoted(place.example)}"
    if place.form == AGE:
        return f"{called.replace('a age', 'an age')} goes on with the clock, last: {_quoted(place.example)}"
    return f"{called} changes at nearly every look, last: {_quoted(place.example)}"


def where(key: str, label: str = "", form: str = "text") -> str:
    """Returns what a place is called in a sentence: by its label, or else by its path."""
    if is_shell(key):
        return _SHELLS.get(key, f"the {key}")
    if label:
        return f"the {form} beside {_quoted(label)}"
    return key or "the page"


def _sentence(why: Why, first: LeftOut, some: Sequence[ObjectChange]) -> str:
    place = where(first.place, first.label, form_of(first.object))
    shown, many = _shown(some[0]), len(some)
    match why:
        case Why.ADDRESS:
            went = sum(one.status in (Status.GONE, Status.FEWER) for one in some)
            said = _count(max(went, many - went), "address that means", "addresses that mean")
            return f"{said} the same as before, such as {shown}"
        case Why.UNSEEN:
            return f"{_count(many, 'picture or link', 'pictures or links')} that nobody sees, such as {shown}"
        case Why.TICKING:
            return f"{_count(many, 'time that ticks', 'times that tick')}, such as {shown}"
        case Why.RESTLESS:
            return f"{place} changes at nearly every look, this time: {shown}"
        case Why.SEEN:
            return f"{shown} was there before, and {place} takes turns"
        case Why.NOT_NEW:
            return f"{_count(many, 'change', 'changes')} to what was on the page before, such as {shown}"
        case Why.JUST_GONE:
            more = f" and {many - 1} more" if many > 1 else ""
            return f"{shown}{more} went away just now: told if the next looks confirm it"


def _count(many: int, one: str, several: str) -> str:
    return f"{many} {one if many == 1 else several}"


def _shown(one: ObjectChange) -> str:
    return _quoted(one.object if one.old is not None else one.after or one.before or one.object)


def _quoted(text: str) -> str:
    short = short_text(" ".join(text.split()), _LONGEST)
    return f"“{short}”"
