"""The lists, headings, titles, forms and backgrounds of a page are found."""

import pytest

from webvigil.document import lists, read
from webvigil.document.forms import Option
from webvigil.document.lists import Item, count
from webvigil.document.reading import Heading


def page(text):
    return read(text.encode(), "text/html", "https://e.org/d/p")


def test_a_list_has_items_and_lists_in_it_are_kept_apart():  # C8
    digest = page("<ul><li>one <b>bold</b><ol><li>inner</ol> more<li>two</ul><dl><dt>t<dd>d</dl>")
    assert [(one.kind, [item.text for item in one.items]) for one in digest.lists] == [
        ("ul", ["one bold more", "two"]),
        ("ol", ["inner"]),
        ("dl", ["t", "d"]),
    ]
    assert isinstance(digest.lists[0].items[0], Item)
    assert digest.path(digest.lists[0].items[1].node) == "/html/body/ul/li[2]"


def test_headings_have_a_level_and_hidden_ones_do_not_count():
    digest = page("<h1>A <i>b</i></h1><h3>c</h3><div hidden><h2>no</h2></div>")
    assert [(one.level, one.text) for one in digest.headings] == [(1, "A b"), (3, "c")]
    assert isinstance(digest.headings[0], Heading)


def test_the_title_is_that_of_the_page_not_of_a_drawing():
    assert page("<svg><title>drawing</title></svg><title> The\n page </title>").title == "The page"
    assert page("<p>none").title == ""


def test_a_form_has_an_address_a_method_and_fields():  # S3
    (form,) = page(
        """<form action="go" method=post><label>Name <input name=n value=v required></label>
        <label for=s>Kind</label><select id=s name=k><option>a<option value=B selected>b</select>
        <textarea name=t placeholder=Text>x</textarea><input type=CHECKBOX name=c checked>
        <button name=b value=1>Go</button></form>"""
    ).forms
    assert (form.action, form.method) == ("https://e.org/d/go", "POST")
    assert [(one.name, one.type, one.value, one.label) for one in form.fields] == [
        ("n", "text", "v", "Name"),
        ("k", "select", "B", "Kind"),
        ("t", "textarea", "x", "Text"),
        ("c", "checkbox", "on", ""),
        ("b", "submit", "1", ""),
    ]
    assert form.fields[1].options == (Option("a", "a"), Option("B", "b", selected=True))
    assert (form.fields[0].required, form.fields[3].checked) == (True, True)


def test_a_field_may_name_its_form_from_afar():
    first, second = page("<form id=a></form><form id=b></form><input form=b name=x><input name=lost>").forms
    assert (first.fields, [one.name for one in second.fields]) == ((), ["x"])
    assert (first.action, first.method) == ("https://e.org/d/p", "GET")


def test_a_form_between_the_rows_of_a_table_owns_what_follows_it_there():  # S3
    first, second = page(
        """<table><form action=one><tr><td><input name=a><td><button>Go</button></form>
        <tr><td><form action=two><input name=b><td><input name=c></form></table><input name=lost>"""
    ).forms
    assert [[one.name for one in form.fields] for form in (first, second)] == [["a", ""], ["b", "c"]]


def test_a_form_in_a_cell_that_is_whole_owns_nothing_else():
    (form,) = page(
        "<table><tr><td><form><input name=a><button>Go</button></form><td><input name=b></table>"
    ).forms
    assert [one.name for one in form.fields] == ["a", ""]


def test_backgrounds_come_from_attributes_and_inline_styles():  # T2
    digest = page(
        """<body background=a.png bgcolor=#FFEEDD>
        <div style="color: red; Background: URL('b.gif') no-repeat Navy">
        <p style="background-color: rgb(1, 2, 3)">
        <p style="background-image: url(c.png)"><p style="color:red">"""
    )
    assert [(one.image, one.color) for one in digest.backgrounds] == [
        ("https://e.org/d/a.png", ""),
        ("", "#ffeedd"),
        ("https://e.org/d/b.gif", "navy"),
        ("", "rgb(1, 2, 3)"),
        ("https://e.org/d/c.png", ""),
    ]


FORMS = """<form id=f action=go method=" post "><input type=hidden name=h value=1>
<input type=CHECKBOX name=c checked><input type=radio name=r value=a>
<select name=s required><option value=1>One<option selected> Two  x<option selected>3</select>
<select name=e></select><select name=o><option value=7>Seven<option>8</select>
<textarea name=t placeholder=p> a\nb</textarea><input type=password aria-label=Key placeholder=q>
<button name=b>Send</button><button type=button name=d value=v>x</button><input type=" IMAGE " name=i>
<label for=z>L<b>a</b></label><input id=z name=z><label>Around <input name=w required><input name=w2></label>
</form><input form=f name=outside><input form=gone name=lost><input name=none>
<form action=' ' method=dialog><input name=x></form><form><input form=f name=other></form>
<table><tr><form action=row><td><input name=cell></td></form><td><input name=next>
<tr><td><input name=third></table><input name=after>"""


def test_each_field_of_a_form_is_told_with_all_that_it_says():  # S3
    forms = page(FORMS).forms
    assert [(form.action, form.method) for form in forms] == [
        ("https://e.org/d/go", "POST"),
        ("https://e.org/d/p", "GET"),
        ("https://e.org/d/p", "GET"),
        ("https://e.org/d/row", "GET"),
    ]
    assert [(one.name, one.type, one.value, one.label) for one in forms[0].fields] == [
        ("h", "hidden", "1", ""),
        ("c", "checkbox", "on", ""),
        ("r", "radio", "a", ""),
        ("s", "select", "Two x", ""),
        ("e", "select", "", ""),
        ("o", "select", "7", ""),
        ("t", "textarea", " a\nb", "p"),
        ("", "password", "", "Key"),
        ("b", "submit", "", ""),
        ("d", "button", "v", ""),
        ("i", "image", "", ""),
        ("z", "text", "", "La"),
        ("w", "text", "", "Around"),
        ("w2", "text", "", "Around"),
        ("outside", "text", "", ""),
        ("other", "text", "", ""),
    ]
    assert [one.name for one in forms[0].fields if one.checked] == ["c"]
    assert [one.name for one in forms[0].fields if one.required] == ["s", "w"]
    assert forms[0].fields[3].options == (
        Option("1", "One"),
        Option("Two x", "Two x", selected=True),
        Option("3", "3", selected=True),
    )
    assert [[one.name for one in form.fields] for form in forms[1:]] == [["x"], [], ["cell", "next", "third"]]


def test_a_list_knows_its_items_and_those_of_the_lists_in_it():
    digest = page("<ul><li>a<ol><li>b<li>c</ol><li>d</ul><menu><li>e</menu><dl><dd>f</dl><ul></ul><li>g")
    found = digest.lists
    assert [(one.kind, [item.text for item in one.items]) for one in found] == [
        ("ul", ["a", "d"]), ("ol", ["b", "c"]), ("menu", ["e"]), ("dl", ["f"]), ("ul", []),
    ]  # fmt: skip
    assert [found.texts_and_nodes(0, nested)[0] for nested in (False, True)] == [
        ["a", "d"],
        ["a", "b", "c", "d"],
    ]
    assert [found.texts_and_nodes(1, nested)[0] for nested in (False, True)] == [["b", "c"]] * 2
    assert [found.kind(place) for place in range(5)] == ["ul", "ol", "menu", "dl", "ul"]
    assert [digest.tag(found.node(place)) for place in range(5)] == ["ul", "ol", "menu", "dl", "ul"]
    assert (found.nested, len(found), count(digest)) == (8, 5, 5)
    assert [digest.text(node) for node in found.texts_and_nodes(1, False)[1]] == ["b", "c"]
    xml = read(b"<ul><li>a</li></ul>", "text/xml")
    assert (len(xml.lists), count(xml)) == (0, 0)
    assert (len(page("<p>a").lists), count(page("<p>a"))) == (0, 0)


def test_a_page_has_a_limited_number_of_lists(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lists, "MOST", 2)
    digest = page("<ul><li>a</ul><ul><li>b<ul><li>c</ul></ul>")
    assert [[item.text for item in one.items] for one in digest.lists] == [["a"], ["b"]]
    assert count(digest) == 2
