"""What is packed comes back: canonically equal XML, the same tree of HTML, and on request the same bytes."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.document.trees import events
from tests.xpack.documents import HTML, LOG_ENTRY, XML
from webvigil.document import PageDigest, read
from webvigil.document.containers import ASPECTS
from webvigil.xpack import PROFILES, codecs, open_packed, pack, unpack
from webvigil.xpack.codecs import CODECS

_BESIDE = [folder / "shared/data" for folder in Path(__file__).parents[3:]]
DATA = next((folder for folder in _BESIDE if folder.is_dir()), Path("nowhere"))
REAL_XML = sorted((DATA / "xml").glob("*.xml"))
REAL_HTML = sorted((DATA / "pairs").glob("*.old.html"))[::4]


def canonical(document: bytes) -> bytes:
    """Returns the document as C14N, with the attributes that its doctype gives by default."""
    parser = etree.XMLParser(no_network=True, attribute_defaults=True, huge_tree=True)
    return etree.tostring(etree.fromstring(document, parser).getroottree(), method="c14n")


PLAIN = {
    "json": (json.dumps({"a": [1, None, "x\0y\1z", {"b": "\ud800"}]}).encode(), "application/json"),
    "text": ("first line\nsecond\n\nthird ü".encode(), "text/plain"),
    "binary": (bytes(range(256)), "application/octet-stream"),
    "empty": (b"", "text/html"),
    "empty text": (b"", "text/plain"),
    "html": (HTML.encode(), "text/html"),
}


def equal(ours: PageDigest, original: PageDigest) -> bool:
    """Compares every container of two digests, and not only their signatures."""
    columns = ("structure", "tags", "attribute_node", "attribute_name", "attribute_value", "content")
    tables = ("kind", "tag_names", "attribute_names", "attribute_values", "texts", "source_url")
    return (
        ours == original
        and all(getattr(ours, name).tolist() == getattr(original, name).tolist() for name in columns)
        and all(getattr(ours, name) == getattr(original, name) for name in tables)
    )


@pytest.mark.parametrize("name", XML)
def test_xml_comes_back_canonically_equal(name: str):
    source = XML[name].encode()
    packed = open_packed(pack(source, "application/xml", "https://example.org/x")).only
    assert canonical(packed.document()) == canonical(source)
    assert equal(packed.digest(), read(source, "application/xml", "https://example.org/x"))
    assert packed.url == "https://example.org/x"


@pytest.mark.parametrize("name", PLAIN)
def test_every_kind_of_document_comes_back(name: str):
    body, kind = PLAIN[name]
    digest = read(body, kind)
    assert equal(unpack(pack(digest)), digest)
    assert open_packed(pack(body, kind, exact=True)).only.document() == body


def test_html_comes_back_as_the_same_tree():
    packed = open_packed(pack(HTML.encode(), "text/html")).only
    assert events(read(packed.document(), "text/html")) == events(read(HTML.encode(), "text/html"))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("codec", CODECS)
def test_every_profile_and_compressor_goes_back(profile: str, codec: str):  # X2
    for text, kind in ((XML["books"], "text/xml"), (XML["namespaces"], "text/xml"), (HTML, "text/html")):
        digest = read(text.encode(), kind)
        data = pack(digest, profile=profile, codec=codec)
        packed = open_packed(data).only
        assert packed.head.profile == profile
        assert equal(packed.digest(), digest)


@pytest.mark.parametrize("name", XML)
def test_exactly_the_same_bytes_on_request(name: str):
    for source in (
        XML[name].encode(),
        XML[name].encode() + b"\n\n",
        XML[name].replace("><", " >\r\n<", 1).encode(),
    ):
        packed = open_packed(pack(source, "application/xml", exact=True)).only
        assert packed.is_exact
        assert packed.document() == source


def test_signatures_are_answered_without_the_document():  # D3
    digest = read(HTML.encode(), "text/html").with_pictures({"https://example.org/a.png": "00ff"})
    packed = open_packed(pack(digest, signatures=True)).only
    loaded = packed.digest()
    assert {name: packed.signatures[name] for name in ASPECTS} == {
        name: getattr(digest, name) for name in ASPECTS
    }
    assert loaded == digest
    assert (loaded.source_hash, dict(loaded.pictures)) == (digest.source_hash, dict(digest.pictures))


def test_signatures_made_otherwise_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    digest = read(HTML.encode(), "text/html")
    data = pack(digest, signatures=True)
    monkeypatch.setattr("webvigil.xpack.document.method", lambda: b"new!")
    loaded = open_packed(data).only.digest()
    assert loaded == digest
    assert not set(ASPECTS) & set(open_packed(data).only.signatures)


def test_the_profile_is_chosen_by_looking():  # X2
    data = "<r>" + "".join(f"<e><k>{n}</k><v>{n % 7}</v></e>" for n in range(300)) + "</r>"
    prose = (
        "<r>" + "".join(f"<p>{'a sentence of some length, number ' * 3}{n}</p>" for n in range(300)) + "</r>"
    )
    chosen = [
        open_packed(pack(text.encode(), kind)).only.head.profile
        for text, kind in ((data, "text/xml"), (prose, "text/xml"), (HTML, "text/html"))
    ]
    assert chosen == ["data", "text", "page"]


def test_deep_and_wide_documents_take_no_stack():
    deep = "<a>" * 20_000 + "x" + "</a>" * 20_000
    wide = "<r>" + "".join(f"<n{n}/>" for n in range(20_000)) + "</r>"
    for text in (deep, wide):
        digest = read(text.encode(), "text/xml")
        packed = open_packed(pack(digest)).only
        assert equal(packed.digest(), digest)
        assert packed.query("count(//*)") == text.count("<") / 2 if text is deep else True
    assert (
        open_packed(pack(deep.encode(), "text/xml")).only.query("count(//a[a][not(parent::b)])") == 19_999.0
    )


# --- generated -------------------------------------------------------------------------------------------

_names = st.sampled_from(["a", "b", "c:d", "e-f"])
_texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\r", categories=("L", "N", "P", "Zs", "S")), max_size=9
)


def _element(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    attributes = st.dictionaries(st.sampled_from(["k", "c:k"]), _texts, max_size=2)
    return st.tuples(_names, attributes, st.lists(children, max_size=5))


def _written(tree: Any) -> str:
    if isinstance(tree, str):
        return _escaped(tree)
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in tree[1].items())
    return f"<{tree[0]}{attributes}>{''.join(map(_written, tree[2]))}</{tree[0]}>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


@settings(max_examples=100, deadline=None)
@given(_element(st.recursive(_texts, _element, max_leaves=20)), st.sampled_from([None, *PROFILES]))
def test_generated_xml_comes_back(tree: Any, profile: str | None):
    source = f'<r xmlns:c="urn:c">{_written(tree)}</r>'.encode()
    packed = open_packed(pack(source, "text/xml", profile=profile, exact=True)).only
    assert equal(packed.digest(), read(source, "text/xml"))
    assert packed.document() == source
    assert canonical(packed.digest().as_document()) == canonical(source)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200) | st.text("<>/ab=\"' !-&;p", max_size=200))
def test_any_text_as_html_comes_back(text: str):
    body = text.encode("utf-8", "surrogatepass")
    packed = open_packed(pack(body, "text/html; charset=utf-8", exact=True)).only
    assert equal(packed.digest(), read(body, "text/html; charset=utf-8"))
    assert packed.document() == body


# --- real documents, where they are available --------------------------------------------------------------


@pytest.mark.parametrize("file", REAL_XML + REAL_HTML, ids=lambda file: file.stem)
def test_real_documents_come_back_and_are_smaller_than_gzip(file: Path):
    body, kind = file.read_bytes(), "text/xml" if file.suffix == ".xml" else "text/html"
    digest = read(body, kind)
    data = pack(digest)
    packed = open_packed(data).only
    assert equal(packed.digest(), digest)
    assert len(data) < len(gzip.compress(body, 9)) * (0.855 if kind == "text/xml" else 1)


def test_made_documents_over_4_kilobytes_are_smaller_than_gzip():
    """The documents are data, prose, attributes, many names, and noise that hardly packs at all."""
    dice = random.Random(7)
    words = ["".join(dice.choices("abcdefghijklmnop", k=dice.randint(2, 9))) for _ in range(400)]
    noise = ["".join(dice.choices("0123456789abcdef", k=64)) for _ in range(200)]
    made = {
        "data": "<r>"
        + "".join(f"<e><id>{n}</id><v>{dice.random():.4f}</v></e>" for n in range(200))
        + "</r>",
        "prose": "<r>" + "".join(f"<p>{' '.join(dice.choices(words, k=30))}</p>" for _ in range(40)) + "</r>",
        "attributes": "<r>" + "".join(f'<e a="{w}" b="{n}"/>' for n, w in enumerate(words)) + "</r>",
        "noise": "<r>" + "".join(f"<e>{one}</e>" for one in noise) + "</r>",
        "one noise": f"<r>{''.join(noise)}</r>",
        "entry": f"<log>{LOG_ENTRY * 20}</log>",
        "many names": "<r>" + "".join(f"<n{w}{n}/>" for n, w in enumerate(words * 3)) + "</r>",
    }
    for name, text in made.items():
        body = text.encode()
        assert len(body) > 4096
        assert len(pack(body, "text/xml")) <= len(gzip.compress(body, 9)), name


def test_a_very_large_container_is_packed_quicker_and_still_smaller_than_gzip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codecs, "_LARGE", 100_000)
    raw = b"".join(b"%d words in a long text " % (number * number) for number in range(10_000))
    codec, stored = codecs.packed(raw, CODECS["zstd"])
    assert len(stored) < len(zlib.compress(raw, 9))
    assert codecs.opened(stored, codec, len(raw)) == raw


_PAGE = "<p id=a class=b>one</p><p title=c>two</p><!--d-->"
_MUCH = "".join(
    f"<p id=a{number} class=b{number % 7}>text {number * 7919 % 1009}</p>" for number in range(900)
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("body", [_PAGE, _MUCH])
def test_every_table_and_column_comes_back_as_it_was(body: str, profile: str):
    digest = read(body.encode(), "text/html", "https://example.org/")
    again = open_packed(pack(digest, profile=profile)).only.digest()
    for name in ("tag_names", "attribute_names", "attribute_values", "texts"):
        assert getattr(again, name) == getattr(digest, name), name
    for name in (
        "structure",
        "tags",
        "attribute_node",
        "attribute_name",
        "attribute_value",
        "content",
        "depths",
    ):
        assert getattr(again, name).tolist() == getattr(digest, name).tolist(), name
    assert (again.characters, again.attribute_characters) >= (digest.characters, digest.attribute_characters)
    assert again.signature == digest.signature
