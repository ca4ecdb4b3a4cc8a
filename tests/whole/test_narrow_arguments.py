"""A function takes the part of the knowledge base that it uses, so that its signature tells what it can touch
and a test can give it that part alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "webvigil"

# These assemble a process from all parts. A function that uses a few parts takes these parts, or a small
# Protocol beside it that names them.
TAKE_EVERYTHING = {
    "app/operating/server.py: _application",
    "app/operating/server.py: _shown",
    "app/peers/agent_duties.py: Agency.__init__",
    "app/peers/agent_duties.py: broker_of",
    "app/peers/agent_duties.py: home_of_agents",
    "app/peers/wiring.py: circle_of",
    "app/peers/wiring.py: kinds_of",
    "app/peers/wiring.py: receiver_of",
    "app/worker/process.py: _work",
    "app/worker/process.py: work",
    "cli/in_store.py: InStore.open",
    "web/application.py: create_application",
}


def test_only_the_assembly_of_a_process_takes_the_whole_knowledge_base() -> None:
    found = {
        f"{path.relative_to(SOURCE).as_posix()}: {name}"
        for path in SOURCE.rglob("*.py")
        if "Knowledge" in (text := path.read_text(encoding="utf-8"))
        for name in _takers(ast.parse(text))
    }
    assert found == TAKE_EVERYTHING, "take the parts that are used, or name them in a Protocol"


def test_takers_of_the_whole_are_found_wherever_they_are_written() -> None:
    text = """
def plain(knowledge: Knowledge): ...
async def optional(*, knowledge: "Knowledge | None" = None): ...
def narrow(users: Users) -> Knowledge: ...
class Thing:
    knowledge: promises.Knowledge
    def __init__(self, *all: Knowledge): ...
    def method(self):
        def inner(knowledge: Knowledge): ...
"""
    assert set(_takers(ast.parse(text))) == {
        "plain",
        "optional",
        "Thing.knowledge",
        "Thing.__init__",
        "Thing.method.inner",
    }


def _takers(tree: ast.AST, within: str = "") -> Iterator[str]:
    """Yields the functions with a parameter, and the fields of classes, that are annotated as Knowledge."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if any(_is_whole(one.annotation) for one in ast.walk(node.args) if isinstance(one, ast.arg)):
                yield within + node.name
            yield from _takers(node, f"{within}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from _takers(node, f"{within}{node.name}.")
        elif isinstance(node, ast.AnnAssign) and isinstance(tree, ast.ClassDef):
            if _is_whole(node.annotation):
                yield within + ast.unparse(node.target)
        else:
            yield from _takers(node, within)


def _is_whole(annotation: ast.expr | None) -> bool:
    if annotation is None:
        return False
    words = ast.unparse(annotation).replace("'", " ").replace(".", " ").replace("[", " ").replace("]", " ")
    return "Knowledge" in words.split()
