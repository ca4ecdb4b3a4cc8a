"""Sentinels in a database that the command opens itself: implements `Place`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webvigil.cli.place import Enabled, Ran

if TYPE_CHECKING:
    from collections.abc import Callable

    from webvigil.app.sentinels.timeline import Entry
    from webvigil.app.settings import Settings
    from webvigil.model.installed import InstalledSentinel, RemovedSentinel
    from webvigil.model.portrait import Portrait, WatchedNow
    from webvigil.model.shapes import TrialShape
    from webvigil.store.promises import Knowledge


@dataclass(frozen=True)
class InStore:
    """A database that `open` opens when it is first needed. Modules are imported inside the methods, so that
    a command loads only what it needs."""

    given: Settings
    open: Callable[[], Knowledge]

    @cached_property
    def knowledge(self) -> Knowledge:
        return self.open()

    @cached_property
    def settings(self) -> Settings:
        """The given settings with those that an administrator chose, which are in the database."""
        from webvigil.app.operating.chosen import with_choices

        return with_choices(self.given, self.knowledge.journal)

    @property
    def nothing_yet(self) -> str:
        where = "" if self.given.database else f" in {self.given.data}"
        return f"No sentinels yet{where}. Add one: webvigil watch https://example.org/"

    def free_name(self, wished: str) -> str:
        from webvigil.app.sentinels.names import free_name

        return free_name(self.knowledge.sentinels, self._user, wished)

    def add(self, text: str) -> list[InstalledSentinel]:
        from webvigil.app.sentinels.first_look import by_a_look_of_our_own
        from webvigil.app.sentinels.install import install_text

        made = install_text(self.knowledge, self.settings, text)
        return by_a_look_of_our_own(self.knowledge, self.settings, made)

    def pointed(self, text: str) -> str:
        from webvigil.app.sentinels.check import checked_for

        found = checked_for(self.knowledge, self.settings, text)
        return "\n".join(one.pointed(text) for one in found.mistakes)

    def all(self) -> list[InstalledSentinel]:
        from webvigil.store.door import sentinels_of

        file = self.given.sqlite_file
        found = sentinels_of(file, self._user) if file else None
        return self.knowledge.sentinels.all(self._user) if found is None else found

    def portrait(self, name: str) -> Portrait:
        from webvigil.app.sentinels.portrait import portrait_of

        return portrait_of(self.knowledge, self.settings, self.knowledge.users.get(self._user), name)

    def watched(self, name: str) -> list[WatchedNow]:
        from webvigil.app.sentinels.preview import watched_now

        found = self.knowledge.sentinels.get(self._user, name)
        return list(watched_now(self.knowledge.versions, self.settings, found))

    def timeline(self, name: str | None) -> list[Entry]:
        from webvigil.app.sentinels.timeline import timeline_of

        return timeline_of(self.knowledge, self._user, name)

    def enable(self, name: str) -> Enabled:
        from webvigil.app.sentinels.by_hand import enable
        from webvigil.app.sentinels.timeline import next_of

        found = enable(self.knowledge, self._user, name)
        return Enabled(found.state, next_of(self.knowledge.sentinels, self.knowledge.users, self._user, name))

    def disable(self, name: str) -> str:
        from webvigil.app.sentinels.by_hand import disable

        return disable(self.knowledge, self._user, name).state

    def remove(self, name: str) -> None:
        from webvigil.app.sentinels.removal import remove

        remove(self.knowledge, self._user, name)

    def removed(self) -> list[RemovedSentinel]:
        return self.knowledge.sentinels.removed(self._user)

    def bring_back(self, name: str) -> InstalledSentinel:
        from webvigil.app.sentinels.removal import restore_named

        return restore_named(self.knowledge, self._user, name)

    def run(self, name: str) -> Ran:
        from webvigil.app.sentinels.first_look import look_now

        found = self.knowledge.sentinels.get(self._user, name)
        return Ran(*look_now(self.knowledge, self.settings, found))

    def tried(self, name: str, sentence: str, *, last: int, ask: bool) -> TrialShape:
        import asyncio

        from webvigil.app.meaning.trial import planned, tried
        from webvigil.app.to_json import trial_as_json

        plan = planned(self.knowledge, self.settings, name, sentence, last)
        results = asyncio.run(tried(self.knowledge, self.settings, plan)) if ask else None
        return trial_as_json(plan, results)

    @property
    def _user(self) -> str:
        return self.given.user
