"""Many workers: duties that one worker does for all, and more frequent vacuuming of busy tables."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0007"
down_revision = "webvigil_0006"
branch_labels = None
depends_on = None

# Every check rewrites a row of these tables and leaves a dead row. PostgreSQL's default vacuums when a fifth
# of a table is dead, which is too late here.
REWRITTEN = ("host", "page", "watch", "outbox")


def upgrade() -> None:
    op.create_table(
        "duty",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duty"),
    )
    given_up = sa.text("state = 'given up'")
    op.create_index("ix_outbox_given_up", "outbox", ["id"], sqlite_where=given_up, postgresql_where=given_up)
    if op.get_bind().dialect.name == "postgresql":
        for table in REWRITTEN:
            op.execute(
                f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0.02, "
                "autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05)"
            )
