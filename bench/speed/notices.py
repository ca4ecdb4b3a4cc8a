"""How many notices a second leave the outbox, by mail and by webhook, and whether memory stays flat.

    python -m bench.speed.notices [--count N] [--json]

The sinks take everything and run in a process of their own. The outbox is SQLite with full durability, as in
the product; every notice is rendered, signed, sent and settled. Against it stands the plain way: a connection
for each message, one after the other, nothing rendered, nothing written down. A ratio above 1 means that we
are ahead. Memory is that of the process when a tenth, a half and all of the notices were told.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import smtplib
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

from webvigil.app.settings import Settings, read_settings
from webvigil.app.telling.delivery import Teller, open_channels
from webvigil.model.contact import KnownContact
from webvigil.model.notice import Notice
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.outbox import write_notices

Row = dict[str, Any]
COUNT = 10_000
USERS = 100
PLAIN = 200
# The most megabytes that memory may grow between the first tenth and the end; more would be a leak.
FLAT = 20.0


def rows(count: int = COUNT) -> list[Row]:
    found: list[Row] = []
    for channel, sink, plain in (("email", _mail_sink, _plain_mail), ("webhook", _web_sink, _plain_post)):
        with _running(sink) as port:
            told = _ours(channel, port, count)
            peer = PLAIN / _seconds(lambda port=port, plain=plain: plain(port))
        found.append(
            _row(f"{channel}: notices a second", told.rate, peer, told.rate / peer, "a connection each")
        )
        found.append(_row(f"{channel}: processor time each, ms", told.cpu, 0.0, 0.0, ""))
        for at, used in told.memory.items():
            found.append(_row(f"{channel}: memory after {at:,}, MB", used, 0.0, 0.0, ""))
        growth = max(0.0, max(told.memory.values()) - next(iter(told.memory.values())))
        found.append(_row(f"{channel}: memory growth, MB", growth, FLAT, FLAT / max(growth, 0.1), "limit"))
    return found


def measured() -> list[Row]:
    return rows()


def _row(name: str, ours: float, peer: float, ratio: float, against: str) -> Row:
    return {"name": name, "ours": round(ours, 1), "peer": round(peer, 1), "against": against, "ratio": ratio}


class Told(NamedTuple):
    """Notices per second, milliseconds of processor time for each, and the memory by the number of notices
    that were delivered by then."""

    rate: float
    cpu: float
    memory: dict[int, float]


def _ours(channel: str, port: int, count: int) -> Told:
    with tempfile.TemporaryDirectory() as folder:
        settings = _settings(Path(folder), port)
        knowledge = SqlKnowledge(settings.database_url)
        try:
            _fill(knowledge, channel, port, count)
            return asyncio.run(_tell(settings, knowledge, count))
        finally:
            knowledge.close()


async def _tell(settings: Settings, knowledge: SqlKnowledge, count: int) -> Told:
    marks, memory = [count // 10, count // 2, count], {}
    async with open_channels(settings, knowledge) as channels:
        teller = Teller(knowledge, channels, notices_per_hour=0)
        started, spent, told = time.perf_counter(), time.process_time(), 0
        while taken := await teller.turn("bench"):
            told += taken
            while marks and told >= marks[0]:
                memory[marks.pop(0)] = _megabytes()
        seconds, spent = time.perf_counter() - started, time.process_time() - spent
    delivered = len(knowledge.outbox.all(state="delivered", limit=count + 1))
    assert delivered == count, f"{delivered} of {count} were delivered"
    return Told(count / seconds, spent / count * 1000, memory)


def _fill(knowledge: SqlKnowledge, channel: str, port: int, count: int) -> None:
    for number in range(USERS):
        knowledge.users.add(f"u{number}")
        address = f"u{number}@example.org"
        knowledge.contacts.put(
            KnownContact(user=f"u{number}", channel="email", address=address, verified_at=1)
        )
    made = [_notice(number, channel, port) for number in range(count)]
    with knowledge.database.write() as connection:
        write_notices(connection, made, knowledge.database.now(connection))


def _notice(number: int, channel: str, port: int) -> Notice:
    user = f"u{number % USERS}"
    links = [
        {"object": f"https://example.org/{number}/{n}", "status": "i", "old": 0, "new": 1, "where": ["/a"]}
        for n in range(5)
    ]
    body = {
        "event": "change",
        "sentinel": "s1",
        "url": "https://example.org/prices",
        "page": 1,
        "at": "2026-05-04T12:00:00+00:00",
        "old_version": 1,
        "new_version": 2,
        "summary": "5 new",
        "amounts": {"types": ["all links"], "new": 5, "links_added": 5},
        "findings": [{"type": "all links", "changed": True, "share": 0.1, "score": 9, "objects": links}],
    }
    return Notice(
        dedup=f"n{number}",
        user=user,
        channel=channel,
        address=f"{user}@example.org" if channel == "email" else f"http://127.0.0.1:{port}/{user}",
        subject="s1: 5 new (example.org)",
        body=body,
        sentinel="s1",
    )


def _settings(folder: Path, port: int) -> Settings:
    given = {
        "data": folder,
        "smtp_host": "127.0.0.1",
        "smtp_port": port,
        "smtp_security": "none",
        "mail_from": "vigil@example.org",
        "allow_networks": "127.0.0.0/8",
    }
    return read_settings(given, environment={})


def _plain_mail(port: int) -> None:
    for number in range(PLAIN):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", f"{number}"
        message.set_content("text\n" * 20)
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.send_message(message)


def _plain_post(port: int) -> None:
    for number in range(PLAIN):
        body = json.dumps(_notice(number, "webhook", port).body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=body, method="POST")
        urllib.request.urlopen(request).read()


# --- Sinks -----------------------------------------------------------------------------------------


async def _mail_sink(ready: Callable[[int], None]) -> None:
    from aiosmtpd.smtp import SMTP

    class Taken:
        async def handle_DATA(self, *_: Any) -> str:  # noqa: N802
            return "250 taken"

    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Taken(), loop=loop), "127.0.0.1", 0)
    ready(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def _web_sink(ready: Callable[[int], None]) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(
                    (
                        int(line[15:])
                        for line in head.lower().split(b"\r\n")
                        if line.startswith(b"content-length")
                    ),
                    0,
                )
                await reader.readexactly(length)
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    ready(server.sockets[0].getsockname()[1])
    await server.serve_forever()


@contextmanager
def _running(sink: Callable[[Callable[[int], None]], Any]) -> Iterator[int]:
    method = multiprocessing.get_context("spawn")
    ours, theirs = method.Pipe()
    process = method.Process(target=_serve, args=(sink.__name__, theirs), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def _serve(name: str, pipe: Any) -> None:
    asyncio.run(globals()[name](pipe.send))


def _seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    count = int(sys.argv[sys.argv.index("--count") + 1]) if "--count" in sys.argv else COUNT
    found = rows(count)
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        against = f"{row['against']} {row['peer']:>8}   × {row['ratio']:.1f}" if row["against"] else ""
        print(f"{row['name']:36} {row['ours']:>9}   {against}")


if __name__ == "__main__":
    main()
