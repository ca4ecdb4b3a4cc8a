"""Tests that frames and iframes belong to the page (F3)."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest

from tests.fetch.fetching import Looks, fetch
from tests.site import Site
from webvigil.document import read
from webvigil.errors import HostUnreachable, PageUnreachable
from webvigil.fetch.client import Limits
from webvigil.fetch.frames import frame_places, whole
from webvigil.model.version import Answer, Frame
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

FRAMESET = (
    '<html><head><title>T</title></head><frameset cols="20%,80%">'
    '<frame src="menu.html"><frame src="/text.html"></frameset></html>'
)


def shown(page: Any, **options: Any) -> str:
    answer = fetch(page, **options).answer
    assert answer is not None
    return whole(answer).visible_text


def test_a_frame_set_is_read_as_one_page(site: Site):
    site.page("/a/menu.html", '<p>The menu <a href="other.html">other</a>')
    site.page("/text.html", "<p>The text")
    page = site.page("/a/index.html", FRAMESET)
    answer = fetch(page).answer
    digest = whole(answer)
    assert digest.visible_text.split("\n") == ["The menu other", "The text"]
    assert [link.url for link in digest.links] == [f"{site.url}/a/other.html"]
    assert len(answer.frames) == 2


def test_an_iframe_stands_where_the_page_puts_it(site: Site):
    site.page("/inside", "<title>no</title><p>inside")
    page = site.page("/a", '<p>before<iframe src="/inside">no frames here</iframe><p>after')
    assert shown(page).split("\n") == ["before", "inside", "after"]


def test_a_frame_in_a_frame_is_seen_and_no_further(site: Site):
    site.page("/c", '<p>three<iframe src="/d"></iframe>')
    site.page("/b", '<p>two<iframe src="/c"></iframe>')
    page = site.page("/a", '<p>one<iframe src="/b"></iframe>')
    assert shown(page).split("\n") == ["one", "two", "three"]
    assert site.hits("/d") == 0


def test_a_page_that_frames_itself_ends(site: Site):
    page = site.page("/a", '<p>one<iframe src="/a"></iframe>')
    assert "one" in shown(page)
    assert page.hits <= 3


@pytest.mark.parametrize(
    "frame",
    [
        '<noscript><iframe src="/x"></iframe></noscript>',
        '<iframe src="/x" width="1" height="1"></iframe>',
        '<iframe src="/x" style="display: none"></iframe>',
        '<iframe src="/x" hidden></iframe>',
        '<div hidden><iframe src="/x"></iframe></div>',
        '<iframe src="about:blank"></iframe>',
        '<iframe src="javascript:alert(1)"></iframe>',
        '<iframe src="ftp://127.0.0.1/x"></iframe>',
        "<iframe></iframe>",
        '<!-- <iframe src="/x"></iframe> -->',
    ],
)
def test_what_nobody_sees_is_not_fetched(site: Site, frame: str):
    page = site.page("/a", f"<p>one{frame}")
    assert fetch(page).answer.frames == ()
    assert site.hits("/x") == 0


def test_a_change_in_a_frame_is_a_change_of_the_page(site: Site):
    inside = site.page("/inside", "<p>inside one")
    page = site.page("/a", '<p>outside<iframe src="/inside"></iframe>')
    looks = Looks(page)
    looks.look()
    assert looks.look().answer is None
    assert [r.status for r in site.requests if r.path in ("/a", "/inside")] == [200, 200, 304, 304]
    inside.becomes("<p>inside two")
    answer = looks.look().answer
    assert whole(answer).visible_text == "outside\ninside two"
    assert looks.look().answer is None


def test_frames_are_looked_for_again_when_the_document_changed_or_has_some(site: Site):
    inside = site.page("/inside", "<p>one", validators="none")
    page = site.page("/a", "<p>alone", validators="none")
    looks = Looks(page)
    assert [seen.answer.frames for seen in looks.times(2)] == [(), ()]
    page.becomes('<p>together<iframe src="/inside"></iframe>')
    assert whole(looks.look().answer).visible_text == "together\none"
    inside.becomes("<p>two")
    assert whole(looks.look().answer).visible_text == "together\ntwo"
    page.becomes("<p>alone")
    assert [seen.answer.frames for seen in looks.times(2)] == [(), ()]


def test_no_more_frames_than_the_limit(site: Site):
    for number in range(20):
        site.page(f"/f{number}", f"<p>{number}")
    page = site.page("/a", "".join(f'<iframe src="/f{n}"></iframe>' for n in range(20)))
    assert len(fetch(page, limits=Limits(frames=3)).answer.frames) == 3
    assert fetch(page, limits=Limits(frames=0)).answer.frames == ()


def test_a_frame_that_is_gone_is_empty(site: Site):
    page = site.page("/a", '<p>one<iframe src="/gone"></iframe>')
    assert shown(page) == "one"


def test_own_frames_in_trouble_are_the_pages_trouble_others_are_not(site: Site, another_site: Any):
    site.page("/inside", "").answers(500)
    with pytest.raises(PageUnreachable):
        fetch(site.page("/a", '<p>one<iframe src="/inside"></iframe>'))
    other = another_site("127.0.0.2").page("/ad", "").answers(500)
    assert shown(site.page("/b", f'<p>one<iframe src="{other.url}"></iframe>')) == "one"


def test_a_frame_in_trouble_is_named(site: Site, another_site: Any):
    """The host of the page has answered, so the error must not say that it is missing."""
    other = another_site()
    frame = other.page("/f", "<p>inside").url
    other.goes_down()
    page = site.page("/a", f'<p>outside<iframe src="{frame}"></iframe>')
    with pytest.raises(PageUnreachable, match=f"the frame {frame}: .*[Rr]efused") as caught:
        fetch(page)
    assert not isinstance(caught.value, HostUnreachable)


def test_frames_in_the_private_network_are_not_visited(site: Site, another_site: Any):
    secret = another_site("127.0.0.2").page("/secret", "<p>secret")
    page = site.page("/a", f'<p>one<iframe src="{secret.url}"></iframe>')
    assert shown(page, allowed=(ipaddress.ip_network("127.0.0.1"),)) == "one"
    assert secret.hits == 0


def test_a_frame_that_is_no_html_is_shown_as_text(site: Site):
    site.page("/t", "plain <text>").content_type("text/plain")
    assert shown(site.page("/a", '<p>one<iframe src="/t"></iframe>')).split("\n") == ["one", "plain <text>"]


def test_a_version_gives_back_its_frames(site: Site):
    """R2"""
    site.page("/b", '<p>two<iframe src="/c"></iframe>')
    site.page("/c", b"\x00\xff")
    answer = fetch(site.page("/a", '<p>one<iframe src="/b"></iframe>')).answer
    pages = PageRepository(MemoryObjects())
    assert pages.answer(pages.keep(answer).object) == answer


def test_a_page_without_frames_is_read_as_ever():
    answer = Answer(url="http://a/", status=200, headers=(("Content-Type", "text/html"),), body=b"<p>one")
    assert whole(answer) == read(b"<p>one", "text/html", "http://a/")
    assert frame_places(answer) == []


# --- without a network ----------------------------------------------------------------------------------


def html(body: str, url: str = "http://a.test/dir/x", frames: tuple[Frame, ...] = ()) -> Answer:
    kind = (("Content-Type", "text/html"),)
    return Answer(url=url, status=200, headers=kind, body=body.encode(), frames=frames)


@pytest.mark.parametrize(
    ("tag", "address"),
    [
        ("<iframe src=y>", "http://a.test/dir/y"),
        ("<IFRAME SRC=' /y '>", "http://a.test/y"),
        ("<iframe src=//b.test/y width=2 height=100>", "http://b.test/y"),
        ("<iframe src=y width=1>", None),
        ("<iframe src=y height=' 1px '>", None),
        ("<iframe src=y width=0px>", None),
        ("<iframe src=y height=0>", None),
        ("<iframe src=y hidden>", None),
        ("<iframe src=y style='DISPLAY : none'>", None),
        ("<iframe src=y style='visibility:hidden'>", None),
        ("<iframe src=y style='visibility:visible'>", "http://a.test/dir/y"),
        ("<div hidden><iframe src=y></iframe></div>", None),
        ("<iframe>", None),
        ("<iframe src='  '>", None),
        ("<iframe src='about:blank'>", None),
        ("<iframe src='JavaScript:x()'>", None),
        ("<iframe src='data:text/html,x'>", None),
        ("<iframe src='blob:x'>", None),
        ("<iframe src='http://[x'>", None),
        ("<p>iframe src=y</p>", None),
        ("<iframes src=y>", None),
    ],
)
def test_the_frames_that_are_seen_have_an_address(tag: str, address: str | None):
    found = [(one.address, one.essential) for one in frame_places(html(f"<body>{tag}"))]
    assert found == ([(address, False)] if address else [])


def test_frames_of_a_set_are_essential():
    places = frame_places(html("<frameset><frame src=a><frame src=b></frameset>"))
    assert [(one.address[-1], one.essential) for one in places] == [("a", True), ("b", True)]
    feed = Answer(
        url="http://a.test/", status=200, headers=(("Content-Type", "text/plain"),), body=b"<frame src=a>"
    )
    assert frame_places(feed) == []


def events(answer: Answer) -> str:
    """Returns the page in a short form: tags, attributes and texts."""
    digest = whole(answer)
    shown = []
    for node in range(1, len(digest)):
        tag = digest.tag(node)
        attributes = "".join(f" {name}={value}" for name, value in digest.attributes(node).items())
        shown.append(
            repr(digest.own_text(node)) if tag == "#text" else f"{int(digest.depths[node])}{tag}{attributes}"
        )
    return "; ".join(shown)


def test_the_document_of_a_frame_stands_in_its_place():
    inside = html("<title>t</title><body><a href=z>in</a><p title=z>side", "http://b.test/f/")
    page = html(
        "<body><p>one<iframe src=//b.test/f/>x</iframe><p>two",
        frames=(Frame(address="http://b.test/f/", answer=inside),),
    )
    assert events(page) == (
        "1html; 2head; 2body; 3p; 'one'; 4div data-frame=http://b.test/f/; 5a href=http://b.test/f/z; 'in'; "
        "5p title=z; 'side'; 3p; 'two'"
    )


@pytest.mark.parametrize(
    ("status", "kind", "shown"),
    [
        (200, "text/plain", "4pre; 'in <b>'"),
        (404, "text/html", ""),
        (0, "", ""),
    ],
)
def test_a_frame_without_a_page_is_text_or_empty(status: int, kind: str, shown: str):
    inside = Answer(url="http://a.test/f", status=status, headers=(("Content-Type", kind),), body=b"in <b>")
    page = html(
        "<body><iframe src=/f></iframe>end", frames=(Frame(address="http://a.test/f", answer=inside),)
    )
    tail = f"; {shown}; 'end'" if shown else "; 'end'"
    assert events(page) == f"1html; 2head; 2body; 3div data-frame=http://a.test/f{tail}"


def test_the_outermost_set_of_frames_becomes_the_body():
    inner = Frame(address="http://a.test/dir/a", answer=html("<body>A", "http://a.test/dir/a"))
    page = html(
        "<frameset cols=1,1><frame src=a><frameset><frame src=gone></frameset></frameset>", frames=(inner,)
    )
    assert events(page) == (
        "1html; 2head; 2body cols=1,1; 3div data-frame=http://a.test/dir/a; 'A'; 3div; 4frame src=gone"
    )
