"""What was on an earlier version, or only went, is not new (Q4)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from webvigil.document import PageDigest, read
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.quiet import LeftOut, Why
from webvigil.trigger.novelty import not_new

PAGE = b"<title>The  paper</title><p>Rain in  May<p><a href=/a>one</a><img src=/logo.png?v=1 alt=x>"


def text(after: str | None, name: str = "unknown") -> ObjectChange:
    return ObjectChange(name, Status.UPDATED, before="before", after=after)


def counted(url: str, status: Status = Status.NEW) -> ObjectChange:
    return ObjectChange(url, status, old=0, new=1)


def finding(*objects: ObjectChange) -> Finding:
    return Finding(type="any", objects=objects, score=1, share=1.0)


def left_out(*objects: ObjectChange, earlier: tuple[bytes, ...] = (PAGE,)) -> list[ObjectChange]:
    found = not_new([finding(*objects)], map(read, earlier))
    assert found == [LeftOut(Why.NOT_NEW, one.object) for one in found]
    return [one.object for one in found]


@pytest.mark.parametrize(
    ("one", "was_there"),
    [
        (text("Rain in May"), True),
        (text("in  May"), True),
        (text("ain in May"), False),
        (text("Rain in Ma"), False),
        (text("The paper"), True),
        (text("Snow"), False),
        (text(None, "Rain"), True),
        (text("", "Snow"), False),
        (text("Snow", "Rain"), False),
        (counted("/a"), True),
        (counted("/b"), False),
        (counted("/logo.png?v=1"), True),
        (counted("Rain"), False),
        (counted("/b", Status.GONE), True),
        (counted("/b", Status.FEWER), True),
        (text("Snow")._replace(status=Status.GONE), True),
        (counted("/b", Status.MORE), False),
    ],
)
def test_an_object_is_known_if_an_earlier_version_had_it_or_if_it_only_went(
    one: ObjectChange, was_there: bool
):
    assert left_out(one) == [one] * was_there


def test_any_earlier_version_counts_and_each_object_once():
    rain, snow, wind = text("Rain"), text("Snow"), text("Wind")
    assert left_out(rain, snow, wind, earlier=(PAGE, b"<p>Snow", b"<p>Rain Snow")) == [rain, snow]


def test_no_more_versions_are_read_than_needed():
    def versions() -> Iterator[PageDigest]:
        yield read(PAGE)
        yield read(b"<p>Snow")
        pytest.fail("everything was found")

    assert len(not_new([finding(text("Snow"), text("Rain"))], versions())) == 2


def test_nothing_is_read_if_everything_only_went():
    def versions() -> Iterator[PageDigest]:
        yield pytest.fail("nothing is looked for")

    gone = counted("/b", Status.GONE)
    assert [one.object for one in not_new([finding(gone)], versions())] == [gone]
