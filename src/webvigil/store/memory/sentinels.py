"""Installed sentinels in memory, and the pages that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from webvigil.errors import NameTaken, NotFound
from webvigil.model.contact import Order
from webvigil.model.event import Event
from webvigil.model.following import Limits
from webvigil.model.installed import InstalledSentinel, NewSentinel, PageView, RemovedSentinel, WatchedPage
from webvigil.model.joint import is_complete, joint_as_json
from webvigil.model.life import LifeEvent, LifeNews, LifeStep, LivingSentinel, rests_until
from webvigil.model.moment import NEVER, Millis, as_datetime
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.topics import counted, has_topic
from webvigil.model.trouble import UNSEEN
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedSentinels
from webvigil.model.work import Watch
from webvigil.store.memory.following import forget_unfollowed, settle
from webvigil.store.memory.rows import Aside, PageRow, Part, SentinelRow, WatchRow


class MemorySentinels(Part):
    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._rows.lock:
            names = set()
            for one in new:
                self._rows.user(one.user)
                if self._find(one.user, one.name) or (one.user, one.name) in names:
                    raise NameTaken(
                        f"there is a sentinel {one.name!r} already; choose another name or remove it"
                    )
                names.add((one.user, one.name))
            return [self._add(one) for one in new]

    def replace(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._rows.lock:
            for row, one in [(self._row(one.user, one.name), one) for one in new]:
                self._replace(row, one)
            return [self.get(one.user, one.name) for one in new]

    def _replace(self, row: SentinelRow, new: NewSentinel) -> None:
        rows = self._rows
        with rows.lock:
            touched = {watch.page.id: watch.page for watch in row.watches.values()}
            wanted = {page.id: page for page in (rows.page_for(one, new.priority) for one in new.pages)}
            # Linked pages stay for now; `following.settle` decides later, from their links.
            linked = {id_: one.page for id_, one in row.watches.items() if one.level and id_ not in wanted}
            places = {id_: (row.watches[id_].level, row.watches[id_].via) for id_ in linked}
            row.watches = {
                id_: self._watch_again(row.watches.get(id_), page, new)
                for id_, page in (wanted | linked).items()
            }
            for id_, one in row.watches.items():
                one.level, one.via = places.get(id_, (0, None))
                one.trouble = UNSEEN
            row.follow_at = rows.now() if new.reach.depth or linked else NEVER
            if new.reach != row.new.reach:
                for one in row.watches.values():
                    one.next_at = rows.now()
            touched |= wanted
            self._move_on(row, lambda: _renew(row, new))
            self._join_again(row, wanted)
            for page in touched.values():
                page.priority = rows.priority_of(page.id)
            told = {"user": new.user}
            rows.events.append(
                Event(at=as_datetime(rows.now()), name="SentinelEdited", subject=new.name, details=told)
            )
            rows.write_notices(new.notices)
            rows.reschedule(touched.values())
            self._retell_topic(new)

    def _watch_again(self, watch: WatchRow | None, page: PageRow, new: NewSentinel) -> WatchRow:
        interval = new.interval
        if watch and watch.interval == interval and not new.replan:
            return watch
        if watch:
            return replace(watch, interval=interval, next_at=self._rows.now())
        return WatchRow.begun(page, interval, self._rows.now())

    def _join_again(self, row: SentinelRow, pages: Mapping[int, PageRow]) -> None:
        rows = self._rows
        joint = row.new.joint
        row.joint = joint_as_json(joint, lambda page: rows.page_by_key[page.key].id) if joint else None
        row.held = {id_: one for id_, one in row.held.items() if one.root in pages}
        if row.held and (row.joint is None or is_complete(row.joint, row.roots_waiting())):
            for id_, one in row.held.items():
                rows.write_change(rows.pages[id_], one.change, one.at)
            row.held.clear()

    def _retell_topic(self, new: NewSentinel) -> None:
        """Copies the new topic of a sentinel to its changes. The SQL store joins the tables instead."""
        changes = self._rows.changes
        for id_, one in changes.items():
            if (one.user, one.sentinel) == (new.user, new.name):
                changes[id_] = replace(one, topic=new.topic)

    def get(self, user: str, name: str) -> InstalledSentinel:
        with self._rows.lock:
            return self._installed(self._row(user, name))

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        with self._rows.lock:
            if user is not None:
                self._rows.user(user)
            newest_first = reversed(self._rows.sentinels.values())
            return [self._installed(row) for row in newest_first if user in (None, row.new.user)]

    def some(self, wanted: WantedSentinels) -> list[InstalledSentinel]:
        with self._rows.lock:
            found = (row for row in reversed(self._rows.sentinels.values()) if _is_wanted(row, wanted))
            older = self._in_order((row for row in found if row.id < wanted.before), wanted.order)
            return [self._installed(row) for row in islice(older, wanted.skip, wanted.skip + wanted.limit)]

    def _in_order(self, rows: Iterable[SentinelRow], order: Order | None) -> Iterable[SentinelRow]:
        if order is None:
            return rows
        last = {(one.user, one.sentinel): id_ for id_, one in self._rows.changes.items()}
        changed_last = sorted(rows, key=lambda row: -last.get((row.new.user, row.new.name), 0))
        if order == "priority":
            return sorted(changed_last, key=lambda row: -row.new.priority)
        if order == "topic":
            return sorted(changed_last, key=lambda row: (not row.new.topic, row.new.topic.lower()))
        return changed_last

    def count(self, wanted: WantedSentinels) -> int:
        with self._rows.lock:
            return sum(_is_wanted(row, wanted) for row in self._rows.sentinels.values())

    def states(self, user: str) -> dict[State, int]:
        with self._rows.lock:
            mine = (row.state for row in self._rows.sentinels.values() if row.new.user == user)
            return dict(Counter(mine))

    def topics(self, user: str | None = None) -> dict[str, int]:
        with self._rows.lock:
            mine = (row.new for row in self._rows.sentinels.values() if user in (None, row.new.user))
            return counted((new.topic, 1) for new in mine)

    def pages(
        self, user: str | None = None, *, words: str = "", before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[WatchedPage]:
        with self._rows.lock:
            mine = {id_ for id_ in self._rows.pages if id_ < before and self.watch(user, id_)}
            found = [self._rows.pages[id_] for id_ in sorted(mine, reverse=True)]
        wanted = [row for row in found if all(word.lower() in row.page.url.lower() for word in words.split())]
        return [_watched(row) for row in wanted[:limit]]

    def page(self, user: str | None, page: int) -> WatchedPage:
        with self._rows.lock:
            if not self.watch(user, page):
                raise NotFound(f"there is no page {page}")
            return _watched(self._rows.pages[page])

    def coming(self, user: str, *, limit: int) -> list[tuple[str, WatchedPage]]:
        with self._rows.lock:
            mine = [row for row in self._rows.sentinels.values() if row.new.user == user]
            active = [row for row in mine if row.state is State.ACTIVE]
            found = [
                (one.page.due, row.id, row.new.name, _watched(one.page))
                for row in active
                for one in row.watches.values()
                if not one.level and one.page.due < NEVER
            ]
        soonest = sorted(found, key=lambda entry: entry[:2])
        return [(name, page) for _, _, name, page in soonest[:limit]]

    def watch(self, user: str | None, page: int) -> bool:
        with self._rows.lock:
            rows = self._rows.sentinels.values()
            return any(page in row.watches and user in (None, row.new.user) for row in rows)

    def views(self, user: str, pages: Iterable[int]) -> dict[int, PageView]:
        with self._rows.lock:
            mine = [row for row in self._rows.sentinels.values() if user == row.new.user]
            watching = {page: [row for row in mine if page in row.watches] for page in set(pages)}
            return {page: _view(page, rows) for page, rows in watching.items() if rows}

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        with self._rows.lock:
            row = self._row(user, name)
            self._move_on(row, lambda: setattr(row, "enabled", enabled))
            return self._installed(row)

    def watching(self, page: int) -> list[Watch]:
        with self._rows.lock:
            return list(self._rows.watches(page))

    def live(self, step: LifeStep) -> bool:
        rows = self._rows
        with rows.lock:
            row = rows.sentinels.get(step.sentinel)
            if row is None or row.life != step.before:
                return False
            self._move_on(row, lambda: setattr(row, "life", step.after))
            rows.events += [_life_event(event, step.user) for event in step.events]
            rows.write_notices(step.notices)
            return True

    def news(self, since: int, *, until: Millis | None = None) -> LifeNews:
        rows = self._rows
        with rows.lock:
            changed = [row for row in rows.sentinels.values() if row.revision > since]
            rest = [until is not None and rests_until(row.life, as_datetime(until)) for row in changed]
            return LifeNews(
                revision=rows.revision,
                changed=tuple(
                    self._living(row) for row, rests in zip(changed, rest, strict=True) if not rests
                ),
                removed=tuple(id_ for id_, revision in rows.removals.items() if revision > since),
                resting=tuple(row.id for row, rests in zip(changed, rest, strict=True) if rests),
            )

    def living(self, user: str, names: Collection[str]) -> list[LivingSentinel]:
        with self._rows.lock:
            found = [self._find(user, name) for name in names]
            return [self._living(row) for row in found if row]

    def _move_on(self, row: SentinelRow, change: Callable[[], None]) -> None:
        before = row.state
        change()
        row.revision = self._rows.next_revision()
        if before is State.ACTIVE:
            self._rows.recount(row.new.user, row.new.name)
        if (before is State.ACTIVE) == (row.state is State.ACTIVE):
            return
        if row.state is State.ACTIVE:
            for watch in row.watches.values():
                watch.next_at = self._rows.now()
        self._rows.reschedule(watch.page for watch in row.watches.values())

    def _living(self, row: SentinelRow) -> LivingSentinel:
        return LivingSentinel(
            id=row.id,
            user=row.new.user,
            zone=self._rows.user(row.new.user).zone,
            name=row.new.name,
            text=row.new.text,
            enabled=row.enabled,
            life=row.life,
        )

    def set_aside(self, user: str, name: str) -> RemovedSentinel:
        rows = self._rows
        with rows.lock:
            row = rows.sentinels.pop(self._row(user, name).id)
            rows.removals[row.id] = rows.next_revision()
            mine = {id_: one for id_, one in rows.changes.items() if (one.user, one.sentinel) == (user, name)}
            for id_ in mine:
                del rows.changes[id_]
            rows.aside[row.id] = Aside(row, rows.now(), mine)
            rows.recount(user, name)
            rows.reschedule(watch.page for watch in row.watches.values())
            return _removed(rows.aside[row.id])

    def removed(self, user: str) -> list[RemovedSentinel]:
        with self._rows.lock:
            mine = [one for one in self._rows.aside.values() if one.row.new.user == user]
            return [_removed(one) for one in sorted(mine, key=lambda one: (-one.at, -one.row.id))]

    def restore(self, user: str, removed: int) -> InstalledSentinel:
        rows = self._rows
        with rows.lock:
            found = rows.aside.get(removed)
            if found is None or found.row.new.user != user:
                raise NotFound(f"there is no removed sentinel {removed}; it may be gone for good")
            name = found.row.new.name
            if self._find(user, name):
                raise NameTaken(f"there is another sentinel {name!r} now; remove it first")
            del rows.aside[removed], rows.removals[removed]
            rows.changes = dict(sorted((rows.changes | found.changes).items()))
            rows.sentinels = dict(sorted((rows.sentinels | {removed: found.row}).items()))
            found.row.revision = rows.next_revision()
            for watch in found.row.watches.values():
                watch.next_at = rows.now()
            rows.reschedule(watch.page for watch in found.row.watches.values())
            return self._installed(found.row)

    def forget_removed(self, before: Millis, *, limit: int) -> int:
        with self._rows.lock:
            old = [one for one in self._rows.aside.values() if one.at < before]
            doomed = sorted(old, key=lambda one: (one.at, one.row.id))[:limit]
            for one in doomed:
                self._delete(one)
            return len(doomed)

    def _delete(self, aside: Aside) -> None:
        del self._rows.aside[aside.row.id]
        forget_unfollowed(self._rows)

    def linked(self, user: str, name: str) -> list[WatchedPage]:
        with self._rows.lock:
            found = [one for one in self._row(user, name).watches.values() if one.level]
            return [self._linked(one) for one in sorted(found, key=lambda one: (one.level, one.page.id))]

    def _linked(self, one: WatchRow) -> WatchedPage:
        via = self._rows.pages[one.via].page.url if one.via else ""
        return replace(_watched(one.page), level=one.level, via=via)

    def follow(self, limits: Limits, *, most: int = 100) -> int:
        with self._rows.lock:
            return settle(self._rows, limits, most)

    def follow_at(self) -> Millis | None:
        with self._rows.lock:
            first = min((row.follow_at for row in self._rows.sentinels.values()), default=NEVER)
            return None if first >= NEVER else max(0, first - self._rows.now())

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        rows = self._rows
        with rows.lock:
            rows.user(user)
            mine = [row for row in rows.sentinels.values() if row.new.user == user]
            for old, wanted in instead.items():
                page = rows.page_for(wanted, 0)
                for row in mine:
                    self._move_watch(row, old, page)
                for one in (rows.pages[old], page):
                    one.priority = rows.priority_of(one.id)
                rows.reschedule([rows.pages[old], page])

    def _move_watch(self, row: SentinelRow, old: int, page: PageRow) -> None:
        watch, there = row.watches.get(old), row.watches.get(page.id)
        if watch is None or watch.level:
            return
        del row.watches[old]
        if there is None or there.level:
            row.watches[page.id] = WatchRow.begun(page, watch.interval, self._rows.now())
        row.follow_at = self._rows.now() if row.new.reach.depth else NEVER

    def _add(self, new: NewSentinel) -> InstalledSentinel:
        rows = self._rows
        with rows.lock:
            now = rows.now()
            row = SentinelRow(id=next(rows.ids), new=new, life=new.life, revision=rows.next_revision())
            for one in new.pages:
                page = rows.page_for(one, new.priority)
                row.watches.setdefault(page.id, WatchRow.begun(page, new.interval, now))
            if new.joint:
                row.joint = joint_as_json(new.joint, lambda page: rows.page_by_key[page.key].id)
            row.follow_at = now if new.reach.depth else NEVER
            rows.sentinels[row.id] = row
            told = {"user": new.user}
            rows.events.append(
                Event(at=as_datetime(now), name="SentinelInstalled", subject=new.name, details=told)
            )
            rows.write_notices(new.notices)
            rows.reschedule(watch.page for watch in row.watches.values())
            return self._installed(row)

    def _find(self, user: str, name: str) -> SentinelRow | None:
        rows = self._rows.sentinels.values()
        return next((row for row in rows if (row.new.user, row.new.name) == (user, name)), None)

    def _row(self, user: str, name: str) -> SentinelRow:
        self._rows.user(user)
        row = self._find(user, name)
        if row is None:
            raise NotFound(f"there is no sentinel {name!r}")
        return row

    def _installed(self, row: SentinelRow) -> InstalledSentinel:
        name = (row.new.user, row.new.name)
        return InstalledSentinel(
            id=row.id,
            user=row.new.user,
            name=row.new.name,
            text=row.new.text,
            state=row.state,
            enabled=row.enabled,
            life=row.life,
            installed_at=row.life.installed_at,
            pages=tuple(_seen(watch) for _, watch in sorted(row.watches.items()) if not watch.level),
            changes=sum((one.user, one.sentinel) == name for one in self._rows.changes.values()),
            priority=row.new.priority,
            topic=row.new.topic,
            own=row.new.own,
            linked=row.linked,
            full=row.full,
        )


def _renew(row: SentinelRow, new: NewSentinel) -> None:
    row.new, row.life = new, new.life


def _removed(one: Aside) -> RemovedSentinel:
    pages = [watch.page for _, watch in sorted(one.row.watches.items()) if not watch.level]
    return RemovedSentinel(
        id=one.row.id,
        name=one.row.new.name,
        removed_at=as_datetime(one.at),
        changes=len(one.changes),
        title=pages[0].title if pages else "",
        url=pages[0].page.url if pages else "",
    )


def _life_event(one: LifeEvent, owner: str) -> Event:
    details = {name: text for name, text in (("user", owner), ("reason", one.reason)) if text}
    return Event(at=one.at, name=str(one.what), subject=one.sentinel, details=details)


def _seen(watch: WatchRow) -> WatchedPage:
    return replace(_watched(watch.page), trouble=watch.trouble.words if watch.trouble else "")


def _watched(page: PageRow) -> WatchedPage:
    return WatchedPage(
        id=page.id,
        url=page.page.url,
        title=page.title,
        due=None if page.due == NEVER else as_datetime(page.due),
        latest=page.latest,
        checks=page.checks,
        failures=page.failures,
        doubt=page.doubt,
        failing_since=as_datetime(page.failing_since) if page.failing_since else None,
    )


def _is_wanted(row: SentinelRow, wanted: WantedSentinels) -> bool:
    text = f"{row.new.name}\n{row.new.topic}\n{row.new.text}".lower()
    return (
        wanted.user in (None, row.new.user)
        and wanted.state in (None, str(row.state))
        and has_topic(row.new.topic, wanted.topic)
        and (wanted.names is None or row.new.name in wanted.names)
        and (wanted.pages is None or any(one in row.watches for one in wanted.pages))
        and wanted.host in (None, *(watch.page.page.host for watch in row.watches.values()))
        and wanted.address in (None, *(watch.page.page.url for watch in row.watches.values()))
        and (not wanted.trouble or any(map(_is_in_trouble, row.watches.values())))
        and all(word.lower() in text for word in wanted.words.split())
    )


def _is_in_trouble(watch: WatchRow) -> bool:
    doubt = watch.page.doubt
    return not watch.level and bool(watch.page.failures or watch.trouble or (doubt and doubt.told))


def _view(page: int, rows: Sequence[SentinelRow]) -> PageView:
    return PageView(
        first_version=min(row.watches[page].first_version for row in rows),
        since=min(row.watches[page].since for row in rows),
        sentinels=frozenset(row.id for row in rows),
    )
