"""A service class and seeds in, a crawl out: it visits pages and judges forms up to its bounds (S2).

Every step is written down before the next is taken, and the state of the crawl follows from its steps alone.
A crawl that was killed continues from them: it visits no page again that arrived, and asks no form again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from urllib.parse import urlsplit

from webvigil.discover.analyser import analyse as analyse_page
from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.crawler.addresses import plain_address
from webvigil.discover.crawler.asking import Asking, form_key, shape_key
from webvigil.discover.crawler.findings import analysis_as_json
from webvigil.discover.crawler.frontier import Chosen, Strategy, make_frontier
from webvigil.discover.crawler.known import text_signature
from webvigil.discover.crawler.lead import Lead, host_of
from webvigil.discover.crawler.links import leads_on
from webvigil.discover.crawler.progress import Progress
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.steps import Begun, Ended, Failed, Judged, Read, Started, Step
from webvigil.discover.crawler.trail import Trail
from webvigil.discover.crawler.web import Web
from webvigil.discover.description import ServiceClass
from webvigil.discover.descriptions import descriptions_on
from webvigil.document import PageDigest, read
from webvigil.document.forms import Form
from webvigil.errors import PageError, SettingRefused
from webvigil.model.page import Page
from webvigil.model.version import Answer

# Bytes. A larger page is parsed in a thread, so that parsing does not hold up the other visits.
_THREAD_WORTH = 100_000
# How many leads may wait for their busy hosts, for each visit beyond the first that may run at a time.
_PARKED_FOR_EACH = 4
_TWINS = "others say the same"
# Seconds between two looks whether the host of a waiting lead is free.
_GLANCE = 0.1

Analyse = Callable[[Page, Answer, ServiceClass, Ask, Bounds], Awaitable[list[Analysis]]]
Watch = Callable[[Step, Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a crawl looks for, from which seeds, and how far it may go."""

    service: ServiceClass
    seeds: tuple[str, ...]
    frontier: Strategy = "learned"
    hints: tuple[str, ...] = ()
    chance: int = 0
    reach: Reach = field(default_factory=Reach)
    bounds: Bounds = field(default_factory=Bounds)
    dry_run: bool = False
    at_a_time: int = 8

    def leads(self) -> list[Lead]:
        """Returns the seeds as leads. Raises SettingRefused if a seed is no address."""
        try:
            return [Lead(url=plain_address(seed)) for seed in self.seeds]
        except ValueError as error:
            raise SettingRefused(str(error)) from error

    def started(self) -> Started:
        return Started(
            service=self.service.name,
            frontier=self.frontier,
            seeds=self.seeds,
            hints=self.hints,
            dry_run=self.dry_run,
        )


class Crawl:
    """One crawl. `steps` are those of a crawl that was interrupted; `watch` is called with every step."""

    def __init__(
        self,
        wanted: Wanted,
        web: Web,
        trail: Trail,
        *,
        steps: Sequence[Step] = (),
        analyse: Analyse = analyse_page,
        watch: Watch = lambda step, progress: None,
    ) -> None:
        frontier = make_frontier(wanted.frontier, hints=wanted.hints, seed=wanted.chance)
        self.progress = Progress.resumed(frontier, wanted.reach, wanted.leads(), steps)
        self._begun = bool(steps)
        self._wanted = wanted
        self._web = web
        self._trail = trail
        self._analyse = analyse
        self._watch = watch
        self._parked: list[Chosen] = []
        self._visits: set[asyncio.Task[None]] = set()

    async def run(self) -> Ended:
        """Crawls until a bound is reached or nothing is left, and returns the last step."""
        if self.progress.ended:
            return self.progress.ended
        if not self._begun:
            await self._take(self._wanted.started())
        over = time.monotonic() + self._wanted.reach.seconds
        try:
            why = await self._until_done(over)
        finally:
            for visit in self._visits:
                visit.cancel()
            await asyncio.gather(*self._visits, return_exceptions=True)
        ended = Ended(why=why)
        await self._take(ended)
        return ended

    async def _until_done(self, over: float) -> str:
        while True:
            why = self._bound_reached(over)
            chosen = None if why or len(self._visits) >= self._wanted.at_a_time else self._next()
            if chosen:
                await self._begin(chosen)
            elif self._visits:
                await self._wait()
            elif not self._parked:
                return why or "there is nothing left to visit"

    def _bound_reached(self, over: float) -> str:
        """Returns which bound was reached, after dropping the waiting leads; "" if none was reached."""
        reach = self._wanted.reach
        if self.progress.pages >= reach.pages:
            self._parked.clear()
            return f"{reach.pages} pages were visited"
        if time.monotonic() > over:
            self._parked.clear()
            return f"{reach.seconds:g} seconds are over"
        return ""

    async def _wait(self) -> None:
        """Waits until a visit ends, or until the host of a waiting lead may be free again."""
        timeout = _GLANCE if self._parked else None
        done, _ = await asyncio.wait(self._visits, return_when=asyncio.FIRST_COMPLETED, timeout=timeout)
        for visit in done:
            self._visits.discard(visit)
            visit.result()

    # --- Choosing ----------------------------------------------------------------------------------

    def _next(self) -> Chosen | None:
        """Returns a lead whose host is free now. Leads with busy hosts wait in the order they were chosen;
        only a few may wait."""
        self._parked = [one for one in self._parked if self._may_visit(one.lead.host)]
        for chosen in self._parked:
            if self._web.turns.is_free(chosen.lead.host):
                self._parked.remove(chosen)
                return chosen
        room = 0 if self.progress.frontier.in_order else _PARKED_FOR_EACH * (self._wanted.at_a_time - 1)
        while len(self._parked) <= room:
            taken = self._worth_visiting()
            if taken is None:
                break
            if room == 0 or self._web.turns.is_free(taken.lead.host):
                return taken
            self._parked.append(taken)
        return self._parked.pop(0) if self._parked and not self._visits else None

    def _worth_visiting(self) -> Chosen | None:
        while chosen := self.progress.frontier.take():
            if self._may_visit(chosen.lead.host):
                return chosen
        return None

    def _may_visit(self, host: str) -> bool:
        """Tells whether the host has not had its share of visits and does not want to be left alone."""
        return not self.progress.known.is_full(host) and not self._web.turns.left_alone(host)

    # --- Visiting ----------------------------------------------------------------------------------

    async def _begin(self, chosen: Chosen) -> None:
        await self._take(Begun(lead=chosen.lead, why=chosen.why, at=time.time_ns() // 1_000_000))
        self._visits.add(asyncio.create_task(self._visit(chosen.lead)))

    async def _visit(self, lead: Lead) -> None:
        """Fetches a page, writes down what came, and judges its new forms. A failure is a step as well."""
        began = time.monotonic()
        try:
            answer = await self._web.page(lead.url)
            digest = await _digest(answer)
        except PageError as error:
            await self._take(Failed(url=lead.url, error=str(error)))
            return
        step, forms = self._read(lead, answer, digest, began)
        known = {digest.path(one.node): one for one in forms if not self._is_new(lead, one)}
        news = set(step.forms)
        await self._take(step)
        if step.forms:
            shapes = {digest.path(one.node): shape_key(one) for one in forms}
            told = any(_description_key(one) in news for one in descriptions_on(digest))
            await self._judge(lead, answer, known, shapes, descriptions=told)

    def _read(
        self, lead: Lead, answer: Answer, digest: PageDigest, began: float
    ) -> tuple[Read, tuple[Form, ...]]:
        """Returns the step for a page that arrived, and the forms of the page."""
        arrived = _arrived(answer.url)
        signature = text_signature(host_of(arrived), digest.title, digest.visible_text)
        dead_end = self._dead_end(lead, answer, arrived, signature)
        most = self._wanted.reach.links_per_page
        leads = [] if dead_end else leads_on(digest, answer, source=lead, most=most)
        kept, left_out = self.progress.known.news(leads)
        # Services may look alike, so the forms of a page are judged although other pages say the same.
        forms = () if dead_end and dead_end != _TWINS else digest.forms
        step = Read(
            url=lead.url,
            arrived=arrived,
            status=answer.status,
            media_type=answer.content_type.partition(";")[0].strip().lower()[:60],
            size=len(answer.body),
            took_ms=int((time.monotonic() - began) * 1000),
            title=digest.title[:200],
            text=signature if answer.status == 200 else 0,
            leads=tuple(kept),
            left_out=dict(left_out),
            forms=self._new_forms(lead, digest, forms, dead_end),
            forms_there=len(forms),
            parameters=sum(len(one.fields) for one in forms),
            dead_end=dead_end,
        )
        return step, forms

    def _new_forms(
        self, lead: Lead, digest: PageDigest, forms: Sequence[Form], dead_end: str
    ) -> tuple[str, ...]:
        """Returns the keys of the forms to judge.

        A seed without forms but with a script may show forms in a browser. Only seeds are rendered: rendering
        every such page would take longer than the rest of the crawl.
        """
        scripted = lead.how == "seed" and not forms and len(digest.nodes_of("script"))
        if scripted and self._wanted.bounds.browser and not dead_end:
            return (f"rendered {lead.url}",)
        keys = [key for form in forms if self._is_new(lead, form) for key in _keys(lead, form)]
        keys += [
            key
            for one in descriptions_on(digest)
            if (key := _description_key(one)) not in self.progress.forms
        ]
        return () if dead_end and dead_end != _TWINS else tuple(dict.fromkeys(keys))

    def _is_new(self, lead: Lead, form: Form) -> bool:
        """Tells whether a form is to be judged. Away from the seeds, a form is left out if forms of its shape
        on the same host gave the same answer twice, or no answer several times: it is one search on many
        pages."""
        known = self.progress.forms
        if lead.how == "seed":
            return _exact_key(form) not in known and not (
                form_key(form) in known and self.progress.is_worn(shape_key(form))
            )
        return form_key(form) not in known and not self.progress.is_worn(shape_key(form))

    def _dead_end(self, lead: Lead, answer: Answer, arrived: str, signature: int) -> str:
        """Returns why the links of a page are not followed, or "" if they are."""
        if answer.status != 200:
            return f"the server answered {answer.status}"
        if arrived != lead.url and self.progress.known.knows(arrived):
            return "it leads to a page that is known"
        return _TWINS if self.progress.known.has_twins(signature) else ""

    async def _judge(
        self,
        lead: Lead,
        answer: Answer,
        known: Mapping[str, Form],
        shapes: Mapping[str, str],
        *,
        descriptions: bool,
    ) -> None:
        """Analyses the forms of a page. `known` holds, by place, the forms on the page that were judged
        before: they are left out. `shapes` are the shapes of the forms by place."""
        host = host_of(answer.url)
        async with self._web.turns.probing(host):
            began = time.monotonic()
            asking = Asking(self._web.ask, known.values(), dry_run=self._wanted.dry_run)
            left = max(0, self._site_probes(host) - self.progress.probes[host])
            bounds = replace(self._wanted.bounds, probes_per_site=left, descriptions=descriptions)
            page = Page(url=answer.url)
            found = await self._analyse(page, answer, self._wanted.service, asking, bounds)
            new = [one for one in found if one.form not in known]
            judged = Judged(
                url=lead.url,
                analyses=tuple(map(analysis_as_json, new)),
                took_ms=int((time.monotonic() - began) * 1000),
                asked=tuple(asking.would_ask),
                worn=tuple(
                    f"{shapes[one.form]} {_answered(one)}" for one in new if one.probes and one.form in shapes
                ),
            )
            await self._take(judged)

    def _site_probes(self, host: str) -> int:
        """Returns how many requests the forms of a host may get: more than usual where the user named more
        addresses of the host, unless the user wants fewer than usual."""
        bounds = self._wanted.bounds
        if bounds.probes_per_site < Bounds().probes_per_site:
            return bounds.probes_per_site
        seeds = sum(host_of(seed) == host for seed in self._wanted.seeds)
        return max(bounds.probes_per_site, bounds.probes_per_form * seeds)

    async def _take(self, step: Step) -> None:
        """Writes a step down, then applies it to the state and reports it."""
        await self._trail.append(step)
        self.progress.apply(step)
        self._watch(step, self.progress)


def _keys(lead: Lead, form: Form) -> list[str]:
    return [form_key(form), *([_exact_key(form)] if lead.how == "seed" else [])]


def _exact_key(form: Form) -> str:
    return f"exact {form_key(form, exact=True)}"


def _description_key(description: str) -> str:
    return f"described {description}"


def _answered(analysis: Analysis) -> str:
    """Returns a short text that is equal for forms with the same answer, "" for a form without one.

    A form that is sent to its own page may be one search that stands on every page. Forms that are sent to
    addresses of their own are services of their own, although they answer alike.
    """
    profile = analysis.profile
    if profile is None or not profile.found:
        return ""
    target = urlsplit(profile.steps[0].url).path if profile.steps else ""
    own = "" if target == urlsplit(profile.page.url).path else target
    return blake2b(f"{profile.found}\0{own}".encode("utf-8", "replace"), digest_size=6).hexdigest()


async def _digest(answer: Answer) -> PageDigest:
    if len(answer.body) < _THREAD_WORTH:
        return read(answer.body, answer.content_type, answer.url)
    return await asyncio.to_thread(read, answer.body, answer.content_type, answer.url)


def _arrived(url: str) -> str:
    try:
        return plain_address(url)
    except ValueError:
        return url
