"""An imported file tells what the program tells that it comes from, on the same pages; or the import says why
not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.real.beside_cases import APPLICATION, BOTH, TAGS, WATCHES, WEBCHANGES, Answer, Case
from tests.real.installing import CannotInstall
from tests.real.originals import ChangeDetection, Jobs, asked
from tests.real.watching import Watching, words_of
from tests.site import Request, Site, SitePage
from webvigil.app.moving.formats import chain, contacts, job_keys, watch_keys, watch_parts
from webvigil.app.moving.formats.settings_keys import APPLICATION as APPLICATION_KEYS
from webvigil.app.moving.formats.settings_keys import REQUESTS
from webvigil.app.moving.imports import Plan, install_plan, plan_import
from webvigil.app.settings import Settings
from webvigil.model.moment import Millis
from webvigil.model.sentinel import FetchEvery
from webvigil.store.sql.knowledge import SqlKnowledge

pytestmark = pytest.mark.real

SEVEN_HOURS = 25_200


class HandClock:
    """A clock that stands still until the test moves it."""

    per_second = 1.0

    def __init__(self) -> None:
        self._now: Millis = time.time_ns() // 1_000_000

    def __call__(self) -> Millis:
        return self._now

    def passes(self, seconds: int) -> None:
        self._now += seconds * 1000


class Pages:
    """The pages of all cases on one site, each in its present version."""

    def __init__(self, site: Site, cases: Sequence[Case]) -> None:
        self._site, self._cases = site, cases
        self._pages: dict[str, SitePage] = {case.name: self._made(case) for case in cases}
        self.show(1)

    def url(self, case: Case) -> str:
        return self._pages[case.name].url

    def show(self, version: int) -> None:
        for case in self._cases:
            answer = case.versions[min(version, len(case.versions)) - 1]
            found = answer if isinstance(answer, Answer) else Answer(answer)
            shown = self._pages[case.name].answers_normally().content_type(found.media_type)
            shown.becomes(_only_if_asked(case, found.body))
            if found.status != 200:
                shown.answers(found.status, body=found.body)

    def _made(self, case: Case) -> SitePage:
        made = self._site.page("/" + case.name.replace(" ", "-"), "")
        made.validators = "none"
        if case.method != "GET":
            made.allows(case.method)
        if case.header:
            made.requires_header(*case.header)
        return made


def _only_if_asked(case: Case, body: str) -> Callable[[Request], str] | str:
    """Returns a page that answers the request of the case, and nothing else."""
    if not case.body:
        return body
    return lambda request: body if _same(request.body.decode(), case.body) else "<p>what do you want?</p>"


def _same(sent: str, wanted: str) -> bool:
    try:
        return bool(json.loads(sent) == json.loads(wanted))
    except ValueError:
        return sent == wanted


def imported(plans: list[Plan], *files: Path) -> Callable[[SqlKnowledge, Settings], dict[str, str]]:
    """Returns what installs the sentinels of these files, each looking every half a minute."""

    def install(knowledge: SqlKnowledge, settings: Settings) -> dict[str, str]:
        data = (
            files[0].read_bytes() if len(files) == 1 else b"\n---\n".join(one.read_bytes() for one in files)
        )
        plan = plan_import(knowledge, settings, data)
        often = FetchEvery(timedelta(seconds=30))
        rows = [
            replace(row, sentinel=row.sentinel and replace(row.sentinel, fetch=often)) for row in plan.rows
        ]
        plan = replace(plan, rows=tuple(rows))
        install_plan(knowledge, settings, plan)
        plans.append(plan)
        return {row.name: row.source for row in plan.fine}

    return install


def compared(
    cases: Sequence[Case], pages: Pages, look: Callable[[], set[str]], watching: Watching, plan: Plan
) -> list[str]:
    """Shows one version after the other to both programs, and returns the differences without explanation."""
    told: dict[str, tuple[list[int], list[int]]] = {case.name: ([], []) for case in cases}
    words: dict[tuple[str, int], str] = {}
    for version in range(2, 1 + max(len(case.versions) for case in cases)):
        pages.show(version)
        there = look()
        watching.passes(SEVEN_HOURS)
        watching.passes(SEVEN_HOURS)  # what is not believed at once is believed now
        here = watching.told()
        for case in cases:
            if version <= len(case.versions):
                told[case.name][0].extend([version] * (case.name in there))
                told[case.name][1].extend([version] * bool(here.get(case.name)))
                words[case.name, version] = words_of(here.get(case.name, []))
    rows = {row.source: row for row in plan.rows}
    return [fault for case in cases for fault in _faults(case, *told[case.name], rows[case.name], words)]


def _faults(
    case: Case, there: list[int], here: list[int], row: Any, words: Mapping[tuple[str, int], str]
) -> Iterator[str]:
    if there != [*case.told]:
        yield f"{case.name}: the other program told {there}, and {[*case.told]} was expected"
    differ = sorted({*there} ^ {*here})
    if row.trouble:
        yield f"{case.name}: {row.trouble}"
    elif differ != [*case.differs]:
        said = {version: words[case.name, version] for version in here}
        yield f"{case.name}: there {there}, here {here} ({said})\n{row.text}{row.remarks}"
    elif differ and not any(case.said in one for one in row.remarks):
        yield f"{case.name}: the import does not say why: {row.remarks}"


@pytest.mark.parametrize("tool", ["urlwatch", "webchanges"])
def test_imported_jobs_tell_what_the_program_tells(tool: str, tmp_path: Path):
    cases = BOTH if tool == "urlwatch" else (*BOTH, *WEBCHANGES)
    with Site() as site:
        pages = Pages(site, cases)
        jobs = [{"name": case.name, "url": pages.url(case), **case.about} for case in cases]
        for name in ("there", "here"):
            (tmp_path / name).mkdir()
        try:
            original = Jobs(tool, tmp_path / "there", jobs)
            original.look()
        except CannotInstall as error:
            pytest.skip(str(error))
        plans: list[Plan] = []
        watching = Watching(
            tmp_path / "here", HandClock(), imported(plans, original.file, original.configuration)
        )
        try:
            faults = compared(cases, pages, original.look, watching, plans[0])
        finally:
            watching.close()
    assert not faults, "\n" + "\n".join(faults)


def test_an_imported_backup_tells_what_changedetection_io_tells(tmp_path: Path):
    with Site() as site:
        pages = Pages(site, WATCHES)
        watches = {case.name: {"url": pages.url(case), **case.about} for case in WATCHES}
        for name in ("there", "here"):
            (tmp_path / name).mkdir()
        try:
            original = ChangeDetection(tmp_path / "there", watches, TAGS, APPLICATION)
            original.look()
        except CannotInstall as error:
            pytest.skip(str(error))
        assert not original.troubles()
        plans: list[Plan] = []
        watching = Watching(tmp_path / "here", HandClock(), imported(plans, original.backup()))
        try:
            faults = compared(WATCHES, pages, original.look, watching, plans[0])
        finally:
            watching.close()
    assert not faults, "\n" + "\n".join(faults)


# --- The tables have every key of the programs themselves -----------------------------------------

_JOB_KEYS = """
import json
from {tool}.jobs import JobBase
from {tool}.filters import FilterBase
import {tool}.storage, {tool}.reporters
def of(one, name):
    return list(getattr(one, name, None) or ())
kinds = [one for one in JobBase.__subclasses__.values()] if isinstance(JobBase.__subclasses__, dict) else []
filters = {{
    name: of(one, "__supported_subfilters__")
    for name, one in FilterBase.__subclasses__.items()
    if name and not getattr(one, "__name__", "").startswith(("AutoMatch", "RegexMatch", "LegacyHooks"))
}}
keys = sorted({{key for one in kinds for key in (*of(one, "__required__"), *of(one, "__optional__"))}})
reports = list({tool}.storage.DEFAULT_CONFIG["report"])
print(json.dumps({{"keys": keys, "filters": filters, "reports": reports}}))
"""
_WATCH_KEYS = """
import json, sys
sys.stdout, out = sys.stderr, sys.stdout
from changedetectionio.model import App, watch_base
from changedetectionio.model.schema_utils import *
from changedetectionio.browser_steps.browser_steps import browser_step_ui_config
from changedetectionio.conditions import get_field_choices, get_operator_choices
import importlib.resources, yaml
import changedetectionio
spec = yaml.safe_load((importlib.resources.files(changedetectionio) / "docs/api-spec.yaml").read_text())
schemas = spec["components"]["schemas"]
def of(name):
    about = schemas[name]
    parts = [about, *about.get("allOf", [])]
    return [key for one in parts for key in one.get("properties", {})]
base = App.model.base_config["settings"]
print(json.dumps({
    "watch": sorted({*watch_base(), *of("WatchBase"), *of("Watch")}),
    "tag": sorted(of("Tag")),
    "application": list(base["application"]),
    "requests": list(base["requests"]),
    "steps": list(browser_step_ui_config),
    "fields": [one[0] for one in get_field_choices() if one[0]],
    "operators": [one[0] for one in get_operator_choices() if one[0]],
}), file=out, flush=True)
import os
os._exit(0)
"""


def _keys_of(tool: str, script: str) -> Any:
    try:
        return asked(tool, script)
    except CannotInstall as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("tool", ["urlwatch", "webchanges"])
def test_the_tables_have_every_key_of_a_job(tool: str):
    known = _keys_of(tool, _JOB_KEYS.format(tool=tool))
    assert len(known["keys"]) > 20
    assert {*known["keys"]} - {*job_keys.KEYS} == set()
    assert {*known["filters"]} - {*chain.FILTERS} == set()
    for name, options in known["filters"].items():
        assert {*options} - {*chain.FILTERS[name].options} == set(), name
    names = {*contacts.SERVICES, *contacts.REPORTERS, "email", "mailgun", "webhook"}
    assert {*known["reports"]} - names == set()


def test_the_tables_have_every_key_of_changedetection_io():
    known = _keys_of("changedetection.io", _WATCH_KEYS)
    assert {*known["watch"]} - {*watch_keys.KEYS} == set()
    assert {*known["application"]} - {*APPLICATION_KEYS} == set()
    assert {*known["requests"]} - {*REQUESTS} == set()
    assert {*known["steps"]} - {*watch_parts.STEPS, *watch_parts.STEP_REMARKS, "Remove elements"} == set()
    operators = {*watch_parts.TEXT_CONDITIONS, *watch_parts.NUMBER_CONDITIONS}
    assert {*known["operators"]} - operators == set()
    fields = {"extracted_number", "page_filtered_text", "levenshtein_ratio", *watch_parts.OTHER_FIELDS}
    assert {*known["fields"]} - fields == set()


def test_the_cases_are_told_apart_by_name():
    for cases in ((*BOTH, *WEBCHANGES), WATCHES):
        assert len({case.name for case in cases}) == len(cases)
        assert yaml.safe_dump([case.about for case in cases])
