"""The shapes of JSON answers: the fields and types of every answer of the API and of `--json`.

The functions that make these answers return the types below, so the type checker finds a field that is
missing or unknown. FastAPI reads the same types for `/openapi.json`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

# typing_extensions and not typing: before Python 3.12 pydantic cannot read the TypedDict of typing.
from typing_extensions import TypedDict


class _DateTime:
    """Tells pydantic that a text is a time, so that clients that are made from `/openapi.json` read it as
    one."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return {**handler(core), "format": "date-time"}


Time = Annotated[str, _DateTime()]
"""A time in ISO 8601, with its zone."""


class SurroundingShape(TypedDict):
    """The sentence, row or item around an object. The marks are ranges of characters that changed."""

    before: NotRequired[str]
    after: NotRequired[str]
    before_marks: NotRequired[list[list[int]]]
    after_marks: NotRequired[list[list[int]]]


class ObjectShape(TypedDict):
    """One object that appeared, vanished or changed. A side that does not exist is left out, and so is a
    name or text that is not known."""

    object: str
    status: str
    old: NotRequired[int]
    new: NotRequired[int]
    before: NotRequired[str]
    after: NotRequired[str]
    where: list[str]
    label: NotRequired[str]
    section: NotRequired[str]
    surrounding: NotRequired[SurroundingShape]
    link_text: NotRequired[str]


class FindingShape(TypedDict):
    type: str
    changed: bool
    share: float
    score: int
    objects: list[ObjectShape]
    note: NotRequired[str]


class LeftOutShape(ObjectShape):
    """Something that differs and is not told; `why` says why."""

    why: str


class DiffShape(TypedDict):
    changed: bool
    findings: list[FindingShape]
    headline: str
    left_out: NotRequired[list[LeftOutShape]]


class DocumentShape(TypedDict):
    kind: str
    nodes: int
    signature: str


class MarkedNodeShape(TypedDict):
    """A node and what happened to it: content, attribute, moved, inserted, deleted."""

    node: int
    marks: list[str]
    path: str


class AnnotationShape(TypedDict):
    """The marked nodes of one document, and the numbers of the nodes below which something changed."""

    nodes: list[MarkedNodeShape]
    below: list[int]


class AnnotationsShape(TypedDict):
    old: AnnotationShape
    new: AnnotationShape


class DeleteShape(TypedDict):
    edit: Literal["delete"]
    node: int
    path: NotRequired[str]


class MoveShape(TypedDict):
    edit: Literal["move"]
    node: int
    parent: int
    place: int
    path: NotRequired[str]


class RewriteShape(TypedDict):
    edit: Literal["rewrite"]
    node: int
    before: str
    after: str
    path: NotRequired[str]


class AttributeShape(TypedDict):
    edit: Literal["attribute"]
    node: int
    name: str
    before: str | None
    after: str | None
    path: NotRequired[str]


class InsertShape(TypedDict):
    edit: Literal["insert"]
    node: int
    parent: int
    place: int
    name: str
    text: NotRequired[str]
    attributes: NotRequired[dict[str, str]]


EditShape = DeleteShape | MoveShape | RewriteShape | AttributeShape | InsertShape


class EditsShape(TypedDict):
    format: Literal["webvigil-edits"]
    version: Literal[1]
    old: DocumentShape
    new: DocumentShape
    annotation: AnnotationsShape
    edits: list[EditShape]


class ChangeShape(TypedDict):
    id: int
    sentinel: str
    url: str
    page: int
    old_version: int
    new_version: int
    found_at: Time
    changed: bool
    findings: list[FindingShape]
    topic: str
    seen: bool
    note: str
    headline: str
    title: str
    judgement: NotRequired[JudgementShape]


class VerdictShape(TypedDict):
    """What a language model said of one sentence behind `means`: yes, no or unsure."""

    means: str
    verdict: str


class JudgementShape(TypedDict):
    """What a language model said of a change. `said` tells in words why it could not be judged; `summary` is
    true if the sentence was asked for (`Summary on`)."""

    told: bool
    model: NotRequired[str]
    verdicts: NotRequired[list[VerdictShape]]
    sentence: NotRequired[str]
    trouble: NotRequired[str]
    said: NotRequired[str]
    summary: NotRequired[bool]


class JudgedShape(TypedDict):
    """A change that a language model was asked about, told or not."""

    sentinel: str
    page: int
    url: str
    old_version: int
    new_version: int
    found_at: Time
    headline: str
    judgement: JudgementShape


class UseShape(TypedDict):
    """What the questions of a user took today, and what they may take in a day (0: no limit)."""

    questions: int
    tokens_read: int
    tokens_written: int
    seconds: float
    cost: float
    tokens_per_day: int
    cost_per_day: float
    seconds_per_day: int


class MeaningShape(TypedDict):
    model: str
    today: UseShape


class TriedShape(TypedDict):
    change: int
    headline: str
    found_at: Time
    judgement: JudgementShape


class TrialShape(TypedDict):
    """What trying a sentence takes at most (`asks`, `tokens`, `cost`); `results` and `told` if it was
    tried."""

    means: str
    model: str
    changes: int
    asks: int
    tokens: int
    cost: float
    told: int | None
    results: list[TriedShape] | None


class NewsShape(TypedDict):
    """An unread change in one sentence. `link` leads to it in the dashboard; `title` is that of its page."""

    id: int
    headline: str
    sentinel: str
    topic: str
    title: str
    url: str
    found_at: Time
    link: str


class UnreadShape(TypedDict):
    """How many changes are unread, and the newest of them. `more` says that there are more than were
    counted."""

    count: int
    more: bool
    newest: list[NewsShape]


class OthersShape(TypedDict):
    """What else changed on the page of a change: how many objects, in one sentence, and one by one."""

    count: int
    headline: str
    finding: FindingShape


class MarkedShape(TypedDict):
    marked: int


class DoubtShape(TypedDict):
    """What came in place of the page; `told`: those who watch it know."""

    kind: str
    said: str
    since: Time
    told: bool


class PageShape(TypedDict):
    """One page of a sentinel. `level` and `via` are present if the page is watched because another page links
    to it."""

    id: int
    url: str
    title: str
    next_look: Time | None
    versions: int
    looks: int
    failures: int
    doubt: DoubtShape | None
    failing_since: Time | None
    trouble: str
    level: NotRequired[int]
    via: NotRequired[str]


class SentinelShape(TypedDict):
    name: str
    state: str
    installed_at: Time
    changes: int
    pages: list[PageShape]
    linked: int
    full: bool
    text: str
    trouble: dict[str, str]


class MadeShape(SentinelShape):
    """A sentinel that was just installed. `warnings` tell which things it names that are not on its pages."""

    warnings: list[str]


class EnabledShape(SentinelShape):
    next: str


class LeftPlaceShape(TypedDict):
    """A place of a page whose usual changes are not told; `clause` brings it back, `label` names it."""

    url: str
    place: str
    label: str
    form: str
    times: int
    left_out: int
    says: str
    clause: str


class ProposalShape(TypedDict):
    """The clause that would have left a change out, and what it would have done to kept changes."""

    sentinel: str
    clause: str
    text: str
    left_out: int
    tried: int
    marked: int
    says: str
    applied: bool


class PortraitShape(SentinelShape):
    next: str
    pace: dict[str, str]
    linked_pages: list[PageShape]
    most_linked: int
    restless: list[LeftPlaceShape]
    left_out: dict[str, str]
    looks: list[Time]
    from_topics: dict[str, str]


ValueShape = TypedDict(
    "ValueShape", {"from": Time, "number": str, "text": str, "change": int | None}, total=True
)


class OfferShape(TypedDict):
    """Something on a page that can be watched. `monitor` and `within` are written as in a sentinel; `now`
    says what or how much is there, `about` what it means to watch such a thing."""

    kind: str
    label: str
    about: str
    monitor: str
    within: str
    sample: str
    now: str
    recommended: bool


class WordedShape(TypedDict):
    value: str
    label: str


class OffersShape(TypedDict):
    """What a form for a new sentinel offers: things on the page, a free name, intervals, contacts."""

    url: str
    title: str
    name: str
    topic: str
    offers: list[OfferShape]
    every: list[WordedShape]
    tell: list[WordedShape]


class ChoiceShape(TypedDict):
    """One thing that a click may mean; `times` tells how often it is found on the page now."""

    kind: str
    label: str
    monitor: str
    within: str
    sample: str
    times: int


class PickedShape(TypedDict):
    """What clicks on a page mean. `kinds` has the kind of thing by the number of its element. With a click,
    `choices` go from narrow to wide, and `chosen` is the index of the most likely one."""

    kinds: dict[str, str]
    choices: list[ChoiceShape]
    chosen: int


class ComposedShape(TypedDict):
    text: str


class OutsideShape(TypedDict):
    """A block of a page that `Within main` leaves out; `clause` would watch it, too."""

    place: str
    says: str
    clause: str


class WatchedShape(TypedDict):
    url: str
    version: int
    findings: list[FindingShape]
    missing: list[str]
    trouble: NotRequired[str]
    outside: NotRequired[list[OutsideShape]]


class PreviewShape(TypedDict):
    sentinel: str
    url: str
    findings: list[FindingShape]
    missing: list[str]


class EntryShape(TypedDict):
    at: Time
    sentinel: str
    what: str
    past: bool


class RemovedShape(TypedDict):
    id: int
    name: str
    removed_at: Time
    changes: int
    title: str
    url: str


class RunShape(TypedDict):
    name: str
    pages: int
    warnings: list[str]


class PageRunShape(TypedDict):
    page: int


class CheckedSentinelShape(TypedDict):
    name: str
    text: str


class MistakeShape(TypedDict):
    message: str
    line: int
    column: int
    word: str
    expected: list[str]
    suggestion: str


class TopicShape(TypedDict):
    """A topic: the clauses that it says for its sentinels, and how many it has."""

    name: str
    clauses: str
    sentinels: int


class SaidShape(TypedDict):
    """A message as a reader would get it. `change` is the change it tells, None for an example."""

    title: str
    text: str
    change: int | None


class CheckShape(TypedDict):
    """`warnings` say what is no mistake and yet not as the writer may think."""

    correct: bool
    sentinels: list[CheckedSentinelShape]
    mistakes: list[MistakeShape]
    warnings: list[str]


class VersionShape(TypedDict):
    number: int
    fetched_at: Time
    url: str
    status: int
    size: int
    signature: str


class LookShape(TypedDict):
    """One look at a page: why it took place, what came back, what was decided, and when the next look is."""

    at: Time
    why: str
    decision: str
    status: int | None
    bytes: int
    duration: int
    error: str
    reason: str
    plan: str
    left_out: str
    picture: str


class ShareShape(TypedDict):
    id: str
    change: int
    created_at: Time
    expires_at: Time
    used_at: Time | None


class NewShareShape(ShareShape):
    link: str


class NoticeShape(TypedDict):
    id: int
    notice: str
    state: str
    sentinel: str
    channel: str
    address: str
    subject: str
    created_at: Time
    due: Time | None
    settled_at: Time | None
    attempts: int
    error: str
    merged_into: str | None


class RetriedShape(TypedDict):
    retried: int


class ContactShape(TypedDict):
    """One contact of a user. `verified` is present for e-mail. `secret`, `url` and `calendar` are only told
    when the contact is made."""

    channel: str
    address: str
    verified: NotRequired[bool]
    secret: NotRequired[str]
    url: NotRequired[str]
    calendar: NotRequired[str]


class PreferencesShape(TypedDict):
    quiet: str | None
    rate: int | None
    summary_at: str
    order: str
    share_pages: bool


class ScoresShape(TypedDict):
    """What weighs more to a user than to others."""

    weights: dict[str, int]
    interests: list[str]


class StandingShape(TypedDict):
    """The state of one sentinel: a line of the summary."""

    sentinel: str
    title: str
    state: str
    urls: list[str]
    type: str
    watches: str
    topic: str
    priority: int
    modified: Time | None
    evaluated: Time | None
    notified: Time | None
    last_seen: Time | None
    installed: Time | None
    ends: Time | None
    evaluations: int
    notifications: int
    changes: int


class HealthShape(TypedDict):
    status: str
    version: NotRequired[str]
    database: str
    worker: str
    queue_age: float | None
    trouble: NotRequired[str]
    clock: NotRequired[str]


class UserShape(TypedDict):
    name: str
    role: str
    zone: str
    created_at: Time


class CallerShape(UserShape):
    scope: str


class TokenShape(TypedDict):
    id: str
    name: str
    scope: str
    created_at: Time
    used_at: Time | None


class NewTokenShape(TypedDict):
    name: str
    scope: str
    token: str


class LoginShape(TypedDict):
    """A log-in: the address it is for, and the names of its secrets."""

    url: str
    secrets: list[str]


class LinkShape(TypedDict):
    link: str


class AgentShape(TypedDict):
    sentinel: str
    side: str
    peer: str
    state: str
    reason: str
    since: Time
    heard_at: Time | None
    letters: int | None


BroadcastShape = TypedDict("BroadcastShape", {"id": str, "text": str, "from": str, "until": Time})


class PeerShape(TypedDict):
    fingerprint: str
    key: str
    url: str
    state: str
    reason: str
    added_at: Time
    heard_at: Time | None
    rests_until: Time | None
    asked: int
    got: int
    same: int
    given: int
    checked: int
    agreed: int
    strikes: int
    refused: int


class SavedShape(TypedDict):
    looks: int
    fetches: int
    utilisation: float | None
    got: int
    given: int


class CommunityShape(TypedDict):
    fingerprint: str
    key: str
    url: str
    saved: SavedShape
    peers: list[PeerShape]


class PlaceShape(TypedDict):
    fingerprint: str
    url: str


class ServiceClassShape(TypedDict):
    name: str
    title: str
    about: str
    words: list[str]


class WantedServicesShape(TypedDict):
    description: str
    seeds: list[str]
    frontier: str
    hints: list[str]
    pages: int
    depth: int
    probes_per_form: int
    probes_per_site: int
    post: bool
    dry_run: bool
    ask: list[str]


class DiscoveryShape(TypedDict):
    id: int
    service: str
    state: str
    why: str
    pages: int
    forms: int
    probes: int
    services: int
    created_at: Time
    started_at: Time | None
    ended_at: Time | None
    wanted: WantedServicesShape


class FilledShape(TypedDict):
    """One field as it was sent. `argument` names what filled it; without it the form's own value stayed."""

    name: str
    value: str
    argument: NotRequired[str]


class ProfileStepShape(TypedDict):
    """One request on the way to a result. `state` is what its answer is in the class of the service."""

    kind: str
    method: str
    url: str
    fields: list[FilledShape]
    render: str
    state: NotRequired[str]


class ProfilePageShape(TypedDict):
    """The page with the form. `fields` are pairs of name and value."""

    url: str
    method: str
    fields: list[list[str]]
    render: str
    login: NotRequired[str]


class ProfileShape(TypedDict):
    """A capability profile: the exact steps by which a form is asked. `arguments` are pairs of name and
    value, `found` is a sample of the answer, and `doubt` says why the service is only a possible one."""

    service: str
    page: ProfilePageShape
    form: str
    steps: list[ProfileStepShape]
    states: list[str]
    arguments: list[list[str]]
    result: str
    found: str
    doubt: str


class ServiceShape(TypedDict):
    """One found service. `profile` holds the exact steps that worked; `sentinel` is a text that watches the
    answer."""

    discovery: int
    number: int
    url: str
    title: str
    probes: int
    found_at: Time
    arguments: dict[str, str]
    found: str
    profile: ProfileShape
    sentinel: str | None


class TableShape(TypedDict):
    title: str
    head: list[str]
    rows: list[list[str]]


class StepShape(TypedDict):
    """One step of a crawl. The value of `step` decides which other fields are present."""

    step: str


class WrittenShape(TypedDict):
    text: str
