"""Reads the YAML job lists of urlwatch and webchanges, one YAML document for each job."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from webvigil.app.moving.formats.contacts import REPORTERS, reporter
from webvigil.app.moving.formats.found import Found, page_of
from webvigil.app.moving.formats.job_keys import KEYS, is_browser
from webvigil.app.moving.formats.said import REMARK, Said, found_from, remarks_of, said_by, told
from webvigil.errors import SettingRefused

# Bytes. The bound is lower than for other formats, because the YAML loader is written in Python and slow.
_LARGEST = 5_000_000
# The sections of a configuration file. It may be imported together with the jobs that it is for.
_CONFIGURATION = ("report", "display", "job_defaults", "differ_defaults", "database", "footnote")


class _Loader(yaml.SafeLoader):
    """A YAML loader that refuses aliases: a few lines with nested aliases can stand for more data than fits
    in memory."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def is_mine(data: bytes) -> bool:
    text = data[:200_000].decode("utf-8-sig", "replace")
    return bool(
        re.search(r"^(?:- )?(url|navigate|command|name|kind|job_defaults|report):\s", text, re.MULTILINE)
    )


def read(data: bytes) -> list[Found]:
    if len(data) > _LARGEST:
        raise SettingRefused("this YAML file is too large to import")
    try:
        documents = list(yaml.load_all(data, _Loader))
    except RecursionError as error:
        raise SettingRefused("this YAML file cannot be read: it is nested too deeply") from error
    except (yaml.YAMLError, ValueError) as error:
        raise SettingRefused(f"this YAML file cannot be read: {_first_line(error)}") from error
    configuration = [one for one in documents if _is_configuration(one)]
    jobs = [job for one in documents if not _is_configuration(one) for job in _jobs(one)]
    contacts = [said for one in configuration for said in _contacts(one)]
    found = [_found(_with_defaults(job, configuration), contacts) for job in jobs]
    return found + [_settings(one, contacts if not jobs else []) for one in configuration]


def _is_configuration(document: Any) -> bool:
    return isinstance(document, dict) and any(isinstance(document.get(one), dict) for one in _CONFIGURATION)


def _jobs(document: Any) -> Iterator[dict[str, Any]]:
    for one in document if isinstance(document, list) else [document]:
        if isinstance(one, dict):
            yield one


def _found(job: dict[str, Any], contacts: Iterable[Said]) -> Found:
    """Turns a job into a sentinel. Jobs that run commands are refused: WebVigil never runs a program on
    behalf of a file."""
    url = job.get("url") or job.get("navigate")
    title = job.get("name")
    source = str(title or url or job.get("command") or "a job")[:200]
    if "command" in job:
        return Found(source=source, trouble="runs a command of the system, which WebVigil never does")
    try:
        page = page_of(url)
    except ValueError as error:
        return Found(source=source, trouble=str(error))
    said = [*said_by(job, KEYS), *contacts, Said("quiet", "off")]
    if not any(one.slot == "monitor" for one in said):
        said.append(Said("monitor", "exact change"))
    return found_from(source, title, page.url, said, job)


def _with_defaults(job: dict[str, Any], configuration: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the job with the defaults for jobs of its kind, then for all jobs."""
    kind = "shell" if "command" in job else "browser" if is_browser(job) else "url"
    for one in configuration:
        defaults = one.get("job_defaults")
        for name in (kind, "all"):
            given = defaults.get(name) if isinstance(defaults, dict) else None
            job = {**given, **job} if isinstance(given, dict) else job
    return job


def _contacts(configuration: dict[str, Any]) -> Iterator[Said]:
    reports = configuration.get("report")
    for name, about in reports.items() if isinstance(reports, dict) else ():
        if isinstance(about, dict) and about.get("enabled") and name not in REPORTERS:
            yield from reporter(str(name), about, f"report {name}")


def _settings(configuration: dict[str, Any], contacts: list[Said]) -> Found:
    """Returns what becomes of the sections of a configuration file."""
    said = [
        Said(REMARK, "import the jobs together with this file: webvigil import JOBS CONFIGURATION", "report")
    ]
    said = said if contacts else []
    for section in configuration:
        if section not in ("report", "job_defaults"):
            said.append(
                Said(
                    REMARK, f"not taken along; it {_ABOUT.get(str(section), 'is unknown here')}", str(section)
                )
            )
    reports = configuration.get("report")
    for name, about in reports.items() if isinstance(reports, dict) else ():
        if name in REPORTERS:
            said.append(Said(REMARK, f"not taken along; it {REPORTERS[name]}", f"report {name}"))
        elif isinstance(about, dict) and not about.get("enabled"):
            said.append(Said(REMARK, "not taken along; it is not enabled", f"report {name}"))
    return Found(source="configuration", remarks=tuple(remarks_of(said)), told=told(said, configuration))


_ABOUT = {
    "display": "says which results are shown beside changes; here changes and pages in trouble are told",
    "differ_defaults": "says how changes look",
    "database": "says where versions are kept",
    "footnote": "is added to each report",
}


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
