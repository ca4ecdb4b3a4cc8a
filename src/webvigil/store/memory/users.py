"""Users in memory, and the digests of their tokens."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from webvigil.errors import NameTaken, NotFound
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.topics import with_topic
from webvigil.model.user import Role, Scope, Token, User
from webvigil.store.memory.following import forget_unfollowed
from webvigil.store.memory.rows import Part
from webvigil.store.memory.sentinels import MemorySentinels


class MemoryUsers(Part):
    def add(self, name: str, *, role: Role = "user", zone: str = "UTC") -> User:
        with self._rows.lock:
            if name in self._rows.users:
                raise NameTaken(f"there is a user {name!r} already")
            user = User(name=name, role=role, zone=zone, created_at=as_datetime(self._rows.now()))
            self._rows.users[name] = user
            return user

    def get(self, name: str) -> User:
        return self._rows.user(name)

    def all(self) -> list[User]:
        with self._rows.lock:
            return [self._rows.users[name] for name in sorted(self._rows.users)]

    def prefer(self, name: str, taste: str) -> None:
        with self._rows.lock:
            self._rows.users[name] = replace(self._rows.user(name), taste=taste)

    def topics(self, name: str) -> dict[str, str]:
        with self._rows.lock:
            self._rows.user(name)
            return dict(self._rows.topics.get(name, {}))

    def say_topic(self, name: str, topic: str, clauses: str) -> None:
        with self._rows.lock:
            self._rows.topics[name] = with_topic(self.topics(name), topic, clauses)

    def change(self, name: str, *, role: Role | None = None, zone: str | None = None) -> User:
        with self._rows.lock:
            old = self._rows.user(name)
            self._rows.users[name] = replace(old, role=role or old.role, zone=zone or old.zone)
            return self._rows.users[name]

    def remove(self, name: str) -> None:
        rows = self._rows
        with rows.lock:
            rows.user(name)
            for row in [row for row in rows.sentinels.values() if row.new.user == name]:
                MemorySentinels(rows).set_aside(name, row.new.name)
            theirs = {key for key, one in rows.aside.items() if one.row.new.user == name}
            rows.questions = {
                key: one for key, one in rows.questions.items() if one.change.sentinel not in theirs
            }
            rows.aside = {key: one for key, one in rows.aside.items() if one.row.new.user != name}
            forget_unfollowed(rows)
            del rows.users[name]
            rows.passwords.pop(name, None)
            rows.topics.pop(name, None)
            rows.preferences.pop(name, None)
            rows.contacts = {key: one for key, one in rows.contacts.items() if one.user != name}
            rows.spendings = {key: one for key, one in rows.spendings.items() if key[0] != name}
            rows.pasts = {key: [one for one in some if one[0] != name] for key, some in rows.pasts.items()}
            rows.tokens = {key: one for key, one in rows.tokens.items() if one.user.name != name}
            rows.outbox = {key: one for key, one in rows.outbox.items() if one.notice.user != name}
            rows.logins = {key: one for key, one in rows.logins.items() if key[0] != name}
            rows.discoveries = {
                key: one for key, one in rows.discoveries.items() if one.discovery.user != name
            }

    def password(self, name: str) -> str:
        return self._rows.passwords.get(name, "")

    def set_password(self, name: str, hashed: str) -> None:
        self._rows.passwords[self._rows.user(name).name] = hashed

    def add_token(
        self,
        user: str,
        digest: str,
        *,
        purpose: str,
        expires: Millis,
        name: str = "",
        scope: Scope = "admin",
    ) -> None:
        with self._rows.lock:
            self._rows.tokens[digest] = Token(
                id=digest[:12],
                user=self._rows.user(user),
                purpose=purpose,
                name=name,
                scope=scope,
                created_at=as_datetime(self._rows.now()),
                expires_at=as_datetime(expires),
            )

    def token(self, digest: str, *, purpose: str) -> Token | None:
        with self._rows.lock:
            found = self._rows.tokens.get(digest)
            if found is None or found.purpose != purpose or found.expires_at <= self._now():
                return None
            self._rows.tokens[digest] = replace(found, used_at=self._now())
            return replace(found, user=self._rows.user(found.user.name))

    def tokens(self, user: str, *, purpose: str) -> list[Token]:
        with self._rows.lock:
            mine = (one for one in self._rows.tokens.values() if one.user.name == self._rows.user(user).name)
            found = [one for one in mine if one.purpose == purpose and one.expires_at > self._now()]
        return sorted(found, key=lambda one: (-one.created_at.timestamp(), one.id))

    def end_token(self, digest: str, *, expires: Millis) -> None:
        with self._rows.lock:
            if digest in self._rows.tokens:
                ended = replace(self._rows.tokens[digest], expires_at=as_datetime(expires))
                self._rows.tokens[digest] = ended

    def drop_token(self, user: str, token: str, *, purpose: str) -> None:
        with self._rows.lock:
            for digest, one in self._rows.tokens.items():
                if (one.id, one.user.name, one.purpose) == (token, user, purpose):
                    del self._rows.tokens[digest]
                    return
        raise NotFound(f"there is no token {token!r}")

    def drop_tokens(self, user: str, *, purpose: str) -> None:
        with self._rows.lock:
            mine = (self._rows.user(user).name, purpose)
            kept = {
                key: one for key, one in self._rows.tokens.items() if (one.user.name, one.purpose) != mine
            }
            self._rows.tokens = kept

    def _now(self) -> datetime:
        return as_datetime(self._rows.now())
