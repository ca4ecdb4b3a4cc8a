"""Tests that answers in place of a page are recognised in many languages, and pages are not (Q6)."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.fetch.bad_answers import BAD, FOOT, GOOD, MENU, URL, Bad, answer, page
from webvigil.app.pages.documents import document_of
from webvigil.document import PageDigest
from webvigil.document.containers import StoredContainers
from webvigil.fetch import suspicion as suspicions
from webvigil.fetch.nonpages import KINDS, in_text, in_titles
from webvigil.fetch.suspicion import LastGood, first_suspicion, is_login_form, lost_product, suspicion_of
from webvigil.model.doubt import Suspicion
from webvigil.model.version import Answer


def suspicion(now: Answer | str, before: Answer | str = GOOD) -> Suspicion | None:
    now, before = (answer(one) if isinstance(one, str) else one for one in (now, before))
    last = LastGood(document_of(before), lambda: before.body)
    return suspicion_of(now, document_of(now), last)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_an_answer_that_is_no_page_is_named(bad: Bad):
    found = suspicion(bad.answer)
    assert found
    assert (found.kind, found.clear) == (bad.kind, True)
    assert bad.said in found.said


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_page_that_always_was_so_is_itself(bad: Bad):
    assert suspicion(replace(bad.answer, body=bad.answer.body + b" "), bad.answer) is None


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_page_that_was_first_seen_in_trouble_may_come_back(bad: Bad):
    found = suspicion(GOOD, bad.answer)
    assert not (found and found.clear)


def test_a_field_that_asks_for_a_password_now_is_noticed_although_every_word_stayed():
    before = page("Code", "<form><input type=text placeholder=Code></form><img src=a.png>")
    found = suspicion(
        before.replace("type=text", "type=password").replace("<img src=a.png>", "<img>"), before
    )
    assert found
    assert found.kind == "log-in"


def test_a_page_that_reads_the_same_is_known_by_its_signatures(monkeypatch: pytest.MonkeyPatch):
    stored = PageDigest.from_bytes(document_of(answer(GOOD)).to_bytes())
    now = answer(GOOD.replace("<body", '<body class="x"'))
    page = document_of(now)
    assert page.signature != stored.signature
    monkeypatch.setattr(StoredContainers, "_block", lambda *_: pytest.fail("the version before was read"))
    assert suspicion_of(now, page, LastGood(stored, lambda: b"")) is None


ORDERS = page(
    "My orders",
    f"{MENU}<h1>My orders</h1><table><tr><th>Order<th>State<tr><td>1043<td>packed</table>{FOOT}",
)
IN_THE_FRAME = {
    "log-in": ("log-in", page("Sign in", f"{MENU}<h1>Sign in</h1><form>User <input type=password>{FOOT}")),
    "log-in under the same title": (
        "log-in",
        page("My orders", f"{MENU}<h1>Hello</h1><form>User <input type=password>{FOOT}"),
    ),
    "maintenance": ("maintenance", page("Maintenance | Shop", f"{MENU}<h1>Back soon</h1>{FOOT}")),
    "error": ("error", page("500 Internal Server Error", f"{MENU}<h1>Sorry</h1>{FOOT}")),
    "soft 404": ("not found", page("Page not found", f"{MENU}<h1>Sorry</h1>{FOOT}")),
}


@pytest.mark.parametrize(("kind", "now"), IN_THE_FRAME.values(), ids=IN_THE_FRAME)
def test_a_short_page_that_keeps_only_the_frame_of_its_site_is_no_page(kind: str, now: str):
    found = suspicion(now, ORDERS)
    assert found
    assert (found.kind, found.clear) == (kind, True)
    assert suspicion(ORDERS, now) is None, "it came back"


@pytest.mark.parametrize(
    "now",
    [
        ORDERS.replace("packed", "sent"),
        ORDERS.replace("<table>", "<form>Log in <input type=password></form><table>"),
        ORDERS.replace("<title>My orders", "<title>Log in"),
        page("My parcels", f"{MENU}<h1>My parcels</h1><p>Nothing is on its way.</p>{FOOT}"),
        page("My orders", f"{MENU}<h1>My orders</h1><p>There is maintenance on Sunday.</p>{FOOT}"),
    ],
)
def test_a_short_page_with_other_content_is_the_page(now: str):
    assert suspicion(now, ORDERS) is None


LEGITIMATE = {
    "prices change": re.sub(r"\d+ EUR", "7 EUR", GOOD),
    "another lamp": GOOD.replace("Aurora", "Apollo"),
    "half of the table goes": GOOD.replace(GOOD[GOOD.index("<tr><td>Candela") : GOOD.index("</table>")], ""),
    "a log-in beside the rest": GOOD.replace(MENU, MENU + "<form>Log in <input type=password></form>"),
    "a banner asks for consent": GOOD.replace(
        "<h1>", "<div><h2>We value your privacy</h2>Accept all?</div><h1>"
    ),
    "a notice of maintenance": GOOD.replace("<h1>", "<h2>Scheduled maintenance</h2>On Sunday.<h1>"),
    "a captcha in a form": GOOD.replace(FOOT, f"<form><div class=g-recaptcha></div></form>{FOOT}"),
    "no end, but all of it": GOOD.replace("</body></html>", "").replace("120", "110"),
    "all new": page(
        "Lamps and light", "<h1>The new shop</h1>" + "<p>Entirely different words stand here now.</p>" * 12
    ),
    "all new, with a log-in": page(
        "The new shop",
        "<input type=password>" + "".join(f"<p>Many different words {n} in row {n}.</p>" for n in range(90)),
    ),
    "about errors": page(
        "Error handling for lamps",
        "".join(
            f"<h2>Chapter {n}</h2><p>When an error occurred in step {n}, begin again.</p>" for n in range(40)
        ),
    ),
}


@pytest.mark.parametrize("body", LEGITIMATE.values(), ids=LEGITIMATE)
def test_a_page_that_changes_is_not_suspicious(body: str):
    assert suspicion(body) is None


MAYBE = {
    "no results": (page("Lamps | Shop", f"{MENU}<h1>All our lamps</h1><p>No results.</p>"), "far shorter"),
    "sold out": (page("Lamps | Shop", "<p>All lamps are sold out."), "far shorter"),
    "moved": (answer(page("Light", "<p>Our new home." * 30), "http://shop.test/light"), "elsewhere"),
    "as JSON": (answer('{"lamps": [{"name": "Zenith"}]}', kind="application/json"), "another kind"),
}


@pytest.mark.parametrize(("now", "kind"), MAYBE.values(), ids=MAYBE)
def test_what_may_be_the_page_is_looked_at_again_but_is_no_clear_case(now: Any, kind: str):
    found = suspicion(now)
    assert found
    assert (found.kind, found.clear) == (kind, False)


BOX = "<aside>User <input name=user> Password <input type=password> Lost your password?</aside>"


def test_a_page_with_a_log_in_box_beside_its_text_is_no_log_in_page():
    with_box = GOOD.replace(MENU, MENU + BOX)
    wall = page("Sign in", f"<h1>Please sign in</h1>{BOX}" + "<p>Members read this part of the shop.</p>" * 6)
    found = suspicion(wall, with_box)
    assert found is not None
    assert (found.kind, found.clear) == ("log-in", True)
    assert suspicion(with_box.replace("Aurora", "Apollo"), with_box) is None
    assert suspicion(wall.replace("Members", "Guests"), wall) is None


def test_a_page_that_moves_and_keeps_what_it_says_is_the_page():
    assert suspicion(answer(GOOD, "https://www.shop.test/login/lamps")) is None


def test_a_page_that_is_short_by_nature_may_say_what_it_likes():
    status = page("Status", "<h1>All systems work</h1>")
    assert suspicion(page("Status", "<h1>Down for maintenance</h1>"), status) is None
    assert suspicion(page("Status", "<p>An error occurred at 14:05."), status) is None
    assert suspicion("<p>two", "<p>one") is None


def test_a_list_in_json_that_runs_empty_is_a_change():
    full = answer('{"items": ["a", "b"], "error": null}', kind="application/json")
    assert suspicion(answer('{"items": [], "error": null}', kind="application/json"), full) is None
    assert suspicion(answer("[]", kind="application/json"), answer('["a"]', kind="application/json")) is None


def test_json_that_becomes_an_error_or_is_cut_is_no_page():
    full = answer('{"items": ["a", "b"]}', kind="application/json")
    failed = suspicion(answer('{"error": "down", "code": 5}', kind="application/json"), full)
    assert failed == Suspicion("error", "answers with an error in place of the page")
    cut = suspicion(answer('{"items": ["a"', kind="application/json"), full)
    assert cut == Suspicion("cut", "is cut off")
    assert suspicion(answer('{"items": ["a"', kind="application/json"), answer("<p>x")) != cut


def test_a_feed_that_is_cut_is_no_page():
    items = "".join(f"<item><title>News number {n}</title></item>" for n in range(20))
    feed = f"<?xml version='1.0'?><rss><channel>{items}</channel></rss>"
    found = suspicion(
        answer(feed[:500], kind="application/rss+xml"), answer(feed, kind="application/rss+xml")
    )
    assert found == Suspicion("cut", "is cut off")


@pytest.mark.parametrize("name", ["log-in form", "soft 404", "captcha", "maintenance", "empty", "error"])
def test_the_first_answer_is_judged_by_its_form_alone(name: str):
    bad = BAD[name].answer
    found = first_suspicion(bad, document_of(bad))
    assert found
    assert found.kind == BAD[name].kind


@pytest.mark.parametrize("name", ["prices change", "all new", "all new, with a log-in", "about errors"])
def test_a_first_answer_that_is_a_page_is_none_to_warn_of(name: str):
    first = answer(LEGITIMATE[name])
    assert first_suspicion(first, document_of(first)) is None


@pytest.mark.parametrize(
    ("title", "kinds"),
    [
        ("Log in", ["log-in"]),
        ("Acme – Sign in", ["log-in"]),
        ("Anmelden | Bank", ["log-in"]),
        ("404", ["not found"]),
        ("Error 503", ["error"]),
        ("403 Forbidden", ["error"]),
        ("Attention Required! | Cloudflare", ["check"]),
        ("Página no encontrada – Tienda", ["not found"]),
        ("页面不存在", ["not found"]),
        ("How to log in to your router in ten easy steps", []),
        ("Terrorism in the news", []),
        ("Error handling in Python", []),
        ("404 restaurants in Berlin", []),
        ("The 500 best albums", []),
        ("Motorway maintenance begins in May", []),
    ],
)
def test_a_title_names_a_kind_only_with_little_beside_it(title: str, kinds: list[str]):
    assert in_titles([title]) == kinds


@pytest.mark.parametrize("kind", KINDS)
def test_every_phrase_is_found_as_it_is_written_in_the_table(kind: str):
    known = KINDS[kind]
    for phrase in known.phrases | known.titles:
        assert phrase == " ".join(phrase.lower().split())
        assert kind in in_titles([phrase.upper() if phrase.isascii() else phrase])
    for phrase in known.phrases:
        assert kind in in_text(f"Well, {phrase}.")
    assert not known.titles & known.phrases


def test_where_it_came_from_is_the_address_after_redirects():
    assert LastGood(document_of(answer(GOOD)), lambda: b"").url == URL


HOSTILE = {
    "headings": "".join(f"<h1>Not found {n} of all</h1>" for n in range(40_000)),
    "one heading": f"<h1>{'log in - ' * 100_000}</h1>",
    "title": f"<title>{'| : error ' * 100_000}</title><p>x",
    "fields": "<input type=text>" * 60_000,
    "lines": "".join(f"<p>{n}" for n in range(100_000)),
    "spaces": "<title>" + " " * 900_000 + "|</title><p>x",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_page_made_to_hurt_is_judged_quickly(body: str):
    now, last = answer(body), LastGood(document_of(answer(GOOD)), GOOD.encode)
    document = document_of(now)
    started = time.thread_time()
    suspicion_of(now, document, last)
    first_suspicion(now, document)
    back = suspicion_of(answer(GOOD), document_of(answer(GOOD)), LastGood(document, lambda: now.body))
    assert not (back and back.clear)
    assert time.thread_time() - started < 2


def test_json_of_many_members_is_judged_quickly():
    many = answer(json.dumps({f"key{n}": "error" for n in range(50_000)}), kind="application/json")
    last = LastGood(document_of(answer(GOOD)), GOOD.encode)
    document = document_of(many)
    started = time.thread_time()
    found = suspicion_of(many, document, last)
    assert found
    assert not found.clear
    assert time.thread_time() - started < 1


# --- at the borders -------------------------------------------------------------------------------------


def html(text: str, more: str = "") -> str:
    return f"<html><body><p>{text}</p>{more}</body></html>"


@pytest.mark.parametrize(
    ("known", "now", "is_shorter"),
    [(200, 50, True), (200, 51, False), (199, 10, False), (400, 100, True), (400, 101, False)],
)
def test_a_page_is_far_shorter_at_a_quarter_of_two_hundred_letters(known: int, now: int, is_shorter: bool):
    found = suspicion(html("x" * now), html("y" * known))
    wanted = Suspicion("far shorter", "is far shorter than before", clear=False)
    assert found == (wanted if is_shorter else None)


@pytest.mark.parametrize(("letters", "is_form"), [(600, True), (601, False)])
def test_a_log_in_form_has_few_words(letters: int, is_form: bool):
    field = "<input type=password>"
    assert is_login_form(document_of(answer(html("x" * letters, field)))) is is_form
    assert not is_login_form(document_of(answer(html("x"))))


def shop(*products: str) -> PageDigest:
    data = ", ".join(products)
    return document_of(answer(html("Shop", f'<script type="application/ld+json">[{data}]</script>')))


def product(name: str = "Sofa", **offer: str) -> str:
    return json.dumps({"@type": "Product", "name": name, "offers": {"@type": "Offer", **offer}})


WHOLE = {"price": "10", "priceCurrency": "EUR", "availability": "InStock"}
UNPRICED = {"availability": "InStock"}


@pytest.mark.parametrize(
    ("before", "now", "lost"),
    [
        ((product(**WHOLE),), (product(**WHOLE),), None),
        ((product(**WHOLE),), (), "shows no product any more"),
        ((), (), None),
        ((product(**WHOLE),), (product(price="10"),), "shows no availability any more"),
        ((product(**WHOLE),), (product(**UNPRICED),), "shows no price any more"),
        ((product(**WHOLE),), (product(availability="SoldOut"),), None),
        ((product(**UNPRICED),), (product(**UNPRICED),), None),
        ((product(price="10"),), (product(price="10"),), None),
        ((product("a", **WHOLE), product("b", **WHOLE)), (product("a"),), None),
        ((product("a", **WHOLE),), (product("a"), product("b")), None),
    ],
)
def test_a_shop_that_does_not_know_its_data_yet(
    before: tuple[str, ...], now: tuple[str, ...], lost: str | None
):
    found = lost_product(shop(*before), shop(*now))
    assert found == (Suspicion("product", lost, clear=False) if lost else None)


def as_json(text: str) -> Answer:
    return Answer(url=URL, status=200, headers=(("Content-Type", "application/json"),), body=text.encode())


ROWS = as_json(json.dumps({"rows": [1, 2, 3], "page": 1}))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ('{"error": "no"}', "answers with an error in place of the page"),
        ('{"message": "no"}', "answers with an error in place of the page"),
        ('{"message": "no", "status": 500}', "answers with an error in place of the page"),
        ('{"message": "no", "news": 5}', None),
        ('{"error": null, "rows": [9]}', None),
        ('{"error": "no", "rows": [9]}', None),
        ('{"rows": [4]}', None),
    ],
)
def test_json_that_tells_of_an_error(now: str, said: str | None):
    found = suspicion(as_json(now), ROWS)
    assert (found.said if found else None) == said


def test_another_kind_of_document_is_named():
    found = suspicion(html("Hello, here is a page."), ROWS)
    assert found == Suspicion("another kind", "answers with HTML in place of JSON", clear=False)


SENTENCES = [
    f"Lamp number {n} is of {word} and glass" for n, word in enumerate(("oak", "tin", "ash", "clay"))
]
ELSEWHERE = "http://shop.test/other"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("".join(f"<p>{one}</p>" for one in SENTENCES), None),
        (" ".join(SENTENCES).upper(), None),  # all texts are others, all words the same
        ("<p>Entirely different sentences stand here now, about other things.", "elsewhere"),
    ],
)
def test_a_page_elsewhere_with_the_same_words_is_the_page(body: str, kind: str | None):
    before = page("Lamps", "".join(f"<p>{one}</p>" for one in SENTENCES))
    found = suspicion(answer(page("Lamps", body), ELSEWHERE), before)
    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        ("http://a.test/x", "http://a.test/x", None),
        ("https://www.A.test/x/", "http://a.test/x?q=1", None),
        ("http://me:pw@a.test/x", "http://a.test/x", None),
        ("http://a.test/", "http://a.test/x", "leads to the first page of its site"),
        ("http://a.test/y", "http://a.test/x", "leads elsewhere, to http://a.test/y"),
        ("http://b.test/", "http://a.test/x", "leads elsewhere, to http://b.test/"),
    ],
)
def test_where_an_answer_comes_from_is_told(now: str, before: str, said: str | None):
    found = suspicions._elsewhere(now, before)
    assert (found.said if found else None) == said
    assert found is None or found.clear == (said == "leads to the first page of its site")


@pytest.mark.parametrize(
    ("members", "tells"),
    [
        ({"error": "no"}, True),
        ({"Error": "no", "rows": "x"}, True),
        ({"error": ""}, False),
        ({"error": False}, False),
        ({"title": "no", "status": 404, "instance": "/x"}, True),
        ({"status": 404}, False),
        ({"title": "News", "items": "x"}, False),
        ({}, False),
        ({"error": "no", **{f"k{n}": n for n in range(200)}}, False),
    ],
)
def test_the_outermost_members_tell_of_an_error(members: dict[str, Any], tells: bool):
    assert suspicions._tells_error(document_of(as_json(json.dumps(members)))) is tells
    assert not suspicions._tells_error(document_of(as_json(json.dumps([members]))))


@pytest.mark.parametrize(
    ("body", "kind", "is_empty"),
    [
        (b"", "text/html", True),
        (b"<p> </p>", "text/html", True),
        (b"<p>x</p>", "text/html", False),
        (b"<img src=a.png>", "text/html", False),
        (b"<a/>", "text/xml", False),
        (b"[]", "application/json", False),
        (b" ", "text/plain", True),
        (b"x", "text/plain", False),
        (b"\0\1\2\3", "application/octet-stream", False),
    ],
)
def test_a_page_without_text_and_pictures_is_empty(body: bytes, kind: str, is_empty: bool):
    found = Answer(url=URL, status=200, headers=(("Content-Type", kind),), body=body)
    assert suspicions._is_empty(document_of(found)) is is_empty


@pytest.mark.parametrize(
    ("first", "found"),
    [
        (html(""), "empty"),
        (html("", "<input type=password>"), "log-in"),
        (html("x" * 600, "<input type=password>"), "log-in"),
        (html("x" * 601, "<input type=password>"), None),
        (html("x", "<input type=' PassWord '>"), "log-in"),
        (html("x", "<input type=text>"), None),
    ],
)
def test_a_first_answer_with_few_words_and_a_password_is_a_log_in(first: str, found: str | None):
    suspected = first_suspicion(answer(first), document_of(answer(first)))
    assert (suspected.kind if suspected else None) == found


def test_only_the_first_headings_of_levels_1_and_2_count():
    body = "<h3>Zero</h3>" + "".join(f"<h{1 + n % 2}>Heading {n}</h{1 + n % 2}>" for n in range(30))
    document = document_of(answer(html("x", body)))
    found = suspicions._headings(document, "\n".join(["Zero", *(f"Heading {n}" for n in range(1, 30))]))
    assert found == [f"Heading {n}" for n in range(1, suspicions._MOST_HEADINGS + 1)]
