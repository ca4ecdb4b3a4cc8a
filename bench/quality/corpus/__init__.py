"""The pairs, by genre. Each module has its pages and `PAIRS`, with the expectation written next to each."""

from __future__ import annotations

from bench.quality.corpus import asia, data, edges, feeds, forum, legal, news, shop, soup, tables
from bench.quality.expect import Pair

GENRES = (news, shop, legal, tables, feeds, data, forum, soup, asia, edges)
PAIRS: tuple[Pair, ...] = tuple(one for genre in GENRES for one in genre.PAIRS)
