"""The stages of a look by themselves: what is asked of whom, what is kept, and what needs no work."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from webvigil.app.pages.documents import signature_of
from webvigil.app.worker.stages import (
    RealStages,
    _is_long,
    _is_waited_for,
    _may_have_news,
    _number,
    _quickly_signed,
    _signed,
)
from webvigil.fetch.http import Fetched
from webvigil.model.moment import HOUR
from webvigil.model.page import Page
from webvigil.model.version import Answer, Frame
from webvigil.model.work import DuePage, LatestVersion, NewVersion, Watch
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

URL = "http://site.test/"
LARGE = 256_000


def answer(
    body: bytes = b"<title>Tea</title><p>x", kind: str = "text/html", *more: tuple[str, str], **fields: Any
) -> Answer:
    return Answer(url=URL, status=200, headers=(("Content-Type", kind), *more), body=body, **fields)


def watch(text: str = "", **more: Any) -> Watch:
    values: dict[str, Any] = {"interval": HOUR, "next_at": 0, "reference": 1} | more
    return Watch(
        sentinel=1,
        user="jill",
        name="s",
        text=f"Create Sentinel s Using {URL} {text}".strip() + "\n",
        **values,
    )


def due(*watches: Watch, latest: LatestVersion | None = None, **more: Any) -> DuePage:
    page = more.pop("page", Page(url=URL))
    return replace(
        DuePage.unscheduled(page, watches or (watch(),), 7), latest=latest, validators={"etag": "e"}, **more
    )


def came(one: Answer | None, **more: Any) -> Fetched:
    return Fetched(answer=one, status=200, validators={}, **more)


def latest(number: int = 3, signature: str = "s", **more: Any) -> LatestVersion:
    return LatestVersion(number=number, signature=signature, object="o", **more)


class Web:
    """Fetches, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    async def fetch(self, page: Any, facts: Any, login: Any = None, *, pictures: bool = False) -> Fetched:
        self.asked.append((dict(facts), login, pictures))
        return came(answer())


class Peers:
    def __init__(self) -> None:
        self.asked = 0

    async def fetch(self, page: Any, otherwise: Any) -> Fetched:
        self.asked += 1
        return came(answer())


class Logins:
    def of(self, page: Page) -> str:
        return f"log-in {page.login}"


def stages(web: Any = None, **more: Any) -> RealStages:
    return RealStages(web or Web(), MemoryKnowledge(delay=0), PageRepository(MemoryObjects()), **more)


@pytest.mark.parametrize(
    ("page", "lost", "asked"),
    [
        (due(), False, ({}, None, False)),
        (due(latest=latest()), False, ({"etag": "e"}, None, False)),
        (due(latest=latest()), True, ({}, None, False)),
        (due(watch("Monitor all images content"), latest=latest()), False, ({"etag": "e"}, None, True)),
        (due(page=Page(url=URL, login="3"), latest=latest()), False, ({"etag": "e"}, "log-in 3", False)),
    ],
)
def test_a_page_is_asked_for_with_what_is_known(page: DuePage, asked: tuple[Any, ...], *, lost: bool):
    web = Web()
    made = stages(web, logins=Logins())
    made._to_keep_again |= {7} if lost else set()
    asyncio.run(made.fetch(page))
    assert web.asked == [asked]


@pytest.mark.parametrize(
    ("page", "lost", "is_borrowed"),
    [
        (due(), False, True),
        (due(latest=latest()), False, True),
        (due(), True, False),
        (due(watch("Monitor all images content")), False, False),
        (due(page=Page(url=URL, login="3")), False, False),
        (due(page=Page(url=URL, render="status")), False, False),
    ],
)
def test_a_plain_page_may_be_borrowed(page: DuePage, *, lost: bool, is_borrowed: bool):
    web, peers = Web(), Peers()
    borrower: Any = peers
    made = stages(web, logins=Logins(), borrower=borrower)
    made._to_keep_again |= {7} if lost else set()
    asyncio.run(made.fetch(page))
    assert (peers.asked, len(web.asked)) == (int(is_borrowed), int(not is_borrowed))


SAME = signature_of(answer())


def kept(made: RealStages, fetched: Fetched, page: DuePage) -> NewVersion | None:
    return asyncio.run(made.keep(fetched, page))


def test_a_first_answer_is_version_one():
    made = stages()
    version = kept(made, came(answer()), due())
    assert version
    assert (version.number, version.url, version.status, version.signature, version.size, version.title) == (
        1,
        URL,
        200,
        SAME,
        len(answer().body),
        "Tea",
    )
    assert (version.picture, version.base) == ("", "")


@pytest.mark.parametrize("signature", ["", SAME])
def test_an_answer_that_is_known_is_no_version_unless_that_one_is_lost(signature: str):
    made = stages()
    known = due(latest=latest(signature=SAME))
    fetched = came(answer(), signature=signature)
    assert kept(made, fetched, known) is None
    other = kept(made, fetched, due(latest=latest(signature="another")))
    assert other
    assert other.number == 4
    made._to_keep_again.add(7)
    again = kept(made, fetched, known)
    assert again
    assert again.number == 4
    assert made._to_keep_again == set()


def test_a_screenshot_counts_where_somebody_watches_how_the_page_looks():
    fetched = came(answer(), picture=b"\x89PNG x")
    plain = due(latest=latest(signature=SAME, picture="p"))
    assert kept(stages(), fetched, plain) is None
    visual = watch("Monitor visual")
    assert kept(stages(), fetched, due(visual, latest=latest(signature=SAME))) is None
    unreadable = kept(stages(), fetched, due(visual, latest=latest(signature=SAME, picture="p")))
    assert unreadable
    assert unreadable.number == 4


def test_what_is_compared_later_stays():
    page = due(latest=latest(3))
    assert not _is_waited_for(page, latest(3))
    for other, stays in [
        (watch(reference=3, next_at=1), True),
        (watch(reference=3, next_at=0), False),
        (watch(reference=3, next_at=-1), False),
        (watch(reference=2, next_at=1), False),
        (watch(reference=1, measured_from=3, next_at=1), True),
        (watch(reference=3, next_at=1, interval=0), False),
    ]:
        assert _is_waited_for(due(other, latest=latest(3)), latest(3)) is stays


def test_the_version_before_goes_unless_somebody_needs_it():
    made = stages()
    assert made._outlived(due()) == ""
    assert made._outlived(due(latest=latest(3))) == "o"
    assert made._outlived(due(watch(reference=3, next_at=1), latest=latest(3))) == ""
    assert made._outlived(due(watch(reference=3), latest=latest(3))) == "o"


def test_an_answer_is_signed_once_and_a_large_one_later():
    small = came(answer(b"x" * (LARGE - 1)))
    large = came(answer(b"x" * LARGE))
    assert _quickly_signed(small).signature == signature_of(small.answer) if small.answer else False
    assert _quickly_signed(large) is large
    assert _signed(large).signature
    for done in (came(answer(), signature="s"), came(None)):
        assert _signed(done) is done
        assert _quickly_signed(done) is done


@pytest.mark.parametrize(
    ("fetched", "is_long"),
    [
        (came(answer(b"x" * (LARGE - 1))), False),
        (came(answer(b"x" * LARGE)), True),
        (came(answer(b"%PDF-1.4", "application/pdf")), True),
        (came(answer(), picture=b"p"), True),
        (came(answer(), pictures={"a": b"p"}), True),
        (came(answer(frames=(Frame(address="f", answer=answer()),))), True),
        (came(answer()), False),
    ],
)  # fmt: skip
def test_what_takes_long_is_done_beside_the_others(fetched: Fetched, *, is_long: bool):
    assert _is_long(fetched) is is_long


def test_the_newest_version_has_a_number():
    new = NewVersion(number=9, url="", status=200, signature="", object="", size=0)
    assert [
        _number(*both)
        for both in ((None, due()), (None, due(latest=latest(3))), (new, due(latest=latest(3))))
    ] == [0, 3, 9]


@pytest.mark.parametrize(
    ("page", "may"),
    [
        (answer(), False),
        (answer(kind="application/xml"), True),
        (answer(b"<p>the hub"), True),
        (answer(b"<p>x", "text/html", ("Link", "<a>; rel=b")), True),
        (answer(b"<link rel=HUB>"), True),
        (answer(b"<link rel=Hub>"), True),
        (answer(b"<p>a hu b"), False),
    ],
)
def test_an_answer_may_name_pages_or_a_hub(page: Answer, *, may: bool):
    assert _may_have_news(page) is may


def test_where_nothing_is_new_nothing_is_compared():
    made = stages()
    page = due(watch(reference=3), latest=latest(3))
    found = asyncio.run(made.compare(page, page.watches, None, 0))
    assert [(one.reference, one.found, one.trouble) for one in found.watches] == [(3, (), "")]
    assert made.changes(page, found.watches, None, 0) == ()
    assert asyncio.run(made.links(page, None)) == ()
    assert asyncio.run(made.troubles(due(), [], None)) == {}
    assert made.notices_of_loss(page, found.watches) == ()
    assert asyncio.run(made.came_at(page, 3)) == 0


@pytest.mark.parametrize(("text", "is_quiet"), [("", True), ("Quiet off", False)])
def test_a_page_is_quiet_if_somebody_wants_it_so(text: str, *, is_quiet: bool):
    assert stages().is_quiet(due(watch(text))) is is_quiet
    assert stages().is_quiet(due(watch("Quiet off"), replace(watch(), sentinel=2)))
