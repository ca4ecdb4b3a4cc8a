"""The page repository: an Answer in, the same Answer out, exact to the byte (R2), and cheap to store (R3).

An answer becomes one byte string: a head (address, status, headers in order), the body, the frames. The first
version of a page is stored whole. Each next version is compressed with the version before as dictionary, so
that little more than the differences is written. After a few steps the whole copy is the dictionary again, so
that reading any version takes few steps. If a page has become very different (its delta is more than half of
a whole copy), a new whole copy is stored.

    object   "WVB2"  nonce  steps to the whole copy  [key of the dictionary]  zstd frame

Most deltas have a few hundred bytes. A file of its own would take longer to make than everything else that is
done for it, so a small delta is written to the row of its version, in the same transaction. Everything else
is an object in the object store.

The key of an object is the digest of its bytes, so damage is noticed when the object is read. The random
nonce makes each key new, even for equal content. So only one version ever names an object, and an object that
no version names can be removed without a race against a version that is about to use it. Objects that belong
to a version (its screenshot, its Page Digest) have the version's key with an ending.

The pictures of a page are stored so that the old picture can be shown when another picture takes its place
(P2, C3). A version stores only the pictures that are new in it, as far as there is room; the others are
stored with an earlier version.

Older repositories hold whole copies under the digest of their content; these can still be read.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import zstandard
from blake3 import blake3

from webvigil.errors import ObjectLost, ObjectMissing, StoreError, VersionLost
from webvigil.model.version import Answer, Frame
from webvigil.store.objects.keys import DIGEST, PICTURE, PICTURES
from webvigil.store.promises import Objects

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL, _WINDOW = zstd.CompressionParameter.compression_level, zstd.CompressionParameter.window_log

# The most deltas between a version and its whole copy. More deltas save space and make reading slower; run
# bench.speed.history again before changing the number.
DEPTH = 8

_ANSWER = b"WVA1"
_OBJECT = b"WVB2"
_NONCE = 8  # bytes
_KEY = 16  # bytes of a key in an object
_OLD_KEY = 64  # characters of a key in older repositories
# Levels of zstd, from bench.speed.history; run it again before changing them. Deltas: levels 9 to 19 differ
# by 3 % in size over real histories and by ten times in time. Below level 9 a dictionary of megabytes is no
# longer searched well, but a dictionary of an ordinary page is: level 3 writes a tenth more, about forty
# bytes, in half the time. Long-distance matching makes the result worse. Whole copies: level 9 saves 8 %
# against level 3 and takes four times as long, a sixth of the first look at a page; level 17 saves 3 % more
# and takes ten times as long as level 9. A page has one whole copy for many deltas: over real histories
# level 3 writes 4 % more than level 9, and packing the copy again later would save less than one delta.
_WHOLE, _DELTA, _SMALL_DELTA = 3, 9, 3
_LARGE = 300_000
_LARGEST_WINDOW = 30
# The most bytes of a delta in the row of its version. A row should fit into a page of the database.
_SMALL = 2_500
# zstd treats a shorter dictionary as no dictionary.
_SHORTEST_DICTIONARY = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where a version was stored: its object, the object that this is relative to ("" for a whole copy), the
    bytes written, and the picture ("" for none). If there is a `delta`, it is the object, and not stored yet:
    it belongs into the row of the version. `objects` are the keys and contents in the object store."""

    object: str
    base: str = ""
    stored: int
    picture: str = ""
    delta: bytes = b""
    objects: tuple[tuple[str, bytes], ...] = ()


Deltas = Callable[[str], Mapping[str, bytes]]
"""Takes an object and returns, by object, the deltas in rows of versions that are needed to read it."""


class PageRepository:
    """Stores and reads answers. `deltas` reads those in rows of versions; without it there are none. `depth`
    is how many deltas a version may be away from a whole copy; 0 stores only whole copies."""

    def __init__(self, objects: Objects, deltas: Deltas | None = None, *, depth: int = DEPTH) -> None:
        self._objects = objects
        self._deltas = deltas
        self._depth = min(depth, 255)

    @property
    def distant(self) -> bool:
        """True if reading or storing a version waits for a network."""
        return self._objects.distant

    def keep(
        self,
        answer: Answer,
        *,
        after: str = "",
        picture: bytes = b"",
        pictures: Iterable[tuple[str, bytes]] = (),
        in_row: bool = False,
    ) -> Kept:
        """Stores an answer as a new object. `after` is the object of the version before, `picture` a
        screenshot, `pictures` the pictures by address that are new on the page. With `in_row` a small delta
        is not stored here: the caller writes it to the row of the version."""
        made = self.made(answer, after=after, picture=picture, pictures=pictures, in_row=in_row)
        self.store(made)
        return made

    def store(self, made: Kept) -> None:
        """Stores the objects of an answer, and waits until they are on the disk."""
        for key, content in made.objects:
            self._objects.put(key, content)

    def made(
        self,
        answer: Answer,
        *,
        after: str = "",
        picture: bytes = b"",
        pictures: Iterable[tuple[str, bytes]] = (),
        in_row: bool = False,
    ) -> Kept:
        """Returns an answer as `keep` would store it, without storing it."""
        content = _packed(answer)
        new = self._relative(content, after) or _whole(content)
        key = _key(new.data)
        is_row = in_row and self._deltas is not None and bool(new.base) and len(new.data) <= _SMALL
        shown = packed(pictures)
        objects = ((key, b"" if is_row else new.data), (key + PICTURE, picture), (key + PICTURES, shown))
        return Kept(
            object=key,
            base=new.base,
            stored=len(new.data) + len(picture) + len(shown),
            picture=key + PICTURE if picture else "",
            delta=new.data if is_row else b"",
            objects=tuple((name, content) for name, content in objects if content),
        )

    def answer(self, key: str) -> Answer:
        return _unpacked(self._content(key))

    def keep_picture(self, picture: bytes) -> str:
        """Stores a picture that belongs to no version, and returns its object."""
        key = _key(os.urandom(_NONCE) + picture)
        self._objects.put(key + PICTURE, picture)
        return key + PICTURE

    def picture(self, key: str) -> bytes:
        picture = self._objects.get(key)
        if not is_whole(key, picture):
            raise _damaged(key)
        return picture

    def pictures(self, key: str) -> dict[str, bytes]:
        """Returns the pictures that were stored with a version, by address."""
        try:
            return unpacked(self._objects.get(key + PICTURES))
        except ObjectLost:
            return {}

    # --- digests: computed from answers, so that losing one does no harm ------------------------------

    def keep_digest(self, key: str, packed: bytes, *, instead_of: str = "") -> None:
        """Stores the packed Page Digest of a version. `instead_of` names a version whose digest is deleted;
        after a crash its digest may be found for this version, too."""
        if instead_of:
            self._objects.succeed(key + DIGEST, packed, old=instead_of + DIGEST)
        else:
            self._objects.put(key + DIGEST, packed, lasting=False)

    def digest(self, key: str) -> bytes | None:
        """Returns the packed Page Digest of a version, or None if it is not stored."""
        try:
            return self._objects.get(key + DIGEST)
        except ObjectLost:
            return None

    def drop_digest(self, key: str) -> None:
        self._objects.delete([key + DIGEST])

    # --- whole copies and deltas ----------------------------------------------------------------------

    def _relative(self, content: bytes, after: str) -> _New | None:
        """Returns the content as a delta to the version before, or to that version's whole copy. Returns None
        if a whole copy has to be stored."""
        # Objects of older repositories have longer keys; the format of a delta has no room for such a key.
        if len(after) != 2 * _KEY or not self._depth:
            return None
        try:
            chain = self._chain(after)
            far = len(chain) > self._depth
            base = chain[-1:] if far else chain
            dictionary = _resolved(base)
        except ObjectLost:
            return None  # an object that cannot be read is no base for a delta
        new = _delta(content, dictionary, base[0].key, len(base))
        return new if 2 * len(new.data) < len(chain[-1].data) else None

    def _content(self, key: str) -> bytes:
        return _resolved(self._chain(key))

    def _chain(self, key: str) -> list[_Stored]:
        """Reads the object of a version and all objects that it is relative to; the last is a whole copy."""
        rows: dict[str, bytes] = {}
        found = [self._stored(key, rows)]
        while found[-1].base:
            found.append(self._stored(found[-1].base, rows))
        return found

    def _stored(self, key: str, rows: dict[str, bytes]) -> _Stored:
        """Reads one object of a chain. `rows` gets the deltas of the chain that are in rows of versions; they
        are all read when the first object is missing in the object store."""
        try:
            data = rows.get(key) or self._objects.get(key)
        except ObjectMissing:
            rows |= self._deltas(key) if self._deltas and not rows else {}
            if key not in rows:
                raise
            data = rows[key]
        if len(key) == _OLD_KEY:
            return _Stored(key, "", 0, data)
        if not is_whole(key, data):
            raise _damaged(key)
        return _opened(key, data)


class _New(NamedTuple):
    data: bytes
    base: str


class _Stored(NamedTuple):
    key: str
    base: str
    frame: int  # the offset at which the zstd frame begins
    data: bytes


def _key(data: bytes) -> str:
    return blake3(data).hexdigest(length=_KEY)


def _whole(content: bytes) -> _New:
    return _New(_OBJECT + os.urandom(_NONCE) + b"\0" + _compressed(content, b""), "")


def _delta(content: bytes, dictionary: bytes, base: str, depth: int) -> _New:
    head = _OBJECT + os.urandom(_NONCE) + bytes([depth]) + bytes.fromhex(base)
    return _New(head + _compressed(content, dictionary), base)


def _opened(key: str, data: bytes) -> _Stored:
    place = len(_OBJECT) + _NONCE
    if not data.startswith(_OBJECT) or len(data) <= place:
        raise StoreError(f"object {key} is of a kind that this version does not know")
    if not data[place]:
        return _Stored(key, "", place + 1, data)
    return _Stored(key, data[place + 1 : place + 1 + _KEY].hex(), place + 1 + _KEY, data)


def _resolved(chain: list[_Stored]) -> bytes:
    """Decompresses the chain from the whole copy at its end, and returns the content of the first object."""
    content = b""
    for one in reversed(chain):
        content = _decompressed(one, content)
    return content


def _compressed(content: bytes, dictionary: bytes) -> bytes:
    size = len(content) + len(dictionary)
    # The window must reach back over the whole dictionary, or zstd finds no matches at its beginning.
    window = max(10, min(size.bit_length(), _LARGEST_WINDOW))
    if len(dictionary) < _SHORTEST_DICTIONARY:
        return zstd.compress(content, options={_LEVEL: _WHOLE, _WINDOW: window})
    # As a prefix the dictionary is searched as it is; a zstd dictionary would first be indexed for many
    # texts, and this one is used once.
    prefix = zstd.ZstdDict(dictionary, is_raw=True).as_prefix
    level = _SMALL_DELTA if size <= _LARGE else _DELTA
    return zstd.compress(content, options={_LEVEL: level, _WINDOW: window}, zstd_dict=prefix)


def _decompressed(one: _Stored, dictionary: bytes) -> bytes:
    opener = zstandard.ZstdDecompressor(
        dict_data=_as_dictionary(dictionary), max_window_size=1 << _LARGEST_WINDOW
    )
    try:
        content = opener.decompress(memoryview(one.data)[one.frame :])
    except zstandard.ZstdError as error:
        raise _damaged(one.key) from error
    if len(one.key) == _OLD_KEY and blake3(content).hexdigest() != one.key:
        raise _damaged(one.key)
    return content


def _as_dictionary(content: bytes) -> zstandard.ZstdCompressionDict | None:
    if len(content) < _SHORTEST_DICTIONARY:
        return None
    return zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _damaged(key: str) -> ObjectLost:
    return ObjectLost(f"object {key} is damaged: its content does not match its name")


def is_whole(key: str, data: bytes) -> bool:
    """Says whether an object still has the content that its key was made from. A key that is not a digest
    cannot tell; for such a key the answer is always yes."""
    if len(key) == 2 * _KEY:
        return _key(data) == key
    return len(key) != _OLD_KEY or _old_key(data) == key


def _old_key(data: bytes) -> str:
    """Returns the key that an older repository would have given: pictures were named by the digest of their
    bytes, answers by the digest of their uncompressed content."""
    if not data.startswith(zstandard.FRAME_HEADER):
        return blake3(data).hexdigest()
    try:
        return blake3(zstandard.ZstdDecompressor().decompress(data)).hexdigest()
    except zstandard.ZstdError:
        return ""


@contextmanager
def reading_version(number: int) -> Iterator[None]:
    """Turns ObjectLost in the block into VersionLost, which tells the number of the version."""
    try:
        yield
    except VersionLost:
        raise
    except ObjectLost as error:
        raise VersionLost(number, str(error)) from error


# --- an answer as one byte string -----------------------------------------------------------------------


def _packed(answer: Answer) -> bytes:
    """Packs an answer. Frames follow the body; the head lists their addresses and lengths, and the signatures
    of the pictures.

    The lists are left out of the head if the answer has neither, which keeps the format of older objects.
    """
    frames = [(frame.address, _packed(frame.answer)) for frame in answer.frames]
    lengths = [[address, len(packed)] for address, packed in frames]
    more = [lengths, answer.pictures] if answer.pictures else [lengths] if lengths else []
    parts = [answer.url, answer.status, answer.headers, *more]
    head = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogateescape")
    inner = b"".join(packed for _, packed in frames)
    return _ANSWER + struct.pack(">I", len(head)) + head + answer.body + inner


def _unpacked(content: bytes) -> Answer:
    start = len(_ANSWER) + 4
    (length,) = struct.unpack_from(">I", content, len(_ANSWER))
    head = content[start : start + length].decode("utf-8", "surrogateescape")
    url, status, headers, *more = json.loads(head)
    lengths = more[0] if more else []
    end = len(content) - sum(size for _, size in lengths)
    return Answer(
        url=url,
        status=status,
        headers=tuple((name, value) for name, value in headers),
        body=content[start + length : end],
        frames=tuple(_frames(content, end, lengths)),
        pictures=tuple((address, seen) for address, seen in (more[1] if len(more) > 1 else ())),
    )


def _frames(content: bytes, place: int, lengths: list[tuple[str, int]]) -> Iterator[Frame]:
    for address, size in lengths:
        yield Frame(address=address, answer=_unpacked(content[place : place + size]))
        place += size


# Bytes of one picture and of all pictures of a version. A page with a hundred photographs must not fill the
# disk.
LARGEST = 2_000_000
ROOM = 10_000_000
_MAGIC = b"WVI1"

Pictures = dict[str, bytes]


def packed(pictures: Iterable[tuple[str, bytes]]) -> bytes:
    """Packs pictures by address. Pictures that are too large are left out; b"" means that nothing is left to
    store."""
    kept: Pictures = {}
    room = ROOM
    for address, body in pictures:
        if body and len(body) <= min(LARGEST, room):
            kept[address] = body
            room -= len(body)
    if not kept:
        return b""
    head = json.dumps([[address, len(body)] for address, body in kept.items()]).encode()
    return b"".join([_MAGIC, struct.pack(">I", len(head)), head, *kept.values()])


def unpacked(content: bytes) -> Pictures:
    """Returns the pictures by address. Returns no pictures for damaged bytes: a page without pictures is
    better than no page."""
    try:
        (length,) = struct.unpack_from(">I", content, len(_MAGIC))
        place = len(_MAGIC) + 4 + length
        found: Pictures = {}
        for address, size in json.loads(content[len(_MAGIC) + 4 : place]):
            found[address] = content[place : place + size]
            place += size
    except (struct.error, ValueError, TypeError):
        return {}
    return found
