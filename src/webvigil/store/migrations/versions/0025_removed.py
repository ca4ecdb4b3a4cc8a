"""An index of the removed sentinels, which are few among all."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0025"
down_revision = "webvigil_0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    some = sa.text("removed_at IS NOT NULL")
    op.create_index(
        "ix_sentinel_removed", "sentinel", ["removed_at"], sqlite_where=some, postgresql_where=some
    )
