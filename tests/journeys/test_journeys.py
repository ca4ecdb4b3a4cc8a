"""Users do anything in any order with a real server, checked against a simple model of what must be true.

    pytest tests/journeys                                             a few journeys, always the same ones
    pytest tests/journeys --hypothesis-profile=thorough               many and longer, others each time
    pytest tests/journeys --hypothesis-profile=thorough --hypothesis-seed=7      the same again

After every step this must be true: every user's sentinels are listed as the user left them; each change of a
page was found and told once for each sentinel that watched it; nobody sees a word of what others watch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.journeys.world import World
from tests.site import Site, SitePage
from tests.whole.serving import eventually

WAYS = st.sampled_from(["api", "command", "form"])
ONE = st.integers(0, 11)
PAGES = 3
PLAIN = 2
"""Number of the page that is plain text without markup."""
MOST_SENTINELS = 6
MANY = 1_000
THOROUGH = settings.get_current_profile_name() == "thorough"


@dataclass
class Watching:
    """What the model knows of a sentinel. It must have found at least `at_least` changes and at most
    `at_most`."""

    name: str
    user: str
    page: int
    text: str
    enabled: bool = True
    at_least: int = 0
    at_most: int = 0
    told_before: int = 0
    """How often its user was told before the sentinel was removed and imported again."""
    missed: bool = False
    """The page changed while the sentinel was disabled."""
    in_trouble: bool = False
    """The sentinel asks for something that its page cannot have."""
    fresh: bool = False
    """The sentinel has not seen its page yet, because the page is gone."""


@dataclass
class Watched:
    page: SitePage
    number: int
    """Number of the page's present text."""
    gone: bool = False
    unseen: bool = False
    """The page changed while it could not be fetched."""


@dataclass
class Model:
    users: list[str] = field(default_factory=lambda: ["me"])
    sentinels: dict[str, Watching] = field(default_factory=dict)
    pages: list[Watched] = field(default_factory=list)
    names: int = 0
    killed: bool = False
    """The server was killed, so a notice may come twice with the same id."""

    def of(self, user: str) -> list[Watching]:
        return [one for one in self.sentinels.values() if one.user == user]

    def on(self, page: int, *, enabled: bool = True) -> list[Watching]:
        return [
            one
            for one in self.sentinels.values()
            if (one.page, one.enabled, one.in_trouble) == (page, enabled, False)
        ]


class Journey(RuleBasedStateMachine):
    """One journey. Subclasses name the database (`kind`) and the site."""

    kind = ""
    site: Site
    journeys = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).journeys += 1
        self.model = Model()
        self.world: World | None = None

    @initialize()
    def begin(self) -> None:
        self.world = World(self.kind, self.site, self.journeys)
        place = f"/{self.kind}/{self.journeys}"
        self.model.pages = [
            Watched(self.site.page(f"{place}/{number}", _page(number, 0)), 0) for number in range(PAGES)
        ]
        self.model.pages[PLAIN].page.content_type("text/plain")
        for user in ("me", "jack"):
            self.site.page(f"{place}/hook/{user}", "taken").allows("POST")
        self._watch("me", 0, "api")

    def teardown(self) -> None:
        if self.world is not None:
            self.world.end()

    # --- what users do -------------------------------------------------------------------------------

    @precondition(lambda self: len(self.model.users) == 1)
    @rule()
    def second_user(self) -> None:
        self._there.second_user("jack")
        self.model.users.append("jack")

    @precondition(lambda self: len(self.model.sentinels) < MOST_SENTINELS)
    @rule(who=ONE, page=st.integers(0, PAGES - 1), way=WAYS)
    def watch(self, who: int, page: int, way: str) -> None:
        self._watch(self._user(who), page, way)

    @precondition(lambda self: len(self.model.sentinels) < MOST_SENTINELS)
    @rule(who=ONE)
    def watch_what_cannot_be(self, who: int) -> None:
        """An XPath on a page without markup puts the sentinel in trouble, and the page is still looked at for
        others."""
        user = self._user(who)
        one = self._new(user, PLAIN)
        one.in_trouble, one.at_most = True, MANY
        one.text += f"Within xpath \"//p[@class='{_word(user)}']\"\n"
        answer = self._there.door(user).post("/api/v1/sentinels", json={"text": one.text})
        if answer.status_code < 400:
            self.model.sentinels[one.name] = one

    @precondition(lambda self: self.model.sentinels)
    @rule(which=ONE, way=WAYS)
    def remove(self, which: int, way: str) -> None:
        one = self._chosen(which)
        self._act(one, "remove", way)
        del self.model.sentinels[one.name]

    @precondition(lambda self: self.model.sentinels)
    @rule(which=ONE, way=WAYS)
    def remove_and_watch_again(self, which: int, way: str) -> None:
        """A user removes a sentinel and watches the same page again."""
        one = self._chosen(which)
        self._act(one, "remove", way)
        del self.model.sentinels[one.name]
        self._watch(one.user, one.page, way)

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE, way=WAYS)
    def disable(self, which: int, way: str) -> None:
        one = self._chosen(which, enabled=True)
        self._act(one, "disable", way)
        one.enabled = False

    @precondition(lambda self: self._some(enabled=False))
    @rule(which=ONE, way=WAYS)
    def enable(self, which: int, way: str) -> None:
        one = self._chosen(which, enabled=False)
        one.at_most += one.missed
        one.missed, one.enabled = False, True
        self._act(one, "enable", way)
        self._look_now(one)

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE, way=WAYS)
    def run(self, which: int, way: str) -> None:
        """A look at a page that has not changed tells nothing."""
        one = self._chosen(which, enabled=True)
        page = self.model.pages[one.page]
        hits = page.page.hits
        self._act(one, "run", way)
        self._there.comes(f"a look at {page.page.path}", lambda: page.page.hits > hits)

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE, way=WAYS, hours=st.integers(1, 4))
    def edit(self, which: int, way: str, hours: int) -> None:
        one = self._chosen(which, enabled=True)
        one.text = self._text(one.name, one.user, one.page, hours)
        if way == "api":
            self._there.api(one.user, "PUT", f"/sentinels/{one.name}", json={"text": one.text})
        elif way == "form":
            self._there.form(one.user, f"/sentinels/{one.name}/text", text=one.text)
        else:
            self._there.command("edit", one.name, "-", user=one.user, text=one.text)

    @precondition(lambda self: self._some_change())
    @rule(way=WAYS)
    def mark(self, way: str) -> None:
        user, change = self._newest_change()
        if way == "form":
            self._there.form(user, f"/changes/{change}/seen", seen="true")
        else:
            self._there.api(user, "POST", "/changes/mark", json={"ids": [change]})
        assert self._there.api(user, "GET", f"/changes/{change}")["seen"]

    @precondition(lambda self: self._some_change())
    @rule()
    def share(self) -> None:
        user, change = self._newest_change()
        link = self._there.api(user, "POST", f"/changes/{change}/share")["link"]
        shown = self._there.door("me").get(link, headers={"cookie": ""})
        assert shown.status_code == 200
        assert not self._words_of(user, shown.text), "a link shows the change and not who watches"

    @precondition(lambda self: self.model.sentinels)
    @rule(who=ONE, way=WAYS)
    def leave_and_come_back(self, who: int, way: str) -> None:
        """A user exports the sentinels, removes all of them, and imports them again."""
        user = self._user(who)
        mine = self.model.of(user)
        if not mine:
            return
        exported = self._exported(user, way)
        for one in mine:
            self._act(one, "remove", "form")
        if way == "form":
            self._there.form(user, "/import", text=exported, really="yes")
        else:
            self._there.api(user, "POST", "/sentinels", json={"text": exported})
        for one in mine:
            one.at_least, one.at_most = 0, MANY if one.in_trouble else 0
            one.missed, one.enabled = False, True
            one.told_before = len(self._ids_told(one))
            self._look_now(one)

    def _exported(self, user: str, way: str) -> str:
        if way == "command":
            return self._there.command("export", user=user)
        return self._there.door(user).get("/export/sentinels").text

    # --- what pages do -------------------------------------------------------------------------------

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE, way=WAYS)
    def page_changes(self, which: int, way: str) -> None:
        one = self._chosen(which, enabled=True)
        self._change(one.page)
        if not self.model.pages[one.page].gone:
            self._act(one, "run", way)
            self._all_find(one.page)

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE)
    def page_changes_and_time_passes(self, which: int) -> None:
        """Nobody asks for a look; the interval passes and brings one."""
        one = self._chosen(which, enabled=True)
        if self.model.pages[one.page].gone:
            return
        self._change(one.page)
        self._there.go(5)
        self._all_find(one.page)

    @precondition(lambda self: self._some(enabled=True))
    @rule(which=ONE)
    def page_goes(self, which: int) -> None:
        one = self._chosen(which, enabled=True)
        watched = self.model.pages[one.page]
        watched.page.answers(410)
        watched.gone = True
        self._act(one, "run", "api")
        self._there.comes("a failed look", lambda: self._failures(one))

    @precondition(lambda self: any(one.gone for one in self.model.pages))
    @rule(which=ONE)
    def page_comes_back(self, which: int) -> None:
        gone = [number for number, one in enumerate(self.model.pages) if one.gone]
        page = gone[which % len(gone)]
        watched = self.model.pages[page]
        watched.page.answers_normally()
        watched.gone = False
        for one in self.model.on(page)[:1]:
            self._act(one, "run", "api")
        if watched.unseen:
            self._all_find(page)
        for one in self.model.on(page):
            self._look_now(one)

    # --- what happens to servers ---------------------------------------------------------------------

    @rule()
    def restart(self) -> None:
        self._there.stop()
        self._there.start()

    @rule()
    def kill(self) -> None:
        self.model.killed = True
        self._there.kill()
        self._there.start()

    @rule(hours=st.sampled_from([1, 7, 30]))
    def clock_forward(self, hours: int) -> None:
        self._there.go(hours)

    @rule(hours=st.sampled_from([1, 7, 30]), restarted=st.booleans())
    def clock_back(self, hours: int, restarted: bool) -> None:
        self._there.go(-hours)
        if restarted:
            self._there.stop()
            self._there.start()

    @rule()
    def move(self) -> None:
        """The server is moved by a backup that is restored into a new folder and database."""
        self._there.move(with_key=True)

    @precondition(lambda self: self._awake())
    @rule()
    def move_and_forget_the_key(self) -> None:
        """A restore without the key says what is missing, and notices that cannot be sent wait until the key
        is there."""
        assert "secret_key" in self._there.move(with_key=False)
        one = self._awake()[0]
        self._change(one.page)
        self._act(one, "run", "api")
        self._all_find(one.page, told=False)
        tried = eventually(lambda: self._tried(one.user))
        assert {each["state"] for each in tried} == {"pending"}, tried
        self._there.stop()
        self._there.bring_key()
        self._there.start()
        self._there.go(5)
        self._all_are_told(one.page)

    def _tried(self, user: str) -> list[dict[str, Any]]:
        """Returns the notices that were tried and could not be handed over."""
        notices: list[dict[str, Any]] = self._there.api(user, "GET", "/notices?limit=100")
        return [each for each in notices if each["error"] and each["state"] != "delivered"]

    # --- what must be true ---------------------------------------------------------------------------

    @invariant()
    def sentinels_are_listed_as_they_were_left(self) -> None:
        for user, listed in self._asked("/sentinels?limit=100"):
            seen = {one["name"]: one["state"] for one in listed}
            left = {one.name: "active" if one.enabled else "disabled" for one in self.model.of(user)}
            assert seen == left, user

    @invariant()
    def every_change_was_found_once(self) -> None:
        for user, changes in self._asked("/changes?limit=100"):
            found = Counter((one["sentinel"], one["page"], one["new_version"]) for one in changes)
            assert set(found.values()) <= {1}, found
            count = Counter(one["sentinel"] for one in changes)
            for one in self.model.of(user):
                assert one.at_least <= count[one.name] <= one.at_most, (one, count)

    @invariant()
    def every_change_was_told_once(self) -> None:
        for user in self.model.users if self.world else ():
            told = [one for one in self._there.told(user) if one.event == "change"]
            names = Counter((one.id, one.versions) for one in told)
            assert self.model.killed or set(names.values()) <= {1}, names
            for one in self.model.of(user):
                ids = self._ids_told(one)
                assert len(ids) - one.told_before <= one.at_most, (one, ids)

    @invariant()
    def nobody_sees_what_others_watch(self) -> None:
        if len(self.model.users) < 2:
            return
        for path in ("/", "/sentinels", "/pages", "/account/telling", *self._logs_of("jack")):
            shown = self._there.door("jack").get(path).text
            assert not self._words_of("me", shown), path
        for one in self._there.told("jack"):
            assert (one.user, self._words_of("me", one.sentinel)) == ("jack", [])

    @invariant()
    def all_is_well(self) -> None:
        """A clock that was set back is trouble until a worker has noticed it, which takes some seconds."""
        if self.world:
            eventually(lambda: self._there.door("me").get("/healthz").status_code == 200)

    # --- ways ----------------------------------------------------------------------------------------

    @property
    def _there(self) -> World:
        assert self.world is not None
        return self.world

    def _user(self, who: int) -> str:
        return self.model.users[who % len(self.model.users)]

    def _some(self, *, enabled: bool) -> list[Watching]:
        return [one for one in self.model.sentinels.values() if one.enabled is enabled and not one.in_trouble]

    def _awake(self) -> list[Watching]:
        """Returns the sentinels that would find a change now."""
        return [one for one in self._some(enabled=True) if not self.model.pages[one.page].gone]

    def _chosen(self, which: int, *, enabled: bool | None = None) -> Watching:
        """Returns one of the sentinels; 0 is the newest."""
        among = self._some(enabled=enabled) if enabled is not None else [*self.model.sentinels.values()]
        return among[-1 - which % len(among)]

    def _some_change(self) -> bool:
        return any(one.at_least for one in self.model.sentinels.values())

    def _newest_change(self) -> tuple[str, int]:
        user = next(one.user for one in self.model.sentinels.values() if one.at_least)
        return user, self._there.api(user, "GET", "/changes")[0]["id"]

    def _asked(self, path: str) -> Iterator[tuple[str, list[dict]]]:
        if self.world:
            for user in self.model.users:
                whose = "&" if "?" in path else "?"
                yield user, self._there.api(user, "GET", f"{path}{whose}user={user}")

    def _text(self, name: str, user: str, page: int, hours: int) -> str:
        return (
            f"Create Sentinel {name} Using {self.model.pages[page].page.url}\n"
            f"Monitor any change\nFetch {hours} hour\nTopic {_word(user)}\n"
            f"Notify By webhook {self._there.hook(user)} Every immediate\n"
        )

    def _new(self, user: str, page: int) -> Watching:
        self.model.names += 1
        name = f"{_word(user)}-{self.model.names}"
        return Watching(name, user, page, self._text(name, user, page, 2))

    def _watch(self, user: str, page: int, way: str) -> None:
        one = self._new(user, page)
        if way == "api":
            self._there.api(user, "POST", "/sentinels", json={"text": one.text})
        elif way == "command":
            self._there.command("add", "-", user=user, text=one.text)
        else:
            self._there.form(user, "/import", text=one.text, really="yes")
        self.model.sentinels[one.name] = one
        self._look_now(one)

    def _act(self, one: Watching, action: str, way: str) -> None:
        if way == "form":
            self._there.form(one.user, f"/sentinels/{one.name}", action=action)
        elif way == "command":
            self._there.command(action, one.name, user=one.user)
        elif action == "remove":
            self._there.api(one.user, "DELETE", f"/sentinels/{one.name}")
        else:
            self._there.api(one.user, "POST", f"/sentinels/{one.name}/{action}")

    def _look_now(self, one: Watching) -> None:
        """Waits until the sentinel has seen the page as it is now, so that it compares with that. A page that
        is gone is not waited for."""
        one.fresh = self.model.pages[one.page].gone
        if not one.fresh:
            self._act(one, "run", "api")
            self._there.comes(f"a look of {one.name}", lambda: self._is_at_rest(one))

    def _is_at_rest(self, one: Watching) -> bool:
        """Tells whether the page was fetched and no look is due soon. All intervals are whole hours, so 20
        minutes without a look mean rest."""
        page = self._page_of(one)
        soon = self._there.now() + timedelta(minutes=20)
        return (
            bool(page["versions"] and not page["failures"])
            and datetime.fromisoformat(page["next_look"]) > soon
        )

    def _failures(self, one: Watching) -> int:
        return self._page_of(one)["failures"]

    def _page_of(self, one: Watching) -> dict:
        return self._there.api(one.user, "GET", f"/sentinels/{one.name}")["pages"][0]

    def _change(self, page: int) -> None:
        watched = self.model.pages[page]
        watched.number += 1
        watched.unseen = True
        watched.page.becomes(_page(page, watched.number))

    def _all_find(self, page: int, *, told: bool = True) -> None:
        """Waits until every sentinel on the page has found its newest text and has told its user."""
        watched = self.model.pages[page]
        watched.unseen = False
        for one in self.model.on(page, enabled=False):
            one.missed = True
        for one in self.model.on(page):
            one.at_least += not one.fresh
            one.at_most += 1
        wanted = _text(page, watched.number)
        for one in self._knowing(page):
            self._there.comes(f"{wanted} for {one.name}", lambda one=one: self._found(one, wanted))
        if told:
            self._all_are_told(page)

    def _knowing(self, page: int) -> list[Watching]:
        return [one for one in self.model.on(page) if not one.fresh]

    def _all_are_told(self, page: int) -> None:
        wanted = _text(page, self.model.pages[page].number)
        for one in self._knowing(page):
            ((old, new),) = self._found(one, wanted)
            self._there.comes(
                f"notice of {wanted} for {one.name}",
                lambda one=one, versions=(old, new): versions in self._versions_told(one),
            )

    def _found(self, one: Watching, wanted: str) -> list[tuple[int, int]]:
        changes = self._there.api(one.user, "GET", f"/changes?sentinel={one.name}&user={one.user}")
        return [
            (each["old_version"], each["new_version"])
            for each in changes
            if wanted
            in [change.get("after") for finding in each["findings"] for change in finding["objects"]]
        ]

    def _ids_told(self, one: Watching) -> set[str]:
        told = self._there.told(one.user)
        return {each.id for each in told if (each.event, each.sentinel) == ("change", one.name)}

    def _versions_told(self, one: Watching) -> set[tuple[int, int]]:
        return {each.versions for each in self._there.told(one.user) if each.sentinel == one.name}

    def _logs_of(self, user: str) -> list[str]:
        pages = self._there.api(user, "GET", "/pages")
        return [f"{form}/{one['id']}{log}" for one in pages for form, log in LOGS]

    def _words_of(self, user: str, text: str) -> list[str]:
        return [word for word in (_word(user), f"hook/{user}") if word in text]


LOGS = (("/pages", ""), ("/api/v1/pages", "/log"))


def _word(user: str) -> str:
    """Returns a word that stands in everything that belongs to this user alone, and nowhere else."""
    return f"private{user}"


def _text(page: int, number: int) -> str:
    return f"page{page}text{number}"


def _page(page: int, number: int) -> str:
    return f"<title>Page {page}</title><p>Always the same words here.<p>Now: {_text(page, number)}"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_any_journey(kind: str, site: Site) -> None:
    machine = type("AnyJourney", (Journey,), {"kind": kind, "site": site})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20 if THOROUGH else 3,
            stateful_step_count=40 if THOROUGH else 8,
            derandomize=not THOROUGH,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_journey_past_everything(kind: str, site: Site) -> None:
    """A fixed journey that takes every step, however few steps the random ones take."""
    made = type("OneJourney", (Journey,), {"kind": kind, "site": site})()
    try:
        made.begin()
        for step, more in STEPS:
            getattr(made, step)(**more)
            _all_is_true(made)
    finally:
        made.teardown()


STEPS: list[tuple[str, dict[str, Any]]] = [
    ("page_changes", {"which": 0, "way": "api"}),
    ("remove", {"which": 0, "way": "command"}),
    ("watch", {"who": 0, "page": 0, "way": "command"}),
    ("remove_and_watch_again", {"which": 0, "way": "form"}),
    ("second_user", {}),
    ("watch", {"who": 1, "page": PLAIN, "way": "form"}),
    ("watch_what_cannot_be", {"who": 0}),
    ("page_changes", {"which": 0, "way": "command"}),
    ("mark", {"way": "form"}),
    ("share", {}),
    ("disable", {"which": 0, "way": "api"}),
    ("kill", {}),
    ("enable", {"which": 0, "way": "command"}),
    ("page_goes", {"which": 0}),
    ("restart", {}),
    ("page_comes_back", {"which": 0}),
    ("edit", {"which": 0, "way": "form", "hours": 3}),
    ("clock_forward", {"hours": 7}),
    ("page_changes_and_time_passes", {"which": 1}),
    ("clock_back", {"hours": 30, "restarted": False}),
    ("page_changes", {"which": 0, "way": "form"}),
    ("move", {}),
    ("page_changes_and_time_passes", {"which": 0}),
    ("leave_and_come_back", {"who": 0, "way": "command"}),
    ("remove_and_watch_again", {"which": 0, "way": "api"}),
    ("remove", {"which": 0, "way": "form"}),
    ("move_and_forget_the_key", {}),
    ("run", {"which": 0, "way": "form"}),
]


def test_the_journey_past_everything_takes_every_step():
    rules = {each.function.__name__ for each in Journey.setup_state().rules}
    assert rules == {step for step, _ in STEPS}


def _all_is_true(journey: Journey) -> None:
    for one in Journey.setup_state().invariants:
        one.function(journey)
