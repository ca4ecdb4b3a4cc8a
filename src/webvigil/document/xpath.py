"""XPath 1.0 on a digest: an expression in, a mask of the nodes it finds out.

The digest becomes an lxml tree once; lxml evaluates. What the expression may cost on this page is
estimated first, for a running evaluation cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree

from webvigil.document.arrays import Longs, Mask
from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, DOCUMENT, TEXT
from webvigil.document.writer import XML_TEXT, XML_VALUE, escaped
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
_NO_ATTRIBUTE = re.compile(r"[^\w.-]|^[\d.-]|^xmlns$")
# A prefix that the page does not know means a namespace that nothing on it is in.
_PREFIXES = re.compile(r"([^\W\d][\w.-]*):(?=[^\W\d]|\*)")
_NOWHERE = "urn:x-webvigil:nowhere"
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")


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


def select(digest: PageDigest, expression: str) -> Mask:
    """Raises PatternRefused for an expression that cannot be used, or not on this page."""
    answer = _answer(digest, expression)
    if not isinstance(answer, list):
        raise PatternRefused(f"the XPath {expression!r} gives a value, not a part of the page")
    found = np.zeros(len(digest), dtype=np.bool_)
    for one in answer:
        node = _node(digest, digest.tree, one)
        if node is not None:
            found[node] = True
    return found


def values(digest: PageDigest, expression: str) -> list[tuple[str | None, int]]:
    """What an expression finds: the nodes, of attributes with their text; a value stands at node 0."""
    answer = _answer(digest, expression)
    if not isinstance(answer, list):
        text = str(answer).lower() if isinstance(answer, bool) else str(answer)
        return [(text.removesuffix(".0") if isinstance(answer, float) else text, 0)]
    found = [(one, _node(digest, digest.tree, one)) for one in answer]
    return [
        (str(one) if getattr(one, "is_attribute", False) else None, node)
        for one, node in found
        if node is not None
    ]


def _answer(digest: PageDigest, expression: str) -> Any:
    evaluate = compiled(expression, ())
    _refuse_cost(digest, expression)
    tree = digest.tree
    namespaces = dict.fromkeys(_PREFIXES.findall(_STRINGS.sub("", expression)), _NOWHERE) | tree.namespaces
    if namespaces:
        evaluate = compiled(expression, tuple(sorted(namespaces.items())))
    try:
        return evaluate(tree.root)
    except etree.XPathError as error:
        raise PatternRefused(f"the XPath {expression!r} cannot be used: {error}") from error


def compiled(expression: str, namespaces: tuple[tuple[str, str], ...]) -> Any:
    if len(expression) > _LONGEST:
        raise PatternRefused(f"the XPath is too long: at most {_LONGEST} characters")
    try:
        return etree.XPath(expression, namespaces=dict(namespaces) or None)
    except (etree.XPathError, ValueError) as error:
        raise PatternRefused(f"the XPath {expression!r} cannot be used: {error}") from error


def tree_of(digest: PageDigest) -> Tree:
    """Names and characters that XML does not know are replaced; nothing else is lost."""
    if digest.kind in ("text", "binary"):
        raise PatternRefused("XPath needs a page with markup; this one is plain")
    if int(digest.depths.max()) > _DEEPEST:
        raise PatternRefused("the page is nested too deeply for XPath; use a CSS selector")
    return _xml_tree(digest) if digest.kind == "xml" else _other_tree(digest)


def _xml_tree(digest: PageDigest) -> Tree:
    """XML goes through its own text, for libxml2 knows best which namespace a prefix means where."""
    root = _parse(digest.part(~digest.is_tag((DOCTYPE,))).as_document())
    before = reversed(list(root.itersiblings(preceding=True)))
    found = [*before, *root.iter(), *root.itersiblings()]
    nodes = np.flatnonzero(~(digest.is_text | digest.is_tag((DOCUMENT, DOCTYPE))))
    return Tree(root, _paired(found, nodes), _namespaces(digest))


def _other_tree(digest: PageDigest) -> Tree:
    """Everything else becomes XML for the purpose; making the elements one by one takes far longer."""
    roots = np.flatnonzero((digest.depths == 1) & (digest.structure > 0))
    if not len(roots):
        raise PatternRefused("there is no element on this page")
    inside = np.zeros(len(digest), dtype=np.bool_)
    inside[roots[0] : roots[0] + digest.sizes[roots[0]]] = True
    root = _parse("".join(_as_xml(digest, int(roots[0]))).encode("utf-8"))
    nodes = np.flatnonzero(inside & ~digest.is_text & ~_instructions(digest))
    return Tree(root, _paired(list(root.iter()), nodes), {})


def _parse(document: bytes) -> Any:
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(document, parser)
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


def _as_xml(digest: PageDigest, root: int) -> Iterator[str]:
    names = [_INVALID_NAME.sub("_", name) for name in digest.tag_names]
    closings = [f"</{name}>" for name in names]
    written, elements = _kinds(digest.tag_names)
    texts = [escaped(_INVALID_TEXT.sub("\ufffd", text), XML_TEXT) for text in digest.texts]
    attributes = _attribute_texts(digest)
    run = slice(root, root + int(digest.sizes[root]))
    ends = (np.arange(len(digest)) + digest.sizes)[run].tolist()
    columns = (digest.tags[run].tolist(), digest.content[run].tolist(), ends)
    open_tags: list[tuple[int, str]] = []
    for node, (tag, content, end) in enumerate(zip(*columns, strict=True), root):
        while open_tags and open_tags[-1][0] <= node:
            yield open_tags.pop()[1]
        if tag in written:
            yield texts[content]
        elif elements[tag]:
            yield f"<{names[tag]}{attributes.get(node, '')}>"
            open_tags.append((end, closings[tag]))
        elif digest.tag_names[tag] == COMMENT:
            yield f"<!--{texts[content].replace('--', '- -').removesuffix('-')}-->"
    yield from (closing for _, closing in reversed(open_tags))


def _kinds(names: tuple[str, ...]) -> tuple[set[int], list[bool]]:
    """The numbers of the names of texts, and per name whether it is that of an element."""
    texts = {number for number, name in enumerate(names) if name in (TEXT, CDATA)}
    return texts, [name[0] not in "#?" for name in names]


def _attribute_texts(digest: PageDigest) -> dict[int, str]:
    """Per node its attributes as XML; those whose name XML does not know are left out."""
    keys = [None if _NO_ATTRIBUTE.search(name) else name for name in digest.attribute_names]
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
