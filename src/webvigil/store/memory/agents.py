"""Personal agents in memory, and the letters that they send home."""

from __future__ import annotations

from dataclasses import replace

from webvigil.model.agent import Agent, AgentSide, AgentState, Letter
from webvigil.model.moment import as_datetime
from webvigil.model.work import NewChange
from webvigil.store.memory.rows import Part, SentinelRow


class MemoryAgents(Part):
    def put(self, one: Agent, *, was: AgentState | None = None) -> bool:
        with self._rows.lock:
            known = self._rows.agents.get(one.id)
            if was is not None and (known is None or known.state != was):
                return False
            self._rows.agents[one.id] = replace(one, letters=known.letters) if known else one
            return True

    def get(self, id_: str) -> Agent | None:
        return self._rows.agents.get(id_)

    def all(self, side: AgentSide | None = None, *, user: str | None = None) -> list[Agent]:
        with self._rows.lock:
            found = [
                one
                for one in self._rows.agents.values()
                if side in (None, one.side) and user in (None, one.user)
            ]
        return sorted(found, key=lambda one: (one.at, one.id))

    def remove(self, id_: str) -> None:
        with self._rows.lock:
            self._rows.agents.pop(id_, None)

    def arrived(self, id_: str, letter: Letter) -> int:
        with self._rows.lock:
            one = self._rows.agents.get(id_)
            if one is None or letter.number <= one.letters:
                return one.letters if one else 0
            if owner := self._owner(one):
                self._write(owner, letter)
            self._rows.agents[id_] = replace(one, letters=letter.number)
            return letter.number

    def posted(self, id_: str, number: int) -> None:
        with self._rows.lock:
            one = self._rows.agents.get(id_)
            if one and one.letters < number:
                self._rows.agents[id_] = replace(one, letters=number)

    def _owner(self, one: Agent) -> SentinelRow | None:
        rows = self._rows.sentinels.values()
        return next((row for row in rows if (row.new.user, row.new.name) == (one.user, one.goals.name)), None)

    def _write(self, owner: SentinelRow, letter: Letter) -> None:
        page = self._rows.page_for(letter.page, 0)
        known = {one.number for one in page.versions}
        new = [
            one.of_page(page.id, as_datetime(letter.found_at))
            for one in letter.versions
            if one.number not in known
        ]
        page.versions = sorted([*page.versions, *new], key=lambda one: one.number)
        change = NewChange(
            sentinel=owner.id,
            old_version=letter.old_version,
            new_version=letter.new_version,
            findings=letter.findings,
            notices=letter.notices,
        )
        self._rows.write_change(page, change, letter.found_at)
