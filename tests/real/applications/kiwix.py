"""Kiwix: a shelf of books from ZIM files, with a search in their texts."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from tests.real.application import HARBOUR, LANTERN, Application, Page, free_port
from tests.real.installing import Debian

_ABOUT = (
    *("--welcome=index.html", "--illustration=icon.png", "--language=eng", "--title=Harbour office"),
    *("--description=Books of the office", "--creator=Keeper", "--publisher=Keeper", "--name=office"),
)
_ICON = 48


class Kiwix(Application):
    name = "Kiwix"
    pages = (
        Page(name="front page", path="/", edited=False),
        Page(name="content page", path="/office/harbour.html"),
        Page(name="search result", path="/search?content=office&pattern=harbour"),
    )
    searches = ((("/search", "pattern"),),)
    content = ("book/*",)

    def install(self) -> None:
        self._package = Debian("kiwix-tools", "zim-tools")

    def start(self, folder: Path) -> str:
        self._folder, self._port = folder, free_port()
        (folder / "book").mkdir()
        (folder / "book/icon.png").write_bytes(_icon())
        self._write(
            "index", "Harbour office", '<a href="harbour.html">Rules</a> <a href="bell.html">Bell</a>'
        )
        self._write("harbour", "Rules of the harbour", HARBOUR)
        self._write("bell", "Bell", "The bell of the harbour is silent, and nobody knows why.")
        return self._serve("one")

    def edit(self) -> None:
        self._write("harbour", "Rules of the harbour", f"{LANTERN} of the harbour. {HARBOUR}")
        self.stop()
        self._serve("two")

    def _write(self, name: str, title: str, text: str) -> None:
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}.</p></body></html>"
        (self._folder / "book" / f"{name}.html").write_text(page)

    def _serve(self, edition: str) -> str:
        """Binds the pages into a new file, as the makers of such books do, and shows it."""
        way = {"LD_LIBRARY_PATH": self._package.libraries}
        place = self._folder / edition
        place.mkdir()
        book = place / "office.zim"
        self.run(self._package.path("usr/bin/zimwriterfs"), *_ABOUT, self._folder / "book", book, **way)
        return self.launch(
            *(self._package.path("usr/bin/kiwix-serve"), "--address=127.0.0.1", f"--port={self._port}", book),
            folder=self._folder,
            port=self._port,
            **way,
        )


def _icon() -> bytes:
    """Returns a small white picture as PNG, which a book must have."""
    rows = zlib.compress(b"".join(b"\0" + b"\xff" * 3 * _ICON for _ in range(_ICON)))
    head = struct.pack(">IIBBBBB", _ICON, _ICON, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
