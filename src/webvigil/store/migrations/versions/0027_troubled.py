"""Indexes for what a user with very many sentinels asks for: what has trouble, and what was told of a few."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0027"
down_revision = "webvigil_0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, table, columns, condition in (
        ("ix_page_failing", "page", ["id"], "failures > 0"),
        ("ix_watch_troubled", "watch", ["sentinel_id"], "trouble IN ('failing', 'nothing', 'broken')"),
        (
            "ix_outbox_told",
            "outbox",
            ["user_name", "sentinel", "settled_at"],
            "state IN ('delivered', 'merged') AND sentinel <> ''",
        ),
    ):
        where = sa.text(condition)
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
