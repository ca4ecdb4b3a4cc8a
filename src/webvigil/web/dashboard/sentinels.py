"""The list of sentinels: how each stands, what it found last, how busy it was; actions on many at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated, Any, Literal, Protocol, cast
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.adding import EVERY, ways_of
from webvigil.app.sentinels.by_hand import HandStore, disable, enable, run
from webvigil.app.sentinels.edit import edit_fields, end_in_a_year, look_with_browser, never_end
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.sentinels.names import title_of
from webvigil.app.sentinels.removal import remove, restore, told
from webvigil.app.sentinels.values import Series, moves_of
from webvigil.app.sentinels.watched import in_short, watches_anything
from webvigil.app.settings import Settings
from webvigil.errors import WebVigilError
from webvigil.model.change import Change
from webvigil.model.installed import InstalledSentinel, RemovedSentinel
from webvigil.model.moment import as_datetime, as_millis, zone_named
from webvigil.model.sentinel import State
from webvigil.model.wanted import LARGEST_ID, WantedChanges, WantedSentinels
from webvigil.store.promises import Sentinels
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.activity import DAYS, Pulse, pulse, with_line
from webvigil.web.api.answers import Before, Words
from webvigil.web.problem import told_of
from webvigil.web.standing import Standing, errors_of, standing_of
from webvigil.web.templates import page
from webvigil.web.times import midnight

router = APIRouter()

# Sentinels per piece of the list, and failures that one message names.
SHOWN = 50
REASONS = 10
# Names that are looked up at once to find the busiest sentinels.
_RANKED = 100
# Most texts follow no value, and their changes need not be read for a line.
_MAY_FOLLOW_A_VALUE = re.compile(r"\b(?:value|product)\b", re.IGNORECASE)
_Recent = dict[str, dict[datetime, int]]
Action = Literal["enable", "disable", "run", "browser", "never", "year"]
OneAction = Literal[Action, "remove"]
ManyAction = Literal[OneAction, "fetch", "topic", "notify"]
# The times of the first and the last removal of a form, in milliseconds.
_UNDO = r"^(\d{1,15}-\d{1,15})?$"
Undo = Annotated[str, Query(pattern=_UNDO)]
_DID = {
    "enable": "Watching {} again.",
    "disable": "Paused {}.",
    "run": "Looking at {} now.",
    "browser": "Looking at {} with a browser from now on.",
    "never": "{} will never end.",
    "year": "{} will end in a year.",
    "restore": "Brought back {} with all changes.",
    "fetch": "Changed when to look for {}.",
    "topic": "Changed the topic of {}.",
    "notify": "Changed whom to tell for {}.",
}


class _Store(HandStore, InstallStore, Protocol):
    """The parts of the knowledge base that the buttons of a sentinel need."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the list. `what` is what is watched, in few words: "" for a sentinel that watches anything on
    a page of its own. `last` is the newest change, `pulse` draws the changes of each of the last days."""

    sentinel: InstalledSentinel
    what: str
    standing: Standing
    last: Change | None
    pulse: Pulse


@router.get("/sentinels")
def sentinels(
    request: Request,
    caller: Reader,
    words: Words = "",
    state: Annotated[str, Query(max_length=20)] = "",
    topic: Annotated[str, Query(max_length=200)] = "",
    trouble: bool = False,
    order: Annotated[str, Query(pattern="^(attention|newest|busiest)$")] = "attention",
    before: Before = LARGEST_ID,
    did: Annotated[str, Query(max_length=20)] = "",
    number: Annotated[int, Query(ge=0, le=10**6)] = 0,
    undo: Undo = "",
) -> Response:
    """`did` and `number` say what a form has just done, and are told in words; `undo` names the removals of
    that form."""
    knowledge = knowledge_of(request)
    wanted = WantedSentinels(
        user=caller.name,
        words=words,
        state=state or None,
        topic=topic or None,
        trouble=trouble,
        before=before,
        limit=SHOWN,
    )
    found = knowledge.sentinels.some(wanted)
    filters = {
        "words": words,
        "state": state,
        "topic": topic,
        "trouble": "true" if trouble else "",
        "order": order if order != "attention" else "",
    }
    recent = _recent(request, caller)
    listed = found
    if order == "busiest":
        listed = _first(_busiest(knowledge.sentinels, wanted, recent), wanted, found)
    elif order == "attention" and not trouble:
        listed = _first(_troubled(knowledge.sentinels, wanted), wanted, found)
    values: dict[str, Any] = {
        "rows": _listed(request, caller, listed, recent),
        "older": _older(filters, found[-1].id) if len(found) == SHOWN else "",
    }
    if before != LARGEST_ID and request.headers.get("hx-request"):
        return page("sentinel_rows.html", user=caller.user, **values)
    return page(
        "sentinels.html",
        user=caller.user,
        filters=filters,
        order=order,
        filtered=any((words, state, topic, trouble)),
        query=_query(filters),
        count=knowledge.sentinels.count(wanted),
        counts=_counts(knowledge.sentinels, caller.name),
        topics=knowledge.sentinels.topics(caller.name),
        every=EVERY,
        ways=ways_of(knowledge.contacts, caller.name),
        said=_said(did, number),
        undo=_undoable(knowledge.sentinels, caller.name, undo),
        **values,
    )


@router.get("/sentinels-removed")
def removed(request: Request, caller: Reader, skip: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    """Shows the sentinels that can be brought back."""
    found = knowledge_of(request).sentinels.removed(caller.name)
    shown = found[skip : skip + SHOWN]
    further = len(found) - skip - len(shown)
    return page(
        "removed.html",
        user=caller.user,
        removed=shown,
        count=len(found),
        older=skip + SHOWN if further > 0 else 0,
    )


@router.post("/sentinels-removed")
def bring_back(
    request: Request,
    caller: Writer,
    undo: Annotated[str, Form(pattern=_UNDO)] = "",
    number: Annotated[int, Form(ge=0, lt=LARGEST_ID)] = 0,
) -> Response:
    """Undoes one removal by the id of the sentinel, or all removals of one form."""
    knowledge = knowledge_of(request)
    chosen = [number] if number else [one.id for one in _removed_in(knowledge.sentinels, caller.name, undo)]
    reasons = []
    for one in chosen:
        try:
            restore(knowledge, caller.name, one)
        except WebVigilError as error:
            reasons.append(told_of(error))
    if not chosen:
        reasons.append("nothing is left to bring back")
    if not reasons:
        return RedirectResponse(saying("/sentinels", "restore", len(chosen)), status_code=303)
    message = _failed(reasons, max(len(chosen), 1))
    return page("trouble.html", status=400, user=caller.user, message=message, back="/sentinels-removed")


def _removed_in(sentinels: Sentinels, user: str, undo: str) -> list[RemovedSentinel]:
    """Returns what was removed between the two moments that `undo` names."""
    first, _, last = undo.partition("-")
    if not last:
        return []
    removed = sentinels.removed(user)
    return [one for one in removed if int(first) <= as_millis(one.removed_at) <= int(last)]


def _undoable(sentinels: Sentinels, user: str, undo: str) -> dict[str, str]:
    """Returns what the form has removed, in words, with what its button sends; nothing if it cannot be undone
    any more."""
    gone = _removed_in(sentinels, user, undo)
    return {"said": told(gone), "sends": undo} if gone else {}


def _first(
    chosen: list[InstalledSentinel], wanted: WantedSentinels, found: list[InstalledSentinel]
) -> list[InstalledSentinel]:
    """Returns a piece of the list with the chosen sentinels before the others. The first piece holds all that
    are chosen; later pieces leave them out."""
    ids = {one.id for one in chosen}
    others = [one for one in found if one.id not in ids]
    return others if wanted.before != LARGEST_ID else [*chosen, *others]


def _troubled(sentinels: Sentinels, wanted: WantedSentinels) -> list[InstalledSentinel]:
    """Returns the sentinels in trouble, up to `SHOWN`."""
    return sentinels.some(replace(wanted, trouble=True, before=LARGEST_ID))


def _busiest(sentinels: Sentinels, wanted: WantedSentinels, recent: _Recent) -> list[InstalledSentinel]:
    """Returns the sentinels with most changes in the days that the list draws, up to `SHOWN`; of several with
    as many, the one that changed last comes first."""
    names = sorted(recent, key=lambda name: (sum(recent[name].values()), max(recent[name])), reverse=True)
    found: list[InstalledSentinel] = []
    for at in range(0, len(names), _RANKED):
        some = names[at : at + _RANKED]
        mine = replace(wanted, names=tuple(some), before=LARGEST_ID, limit=_RANKED)
        known = {one.name: one for one in sentinels.some(mine)}
        found += [known[name] for name in some if name in known]
        if len(found) >= SHOWN:
            break
    return found[:SHOWN]


def _counts(sentinels: Sentinels, user: str) -> dict[str, int]:
    """Returns how many sentinels there are of each kind that the list can be narrowed to."""
    mine = WantedSentinels(user=user)
    found = sentinels.states(user)
    states = {str(one): found.get(one, 0) for one in State}
    trouble = sentinels.count(replace(mine, trouble=True, state=str(State.ACTIVE)))
    return states | {"all": sum(states.values()), "trouble": trouble}


@router.post("/sentinels/many")
def many(
    request: Request,
    caller: Writer,
    action: Annotated[ManyAction, Form()],
    name: Annotated[list[str] | None, Form()] = None,
    everything: Annotated[bool, Form()] = False,
    filters: Annotated[str, Form(max_length=2_000)] = "",
    fetch: Annotated[str, Form(max_length=200)] = "",
    topic: Annotated[str, Form(max_length=200)] = "",
    notify: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Does the action for each chosen sentinel. A failure does not stop the others; the answer names up to
    `REASONS` failures with their reasons.

    `everything` chooses all sentinels that match the filters of the list, also those not on the screen. The
    actions `fetch`, `topic` and `notify` write the field of that name into the texts of the sentinels.
    """
    knowledge, said = knowledge_of(request), dict(parse_qsl(filters))
    settings = replace(settings_of(request), user=caller.name)
    back = f"/sentinels?{_query(said)}" if said else "/sentinels"
    chosen = list(_all_of(knowledge.sentinels, caller.name, said)) if everything else name or []
    if not chosen:
        message = "No sentinel is chosen: tick the box in front of at least one."
        return page("trouble.html", status=400, user=caller.user, message=message, back=back)
    values = {"fetch": fetch, "topic": topic, "notify": notify}
    reasons, gone = [], []
    for one in chosen:
        try:
            if action == "remove":
                gone.append(remove(knowledge, caller.name, one))
            elif action in values:
                edit_fields(knowledge, settings, one, **{action: values[action]})
            else:
                act(knowledge, settings, caller.name, one, cast(Action, action))
        except WebVigilError as error:
            reasons.append(told_of(error))
    if reasons:
        message = _failed(reasons, len(chosen))
        undo = {"said": told(gone), "sends": _times(gone)} if gone else {}
        return page("trouble.html", status=400, user=caller.user, message=message, back=back, undo=undo)
    there = removing(back, gone) if gone else saying(back, action, len(chosen))
    return RedirectResponse(there, status_code=303)


def _failed(reasons: list[str], number: int) -> str:
    more = f"; and {len(reasons) - REASONS} more" if len(reasons) > REASONS else ""
    return f"{len(reasons)} of {number} could not be done: {'; '.join(reasons[:REASONS])}{more}"


def saying(back: str, action: str, number: int) -> str:
    """Returns the address to go back to, which says there what was done."""
    return _with(back, did=action, number=number)


def removing(back: str, gone: Sequence[RemovedSentinel]) -> str:
    """Returns the address to go back to, which says there what was removed and offers to undo it. The times
    of the first and the last removal name what is undone, however many sentinels there are."""
    return _with(back, undo=_times(gone))


def _times(gone: Sequence[RemovedSentinel]) -> str:
    times = [as_millis(one.removed_at) for one in gone]
    return f"{min(times)}-{max(times)}"


def _with(back: str, **query: object) -> str:
    return f"{back}{'&' if '?' in back else '?'}{urlencode(query)}"


def _said(action: str, number: int) -> str:
    if action not in _DID or not number:
        return ""
    return _DID[action].format("1 sentinel" if number == 1 else f"{number} sentinels")


def _all_of(sentinels: Sentinels, user: str, said: dict[str, str]) -> Iterator[str]:
    wanted = WantedSentinels(
        user=user,
        words=said.get("words", ""),
        state=said.get("state"),
        topic=said.get("topic"),
        trouble="trouble" in said,
    )
    while found := sentinels.some(wanted):
        yield from (one.name for one in found)
        wanted = replace(wanted, before=found[-1].id)


def place_of(name: str) -> str:
    """Returns the path of a sentinel's page. The name is quoted, because it may hold characters such as
    `?`."""
    return f"/sentinels/{quote(name, safe='')}"


def act(knowledge: _Store, settings: Settings, user: str, name: str, action: Action) -> None:
    if action == "enable":
        enable(knowledge, user, name)
    elif action == "disable":
        disable(knowledge, user, name)
    elif action == "browser":
        look_with_browser(knowledge, replace(settings, user=user), name)
    elif action == "never":
        never_end(knowledge, replace(settings, user=user), name)
    elif action == "year":
        end_in_a_year(knowledge, replace(settings, user=user), name)
    else:
        run(knowledge.schedule, knowledge.sentinels, user, name)


def _recent(request: Request, caller: Caller) -> _Recent:
    """Returns how many changes each sentinel found in the days that the list draws, by their time."""
    knowledge, zone = knowledge_of(request), zone_named(caller.user.zone)
    today = as_datetime(knowledge.schedule.now()).astimezone(zone).date()
    since = midnight(today - timedelta(days=DAYS - 1), zone)
    return knowledge.changes.rhythms(WantedChanges(user=caller.name, since=since))


def _listed(
    request: Request, caller: Caller, found: list[InstalledSentinel], recent: _Recent
) -> list[Listed]:
    knowledge, zone = knowledge_of(request), zone_named(caller.user.zone)
    now = as_datetime(knowledge.schedule.now())
    today = now.astimezone(zone).date()
    valued = {
        one.name: sum(recent[one.name].values())
        for one in found
        if one.name in recent and _MAY_FOLLOW_A_VALUE.search(one.text)
    }
    since = midnight(today - timedelta(days=DAYS - 1), zone)
    moved = moves_of(knowledge.changes, caller.name, valued, since)
    newest = knowledge.changes.newest(one.id for one in found)
    errors = errors_of(knowledge.journal, found)
    titles = Counter(map(title_of, found))
    return [
        Listed(
            one,
            _what(one, newest.get(one.id), is_shared=titles[title_of(one)] > 1),
            standing_of(one, zone, error=errors.get(one.id, "")),
            newest.get(one.id),
            _pulse(one, recent, moved.get(one.name), now, zone),
        )
        for one in found
    ]


def _what(one: InstalledSentinel, last: Change | None, *, is_shared: bool) -> str:
    """Returns what a sentinel watches. That it watches anything is told where others have the same title."""
    if watches_anything(one.text) and not is_shared:
        return ""
    return in_short(one.text, last.findings if last else ())


def _pulse(
    one: InstalledSentinel, recent: _Recent, moved: Series | None, now: datetime, zone: tzinfo
) -> Pulse:
    """Returns how busy a sentinel was. Days on which it failed are drawn as days, not as a value."""
    today = now.astimezone(zone).date()
    failed = _failed_days(one, zone, today)
    busy = pulse(recent.get(one.name, {}), zone, today, failed)
    return busy if any(failed) else with_line(busy, moved, now)


def _failed_days(one: InstalledSentinel, zone: tzinfo, today: date) -> list[bool]:
    """Returns for each of the last days whether a page of the sentinel failed on it and fails until now."""
    begins = [page.failing_since for page in one.pages if page.failing_since and page.failures]
    if not begins:
        return [False] * DAYS
    days = (today - min(begins).astimezone(zone).date()).days
    return [before <= days for before in reversed(range(DAYS))]


def _older(filters: dict[str, str], last: int) -> str:
    return f"/sentinels?{_query(filters | {'before': str(last)})}"


def _query(filters: dict[str, str]) -> str:
    return urlencode({name: text for name, text in filters.items() if text})
