"""Parts of a page (`Within`, `Ignore`) in, masks over its nodes and the page seen through them out (D5).

    mask(digest, part)            which nodes a part of a page holds
    union(masks)                  the mask of a group
    view(digest, within, ignore)  the page as a sentinel sees it

A selector, an XPath or a JSON path means the elements it finds with all that is in them. An XPath may also
find texts, attributes, comments and processing instructions: `Within` keeps these alone, and what is no text
on the page becomes one, so that every change type reads it; `Ignore` takes them away alone. A regular
expression and words mean text as it is shown: `Within` keeps the text nodes that hold a match, `Ignore` cuts
the matches out. A match may run over several texts: `<b>5</b> minutes ago`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from webvigil.document import arrays, jsonpath, xpath
from webvigil.document.arrays import Longs, Mask, distinct
from webvigil.document.digest import PageDigest
from webvigil.document.main import main
from webvigil.document.patterns import Pattern, compile_pattern
from webvigil.document.reading import Reading
from webvigil.document.words import borders
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import Part

# White space that looks different on the screen than in the source, because it is collapsed.
_WIDE = re.compile(r"\s\s|[^\S ]")


def mask(digest: PageDigest, part: Part) -> Mask:
    """Returns a mask of the nodes of a part. Raises PatternRefused for a part that cannot be read."""
    match part.by:
        case "css":
            from webvigil.document import css

            return arrays.below(css.select(digest, _text(part)), digest.sizes)
        case "xpath":
            return arrays.below(xpath.select(digest, _text(part)), digest.sizes)
        case "json":
            return arrays.below(jsonpath.found_on(digest, _text(part)), digest.sizes)
        case "regex":
            return _matched_nodes(digest, compile_pattern(_text(part)))
        case "words":
            return _word_nodes(digest, _words(part))
        case "main":
            return main(digest)


def check(part: Part) -> None:
    """Raises PatternRefused for a part that cannot be read on any page."""
    match part.by:
        case "css":
            from webvigil.document import css

            css.parsed(_text(part))
        case "xpath":
            xpath.compiled(_text(part), ())
        case "json":
            jsonpath.parsed(_text(part))
        case "regex":
            compile_pattern(_text(part))
        case "words":
            _words(part)
        case "main":
            pass


def union(masks: Iterable[Mask]) -> Mask:
    """Returns the mask of all nodes that are in any of the masks. At least one mask must be given."""
    answer: Mask = np.logical_or.reduce(list(masks))
    return answer


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """The attributes (rows of AM), comments and processing instructions (leaves) that an XPath chose without
    the element around them. `whole` are the nodes that were chosen with everything inside them."""

    whole: Mask
    rows: Mask
    leaves: Mask


def single(digest: PageDigest, parts: Sequence[Part]) -> Single | None:
    """Returns the attributes, comments and instructions that these parts choose alone, or None if the parts
    choose only elements and texts, as most do."""
    found = [xpath.chosen(digest, _text(part)) for part in parts if part.by == "xpath"]
    if not found:
        return None
    rows = np.logical_or.reduce([one.rows for one in found])
    leaves = np.logical_or.reduce([one.nodes for one in found]) & _unread(digest)
    if not rows.any() and not leaves.any():
        return None
    nodes = [arrays.below(one.nodes, digest.sizes) for one in found]
    others = [mask(digest, part) for part in parts if part.by != "xpath"]
    return Single(union([*nodes, *others]), rows, leaves)


def followed(chosen: Single, old: PageDigest, new: PageDigest, carried: Mask) -> Single:
    """Returns what is chosen alone in the new version, in a part that was found again by likeness
    (`carried`): the attributes with the names chosen in the old version, the comments and the
    instructions."""
    roots = carried.copy()
    roots[1:] &= ~carried[new.parents[1:]]
    names = {old.attribute_names[name] for name in distinct(old.attribute_name[chosen.rows]).tolist()}
    rows = np.zeros(len(new.attribute_node), dtype=np.bool_)
    rows[new.rows_of(*names)] = True
    rows &= roots[new.attribute_node]
    owned = np.zeros(len(new), dtype=np.bool_)
    owned[new.attribute_node[rows]] = True
    return Single(carried & ~arrays.below(owned, new.sizes), rows, roots & _unread(new))


def _unread(digest: PageDigest) -> Mask:
    """Returns a mask of the leaves whose text is not part of the page: comments, processing instructions."""
    return np.asarray((digest.content >= 0) & ~digest.is_text, dtype=np.bool_)


def view(digest: PageDigest, within: Sequence[Part] = (), ignore: Sequence[Part] = ()) -> PageDigest:
    """Returns the page as a sentinel sees it: only the parts in `within`, without those in `ignore`.

    The result is a digest of its own; its paths are those of the whole page.
    """
    kept = union(mask(digest, part) for part in within) if within else None
    return seen(digest, kept, ignore, single(digest, within))


def seen(
    digest: PageDigest, kept: Mask | None, ignore: Sequence[Part] = (), chosen: Single | None = None
) -> PageDigest:
    """Returns the page as a sentinel sees it, where the mask `kept` is known already, for example because it
    was carried from an older version.

    `chosen` are the attributes, comments and instructions in it that were chosen alone.
    """
    answer = _cut_out(digest, kept, ignore, chosen)
    for part in ignore:
        if part.by == "regex":
            answer = _without_matches(answer, compile_pattern(_text(part)))
        elif part.by == "words":
            phrases = _phrases(_words(part))
            answer = _without_phrases(answer, phrases)
            left = _without(answer, phrases)
            answer = answer.with_texts(lambda text, left=left: left.get(text, text))  # type: ignore[misc]
    return answer


def _cut_out(
    digest: PageDigest, kept: Mask | None, ignore: Sequence[Part], chosen: Single | None
) -> PageDigest:
    """Returns the kept part of the page without the elements and attributes that selectors in `ignore`
    name."""
    dropped = [mask(digest, part) for part in ignore if part.by in ("css", "json", "main")]
    found = [xpath.chosen(digest, _text(part)) for part in ignore if part.by == "xpath"]
    dropped += [arrays.below(one.nodes, digest.sizes) for one in found]
    rows = (
        ~np.logical_or.reduce([one.rows for one in found]) if any(one.rows.any() for one in found) else None
    )
    if dropped:
        kept = ~union(dropped) if kept is None else kept & ~union(dropped)
    if chosen is not None and kept is not None:
        return _alone(digest, kept, chosen, rows)
    if kept is None:
        return digest
    return digest.part(kept, rows)


def _alone(digest: PageDigest, kept: Mask, chosen: Single, allowed: Mask | None) -> PageDigest:
    """Returns the part with the attributes and leaves that were chosen alone, without the elements around
    them. Each of them also becomes a text node, so that every change type reads it."""
    rows = chosen.rows if allowed is None else chosen.rows & allowed
    owners = np.zeros(len(digest), dtype=np.bool_)
    owners[digest.attribute_node[rows]] = True
    kept = kept & (chosen.whole | owners)
    of_whole = chosen.whole[digest.attribute_node]
    part = digest.part(kept, rows | (of_whole if allowed is None else of_whole & allowed))
    return _read_out(digest, part, kept, np.flatnonzero(rows), np.flatnonzero(chosen.leaves & kept))


def _read_out(digest: PageDigest, part: PageDigest, kept: Mask, rows: Longs, leaves: Longs) -> PageDigest:
    """Returns the part with a new text node before the element of each of these attributes and before each of
    these leaves; the text is the value of the attribute or the text of the leaf."""
    rows = rows[kept[digest.attribute_node[rows]]]
    homes = np.concatenate([digest.attribute_node[rows], leaves]).astype(np.int64)
    texts = [digest.attribute_values[value] for value in digest.attribute_value[rows].tolist()]
    texts += [digest.texts[index] for index in digest.content[leaves].tolist()]
    order = np.argsort(homes, kind="stable")
    # Every part keeps the document node, so it counts in the numbers of the part's nodes.
    kept = kept.copy()
    kept[0] = True
    return part.with_lines((np.cumsum(kept) - 1)[homes[order]], [texts[place] for place in order.tolist()])


def _without_matches(digest: PageDigest, pattern: Pattern) -> PageDigest:
    """Returns the page without the matches: first those that run over several text nodes, then those in
    each."""
    if digest.is_html:
        digest = _cut(digest, *pattern.edges(digest.shown.text))
    return digest.with_texts(lambda text: _without_matches_in(text, pattern))


def _without_matches_in(text: str, pattern: Pattern) -> str:
    """Returns a text without its matches. If the text as written has none, the matches in the text with
    collapsed white space are cut out."""
    left = pattern.cut(text)
    if left != text or not _WIDE.search(text):
        return left
    return _left(text, pattern.spans(" ".join(text.split())))


def _cut(digest: PageDigest, starts: Longs, ends: Longs) -> PageDigest:
    """Returns the page without those stretches of the shown text (`starts` to `ends`) that run over several
    text nodes. Stretches in one node stay."""
    shown = digest.shown
    first = np.searchsorted(shown.starts, starts, side="right") - 1
    last = np.searchsorted(shown.starts, ends - 1, side="right") - 1
    begins, nodes = shown.starts.tolist(), shown.nodes.tolist()
    cuts: dict[int, list[tuple[int, int]]] = {}
    left: dict[int, str] = {}
    for number in np.flatnonzero(last > first).tolist():
        start, end = int(starts[number]), int(ends[number])
        low, high = max(int(first[number]), 0), int(last[number])
        left |= dict.fromkeys(nodes[low + 1 : high], "")
        for place in (low, high):
            cuts.setdefault(nodes[place], []).append((max(start - begins[place], 0), end - begins[place]))
    left |= {node: _left(digest.own_text(node), cut) for node, cut in cuts.items()}
    return digest.with_own_texts(left) if left else digest


def _left(text: str, cuts: list[tuple[int, int]]) -> str:
    """Returns a text without the pieces in `cuts`. Their offsets count in the text with collapsed white
    space."""
    places: list[int] = []
    for word in re.finditer(r"\S+", text) if cuts else ():
        places += [word.start() - 1] if places else []
        places += range(*word.span())
    pieces, place = [], 0
    for start, end in cuts:
        behind = min(end, len(places))
        if start < behind:
            pieces.append(text[place : places[start]])
            place = max(place, places[behind - 1] + 1)
    return "".join([*pieces, text[place:]])


def _without_phrases(digest: PageDigest, phrases: dict[str, list[list[str]]]) -> PageDigest:
    """Returns the page without the phrases that stand on one line and run over several text nodes."""
    if not digest.is_html or not any(first in digest.shown.text.casefold() for first in phrases):
        return digest
    sizes = {len(one) for several in phrases.values() for one in several}
    found = [span for size in sizes for span in _over_texts(digest.shown, size, phrases)]
    return _cut(digest, *np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T)


def _over_texts(shown: Reading, size: int, phrases: dict[str, list[list[str]]]) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each phrase of `size` words that stands on one line of the shown text and
    runs over several text nodes."""
    starts, ends = borders(shown.text)
    starts, ends = starts[: max(len(starts) - size + 1, 0)], ends[size - 1 :]
    first = np.searchsorted(shown.starts, starts, side="right")
    last = np.searchsorted(shown.starts, ends - 1, side="right")
    for place in np.flatnonzero(first < last).tolist():
        start, end = int(starts[place]), int(ends[place])
        text = shown.text[start:end]
        words = _tokens(text)
        if words and "\n" not in text and words in phrases.get(words[0], ()):
            yield start, end


def _text(part: Part) -> str:
    if not isinstance(part.argument, str) or not part.argument.strip():
        raise PatternRefused(f"{part.by} wants one text that is not empty")
    return part.argument


def _words(part: Part) -> tuple[str, ...]:
    listed = (part.argument,) if isinstance(part.argument, str) else part.argument
    if not any(_tokens(one) for one in listed):
        raise PatternRefused("there is no word among the words")
    return listed


def _matched_nodes(digest: PageDigest, pattern: Pattern) -> Mask:
    """Returns a mask of the text nodes that a match in the shown text touches."""
    found = np.zeros(len(digest), dtype=np.bool_)
    shown = digest.shown
    starts, ends = pattern.edges(shown.text)
    first = np.maximum(np.searchsorted(shown.starts, starts, side="right") - 1, 0)
    behind = np.searchsorted(shown.starts, ends - 1, side="right")
    # Counts for each text node the matches it is in: plus one where a match begins, minus one behind its end.
    steps = np.zeros(len(shown.nodes) + 1, dtype=np.int64)
    np.add.at(steps, first, 1)
    np.subtract.at(steps, np.maximum(behind, first), 1)
    found[shown.nodes[np.cumsum(steps[:-1]) > 0]] = True
    return found


def _word_nodes(digest: PageDigest, listed: tuple[str, ...]) -> Mask:
    found = np.zeros(len(digest), dtype=np.bool_)
    words = [word.casefold() for word in digest.words.words]
    spans = np.array(_places(words, _phrases(listed)), dtype=np.int64).reshape(-1, 2)
    # Marks the words inside the spans, which do not overlap: plus one at each start, minus one behind each
    # end.
    steps = np.zeros(len(words) + 1, dtype=np.int64)
    np.add.at(steps, spans[:, 0], 1)
    np.subtract.at(steps, spans[:, 1], 1)
    found[digest.words.nodes[np.cumsum(steps[:-1]) > 0]] = True
    return found


def _without(digest: PageDigest, phrases: dict[str, list[list[str]]]) -> dict[str, str]:
    """Returns for each text that contains a phrase what is left of the text without it. All texts are
    searched for words at once, because there may be many."""
    texts = [text for text in digest.texts if any(first in text.casefold() for first in phrases)]
    joined = "\n".join(texts)
    starts, ends = borders(joined)
    words = [joined[start:end].casefold() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    begins = np.cumsum(lengths) - lengths
    first, found = np.searchsorted(starts, np.append(begins, len(joined) + 1)).tolist(), {}
    for number, text in enumerate(texts):
        begin, low, high = int(begins[number]), first[number], first[number + 1]
        pieces, place = [], 0
        for one, last in _places(words[low:high], phrases):
            pieces.append(text[place : int(starts[low + one]) - begin])
            place = int(ends[low + last - 1]) - begin
        found[text] = "".join([*pieces, text[place:]])
    return found


def _phrases(listed: tuple[str, ...]) -> dict[str, list[list[str]]]:
    """Returns for each first word the phrases that begin with it, longest first; all in lower case."""
    found: dict[str, list[list[str]]] = {}
    for tokens in sorted((_tokens(one) for one in listed), key=len, reverse=True):
        if tokens:
            found.setdefault(tokens[0], []).append(tokens)
    return found


def _places(words: list[str], phrases: dict[str, list[list[str]]]) -> list[tuple[int, int]]:
    """Returns where phrases stand among the words, from left to right, without overlaps."""
    found, place = [], 0
    while place < len(words):
        for phrase in phrases.get(words[place], ()):
            if words[place : place + len(phrase)] == phrase:
                found.append((place, place + len(phrase)))
                place += len(phrase)
                break
        else:
            place += 1
    return found


def _tokens(text: str) -> list[str]:
    starts, ends = borders(text)
    return [text[start:end].casefold() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
