"""Fetching: log-ins, the reasons for looks and their results, pictures, hosts in trouble, pushes."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0003"
down_revision = "webvigil_0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for table, column in (
        ("host", sa.Column("failures", sa.Integer(), nullable=False, server_default="0")),
        ("page_about", sa.Column("login", sa.String(length=40), nullable=False, server_default="")),
        ("page_about", sa.Column("wish", sa.String(length=40), nullable=False, server_default="")),
        ("look", sa.Column("reason", sa.Text(), nullable=False, server_default="")),
        ("version", sa.Column("picture", sa.String(length=80), nullable=False, server_default="")),
    ):
        op.add_column(table, column)
    op.create_table(
        "login",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["wv_user.id"], name="fk_login_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_login"),
        sa.UniqueConstraint("user_id", "url", name="uq_login_user_url"),
    )
    op.create_table(
        "push",
        sa.Column("digest", sa.String(length=128), nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("hub", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_push_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_push"),
    )
    op.create_index("ix_push_page_id", "push", ["page_id"], unique=False)
