"""Removed sentinels stay for a while, so that a removal can be undone."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0020"
down_revision = "webvigil_0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sentinel", sa.Column("removed_at", sa.BigInteger()))
    op.add_column("sentinel", sa.Column("removed_name", sa.String(200), nullable=False, server_default=""))
