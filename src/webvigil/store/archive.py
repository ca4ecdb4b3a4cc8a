"""Backup and restore (U6): the whole store in one file, and back, with a checksum for every row and object.

A backup is taken while workers go on writing. The rows are read first, as one snapshot. Workers store an
object before the row that names it, or in that row, so every object that the snapshot names exists when the
objects are copied. The backup is a zip file:

    manifest.json           who wrote it, when, the schema, the highest id that each table ever gave, and the
                            SHA-256 and size of every part
    tables/NAME.jsonl       one row per line; bytes as {"b64": …}
    objects/KEY             the objects as they are

A store may have lost objects: files that somebody removed, cut or flipped. The backup holds everything that
is left, and the summary names every version that cannot be read any more. Verifying and restoring such a
backup name the same versions.

A restore checks every part before it writes anything, and only writes into an empty store. Tables are written
with the schema of the backup and then migrated to the present schema.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from sqlalchemy import Connection, MetaData, Table, func, insert, inspect, select, text
from sqlalchemy.exc import SAWarning

from webvigil.errors import ObjectLost, StoreRefused
from webvigil.store.migrate import HEAD, PRODUCT, bring_up_to_date, current_revision, revisions
from webvigil.store.objects.keys import NAME
from webvigil.store.promises import Objects
from webvigil.store.repository import is_whole
from webvigil.store.sql.counting import count_on, counted, counts
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import past as past_table
from webvigil.store.sql.schema import version as version_table
from webvigil.store.sql.search import index_all
from webvigil.store.sql.versions import delta_of
from webvigil.store.zips import DAMAGED_ZIP

Progress = Callable[[int], None]

MANIFEST = "manifest.json"
_PART = re.compile(rf"tables/[a-z_]{{1,60}}\.jsonl|objects/{NAME}")
# These limits bound what a hostile file can make a restore unpack; real stores stay far below them.
_LARGEST_MANIFEST = 200_000_000
_LARGEST_PART = 4_000_000_000
_LARGEST_ID = 1 << 62
_ROWS_AT_A_TIME = 1_000
_OURS = ("alembic_version",)
_ENCRYPTED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a backup holds. `lost` names the versions and pictures of versions that cannot be read."""

    created: str
    version: str
    schema: str
    rows: int
    objects: int
    bytes: int
    lost: tuple[str, ...] = ()


def back_up(database: Database, objects: Objects, file: Path, progress: Progress | None = None) -> Summary:
    """Writes a backup to the file and returns its summary. The file appears complete or not at all. Raises
    StoreRefused if the file cannot be written."""
    parts: dict[str, dict[str, Any]] = {}
    draft = Path(f"{file}.part")
    try:
        # The backup holds secrets of users, so only its owner may read the file.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                rows, counters = _write_tables(database, archive, parts)
                count, damaged = _write_objects(objects, archive, parts, progress)
                manifest = _manifest(parts, rows, count, counters)
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
            stream.flush()
            os.fsync(stream.fileno())
        with zipfile.ZipFile(draft) as written:
            # The collector may remove a version and its object while the backup runs; such a version is not
            # lost.
            lost = [one for one in _lost(written, manifest, damaged) if _is_named(database, one.object)]
        draft.rename(file)
    except OSError as error:
        raise StoreRefused(f"{file} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    return _summary(manifest, lost)


def restore(database: Database, objects: Objects, file: Path, progress: Progress | None = None) -> Summary:
    """Writes a backup into an empty store and returns its summary. Raises StoreRefused, before anything is
    written, for a file that is damaged, not a backup or from a newer WebVigil, and for a store that is not
    empty."""
    with _opened(file) as archive:
        manifest = _read_manifest(archive, file)
        _check(archive, manifest, file)
        _refuse_full(database)
        for name in _names(manifest, "objects/"):
            objects.put(name.removeprefix("objects/"), archive.read(name))
            if progress:
                progress(1)
        bring_up_to_date(database, manifest["schema"])
        with database.write() as connection:
            _write_rows(connection, archive, manifest)
        lost = _lost(archive, manifest, _damaged_in(archive, manifest))
    bring_up_to_date(database)
    with database.write() as connection:
        _go_on_counting(connection, manifest)
        index_all(connection)
    return _summary(manifest, lost)


def verify(file: Path) -> Summary:
    """Compares every part with its checksum and returns the summary of the backup. Raises StoreRefused for a
    damaged file."""
    with _opened(file) as archive:
        manifest = _read_manifest(archive, file)
        _check(archive, manifest, file)
        lost = _lost(archive, manifest, _damaged_in(archive, manifest))
    return _summary(manifest, lost)


# --- writing -------------------------------------------------------------------------------------


def _write_tables(
    database: Database, archive: zipfile.ZipFile, parts: dict[str, Any]
) -> tuple[int, dict[str, int]]:
    """Writes all rows of one snapshot; rows written by others in the meantime are not in it. Returns the
    number of rows, and the highest id that each table ever gave."""
    rows = 0
    with database.read() as connection:
        # PostgreSQL's default isolation would show later rows to later tables of the same transaction.
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        for table in _tables(connection):
            with _part(archive, f"tables/{table.name}.jsonl", parts) as write:
                for row in connection.execution_options(yield_per=_ROWS_AT_A_TIME).execute(select(table)):
                    write(json.dumps([_plain(value) for value in row], ensure_ascii=True).encode() + b"\n")
                    rows += 1
            parts[f"tables/{table.name}.jsonl"]["columns"] = [column.name for column in table.columns]
        counters = {
            table.name: counted(connection, table.name) for table in _tables(connection) if counts(table)
        }
    return rows, counters


def _write_objects(
    objects: Objects, archive: zipfile.ZipFile, parts: dict[str, Any], progress: Progress | None
) -> tuple[int, set[str]]:
    """Writes all objects as they are, damaged ones too. Returns how many were written, and the keys of the
    damaged ones."""
    count, damaged = 0, set()
    for key in objects.keys():  # noqa: SIM118  (an object store, no dictionary)
        try:
            content = objects.get(key)
        except ObjectLost:  # removed by the collector just now, or lost: then `_lost` names its version
            continue
        if not is_whole(key, content):
            damaged.add(key)
        with _part(archive, f"objects/{key}", parts) as write:
            write(content)
        count += 1
        if progress:
            progress(1)
    return count, damaged


def _is_named(database: Database, key: str) -> bool:
    """Says whether a version still names this object. The collector may have removed both while the backup
    was written."""
    with database.read() as connection:
        named = select(version_table.c.id).where(
            (version_table.c.object == key) | (version_table.c.picture == key) | (version_table.c.base == key)
        )
        brought = select(past_table.c.number).where((past_table.c.object == key) | (past_table.c.base == key))
        return any(connection.execute(query.limit(1)).first() for query in (named, brought))


@contextmanager
def _part(archive: zipfile.ZipFile, name: str, parts: dict[str, Any]) -> Iterator[Callable[[bytes], None]]:
    """Opens a part of the archive for writing, and notes its SHA-256 and size in `parts` when it is
    closed."""
    digest, size = hashlib.sha256(), 0
    info = zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))
    # Objects are already compressed, so compressing them again would only take time.
    info.compress_type = zipfile.ZIP_STORED if name.startswith("objects/") else zipfile.ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as stream:

        def write(content: bytes) -> None:
            nonlocal size
            digest.update(content)
            size += len(content)
            stream.write(content)

        yield write
    parts[name] = {"sha256": digest.hexdigest(), "size": size}


def _manifest(parts: dict[str, Any], rows: int, objects: int, counters: dict[str, int]) -> dict[str, Any]:
    return {
        "product": PRODUCT,
        "version": version(PRODUCT),
        "schema": HEAD,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "rows": rows,
        "objects": objects,
        "counters": counters,
        "parts": parts,
    }


# --- reading -------------------------------------------------------------------------------------


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            if any(info.flag_bits & _ENCRYPTED for info in archive.infolist()):
                raise StoreRefused(f"{file} is not a whole backup (a part of it is said to be encrypted)")
            yield archive
    except OSError as error:
        raise StoreRefused(f"{file} cannot be read: {error.strerror or error}") from error
    except DAMAGED_ZIP as error:
        raise StoreRefused(f"{file} is not a whole backup ({error})") from error


def _read_manifest(archive: zipfile.ZipFile, file: Path) -> dict[str, Any]:
    try:
        info = archive.getinfo(MANIFEST)
        if info.file_size > _LARGEST_MANIFEST:
            raise StoreRefused(f"{file}: the list of its parts is too large")
        manifest = json.loads(archive.read(info))
        ours = manifest["product"] == PRODUCT and isinstance(manifest["parts"], dict)
        schema = str(manifest["schema"])
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise StoreRefused(f"{file} is not a backup of WebVigil") from error
    if not ours:
        raise StoreRefused(f"{file} is not a backup of WebVigil")
    if schema not in revisions():
        raise StoreRefused(f"{file} was written by a newer WebVigil (schema {schema}); update WebVigil")
    return dict(manifest)


def _check(archive: zipfile.ZipFile, manifest: dict[str, Any], file: Path) -> None:
    """Raises StoreRefused unless the archive holds exactly the parts of its list, with the right content.
    Names that lead out of the folder and symbolic links are refused."""
    present = [info.filename for info in archive.infolist()]
    if len(present) != len(set(present)) or set(present) != {*manifest["parts"], MANIFEST}:
        raise StoreRefused(f"{file}: its parts are not those of its list")
    for info in archive.infolist():
        if info.filename == MANIFEST:
            continue
        if not _PART.fullmatch(info.filename) or stat.S_ISLNK(info.external_attr >> 16):
            raise StoreRefused(f"{file} holds {info.filename!r}, which is no part of a backup")
        _check_part(archive, info, manifest["parts"][info.filename], file)


def _check_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo, known: Any, file: Path) -> None:
    """Compares a part with its checksum. Reads at most one byte more than the stated length, so that a zip
    bomb is not unpacked."""
    size = known.get("size") if isinstance(known, dict) else None
    if not isinstance(size, int) or not 0 <= size <= _LARGEST_PART:
        raise StoreRefused(f"{file}: the length of {info.filename} is not given")
    digest = hashlib.sha256()
    with archive.open(info) as stream:
        length = _digested(stream, size, digest.update)
    if length != size or digest.hexdigest() != known.get("sha256"):
        raise StoreRefused(f"{file} is damaged: {info.filename} is not what was written")


def _digested(stream: IO[bytes], size: int, take: Callable[[bytes], None]) -> int:
    length = 0
    while length <= size and (piece := stream.read(min(1 << 20, size - length + 1))):
        take(piece)
        length += len(piece)
    return length


def _refuse_full(database: Database) -> None:
    """Raises StoreRefused if the store holds sentinels or foreign tables. Drops the tables of a store that
    was never used."""
    with database.read() as connection:
        if current_revision(connection) is None:
            if inspect(connection).get_table_names():
                raise StoreRefused("the database holds another program's tables; choose one of its own")
            return
        sentinels = _all(connection).tables["sentinel"]
        if connection.scalar(select(func.count()).select_from(sentinels)):
            raise StoreRefused("there are sentinels already; restore into a new data folder or database")
    # A store that was only opened has no sentinels, but a user and an identity. Its tables are dropped and
    # made again.
    with database.write() as connection:
        for name in _indexes_of_their_own(connection):
            connection.execute(text(f'DROP TABLE "{name}"'))
        for table in reversed(_all(connection).sorted_tables):
            table.drop(connection)


def _indexes_of_their_own(connection: Connection) -> list[str]:
    """Returns the full-text indexes of SQLite. They must be dropped first, because dropping one also drops
    the tables behind it."""
    if connection.dialect.name != "sqlite":
        return []
    virtual = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
    return list(connection.scalars(text(virtual)))


def _write_rows(connection: Connection, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    for table in _tables(connection):
        connection.execute(table.delete())
    for table in _tables(connection):
        rows = _rows(archive, manifest, table.name)
        while some := list(islice(rows, _ROWS_AT_A_TIME)):
            connection.execute(insert(table), some)


def _go_on_counting(connection: Connection, manifest: dict[str, Any]) -> None:
    """Sets the counter of each table to the highest id that was ever given, so that no id is given twice."""
    for table in filter(counts, _tables(connection)):
        highest = connection.scalar(select(func.max(table.c.id))) or 0
        count_on(connection, table.name, max(highest, _counter(manifest, table.name)))


def _counter(manifest: dict[str, Any], table: str) -> int:
    """Returns the highest id that the table ever gave, or 0 for a backup without this number."""
    counters = manifest.get("counters")
    told = counters.get(table) if isinstance(counters, dict) else None
    return told if isinstance(told, int) and 0 < told < _LARGEST_ID else 0


def _tables(connection: Connection) -> list[Table]:
    """Returns the tables that exist, of any schema, each after the tables that it references."""
    return [
        table for table in _all(connection).sorted_tables if table.name not in _OURS and _kept(table.name)
    ]


def _kept(name: str) -> bool:
    """Leaves out the tables of the full-text search. A restore builds them again from the changes, because
    each database engine stores them in its own way."""
    return name != "change_words" and not re.search(r"_fts(_|$)|^sqlite_", name)


def _all(connection: Connection) -> MetaData:
    found = MetaData()
    with warnings.catch_warnings():
        # SQLAlchemy warns that it cannot reflect an index on an expression; the backup needs no indexes.
        warnings.simplefilter("ignore", SAWarning)
        found.reflect(connection)
    return found


def _names(manifest: dict[str, Any], prefix: str) -> list[str]:
    return [name for name in manifest["parts"] if name.startswith(prefix)]


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {"b64": base64.b64encode(bytes(value)).decode()}
    return {"json": value} if isinstance(value, dict | list) else value


def _value(plain: Any) -> Any:
    if isinstance(plain, dict):
        return base64.b64decode(plain["b64"]) if "b64" in plain else plain["json"]
    return plain


# --- what is lost ----------------------------------------------------------------------------------


class _Lost(NamedTuple):
    """An object that cannot be read, and a sentence that names the version which needs it."""

    object: str
    said: str


def _damaged_in(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> set[str]:
    keys = (name.removeprefix("objects/") for name in _names(manifest, "objects/"))
    return {key for key in keys if not is_whole(key, archive.read(f"objects/{key}"))}


def _lost(archive: zipfile.ZipFile, manifest: dict[str, Any], damaged: set[str]) -> list[_Lost]:
    """Returns the lost objects. A version is lost if its object is, or any object that this one is stored
    relative to."""
    versions = [row for table in ("version", "past") for row in _rows(archive, manifest, table)]
    in_rows = {row["object"]: row["delta"] for row in versions if row.get("delta")}
    there = {*in_rows, *(name.removeprefix("objects/") for name in _names(manifest, "objects/"))}
    damaged = damaged | {key for key, delta in in_rows.items() if not is_whole(key, delta_of(delta))}
    bases = {row["object"]: row.get("base", "") for row in versions}
    urls = {row["page_id"]: row["url"] for row in _rows(archive, manifest, "page_about")}
    found = []
    for row in versions:
        name = f"{urls.get(row['page_id'], row['url'])}, version {row['number']}"
        for what, keys in (("object", _chain(row["object"], bases)), ("picture", [row.get("picture")])):
            gone = next((key for key in keys if key and (key not in there or key in damaged)), None)
            if gone and not row.get("dropped"):
                state = "damaged" if gone in damaged else "missing"
                found.append(_Lost(gone, f"{name}: {what} {gone} is {state}"))
    return found


def _chain(key: str, bases: dict[str, str]) -> list[str]:
    """Returns the key of a version's object and of all objects that it is stored relative to."""
    chain = [key]
    while (base := bases.get(chain[-1])) and base not in chain:
        chain.append(base)
    return chain


def _rows(archive: zipfile.ZipFile, manifest: dict[str, Any], table: str) -> Iterator[dict[str, Any]]:
    name = f"tables/{table}.jsonl"
    if name in manifest["parts"]:
        columns = manifest["parts"][name]["columns"]
        with archive.open(name) as stream:
            for line in stream:
                yield dict(zip(columns, map(_value, json.loads(line)), strict=True))


def _summary(manifest: dict[str, Any], lost: Sequence[_Lost] = ()) -> Summary:
    return Summary(
        created=manifest["created"],
        version=manifest["version"],
        schema=manifest["schema"],
        rows=manifest["rows"],
        objects=manifest["objects"],
        bytes=sum(part["size"] for part in manifest["parts"].values()),
        lost=tuple(one.said for one in lost),
    )
