"""Pictures by the rules of C3."""

import pytest

from webvigil.document import read
from webvigil.document.images import srcset


def urls(page):
    return [image.url for image in read(page.encode(), "text/html", "https://e.org/d/").images]


def test_pictures_come_from_src_srcset_and_picture_sources():  # C3
    page = """<img src=a.png srcset="b.png 1x, /c.png 2x">
    <picture><source srcset="d.webp"><img src=e.jpg></picture><video poster=f.png><source src=g.mp4></video>
    <input type=image src=h.gif><input src=no.gif>
    <svg><image href="i.svg" /></svg><img><img src="">"""
    assert urls(page) == [
        *("https://e.org/d/a.png", "https://e.org/d/b.png", "https://e.org/c.png", "https://e.org/d/d.webp"),
        *("https://e.org/d/e.jpg", "https://e.org/d/f.png", "https://e.org/d/h.gif", "https://e.org/d/i.svg"),
    ]


def test_a_picture_written_into_the_page_counts_as_itself():
    assert urls("<img src='data:image/png;base64,AAAA'>") == ["data:image/png;base64,AAAA"]


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
