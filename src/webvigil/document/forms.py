"""A page in, its forms and their fields out. The search for services (DynaBot) starts from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Longs
from webvigil.document.links import absolute
from webvigil.document.reading import OwnedTexts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_FIELDS = ("input", "select", "textarea", "button")
_IN_TABLES = ("table", "tbody", "thead", "tfoot", "tr", "td", "th")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select."""

    value: str
    text: str
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One control of a form. `type` is the type of an input or button, otherwise `select` or `textarea`."""

    name: str
    type: str
    value: str
    node: int
    label: str = ""
    options: tuple[Option, ...] = ()
    checked: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One form. `action` is an absolute address; `method` is GET or POST."""

    node: int
    action: str
    method: str
    fields: tuple[Field, ...]


def forms(digest: PageDigest) -> tuple[Form, ...]:
    if not digest.is_html or "form" not in digest.tag_index:
        return ()
    nodes = digest.nodes_of("form").tolist()
    fields = _fields_by_form(digest, nodes)
    return tuple(_form(digest, node, tuple(fields.get(node, ()))) for node in nodes)


def _form(digest: PageDigest, node: int, fields: tuple[Field, ...]) -> Form:
    action = digest.attribute(node, "action") or ""
    method = (digest.attribute(node, "method") or "get").strip().upper()
    target = absolute(digest.url, action) if action.strip() else digest.source_url
    return Form(node, target, "POST" if method == "POST" else "GET", fields)


def _fields_by_form(digest: PageDigest, forms: list[int]) -> dict[int, list[Field]]:
    by_id = {digest.attribute(node, "id"): node for node in reversed(forms)}
    owner = arrays.enclosing(digest.is_tag(("form",)), digest.sizes)
    _adopt(digest, forms, owner)
    labels = _labels(digest)
    options = _options(digest)
    found: dict[int, list[Field]] = {}
    for node in digest.nodes_of(*_FIELDS).tolist():
        named = digest.attribute(node, "form")
        form = by_id.get(named, -1) if named is not None else int(owner[node])
        if form >= 0:
            found.setdefault(form, []).append(_field(digest, node, labels, options.get(node, ())))
    return found


def _adopt(digest: PageDigest, forms: list[int], owner: Longs) -> None:
    """Changes `owner`: gives a form that begins between the cells of a table the controls that follow it
    there.

    The parser ends such a form early in the tree, but in a browser the form still owns these controls. The
    tree does not tell where the tag was closed, so a form with a button of its own is taken as complete."""
    whole = {int(owner[node]) for node in digest.nodes_of("button", "input").tolist() if _sends(digest, node)}
    tables = arrays.enclosing(digest.is_tag(("table",)), digest.sizes)
    for form, following in zip(forms, [*forms[1:], len(digest)], strict=True):
        table = int(tables[form])
        if table >= 0 and form not in whole and digest.tag(int(digest.parents[form])) in _IN_TABLES:
            run = owner[form + 1 : min(following, table + int(digest.sizes[table]))]
            run[run < 0] = form


def _sends(digest: PageDigest, node: int) -> bool:
    default = "submit" if digest.tag(node) == "button" else ""
    return (digest.attribute(node, "type") or default).strip().lower() in ("submit", "image")


def _field(digest: PageDigest, node: int, labels: dict[int, str], options: tuple[Option, ...]) -> Field:
    attributes = digest.attributes(node)
    tag = digest.tag(node)
    default = {"input": "text", "button": "submit"}.get(tag, tag)
    kind = attributes.get("type", "").strip().lower() or default
    return Field(
        name=attributes.get("name", ""),
        type=kind if tag in ("input", "button") else tag,
        value=_value(digest, node, tag, attributes, options),
        node=node,
        label=labels.get(node, "") or attributes.get("aria-label", "") or attributes.get("placeholder", ""),
        options=options,
        checked="checked" in attributes,
        required="required" in attributes,
    )


def _value(
    digest: PageDigest, node: int, tag: str, attributes: dict[str, str], options: tuple[Option, ...]
) -> str:
    if tag == "textarea":
        return digest.text(node)
    if tag == "select":
        chosen = [option.value for option in options if option.selected]
        return (chosen or [option.value for option in options[:1]] or [""])[0]
    on = attributes.get("type", "").lower() in ("checkbox", "radio")
    return attributes.get("value", "on" if on else "")


def _options(digest: PageDigest) -> dict[int, tuple[Option, ...]]:
    owner = arrays.enclosing(digest.is_tag(("select",)), digest.sizes)
    found: dict[int, list[Option]] = {}
    for node in digest.nodes_of("option").tolist():
        if owner[node] >= 0:
            text = " ".join(digest.text(node).split())
            value = digest.attribute(node, "value")
            selected = digest.attribute(node, "selected") is not None
            found.setdefault(int(owner[node]), []).append(
                Option(text if value is None else value, text, selected)
            )
    return {node: tuple(listed) for node, listed in found.items()}


def _labels(digest: PageDigest) -> dict[int, str]:
    """Returns for each control the text of its label: the one that names the control with `for`, or else the
    one around it."""
    is_label = digest.is_tag(("label",))
    if not is_label.any():
        return {}
    texts = OwnedTexts(digest, is_label)
    ids = {
        digest.attribute_values[digest.attribute_value[row]]: int(digest.attribute_node[row])
        for row in reversed(digest.rows_of("id").tolist())
    }
    around = arrays.enclosing(is_label, digest.sizes)
    found = {
        node: texts.of(int(around[node])) for node in digest.nodes_of(*_FIELDS).tolist() if around[node] >= 0
    }
    for label in np.flatnonzero(is_label).tolist():
        named = digest.attribute(label, "for")
        if named in ids:
            found[ids[named]] = texts.of(label)
    return found
