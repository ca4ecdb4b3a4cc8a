"""Hints (pings, feeds and sitemaps that announce a change) in, how far to believe them out.

A source has a recall, the share of changes it announced, and a precision, the share of its pings that were
followed by a change. With them pending′ = (1 − recall)·pending + precision·pings: a source that announces
everything spares us the looking, and a source that announces changes that do not come is soon ignored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from webvigil.pace.policy import Plain

# With each observation the older ones lose 3 % of their weight, so that about the last thirty count.
_FORGETTING = 0.97
# However good a source was, it may fall silent: one look in twenty is still made without it.
_MOST_RECALL = 0.95


@dataclass(frozen=True, slots=True)
class Hints:
    """What the hints about one page have earned.

    At first they are believed (high precision), but not relied on (low recall).
    """

    announced: float = 0.1
    unannounced: float = 1.9
    followed: float = 1.8
    unfollowed: float = 0.2

    @property
    def recall(self) -> float:
        return min(self.announced / (self.announced + self.unannounced), _MOST_RECALL)

    @property
    def precision(self) -> float:
        return self.followed / (self.followed + self.unfollowed)

    def after_look(self, pings: int, changed: bool) -> Hints:
        """Returns what hints have earned after a look. Several `pings` since the last look count once."""
        followed, unfollowed = self.followed, self.unfollowed
        announced, unannounced = self.announced, self.unannounced
        if pings:
            followed = _FORGETTING * followed + changed
            unfollowed = _FORGETTING * unfollowed + (not changed)
        if changed:
            announced = _FORGETTING * announced + (pings > 0)
            unannounced = _FORGETTING * unannounced + (pings == 0)
        return Hints(announced, unannounced, followed, unfollowed)

    def threshold(self, wanted: float, pings: int) -> float:
        """Returns how many changes the page's own history must still foretell for a look to be worth it.

        `wanted` is that number without hints.
        """
        return max(0.0, wanted - self.precision * pings) / (1.0 - self.recall)

    def as_plain(self) -> Plain:
        return asdict(self)

    @staticmethod
    def from_plain(plain: Plain) -> Hints:
        return Hints(**plain)
