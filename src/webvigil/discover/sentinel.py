"""A capability profile in, a sentinel out that watches a discovered service's answer to a query (S6).

A sentinel looks at one request. If the last step of the profile carries the whole query, that step is
watched; otherwise the first step, provided that a browser finds its way from there alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from webvigil.discover.analysis import Profile, Step
from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.sentinel import ChangeType, FormPage, Sentinel, WebPage

_LONGEST_NAME = 40  # characters of a name that we make
_LONGEST_PLACE = 28  # characters of it that say where the service is
# A browser follows refreshes by itself, and the content of frames belongs to the page that shows them.
_BY_THEMSELVES = ("refresh", "frame")


def sentinel_for(profile: Profile, arguments: Mapping[str, str] | None = None, *, name: str = "") -> Sentinel:
    """Makes a sentinel. Arguments that are missing keep their value from the profile; a missing name is made
    from the class and the arguments.

    Raises SentinelRefused if no single request brings the answer, or if an argument is unknown.
    """
    asked = dict(profile.arguments)
    for argument in arguments or {}:
        if argument not in asked:
            known = ", ".join(asked)
            raise SentinelRefused(f"the service takes no argument {argument[:40]!r}; it takes {known}")
    wanted = {**asked, **(arguments or {})}
    step = _asking(_watched(profile), wanted)
    sentinel = Sentinel(
        name=name or _name(step, wanted),
        target=_target(step),
        monitor=ChangeType("all words"),
        render="browser" if step.render == "browser" else None,
    )
    return _readable(sentinel)


def sentinel_text(profile: Profile, arguments: Mapping[str, str] | None = None, *, name: str = "") -> str:
    """Returns the sentinel of `sentinel_for` as canonical text."""
    return print_sentinel(sentinel_for(profile, arguments, name=name))


def _readable(sentinel: Sentinel) -> Sentinel:
    """Checks that the sentinel can be written as text and read back, and returns it.

    Form fields can contain what the text of a sentinel cannot say, such as a name with a line end or half a
    character.
    """
    try:
        (again,) = parse(print_sentinel(sentinel))
    except (MistakeInText, ValueError) as error:
        raise SentinelRefused(f"this cannot be written as a sentinel: {error}") from error
    if again != sentinel:
        raise SentinelRefused("this cannot be written as a sentinel: it would read otherwise")
    return again


def _watched(profile: Profile) -> Step:
    """Returns the step to watch. Raises SentinelRefused if pages between must be passed anew for each
    query."""
    if not profile.steps:
        raise SentinelRefused("the profile has no steps")
    first, last = profile.steps[0], profile.steps[-1]
    told = {field.argument for field in first.fields} - {""}
    between = [step for step in profile.steps[1:] if step.kind != "frame"]
    if not between:
        return first
    if told <= {field.argument for field in last.fields}:
        return last
    if all(step.kind in _BY_THEMSELVES for step in between) and first.method == "GET":
        return replace(first, render="browser")
    raise SentinelRefused(
        f"the answer stands behind {len(between)} page{'s' if len(between) > 1 else ''} "
        f"({', '.join(step.kind for step in between)}) that must be passed anew for each question"
    )


def _asking(step: Step, wanted: Mapping[str, str]) -> Step:
    fields = tuple(
        replace(field, value=wanted[field.argument]) if field.argument in wanted else field
        for field in step.fields
    )
    return replace(step, fields=fields)


def _target(step: Step) -> FormPage | WebPage:
    fields = tuple((field.name, field.value) for field in step.fields)
    return (
        FormPage(url=step.url, method=step.method, fields=fields)
        if fields or step.method != "GET"
        else WebPage(step.url)
    )


def _name(step: Step, wanted: Mapping[str, str]) -> str:
    """Returns a name made of the host, the last part of the path and the question, so that the same question
    to two services has two names."""
    parts = urlsplit(step.url)
    place = [
        (parts.hostname or "").removeprefix("www."),
        str(parts.port or ""),
        parts.path.rpartition("/")[2],
    ]
    before = "_".join(re.findall(r"\w+", " ".join(place), re.ASCII))[:_LONGEST_PLACE]
    after = "_".join(re.findall(r"\w+", " ".join(wanted.values()), re.ASCII))
    return f"{before}_{after}"[:_LONGEST_NAME].strip("_") or "service"
