"""Lives of sentinels: life spans, boundaries, and a revision that says which sentinels changed."""

import sqlalchemy as sa
from alembic import op

revision = "webvigil_0002"
down_revision = "webvigil_0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
A_YEAR = 365 * 86_400_000


def upgrade() -> None:
    # The columns are added one by one. Otherwise SQLite copies the table, and dropping the old table deletes
    # all rows that refer to it.
    for column in (
        sa.Column("enabled", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("span", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("within", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("life_at", sa.BigInteger()),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("warned", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("over", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("failure", sa.Text(), nullable=False, server_default=""),
        sa.Column("revision", sa.BigInteger(), nullable=False, server_default="0"),
    ):
        op.add_column("sentinel", column)
    op.create_index("ix_sentinel_revision", "sentinel", ["revision"])
    # Until now every sentinel lived for a year from its installation. Workers read all sentinels above
    # revision 0, so revision 1 makes them read every sentinel.
    names = ("installed_at", "started_at", "life_at", "enabled", "state", "revision")
    table = sa.table("sentinel", *map(sa.column, names))
    op.execute(
        table.update().values(
            started_at=table.c.installed_at,
            life_at=table.c.installed_at + A_YEAR,
            enabled=table.c.state != "disabled",
            revision=1,
        )
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counter"),
    )
    op.execute("INSERT INTO counter (name, value) VALUES ('revision', 1)")
    op.create_table(
        "removal",
        sa.Column("sentinel_id", ID, autoincrement=False, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sentinel_id", name="pk_removal"),
    )
    op.create_index("ix_removal_revision", "removal", ["revision"])
