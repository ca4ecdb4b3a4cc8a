"""The first schema: users, sentinels, the schedule, versions, changes, the outbox and the journal."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("details", JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_subject", "event", ["subject"], unique=False)
    op.create_table(
        "host",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("delay_ms", sa.BigInteger(), nullable=True),
        sa.Column("concurrency", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_host"),
        sa.UniqueConstraint("name", name="uq_host_name"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("dedup", sa.String(length=200), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("user_name", sa.String(length=200), nullable=False),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", JSON, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("dedup", name="uq_outbox_dedup"),
    )
    op.create_table(
        "setting",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_setting"),
    )
    op.create_table(
        "wv_user",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("zone", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_wv_user"),
        sa.UniqueConstraint("name", name="uq_wv_user_name"),
    )
    op.create_table(
        "page",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("host_id", ID, nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("checks", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("latest", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name="fk_page_host_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_page"),
    )
    op.create_index("ix_page_host_due", "page", ["host_id", "due"], unique=False)
    op.create_table(
        "sentinel",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("installed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_sentinel_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_sentinel"),
        sa.UniqueConstraint("user_id", "name", name="uq_sentinel_user_name"),
    )
    op.create_table(
        "token",
        sa.Column("digest", sa.String(length=128), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_token_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_token"),
    )
    op.create_index("ix_token_user_id", "token", ["user_id"], unique=False)
    op.create_table(
        "change",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("sentinel_id", ID, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("old_version", sa.Integer(), nullable=False),
        sa.Column("new_version", sa.Integer(), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.Column("findings", JSON, nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_change_page_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_change_sentinel_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_change"),
        sa.UniqueConstraint("sentinel_id", "page_id", "old_version", "new_version", name="uq_change_once"),
    )
    op.create_index("ix_change_page_id", "change", ["page_id"], unique=False)
    op.create_table(
        "look",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.String(length=40), nullable=False),
        sa.Column("decision", sa.String(length=40), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("duration_ms", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_look_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_look"),
    )
    op.create_index("ix_look_page_at", "look", ["page_id", "at"], unique=False)
    op.create_table(
        "page_about",
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("method", sa.String(length=10), nullable=False),
        sa.Column("fields", JSON, nullable=False),
        sa.Column("render", sa.String(length=20), nullable=False),
        sa.Column("validators", JSON, nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_page_about_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("page_id", name="pk_page_about"),
        sa.UniqueConstraint("key", name="uq_page_about_key"),
    )
    op.create_table(
        "version",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("signature", sa.String(length=64), nullable=False),
        sa.Column("object", sa.String(length=80), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_version_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_version"),
        sa.UniqueConstraint("page_id", "number", name="uq_version_page_number"),
    )
    op.create_table(
        "watch",
        sa.Column("sentinel_id", ID, autoincrement=False, nullable=False),
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("interval_ms", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_watch_page_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_watch_sentinel_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sentinel_id", "page_id", name="pk_watch"),
    )
    op.create_index("ix_watch_page_id", "watch", ["page_id"], unique=False)
    later = "greatest" if op.get_bind().dialect.name == "postgresql" else "max"
    op.create_index("ix_host_ready", "host", [sa.text(f"{later}(next_at, lease)")])
    op.create_index("ix_outbox_ready", "outbox", [sa.text(f"{later}(due, lease)")])
    op.execute("INSERT INTO setting (key, value) VALUES ('product', 'webvigil')")
