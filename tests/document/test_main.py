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


def text_of(word: str, times: int) -> str:
    return f"<p>{' '.join([word] * times)}</p>"


def links_of(word: str, times: int) -> str:
    return f"<a href=/>{word}</a> " * times


def kept(body: str) -> str:
    """Returns the different words of the main part, in the order of the alphabet."""
    return " ".join(sorted({*seen(body).split()}))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        # A text of five words is running text.
        (f"<nav>c</nav>{text_of('a', 5)}", "a"),
        (f"<nav>c</nav>{text_of('a', 4)}", "a c"),
        (f"<nav>{text_of('c', 9)}</nav>{text_of('a', 4)}", "a c"),
        # An element with four fifths of the running text is followed.
        (f"<div>h {text_of('a', 20)}</div>{text_of('b', 5)}", "a h"),
        (f"<div>h {text_of('a', 19)}</div>{text_of('b', 5)}", "a b h"),
        # An element with more than three tenths of it is no frame.
        (f"<nav>{text_of('c', 6)}</nav>{text_of('a', 14)}", "a"),
        (f"<nav>{text_of('c', 7)}</nav>{text_of('a', 13)}", "a c"),
        (f"<div class=nav>{text_of('c', 6)}</div>{text_of('a', 14)}", "a"),
        (f"<div class=nav>{text_of('c', 7)}</div>{text_of('a', 13)}", "a c"),
        # `main` needs half of it.
        (f"<main>{text_of('a', 10)}</main>{text_of('b', 10)}", "a"),
        (f"<main>{text_of('a', 10)}</main>{text_of('b', 11)}", "a b"),
        (f"<div role=main>{text_of('a', 10)}</div>{text_of('b', 10)}", "a"),
        (f"<div role=main>{text_of('a', 10)}</div>{text_of('b', 11)}", "a b"),
        (f"<div role=man>{text_of('a', 10)}</div>{text_of('b', 10)}", "a b"),
        (
            f"<article>{text_of('a', 10)}</article><article>{text_of('b', 20)}</article>{text_of('c', 9)}",
            "b",
        ),
        # A block is a list of links if seven tenths of its words are links, and four words at least.
        (f"{text_of('a', 50)}<div>{links_of('b', 7)} c c c</div>", "a"),
        (f"{text_of('a', 50)}<div>{links_of('b', 6)} c c c c</div>", "a b c"),
        (f"{text_of('a', 50)}<div>{links_of('b', 4)}</div>", "a"),
        (f"{text_of('a', 50)}<div>{links_of('b', 3)}</div>", "a b"),
        (f"{text_of('a', 50)}<ul>{'<li>b' * 8}</ul>", "a b"),
        # Such blocks stay where they are more than three tenths of the words.
        (f"{text_of('a', 14)}<div>{links_of('b', 6)}</div>", "a"),
        (f"{text_of('a', 13)}<div>{links_of('b', 7)}</div>", "a b"),
        # Of a very long name the first two hundred letters are read.
        (f"<div class='{'x' * 196} nav'>c</div>{text_of('a', 20)}", "a"),
        (f"<div class='{'x' * 197} nav'>c</div>{text_of('a', 20)}", "a c"),
    ],
)
def test_the_main_part_up_to_its_limits(body: str, words: str):
    assert kept(body) == words


@pytest.mark.parametrize("tag", ["nav", "aside", "menu", "dialog", "search"])
def test_a_frame_is_left_out_wherever_it_stands(tag: str):
    assert kept(f"<{tag} open>c</{tag}>{text_of('a', 20)}") == "a"
    assert kept(f"<section><{tag} open>c</{tag}>{text_of('a', 20)}</section>") == "a"


@pytest.mark.parametrize("section", ["main", "article", "section"])
@pytest.mark.parametrize("tag", ["header", "footer"])
def test_an_edge_of_a_section_is_none_of_the_page(tag: str, section: str):
    assert kept(f"<div><{tag}>c</{tag}>{text_of('a', 20)}</div>") == "a"
    assert kept(f"<{section}><{tag}>c</{tag}>{text_of('a', 20)}</{section}>") == "a c"


@pytest.mark.parametrize("tag", ["div", "section", "main", "article", "center", "form", "x-y"])
def test_an_element_that_holds_parts_is_followed(tag: str):
    assert kept(f"<h1>h</h1><{tag}>{text_of('a', 20)}</{tag}>") == "a"


@pytest.mark.parametrize("tag", ["span", "blockquote", "ul", "xy"])
def test_an_element_that_is_a_part_is_not_followed(tag: str):
    assert kept(f"<h1>h</h1><{tag}>{text_of('a', 20)}</{tag}>") == "a h"


@pytest.mark.parametrize("tag", ["ul", "ol", "div", "section", "p", "dl", "form", "menu"])
def test_a_block_of_links_is_left_out(tag: str):
    assert kept(f"{text_of('a', 50)}<{tag}>{links_of('b', 5)}</{tag}>") == "a"


@pytest.mark.parametrize("tag", ["span", "article", "blockquote"])
def test_links_in_other_elements_stay(tag: str):
    assert kept(f"{text_of('a', 50)}<{tag}>{links_of('b', 5)}</{tag}>") == "a b"


@pytest.mark.parametrize("tag", ["a href=/", "button", "select"])
def test_what_a_link_or_control_says_is_no_running_text(tag: str):
    """Without other running text, the frame is not told from the rest."""
    text = f"<{tag}><i>{'b ' * 9}</i></{tag.split()[0]}>"
    assert kept(f"<nav>c</nav>{text}") == "b c"
    assert kept(f"<nav>c</nav><p>{'b ' * 9}</p>") == "b"


@pytest.mark.parametrize(
    ("body", "kind", "any_shell"),
    [
        (b"<nav>x</nav>", "text/html", True),
        (b"<nav></nav>", "text/html", False),
        (b"<a><nav>x</nav></a>", "text/xml", False),
        (b"nav", "text/plain", False),
    ],
)
def test_only_a_page_with_words_has_a_frame(body: bytes, kind: str, any_shell: bool):
    assert shell(read(body, kind)).any() == any_shell
