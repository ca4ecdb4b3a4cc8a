import os

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.migrating import repeat_migrations
from tests.site.fixture import another_site, site

__all__ = ["another_site", "site"]

# Sentinels of tests are on pages that nobody may ask for; a test that wants a first look says so.
os.environ.setdefault("WEBVIGIL_FIRST_LOOK", "0")

repeat_migrations()

# A busy machine is no mistake of ours.
settings.register_profile("webvigil", deadline=None)
# For a search rather than a check: pytest --hypothesis-profile=thorough --hypothesis-seed=7 tests/store
settings.register_profile("thorough", deadline=None, database=None, print_blob=True)
settings.load_profile("webvigil")
_TIMES = 10


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Also where a test says how many examples it takes, a thorough search takes ten times as many."""
    if config.getoption("--hypothesis-profile", None) == "thorough":
        for holder, name in {found for item in items if (found := _settings_of(item))}:
            usual = getattr(holder, name)
            setattr(holder, name, settings(usual, max_examples=_TIMES * usual.max_examples, database=None))


def _settings_of(item: pytest.Item) -> tuple[object, str] | None:
    if isinstance(item, pytest.Function) and isinstance(getattr(item.cls, "settings", None), settings):
        return item.cls, "settings"  # a state machine
    test = getattr(item, "obj", None)
    if is_hypothesis_test(test):
        return getattr(test, "__func__", test), "_hypothesis_internal_use_settings"
    return None
