"""Leads in, the most promising next page to visit out: one module for each strategy.

A new strategy is a class that keeps the promise in `promise.py`, and a line in `make_frontier`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from webvigil.discover.crawler.frontier.hint import HintFrontier, hints_of
from webvigil.discover.crawler.frontier.learned import LearnedFrontier
from webvigil.discover.crawler.frontier.promise import Chosen, Frontier
from webvigil.discover.crawler.frontier.random_walk import RandomFrontier
from webvigil.discover.crawler.frontier.trace import TraceFrontier
from webvigil.errors import SettingRefused

Strategy = Literal["trace", "random", "hint", "learned"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

__all__ = ["STRATEGIES", "Chosen", "Frontier", "Strategy", "make_frontier"]


def make_frontier(strategy: Strategy, *, hints: Iterable[str] = (), seed: int = 0) -> Frontier:
    """Returns the frontier of a strategy. Raises SettingRefused for the strategy "hint" without hints."""
    words = hints_of(hints)
    match strategy:
        case "trace":
            return TraceFrontier()
        case "random":
            return RandomFrontier(seed)
        case "hint":
            if not words:
                raise SettingRefused("a crawl by hints needs a word to look for: --hint WORD")
            return HintFrontier(words)
        case "learned":
            return LearnedFrontier(words)
