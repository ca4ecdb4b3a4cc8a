"""Full-text search of changes (N2): memory, SQLite and PostgreSQL give the same answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, remove_for_good, sentinel
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.moment import as_datetime
from webvigil.model.work import NewChange
from webvigil.store.promises import Knowledge
from webvigil.store.searching import matches, phrases, plain_words, words_of_change


def finding(text: str, kind: str = "all words") -> Finding:
    return Finding(type=kind, objects=(ObjectChange(object=text, status=Status.NEW, after=text),))


def found(knowledge: Knowledge, name: str, *findings: Finding, topic: str = "", user: str = "jill") -> None:
    """Adds a sentinel that finds these findings at its first look."""
    address = f"http://{name}.test/prices"
    knowledge.sentinels.add(replace(sentinel(name, address, user=user), topic=topic))
    for claim in claim_all(knowledge):
        results = []
        for due in claim.pages:
            watch = next((one for one in due.watches if one.name == name), None)
            changes = (
                (NewChange(sentinel=watch.sentinel, old_version=0, new_version=1, findings=findings),)
                if watch
                else ()
            )
            results.append(checked(claim, due, version=new_version(1) if watch else None, changes=changes))
        knowledge.schedule.finish(claim, results)


def names(knowledge: Knowledge, words: str = "", user: str | None = "jill", **more: object) -> list[str]:
    return [one.sentinel for one in knowledge.search.find(user, words, **more)]  # type: ignore[arg-type]


def test_all_words_must_be_there_in_any_order(knowledge: Knowledge):
    found(knowledge, "energy", finding("Solar panels cost less than ever"))
    found(knowledge, "cars", finding("Panels of cars are made of steel"))
    assert names(knowledge, "panels") == ["cars", "energy"]
    assert names(knowledge, "panels SOLAR") == ["energy"]
    assert names(knowledge, "panels moon") == []


def test_words_in_quotes_stand_together_and_a_star_ends_any_word(knowledge: Knowledge):
    found(knowledge, "a", finding("the interest rate rose"))
    found(knowledge, "b", finding("a rate of interest"))
    assert names(knowledge, '"interest rate"') == ["a"]
    assert names(knowledge, "interest-rate") == ["a"]
    assert names(knowledge, "inter*") == ["b", "a"]
    assert names(knowledge, "inter") == []
    assert names(knowledge, '"the interest rat*') == []


def test_accents_capitals_and_scripts_without_spaces(knowledge: Knowledge):
    found(knowledge, "a", finding("Café in Zürich, ΑΘΗΝΑ"))
    found(knowledge, "b", finding("東京は雨です"))
    assert names(knowledge, "cafe ZURICH αθηνα") == ["a"]
    assert names(knowledge, "東京") == ["b"]
    assert names(knowledge, "京東") == []


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_need_no_second_look(text: str):
    """ASCII texts are split by a quicker way, which must give the same words as the general way."""
    with_an_accent = plain_words(text + " \u00e9")
    assert plain_words(text) == with_an_accent[:-1]


@given(st.lists(st.text(max_size=20), min_size=1, max_size=20))
def test_the_words_of_a_change_are_those_of_its_texts(texts: list[str]):
    objects = tuple(ObjectChange(object=text, status=Status.NEW) for text in texts)
    found = words_of_change("s", "http://a.test/", [Finding(type="all words", objects=objects)])
    each = [word for text in ("s", "http://a.test/", "all words", *texts) for word in plain_words(text)]
    assert found == ["wvtypeallwords", *each]


def test_changes_are_searched_by_sentinel_topic_type_and_time(knowledge: Knowledge, clock: Clock):
    found(knowledge, "a", finding("tea", "phrase"), topic="drinks")
    between = as_datetime(clock.now + 30_000)
    clock.passes(seconds=60)
    found(knowledge, "b", finding("tea", "all links"), topic="links")
    assert names(knowledge, "tea", topic="drinks") == ["a"]
    assert names(knowledge, "tea", kind="all links") == ["b"]
    assert names(knowledge, kind="phrase") == ["a"]
    assert names(knowledge, sentinel_name="b") == ["b"]
    assert names(knowledge, "tea", since=between) == ["b"]
    assert names(knowledge, "tea", until=between) == ["a"]
    assert names(knowledge, limit=1) == ["b"]
    assert names(knowledge) == ["b", "a"]


def test_addresses_and_names_of_sentinels_are_found(knowledge: Knowledge):
    found(knowledge, "energy", finding("x"))
    assert (
        names(knowledge, "energy")
        == names(knowledge, "energy.test")
        == names(knowledge, "prices")
        == ["energy"]
    )


def test_nobody_finds_what_is_not_theirs(knowledge: Knowledge):
    knowledge.users.add("jack")
    found(knowledge, "mine", finding("secret plans"))
    found(knowledge, "his", finding("secret plans"), user="jack")
    assert names(knowledge, "secret") == ["mine"]
    assert names(knowledge, "secret", user="jack") == ["his"]
    assert names(knowledge, "secret", user=None) == ["his", "mine"]


def test_what_is_removed_is_not_found(knowledge: Knowledge):
    found(knowledge, "a", finding("gone soon"))
    remove_for_good(knowledge, "jill", "a")
    assert names(knowledge, "gone") == []
    found(knowledge, "b", finding("still there"))
    assert names(knowledge, "there") == ["b"]


@pytest.mark.parametrize(
    "hostile",
    [
        '"',
        "'",
        '" OR 1=1 --',
        "a AND",
        "NEAR(a b)",
        "words:x",
        "*",
        "^x",
        "(",
        "a:*&!b",
        "\\",
        "\0",
        "x" * 5000,
        "%_",
        "';DROP TABLE change;--",
        "🙂",
        "-a",
        "tea'",
    ],
)
def test_no_search_is_a_query(knowledge: Knowledge, hostile: str):
    found(knowledge, "a", finding("tea"))
    assert set(names(knowledge, hostile)) <= {"a"}
    assert names(knowledge, "tea") == ["a"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(alphabet="ab东 \"*'-.", max_size=12))
def test_every_knowledge_base_finds_what_the_plain_way_finds(knowledge: Knowledge, query: str):
    texts = ("a b ab", "b东a", "ab ba 东东", "a-b.a")
    if not knowledge.sentinels.all():
        for number, text in enumerate(texts):
            found(knowledge, f"s{number}", finding(text))
    asked = phrases(query)
    expected = [
        f"s{number}"
        for number, text in reversed(list(enumerate(texts)))
        if matches(
            [*plain_words(f"s{number} http://s{number}.test/prices all words"), *plain_words(text)], asked
        )
    ]
    assert names(knowledge, query) == expected
