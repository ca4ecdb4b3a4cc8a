"""Web archives with captures of a page from 2018 to 2021, written by the library warcio."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

URL = "http://site.test/lamp"
OTHER = "http://elsewhere.test/"


def page(price: int) -> bytes:
    return f"<html><body><h1>Lamp</h1><p class=price>{price} EUR</p><p>Aurora".encode()


CAPTURES = (
    ("2019-03-01T00:00:00Z", URL, 200, page(10)),
    ("2018-01-01T00:00:00Z", URL, 200, page(8)),  # archives are not in order
    ("2019-06-01T00:00:00Z", OTHER, 200, b"<p>other"),
    ("2020-01-01T12:00:00Z", URL, 200, page(10)),  # nothing changed
    ("2020-05-01T00:00:00Z", URL, 404, b"<p>gone"),
    ("2021-01-01T00:00:00Z", "https://site.test/lamp#top", 200, page(25)),
)


def write(file: Path, captures: Iterable[tuple[str, str, int, bytes]] = CAPTURES, **options: Any) -> Path:
    """Writes a WARC file whose bodies are coded as servers send them."""
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=not file.name.endswith(".warc"), **options)
        writer.write_record(writer.create_warcinfo_record(file.name, {"software": "others"}))
        for date, url, status, body in captures:
            headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
            sent = gzip.compress(body)
            record = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(sent),
                length=len(sent),
                http_headers=StatusAndHeaders(f"{status} Said", headers, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": date},
            )
            writer.write_record(record)
    return file


def with_revisit(file: Path) -> Path:
    """Returns a WARC file in which a third capture repeats the content of the first."""
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        digest = ""
        for date, price in (("2018-01-01T00:00:00Z", 8), ("2019-01-01T00:00:00Z", 9)):
            body = page(price)
            record = writer.create_warc_record(
                URL,
                "response",
                payload=io.BytesIO(body),
                length=len(body),
                http_headers=StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": date},
            )
            writer.write_record(record)
            digest = digest or record.rec_headers.get_header("WARC-Payload-Digest")
        writer.write_record(
            writer.create_revisit_record(
                URL,
                digest,
                URL,
                "2018-01-01T00:00:00Z",
                warc_headers_dict={"WARC-Date": "2020-01-01T00:00:00Z"},
            )
        )
    return file
