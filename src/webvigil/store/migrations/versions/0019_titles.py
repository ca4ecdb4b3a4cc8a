"""The title of each page, as its newest version says it."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0019"
down_revision = "webvigil_0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("page_about", sa.Column("title", sa.Text(), nullable=False, server_default=""))
