"""The errors that `zipfile` raises for a damaged file."""

from __future__ import annotations

import lzma
import struct
import sys
import zipfile
import zlib

# A flipped bit may also make a name impossible, or name another way of compression, whose module then raises
# an error of its own: bzip2 an OSError.
DAMAGED_ZIP: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    UnicodeDecodeError,
    NotImplementedError,
    OSError,
    EOFError,
)
if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError

    DAMAGED_ZIP = (*DAMAGED_ZIP, ZstdError)

UNREADABLE_ZIP: tuple[type[Exception], ...] = (*DAMAGED_ZIP, ValueError, RuntimeError)
"""Also what files raise that others made: encrypted parts, places that are not in the file."""
