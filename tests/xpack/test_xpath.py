"""XPath on packed documents gives what lxml gives on the originals (X4)."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.xpack.documents import HTML, XML
from tests.xpack.expressions import EXPRESSIONS
from tests.xpack.oracle import NAMESPACES, Original
from webvigil.document import read
from webvigil.errors import PatternRefused, XPackError
from webvigil.xpack import PROFILES, Found, open_packed, pack
from webvigil.xpack.xpath import axes, parser

# Not compared: libxml2 counts the declarations in a doctype as text before the root element, XPath does not.
_QUIRKS = {("doctype", "//*[preceding::node()]"), ("doctype", "string(/)")}


@cache
def original(name: str) -> Original:
    return Original(XML[name])


def test_the_suite_is_as_large_as_we_say():
    assert len(EXPRESSIONS) >= 400
    assert len(XML) >= 12


@pytest.mark.parametrize("name", XML)
def test_every_expression_agrees_with_lxml(name: str):
    document = original(name)
    for expression in EXPRESSIONS:
        if (name, expression) not in _QUIRKS:
            document.agree(expression)


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "data"])
@pytest.mark.parametrize("name", ["books", "namespaces", "mixed"])
def test_every_form_of_the_structure_answers_alike(name: str, profile: str):
    document = original(name)
    packed = open_packed(pack(document.digest, profile=profile)).only
    for expression in EXPRESSIONS[::3]:
        assert repr(document.ours(expression, packed)) == repr(document.ours(expression))


def test_predicates_are_halved_when_they_are_too_wide(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(axes, "WIDEST", 7)
    for name in ("list", "nested", "mixed"):
        document = original(name)
        for expression in EXPRESSIONS[::2]:
            if (name, expression) not in _QUIRKS:
                document.agree(expression)


# --- generated documents and expressions ---------------------------------------------------------------

_names = st.sampled_from("abc")
_texts = st.sampled_from(["", "1", "2.5", "one", " a b ", "b", "-3"])
_attributes = st.dictionaries(st.sampled_from(["a", "k", "x:k"]), _texts, max_size=2)
_leaves = _texts | st.sampled_from([("!", " note "), ("?", "go")]) | st.tuples(st.just("["), _texts)


def _element(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(_names | st.just("x:b"), _attributes, st.lists(children, max_size=4))


_trees = _element(st.recursive(_leaves, _element, max_leaves=14))


def _written(tree: Any) -> str:
    if isinstance(tree, str):
        return tree
    if tree[0] == "!":
        return f"<!--{tree[1]}-->"
    if tree[0] == "?":
        return "<?go now?>"
    if tree[0] == "[":
        return f"<![CDATA[{tree[1]}]]>"
    attributes = "".join(f' {name}="{value}"' for name, value in tree[1].items())
    return f"<{tree[0]}{attributes}>{''.join(map(_written, tree[2]))}</{tree[0]}>"


_axis = st.sampled_from(
    [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ]
)
_test = st.sampled_from(["*", "node()", "text()", "a", "b", "c", "x:b", "x:*", "comment()"])


def _expressions() -> st.SearchStrategy[str]:
    literals = st.sampled_from(["1", "2", "0", "'1'", "'b'", "''", "last()", "position()", "2.5"])
    steps = st.builds("{}::{}".format, _axis, _test) | st.sampled_from([".", "..", "*", "@*", "@k", "b"])
    simple = st.lists(steps, min_size=1, max_size=3).map("/".join) | steps.map("//{}".format)

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        predicated = st.builds("{}[{}]".format, simple, inner)
        return st.one_of(
            predicated,
            st.builds("{}/{}".format, predicated, simple.filter(lambda text: text[0] != "/")),
            st.builds(
                "({} {} {})".format,
                inner,
                st.sampled_from(["=", "!=", "<", ">=", "+", "-", "*", "div", "and", "or"]),
                inner,
            ),
            st.builds("{}({})".format, st.sampled_from(["count", "sum"]), simple),
            st.builds(
                "{}({})".format,
                st.sampled_from(["string", "number", "boolean", "not", "normalize-space"]),
                inner,
            ),
            st.builds("contains({}, {})".format, inner, inner),
            st.builds("({} | {})".format, simple, simple),
            st.builds("({})[{}]".format, simple, inner),
        )

    return st.recursive(simple | literals, larger, max_leaves=5)


@settings(max_examples=100, deadline=None)
@given(_trees, st.lists(_expressions(), min_size=1, max_size=6))
def test_generated_expressions_agree_with_lxml_on_generated_documents(tree: Any, expressions: list[str]):
    document = Original(f'<r xmlns:x="urn:x">{_written(tree)}</r>')
    for expression in expressions:
        theirs = document.theirs(expression)
        if theirs != "refused":  # lxml refuses position() outside of predicates, we do not
            document.agree(expression)


# --- variables, namespaces, HTML -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "variables"),
    [
        ("//book[author=$who]/title", {"who": "Ann"}),
        ("//book[$n]", {"n": 2.0}),
        ("//book[@price > $least]", {"least": 5.0}),
        ("$yes or //nothing", {"yes": True}),
        ("concat($a, $b)", {"a": "x", "b": 1.5}),
        ("//book[$who]", {"who": "Ann"}),
        ("string-length($a)", {"a": "日本"}),
    ],
)
def test_variables_have_values(expression: str, variables: dict[str, Any]):
    original("books").agree(expression, **variables)


def test_nodes_may_be_variables():
    packed = original("books").packed
    authors = packed.query("//author[.='Bo']")
    assert packed.query("count($authors)", variables={"authors": authors}) == 2.0
    assert len(packed.query("$authors/..", variables={"authors": authors})) == 2
    assert len(packed.query("//book[author=$authors]", variables={"authors": authors})) == 2


def test_prefixes_of_the_document_can_be_used_as_they_are():
    packed = open_packed(pack(XML["feed"].encode(), "text/xml")).only
    assert packed.query("//m:thumb/@url").texts() == ["1.png", "2.png"]
    assert len(packed.query("//n:thumb", namespaces={"n": "urn:media"})) == 2
    with pytest.raises(PatternRefused, match="column 3: the prefix 'm'"):
        packed.query("//m:thumb", namespaces={"n": "urn:media"})


def test_html_is_queried_as_a_browser_reads_it():
    packed = open_packed(pack(HTML.encode(), "text/html")).only
    assert packed.query("//li").paths() == [
        "/html/body/ul/li[1]", "/html/body/ul/li[2]", "/html/body/ul/li[2]/ul/li", "/html/body/ul/li[3]",
    ]  # fmt: skip
    assert packed.query("//a/@href").texts() == ["https://example.org/a", "https://example.org/ab"]
    assert packed.query("count(//tbody/tr)") == 2.0
    assert packed.query("string(id('top'))") == "Welcome & good day"
    digest = read(HTML.encode(), "text/html")
    for expression in ("//p//text()", "//*[@class]", "//td[2]", "//comment()", "//li[ul]/text()", "//form/*"):
        found = packed.query(expression)
        assert isinstance(found, Found)
        theirs = digest.tree.root.xpath(expression)
        assert len(found) == len(theirs), expression


def test_a_path_leads_back_to_its_node():
    for name in ("books", "play", "mixed", "table", "nested"):
        document = original(name)
        for expression in ("//*", "//text()", "//comment()", "//processing-instruction()", "//@*"):
            found = document.packed.query(expression)
            assert isinstance(found, Found)
            for path, node, text in zip(found.paths(), found.nodes.tolist(), found.texts(), strict=True):
                again = document.packed.query(path)
                assert (again.nodes.tolist(), again.texts()) == ([node], [text]), path
                if not path.rpartition("/")[2].startswith("@"):
                    assert path == document.digest.path(node)


# --- mistakes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "column", "says"),
    [
        ("", 1, "the end where a name"),
        ("//", 3, "the end where a name"),
        ("//book[", 8, "the end"),
        ("//book[1", 9, "where ']' was expected"),
        ("//book]", 7, "']' where an operator"),
        ("cuont(//a)", 1, "did you mean 'count'"),
        ("//a[nosuch(.)]", 5, "no function 'nosuch'"),
        ("childs::a", 1, "did you mean 'child'"),
        ("//a['open]", 5, "a string that does not end"),
        ("1 + ", 5, "the end"),
        ("//a#b", 4, "'#' has no meaning"),
        ("count()", 1, "takes 1 argument, not 0"),
        ("substring('a')", 1, "takes 2 or 3 arguments, not 1"),
        ("concat('a')", 1, "at least 2 arguments"),
        ("true(1)", 1, "no argument"),
        ("$missing", 1, "the variable $missing has no value"),
        ("//q:a", 3, "the prefix 'q'"),
        ("count(1)", 1, "count() needs nodes"),
        ("(1 | //a)", 1, "| needs nodes"),
        ("('a')[1]", 1, "a predicate needs nodes"),
        ("//a/@", 6, "the end where a name"),
        ("a b", 3, "'b' where an operator"),
        ("(" * 60 + "1" + ")" * 60, 51, "nested too deeply"),
    ],
)
def test_a_mistake_is_told_with_its_column(expression: str, column: int, says: str):
    with pytest.raises(PatternRefused) as caught:
        original("books").packed.query(expression)
    assert f"column {column}:" in str(caught.value)
    assert says in str(caught.value)


@given(st.text(alphabet="abc/[]()@*.'\"$:|=<>!+-,123 andiv", max_size=24))
@settings(max_examples=400, deadline=None)
def test_no_text_breaks_the_parser(text: str):
    with suppress(PatternRefused, XPackError):
        original("nested").packed.query(text, namespaces={"a": "urn:a"})


_STEPS = st.lists(st.sampled_from(["/a", "//b", "/text()", "//text()", "/text", "//c.d", "/*"]), min_size=1)


@given(_STEPS.map("".join), st.booleans())
def test_what_is_read_at_a_glance_is_what_the_grammar_says(path: str, counted: bool):  # X4
    expression = f"count({path})" if counted else path
    glanced = parser._plain(expression)
    assert glanced == (
        None if "*" in path else parser._Parser(expression, parser._tokens(expression)).whole()
    )


def test_what_lxml_refuses_is_refused():
    for expression in ("//", "a[", "count(", "1 2", "a::b", "@", "foo()", "$", "'", "a/@", "[1]", "..[1]a"):
        with pytest.raises(etree.XPathError):
            original("books").root.xpath(expression, namespaces=NAMESPACES)
        with pytest.raises(PatternRefused):
            original("books").packed.query(expression)


def test_long_and_wide_expressions_are_bounded():
    packed = original("books").packed
    assert packed.query("+".join(["1"] * 150)) == 150.0
    for text in ("+".join(["1"] * 5000), "|".join(["//a"] * 2000), "a" * 20_000, "-" * 9000 + "1"):
        with suppress(PatternRefused):
            packed.query(text)


def test_arithmetic_follows_the_rules_of_floats():
    packed = original("empty").packed
    assert packed.query("1 div 0") == math.inf
    assert packed.query("-1 div 0") == -math.inf
    assert math.isnan(packed.query("0 div 0"))
    assert math.copysign(1, packed.query("-0")) == -1


@pytest.mark.parametrize(
    ("expression", "texts"),
    [
        ("//b[matches(., 'ON', 'i')]", ["one"]),
        ("//b[ends-with(., 'e')]", ["one", "three"]),
        ("//b[upper-case(.) = 'TWO' or lower-case('A') = 'b']", ["two"]),
        ("//b[replace(., '(.)$', '-$1') = 'tw-o']", ["two"]),
        ("//b[exists(following-sibling::b)]", ["one", "two"]),
        ("//b[empty(following-sibling::b)]", ["three"]),
        ("//b[string-join(following-sibling::b, ' ') = 'two three']", ["one"]),
        ("//b[abs(position() - 2) = 1]", ["one", "three"]),
        ("//b[sum(following-sibling::b) != 0 and sum(preceding-sibling::b) != 0]", ["two"]),
    ],
)
def test_common_functions_of_later_versions_work(expression, texts):
    from webvigil.document import xpath

    digest = read(b"<a><b>one</b><b>two</b><b>three</b></a>", "text/xml")
    answer = open_packed(pack(digest)).only.query(expression)
    assert isinstance(answer, Found)
    assert answer.texts() == texts
    assert [digest.text(node) for _, node in xpath.values(digest, expression)] == texts


DEFAULT = b'<feed xmlns="urn:a" xmlns:m="urn:m"><entry m:k="1"><a/><a/></entry><entry/></feed>'


@pytest.mark.parametrize("prefix", ["feed", "entry", "k", "xmlns"])
def test_a_name_in_the_default_namespace_is_no_prefix(prefix: str):
    packed = open_packed(pack(DEFAULT, "text/xml")).only
    with pytest.raises(PatternRefused) as refused:
        packed.query(f"//{prefix}:x")
    expected = f"XPath, column 3: the prefix {prefix!r} means no namespace in '//{prefix}:x'"
    assert str(refused.value) == expected


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("count(.)", 1.0),
        ("count(/)", 1.0),
        ("count(..)", 0.0),
        ("position()", 1.0),
        ("last()", 1.0),
        ("string(.)", "one\ntwo"),
        ("name()", ""),
        ("count(text())", 1.0),
    ],
)
def test_a_document_without_elements_is_one_node(expression: str, answer: object):
    assert open_packed(pack(b"one\ntwo", "text/plain")).only.query(expression) == answer


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("//b[count(/a/b) = 3]", 3),
        ("//b[count(/a) = 1]", 3),
        ("//b[count(c) = 2]", 1),
        ("//b[count(c/d) = 1]", 1),
        ("//b[count(c[d]) = 1]", 1),
        ("//b[count(c) > 0]", 2),
        ("//b[count(../b) = 3]", 3),
        ("//b[count(//c) = 3]", 3),
    ],
)
def test_nodes_are_counted_from_where_their_path_starts(expression: str, count: int):
    packed = open_packed(pack(b"<a><b><c/><c><d/></c></b><b><c/></b><b/></a>", "text/xml")).only
    found = packed.query(expression)
    assert isinstance(found, Found)
    assert len(found) == count


def test_parentheses_that_are_closed_do_not_nest():
    packed = open_packed(pack(b"<a/>", "text/xml")).only
    closed = "(1) + " * 60
    assert packed.query(f"{closed}{'(' * 49}1{')' * 49}") == 61.0
    with pytest.raises(PatternRefused) as refused:
        packed.query(f"{closed}{'(' * 50}1{')' * 50}")
    assert str(refused.value).startswith(
        "XPath, column 411: parentheses and brackets are nested too deeply in "
    )


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("count(/a/following-sibling::node())", 1),
        ("count(/a/preceding-sibling::node())", 0),
        ("count(//*[following-sibling::comment()])", 1),
        ("count(//node()[following-sibling::comment()])", 1),
        ("count(/node()/following-sibling::node())", 1),
        ("count(/following-sibling::node())", 0),
        ("count(/preceding-sibling::node())", 0),
        ("count(/comment()/preceding-sibling::node())", 1),
        ("count(//comment()[preceding-sibling::a])", 1),
        ("count((//node() | /)[preceding-sibling::node()])", 1),
        ("count((//node() | /)[following-sibling::node()])", 1),
        ("count((/ | /a)[count(following-sibling::node()) = 1])", 1),
        ("count((/ | /a)[count(following-sibling::node()[1]) = 0])", 1),
        ("count((/ | /a)/following-sibling::node()[position() = 1])", 1),
    ],
)
def test_the_document_has_no_siblings_and_its_root_has(expression: str, count: int):
    packed = open_packed(pack(b"<a><b/></a><!--c-->", "text/xml")).only
    assert packed.query(expression) == count
