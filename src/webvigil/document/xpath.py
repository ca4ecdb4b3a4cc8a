"""XPath on a digest: an expression in, a mask of the nodes it finds out.

The digest is turned into an lxml tree once, and lxml evaluates the expression. The cost of the expression on
this page is estimated before, because a running evaluation cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from webvigil.document import writer, xpath_functions
from webvigil.document.arrays import Longs, Mask
from webvigil.document.markup import COMMENT, DOCTYPE
from webvigil.document.reading import joined
from webvigil.document.writer import XML_TEXT, XML_VALUE, escaped
from webvigil.document.xpath_functions import EXTENSIONS
from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# Characters of an expression, as of a CSS selector; and levels of a page, of which libxml2 reads no more.
_LONGEST = 4000
_DEEPEST = 2048
# The most visits of nodes that an evaluation may take by the estimate in `_refuse_cost`. So many take much
# less than a second.
_VISITS = 2e7
_INVALID_NAME = re.compile(r"[^\w.-]|^[\d.-]")
_INVALID_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WHOLE_PAGE = re.compile(r"(?<![\w.\])*])//|following::|preceding::")
_SUBTREES = re.compile(r"//|descendant(?:-or-self)?::|-sibling::|\.")
_QUALIFIED = re.compile(r"[^\W\d][\w.-]*:[^\W\d][\w.-]*")
_RESERVED = frozenset(("xml", "xmlns"))
# A prefix that the page does not declare gets the namespace _NOWHERE, which no node is in, so it finds
# nothing.
_PREFIXES = re.compile(r"([^\W\d][\w.-]*):(?=[^\W\d]|\*)")
_NOWHERE = "urn:x-webvigil:nowhere"
_XML = "http://www.w3.org/XML/1998/namespace"
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_STRINGS_KEPT = re.compile(rf"({_STRINGS.pattern})")


# The bytes of memory per element with its attributes and texts, measured by the growth of the process on real
# pages.
_ELEMENT = 640
# The elements, comments and processing instructions of a document. libxml2 counts each kind quickly; it
# would search a union of them for doubles.
_COUNT = "count(//*) + count(//comment()) + count(//processing-instruction())"
# So many elements are numbered at once.
_AT_ONCE = 1_000


class Tree:
    """The digest as an lxml tree, and for each element its node in the digest.

    Elements are numbered in the order of the document, as far as somebody asks: most expressions ask for
    few, and a Python object for each element takes longer than the search.
    """

    def __init__(self, root: Any, elements: Iterable[Any], nodes: Longs, namespaces: dict[str, str]) -> None:
        """Raises PatternRefused if the tree has not one element for each of the nodes."""
        if root.xpath(_COUNT) != len(nodes):
            raise PatternRefused("this page cannot be searched by XPath")
        self.root, self.namespaces, self._count = root, namespaces, len(nodes)
        self._numbered: dict[Any, int] = {}
        self._others = zip(elements, nodes, strict=True)
        self._one_at_a_time = Lock()

    def node_of(self, element: Any) -> int | None:
        """Returns the node of an element; None for one that an expression made."""
        with self._one_at_a_time:
            while element not in self._numbered and (more := list(islice(self._others, _AT_ONCE))):
                self._numbered |= ((one, int(node)) for one, node in more)
            return self._numbered.get(element)

    def __sizeof__(self) -> int:
        """Returns the size including the nodes of libxml2, which Python's own count would miss."""
        return object.__sizeof__(self) + _ELEMENT * self._count


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The nodes that an expression finds on a page, and the attributes it finds as rows of AM."""

    nodes: Mask
    rows: Mask


def select(digest: PageDigest, expression: str) -> Mask:
    """Returns a mask of the nodes that an expression finds. For an attribute it marks the element that
    carries it.

    Raises PatternRefused for an expression that cannot be used at all, or not on this page.
    """
    found = chosen(digest, expression)
    nodes = found.nodes.copy()
    nodes[digest.attribute_node[found.rows]] = True
    return nodes


def chosen(digest: PageDigest, expression: str) -> Chosen:
    """Returns the nodes and the attributes that an expression finds. Raises PatternRefused as `select`
    does."""
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
    """Returns the rows of AM for an attribute that lxml found, mostly one. lxml names its namespace, so the
    prefixes that its element knows for this namespace are tried."""
    if node is None:
        return []
    address, _, local = str(one.attrname).removeprefix("{").rpartition("}")
    known = {"xml": _XML, **one.getparent().nsmap}
    names = {f"{prefix}:{local}" for prefix, meaning in known.items() if prefix and meaning == address}
    rows = range(int(digest.attribute_start[node]), int(digest.attribute_start[node + 1]))
    written = digest.attribute_names
    return [row for row in rows if written[digest.attribute_name[row]] in (names if address else {local})]


def _end_of_text(digest: PageDigest, node: int) -> int:
    """Returns the number behind a node. Text nodes that follow each other in one element are one text for
    XPath."""
    end = node + 1
    while digest.is_text[node] and end < len(digest) and digest.is_text[end]:
        if digest.depths[end] != digest.depths[node]:
            break
        end += 1
    return end


def values(digest: PageDigest, expression: str, most: int | None = None) -> list[tuple[str | None, int]]:
    """Returns pairs of a text and a node for everything that an expression finds, or for the `most` first
    things of it. The text is the value of an attribute, and None for other nodes. An expression that computes
    a value gives that value at node 0."""
    tree, answer = _answer(digest, expression)
    if not isinstance(answer, list):
        text = str(answer).lower() if isinstance(answer, bool) else str(answer)
        return [(text.removesuffix(".0") if isinstance(answer, float) else text, 0)]
    found = ((one, _node(digest, tree, one)) for one in answer)
    values = (
        (str(one) if getattr(one, "is_attribute", False) else None, node)
        for one, node in found
        if node is not None
    )
    return list(islice(values, most))


def _answer(digest: PageDigest, expression: str) -> tuple[Tree, Any]:
    # Loaded with the first expression, so that commands without one start sooner.
    from lxml import etree

    # `/` means the document, which lxml does not return as a node. The root element stands for it.
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
    """Returns the tree for an expression. An expression that compares the addresses of namespaces gets a tree
    in which elements without a prefix are in the default namespace."""
    if digest.kind != "xml" or "namespace" not in _STRINGS.sub("", expression):
        return digest.tree
    return digest.once("tree with default namespaces", lambda digest: tree_of(digest, True))


def _with_known_prefixes(digest: PageDigest, expression: str, namespaces: Mapping[str, str]) -> str:
    """Returns the expression without the prefixes that a document with a default namespace does not declare.
    People write `atom:entry`, or another prefix of their own, for elements in the default namespace."""
    if digest.kind != "xml" or not len(digest.whole.rows_of("xmlns")):
        return expression
    pieces = _STRINGS_KEPT.split(expression)
    known = {*namespaces, *_RESERVED}
    return "".join(
        piece if number % 2 else _PREFIXES.sub(lambda one: one[0] if one[1] in known else "", piece)
        for number, piece in enumerate(pieces)
    )


def compiled(expression: str, namespaces: tuple[tuple[str, str], ...]) -> Any:
    from lxml import etree

    if len(expression) > _LONGEST:
        raise PatternRefused(f"the XPath is too long: at most {_LONGEST} characters")
    expression = xpath_functions.spelled(expression)
    xpath_functions.check(expression)
    try:
        return etree.XPath(expression, namespaces=dict(namespaces) or None, extensions=EXTENSIONS)
    except (etree.XPathError, ValueError) as error:
        raise PatternRefused(f"the XPath {expression!r} cannot be used: {error}") from error


def tree_of(digest: PageDigest, default_namespaces: bool = False) -> Tree:
    """Returns the digest as an lxml tree. Names and characters that XML does not allow are replaced.

    An element without a prefix is in no namespace, so that expressions find it by its plain name. With
    `default_namespaces` it is in the default namespace of the document. Raises PatternRefused for a page
    without markup and for one that is nested too deeply.
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
        text = _as_xml(digest, namespaces)
    return _tree(digest, text, namespaces, np.flatnonzero(~(digest.is_text | left_out)))


def _tree(digest: PageDigest, text: str, namespaces: dict[str, str], nodes: Longs) -> Tree:
    """Returns the tree of an XML text. A part of a page may consist of several elements or of texts alone;
    these get an element around them, because XML needs one root."""
    if _has_one_root(digest):
        root = _parse(text)
        before = reversed(list(root.itersiblings(preceding=True)))
        return Tree(root, chain(before, root.iter(), root.itersiblings()), nodes[1:], namespaces)
    if digest.whole is digest:
        raise PatternRefused("there is no element on this page")
    root = _parse(f"<part{_declared(namespaces)}>{text}</part>")
    return Tree(root, root.iter(), nodes, namespaces)


def _has_one_root(digest: PageDigest) -> bool:
    top = digest.depths == 1
    return int((top & (digest.content < 0)).sum()) == 1 and not (top & digest.is_text).any()


def _declared(namespaces: Mapping[str, str]) -> str:
    return "".join([f' xmlns:{name}="{escaped(uri, XML_VALUE)}"' for name, uri in namespaces.items()])


def _xml_text(digest: PageDigest, namespaces: dict[str, str], default_namespaces: bool) -> str:
    """Returns an XML page as text. libxml2 parses it again, because it knows which namespace a prefix means
    where.

    The root of a part gets the namespace declarations of the page around it.
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
    from lxml import etree

    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(document.encode("utf-8", "replace"), parser)
    if root is None:
        raise PatternRefused("there is no element on this page")
    return root


def _namespaces(digest: PageDigest) -> dict[str, str]:
    """Returns the prefixes that the document declares, each with its first address, for use in
    expressions."""
    found: dict[str, str] = {}
    for number, row in zip(*np.unique(digest.attribute_name, return_index=True), strict=True):
        name = digest.attribute_names[number]
        if name.startswith("xmlns:"):
            found[name[6:]] = digest.attribute_values[digest.attribute_value[row]]
    return {prefix: address for prefix, address in found.items() if address}


def _made_up(digest: PageDigest) -> dict[str, str]:
    """Returns an invented namespace for each prefix in names of HTML (`<o:p>`, `xlink:href`), so that
    expressions can use the prefix. HTML itself has no prefixes: a colon is a letter of the name."""
    names = (*digest.tag_names, *digest.attribute_names)
    prefixes = {name.partition(":")[0] for name in names if _QUALIFIED.fullmatch(name)}
    return {prefix: f"{_NOWHERE}:{prefix}" for prefix in sorted(prefixes - _RESERVED)}


def _as_xml(digest: PageDigest, namespaces: dict[str, str]) -> str:
    """Returns an XML text for a page that is no XML. Parsing such a text is far faster than making the
    elements one by one; so is putting it together from a table of its few different pieces."""
    names = [_known_name(name, namespaces) for name in digest.tag_names]
    is_element = [name[0] not in "#?" for name in digest.tag_names]
    texts = [escaped(_INVALID_TEXT.sub("\ufffd", text), XML_TEXT) for text in digest.texts]
    openings = [f"<{name}>" if is_one else "" for name, is_one in zip(names, is_element, strict=True)]
    table = [*openings, *(f"</{name}>" for name in names), *texts]
    pieces = digest.tags[1:].astype(np.int64)
    elements = np.array(is_element, dtype=np.bool_)[pieces]
    written = digest.is_text[1:]
    pieces[written] = 2 * len(names) + digest.content[1:][written]
    others = chain(_starts(digest, namespaces, names, elements), _comments(digest))
    for node, piece in others:
        pieces[node - 1] = len(table)
        table.append(piece)
    nodes = np.flatnonzero(elements) + 1
    ends = nodes + digest.sizes[nodes]
    # At one place the innermost element ends first.
    order = np.lexsort((-nodes, ends))
    # As many pieces stand before the end of an element as there are nodes, and ends of other elements.
    places = ends[order] - 1 + np.arange(len(order))
    is_end = np.zeros(len(pieces) + len(places), dtype=np.bool_)
    is_end[places] = True
    chosen = np.empty(len(is_end), dtype=np.int32)
    chosen[~is_end] = pieces
    chosen[places] = len(names) + digest.tags[nodes[order]]
    return joined(tuple(table), chosen, np.zeros(len(chosen), dtype=np.bool_), "")


def _starts(
    digest: PageDigest, namespaces: dict[str, str], names: list[str], elements: Mask
) -> Iterator[tuple[int, str]]:
    """Yields the opening tags that say more than a name, with their nodes: those with attributes, and the
    outermost ones, which declare the namespaces."""
    attributes = _attribute_texts(digest, namespaces)
    declared = _declared(namespaces)
    outermost = set((np.flatnonzero(elements & (digest.depths[1:] == 1)) + 1).tolist())
    for node in attributes.keys() | outermost:
        if elements[node - 1]:
            more = (declared if node in outermost else "") + attributes.get(node, "")
            yield node, f"<{names[digest.tags[node]]}{more}>"


def _comments(digest: PageDigest) -> Iterator[tuple[int, str]]:
    for node in digest.nodes_of(COMMENT).tolist():
        yield node, f"<!--{_in_comment(digest.texts[digest.content[node]])}-->"


def _in_comment(text: str) -> str:
    """Returns the text of a comment as XML allows it: without two hyphens in a row or a hyphen at the end."""
    return re.sub("-(?=-|$)", "- ", _INVALID_TEXT.sub("\ufffd", text))


def _known_name(name: str, namespaces: dict[str, str]) -> str:
    """Returns a name as XML allows it. A colon stays if there is a namespace for the prefix before it."""
    is_qualified = _QUALIFIED.fullmatch(name) and name.partition(":")[0] in (*namespaces, "xml")
    return name if is_qualified else _INVALID_NAME.sub("_", name)


def _attribute_texts(digest: PageDigest, namespaces: dict[str, str]) -> dict[int, str]:
    """Returns for each node its attributes as XML text. Attributes whose name XML does not allow are left
    out."""
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
    """Returns the node of an object that lxml found: of an element, of a text, or of the element that carries
    an attribute. None for an object that is not in the digest."""
    if not isinstance(one, str):
        return tree.node_of(one)
    parent: Any = getattr(one, "getparent", lambda: None)()
    around = tree.node_of(parent)
    if around is None or getattr(one, "is_attribute", False):
        return around
    return around + int(digest.sizes[around]) if getattr(one, "is_tail", False) else around + 1


def _refuse_cost(digest: PageDigest, expression: str) -> None:
    """Raises PatternRefused for an expression that would take too long on this page. The estimate multiplies:
    a predicate runs once per candidate node, and each run costs a node, a subtree or the whole page."""
    count = len(digest)
    # libxml2 sorts its results by walking up from each node, so the sum of all depths counts too.
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
    """Returns the text outside predicates, then the text in predicates, then in predicates of predicates, and
    so on."""
    levels: dict[int, list[str]] = {0: []}
    depth = 0
    for character in expression:
        depth += character == "["
        levels.setdefault(depth, []).append(character)
        depth -= character == "]"
    return ["".join(levels[level]) for level in sorted(levels)]
