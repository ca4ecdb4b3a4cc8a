"""Links are found by the rules of C2, pictures by those of C3."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read
from webvigil.document.links import absolute, addresses, all_absolute, plainly_absolute, srcset


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


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("", "https://e.org/d/p?q"),
        (" ", "https://e.org/d/p?q"),
        ("x", "https://e.org/d/x"),
        ("/x", "https://e.org/x"),
        ("/x/", "https://e.org/x/"),
        ("//h.org/a", "https://h.org/a"),
        ("?a=1", "https://e.org/d/p?a=1"),
        ("#f", "https://e.org/d/p?q#f"),
        ("../z", "https://e.org/z"),
        ("/a/../b", "https://e.org/b"),
        ("/a b", "https://e.org/a b"),
        ("/%41~-_", "https://e.org/%41~-_"),
        ("/é", "https://e.org/é"),
        ("\t/x\n", "https://e.org/x"),
        ("/a\tb\nc\rd", "https://e.org/abcd"),
        ("HTTP://Up.ORG/Path", "http://up.org/Path"),
        ("HTTPS://UP.org", "https://up.org"),
        ("ftp://F.org/x", "ftp://f.org/x"),
        ("http://A.ORG:80/X", "http://a.org:80/X"),
        # Only a host alone is in lower case.
        ("http://u@UP.org/", "http://u@UP.org/"),
        ("http://A.org?B", "http://A.org?B"),
        ("http://A.org#B", "http://A.org#B"),
        ("x/y:z", "https://e.org/d/x/y:z"),
        ("mailto:a@b", ""),
        ("javascript:x()", ""),
        ("tel:1", ""),
        ("about:blank", ""),
        ("blob:http://e.org", ""),
        ("a:b/c", ""),
        ("http://[bad", ""),
        ("x" * 980, "https://e.org/d/" + "x" * 980),
        ("mailto:" + "x" * 1000, ""),
    ],
)
def test_an_address_becomes_the_one_that_a_browser_asks_for(address: str, url: str):
    assert absolute("https://E.org/d/p?q", address) == url


def test_without_an_address_of_the_page_paths_stay_as_they_are():
    assert [absolute("", address) for address in ("/x", "x", "")] == ["/x", "x", ""]
    assert [absolute("http://[bad", address) for address in ("/x", "x")] == ["", ""]
    assert all_absolute("http://[bad", ["/x", "x"]) == ["", ""]
    assert plainly_absolute("http://[bad", ["/x"]) == [None]
    assert plainly_absolute("https://A.org/b", ["/x", "x", "/y?", "/z/"]) == [
        "https://a.org/x", None, None, "https://a.org/z/",
    ]  # fmt: skip
    assert all_absolute("https://A.org/b", ["/x", "x", "mailto:x"]) == [
        "https://a.org/x",
        "https://a.org/x",
        "",
    ]


LINKS = """<base href="/b/"><base href="/late/"><a href=1 value="http://v.org/">x</a>
<a value="http://w.org">y</a><link href=2><div href=3 action=4 formaction=5 value=6>z</div>
<area href=7 formaction=8><form action=9 href=10 formaction=11>
<button formaction=12 action=13 href=14></button>
<input formaction=15 value="https://i.org/" href=16><option value="ftp://f.org/">
<p value="  https://p.org/x y">q</p><p value="see http://n.org">r</p><p value="httpx://n.org">r</p>
<svg><a xlink:href=17>s</a></svg></form><a href="">e</a><a href="mailto:x">m</a><li value=3>"""


def test_each_element_carries_its_own_kind_of_address():  # C2
    digest = read(LINKS.encode(), "text/html", "https://e.org/d/p")
    assert digest.url == "https://e.org/b/"
    assert [(digest.tag(link.node), link.url) for link in digest.links] == [
        ("a", "https://e.org/b/1"), ("a", "http://v.org/"), ("a", "http://w.org"), ("area", "https://e.org/b/7"),
        ("form", "https://e.org/b/9"), ("form", "https://e.org/b/11"), ("button", "https://e.org/b/12"),
        ("button", "https://e.org/b/13"), ("input", "https://e.org/b/15"), ("input", "https://i.org/"),
        ("option", "ftp://f.org/"), ("p", "https://p.org/x y"), ("a", "https://e.org/b/17"),
        ("a", "https://e.org/b/"),
    ]  # fmt: skip


def test_links_of_xml_stand_in_the_order_of_the_document():  # C2, F9
    page = b"""<r xmlns:xlink="urn:x"><a href="/1" src="/2"/><link>https://l.org/</link><link>no</link>
    <guid>abc</guid><guid> http://g.org/</guid><comments>ftp://c.org/</comments>
    <b url="u"/><c xlink:href="v"/>
    <link href="w">http://both.org/</link><d>http://t.org</d></r>"""
    digest = read(page, "text/xml", "https://e.org/d/p")
    assert [(digest.tag(link.node), link.url) for link in digest.links] == [
        ("a", "https://e.org/1"), ("a", "https://e.org/2"), ("link", "https://l.org/"),
        ("guid", "http://g.org/"), ("comments", "ftp://c.org/"), ("b", "https://e.org/d/u"),
        ("c", "https://e.org/d/v"), ("link", "https://e.org/d/w"), ("link", "http://both.org/"),
    ]  # fmt: skip
    assert (digest.images, digest.backgrounds, digest.forms) == ((), (), ())
    assert read(b'{"a": "http://x.org"}', "application/json").links == ()


PICTURES = """<img src=a srcset="b 1x, c 2x" href=h poster=p><img src="" srcset=""><source src=n srcset=m>
<picture><source src=s srcset="d 1x" poster=q><img src=e></picture>
<video poster=f src=v><source src=g srcset=g2></video><input type=IMAGE src=i srcset=i2><input src=j>
<input type=image><svg><image href=k xlink:href=l src=o /></svg><a href=z></a><img src="data:x,Y">
<img src="DATA:y"><img src="mailto:x"><img src=" /s "><audio src=au></audio><img srcset="/plain">
<img srcset="data:a,b 1x">"""


def test_each_element_shows_its_own_kind_of_picture():  # C3
    digest = read(PICTURES.encode(), "text/html", "https://e.org/d/p")
    assert [(digest.tag(image.node), image.url.removeprefix("https://e.org")) for image in digest.images] == [
        ("img", "/d/a"), ("img", "/d/b"), ("img", "/d/c"), ("source", "/d/d"), ("img", "/d/e"),
        ("video", "/d/f"), ("input", "/d/i"), ("image", "/d/k"), ("image", "/d/l"), ("img", "data:x,Y"),
        ("img", "DATA:y"), ("img", "/s"), ("img", "/plain"), ("img", "data:a,b"),
    ]  # fmt: skip
    found = digest.image_sources
    assert list(zip(found.names, found.values, strict=True)) == [
        ("src", "a"), ("srcset", "b 1x, c 2x"), ("src", ""), ("srcset", ""), ("srcset", "d 1x"), ("src", "e"),
        ("poster", "f"), ("src", "i"), ("href", "k"), ("xlink:href", "l"), ("src", "data:x,Y"),
        ("src", "DATA:y"), ("src", "mailto:x"), ("src", " /s "), ("srcset", "/plain"),
        ("srcset", "data:a,b 1x"),
    ]  # fmt: skip
    assert [digest.tag(node) for node in found.nodes] == [
        *("img", "img", "img", "img", "source", "img", "video", "input", "image", "image"),
        *("img", "img", "img", "img", "img", "img"),
    ]


def test_the_addresses_of_an_attribute_are_absolute():
    assert addresses("https://e.org/", "srcset", "a 1x, mailto:b 2x, c") == [
        "https://e.org/a",
        "https://e.org/c",
    ]
    assert addresses("https://e.org/", "src", "a 1x, b") == ["https://e.org/a 1x, b"]
    assert addresses("https://e.org/", "src", " ") == []


@pytest.mark.parametrize(
    ("element", "image", "color"),
    [
        ("<p background=' bg.png '>", "bg.png", ""),
        ("<p bgcolor=' RED '>", "", "red"),
        ("<p style=\"background:url('a.png') #FFF no-repeat\">", "a.png", "#fff"),
        ("<p style='background-color: Blue; color:red'>", "", "blue"),
        ("<p style='BACKGROUND-IMAGE:url(b.png)'>", "b.png", ""),
        ("<p style=\"background-image: red url( 'c.png' )\">", "c.png", ""),
        ("<p style='background: url(d.png) center'>", "d.png", ""),
        ("<p style='background-color:url(x) green'>", "", "green"),
        ("<p style='background:rgb(1,2,3)'>", "", "rgb(1,2,3)"),
        ("<p style='background:red;background:blue url(e)'>", "e", "blue"),
        ("<p style='background:red;background:url(e)'>", "e", "red"),
        ("<p style='background:#12345678 repeat-x'>", "", "#12345678"),
        ("<p style='background:hsla(1,2%,3%,4)'>", "", "hsla(1,2%,3%,4)"),
        ("<p style='a:b;  background :  green !important'>", "", "green"),
    ],
)
def test_a_background_is_a_picture_and_a_colour(element: str, image: str, color: str):  # T2
    digest = read(element.encode(), "text/html", "https://e.org/d/p")
    (found,) = digest.backgrounds
    assert (found.image.removeprefix("https://e.org/d/"), found.color, digest.tag(found.node)) == (
        image, color, "p",
    )  # fmt: skip


@pytest.mark.parametrize(
    "element",
    [
        "<p style='color:red'>", "<p style='background: none'>", "<p style='x-background:red'>",
        "<p style='background-position:left'>", "<p style='background-color:url(x)'>", "<p bgcolor=''>",
        "<p background=''>", "<p style='background:url()'>", "<p style=''>",
    ],
)  # fmt: skip
def test_what_names_no_picture_and_no_colour_is_no_background(element: str):  # T2
    assert read(element.encode(), "text/html", "https://e.org/d/p").backgrounds == ()


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (("/a /b", "e.org"), ("/b /a", "e.org"), True),
        (("/a /a", "e.org"), ("/a", "e.org"), False),
        (("/a", "e.org"), ("https://e.org/a", "e.org"), True),
        (("/a", "e.org"), ("/a", "f.org"), False),
        (("https://e.org/a", "e.org"), ("/a", "e.org"), True),
        (("https://e.org/a", "g.org"), ("/a", "e.org"), True),
        (("mailto:x /a", "e.org"), ("/a", "e.org"), True),
        (("/a /b", "e.org"), ("/a https://e.org/b https://e.org/b", "e.org"), False),
    ],
)
def test_two_pages_have_the_same_links_however_they_are_written(
    old: tuple[str, str], new: tuple[str, str], same: bool
):
    pages = [
        read(
            "".join(f"<a href={one}>x</a>" for one in links.split()).encode(), "text/html", f"https://{host}/"
        )
        for links, host in (old, new)
    ]
    assert pages[0].same_links(pages[1]) is same
