"""The lists, headings, titles, forms and backgrounds of a page are found."""

from webvigil.document import read
from webvigil.document.forms import Option
from webvigil.document.lists import Item
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
