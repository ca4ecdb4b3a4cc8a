"""The words in reading order, compared by longest common subsequence (C4).

Between two words that stayed stands a gap: words that came are inserted, words that went are deleted,
and where both happened at one place it is one update, as a reader sees it. Words compare as written;
punctuation and white space do not count.
"""

from __future__ import annotations

from webvigil.detect.alignment import Gap
from webvigil.detect.pair import pair
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return [_change(old, new, gap) for gap in pair(old, new).word_gaps]


def _change(old: PageDigest, new: PageDigest, gap: Gap) -> ObjectChange:
    before = _text(old, gap.old_start, gap.old_end)
    after = _text(new, gap.new_start, gap.new_end)
    status = Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED
    place = (old, gap.old_start, gap.old_end) if after is None else (new, gap.new_start, gap.new_end)
    return ObjectChange(
        object=before or after or "", status=status, before=before, after=after, where=_where(*place)
    )


def _text(digest: PageDigest, start: int, end: int) -> str | None:
    """A run of words as it stands on the page, with the punctuation inside."""
    if start == end:
        return None
    words = digest.words
    first, last = int(words.starts[start]), int(words.starts[end - 1]) + len(words.words[end - 1])
    return " ".join(digest.reading.text[first:last].split())


def _where(digest: PageDigest, start: int, end: int) -> tuple[str, ...]:
    return paths(digest, digest.words.nodes[start:end].tolist())
