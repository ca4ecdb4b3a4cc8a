"""What pages taught us about themselves, and what a look left out."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "webvigil_0018"
down_revision = "webvigil_0017"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(JSONB(), "postgresql")
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("look", sa.Column("left_out", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "habit",
        sa.Column("page_id", ID, autoincrement=False, nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("places", JSON, nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_habit_page_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("page_id", "part", name="pk_habit"),
    )
