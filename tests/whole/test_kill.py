"""A server that is killed with -9 at any moment loses nothing and tells nothing twice (V5)."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.site import Site
from tests.whole.serving import Serving, environment, eventually, webvigil
from webvigil.store.objects.directory import Directory
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

KILLS = 50
PAGES = 5


@pytest.mark.slow
def test_fifty_kills_lose_nothing(site: Site, tmp_path: Path):
    """Every fetch brings a new page, so that a kill at any moment hits the middle of a check."""
    pages = [site.page(f"/{number}", _ever_changing()) for number in range(PAGES)]
    sentinels = "\n".join(
        f"Create Sentinel s{number} Using {page.url}\nFetch 1 second\nNotify By log\nQuiet off\n"
        for number, page in enumerate(pages)
    )
    assert webvigil("add", "-", "--data", str(tmp_path), text=sentinels).returncode == 0
    moments = random.Random(42)
    for _ in range(KILLS):
        serving = Serving(tmp_path)
        if moments.random() < 0.8:
            assert serving.link
        time.sleep(moments.uniform(0, 1.2))
        serving.kill()
    hits = [page.hits for page in pages]
    assert all(hits), "some of these lives were long enough to look"
    with Serving(tmp_path):
        for page, before in zip(pages, hits, strict=True):
            page.wait_for(before + 3, within=60)
        eventually(lambda: _ask(tmp_path, lambda knowledge: knowledge.journal.counts().pending_notices == 0))
    _ask(tmp_path, lambda knowledge: _all_is_well(knowledge, tmp_path))


def _all_is_well(knowledge: Knowledge, data: Path) -> bool:
    repository = PageRepository(Directory(data / "objects"), knowledge.versions.deltas)
    for sentinel in knowledge.sentinels.all():
        page = sentinel.pages[0].id
        versions = knowledge.versions.of(page)[::-1]
        assert [version.number for version in versions] == list(range(1, len(versions) + 1))
        bodies = [repository.answer(version.object).body for version in versions]
        assert len(set(bodies)) == len(bodies), "no version is stored twice"
        changes = knowledge.changes.all(sentinel=sentinel.name, limit=10_000)[::-1]
        told = [(change.old_version, change.new_version) for change in changes]
        assert told == list(pairwise(range(1, len(versions) + 1))), "every change once, in order"
    assert knowledge.outbox.given_up() == []
    return True


def _ask(data: Path, question):
    knowledge = SqlKnowledge(f"sqlite:///{data / 'webvigil.sqlite3'}")
    try:
        return question(knowledge)
    finally:
        knowledge.close()


def _ever_changing():
    count = 0

    def page(_request):
        nonlocal count
        count += 1
        return f"<p>Number {count}"

    return page


def test_a_notice_line_is_json(site: Site, tmp_path: Path):
    """The log channel is for scripts: each line is JSON and contains the notice's id."""
    page = site.page("/", _ever_changing())
    text = f"Create Sentinel s Using {page.url}\nFetch 1 second\nNotify By log\n"
    webvigil("add", "-", "--data", str(tmp_path), text=text)
    with Serving(tmp_path) as serving:
        line = eventually(lambda: next((one for one in serving.output if "webvigil.notice" in one), ""))
    notice = json.loads(line.partition("webvigil.notice: ")[2])
    assert notice["sentinel"] == "s"
    assert notice["id"]


_DIES_AFTER_KEEPING = """
import os, signal, sys
from webvigil.app.worker.stages import RealStages
from webvigil.cli.main import main

keep = RealStages.keep

async def keep_and_die(self, fetched, due):
    await keep(self, fetched, due)
    os.kill(os.getpid(), signal.SIGKILL)

RealStages.keep = keep_and_die
sys.argv = ["webvigil", "serve", "--data", sys.argv[1]]
main()
"""


def test_killed_between_fetch_and_store_the_page_is_fetched_again_and_told_once(site: Site, tmp_path: Path):
    """The body is in the repository, but no row in the database names it, so the page counts as not looked
    at."""
    page = site.page("/", "<p>one")
    text = f"Create Sentinel s Using {page.url}\nFetch 1 second\n"
    data = ("--data", str(tmp_path))
    webvigil("add", "-", *data, text=text)
    with Serving(tmp_path):
        eventually(lambda: _ask(tmp_path, lambda knowledge: knowledge.journal.counts().versions == 1))
    page.becomes("<p>two")
    command = [sys.executable, "-c", _DIES_AFTER_KEEPING, str(tmp_path)]
    died = subprocess.run(command, env=environment(), capture_output=True, timeout=300, check=False)
    assert died.returncode == -signal.SIGKILL
    assert _ask(tmp_path, lambda knowledge: knowledge.journal.counts().versions) == 1
    with Serving(tmp_path):
        eventually(lambda: _ask(tmp_path, lambda knowledge: knowledge.changes.all()))
        page.wait_for(page.hits + 2, within=60)
    assert _ask(tmp_path, lambda knowledge: _all_is_well(knowledge, tmp_path))
    assert _ask(tmp_path, lambda knowledge: knowledge.journal.counts().versions) == 2
