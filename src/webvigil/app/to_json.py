"""Values in, plain data out: the JSON of the API and of `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from webvigil.app.telling.shares import Share
from webvigil.model.change import Change, finding_as_json
from webvigil.model.contact import KnownContact
from webvigil.model.doubt import Doubt
from webvigil.model.installed import RemovedSentinel, ToldSentinel, WatchedPage
from webvigil.model.meaning import JudgedChange, Judgement, judgement_as_json
from webvigil.model.moment import as_datetime
from webvigil.model.notice import OutboxRecord
from webvigil.model.portrait import Portrait, WatchedNow
from webvigil.model.quiet import LeftPlace
from webvigil.model.shapes import (
    ChangeShape,
    ContactShape,
    DoubtShape,
    EntryShape,
    JudgedShape,
    JudgementShape,
    LeftPlaceShape,
    LookShape,
    MadeShape,
    NewsShape,
    NoticeShape,
    PageShape,
    PortraitShape,
    ProposalShape,
    RemovedShape,
    SentinelShape,
    ShareShape,
    TopicShape,
    TrialShape,
    TriedShape,
    VersionShape,
    WatchedShape,
)
from webvigil.model.version import Version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webvigil.app.meaning.trial import Planned, Tried
    from webvigil.app.sentinels.quiet import Proposal
    from webvigil.app.sentinels.timeline import Entry
    from webvigil.app.sentinels.topics import Topic


def change_as_json(change: Change) -> ChangeShape:
    from webvigil.detect.headline import headline

    plain: ChangeShape = {
        "id": change.id,
        "sentinel": change.sentinel,
        "url": change.url,
        "page": change.page,
        "old_version": change.old_version,
        "new_version": change.new_version,
        "found_at": change.found_at.isoformat(),
        "changed": True,
        "findings": [finding_as_json(finding) for finding in change.findings],
        "topic": change.topic,
        "seen": change.seen,
        "note": change.note,
        "headline": headline(change.findings),
        "title": change.title,
    }
    if change.judgement:
        plain["judgement"] = _judgement(change.judgement)
    return plain


def _judgement(judgement: Judgement) -> JudgementShape:
    return cast(JudgementShape, judgement_as_json(judgement))


def judged_as_json(one: JudgedChange) -> JudgedShape:
    from webvigil.detect.headline import headline

    return {
        "sentinel": one.sentinel,
        "page": one.page,
        "url": one.url,
        "old_version": one.old_version,
        "new_version": one.new_version,
        "found_at": as_datetime(one.found_at).isoformat(),
        "headline": headline(one.findings),
        "judgement": _judgement(one.judgement),
    }


def trial_as_json(plan: Planned, results: Sequence[Tried] | None) -> TrialShape:
    from webvigil.detect.headline import headline

    tried = [
        TriedShape(
            change=one.change.id,
            headline=headline(one.change.findings),
            found_at=one.change.found_at.isoformat(),
            judgement=_judgement(one.judgement),
        )
        for one in results or ()
    ]
    return {
        "means": plan.sentence,
        "model": plan.model,
        "changes": len(plan.changes),
        "asks": plan.asks,
        "tokens": plan.tokens,
        "cost": round(plan.cost, 6),
        "told": None if results is None else sum(one.judgement.told for one in results),
        "results": None if results is None else tried,
    }


def news_as_json(change: Change, home: str) -> NewsShape:
    from webvigil.detect.headline import headline

    return {
        "id": change.id,
        "headline": headline(change.findings),
        "sentinel": change.sentinel,
        "topic": change.topic,
        "title": change.title,
        "url": change.url,
        "found_at": change.found_at.isoformat(),
        "link": f"{home}/changes/{change.id}",
    }


def share_as_json(share: Share) -> ShareShape:
    return {
        "id": share.id,
        "change": share.change,
        "created_at": share.created_at.isoformat(),
        "expires_at": share.expires_at.isoformat(),
        "used_at": share.used_at.isoformat() if share.used_at else None,
    }


def sentinel_as_json(sentinel: ToldSentinel) -> SentinelShape:
    return {
        "name": sentinel.name,
        "state": str(sentinel.state),
        "installed_at": sentinel.installed_at.isoformat(),
        "changes": sentinel.changes,
        "pages": [page_as_json(page) for page in sentinel.pages],
        "linked": sentinel.linked,
        "full": sentinel.full,
        "text": sentinel.written,
        "trouble": sentinel.trouble,
    }


def topic_as_json(one: Topic) -> TopicShape:
    return {"name": one.name, "clauses": one.clauses, "sentinels": one.sentinels}


def with_warnings_as_json(sentinel: ToldSentinel) -> MadeShape:
    """Returns a sentinel with its warnings, as the answer to a request that installed or changed it."""
    return {**sentinel_as_json(sentinel), "warnings": list(sentinel.warnings)}


def portrait_as_json(portrait: Portrait) -> PortraitShape:
    return {
        **sentinel_as_json(portrait.sentinel),
        "next": portrait.next,
        "pace": dict(portrait.pace),
        "trouble": dict(portrait.trouble),
        "linked_pages": [page_as_json(page) for page in portrait.linked],
        "most_linked": portrait.most_linked,
        "restless": [left_place_as_json(one) for one in portrait.restless],
        "left_out": dict(portrait.left_out),
        "looks": [one.isoformat() for one in portrait.looks],
        "from_topics": dict(portrait.from_topics),
    }


def left_place_as_json(one: LeftPlace) -> LeftPlaceShape:
    return {
        "url": one.url,
        "place": one.place,
        "label": one.label,
        "form": one.form,
        "times": one.times,
        "left_out": one.left_out,
        "says": one.says,
        "clause": one.clause,
    }


def proposal_as_json(one: Proposal, *, applied: bool) -> ProposalShape:
    return {
        "sentinel": one.sentinel,
        "clause": one.clause,
        "text": one.text,
        "left_out": one.left_out,
        "tried": one.tried,
        "marked": one.marked,
        "says": one.says,
        "applied": applied,
    }


def watched_as_json(watched: WatchedNow) -> WatchedShape:
    findings = [finding_as_json(finding) for finding in watched.findings]
    told: WatchedShape = {
        "url": watched.url,
        "version": watched.version,
        "findings": findings,
        "missing": list(watched.missing),
    }
    if watched.trouble:
        told["trouble"] = watched.trouble
    if watched.outside:
        told["outside"] = [
            {"place": one.place, "says": one.says, "clause": one.clause} for one in watched.outside
        ]
    return told


def entry_as_json(entry: Entry) -> EntryShape:
    return {
        "at": entry.at.isoformat(),
        "sentinel": entry.sentinel,
        "what": entry.what,
        "past": entry.past,
    }


def removed_as_json(one: RemovedSentinel) -> RemovedShape:
    return {
        "id": one.id,
        "name": one.name,
        "removed_at": one.removed_at.isoformat(),
        "changes": one.changes,
        "title": one.title,
        "url": one.url,
    }


def notice_as_json(one: OutboxRecord) -> NoticeShape:
    return {
        "id": one.id,
        "notice": one.notice.dedup,
        "state": one.state,
        "sentinel": one.notice.sentinel,
        "channel": one.notice.channel,
        "address": one.notice.address,
        "subject": one.notice.subject,
        "created_at": one.created_at.isoformat(),
        "due": one.due.isoformat() if one.due else None,
        "settled_at": one.settled_at.isoformat() if one.settled_at else None,
        "attempts": one.attempts,
        "error": one.error,
        "merged_into": one.merged_into or None,
    }


def contact_as_json(one: KnownContact) -> ContactShape:
    """Returns a contact without its secrets."""
    told: ContactShape = {"channel": one.channel, "address": one.address}
    if one.channel == "email":
        told["verified"] = one.verified_at is not None
    return told


def version_as_json(version: Version) -> VersionShape:
    return {
        "number": version.number,
        "fetched_at": version.fetched_at.isoformat(),
        "url": version.url,
        "status": version.status,
        "size": version.size,
        "signature": version.signature,
    }


def page_as_json(page: WatchedPage) -> PageShape:
    told: PageShape = {
        "id": page.id,
        "url": page.url,
        "title": page.title,
        "next_look": page.due.isoformat() if page.due else None,
        "versions": page.latest,
        "looks": page.checks,
        "failures": page.failures,
        "failing_since": page.failing_since.isoformat() if page.failing_since else None,
        "trouble": page.trouble,
        "doubt": doubt_as_json(page.doubt) if page.doubt else None,
    }
    if page.level:
        told["level"], told["via"] = page.level, page.via
    return told


def doubt_as_json(doubt: Doubt) -> DoubtShape:
    return {"kind": doubt.kind, "said": doubt.said, "since": doubt.at.isoformat(), "told": doubt.told}


def look_as_json(look: dict[str, Any]) -> LookShape:
    return cast(LookShape, look | {"at": look["at"].isoformat()})
