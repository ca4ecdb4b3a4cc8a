"""Places of a page that change all the time: learnt from looks, left out while they change as before (Q3).

A place is an element of the page; the items of a list are one place, and so is each part of the shell around
the text (navigation, header, footer). Every place has a heat: one more for each look at which it changed, a
little less for each look since. A hot place that changes at most looks is restless; one that changes every
few looks is not, however long that goes on. What happens there in its usual form is not told; the first time
that something of another form happens there is: where a number ticked, words appear. An age that went on
with the clock once is left out as long as it does so again.

What was there before needs less heat: things that take turns are no news. A place where something went and
soon came back as it was is remembered for long: when that happens again, it is left out for a few looks, and
told if it stays. What is left out many times in a row is told once, so that nothing hides for ever behind a
place that is kept busy.

Nothing here knows of time or of a store: what was known goes in, what is known now comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from zlib import crc32

from webvigil.detect.quiet.ticking import LONGEST, spanless
from webvigil.model.change import ObjectChange
from webvigil.model.quiet import Habits, LeftOut, PageHabits, Place, Why

# What is left of the heat after a look. This and the bounds below come from a sweep over 40 histories of 48
# looks (`bench quiet`): about a hundred settings (0.90 to 0.95, 1.2 to 3, 2 to 4.5, 0.5 to 1.7) gave 150 to
# 410 alarms and 4 to 7 missed. These tell somewhat more than the best of them, so that they lean less on
# these pages. Run `bench quiet` again before you move them.
COOLING = 0.93
# The heat from which on a form is usual: numbers and what the shell of the page does, then running text.
WARM = 1.5
HOT = 4.0
# The share of the looks at which a restless place changes: from about every second look on. A price that
# moves at every fourth look is news each time. The shell of a page (menus, offers) needs no such share.
OFTEN = 0.45
# The heat from which on what was there before is no news.
AGAIN = 1.2
# A difference between two looks without time between them is none of the page's content.
AT_ONCE = 3.0
# Left out in a row, then told once.
PATIENCE = 100
# What comes back after at most so many looks was missing rather than gone.
SOON = 5
# A place that flapped is remembered for so many looks.
REMEMBERED = 500

AGE = "age"
"""The form of an age that went on as the clock did. One that did otherwise is a number."""
# An age may also be a number that changes at most looks, and a number one of the texts of its place.
_ALSO = {AGE: ("number", "text")}

# Bounds of the memory of a part: its hottest places, and the last texts of each. A place that has cooled
# down to _FADED is forgotten.
MOST_PLACES = 400
MOST_SEEN = 48
_FADED = 0.25
# A text of so many times more words than any before it at the place is of another form.
_LARGER = 4
_SHORT = 12

# Elements that stand in rows: which one of them it is does not make a place.
_ITEMS = re.compile(
    r"/(li|tr|td|th|dd|dt|option|a|img|picture|source|span|b|i|em|strong|small|label|button|time)\[\d+\]"
)
_SHELL = frozenset({"nav", "aside", "menu"})
_EDGES = frozenset({"header", "footer"})
_OUTSIDE = (*_SHELL, *_EDGES)
# The first step of a path into such a part.
_IN_SHELL, _AT_EDGE, _IN_SECTION = (
    re.compile(rf"/({'|'.join(sorted(names))})(?![^/\[])")
    for names in (_SHELL, _EDGES, ("main", "article", "section"))
)
_PICTURES = frozenset({"img", "source", "image", "input", "video"})
_DIGITS = re.compile(r"\d+")
_ZEROS = str.maketrans(dict.fromkeys("123456789", "0"))
# A place is known by its key and by the form of what happens there.
_Name = tuple[str, str]


def usual(
    objects: Iterable[ObjectChange],
    habits: Habits,
    look: int,
    *,
    loud: Callable[[ObjectChange], bool] = lambda _: False,
    at_once: bool = False,
    ageing: Container[ObjectChange] = (),
    patience: int = 0,
    happened: Container[str] | None = None,
) -> list[LeftOut]:
    """Returns which of these objects are not told, and why.

    `look` is the number of the look. `loud` tells what is told in any case. `at_once` says that hardly any
    time has passed since the look before. `ageing` are the ages that went on as the clock did. `patience` is
    for how many looks something that came back before may be missing again. `happened` are the places at
    which something happened at this look, None if at all of them.
    """
    known = {(place.key, place.form): place for place in habits.places}
    places = {place.key for place in habits.places}
    left_out = []
    for one in objects:
        key = place_of(one)
        if key not in places and not at_once:
            continue
        form = _form(one, ageing)
        place = known.get((key, form))
        others = [known.get((key, other)) for other in _ALSO.get(form, ("text",))]
        why = _why_at_once(key, form) if at_once else _why(one, (place, *others), look)
        if why is None and place and _flaps(one, place):
            rested = 0 if happened is None or key in happened else look - place.look
            why = Why.SEEN if rested < patience else None
        if why is not None and not _is_due(place) and not loud(one):
            left_out.append(LeftOut(why, one, key, place.label if place else ""))
    return left_out


def learnt(
    habits: Habits,
    objects: Iterable[ObjectChange],
    left_out: Iterable[LeftOut],
    look: int,
    *,
    at_once: bool = False,
    ageing: Container[ObjectChange] = (),
) -> Habits:
    """Returns what is known of a page after a look at which these objects differed."""
    known = {(place.key, place.form): place for place in habits.places}
    quiet = {(one.place, _form(one.object, ageing)): one.label for one in left_out}
    happened: dict[_Name, list[ObjectChange]] = {}
    for key, one in _placed(objects, habits, look):
        happened.setdefault((key, _form(one, ageing)), []).append(one)
    lost = _too_many(name for name in happened if name not in known)
    for name, some in happened.items():
        if name not in lost:
            place = known.get(name) or Place(key=name[0], form=name[1])
            known[name] = _warmed(place, some, look, at_once=at_once, label=quiet.get(name))
    for name in _returned(habits, happened, look) - lost:
        known[name] = replace(known[name], returned=known[name].returned + 1)
    return replace(habits, places=tuple(_worth_keeping(known.values(), look)))


def known_to(known: PageHabits, lesson: str, part: str) -> Habits:
    """Returns the habits that the watches of one lesson know. Watches that have learnt nothing yet begin with
    what is known of any change of their part."""
    if lesson in known.parts:
        return known.parts[lesson]
    return Habits(known.parts[part].places) if part in known.parts else Habits()


def restless(habits: Habits, look: int) -> list[Place]:
    """Returns the places whose usual changes are not told, the hottest first."""
    habits = thinned(habits, look, habits.every)
    hot = [one for one in habits.places if _is_restless(one, look) or (one.returned and one.left_out)]
    return sorted(hot, key=lambda one: -heat(one, look))


def unseen(habits: Habits, looks: int) -> Habits:
    """Returns the habits after looks that did not see the page. Its places did not rest meanwhile."""
    return replace(habits, places=tuple(replace(one, look=one.look + looks) for one in habits.places))


def thinned(habits: Habits, look: int, every: float) -> Habits:
    """Returns the habits as those see them of whom one look comes with `every` looks at the page. To them,
    only as many looks have passed as were theirs."""
    if every <= 1:
        return habits
    gaps = ((one, look - one.look) for one in habits.places)
    places = (replace(one, look=look - max(1, round(gap / every))) if gap > 0 else one for one, gap in gaps)
    return replace(habits, places=tuple(places))


def heat(place: Place, look: int) -> float:
    return place.heat * COOLING ** max(0, look - place.look)


def share(place: Place, look: int) -> float:
    """Returns the share of the looks since its first change at which the place changed, the latest counting
    most."""
    return heat(place, look) / _looks(place, look)


def _looks(place: Place, look: int) -> float:
    """Returns the number of looks since the first change of a place, the older ones counting less."""
    gap = max(0, look - place.look)
    return max(1.0, place.looks * COOLING**gap + (1 - COOLING**gap) / (1 - COOLING))


def _is_restless(place: Place, look: int) -> bool:
    """Tells whether the usual changes of a place are not told. An age need not change often, because the
    clock tells each time that it went on with it."""
    if place.form == AGE:
        return heat(place, look) > _FADED
    return heat(place, look) >= _bound(place) and _is_often(place, look)


def _takes_turns(place: Place, look: int) -> bool:
    """Tells whether what was at the place before is no news. A number may come back to a value that it had,
    or that another row has, and mean something new: its place must be as busy as a restless one."""
    return heat(place, look) >= AGAIN and (place.form != "number" or _is_often(place, look))


def _is_often(place: Place, look: int) -> bool:
    return is_shell(place.key) or share(place, look) >= OFTEN


# --- what a place and its form are ------------------------------------------------------------------


def place_of(one: ObjectChange) -> str:
    """Returns the path of the element that the object stands in, or the name of the part of the shell of the
    page."""
    return _place(one.where[0]) if one.where else ""


@lru_cache(8192)
def _place(path: str) -> str:
    return _shell(path) or (_ITEMS.sub(r"/\1", path) if "[" in path else path)


def is_shell(key: str) -> bool:
    """Returns True if this place is a part of the shell of the page."""
    return key in _SHELL or key in _EDGES


def form_of(one: ObjectChange) -> str:
    """Returns what kind of change it is: of a number, a text, a link or a picture. In the shell of the page
    only numbers are told apart."""
    if one.before and one.after and _same_but_numbers(one.before, one.after):
        return "number"
    if one.old is None or one.new is None or is_shell(place_of(one)):
        return "text"
    element = one.where[0].rpartition("/")[2].partition("[")[0] if one.where else ""
    return "picture" if element in _PICTURES else "link"


def _form(one: ObjectChange, ageing: Container[ObjectChange]) -> str:
    # Comparing an object with others takes longer than knowing that there are no others.
    return AGE if ageing and one in ageing else form_of(one)


def _same_but_numbers(before: str, after: str) -> bool:
    """Tells whether two texts are the same but for numbers in them."""
    is_short = max(len(before), len(after)) <= LONGEST
    return _short_same(before, after) if is_short else _numberless(before) == _numberless(after)


@lru_cache(8192)  # asked when an object is weighed, and again when it is learnt from
def _short_same(before: str, after: str) -> bool:
    return _numberless(before) == _numberless(after)


def _numberless(text: str) -> str:
    """Returns a text that is the same for two texts that differ only in numbers. A span of time is one
    number, whatever its unit."""
    if len(text) <= LONGEST or not text.isascii():
        return _DIGITS.sub("0", spanless(text) if len(text) <= LONGEST else text)
    # The same as the expression finds, for a text that may be a whole page of numbers.
    plain = text.translate(_ZEROS)
    while "00" in plain:
        plain = plain.replace("00", "0")
    return plain


def _shell(path: str) -> str:
    """Returns the part of the shell that the path leads into, or "". A header inside of a section belongs to
    the section."""
    # Few paths lead into the shell. Looking for the names is many times as fast as reading a long path.
    if not any(name in path for name in _OUTSIDE):
        return ""
    section = _IN_SECTION.search(path)
    edges = path[: section.start()] if section else path
    found = [one for one in (_IN_SHELL.search(path), _AT_EDGE.search(edges)) if one]
    return min(found, key=re.Match.start)[1] if found else ""


# --- is it told? ------------------------------------------------------------------------------------


def _why(one: ObjectChange, places: Iterable[Place | None], look: int) -> Why | None:
    """Returns why a change is left out, or None if it is told. `places` are what is known of changes of its
    form at its place, and of the other forms that it may have."""
    for known in dict.fromkeys(filter(None, places)):
        if known.form != AGE and _takes_turns(known, look) and _was_there(one, known):
            return Why.SEEN
        if _is_restless(known, look) and _size(one) <= max(_SHORT, _LARGER * known.most):
            return Why.TICKING if known.form == AGE else Why.RESTLESS
    return None


def _flaps(one: ObjectChange, place: Place) -> bool:
    """Tells whether a change may soon be undone, because that happened at its place before. A number that
    comes back to an earlier value may mean something new."""
    return bool(place.returned) and place.form != "number" and _was_there(one, place)


def _was_there(one: ObjectChange, place: Place) -> bool:
    return place.seen.issuperset(_marks(_came(one)))


def _why_at_once(key: str, form: str) -> Why | None:
    """Numbers, addresses and the shell of the page may differ from look to look; that running text was edited
    between two looks is rare, but then it is what somebody waits for."""
    return None if form == "text" and not is_shell(key) else Why.RESTLESS


def _bound(place: Place) -> float:
    return WARM if place.form == "number" or is_shell(place.key) else HOT


def _is_due(place: Place | None) -> bool:
    """Returns True if a place has been left out for so long that it is to be told once."""
    return place is not None and place.left_out >= PATIENCE


# --- what is learnt ---------------------------------------------------------------------------------


def _warmed(place: Place, some: list[ObjectChange], look: int, *, at_once: bool, label: str | None) -> Place:
    """Returns a place after one more change there. `label` is None if the change was told."""
    seen = dict.fromkeys(place.seen_in_order)
    for mark in _marks(text for one in some[:MOST_SEEN] for text in _texts(one)):
        seen.pop(mark, None)
        seen[mark] = None
    return replace(
        place,
        heat=heat(place, look) + (AT_ONCE if at_once else 1.0),
        looks=_looks(place, look) if place.times and heat(place, look) > _FADED else 1.0,
        swapped=_swapped(some),
        look=look,
        times=place.times + 1,
        most=max(place.most, *map(_size, some)),
        left_out=place.left_out + 1 if label is not None else 0,
        seen_in_order=tuple(seen)[-MOST_SEEN:],
        example=_shown(some[-1]),
        label=place.label or label or "",
    )


def _placed(objects: Iterable[ObjectChange], habits: Habits, look: int) -> list[tuple[str, ObjectChange]]:
    """Returns the objects with their places. Where thousands of places are new, those are left out that
    cannot be kept (`_too_many`): the forms of their changes need not be known. If places changed lately,
    nothing is left out, because any change may undo what happened there."""
    placed = [(place_of(one), one) for one in objects]
    if _recent(habits, look):
        return placed
    new = {key for key, _ in placed}.difference(place.key for place in habits.places)
    lost = set(sorted(new)[MOST_PLACES + 1 :])
    return [both for both in placed if both[0] not in lost] if lost else placed


def _recent(habits: Habits, look: int) -> list[Place]:
    return [one for one in habits.places if look - one.look <= SOON]


def _too_many(new: Iterable[_Name]) -> set[_Name]:
    """Returns those of the new places that cannot be among the hottest, because all new ones are equally hot
    and the first by their keys are kept. There may be thousands of them. One more than can be kept is left,
    which shows that there were too many."""
    return set(sorted(new, key=itemgetter(0))[MOST_PLACES + 1 :])


def _returned(habits: Habits, happened: dict[_Name, list[ObjectChange]], look: int) -> set[_Name]:
    """Returns the places at which something was soon undone. What went may have stood in another element than
    what came in its stead; both places are in the result then."""
    recent = _recent(habits, look)
    if not recent:
        return set()
    undone: dict[tuple[int, ...], _Name] = {_swapped(some)[::-1]: name for name, some in happened.items()}
    before = [one for one in recent if one.swapped in undone]
    return {(one.key, one.form) for one in before} | {undone[one.swapped] for one in before}


def _worth_keeping(places: Iterable[Place], look: int) -> list[Place]:
    """Returns the places that have not cooled down, and those that flapped; of very many the hottest."""
    kept = [
        one for one in places if heat(one, look) > _FADED or (one.returned and look - one.look < REMEMBERED)
    ]
    if len(kept) > MOST_PLACES:
        kept = sorted(kept, key=lambda one: (-heat(one, look), one.key))[:MOST_PLACES]
    return kept


def _came(one: ObjectChange) -> list[str]:
    """Returns what is on the page now and was not. If something only went, returns that."""
    if one.old is not None:
        return [one.object]
    return [one.after] if one.after else [one.before or ""]


def _texts(one: ObjectChange) -> list[str]:
    if one.old is not None:
        return [one.object]
    return [text for text in (one.before, one.after) if text]


def _swapped(some: Iterable[ObjectChange]) -> tuple[int, int]:
    """Returns what went and what came, as one short number each."""
    went: list[str] = []
    came: list[str] = []
    for one in some:
        if one.old is not None:
            (came if (one.new or 0) > one.old else went).append(one.object)
        else:
            went.append(one.before or "")
            came.append(one.after or "")
    return _marks(["\n".join(went)])[0], _marks(["\n".join(came)])[0]


def _marks(texts: Iterable[str]) -> list[int]:
    """Returns a short number for each text."""
    return [crc32(text.encode("utf-8", "replace")) for text in texts]


def _size(one: ObjectChange) -> int:
    """Returns how many words came."""
    return len((one.after or "").split()) if one.old is None else 1


def _shown(one: ObjectChange) -> str:
    text = one.object if one.old is not None else (one.after or one.before or "")
    return text[:80]
