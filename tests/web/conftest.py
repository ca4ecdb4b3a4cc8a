"""A store in memory with one user, and her browser, for tests that need nothing else of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    return made


@pytest.fixture
def jill(knowledge: MemoryKnowledge, tmp_path: Path) -> TestClient:
    settings = read_settings({"data": str(tmp_path)}, environment={})
    return browser_of(create_application(knowledge, settings), knowledge, "jill")
