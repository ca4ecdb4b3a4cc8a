"""What the topics of a user say, and what a user wrote where a topic adds to it."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0023"
down_revision = "webvigil_0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("wv_user", sa.Column("topics", sa.Text(), nullable=False, server_default=""))
    op.add_column("sentinel", sa.Column("own", sa.Text(), nullable=False, server_default=""))
