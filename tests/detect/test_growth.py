"""Tests that what is done with a page grows with its size, not with its square. The work is counted where one
can count it; elsewhere the bound on processor time is generous for a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from webvigil.detect import in_context, leaves, loctags
from webvigil.detect.find import find
from webvigil.detect.lists import grids
from webvigil.document import PageDigest, read, xpath
from webvigil.document.paths import node_at
from webvigil.model.sentinel import ChangeType
from webvigil.present.presentation import present

BY_LOCTAGS = ChangeType("all words", (), "by loctags")


def page(text: str, kind: str = "text/html") -> PageDigest:
    return read(text.encode(), kind, "https://example.org/")


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """Returns a list that gets the result of each call of a function."""
    results: list[Any] = []
    plain: Callable[..., Any] = getattr(module, name)

    def call(*given: Any) -> Any:
        results.append(plain(*given))
        return results[-1]

    monkeypatch.setattr(module, name, call)
    return results


@pytest.mark.parametrize("change", [BY_LOCTAGS, ChangeType("regular expression", (r"\w+",))])
def test_a_path_into_a_page_nested_without_end_stops_at_an_element_around_the_place(change: ChangeType):
    old, new = (
        page("".join(f"<a>{version}{n} " for n in range(3_000)) + "</a>" * 3_000, "text/xml")
        for version in "ab"
    )
    found = find(old, new, change)
    places = [path for one in found.objects for path in one.where]
    assert max(path.count("/") for path in places) == 600
    nodes = [node_at(path, new.tags, new.sizes, new.tag_index) for path in places]
    assert all(node >= 0 for node in nodes)


def test_of_an_element_that_changed_only_the_nearest_elements_around_it_are_looked_at():
    old, new = (
        page(
            "".join(f"<a xmlns:n{n}='u{version}'>" for n in range(8_000)) + "</a>" * 8_000, "application/xml"
        )
        for version in (0, 1)
    )
    began = time.process_time()
    present(old, new, how="dual", form="page")
    assert time.process_time() - began < 2.5, "it took 6 s when all elements around each were looked at"
    assert new.ancestors(100, 3) == new.ancestors(100)[:3] == [99, 98, 97]
    assert new.ancestors(2, 9) == [1, 0]


@pytest.mark.parametrize("piece", ["<div>word {}", "<b>word {}</b> "])
def test_the_lines_around_many_objects_are_read_about_as_often_as_the_page_has_them(
    piece: str, monkeypatch: pytest.MonkeyPatch
):
    """Elements inside of each other, and elements of one long line, share their lines."""
    old, new = (page("".join(piece.format(n * 2 + version) for n in range(400))) for version in (0, 1))
    found = find(old, new, BY_LOCTAGS)
    one_by_one = [in_context.in_context(old, new, [replace(found, objects=(one,))]) for one in found.objects]
    read_lines = counted(monkeypatch, in_context, "lines_around")
    (told,) = in_context.in_context(old, new, [found])
    assert sum(len(lines.nodes) for lines in read_lines) <= 6 * 400
    described = [one for one in told.objects if one.surrounding]
    assert len(described) == in_context.DESCRIBED
    assert set(described) <= {one for (finding,) in one_by_one for one in finding.objects}


def test_contexts_with_one_changed_word_need_no_alignment(monkeypatch: pytest.MonkeyPatch):
    old, new = (page("".join(f"<p>word {n + version} a" for n in range(50))) for version in (0, 1))
    aligned = counted(monkeypatch, loctags, "aligned")
    assert len(loctags.compare(old, new).changes) == 50
    assert not aligned


def test_the_descriptions_of_one_term_are_one_cell():
    term = grids(page("<dl><dd>x<dd>y<dt>a<dt>b<dd>1<dd>2<dd>3</dl>"))[0]
    assert [line.texts for line in term.lines] == [("", "x / y"), ("a",), ("b", "1 / 2 / 3")]
    many = page("<dl><dt>a" + "".join(f"<dd>{n}" for n in range(150_000)))
    began = time.process_time()
    assert len(grids(many)[0].lines) == 1
    assert time.process_time() - began < 2, "it took 7 s when each description was put behind those before it"


def test_of_what_an_expression_finds_only_what_is_compared_is_looked_up(monkeypatch: pytest.MonkeyPatch):
    old, new = page("<p>1" * 9_000), page("<p>2" * 9_000)
    looked_up = counted(monkeypatch, xpath, "_node")
    assert len(find(old, new, ChangeType("value", ("//p",), "xpath")).objects) == 2_000
    assert len(looked_up) == 4_000


def test_the_steps_of_the_way_to_many_deep_leaves_are_named_once(monkeypatch: pytest.MonkeyPatch):
    levels = 1_500
    old, new = (
        page("".join(f'{{"a":{n + v},"b":' for n in range(levels)) + "0" + "}" * levels, "application/json")
        for v in (0, 1)
    )
    named = counted(monkeypatch, leaves, "_step")
    found = find(old, new, ChangeType("any change"))
    assert len(found.objects) == levels
    assert found.objects[2].object == "$.b.b.a"
    assert found.objects[-1].object.count(".b") == 99
    assert len(named) <= 4 * levels


def test_the_namespaces_of_a_page_are_looked_up_together(monkeypatch: pytest.MonkeyPatch):
    many = page(
        "<x>"
        + "".join(f"<p{n}:a xmlns:p{n}='urn:{n}' b='1'/>" for n in range(50))
        + "<a xmlns:p1='urn:c'/></x>",
        "text/xml",
    )
    looked_up: list[str] = []
    monkeypatch.setattr(PageDigest, "rows_of", lambda self, *names: looked_up.extend(names))
    assert xpath._namespaces(many) == {f"p{n}": f"urn:{n}" for n in range(50)}
    assert not looked_up
