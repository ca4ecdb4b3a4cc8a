"""A changed object in, the words out by which a sentence tells its old and its new text.

€ 1,299.00 → € 1,279.00 (−1.5 %)             an amount with its unit, and by how much it changed
In stock → Sold out                          each fact of a line apart from the price beside it
at least sixteen years → at least 18 years   words with those beside them
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webvigil.detect.quantities import Amount, amounts_in
from webvigil.detect.units import CURRENCIES
from webvigil.document.naming import JOINT, cut
from webvigil.model.change import CELL_JOINT, ObjectChange, Range

NBSP = "\u00a0"
SIDE = 48
"""The most characters of a side."""
# Words on each side of changed words that are told with them where the whole clause is too long.
_BESIDE = 2
# More than a hundredfold is no share that a reader can picture.
_MOST_SHARE = 10_000
# A fact beside a price, such as "only 2 left", has no more words.
_FACT = 4

_CELL = re.compile(r"/(?:td|th|tr)(?:\[\d+\])?(?:/|$)")
_SIGNS = "€$£¥₹₽₩₺₴₫₪฿¢"
_TIED = re.compile(
    rf"(?<=[{_SIGNS}]) (?=\d)|(?<=\d) (?=[%‰°{_SIGNS}]|(?:EUR|USD|GBP|CHF|kg|g|km|m|cm|mm|l|ml|h)\b)"
)
_TERM_BEFORE = re.compile(r"\w[\w.,:/–-]*[.,:/–-]$")
_TERM_BEHIND = re.compile(r"^[.,:/–-][\w.,:/–-]*\w")
# The point of a short word such as "Dr." ends no clause.
_CLAUSE_END = re.compile(
    r"(?:[,;:!?…]|(?<=\w\w\w)\.)(?=\s)|[.!?…]$|[()\[\]{}\"“”„«»|]|[，。；：！？、「」（）।،؛؟۔]|\s[-–—·]\s|^[-–—•*]\s"
)
_WORD_BEFORE = re.compile(r"\S+\s*$")
_WORD_BEHIND = re.compile(r"\s*\S+")
_GLUED = re.compile(r"(?<=\d)(?=[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω][a-zß-öø-ÿа-яα-ω])")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_EDGES = " ,;:.|·-–—"


class Step(NamedTuple):
    """One fact before and after; "" for a side that does not exist. `percent` is by how much a number
    changed, "" if that says nothing."""

    before: str
    after: str
    percent: str = ""


def steps(one: ObjectChange) -> list[Step]:
    """Returns the facts that changed, mostly one."""
    facts = _facts(*_told(one))
    # Of a value that somebody asked for, the object says where it stands: it is a number also if its line is
    # told with it, as in "Price 12". Any other number beside words may be that of a chapter.
    is_asked_for = len(facts) == 1 and one.object not in (one.before, one.after)
    asked = _percent(one.before or "", one.after or "") if is_asked_for else ""
    return [Step(*sides, _percent(*sides) or asked) for sides in facts]


def quantity(one: ObjectChange) -> str:
    """Returns `price` if an amount of money changed, `value` if another number did that stands for itself,
    and "" for anything else, such as a number in a sentence."""
    if not (_has_number(one.before) and _has_number(one.after)):
        return ""
    before, after = _told(one)
    was, now = _number(before), _number(after)
    if was is not None and now is not None:
        return "price" if was.unit in CURRENCIES and now.unit in CURRENCIES else "value"
    facts = _facts(before, after) if one.surrounding else []
    return "price" if any(_is_money(was) and _is_money(now) for was, now in facts) else ""


def _has_number(text: str | None) -> bool:
    """Tells whether a text is short enough to be a number, and has a digit."""
    return text is not None and len(text) <= SIDE and (text.isdigit() or any(map(str.isdigit, text)))


def in_clause(text: str, line: str, marks: Sequence[Range] = ()) -> str:
    """Returns a text with the words beside it on its line: the clause that it stands in or, if that is long,
    two words on each side."""
    at = _place(text, line, marks)
    if at < 0:
        return line if line and text.startswith(line) else text
    end = at + len(text)
    first = max((stop.end() for stop in _CLAUSE_END.finditer(line, 0, at)), default=0)
    stop = _CLAUSE_END.search(line, end)
    last = stop.start() if stop else len(line)
    if len(line[first:last].strip()) <= SIDE:
        return line[first:last].strip()
    head, tail = line[first:at], line[end:last]
    start = _words_back(head, _BESIDE)
    beyond = _words_on(tail, _BESIDE)
    lead = "…" if head[:start].strip() else ""
    more = "…" if tail[beyond:].strip() else ""
    return f"{lead}{(head[start:] + text + tail[:beyond]).strip()}{more}"


def short(text: str, longest: int = SIDE) -> str:
    """Returns a text of at most so many characters, with numbers tied to their units."""
    return _TIED.sub(NBSP, cut(text, longest))


def isolated(text: str) -> str:
    """Returns a text so that its direction does not change the order of the words around it. A text that is
    written from left to right alone stays as it is."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


# --- both sides -------------------------------------------------------------------------------------


def _told(one: ObjectChange) -> tuple[str, str]:
    """Returns both texts. Words that markup alone keeps apart, as in "57.90In stock", get a space."""
    before, after = _sides(one)
    return _GLUED.sub(" ", before), _GLUED.sub(" ", after)


def _sides(one: ObjectChange) -> tuple[str, str]:
    """Returns both texts as a reader knows them: an amount with its unit, few words with those beside."""
    before, after = one.before or "", one.after or ""
    around = one.surrounding
    if around is None or not (before and after and around.before and around.after):
        return _without_common(before, after)
    is_short = max(len(around.before), len(around.after)) <= SIDE
    if is_short and not one.label:
        return around.before, around.after
    was = _with_unit(before, around.before, around.before_marks)
    now = _with_unit(after, around.after, around.after_marks)
    is_row = CELL_JOINT in around.after or (bool(one.where) and _CELL.search(one.where[0]) is not None)
    is_named = one.label not in ("", one.section)
    is_whole = is_row or (is_named and _is_all(was, around.before, one.label))
    if is_whole or _is_money(was) or len(_facts(was, now)) > 1:
        return _without_common(was, now)
    if is_named and is_short:
        return around.before, around.after
    told = (
        in_clause(was, around.before, around.before_marks),
        in_clause(now, around.after, around.after_marks),
    )
    return _without_common(*told)


def _is_all(text: str, line: str, label: str) -> bool:
    """Tells whether a text is all that stands on its line beside the name that the line begins with."""
    return line.removeprefix(label.rpartition(JOINT)[2]).strip(_EDGES) == text.strip(_EDGES)


def _with_unit(text: str, line: str, marks: Sequence[Range]) -> str:
    """Returns a number with what belongs to it on its line: its currency or unit, or the rest of a term such
    as `9-17`."""
    at = _place(text, line, marks)
    if at < 0 or not any(map(str.isdigit, text)):
        return text
    end = at + len(text)
    before, behind = _TERM_BEFORE.search(line[:at]), _TERM_BEHIND.search(line[end:])
    if before or behind:
        return (before[0] if before else "") + text + (behind[0] if behind else "")
    touched = [one for one in amounts_in(line) if one.start < end and one.end > at]
    start = min([at, *(one.start for one in touched)])
    return line[start : max([end, *(one.end for one in touched)])]


def _place(text: str, line: str, marks: Sequence[Range]) -> int:
    """Returns where a text stands on its line, at a mark if possible; -1 if it does not."""
    if not text:
        return -1
    places = list(whole_words(text, line))
    inside = (at for at in places if any(start <= at < end for start, end in marks))
    return next(inside, places[0] if places else line.find(text))


def whole_words(text: str, line: str) -> Iterator[int]:
    """Yields the places on a line where a text stands and does not begin or end within a word."""
    at = line.find(text)
    while at >= 0:
        end = at + len(text)
        is_apart = not (_is_of_word(line[at - 1 : at]) or _is_of_word(line[end : end + 1]))
        if is_apart:
            yield at
        at = line.find(text, end if is_apart else at + 1)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _without_common(before: str, after: str) -> tuple[str, str]:
    """Returns two texts of which one is too long for a sentence cut down to where they differ."""
    if max(len(before), len(after)) <= SIDE or not (before and after):
        return before, after
    head = _alike(before, after)
    tail = min(_alike(before[::-1], after[::-1]), len(before) - head, len(after) - head)
    start = _words_back(before[:head], _BESIDE) if " " in before[:head] else max(0, head - _BESIDE)
    end = len(before) - tail
    behind = tail - (_words_on(before[end:], _BESIDE) if " " in before[end:] else min(tail, _BESIDE))
    return _within(before, start, behind), _within(after, start, behind)


def _within(text: str, start: int, behind: int) -> str:
    """Returns a text without its first and last characters, with signs where something was left out."""
    kept = text[start : len(text) - behind].strip()
    return ("…" if start else "") + kept + ("…" if behind else "")


def _alike(one: str, other: str) -> int:
    """Returns how many characters two texts begin with alike, up to the end of a word."""
    pairs = enumerate(zip(one, other, strict=False))
    alike = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one.rfind(" ", 0, alike) + 1 if " " in one[:alike] else alike


def _words_back(text: str, many: int) -> int:
    """Returns where the last words of a text begin."""
    end = len(text)
    for _ in range(many):
        if (word := _WORD_BEFORE.search(text, 0, end)) is None:
            break
        end = word.start()
    return end


def _words_on(text: str, many: int) -> int:
    """Returns where the first words of a text end."""
    start = 0
    for _ in range(many):
        if (word := _WORD_BEHIND.match(text, start)) is None:
            break
        start = word.end()
    return start


# --- facts ------------------------------------------------------------------------------------------


def _facts(before: str, after: str) -> list[tuple[str, str]]:
    """Returns a price and the few words beside it as two facts; any other text as one."""
    was, now = _price_and_fact(before), _price_and_fact(after)
    if was is None or now is None or not (was[1] or now[1]):
        return [(before, after)]
    differing = [sides for sides in zip(was, now, strict=True) if sides[0].casefold() != sides[1].casefold()]
    return differing or [(before, after)]


def _price_and_fact(text: str) -> tuple[str, str] | None:
    """Returns the price that a text begins or ends with, and the few words beside it; None if it has none or
    several."""
    money = [one for one in amounts_in(text) if one.unit in CURRENCIES]
    if len(money) != 1:
        return None
    (one,) = money
    head, tail = text[: one.start].strip(_EDGES), text[one.end :].strip(_EDGES)
    if (head and tail) or len((head or tail).split()) > _FACT:
        return None
    return text[one.start : one.end], head or tail


def moved_by(one: ObjectChange) -> float:
    """Returns by how many hundredths of what it was a number moved, up or down; 0 if that says nothing."""
    sides = [(one.before or "", one.after or ""), *((step.before, step.after) for step in steps(one))]
    shares = [abs(_share(*both)) for both in sides]
    return max((share for share in shares if share < _MOST_SHARE), default=0.0)


def _percent(before: str, after: str) -> str:
    """Returns by how much a number changed, such as `−1.5 %`; "" if that says nothing."""
    share = _share(before, after)
    # Less is shown as 0.0 %.
    if not 0.05 <= abs(share) < _MOST_SHARE:
        return ""
    digits = f"{abs(share):.1f}".removesuffix(".0")
    return f"{'+' if share > 0 else '−'}{digits}{NBSP}%"


def _share(before: str, after: str) -> float:
    """Returns by how many hundredths of what it was a number changed; 0 if that cannot be said."""
    was, now = _number(before), _number(after)
    if was is None or now is None or was.number <= 0 or {was.unit, now.unit} & _NO_SHARE:
        return 0.0
    if len({was.unit, now.unit} - {""}) > 1:
        return 0.0
    return float((now.number - was.number) / was.number * 100)


# By how much a share or a temperature changed is not told as a share.
_NO_SHARE = frozenset(("%", "‰", "°", "°C", "°F"))


def _number(text: str) -> Amount | None:
    """Returns the number that a short text is, with nothing but its unit beside it."""
    if not _has_number(text) or (text.isascii() and not _ONE_NUMBER.fullmatch(text)):
        return None
    found = amounts_in(text)
    return found[0] if len(found) == 1 and not _rest(text, found[0]) else None


# What every text with one number matches, however it is written. It is quick to see that a text has several
# numbers; what they are takes longer. The unit `m2` has a digit of its own.
_ONE_NUMBER = re.compile(r"\D*\d+(?:[.,]\d+|[ ']\d{3}(?!\d)|[eE][-+]?\d{1,4})*\D*(?:(?<=m)2\D*)?")


def _rest(text: str, one: Amount) -> str:
    return (text[: one.start] + text[one.end :]).strip(_EDGES)


def _is_money(text: str) -> bool:
    number = _number(text)
    return number is not None and number.unit in CURRENCIES
