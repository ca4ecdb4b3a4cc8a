"""Discoveries: searches for services, their steps, and the services they found."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0011"
down_revision = "webvigil_0010"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "discovery",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("wanted", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("counted", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_discovery_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_discovery"),
    )
    op.create_index("ix_discovery_user_id", "discovery", ["user_id"])
    op.create_index("ix_discovery_state", "discovery", ["state"])
    op.create_table(
        "discovery_step",
        sa.Column("discovery_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["discovery_id"], ["discovery.id"], name="fk_discovery_step_discovery_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("discovery_id", "number", name="pk_discovery_step"),
    )
    op.create_table(
        "discovery_service",
        sa.Column("discovery_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("probes", sa.Integer(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["discovery_id"], ["discovery.id"], name="fk_discovery_service_discovery_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("discovery_id", "number", name="pk_discovery_service"),
    )
