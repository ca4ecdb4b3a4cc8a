"""Views: since which version and time a sentinel watches a page; troubles apart from the looks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0016"
down_revision = "webvigil_0015"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(JSONB(), "postgresql")
BEGUN = """
    UPDATE watch SET
        since = (SELECT installed_at FROM sentinel WHERE sentinel.id = watch.sentinel_id),
        first_version = coalesce((
            SELECT max(version.number) FROM version JOIN sentinel ON sentinel.id = watch.sentinel_id
            WHERE version.page_id = watch.page_id AND version.fetched_at <= sentinel.installed_at
        ), 0)
"""


def upgrade() -> None:
    op.add_column("watch", sa.Column("first_version", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("watch", sa.Column("since", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("look", sa.Column("troubles", JSON, nullable=False, server_default="[]"))
    op.execute(BEGUN)
    # Until now a look told everybody who watches the page which sentinels were in trouble, and with which
    # expression. These texts are removed, because they belong to the owners of those sentinels.
    op.execute("UPDATE look SET error = '' WHERE error <> '' AND decision <> 'failed'")
