"""Who watches a page now, without claiming it."""

from __future__ import annotations

from sqlalchemy import Connection, select

from webvigil.model.sentinel import State
from webvigil.model.work import Watch
from webvigil.store.sql.schema import sentinel, user, watch


def watches_of(connection: Connection, page_id: int) -> list[Watch]:
    query = (
        select(watch, sentinel.c.name, sentinel.c.text, user.c.name.label("owner"), user.c.taste)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .join(user, user.c.id == sentinel.c.user_id)
        .where(watch.c.page_id == page_id, sentinel.c.state == str(State.ACTIVE))
        .order_by(watch.c.sentinel_id)
    )
    return [
        Watch(
            sentinel=row.sentinel_id,
            user=row.owner,
            name=row.name,
            text=row.text,
            interval=row.interval_ms,
            next_at=row.next_at,
            reference=row.reference,
            measured_from=row.measured_from,
            taste=row.taste,
        )
        for row in connection.execute(query)
    ]
