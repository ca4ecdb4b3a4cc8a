"""Ids are given once: removed rows do not free their ids.

SQLite gave the id of the newest row again when that row had been removed, unless its table was created with
AUTOINCREMENT. An existing table cannot get this property, so the tables are made again. Both databases go on
above every id that is still known.
"""

import sqlalchemy as sa
from alembic import op

from webvigil.store.sql.counting import count_on

revision = "webvigil_0014"
down_revision = "webvigil_0013"
branch_labels = None
depends_on = None

TABLES = (
    "wv_user",
    "sentinel",
    "host",
    "page",
    "version",
    "change",
    "look",
    "login",
    "outbox",
    "contact",
    "discovery",
    "event",
)
_SCHEMA = "SELECT sql FROM sqlite_master WHERE type = :type AND tbl_name = :table AND sql IS NOT NULL"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        for table in TABLES:
            _make_anew(connection, table)
    removed = connection.scalar(sa.text("SELECT max(sentinel_id) FROM removal")) or 0
    count_on(connection, "sentinel", removed)


def _make_anew(connection: sa.Connection, table: str) -> None:
    """Makes the table again in the steps that SQLite recommends. References to the table are by name, so they
    stay valid."""
    about = {"table": table}
    (made,) = connection.scalars(sa.text(_SCHEMA), {**about, "type": "table"})
    indexes = connection.scalars(sa.text(_SCHEMA), {**about, "type": "index"}).all()
    columns = made[made.index("(") :].replace("PRIMARY KEY (id)", "PRIMARY KEY (id AUTOINCREMENT)")
    for statement in (
        f"CREATE TABLE new_{table} {columns}",
        f"INSERT INTO new_{table} SELECT * FROM {table}",  # noqa: S608  (the names above)
        f"DROP TABLE {table}",
        f"ALTER TABLE new_{table} RENAME TO {table}",
        *indexes,
    ):
        connection.exec_driver_sql(statement)
