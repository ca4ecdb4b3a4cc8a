"""Settings in, open stores out: the knowledge base (database) and the page repository."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from webvigil.app.operating.chosen import with_choices
from webvigil.app.settings import Settings
from webvigil.errors import NotFound, ServerRefused, StoreRefused
from webvigil.store.objects import open_objects
from webvigil.store.promises import Duties, Knowledge, Outbox, Questions, Schedule, Users, Versions
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge


class _Store(Protocol):
    """The parts of the knowledge base that lease work to workers."""

    duties: Duties
    outbox: Outbox
    questions: Questions
    schedule: Schedule


@contextmanager
def opened(settings: Settings) -> Iterator[Knowledge]:
    """Opens the knowledge base, creates the user that commands act for if missing, and closes it at the
    end. What an administrator chose for the visits of hosts counts."""
    make_data_folder(settings)
    knowledge = SqlKnowledge(settings.database_url)
    try:
        present = with_choices(settings, knowledge.journal, ("host_delay", "host_concurrency"))
        knowledge.visit_hosts(delay=int(present.host_delay * 1000), concurrency=present.host_concurrency)
        _ensure_user(knowledge.users, settings.user)
        yield knowledge
    finally:
        knowledge.close()


def repository(settings: Settings, versions: Versions) -> PageRepository:
    return PageRepository(open_objects(settings.objects_url), versions.deltas, depth=settings.version_steps)


@contextmanager
def sole_worker(settings: Settings, knowledge: _Store) -> Iterator[None]:
    """Makes sure that only one process works on an SQLite database, and gives it what a dead worker held.

    Raises ServerRefused if another process holds the lock. On PostgreSQL there may be many workers, and
    leases tell which of them does what.
    """
    if not settings.database_url.startswith("sqlite"):
        yield
        return
    lock = os.open(settings.data / "worker.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise ServerRefused(
            f"another WebVigil is at work on {settings.data}; stop it, or choose another --data folder"
        ) from None
    try:
        knowledge.schedule.take_over()
        knowledge.outbox.take_over()
        knowledge.questions.take_over()
        knowledge.duties.take_over()
        yield
    finally:
        os.close(lock)


def make_data_folder(settings: Settings) -> None:
    """Creates the data folder and makes it private. Sets the umask, so that everything this process writes
    from now on, also backups, exports and evidence elsewhere, is readable by its owner alone."""
    os.umask(os.umask(0o077) | 0o077)
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        _close(settings.data)
    except OSError as error:
        raise StoreRefused(f"the data folder {settings.data} cannot be made: {error.strerror}") from error
    if not os.access(settings.data, os.W_OK | os.X_OK):
        raise StoreRefused(f"the data folder {settings.data} cannot be written; check its permissions")


def _close(folder: Path) -> None:
    """Makes the folder and the database files readable by their owner alone. Leaves shared folders such as
    /tmp and folders of other users as they are."""
    known = folder.stat()
    if known.st_uid == os.geteuid() and not known.st_mode & stat.S_ISVTX:
        folder.chmod(0o700)
    for file in folder.glob("webvigil.sqlite3*"):
        with suppress(PermissionError, FileNotFoundError):
            file.chmod(0o600)


def _ensure_user(users: Users, name: str) -> None:
    try:
        users.get(name)
    except NotFound:
        users.add(name, role="user" if users.all() else "admin")
