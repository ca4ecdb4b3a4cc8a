from __future__ import annotations

import pytest

from tests.events.play import Play


@pytest.fixture
def play() -> Play:
    return Play()
