"""A process gives the memory of large pages back to the system."""

from __future__ import annotations

import gc
import sys

import pytest

from webvigil.app.operating import memory
from webvigil.app.operating.memory import GROWTH, Relief, resident
from webvigil.app.operating.metrics import Metrics
from webvigil.app.pages.documents import Recent
from webvigil.detect.measure import differing
from webvigil.detect.pair import pair
from webvigil.document import read
from webvigil.document.links import absolute
from webvigil.model.change import ObjectChange, Status
from webvigil.model.memo import forget_all


class _Thing:
    pass


def test_what_is_too_heavy_stays_for_the_work_and_no_longer():
    recent: Recent[_Thing] = Recent(room=10)
    recent.put("a", _Thing(), 100)
    recent.put("b", _Thing(), 100)
    assert recent.get("a")
    recent.trim()
    assert (recent.get("a"), len(recent), recent.weight) == (None, 0, 0)
    recent.put("c", _Thing(), 2)
    recent.trim()
    assert recent.get("c")


def test_what_detectors_remember_of_documents_can_be_let_go():
    old, new = (read(f"<p>{text}".encode(), "text/html") for text in ("one", "two"))
    assert pair(old, new) is pair(old, new)
    known = pair(old, new)
    forget_all()
    assert pair(old, new) is not known


def test_an_address_of_megabytes_is_not_held():
    address = "data:image/png;base64," + "A" * 1_000_000
    before = sys.getrefcount(address)
    absolute("http://site.test/", address)
    assert sys.getrefcount(address) == before


def test_texts_of_a_whole_page_are_not_held():
    old, new = (" ".join(f"{word}{number}" for number in range(50_000)) for word in ("a", "b"))
    before = sys.getrefcount(old)
    assert differing(ObjectChange(object="x", status=Status.UPDATED, before=old, after=new))
    assert sys.getrefcount(old) == before


def test_memory_is_given_back_only_after_growth(monkeypatch: pytest.MonkeyPatch):
    taken = [100_000_000]
    monkeypatch.setattr(memory, "resident", lambda: taken[-1])
    let_go: list[int] = []
    relief = Relief(lambda: let_go.append(taken[-1]))
    relief.glance()
    taken.append(taken[0] + GROWTH - 1)
    relief.glance()
    assert let_go == []
    taken.append(taken[0] + GROWTH)
    relief.glance()
    assert (let_go, relief.turns) == ([taken[-1]], 1)
    relief.glance()
    assert relief.turns == 1, "what is left is the new measure"
    for _ in range(20):
        relief.glance()
    assert relief.turns == 2, "when all is quiet the rest goes, once"


@pytest.mark.skipif(not resident(), reason="the system does not tell how much memory a process takes")
def test_large_things_that_refer_to_each_other_go_when_they_are_let_go():
    class Large:
        def __init__(self) -> None:
            self.me = self
            self.parts = [bytes(5_000) for _ in range(20_000)]

    gc.disable()
    try:
        relief = Relief()
        before = resident()
        Large()
        assert resident() - before > 80_000_000
        relief.glance()
        assert resident() - before < 20_000_000
    finally:
        gc.enable()


def test_metrics_tell_what_is_bounded():
    class Stages:
        remembered = 5

    metrics = Metrics()
    metrics.watch_memory(Relief(), Stages())
    page = metrics.page().decode()
    assert "webvigil_memory_digests_bytes 5.0" in page
    assert "webvigil_memory_digests_most_bytes 64000000.0" in page
    assert "webvigil_memory_bytes " in page
    assert "webvigil_memory_relief_turns 0.0" in page
