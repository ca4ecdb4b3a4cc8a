"""Comparing: the version that values are measured from, pages that change together, tastes of users."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0008"
down_revision = "webvigil_0007"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    op.add_column("watch", sa.Column("measured_from", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("wv_user", sa.Column("taste", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "joint",
        sa.Column("sentinel_id", ID, autoincrement=False, nullable=False),
        sa.Column("pages", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_joint_sentinel_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sentinel_id", name="pk_joint"),
    )
    op.create_table(
        "held",
        sa.Column("sentinel_id", ID, autoincrement=False, nullable=False),
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("old_version", sa.Integer(), nullable=False),
        sa.Column("new_version", sa.Integer(), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.Column("findings", JSON, nullable=False),
        sa.Column("notices", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_held_sentinel_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_held_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sentinel_id", "page_id", name="pk_held"),
    )
    op.create_index("ix_held_page_id", "held", ["page_id"], unique=False)
