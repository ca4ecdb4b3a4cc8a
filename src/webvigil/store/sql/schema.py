"""The tables of the knowledge base.

Moments are whole milliseconds (see `model.moment`); `migrations` creates the same tables.

`host`, `page` and `outbox` form the schedule: permanent rows that workers claim by lease, instead of a stream
of jobs. `page` is narrow because every check rewrites its row; columns that rarely change are in
`page_about`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    false,
    func,
    literal,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

from webvigil.model.moment import NEVER
from webvigil.model.topics import JOINT

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives ids automatically only in a column whose type is exactly INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")
Moment = BigInteger


class Json(TypeDecorator[Any]):
    """JSON; in PostgreSQL JSONB. SQLAlchemy's module for PostgreSQL takes 3 MB, so only such a database loads
    it."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON())
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB())


class Words(TypeDecorator[str]):
    """Text; in PostgreSQL a vector of words for searching."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return dialect.type_descriptor(Text())
        from sqlalchemy.dialects.postgresql import TSVECTOR

        return dialect.type_descriptor(TSVECTOR())


class later(FunctionElement[int]):  # noqa: N801  (reads as the SQL function it is)
    """The later of two moments: `greatest` in PostgreSQL, `max` in SQLite."""

    inherit_cache = True
    type = BigInteger()


@compiles(later, "postgresql")
def _later_postgresql(element: later, compiler: SQLCompiler, **kw: Any) -> str:
    return f"greatest({compiler.process(element.clauses, **kw)})"


@compiles(later, "sqlite")
def _later_sqlite(element: later, compiler: SQLCompiler, **kw: Any) -> str:
    return f"max({compiler.process(element.clauses, **kw)})"


def _id() -> Column[int]:
    """Returns an id column. Ids leave the database (in addresses, in the names of notices), so no id may be
    given twice. A migration that makes such a table has to set `sqlite_autoincrement`."""
    return Column("id", Id, primary_key=True, autoincrement=True)


def _belongs_to(table: str, name: str | None = None, **options: Any) -> Column[int]:
    return Column(
        name or f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, **options
    )


def _partial(name: str, *columns: Column[Any], where: ColumnElement[bool] | TextClause) -> Index:
    """Returns an index of the rows for which `where` holds. The migrations make the index with this
    condition; here it is only written down, since SQLAlchemy would load its modules for both databases to
    check it."""
    return Index(name, *columns, info={"where": where})


setting = Table("setting", metadata, Column("key", String(200), primary_key=True), Column("value", Text))

user = Table(
    "wv_user",  # `user` is a reserved word in PostgreSQL
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("zone", String(60), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("password", Text, nullable=False, server_default=""),
    Column("taste", Text, nullable=False, server_default=""),
    # What the user's topics say, as JSON: clauses by topic.
    Column("topics", Text, nullable=False, server_default=""),
)

token = Table(
    "token",
    metadata,
    Column("digest", String(128), primary_key=True),
    _belongs_to("wv_user", "user_id", index=True),
    Column("purpose", String(40), nullable=False),
    Column("expires", Moment, nullable=False),
    Column("name", String(200), nullable=False, server_default=""),
    Column("scope", String(20), nullable=False, server_default="admin"),
    Column("created_at", Moment, nullable=False, server_default="0"),
    Column("used_at", Moment),
)

sentinel = Table(
    "sentinel",
    metadata,
    _id(),
    _belongs_to("wv_user", "user_id"),
    Column("name", String(200), nullable=False),
    Column("text", Text, nullable=False),
    # What the user wrote, if topics added to it; "" if it is the text.
    Column("own", Text, nullable=False, server_default=""),
    Column("state", String(20), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("topic", String(200), nullable=False),
    Column("installed_at", Moment, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("span", Integer, nullable=False),
    Column("within", Boolean, nullable=False),
    Column("life_at", Moment),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    Column("warned", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("failure", Text, nullable=False),
    Column("revision", BigInteger, nullable=False, index=True),
    # A sentinel that its user removed stays for a while, so that the removal can be undone. Its name is free
    # for others meanwhile: `removed_name` holds the name, and `name` a text that no sentinel can have.
    Column("removed_at", Moment),
    Column("removed_name", String(200), nullable=False, server_default=""),
    UniqueConstraint("user_id", "name", name="uq_sentinel_user_name"),
)
# The SQL condition that a sentinel was not removed.
PRESENT = sentinel.c.removed_at.is_(None)
# Lists of a user's sentinels: the newest first, and how many there are of each state and topic.
for _index, _columns in (
    ("ix_sentinel_newest", (sentinel.c.user_id, sentinel.c.id)),
    ("ix_sentinel_kinds", (sentinel.c.user_id, sentinel.c.state, sentinel.c.topic)),
):
    _partial(_index, *_columns, where=PRESENT)
_partial("ix_sentinel_removed", sentinel.c.removed_at, where=~PRESENT)

# The row "revision" counts every change to a sentinel. Whoever counts holds the row's lock until the end of
# the transaction, so that revisions become visible in order. The row "past" is only locked (`pasts`).
counter = Table(
    "counter",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

removal = Table(
    "removal",
    metadata,
    Column("sentinel_id", Id, primary_key=True, autoincrement=False),
    Column("revision", BigInteger, nullable=False, index=True),
)

host = Table(
    "host",
    metadata,
    _id(),
    Column("name", String(300), nullable=False, unique=True),
    Column("next_at", Moment, nullable=False),
    Column("lease", Moment, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("owner", String(100), nullable=False),
    Column("delay_ms", BigInteger),
    Column("concurrency", Integer),
    Column("failures", Integer, nullable=False, server_default="0"),
)
Index("ix_host_ready", later(host.c.next_at, host.c.lease))

page = Table(
    "page",
    metadata,
    _id(),
    _belongs_to("host"),
    Column("due", Moment, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("checks", BigInteger, nullable=False),
    Column("asked", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("latest", Integer, nullable=False),
    Column("failing_since", Moment, nullable=False, server_default="0"),
    Index("ix_page_host_due", "host_id", "due"),
)
# The SQL condition that the last look at a page failed. Few pages fail, so the index of them stays small; a
# query repeats the condition as literal text, as those of the outbox do below.
FAILING = text("page.failures > 0")
_partial("ix_page_failing", page.c.id, where=text("failures > 0"))

page_about = Table(
    "page_about",
    metadata,
    Column("page_id", Id, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("key", String(40), nullable=False, unique=True),
    Column("url", Text, nullable=False),
    Column("method", String(10), nullable=False),
    Column("fields", Json, nullable=False),
    Column("render", String(20), nullable=False),
    Column("validators", Json, nullable=False),
    Column("login", String(40), nullable=False, server_default=""),
    # What is done before the page is read (`model.approach`), as JSON; "" for nothing.
    Column("approach", Text, nullable=False, server_default=""),
    Column("wish", String(40), nullable=False, server_default=""),
    Column("title", Text, nullable=False, server_default=""),
)

watch = Table(
    "watch",
    metadata,
    _belongs_to("sentinel", primary_key=True, autoincrement=False),
    _belongs_to("page", primary_key=True, autoincrement=False, index=True),
    Column("interval_ms", BigInteger, nullable=False),
    Column("next_at", Moment, nullable=False),
    Column("reference", Integer, nullable=False),
    Column("measured_from", Integer, nullable=False, server_default="0"),
    # The newest version when the sentinel began to watch the page (0: there was none), and the time of that.
    Column("first_version", Integer, nullable=False, server_default="0"),
    Column("since", Moment, nullable=False, server_default="0"),
    # How many links away the page is from a page that the sentinel names, and the page with the link.
    Column("level", Integer, nullable=False, server_default="0"),
    Column("via_id", BigInteger),
    # The trouble that its user was last told of (`model.trouble`).
    Column("trouble", String(20), nullable=False, server_default="unseen"),
    Column("trouble_words", Text, nullable=False, server_default=""),
)
# The SQL condition that a sentinel is in trouble with a page (`model.trouble.IN_TROUBLE`).
TROUBLED = text("watch.trouble IN ('failing', 'nothing', 'broken')")
_partial("ix_watch_troubled", watch.c.sentinel_id, where=text("trouble IN ('failing', 'nothing', 'broken')"))

# Sentinels that follow links: how far, in which parts, and when their linked pages have to be computed again.
reach = Table(
    "reach",
    metadata,
    _belongs_to("sentinel", primary_key=True, autoincrement=False),
    Column("depth", Integer, nullable=False),
    Column("part", String(40), nullable=False),
    Column("below", String(40), nullable=False),
    Column("due", Moment, nullable=False, index=True),
    Column("linked", Integer, nullable=False, server_default="0"),
    # A limit of the sentinel's own, for guests.
    Column("most", Integer),
    Column("overfull", Boolean, nullable=False, server_default=false()),
)

# The links in parts of pages, and the version that they were read from.
linked = Table(
    "linked",
    metadata,
    _belongs_to("page", primary_key=True, autoincrement=False),
    Column("part", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("more", Boolean, nullable=False),
)

link = Table(
    "link",
    metadata,
    _belongs_to("page", primary_key=True, autoincrement=False),
    Column("part", String(40), primary_key=True),
    Column("key", String(40), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("url", Text, nullable=False),
    Column("render", String(20), nullable=False),
    Column("login", String(40), nullable=False),
    Column("approach", Text, nullable=False, server_default=""),
    Column("near", Boolean, nullable=False),
    Column("gone_at", Moment),
)

# Sentinels that wait until several pages have changed, and the changes that are held back until then.
joint = Table(
    "joint",
    metadata,
    _belongs_to("sentinel", primary_key=True, autoincrement=False),
    Column("pages", Json, nullable=False),
)

held = Table(
    "held",
    metadata,
    _belongs_to("sentinel", primary_key=True, autoincrement=False),
    _belongs_to("page", primary_key=True, autoincrement=False, index=True),
    Column("old_version", Integer, nullable=False),
    Column("new_version", Integer, nullable=False),
    Column("found_at", Moment, nullable=False),
    Column("findings", Json, nullable=False),
    Column("notices", Json, nullable=False),
    Column("judgement", Text, nullable=False, server_default=""),
    # The page of the joint that the change counts for; 0: its own page.
    Column("root_id", BigInteger, nullable=False, server_default="0"),
)

# The memory of a page's best-effort rule; a separate table, so that `page` stays narrow.
pace = Table(
    "pace",
    metadata,
    Column("page_id", Id, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("memory", LargeBinary, nullable=False),
    Column("share", Float, nullable=False),
    Column("pings", Integer, nullable=False),
)

habit = Table(
    "habit",
    metadata,
    Column("page_id", Id, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("part", String(40), primary_key=True),
    Column("places", Json, nullable=False),
)

# Pages whose newest answer is not believed to be the page, and what it looks like instead.
doubt = Table(
    "doubt",
    metadata,
    _belongs_to("page", primary_key=True, autoincrement=False),
    Column("kind", String(40), nullable=False),
    Column("said", Text, nullable=False),
    Column("clear", Boolean, nullable=False),
    Column("since", Moment, nullable=False),
    Column("told", Boolean, nullable=False),
)

version = Table(
    "version",
    metadata,
    _id(),
    _belongs_to("page"),
    Column("number", Integer, nullable=False),
    Column("fetched_at", Moment, nullable=False),
    Column("url", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("signature", String(64), nullable=False),
    Column("object", String(80), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("picture", String(80), nullable=False, server_default=""),
    # The object that the version is stored relative to, and the bytes that it takes.
    Column("base", String(80), nullable=False, server_default=""),
    Column("stored", BigInteger, nullable=False, server_default="0"),
    # True: no longer a version of its page, but a later version is stored relative to it.
    Column("dropped", Boolean, nullable=False, server_default=false()),
    # The content of the object in base64, if it is a small delta; "" if it is in the object store.
    Column("delta", Text, nullable=False, server_default=""),
    Index("ix_version_object", "object"),
    UniqueConstraint("page_id", "number", name="uq_version_page_number"),
)

VERSION = tuple(one for one in version.c if one is not version.c.delta)
"""What is read of a version; its content is read by `SqlVersions.deltas` alone."""

# Versions that a user brought from a web archive (`model.past`). Their numbers are negative.
past = Table(
    "past",
    metadata,
    _belongs_to("page", primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _belongs_to("wv_user", "user_id", index=True),
    Column("fetched_at", Moment, nullable=False),
    Column("url", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("signature", String(64), nullable=False),
    Column("object", String(80), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("base", String(80), nullable=False),
    Column("stored", BigInteger, nullable=False),
    Index("ix_past_object", "object"),
)

change = Table(
    "change",
    metadata,
    _id(),
    _belongs_to("sentinel"),
    _belongs_to("page", index=True),
    Column("old_version", Integer, nullable=False),
    Column("new_version", Integer, nullable=False),
    Column("found_at", Moment, nullable=False),
    Column("findings", Json, nullable=False),
    Column("seen_at", Moment),
    Column("note", Text, nullable=False, server_default=""),
    # What a language model said of the change (`model.meaning`), as JSON; "" for nothing.
    Column("judgement", Text, nullable=False, server_default=""),
    UniqueConstraint("sentinel_id", "page_id", "old_version", "new_version", name="uq_change_once"),
)

# Changes that are told, or not, when a language model has said what they mean (`model.meaning`). A settled
# row stays for a while, so that its user sees what was not told.
question = Table(
    "question",
    metadata,
    _id(),
    _belongs_to("sentinel"),
    _belongs_to("page", index=True),
    Column("old_version", Integer, nullable=False),
    Column("new_version", Integer, nullable=False),
    Column("found_at", Moment, nullable=False),
    Column("findings", Json, nullable=False),
    Column("notices", Json, nullable=False),
    Column("key", String(64), nullable=False),
    Column("prompt", Text, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("condition", Text, nullable=False),
    Column("summed_up", Boolean, nullable=False),
    Column("state", String(20), nullable=False),
    Column("judgement", Text, nullable=False, server_default=""),
    Column("due", Moment, nullable=False),
    Column("lease", Moment, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("owner", String(100), nullable=False),
    Column("attempts", Integer, nullable=False),
    UniqueConstraint("sentinel_id", "page_id", "old_version", "new_version", name="uq_question_once"),
)
# The waiting questions are few among all.
WAITING = text("question.state = 'waiting'")
_WAITING = text("state = 'waiting'")
_partial("ix_question_waiting", question.c.key, where=_WAITING)

# What was answered, by the key of the question: equal questions about equal findings are asked once.
answer = Table(
    "answer",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    Column("content", Text, nullable=False),
)

# What the questions of a user took on a day (the number of days since 1970, UTC).
spending = Table(
    "spending",
    metadata,
    _belongs_to("wv_user", "user_id", primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    *(
        Column(name, BigInteger, nullable=False, server_default="0")
        for name in ("questions", "tokens_read", "tokens_written", "time_ms")
    ),
)

# The words of a change, for search: in PostgreSQL a tsvector, in SQLite a text beside an FTS5 index.
change_words = Table(
    "change_words",
    metadata,
    Column(
        "change_id", Id, ForeignKey("change.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("words", Words, nullable=False),
)

look = Table(
    "look",
    metadata,
    _id(),
    _belongs_to("page"),
    Column("at", Moment, nullable=False),
    Column("why", String(40), nullable=False),
    Column("decision", String(40), nullable=False),
    Column("status", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("duration_ms", BigInteger, nullable=False),
    Column("error", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("plan", Text, nullable=False, server_default=""),
    # Why the page could not be compared for some sentinels, with the id of each; only their owners may read
    # this.
    Column("troubles", Json, nullable=False, server_default="[]"),
    Column("left_out", Text, nullable=False, server_default=""),
    # The object with the picture of a page that a step failed on; "" for none.
    Column("picture", String(80), nullable=False, server_default=""),
    Index("ix_look_page_at", "page_id", "at"),
)
# Few looks have a picture; the index holds these alone.
_partial("ix_look_picture", look.c.picture, where=text("picture <> ''"))

login = Table(
    "login",
    metadata,
    _id(),
    _belongs_to("wv_user", "user_id"),
    Column("url", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("user_id", "url", name="uq_login_user_url"),
)

# Secret addresses at which others may report that a page has changed; only the digest of the secret is
# stored.
push = Table(
    "push",
    metadata,
    Column("digest", String(128), primary_key=True),
    _belongs_to("page", index=True),
    Column("kind", String(20), nullable=False),
    Column("hub", Text, nullable=False),
    Column("topic", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("until", Moment, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    _id(),
    Column("dedup", String(200), nullable=False, unique=True),
    Column("due", Moment, nullable=False),
    Column("lease", Moment, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("owner", String(100), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("user_name", String(200), nullable=False),
    Column("channel", String(40), nullable=False),
    Column("address", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("body", Json, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("settled_at", Moment),
    Column("error", Text, nullable=False),
    Column("queue", String(40), nullable=False, server_default=""),
    Column("lane", String(20), nullable=False, server_default=""),
    Column("every_ms", BigInteger, nullable=False, server_default="0"),
    Column("needs", Integer, nullable=False, server_default="0"),
    Column("urgency", Integer, nullable=False, server_default="0"),
    Column("sentinel", String(200), nullable=False, server_default=""),
    Column("merged_into", String(200), nullable=False, server_default=""),
)
Index("ix_outbox_ready", later(outbox.c.due, outbox.c.lease))
# The queries repeat the conditions of the partial indexes as literal text: with a parameter in place of the
# state the planner could not see that the index fits. The indexes stay small, however many notices are
# settled.
UNSETTLED = text("outbox.state IN ('pending', 'held')")
PENDING = text("outbox.state = 'pending'")
GIVEN_UP = text("outbox.state = 'given up'")
TOLD = text("outbox.state IN ('delivered', 'merged') AND outbox.sentinel <> ''")
for _index, _columns, _where in (
    ("ix_outbox_queue", (outbox.c.queue, outbox.c.id), "state IN ('pending', 'held')"),
    ("ix_outbox_pending", (outbox.c.urgency, outbox.c.id), "state = 'pending'"),
    (
        "ix_outbox_told",
        (outbox.c.user_name, outbox.c.sentinel, outbox.c.settled_at),
        "state IN ('delivered', 'merged') AND sentinel <> ''",
    ),
):
    _partial(_index, *_columns, where=text(_where))
Index("ix_outbox_user", outbox.c.user_name, outbox.c.settled_at)
_partial("ix_outbox_given_up", outbox.c.id, where=outbox.c.state == "given up")

duty = Table(
    "duty",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("owner", String(100), nullable=False),
    Column("lease", Moment, nullable=False),
)

contact = Table(
    "contact",
    metadata,
    _id(),
    _belongs_to("wv_user", "user_id"),
    Column("channel", String(40), nullable=False),
    Column("address", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("digest", String(128), nullable=False, index=True),
    Column("expires", Moment, nullable=False),
    Column("verified_at", Moment),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("user_id", "channel", "address", name="uq_contact_address"),
)

preference = Table(
    "preference",
    metadata,
    _belongs_to("wv_user", "user_id", primary_key=True, autoincrement=False),
    Column("content", Json, nullable=False),
)

discovery = Table(
    "discovery",
    metadata,
    _id(),
    _belongs_to("wv_user", "user_id", index=True),
    Column("wanted", Text, nullable=False),
    Column("state", String(20), nullable=False, index=True),
    Column("why", Text, nullable=False),
    Column("counted", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
)

discovery_step = Table(
    "discovery_step",
    metadata,
    _belongs_to("discovery", primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)

discovery_service = Table(
    "discovery_service",
    metadata,
    _belongs_to("discovery", primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("probes", Integer, nullable=False),
    Column("profile", Text, nullable=False),
    Column("found_at", Moment, nullable=False),
)

peer = Table(
    "peer",
    metadata,
    Column("key", String(60), primary_key=True),
    Column("url", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("added_at", Moment, nullable=False),
    Column("heard_at", Moment, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("rest_until", Moment, nullable=False),
    Column("listed", Boolean, nullable=False),
    *(
        Column(name, BigInteger, nullable=False, server_default="0")
        for name in ("asked", "got", "same", "given", "checked", "agreed", "strikes", "refused")
    ),
)

# The pages that peers watch, by the digests that peers send.
peer_page = Table(
    "peer_page",
    metadata,
    Column("peer_key", String(60), ForeignKey("peer.key", ondelete="CASCADE"), primary_key=True),
    Column("page_key", String(40), primary_key=True, index=True),
    Column("interval_ms", BigInteger, nullable=False),
)

# Personal agents: agents of this server at peers, and agents of peers at this server.
agent = Table(
    "agent",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("side", String(20), nullable=False),
    Column("peer_key", String(60), nullable=False, index=True),
    Column("user_name", String(200), nullable=False),
    Column("goals", Json, nullable=False),
    Column("state", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("heard_at", Moment, nullable=False),
    Column("letters", BigInteger, nullable=False),
    Column("told", Boolean, nullable=False),
)

# Ids of received messages, kept as long as somebody might send the message again.
peer_message = Table(
    "peer_message",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("until", Moment, nullable=False, index=True),
)

event = Table(
    "event",
    metadata,
    _id(),
    Column("at", Moment, nullable=False),
    Column("name", String(80), nullable=False),
    Column("subject", String(300), nullable=False, index=True),
    Column("details", Json, nullable=False),
)

# The due time of a page, host or notice that has nothing planned.
IDLE = NEVER


def on_topic(topic: str) -> ColumnElement[bool]:
    """Returns the condition that a sentinel has a topic, or none if it is "". `LIKE` would take no notice of
    case on SQLite; replacing does."""
    if not topic:
        return sentinel.c.topic == ""
    whole = literal(JOINT) + sentinel.c.topic + JOINT
    return func.replace(whole, f"{JOINT}{topic}{JOINT}", "") != whole
