"""Texts in quotes, braces and slashes: what each of them means, and which of them says a text."""

from __future__ import annotations

import pytest

from webvigil.language import texts


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"a\"b\'c\\d\ne\rf\tg\u0041"', "a\"b'c\\d\ne\rf\tgA"),
        (r'"\d\{\}\u004"', r"\d\{\}\u004"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d\n\ude00"', "\ud83d\n\ude00"),
        ('""', ""),
        ("'it'", "it"),
    ],
)
def test_what_stands_in_quotes(written: str, meant: str):
    assert texts.unquoted(written) == meant


@pytest.mark.parametrize(
    ("written", "whole", "pattern"),
    [
        ('"a, b"', "a, b", "a, b"),
        ('{ "a, b" }', "a, b", "a, b"),
        (r'{"\{\d\}"}', r"{\d}", r"\{\d\}"),
        (r'{"a\"b"}', 'a"b', 'a"b'),
        (r'{"a" "b"}', '"a" "b"', '"a" "b"'),
        ("{ a \n  b }", "a b", "a \n  b"),
        (r"{\{a\}\, \d}", r"{a}, \d", r"\{a\}\, \d"),
        ("{}", "", ""),
    ],
)
def test_what_stands_in_braces_as_one_text_and_as_a_pattern(written: str, whole: str, pattern: str):
    assert texts.whole(written) == whole
    assert texts.pattern(written) == pattern


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"/a\/b\d/", r"a/b\d"),
        ("/a/b/", "a/b"),
        ("/a/ixi", "(?ix)a"),
        ("/a/gu", "a"),
        ("/a/smxi", "(?imsx)a"),
    ],
)
def test_what_stands_in_slashes(written: str, meant: str):
    assert texts.pattern(written) == meant


@pytest.mark.parametrize(
    ("written", "items", "words", "phrases"),
    [
        ('"a, b"', ("a, b",), ("a, b",), ("a, b",)),
        ("{a b, c}", ("a b", "c"), ("a", "b", "c"), ("a b, c",)),
        ('{"a, b", c d,}', ("a, b", "c d"), ("a, b", "c", "d"), ('"a, b", c d,',)),
        ('{"a" , "b c"}', ("a", "b c"), ("a", "b c"), ("a", "b c")),
        ('{"a" "b c"}', ('"a" "b c"',), ("a", "b c"), ("a", "b c")),
        (r"{a\, b, , c\}}", ("a, b", "c}"), ("a,", "b", "c}"), ("a, b, , c}",)),
        ("{ }", (), (), ("",)),
    ],
)
def test_several_texts_in_braces(
    written: str, items: tuple[str, ...], words: tuple[str, ...], phrases: tuple[str, ...]
):
    assert texts.items(written) == items
    assert texts.words(written) == words
    assert texts.phrases(written) == phrases


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a b", '"a b"'),
        ("a\"b'c", '"a\\"b\'c"'),
        (r"\d+\w", r'"\d+\w"'),
        (r"\n\t\u0041\'", '"\\\\n\\\\t\\\\u0041\\\\\'"'),
        ("\n\r\t", r'"\n\r\t"'),
        ("a\\", r'"a\\"'),
        ("\\\\", r'"\\\\"'),
        ("\\\u202e", r'"\\\u202e"'),
        ('\\"', r'"\\\""'),
        ("\u200fa\u202e", '"\u200fa\\u202e"'),
    ],
)
def test_a_text_in_quotes_has_as_few_backslashes_as_possible(text: str, written: str):
    assert texts.quoted(text) == written
    assert texts.unquoted(written) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{a}", r'"\{a\}"'),
        (r"\{", r'"\\\{"'),
        (r"\d\}", r'"\d\\\}"'),
        ("\\", r'"\\"'),
    ],
)
def test_a_text_in_quotes_in_braces_has_no_bare_brace(text: str, written: str):
    assert texts.quoted_in_braces(text) == written
    assert texts.unquoted_in_braces(written) == text


@pytest.mark.parametrize(
    ("several", "items", "words"),
    [
        (("a", "b c"), "{a, b c}", '{a, "b c"}'),
        (("a  b",), '{"a  b"}', '{"a  b"}'),
        (
            ("a,b", 'a"b', "{a}", "a\\b"),
            r'{"a,b", "a\"b", "\{a\}", "a\b"}',
            r'{"a,b", "a\"b", "\{a\}", "a\b"}',
        ),
        (("a\u202e",), r'{"a\u202e"}', r'{"a\u202e"}'),
    ],
)
def test_several_texts_are_written_plainly_where_that_reads_back(
    several: tuple[str, ...], items: str, words: str
):
    assert (texts.in_braces(several), texts.words_in_braces(several)) == (items, words)
    assert (texts.items(items), texts.words(words)) == (several, several)


@pytest.mark.parametrize(
    ("text", "phrase", "whole", "pattern", "slashed"),
    [
        ("a, b", "{a, b}", "{a, b}", "{a, b}", "/a, b/"),
        ("a  b", '{"a  b"}', '"a  b"', "{a  b}", "/a  b/"),
        (" a", '{" a"}', '" a"', '" a"', "/ a/"),
        ("a\nb", r'{"a\nb"}', r'"a\nb"', r'"a\nb"', r'regex "a\nb"'),
        ("a\rb", r'{"a\rb"}', r'"a\rb"', r'"a\rb"', r'regex "a\rb"'),
        ("a\u202eb", r'{"a\u202eb"}', r'"a\u202eb"', r'"a\u202eb"', r'regex "a\u202eb"'),
        (r"a/\d", r"{a/\d}", r"{a/\d}", r"{a/\d}", r"/a\/\d/"),
        ("{a}", "{{a}}", "{{a}}", "{{a}}", "/{a}/"),
        ("{a", r'{"\{a"}', '"{a"', '"{a"', "/{a/"),
        ('"a"', r'{"\"a\""}', r'"\"a\""', r'"\"a\""', '/"a"/'),
        (r"a\/", r"{a\/}", r"{a\/}", r"{a\/}", r'regex "a\/"'),
    ],
)
def test_a_text_is_written_plainly_where_that_reads_back(
    text: str, phrase: str, whole: str, pattern: str, slashed: str
):
    assert texts.phrases_in_braces((text,)) == phrase
    assert texts.phrases(phrase) == (text,)
    assert texts.whole_in_braces(text) == whole
    assert texts.whole(whole) == text
    assert texts.pattern_in_braces(text) == pattern
    assert texts.pattern(pattern) == text
    assert texts.pattern_in_slashes(text) == slashed
    assert texts.pattern(slashed.removeprefix("regex ")) == text


def test_several_phrases_stand_in_quotes():
    assert texts.phrases_in_braces(("a", "b c")) == '{"a", "b c"}'


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ((("q", "shoes"), ("size", "4, 5")), '{q = shoes, size = "4, 5"}'),
        ((("a b", ""), ("x-1.y", "_"), ("7", "é")), '{"a b" = "", x-1.y = "_", 7 = é}'),
        ((), "{}"),
    ],
)
def test_the_fields_of_a_form_are_written_and_read(fields: tuple[tuple[str, str], ...], written: str):
    assert texts.fields_in_braces(fields) == written
    assert texts.fields(written) == fields
