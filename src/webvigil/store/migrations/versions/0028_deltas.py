"""Small deltas between versions in the rows of the versions."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0028"
down_revision = "webvigil_0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("version", sa.Column("delta", sa.Text(), nullable=False, server_default=""))
