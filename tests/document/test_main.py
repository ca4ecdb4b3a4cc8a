"""The main part is found on pages of all kinds (Q5)."""

from __future__ import annotations

import time

import pytest

from webvigil.document import PageDigest, read
from webvigil.document.main import main, shell
from webvigil.document.masks import view
from webvigil.model.sentinel import MAIN

TEXT = "The lamp is made of brass and gives a warm light that many of our readers like to sit under. "


def page(body: str) -> PageDigest:
    return read(
        f"<!doctype html><title>T</title><body>{body}</body>".encode(), "text/html", "https://e.example/"
    )


def seen(body: str) -> str:
    return " ".join(view(page(body), (MAIN,)).visible_text.split())


FRAMES = [
    "<nav>FRAME <a href=/a>a</a></nav>",
    "<header>FRAME</header>",
    "<footer><p>FRAME</p></footer>",
    "<aside>FRAME</aside>",
    '<div role="banner">FRAME</div>',
    '<div role="contentinfo">FRAME</div>',
    '<div id="cookie-consent"><p>FRAME We use cookies and hope that you like them.</p></div>',
    '<div class="siteFooter">FRAME</div>',
    '<ul class="main-menu"><li>FRAME</ul>',
    '<div class="related-articles">FRAME</div>',
    '<section class="newsletter"><p>FRAME Write your address here, and we write to you.</p></section>',
    "<dialog>FRAME</dialog>",
]
SHELLS = ["{0}<main><h1>Lamp</h1><p>{1}</p></main>", "{0}<div><h1>Lamp</h1><p>{1}</p></div>"]


@pytest.mark.parametrize("around", FRAMES)
@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_around_the_text_is_left_out(around: str, shell: str):
    text = seen(shell.format(around, TEXT * 3))
    assert "warm light" in text
    assert "FRAME" not in text


def test_the_header_of_an_article_belongs_to_it():
    article = f"<article><header><h1>Lamp</h1></header><p>{TEXT * 3}</article>"
    assert seen(f"<header>FRAME</header>{article}").startswith("Lamp")


def test_names_do_not_hide_the_text():
    """An element around the text may be named after something else that it holds."""
    assert "warm light" in seen(f'<div class="page has-sidebar menu-open"><p>{TEXT * 3}</p></div>')
    assert "warm light" in seen(f'<div id="modal"><p>{TEXT * 5}</p></div>')


def test_a_list_of_links_beside_the_text_is_left_out():
    links = "".join(f"<li><a href=/{n}>Another lamp number {n}</a></li>" for n in range(10))
    text = seen(f"<div><p>{TEXT * 9}</p><ul>{links}</ul></div>")
    assert "warm light" in text
    assert "Another lamp" not in text


def test_a_page_of_links_keeps_them():
    links = "".join(f"<li><a href=/{n}>The story number {n} of the day</a></li>" for n in range(30))
    assert "story number 7" in seen(f"<nav>FRAME</nav><div><ul>{links}</ul></div>")


OTHERS = [
    (b"", "text/html"),
    (b"<p>one", "text/html"),
    (b"<nav>one", "text/html"),
    (b"{}", "application/json"),
    (b"<a><b>one</b></a>", "application/xml"),
    (b"plain", "text/plain"),
    (b"\x00\xff", "application/octet-stream"),
]


@pytest.mark.parametrize(("body", "kind"), OTHERS)
def test_a_page_without_such_a_part_is_all_of_it(body: bytes, kind: str):
    digest = read(body, kind)
    assert main(digest).any()
    assert len(shell(digest)) == len(digest)


def test_other_scripts_have_a_main_part():
    text = "此灯由黄铜制成，散发出温暖的光芒，许多读者喜欢坐在它下面。" * 5
    found = seen(f"<nav>导航</nav><div><p>{text}</p></div>")
    assert "温暖" in found
    assert "导航" not in found


HOSTILE = [
    "<div>" * 20_000 + TEXT,
    f"<p>{TEXT}</p>" * 5_000,
    "<nav>" * 5_000 + TEXT,
    "<a href=/x>x</a>" * 20_000,
]


@pytest.mark.parametrize("body", HOSTILE)
def test_hostile_pages_are_answered_soon(body: str):
    digest = page(body)
    started = time.process_time()
    main(digest)
    assert time.process_time() - started < 1


def test_a_heading_is_part_of_the_text_whatever_it_is_named():
    """A privacy policy has a heading on cookies."""
    text = "<p>" + "We keep what a visitor tells us for as long as it is needed. " * 5 + "</p>"
    page = f"<main>{text}<h2 id=cookies class=cookie-section>Cookies and the like</h2>{text}</main>"
    digest = read(f"<html><body>{page}</body></html>".encode(), "text/html; charset=utf-8")
    kept = main(digest)
    assert kept[digest.nodes_of("h2")].all()
