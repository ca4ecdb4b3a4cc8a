"""XPath on a digest: an expression in, a mask of the nodes it finds out.

The digest becomes an lxml tree once; lxml evaluates. What the expression may cost on this page is
estimated first, for a running evaluation cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree

from webvigil.document import writer, xpath_functions
from webvigil.document.arrays import Longs, Mask
from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, TEXT
from webvigil.document.writer import XML_TEXT, XML_VALUE, escaped
from webvigil.document.xpath_functions import EXTENSIONS
from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_LONGEST = 4000
_DEEPEST = 5000
# Visits of nodes that an evaluation may take by our estimate: a good deal less than a second.
_VISITS = 2e7
_INVALID_NAME = re.compile(r"[^\w.-]|^[\d.-]")
_INVALID_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHOLE_PAGE = re.compile(r"(?<![\w.\])*])//|following::|preceding::")
_SUBTREES = re.compile(r"//|descendant(?:-or-self)?::|-sibling::|\.")
_QUALIFIED = re.compile(r"[^\W\d][\w.-]*:[^\W\d][\w.-]*")
_RESERVED = frozenset(("xml", "xmlns"))
# A prefix that the page does not know means a namespace that nothing on it is in.
_PREFIXES = re.compile(r"([^\W\d][\w.-]*):(?=[^\W\d]|\*)")
_NOWHERE = "urn:x-webvigil:nowhere"
_XML = "http://www.w3.org/XML/1998/namespace"
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_STRINGS_KEPT = re.compile(rf"({_STRINGS.pattern})")


# Bytes of an element with what hangs on it, as the process grows on real pages.
_ELEMENT = 640


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The digest as an lxml tree; `node_of` leads from an element to its node in the digest."""

    root: Any
    node_of: dict[Any, int]
    namespaces: dict[str, str]

    def __sizeof__(self) -> int:
        """With the nodes of libxml2, which are not Python's: an element, its attributes and texts."""
        return object.__sizeof__(self) + _ELEMENT * len(self.node_of)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """What an expression finds on a page: nodes, and attributes by their rows in AM."""

    nodes: Mask
    rows: Mask


def select(digest: PageDigest, expression: str) -> Mask:
    """The nodes that an expression finds; an attribute is found with the element that carries it.

    Raises PatternRefused for an expression that cannot be used, or not on this page.
    """
    found = chosen(digest, expression)
    nodes = found.nodes.copy()
    nodes[digest.attribute_node[found.rows]] = True
    return nodes


def chosen(digest: PageDigest, expression: str) -> Chosen:
    """The nodes and the attributes that an expression finds. Raises PatternRefused as `select` does."""
    return digest.once(f"xpath {expression}", lambda digest: _chosen(digest, expression))


def _chosen(digest: PageDigest, expression: str) -> Chosen:
    tree, answer = _answer(digest, expression)
    if not isinstance(answer, list):
        raise PatternRefused(f"the XPath {expression!r} gives a value, not a part of the page")
    nodes = np.zeros(len(digest), dtype=np.bool_)
    rows = np.zeros(len(digest.attribute_node), dtype=np.bool_)
    for one in answer:
        node = _node(digest, tree, one)
        if getattr(one, "is_attribute", False):
            rows[_row(digest, node, one)] = True
        elif node is not None:
            nodes[node : _end_of_text(digest, node)] = True
    return Chosen(nodes, rows)


def _row(digest: PageDigest, node: int | None, one: Any) -> list[int]:
    """The row of AM in which an attribute stands. Its prefix is looked up as its element knows it."""
    if node is None:
        return []
    address, _, local = str(one.attrname).removeprefix("{").rpartition("}")
    known = {"xml": _XML, **one.getparent().nsmap}
    names = {f"{prefix}:{local}" for prefix, meaning in known.items() if prefix and meaning == address}
    rows = range(int(digest.attribute_start[node]), int(digest.attribute_start[node + 1]))
    written = digest.attribute_names
    return [row for row in rows if written[digest.attribute_name[row]] in (names if address else {local})]


def _end_of_text(digest: PageDigest, node: int) -> int:
    """The number behind a node. Texts that follow each other in one element are one text to XPath."""
    end = node + 1
    while digest.is_text[node] and end < len(digest) and digest.is_text[end]:
        if digest.depths[end] != digest.depths[node]:
            break
        end += 1
    return end


def values(digest: PageDigest, expression: str) -> list[tuple[str | None, int]]:
    """What an expression finds: the nodes, of attributes with their text; a value stands at node 0."""
    tree, answer = _answer(digest, expression)
    if not isinstance(answer, list):
        text = str(answer).lower() if isinstance(answer, bool) else str(answer)
        return [(text.removesuffix(".0") if isinstance(answer, float) else text, 0)]
    found = [(one, _node(digest, tree, one)) for one in answer]
    return [
        (str(one) if getattr(one, "is_attribute", False) else None, node)
        for one, node in found
        if node is not None
    ]


def _answer(digest: PageDigest, expression: str) -> tuple[Tree, Any]:
    # What holds everything is no node of the digest that could be found; its root is.
    expression = "/*" if expression.strip() == "/" else xpath_functions.spelled(expression)
    compiled(expression, ())
    _refuse_cost(digest, expression)
    tree = _tree_for(digest, expression)
    expression = _with_known_prefixes(digest, expression, tree.namespaces)
    unknown = dict.fromkeys(_PREFIXES.findall(_STRINGS.sub("", expression)), _NOWHERE)
    evaluate = compiled(expression, tuple(sorted((unknown | tree.namespaces).items())))
    try:
        return tree, evaluate(tree.root)
    except etree.XPathError as error:
        raise PatternRefused(f"the XPath {expression!r} cannot be used: {error}") from error


def _tree_for(digest: PageDigest, expression: str) -> Tree:
    """Expressions that ask for namespaces by their addresses get a tree with all of them in it."""
    if digest.kind != "xml" or "namespace" not in _STRINGS.sub("", expression):
        return digest.tree
    return digest.once("tree with default namespaces", lambda digest: tree_of(digest, True))


def _with_known_prefixes(digest: PageDigest, expression: str, namespaces: Mapping[str, str]) -> str:
    """Where a document has a default namespace, a prefix that it does not declare is taken for that: people
    write `atom:entry`, or whatever prefix their own notes have for it."""
    if digest.kind != "xml" or not len(digest.whole.rows_of("xmlns")):
        return expression
    pieces = _STRINGS_KEPT.split(expression)
    known = {*namespaces, *_RESERVED}
    return "".join(
        piece if number % 2 else _PREFIXES.sub(lambda one: one[0] if one[1] in known else "", piece)
        for number, piece in enumerate(pieces)
    )


def compiled(expression: str, namespaces: tuple[tuple[str, str], ...]) -> Any:
    if len(expression) > _LONGEST:
        raise PatternRefused(f"the XPath is too long: at most {_LONGEST} characters")
    expression = xpath_functions.spelled(expression)
    xpath_functions.check(expression)
    try:
        return etree.XPath(expression, namespaces=dict(namespaces) or None, extensions=EXTENSIONS)
    except (etree.XPathError, ValueError) as error:
        raise PatternRefused(f"the XPath {expression!r} cannot be used: {error}") from error


def tree_of(digest: PageDigest, default_namespaces: bool = False) -> Tree:
    """Names and characters that XML does not know are replaced; nothing else is lost.

    An element without a prefix is in no namespace, so that it is found by the name that a reader sees. With
    `default_namespaces` it is in the one that the document says, for expressions that ask for it.
    """
    if digest.kind in ("text", "binary"):
        raise PatternRefused("XPath needs a page with markup; this one is plain")
    if int(digest.depths.max()) > _DEEPEST:
        raise PatternRefused("the page is nested too deeply for XPath; use a CSS selector")
    if digest.kind == "xml":
        left_out = digest.is_tag((DOCTYPE,))
        namespaces = _namespaces(digest.whole)
        text = _xml_text(digest, namespaces, default_namespaces)
    else:
        left_out = _instructions(digest)
        namespaces = _made_up(digest)
        text = "".join(_as_xml(digest, namespaces))
    return _tree(digest, text, namespaces, np.flatnonzero(~(digest.is_text | left_out)))


def _tree(digest: PageDigest, text: str, namespaces: dict[str, str], nodes: Longs) -> Tree:
    """A part of a page may be several elements, or texts alone: these get an element around them."""
    if _has_one_root(digest):
        root = _parse(text)
        before = reversed(list(root.itersiblings(preceding=True)))
        return Tree(root, _paired([*before, *root.iter(), *root.itersiblings()], nodes[1:]), namespaces)
    if digest.whole is digest:
        raise PatternRefused("there is no element on this page")
    root = _parse(f"<part{_declared(namespaces)}>{text}</part>")
    return Tree(root, _paired(list(root.iter()), nodes), namespaces)


def _has_one_root(digest: PageDigest) -> bool:
    top = digest.depths == 1
    return int((top & (digest.content < 0)).sum()) == 1 and not (top & digest.is_text).any()


def _declared(namespaces: Mapping[str, str]) -> str:
    return "".join([f' xmlns:{name}="{escaped(uri, XML_VALUE)}"' for name, uri in namespaces.items()])


def _xml_text(digest: PageDigest, namespaces: dict[str, str], default_namespaces: bool) -> str:
    """XML goes through its own text, for libxml2 knows best which namespace a prefix means where.

    The root of a part gets the declarations that stand on the page around it.
    """
    rows = np.ones(len(digest.attribute_node), dtype=np.bool_)
    rows[digest.rows_of("xmlns")] = default_namespaces
    part = digest.part(~digest.is_tag((DOCTYPE,)), rows)
    text = part.as_document().decode("utf-8")
    if digest.whole is digest or not _has_one_root(digest):
        return text
    root = int(np.flatnonzero((part.depths == 1) & (part.content < 0))[0])
    own = part.attributes(root)
    missing = {name: uri for name, uri in namespaces.items() if f"xmlns:{name}" not in own}
    nodes, starts = writer.places(part)
    place = starts[nodes.index(root)] + 1 + len(part.tag(root))
    return f"{text[:place]}{_declared(missing)}{text[place:]}"


def _parse(document: str) -> Any:
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(document.encode("utf-8", "replace"), parser)
    if root is None:
        raise PatternRefused("there is no element on this page")
    return root


def _paired(found: list[Any], nodes: Longs) -> dict[Any, int]:
    if len(found) != len(nodes):
        raise PatternRefused("this page cannot be searched by XPath")
    return dict(zip(found, nodes.tolist(), strict=True))


def _namespaces(digest: PageDigest) -> dict[str, str]:
    """The prefixes the document declares (the first meaning of each), for use in expressions."""
    found: dict[str, str] = {}
    for name in digest.attribute_names:
        if name.startswith("xmlns:"):
            row = int(digest.rows_of(name)[0])
            found[name[6:]] = digest.attribute_values[digest.attribute_value[row]]
    return {prefix: address for prefix, address in found.items() if address}


def _made_up(digest: PageDigest) -> dict[str, str]:
    """A namespace for each prefix that names of HTML have (`<o:p>`, `xlink:href`), so that it can be used in
    expressions: HTML itself takes a colon for a letter."""
    names = (*digest.tag_names, *digest.attribute_names)
    prefixes = {name.partition(":")[0] for name in names if _QUALIFIED.fullmatch(name)}
    return {prefix: f"{_NOWHERE}:{prefix}" for prefix in sorted(prefixes - _RESERVED)}


def _as_xml(digest: PageDigest, namespaces: dict[str, str]) -> Iterator[str]:
    """Everything but XML becomes XML for the purpose; making the elements one by one takes far longer."""
    names = [_known_name(name, namespaces) for name in digest.tag_names]
    closings = [f"</{name}>" for name in names]
    written, elements = _kinds(digest.tag_names)
    texts = [escaped(_INVALID_TEXT.sub("\ufffd", text), XML_TEXT) for text in digest.texts]
    attributes = _attribute_texts(digest, namespaces)
    ends = (np.arange(len(digest)) + digest.sizes)[1:].tolist()
    columns = (digest.tags[1:].tolist(), digest.content[1:].tolist(), ends)
    declared = _declared(namespaces)
    open_tags: list[tuple[int, str]] = []
    for node, (tag, content, end) in enumerate(zip(*columns, strict=True), 1):
        while open_tags and open_tags[-1][0] <= node:
            yield open_tags.pop()[1]
        if tag in written:
            yield texts[content]
        elif elements[tag]:
            yield f"<{names[tag]}{'' if open_tags else declared}{attributes.get(node, '')}>"
            open_tags.append((end, closings[tag]))
        elif digest.tag_names[tag] == COMMENT:
            yield f"<!--{_in_comment(digest.texts[content])}-->"
    yield from (closing for _, closing in reversed(open_tags))


def _in_comment(text: str) -> str:
    """A comment of XML has no two hyphens in a row, and none at its end."""
    return re.sub("-(?=-|$)", "- ", _INVALID_TEXT.sub("\ufffd", text))


def _known_name(name: str, namespaces: dict[str, str]) -> str:
    """A name as XML can have it: a colon stays where there is a namespace for what is before it."""
    is_qualified = _QUALIFIED.fullmatch(name) and name.partition(":")[0] in (*namespaces, "xml")
    return name if is_qualified else _INVALID_NAME.sub("_", name)


def _kinds(names: tuple[str, ...]) -> tuple[set[int], list[bool]]:
    """The numbers of the names of texts, and per name whether it is that of an element."""
    texts = {number for number, name in enumerate(names) if name in (TEXT, CDATA)}
    return texts, [name[0] not in "#?" for name in names]


def _attribute_texts(digest: PageDigest, namespaces: dict[str, str]) -> dict[int, str]:
    """Per node its attributes as XML; those whose name XML does not know are left out."""
    keys = [
        name if name != "xmlns" and _known_name(name, namespaces) == name else None
        for name in digest.attribute_names
    ]
    values = [escaped(_INVALID_TEXT.sub("\ufffd", value), XML_VALUE) for value in digest.attribute_values]
    found: dict[int, list[str]] = {}
    columns = (digest.attribute_node, digest.attribute_name, digest.attribute_value)
    for node, name, value in zip(*(column.tolist() for column in columns), strict=True):
        if key := keys[name]:
            found.setdefault(node, []).append(f' {key}="{values[value]}"')
    return {node: "".join(parts) for node, parts in found.items()}


def _instructions(digest: PageDigest) -> Mask:
    return digest.is_tag([name for name in digest.tag_names if name[0] == "?" or name == DOCTYPE])


def _node(digest: PageDigest, tree: Tree, one: Any) -> int | None:
    """The node of an element, of the element that carries an attribute, of a text."""
    if not isinstance(one, str):
        return tree.node_of.get(one)
    parent: Any = getattr(one, "getparent", lambda: None)()
    around = tree.node_of.get(parent)
    if around is None or getattr(one, "is_attribute", False):
        return around
    return around + int(digest.sizes[around]) if getattr(one, "is_tail", False) else around + 1


def _refuse_cost(digest: PageDigest, expression: str) -> None:
    """Predicates run once per node in question; one that looks at the whole page costs the whole page."""
    count = len(digest)
    # What is found is put in order by going up from node to node.
    if float(digest.depths.sum(dtype=np.int64)) > _VISITS:
        raise PatternRefused("the page is nested too deeply for XPath; use a CSS selector")
    subtree = float(digest.sizes.sum(dtype=np.int64)) / count
    levels = _by_nesting(_STRINGS.sub("''", expression))
    visits = float(count) * subtree ** max(len(_SUBTREES.findall(levels[0])) - 1, 0)
    for level in levels[1:]:
        visits *= count if _WHOLE_PAGE.search(level) else subtree if _SUBTREES.search(level) else 1.0
    if visits > _VISITS:
        raise PatternRefused(f"the XPath {expression!r} would take too long on this page")


def _by_nesting(expression: str) -> list[str]:
    """The text outside of predicates, that in predicates, that in predicates of predicates …"""
    levels: dict[int, list[str]] = {0: []}
    depth = 0
    for character in expression:
        depth += character == "["
        levels.setdefault(depth, []).append(character)
        depth -= character == "]"
    return ["".join(levels[level]) for level in sorted(levels)]
