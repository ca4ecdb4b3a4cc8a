"""Packs the browser extension into one file, as the stores of browsers take it.

python scripts/pack_extension.py [FILE]   write webvigil-extension.zip, or the file that is named
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

EXTENSION = Path(__file__).parents[1] / "extension"
# The earliest time that a ZIP file can hold: equal files make an equal archive.
_THEN = (1980, 1, 1, 0, 0, 0)


def packed(folder: Path, file: Path) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in sorted(folder.rglob("*")):
            if one.is_file():
                entry = zipfile.ZipInfo(one.relative_to(folder).as_posix(), _THEN)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, one.read_bytes())


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "webvigil-extension.zip")
    packed(EXTENSION, target)
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")
