"""What a page does at nearly every look is learnt and left out, and its user can have it told (Q1-Q8)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.app.worker.conftest import Watching
from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from tests.store.conftest import Clock
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.quiet import left_places, mark_as_noise, propose, tell_again
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.errors import SentinelRefused
from webvigil.fetch.http import HttpFetcher
from webvigil.flow import SECOND_LOOK, check
from webvigil.model.change import finding_as_json
from webvigil.pace.pacing import Pacing
from webvigil.store.sql.knowledge import SqlKnowledge

SETTINGS: Settings = read_settings({"user": "jill", "allow_networks": "127.0.0.0/8"}, environment={})


COUNTER = "<h1>Shop</h1><p>Brands: <b>{}</b></p><p>The lamp costs 12 crowns.</p>"


def ticks(watching: Watching, page, looks: int, first: int = 100) -> None:
    for n in range(looks):
        page.becomes(COUNTER.format(first - n))
        watching.looks()


def test_a_counter_is_left_out_and_sold_out_is_told(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 8)
    assert watching.told() == [(1, 2), (2, 3)]
    page.becomes(COUNTER.format("sold out"))
    watching.looks()
    assert watching.told()[2:] == [(9, 10)]


def test_the_real_change_beside_it_is_told_alone(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 6)
    page.becomes(COUNTER.format("94").replace("12 crowns", "15 crowns"))
    watching.looks()
    change = watching.knowledge.changes.all()[0]
    assert [(one.before, one.after) for one in change.findings[0].objects] == [("12", "15")]


def test_the_log_says_what_is_left_out(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 4)
    (watched,) = watching.knowledge.sentinels.get("jill", "s").pages
    log = watching.knowledge.journal.fetch_log(watched.id)
    assert [bool(one["left_out"]) for one in log] == [True, True, False, False, False]
    assert log[0]["left_out"] == "the number beside “Brands” changes at nearly every look, this time: “97”"


def test_quiet_off_is_told_everything_to_the_byte(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(
        f"Create Sentinel quiet Using {page.url} Fetch 1 hour\n"
        f"Create Sentinel loud Using {page.url} Fetch 1 hour Quiet off\n"
        f'Create Sentinel exact Using {page.url} Fetch 1 hour Monitor value css "b"'
    )
    ticks(watching, page, 6)
    found = {name: watching.knowledge.changes.all(sentinel=name) for name in ("quiet", "loud", "exact")}
    assert [len(found[name]) for name in found] == [2, 6, 6]
    assert finding_as_json(found["loud"][0].findings[0]) == {
        "type": "any change",
        "changed": True,
        "share": 0.125,
        "score": 4,
        "objects": [
            {
                "object": "96",
                "status": "u",
                "before": "96",
                "after": "95",
                "where": ["/html/body/p[1]/b"],
                "label": "Brands",
                "section": "Shop",
                "surrounding": {
                    "before": "Brands: 96",
                    "before_marks": [[8, 10]],
                    "after": "Brands: 95",
                    "after_marks": [[8, 10]],
                },
            }
        ],
    }


def test_what_was_learnt_survives_a_restart(site: Site, tmp_path: Path):
    clock, place = Clock(), f"sqlite:///{tmp_path / 'k.sqlite3'}"
    page = site.page("/shop", COUNTER.format("101"))
    knowledge = SqlKnowledge(place, delay=0, clock=clock)
    watching = Watching(knowledge, clock)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 3)
    knowledge.close()
    watching.works_with(SqlKnowledge(place, delay=0, clock=clock))
    ticks(watching, page, 3, first=90)
    assert watching.told() == [(1, 2), (2, 3)]
    watching.close()


def test_looks_at_which_nothing_changed_let_a_place_cool(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 6)
    for _ in range(40):
        watching.looks()
    page.becomes(COUNTER.format("3"))
    watching.looks()
    assert watching.told()[-1] == (7, 8)


def test_a_place_that_is_brought_back_is_told(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 5)
    knowledge = watching.knowledge
    (left,) = left_places(knowledge.habits, knowledge.sentinels.get("jill", "s"))
    assert left.clause == 'Quiet on except xpath "/html/body/p[1]/b"'
    assert left.says.startswith("the number beside “Brands” changes at nearly every look")
    tell_again(knowledge, SETTINGS, "s", left.place)
    assert left.clause in knowledge.sentinels.get("jill", "s").text
    assert left_places(knowledge.habits, knowledge.sentinels.get("jill", "s")) == ()
    ticks(watching, page, 2, first=50)
    assert watching.told()[2:] == [(6, 7), (7, 8)]
    with pytest.raises(SentinelRefused):
        tell_again(knowledge, SETTINGS, "s", "nowhere at all")


def test_a_sentinel_with_quiet_off_leaves_nothing_out(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Quiet off")
    ticks(watching, page, 4)
    assert left_places(watching.knowledge.habits, watching.knowledge.sentinels.get("jill", "s")) == ()
    with pytest.raises(SentinelRefused, match="Quiet off"):
        tell_again(watching.knowledge, SETTINGS, "s", "/html/body/p")


def test_only_new_tells_what_was_never_there(site: Site, watching: Watching):
    news = "<h1>News of the harbour</h1><p>{}"
    page = site.page("/news", news.format("storm over the bay"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Only new")
    for text in ("calm at sea", "storm over the bay", "calm at sea", "", "a whale was seen"):
        page.becomes(news.format(text))
        watching.looks()
    assert watching.told() == [(1, 2), (5, 6)]
    (watched,) = watching.knowledge.sentinels.get("jill", "s").pages
    log = watching.knowledge.journal.fetch_log(watched.id)
    assert log[3]["left_out"] == ("1 change to what was on the page before, such as “storm over the bay”")


def test_within_main_is_followed_while_everything_around_changes(site: Site, watching: Watching):
    text = "<p>" + "These are the terms that you agree to when you buy a lamp from our shop. " * 5 + "{}</p>"
    shell = (
        "<nav><a href=/{0}>Sale {0}</a></nav>{1}<main><h1>Terms</h1>{2}</main><footer>{0} visitors</footer>"
    )
    page = site.page("/terms", shell.format(1, "", text.format("")))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Within main Quiet off")
    page.becomes(shell.format(2, "", text.format("")))
    watching.looks()
    page.becomes(shell.format(3, "<div><div>banner</div></div>", text.format("")))
    watching.looks()
    assert watching.told() == []
    page.becomes(shell.format(4, "", text.format("You have thirty days.")))
    watching.looks()
    assert watching.told() == [(3, 4)]


def looked_with_a_second_look(watching: Watching) -> list[str]:
    """Returns the reasons of the looks that are due now."""

    async def look() -> list[str]:
        whys = []
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, watching.knowledge, watching.pages)
            for claim in watching.knowledge.schedule.claim("w", hosts=9, pages=9, lease=30_000):
                pacing = Pacing(second_look=20_000)
                results = [await check(due, claim.now, stages, pacing=pacing) for due in claim.pages]
                whys += [one.look.why for one in results]
                assert watching.knowledge.schedule.finish(claim, results)
        return whys

    return asyncio.run(look())


def test_a_second_look_teaches_what_differs_without_time_passing(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.looks = lambda: None  # type: ignore[method-assign]
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    watching.clock.passes(seconds=1)
    assert looked_with_a_second_look(watching) == ["first look"]
    page.becomes(COUNTER.format("100"))
    watching.clock.passes(seconds=19)
    assert looked_with_a_second_look(watching) == []
    watching.clock.passes(seconds=2)
    assert looked_with_a_second_look(watching) == [SECOND_LOOK]
    watching.clock.passes(seconds=60)
    assert looked_with_a_second_look(watching) == []
    page.becomes(COUNTER.format("99"))
    watching.clock.passes(seconds=3600)
    assert looked_with_a_second_look(watching) == ["due"]
    assert watching.told() == []
    page.becomes(COUNTER.format("sold out"))
    watching.clock.passes(seconds=3600)
    looked_with_a_second_look(watching)
    assert len(watching.told()) == 1


def test_who_is_told_everything_needs_no_second_look(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.looks = lambda: None  # type: ignore[method-assign]
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Quiet off")
    looked_with_a_second_look(watching)
    watching.clock.passes(seconds=60)
    assert looked_with_a_second_look(watching) == []


def test_noise_is_proposed_with_its_effect_on_the_past(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Quiet off")
    ticks(watching, page, 5)
    page.becomes(COUNTER.format("50").replace("12 crowns", "15 crowns"))
    watching.looks()
    knowledge = watching.knowledge
    newest, noise, *_ = knowledge.changes.all()
    knowledge.changes.note("jill", newest.id, "a good price")
    mark_as_noise(knowledge.changes, noise)
    assert knowledge.changes.get(noise.id).note == "noise"
    proposal = propose(knowledge, watching.pages, noise)
    assert proposal.clause == 'Ignore xpath "/html/body/p[1]/b"'
    assert proposal.says == "would have left out 5 of 6 changes, among them none that you noted"
    edit(knowledge, SETTINGS, "s", proposal.text)
    page.becomes(COUNTER.format("3").replace("12 crowns", "15 crowns"))
    watching.looks()
    assert len(knowledge.changes.all()) == 6
    again = propose(knowledge, watching.pages, noise)
    assert again.says == "would have left out none of the changes that the sentinel tells now"
    further = propose(knowledge, watching.pages, newest)
    assert further.clause == 'Ignore xpath "/html/body/p[1]/b", xpath "/html/body/p[2]"'
    assert further.says == "would have left out 1 of 1 changes, among them 1 with a note of yours"


def test_two_sentinels_on_two_parts_learn_for_themselves(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel all Using {page.url} Fetch 1 hour\n"
                      f"Create Sentinel part Using {page.url} Fetch 1 hour Within css \"p\" Quiet off\n"
                      f"Create Sentinel links Using {page.url} Fetch 1 hour Monitor all links")  # fmt: skip
    ticks(watching, page, 4)
    counts = [len(watching.knowledge.changes.all(sentinel=name)) for name in ("all", "part", "links")]
    assert counts == [2, 4, 0]


# --- ages and clocks ----------------------------------------------------------------------------------


def shown_at_each_look(watching: Watching, page, texts: list[str]) -> list[str]:
    """Shows these texts, one at each look. Returns those that were told."""
    told = []
    for text in texts:
        before = len(watching.told())
        page.becomes(AGE.format(text))
        watching.looks()
        told += [text] * (len(watching.told()) - before)
    return told


AGE = "<h1>Desk</h1><table><tr><td>Lamp</td><td>{}</td></tr></table><p>The lamp costs 12 crowns.</p>"


def test_a_clock_that_shows_the_time_of_the_look_is_left_out(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("-"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    first = watching.clock() // 1000 + 60
    shown_at_each_look(watching, page, [clock_at(first)])
    assert shown_at_each_look(watching, page, [clock_at(first + hour * 3600) for hour in range(1, 6)]) == []
    other = clock_at(first + 6 * 3600 + 17 * 60)
    assert shown_at_each_look(watching, page, [other]) == [other]


def clock_at(seconds: int) -> str:
    """Returns the time of day in India."""
    seconds += 5 * 3600 + 1800
    return f"{seconds // 3600 % 24}:{seconds // 60 % 60 | 1:02}"


def test_a_time_that_somebody_moved_is_told(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("9:00"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    assert shown_at_each_look(watching, page, ["10:00", "10:30", "9:00"]) == ["10:00", "10:30", "9:00"]


def test_an_age_that_went_on_by_many_units_is_left_out_at_once(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("12 min."))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    assert shown_at_each_look(watching, page, ["72 min.", "132 min."]) == []
    assert shown_at_each_look(watching, page, ["7 min."]) == ["7 min."]


def test_an_age_in_large_units_is_told_once_and_left_out_while_it_goes_on(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("3 hours"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ages = [f"{hours} hours" for hours in range(4, 9)]
    assert shown_at_each_look(watching, page, ages) == ["4 hours"]
    (place,) = left_places(watching.knowledge.habits, watching.knowledge.sentinels.get("jill", "s"))
    assert place.says == "the age beside “Lamp” goes on with the clock, last: “8”"
    assert shown_at_each_look(watching, page, ["2 days"]) == ["2 days"]  # too far for an hour
    assert shown_at_each_look(watching, page, ["a minute"]) == ["a minute"]  # smaller: something happened


def test_an_age_that_goes_on_with_the_clock_can_be_brought_back(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("3 hours"))
    watching.installs(
        f'Create Sentinel s Using {page.url} Fetch 1 hour Quiet on except css "td"\n'
        f"Create Sentinel loud Using {page.url} Fetch 1 hour Quiet off"
    )
    shown_at_each_look(watching, page, ["4 hours", "5 hours", "6 hours"])
    assert [len(watching.knowledge.changes.all(sentinel=name)) for name in ("s", "loud")] == [3, 3]


def test_an_age_that_got_smaller_is_told_whatever_its_form(site: Site, watching: Watching):
    page = site.page("/desk", AGE.format("2 hours ago"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    shown = ["3 hours ago", "4 hours ago", "a minute ago", "an hour ago"]
    assert shown_at_each_look(watching, page, shown) == ["a minute ago"]


def test_a_page_that_was_away_has_not_rested(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101"))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    ticks(watching, page, 6)
    assert len(watching.told()) == 2
    for _ in range(20):
        page.becomes(LOGIN)
        watching.looks(errors=True)
    ticks(watching, page, 4, first=60)
    assert len(watching.told()) == 2


LOGIN = (
    "<h1>Please sign in</h1><form method=post action=/login><input name=user>"
    "<input type=password name=password><button>Sign in</button></form>"
)


def test_noise_beside_what_only_the_clock_leaves_out_is_counted(site: Site, watching: Watching):
    page = site.page("/shop", COUNTER.format("101") + "<p>12 min.</p>")
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    for n in range(1, 3):
        page.becomes(COUNTER.format(101 + n) + f"<p>{12 + 60 * n} min.</p>")
        watching.looks()
    change = watching.knowledge.changes.all()[0]
    proposal = propose(watching.knowledge, watching.pages, change)
    assert proposal.says == "would have left out 2 of 2 changes, among them none that you noted"


COUNTED = "<h1>Office</h1><p>{} 1 table</p><p>The lamp costs {} crowns.</p>"


def counted(site: Site, watching: Watching, every: str, clauses: str = ""):
    page = site.page("/office", COUNTED.format("3 rows in", 12))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch {every} {clauses}")
    return page


def looks_at(watching: Watching, page, *texts: str, every: int = 30) -> list[tuple[int, int]]:
    """Looks every half minute, and returns what was told by then."""
    for one in texts:
        page.becomes(one)
        watching.looks(after=every)
    return watching.told()


THERE, MISSING = COUNTED.format("3 rows in", 12), COUNTED.format("", 12)


@pytest.mark.parametrize("looks", range(1, 6))
def test_a_text_that_is_missing_for_a_few_looks_is_not_told(site: Site, watching: Watching, looks: int):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[*[MISSING] * looks, THERE, THERE] * 4) == []
    (watched,) = watching.knowledge.sentinels.get("jill", "s").pages
    said = [one["left_out"] for one in watching.knowledge.journal.fetch_log(watched.id) if one["left_out"]]
    assert said[-1] == "“3 rows in” went away just now: told if the next looks confirm it"
    assert len(said) >= 4, "later ones are left out because the text takes turns"


def test_a_text_that_stays_away_is_told_once(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[MISSING] * 5) == []
    assert looks_at(watching, page, MISSING) == [(1, 2)]
    (change,) = watching.knowledge.changes.all()
    assert change.findings[0].objects[0].before == "3 rows in"
    assert looks_at(watching, page, MISSING, MISSING) == [(1, 2)], "once"


def test_a_text_that_was_told_to_be_away_is_told_when_it_is_back(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[MISSING] * 6, THERE) == [(1, 2), (2, 3)]


def test_waiting_for_what_went_away_survives_a_restart(site: Site, tmp_path: Path):
    clock, place = Clock(), f"sqlite:///{tmp_path / 'k.sqlite3'}"
    watching = Watching(SqlKnowledge(place, delay=0, clock=clock), clock)
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[MISSING] * 3) == []
    watching.knowledge.close()
    watching.works_with(SqlKnowledge(place, delay=0, clock=clock))
    assert looks_at(watching, page, *[MISSING] * 2) == []
    assert looks_at(watching, page, MISSING) == [(1, 2)]
    watching.close()


def test_a_page_that_also_ticks_is_not_waited_for_any_longer(site: Site, watching: Watching):
    """Every look brings a new version, but what counts is since when the text is missing."""
    clock = "<footer>Page generated in 0.{} s</footer>"
    page = counted(site, watching, "30 second")
    texts = [MISSING + clock.format(number) for number in range(34, 40)]
    page.becomes(THERE + clock.format(33))
    watching.looks()
    before = len(watching.told())
    assert len(looks_at(watching, page, *texts[:5])) == before
    assert len(looks_at(watching, page, texts[5])) == before + 1


def test_what_went_away_is_told_with_the_change_beside_it(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, COUNTED.format("", 15)) == [(1, 2)]
    (change,) = watching.knowledge.changes.all()
    told = {one.before: one.after for one in change.findings[0].objects}
    assert told == {"3 rows in": None, "12": "15"}


def test_a_change_while_something_is_missing_is_told(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, MISSING, MISSING, COUNTED.format("3 rows in", 15)) == [(1, 3)]
    (change,) = watching.knowledge.changes.all()
    assert [(one.before, one.after) for one in change.findings[0].objects] == [("12", "15")]


def test_what_went_away_while_something_is_missing_is_told_with_it(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    less = MISSING.replace("crowns", "")
    assert looks_at(watching, page, *[MISSING] * 3, less, less) == []
    assert looks_at(watching, page, less) == [(1, 3)], "nothing is waited for a second time"


def test_what_takes_turns_is_told_where_it_comes_to_rest(site: Site, watching: Watching):
    """A text that goes and comes a few times, and then is gone for good, is not hidden by that."""
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[MISSING, THERE] * 3, MISSING, *[MISSING] * 5) == []
    told = looks_at(watching, page, *[MISSING] * 30)
    assert len(told) == 1
    (change,) = watching.knowledge.changes.all()
    assert [(one.before, one.after) for one in change.findings[0].objects] == [("3 rows in", None)]
    assert looks_at(watching, page, *[MISSING] * 10) == told


def test_variants_that_take_turns_are_told_where_they_come_to_rest(site: Site, watching: Watching):
    shop = "<h1>Shop</h1><p>{}</p><p>The lamp costs 12 crowns.</p>"
    summer, winter = shop.format("Summer sale of lamps"), shop.format("Winter is coming")
    page = site.page("/shop", summer)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    assert looks_at(watching, page, *[winter, summer] * 5) == [(1, 2), (2, 3)]
    assert looks_at(watching, page, *[summer] * 30) == [(1, 2), (2, 3)], "it rests where it was told to be"
    told = looks_at(watching, page, *[winter, summer] * 5, *[winter] * 40)
    assert len(told) == 3
    assert "Winter" in (watching.knowledge.changes.all()[0].findings[0].objects[0].after or "")


WORKS = "<h1>Ships</h1><p>Two ships are in the harbour.</p><p>The lamp costs 12 crowns.</p>"
FAILS = WORKS.replace("Two ships are in the harbour.", "The list cannot be shown.")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("every", "seconds"), [("30 second", 30), ("10 minute", 600), ("30 minute", 1800)])
def test_a_part_that_failed_once_may_fail_again(site: Site, watching: Watching, every: str, seconds: int):
    page = site.page("/ships", WORKS)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch {every}")
    assert len(looks_at(watching, page, FAILS, WORKS, every=seconds)) == 2, "nobody could know"
    for rest in (10, 50, 150):
        assert len(looks_at(watching, page, *[WORKS] * rest, FAILS, WORKS, every=seconds)) == 2


def test_a_part_that_failed_before_and_stays_so_is_told(site: Site, watching: Watching):
    page = site.page("/ships", WORKS)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    assert len(looks_at(watching, page, FAILS, WORKS, *[WORKS] * 30)) == 2
    assert len(looks_at(watching, page, *[FAILS] * 5)) == 2
    assert len(looks_at(watching, page, *[FAILS] * 2)) == 3
    assert len(looks_at(watching, page, *[FAILS] * 20, WORKS)) == 3, "soon undone once more, perhaps"
    assert len(looks_at(watching, page, *[WORKS] * 8)) == 4


def test_another_text_at_a_place_that_flapped_is_told_at_once(site: Site, watching: Watching):
    page = site.page("/ships", WORKS)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    assert len(looks_at(watching, page, FAILS, WORKS, *[WORKS] * 30)) == 2
    assert len(looks_at(watching, page, WORKS.replace("Two ships are", "A whale is"))) == 3


def test_a_price_that_came_back_is_told_each_time(site: Site, watching: Watching):
    page = site.page("/ships", WORKS)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    cheap = WORKS.replace("12 crowns", "9 crowns")
    for count in range(1, 4):
        assert len(looks_at(watching, page, cheap, WORKS, *[WORKS] * 30)) == 2 * count


def test_who_looks_every_day_is_told_each_time(site: Site, watching: Watching):
    page = site.page("/ships", WORKS)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 day")
    for count in range(1, 4):
        told = looks_at(watching, page, FAILS, WORKS, *[WORKS] * 20, every=86_400)
        assert len(told) == 2 * count


def test_a_part_that_fails_in_another_form_is_known_as_well(site: Site, watching: Watching):
    works = "<h1>Ships</h1><ul><li>one ship</li><li>two ships</li></ul><p>The lamp costs 12 crowns.</p>"
    fails = "<h1>Ships</h1><p>Could not load the ships.</p><p>The lamp costs 12 crowns.</p>"
    page = site.page("/ships", works)
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    for _ in range(3):
        told = looks_at(watching, page, fails, works, *[works] * 20)
    assert len(told) == 2
    assert len(looks_at(watching, page, *[fails] * 7)) == 3


def test_an_edit_beside_what_takes_turns_is_told(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    assert looks_at(watching, page, *[MISSING, THERE] * 4, MISSING) == []
    assert len(looks_at(watching, page, COUNTED.format("", 15))) == 1
    (change,) = watching.knowledge.changes.all()
    assert ("12", "15") in [(one.before, one.after) for one in change.findings[0].objects]


def test_in_stock_that_goes_and_comes_is_told_unless_it_flaps(site: Site, watching: Watching):
    page = site.page("/lamp", "<h1>Lamp</h1><p>In stock</p><p>12 crowns</p>")
    sold = "<h1>Lamp</h1><p>Sold out</p><p>12 crowns</p>"
    stock = sold.replace("Sold out", "In stock")
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 30 second")
    for day in range(3):
        assert len(looks_at(watching, page, sold, *[sold] * 30)) == 2 * day + 1
        assert len(looks_at(watching, page, stock, *[stock] * 30)) == 2 * day + 2


@pytest.mark.parametrize(
    ("every", "clauses"),
    [
        ("2 minute", ""),
        ("30 second", "Quiet off"),
        ("30 second", "Monitor phrase {3 rows in 1 table}"),
        ("on change", ""),
    ],
)
def test_who_would_wait_long_or_wants_all_is_told_at_once(
    site: Site, watching: Watching, every: str, clauses: str
):
    page = counted(site, watching, every, clauses)
    assert looks_at(watching, page, COUNTED.format("", 12), every=3600) == [(1, 2)]


def test_who_asks_for_a_look_is_told_at_once(site: Site, watching: Watching):
    page = counted(site, watching, "30 second")
    (watched,) = watching.knowledge.sentinels.get("jill", "s").pages
    watching.knowledge.schedule.ask(watched.id)
    assert looks_at(watching, page, COUNTED.format("", 12)) == [(1, 2)]
