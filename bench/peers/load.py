"""Sends one request to a web server again and again, and measures what each answer costs the server.

`wrk` asks where it is installed (Debian has a package of this name), we ourselves otherwise. Throughput
depends on what else the machine does; the CPU time that the server's processes took for one answer hardly
does, so that is what is compared.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

CONNECTIONS = 4
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Load:
    """Answers per second, milliseconds of CPU that the server took for one answer, and bytes of an answer."""

    per_second: float
    cpu: float
    size: int


def load(url: str, headers: Mapping[str, str], process: int, seconds: float) -> Load:
    """Sends the request for so many seconds, and returns what the server did. `process` is the id of the
    server's process. Raises RuntimeError for any answer but 200."""
    _, size = asyncio.run(_asked(url, headers, 0.5))
    cpu, began = cpu_of(process), time.perf_counter()
    wrk = shutil.which("wrk")
    count = _by_wrk(wrk, url, headers, seconds) if wrk else asyncio.run(_asked(url, headers, seconds))[0]
    took = time.perf_counter() - began
    return Load(count / took, (cpu_of(process) - cpu) * 1000 / count, size)


def asker() -> str:
    return "wrk" if shutil.which("wrk") else "our own generator"


def _by_wrk(program: str, url: str, headers: Mapping[str, str], seconds: float) -> int:
    """Returns how many answers came."""
    said = [part for name, text in headers.items() for part in ("-H", f"{name}: {text}")]
    many = ["-t1", f"-c{CONNECTIONS}", f"-d{max(round(seconds), 1)}s"]
    done = subprocess.run([program, *many, *said, url], capture_output=True, text=True, check=True)
    return answers_in(done.stdout)


def answers_in(report: str) -> int:
    """Returns the number of answers in a report of wrk. Raises RuntimeError if some requests failed."""
    counted = re.search(r"^\s*(\d+) requests in ", report, re.MULTILINE)
    if "Non-2xx" in report or "Socket errors" in report or not counted or not int(counted[1]):
        raise RuntimeError(f"the server did not answer all of it: {' '.join(report.split())}")
    return int(counted[1])


def cpu_of(process: int) -> float:
    """Returns the seconds of CPU that a process and all its children have used."""
    below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS + sum(cpu_of(int(one)) for one in below)


async def _asked(url: str, headers: Mapping[str, str], seconds: float) -> tuple[int, int]:
    """Returns how many answers came, and how large the last one was."""
    until = time.perf_counter() + seconds
    found = await asyncio.gather(*(_one_after_the_other(url, headers, until) for _ in range(CONNECTIONS)))
    return sum(count for count, _ in found), found[0][1]


async def _one_after_the_other(url: str, headers: Mapping[str, str], until: float) -> tuple[int, int]:
    parts = urlsplit(url)
    said = {"Host": parts.netloc, **headers}
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    request = (
        f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {text}\r\n" for name, text in said.items()) + "\r\n"
    )
    count = size = 0
    reader = writer = None
    while time.perf_counter() < until:
        if reader is None or writer is None:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**24)
        writer.write(request.encode())
        size, stays_open = await _answer(reader)
        count += 1
        if not stays_open:
            writer.close()
            reader = writer = None
    if writer:
        writer.close()
    return count, size


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """Reads one answer. Returns the size of its body, and whether the connection can be used again."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    if " 200 " not in head.partition("\r\n")[0] + " ":
        raise RuntimeError(f"the server answered {head.partition(chr(13))[0]!r}")
    length = re.search(r"\r\ncontent-length: *(\d+)", head)
    closes = "\r\nconnection: close" in head or head.startswith("http/1.0")
    if length:
        return len(await reader.readexactly(int(length[1]))), not closes
    if "transfer-encoding: chunked" in head:
        return await _chunks(reader), not closes
    return len(await reader.read()), False


async def _chunks(reader: asyncio.StreamReader) -> int:
    size = 0
    while length := int(await reader.readline(), 16):
        size += len(await reader.readexactly(length + 2)) - 2
    await reader.readline()
    return size
