"""Indexes for the lists of a user's sentinels: the newest first, and how many there are of each kind."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0024"
down_revision = "webvigil_0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    there = sa.text("removed_at IS NULL")
    for name, columns in (
        ("ix_sentinel_newest", ["user_id", "id"]),
        ("ix_sentinel_kinds", ["user_id", "state", "topic"]),
    ):
        op.create_index(name, "sentinel", columns, sqlite_where=there, postgresql_where=there)
