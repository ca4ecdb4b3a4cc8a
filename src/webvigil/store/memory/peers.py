"""Peers in memory: other servers, the pages they watch, and which pages of this server they may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from webvigil.errors import NotFound
from webvigil.model.approach import PLAIN
from webvigil.model.contact import Preferences
from webvigil.model.moment import Millis, as_millis
from webvigil.model.peer import Figures, Peer, SeenPage, SharedPage, Wanted
from webvigil.model.work import NOT_SEEN
from webvigil.store.memory.rows import PageRow, Part


class MemoryPeers(Part):
    def put(self, one: Peer) -> None:
        with self._rows.lock:
            known = self._rows.peers.get(one.key)
            self._rows.peers[one.key] = replace(one, figures=known.figures if known else Figures())

    def change(self, key: str, change: Callable[[Peer], Peer]) -> Peer | None:
        with self._rows.lock:
            known = self._rows.peers.get(key)
            if known:
                self.put(change(known))
            return self._rows.peers.get(key)

    def get(self, key: str) -> Peer | None:
        return self._rows.peers.get(key)

    def all(self) -> list[Peer]:
        with self._rows.lock:
            return sorted(self._rows.peers.values(), key=lambda one: (one.url, one.key))

    def remove(self, key: str) -> None:
        with self._rows.lock:
            if self._rows.peers.pop(key, None) is None:
                raise NotFound("there is no such peer")
            self._rows.peer_pages.pop(key, None)

    def count(self, key: str, **more: int) -> None:
        with self._rows.lock:
            if one := self._rows.peers.get(key):
                added = {name: getattr(one.figures, name) + number for name, number in more.items()}
                self._rows.peers[key] = replace(one, figures=replace(one.figures, **added))

    def first_time(self, message: str, *, until: Millis) -> bool:
        with self._rows.lock:
            now, heard = self._rows.now(), self._rows.peer_messages
            self._rows.peer_messages = {one: end for one, end in heard.items() if end >= now}
            first = message not in self._rows.peer_messages
            self._rows.peer_messages.setdefault(message, until)
            return first

    def announce(self, key: str, wanted: Iterable[Wanted], gone: Iterable[str] = ()) -> None:
        with self._rows.lock:
            if key not in self._rows.peers:
                return
            pages = self._rows.peer_pages.setdefault(key, {})
            for page in gone:
                pages.pop(page, None)
            pages.update({one.page: one.interval for one in wanted})

    def announced(self, key: str) -> dict[str, Millis]:
        return dict(sorted(self._rows.peer_pages.get(key, {}).items()))

    def how_many(self, key: str) -> int:
        return len(self._rows.peer_pages.get(key, {}))

    def forget_pages(self, key: str) -> None:
        self._rows.peer_pages.pop(key, None)

    def wanting(self, pages: Iterable[str]) -> dict[str, list[str]]:
        with self._rows.lock:
            known = sorted(key for key, one in self._rows.peers.items() if one.state == "known")
            found = {
                page: [key for key in known if page in self._rows.peer_pages.get(key, {})] for page in pages
            }
        return {page: keys for page, keys in found.items() if keys}

    def shareable(self) -> list[SharedPage]:
        with self._rows.lock:
            rows = [row for _, row in sorted(self._rows.pages.items()) if self._is_open(row)]
            return [SharedPage(id=row.id, page=row.page, interval=self._interval(row)) for row in rows]

    def shared(self, page: str) -> SharedPage | None:
        with self._rows.lock:
            row = self._rows.page_by_key.get(page)
            if row is None or not self._is_open(row):
                return None
            return SharedPage(id=row.id, page=row.page, interval=self._interval(row))

    def seen(self, page: str) -> SeenPage | None:
        with self._rows.lock:
            row = self._rows.page_by_key.get(page)
            if row is None or not row.versions or not self._is_open(row):
                return None
            at = [one["at"] for one in row.looks if one["decision"] not in NOT_SEEN]
            if not at:
                return None
            newest = row.versions[-1]
            return SeenPage(
                id=row.id,
                url=row.page.url,
                object=newest.object,
                signature=newest.signature,
                seen_at=as_millis(max(at)),
                facts=row.validators,
            )

    def _is_open(self, row: PageRow) -> bool:
        """Says whether peers may know the page: it looks the same to everybody, its address names no user,
        and nobody who watches it keeps pages to this server."""
        page = row.page
        alike = not page.login and page.method == "GET" and page.render == "http"
        alike = alike and page.approach == PLAIN
        users = {one.new.user for one in self._rows.sentinels.values() if row.id in one.watches}
        told = all(self._rows.preferences.get(name, Preferences()).share_pages for name in users)
        named = "@" in page.url.partition("?")[0]
        return alike and told and not named and bool(self._rows.active_watches(row.id))

    def _interval(self, row: PageRow) -> Millis:
        wanted = [watch.interval for watch in self._rows.active_watches(row.id)]
        return min((one for one in wanted if one), default=0)
