"""Links are found by the rules of C2, pictures by those of C3."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.links import absolute, srcset


def urls(page, url="https://example.org/dir/page"):
    return [link.url for link in read(page.encode(), "text/html", url).links]


def test_links_are_absolute_and_in_document_order():  # C2
    page = """<a href="a.html">1</a><map><area href="/b"></map><a href="//c.org/d">2</a>
    <a name=x>none</a><a href="?q=1">3</a><a href="#top">4</a><link href="style.css"><a href="http://E.org/">5</a>"""
    assert urls(page) == [
        "https://example.org/dir/a.html",
        "https://example.org/b",
        "https://c.org/d",
        "https://example.org/dir/page?q=1",
        "https://example.org/dir/page#top",
        "http://e.org/",
    ]


def test_mail_and_script_are_no_links():  # C2
    page = """<a href="mailto:a@b.c">m</a><a href=" JavaScript:go()">j</a><a href="tel:1">t</a>
    <a href="data:text/html,x">d</a><a href="java\nscript:x()">s</a><a href="ok">k</a>"""
    assert urls(page) == ["https://example.org/dir/ok"]


def test_forms_lead_somewhere_too():  # C2
    page = "<form action=/search><button formaction=/other>x</button><input type=submit></form><form></form>"
    assert urls(page) == ["https://example.org/search", "https://example.org/other"]


def test_an_address_in_a_value_is_a_link_and_a_plain_value_is_not():  # C2
    page = """<select><option value="https://a.org/x">A<option value="b">B</select>
    <input type=hidden value=" HTTP://c.org "><input value="see https://d.org"><param value="http://e.org/f">"""
    assert urls(page) == ["https://a.org/x", "http://c.org", "http://e.org/f"]


def test_base_moves_relative_links():  # C2
    page = "<base target=_top><base href='/other/'><base href='/late/'><a href=x>1</a>"
    assert urls(page) == ["https://example.org/other/x"]


def test_a_link_names_its_element():
    digest = read(b"<ul><li><a href=/1>x</a><li><a href=/2>y</a></ul>", "text/html", "https://e.org/")
    assert [digest.path(link.node) for link in digest.links] == [
        "/html/body/ul/li[1]/a",
        "/html/body/ul/li[2]/a",
    ]


def test_a_feed_has_the_links_of_its_entries():  # C2, F9
    rss = b"""<rss><channel><link>https://e.org/</link><item><link>https://e.org/1</link><guid>abc</guid>
    <enclosure url="https://e.org/1.mp3"/></item></channel></rss>"""
    assert [link.url for link in read(rss, "text/xml").links] == [
        "https://e.org/",
        "https://e.org/1",
        "https://e.org/1.mp3",
    ]
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/1"/></entry></feed>'
    assert [link.url for link in read(atom, "text/xml", "https://e.org/f").links] == ["https://e.org/1"]


@pytest.mark.parametrize("address", ["http://[::1", "http://[x]/", "//[", "http://a:b:c/"])
def test_an_impossible_address_is_no_link_or_stays_as_it_is(address):
    assert isinstance(absolute("https://e.org/", address), str)


pieces = st.sampled_from(
    ["<a href=/a>", "<a href=b>", "<a href='https://e.org/b'>", "<a href='mailto:x'>", "<p>", "x"]
)
soups = st.lists(pieces, max_size=6).map("".join)
bases = st.sampled_from(["", "<base href='/d/'>"])


@given(st.tuples(bases, soups), st.tuples(bases, soups))
def test_equal_links_are_told_without_making_all_of_them_absolute(first, second):
    old, new = (read("".join(one).encode(), "text/html", "https://e.org/") for one in (first, second))
    equal = Counter(link.url for link in old.links) == Counter(link.url for link in new.links)
    assert old.same_links(new) == equal


def picture_urls(page):
    return [image.url for image in read(page.encode(), "text/html", "https://e.org/d/").images]


def test_pictures_come_from_src_srcset_and_picture_sources():  # C3
    page = """<img src=a.png srcset="b.png 1x, /c.png 2x">
    <picture><source srcset="d.webp"><img src=e.jpg></picture><video poster=f.png><source src=g.mp4></video>
    <input type=image src=h.gif><input src=no.gif>
    <svg><image href="i.svg" /></svg><img><img src="">"""
    assert picture_urls(page) == [
        *("https://e.org/d/a.png", "https://e.org/d/b.png", "https://e.org/c.png", "https://e.org/d/d.webp"),
        *("https://e.org/d/e.jpg", "https://e.org/d/f.png", "https://e.org/d/h.gif", "https://e.org/d/i.svg"),
    ]


def test_pictures_of_plain_paths_are_at_their_elements():
    page = read(b"<p><img src=/a.png><img srcset=/b.png alt=b><video poster=/c.png>", "", "https://e.org/d/")
    assert [(page.tag(image.node), image.url) for image in page.images] == [
        ("img", "https://e.org/a.png"),
        ("img", "https://e.org/b.png"),
        ("video", "https://e.org/c.png"),
    ]
    assert page.image_sources.names == ["src", "srcset", "poster"]


def test_a_picture_written_into_the_page_counts_as_itself():
    assert picture_urls("<img src='data:image/png;base64,AAAA'>") == ["data:image/png;base64,AAAA"]


@pytest.mark.parametrize(
    ("value", "addresses"),
    [
        ("a.png", ["a.png"]),
        ("a.png 1x,b.png 2x", ["a.png", "b.png"]),
        ("a,b.png 1x , c.png 480w", ["a,b.png", "c.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        (" , ", []),
        ("", []),
        ("data:image/gif;base64,R0lG 1x, b.png", ["data:image/gif;base64,R0lG", "b.png"]),
        ("a.png (x, y) 1x, b.png", ["a.png", "b.png"]),
    ],
)
def test_srcset_is_read_as_the_standard_says(value, addresses):
    assert srcset(value) == addresses


def test_a_hostile_srcset_is_read_in_linear_time():
    assert len(srcset("a.png 1x," * 50_000)) == 50_000
    assert srcset("(" * 200_000) == ["(" * 200_000]
