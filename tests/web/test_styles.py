"""The style sheets hold nothing that no page uses, and no rule twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).parents[2] / "src/webvigil/web"
SHEETS = ("style.css", "pictures.css")
# Classes that Python writes: icons, tiles and their colours, topics of a chart, days of a calendar and of a
# small chart, signs and states.
WRITTEN = re.compile(
    r"icon|big|tile|s24|s40|h[0-7]|c[0-3]|f[1-4]|x|y|z|minus|plus|other|failed|active|waiting"
)
_TEXT = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`")


def named() -> set[str]:
    """Returns all words that stand in a class attribute of a template, or in a text of a script."""
    found: set[str] = set()
    for template in WEB.glob("templates/*.html"):
        source = template.read_text()
        for attribute in re.findall(r"class=\"((?:[^\"{]|\{\{.*?\}\}|\{%.*?%\}|\{)*)\"", source, re.DOTALL):
            found |= set(re.findall(r"[\w-]+", attribute))
    for script in WEB.glob("static/*.js"):
        found |= words(script.read_text())
    return found


def words(source: str) -> set[str]:
    texts = ("".join(found) for found in _TEXT.findall(source))
    return {word for text in texts for word in re.findall(r"[\w-]+", text)}


def rules(sheet: str) -> Iterator[str]:
    text = re.sub(r"/\*.*?\*/", "", (WEB / "static" / sheet).read_text(), flags=re.DOTALL)
    outside = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)
    yield from (" ".join(one.split()) for one in re.findall(r"[^{}]+\{[^{}]*\}", outside))


def test_every_class_is_used():
    known = named()
    for sheet in SHEETS:
        text = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", (WEB / "static" / sheet).read_text(), flags=re.DOTALL)
        classes = set(re.findall(r"\.(-?[a-zA-Z][\w-]*)", text))
        unused = {one for one in classes - known if not WRITTEN.fullmatch(one)}
        assert not unused, f"{sheet}: {sorted(unused)}"


def test_no_rule_is_written_twice():
    found = [rule for sheet in SHEETS for rule in rules(sheet)]
    assert len(found) > 300
    assert sorted({one for one in found if found.count(one) > 1}) == []
