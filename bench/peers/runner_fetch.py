"""Fetching alone as a runner: what a look at an unchanged page costs without the knowledge base.

Each page is requested with the validators of its last answer, and its signature is compared. Twenty requests
run at a time.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from webvigil.app.pages.documents import signature_of
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import read_settings
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page

AT_A_TIME = 20


class Looks:
    def __init__(self, fetcher: HttpFetcher) -> None:
        self._fetcher = fetcher
        self._facts: dict[str, dict[str, str]] = {}
        self._signatures: dict[str, str] = {}
        self._slots = asyncio.Semaphore(AT_A_TIME)

    async def round(self, urls: list[str]) -> dict[str, Any]:
        began = time.process_time()
        changed = await asyncio.gather(*map(self._look, urls))
        return {"cpu": time.process_time() - began, "changed": changed, "errors": []}

    async def _look(self, url: str) -> bool:
        async with self._slots:
            seen = await self._fetcher.fetch(Page(url=url), self._facts.get(url, {}))
        self._facts[url] = seen.validators
        if seen.answer is None:
            return False
        signature = signature_of(seen.answer)
        before, self._signatures[url] = self._signatures.get(url, signature), signature
        return before != signature


async def main() -> None:
    settings = read_settings(environment={"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8"})
    async with http_fetcher(settings) as fetcher:
        looks = Looks(fetcher)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await looks.round(json.loads(line)["urls"])), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
