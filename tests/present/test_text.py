"""A comparison is shown on a terminal: signs before blocks, brackets around words, and columns."""

from __future__ import annotations

import pytest

from webvigil.document import read
from webvigil.model.change import ObjectChange, Status
from webvigil.present.choose import How, view
from webvigil.present.comparison import compare
from webvigil.present.text import _filled, _Ink, _objects, _width, _wrapped, as_text

OLD = (
    "<title>Shop</title><h2>Head line</h2><p>one two three four<ul><li>item x</ul>"
    "<table><tr><td>a<td>1</table><p>gone now<p>moved far<p>s1<p>s2<p>s3"
)
NEW = (
    "<title>Shops</title><h2>Head line</h2><p>one two six four<ul><li>item x</ul>"
    "<table><tr><td>a<td>2</table><p>s1<p>s2<p>s3<p>moved far<p>new <a href=/x>here</a><img src=p.png>"
)
HEAD = """\
[-Shop-] {+Shops+}
http://a.test/
2 changed, 1 new, 1 gone, 1 moved; -4 +4 words; 1 link; 1 picture
+ link http://a.test/x (0 → 1)
+ picture http://a.test/p.png (0 → 1)

"""
ONE = """\
  ## Head line
~ one two [-three-] {+six+} four
  • item x
~ a | [-1-] {+2+}
- gone now
< moved far
  s1
  s2
  s3
> moved far
+ new here
"""
TWO = """\
  ## Head line     │ ## Head line
~ one two          │ one two {+six+}
  [-three-] four   │ four
  • item x         │ • item x
~ a | [-1-]        │ a | {+2+}
- gone now         │
< moved far        │
  s1               │ s1
  s2               │ s2
  s3               │ s3
>                  │ moved far
+                  │ new here
"""
PAINTED = """\
<1>[-Shop-] {+Shops+}<0>
<2>http://a.test/<0>
2 changed, 1 new, 1 gone, 1 moved; -4 +4 words; 1 link; 1 picture
<32>+ link http://a.test/x (0 → 1)<0>
<32>+ picture http://a.test/p.png (0 → 1)<0>

  ## Head line
<33>~<0> one two <31;9>[-three-]<0> <32>{+six+}<0> four
  • item x
<33>~<0> a | <31;9>[-1-]<0> <32>{+2+}<0>
<31>-<0> <31;9>gone now<0>
<36><<0> <31;9>moved far<0>
  s1
  s2
  s3
<36>><0> <32>moved far<0>
<32>+<0> <32>new here<0>
"""


def shown(how: How, *, colour: bool = False, width: int = 100) -> str:
    old, new = (read(text.encode(), "text/html", "http://a.test/") for text in (OLD, NEW))
    found = compare(old, new)
    return as_text(found, view(found, how), colour=colour, width=width)


def test_one_column_has_a_sign_for_every_block_that_differs():
    assert shown(How.SINGLE) == HEAD + ONE


def test_two_columns_are_as_wide_as_told():
    assert shown(How.DUAL, width=40) == HEAD + TWO
    assert shown(How.DUAL, width=41) != shown(How.DUAL, width=40) == shown(How.DUAL, width=39)


def test_no_column_is_too_narrow_to_read():
    assert shown(How.DUAL, width=10) == shown(How.DUAL, width=31) != shown(How.DUAL, width=33)


def test_colours_repeat_what_the_signs_say():
    painted = shown(How.SINGLE, colour=True)
    assert painted.replace("\x1b[", "<").replace("m", ">") == PAINTED.replace("m", ">")


def test_what_is_left_out_is_told_between_the_blocks():
    texts = [
        "".join(f"<p>block number {n} says {word if n == 4 else 'yes'}" for n in range(9))
        for word in ("yes", "no")
    ]
    found = compare(*(read(text.encode(), "text/html", "") for text in texts))
    assert as_text(found, view(found, How.ONLY)) == (
        "1 changed; -1 +1 words\n\n… 3 unchanged blocks\n  block number 3 says yes\n"
        "~ block number 4 says [-yes-] {+no+}\n  block number 5 says yes\n… 3 unchanged blocks\n"
    )


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (ObjectChange("a", Status.NEW, new=1), "<32>+ link a (0 → 1)<0>"),
        (ObjectChange("a", Status.MORE, old=1, new=3), "<32>+ link a (1 → 3)<0>"),
        (ObjectChange("a", Status.FEWER, old=3, new=1), "<31>- link a (3 → 1)<0>"),
        (ObjectChange("a", Status.GONE, old=1), "<31>- link a (1 → 0)<0>"),
        (ObjectChange("a\x1b", Status.UPDATED), "<33>~ link a· (another one)<0>"),
    ],
)
def test_links_and_pictures_are_told_with_their_numbers(one: ObjectChange, line: str):
    (told,) = _objects("link", [one], _Ink(True))
    assert told.replace("\x1b[", "<").replace("m", ">") == line


@pytest.mark.parametrize(
    ("number", "last"), [(20, "+ link 19 (0 → 1)"), (21, "… 1 more links"), (1_020, "… 1,000 more links")]
)
def test_twenty_of_them_are_listed(number: int, last: str):
    objects = [ObjectChange(str(n), Status.NEW, new=1) for n in range(number)]
    lines = list(_objects("link", objects, _Ink(False)))
    assert (lines[-1], len(lines)) == (last, min(number, 21))


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("ab cd", 5, ["ab cd"]),
        ("ab cd", 4, ["ab", "cd"]),
        ("abcdef", 3, ["abc", "def"]),
        ("abcdefg", 3, ["abc", "def", "g"]),
        ("日本", 3, ["日", "本"]),
        ("日本", 4, ["日本"]),
        ("a  b", 4, ["a  b"]),
        ("e\u0301日", 3, ["e\u0301日"]),
        ("ab cd ef", 5, ["ab cd", "ef"]),
        ("", 3, [""]),
    ],
)
def test_a_text_is_broken_at_spaces_where_possible(text: str, width: int, lines: list[str]):
    assert _wrapped(text, width) == lines
    assert max(map(_width, lines)) <= width


@pytest.mark.parametrize(
    ("text", "width"), [("ab", 2), ("日", 2), ("Ａ", 2), ("é", 1), ("e\u0301", 1), ("", 0)]
)
def test_wide_characters_take_two_columns_and_combining_ones_none(text: str, width: int):
    assert _width(text) == width
    assert _filled(text, 5) == text + " " * (5 - width)
