"""The parts of a page that are fetched with it: frames and pictures, without a server (F3, C3)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.errors import HostBusy, HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Limits, Reply
from webvigil.fetch.http import _Parts, _PartsLearnt, of_frame
from webvigil.model.version import Answer, Frame

HOME = "http://a.test/"


def page(body: str, url: str = HOME, status: int = 200) -> Answer:
    return Answer(url=url, status=status, headers=(("Content-Type", "text/html"),), body=body.encode())


def frame(address: str) -> str:
    return f"<iframe src='{address}'></iframe>"


class Web:
    """A client for which each address has an answer or an error; every other address is refused."""

    def __init__(self, **parts: str | PageError) -> None:
        self.parts = {f"{HOME}{name}": part for name, part in parts.items()}
        self.limits = Limits(frames=10)
        self.asked: list[Ask] = []

    async def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        found = self.parts.get(ask.url, PageRefused("gone"))
        if isinstance(found, PageError):
            raise found
        return Reply(answer=page(found, ask.url), received=1)

    def of(self) -> _Parts:
        async def judge(url: str) -> None:
            return None

        client: Any = self
        return _Parts(client, judge)


def shown(frames: tuple[Frame, ...]) -> list[Any]:
    """Returns the bodies of the frames, with those of the frames in them."""
    return [[one.answer.body.decode()[:1], *shown(one.answer.frames)] for one in frames]


def framed(web: Web, body: str, most: int = 10) -> tuple[list[Any], list[str]]:
    web.limits = Limits(frames=most)
    frames, facts = asyncio.run(web.of().frames(page(body), None))
    return shown(frames), [address.removeprefix(HOME) for address, _ in facts]


TREE = {"b": "B" + frame("c"), "c": "C" + frame("d"), "d": "D", "e": "E"}


@pytest.mark.parametrize(
    ("most", "found", "known"),
    [
        (10, [["B", ["C"]], ["E"]], ["b", "c", "e"]),
        (3, [["B", ["C"]], ["E"]], ["b", "c", "e"]),
        (2, [["B", ["C"]]], ["b", "c"]),
        (1, [["B"]], ["b"]),
        (0, [], []),
    ],
)
def test_frames_are_fetched_two_deep_and_up_to_their_limit(most: int, found: list[Any], known: list[str]):
    assert framed(Web(**TREE), frame("b") + frame("b") + frame("e"), most) == (found, known)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (PageUnreachable("later"), PageUnreachable, "the frame http://a.test/b: later"),
        (HostUnreachable("later"), PageUnreachable, "the frame http://a.test/b: later"),
        (HostBusy("later", wait=7), HostBusy, "the frame http://a.test/b: later"),
    ],
)
def test_a_frame_of_its_own_host_that_fails_for_now_is_the_trouble_of_the_page(
    error: PageError, kind: type, words: str
):
    with pytest.raises(PageError) as caught:
        framed(Web(b=error), frame("b"))
    assert (type(caught.value), str(caught.value)) == (kind, words)
    assert getattr(caught.value, "wait", 7) == 7
    assert type(of_frame("x", error)) is kind


def test_a_frame_that_may_not_be_visited_or_is_of_another_host_is_empty():
    assert framed(Web(), frame("b")) == ([[""]], ["b"])
    web = Web()
    web.parts["http://b.test/x"] = PageUnreachable("later")
    assert framed(web, frame("http://b.test/x")) == ([[""]], ["http://b.test/x"])
    with pytest.raises(PageUnreachable):
        framed(web, "<frameset><frame src='http://b.test/x'></frameset>")


def pictures(count: int) -> str:
    return "".join(f"<img src='p{number}'>" for number in range(count))


def seen(web: Web, body: str, before: Any = ()) -> tuple[list[str], list[str], list[str]]:
    checksums, facts, came = asyncio.run(web.of().pictures(page(body), list(before), None))
    return [one for one, _ in checksums], [one for one, _ in facts], [one for one, _ in came]


@pytest.mark.parametrize(("count", "fetched"), [(1, 1), (99, 99), (100, 100), (101, 100)])
def test_a_hundred_pictures_of_a_page_are_watched(count: int, fetched: int):
    web = Web(**{f"p{number}": "x" for number in range(count)})
    assert list(map(len, seen(web, pictures(count)))) == [fetched] * 3
    assert {one.limit for one in web.asked} == {10_000_000}


def test_a_picture_that_cannot_be_fetched_now_counts_as_unchanged():
    web = Web(p0="x", p1=PageUnreachable("later"))
    (known,) = (facts for _, facts, _ in [asyncio.run(web.of().pictures(page(pictures(1)), [], None))])
    before = [*known, (f"{HOME}p1", dict(known[0][1]))]
    assert seen(web, pictures(2) + "<img src='data:x'>", before) == (
        [f"{HOME}p0", f"{HOME}p1"],
        [f"{HOME}p0", f"{HOME}p1"],
        [f"{HOME}p0"],
    )
    assert seen(web, pictures(2)) == ([f"{HOME}p0"], [f"{HOME}p0", f"{HOME}p1"], [f"{HOME}p0"])


def test_parts_are_unchanged_only_if_all_of_them_are():
    web = Web(b="B", c="C")
    frames, facts = asyncio.run(web.of().frames(page(frame("b") + frame("c")), None))
    assert len(frames) == 2
    unchanged = [asyncio.run(web.of().unchanged(facts, None))]
    web.parts[f"{HOME}c"] = "other"
    unchanged.append(asyncio.run(web.of().unchanged(facts, None)))
    web.parts[f"{HOME}c"] = PageUnreachable("later")
    unchanged.append(asyncio.run(web.of().unchanged(facts, None)))
    assert [one and [address for address, _ in one] for one in unchanged] == [
        [f"{HOME}b", f"{HOME}c"],
        None,
        None,
    ]
    never_seen = [(f"{HOME}c", {})]
    assert asyncio.run(web.of().unchanged(never_seen, None)) == never_seen
    assert asyncio.run(web.of().unchanged([], None)) == []


def test_few_parts_are_fetched_at_a_time():
    busy, most = 0, 0

    async def work() -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1

    async def run() -> int:
        return len(await Web().of()._few_at_a_time(work() for _ in range(9)))

    assert (asyncio.run(run()), most) == (9, 4)


@pytest.mark.parametrize(
    "learnt",
    [
        _PartsLearnt([]),
        _PartsLearnt([], []),
        _PartsLearnt([["a", {"etag": "1"}]], [["b", {}]]),  # type: ignore[list-item]
    ],
)
def test_what_was_learnt_of_parts_is_written_and_read(learnt: _PartsLearnt):
    assert _PartsLearnt.read(learnt.written()) == learnt
    assert SimpleNamespace(**_PartsLearnt([]).written()) == SimpleNamespace()
