"""Peers that share the work, the pages that they watch, and the ids of messages that came from them."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0012"
down_revision = "webvigil_0011"
branch_labels = None
depends_on = None

FIGURES = ("asked", "got", "same", "given", "checked", "agreed", "strikes", "refused")


def upgrade() -> None:
    op.create_table(
        "peer",
        sa.Column("key", sa.String(length=60), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("heard_at", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("rest_until", sa.BigInteger(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False, server_default="0") for name in FIGURES),
        sa.PrimaryKeyConstraint("key", name="pk_peer"),
    )
    op.create_table(
        "peer_page",
        sa.Column("peer_key", sa.String(length=60), nullable=False),
        sa.Column("page_key", sa.String(length=40), nullable=False),
        sa.Column("interval_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["peer_key"], ["peer.key"], name="fk_peer_page_peer_key", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("peer_key", "page_key", name="pk_peer_page"),
    )
    op.create_index("ix_peer_page_page_key", "peer_page", ["page_key"])
    op.create_table(
        "peer_message",
        sa.Column("id", sa.String(length=60), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_peer_message"),
    )
    op.create_index("ix_peer_message_until", "peer_message", ["until"])
