"""A little web generated from numbers: a few sites with thousands of pages, and some services among them.

It resembles the web that the thesis crawled: sites of one field of science. Few pages offer the wanted
service, most have some form, and nearly all lead to unrelated pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random

from tests.site import Site
from tests.site.log import Request

SITES = 4
SERVICES = 8
"""Services on each site."""
_PAGES = 2_000
_LINKS = 14
_KINDS = ("people", "papers", "news", "genomes", "courses", "seminars", "jobs", "protocols")
_SPECIES = ("mouse", "yeast", "wheat", "rice", "frog", "salmon", "maize", "barley")

GENE = "ATGGTGCATCTGACTCCTGAG"
"""The beginning of the gene of human haemoglobin."""
HITS = """<title>{1} BLAST</title><h1>Search results</h1><p>Sequences with significant alignments: {1}</p>
<pre>>{1} chromosome 1
 Score = 212 bits (107), Expect = 3e-54
Query: 1 {0} {2}
         {3}
Sbjct: 280 {0} 412
</pre>"""
SEARCH = "<form action=/find><label>Search this site <input name=q></label><button>Go</button></form>"


@contextmanager
def little_web() -> Iterator[list[Site]]:
    with ExitStack() as running:
        sites = [running.enter_context(Site(f"127.0.0.{number}")) for number in range(1, SITES + 1)]
        hosts = [site.url for site in sites]
        for number, site in enumerate(sites):
            site.page("*", lambda request, number=number: _page(hosts, number, request))
        yield sites


def _page(hosts: list[str], number: int, request: Request) -> str:
    path = request.path
    if path == "/robots.txt":
        return ""
    if path == "/find":
        return f"<title>Found</title><p>Nothing was found for {request.fields.get('q', '')!r}.</p>"
    if path.startswith("/cgi/blast"):
        return blast_page(request)
    if path == "/tools/":
        return _framed("Tools", [("/tools/blast/", "BLAST servers"), ("/tools/fasta.html", "FASTA")])
    if path == "/tools/blast/":
        return _framed("BLAST servers", [_service(species) for species in _SPECIES])
    if path.startswith("/tools/blast/"):
        return _form(path)
    return _framed(path.strip("/") or "Home", _links(hosts, number, path))


def _service(species: str) -> tuple[str, str]:
    return f"/tools/blast/{species}_blast.html", f"Search the {species} genome"


def _form(path: str) -> str:
    species = path.rpartition("/")[2].partition("_")[0]
    return (
        f"<title>{species} BLAST</title><h1>Search the {species} genome</h1>"
        f"<form action=/cgi/blast/{species}><label>Sequence <textarea name=sequence></textarea></label>"
        "<select name=program><option>blastn</select><button>Search</button></form>"
        f"<p><a href=/tools/blast/>All our BLAST servers</a></p>{SEARCH}"
    )


def blast_page(request: Request) -> str:
    """Answers like a BLAST server that knows one gene, and says so if it finds nothing."""
    sequence = "".join(request.fields.get("sequence", "").upper().split())
    if len(sequence) < 10 or set(sequence) - set("ACGTN"):
        return "<title>BLAST error</title><p>Give a nucleotide sequence of ten letters at least.</p>"
    if not sequence.startswith(GENE):
        return "<title>BLAST</title><p>No significant similarity found.</p>"
    letters = sequence[:40]
    return HITS.format(letters, request.path.rpartition("/")[2], len(letters), "|" * len(letters))


def _links(hosts: list[str], number: int, path: str) -> list[tuple[str, str]]:
    """Returns the links of a page, always the same for the same page; a home page also leads to the tools."""
    chance = Random(f"{number}{path}")
    found = []
    for _ in range(_LINKS):
        host = hosts[number] if chance.random() < 0.8 else chance.choice(hosts)
        kind, page = chance.choice(_KINDS), chance.randrange(_PAGES)
        found.append((f"{host}/{kind}/{kind}-{page}-{chance.choice(_SPECIES)}.html", f"{kind} {page}"))
    if chance.random() < 0.1:
        found.append(("/", "Home"))
    if path == "/":
        found.insert(9, ("/tools/", "Our tools"))
    elif chance.random() < 0.02:
        host = chance.choice(hosts)
        address, words = _service(chance.choice(_SPECIES))
        found.insert(5, (host + address, words))
    return found


def _framed(title: str, links: list[tuple[str, str]]) -> str:
    listed = "".join(f"<li><a href='{address}'>{words}</a>" for address, words in links)
    text = f"This page is about {title}, and about nothing else that anybody could want to know. "
    return f"<title>{title}</title>{SEARCH}<h1>{title}</h1><p>{text * 3}</p><ul>{listed}</ul>"
