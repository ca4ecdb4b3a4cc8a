"""Versions that users brought from web archives."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0021"
down_revision = "webvigil_0020"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "past",
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("signature", sa.String(length=64), nullable=False),
        sa.Column("object", sa.String(length=80), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("base", sa.String(length=80), nullable=False),
        sa.Column("stored", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_past_page_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_past_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("page_id", "number", name="pk_past"),
    )
    op.create_index("ix_past_user_id", "past", ["user_id"])
    op.create_index("ix_past_object", "past", ["object"])
