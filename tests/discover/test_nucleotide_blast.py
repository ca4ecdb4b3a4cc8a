"""The service class of the DynaBot thesis finds services as they were when it was written (S1, S3)."""

from __future__ import annotations

import pytest

from tests.discover.asking import analyse_page
from tests.discover.classes import text
from tests.site import Site
from webvigil.discover.bounds import Bounds
from webvigil.discover.service import read_service_class, service_class
from webvigil.errors import MistakeInText

# Two servers of that time: the program of the NCBI, and a script of a laboratory around it.
NCBI = """<html><head><title>BLAST Search</title></head><body bgcolor="#FFFFFF"><h2>BLAST server</h2>
<form action="/cgi-bin/blast.cgi" method=POST enctype="multipart/form-data">
Program <select name=PROGRAM><option> blastn<option> blastp<option> blastx</select>
Database <select name=DATALIB><option value=ecoli>E. coli genome<option value=yeast>Yeast</select>
<p>Enter sequence below in FASTA format<br><textarea name="SEQUENCE" rows=6 cols=60></textarea>
<input type=button value="Clear sequence"><input type=submit value="Search"></form></body></html>"""
LAB = """<html><body><h1>Our clones</h1><form action="/cgi-bin/blast.cgi" method=GET>
Query <input name=query_data size=60> Prog <input type=radio name=prog value=blastp>blastp
<input type=radio name=prog value=blastn checked>blastn <input type=submit value="Run BLAST"></form></body>"""
ANSWER = """<html><body><pre>
<b>BLASTN 2.2.6 [Apr-09-2003]</b>

Sequences producing significant alignments:                      (bits) Value
<a href="http://www.ncbi.test/query?val=1786181">gb|AE000111.1|</a> E. coli <a href = #1786181>167</a> 2e-39

<a name = 1786181></a>>gb|AE000111.1| Escherichia coli K-12
          Length = 10596

 Score =  167 bits (84), Expect = 2e-39
 Identities = 84/84 (100%)

Query: 1    {first} 40
            {bars}
Sbjct: 4031 {first} 4070

Query: 41   {second} 80
            {bars}
Sbjct: 4071 {second} 4110

</pre></body></html>"""
NOTHING = "<html><body><pre>\nBLASTN 2.2.6\n\n ***** No hits found ******\n\n</pre></body></html>"
KNOWN = "CTGCATCAGTAATTTTAATAGAGACTCTTAGTGGTTATCAACAACTGGTCAGTTGTTTTTTTTTTTTTCC"


def blast(fields: dict[str, str]) -> str:
    asked = "".join((fields.get("SEQUENCE") or fields.get("query_data") or "").split()).upper()
    if not asked.startswith(KNOWN):
        return NOTHING
    return ANSWER.format(first=asked[:40].lower(), second=asked[40:80].lower(), bars="|" * 40)


@pytest.mark.parametrize("form", [NCBI, LAB], ids=["ncbi", "laboratory"])
def test_alignment_services_of_its_time_are_found(site: Site, form: str):
    site.page("/blast.html", form)
    site.page("/cgi-bin/blast.cgi", lambda request: blast(request.fields)).allows("GET", "POST")
    (found,) = analyse_page(f"{site.url}/blast.html", service_class("nucleotide-blast"), Bounds(post=True))
    assert found.outcome == "matched", found.reason
    assert found.profile is not None
    assert found.profile.states == ("start", "summary")


@pytest.mark.parametrize(
    "answer",
    [
        "<pre>Score = 10, Expect = 2e-5 but no alignment</pre><a href='x'>x</a>",
        "<p>Thank you for your sequence.",
        ANSWER.replace("href", "name"),
    ],
    ids=["no alignment", "thanks", "no link to a gene"],
)
def test_other_answers_are_none(site: Site, answer: str):
    site.page("/blast.html", NCBI)
    site.page(
        "/cgi-bin/blast.cgi",
        lambda request: answer.format(first="ACGT" * 10, second="ACGT" * 10, bars="|" * 40),
    ).allows("POST")
    (found,) = analyse_page(f"{site.url}/blast.html", service_class("nucleotide-blast"), Bounds(post=True))
    assert found.outcome == "unmatched"


def test_a_pattern_that_needs_markup_is_looked_for_in_the_source():
    service = read_service_class(text('<type name="Result" type="string" pattern="&lt;td>\\d+"/>').encode())
    assert service.types[0].view == "source"


@pytest.mark.parametrize(
    ("types", "said"),
    [
        ('<type name="Result" type="string" pattern="a[^\\s\\S]b"/>', "can never match"),
        ('<type name="Result"><element pattern="[^\\d\\D]"/></type>', "can never match"),
        (
            '<type name="Result" in="text"><element pattern="href="/></type>',
            'needs markup, which is in="source"',
        ),
    ],
)
def test_patterns_that_can_never_match_are_told(types: str, said: str):
    with pytest.raises(MistakeInText, match=said) as caught:
        read_service_class(text(types).encode())
    assert caught.value.line == 2
