"""What a page between a form and its result leads on to, without a server (S4)."""

from __future__ import annotations

import pytest

from webvigil.discover.analysis import Filled
from webvigil.discover.indirection import Beginning, Move, moves
from webvigil.discover.views import Views
from webvigil.model.version import Answer

HERE = "http://e.org/d/wait"


def views(body: str, *headers: tuple[str, str], url: str = HERE) -> Views:
    told = (("Content-Type", "text/html"), *headers)
    return Views(Answer(url=url, status=200, headers=told, body=body.encode()), 100_000)


def led(
    body: str, *headers: tuple[str, str], start: str = "", post: bool = True, **arguments: str
) -> list[Move]:
    before = Beginning(views(start, url="http://e.org/d/"))
    return list(moves(views(body, *headers), before, arguments, post=post))


def told(found: list[Move]) -> list[tuple[str, str, float]]:
    return [(one.step.kind, one.step.url, one.wait) for one in found]


@pytest.mark.parametrize(
    ("content", "address", "wait"),
    [
        ("5; url=/result", "http://e.org/result", 5.0),
        ("5;URL='next'", "http://e.org/d/next", 5.0),
        ("5, /result", "http://e.org/result", 5.0),
        ("0.5;url=next", "http://e.org/d/next", 0.0),
        ("; url=next", "http://e.org/d/next", 0.0),
        ("12", HERE, 12.0),
        ("0", HERE, 0.0),
        ("123456", HERE, 123456.0),
    ],
)
def test_a_refresh_waits_as_long_as_it_says_and_reloads_where_it_names_nothing(
    content: str, address: str, wait: float
):
    by_meta = led(f'<meta http-equiv=" Refresh " content="{content}">')
    by_header = led("Please wait.", ("Refresh", content))
    assert told(by_meta) == told(by_header) == [("refresh", address, wait)]


@pytest.mark.parametrize(
    "content", ["", " ", "soon", "  soon", "; url=ftp://e.org/file", "3;url=javascript:go()"]
)
def test_a_refresh_that_says_nothing_leads_nowhere(content: str):
    assert led(f'<meta http-equiv=refresh content="{content}">') == []


def test_another_element_of_the_head_is_no_refresh():
    assert led('<meta http-equiv=expires content="5"><meta name=refresh content="5">') == []


def test_only_the_first_fifty_elements_of_a_head_are_asked_for_a_refresh():
    refresh = "<meta http-equiv=refresh content='1;url=/r'>"
    assert told(led("<meta name=a>" * 49 + refresh)) == [("refresh", "http://e.org/r", 1.0)]
    assert led("<meta name=a>" * 50 + refresh) == []


@pytest.mark.parametrize(
    "script",
    [
        "location='/r'",
        'location.href = "/r"',
        "window.location.replace('/r')",
        "document.location.assign( '/r')",
    ],
)
def test_a_script_that_redirects_is_a_refresh(script: str):
    assert told(led(f"<script>{script}</script>")) == [("refresh", "http://e.org/r", 0.0)]


def test_a_script_that_computes_the_address_is_none():
    assert led("<script>location = next; mylocation='/r'; location.replace(next)</script>") == []


def test_scripts_count_as_long_as_the_page_is_short():
    script = "<script>location='/r'</script>"
    assert len(led(f"<p>{'a' * 1500}</p>{script}")) == 1
    assert led(f"<p>{'a' * 1501}</p>{script}") == []


def test_only_the_first_twenty_scripts_are_read():
    redirect = "<script>location='/r'</script>"
    assert len(led("<script>1</script>" * 19 + redirect)) == 1
    assert led("<script>1</script>" * 20 + redirect) == []


def test_at_most_four_frames_are_followed_in_their_order():
    frames = "".join(f"<iframe src=/f{number}></iframe>" for number in range(6))
    assert told(led(frames)) == [("frame", f"http://e.org/f{number}", 0.0) for number in range(4)]


def test_refreshes_come_first_then_frames_forms_and_links():
    page = """<a href=/results>Your results</a><form action=/go><input type=hidden name=id value=7></form>
      <iframe src=/f></iframe><meta http-equiv=refresh content=3>"""
    assert [one.step.kind for one in led(page)] == ["refresh", "frame", "confirmation", "link"]


# --- links --------------------------------------------------------------------------------------------


def test_links_that_name_the_result_come_first_then_those_that_lead_on_then_those_with_the_question():
    page = """<a href=/c?q=apple>As it was put</a><a href=/b>Continue</a><a href=/a>Your results</a>
      <a href=/x>Imprint</a>"""
    assert [one.step.url for one in led(page, word="apple")] == [
        "http://e.org/a",
        "http://e.org/b",
        "http://e.org/c",
    ]


def test_a_link_into_a_folder_of_results_leads_on():
    assert [one.step.url for one in led("<a href=/results/17>Number 17</a>")] == ["http://e.org/results/17"]


def test_at_most_three_links_are_followed():
    page = "".join(f"<a href=/r{number}>Results</a>" for number in range(5))
    assert [one.step.url for one in led(page)] == [f"http://e.org/r{number}" for number in range(3)]


@pytest.mark.parametrize(
    "link",
    [
        "<a href=http://other.org/r>Results</a>",
        f"<a href={HERE}>Results</a>",
        "<a href=/delete>Results</a>",
        "<a href=/r>Delete the results</a>",
        "<a href=/c?q=pear>That one</a>",
        "<a href=/elsewhere>Imprint</a>",
    ],
)
def test_links_that_act_or_lead_elsewhere_are_left(link: str):
    assert led(link, word="apple") == []


def test_a_link_of_the_page_with_the_form_is_left():
    link = "<a href=/results>Results</a>"
    assert led(link, start=link) == []
    assert len(led(link, start="<a href=/other>Results</a>")) == 1


def test_on_a_long_page_only_a_link_that_names_the_result_is_followed():
    links = "<a href=/a>Results</a> <a href=/b>Continue</a> <a href=/c?q=apple>It</a>"
    shown = len("Results Continue It")
    short, long = (f"{links}<p>{'a' * size}</p>" for size in (1499 - shown, 1500 - shown))
    assert [one.step.url[-1] for one in led(short, word="apple")] == ["a", "b", "c"]
    assert [one.step.url[-1] for one in led(long, word="apple")] == ["a"]


def test_the_question_in_an_address_becomes_a_field_that_says_which_argument_it_carries():
    (move,) = led("<a href='/c?q=red+apple&empty=&n=7'>It</a>", word="red apple", number="7")
    assert (move.step.url, move.step.method) == ("http://e.org/c", "GET")
    assert move.step.fields == (
        Filled(name="q", value="red apple", argument="word"),
        Filled(name="empty", value=""),
        Filled(name="n", value="7"),
    )


@pytest.mark.parametrize(("value", "carries"), [("ab", False), ("abc", True), ("a b", False), ("a bc", True)])
def test_a_value_of_one_or_two_letters_may_be_equal_by_chance(value: str, carries: bool):
    (move,) = led(f'<meta http-equiv=refresh content="0;url=/c?q={value.replace(" ", "+")}">', word=value)
    assert bool(move.step.fields) is carries


# --- forms to confirm ---------------------------------------------------------------------------------


def confirm(*inside: str, how: str = "action=/show") -> str:
    return f"<form {how}>{''.join(inside)}<button name=go value=1>Show results</button></form>"


def test_a_form_that_is_filled_in_is_sent_on_with_its_button():
    (move,) = led(confirm("<input name=q value=apple>", "<input type=hidden name=id value=7>"), word="apple")
    assert (move.step.kind, move.step.method, move.step.url) == ("confirmation", "GET", "http://e.org/show")
    assert move.step.fields == (
        Filled(name="q", value="apple", argument="word"),
        Filled(name="id", value="7"),
        Filled(name="go", value="1"),
    )


@pytest.mark.parametrize(
    "form",
    [
        confirm("<input name=q>"),
        confirm("<input name=q value=' '>"),
        confirm("<input name=q value=apple><input name=more>"),
        confirm("<input name=q value=apple>", how="action='javascript:go()'"),
        confirm("<input type=password name=p>"),
    ],
)
def test_a_form_that_wants_more_or_cannot_be_sent_is_no_confirmation(form: str):
    assert led(form) == []


def test_a_form_to_confirm_is_posted_where_that_is_allowed():
    form = confirm("<input type=hidden name=id value=7>", how="action=/show method=post")
    assert [one.step.method for one in led(form)] == ["POST"]
    assert led(form, post=False) == []


def test_a_form_to_confirm_is_sent_with_get_though_posting_is_not_allowed():
    form = confirm("<input type=hidden name=id value=7>")
    assert [one.step.method for one in led(form, post=False)] == ["GET"]


def test_the_form_of_the_first_page_is_not_confirmed_though_it_is_filled_in_now():
    filled = confirm("<input name=q value=apple>")
    assert led(filled, start=confirm("<input name=q>")) == []
    assert len(led(filled, start=confirm("<input name=other>"))) == 1
    assert len(led(filled, start=confirm("<input name=q>", how="action=/first"))) == 1


def test_only_the_first_five_forms_are_looked_at():
    empty = "<form action=/{}><input name=q></form>"
    last = confirm("<input type=hidden name=id value=7>")
    assert len(led("".join(empty.format(number) for number in range(4)) + last)) == 1
    assert led("".join(empty.format(number) for number in range(5)) + last) == []
