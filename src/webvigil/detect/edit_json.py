"""An edit script as JSON, and JSON as an edit script again (C11).

    {"edit": "delete", "node": 7, "path": "/html/body/p[2]"}
    {"edit": "insert", "node": 31, "parent": 4, "place": 0, "name": "li", "attributes": {"class": "new"}}
    {"edit": "insert", "node": 32, "parent": 31, "place": 0, "name": "#text", "text": "pears"}
    {"edit": "move", "node": 9, "parent": 4, "place": 2, "path": "/html/body/ul/li[3]"}
    {"edit": "rewrite", "node": 12, "before": "old words", "after": "new words", "path": "…"}
    {"edit": "attribute", "node": 5, "name": "href", "before": "/a", "after": "/b", "path": "…"}

A path is for people. Programs go by the numbers, which mean what `edits` says. A script names the documents
that it leads from and to by their signatures, so it is never applied to another document.
"""

from __future__ import annotations

import numpy as np

from webvigil.detect.edits import Delete, Edit, Insert, Move, Rewrite, SetAttribute, apply, edits_of
from webvigil.detect.sdiff import Annotation, Mark, sdiff
from webvigil.document import PageDigest
from webvigil.errors import DocumentRefused
from webvigil.model.shapes import AnnotationShape, DocumentShape, EditShape, EditsShape, InsertShape

_MARKS = [(int(mark), str(mark.name).lower()) for mark in Mark if mark]


def edits_as_json(old: PageDigest, new: PageDigest) -> EditsShape:
    """Returns what became of every node of both documents, and the edits that turn the old one into the new
    one."""
    difference = sdiff(old, new)
    return {
        "format": "webvigil-edits",
        "version": 1,
        "old": _document(old),
        "new": _document(new),
        "annotation": {"old": _annotation(old, difference.old), "new": _annotation(new, difference.new)},
        "edits": [_edit_as_json(one, old) for one in edits_of(old, new, difference)],
    }


def patched(old: PageDigest, script: bytes) -> PageDigest:
    """Returns the document that the script leads to. Raises DocumentRefused if the script cannot be read, was
    made for another document, or does not lead where it says."""
    read = _read(script)
    if read["old"]["signature"] != _document(old)["signature"]:
        raise DocumentRefused("the edits were made for another document than this one")
    try:
        edits = [_edit_of(one) for one in read["edits"]]
        _check_places(edits, len(old))
        new = apply(old, edits)
        leads_there = read["new"]["signature"] == _document(new)["signature"]
    except (KeyError, ValueError, IndexError, RuntimeError, StopIteration) as error:
        raise DocumentRefused("the edit script is damaged: its edits do not fit together") from error
    if not leads_there:
        raise DocumentRefused("the edit script is damaged: it does not lead to the document that it names")
    return new


def _read(script: bytes) -> EditsShape:
    from pydantic import TypeAdapter, ValidationError

    try:
        read: EditsShape = TypeAdapter(EditsShape).validate_json(script, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DocumentRefused(
            f"this is not an edit script of webvigil diff --edits: {place}: {first['msg']}"
        ) from error
    return read


def _check_places(edits: list[Edit], nodes: int) -> None:
    """Raises ValueError if a node would stand in two places: such a tree could have no end. Only nodes of the
    old document may move, and inserted nodes have numbers behind those of all old ones."""
    moved = [one.node for one in edits if isinstance(one, Move)]
    inserted = [one.node for one in edits if isinstance(one, Insert)]
    placed = moved + inserted
    if len(placed) != len(set(placed)):
        raise ValueError("a node has two places")
    if not all(0 < node < nodes for node in moved) or not all(node >= nodes for node in inserted):
        raise ValueError("there is no such node")


def _document(digest: PageDigest) -> DocumentShape:
    return {"kind": digest.kind, "nodes": len(digest), "signature": digest.signature.hex()}


def _annotation(digest: PageDigest, annotation: Annotation) -> AnnotationShape:
    nodes = np.flatnonzero(annotation.marks).tolist()
    rows = zip(nodes, annotation.marks[nodes].tolist(), digest.paths(nodes), strict=True)
    return {
        "nodes": [{"node": node, "marks": _names(marks), "path": path} for node, marks, path in rows],
        "below": np.flatnonzero(annotation.below).tolist(),
    }


def _names(marks: int) -> list[str]:
    return [name for mark, name in _MARKS if mark & marks]


def _edit_as_json(edit: Edit, old: PageDigest) -> EditShape:
    match edit:
        case Delete(node):
            return {"edit": "delete", "node": node, "path": old.path(node)}
        case Move(node, parent, place):
            return {"edit": "move", "node": node, "parent": parent, "place": place, "path": old.path(node)}
        case Rewrite(node, before, after):
            return {"edit": "rewrite", "node": node, "before": before, "after": after, "path": old.path(node)}
        case SetAttribute(node, name, was, now):
            path = old.path(node)
            return {
                "edit": "attribute",
                "node": node,
                "name": name,
                "before": was,
                "after": now,
                "path": path,
            }
        case Insert(node, parent, place, name, text, attributes):
            made: InsertShape = {
                "edit": "insert",
                "node": node,
                "parent": parent,
                "place": place,
                "name": name,
            }
            if text is not None:
                made["text"] = text
            if attributes:
                made["attributes"] = dict(attributes)
            return made


def _edit_of(one: EditShape) -> Edit:
    if one["edit"] == "delete":
        return Delete(one["node"])
    if one["edit"] == "move":
        return Move(one["node"], one["parent"], one["place"])
    if one["edit"] == "rewrite":
        return Rewrite(one["node"], one["before"], one["after"])
    if one["edit"] == "attribute":
        return SetAttribute(one["node"], one["name"], one["before"], one["after"])
    attributes = tuple(one.get("attributes", {}).items())
    return Insert(one["node"], one["parent"], one["place"], one["name"], one.get("text"), attributes)
