"""What the browser showed when a step failed is kept with the look (K1)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, cast

from tests.store.making import claim_all, sentinel
from webvigil.app.worker.stages import RealStages
from webvigil.errors import StepFailed
from webvigil.fetch.http import Fetched
from webvigil.flow import check
from webvigil.model.approach import Approach, Step
from webvigil.model.page import Page
from webvigil.model.work import DuePage
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

PICTURE = b"\x89PNG what was shown"


class _Stages(RealStages):
    async def fetch(self, due: DuePage) -> Fetched:
        raise StepFailed("step 1 failed: press Enter: it was not done", number=1, picture=PICTURE)


def test_the_picture_of_a_step_that_failed_is_kept_with_the_look():
    knowledge, pages = MemoryKnowledge(delay=0), PageRepository(MemoryObjects())
    knowledge.users.add("jill")
    page = Page(
        url="http://a.test/", render="browser", approach=Approach(steps=(Step("press", text="Enter"),))
    )
    knowledge.sentinels.add(replace(sentinel(), pages=(page,)))
    (claim,) = claim_all(knowledge)
    stages = _Stages(cast(Any, None), knowledge, pages)
    result = asyncio.run(check(claim.pages[0], claim.now, stages))
    knowledge.schedule.finish(claim, [result])
    (look,) = knowledge.journal.fetch_log(claim.pages[0].id)
    assert (look["decision"], look["error"]) == ("failed", "step 1 failed: press Enter: it was not done")
    assert pages.picture(look["picture"]) == PICTURE
