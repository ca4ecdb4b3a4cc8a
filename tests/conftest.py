"""Settings of a whole test run: fixtures for all tests, short cuts that save time, and which tests run."""

import gc
import os
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.applications import refuse_misspelt, share_routes
from tests.migrating import repeat_migrations
from tests.power import do_without_disk
from tests.sampling import left_out
from tests.site.fixture import another_site, site
from tests.statements import share_statements

__all__ = ["another_site", "site"]

# Most sentinels of tests name pages that do not exist, so that installing one does not look at its page.
# A test of that first look turns it on.
os.environ.setdefault("WEBVIGIL_FIRST_LOOK", "0")

# Nothing of what is made while tests are collected becomes garbage, so searching for it would be in vain.
gc.disable()

repeat_migrations()
do_without_disk()
share_routes()
refuse_misspelt()
share_statements()

# A law may take long on a busy machine, so that examples have no deadline.
settings.register_profile("webvigil", deadline=None)
# For a search rather than a check: pytest --hypothesis-profile=thorough --hypothesis-seed=7 tests/store
settings.register_profile("thorough", deadline=None, database=None, print_blob=True)
settings.load_profile("webvigil")
_MOST = 25
"""How many examples a law takes at most in a quick run; `./test --all` takes as many as the law names."""
_MANY, _MOST_OF_MANY = 10, 10
"""A law that is asked of ten kinds of things or more takes at most ten examples for each in a quick run."""
_TIMES = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all", action="store_true", help="also slow tests, and as many examples as each law names"
    )
    parser.addoption("--real", action="store_true", help="also tests of real applications (./test-real)")


@pytest.hookimpl(optionalhook=True)  # there is no such hook with `-p no:xdist`
def pytest_xdist_auto_num_workers() -> int:
    """Returns two more than there are processors: tests with servers, browsers and databases mostly wait for
    them."""
    return _processors() + 2


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A quick run leaves slow tests and most cases of sampled ones out, unless a test is named with `::`, and
    takes few examples for each law.

    With `--all` every test runs with the examples it names; a thorough search takes ten times as many. Tests
    of real applications run with `--real` alone.
    """
    if config.getoption("--hypothesis-profile", None) == "thorough":
        _change_settings(
            items, lambda usual, _: settings(usual, max_examples=_TIMES * usual.max_examples, database=None)
        )
    elif not config.getoption("--all"):
        _change_settings(items, _at_most)
    if not config.getoption("--all") and not any("::" in name for name in config.args):
        _leave_out(left_out(items), config, items)
        _leave_out(_marked("slow", items), config, items)
    if not config.getoption("--real"):
        _leave_out(_marked("real", items), config, items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Excludes the modules and the collected tests from later searches for garbage."""
    gc.freeze()
    gc.enable()


def _marked(mark: str, items: list[pytest.Item]) -> list[pytest.Item]:
    return [item for item in items if item.get_closest_marker(mark)]


def _leave_out(some: list[pytest.Item], config: pytest.Config, items: list[pytest.Item]) -> None:
    if some:
        gone = set(some)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=some)


def _at_most(usual: settings, kinds: int) -> settings:
    most = _MOST_OF_MANY if kinds >= _MANY else _MOST
    return settings(usual, max_examples=min(usual.max_examples, most))


def _change_settings(items: list[pytest.Item], change: Callable[[settings, int], settings]) -> None:
    """Replaces the settings of each law. `change` takes the settings and how many tests share the law."""
    for (holder, name), kinds in Counter(filter(None, map(_settings_of, items))).items():
        setattr(holder, name, change(getattr(holder, name), kinds))


def _settings_of(item: pytest.Item) -> tuple[object, str] | None:
    if isinstance(item, pytest.Function) and isinstance(getattr(item.cls, "settings", None), settings):
        return item.cls, "settings"  # a state machine
    test = getattr(item, "obj", None)
    if is_hypothesis_test(test):
        return getattr(test, "__func__", test), "_hypothesis_internal_use_settings"
    return None
