"""Many rows as one parameter of a statement, passed as a JSON array.

Such a statement has the same text for one row and for a thousand. It is compiled once and sent once, and the
database joins the array like a table. Both databases can read JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnClause,
    Connection,
    FromClause,
    String,
    Table,
    bindparam,
    column,
    func,
    literal_column,
    select,
    true,
)
from sqlalchemy.sql.expression import cast
from sqlalchemy.types import JSON, Text, TypeEngine

from webvigil.model.meaning import Judgement, judgement_as_json
from webvigil.store.sql.database import insert_new_into
from webvigil.store.sql.prepared import Order

# No database stores a NUL or half of a surrogate pair in a text. Group 1 holds escaped backslashes before the
# escape, group 2 a valid pair of surrogates; both stay.
_UNSOUND = re.compile(
    r"(?<!\\)((?:\\\\)*)(?:\\u0000"
    r"|(\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})"
    r"|\\ud[89a-f][0-9a-f]{2})"
)

Columns = Mapping[str, TypeEngine[Any]]
Row = Mapping[str, Any]
Where = Callable[[FromClause], Any]
Statement = Callable[[str], Any]
"""A function that takes the dialect and returns a statement on the parameter `rows`."""


def given(dialect: str, columns: Columns) -> FromClause:
    """Returns the rows of the parameter `rows` as a table named `given` with these columns."""
    return _postgresql(columns) if dialect == "postgresql" else _sqlite(columns)


def as_parameter(rows: Sequence[Row]) -> dict[str, str]:
    return {"rows": sound(json.dumps(rows))}


def insert_given(
    connection: Connection, table: Table, rows: Iterable[Row], where: Where | None = None
) -> None:
    """Inserts the rows for which `where` holds; rows that exist already stay as they are.

    All rows name the same columns; other columns get their defaults.
    """
    if some := list(rows):
        statement = _insertion(connection.dialect.name, table, tuple(some[0]), where)
        _order(statement).within(connection, **as_parameter(some))


def judgement_text(judgement: Judgement | None) -> str:
    """Returns what is stored of what a model said about a change; "" for nothing."""
    return sound(json.dumps(judgement_as_json(judgement))) if judgement else ""


def update_given(connection: Connection, statement: Statement, rows: Iterable[Row]) -> None:
    if some := list(rows):
        _order(statement(connection.dialect.name)).within(connection, **as_parameter(some))


@lru_cache(256)
def _order(statement: Any) -> Order:
    return Order(statement)


@cache
def _insertion(dialect: str, table: Table, names: tuple[str, ...], where: Where | None) -> Any:
    rows = given(dialect, {name: table.c[name].type for name in names})
    chosen = select(*(rows.c[name] for name in names)).where(where(rows) if where else true())
    return insert_new_into(dialect, table).from_select(list(names), chosen, include_defaults=False)


def sound(text: str) -> str:
    r"""Returns JSON whose strings every database can store: `\u0000` and lone surrogates become U+FFFD."""
    if "\\u0000" not in text and "\\ud" not in text:
        return text
    return _UNSOUND.sub(lambda found: found[1] + (found[2] or "\\ufffd"), text)


def _postgresql(columns: Columns) -> FromClause:
    named = [column(name, kind) for name, kind in columns.items()]
    rows = func.json_to_recordset(cast(bindparam("rows", type_=Text), JSON))
    return rows.table_valued(*named).render_derived(name="given", with_types=True)


def _sqlite(columns: Columns) -> FromClause:
    rows = func.json_each(bindparam("rows", type_=String)).table_valued("value", name="rows_given")
    value: ColumnClause[Any] = literal_column("rows_given.value")
    fields = [func.json_extract(value, f"$.{name}", type_=kind).label(name) for name, kind in columns.items()]
    return select(*fields).select_from(rows).subquery("given")
