"""Questions to a language model in memory: they are leased, asked again later, and settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webvigil.model.history import Ages, Forgotten
from webvigil.model.meaning import (
    Allowance,
    Answer,
    JudgedChange,
    Spent,
    WaitingQuestion,
    judged,
    with_judgement,
)
from webvigil.model.moment import DAY, Millis
from webvigil.store.memory.rows import Part, QuestionRow
from webvigil.store.memory.schedule import write_change


class MemoryQuestions(Part):
    def claim(self, worker: str, *, count: int, lease: Millis, allowance: Allowance) -> list[WaitingQuestion]:
        with self._rows.lock:
            now = self._rows.now()
            found = []
            for row in self._first_of_equals(now)[:count]:
                row.lease, row.owner, row.token = now + lease, worker, row.token + 1
                found.append(self._charged(row, allowance))
            return found

    def _first_of_equals(self, now: Millis) -> list[QuestionRow]:
        """Returns the first of each group of equal questions, if none of the group waits for later or is
        being asked."""
        groups: dict[str, list[QuestionRow]] = {}
        for row in self._waiting():
            groups.setdefault(row.question.key, []).append(row)
        return [rows[0] for rows in groups.values() if max(row.ready for row in rows) <= now]

    def _charged(self, row: QuestionRow, allowance: Allowance) -> WaitingQuestion:
        name = self._rows.sentinels[row.change.sentinel].new.user
        item = WaitingQuestion(
            id=row.id,
            token=row.token,
            attempts=row.attempts,
            user=name,
            found_at=row.found_at,
            question=row.question,
        )
        if row.question.key in self._rows.answers:
            return replace(item, answer=self._rows.answers[row.question.key][1])
        return replace(item, refused=self.spend(name, Spent(read=row.question.tokens), allowance))

    def retry(self, item: WaitingQuestion, *, wait: Millis, spent: Spent) -> bool:
        with self._rows.lock:
            row = self._held_by(item)
            if row is None:
                return False
            row.due, row.lease, row.owner = self._rows.now() + wait, 0, ""
            row.attempts += 1
            self.spend(item.user, spent)
            return True

    def settle(self, item: WaitingQuestion, said: Answer, spent: Spent, *, alone: bool = False) -> int | None:
        with self._rows.lock:
            mine = self._held_by(item)
            if mine is None:
                return None
            self.spend(item.user, spent)
            if not said.trouble:
                self.remember(item.question.key, said)
            key = item.question.key
            equal = [one for one in self._waiting() if one is mine or (not alone and one.question.key == key)]
            return sum(self._settle(row, said) for row in equal)

    def _settle(self, row: QuestionRow, said: Answer) -> bool:
        judgement = row.judgement = judged(row.question, said)
        row.lease, row.owner = 0, ""
        if judgement.told:
            notices = with_judgement(row.change.notices, judgement)
            told = replace(row.change, question=None, judgement=judgement, notices=notices)
            write_change(self._rows, row.page, told, self._rows.now())
        return judgement.told

    def _held_by(self, item: WaitingQuestion) -> QuestionRow | None:
        row = self._rows.questions.get(item.id)
        return row if row and row.token == item.token and row.judgement is None else None

    def _waiting(self) -> list[QuestionRow]:
        """Returns the questions that wait, the oldest first; not those of sentinels that were removed."""
        known = self._rows.sentinels
        return [
            row
            for row in self._rows.questions.values()
            if row.judgement is None and row.change.sentinel in known
        ]

    def take_over(self) -> None:
        with self._rows.lock:
            for row in self._waiting():
                if row.owner:
                    row.lease, row.owner, row.token = 0, "", row.token + 1

    def next_at(self) -> Millis | None:
        with self._rows.lock:
            groups: dict[str, Millis] = {}
            for row in self._waiting():
                groups[row.question.key] = max(row.ready, groups.get(row.question.key, 0))
            return max(0, min(groups.values()) - self._rows.now()) if groups else None

    def waiting(self) -> int:
        with self._rows.lock:
            return len(self._waiting())

    def known(self, keys: Sequence[str]) -> dict[str, Answer]:
        with self._rows.lock:
            return {key: self._rows.answers[key][1] for key in keys if key in self._rows.answers}

    def remember(self, key: str, said: Answer) -> None:
        with self._rows.lock:
            self._rows.answers.setdefault(key, (self._rows.now(), said))

    def spend(self, name: str, more: Spent, allowance: Allowance | None = None) -> str:
        with self._rows.lock:
            before = self.spent(name)
            refusal = allowance.refusal(before, more) if allowance else ""
            if not refusal and more != Spent():
                self._rows.spendings[name, self._today] = before.plus(more)
            return refusal

    def spent(self, name: str) -> Spent:
        with self._rows.lock:
            self._rows.user(name)
            return self._rows.spendings.get((name, self._today), Spent())

    def spent_by_all(self) -> dict[str, Spent]:
        with self._rows.lock:
            today = {name: one for (name, day), one in self._rows.spendings.items() if day == self._today}
            return dict(sorted(today.items()))

    @property
    def _today(self) -> int:
        return self._rows.now() // DAY

    def judged(self, name: str, watching: str | None = None, *, limit: int = 20) -> list[JudgedChange]:
        with self._rows.lock:
            rows = [row for row in self._rows.questions.values() if self._is_of(row, name, watching)]
            return [
                JudgedChange(
                    sentinel=self._rows.sentinels[row.change.sentinel].new.name,
                    page=row.page.id,
                    url=row.page.page.url,
                    old_version=row.change.old_version,
                    new_version=row.change.new_version,
                    found_at=row.found_at,
                    findings=row.change.findings,
                    judgement=row.judgement,
                )
                for row in sorted(rows, key=lambda row: -row.id)[:limit]
                if row.judgement
            ]

    def _is_of(self, row: QuestionRow, name: str, watching: str | None) -> bool:
        sentinel = self._rows.sentinels.get(row.change.sentinel)
        if sentinel is None or row.judgement is None or sentinel.new.user != name:
            return False
        return watching is None or sentinel.new.name == watching

    def forget(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        with self._rows.lock:
            old = [
                row.id
                for row in self._rows.questions.values()
                if row.id > after and row.judgement and row.found_at < ages.log
            ][:limit]
            if not dry_run:
                for one in old:
                    del self._rows.questions[one]
                self._rows.answers = {
                    key: known for key, known in self._rows.answers.items() if known[0] >= ages.log
                }
                self._rows.spendings = {
                    key: spent for key, spent in self._rows.spendings.items() if key[1] >= ages.log // DAY
                }
        return Forgotten(removed=len(old), next=old[-1] if len(old) == limit else None)
