"""Writes the golden files of the present versions of the format, unless they exist."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from tests.xpack.documents import PLAY, XML
from tests.xpack.test_damage import golden_digests
from webvigil.document import read
from webvigil.xpack import PROFILES, Writer, pack
from webvigil.xpack.sections import MAGIC

FOLDER = Path(__file__).parent
VERSION_AT = len(MAGIC)


def main() -> None:
    together = BytesIO()
    with Writer(together) as writer:
        for name, source, kind in golden_digests():
            writer.add(read(source, kind), name=name, source=source)
    files = {"": together.getvalue()}
    for profile in PROFILES:
        files[f"-{profile}"] = pack(XML["books"].encode(), "text/xml", profile=profile, signatures=True)
    files["-lines"] = pack(PLAY.encode(), "text/xml")
    for name, data in files.items():
        file = FOLDER / f"version-{data[VERSION_AT]}{name}.xpk"
        if not file.exists():
            file.write_bytes(data)


if __name__ == "__main__":
    main()
