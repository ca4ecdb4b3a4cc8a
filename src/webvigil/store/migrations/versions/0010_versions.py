"""Versions stored relative to each other, and dropped versions that others still depend on."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0010"
down_revision = "webvigil_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("base", sa.String(length=80), nullable=False, server_default=""),
        sa.Column("stored", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("dropped", sa.Boolean(), nullable=False, server_default=sa.false()),
    ):
        op.add_column("version", column)
    op.create_index("ix_version_object", "version", ["object"], unique=False)
