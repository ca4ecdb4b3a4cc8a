"""`webvigil discover`: crawls from some addresses to services that can be watched (S2, S7)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.bars import bar_with_words, clear_bar
from webvigil.cli.options import as_json
from webvigil.cli.saying import say

if TYPE_CHECKING:
    from webvigil.app.settings import Settings
    from webvigil.discover.crawler.crawl import Wanted, Watch
    from webvigil.discover.crawler.steps import Step
    from webvigil.discover.crawler.trail import FileTrail, MemoryTrail

_FRONTIERS = ("trace", "random", "hint", "learned")
NOTHING_FOUND = 1
_COUNT = click.IntRange(1, 1_000_000)


@click.command()
@click.option("--class", "class_", metavar="FILE", required=True, help="Description of the service class.")
@click.option(
    "--seeds", metavar="FILE", required=True, help="Addresses to start from, one a line; - for stdin."
)
@click.option(
    "--frontier", type=click.Choice(_FRONTIERS), default="learned", show_default=True, help="Which page next."
)
@click.option("--hint", "hints", metavar="WORD", multiple=True, help="A promising word, or WORD=WEIGHT.")
@click.option("--pages", type=_COUNT, default=200, show_default=True, help="Most pages to visit.")
@click.option("--depth", type=click.IntRange(0, 1000), default=8, show_default=True, help="Most links deep.")
@click.option("--per-host", type=_COUNT, default=100, show_default=True, help="Most pages of one host.")
@click.option("--probes", type=_COUNT, default=12, show_default=True, help="Most requests for one form.")
@click.option(
    "--site-probes", type=_COUNT, default=60, show_default=True, help="Most requests to the forms of a site."
)
@click.option(
    "--ask", "given", metavar="WORDS", multiple=True, help="Ask this first, or NAME=WORDS for one argument."
)
@click.option("--allow-post", is_flag=True, help="Ask forms that are sent with POST, too.")
@click.option("--browser", is_flag=True, help="Let a browser look where a seed shows its form by script.")
@click.option("--concurrency", type=_COUNT, default=8, show_default=True, help="Pages at a time.")
@click.option("--chance", metavar="N", default=0, help="Another number is another random walk.")
@click.option("--trace", metavar="FILE", help="Record every step there, as JSON lines.")
@click.option("--resume", is_flag=True, help="Go on with the crawl that --trace has recorded.")
@click.option("--sentinels", metavar="FILE", help="Write sentinels for what is found, for 'webvigil add'.")
@click.option("--dry-run", is_flag=True, help="List forms and what they would be asked; ask nothing.")
@as_json
def discover(
    class_: str,
    seeds: str,
    trace: str | None,
    resume: bool,
    sentinels: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Find services to watch: forms on the web that answer as a service class describes.

    FILE of --class is a description in XML, or the name of one that comes with WebVigil. Pages are visited
    politely: robots.txt, a rest between two requests to a host, few requests to a form, and none to one that
    looks like a log-in, an order, a subscription or a deletion. --seeds may be a recorded crawl, which
    --frontier trace follows.

    \b
    Example:
      webvigil discover --class dna-blast --seeds seeds.txt --hint blast
      webvigil discover --class my.scd --seeds seeds.txt --trace crawl.jsonl --dry-run
      webvigil discover --class my.scd --seeds seeds.txt --trace crawl.jsonl --resume
    """
    from webvigil.app.settings import read_settings
    from webvigil.cli import discovered

    if resume and not trace:
        raise click.UsageError("--resume needs --trace FILE, the record to go on from")
    wanted = _wanted(class_, seeds, options)
    trail = _trail(trace, wanted.service.name, resume=resume)
    with _shown(wanted.reach.pages) as watch:
        steps = asyncio.run(_crawl(wanted, read_settings({}), trail, watch, browser=options["browser"]))
    if sentinels:
        Path(sentinels).write_text(discovered.sentinels_text(steps), "utf-8")
    return discovered.tell(wanted, steps, as_json=as_json)


def _wanted(class_: str, seeds: str, options: dict[str, Any]) -> Wanted:
    from webvigil.discover.bounds import Bounds
    from webvigil.discover.crawler.crawl import Wanted
    from webvigil.discover.crawler.reach import Reach
    from webvigil.discover.search_words import asked

    return Wanted(
        service=asked(_service(class_), options["given"]),
        seeds=_seeds(seeds),
        frontier=options["frontier"],
        hints=options["hints"],
        chance=options["chance"],
        reach=Reach(
            pages=options["pages"],
            depth=options["depth"],
            pages_per_host=options["per_host"],
            seconds=float("inf"),
        ),
        bounds=Bounds(
            probes_per_form=options["probes"],
            probes_per_site=options["site_probes"],
            post=options["allow_post"],
            browser=options["browser"],
        ),
        dry_run=options["dry_run"],
        at_a_time=options["concurrency"],
    )


def _service(class_: str) -> Any:
    from webvigil.discover.service import read_service_class, service_class, shipped
    from webvigil.errors import MistakeInText, SettingRefused

    file = Path(class_)
    if class_ in shipped() and not file.is_file():
        return service_class(class_)
    if not file.is_file():
        known = ", ".join(shipped())
        raise SettingRefused(f"{class_} is neither a file nor one of the classes that come along: {known}")
    try:
        return read_service_class(file.read_bytes())
    except MistakeInText as mistake:
        raise SettingRefused(f"{class_}: {mistake}") from mistake


def _seeds(name: str) -> tuple[str, ...]:
    """Returns the addresses in a file, one on each line, # for comments; or the pages of a recorded crawl in
    their order."""
    from webvigil.discover.crawler.trail import recorded_visits
    from webvigil.errors import SettingRefused

    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SettingRefused(f"{name} is no list of addresses") from error
    if text.lstrip().startswith("{"):
        return tuple(recorded_visits(text))
    lines = (line.strip() for line in text.splitlines())
    found = tuple(line for line in lines if line and not line.startswith("#"))
    if not found:
        raise SettingRefused(f"{name} holds no address to start from")
    return found


def _trail(trace: str | None, service: str, *, resume: bool) -> FileTrail | MemoryTrail:
    """Opens the record of the crawl. Refuses to overwrite a record, and to continue one of another service
    class."""
    from webvigil.discover.crawler.steps import Started
    from webvigil.discover.crawler.trail import FileTrail, MemoryTrail
    from webvigil.errors import SettingRefused

    if not trace:
        return MemoryTrail()
    file = Path(trace)
    if not resume and file.exists() and file.stat().st_size:
        raise SettingRefused(f"{trace} holds a crawl already; go on with --resume, or choose another file")
    trail = FileTrail(file, resume=resume)
    begun = next((step.service for step in trail.steps if isinstance(step, Started)), service)
    if begun != service:
        raise SettingRefused(f"{trace} is the record of a search for {begun}, not for {service}")
    return trail


async def _crawl(
    wanted: Wanted,
    settings: Settings,
    trail: FileTrail | MemoryTrail,
    watch: Watch,
    *,
    browser: bool,
) -> list[Step]:
    from contextlib import nullcontext

    from webvigil.app.pages.fetchers import browser_fetcher, http_fetcher
    from webvigil.discover.crawler.crawl import Crawl
    from webvigil.discover.crawler.web import PoliteWeb

    async with (
        http_fetcher(settings) as fetcher,
        browser_fetcher(settings) if browser else nullcontext() as chromium,
    ):
        web = PoliteWeb(
            fetcher,
            delay=settings.host_delay,
            at_a_time=settings.host_concurrency,
            browser=chromium,
        )
        await Crawl(wanted, web, trail, steps=list(trail.steps), watch=watch).run()
    return list(trail.steps)


@contextmanager
def _shown(pages: int) -> Iterator[Watch]:
    """Shows a progress bar while the crawl runs, if standard error is a terminal."""
    with bar_with_words("Pages", pages) as told:

        def watch(step: Step, progress: Any) -> None:
            from webvigil.discover.crawler.report import services_in

            if told is None:
                return
            for one in services_in(step):
                clear_bar()
                say(f"found {one['page']}", err=True)
            told(progress.pages, _counted(progress))

        yield watch


def _counted(progress: Any) -> str:
    from webvigil.discover.crawler.steps import count_forms

    services = f"{progress.found:,} service{'' if progress.found == 1 else 's'}"
    return f"{count_forms(progress.forms):,} forms, {services} ({len(progress.frontier):,} to go)"
