"""JSON from a server in, values out: the other direction of `app.to_json`.

Every function raises KeyError, TypeError or ValueError for data of another shape and lets none of it through,
because the answer may come from another program or from another version of WebVigil.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from webvigil.errors import MistakeInText
from webvigil.model.change import Finding, finding_from_json
from webvigil.model.doubt import Doubt
from webvigil.model.installed import RemovedSentinel, ToldSentinel, WatchedPage
from webvigil.model.moment import as_millis
from webvigil.model.portrait import Outside, Portrait, WatchedNow
from webvigil.model.quiet import LeftPlace
from webvigil.model.sentinel import State

if TYPE_CHECKING:
    from webvigil.model.shapes import JudgementShape, TrialShape, TriedShape

T = TypeVar("T")


def each(read: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    """Returns a function that reads a list of what `read` reads."""
    return lambda plain: [read(one) for one in sure(plain, list)]


def mistake(plain: Any) -> MistakeInText:
    return MistakeInText(
        sure(plain["message"], str),
        line=sure(plain["line"], int),
        column=sure(plain["column"], int),
        word=sure(plain["word"], str),
    )


def sentinel(plain: Any) -> ToldSentinel:
    return ToldSentinel(
        name=sure(plain["name"], str),
        text=sure(plain["text"], str),
        state=State(plain["state"]),
        installed_at=moment(plain["installed_at"]),
        pages=tuple(each(page)(plain["pages"])),
        changes=sure(plain["changes"], int),
        linked=sure(plain["linked"], int),
        full=sure(plain["full"], bool),
        warnings=tuple(each(text)(plain.get("warnings", []))),
    )


def removed(plain: Any) -> RemovedSentinel:
    return RemovedSentinel(
        id=sure(plain["id"], int),
        name=sure(plain["name"], str),
        removed_at=moment(plain["removed_at"]),
        changes=sure(plain["changes"], int),
        title=sure(plain["title"], str),
        url=sure(plain["url"], str),
    )


def page(plain: Any) -> WatchedPage:
    return WatchedPage(
        id=sure(plain["id"], int),
        url=sure(plain["url"], str),
        title=sure(plain.get("title", ""), str),
        due=moment(plain["next_look"]) if plain["next_look"] is not None else None,
        latest=sure(plain["versions"], int),
        checks=sure(plain["looks"], int),
        failures=sure(plain["failures"], int),
        level=sure(plain.get("level", 0), int),
        via=sure(plain.get("via", ""), str),
        trouble=sure(plain.get("trouble", ""), str),
        failing_since=moment(plain["failing_since"]) if plain.get("failing_since") is not None else None,
        doubt=doubt(plain["doubt"]) if plain.get("doubt") else None,
    )


def doubt(plain: Any) -> Doubt:
    """Reads a doubt. JSON does not say whether its form was clear, because only the server needs that:
    `clear` is always True here."""
    return Doubt(
        kind=sure(plain["kind"], str),
        said=sure(plain["said"], str),
        clear=True,
        since=as_millis(moment(plain["since"])),
        told=sure(plain["told"], bool),
    )


def portrait(plain: Any) -> Portrait:
    return Portrait(
        sentinel=sentinel(plain),
        next=sure(plain["next"], str),
        pace=_texts(plain["pace"]),
        trouble=_texts(plain["trouble"]),
        linked=tuple(each(page)(plain["linked_pages"])),
        most_linked=sure(plain["most_linked"], int),
        restless=tuple(each(_left_place)(plain.get("restless", []))),
        left_out=_texts(plain.get("left_out", {})),
        looks=tuple(each(moment)(plain.get("looks", []))),
        from_topics=_texts(plain.get("from_topics", {})),
    )


def _left_place(plain: Any) -> LeftPlace:
    texts = {name: sure(plain[name], str) for name in ("url", "place", "form", "says", "clause")}
    return LeftPlace(**texts, times=sure(plain["times"], int), left_out=sure(plain["left_out"], int))


def watched(plain: Any) -> WatchedNow:
    findings = tuple(each(_finding)(plain["findings"]))
    missing = tuple(each(text)(plain.get("missing", [])))
    trouble = text(plain.get("trouble", ""))
    return WatchedNow(
        sure(plain["url"], str),
        sure(plain["version"], int),
        findings,
        missing=missing,
        trouble=trouble,
        outside=tuple(each(_outside)(plain.get("outside", []))),
    )


def _outside(plain: Any) -> Outside:
    return Outside(**{name: sure(plain[name], str) for name in ("place", "says", "clause")})


def trial(plain: Any) -> TrialShape:
    results = plain["results"]
    return {
        "means": sure(plain["means"], str),
        "model": sure(plain["model"], str),
        "changes": sure(plain["changes"], int),
        "asks": sure(plain["asks"], int),
        "tokens": sure(plain["tokens"], int),
        "cost": float(plain["cost"]),
        "told": None if results is None else sure(plain["told"], int),
        "results": None if results is None else each(_tried)(results),
    }


def _tried(plain: Any) -> TriedShape:
    judged = sure(plain["judgement"], dict)
    sure(judged["told"], bool)
    for name in ("said", "sentence"):
        sure(judged.get(name, ""), str)
    return {
        "change": sure(plain["change"], int),
        "headline": sure(plain["headline"], str),
        "found_at": sure(plain["found_at"], str),
        "judgement": cast("JudgementShape", judged),
    }


def text(plain: Any) -> str:
    return sure(plain, str)


def moment(plain: Any) -> datetime:
    found = datetime.fromisoformat(sure(plain, str))
    if found.tzinfo is None:
        raise ValueError("a time without a zone")
    return found.astimezone(UTC)


def sure(plain: Any, kind: type[T]) -> T:
    """Returns the value if it is exactly of this type. True, for example, is not accepted as a number."""
    if type(plain) is not kind:
        raise TypeError(f"{kind.__name__} was meant")
    found: T = plain
    return found


def _texts(plain: Any) -> dict[str, str]:
    return {name: sure(text, str) for name, text in sure(plain, dict).items()}


def _finding(plain: Any) -> Finding:
    found = finding_from_json(sure(plain, dict))
    sure(found.type, str)
    for one in found.objects:
        sure(one.object, str)
    return found
