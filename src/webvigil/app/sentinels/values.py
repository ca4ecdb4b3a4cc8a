"""A sentinel that follows a value in, the value over time out: from its first look until now.

The steps come from the recorded changes: each says what the value was before and what it became. So the first
value is known as soon as it has changed once; until then it is read from the newest version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal

from webvigil.detect.quantities import parse_value
from webvigil.errors import NotFound
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.csv_text import csv_text
from webvigil.model.installed import InstalledSentinel
from webvigil.model.shapes import ValueShape
from webvigil.model.wanted import FROM_THE_PAST_ON, LARGEST_PIECE, WantedChanges
from webvigil.store.promises import Changes, Versions

# The change types that follow numbers. Of a product its price is followed.
FOLLOWED = ("value", "product")
_PRICE = "price"
# Changes that are read at once for the small lines of a list. Reading one takes a tenth of a millisecond.
_DRAWN = 200
# Busy sentinels are read apart, so that they take no room from others: so many changes in all, and of each
# between these. A line of 96 pixels shows no more steps.
_DRAWN_APART, _FEWEST_EACH, _MOST_EACH = 300, 12, 48
_Moved = tuple[Change, ObjectChange]


@dataclass(frozen=True, slots=True)
class Step:
    """The value from `at` on, until the next step. `change` is the change that told of it, 0 for none."""

    at: datetime
    text: str
    number: Decimal
    change: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """The steps of one value, oldest first, and the place of the value on its page ("" if that is not known).
    `label` says what the value belongs to. `others` is how many other values the sentinel follows. `cut`:
    there are older steps than these."""

    steps: tuple[Step, ...]
    place: str = ""
    others: int = 0
    cut: bool = False
    label: str = ""

    def within(self, since: datetime | None) -> Series:
        """Returns the series from `since` on. Its first step tells the value at that moment."""
        if since is None or not self.steps or self.steps[0].at >= since:
            return self
        held = [one for one in self.steps if one.at <= since]
        later = tuple(one for one in self.steps if one.at > since)
        first = Step(since, held[-1].text, held[-1].number, held[-1].change)
        return replace(self, steps=(first, *later), cut=False)

    def until(self, change: Change) -> Series:
        """Returns the series up to the step that a change told of, without what came later."""
        steps = tuple(one for one in self.steps if one.at <= change.found_at or one.change == change.id)
        return replace(self, steps=steps)

    def is_of(self, change: Change) -> bool:
        """Tells whether a change told of one of these steps."""
        return any(one.change == change.id for one in self.steps)


def values_of(
    recorded: Changes,
    versions: Versions,
    sentinel: InstalledSentinel,
    watched: Iterable[Finding] = (),
    since: datetime | None = None,
) -> Series | None:
    """Returns the values since `since` (None: since the first look), or None if the sentinel follows no
    number. `watched` are the values that the newest version shows; they count where nothing has changed
    yet. Of several values the one that changed most often is told."""
    found = all_values_of(recorded, versions, sentinel, watched, since)
    return found[0] if found else None


def all_values_of(
    recorded: Changes,
    versions: Versions,
    sentinel: InstalledSentinel,
    watched: Iterable[Finding] = (),
    since: datetime | None = None,
) -> list[Series]:
    """Returns every value that the sentinel follows, the one that changed most often first, and behind them
    those of `watched` that have not changed."""
    wanted = WantedChanges(
        user=sentinel.user,
        sentinel=sentinel.name,
        since=since,
        after=FROM_THE_PAST_ON,
        limit=LARGEST_PIECE,
    )
    newest_first = _some(recorded, wanted)
    if since is not None and len(newest_first) < LARGEST_PIECE:
        before = replace(wanted, since=None, until=since, limit=LARGEST_PIECE // 10)
        newest_first += _some(recorded, before)
    shown = [one for finding in watched for one in followed(finding)]
    moved = _by_value(newest_first[::-1], several=len(shown) > 1)
    cut = len(newest_first) >= LARGEST_PIECE
    often = sorted(moved, key=lambda some: (len(some), some[-1][0].id), reverse=True)
    found = [_moved(versions, sentinel, some, cut=cut) for some in often]
    if len(moved) != 1 or len(shown) > 1:
        known = {_place(some[-1][1]) for some in moved}
        found += _unmoved(versions, sentinel, [one for one in shown if _place(one) not in known])
    told = [one for one in found if one.steps]
    return [replace(one, others=len(told) - 1).within(since) for one in told]


def moves_of(recorded: Changes, user: str, numbers: Mapping[str, int], since: datetime) -> dict[str, Series]:
    """Returns, by the name of the sentinel, how the one value that it follows moved since then. The first
    step is the value before the first move. Sentinels that follow several values are left out, and those
    whose value stayed. `numbers` say how many changes each sentinel found since then."""
    found: dict[str, Series] = {}
    for name, (changes, cut) in _read_for_lines(recorded, user, numbers, since).items():
        values = _by_value(changes[::-1], several=False)
        if len(values) == 1:
            found[name] = Series(_moves(values[0]), label=values[0][-1][1].label, cut=cut)
    return {name: series for name, series in found.items() if len(series.steps) > 1}


def _read_for_lines(
    recorded: Changes, user: str, numbers: Mapping[str, int], since: datetime
) -> dict[str, tuple[list[Change], bool]]:
    """Returns the newest changes of each sentinel, newest first, and whether there are older ones."""
    quiet: list[str] = []
    left = _DRAWN
    for name in sorted(numbers, key=lambda name: numbers[name]):
        if numbers[name] > left:
            break
        left -= numbers[name]
        quiet.append(name)
    busy = [name for name in numbers if name not in set(quiet)]
    found: dict[str, tuple[list[Change], bool]] = {}
    wanted = WantedChanges(user=user, since=since, limit=_DRAWN)
    for change in recorded.some(replace(wanted, sentinels=tuple(quiet))) if quiet else ():
        found.setdefault(change.sentinel, ([], False))[0].append(change)
    each = min(max(_DRAWN_APART // max(len(busy), 1), _FEWEST_EACH), _MOST_EACH)
    for name in busy:
        changes = list(recorded.some(replace(wanted, sentinel=name, limit=each)))
        found[name] = changes, len(changes) == each
    return found


def _moves(moved: Sequence[_Moved]) -> tuple[Step, ...]:
    change, one = moved[0]
    before = _number(one.before)
    first = () if before is None else (Step(change.found_at, one.before or "", before),)
    later = ((change, one, _number(one.after)) for change, one in moved)
    return (
        *first,
        *(
            Step(at.found_at, one.after or "", number, at.id)
            for at, one, number in later
            if number is not None
        ),
    )


def _moved(versions: Versions, sentinel: InstalledSentinel, moved: Sequence[_Moved], *, cut: bool) -> Series:
    (oldest, one), newest = moved[0], moved[-1][1]
    came_later = cut or one.status is Status.NEW
    first = oldest.found_at if came_later else _first_seen(versions, sentinel, oldest)
    return Series(_steps(versions, moved, first), _place(newest), cut=cut, label=newest.label)


def followed(finding: Finding) -> tuple[ObjectChange, ...]:
    """Returns the values of a finding that are followed through time: all of `value`, the prices of
    `product`."""
    if finding.type == "product":
        return tuple(one for one in finding.objects if one.object == _PRICE)
    return finding.objects if finding.type == "value" else ()


def _some(recorded: Changes, wanted: WantedChanges) -> list[Change]:
    """Returns the recorded changes of values, or if there are none those of products."""
    found = (recorded.some(replace(wanted, type=kind)) for kind in FOLLOWED)
    return next((list(changes) for changes in found if changes), [])


def rows_of(series: Series | None) -> list[ValueShape]:
    """Returns the steps as plain data, oldest first, with times in UTC."""
    return [
        {
            "from": one.at.astimezone(UTC).isoformat(timespec="seconds"),
            "number": f"{one.number:f}",
            "text": one.text,
            "change": one.change or None,
        }
        for one in (series.steps if series else ())
    ]


def as_csv(series: Series | None) -> str:
    """Returns the steps as a file for spreadsheets, oldest first, with times in UTC."""
    return csv_text(
        ("from", "number", "text"),
        [(row["from"], Decimal(row["number"]), row["text"]) for row in rows_of(series)],
    )


def _by_value(changes: Sequence[Change], *, several: bool) -> list[list[_Moved]]:
    """Returns the changes of each followed value, oldest first. A lone value is followed wherever it stands;
    of `several`, those that are gone are left out."""
    found = [(change, one) for change in changes for finding in change.findings for one in followed(finding)]
    several = several or len(found) > len({change.id for change, _ in found})
    values = _told_apart(found) if several else _of_one_page(found)
    return [
        some
        for some in values
        if any(_number(one.after) is not None for _, one in some)
        and not (several and some[-1][1].after is None)
    ]


def _of_one_page(found: Iterable[_Moved]) -> list[list[_Moved]]:
    pages: dict[int, list[_Moved]] = {}
    for change, one in found:
        pages.setdefault(change.page, []).append((change, one))
    return list(pages.values())


def _told_apart(found: Sequence[_Moved]) -> list[list[_Moved]]:
    """Returns the changes of each of several values. A value is known again by its name, unless others have
    the same name, or else by its place. What came as new at the place of another is another value."""
    shared = {
        key for key, many in Counter((change.id, one.label) for change, one in found).items() if many > 1
    }
    values: list[list[_Moved]] = []
    known: dict[tuple[int, str], list[_Moved]] = {}
    for change, one in found:
        name = (change.page, f"name {one.label}")
        place = (change.page, f"place {_place(one)}")
        is_named = bool(one.label) and (change.id, one.label) not in shared
        mine = known.get(name) if is_named else None
        if mine is None and one.status is not Status.NEW:
            mine = known.get(place)
        if mine is None:
            mine = []
            values.append(mine)
        mine.append((change, one))
        known[place] = mine
        if is_named:
            known[name] = mine
    return values


def _place(one: ObjectChange) -> str:
    """Returns what tells a value from others: its place on the page, or the label of a product's price."""
    if one.object == _PRICE and one.label:
        return one.label
    return one.where[0] if one.where else ""


def _steps(versions: Versions, moved: Sequence[_Moved], first: datetime) -> tuple[Step, ...]:
    steps: list[Step] = []
    for change, one in moved:
        before, after = _number(one.before), _number(one.after)
        if before is not None and (not steps or steps[-1].number != before):
            at = min(first, change.found_at) if not steps else _fetched(versions, change)
            if at is not None and (not steps or steps[-1].at < at < change.found_at):
                steps.append(Step(at, one.before or "", before))
        if after is not None:
            steps.append(Step(change.found_at, one.after or "", after, change.id))
    return tuple(steps)


def _unmoved(
    versions: Versions, sentinel: InstalledSentinel, shown: Iterable[ObjectChange]
) -> Iterator[Series]:
    """Yields the series of the values that have not changed since the first look: one step each."""
    numbers = [(one, number) for one in shown if (number := _number(one.after)) is not None]
    if not numbers or not sentinel.pages:
        return
    first = _first_look(versions, sentinel, sentinel.pages[0].id)
    for one, number in numbers:
        yield Series((Step(first, one.after or "", number),), _place(one), label=one.label)


def _first_seen(versions: Versions, sentinel: InstalledSentinel, oldest: Change) -> datetime:
    """Returns from when on the value before the oldest change is known."""
    brought = _fetched(versions, oldest) if oldest.old_version < 0 else None
    return brought or _first_look(versions, sentinel, oldest.page)


def _first_look(versions: Versions, sentinel: InstalledSentinel, page: int) -> datetime:
    """Returns when the sentinel first saw the page. A page that others watched before was known at once."""
    first = versions.some(page, oldest_first=True, limit=1)
    return max([sentinel.installed_at, *(one.fetched_at for one in first)])


def _fetched(versions: Versions, change: Change) -> datetime | None:
    try:
        return versions.get(change.page, change.old_version).fetched_at
    except NotFound:
        return None


def _number(text: str | None) -> Decimal | None:
    return parse_value(text).number if text else None
