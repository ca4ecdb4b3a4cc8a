"""Notices: queues, notices that wait for each other and are merged; contacts and preferences of users."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0009"
down_revision = "webvigil_0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(JSONB(), "postgresql")
UNSETTLED = sa.text("state IN ('pending', 'held')")


def upgrade() -> None:
    for column in (
        sa.Column("queue", sa.String(length=40), nullable=False, server_default=""),
        sa.Column("lane", sa.String(length=20), nullable=False, server_default=""),
        sa.Column("every_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("needs", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("urgency", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("sentinel", sa.String(length=200), nullable=False, server_default=""),
        sa.Column("merged_into", sa.String(length=200), nullable=False, server_default=""),
    ):
        op.add_column("outbox", column)
    # Notices from before wait for no other notice: each gets its own queue.
    table = sa.table("outbox", sa.column("id"), sa.column("queue"))
    op.execute(table.update().values(queue="old " + sa.cast(table.c.id, sa.String)))
    pending = sa.text("state = 'pending'")
    op.create_index(
        "ix_outbox_queue",
        "outbox",
        ["queue", "id"],
        sqlite_where=UNSETTLED,
        postgresql_where=UNSETTLED,
    )
    op.create_index(
        "ix_outbox_pending", "outbox", ["urgency", "id"], sqlite_where=pending, postgresql_where=pending
    )
    op.create_index("ix_outbox_user", "outbox", ["user_name", "settled_at"])
    op.create_table(
        "contact",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("channel", sa.String(length=40), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=128), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("verified_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_contact_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_contact"),
        sa.UniqueConstraint("user_id", "channel", "address", name="uq_contact_address"),
    )
    op.create_index("ix_contact_digest", "contact", ["digest"])
    op.create_table(
        "preference",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("content", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["wv_user.id"], name="fk_preference_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name="pk_preference"),
    )
