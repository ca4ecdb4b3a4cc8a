"""The laws of change detection as one check for any change type and any two versions."""

from __future__ import annotations

from collections import Counter

from webvigil.detect.find import find
from webvigil.document import PageDigest
from webvigil.model.change import OPPOSITE, ObjectChange
from webvigil.model.sentinel import ChangeType


def assert_lawful(old: PageDigest, new: PageDigest, change: ChangeType) -> tuple[ObjectChange, ...]:
    """Checks that a page has no change from itself, that comparing in the opposite direction finds the same
    changes reversed, and that every change names its places."""
    assert not find(old, old, change).changed
    there, back = find(old, new, change), find(new, old, change)
    assert Counter(map(_known_by, back.objects)) == Counter(map(_reversed, there.objects))
    for one in there.objects:
        assert one.object
        assert one.where
        assert (one.old, one.new, one.before, one.after) != (None, None, None, None)
    return there.objects


def _known_by(one: ObjectChange) -> tuple[object, ...]:
    return _name(one), one.status, one.old, one.new, one.before, one.after


def _reversed(one: ObjectChange) -> tuple[object, ...]:
    return _name(one), OPPOSITE[one.status], one.new, one.old, one.after, one.before


def _name(one: ObjectChange) -> str:
    """Returns the name to compare by. An object with an old and a new form may be named after either."""
    return one.object if one.before is None or one.after is None else ""
