"""Questions to a language model about changes, what was answered, and what it took."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "webvigil_0026"
down_revision = "webvigil_0025"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    for table in ("change", "held"):
        op.add_column(table, sa.Column("judgement", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "question",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("sentinel_id", ID, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("old_version", sa.Integer(), nullable=False),
        sa.Column("new_version", sa.Integer(), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.Column("findings", JSON, nullable=False),
        sa.Column("notices", JSON, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("condition", sa.Text(), nullable=False),
        sa.Column("summed_up", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("judgement", sa.Text(), nullable=False, server_default=""),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_question_sentinel_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_question_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_question"),
        sa.UniqueConstraint("sentinel_id", "page_id", "old_version", "new_version", name="uq_question_once"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_question_page_id", "question", ["page_id"])
    waiting = sa.text("state = 'waiting'")
    op.create_index(
        "ix_question_waiting", "question", ["key"], sqlite_where=waiting, postgresql_where=waiting
    )
    op.create_table(
        "answer",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_answer"),
    )
    op.create_index("ix_answer_at", "answer", ["at"])
    op.create_table(
        "spending",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("questions", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("tokens_read", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("tokens_written", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("time_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_spending_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "day", name="pk_spending"),
    )
