"""How pages are approached: steps, waits, ways. The picture of a page that a step failed on."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0022"
down_revision = "webvigil_0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("page_about", "link"):
        op.add_column(table, sa.Column("approach", sa.Text(), nullable=False, server_default=""))
    op.add_column("look", sa.Column("picture", sa.String(length=80), nullable=False, server_default=""))
    some = sa.text("picture <> ''")
    op.create_index("ix_look_picture", "look", ["picture"], sqlite_where=some, postgresql_where=some)
