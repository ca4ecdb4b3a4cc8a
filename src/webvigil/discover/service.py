"""The XML of a service class in, a ServiceClass out, or the line of the first mistake in it (S1).

Every name that is used must be defined, no type may contain itself, and no result may have a type that is
found on every page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from importlib import resources

from webvigil.discover.description import (
    BUILT_IN,
    HTML_FORM,
    Argument,
    Choice,
    Element,
    Example,
    Flow,
    ServiceClass,
    State,
    Type,
    View,
)
from webvigil.discover.nodes import Node, parsed
from webvigil.discover.types import Types
from webvigil.errors import NotFound

__all__ = ["ServiceClass", "read_service_class", "service_class", "shipped"]

# Bounds on a description. A small XML file can describe types that grow exponentially, or graphs that take
# very long to search; the test of hostile descriptions in tests/discover/test_service.py tries some.
_DEEPEST = 40
_MOST_TYPES = 500
_MOST_STATES, _MOST_EDGES = 100, 500
_SUFFIX = ".scd"
# Patterns that need markup: the begin of a tag, or the address of a link or a picture with its equals sign.
_MARKUP = re.compile(r"(?<!\?P)(?<![?\\[])</?(?:\(\??:?)?[A-Za-z]|\b(?i:href|src)\)?(?:\\s[*+]?| [*+]?)?=")
_VIEWS: dict[str, View] = {"text": "text", "source": "source", "links": "links"}


def read_service_class(data: bytes) -> ServiceClass:
    """Reads a service class. Raises MistakeInText with the line of the first mistake."""
    root = Node(parsed(data))
    if root.tag != "serviceclass":
        root.wrong(f"a service class begins with <serviceclass>, not <{root.tag}>")
    root.only_attributes("name", "title")
    parts = root.parts("about", "words", "types", "controlflow", "examples")
    types = _types(parts.get("types"))
    flow = _flow(root.needed(parts, "controlflow"), types)
    examples = _examples(root.needed(parts, "examples"), types, flow)
    service = ServiceClass(
        name=root.attribute("name") or flow.name or root.wrong("the service class has no name"),
        title=root.attribute("title"),
        about=" ".join(parts["about"].text.split()) if "about" in parts else "",
        words=tuple(parts["words"].text.split()) if "words" in parts else (),
        types=tuple(kind for kind, _ in types.values()),
        flow=flow,
        examples=tuple(example for example, _ in examples),
    )
    _use(service, types, flow, root)
    _try(service, examples)
    return service


def shipped() -> tuple[str, ...]:
    """Returns the names of the service classes that come with WebVigil."""
    folder = resources.files("webvigil.discover") / "classes"
    return tuple(
        sorted(one.name.removesuffix(_SUFFIX) for one in folder.iterdir() if one.name.endswith(_SUFFIX))
    )


@lru_cache(maxsize=64)
def service_class(name: str) -> ServiceClass:
    """Returns a service class that comes with WebVigil, by name. Raises NotFound."""
    if name not in shipped():
        raise NotFound(f"no service class {name[:80]!r}; there are {', '.join(shipped())}")
    return read_service_class(
        (resources.files("webvigil.discover") / "classes" / f"{name}{_SUFFIX}").read_bytes()
    )


# --- types --------------------------------------------------------------------------------------------

Defined = dict[str, tuple[Type, Node]]


def _types(node: Node | None) -> Defined:
    found: Defined = {}
    for child in node.children("type") if node else ():
        kind = _type(child)
        if kind.name in found or kind.name in BUILT_IN or kind.name == HTML_FORM:
            child.wrong(f"there is a type {kind.name!r} already", word=kind.name)
        found[kind.name] = kind, child
    if len(found) > _MOST_TYPES and node:
        node.wrong(f"there are too many types: at most {_MOST_TYPES}")
    for kind, child in found.values():
        _check_uses(kind, child, found)
    _check_depth(found)
    return found


def _type(node: Node) -> Type:
    node.only_attributes("name", "type", "pattern", "in")
    parts = tuple(_part(child) for child in node.children("element", "choice"))
    patterns = [node.attribute("pattern"), *(one.pattern for one in _elements_in(parts))]
    marked = next(filter(_MARKUP.search, patterns), "")
    view = node.attribute("in") or ("source" if marked else "text")
    if view not in _VIEWS:
        node.wrong(
            f"a type is looked for in text, source or links, not in {view[:40]!r}", expected=_VIEWS, word=view
        )
    if view == "text" and marked:
        node.wrong(f'the pattern {marked[:60]!r} can never match: it needs markup, which is in="source"')
    base = node.attribute("type")
    if bool(parts) == bool(base):
        node.wrong("a type has either a base (type=…) or parts (<element>, <choice>)")
    return Type(
        name=node.name(),
        base=base,
        pattern=node.pattern(node.attribute("pattern")),
        parts=parts,
        view=_VIEWS[view],
    )


def _part(node: Node) -> Element | Choice:
    if node.tag == "element":
        return _element(node)
    node.only_attributes("minOccurs", "maxOccurs", "required")
    alternatives = tuple(_element(child) for child in node.children("element"))
    if not alternatives:
        node.wrong("a choice needs at least one <element>")
    least, most = _occurs(node)
    return Choice(alternatives=alternatives, least=least, most=most)


def _element(node: Node) -> Element:
    node.only_attributes("name", "type", "pattern", "minOccurs", "maxOccurs", "required", "compile")
    node.children()
    least, most = _occurs(node)
    pattern = node.pattern(node.attribute("pattern"))
    if not (pattern or node.attribute("type")):
        node.wrong("an element needs a type or a pattern")
    return Element(
        type=node.attribute("type", "string"),
        name=node.attribute("name"),
        pattern=pattern,
        least=least,
        most=most,
        loose=not node.truth("compile", True),
    )


def _occurs(node: Node) -> tuple[int, int | None]:
    least = node.number("minOccurs", 1 if node.truth("required", True) else 0)
    most = node.number("maxOccurs", max(1, least or 0))
    assert least is not None, "only maxOccurs is unbounded"
    if most is not None and most < max(1, least):
        node.wrong(f"maxOccurs is at least 1 and at least minOccurs, not {most}")
    return least, most


def _elements(kind: Type) -> Iterator[Element]:
    return _elements_in(kind.parts)


def _elements_in(parts: Sequence[Element | Choice]) -> Iterator[Element]:
    for part in parts:
        yield from (part,) if isinstance(part, Element) else part.alternatives


def _uses(kind: Type) -> set[str]:
    """Returns the names of the types that a type is made of. An element with a pattern of its own uses no
    other type."""
    bases = [] if kind.pattern else [kind.base]
    inner = [element.type for element in _elements(kind) if not element.pattern]
    return {*inner, *filter(None, bases)}


def _check_uses(kind: Type, node: Node, types: Defined) -> None:
    """Reports a type that is used but not defined, and a base that is made of parts."""
    named = {kind.base, *(element.type for element in _elements(kind))} - {""}
    for name in sorted(named):
        if name not in types and name not in BUILT_IN:
            node.wrong(f"there is no type {name[:80]!r}", expected=(*types, *BUILT_IN), word=name)
    if kind.base in types and types[kind.base][0].parts:
        node.wrong(
            f"{kind.base!r} is made of parts: only a type with a pattern can be narrowed", word=kind.base
        )


def _check_depth(types: Defined) -> None:
    """Reports types that contain themselves or are nested too deep.

    In each round, the types that use only finished types are finished; types left after all rounds are
    reported.
    """
    left = {name: _uses(kind) & types.keys() for name, (kind, _) in types.items()}
    for _ in range(_DEEPEST):
        ready = {name for name, uses in left.items() if not uses}
        left = {name: uses - ready for name, uses in left.items() if name not in ready}
    for name in left:
        types[name][1].wrong(
            f"the type {name!r} contains itself, or is nested more than {_DEEPEST} deep", word=name
        )


# --- the control flow graph ---------------------------------------------------------------------------


def _flow(node: Node, types: Defined) -> Flow:
    """Reads the control flow graph, and checks that every result can be reached from its one start."""
    node.only_attributes("name")
    parts = node.parts("vertices", "edges")
    vertices = node.needed(parts, "vertices").children("vertex")
    states = tuple(_state(child, types) for child in vertices)
    names = [state.name for state in states]
    _no_twins(vertices, names)
    edges = tuple(_edge(child, names) for child in node.needed(parts, "edges").children("edge"))
    if len(states) > _MOST_STATES or len(edges) > _MOST_EDGES:
        node.wrong(f"the graph is too large: at most {_MOST_STATES} vertices and {_MOST_EDGES} edges")
    if sum(state.start for state in states) != 1:
        node.wrong('exactly one vertex is the start: origin="true"')
    flow = Flow(name=node.attribute("name"), states=states, edges=edges)
    reached = _reached(flow)
    for child, state in zip(vertices, states, strict=True):
        if state.result and state.name not in reached:
            child.wrong(f"no edges lead from the start to {state.name!r}", word=state.name)
    if not any(state.result for state in states):
        node.wrong('at least one vertex is a result: result="true"')
    return flow


def _no_twins(nodes: list[Node], names: list[str]) -> None:
    """Reports a second element with the same name."""
    seen = set[str]()
    for node, name in zip(nodes, names, strict=True):
        if name in seen:
            node.wrong(f"there is a second <{node.tag}> {name[:80]!r}", word=name)
        seen.add(name)


def _state(node: Node, types: Defined) -> State:
    node.only_attributes("name", "type", "origin", "result", "resultType")
    state = State(
        name=node.name(),
        type=_known(node, node.attribute("type", HTML_FORM), types, HTML_FORM),
        start=node.truth("origin", False),
        result=node.truth("result", False),
        wanted=_known(node, node.attribute("resultType"), types) if node.attribute("resultType") else "",
    )
    if state.start and state.result:
        node.wrong("the start cannot be a result: a service is asked before it answers")
    if state.result and state.type == HTML_FORM:
        node.wrong(f"a result needs a type that tells it from other pages, not {HTML_FORM}")
    return state


def _known(node: Node, name: str, types: Defined, *more: str) -> str:
    if name not in more and name not in types and name not in BUILT_IN:
        node.wrong(f"there is no type {name[:80]!r}", expected=(*types, *BUILT_IN, *more), word=name)
    return name


def _edge(node: Node, names: list[str]) -> tuple[str, str]:
    node.only_attributes("origin", "destination")
    ends = node.name("origin"), node.name("destination")
    for end in ends:
        if end not in names:
            node.wrong(f"there is no vertex {end[:80]!r}", expected=names, word=end)
    return ends


def _reached(flow: Flow) -> set[str]:
    """Returns the names of all states that can be reached from the start."""
    found, new = set[str](), {flow.start.name}
    while new:
        found |= new
        new = {end for origin, end in flow.edges if origin in new} - found
    return found


# --- examples -----------------------------------------------------------------------------------------


def _examples(node: Node, types: Defined, flow: Flow) -> list[tuple[Example, list[Node]]]:
    node.only_attributes()
    found = [_example(child, types, flow) for child in node.children("example")]
    return found or node.wrong("at least one <example> is needed to try a service with")


def _example(node: Node, types: Defined, flow: Flow) -> tuple[Example, list[Node]]:
    """Reads an example. Returns it with the nodes of its arguments, for messages about mistakes found
    later."""
    node.only_attributes()
    parts = node.parts("arguments", "result")
    nodes = node.needed(parts, "arguments").children("argument")
    arguments = tuple(_argument(child, types) for child in nodes)
    names = [argument.name for argument in arguments]
    _no_twins(nodes, names)
    if not any(argument.required for argument in arguments):
        node.wrong('an example needs an argument with required="true"')
    result, mentions = _result(node.needed(parts, "result"), names, types, flow)
    return Example(arguments=arguments, result=result, mentions=mentions), nodes


def _result(node: Node, names: list[str], types: Defined, flow: Flow) -> tuple[str, tuple[str, ...]]:
    node.only_attributes("type", "mentions")
    mentions = tuple(node.attribute("mentions").split())
    for name in mentions:
        if name not in names:
            node.wrong(f"there is no argument {name[:80]!r}", expected=names, word=name)
    result = _known(node, node.name("type"), types)
    if all(state.type != result for state in flow.states if state.result):
        node.wrong(f"no vertex that is a result has the type {result!r}", word=result)
    return result, mentions


def _argument(node: Node, types: Defined) -> Argument:
    node.only_attributes("required", "iterator", "user", "site", "called")
    node.truth("user", False)
    hints, inputs = [], ""
    said: dict[str, str] = {}
    for child in node.children("name", "type", "hints", "hint", "inputType", "value", "control"):
        if child.tag in ("hints", "hint", "inputType"):
            more, kind = _hints(child)
            hints += more
            inputs = kind or inputs
        elif child.tag in said:
            child.wrong(f"there is a second <{child.tag}>")
        else:
            said[child.tag] = child.text
    for name in ("name", "value"):
        if not said.get(name):
            node.wrong(f"an argument needs <{name}>")
    return Argument(
        name=said["name"],
        value=_lines(said["value"]),
        type=_known(node, said.get("type") or "string", types),
        required=node.truth("required", False),
        iterator=node.truth("iterator", False),
        hints=tuple(hints),
        inputs=inputs,
        control=_lines(said.get("control", "")),
        site=node.truth("site", False),
        called=node.truth("called", False),
    )


def _hints(node: Node) -> tuple[list[str], str]:
    nodes = node.children("hint", "inputType") if node.tag == "hints" else [node]
    hints = [child.pattern(child.text) for child in nodes if child.tag == "hint"]
    kinds = [child.pattern(child.text) for child in nodes if child.tag == "inputType"]
    return [hint for hint in hints if hint], kinds[-1] if kinds else ""


def _lines(text: str) -> str:
    """Returns the lines of a value without their indentation in the XML."""
    return "\n".join(filter(None, (line.strip() for line in text.splitlines())))


# --- as a whole ---------------------------------------------------------------------------------------


def _use(service: ServiceClass, types: Defined, flow: Flow, root: Node) -> None:
    """Checks that every type can be searched for, and that no type of a page is found on every page."""
    ready = Types(service)
    for name, (_, node) in types.items():
        node.usable(partial(ready.texts, name, lambda _: ""))
    for state in flow.states:
        if state.type != HTML_FORM and ready.says_nothing(state.type):
            node = types[state.type][1] if state.type in types else root
            node.wrong(f"the type {state.type!r} is found on every page: all of its parts may be missing")


def _try(service: ServiceClass, examples: list[tuple[Example, list[Node]]]) -> None:
    """Checks that every example value is of its argument's type. The value of an iterator is a pattern
    instead."""
    ready = Types(service)
    for example, nodes in examples:
        for argument, node in zip(example.arguments, nodes, strict=True):
            if argument.iterator:
                node.pattern(argument.value)
            elif not any(ready.fits(argument.type, text) for text in _spellings(argument.value)):
                node.wrong(f"the value of {argument.name!r} is not of the type {argument.type!r}")


def _spellings(value: str) -> tuple[str, ...]:
    """Returns a value as it is, with its lines joined, and with its lines joined by blanks."""
    return value, value.replace("\n", ""), value.replace("\n", " ")
