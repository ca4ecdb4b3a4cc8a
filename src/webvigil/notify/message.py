"""A notice with a message of the user's own in, the values of its fields out (`model/message.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from webvigil.model.message import FIELDS, Message, filled

Lines = Callable[[dict[str, Any]], Iterable[Any]]
_NEW, _GONE = ("i", "i+"), ("d", "d-")
_PLAIN = ("headline", "summary", "sentinel", "topic", "priority", "url", "old_version", "new_version")


def message_of(body: Mapping[str, Any]) -> Message | None:
    """Returns the message that a change is told with; None if it is told in our words."""
    said = body.get("message")
    if body.get("event") != "change" or not isinstance(said, dict):
        return None
    return Message(str(said.get("title") or ""), str(said.get("body") or ""))


def first_object(findings: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Returns label, before and after of the first changed object."""
    one = next((each for finding in findings for each in finding.get("objects", ())), None)
    if one is None:
        return {}
    name, status = str(one.get("object", "")), one.get("status")
    text = str(one.get("link_text") or name)
    return {
        "label": str(one.get("label") or one.get("section") or ""),
        "before": str(one.get("before") or ("" if status in _NEW else text)),
        "after": str(one.get("after") or ("" if status in _GONE else text)),
    }


def fields(it: Mapping[str, Any], lines: Lines, *, time: str, report: str) -> dict[str, str]:
    """Returns the value of every field for the change that `it` tells. A field that has none is ""."""
    findings = [finding for finding in it.get("findings", ()) if finding.get("changed")]
    told = [line for finding in findings for line in lines(finding)]
    return dict.fromkeys(FIELDS, "") | {
        **{name: str(it.get(name) or "") for name in _PLAIN},
        **({name: str(it.get(name) or "") for name in ("label", "before", "after")}),
        **first_object(findings),
        "sentence": str((it.get("judgement") or {}).get("sentence") or it.get("headline") or ""),
        "title": str(it.get("title") or it.get("sentinel") or ""),
        "types": ", ".join((it.get("amounts") or {}).get("types", ())),
        "changes": "\n".join([*map(str, told), *_more(findings)]),
        "added": "\n".join(_side(line.new) for line in told if line.mark in "+~"),
        "removed": "\n".join(_side(line.old) for line in told if line.mark in "-~"),
        "time": time,
        "report": report,
    }


def said(message: Message, values: Mapping[str, str]) -> Message:
    """Returns the message with its fields filled."""
    return Message(filled(message.title, values).strip(), filled(message.body, values).strip())


def _side(pieces: Iterable[tuple[str, bool]]) -> str:
    return "".join(text for text, _ in pieces)


def _more(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    left_out = sum(int(finding.get("more") or 0) for finding in findings)
    return [f"… and {left_out} more"] if left_out else []
