"""The best-effort algorithm of the WebVigiL thesis (VIG 4.7, 6.3): a rule for each of three kinds of page.

A page that does not change is looked at half as often after α looks in vain. A page whose last two change
intervals are equal is taken to be constant and looked at in that interval, but every β times its interval is
estimated as for any other page. Any other page gets the mean of its last H change intervals, times w where
that mean is not shorter than the present interval.

The thesis writes `>` in its formula and `>=` in its program. We follow the program: with `>` the estimate
made every β times never differs from the constant interval, so a page that speeds up would never be found out
(docs/decisions/when-to-look.md).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from webvigil.model.moment import Millis
from webvigil.pace.policy import Bounds, Observation, Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class BeaState:
    """What `bea` remembers of a page.

    `looked` and `changed` are the last look and the last change. `history` has the last change intervals,
    `unchanged` counts looks in vain, `constant` how often in a row the page was taken to be constant.
    """

    looked: Millis
    changed: Millis
    interval: Millis
    history: tuple[Millis, ...] = ()
    unchanged: int = 0
    constant: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bea:
    """The policy with α, β, w and H of the thesis, set to the values that the thesis found best (A1)."""

    alpha: int = 6
    beta: int = 2
    weight: float = 0.6
    memory: int = 20
    bounds: Bounds = field(default_factory=Bounds)

    def start(self, now: Millis) -> BeaState:
        return BeaState(looked=now, changed=now, interval=self.bounds.shortest)

    def observed(self, state: BeaState, seen: Observation) -> BeaState:
        return self._changed(state, seen) if seen.changed else self._same(state, seen)

    def next_look(self, state: BeaState, now: Millis) -> Millis:
        return max(now, state.looked + state.interval)

    def as_plain(self, state: BeaState) -> Plain:
        return asdict(state)

    def from_plain(self, plain: Plain) -> BeaState:
        state = BeaState(**{**plain, "history": tuple(plain["history"])})
        if not state.interval > 0:
            raise ValueError("an interval that is not above 0")
        return state

    def _same(self, state: BeaState, seen: Observation) -> BeaState:
        """Returns the state after a look in vain; after α of them in a row the interval doubles."""
        unchanged = state.unchanged + 1
        tired = unchanged >= self.alpha
        return BeaState(
            looked=seen.now,
            changed=state.changed,
            interval=self.bounds.wait(2 * state.interval) if tired else state.interval,
            history=state.history,
            unchanged=0 if tired else unchanged,
            constant=state.constant,
        )

    def _changed(self, state: BeaState, seen: Observation) -> BeaState:
        """Returns the state after a look that found a change, with a new interval."""
        changed = _moment_of_change(state, seen)
        history = (*state.history, changed - state.changed)[-self.memory :]
        constant, interval = self._tuned(state, history)
        return BeaState(
            looked=seen.now,
            changed=changed,
            interval=self.bounds.wait(interval),
            history=history,
            constant=constant,
        )

    def _tuned(self, state: BeaState, history: tuple[Millis, ...]) -> tuple[int, float]:
        """Returns how often in a row the page has been taken to be constant, and its next interval."""
        if len(history) < 2 or history[-1] != history[-2]:
            return state.constant, self._estimate(state.interval, history)
        if state.constant < self.beta:
            return state.constant + 1, history[-1]
        return 0, self._estimate(state.interval, history)

    def _estimate(self, interval: Millis, history: tuple[Millis, ...]) -> float:
        """Returns the mean change interval, times w where it is not shorter than the present interval."""
        mean = sum(history) / len(history)
        return self.weight * mean if mean >= interval else mean


def _moment_of_change(state: BeaState, seen: Observation) -> Millis:
    """Returns when the page changed: by Last-Modified, otherwise the time of the look (VIG 4.7.2)."""
    told = seen.last_modified
    return told if told is not None and state.changed < told <= seen.now else seen.now
