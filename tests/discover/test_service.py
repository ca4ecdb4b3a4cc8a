"""Service classes are read, or the line of the first mistake is reported (S1)."""

from __future__ import annotations

import time

import pytest

from tests.discover.classes import ASKED, small, text
from webvigil.discover.description import Choice, Element, State
from webvigil.discover.nodes import LARGEST
from webvigil.discover.service import read_service_class, service_class, shipped
from webvigil.errors import MistakeInText, NotFound


def test_a_class_is_read_with_types_graph_and_examples():
    service = small(
        """<type name="Row" type="string" pattern="\\d+"/>
        <type name="Rows"><element type="Row" minOccurs="1" maxOccurs="unbounded"/>
        <element name="end" type="whitespace" required="false"/></type>
        <type name="Result" in="source"><choice><element type="Rows"/>
        <element pattern="none" compile="false"/>
        </choice></type>""",
        between='<vertex name="wait" type="Row"/>',
        edges='<edge origin="start" destination="wait"/><edge origin="wait" destination="end"/>',
        arguments="""<argument required="true" iterator="true" user="true"><name>db</name><type>Row</type>
        <hints><hint>db</hint><hint>base</hint><inputType>select</inputType></hints><value>\\w</value>
        <control>0</control></argument>""",
    )
    row, rows, result = service.types
    assert (row.base, row.pattern) == ("string", "\\d+")
    assert rows.parts == (
        Element(type="Row", least=1, most=None),
        Element(type="whitespace", name="end", least=0),
    )
    assert (result.view, [type(part) for part in result.parts]) == ("source", [Choice])
    assert service.flow.after("start") == (State(name="wait", type="Row"),)
    (argument,) = service.examples[0].arguments
    assert (argument.hints, argument.inputs, argument.control) == (("db", "base"), "select", "0")
    assert (argument.required, argument.iterator, argument.value) == (True, True, "\\w")


def test_values_of_several_lines_lose_their_indentation():
    service = small(
        arguments="<argument required='true'><name>s</name><value>\n   ACG\n   TTT\n  </value></argument>"
    )
    assert service.examples[0].arguments[0].value == "ACG\nTTT"


@pytest.mark.parametrize("name", shipped())
def test_the_shipped_classes_can_be_read(name: str):
    service = service_class(name)
    assert (service.name, bool(service.title), bool(service.about)) == (name, True, True)
    assert service.words


def test_an_unknown_class_is_told_with_those_there_are():
    with pytest.raises(NotFound, match="timetable"):
        service_class("../../etc/passwd")


@pytest.mark.parametrize(
    ("broken", "line", "said"),
    [
        (text().replace("<types>", "<typos>").replace("</types>", "</typos>"), 2, "did you mean 'types'"),
        (text('<type name="Result" type="strin" pattern="a"/>'), 2, "did you mean 'string'"),
        (text('<type name="Result" type="string" patern="a"/>'), 2, "did you mean 'pattern'"),
        (text('<type name="Result" type="string" pattern="a("/>'), 2, "cannot be used"),
        (text('<type name="Result" type="string" pattern="(a)\\1"/>'), 2, "cannot be used"),
        (text('<type name="Result" type="string" pattern="a(?=b)"/>'), 2, "looks around"),
        (text('<type name="Result" type="string" pattern="a*"/>'), 2, "found on every page"),
        (text('<type name="Result"/>'), 2, "either a base"),
        (text('<type name="Result"><choice/></type>'), 2, "at least one <element>"),
        (text('<type name="string" type="integer"/>'), 2, "already"),
        (text('<type name="Result"><element type="Result"/></type>'), 2, "contains itself"),
        (text('<type name="Result"><element pattern="a" maxOccurs="x"/></type>'), 2, "maxOccurs is a number"),
        (
            text('<type name="Result"><element pattern="a" minOccurs="3" maxOccurs="2"/></type>'),
            2,
            "at least minOccurs",
        ),
        (text('<type name="Result"><element pattern="a" required="perhaps"/></type>'), 2, "true or false"),
        (text('<type name="Result" in="heaven" type="string"/>'), 2, "text, source or links"),
        (text(between='<vertex name="start"/>'), 4, "second <vertex>"),
        (text(between='<vertex name="other" origin="true"/>'), 3, "exactly one vertex"),
        (text(edges='<edge origin="start" destination="nowhere"/>'), 6, "no vertex 'nowhere'"),
        (text(edges=""), 5, "no edges lead"),
        (text(result="HTMLform"), 5, "tells it from other pages"),
        (text(mentions='mentions="wort"'), 7, "did you mean 'word'"),
        (text(arguments=""), 7, "required="),
        (text(arguments="<argument required='true'><name>n</name></argument>"), 7, "needs <value>"),
        (
            text(arguments="<argument><name>n</name><type>integer</type><value>x</value></argument>" + ASKED),
            7,
            "not of the type 'integer'",
        ),
        ("<serviceclass>", 1, "not XML"),
        ("", 1, "not XML"),
        ("<html/>", 1, "begins with <serviceclass>"),
        ("<serviceclass/>", 1, "needs <controlflow>"),
        ("<!DOCTYPE serviceclass><serviceclass/>", 1, "document type"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(broken: str, line: int, said: str):
    with pytest.raises(MistakeInText) as caught:
        read_service_class(broken.encode())
    assert said in str(caught.value)
    assert caught.value.line == line


def doubling(parts: str) -> str:
    doubled = (f'<type name="t{n}">{parts.format(f"t{n - 1}")}</type>' for n in range(1, 39))
    first, last = (
        '<type name="t0" type="string" pattern="a"/>',
        '<type name="Result"><element type="t38"/></type>',
    )
    return "".join((first, *doubled, last))


_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "hostile",
    [
        f'<!DOCTYPE serviceclass [<!ENTITY l0 "ha">{_LAUGHS}]><serviceclass name="&l11;"/>',
        '<!DOCTYPE serviceclass SYSTEM "file:///etc/passwd"><serviceclass/>',
        '<!DOCTYPE serviceclass [<!ENTITY x SYSTEM "file:///etc/passwd">]><serviceclass><about>&x;</about></serviceclass>',
        "<serviceclass>" + "<types>" * 100_000,
        "<serviceclass><types>" + "<type/>" * 60_000 + "</types></serviceclass>",
        " " * (LARGEST + 1),
        text("".join(f'<type name="t{n}" type="string" pattern="a"/>' for n in range(600))),
        # Types that double at each level, to 2 to the power of 38 letters; then the same with loose parts.
        text(doubling('<element type="{0}"/><element type="{0}"/>')),
        text(doubling('<element type="{0}" compile="false"/><element type="{0}" compile="false"/>')),
        # Repetitions of repetitions.
        text(
            '<type name="t0" type="string" pattern="[a-z]{900}"/>'
            '<type name="Result"><element type="t0" minOccurs="900" maxOccurs="900"/></type>'
        ),
        text(arguments="<argument required='true'><name>n</name><value>x</value></argument>" * 3000),
        "\x00\x01",
    ],
    ids=range(12),
)  # fmt: skip
def test_hostile_descriptions_are_refused_at_once(hostile: str):
    begun = time.process_time()
    with pytest.raises(MistakeInText):
        read_service_class(hostile.encode())
    assert time.process_time() - begun < 10
