"""Stages of a check that are timed while they do their work."""

from __future__ import annotations

from typing import Any, cast

from webvigil.app.metrics import Metrics, timed
from webvigil.community.sharing import FROM_PEER
from webvigil.fetch.http import Fetched
from webvigil.flow import Stages
from webvigil.model.work import DuePage


def measured(stages: Stages, metrics: Metrics) -> Stages:
    return cast(Stages, _Measured(stages, metrics))


class _Measured:
    def __init__(self, stages: Stages, metrics: Metrics) -> None:
        self._stages = stages
        self._metrics = metrics

    async def fetch(self, due: DuePage) -> Fetched:
        with timed(self._metrics.fetch):
            fetched = await self._stages.fetch(due)
        if FROM_PEER in fetched.validators:
            self._metrics.got.inc()
        return fetched

    async def compare(self, *asked: Any, **more: Any) -> Any:
        with timed(self._metrics.detection):
            return await self._stages.compare(*asked, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stages, name)
