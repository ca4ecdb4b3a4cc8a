"""Pages whose newest answer is not believed to be the page."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0017"
down_revision = "webvigil_0016"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "doubt",
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("clear", sa.Boolean(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_doubt_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("page_id", name="pk_doubt"),
    )
