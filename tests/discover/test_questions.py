"""Forms are understood and sent as a browser would (S3)."""

from __future__ import annotations

import pytest

from webvigil.discover.questions import Button, Question, Questions
from webvigil.discover.views import Views
from webvigil.document import read
from webvigil.model.version import Answer


def questions(markup: str, url: str = "http://e.org/d/p?old=1") -> list[Question]:
    return list(Questions(read(markup.encode(), "text/html", url)))


def sent(question: Question, button: Button | None = None, **values: str) -> list[tuple[str, str]]:
    filled = question.filled(button or Button(), {name: (name, value) for name, value in values.items()})
    return [(one.name, one.value) for one in filled]


def test_what_is_sent_is_what_a_browser_sends():
    (form,) = questions(
        """<form><input type=hidden name=h value=1><input name=t value=x><input name=off disabled>
        <input type=checkbox name=a><input type=checkbox name=b checked><input type=radio name=r value=1>
        <input type=radio name=r value=2 checked>
        <select name=s><option>one<option selected value=2>two</select>
        <select name=m multiple><option>x</select><select name=none></select><textarea name=w>text</textarea>
        <input type=button name=no><input type=reset name=no><input name=''><input type=file name=f>
        <button name=go value=1>Go</button><button name=go value=2>Other</button></form>"""
    )
    plain = [("h", "1"), ("t", "x"), ("b", "on"), ("r", "2"), ("s", "2"), ("w", "text")]
    assert sent(form, form.buttons[1]) == [*plain, ("go", "2")]
    assert sent(form, t="new", s="one", r="1") == [
        ("h", "1"), ("t", "new"), ("b", "on"), ("r", "1"), ("s", "one"), ("w", "text"),
    ]  # fmt: skip


def test_a_picture_that_is_pressed_tells_where():
    (form,) = questions("<form><input type=image name=go alt=Search src=x></form>")
    assert (sent(form, form.buttons[0]), form.buttons[0].text) == ([("go.x", "1"), ("go.y", "1")], "Search")


def test_with_get_the_fields_replace_what_the_address_asks():
    get, post, own = questions(
        "<form action='/s?a=1'></form><form method=POST action='/s?a=1'></form><form></form>"
    )
    assert get.target(Button()) == "http://e.org/s"
    assert post.target(Button()) == "http://e.org/s?a=1"
    assert own.target(Button()) == "http://e.org/d/p"


def test_a_button_may_lead_elsewhere():
    (form,) = questions("<form action=/a><button formaction=/b formmethod=post>Go</button></form>")
    assert (form.target(form.buttons[0]), form.verb(form.buttons[0])) == ("http://e.org/b", "POST")


def test_controls_are_called_by_name_id_label_and_what_stands_before_them():
    (form,) = questions(
        """<form>Author: <input name=f1><br><b>Title</b> <select name=f2><option>any</select> Year
        <input name=f3 placeholder=1999 title=When><label for=x>Place</label><input id=x name=f4></form>"""
    )
    assert [one.words for one in form.controls] == [
        ("f1", "Author:"),
        ("f2", "Title"),
        ("f3", "1999", "When", "Year"),
        ("f4", "x", "Place"),
    ]


def test_an_unknown_kind_is_a_text():
    (form,) = questions(
        "<form><input type=fancy name=a maxlength=5><input type=text name=b maxlength=x></form>"
    )
    assert [(one.kind, one.longest) for one in form.controls] == [("text", 5), ("text", None)]


def test_where_only_a_script_can_send_it_there_is_no_address():
    assert [
        one.action
        for one in questions("<form action='javascript:go()'></form><form action='ftp://e.org/'></form>")
    ] == ["", ""]


def test_the_text_of_a_page_is_laid_out_as_on_the_screen():
    body = """<h1>Hits  for
     you</h1><table><tr><td>A <b>b</b>c<td>2</tr><tr> <th>x<td><p>y<p>z</table><pre>Query: 1  AC
          ||</pre><ul><li><a href="/x?a=1#f">Link <i>one</i></a> by me</ul>
     <select><option>q</select><button>Go</button>"""
    views = Views(
        Answer(
            url="http://e.org/d/", status=200, headers=(("Content-Type", "text/html"),), body=body.encode()
        ),
        1000,
    )
    assert views("text") == "Hits for you\nA bc\t2\nx\ty\nz\nQuery: 1  AC\n          ||\nLink one by me"
    assert views("links") == 'href="http://e.org/x?a=1" Link one by me'
    assert views("source").startswith("<h1>Hits")


def test_no_view_is_longer_than_allowed():
    body = b"<a href=/x>word</a> " * 5000
    views = Views(
        Answer(url="http://e.org/", status=200, headers=(("Content-Type", "text/html"),), body=body), 100
    )
    assert len(views("source")) == len(views("links")) == 100
    assert len(views("text")) < 110


def test_a_form_is_led_by_its_legends_and_headings_and_the_one_above_it():
    (form,) = questions(
        """<h1>Library</h1><h2>Catalogue</h2><form><fieldset><legend>Books</legend></fieldset><h3>First</h3>
        <h3>Second</h3><h3>Third</h3></form><h2>Below</h2>"""
    )
    assert form.lead == "Books First Second Catalogue"
    (form,) = questions("<form>" + "".join(f"<legend>L{number}</legend>" for number in range(7)) + "</form>")
    assert form.lead == "L0 L1 L2 L3 L4"


def test_a_form_that_is_under_no_heading_has_no_lead():
    assert [one.lead for one in questions("<form><input name=q></form><h1>Below</h1>")] == [""]


def test_the_longest_value_of_a_field_has_at_most_six_digits():
    lengths = ["0", " 12 ", "999999", "1000000", "-1", "²", ""]
    (form,) = questions(
        "<form>" + "".join(f"<input name=a maxlength='{one}'>" for one in lengths) + "</form>"
    )
    assert [one.longest for one in form.controls] == [0, 12, 999999, None, None, None, None]


def test_the_text_before_a_field_is_the_last_that_says_something_among_six():
    def before(*pieces: str) -> tuple[str, ...]:
        markup = "".join(f"<b>{one}</b>" for one in pieces)
        (form,) = questions(f"<form><input name=first>{markup}<input name=f></form>")
        return form.controls[1].words

    assert before("Far", "Near") == ("f", "Near")
    assert before("Name", ":", "*") == ("f", "Name")
    assert before("Name", *[":"] * 5) == ("f", "Name")
    assert before("Name", *[":"] * 6) == ("f",)
    assert before() == ("f",)


def test_radio_buttons_of_one_name_are_one_choice_at_the_place_of_the_first():
    (form,) = questions(
        """<form><input name=a> Size <input type=radio name=r value=1><label>One</label><input name=b>
        <input type=radio name=r value=2 checked><input type=radio name=s value=3></form>"""
    )
    assert [(one.name, one.kind, one.value, one.on) for one in form.controls] == [
        ("a", "text", "", True),
        ("r", "radio", "2", True),
        ("b", "text", "", True),
        ("s", "radio", "", False),
    ]
    assert [(one.value, one.selected) for one in form.controls[1].options] == [("1", False), ("2", True)]
    assert form.controls[1].words == ("r", "Size")


def test_a_button_says_what_is_on_it_and_what_it_is_called():
    (form,) = questions(
        """<form><input type=submit value=Find title="all  books" aria-label=now>
        <button name=b value=1>Go</button><input type=image alt=Search name=i>
        <button type=button name=n>Script</button></form>"""
    )
    assert [(one.text, one.name, one.value, one.image) for one in form.buttons] == [
        ("Find now all books", "", "Find", False),
        ("Go", "b", "1", False),
        ("Search", "i", "", True),
    ]
    (form,) = questions("<form><button type=button name=n value=1>Script</button></form>")
    assert [(one.text, one.name) for one in form.buttons] == [("Script", "")]


def test_a_test_for_being_human_is_known_where_it_stands_in_the_form():
    outside = "<div class=g-recaptcha></div>"
    assert [one.riddle for one in questions(f"{outside}<form></form>{outside}")] == [""]
    assert [one.riddle for one in questions(f"<form>{outside}</form>")] == ["g-recaptcha"]
    assert [one.riddle for one in questions("<form class=captcha></form>")] == [""]


def test_files_and_passwords_are_never_sent_nor_what_has_no_name():
    (form,) = questions(
        """<form><input type=password name=p value=1><input type=file name=f><input id=x value=1>
        <input name=q></form>"""
    )
    assert sent(form, p="secret", q="word") == [("q", "word")]
    assert [one.name for one in form.controls] == ["p", "f", "#x", "q"]


def test_the_first_three_hundred_fields_of_a_form_are_read():
    (form,) = questions("<form>" + "".join(f"<input name=f{number}>" for number in range(302)) + "</form>")
    assert (len(form.controls), form.controls[-1].name) == (300, "f299")


@pytest.mark.parametrize(
    ("form", "button", "verb"),
    [
        ("", "", "GET"),
        ("method=post", "", "POST"),
        ("method=post enctype=' Multipart/Form-Data'", "", "MULTIPART"),
        ("enctype=multipart/form-data", "", "GET"),
        ("enctype=multipart/form-data", "formmethod=post", "MULTIPART"),
        ("method=post", "formmethod=get", "GET"),
        ("method=post", "formmethod=dialog", "POST"),
    ],
)
def test_a_form_is_sent_by_the_method_of_its_button_or_by_its_own(form: str, button: str, verb: str):
    (made,) = questions(f"<form {form}><button {button}>Go</button></form>")
    assert made.verb(made.buttons[0]) == verb


def test_a_list_of_several_sends_what_the_page_has_chosen():
    (form,) = questions(
        """<form><select name=a multiple><option>1<option selected>2</select>
        <select name=b multiple><option>1</select><select name=c><option>1</select></form>"""
    )
    assert sent(form) == [("a", "2"), ("c", "1")]


def test_forms_are_counted_before_they_are_read():
    assert len(Questions(read(b"<form></form><form></form>", "text/html", "http://e.org/"))) == 2
