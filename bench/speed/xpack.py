# ruff: noqa: B023, E501  # what is measured runs at once; the documents stand as they are
"""How small packed documents are and how fast they answer, beside gzip, zstd, xz, brotli and lxml.

    python -m bench.speed.xpack [--json]

The tables and figures are those of the paper (ROC chapter IV), as ours, on the same kinds of data: plays,
bibliographies, protein-like records, web pages. Documents are made here; real ones are used as well where
they are (`../shared/data`, or the folder that WEBVIGIL_DATA names). Times are the best processor times of several
cold runs: from the file to the answer, expression included. A ratio above 1 means that we are ahead.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from lzma import compress as xz
from pathlib import Path
from typing import Any

import brotli
import zstandard
from lxml import etree

from webvigil.document import read
from webvigil.xpack import PROFILES, open_packed, pack
from webvigil.xpack.operators import attribute_pack, content_pack, name_pack, page_pack, path_pack, url_pack
from webvigil.xpack.xpath.parser import parse

Row = dict[str, Any]
_BESIDE = Path(__file__).parents[3] / "shared/data"


@dataclass(frozen=True)
class Sample:
    name: str
    kind: str  # plays, bibliography, records, pages
    body: bytes

    @property
    def content_type(self) -> str:
        return "text/html" if self.kind == "pages" else "text/xml"


# --- the documents -------------------------------------------------------------------------------------


@cache
def samples() -> tuple[Sample, ...]:
    made = [
        Sample("made play", "plays", play(300_000)),
        Sample("made bibliography", "bibliography", bibliography(300_000)),
        Sample("made bibliography 7 MB", "bibliography", bibliography(7_000_000)),
        Sample("made records", "records", records(600_000)),
        Sample("made page", "pages", page(50_000)),
    ]
    return (*made, *_real())


def _real() -> Iterator[Sample]:
    folder = Path(os.environ.get("WEBVIGIL_DATA", _BESIDE))
    kinds = {
        "hamlet": "plays",
        "macbeth": "plays",
        "dblp-excerpt": "bibliography",
        "SigmodRecord": "bibliography",
    }
    for file in sorted((folder / "xml").glob("*.xml")):
        yield Sample(file.stem, kinds.get(file.stem, "records"), file.read_bytes())
    for file in sorted((folder / "pairs").glob("*.old.html"))[::4]:
        yield Sample(file.stem.removesuffix(".old"), "pages", file.read_bytes())


def _words(dice: random.Random, count: int) -> list[str]:
    syllables = [first + vowel for first in "bdfghklmnprstvw" for vowel in "aeiou"]
    return ["".join(dice.choices(syllables, k=dice.choice((1, 1, 2, 2, 3)))) for _ in range(count)]


def _sentence(dice: random.Random, words: list[str]) -> str:
    """Returns a random sentence. A few words are frequent and many are rare, as in any language."""
    chosen = [
        words[min(int(dice.paretovariate(0.7)) - 1, len(words) - 1)] for _ in range(dice.randint(5, 11))
    ]
    return " ".join(chosen).capitalize()


def play(size: int) -> bytes:
    dice = random.Random(1)
    words, cast = _words(dice, 6000), [word.upper() for word in _words(dice, 25)]
    parts, length = ["<PLAY>\n<TITLE>A play</TITLE>\n<PERSONAE>\n"], 0
    parts += [f"<PERSONA>{name}, a person</PERSONA>\n" for name in cast]
    parts.append("</PERSONAE>\n")
    while length < size:
        scene = [f"<ACT><TITLE>ACT</TITLE>\n<SCENE><TITLE>{_sentence(dice, words)}</TITLE>\n"]
        for _ in range(80):
            lines = "".join(f"<LINE>{_sentence(dice, words)},</LINE>\n" for _ in range(dice.randint(1, 7)))
            scene.append(f"<SPEECH>\n<SPEAKER>{dice.choice(cast)}</SPEAKER>\n{lines}</SPEECH>\n")
        scene.append("</SCENE></ACT>\n")
        parts += scene
        length += sum(map(len, scene))
    return "".join([*parts, "</PLAY>"]).encode()


def bibliography(size: int) -> bytes:
    dice = random.Random(2)
    words = _words(dice, 5000)
    people = [
        f"{one.capitalize()} {other.capitalize()}"
        for one, other in zip(words[:900], words[900:1800], strict=True)
    ]
    parts, length, number = ["<dblp>\n"], 0, 0
    while length < size:
        number += 1
        kind = dice.choice(("article", "inproceedings", "inproceedings"))
        authors = "".join(f"<author>{dice.choice(people)}</author>\n" for _ in range(dice.randint(1, 4)))
        place = "journal" if kind == "article" else "booktitle"
        one = (
            f'<{kind} mdate="2002-0{dice.randint(1, 9)}-{dice.randint(10, 28)}" key="conf/x/{number}">\n{authors}'
            f"<title>{_sentence(dice, words)}.</title>\n<pages>{number % 900}-{number % 900 + dice.randint(2, 30)}</pages>\n"
            f"<year>{dice.randint(1980, 2003)}</year>\n<{place}>{dice.choice(words[:60]).upper()}</{place}>\n"
            f"<ee>http://doi.example.org/10.1109/{number * 37 % 99991}.{number}</ee>\n</{kind}>\n"
        )
        parts.append(one)
        length += len(one)
    return "".join([*parts, "</dblp>"]).encode()


def records(size: int) -> bytes:
    """Returns XML with more structure and attributes than text, like records of proteins."""
    dice = random.Random(3)
    words = _words(dice, 800)
    parts, length = ["<root>\n"], 0
    while length < size:
        features = "".join(
            f'<Features><DOMAIN from="{dice.randint(1, 300)}" to="{dice.randint(300, 900)}">'
            f"<Descr>{dice.choice(words)} {dice.choice(words)}</Descr></DOMAIN></Features>\n"
            for _ in range(dice.randint(1, 6))
        )
        authors = "".join(
            f"<Author>{dice.choice(words).capitalize()} {dice.choice('ABCDEF')}.</Author>" for _ in range(4)
        )
        one = (
            f'<Entry id="{dice.randrange(10**6)}" class="STANDARD" mtype="PRT" seqlen="{dice.randint(50, 999)}">\n'
            f"<AC>Q{dice.randrange(10**5)}</AC><Org>{dice.choice(words[:40])}</Org>\n"
            f'<Ref num="1" pos="SEQUENCE">{authors}<Cite>{dice.choice(words[:90])}</Cite></Ref>\n{features}</Entry>\n'
        )
        parts.append(one)
        length += len(one)
    return "".join([*parts, "</root>"]).encode()


def page(size: int) -> bytes:
    dice = random.Random(4)
    words = _words(dice, 2500)
    parts, length = ["<!DOCTYPE html><html><head><title>Page</title></head><body><ul class='nav'>"], 0
    while length < size:
        links = "".join(
            f'<li class="item"><a class="link" href="https://www.example.org/{dice.choice(words[:30])}/{dice.choice(words)}">'
            f"{dice.choice(words)}</a></li>"
            for _ in range(6)
        )
        text = "".join(f"<p>{_sentence(dice, words)}. {_sentence(dice, words)}.</p>" for _ in range(3))
        one = f'<div class="box"><h2>{_sentence(dice, words)}</h2><ul>{links}</ul>{text}</div>\n'
        parts.append(one)
        length += len(one)
    return "".join([*parts, "</body></html>"]).encode()


# --- measuring -----------------------------------------------------------------------------------------


def best(act: Callable[[], object], seconds: float = 0.4) -> float:
    """Calls `act` for some seconds, and returns the milliseconds of processor time of the fastest call."""
    began = time.process_time()
    act()
    least = time.process_time() - began
    end = time.process_time() + seconds
    while time.process_time() < end:
        began = time.process_time()
        act()
        least = min(least, time.process_time() - began)
    return least * 1e3


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    digits = 4 if max(ours, peer) < 1000 else 1
    return {
        "name": name,
        "ours": round(ours, digits),
        "peer": round(peer, digits),
        "against": against,
        "ratio": round(peer / ours, 2),
    }


class Files:
    """A sample on the disk: plain, gzipped and packed."""

    def __init__(self, sample: Sample, folder: Path) -> None:
        stem = sample.name.replace(" ", "-")
        self.plain, self.gzipped, self.packed = (
            folder / f"{stem}{end}" for end in (".xml", ".xml.gz", ".xpk")
        )
        self.plain.write_bytes(sample.body)
        self.gzipped.write_bytes(gzip.compress(sample.body, 9))
        self.packed.write_bytes(packed_bytes(sample))


@cache
def packed_bytes(sample: Sample) -> bytes:
    return pack(sample.body, sample.content_type)


def _tree(file: Path) -> Any:
    return etree.parse(str(file), etree.XMLParser(recover=True, huge_tree=True))


def _gzipped_tree(file: Path) -> Any:
    with gzip.open(file) as stream:
        return etree.parse(BytesIO(stream.read()), etree.XMLParser(recover=True, huge_tree=True))


def _asked(file: Path, expression: str) -> object:
    parse.cache_clear()
    with open_packed(file) as packed:
        found = packed.only.query(expression)
        return found if isinstance(found, (float, str, bool)) else found.texts()


def _node_count(file: Path) -> int:
    with open_packed(file) as packed:
        return len(packed.only)


def _tag_list(file: Path) -> tuple[str, ...]:
    with open_packed(file) as packed:
        return packed.only.tag_names


def _attribute_list(file: Path) -> dict[str, list[str]]:
    with open_packed(file) as packed:
        return packed.only.attribute_values()


# --- the tables and figures ------------------------------------------------------------------------------

_QUESTIONS = {
    "plays": ("//PERSONA", "/PLAY/ACT/SCENE", "//SPEECH/LINE", "//SPEAKER/text()"),
    "bibliography": ("//inproceedings/author", "//author", "//title/text()"),
    "records": ("//Author", "/root/Entry/Ref", "//Descr/text()"),
}


def sizes() -> list[Row]:
    """Returns the sizes of whole documents, beside four compressors of text (ROC Figures 42–45)."""
    found = []
    for sample in samples():
        ours = len(packed_bytes(sample))
        for name, peer in _peers(sample.body):
            found.append(_row(f"size of {sample.kind}, {sample.name}, bytes", ours, peer, name))
    return found


def _peers(body: bytes) -> Iterator[tuple[str, int]]:
    yield "gzip -9", len(gzip.compress(body, 9))
    if len(body) < 2_000_000:
        yield "zstd -19", len(zstandard.ZstdCompressor(level=19).compress(body))
        yield "xz -9", len(xz(body, preset=9))
        yield "brotli -11", len(brotli.compress(body, quality=11))


def operators() -> list[Row]:
    """Returns how far each operator shrinks its input, before any compressor (ROC Figures 37–41)."""
    found = []
    for sample in samples()[:5]:
        digest = read(sample.body, sample.content_type)
        names = [digest.tag(node) for node in range(len(digest))]
        children = page_pack(digest.depths)
        # As text an element takes its name twice and the five characters of <></>.
        structure = sum(2 * len(name) + 5 for name in names if name[0] not in "#?")
        found.append(
            _row(f"PagePack + NamePack, {sample.name}, bytes", 2 * len(children), structure, "as tags")
        )
        found.append(
            _row(
                f"PathPack, {sample.name}, numbers",
                3 * len(path_pack(children).start),
                3 * len(children),
                "a path per node",
            )
        )
        table = name_pack(names).table
        found.append(
            _row(
                f"NamePack, {sample.name}, bytes",
                sum(map(len, table)) + len(names),
                sum(map(len, names)),
                "names",
            )
        )
        pairs = [pair for node in range(len(digest)) for pair in digest.attribute_pairs(node)]
        if pairs:
            values = [value for _, value in pairs]
            urls = url_pack(values)
            left = sum(map(len, urls.rest)) + 3 * len(urls.rest)
            found.append(_row(f"URLPack, {sample.name}, bytes", left, sum(map(len, values)), "values"))
            packed = attribute_pack(pairs)
            left += sum(map(len, packed.names.table)) + len(pairs)
            plain = sum(len(name) + len(value) for name, value in pairs)
            found.append(_row(f"AttributePack, {sample.name}, bytes", left, plain, "attributes"))
        texts = [digest.own_text(node) for node in range(len(digest)) if digest.content[node] >= 0]
        kept = content_pack(texts)
        left = sum(map(len, kept.table)) + 2 * len(texts)
        found.append(_row(f"ContentPack, {sample.name}, bytes", left, sum(map(len, texts)), "texts"))
    return found


def profiles() -> list[Row]:
    """Returns the sizes of documents with every profile, beside the profile that is chosen automatically."""
    found = []
    for sample in samples()[:2]:
        chosen = len(packed_bytes(sample))
        for name in PROFILES:
            ours = len(pack(sample.body, sample.content_type, profile=name))
            found.append(_row(f"profile {name}, {sample.name}, bytes", ours, chosen, "chosen"))
    return found


def calculations(folder: Path) -> list[Row]:
    """Returns the times for node count, tag list and attribute list, with nothing cached (ROC Tables 7 and 8)."""
    found = []
    for sample in samples():
        if sample.kind == "pages":
            found += _attributes(sample, folder)
            continue
        files = Files(sample, folder)
        tasks: tuple[tuple[str, Callable[[Path], object], Callable[[Any], object]], ...] = (
            ("node count", _node_count, lambda tree: tree.xpath("count(//node())")),
            ("tag list", _tag_list, lambda tree: {element.tag for element in tree.iter(etree.Element)}),
        )
        for task, ask, walk in tasks:
            ours = best(lambda ask=ask: ask(files.packed))
            for peer, reader, file in (
                ("lxml", _tree, files.plain),
                ("lxml, gzip", _gzipped_tree, files.gzipped),
            ):
                theirs = best(lambda walk=walk, reader=reader, file=file: walk(reader(file)))
                found.append(_row(f"{task}, {sample.name}, ms", ours, theirs, peer))
    return found


def _attributes(sample: Sample, folder: Path) -> list[Row]:
    """Returns the row for the attribute list of a page. The page is written as XML first, because lxml reads
    XML faster than HTML."""
    digest = read(sample.body, "text/html")
    xml = etree.tostring(digest.tree.root)
    files = Files(Sample(sample.name, "as xml", xml), folder)
    ours = best(lambda: _attribute_list(files.packed))
    theirs = best(lambda: [item for element in _tree(files.plain).iter() for item in element.attrib.items()])
    return [_row(f"attribute list, {sample.name}, ms", ours, theirs, "lxml")]


def queries(folder: Path) -> list[Row]:
    """Returns the times for path expressions with nothing cached: counts of nodes, and their texts (ROC Tables 9
    and 10, Figures 46 and 47)."""
    found = []
    for sample in samples():
        for path in _QUESTIONS.get(sample.kind, ()):
            files = Files(sample, folder)
            expression = path if path.endswith("text()") else f"count({path})"
            kind = "texts" if path.endswith("text()") else "count"
            if not _asked(files.packed, expression):
                continue
            ours = best(lambda expression=expression: _asked(files.packed, expression))
            theirs = best(lambda expression=expression: _tree(files.plain).xpath(expression))
            found.append(_row(f"{kind} {path}, {sample.name}, ms", ours, theirs, "lxml"))
            if kind == "count":
                gzipped = best(lambda expression=expression: _gzipped_tree(files.gzipped).xpath(expression))
                found.append(_row(f"{kind} {path}, {sample.name}, ms", ours, gzipped, "lxml, gzip"))
    return found


def packing() -> list[Row]:
    """Returns how long packing takes beside gzip -9, and opening the digest beside reading the document again."""
    found = []
    for sample in samples()[:5]:
        if len(sample.body) > 2_000_000:
            continue
        ours = best(lambda sample=sample: pack(sample.body, sample.content_type), 0.1)
        theirs = best(lambda sample=sample: gzip.compress(sample.body, 9), 0.1)
        found.append(_row(f"packing {sample.name}, ms", ours, theirs, "gzip -9"))
        megabytes = len(sample.body) / 1e6
        found.append(
            _row(f"packing {sample.name}, ms per MB", ours / megabytes, theirs / megabytes, "gzip -9")
        )
        data = packed_bytes(sample)
        opened = best(lambda data=data: open_packed(data).only.digest())
        again = best(lambda sample=sample: read(sample.body, sample.content_type))
        found.append(_row(f"digest of {sample.name}, ms", opened, again, "reading again"))
    return found


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [row for _, found in _parts(folder) for row in found]


def _parts(folder: Path) -> Iterator[tuple[str, list[Row]]]:
    yield "Sizes (Figures 42–45)", sizes()
    yield "Operators (Figures 37–41)", operators()
    yield "Profiles", profiles()
    yield "Node count, tag list, attribute list (Tables 7, 8)", calculations(folder)
    yield "Path expressions (Tables 9, 10; Figures 46, 47)", queries(folder)
    yield "Packing", packing()


def main() -> None:
    if "--json" in sys.argv:
        print(json.dumps(rows(), indent=1))
        return
    with tempfile.TemporaryDirectory() as name:
        for title, found in _parts(Path(name)):
            print(f"\n{title}\n{'':58}{'ours':>12}{'peer':>12}  {'against':<16}{'ratio':>8}")
            for row in found:
                print("{name:58}{ours:12.3f}{peer:12.3f}  {against:<16}{ratio:8.2f}".format(**row))


if __name__ == "__main__":
    main()
