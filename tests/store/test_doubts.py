"""A page whose newest answer is not believed remembers that, in every store (Q6)."""

from __future__ import annotations

from dataclasses import replace

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, remove_for_good, sentinel
from webvigil.model.doubt import Doubt
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Knowledge

URL = "http://site.test/a"
DOUBT = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=1_800_000_000_000)


def look(knowledge: Knowledge, clock: Clock, doubt: Doubt | None) -> Doubt | None:
    """Looks at the page when it is due, and returns the doubt that it had until then."""
    clock.now += 2 * MINUTE
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    assert knowledge.schedule.finish(claim, [checked(claim, page, doubt=doubt)])
    return page.doubt


def test_a_doubt_is_there_at_the_next_look_and_where_the_page_is_told_of(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", URL), sentinel("s2", URL), sentinel("s3", "http://other.test/"))
    clock.now += 1
    for claim in claim_all(knowledge):
        knowledge.schedule.finish(
            claim, [checked(claim, one) for one in claim.pages if "other" in claim.name]
        )
    told = replace(DOUBT, said="asks for a captcha", told=True)
    expected: Doubt | None = None
    for doubt in (DOUBT, DOUBT, told, None, DOUBT):
        clock.now += MINUTE
        (claim,) = [one for one in claim_all(knowledge) if one.name == "site.test"]
        assert claim.pages[0].doubt == expected
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], doubt=doubt)])
        expected = doubt
        for name in ("s1", "s2"):
            assert knowledge.sentinels.get("jill", name).pages[0].doubt == doubt
        assert {one.doubt for one in knowledge.sentinels.pages("jill") if one.url == URL} == {doubt}
        in_trouble = {one.name for one in knowledge.sentinels.some(WantedSentinels(trouble=True))}
        assert in_trouble == ({"s1", "s2"} if doubt == told else set())


def test_a_doubt_goes_with_its_page(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", URL))
    look(knowledge, clock, DOUBT)
    clock.now += 2 * MINUTE
    (claim,) = claim_all(knowledge)
    remove_for_good(knowledge, "jill", "s1")
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], doubt=replace(DOUBT, told=True))])
    knowledge.sentinels.add(sentinel("s1", "http://site.test/b"))
    assert look(knowledge, clock, None) is None
