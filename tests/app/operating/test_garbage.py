"""Python searches for garbage less often while a worker works."""

from __future__ import annotations

import gc
import weakref

from webvigil.app.operating.garbage import SELDOM, seldom_searched


class Knot:
    """An object that refers to itself, so that only a garbage search frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_searches_are_rare_while_it_lasts_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with seldom_searched():
        assert gc.get_threshold()[0] == SELDOM > before[0]
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_becomes_garbage_meanwhile_is_still_found() -> None:
    with seldom_searched():
        gone = [weakref.ref(Knot()) for _ in range(100)]
        gc.collect()
        assert not any(one() for one in gone)


def test_garbage_does_not_pile_up_without_being_asked_for() -> None:
    with seldom_searched():
        gone = [weakref.ref(Knot()) for _ in range(4 * SELDOM)]
        assert sum(one() is not None for one in gone) < 2 * SELDOM


def test_python_searches_less_often_for_the_same_work() -> None:
    """Fails if a new version of Python ignores the thresholds; the module would then have no use."""
    usual = _searches_while(10 * SELDOM)
    with seldom_searched():
        seldom = _searches_while(10 * SELDOM)
    assert 0 < 5 * seldom < usual


def _searches_while(objects: int) -> int:
    before = gc.get_stats()[0]["collections"]
    kept = [[number] for number in range(objects)]
    assert len(kept) == objects
    return gc.get_stats()[0]["collections"] - before
