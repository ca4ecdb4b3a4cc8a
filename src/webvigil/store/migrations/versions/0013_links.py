"""Linked pages that sentinels watch, and personal agents."""

import re

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0013"
down_revision = "webvigil_0012"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(JSONB(), "postgresql")
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("watch", sa.Column("level", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("watch", sa.Column("via_id", sa.BigInteger()))
    op.add_column("held", sa.Column("root_id", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "reach",
        sa.Column("sentinel_id", ID, autoincrement=False, nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("below", sa.String(length=40), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("linked", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("most", sa.Integer()),
        sa.Column("overfull", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(
            ["sentinel_id"], ["sentinel.id"], name="fk_reach_sentinel_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sentinel_id", name="pk_reach"),
    )
    op.create_index("ix_reach_due", "reach", ["due"], unique=False)
    _let_follow()
    op.create_table(
        "linked",
        *_part_of_page("linked"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("more", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("page_id", "part", name="pk_linked"),
    )
    op.create_table(
        "link",
        *_part_of_page("link"),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("render", sa.String(length=20), nullable=False),
        sa.Column("login", sa.String(length=40), nullable=False),
        sa.Column("near", sa.Boolean(), nullable=False),
        sa.Column("gone_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("page_id", "part", "key", name="pk_link"),
    )
    op.create_table(
        "agent",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("side", sa.String(length=20), nullable=False),
        sa.Column("peer_key", sa.String(length=60), nullable=False),
        sa.Column("user_name", sa.String(length=200), nullable=False),
        sa.Column("goals", JSON, nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("heard_at", sa.BigInteger(), nullable=False),
        sa.Column("letters", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agent"),
    )
    op.create_index("ix_agent_peer_key", "agent", ["peer_key"], unique=False)


def _let_follow() -> None:
    """Lets sentinels follow links whose text had a Depth clause before links were followed. Sentinels with
    Within or Ignore are left out, because the key of a part is computed by another layer; they follow links
    once they are saved again."""
    names = ("sentinel_id", "depth", "part", "below", "due")
    reach = sa.table("reach", *map(sa.column, names))
    found = op.get_bind().execute(sa.text("SELECT id, text FROM sentinel WHERE text LIKE '%Depth%'"))
    for id_, text in found.all():
        depth = re.search(r"^Depth ([12])$", text, re.MULTILINE)
        if depth and not re.search(r"^(Within|Ignore) ", text, re.MULTILINE):
            row = dict(zip(names, (id_, int(depth[1]), "", "", 0), strict=True))
            op.execute(reach.insert().values(**row))


def _part_of_page(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name=f"fk_{table}_page_id", ondelete="CASCADE"),
    )
