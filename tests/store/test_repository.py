"""The page repository: versions take little space and come back exact to the byte (R2, R3)."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from webvigil.errors import ObjectLost, ObjectMissing, StoreBusy, StoreError
from webvigil.model.version import Answer, Frame
from webvigil.store import repository
from webvigil.store.objects.directory import Directory
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Objects
from webvigil.store.repository import Kept, PageRepository


def answer(body: bytes, **more: str) -> Answer:
    headers = (("Content-Type", "text/html"), *more.items())
    return Answer(url="http://site.test/", status=200, headers=headers, body=body)


def text(seed: int, words: int = 2000) -> list[bytes]:
    dice = random.Random(seed)
    return [b"%x" % dice.randrange(16**6) for _ in range(words)]


def edited(words: list[bytes], seed: int) -> list[bytes]:
    place = random.Random(seed).randrange(len(words))
    return [*words[:place], b"edit%d" % seed, *words[place + 1 :]]


def kept_history(repository: PageRepository, bodies: list[bytes]) -> list[Kept]:
    found: list[Kept] = []
    for body in bodies:
        found.append(repository.keep(answer(body), after=found[-1].object if found else ""))
    return found


def bodies_of_a_page(versions: int) -> list[bytes]:
    words = text(1)
    found = []
    for number in range(versions):
        words = edited(words, number)
        found.append(b" ".join(words))
    return found


def test_a_history_costs_little_more_than_one_version_and_comes_back_exactly(objects: Objects):
    repository = PageRepository(objects)
    bodies = bodies_of_a_page(40)
    history = kept_history(repository, bodies)
    assert [repository.answer(one.object).body for one in history] == bodies
    assert [one.base == "" for one in history] == [True] + [False] * 39
    assert sum(one.stored for one in history) < 1.5 * history[0].stored


class Rows:
    """Rows of versions that hold small deltas. It counts how often they are read."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.reads = 0

    def __call__(self, key: str) -> dict[str, bytes]:
        self.reads += 1
        return dict(self.held)

    def history(self, repository: PageRepository, bodies: list[bytes]) -> list[Kept]:
        found: list[Kept] = []
        for body in bodies:
            after = found[-1].object if found else ""
            found.append(repository.keep(answer(body), after=after, in_row=True))
            if found[-1].delta:
                self.held[found[-1].object] = found[-1].delta
        return found


def test_small_deltas_are_for_the_rows_and_everything_else_is_an_object(objects: Objects):
    rows = Rows()
    repository = PageRepository(objects, rows)
    new = b" ".join(edited(text(2, 4000), 1))
    bodies = [*bodies_of_a_page(20), new, new + b" ".join(text(3, 900))]
    history = rows.history(repository, bodies)
    assert [bool(one.delta) for one in history] == [False] + [True] * 19 + [False, False]
    assert [bool(one.base) for one in history] == [False] + [True] * 19 + [False, True]
    assert sorted(objects.keys()) == sorted(one.object for one in history if not one.delta)
    assert [repository.answer(one.object).body for one in history] == bodies
    rows.reads = 0
    repository.answer(history[0].object)
    assert rows.reads == 0, "a whole copy needs no rows"
    repository.answer(history[7].object)
    assert rows.reads == 1, "the rows of a chain are read together"


def test_deltas_that_were_stored_as_objects_before_are_read_and_followed(objects: Objects):
    rows, bodies = Rows(), bodies_of_a_page(6)
    before = kept_history(PageRepository(objects), bodies[:3])
    repository = PageRepository(objects, rows)
    after = before[-1].object
    for body in bodies[3:]:
        made = repository.keep(answer(body), after=after, in_row=True)
        rows.held[made.object], after = made.delta, made.object
        assert made.delta
        assert repository.answer(after).body == body
    assert len(list(objects.keys())) == 3


def test_without_rows_every_delta_is_an_object(objects: Objects):
    repository = PageRepository(objects)
    first, second = bodies_of_a_page(2)
    one = repository.keep(answer(first), in_row=True)
    two = repository.keep(answer(second), after=one.object, in_row=True)
    assert (bool(two.base), two.delta) == (True, b"")
    assert repository.answer(two.object).body == second


def test_a_delta_in_a_row_that_is_lost_or_damaged_is_noticed():
    rows, objects = Rows(), MemoryObjects()
    repository = PageRepository(objects, rows)
    one, two, three = rows.history(repository, bodies_of_a_page(3))
    for place in range(0, len(two.delta), 7):
        rows.held[two.object] = two.delta[:place] + bytes([two.delta[place] ^ 1]) + two.delta[place + 1 :]
        with pytest.raises(StoreError, match="does not match its name"):
            repository.answer(three.object)
    for gone in (b"", None):
        rows.held |= {two.object: gone or b""}
        if gone is None:
            del rows.held[two.object]
        with pytest.raises(ObjectLost):
            repository.answer(three.object)
    assert repository.keep(answer(b"four"), after=three.object).base == ""
    assert repository.answer(one.object)


def test_no_version_is_many_steps_from_a_whole_copy():
    objects = Counting()
    repository = PageRepository(objects, depth=4)
    history = kept_history(repository, bodies_of_a_page(20))
    for one in history:
        objects.gets = 0
        repository.answer(one.object)
        assert objects.gets <= 5
    bases = [one.base for one in history]
    assert bases[5] == history[0].object, "after four steps the whole copy is the base again"
    assert bases[6] == history[5].object


def test_whole_copies_alone_on_request():
    repository = PageRepository(MemoryObjects(), depth=0)
    assert not any(one.base for one in kept_history(repository, bodies_of_a_page(3)))


def test_a_page_that_became_another_begins_a_new_whole_copy():
    repository = PageRepository(MemoryObjects())
    first, other = b" ".join(text(1)), b" ".join(text(2))
    _, two, three = kept_history(repository, [first, other, other + b" more"])
    assert (two.base, three.base) == ("", two.object)


def test_a_version_whose_base_is_lost_or_damaged_is_followed_by_a_whole_copy():
    objects = MemoryObjects()
    repository = PageRepository(objects)
    one, two = kept_history(repository, bodies_of_a_page(2))
    objects.delete([one.object])
    with pytest.raises(ObjectMissing):
        repository.answer(two.object)
    three = repository.keep(answer(b"three"), after=two.object)
    assert (three.base, repository.answer(three.object).body) == ("", b"three")
    objects.put(two.object, b"garbage")
    with pytest.raises(StoreError, match="does not match its name"):
        repository.answer(two.object)
    assert repository.keep(answer(b"four"), after=two.object).base == ""


def test_a_store_that_is_busy_is_no_reason_for_a_whole_copy():
    objects = Counting()
    repository = PageRepository(objects)
    (one,) = kept_history(repository, bodies_of_a_page(1))
    objects.busy = True
    with pytest.raises(StoreBusy):
        repository.keep(answer(b"two"), after=one.object)


def test_equal_content_has_a_key_of_its_own_each_time():
    """If two versions shared an object, the collector could remove it just before the second version names it
    (R1)."""
    repository = PageRepository(MemoryObjects())
    assert repository.keep(answer(b"same")).object != repository.keep(answer(b"same")).object


def test_every_damaged_byte_of_a_version_is_noticed(tmp_path: Path):
    directory = Directory(tmp_path)
    repository = PageRepository(directory)
    two = kept_history(repository, bodies_of_a_page(2))[1]
    data = directory.get(two.object)
    for place in range(0, len(data), 7):
        directory.put(two.object, data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(StoreError):
            repository.answer(two.object)
    for length in range(0, len(data), 11):
        directory.put(two.object, data[:length])
        with pytest.raises(StoreError):
            repository.answer(two.object)


def test_versions_of_an_older_repository_are_read_and_followed():
    objects = MemoryObjects()
    repository = PageRepository(objects)
    key = put_as_before(objects, b'["http://x/", 200, [["A", "b"]]]', b"old body")
    assert repository.answer(key) == Answer(
        url="http://x/", status=200, headers=(("A", "b"),), body=b"old body"
    )
    picture = blake3(b"png").hexdigest()
    objects.put(picture, b"png")
    assert repository.picture(picture) == b"png"
    after = repository.keep(answer(b"old body, new"), after=key)
    assert (after.base, repository.answer(after.object).body) == ("", b"old body, new")
    objects.put(key, zstandard.compress(b"something else"))
    with pytest.raises(StoreError, match="does not match its name"):
        repository.answer(key)


def put_as_before(objects: Objects, head: bytes, body: bytes) -> str:
    content = b"WVA1" + len(head).to_bytes(4, "big") + head + body
    key = blake3(content).hexdigest()
    objects.put(key, zstandard.ZstdCompressor(level=9).compress(content))
    return key


ANSWERS = st.builds(
    lambda body, headers, frames: Answer(
        url="http://x/",
        status=200,
        headers=tuple(headers),
        body=body,
        frames=tuple(Frame(address="http://f/", answer=answer(one)) for one in frames),
    ),
    st.binary(max_size=200) | st.sampled_from([b"", b"ab" * 4000, bytes(range(256)) * 40]),
    st.lists(st.tuples(st.text(max_size=5), st.text(st.characters(codec="utf-8"), max_size=9)), max_size=3),
    st.lists(st.binary(max_size=40), max_size=2),
)


@given(st.lists(ANSWERS, min_size=1, max_size=12), st.integers(0, 3))
def test_every_history_comes_back(answers: list[Answer], depth: int):
    repository = PageRepository(MemoryObjects(), depth=depth)
    keys: list[str] = []
    for one in answers:
        keys.append(repository.keep(one, after=keys[-1] if keys else "").object)
    assert [repository.answer(key) for key in keys] == answers


def test_a_large_page_is_kept_quickly():
    body = random.Random(1).randbytes(3_000_000)
    repository = PageRepository(MemoryObjects())
    _, two = kept_history(repository, [body, body[:1_000_000] + b"!" + body[1_000_000:]])
    assert two.stored < 1000
    assert repository.answer(two.object).body[1_000_000:1_000_001] == b"!"


class Counting(MemoryObjects):
    gets = 0
    busy = False

    def get(self, key: str) -> bytes:
        if self.busy:
            raise StoreBusy("not now")
        self.gets += 1
        return super().get(key)


# --- at the borders -------------------------------------------------------------------------------------


def test_an_answer_is_packed_as_before():
    plain = answer(b"<p>x")
    head = b'["http://site.test/", 200, [["Content-Type", "text/html"]]]'
    assert repository._packed(plain) == b"WVA1\0\0\0" + bytes([len(head)]) + head + b"<p>x"
    inner = repository._packed(plain)
    framed = replace(plain, frames=(Frame(address="http://f.test/", answer=plain),))
    frames = b'["http://site.test/", 200, [["Content-Type", "text/html"]], [["http://f.test/", %d]]]' % len(
        inner
    )
    assert repository._packed(framed) == b"WVA1\0\0\0" + bytes([len(frames)]) + frames + b"<p>x" + inner
    pictured = replace(plain, pictures=(("http://p.test/", "abc"),))
    pictures = b'["http://site.test/", 200, [["Content-Type", "text/html"]], [], [["http://p.test/", "abc"]]]'
    assert repository._packed(pictured) == b"WVA1\0\0\0" + bytes([len(pictures)]) + pictures + b"<p>x"
    for one in (plain, framed, pictured, replace(framed, pictures=pictured.pictures)):
        assert repository._unpacked(repository._packed(one)) == one


@pytest.mark.parametrize(("size", "is_kept"), [(2_000_000, True), (2_000_001, False), (0, False)])
def test_a_picture_has_at_most_two_megabytes(size: int, is_kept: bool):
    packed = repository.packed([("http://p.test/", bytes(size))])
    assert repository.unpacked(packed) == ({"http://p.test/": bytes(size)} if is_kept else {})
    assert (packed == b"") is not is_kept


def test_the_pictures_of_a_version_have_at_most_ten_megabytes():
    sizes = [2_000_000] * 4 + [1_999_999, 2, 1, 1]
    kept = repository.unpacked(repository.packed((str(n), bytes(size)) for n, size in enumerate(sizes)))
    assert {name: len(body) for name, body in kept.items()} == {
        **dict.fromkeys("0123", 2_000_000),
        "4": 1_999_999,
        "6": 1,
    }


def test_pictures_stand_behind_a_list_of_them():
    packed = repository.packed([("a", b"12"), ("b", b"345")])
    head = b'[["a", 2], ["b", 3]]'
    assert packed == b"WVI1\0\0\0" + bytes([len(head)]) + head + b"12345"
    for damaged in (b"", b"WVI1", packed[:9], packed[:8] + b"x" + packed[9:], b"WVI1\0\0\0\x01" + b"7"):
        assert repository.unpacked(damaged) == {}


def test_objects_say_how_they_are_to_be_read():
    kept = PageRepository(MemoryObjects()).made(answer(b"x"))
    ((key, whole),) = kept.objects
    assert (whole[:4], whole[12:13]) == (b"WVB2", b"\0")
    assert repository._opened(key, whole) == (key, "", 13, whole)
    base = "ab" * 16
    delta = whole[:12] + b"\x03" + bytes.fromhex(base) + b"frame"
    assert repository._opened(key, delta) == (key, base, 29, delta)
    for strange in (b"WVB3" + whole[4:], whole[:12], b""):
        with pytest.raises(StoreError, match="is of a kind that this version does not know"):
            repository._opened(key, strange)


def test_two_copies_of_one_content_have_keys_of_32_letters():
    made = [PageRepository(MemoryObjects()).made(answer(b"x")) for _ in range(2)]
    assert len({one.object for one in made}) == 2
    assert all(len(one.object) == 32 for one in made)


@pytest.mark.parametrize(("spare", "in_row"), [(0, True), (1, False)])
def test_a_delta_of_2500_bytes_fits_into_a_row(spare: int, in_row: bool, monkeypatch: pytest.MonkeyPatch):
    objects = MemoryObjects()
    there = PageRepository(objects, lambda _: {})
    first = there.keep(answer(random.Random(1).randbytes(20_000)))
    found = repository._New(bytes(2_500 + spare), first.object)
    monkeypatch.setattr(PageRepository, "_relative", lambda *_: found)
    made = there.made(answer(b"x"), after=first.object, in_row=True)
    assert (len(made.delta), len(made.objects)) == ((2_500, 0) if in_row else (0, 1))
    assert made.stored == 2_500 + spare
    alone = PageRepository(objects).made(answer(b"x"), after=first.object, in_row=True)
    assert alone.delta == b""
    assert there.made(answer(b"x"), after=first.object).delta == b""


def test_a_delta_is_kept_if_it_is_less_than_half_of_the_whole_copy(monkeypatch: pytest.MonkeyPatch):
    there = PageRepository(MemoryObjects())
    first = there.keep(answer(random.Random(1).randbytes(5_000)))
    half, odd = divmod(first.stored, 2)
    for size, base in ((half + odd - 1, first.object), (half + odd, "")):
        found = repository._New(bytes(size), first.object)
        monkeypatch.setattr(repository, "_delta", lambda *_, found=found: found)
        assert there.made(answer(b"x"), after=first.object).base == base


@pytest.mark.parametrize(("depth", "bases"), [(0, [None] * 4), (1, [None, 0, 0, 0]), (2, [None, 0, 1, 0])])
def test_a_version_is_at_most_so_many_deltas_from_a_whole_copy(depth: int, bases: list[int | None]):
    there = PageRepository(MemoryObjects(), depth=depth)
    history = kept_history(there, bodies_of_a_page(4))
    place = {one.object: number for number, one in enumerate(history)} | {"": None}
    assert [place[one.base] for one in history] == bases


@pytest.mark.parametrize("size", [0, 7, 8, 9, 1_000])
def test_a_short_version_is_no_dictionary_and_still_a_base(size: int):
    dictionary, content = bytes(range(256)) * 4, b"some words of a page"
    packed = repository._compressed(content, dictionary[:size])
    stored = repository._Stored("00" * 16, "", 0, packed)
    assert repository._decompressed(stored, dictionary[:size]) == content
    assert (repository._as_dictionary(dictionary[:size]) is None) is (size < 8)


@pytest.mark.parametrize(
    ("dictionary", "level"), [(0, 3), (7, 3), (8, 3), (300_000 - 100, 3), (300_000 - 99, 9)]
)
def test_a_large_dictionary_is_searched_more_thoroughly(
    dictionary: int, level: int, monkeypatch: pytest.MonkeyPatch
):
    asked: list[dict[object, int]] = []
    monkeypatch.setattr(repository.zstd, "compress", lambda _, options, **__: asked.append(options) or b"")
    repository._compressed(bytes(100), bytes(dictionary))
    assert asked == [{repository._LEVEL: level, repository._WINDOW: max(10, (100 + dictionary).bit_length())}]


def test_a_key_that_is_no_digest_cannot_tell():
    assert repository.is_whole("picture", b"x")
    assert repository.is_whole(blake3(b"x").hexdigest(length=16), b"x")
    assert not repository.is_whole(blake3(b"x").hexdigest(length=16), b"y")
    assert repository.is_whole(blake3(b"x").hexdigest(), b"x")
    assert repository.is_whole(blake3(b"x").hexdigest(), zstandard.compress(b"x"))
    assert not repository.is_whole(blake3(b"x").hexdigest(), zstandard.compress(b"x")[:-1])
    assert not repository.is_whole(blake3(b"y").hexdigest(), b"x")
