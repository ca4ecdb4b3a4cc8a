"""Full-text search of changes (N2): memory, SQLite and PostgreSQL give the same answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, remove_for_good, sentinel
from webvigil.model.change import Finding, ObjectChange, Status, Surrounding
from webvigil.model.moment import as_datetime
from webvigil.model.work import NewChange
from webvigil.store import searching
from webvigil.store.promises import Knowledge
from webvigil.store.searching import (
    Phrase,
    matches,
    phrases,
    plain_words,
    type_word,
    words_of_change,
    words_of_findings,
)


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


# --- the rules that all knowledge bases share ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("One_two-3", ["one", "two", "3"]),
        ("Straße ÉTÉ", ["strasse", "ete"]),
        ("日本", ["日", "本"]),
        ("x" * 100, ["x" * 100]),
        ("x" * 101, ["x" * 100]),
        ("é" * 101, ["e" * 100]),
    ],
)
def test_a_text_becomes_plain_words(text: str, words: list[str]):
    assert plain_words(text) == words


@pytest.mark.parametrize(
    ("typed", "kind", "asked"),
    [
        ("", None, ()),
        ("--- _", None, ()),
        ("One two", None, (Phrase(("one",)), Phrase(("two",)))),
        ('"One two"', None, (Phrase(("one", "two")),)),
        ('"One two', None, (Phrase(("one", "two")),)),
        ("one-two*", None, (Phrase(("one", "two"), begins=True),)),
        ("o*ne", None, (Phrase(("o", "ne")),)),
        ('"one*"', None, (Phrase(("one",)),)),
        ("", "all links", (Phrase(("wvtypealllinks",)),)),
        ("a", "links", (Phrase(("a",)), Phrase(("wvtypelinks",)))),
    ],
)
def test_what_a_person_typed_is_read_as_phrases(typed: str, kind: str | None, asked: tuple[Phrase, ...]):
    assert phrases(typed, kind) == asked


def test_a_search_has_limits():
    many = " ".join(f"w{number}" for number in range(40))
    assert phrases(many) == tuple(Phrase((f"w{number}",)) for number in range(30))
    assert phrases("x" * 999 + " y z")[0].words == ("x" * 100,)
    assert len(phrases("x" * 998 + " y z")) == 2
    assert len(phrases("x" * 999 + " y z")) == 1


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (Phrase(("a",)), True),
        (Phrase(("c",)), True),
        (Phrase(("d",)), False),
        (Phrase(("a", "bb")), True),
        (Phrase(("bb", "c")), True),
        (Phrase(("a", "c")), False),
        (Phrase(("c", "d")), False),
        (Phrase(("b",)), False),
        (Phrase(("b",), begins=True), True),
        (Phrase(("a", "b"), begins=True), True),
        (Phrase(("b", "c"), begins=True), False),
    ],
)
def test_a_phrase_is_found_where_its_words_stand_together(asked: Phrase, found: bool):
    assert matches(["a", "bb", "c"], [asked]) is found
    assert matches(["a", "bb", "c"], [Phrase(("a",)), asked]) is found
    assert matches([], []) is True


def test_all_texts_of_a_finding_are_searched_once():
    one = ObjectChange(
        object="obj", status=Status.UPDATED, where=(), before="old", after="obj", label="lab", section="sec",
        link_text="lin", surrounding=Surrounding(before="front", after="back"),
    )  # fmt: skip
    found = words_of_findings((Finding(type="all words", note="note", objects=(one,)),))
    assert found == (
        [type_word("all words")],
        ["all", "words", "note", "obj", "old", "lab", "sec", "lin", "back"],
    )
    only = one._replace(surrounding=Surrounding(before="front", after=""))
    assert words_of_findings((Finding(type="all words", objects=(only,)),)).words[-1] == "front"
    assert words_of_findings((Finding(type="x"), Finding(type="x"))).types == []


def test_of_a_change_the_first_ten_thousand_words_are_searched():
    objects = tuple(
        ObjectChange(object=f"w{number}", status=Status.NEW, where=()) for number in range(12_000)
    )
    found = words_of_change("name", "http://a.test/", (Finding(type="all words", objects=objects),))
    assert len(found) == 10_000
    assert found[:8] == [type_word("all words"), "name", "http", "a", "test", "all", "words", "w0"]
    assert len(words_of_findings((Finding(type="all words", objects=objects[:500]),)).words) == 502


@pytest.mark.parametrize(
    ("lengths", "pieces"),
    [
        ([], [0]),
        ([1] * 999, [999]),
        ([1] * 1_000, [1_000, 0]),
        ([1] * 1_001, [1_000, 1]),
        ([1, 9_999, 1], [3]),
        ([1, 10_000, 1], [2, 1]),
    ],
)
def test_short_texts_are_split_together(lengths: list[int], pieces: list[int]):
    joined = searching._lines("x" * length for length in lengths)
    assert [one.count("\n") + 1 if one else 0 for one in joined] == pieces
