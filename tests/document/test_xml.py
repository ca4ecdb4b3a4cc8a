"""XML is read as lxml reads it: nothing is lost, nothing is fetched, and entities cannot explode."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.document.trees import canonical
from webvigil.document import read, xml
from webvigil.document.xml import NotXml, read_xml
from webvigil.errors import DocumentRefused

FEED = b"""<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet href="a.xsl"?>
<!-- before -->
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><title>News &amp; more</title>
<entry x:id="1"><link href="https://example.org/1"/><x:note><![CDATA[a < b]]> and</x:note></entry>
<entry x:id="2"><?go now?><link href="https://example.org/2"/></entry></feed>
<!-- after -->"""


def test_comments_instructions_and_cdata_are_nodes():  # D1
    digest = read(FEED, "application/atom+xml")
    assert digest.kind == "xml"
    assert {"#comment", "#cdata", "?go", "?xml-stylesheet", "x:note"} <= set(digest.tag_names)
    assert digest.attribute(int(digest.nodes_of("feed")[0]), "xmlns:x") == "urn:x"
    assert digest.title == "News & more"


def test_the_document_comes_back_canonically_equal():  # D2
    digest = read(FEED, "text/xml")
    assert canonical(digest.as_document()) == canonical(FEED)
    assert read(digest.as_document(), digest.content_type) == digest


names = st.sampled_from(["a", "b", "x:c", "long-name", "_d.e"])
texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\r", categories=("L", "N", "P", "Zs", "S")), max_size=8
)
attributes = st.dictionaries(st.sampled_from(["id", "x:y", "class"]), texts | st.just("a\tb\nc"), max_size=2)


def element(children):
    return st.tuples(names, attributes, st.lists(children, max_size=4))


trees = st.recursive(texts | texts.map(lambda text: ("cdata", text)), element, max_leaves=12)


def written(tree):
    """Returns the tree as XML text, by lxml's own escaping."""
    if isinstance(tree, str):
        holder = etree.Element("t")
        holder.text = tree
        return (
            etree.tostring(holder, encoding="unicode")
            .removeprefix("<t>")
            .removesuffix("</t>")
            .replace("<t/>", "")
        )
    if len(tree) == 2:
        return f"<![CDATA[{tree[1].replace(']]>', '')}]]>"
    holder = etree.Element("t", {name.replace(":", "_"): value for name, value in tree[1].items()})
    shown = etree.tostring(holder, encoding="unicode").removeprefix("<t").removesuffix("/>")
    return f"<{tree[0]}{shown}>{''.join(map(written, tree[2]))}</{tree[0]}>"


@given(element(trees))
def test_any_document_comes_back_canonically_equal(tree):  # D2
    document = f'<root xmlns:x="urn:x">{written(tree)}<!--c--><?p d?></root>'.encode()
    digest = read(document, "text/xml")
    assert canonical(digest.as_document()) == canonical(document)
    assert read(digest.as_document(), digest.content_type) == digest


@given(element(trees))
def test_structure_and_paths_are_those_of_lxml(tree):  # D1, D4
    document = f'<root xmlns:x="urn:x">{written(tree)}</root>'.encode()
    digest = read(document, "text/xml")
    root = etree.fromstring(document)
    elements = [node for node in range(1, len(digest)) if digest.tag(node)[0] not in "#?"]
    assert len(elements) == len(list(root.iter()))
    for node, other in zip(elements, root.iter(), strict=True):
        found = root.xpath(digest.path(node), namespaces={"x": "urn:x"})
        assert found == [other]
        assert dict(other.attrib) == {
            name: value for name, value in digest.attributes(node).items() if not name.startswith("xmlns")
        }


def test_the_path_of_a_text_finds_it_although_cdata_divides_it():  # D4
    document = b"<a>one<b/>two<![CDATA[three]]>four<b/></a>"
    digest = read(document, "text/xml")
    root = etree.fromstring(document)
    texts = [node for node in range(len(digest)) if digest.is_text[node]]
    assert [digest.path(node) for node in texts] == ["/a/text()[1]", *["/a/text()[2]"] * 3]
    assert root.xpath(digest.path(texts[1])) == ["twothreefour"]


def test_billion_laughs_are_refused():  # F9
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY l0 "ha">{entities}]><x>&l9;</x>'.encode()
    started = time.process_time()
    with pytest.raises(DocumentRefused, match="made to fill the memory"):
        read(bomb, "text/xml")
    assert time.process_time() - started < 1


def test_one_long_entity_used_often_is_refused():
    bomb = f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]><x>{"&a;" * 5000}</x>'.encode()
    with pytest.raises(DocumentRefused):
        read(bomb, "text/xml")


def test_a_modest_entity_is_expanded():
    digest = read(b'<!DOCTYPE x [<!ENTITY who "world">]><x>hello &who;</x>', "text/xml")
    assert digest.visible_text == "hello world"
    assert read(digest.as_document(), digest.content_type) == digest


def test_an_external_entity_is_not_fetched_but_stays_visible(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("do not tell")
    document = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]><x>a &e; b</x>'.encode()
    digest = read(document, "text/xml")
    assert digest.visible_text == "a &e; b"


def test_an_external_doctype_is_not_fetched_and_html_entities_are_known():
    document = b'<!DOCTYPE x SYSTEM "http://localhost:9/x.dtd"><x>caf&eacute; &odd;</x>'
    assert read(document, "text/xml").visible_text == "café &odd;"


def test_xml_that_is_not_well_formed_is_repaired():  # F9: feeds in the wild
    digest = read(
        b"<rss><channel><title>A & B</title><item><link>https://e.org/1</link></channel></rss>", "text/xml"
    )
    assert digest.kind == "xml"
    assert digest.links[0].url == "https://e.org/1"


def test_what_cannot_be_repaired_is_no_xml():
    with pytest.raises(NotXml):
        read_xml("just words")
    assert read(b"just words", "text/xml").kind == "text"


def test_xhtml_is_read_as_xml_with_the_objects_of_html():
    page = b"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head>
    <body><p>a<b>b</b></p><p><a href="/x">go</a></p><script>no()</script></body></html>"""
    digest = read(page, "application/xhtml+xml", "https://e.org/")
    assert (digest.kind, digest.is_html) == ("xml", True)
    assert digest.visible_text == "ab\ngo"
    assert [link.url for link in digest.links] == ["https://e.org/x"]


def test_broken_xhtml_is_read_as_html():
    digest = read(b"<html><body><p>one<p>two & three</body></html>", "application/xhtml+xml")
    assert digest.kind == "html"
    assert digest.visible_text == "one\ntwo & three"


def test_a_feed_sent_as_html_is_still_a_feed():
    assert read(b'<?xml version="1.0"?><rss><channel/></rss>', "text/html").kind == "xml"


@pytest.mark.parametrize(("times", "is_read"), [(6, True), (7, False)])
def test_a_document_may_grow_by_its_entities_up_to_a_limit(
    times: int, is_read: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(xml, "_GROWTH", 1)
    monkeypatch.setattr(xml, "_ALLOWANCE", 0)
    page = f'<!DOCTYPE x [<!ENTITY a "1234567890">]><x>{"&a;" * times}</x>'.encode()
    if is_read:
        assert read(page, "text/xml").text(0) == "1234567890" * times
        return
    with pytest.raises(DocumentRefused) as refused:
        read(page, "text/xml")
    assert str(refused.value).startswith(
        "this page is not read: it is an XML document whose entities stand for"
    )


@pytest.mark.parametrize(
    ("document", "doctype"),
    [
        ("<!DOCTYPE a><a/>", "a"),
        ("<!-- <!DOCTYPE b> --><!DOCTYPE  a ><a/>", "a"),
        ("<!DOCTYPE a SYSTEM 'x>y'><a/>", "a SYSTEM 'x>y'"),
        ("<!DOCTYPE a [<!ENTITY b '>'>]><a/>", "a [<!ENTITY b '>'>]"),
        ("<!DOCTYPE a SYSTEM 'é'><a/>", "a SYSTEM 'é'"),
    ],
)
def test_a_doctype_is_kept_as_written(document: str, doctype: str):
    digest = read(document.encode(), "text/xml")
    (node,) = digest.nodes_of("#doctype").tolist()
    assert digest.own_text(node) == doctype


@pytest.mark.parametrize(
    ("document", "nodes"),
    [
        ("<a>1<b/>2</a>", ["a", "#text=1", "b", "#text=2"]),
        ("<a><![CDATA[]]></a>", ["a", "#cdata="]),
        ("<a>1<![CDATA[2]]>3</a>", ["a", "#text=1", "#cdata=2", "#text=3"]),
        ("<a>1<!--2-->3<?p q?>4</a>", ["a", "#text=1", "#comment=2", "#text=3", "?p=q", "#text=4"]),
        ("<a>&lt;&#65;&amp;</a>", ["a", "#text=<A&"]),
        (
            "<!DOCTYPE a SYSTEM 'x'><a>&nbsp;&copy;&none;</a>",
            ["#doctype=a SYSTEM 'x'", "a", "#text=\xa0©&none;"],
        ),
        ("<a b='1' c='2'/>", ["a"]),
    ],
)
def test_texts_end_where_another_node_begins(document: str, nodes: list[str]):
    digest = read(document.encode(), "text/xml")
    shown = [
        f"{digest.tag(node)}={digest.own_text(node)}" if digest.content[node] >= 0 else digest.tag(node)
        for node in range(1, len(digest))
    ]
    assert shown == nodes
