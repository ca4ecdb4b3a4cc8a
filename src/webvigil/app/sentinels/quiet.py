"""What a sentinel leaves out, for its user to see and bring back; and what marking a change as noise does.

Both are told with their reasons (Q7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from webvigil.app.pages.documents import Digests
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.settings import Settings
from webvigil.app.worker.interests import interest_of
from webvigil.document import PageDigest
from webvigil.errors import NotFound, ObjectMissing, SentinelRefused
from webvigil.graph.evaluate import Comparison, Evaluated
from webvigil.language import parse, print_clauses, print_sentinel
from webvigil.model.change import Change, Finding
from webvigil.model.installed import InstalledSentinel, ToldSentinel
from webvigil.model.quiet import LeftPlace
from webvigil.model.sentinel import Part, Sentinel
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Changes, HabitStore, Sentinels, Versions
from webvigil.store.repository import PageRepository
from webvigil.trigger.reasons import about_place
from webvigil.trigger.restless import is_shell, known_to, place_of, restless

NOISE = "noise"
"""The note of a change that was marked as noise."""

# Pages of a sentinel whose places are listed, and places of a change that a proposal names one by one. If
# there are more places, the proposal names the element around all of them.
_MOST_PAGES = 20
_MOST_PLACES = 5
# Changes that a proposal is tried on; each costs about as much as a look at a page that changed.
_TRIED = 60


class _Store(Protocol):
    """The parts of the knowledge base that the proposal of a clause needs."""

    changes: Changes
    sentinels: Sentinels
    versions: Versions


def left_places(habits: HabitStore, sentinel: ToldSentinel) -> tuple[LeftPlace, ...]:
    """Returns the places of the sentinel's pages whose usual changes are not told, the busiest place of each
    page first."""
    return tuple(_places(habits, sentinel, loud=False))


def told_places(habits: HabitStore, sentinel: ToldSentinel) -> tuple[LeftPlace, ...]:
    """Returns the restless places of the sentinel's pages that are told all the same, because its user asked
    for that."""
    return tuple(_places(habits, sentinel, loud=True))


def _places(habits: HabitStore, sentinel: ToldSentinel, *, loud: bool) -> Iterator[LeftPlace]:
    interest = interest_of(sentinel.text)
    for page in sentinel.pages[:_MOST_PAGES] if interest.quiet else ():
        known = habits.of(page.id)
        for place in restless(known_to(known, interest.lesson, interest.part.key), known.looks):
            part = part_of(place.key)
            if part is not None and (part in interest.loud) is loud:
                yield LeftPlace(
                    url=page.url,
                    place=place.key,
                    label=place.label,
                    form=place.form,
                    times=place.times,
                    left_out=place.left_out,
                    says=about_place(place),
                    clause=print_clauses(quiet="on", loud=(part,)),
                )


def tell_again(knowledge: InstallStore, settings: Settings, name: str, place: str) -> InstalledSentinel:
    """Makes what happens at a restless place told again. Raises SentinelRefused if the page has no such
    place."""
    part, present = _part_in(knowledge, settings, name, place)
    if present.quiet == "off":
        raise SentinelRefused(f"{name} is told everything already (Quiet off)")
    loud = tuple(dict.fromkeys((*present.loud, part)))
    return edit(knowledge, settings, name, print_sentinel(replace(present, quiet="on", loud=loud)))


def leave_out(knowledge: InstallStore, settings: Settings, name: str, place: str) -> InstalledSentinel:
    """Takes back that a restless place is told; raises SentinelRefused where it is no such place."""
    part, present = _part_in(knowledge, settings, name, place)
    loud = tuple(one for one in present.loud if one != part)
    return edit(knowledge, settings, name, print_sentinel(replace(present, loud=loud)))


def _part_in(knowledge: InstallStore, settings: Settings, name: str, place: str) -> tuple[Part, Sentinel]:
    """Returns the part of the page that stands for a place, and the sentinel as its user wrote it."""
    part = part_of(place)
    if part is None:
        raise SentinelRefused(f"there is no place {place!r}")
    return part, parse(knowledge.sentinels.get(settings.user, name).written)[0]


def part_of(place: str) -> Part | None:
    """Returns a place as a part of the page that a clause can name."""
    if is_shell(place):
        return Part("css", place)
    return Part("xpath", place) if place.startswith("/") else None


# --- noise ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A clause that would have left a change out, and what it would have done to the changes that are kept
    and that the sentinel would tell as it is now: `left_out` of `tried` changes, among them `marked` with a
    note of the user's own."""

    sentinel: str
    clause: str
    text: str
    left_out: int
    tried: int
    marked: int

    @property
    def says(self) -> str:
        if not self.left_out:
            return "would have left out none of the changes that the sentinel tells now"
        among = f"{self.marked} with a note of yours" if self.marked else "none that you noted"
        return f"would have left out {self.left_out} of {self.tried} changes, among them {among}"


def propose(knowledge: _Store, stored: PageRepository, change: Change) -> Proposal:
    """Returns what marking this change as noise would add to its sentinel. Raises SentinelRefused if the
    change stands at no place that a clause can name."""
    found = knowledge.sentinels.get(change.user, change.sentinel)
    parts = tuple(dict.fromkeys(_parts(change)))
    if not parts:
        raise SentinelRefused("the change stands at no place that can be ignored; try another change type")
    present = parse(found.written)[0]
    ignore = tuple(dict.fromkeys((*present.ignore, *parts)))
    proposed = replace(present, ignore=ignore)
    text = print_sentinel(proposed)
    wanted = WantedChanges(user=change.user, sentinel=change.sentinel, limit=_TRIED)
    whole = parse(found.text)[0]
    trial = print_sentinel(replace(whole, ignore=tuple(dict.fromkeys((*whole.ignore, *parts)))))
    tried = [*_tried(knowledge.versions, stored, (found.text, trial), knowledge.changes.some(wanted))]
    gone = [one for one, changed in tried if not changed]
    return Proposal(
        sentinel=change.sentinel,
        clause=print_clauses(ignore=ignore),
        text=text,
        left_out=len(gone),
        tried=len(tried),
        marked=sum(bool(one.note) and one.note != NOISE for one in gone),
    )


def mark_as_noise(changes: Changes, change: Change) -> None:
    """Marks the change as read and writes the note NOISE to it. A note that its user wrote stays."""
    if not change.note:
        changes.note(change.user, change.id, NOISE)
    changes.mark(change.user, [change.id], seen=True)


def _parts(change: Change) -> Iterator[Part]:
    places = dict.fromkeys(place_of(one) for finding in change.findings for one in finding.objects)
    named = [part for place in places if (part := part_of(place)) is not None]
    if len(named) <= _MOST_PLACES:
        yield from named
    elif around := _around(list(places)):
        yield Part("xpath", around)


def _around(places: list[str]) -> str:
    """Returns the path of the element around many places; "" where that is as good as the whole page."""
    paths = [place.split("/") for place in places if place.startswith("/")]
    common = []
    for steps in zip(*paths, strict=False):
        if len(set(steps)) > 1:
            break
        common.append(steps[0])
    return "/".join(common) if len(common) > 4 else ""


def _tried(
    versions: Versions, stored: PageRepository, texts: tuple[str, str], changes: Iterable[Change]
) -> Iterator[tuple[Change, bool]]:
    """Yields each change of which both versions are kept and that the sentinel would tell with the first of
    these texts, and whether it would tell the change with the second."""
    present, proposed = map(interest_of, texts)
    digests = Digests(stored)
    for one in changes:
        with suppress(NotFound, ObjectMissing):
            old, new = (_digest(versions, digests, one.page, at) for at in (one.old_version, one.new_version))
            compared = Comparison(old, new, [present, proposed])
            if _is_told(one, compared.of(present)):
                yield one, _is_told(one, compared.of(proposed))


def _is_told(change: Change, found: Evaluated) -> bool:
    return found.changed and (found.vanished or _is_among(change, found.findings))


def _is_among(change: Change, findings: Iterable[Finding]) -> bool:
    """Tells whether anything of a change is among the findings. What else differs was not told then, either:
    because of the clock, or because its place never rests."""
    told = {place_of(one) for finding in change.findings for one in finding.objects}
    return any(place_of(one) in told for finding in findings for one in finding.objects)


def _digest(versions: Versions, digests: Digests, page: int, number: int) -> PageDigest:
    return digests.of(versions.get(page, number).object)
