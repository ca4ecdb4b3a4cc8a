"""Each strategy takes the leads in its own order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.discover.crawler.frontier import STRATEGIES, Frontier, Strategy, make_frontier
from webvigil.discover.crawler.frontier.learned import _LOOK_AROUND, LearnedFrontier, words_of
from webvigil.discover.crawler.lead import How, Lead
from webvigil.errors import SettingRefused


def lead(path: str, words: str = "", source: str = "", how: How = "link") -> Lead:
    return Lead(url=f"http://a.test{path}", words=words, source=source, how=how, depth=1)


def taken(frontier: Frontier) -> list[str]:
    found = []
    while chosen := frontier.take():
        found.append(chosen.lead.url.removeprefix("http://a.test"))
    return found


def test_a_trace_is_followed_as_recorded_and_nothing_else():
    frontier = make_frontier("trace")
    frontier.add([lead("/b", how="seed"), lead("/a", how="seed")])
    frontier.add([lead("/found")])
    assert taken(frontier) == ["/b", "/a"]


def test_a_random_walk_is_the_same_for_the_same_seed():
    ways = []
    for seed in (1, 1, 2):
        frontier = make_frontier("random", seed=seed)
        frontier.add([lead(f"/{number}") for number in range(40)])
        ways.append(taken(frontier))
    assert ways[0] == ways[1] != ways[2]
    assert sorted(ways[0]) == sorted(ways[2])


def test_addresses_with_a_hint_come_first_the_weightier_and_the_newer_before_the_others():
    frontier = make_frontier("hint", hints=("blast=3", "search"))
    frontier.add([lead("/x"), lead("/y"), lead("/search"), lead("/my_blast.html"), lead("/blast/2")])
    assert frontier.take().why == "hint blast"  # type: ignore[union-attr]
    assert taken(frontier) == ["/my_blast.html", "/search", "/x", "/y"]


def test_a_hint_on_the_link_counts_less_than_one_in_the_address():
    frontier = make_frontier("hint", hints=("Blast",))
    frontier.add([lead("/1", "our BLAST server"), lead("/blast"), lead("/BLAST/b", "blast")])
    assert taken(frontier) == ["/BLAST/b", "/blast", "/1"]


@pytest.mark.parametrize("written", ["", "=3", "blast=", "blast=many", "blast=0", "blast=-1", "x=nan"])
def test_a_hint_that_is_none_is_refused(written: str):
    with pytest.raises(SettingRefused):
        make_frontier("hint", hints=(written,))


def test_a_crawl_by_hints_needs_one():
    with pytest.raises(SettingRefused, match="--hint WORD"):
        make_frontier("hint")


def test_the_learned_frontier_prefers_what_was_of_worth_and_shuns_what_was_not():
    frontier = LearnedFrontier()
    for number in range(8):
        frontier.learn(lead(f"/papers/p{number}.html"), 0)
    frontier.learn(lead("/tools/strep_blast.html"), 1)
    assert frontier.weight("blast") > 1
    assert frontier.weight("papers") < -1
    assert abs(frontier.weight("html")) < 0.5  # the word stands everywhere
    frontier.add([lead("/papers/x.html"), lead("/new"), lead("/tools/blastn.html"), lead("/flu_blast.html")])
    assert taken(frontier) == ["/tools/blastn.html", "/flu_blast.html", "/new", "/papers/x.html"]


def test_a_page_that_led_to_a_service_is_worth_something():
    frontier = LearnedFrontier()
    hub, news = lead("/servers/list"), lead("/news")
    for one in (hub, news):
        frontier.learn(one, 0)
    frontier.learn(lead("/x1", source=hub.url), 1)
    assert frontier.weight("servers") > 0 > frontier.weight("news")


def test_pages_that_name_each_other_do_not_credit_for_ever():
    frontier = LearnedFrontier()
    one, other = lead("/one", source="http://a.test/other"), lead("/other", source="http://a.test/one")
    for page in (one, other, one, other):
        frontier.learn(page, 1)
    assert frontier.weight("one") < 5


def test_a_lead_is_chosen_for_its_promising_words_alone():
    frontier = LearnedFrontier()
    for path, worth in (("/servers/gene", 1), ("/news/gene", 0), ("/news/old", 0)):
        frontier.learn(lead(path), worth)
    frontier.add([lead("/gene/old")])
    chosen = frontier.take()
    assert chosen is not None
    assert chosen.why == "words gene, test (0.3)", "old led to nothing"


def test_a_hint_starts_the_learned_frontier_off():
    frontier = make_frontier("learned", hints=("blast",))
    frontier.add([lead("/a"), lead("/b"), lead("/blast")])
    assert taken(frontier)[0] == "/blast"


def test_the_words_of_a_lead_are_those_a_reader_sees():
    assert words_of(lead("/cgi/nph-Blast2sgd?seq=1", "FindGenes")) >= {"cgi", "nph", "blast", "seq", "find"}


LEADS = st.lists(
    st.builds(
        lead, st.from_regex(r"/[ab]/[xyz]{1,3}", fullmatch=True), st.sampled_from(["", "blast", "news"])
    ),
    unique_by=lambda one: one.url,
    max_size=20,
)


@given(
    st.sampled_from([one for one in STRATEGIES if one != "trace"]),
    LEADS,
    st.lists(st.booleans(), max_size=20),
)
@settings(max_examples=60)
def test_every_frontier_gives_each_lead_once(strategy: Strategy, leads: list[Lead], worths: list[bool]):
    frontier = make_frontier(strategy, hints=("blast",))
    frontier.add(leads[::2])
    given_out = []
    for worth in worths:
        if chosen := frontier.take():
            given_out.append(chosen.lead)
            frontier.learn(chosen.lead, float(worth))
    frontier.add(leads[1::2])
    assert len(frontier) == len(leads) - len(given_out)
    while chosen := frontier.take():
        given_out.append(chosen.lead)
    assert sorted(one.url for one in given_out) == sorted(one.url for one in leads)
    assert len(frontier) == 0


def test_the_learned_frontier_looks_around_at_regular_turns():
    frontier = LearnedFrontier()
    frontier.add([lead(f"/{number}") for number in range(100)])
    around = [place for place in range(1, 101) if frontier.take().why == "to look around"]  # type: ignore[union-attr]
    assert around == [*range(_LOOK_AROUND, 101, _LOOK_AROUND)]
