"""The places where a crawl writes down its steps: a file or memory.

Each step is written before the next one is taken. The knowledge base keeps the steps of crawls that a worker
does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from webvigil.discover.crawler.steps import Begun, Step, step_as_json, step_from_json
from webvigil.errors import SettingRefused, StoreRefused
from webvigil.model.json_text import json_text


class Trail(Protocol):
    """Where a crawl writes its steps."""

    async def append(self, step: Step) -> None:
        """Writes a step. When this returns, the step survives a kill of the process. Raises CrawlStopped if
        the crawl is not ours any more."""


class CrawlStopped(Exception):
    """Raised when somebody cancelled the crawl, or another worker has taken it over."""


class MemoryTrail:
    """Keeps the steps in a list, for crawls that are not recorded."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def append(self, step: Step) -> None:
        self.steps.append(step)


class FileTrail:
    """Writes steps as JSON, one per line. A half-written last line, left by a killed crawl, is cut off."""

    def __init__(self, file: Path, *, resume: bool) -> None:
        self.steps: list[Step] = list(_whole_steps(file)) if resume else []
        self._file = _opened(file, self.steps if resume else None)

    async def append(self, step: Step) -> None:
        self.steps.append(step)
        try:
            self._file.write(json_text(step_as_json(step)) + "\n")
            self._file.flush()
        except OSError as error:
            raise StoreRefused(f"{self._file.name} cannot be written: {error.strerror}") from error

    def close(self) -> None:
        self._file.close()


def recorded_visits(text: str) -> list[str]:
    """Returns the addresses in a recorded trail, in the order of the visits."""
    steps = (step_from_json(_line(line)) for line in text.splitlines() if line.strip())
    return [step.lead.url for step in steps if isinstance(step, Begun)]


def read_trail(file: Path) -> list[Step]:
    return list(_whole_steps(file))


def _whole_steps(file: Path) -> Iterator[Step]:
    try:
        lines = file.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise SettingRefused(f"{file} is no recorded crawl") from error
    for line in lines[:-1]:
        if line.strip():
            yield step_from_json(_line(line))


def _line(line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SettingRefused(f"this is no step of a crawl: {line[:200]}") from error
    if not isinstance(found, dict):
        raise SettingRefused(f"this is no step of a crawl: {line[:200]}")
    return found


def _opened(file: Path, again: list[Step] | None) -> IO[str]:
    """Opens the file for writing: empty for a new crawl, or cut after its last whole line to continue one."""
    if again is None:
        return file.open("w", encoding="utf-8")
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    opened = file.open("r+", encoding="utf-8")
    opened.truncate(len(whole))
    opened.seek(0, 2)
    return opened
