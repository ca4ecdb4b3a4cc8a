"""The chain of filters of urlwatch and webchanges in, pieces of clauses out. The chain stays a chain.

Selectors that stand behind each other become one XPath. Filters that keep and drop lines become one
expression. What a chain leaves of a page is text, markup or bytes; that decides what `Monitor` compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from webvigil.app.moving.formats import patterns
from webvigil.app.moving.formats.said import REMARK, RUNS, SHOWN, Said, shown
from webvigil.language.texts import pattern_in_slashes

_CONTENT, _MARKUP, _BYTES = "content", "content OR structure", "exact change"
_GROUP = re.compile(r"\\(\d|g<)|\$\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter of the table: what it does, which clause it becomes, what differs, and its options.

    `options` maps the name of each option to what it does, with "" for those that are translated.
    """

    about: str
    becomes: str = ""
    difference: str = ""
    default: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[str, ...] = ("urlwatch", "webchanges")


@dataclass(slots=True)
class Chain:
    """What the filters so far have made of the page."""

    paths: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    ignore: list[Said] = field(default_factory=list)
    keep: list[tuple[str, str]] = field(default_factory=list)
    drop: list[tuple[str, str]] = field(default_factory=list)
    find: list[tuple[str, str]] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    selected: list[str] = field(default_factory=list)
    sees: Literal["bytes", "markup", "text"] = "bytes"
    hashed: bool = False
    json: bool = False
    any_order: str = ""
    remarks: list[Said] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)

    def remark(self, label: str, text: str) -> None:
        self.remarks.append(Said(REMARK, text, label))


def named(given: Any) -> Iterator[tuple[str, Any]]:
    """Yields name and argument of each filter. Filters are written as one text, as a list of texts, or as
    dicts."""
    if isinstance(given, str):
        given = [one.strip() for one in given.split(",")]
    if isinstance(given, dict):
        given = [{name: argument} for name, argument in given.items()]
    for one in given if isinstance(given, list) else []:
        if isinstance(one, str) and one.strip():
            name, _, argument = one.partition(":")
            yield name.strip(), argument.strip()
        elif isinstance(one, dict):
            yield from ((str(name), argument) for name, argument in one.items())


def translated(key: str, given: Any) -> Iterator[Said]:
    """Yields the pieces that a chain of filters becomes. Each filter is labelled with its place: `filter 2
    grep`."""
    chain, values = Chain(), dict[str, str]()
    for number, (name, argument) in enumerate(named(given), 1):
        label = f"{key} {number} {name}"
        values[label] = shown(name, argument)
        known = FILTERS.get(name)
        if known is None:
            chain.remark(label, "unknown here, not taken along")
            continue
        options = _options(argument, known)
        for option in options:
            doing = known.options.get(option, known.options.get("<any>"))
            if doing is None:
                chain.remark(f"{label} {option}", "unknown here, not taken along")
            elif doing:
                chain.remark(f"{label} {option}", f"not taken along; it {doing}")
        if name in _APPLY:
            _APPLY[name](chain, label, options)
        else:
            chain.remark(label, f"not taken along; it {known.about}")
        if known.difference:
            chain.remark(label, known.difference)
    yield from (one._replace(value=values.get(one.key, "")) for one in _pieces(chain, key))


def _options(argument: Any, known: Filter) -> dict[str, Any]:
    if isinstance(argument, dict):
        return {str(name): value for name, value in argument.items()}
    if argument in (None, ""):
        return {}
    return {known.default or "argument": argument}


def _pieces(chain: Chain, key: str) -> Iterator[Said]:
    label = chain.selected[-1] if chain.selected else key
    for one in chain.selected[:-1]:
        yield Said(SHOWN, "joined with the filters behind it", one)
    for path in chain.parts:
        yield Said("within", path, label)
    yield from (Said(RUNS, one, label) for one in chain.runs)
    yield from chain.ignore
    yield from _monitored(chain, key)
    yield from chain.remarks


def _monitored(chain: Chain, key: str) -> Iterator[Said]:
    option = "" if chain.sees == "text" else "in source"
    if option and (chain.keep or chain.drop or chain.find):
        chain.remark(
            key, "expressions are looked for in the source as WebVigil writes it, not as it was sent"
        )
    for expression, label in chain.values:
        yield Said("monitor", expression, label)
    if chain.find:
        for expression, label in chain.find:
            yield Said("monitor", patterns.regex_monitor(expression, option), label)
        for expression, label in (*chain.keep, *chain.drop):
            chain.remark(label, f"the lines are not chosen before the expression is looked for: {expression}")
    elif chain.keep:
        whole = patterns.lines([one for one, _ in chain.keep], [one for one, _ in chain.drop])
        for _, label in (*chain.keep, *chain.drop)[:-1]:
            yield Said(SHOWN, "joined with the filters behind it", label)
        yield Said("monitor", patterns.regex_monitor(whole, option), (*chain.keep, *chain.drop)[-1][1])
        chain.remark(key, "the order of these lines does not count here")
    elif not chain.values:
        for expression, label in chain.drop:
            yield Said("ignore", pattern_in_slashes(patterns.lines([expression])), label)
        yield Said("monitor", _compared(chain), chain.any_order or key)
    if chain.any_order and (chain.find or chain.keep or chain.values):
        yield Said(SHOWN, "the order does not count anyway", chain.any_order)


def _compared(chain: Chain) -> str:
    if chain.hashed or (chain.sees == "bytes" and not chain.parts and not chain.ignore and not chain.drop):
        return _BYTES
    if chain.any_order:
        return patterns.any_order()
    if chain.json:
        return "any change"
    return _CONTENT if chain.sees == "text" or chain.drop or (chain.ignore and not chain.parts) else _MARKUP


# --- The filters ---------------------------------------------------------------------------------


def _selects(chain: Chain, label: str, paths: list[str], css: str, options: dict[str, Any]) -> None:
    """Selects inside what was selected before, and of that some if the options say so. `css` is the selector
    that the paths were made from."""
    skip, most = _number(options.get("skip")), _number(options.get("maxitems"))
    first = not chain.paths
    try:
        found = paths if first else patterns.chained(chain.paths, paths)
    except ValueError as error:
        chain.remark(label, f"not taken along: {error}")
        return
    chain.paths = [patterns.picked(found, skip, most)] if skip or most else found
    alone = css if first and not (skip or most) else ""
    chain.parts = [patterns.css_part(alone)] if alone else [patterns.xpath_part(" | ".join(chain.paths))]
    runs = paths if not (skip or most) else [patterns.picked(paths, skip, most)]
    chain.runs.append(f"select css {css}" if css and runs is paths else f"select xpath {' | '.join(runs)}")
    chain.selected.append(label)
    chain.sees = "markup" if chain.sees == "bytes" else chain.sees
    if options.get("sort"):
        chain.any_order = f"{label} sort"


def _css(chain: Chain, label: str, options: dict[str, Any]) -> None:
    selector = str(options.get("selector") or "")
    _by_selector(chain, label, options, selector)


def _by_selector(chain: Chain, label: str, options: dict[str, Any], selector: str) -> None:
    try:
        paths = patterns.xpaths_of(selector)
    except ValueError as error:
        chain.remark(label, f"not taken along: {error}")
        return
    _selects(chain, label, paths, selector, options)
    if excluded := options.get("exclude"):
        chain.ignore.append(Said("ignore", patterns.css_part(str(excluded)), f"{label} exclude"))
        chain.runs.append(f"remove css {excluded}")


def _xpath(chain: Chain, label: str, options: dict[str, Any]) -> None:
    path = str(options.get("path") or "")
    if not path:
        return
    _selects(chain, label, [path], "", options)
    if excluded := options.get("exclude"):
        chain.ignore.append(Said("ignore", patterns.xpath_part(str(excluded)), f"{label} exclude"))
        chain.runs.append(f"remove xpath {excluded}")


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _by_attribute(name: str, spelled: str) -> Callable[[Chain, str, dict[str, Any]], None]:
    def apply(chain: Chain, label: str, options: dict[str, Any]) -> None:
        text = str(options.get(name) or "").replace("\\", "\\\\").replace('"', '\\"')
        if text:
            _by_selector(chain, label, {}, spelled.format(text))

    return apply


def _to_text(chain: Chain, label: str, options: dict[str, Any]) -> None:
    chain.sees = "text"
    chain.remarks.append(Said(SHOWN, "Monitor content", label))


def _keeps(chain: Chain, label: str, options: dict[str, Any]) -> None:
    if expression := _expression(options):
        chain.keep.append((expression, label))


def _drops(chain: Chain, label: str, options: dict[str, Any]) -> None:
    if expression := _expression(options):
        chain.drop.append((expression, label))


def _expression(options: dict[str, Any]) -> str:
    if options.get("re"):
        return str(options["re"])
    return patterns.literal(str(options["text"]), any_case=False) if options.get("text") else ""


def _substitutes(chain: Chain, label: str, options: dict[str, Any]) -> None:
    expression, by = str(options.get("pattern") or ""), str(options.get("repl") or "")
    if not expression:
        return
    if _GROUP.search(by):
        chain.remark(label, "not taken along; it keeps a part of what it finds and drops the rest")
        return
    chain.ignore.append(Said("ignore", pattern_in_slashes(expression), label))
    if by:
        chain.remark(label, "how often it is found does not count here")
    if chain.sees != "text":
        chain.remark(label, "it is looked for in the text as shown, not in the source")


def _finds(chain: Chain, label: str, options: dict[str, Any]) -> None:
    if expression := str(options.get("pattern") or ""):
        chain.find.append((expression, label))
        if options.get("repl"):
            chain.remark(f"{label} repl", "not taken along; the whole match is compared")


def _between(chain: Chain, label: str, options: dict[str, Any]) -> None:
    start, end = (str(options.get(name) or "") for name in ("start", "end"))
    if start:
        behind = f"(?:^.*{patterns.scoped(end)}|\\z)" if end else r"\z"
        chain.find.append((f"(?ms)^[^\\n]*{patterns.scoped(start)}.*?{behind}", label))


def _any_order(chain: Chain, label: str, options: dict[str, Any]) -> None:
    chain.any_order = label


def _hashes(chain: Chain, label: str, options: dict[str, Any]) -> None:
    chain.hashed = True
    chain.remarks.append(Said(SHOWN, "Monitor exact change", label))


def _jq(chain: Chain, label: str, options: dict[str, Any]) -> None:
    if query := str(options.get("query") or ""):
        chain.values.append((patterns.json_value(query), label))


def _nothing(chain: Chain, label: str, options: dict[str, Any]) -> None:
    """Notes a filter that needs no clause here: white space, and the way in which something is written, do
    not count anyway."""
    chain.remarks.append(Said(SHOWN, "so it is anyway", label))


def _formats(chain: Chain, label: str, options: dict[str, Any]) -> None:
    chain.sees = "text"
    _nothing(chain, label, options)


def _json(chain: Chain, label: str, options: dict[str, Any]) -> None:
    """Notes that JSON is watched. JSON that jq does not cut is compared value by value, so the order of
    members does not count."""
    chain.sees, chain.json = "text", True
    chain.remarks.append(Said(SHOWN, "Monitor any change", label))


_APPLY: dict[str, Callable[[Chain, str, dict[str, Any]], None]] = {
    "css": _css,
    "xpath": _xpath,
    "element-by-id": _by_attribute("id", '[id="{}"]'),
    "element-by-class": _by_attribute("class", '[class~="{}"]'),
    "element-by-style": _by_attribute("style", '[style="{}"]'),
    "element-by-tag": _by_attribute("tag", "{}"),
    "html2text": _to_text,
    "pdf2text": _to_text,
    "pypdf": _to_text,
    "ical2text": _to_text,
    "csv2text": _to_text,
    "format-json": _json,
    "jsontoyaml": _json,
    "pretty-xml": _formats,
    "format-xml": _formats,
    "grep": _keeps,
    "grepi": _drops,
    "keep_lines_containing": _keeps,
    "delete_lines_containing": _drops,
    "between": _between,
    "re.sub": _substitutes,
    "re.findall": _finds,
    "sort": _any_order,
    "reverse": _nothing,
    "strip": _nothing,
    "striplines": _nothing,
    "beautify": _nothing,
    "absolute_links": _nothing,
    "sha1sum": _hashes,
    "sha256sum": _hashes,
    "hexdump": _hashes,
    "base64": _hashes,
    "ascii85": _hashes,
    "jq": _jq,
}

_URLWATCH, _WEBCHANGES = ("urlwatch",), ("webchanges",)
_LXML = {
    "method": "chooses the parser; here the content type does",
    "exclude": "",
    "namespaces": "gives prefixes a meaning; here those of the document and of common formats are known",
    "skip": "",
    "maxitems": "",
    "sort": "",
}
_LAYOUT = {"indentation": "says how far the text is indented, which does not count here"}
_SEPARATED = {"separator": "says what separates the items; here it is the line"}
_NEVER = "runs a program of the system, which WebVigil never does"

FILTERS: dict[str, Filter] = {
    "css": Filter(
        about="keeps what a CSS selector finds",
        becomes='`Within css "…"`; behind another selector one XPath',
        default="selector",
        options={"selector": "", **_LXML},
    ),
    "xpath": Filter(
        about="keeps what an XPath finds",
        becomes='`Within xpath "…"`',
        default="path",
        options={"path": "", **_LXML},
    ),
    "element-by-id": Filter(
        about="keeps the element with this id", becomes='`Within css "…"`', default="id", options={"id": ""}
    ),
    "element-by-class": Filter(
        about="keeps elements of this class",
        becomes='`Within css "…"`',
        default="class",
        options={"class": ""},
    ),
    "element-by-style": Filter(
        about="keeps elements with this style",
        becomes='`Within css "…"`',
        default="style",
        options={"style": ""},
    ),
    "element-by-tag": Filter(
        about="keeps elements of this name", becomes='`Within css "…"`', default="tag", options={"tag": ""}
    ),
    "html2text": Filter(
        about="compares the text, not the markup",
        becomes="`Monitor content`",
        default="method",
        options={
            "method": "chooses how a page is made into text; here it is the text that a browser shows",
            "separator": "says what stands between texts, which does not count here",
            "strip": "takes away white space, which does not count here",
            "<any>": "says how a page is made into text; here it is the text that a browser shows",
        },
    ),
    "pdf2text": Filter(
        about="reads the text of a PDF",
        becomes="`Monitor content`",
        default="password",
        options={
            "password": "opens a PDF; one that needs a password cannot be read here",
            "raw": "says how the text is arranged, which does not count here",
            "physical": "says how the text is arranged, which does not count here",
        },
    ),
    "pypdf": Filter(
        about="reads the text of a PDF",
        becomes="`Monitor content`",
        default="password",
        options={
            "password": "opens a PDF; one that needs a password cannot be read here",
            "extraction_mode": "says how the text is arranged, which does not count here",
        },
        tools=_WEBCHANGES,
    ),
    "ical2text": Filter(about="reads the entries of a calendar", becomes="`Monitor content`"),
    "csv2text": Filter(
        about="reads the rows of a CSV file",
        becomes="`Monitor content`",
        difference="every column counts, and values are not put into a sentence",
        default="format_message",
        options={
            "format_message": "puts chosen columns into a sentence",
            "ignore_header": "counts columns by number",
            "has_header": "says that the first row is a header",
        },
    ),
    "format-json": Filter(
        about="writes JSON in lines",
        becomes="`Monitor any change`",
        difference="the order of members does not count",
        default="indentation",
        options={**_LAYOUT, "sort_keys": "sorts members, whose order does not count here"},
    ),
    "jsontoyaml": Filter(
        about="writes JSON as YAML",
        becomes="`Monitor any change`",
        difference="the order of members does not count",
        default="indentation",
        options=_LAYOUT,
        tools=_WEBCHANGES,
    ),
    "pretty-xml": Filter(
        about="indents XML", becomes="`Monitor content`", default="indentation", options=_LAYOUT
    ),
    "format-xml": Filter(about="indents XML", becomes="`Monitor content`", tools=_WEBCHANGES),
    "beautify": Filter(
        about="indents HTML",
        becomes="nothing: white space does not count",
        default="indent",
        options={
            "absolute_links": "makes addresses absolute, as they always are here",
            "indent": "says how far lines are indented, which does not count here",
        },
    ),
    "absolute_links": Filter(
        about="makes addresses absolute", becomes="nothing: they always are", tools=_WEBCHANGES
    ),
    "grep": Filter(
        about="keeps lines that match",
        becomes="`Monitor regular expression: {.*….*}`",
        difference="",
        default="re",
        options={"re": ""},
    ),
    "grepi": Filter(
        about="drops lines that match", becomes="`Ignore /.*….*/`", default="re", options={"re": ""}
    ),
    "keep_lines_containing": Filter(
        about="keeps lines with a text or expression",
        becomes="`Monitor regular expression: {.*….*}`",
        default="text",
        options={"text": "", "re": ""},
        tools=_WEBCHANGES,
    ),
    "delete_lines_containing": Filter(
        about="drops lines with a text or expression",
        becomes="`Ignore /.*….*/`",
        default="text",
        options={"text": "", "re": ""},
        tools=_WEBCHANGES,
    ),
    "between": Filter(
        about="keeps what stands between two lines",
        becomes="`Monitor regular expression: {…}`",
        difference="the two lines themselves count too",
        options={"start": "", "end": ""},
        tools=_WEBCHANGES,
    ),
    "re.sub": Filter(
        about="replaces what an expression finds",
        becomes="`Ignore /…/`",
        default="pattern",
        options={"pattern": "", "repl": ""},
    ),
    "re.findall": Filter(
        about="keeps what an expression finds",
        becomes="`Monitor regular expression: {…}`",
        difference="the order of what is found does not count here",
        default="pattern",
        options={"pattern": "", "repl": ""},
    ),
    "sort": Filter(
        about="sorts the lines",
        becomes="`Monitor regular expression: {.+}`",
        default="separator",
        options={"reverse": "sorts the other way round; order does not count anyway", **_SEPARATED},
    ),
    "reverse": Filter(
        about="turns the order of the lines round",
        becomes="nothing: both versions are read from the beginning",
        default="separator",
        options=_SEPARATED,
    ),
    "remove-duplicate-lines": Filter(
        about="drops lines that were there before; here a line that comes once more is a change",
        default="separator",
        options=_SEPARATED,
    ),
    "remove_repeated": Filter(
        about="drops lines that repeat the one before; here a line that comes once more is a change",
        default="separator",
        options={
            **_SEPARATED,
            "ignore_case": "takes capital and small letters for the same",
            "adjacent": "drops only repeats that stand together",
        },
        tools=_WEBCHANGES,
    ),
    "strip": Filter(
        about="takes away white space around the text",
        becomes="nothing: white space does not count",
        default="chars",
        options={
            "splitlines": "does so with every line, as it always is here",
            "chars": "takes away these characters; here they count",
            "side": "takes away only on one side",
        },
    ),
    "striplines": Filter(
        about="takes away white space around lines", becomes="nothing: white space does not count"
    ),
    "sha1sum": Filter(about="compares a checksum", becomes="`Monitor exact change`"),
    "sha256sum": Filter(about="compares a checksum", becomes="`Monitor exact change`", tools=_WEBCHANGES),
    "hexdump": Filter(about="compares bytes", becomes="`Monitor exact change`"),
    "base64": Filter(about="compares bytes", becomes="`Monitor exact change`", tools=_WEBCHANGES),
    "ascii85": Filter(about="compares bytes", becomes="`Monitor exact change`", tools=_WEBCHANGES),
    "jq": Filter(
        about="asks JSON with jq",
        becomes='`Monitor value json "…"`; what is more than a path: `value jq "…"`',
        default="query",
        options={"query": ""},
    ),
    "ocr": Filter(
        about="reads the text in a picture; here the picture itself is compared",
        options={
            "language": "names the language of the text in a picture",
            "timeout": "limits how long reading a picture may take",
        },
    ),
    "shellpipe": Filter(
        about=_NEVER,
        default="command",
        options={
            "command": "",
            "escape_characters": "says how the command is written on Windows",
        },
    ),
    "execute": Filter(
        about=_NEVER,
        default="command",
        options={
            "command": "",
            "escape_characters": "says how the command is written on Windows",
        },
        tools=_WEBCHANGES,
    ),
}
