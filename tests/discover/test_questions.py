"""Forms are understood and sent as a browser would (S3)."""

from __future__ import annotations

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
