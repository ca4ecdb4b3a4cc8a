"""Walks through one check of a changed page and counts the files of WebVigil that it passes.

A reader who follows one check opens each of these files once, and goes back and forth as often as there are
switches. Run it before and after the tree is reshaped:

    python scripts/walk.py [--files]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

SOURCE = str(ROOT / "src" / "webvigil") + "/"
OLD = "<title>Shop</title><h1>Lamps</h1><p>Aurora costs 49.90 <a href=/a>more</a><p>Polaris costs 12.50"
NEW = OLD.replace("49.90", "51.90").replace("<p>Polaris", "<p><a href=/n>New</a> Polaris")
NEXT = NEW.replace("51.90", "53.90").replace("/n>New", "/m>Newer")


class Walk:
    """Notes the file of every Python function that is called."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.switches = 0
        self._last = ""

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(SOURCE):
            return
        self.files[name.removeprefix(SOURCE)] += 1
        self.switches += name != self._last
        self._last = name

    @contextmanager
    def followed(self) -> Iterator[None]:
        import threading

        # Threads that already wait in a pool are not traced, so the pools are made again for each walk.
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


async def one_check() -> Walk:
    """Looks at a page three times through the real stages, and returns the walk of the last look. It finds
    the second change, when everything is loaded."""
    from tests.app.worker.test_loop import Watching
    from tests.fetch.fetching import LOOPBACK
    from tests.site import Site
    from webvigil import flow
    from webvigil.app.worker.stages import RealStages
    from webvigil.fetch.http import HttpFetcher

    with Site() as site:
        page = site.page("/", OLD)
        watching = Watching(page)
        async with HttpFetcher(user_agent="walk", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, watching.knowledge, watching.pages)
            walk = Walk()
            for body, seen in ((OLD, Walk()), (NEW, Walk()), (NEXT, walk)):
                page.becomes(body)
                (claimed,) = watching.knowledge.schedule.claim("walk", hosts=1, pages=1, lease=60_000)
                asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
                stages._computing = ThreadPoolExecutor(1)  # noqa: SLF001
                with seen.followed():
                    result = await flow.check(claimed.pages[0], watching.clock(), stages)
                    watching.knowledge.schedule.finish(claimed, [result])
                watching.clock.ahead += 4_000
        return walk


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--files", action="store_true", help="name every file and how often it was entered")
    asked = options.parse_args()
    walk = asyncio.run(one_check())
    if asked.files:
        for name, calls in sorted(walk.files.items()):
            print(f"{calls:6} {name}")
    print(
        f"{len(walk.files)} files, {walk.switches} switches between files, {sum(walk.files.values())} calls"
    )


if __name__ == "__main__":
    main()
