"""Of pages too long to be shown in full, the changed parts are shown, and what is left out is told (P1)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webvigil.document import PageDigest, read
from webvigil.present import excerpt as excerpt_module
from webvigil.present.align import Mark
from webvigil.present.comparison import compare
from webvigil.present.excerpt import CHANGED, WHOLE, excerpt
from webvigil.present.presentation import present

lines = st.lists(st.sampled_from("abcdefgh"), max_size=60)


def page(listed: list[str], kind: str = "text/html") -> PageDigest:
    text = "".join(f"<p>{line}</p>" for line in listed) if kind == "text/html" else "\n".join(listed)
    return read(text.encode(), kind, "https://example.org/")


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the limits, so that a page of a dozen lines is a long one."""
    monkeypatch.setattr(excerpt_module, "CHANGED", 8)
    monkeypatch.setattr(excerpt_module, "WHOLE", 16)
    monkeypatch.setattr(excerpt_module, "AROUND", 2)


@pytest.mark.usefixtures("_short")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines, lines)
def test_what_stands_between_the_parts_is_equal_and_what_is_beyond_is_counted(old: list[str], new: list[str]):
    chosen = excerpt(old, new)
    if chosen is None:
        assert len(old) + len(new) <= 16
        return
    i = j = 0
    for part in chosen.parts:
        assert i <= part.old_start <= part.old_end
        assert old[i : part.old_start] == new[j : part.new_start]
        i, j = part.old_end, part.new_end
    if chosen.beyond == (0, 0):
        assert old[i:] == new[j:]
    else:
        assert chosen.beyond == (len(old) - i, len(new) - j)


@pytest.mark.usefixtures("_short")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines, lines)
def test_what_is_shown_and_what_is_left_out_are_all_of_both_versions(old: list[str], new: list[str]):
    comparison = compare(page(old), page(new))
    left = list(comparison.left_out.values())
    olds = [step.old.text for step in comparison.steps if step.old]
    news = [step.new.text for step in comparison.steps if step.new]
    assert len(olds) + sum(one.old for one in left) == len(old)
    assert len(news) + sum(one.new for one in left) == len(new)
    if not left:
        assert (olds, news) == (old, new)
    assert comparison.is_cut or any(step.mark is not Mark.SAME for step in comparison.steps) == (old != new)


@pytest.mark.usefixtures("_short")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines, st.sampled_from(["only", "single", "dual"]), st.sampled_from(["html", "text", "markdown"]))
def test_every_presentation_says_what_it_leaves_out(old: list[str], how: str, form: str):
    new = [*old, "fresh"]
    shown = present(page(old), page(new), how, form)
    assert "fresh" in shown
    if len(old) + len(new) > 16:
        assert "unchanged" in shown


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_a_change_far_down_a_long_page_is_found_and_nothing_else_is_shown(kind: str):
    old = [f"line {number} of it" for number in range(WHOLE)]
    new = [*old[:12_000], "a line that came", *old[12_000:]]
    shown = present(page(old, kind), page(new, kind), "only", "text")
    assert "+ a line that came" in shown
    assert "… 11,999 unchanged blocks" in shown
    assert "line 5 of it" not in shown


def test_of_a_page_of_which_all_changed_the_first_lines_are_shown():
    old, new = ([f"{number} {word}" for number in range(CHANGED)] for word in ("before", "after"))
    for how in ("only", "single", "dual"):
        shown = present(page(old), page(new), how, "text", width=200)
        assert "what follows is left out, 3,000 blocks of the old version and 3,000 of the new one" in shown
        assert "at least 3000 changed" in shown


def test_code_of_many_lines_is_cut_as_well():
    old, new = (
        read(
            f"<pre>{chr(10).join(f'{number} {word}' for number in range(CHANGED))}</pre>".encode(),
            "text/html",
        )
        for word in ("before", "after")
    )
    assert "what follows is left out" in present(old, new, "single", "text")


def test_a_long_table_keeps_its_rows():
    rows = [f"<tr><td>key {number}<td>{number}<td>same" for number in range(WHOLE // 4)]
    changed = [*rows[:2_000], "<tr><td>key 2000<td>other<td>same", *rows[2_001:]]
    old, new = (
        read(f"<table><tr><th>Key<th>Value<th>More{''.join(listed)}</table>".encode(), "text/html")
        for listed in (rows, changed)
    )
    assert "~ key 2000 | [-2000-] {+other+} | same" in present(old, new, "only", "text")


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("old", "new", "parts", "beyond"),
    [
        ("abcdefgh", "12345678", [(0, 4, 0, 4)], (4, 4)),
        ("123456abcdefghijk", "78abcdefghijX", [(0, 6, 0, 2)], (11, 11)),
        ("abcdefghi", "abcdXfghi", [(2, 7, 2, 7)], (0, 0)),
        ("abcdefghi", "abcdefghX", [(6, 9, 6, 9)], (0, 0)),
        ("abcdefghijklmn", "abcdXfghijkYmn", [(2, 7, 2, 7), (9, 12, 9, 12)], (2, 2)),
        ("abcdefghijklmnop", "aXYcdefghijZlmnop", [(0, 4, 0, 5), (8, 11, 9, 12)], (5, 5)),
        ("abcdefghi", "abcdefghi", [], (0, 0)),
    ],
)
def test_the_parts_around_the_first_changes_are_chosen(
    old: str, new: str, parts: list[tuple[int, ...]], beyond: tuple[int, int]
):
    assert excerpt(old, new) == (parts, beyond)


@pytest.mark.usefixtures("_short")
def test_what_is_short_enough_is_shown_in_full():
    assert excerpt("abcd", "efgh") is None
    assert excerpt("abcdefgh", "abcdefgX") is None, "not many lines changed"
    assert excerpt("abcdefghi", "abcdefgX") is not None
