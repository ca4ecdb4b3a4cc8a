"""An edit script written as JSON and applied gives the new document, and a script that lies is refused."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.detect.test_sdiff import changed_trees, digest
from webvigil import read
from webvigil.detect.edit_json import edits_as_json, patched
from webvigil.errors import DocumentRefused

OLD = read(b"<ul class=a><li>one<li>two<li>four</ul><p>x</p><p>gone</p>", "text/html")
NEW = read(b"<p>x</p><ul class=b><li>one<li>two<li>three<li>four!</ul>", "text/html")


@settings(max_examples=60, deadline=None)
@given(changed_trees())
def test_a_written_script_leads_from_the_old_document_to_the_new_one(pair: Any):
    old, new = digest(pair[0]), digest(pair[1])
    assert patched(old, json.dumps(edits_as_json(old, new)).encode()) == new


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (b'{"a": [1, 2]}', b'{"a": [1, 3, 2], "b": null}', "application/json"),
        (b"<a><!-- x --><b c='1'/></a>", b"<a><b c='2'>t</b><![CDATA[<]]></a>", "application/xml"),
        (b"one\ntwo\n", b"two\none\nthree\n", "text/plain"),
        (b"", b"<p>now</p>", "text/html"),
    ],
)
def test_all_kinds_of_documents(old: bytes, new: bytes, kind: str):
    before, after = read(old, kind), read(new, kind)
    assert patched(before, json.dumps(edits_as_json(before, after)).encode()) == after


def test_the_annotation_names_what_became_of_the_nodes():
    script = edits_as_json(OLD, NEW)
    marks = {one["path"]: one["marks"] for one in script["annotation"]["old"]["nodes"]}
    assert marks["/html/body/ul"] == ["attribute"]
    assert marks["/html/body/p[2]"] == ["deleted"]
    assert {one["edit"] for one in script["edits"]} == {"delete", "insert", "move", "rewrite", "attribute"}


def test_equal_documents_need_no_edit():
    assert edits_as_json(OLD, OLD)["edits"] == []
    assert patched(OLD, json.dumps(edits_as_json(OLD, OLD)).encode()) == OLD


def test_a_script_is_for_its_document_only():
    with pytest.raises(DocumentRefused, match="made for another document"):
        patched(NEW, json.dumps(edits_as_json(OLD, NEW)).encode())


@pytest.mark.parametrize(
    "script",
    [b"", b"\xff", b"[]", b"{}", b"null", b'{"format": "webvigil-edits", "version": 2}', b"[" * 100_000],
)
def test_what_is_no_script_is_refused(script: bytes):
    with pytest.raises(DocumentRefused, match="not an edit script"):
        patched(OLD, script)


# A number for a node, parent or place that may or may not exist, or something that is no number at all.
_strange = st.one_of(st.integers(-3, 40), st.just(10**30), st.text(max_size=2), st.none())


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 20), st.sampled_from(["node", "parent", "place", "edit", "name", "text"]), _strange)
def test_a_damaged_script_is_refused_or_leads_to_the_new_document(which: int, field: str, value: Any):
    script: Any = copy.deepcopy(edits_as_json(OLD, NEW))
    script["edits"][which % len(script["edits"])][field] = value
    with suppress(DocumentRefused):
        assert patched(OLD, json.dumps(script).encode()) == NEW


@pytest.mark.parametrize(
    "extra",
    [
        [
            {"edit": "move", "node": 5, "parent": 5, "place": 0},
            {"edit": "move", "node": 5, "parent": 4, "place": 0},
        ],
        [{"edit": "insert", "node": 4, "parent": 5, "place": 0, "name": "b"}],
        [{"edit": "move", "node": 0, "parent": 5, "place": 0}],
        [{"edit": "move", "node": 999, "parent": 5, "place": 0}],
    ],
    ids=["moved twice", "an old number", "the root", "no such node"],
)
def test_a_tree_without_end_is_refused(extra: Any):
    script: Any = edits_as_json(OLD, NEW)
    script["edits"] += extra
    with pytest.raises(DocumentRefused, match="do not fit together"):
        patched(OLD, json.dumps(script).encode())
