"""Pace: the memory of each page's best-effort rule, and the reason for the time of the next look."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0005"
down_revision = "webvigil_0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# Until now sentinels with this clause were looked at in the default interval. In a canonical text every
# clause begins a line.
ON_CHANGE = """
UPDATE watch SET interval_ms = 0
WHERE sentinel_id IN (SELECT id FROM sentinel WHERE text LIKE '%\nFetch on change%')
"""


def upgrade() -> None:
    op.add_column("look", sa.Column("plan", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "pace",
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("memory", sa.LargeBinary(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("pings", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_pace_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("page_id", name="pk_pace"),
    )
    op.execute(ON_CHANGE)
