"""What was found for each watch in, changes with their notices out.

The text about a finding is made once for all watches that share the finding. How a user wants to be told is
parsed once for all sentinels with the same wishes (`excerpts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from webvigil.app.worker.excerpts import Excerpt
from webvigil.graph.due import Compared, Found
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.meaning import unjudged, with_judgement
from webvigil.model.memo import Once
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Sentinel
from webvigil.model.trouble import Why
from webvigil.model.work import DuePage, NewChange, Watch
from webvigil.notify.notices import Report, notices_for, report_of
from webvigil.rules.doubts import Verdict
from webvigil.rules.notices import no_page, page_back, troubles
from webvigil.rules.trouble import Turn
from webvigil.trigger.meaning import question_about

_TELLING = Excerpt("Title", "Notify", "Every", "Topic", "Message", "Summary", "Priority")
# Different wishes that stay parsed in memory.
_KEPT = 16_384
_NO_MODEL = "no language model is set up here"
_Reports = Once[tuple[Finding, ...], Report]


def changes_of(
    due: DuePage, compared: Sequence[Compared], at: datetime, model: str = ""
) -> tuple[NewChange, ...]:
    """Returns the changes. Those that depend on what they mean, and those that are to be summed up, have a
    question for `model` (a language model; "" if none is set up)."""
    report: _Reports = Once(report_of)
    return tuple(_change(due, one.watch, found, report, at, model) for one in compared for found in one.found)


def _change(
    due: DuePage, watch: Watch, found: Found, report: _Reports, at: datetime, model: str
) -> NewChange:
    wanted, versions = telling(watch.text), (found.old, found.new)
    told = notices_for(wanted, watch, due, versions, report(found.findings), at) if wanted.contacts else ()
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


def doubts_of(due: DuePage, verdict: Verdict) -> tuple[Notice, ...]:
    """What is told of a page that shows something else in its place, or is back. Of pages that were named
    only: links lead anywhere. Who was also told that the page fails hears from there that it is back."""
    told = verdict.over or (verdict.doubt if verdict.tell else None)
    if told is None:
        return ()
    tell = page_back if verdict.over else no_page
    return tuple(
        notice
        for watch in due.watches
        if not watch.level and not (verdict.over and watch.trouble.why is Why.FAILING)
        for notice in tell(
            replace(telling(watch.text), name=watch.name),
            watch.user,
            f"{watch.sentinel}:{due.id}",
            due.page.url,
            told,
        )
    )


def troubles_of(due: DuePage, turns: Sequence[Turn], key: str) -> tuple[Notice, ...]:
    """Returns the notices for all watches whose trouble with a page begins or ends."""
    return tuple(
        notice
        for turn in turns
        for notice in troubles(
            replace(telling(turn.watch.text), name=turn.watch.name), key, due.page.url, turn
        )
    )


def telling(text: str) -> Sentinel:
    """Returns a sentinel with only the clauses about telling: contacts, when, title, topic and priority. Its
    name is not the real one, because the value is shared by all sentinels with the same wishes."""
    return _TELLING.read(text, _read)


@lru_cache(_KEPT)
def _read(text: str) -> Sentinel:
    (sentinel,) = parse(text)
    return sentinel
