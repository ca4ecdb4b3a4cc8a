"""Accounts: passwords, tokens with names and scopes, and marks on changes that were seen."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0004"
down_revision = "webvigil_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, column in (
        ("wv_user", sa.Column("password", sa.Text(), nullable=False, server_default="")),
        ("token", sa.Column("name", sa.String(length=200), nullable=False, server_default="")),
        ("token", sa.Column("scope", sa.String(length=20), nullable=False, server_default="admin")),
        ("token", sa.Column("created_at", sa.BigInteger(), nullable=False, server_default="0")),
        ("token", sa.Column("used_at", sa.BigInteger())),
        ("change", sa.Column("seen_at", sa.BigInteger())),
        ("change", sa.Column("note", sa.Text(), nullable=False, server_default="")),
    ):
        op.add_column(table, column)
