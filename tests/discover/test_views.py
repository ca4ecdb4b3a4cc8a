"""A page is seen as text, as source and as links, each as people would read it and cut where it ends."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from webvigil.discover.views import Views
from webvigil.model.version import Answer, Frame

URL = "http://a.test/b/"
LINK = f'href="{URL}x" o'


def answer(
    text: str, kind: str = "text/html; charset=utf-8", frames: Iterable[Frame] = (), url: str = URL
) -> Answer:
    headers = (("content-type", kind),)
    return Answer(url=url, status=200, headers=headers, body=text.encode(), frames=tuple(frames))


def views(text: str, limit: int = 10_000, kind: str = "text/html; charset=utf-8") -> Views:
    return Views(answer(text, kind), limit)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one two<p>three  <b>four</b>five", "one two\nthree fourfive"),
        ("<table><tr><td>a<td>b<tr><td>c<td><p>d<p>e</table>", "a\tb\nc\td\ne"),
        ("<table><tr><td>a<td><td>b</table>", "a\tb"),
        ("<pre>a  b\n c</pre><p>d", "a  b\n c\nd"),
        ("a<select><option>x</select>b <button>y</button>c", "a\nb\nc"),
        ("a<b> </b>c", "a c"),
        ("<p>a<br>b", "a\nb"),
        ("<p> <p>a", "a"),
        ("<p>a<p hidden>b", "a"),
        ("", ""),
    ],
)
def test_the_text_is_laid_out_in_lines_and_cells(page: str, text: str):
    assert views(page)("text") == text


def test_a_view_ends_at_its_limit():
    assert views("<p>abc<p>de<p>f", 5)("text") == "abc\nde"
    assert views('{"a": "long text"}', 6, "application/json")("text") == "long t"
    assert views("<p>ä" + "x" * 100, 6)("source") == "<p>äxx"
    assert views("<a href=x>o</a>", 4)("links") == "href"


def test_a_document_that_cannot_be_read_is_an_empty_page():
    broken = views("no picture", kind="application/pdf")
    assert (broken("text"), broken("links"), broken("source")) == ("", "", "no picture")


@pytest.mark.parametrize(
    ("page", "links"),
    [
        ("<a href=x>o</a> rest", f"{LINK} rest"),
        ("<ul><li><a href=x>o</a> rest<li><a href=y>t</a></ul>", f'{LINK} rest\nhref="{URL}y" t'),
        ("<dl><dt><a href=x>o</a><dd>meaning</dl>", f"{LINK} meaning"),
        ("<table><tr><td><a href=x>o</a><td>cell</table>", f"{LINK} cell"),
        ("<p><a href=x>o</a> and <a href=y>t</a> end", f'{LINK}\nhref="{URL}y" t'),
        ("<p>before <a href=x>o</a> after", f"{LINK} before o after"),
        ("<div><p>a <a href=x>o</a></p>b</div><p><a href=y>t</a>", f'{LINK} a ob\nhref="{URL}y" t'),
        ('<a href="javascript:1">o</a><a>n</a><a href="ftp://x">f</a>', ""),
        ("<p hidden><a href=x>o</a></p>v", ""),
        ("<area href=x alt=o>", f'href="{URL}x"'),
        (f"<li><a href=x>o</a> {'r' * 598}</li>", f"{LINK} {'r' * 598}"),
        (f"<li><a href=x>o</a> {'r' * 599}</li>", LINK),
    ],
)
def test_a_link_is_told_with_the_item_around_it(page: str, links: str):
    assert views(page)("links") == links


def test_the_items_of_five_hundred_links_are_read_and_five_thousand_links():
    found = views("".join(f"<li><a href=x>o</a> r{n}</li>" for n in range(5_001)), 10**6)
    lines = found("links").splitlines()
    assert (lines[499], lines[500], len(lines), len(found.links)) == (f"{LINK} r499", LINK, 5_000, 5_000)


def test_links_that_repeat_the_question_are_no_part_of_an_answer():
    asked: list[tuple[str, str]] = []

    def repeats(address: str, answered: str) -> bool:
        asked.append((address, answered))
        return address.endswith("y")

    found = Views(answer("<p><a href=x>o</a><p><a href=y>t</a>"), 1_000, repeats)
    assert found("links") == LINK
    assert asked == [(f"{URL}x", URL), (f"{URL}y", URL)]
    assert found.links == ((f"{URL}x", "o"), (f"{URL}y", "t"))


def test_frames_are_part_of_their_page():
    inner = Frame(address=f"{URL}i", answer=answer("<p>deep", url=f"{URL}i"))
    one = Frame(
        address=f"{URL}f", answer=answer("<iframe src=i></iframe><p>in", frames=[inner], url=f"{URL}f")
    )
    two = Frame(address=f"{URL}g", answer=answer("<p>second", url=f"{URL}g"))
    page = Views(answer("<p>out<iframe src=f></iframe><iframe src=g></iframe>", frames=[one, two]), 1_000)
    assert page("text").split() == ["out", "deep", "in", "second"]
    assert [line.rpartition(">")[2] for line in page("source").splitlines()] == ["", "in", "deep", "second"]
