"""Each example of the documents that WebVigil is made after is installed and finds what its author wanted."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.docs.examples import ROOT
from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.telling.delivery import Teller
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.fetch.http import HttpFetcher
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

FOLDER = ROOT / "docs" / "examples"
PATIENCE = 60.0
"""Seconds after which a look counts as lost. On a busy machine a look takes a second."""

Told = tuple[str, int, int]
"""A sentinel, and the two versions between which it found a change."""


@dataclass(frozen=True)
class Example:
    """The versions of the page that an example watches, and the changes that must be found."""

    versions: Sequence[str]
    told: set[Told]
    on: str = "2002-12-02T12:00"


def news(*, link: str = "/a", image: str = "/a.png", text: str = "Snow in the north") -> str:
    return f"<h1>News</h1><div id=news><p>{text} <a href={link}>more</a> <img src={image}></div><p>Imprint"


def movie(title: str, about: str, more: str = "/more") -> str:
    return (
        "<h1>Movies</h1>\n<table><tr><td>\n<b>IMDB Movie of the Day</b>\n<br>"
        f"<i>{title}</i>. {about}\n<a href={more}>(more)</a>\n</td></tr></table>\n<p>Weather of the day"
    )


PANIC = "A mother and her daughter hide from three burglars in the safest room of their house"
HIDDEN = PANIC.replace("three burglars", "four burglars")
COURSES = (
    "<h2>Senior</h2><ul><li>CS 4400</li><li>CS 4803</li></ul><h2>Graduate</h2><ul><li>CS 8803</li></ul>"
    "<table><tr><th>Week<th>Topic<tr><td>1<td>Relations<tr><td>2<td>Joins</table>"
    "<p>In this course the final exam counts forty percent of the grade and homework the rest."
)


def changed(text: str, *edits: tuple[str, str]) -> list[str]:
    """Returns the text and, after each edit, the text with that edit and those before it."""
    versions = [text]
    for old, new in edits:
        assert old in versions[-1]
        versions.append(versions[-1].replace(old, new))
    return versions


EXAMPLES = {
    "links-and-images": Example(
        [news(), news(link="/b"), news(link="/c", image="/c.png")],
        {("s1", 2, 3)},
    ),
    "movie-of-the-day": Example(
        [
            movie("Panic Room", PANIC),
            movie("Panic Room", PANIC).replace("Weather", "Wind"),
            movie("Alien", "A crew."),
        ],
        {("movie_of_the_day", 2, 3)},
    ),
    "half-of-the-movie": Example(
        [movie("Panic Room", PANIC), movie("Panic Room", HIDDEN), movie("Alien", "In space. " * 20)],
        {("half_of_the_movie", 2, 3)},
    ),
    "panic-room": Example(
        [movie("Alien", "A crew."), movie("Aliens", "A crew."), movie("Panic Room", PANIC)],
        {("panic_room", 2, 3)},
    ),
    "movie-as-a-phrase": Example(
        [movie("Panic Room", PANIC), movie("Panic Room!", PANIC), movie("Panic Room", HIDDEN)],
        {("movie_as_a_phrase", 2, 3)},
    ),
    "java-cell": Example(
        changed(
            "<table><tr><td>C and more</td><td>Java at\nten</td></tr></table>",
            ("C and", "C++ and"),
            ("at\nten", "at\ntwo"),
        ),
        {("java_cell", 2, 3)},
    ),
    "stock-quotes": Example(
        changed(
            "<h1>Daily stock quotes</h1><ul>\n<li>IBM 81.20</ul>\n<b>Volume</b><p>Open",
            ("Open", "Closed"),
            ("81.20", "82.05"),
        ),
        {("stock_quotes", 2, 3)},
    ),
    "cancer-trials": Example(
        changed(
            "<p>Breast cancer: none. Prostate cancers: none.",
            ("none.", "trials soon."),
            ("Prostate cancers", "Lungs"),
        ),
        {("breast_cancer", 1, 2), ("prostate_cancer", 1, 2), ("prostate_cancer", 2, 3)},
    ),
    "courses": Example(
        changed(
            COURSES,
            ("CS 4803", "CS 4911"),
            ("<li>CS 8803", "<li>CS 8000<li>CS 8803"),
            ("Joins", "Views"),
            ("forty", "fifty"),
        ),
        {("senior_courses", 1, 2), ("graduate_courses", 2, 3), ("schedule", 3, 4), ("grading", 4, 5)},
    ),
    "schedule-of-classes": Example(
        changed("<p>CSE5311, CSE5317", ("CSE5317", "CSE5320"), ("CSE5320", "CSE5330")),
        {("course", 2, 3)},
    ),
    "every-four-hours": Example([news(), news(text="Rain in the south")], {("don", 1, 2)}),
    "tied-lives": Example(
        [news(), news(image="/b.png"), news(image="/c.png", link="/c")],
        {("S3", 1, 2), ("s1", 2, 3), ("s2", 2, 3), ("S3", 2, 3)},
    ),
    "ways-to-compare": Example(
        [news(text=f"Snow on day {word}") for word in ("one", "two", "three", "four", "five")],
        {
            *(("neighbours", one, one + 1) for one in range(1, 5)),
            ("every_third", 1, 4),
            ("window_of_four", 1, 4),
            ("window_of_four", 2, 5),
        },
    ),
    "structure-and-content": Example(
        changed(news(), ("Imprint", "Masthead"), ("Snow", "Rain"), ("<p>Masthead", "<hr><p>Masthead")),
        {("content", 1, 2), ("content", 2, 3), ("masked", 2, 3), ("structure", 3, 4)},
    ),
    "threshold": Example(
        [news(), news(text="Rain"), news(text="Rain", link="/b", image="/b.png")],
        {("agent", 2, 3)},
    ),
}


def test_every_example_is_run():
    assert {file.stem for file in FOLDER.glob("*.sentinels")} == {*EXAMPLES}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_finds_what_its_author_wanted(name: str, site: Site, tmp_path: Path):
    example = EXAMPLES[name]
    text = (FOLDER / f"{name}.sentinels").read_text(encoding="utf-8")
    watched = re.search(r"https?://[\w./]+", text)
    assert watched is not None
    assert asyncio.run(_told(text.replace(watched[0], site.url), example, site, tmp_path)) == example.told


async def _told(text: str, example: Example, site: Site, data: Path) -> set[Told]:
    """Installs the sentinels, shows them each version of the page, and returns what they found."""
    begin = datetime.fromisoformat(example.on).replace(tzinfo=UTC).timestamp() - time.time()
    knowledge = MemoryKnowledge(delay=0, concurrency=4, clock=lambda: int((time.time() + begin) * 1000))
    given = {"data": str(data), "allow_networks": "127.0.0.0/8", "user": "jill", "smtp_host": "127.0.0.1"}
    settings = read_settings(given, environment={})
    knowledge.users.add(settings.user)
    page = site.page("/", example.versions[0])
    install_text(knowledge, settings, text)
    async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
        stages = RealStages(fetcher, knowledge, PageRepository(MemoryObjects()))
        worker = Worker(knowledge, stages, Teller(knowledge, {}).turn, delay=lambda _: 0, chance=lambda: 0.0)
        running = asyncio.create_task(worker.run())
        for number, version in enumerate(example.versions, 1):
            page.becomes(version)
            await _looked(knowledge, site.url, number)
        worker.stop()
        await running
    return {(one.sentinel, one.old_version, one.new_version) for one in knowledge.changes.all("jill")}


async def _looked(knowledge: MemoryKnowledge, url: str, number: int) -> None:
    """Waits until the page has this many versions, asking for a look again and again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        (watched,) = [one for one in knowledge.sentinels.pages(limit=10) if one.url.rstrip("/") == url]
        if watched.latest == number:
            return
        knowledge.schedule.ask(watched.id)
        await asyncio.sleep(0.05)
    raise AssertionError(f"version {number} did not come")
