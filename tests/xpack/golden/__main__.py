"""Writes the golden files of the present format version, unless they are there."""

from __future__ import annotations

from pathlib import Path

from tests.xpack.documents import XML
from tests.xpack.test_damage import golden_digests
from webvigil.document import read
from webvigil.xpack import PROFILES, Writer, pack
from webvigil.xpack.sections import VERSION

FOLDER = Path(__file__).parent


def main() -> None:
    with (FOLDER / f"version-{VERSION}.xpk").open("xb") as stream, Writer(stream) as writer:
        for name, source, kind in golden_digests():
            writer.add(read(source, kind), name=name, source=source)
    for profile in PROFILES:
        data = pack(XML["books"].encode(), "text/xml", profile=profile, signatures=True)
        with (FOLDER / f"version-{VERSION}-{profile}.xpk").open("xb") as stream:
            stream.write(data)


if __name__ == "__main__":
    main()
