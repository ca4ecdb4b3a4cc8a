"""What happened at each page of each application, as the table at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.real.discovering import Searched

_WIDEST = 60


@dataclass
class Row:
    application: str
    page: str
    looks: int = 0
    alarms: list[str] = field(default_factory=list)
    """What was told although nobody edited anything."""
    edited: bool = False
    """Whether the edit is to be seen on the page."""
    told: str = ""
    """What was told at the look after the edit."""

    def faults(self, written: str) -> list[str]:
        """Returns what is wrong here. `written`: what the edit wrote."""
        found = [f"{self.page}: told without an edit: {one}" for one in self.alarms]
        if self.edited and written not in self.told:
            found.append(f"{self.page}: the edit was not told, but: {self.told or 'nothing'}")
        return found


@dataclass
class Report:
    rows: list[Row] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    searched: list[Searched] = field(default_factory=list)

    def lines(self, written: str) -> list[str]:
        head = ("application", "page", "looks", "alarms", "edit told", "words told")
        lines = _table([head, *(_cells(row, written) for row in self.rows)]) if self.rows else []
        if self.searched:
            services = ("application", "found", "wrong", "unsafe", "refused", "requests", "a hit")
            lines += ["", *_table([services, *(one.cells() for one in self.searched)])]
        ran = sorted({row.application for row in (*self.rows, *self.searched)})
        lines += ["", f"ran: {', '.join(ran) or 'none'}"]
        return [*lines, *(f"skipped: {name}: {reason}" for name, reason in self.skipped.items())]


def _table(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]


def _cells(row: Row, written: str) -> tuple[str, ...]:
    told = ("yes" if written in row.told else "NO") if row.edited else "–"
    words = row.told if len(row.told) <= _WIDEST else row.told[: _WIDEST - 1] + "…"
    return row.application, row.page, str(row.looks), str(len(row.alarms)), told, words
