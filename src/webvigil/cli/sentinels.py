"""`webvigil add`, `watch`, `list`, `show`, `enable`, `disable`, `remove`, `undo-remove` and `run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json
from webvigil.cli.place import place_of, place_options
from webvigil.cli.saying import say, say_json
from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.model.short_text import short_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webvigil.model.change import Finding
    from webvigil.model.installed import ToldSentinel, WatchedPage
    from webvigil.model.portrait import Portrait


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8"))
@as_json
@place_options
def add(place: dict[str, Any], file: Any, as_json: bool) -> None:
    """Install the sentinels of FILE (- for standard input).

    \b
    Example:
      webvigil add my.sentinels
      echo 'Create Sentinel news Using https://example.org/ Monitor all links' | webvigil add -
      webvigil add my.sentinels --server https://vigil.example
    """
    text = read_text(file)
    with place_of(place) as there:
        try:
            installed = there.add(text)
        except (MistakeInText, SentinelRefused) as error:
            raise SentinelRefused(there.pointed(text) or str(error)) from error
    _print_installed(installed, as_json)


@click.command()
@click.argument("url")
@click.option("--monitor", default="any change", metavar="EXPR", help="What counts as a change.")
@click.option("--main", is_flag=True, help="Only the part that matters: no navigation, header, footer.")
@click.option("--name", help="Name of the sentinel (default: made from the address).")
@click.option(
    "--request", metavar="REQUEST", help="How to ask for it: a method, headers and a body, as after Using."
)
@click.option("--every", metavar="INTERVAL", help="How often to look, such as '2 hour'.")
@click.option(
    "--depth",
    type=click.IntRange(0, 2),
    help="1: also the pages that it links to; 2: and what those link to.",
)
@as_json
@place_options
def watch(
    place: dict[str, Any],
    url: str,
    monitor: str,
    main: bool,
    name: str | None,
    request: str | None,
    every: str | None,
    depth: int | None,
    as_json: bool,
) -> None:
    """Watch one page: the short form of add.

    \b
    Example:
      webvigil watch https://example.org/news
      webvigil watch https://example.org/terms --main
      webvigil watch https://example.org/prices --monitor 'keywords: {sale}' --every '1 hour'
      webvigil watch https://api.example/search --request 'POST json {"q": "lamp"}'
      webvigil watch https://example.org/news --server https://vigil.example
    """
    from webvigil.app.sentinels.names import name_of_page
    from webvigil.language.texts import quoted

    page = _address(url)
    target = _requested(page, request) if request else page
    more = "\nWithin main" if main else ""
    more += (f"\nFetch {every}" if every else "") + (f"\nDepth {depth}" if depth is not None else "")
    with place_of(place) as there:
        called = quoted(name or there.free_name(name_of_page("", page)))
        installed = there.add(f"Create Sentinel {called} Using {target}\nMonitor {monitor}{more}\n")
    _print_installed(installed, as_json)


def _requested(page: str, request: str) -> str:
    """Returns the target that asks for a page in this way."""
    from webvigil.language import parse_request
    from webvigil.language.requests import print_request

    return print_request(parse_request(request), page)


@click.command(name="list")
@click.option("--trouble", is_flag=True, help="Only those in trouble: failing pages, nothing to watch.")
@as_json
@place_options
def list_(place: dict[str, Any], trouble: bool, as_json: bool) -> None:
    """List your sentinels, newest first.

    \b
    Example:
      webvigil list
      webvigil list --trouble
      webvigil list --json
    """
    with place_of(place) as there:
        found = [one for one in there.all() if not trouble or _is_in_trouble(one)]
    if as_json:
        from webvigil.app.to_json import sentinel_as_json

        say_json([sentinel_as_json(one) for one in found])
        return
    if not found:
        say("No sentinel is in trouble." if trouble else there.nothing_yet)
    for one in found:
        worst = max(one.pages, key=lambda page: (page.failures, bool(page.doubt)), default=None)
        failed = _failed(worst) if worst else ""
        changes = "change " if one.changes == 1 else "changes"
        say(f"{one.name:24} {one.state:9} {one.changes:5} {changes}  {_pages(one)}{failed}")
        for words in one.trouble.values():
            say(f"{'':24} in trouble: {words}")


@click.command()
@click.argument("name", required=False)
@click.option(
    "--timeline", is_flag=True, help="What has happened and what will, in order (without NAME: of all)."
)
@as_json
@place_options
def show(place: dict[str, Any], name: str | None, timeline: bool, as_json: bool) -> None:
    """Show one sentinel: its text, its state, what happens next and why, its pages and the next look.

    \b
    Example:
      webvigil show news
      webvigil show --timeline
    """
    if timeline:
        _show_timeline(place, name, as_json)
        return
    if name is None:
        raise click.UsageError("name a sentinel, or ask for --timeline")
    with place_of(place) as there:
        portrait = there.portrait(name)
        watched = [] if as_json else there.watched(name)
    if as_json:
        from webvigil.app.to_json import portrait_as_json

        say_json(portrait_as_json(portrait))
        return
    _say_portrait(portrait)
    for one in watched:
        say(f"watches on {one.url} (version {one.version}):")
        if one.trouble:
            say(f"  {one.trouble}")
        for finding in one.findings:
            say(f"  {finding.type}: {_some(finding)}")
        for words in one.missing:
            say(f"  {words}")
        for block in one.outside:
            say(f"  outside of main: {block.says}\n    to watch it, too: {block.clause}")


def _say_portrait(portrait: Portrait) -> None:
    found = portrait.sentinel
    say(found.written.rstrip())
    for topic, clauses in portrait.from_topics.items():
        say(f"from the topic {topic}:")
        for line in clauses.splitlines():
            say(f"  {line}")
    say(f"\n{found.state}; {portrait.next}")
    say(f"installed {_minute(found.installed_at)}, {_count(found.changes, 'change')}")
    if portrait.looks:
        looks = ", ".join(f"{one:%a %Y-%m-%d %H:%M %z}" for one in portrait.looks)
        say(f"next looks by its schedule: {looks}")
    for page in found.pages:
        say(f"  {_page_line(page)}")
        for more in (portrait.trouble.get(page.url), portrait.pace.get(page.url)):
            if more:
                say(f"    {more}")
        if said := portrait.left_out.get(page.url):
            say(f"    last left out: {said}")
        for place in portrait.restless:
            if place.url == page.url:
                say(f"    left out: {place.says}\n      to be told: {place.clause}")
    most = f"at most {portrait.most_linked} are watched (the setting linked_pages)"
    _say_linked(portrait.linked, most if found.full else "")


def _page_line(page: WatchedPage) -> str:
    when = f"next look {_minute(page.due)}" if page.due else "no look planned"
    amounts = f"{_count(page.checks, 'look')}, {_count(page.latest, 'version')}"
    return f"{page.url}: {amounts}{_failed(page)}, {when}"


def _failed(page: WatchedPage) -> str:
    times = "once" if page.failures == 1 else f"{page.failures} times in a row"
    if page.failures:
        return f", failed {times}"
    return f", {page.doubt.said}" if page.doubt and page.doubt.told else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _say_linked(linked: Sequence[WatchedPage], full: str) -> None:
    """Prints the linked pages, grouped by how many links away they are."""
    for level, what in ((1, "pages that it links to"), (2, "pages that those link to")):
        some = [page for page in linked if page.level == level]
        if some:
            say(f"{what}: {len(some)}")
        for page in some:
            say(f"  {_page_line(page)}")
    if full:
        say(f"there are more links: {full}")


def _some(finding: Finding) -> str:
    """Returns how many objects a finding has, and the first three."""
    facts = finding.type == "product"  # whose objects are always price, availability and name
    names = [
        " ".join((f"{one.object} {one.after}" if facts else one.object).split()) for one in finding.objects
    ]
    first = "; ".join(short_text(name, 60) for name in names[:3])
    if not names:
        return "nothing there now"
    return (
        f"{len(names)} {'object' if len(names) == 1 else 'objects'}: {first}{' …' if len(names) > 3 else ''}"
    )


def _show_timeline(place: dict[str, Any], name: str | None, as_json: bool) -> None:
    with place_of(place) as there:
        entries = there.timeline(name)
    if as_json:
        from webvigil.app.to_json import entry_as_json

        say_json([entry_as_json(one) for one in entries])
        return
    for one in entries:
        say(f"{one.at:%Y-%m-%d %H:%M} UTC {'·' if one.past else '→'} {one.sentinel} {one.what}")


@click.command()
@click.argument("name")
@place_options
def enable(place: dict[str, Any], name: str) -> None:
    """Let a disabled sentinel watch again, at once.

    \b
    Example:
      webvigil enable news
    """
    with place_of(place) as there:
        found = there.enable(name)
    say(f"{name} is {found.state}; {found.next}")


@click.command()
@click.argument("name")
@place_options
def disable(place: dict[str, Any], name: str) -> None:
    """Let a sentinel rest until it is enabled. Its life span goes on meanwhile.

    \b
    Example:
      webvigil disable news
    """
    with place_of(place) as there:
        state = there.disable(name)
    say(f"{name} is {state}")


@click.command()
@click.argument("name")
@place_options
def remove(place: dict[str, Any], name: str) -> None:
    """Remove a sentinel and its changes. For some days undo-remove brings them back.

    \b
    Example:
      webvigil remove news
    """
    from webvigil.app.sentinels.removal import KEPT

    with place_of(place) as there:
        there.remove(name)
    undo = f"for {KEPT.days} days this brings it back: webvigil undo-remove {name}"
    say(f"{name} is removed with its changes; {undo}")


@click.command("undo-remove")
@click.argument("name", required=False)
@as_json
@place_options
def undo_remove(place: dict[str, Any], name: str | None, as_json: bool) -> None:
    """Bring a removed sentinel back with its changes; without a name, list what can be brought back.

    \b
    Example:
      webvigil undo-remove
      webvigil undo-remove news
    """
    with place_of(place) as there:
        if name is not None:
            print_one(there.bring_back(name), "is back", as_json)
            return
        found = there.removed()
    if as_json:
        from webvigil.app.to_json import removed_as_json

        say_json([removed_as_json(one) for one in found])
    for one in found if not as_json else ():
        say(f"{one.name}: removed {_minute(one.removed_at)}, {_count(one.changes, 'change')}, {one.url}")
    if not found and not as_json:
        say("Nothing to bring back.")


@click.command()
@click.argument("name", required=False)
@click.option("--due", is_flag=True, help="Look at all pages that are due, tell, and end; for cron.")
@as_json
@place_options
def run(place: dict[str, Any], name: str | None, due: bool, as_json: bool) -> int | None:
    """Look at a sentinel's pages now, whatever its schedule says (the running server does it).

    With --due no server is needed: the command looks at everything that is due, of all users, delivers the
    notices and ends. Its exit code is 0 if nothing changed, 1 if something did, and 2 if a page could not be
    looked at or another WebVigil works on the same folder.

    \b
    Example:
      webvigil run news
      webvigil run --due
      */10 * * * *  webvigil run --due --data /home/jill/vigil     in a crontab
    """
    if due == (name is not None):
        raise click.UsageError("name a sentinel, or say --due")
    if due:
        return _run_due(place, as_json)
    assert name is not None
    with place_of(place) as there:
        ran = there.run(name)
    if as_json:
        say_json({"pages": ran.pages, "warnings": list(ran.warnings)})
        return None
    say(f"{name}: {_count(ran.pages, 'page')} will be looked at now")
    _warn(ran.warnings)
    return None


def _run_due(place: dict[str, Any], as_json: bool) -> int:
    """Looks at what is due. Returns 0 if nothing changed, 1 if something did, 2 if a look failed."""
    import asyncio
    import os

    from webvigil.app.operating.logs import start_logging
    from webvigil.app.settings import read_settings
    from webvigil.app.worker.process import run_due
    from webvigil.cli.options import STORE_OPTIONS
    from webvigil.cli.place import server_wanted

    if server_wanted(place, os.environ):
        raise click.UsageError("--due works on a store; a server looks by itself")
    settings = read_settings({one: place[one] for one in STORE_OPTIONS})
    start_logging("warning", settings.log_format)
    ran = asyncio.run(run_due(settings))
    looked = [one for one in ran.results if one.look.decision != "postponed"]
    changes = ran.changes
    failed = [one.look.error for one in looked if one.look.decision == "failed"]
    if as_json:
        say_json({"looks": len(looked), "changes": changes, "failed": failed})
    else:
        say(f"{_count(len(looked), 'look')}, {_count(changes, 'change')}, {len(failed)} failed")
        _warn(failed)
    return 2 if failed else int(changes > 0)


def read_text(file: Any) -> str:
    try:
        text: str = file.read()
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file.name} is not UTF-8 text ({error.reason})") from error
    return text


def _address(url: str) -> str:
    from webvigil.model.page import normal_url

    try:
        return normal_url(url)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def _print_installed(installed: Sequence[ToldSentinel], as_json: bool) -> None:
    if as_json:
        _print_json(installed)
        return
    for one in installed:
        print_one(one, "is installed")


def print_one(one: ToldSentinel, became: str, as_json: bool = False) -> None:
    if as_json:
        _print_json(one)
        return
    waits = "" if one.state == "active" else f" ({one.state})"
    say(f"{one.name} {became}{waits}: {_pages(one)}")
    _warn(one.warnings)


def _warn(warnings: Sequence[str]) -> None:
    for words in warnings:
        say(f"warning: {words}", err=True)


def _is_in_trouble(one: ToldSentinel) -> bool:
    return any(page.failures or page.trouble for page in one.pages)


def _print_json(found: ToldSentinel | Sequence[ToldSentinel]) -> None:
    from webvigil.app.to_json import with_warnings_as_json
    from webvigil.model.installed import ToldSentinel

    if isinstance(found, ToldSentinel):
        say_json(with_warnings_as_json(found))
    else:
        say_json([with_warnings_as_json(one) for one in found])


def _pages(one: ToldSentinel) -> str:
    """Returns the title and the address of the first page, and how many others there are."""
    page = one.pages[0] if one.pages else None
    first = f"{page.title}  {page.url}" if page and page.title else page.url if page else "no pages"
    named = first if len(one.pages) < 2 else f"{first} and {len(one.pages) - 1} more"
    return f"{named}, {one.linked} linked" if one.linked else named


def _minute(time: Any) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"
