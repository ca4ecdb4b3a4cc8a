"""Is what was told what the reader expected? Facts and told objects in, a tally out.

A fact is found when an object says it, whatever the object is called. One object may say several facts
(a row with two new cells), but an object that says no fact of its own is surplus. Words are compared as
words: a run may be cut anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import regex

from bench.quality.expect import Fact, Pair
from webvigil.model.change import ObjectChange

# A number keeps its points, a word its apostrophes; scripts without spaces give one word per character.
_ALONE = r"[\p{Han}\p{Hiragana}\p{Thai}]"
_LETTER = rf"(?:(?!{_ALONE})[\p{{L}}\p{{M}}])"
_TOKEN = regex.compile(
    rf"{_ALONE}\p{{M}}*"
    rf"|\p{{N}}+(?:[.,]\p{{N}}+)*{_LETTER}*"
    rf"|{_LETTER}(?:{_LETTER}|\p{{N}})*(?:['’]{_LETTER}+)*"
)
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,2})?|\d+[.,]\d+")
_COMES = ("i", "i+")
_GOES = ("d", "d-")
# Types without a name for their objects: the nested parts of an inserted part may be told as well.
_NESTED = ("structure", "layout")
# Types that know moves (C8): a row told as gone and come is not told well.
_WITH_MOVES = ("table", "list")
_WORDS = ("inserted", "deleted")
# An object that shows a fact must not drown it: a row around a cell is fine, the whole table is not.
_ROOM = 20
_ROOM_PER_WORD = 6


@dataclass(frozen=True, slots=True)
class Tally:
    """How many expected facts were found or missed, and how many reported objects were not expected. A fact
    that was partly reported counts by its share."""

    found: float = 0.0
    missed: float = 0.0
    surplus: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.found + other.found, self.missed + other.missed, self.surplus + other.surplus)

    @property
    def precision(self) -> float | None:
        told = self.found + self.surplus
        return self.found / told if told else None

    @property
    def recall(self) -> float | None:
        expected = self.found + self.missed
        return self.found / expected if expected else None

    @property
    def goodness(self) -> float:
        """The harmonic mean of precision and recall; 1 if nothing was expected and nothing reported."""
        total = 2 * self.found + self.missed + self.surplus
        return 2 * self.found / total if total else 1.0


def tally(pair: Pair, told: Sequence[ObjectChange]) -> Tally:
    """Compares the reported objects with each account of the pair, and returns the best tally."""
    return max(
        (_against(account, pair.type, told) for account in pair.accounts), key=lambda one: one.goodness
    )


def _against(account: tuple[Fact, ...], kind: str, told: Sequence[ObjectChange]) -> Tally:
    roomy = (replace(fact, roomy=kind in _NESTED) for fact in account)
    facts = [part for fact in roomy for part in _as_told(fact, told, _way(account, kind))]
    named = [fact for fact in facts if fact.sort not in _WORDS]
    matched, found = _pair_up(named, told)
    rest = [one for place, one in enumerate(told) if place not in matched]
    so_far = Tally(found=found, missed=len(named) - found)
    if in_words := [fact for fact in facts if fact.sort in _WORDS]:
        return so_far + _words_tally(in_words, rest)
    forgiven = kind in _NESTED or any(fact.sort == "some" for fact in named)
    surplus = [one for one in rest if not (forgiven and any(_says(fact, one) for fact in named))]
    return so_far + Tally(surplus=len(surplus))


def _way(account: tuple[Fact, ...], kind: str) -> str:
    """Returns how a move or a replacement may be told: as "words", in "two" parts, or only as "one"."""
    if any(fact.sort in _WORDS for fact in account):
        return "words"
    return "one" if kind in _WITH_MOVES else "two"


# --- Facts and objects ---------------------------------------------------------------------------


def _as_told(fact: Fact, told: Sequence[ObjectChange], way: str) -> list[Fact]:
    """Returns a fact in the form in which it was reported: `replaced` and `moved` may be reported as one
    object, as two (one gone, one new), or as words. Other facts are returned as they are."""
    if way == "one" or fact.sort not in ("replaced", "moved") or any(_says(fact, one) for one in told):
        return [fact]
    left, came = (fact.before, fact.after) if fact.sort == "replaced" else (fact.shows[0], fact.shows[0])
    parts = [
        replace(fact, sort="left", before="", after="", shows=(left,)),
        replace(fact, sort="came", before="", after="", shows=(came,)),
    ]
    if way == "words" or not all(any(_says(part, one) for one in told) for part in parts):
        return [
            Fact(sort="deleted", before=left, status=fact.sort),
            Fact(sort="inserted", after=came, status=fact.sort),
        ]
    return parts


def _pair_up(facts: Sequence[Fact], told: Sequence[ObjectChange]) -> tuple[set[int], int]:
    """Returns the objects that say a fact of their own, and how many facts were said."""
    options = [[place for place, one in enumerate(told) if _says(fact, one)] for fact in facts]
    taken: dict[int, int] = {}
    for fact in range(len(facts)):
        _augment(fact, options, taken, set())
    said = sum(1 for places in options if any(place in taken for place in places))
    return set(taken), said


def _augment(fact: int, options: list[list[int]], taken: dict[int, int], seen: set[int]) -> bool:
    for place in options[fact]:
        if place not in seen:
            seen.add(place)
            if place not in taken or _augment(taken[place], options, taken, seen):
                taken[place] = fact
                return True
    return False


def _says(fact: Fact, one: ObjectChange) -> bool:
    match fact.sort:
        case "some":
            return True
        case "new" | "more" | "fewer" | "gone":
            return (
                one.status == fact.status and _same_name(fact.object, one.object) and _same_counts(fact, one)
            )
        case "updated" | "replaced":
            return one.status == "u" and _shows_both(fact, one)
        case "left":
            return one.status in _GOES and _shows(fact, one)
        case "came":
            return one.status in _COMES and _shows(fact, one)
        case _:
            return one.status == fact.status and _shows(fact, one)


def _same_name(expected: str, told: str) -> bool:
    if "://" in expected:
        return _plain(expected) == _plain(told)
    return tokens(expected) == tokens(told)


def _same_counts(fact: Fact, one: ObjectChange) -> bool:
    return all(
        mine is None or its is None or mine == its for mine, its in ((fact.old, one.old), (fact.new, one.new))
    )


def _shows_both(fact: Fact, one: ObjectChange) -> bool:
    before, after = one.before if one.before is not None else one.object, one.after or ""
    return (
        _holds(tokens(before), tokens(fact.before))
        and _holds(tokens(after), tokens(fact.after))
        and before != after
        and _shows(fact, one)
    )


def _shows(fact: Fact, one: ObjectChange) -> bool:
    texts = [one.object, one.before or "", one.after or "", *one.where]
    lists = [tokens(text) for text in texts]
    wanted = [tokens(text) for text in fact.shows]
    return all(any(_holds(each, part) for each in lists) for part in wanted) and _has_room(fact, lists[:3])


def _has_room(fact: Fact, lists: Sequence[Sequence[str]]) -> bool:
    texts = [*fact.shows, fact.before, fact.after]
    wanted = sum(len(tokens(text)) for text in texts)
    return fact.roomy or not wanted or sum(map(len, lists)) <= _ROOM + _ROOM_PER_WORD * wanted


def _holds(text: Sequence[str], part: Sequence[str]) -> bool:
    """Tells whether the words of the part stand in the text, one after the other."""
    size = len(part)
    return any(text[start : start + size] == part for start in range(len(text) - size + 1))


# --- Words ---------------------------------------------------------------------------------------


def _words_tally(facts: Sequence[Fact], told: Sequence[ObjectChange]) -> Tally:
    """Returns the tally of inserted and deleted words. A word that was both deleted and inserted in the same
    change may be reported or left out."""
    came, went = _expected_words(facts)
    replaced_words = came & went
    must = (came - replaced_words, went - replaced_words)
    for fact in facts:
        if fact.status == "moved":
            must[0].update(words(fact.after))
            must[1].update(words(fact.before))
    told_came, told_went = _told_words(told)
    required = must[0].total() + must[1].total()
    met = (must[0] & told_came).total() + (must[1] & told_went).total()
    total = told_came.total() + told_went.total()
    wrong = (told_came - came).total() + (told_went - went).total()
    recall = met / required if required else 1.0
    return Tally(
        found=len(facts) * recall,
        missed=len(facts) * (1 - recall),
        surplus=len(told) * wrong / total if total else float(len(told)),
    )


def _expected_words(facts: Sequence[Fact]) -> tuple[Counter[str], Counter[str]]:
    came = Counter(word for fact in facts for word in words(fact.after))
    went = Counter(word for fact in facts for word in words(fact.before))
    return came, went


def _told_words(told: Iterable[ObjectChange]) -> tuple[Counter[str], Counter[str]]:
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    for one in told:
        if one.status in _COMES:
            came.update(words(one.after or one.object))
        elif one.status in _GOES:
            went.update(words(one.before or one.object))
        elif one.status == "u":
            old, new = Counter(words(one.before or "")), Counter(words(one.after or ""))
            came.update(new - old)
            went.update(old - new)
    return came, went


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Returns the words of a name, in any case."""
    return words(text.casefold())


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Returns the words of a text, numbers without grouping and without zeros at the end of their
    decimals."""
    composed = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return tuple(_number(word) for word in _TOKEN.findall(composed))


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _number(word: str) -> str:
    if not _GROUPED.fullmatch(word):
        return word
    parts = re.split("[.,]", word)
    if len(parts) > 1 and len(parts[-1]) <= 2:
        whole, decimals = "".join(parts[:-1]), parts[-1].rstrip("0")
        return f"{whole}.{decimals}" if decimals else whole
    return "".join(parts) if all(len(part) == 3 for part in parts[1:]) else word
