"""Links of pages in memory, and the watches of sentinels that follow links (B7)."""

from __future__ import annotations

from webvigil.model.following import (
    NO_LINKS,
    Followed,
    KnownLead,
    KnownLinks,
    Limits,
    PageLinks,
    Place,
    follow,
)
from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult
from webvigil.store.memory.rows import LinkedRow, LinkRow, PageRow, Rows, SentinelRow, WatchRow


def write_links(rows: Rows, result: CheckResult, now: Millis) -> None:
    for found in result.links:
        if _write_links(rows, result.page, found, now):
            for row in rows.sentinels.values():
                if result.page in row.watches and row.follow_at > now and row.new.reach.depth:
                    row.follow_at = now


def _write_links(rows: Rows, page: int, found: PageLinks, now: Millis) -> bool:
    """Stores the links of one part of a page. Returns whether anything changed for sentinels that follow
    them."""
    before = rows.links.get((page, found.part))
    known = before.links if before else {}
    links = {
        lead.page.key: LinkRow(lead.page, lead.near, position) for position, lead in enumerate(found.leads)
    }
    gone = {key: row for key, row in known.items() if key not in links}
    for row in gone.values():
        row.gone_at = now if row.gone_at is None else row.gone_at
    after = LinkedRow(found.version, found.more, gone | links)
    rows.links[page, found.part] = after
    return before is None or (before.more, before.links) != (after.more, after.links) or bool(gone)


def forget_unfollowed(rows: Rows) -> None:
    followed = {(page, row.follows(page)) for row in rows.kept_sentinels() for page in row.watches}
    rows.links = {place: one for place, one in rows.links.items() if place in followed}


def settle(rows: Rows, limits: Limits, most: int) -> int:
    """Lets up to `most` waiting sentinels watch the linked pages that they should, and returns how many there
    were."""
    now = rows.now()
    waiting = sorted((row for row in rows.sentinels.values() if row.follow_at <= now), key=_follow_at)
    for row in waiting[:most]:
        _settle(rows, row, limits, now)
    return min(most, len(waiting))


def _settle(rows: Rows, row: SentinelRow, limits: Limits, now: Millis) -> None:
    wanted = _followed(rows, row, limits, now)
    ids = {key: page.id for key, page in rows.page_by_key.items()}
    here = {one.page.page.key: id_ for id_, one in row.watches.items()}
    coming = [key for key in wanted.places if key not in here]
    going = [
        row.watches[id_] for key, id_ in here.items() if row.watches[id_].level and key not in wanted.places
    ]
    for one in going:
        del row.watches[one.page.id]
        one.page.priority = rows.priority_of(one.page.id)
    came = [_let_in(rows, row, key, wanted.places[key], now) for key in coming]
    for key, place in wanted.places.items():
        watch = row.watches[rows.page_by_key[key].id]
        watch.level, watch.via = place.level, ids.get(place.via)
    row.linked, row.full = len(wanted.places), wanted.full
    row.follow_at = now if coming and row.new.reach.depth > 1 else wanted.until
    rows.reschedule([*came, *(one.page for one in going)])
    _prune(rows)
    forget_unfollowed(rows)


def _followed(rows: Rows, row: SentinelRow, limits: Limits, now: Millis) -> Followed:
    reach = row.new.reach

    def links_of(key: str, level: int) -> KnownLinks:
        part, page = reach.part_at(level), rows.page_by_key.get(key)
        found = rows.links.get((page.id, part)) if page and part is not None else None
        return _known(found) if found else NO_LINKS

    by_id = [row.watches[id_] for id_ in sorted(row.watches)]
    roots = [one.page.page.key for one in by_id if not one.level]
    watched = {one.page.page.key for one in by_id if one.level}
    return follow(roots, reach.depth, links_of, watched, limits.within(reach), now)


def _known(found: LinkedRow) -> KnownLinks:
    in_order = sorted(found.links.items(), key=lambda one: (one[1].position, one[0]))
    return KnownLinks(tuple(KnownLead(key, one.near, one.gone_at) for key, one in in_order), found.more)


def _let_in(rows: Rows, row: SentinelRow, key: str, place: Place, now: Millis) -> PageRow:
    wanted = next(one.links[key].page for one in rows.links.values() if key in one.links)
    page = rows.page_for(wanted, row.new.priority)
    row.watches[page.id] = WatchRow.begun(page, row.new.interval, now, level=place.level)
    return page


def _prune(rows: Rows) -> None:
    """Deletes vanished links to pages that nobody watches as linked pages."""
    waited_for = {
        one.page.page.key for row in rows.kept_sentinels() for one in row.watches.values() if one.level
    }
    for found in rows.links.values():
        found.links = {
            key: one for key, one in found.links.items() if one.gone_at is None or key in waited_for
        }


def _follow_at(row: SentinelRow) -> Millis:
    return row.follow_at
