"""What was found for each watch in, what its owner is told out: changes, troubles and doubts, with notices.

The text about a finding is made once for all watches that share the finding. How a user wants to be told is
parsed once for all sentinels with the same wishes (`excerpts`). Whether what a sentinel watches is on the
page at all is judged only where the page may show something else than at the look before (V4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache

from webvigil.app.worker.excerpts import Excerpt
from webvigil.document import PageDigest
from webvigil.errors import StoreError, WebVigilError
from webvigil.graph.due import Compared, Found
from webvigil.graph.missing import missing_places
from webvigil.graph.nodes import Interest
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.meaning import unjudged, with_judgement
from webvigil.model.memo import Once
from webvigil.model.notice import Notice
from webvigil.model.sentinel import ChangeType, Sentinel
from webvigil.model.trouble import FINE, Trouble, Why
from webvigil.model.work import DuePage, NewChange, Watch
from webvigil.notify.notices import Report, notices_for, report_of
from webvigil.rules.doubts import Verdict
from webvigil.rules.notices import Place, no_page, page_back, troubles
from webvigil.rules.trouble import NOT_JUDGED, Turn
from webvigil.trigger.meaning import question_about

_TELLING = Excerpt("Title", "Notify", "Every", "Topic", "Message", "Summary", "Priority")
# Different wishes that stay parsed in memory; and the last texts whose wishes are known without cutting them
# into lines again, which takes 13 µs for each change that is told.
_KEPT, _LATELY = 16_384, 1_024
_NO_MODEL = "no language model is set up here"
_Reports = Once[tuple[Finding, ...], Report]


def changes_of(
    due: DuePage,
    compared: Sequence[Compared],
    at: datetime,
    model: str = "",
    title: Callable[[], str] = str,
) -> tuple[NewChange, ...]:
    """Returns the changes. Those that depend on what they mean, and those that are to be summed up, have a
    question for `model` (a language model; "" if none is set up). `title` returns the title of the page, and
    is asked at most once, if somebody is told."""
    report: _Reports = Once(report_of)
    title = cache(title)
    return tuple(
        _change(due, one.watch, found, report, at, model, title) for one in compared for found in one.found
    )


def _change(
    due: DuePage,
    watch: Watch,
    found: Found,
    report: _Reports,
    at: datetime,
    model: str,
    title: Callable[[], str],
) -> NewChange:
    wanted, versions = telling(watch.text), (found.old, found.new)
    told: tuple[Notice, ...] = ()
    if wanted.contacts:
        told = notices_for(wanted, watch, due, versions, report(found.findings), at, title)
    change = NewChange(
        sentinel=watch.sentinel,
        old_version=found.old,
        new_version=found.new,
        findings=found.findings,
        notices=told,
    )
    summed_up = wanted.summary == "on"
    if found.unjudged is None and not (summed_up and model):
        return change
    question = question_about(found.findings, found.unjudged, summed_up=summed_up, model=model)
    if model:
        return replace(change, question=question)
    judgement = unjudged(question, _NO_MODEL)
    return replace(change, judgement=judgement, notices=with_judgement(told, judgement))


def doubts_of(due: DuePage, verdict: Verdict, title: Callable[[], str] = str) -> tuple[Notice, ...]:
    """Returns the notices about a page that shows something else in its place, or is back. Only pages that a
    sentinel names are told of, because links lead anywhere. A user who was also told that the page fails
    hears from that notice that the page is back."""
    told = verdict.over or (verdict.doubt if verdict.tell else None)
    if told is None:
        return ()
    tell = page_back if verdict.over else no_page
    place = Place(due.page.url, title())
    return tuple(
        notice
        for watch in due.watches
        if not watch.level and not (verdict.over and watch.trouble.why is Why.FAILING)
        for notice in tell(named(watch), watch.user, f"{watch.sentinel}:{due.id}", place, told)
    )


def troubles_of(
    due: DuePage, turns: Sequence[Turn], key: str, title: Callable[[], str] = str
) -> tuple[Notice, ...]:
    """Returns the notices for all watches whose trouble with a page begins or ends. `title` returns the title
    of the page."""
    if not turns:
        return ()
    place = Place(due.page.url, title())
    return tuple(notice for turn in turns for notice in troubles(named(turn.watch), key, place, turn))


def named(watch: Watch) -> Sentinel:
    """Returns the sentinel of a watch with its name and its clauses about telling."""
    return replace(telling(watch.text), name=watch.name)


@lru_cache(_LATELY)
def telling(text: str) -> Sentinel:
    """Returns a sentinel with only the clauses about telling: contacts, when, title, topic and priority. Its
    name is not the real one, because the value is shared by all sentinels with the same wishes."""
    return _TELLING.read(text, _read)


@lru_cache(_KEPT)
def _read(text: str) -> Sentinel:
    (sentinel,) = parse(text)
    return sentinel


Judged = dict[int, Trouble]


def to_judge(compared: Sequence[Compared], newest: int) -> list[Compared]:
    """Returns the watches for which the page may show something else than at the look before. Linked pages
    are left out: a sentinel names parts of its own pages only."""
    return [one for one in compared if not one.watch.level and (one.trouble or _is_new(one, newest))]


def _is_new(one: Compared, newest: int) -> bool:
    return one.watch.reference != newest or one.watch.trouble.why in NOT_JUDGED


def judge(
    judged: Sequence[Compared], interests: Sequence[Interest], digest: Callable[[], PageDigest]
) -> Judged:
    """Returns the trouble of each sentinel. `digest` loads the newest version, and is called only if
    something can be missing."""
    missed: Once[Interest, Trouble] = Once(lambda interest: _missed(interest, digest))
    return {
        one.watch.sentinel: _trouble(one, missed(interest))
        for one, interest in zip(judged, interests, strict=True)
    }


def _missed(interest: Interest, digest: Callable[[], PageDigest]) -> Trouble:
    if not interest.names_places:
        return FINE
    try:
        found = missing_places(digest(), interest.part, _changes(interest))
    except StoreError:
        raise
    except WebVigilError as error:
        return Trouble(Why.BROKEN, str(error))
    return Trouble(Why.NOTHING, "; ".join(one.words for one in found)) if found else FINE


def _trouble(one: Compared, missed: Trouble) -> Trouble:
    if one.trouble:
        return Trouble(Why.BROKEN, one.trouble.removeprefix(f"{one.watch.name}: "))
    return missed


def _changes(interest: Interest) -> tuple[ChangeType, ...]:
    return tuple(node.change for node in interest.changes)
