"""Log-ins of users in memory; they are encrypted before they come here."""

from __future__ import annotations

from webvigil.errors import NotFound
from webvigil.model.login import SealedLogin
from webvigil.store.memory.rows import Part


class MemoryLogins(Part):
    def put(self, user: str, url: str, sealed: str) -> None:
        with self._rows.lock:
            known = self._rows.logins.get((self._rows.user(user).name, url))
            id_ = known.id if known else next(self._rows.ids)
            self._rows.logins[user, url] = SealedLogin(id=id_, user=user, url=url, sealed=sealed)

    def get(self, login_id: int) -> SealedLogin:
        found = next((one for one in self._rows.logins.values() if one.id == login_id), None)
        if found is None:
            raise NotFound("there is no such log-in any more")
        return found

    def all(self, user: str) -> list[SealedLogin]:
        self._rows.user(user)
        mine = [one for one in self._rows.logins.values() if one.user == user]
        return sorted(mine, key=lambda one: one.url)

    def remove(self, user: str, url: str) -> None:
        with self._rows.lock:
            if self._rows.logins.pop((self._rows.user(user).name, url), None) is None:
                raise NotFound(f"there is no log-in for {url}")
