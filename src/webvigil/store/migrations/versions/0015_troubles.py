"""Troubles: since when a page fails, and what keeps a sentinel from seeing what it watches there."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0015"
down_revision = "webvigil_0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns. The trouble of installed sentinels is found at the next look at their pages."""
    op.add_column("page", sa.Column("failing_since", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column(
        "watch", sa.Column("trouble", sa.String(length=20), nullable=False, server_default="unseen")
    )
    op.add_column("watch", sa.Column("trouble_words", sa.Text(), nullable=False, server_default=""))
