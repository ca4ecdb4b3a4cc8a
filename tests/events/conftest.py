"""The fixture `play`: a detector on a clock that the test moves."""

from __future__ import annotations

import pytest

from tests.events.play import Play


@pytest.fixture
def play() -> Play:
    return Play()
