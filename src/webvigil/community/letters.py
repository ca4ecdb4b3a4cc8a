"""The messages between personal agents and their homes: goals, letters and recalls (B1, B2).

    agent    home → mediator   an agent with its goals; the answer is its state
    recall   home → mediator   the home wants the agent back
    letter   mediator → home   the state of the agent, and perhaps one change that it found

The body of a letter is a line of JSON followed by the compared versions, as far as they fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from webvigil.community.messages import Message, refuse
from webvigil.community.receiving import LARGEST_MESSAGE
from webvigil.community.sharing import packed, unpacked
from webvigil.errors import MessageRefused
from webvigil.model.agent import Agent, AgentState, Goals
from webvigil.model.change import Change, Finding, finding_as_json, finding_from_json
from webvigil.model.moment import Millis, as_millis
from webvigil.model.page import normal_url
from webvigil.model.version import Answer
from webvigil.notify.notices import report_of

AGENT, RECALL, LETTER = "agent", "recall", "letter"
_LONGEST = {"name": 200, "text": 20_000, "taste": 20_000, "zone": 60}
_STATES = ("waiting", "at work", "refused")
_LONGEST_REASON = 500  # characters
_ID = 32  # characters of the id of an agent
# Room for a body: the rest is for the key, the signature and a head without the findings.
_ROOM = LARGEST_MESSAGE - 8_000
_NUMBERS = ("number", "old", "new", "at")
_LARGEST_NUMBER = 2**53  # larger numbers are not exact in every JSON reader

AnswerOf = Callable[[int, int], Answer | None]
"""Takes the id of a page and the number of a version; returns the stored answer, or None if it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One change that an agent found, as it was received. `answers` holds the compared versions by number."""

    number: int
    url: str
    old: int
    new: int
    at: Millis
    findings: tuple[Finding, ...]
    answers: dict[int, Answer]


# --- goals ---------------------------------------------------------------------------------------------


def goals_as_json(agent: Agent) -> dict[str, Any]:
    return {"agent": agent.id, "goals": asdict(agent.goals)}


def goals_from(message: Message) -> Goals:
    """Reads the goals of an agent. Raises MessageRefused if they are malformed or too long."""
    said = message.content.get("goals")
    if not isinstance(said, dict) or sorted(said) != sorted(_LONGEST):
        refuse("content")
    if not all(isinstance(said[name], str) and len(said[name]) <= most for name, most in _LONGEST.items()):
        refuse("content")
    return Goals(**said)


def agent_in(message: Message) -> str:
    """Returns the id of the agent that a message is about. Raises MessageRefused if there is none."""
    id_ = message.content.get("agent")
    if not isinstance(id_, str) or len(id_) != _ID or not set(id_) <= set("0123456789abcdef"):
        refuse("content")
    return id_


# --- letters -------------------------------------------------------------------------------------------


def letter_of(agent: Agent, change: Change | None, answer_of: AnswerOf) -> tuple[dict[str, Any], bytes]:
    """Returns content and body of a letter.

    Parts that do not fit are left out: details of the findings that no person reads, then the older version,
    then the newer one.
    """
    content: dict[str, Any] = {"agent": agent.id, "state": agent.state, "reason": agent.reason}
    if change is None:
        return content, b""
    content["found"] = {
        "number": change.id,
        "url": change.url,
        "old": change.old_version,
        "new": change.new_version,
        "at": as_millis(change.found_at),
    }
    findings = [dict(finding_as_json(one)) for one in change.findings]
    if len(json.dumps(findings)) > _ROOM // 2:
        findings = report_of(change.findings).findings
    return content, _body(findings, change, answer_of)


def _body(findings: list[dict[str, Any]], change: Change, answer_of: AnswerOf) -> bytes:
    """Returns the body: findings and sizes as JSON, then the newer and the older version, each only if it
    fits."""
    sizes: dict[str, int] = {}
    pieces: list[bytes] = []
    room = _ROOM - len(json.dumps(findings)) - 1_000
    for number in (change.new_version, change.old_version):
        answer = answer_of(change.page, number)
        piece = packed(answer) if answer else b""
        if piece and len(piece) <= room:
            sizes[str(number)] = len(piece)
            pieces.append(piece)
            room -= len(piece)
    line = json.dumps({"findings": findings, "versions": sizes}, separators=(",", ":")).encode()
    return line + b"\n" + b"".join(pieces)


def state_from(message: Message) -> tuple[AgentState, str]:
    """Reads the state of an agent, and the reason for it. Raises MessageRefused."""
    state, reason = message.content.get("state"), message.content.get("reason")
    if state not in _STATES or not isinstance(reason, str):
        refuse("content")
    return cast(AgentState, state), _printable(reason[:_LONGEST_REASON])


def found_from(message: Message) -> Found | None:
    """Returns the change in a letter, or None if the letter holds none. Raises MessageRefused for a change
    that makes no sense."""
    said = message.content.get("found")
    if said is None:
        return None
    if not isinstance(said, dict) or not all(_is_number(said.get(name)) for name in _NUMBERS):
        refuse("content")
    try:
        url = normal_url(said["url"]) if isinstance(said.get("url"), str) else ""
        findings, answers = _opened_body(message.body, (said["new"], said["old"]))
    except MessageRefused:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        refuse("content")
    if not url or not findings or said["old"] >= said["new"]:
        refuse("content")
    return Found(
        number=said["number"],
        url=url,
        old=said["old"],
        new=said["new"],
        at=said["at"],
        findings=findings,
        answers=answers,
    )


def _opened_body(body: bytes, versions: Sequence[int]) -> tuple[tuple[Finding, ...], dict[int, Answer]]:
    """Reads the findings and the versions in a body. Raises MessageRefused, or another error for malformed
    JSON."""
    line, _, rest = body.partition(b"\n")
    plain = json.loads(line)
    findings = tuple(finding_from_json(one) for one in plain["findings"])
    # A finding must be written to our database as JSON: this raises if a text or number is of another type.
    json.dumps([finding_as_json(one) for one in findings])
    if not all(_is_sound(one) for one in findings):
        refuse("content")
    answers: dict[int, Answer] = {}
    for number in versions:
        size = plain["versions"].get(str(number))
        if size is not None:
            if not isinstance(size, int) or not 0 < size <= len(rest):
                refuse("content")
            answers[number], rest = unpacked(rest[:size]), rest[size:]
    return findings, answers


def _is_sound(finding: Finding) -> bool:
    """Tells whether all texts of a finding are texts and all its numbers are numbers of a sensible size."""
    texts = [finding.type, finding.note, *(one.object for one in finding.objects)]
    texts += [side for one in finding.objects for side in (one.before, one.after) if side is not None]
    texts += [place for one in finding.objects for place in one.where]
    numbers = [finding.share, finding.score]
    numbers += [side for one in finding.objects for side in (one.old, one.new) if side is not None]
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(number, int | float) and abs(number) < _LARGEST_NUMBER for number in numbers
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST_NUMBER


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())
