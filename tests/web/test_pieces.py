"""A long list comes in pieces: a link leads on where there is more, and only there."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.discovery import WantedServices
from webvigil.model.work import NewChange
from webvigil.store.memory import MemoryKnowledge
from webvigil.web import bulletin
from webvigil.web.dashboard import discover, pages, sentinels

MANY = [f"http://site.test/{number}" for number in range(pages.SHOWN + 1)]


def links(client: TestClient, place: str, to: str) -> list[str]:
    """Returns the links on a page that lead to an address with this beginning."""
    answer = client.get(place)
    assert answer.status_code == 200
    return [str(one) for one in html.fromstring(answer.text).xpath("//a/@href") if one.startswith(to)]


def install(knowledge: MemoryKnowledge, count: int) -> None:
    urls = {f"s{number}": f"http://h.test/{number}" for number in range(count)}
    text = "Create Sentinel {} Using {}"
    knowledge.sentinels.add(*(sentinel(name, url, text=text.format(name, url)) for name, url in urls.items()))


class TestPages:
    @pytest.mark.parametrize(("count", "more"), [(pages.SHOWN - 1, False), (pages.SHOWN, True)])
    def test_watched_pages(self, jill: TestClient, knowledge: MemoryKnowledge, count: int, more: bool):
        knowledge.sentinels.add(sentinel("s1", *MANY[:count]))
        oldest = min(page.id for page in knowledge.sentinels.pages("jill", limit=99))
        wanted = f"/pages?words=site&before={oldest}"
        assert links(jill, "/pages?words=site", "/pages?") == ([wanted] if more else [])
        assert links(jill, wanted, "/pages?") == []

    @pytest.mark.parametrize(("count", "older"), [(pages.VERSIONS, []), (pages.VERSIONS + 1, [2])])
    def test_versions_of_a_page(
        self, jill: TestClient, knowledge: MemoryKnowledge, count: int, older: list[int]
    ):
        (made,) = knowledge.sentinels.add(sentinel("s1"))
        page = made.pages[0].id
        for number in range(1, count + 1):
            knowledge.schedule.ask(page)
            (claim,) = claim_all(knowledge)
            new = new_version(number, str(number))
            knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new)])
        wanted = [f"/pages/{page}?before={number}" for number in older]
        assert links(jill, f"/pages/{page}", f"/pages/{page}?") == wanted
        assert all(links(jill, one, f"/pages/{page}?") == [] for one in wanted)


class TestSentinels:
    @pytest.mark.parametrize(("count", "more"), [(sentinels.SHOWN - 1, False), (sentinels.SHOWN, True)])
    def test_the_list(self, jill: TestClient, knowledge: MemoryKnowledge, count: int, more: bool):
        install(knowledge, count)
        oldest = knowledge.sentinels.get("jill", "s0").id
        wanted = f"/sentinels?words=s&order=newest&before={oldest}"
        found = links(jill, "/sentinels?words=s&order=newest", "/sentinels?words=s&order=newest&before")
        assert found == ([wanted] if more else [])

    def test_those_in_trouble_stand_before_the_others_on_the_first_piece_alone(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        install(knowledge, sentinels.SHOWN + 1)
        (claim,) = claim_all(knowledge, pages=99)
        bad = knowledge.sentinels.get("jill", "s0").pages[0].id
        done = [checked(claim, page, failures=int(page.id == bad)) for page in claim.pages]
        knowledge.schedule.finish(claim, done)

        def rows(query: str) -> list[str]:
            page = html.fromstring(jill.get(f"/sentinels{query}").text)
            return [str(one) for one in page.xpath("//tr[@class='row']/@id")]

        newest = [f"s{number}" for number in range(sentinels.SHOWN, 0, -1)]
        before = f"?before={knowledge.sentinels.get('jill', 's1').id}"
        assert rows("") == ["s0", *newest]
        assert rows(before) == []
        assert rows("?trouble=true") == ["s0"]
        assert rows("?order=newest") == newest
        assert rows(f"{before}&order=newest") == ["s0"]

    @pytest.mark.parametrize(
        ("count", "skip", "older"),
        [
            (sentinels.SHOWN, 0, []),
            (sentinels.SHOWN + 1, 0, [sentinels.SHOWN]),
            (sentinels.SHOWN + 1, sentinels.SHOWN, []),
            (3, 1, []),
        ],
    )
    def test_removed_ones(
        self, jill: TestClient, knowledge: MemoryKnowledge, count: int, skip: int, older: list[int]
    ):
        install(knowledge, count)
        for number in range(count):
            knowledge.sentinels.set_aside("jill", f"s{number}")
        wanted = [f"/sentinels-removed?skip={number}" for number in older]
        assert links(jill, f"/sentinels-removed?skip={skip}", "/sentinels-removed?") == wanted


@pytest.mark.parametrize(
    ("count", "skip", "more"),
    [
        (bulletin.RECORDS_SHOWN, 0, []),
        (bulletin.RECORDS_SHOWN + 1, 0, [bulletin.RECORDS_SHOWN]),
        (bulletin.RECORDS_SHOWN + 1, 1, []),
    ],
)
def test_the_bulletin_leads_on(
    jill: TestClient, knowledge: MemoryKnowledge, count: int, skip: int, more: list[int]
):
    install(knowledge, count)
    wanted = [f"/bulletin?order=priority&skip={number}" for number in more]
    place = "/bulletin?order=priority"
    assert links(jill, f"{place}&skip={skip}", f"{place}&skip") == wanted


@pytest.mark.parametrize(("count", "more"), [(discover.SHOWN, False), (discover.SHOWN + 1, True)])
def test_discoveries_lead_on(jill: TestClient, knowledge: MemoryKnowledge, count: int, more: bool):
    wanted = WantedServices(service="search", description="d", seeds=("http://site.test/",))
    made = [knowledge.discoveries.add("jill", wanted).id for _ in range(count)]
    older = [f"/discover?before={made[count - discover.SHOWN]}"] if more else []
    assert links(jill, "/discover", "/discover?before") == older
    assert all(links(jill, one, "/discover?before") == [] for one in older)


def test_a_report_leads_to_its_change(jill: TestClient, knowledge: MemoryKnowledge):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    changes: tuple[NewChange, ...] = tuple(new_change(made.id, old, old + 1) for old in (1, 2))
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], changes=changes)])
    page, ids = made.pages[0].id, {one.new_version: one.id for one in knowledge.changes.all("jill")}
    for new, id_ in ids.items():
        answer = jill.get(f"/reports/s1/{page}/{new - 1}-{new}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/changes/{id_}")
    for place in (f"s1/{page}/1-3", f"s1/{page + 1}/1-2", f"s2/{page}/1-2"):
        assert jill.get(f"/reports/{place}").status_code == 404


@pytest.mark.parametrize(("count", "is_drawn"), [(1, False), (2, True)])
def test_there_is_a_time_machine_where_there_are_two_versions(
    jill: TestClient, knowledge: MemoryKnowledge, count: int, is_drawn: bool
):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    page = made.pages[0].id
    for number in range(1, count + 1):
        knowledge.schedule.ask(page)
        (claim,) = claim_all(knowledge)
        new = new_version(number, str(number))
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new)])
    answer = jill.get(f"/pages/{page}/compare?a=1&b={count}")
    assert answer.status_code == 200
    assert ("Time machine" in answer.text) is is_drawn


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [("", 400, "Choose a file first."), ("old.txt", 422, "is no WARC, WACZ or CDX file")],
)
def test_a_file_without_a_name_is_no_file(jill: TestClient, name: str, status: int, said: str):
    answer = jill.post("/import/archive", files={"file": (name, b"nothing")})
    assert answer.status_code == status
    assert said in answer.text


class TestValues:
    """A sentinel that follows two values: the file holds the one whose place is asked for."""

    @pytest.fixture
    def values(self, jill: TestClient, knowledge: MemoryKnowledge) -> TestClient:
        text = 'Create Sentinel tea Using http://tea.test/ Monitor value css "b"'
        (made,) = knowledge.sentinels.add(sentinel("tea", "http://tea.test/", text=text))
        (claim,) = claim_all(knowledge)
        found = [
            NewChange(
                sentinel=made.id,
                old_version=old,
                new_version=old + 1,
                findings=(Finding(type="value", objects=tuple(_moved(place, old) for place in places)),),
            )
            for old, places in ((1, ("#a", "#b")), (2, ("#b",)))
        ]
        done = checked(claim, claim.pages[0], version=new_version(1), changes=tuple(found))
        knowledge.schedule.finish(claim, [done])
        return jill

    @pytest.mark.parametrize(
        ("value", "numbers"),
        [("#a", ["1", "2"]), ("#b", ["1", "2", "3"]), ("#c", ["1", "2", "3"]), ("", ["1", "2", "3"])],
    )
    def test_the_value_at_a_place_is_sent_or_the_one_that_moved_most(
        self, values: TestClient, value: str, numbers: list[str]
    ):
        answer = values.get("/sentinels/tea/values.csv", params={"value": value})
        assert [row.split(",")[1] for row in answer.text.splitlines()[1:]] == numbers


def _moved(place: str, old: int) -> ObjectChange:
    before, after = str(old), str(old + 1)
    return ObjectChange(
        object=place, status=Status.UPDATED, before=before, after=after, label=f"Tea {place}", where=(place,)
    )
