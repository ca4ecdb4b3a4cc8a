"""Fixtures: `site`, and `another_site(address)` for tests about more than one host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.site.server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def another_site() -> Iterator[Callable[..., Site]]:
    """Returns a function that starts a further site and takes the arguments of Site:
    `another_site("127.0.0.2")`."""
    with ExitStack() as running:
        yield lambda *args, **options: running.enter_context(Site(*args, **options))
