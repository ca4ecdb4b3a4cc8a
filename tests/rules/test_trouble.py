"""When a trouble of a watch begins and ends."""

from __future__ import annotations

import pytest

from webvigil.model.trouble import FINE, UNSEEN, Trouble, Why
from webvigil.model.work import Watch
from webvigil.rules.trouble import Turn

FAILING, NOTHING, BROKEN = Trouble(Why.FAILING), Trouble(Why.NOTHING), Trouble(Why.BROKEN)


@pytest.mark.parametrize(
    ("before", "now", "begins", "ends"),
    [
        (FINE, FINE, False, False),
        (UNSEEN, FINE, False, False),
        (FINE, FAILING, True, False),
        (FAILING, FAILING, False, False),
        (FAILING, FINE, False, True),
        (FAILING, NOTHING, True, True),
        (NOTHING, FAILING, True, False),
        (NOTHING, BROKEN, True, False),
        (NOTHING, FINE, False, True),
    ],
)
def test_a_turn_begins_or_ends_a_trouble(before: Trouble, now: Trouble, begins: bool, ends: bool):
    """A failing page that answers again ends its trouble, even if something else is wrong with it now."""
    watch = Watch(
        sentinel=1, user="jill", name="s", text="", interval=0, next_at=0, reference=1, trouble=before
    )
    turn = Turn(watch, now)
    assert (turn.begins, turn.ends) == (begins, ends)
