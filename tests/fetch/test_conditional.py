"""Tests that the cheapest way a server offers is used, learnt for each page, and verified (F2)."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.fetching import Looks, fetch
from tests.site import Site
from webvigil.errors import HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Reply
from webvigil.fetch.conditional import (
    FIRST_TRUST,
    Learnt,
    Plan,
    Seen,
    asked,
    conditions,
    fetched,
    look,
    not_modified,
    plan,
    reason,
    refusal,
    same_by_head,
)
from webvigil.fetch.login import Login
from webvigil.model.approach import Approach
from webvigil.model.page import Page
from webvigil.model.request import Header, Request
from webvigil.model.version import Answer


def methods(site: Site, path: str) -> list[str]:
    return [request.method for request in site.requests if request.path == path]


def statuses(site: Site, path: str) -> list[int | None]:
    return [request.status for request in site.requests if request.path == path]


@pytest.mark.parametrize("kind", ["etag", "last-modified", "both", "weak-etag"])
def test_a_server_that_honours_validators_sends_an_unchanged_page_once(site: Site, kind: Any):
    page = site.page("/a", "<p>one")
    page.validators = kind
    looks = Looks(page)
    seen = looks.times(4)
    assert statuses(site, "/a") == [200, 304, 304, 304]
    assert [one.answer is None for one in seen] == [False, True, True, True]
    assert "the server says so by" in seen[1].reason
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_a_new_etag_for_each_invisible_change_keeps_its_304s(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "etag"
    looks = Looks(page)
    for _ in range(4):
        page.touched()
        looks.times(2)
    assert statuses(site, "/a") == [200, 304] * 4


def test_where_validators_are_ignored_the_head_is_asked_first(site: Site):
    page = site.page("/a", "<p>one").ignores_conditions()
    looks = Looks(page)
    seen = looks.times(5)
    assert methods(site, "/a") == ["GET", "GET", "GET", "HEAD", "HEAD"]
    assert (seen[-1].answer, seen[-1].reason) == (None, "HEAD: the same ETag")
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"
    assert methods(site, "/a")[-2:] == ["HEAD", "GET"]


@pytest.mark.parametrize("digest", ["content-md5", "digest", "content-digest", "repr-digest"])
def test_a_digest_in_the_head_is_as_good_as_a_validator(site: Site, digest: Any):
    page = site.page("/a", "<p>one")
    page.validators = "none"
    page.digests(digest)
    looks = Looks(page)
    seen = looks.times(3)
    assert methods(site, "/a") == ["GET", "HEAD", "HEAD"]
    assert seen[-1].reason == "HEAD: the same digest"
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_an_etag_that_changes_each_time_is_soon_given_up(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "etag-noise"
    looks = Looks(page)
    seen = looks.times(9)
    assert all(one.answer is not None for one in seen)
    assert methods(site, "/a")[-3:] == ["GET"] * 3
    assert Counter(methods(site, "/a"))["HEAD"] == 2


def test_a_server_that_offers_nothing_is_asked_for_the_page(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "none"
    looks = Looks(page)
    looks.times(4)
    assert methods(site, "/a") == ["GET"] * 4
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_a_server_that_does_not_know_head_is_asked_by_get(site: Site):
    page = site.page("/a", "<p>one").ignores_conditions().allows("GET")
    looks = Looks(page)
    seen = looks.times(8)
    assert all(one.answer is not None for one in seen)
    assert methods(site, "/a")[-2:] == ["GET", "GET"]


def test_size_alone_never_proves_that_a_page_is_the_same(site: Site):
    page = site.page("/a", "x" * 1_000_000)
    page.validators = "none"
    looks = Looks(page)
    looks.times(3)
    page.becomes("y" * 1_000_000)
    assert looks.look().answer.body[:1] == b"y"
    assert set(methods(site, "/a")) == {"GET"}


def test_a_page_made_twice_in_one_second_is_seen_as_it_is_at_last(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "last-modified"
    looks = Looks(page)
    looks.look()
    now = site.clock()
    page.becomes("<p>two", modified=now)
    looks.look()
    page.becomes("<p>six", modified=now)
    seen = looks.look()
    assert seen.answer is not None
    assert seen.answer.body == b"<p>six"
    assert "made in the second of the last look" in seen.reason


DATE = "Thu, 05 Nov 2026 10:00:00 GMT"


def told(body: str, *, date: str = DATE, **headers: str) -> Answer:
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Answer(url="http://site.test/", status=200, headers=(("Date", date), *named), body=body.encode())


def learnt_from(*answers: Answer) -> Learnt:
    learnt = Learnt()
    for answer in answers:
        learnt, _ = fetched(learnt, plan(learnt), answer)
    return learnt


def test_a_young_page_is_believed_once_the_second_is_over():
    one = told("a", last_modified=DATE, etag='"1"')
    later = told("a", date="Thu, 05 Nov 2026 10:10:00 GMT", last_modified=DATE, etag='"1"')
    assert plan(learnt_from(one)) == Plan()
    assert plan(learnt_from(one, later)).conditions


def test_an_edit_within_the_second_is_no_lie():
    one = told("a", last_modified=DATE)
    two = told("b", date="Thu, 05 Nov 2026 10:10:00 GMT", last_modified=DATE)
    assert not learnt_from(one, two).lies


def test_an_etag_that_depends_on_the_content_alone_is_believed_of_pages_made_for_every_request():
    now = "Thu, 05 Nov 2026 10:10:00 GMT"
    twice = learnt_from(
        told("a", last_modified=DATE, etag='"1"'), told("a", date=now, last_modified=now, etag='"1"')
    )
    assert plan(twice).conditions


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ({"repr_digest": "sha-256=:x:"}, {"repr_digest": "sha-256=:x:"}),
        (
            {"etag": '"1"', "last_modified": "Mon, 02 Nov 2026 10:00:00 GMT"},
            {"etag": '"1"', "last_modified": DATE},
        ),
        ({"etag": '"1"', "repr_digest": "sha-256=:x:"}, {"etag": '"1"', "repr_digest": "sha-256=:y:"}),
    ],
)
def test_a_word_that_stays_while_the_page_changes_is_never_believed_again(
    before: dict[str, str], now: dict[str, str]
):
    liar = learnt_from(told("a", **before), told("b", **now))
    assert liar.lies
    assert plan(replace(liar, young=False)) == Plan()
    assert same_by_head(liar, told("", **now)) == ""


def test_a_page_of_which_nothing_is_known_is_not_proved_unchanged():
    assert same_by_head(Learnt(), told("", etag='"1"')) == ""


@pytest.mark.parametrize(("etag", "most"), [('W/"1"', 16), ('"1"', 256)])
def test_a_weak_validator_is_checked_more_often(etag: str, most: int):
    learnt = replace(learnt_from(told("a", etag=etag)), trust=256)
    assert not plan(replace(learnt, unseen=most - 1)).verify
    assert plan(replace(learnt, unseen=most)).verify


@pytest.mark.parametrize("digest", ["unixsum=30637", "adler=03da0195, unixcksum=1"])
def test_a_poor_checksum_proves_nothing(digest: str):
    assert not plan(learnt_from(told("a", digest=digest))).head


@pytest.mark.parametrize("kind", ["lying-last-modified", "lying-etag"])
def test_a_validator_that_lies_is_found_out_and_never_believed_again(site: Site, kind: Any):
    page = site.page("/a", "<p>one")
    page.validators = kind
    looks = Looks(page)
    looks.look()
    page.becomes("<p>two")
    seen = looks.times(FIRST_TRUST + 1)
    assert [one.answer is None for one in seen] == [True] * FIRST_TRUST + [False]
    assert "to check what the server said" in seen[-1].reason
    page.becomes("<p>three")
    assert looks.look().answer.body == b"<p>three"
    assert "cannot be believed" in looks.look().reason


def test_trust_grows_while_it_is_not_disappointed(site: Site):
    page = site.page("/a", "<p>one")
    looks = Looks(page)
    looks.times(1 + FIRST_TRUST + 1 + 2 * FIRST_TRUST + 1)
    full = [number for number, status in enumerate(statuses(site, "/a")) if status == 200]
    assert full == [0, FIRST_TRUST + 1, 3 * FIRST_TRUST + 2]


@pytest.mark.parametrize("years", [-40, 40])
def test_the_clock_of_the_server_does_not_matter(site: Site, years: int):
    page = site.page("/a", "<p>one")
    page.validators = "last-modified"
    page.becomes("<p>two", modified=site.clock() + years * 366 * 86400)
    looks = Looks(page)
    assert [one.status for one in looks.times(3)] == [200, 304, 304]
    page.becomes("<p>three")
    assert looks.look().answer.body == b"<p>three"


def test_304_to_a_page_we_do_not_have_is_asked_for_again(site: Site):
    page = site.page("/a", "<p>one").answers(304).times(1)
    assert fetch(page).answer.body == b"<p>one"
    assert page.requests[-1].headers["Cache-Control"] == "no-cache"
    page.answers(304)
    with pytest.raises(PageUnreachable, match="304 Not Modified of a page that we do not have"):
        fetch(page)


def test_forms_that_are_posted_are_always_sent(site: Site):
    site.form("/search", ["q"], method="POST", answer=lambda fields: f"<p>{fields['q']}")
    looks = Looks(Page(url=f"{site.url}/search/answer", method="POST", fields=(("q", "a"),)))
    assert all(one.answer is not None for one in looks.times(3))
    assert methods(site, "/search/answer") == ["POST"] * 3


@given(st.dictionaries(st.sampled_from(["etag", "misses", "lies", "trust", "new"]), st.text(max_size=3)))
def test_facts_that_cannot_be_read_are_facts_never_learnt(facts: dict[str, str]):
    learnt = Learnt.read(facts)
    assert Learnt.read(learnt.written()) == learnt
    plan(learnt)


# --- in a table: statuses, and what is learnt ----------------------------------------------------------

MEANT = {
    401: "it wants a log-in; give one with 'webvigil login' or where the page is added",
    403: "it lets nobody in without a log-in, or no programs; give a log-in, or let a browser look",
    404: "there is no such page; is the address right?",
    410: "the page is gone for good",
    429: "we asked too often",
}


@pytest.mark.parametrize("status", range(400, 600))
def test_every_status_is_a_host_at_work_a_trouble_that_passes_or_a_refusal(status: int):
    error = refusal(Answer(url="http://a.test/", status=status, headers=(("Retry-After", "7"),), body=b""))
    if status in (429, 503):
        assert isinstance(error, HostBusy)
        assert error.wait == 7_000
    else:
        passes = status in (408, 421, 425, 500, 502, 504)
        assert type(error) is (PageUnreachable if passes else PageRefused)
    means = f": {MEANT[status]}" if status in MEANT else ""
    assert str(error) == f"the server answered {status}{means}"


class Scripted:
    """A client that answers as it was told, and notes the requests."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[Ask] = []

    async def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer=answer, received=9)


def answered(status: int = 200, body: bytes = b"one", **headers: str) -> Answer:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(url="http://a.test/", status=status, headers=named, body=body)


ASK = Ask(url="http://a.test/", method="GET")
ONE = fetched(Learnt(), Plan(), answered(ETag='"1"'))[0]


def looked(client: Scripted, learnt: Learnt = ONE, ask: Ask = ASK) -> Seen:
    return asyncio.run(look(client, ask, learnt))


@pytest.mark.parametrize(("status", "is_seen"), [(200, True), (399, True), (400, False), (401, False)])
def test_an_answer_from_400_on_is_no_page(status: int, is_seen: bool):
    client = Scripted(answered(status))
    if is_seen:
        seen = looked(client)
        assert (seen.status, seen.received, seen.answer) == (status, 9, answered(status))
    else:
        with pytest.raises(PageError, match=f"the server answered {status}"):
            looked(client)


def test_an_answer_to_head_is_enough_if_it_proves_the_page_unchanged():
    useless = replace(ONE, misses=2)
    client = Scripted(answered(ETag='"1"'))
    seen = looked(client, useless)
    assert (seen.answer, seen.status, seen.reason, seen.received) == (None, 200, "HEAD: the same ETag", 0)
    assert (seen.learnt, [ask.method for ask in client.asked]) == (replace(useless, unseen=1), ["HEAD"])


@pytest.mark.parametrize("head", [answered(ETag='"2"'), PageRefused("no HEAD")])
def test_a_head_that_proves_nothing_is_followed_by_the_page(head: Answer | Exception):
    client = Scripted(head, answered(ETag='"2"', body=b"two"))
    assert looked(client, replace(ONE, misses=2)).answer is not None
    assert [ask.method for ask in client.asked] == ["HEAD", "GET"]


def test_a_request_of_ones_own_is_sent_without_conditions():
    client = Scripted(answered())
    looked(client, ask=replace(ASK, method="POST"))
    assert [(ask.method, ask.headers) for ask in client.asked] == [("POST", {})]


def test_a_304_that_nobody_asked_for_is_asked_again_past_all_caches():
    client = Scripted(answered(304), answered(body=b"two"))
    seen = looked(client, Learnt())
    assert (seen.status, client.asked[1].headers) == (200, {"Cache-Control": "no-cache"})
    with pytest.raises(PageUnreachable, match="304 Not Modified of a page that we do not have"):
        looked(Scripted(answered(304), answered(304)), Learnt())


@pytest.mark.parametrize(
    ("headers", "etag", "modified"),
    [
        ({}, '"1"', "Mon"),
        ({"ETag": '"2"'}, '"2"', "Mon"),
        ({"Last_Modified": "Tue"}, '"1"', "Tue"),
    ],
)
def test_a_304_may_bring_newer_validators_and_ends_the_misses(
    headers: dict[str, str], etag: str, modified: str
):
    known = replace(ONE, modified="Mon", misses=1, unseen=2)
    now = not_modified(known, answered(304, **headers))
    assert (now.etag, now.modified, now.misses, now.unseen) == (etag, modified, 0, 3)


@pytest.mark.parametrize(
    ("how", "body", "misses", "head_misses", "trust"),
    [
        (Plan(conditions=True), b"one", 1, 0, 4),
        (Plan(conditions=True), b"two", 0, 0, 4),
        (Plan(), b"one", 0, 0, 4),
        (Plan(head=True), b"one", 0, 1, 4),
        (Plan(head=True), b"two", 0, 0, 4),
        (Plan(verify=True), b"one", 0, 0, 8),
        (Plan(verify=True), b"two", 0, 0, 4),
    ],
)
def test_what_a_full_answer_teaches(how: Plan, body: bytes, misses: int, head_misses: int, trust: int):
    now, same = fetched(ONE, how, answered(body=body, ETag='"2"'))
    assert (now.misses, now.head_misses, now.trust, same) == (misses, head_misses, trust, body == b"one")


@pytest.mark.parametrize(("trust", "grown"), [(4, 8), (128, 256), (129, 256), (256, 256)])
def test_trust_doubles_up_to_its_bound(trust: int, grown: int):
    now, _ = fetched(replace(ONE, trust=trust), Plan(verify=True), answered(ETag='"1"'))
    assert now.trust == grown


@pytest.mark.parametrize(
    ("etag", "unseen", "verifies"),
    [('"1"', 255, False), ('"1"', 256, True), ('W/"1"', 15, False), ('W/"1"', 16, True)],
)
def test_a_server_is_checked_in_the_end_and_a_weak_one_sooner(etag: str, unseen: int, verifies: bool):
    assert plan(replace(ONE, etag=etag, unseen=unseen, trust=1_000)).verify is verifies
    assert plan(replace(ONE, unseen=3)).verify is False
    assert plan(replace(ONE, unseen=4)).verify is True


@pytest.mark.parametrize(
    ("learnt", "how", "same", "words"),
    [
        (Learnt(), Plan(), False, "fetched for the first time"),
        (
            replace(ONE, unseen=4),
            Plan(verify=True),
            True,
            "fetched in full, to check what the server said 4 times",
        ),
        (
            replace(ONE, young=True),
            Plan(),
            True,
            "fetched in full: it was made in the second of the last look, and may have been made again",
        ),
        (
            replace(ONE, lies=True),
            Plan(),
            True,
            "fetched in full: the server's validators cannot be believed",
        ),
        (
            replace(ONE, misses=1),
            Plan(conditions=True),
            True,
            "fetched in full: the server sends it whole, changed or not",
        ),
        (ONE, Plan(conditions=True), True, "sent in full by the server"),
        (replace(ONE, misses=1), Plan(conditions=True), False, "sent in full by the server"),
        (ONE, Plan(), True, "fetched in full: the server gives no validators"),
    ],
)
def test_why_a_page_was_fetched_in_full(learnt: Learnt, how: Plan, same: bool, words: str):
    assert reason(learnt, how, same) == words


def test_what_is_learnt_is_written_without_defaults_and_read_again():
    known = Learnt(etag='"1"', body="b", misses=1, head_misses=2, unseen=3, trust=8, lies=True, young=True)
    assert Learnt().written() == {}
    assert Learnt.read(known.written()) == known
    assert known.written()["lies"] == "1"
    assert Learnt.read({"trust": "x", "etag": "e"}) == Learnt()


@pytest.mark.parametrize(
    ("method", "sent", "multipart"),
    [("GET", "GET", False), ("POST", "POST", False), ("MULTIPART", "POST", True)],
)
def test_a_form_is_asked_for_by_its_method(method: Any, sent: str, multipart: bool):
    page = Page(url="https://a.test/", method=method, fields=(("q", "1"),))
    assert asked(page) == Ask(url=page.url, method=sent, fields=page.fields, multipart=multipart)


OWN = Page(
    url="https://a.test/",
    approach=Approach(
        request=Request(method="PUT", kind="body", body="x", headers=(Header("X-A", "b ", "word"),))
    ),
)


def test_a_request_of_ones_own_is_asked_for_with_its_secrets():
    login = Login(url="https://a.test/in", secrets=(("word", "s3cret"),))
    ask = asked(OWN, login)
    assert (ask.method, ask.body, ask.login, ask.own_headers["X-A"]) == ("PUT", b"x", login, "b s3cret")


@pytest.mark.parametrize(
    ("login", "said"),
    [
        (None, "there is no secret 'word' in the log-in for https://a.test/; keep it anew"),
        (
            Login(url="https://b.test/", secrets=(("word", "x"),)),
            "there is no secret 'word' in the log-in for https://a.test/; keep it anew",
        ),
        (
            Login(url="https://a.test/", secrets=(("other", "x"),)),
            "there is no secret 'word' in the log-in for https://a.test/; keep it anew",
        ),
        (
            Login(url="https://a.test/", secrets=(("word", "ä"),)),
            "the secret 'word' has a character that cannot be sent in a header",
        ),
        (
            Login(url="https://a.test/", secrets=(("word", "a\n"),)),
            "the secret 'word' has a character that cannot be sent in a header",
        ),
    ],
)
def test_a_secret_that_is_gone_or_cannot_be_sent_is_said(login: Login | None, said: str):
    with pytest.raises(PageRefused) as caught:
        asked(OWN, login)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("learnt", "sent", "by"),
    [
        (ONE, {"If-None-Match": '"1"'}, "ETag"),
        (replace(ONE, etag="", modified="Mon"), {"If-Modified-Since": "Mon"}, "Last-Modified"),
        (replace(ONE, modified="Mon"), {"If-None-Match": '"1"', "If-Modified-Since": "Mon"}, "ETag"),
    ],
)
def test_a_304_to_conditions_is_the_word_of_the_server(learnt: Learnt, sent: dict[str, str], by: str):
    client = Scripted(answered(304))
    seen = looked(client, learnt)
    assert (seen.answer, seen.status, seen.reason) == (None, 304, f"the server says so by {by}")
    assert seen.learnt == replace(learnt, unseen=1)
    assert client.asked[0].headers == conditions(learnt) == sent


@pytest.mark.parametrize("status", [303, 305])
def test_no_other_status_says_that_a_page_is_unchanged(status: int):
    assert looked(Scripted(answered(status))).answer is not None


@pytest.mark.parametrize(("head_misses", "asks"), [(0, True), (1, True), (2, False)])
def test_a_head_that_told_nothing_twice_is_not_asked_for_again(head_misses: int, asks: bool):
    assert plan(replace(ONE, misses=2, head_misses=head_misses)).head is asks


@pytest.mark.parametrize(("second", "young"), [("00", True), ("01", True), ("02", False)])
def test_a_page_is_young_within_the_second_of_its_making(second: str, young: bool):
    one = told("a", date=f"Thu, 05 Nov 2026 10:00:{second} GMT", last_modified=DATE)
    assert learnt_from(one).young is young


def test_validators_that_differ_are_no_lie():
    assert not learnt_from(told("a", etag='"1"'), told("b", etag='"2"')).lies
    assert not learnt_from(told("a", etag='"1"'), told("b")).lies


def test_a_server_is_believed_four_times_at_first():
    assert [plan(replace(ONE, unseen=unseen)).verify for unseen in (3, 4)] == [False, True]
    assert Learnt().trust == 4
