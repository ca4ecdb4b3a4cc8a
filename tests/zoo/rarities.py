"""Members made by hand, with traits that the combinations in `members` do not have."""

from __future__ import annotations

from html import escape

from tests.zoo import databases
from tests.zoo.databases import Row
from tests.zoo.looks import items, page, table
from tests.zoo.specimen import Content, Fields, Specimen


def rarities() -> list[Specimen]:
    return [
        _rare(
            "form-in-a-frame", "price-search", _FRAMES, {"form": page("Shop", _ask("product")), "go": _offers}
        ),
        _rare("asks-itself", "price-search", _asks_itself, {}),
        _rare("plain-text", "dna-blast", page("BLAST", _BLAST), {"go": _plain_alignments}, plain={"go"}),
        _rare("many-parameters", "dna-blast", page("BLAST", _COMPLEX), {"go": _strict_alignments}),
        _rare("search-by-radio", "library-catalogue", page("Catalogue", _RADIO), {"go": _by_kind}),
        _rare("based-elsewhere", "phone-book", _BASED, {"cgi/go": _people}),
        _rare("long-answer", "price-search", page("Shop", _ask("q")), {"go": _long_answer}),
        _rare("japanese", "keyword-search", page("検索", _JAPANESE), {"go": _hits}),
        _rare("italian", "price-search", page("Prezzi", _ITALIAN), {"go": _italian_offers}),
        _rare("nested-tables", "phone-book", page("People", _ask("name"), old=True), {"go": _nested}),
        _rare(
            "menu-of-forms", "timetable", page("Travel", _MENU), {"go": _trains, "other": "<p>Nothing here."}
        ),
        _rare("suggests-others", "price-search", page("Shop", _ask("search")), {"go": _suggesting}),
        _rare("chosen-by-number", "timetable", page("Trains", _BY_NUMBER), {"go": _by_number}),
        _rare("typed-twice", "library-catalogue", page("Books", _TWICE), {"go": _books}),
        _rare(
            "wordy-wait", "library-catalogue", page("Books", _ask("author")), {"go": _wordy, "show": _books}
        ),
        _rare(
            "no-button",
            "phone-book",
            page("People", "<form action=go>Name: <input name=n></form>"),
            {"go": _short},
        ),
        _rare(
            "button-by-formaction",
            "price-search",
            page("Shop", _FORMACTION),
            {"list": _offers, "map": "<p>A map."},
        ),
        _rare("xhtml", "timetable", _XHTML, {"go": _trains}),
    ]


def _ask(name: str, button: str = "Search") -> str:
    return (
        f"<form action=go><label>{name.title()} <input name={name}></label><button>{button}</button></form>"
    )


_FRAMES = "<html><frameset rows='80,*'><frame src='/about'><frame src='form'></frameset></html>"
_BLAST = "<form action=go method=post><textarea name=QUERY_DATA></textarea><input type=submit value='Run BLAST'></form>"
_COMPLEX = """<form action="go" method="POST" enctype="multipart/form-data">
Choose program <select name=PROGRAM><option>blastp<option>blastn<option>tblastx</select> and
<a href=/db>database</a>: <select name=DATALIB><option value=nr>nr<option value=nt>nt<option value=est_human>EST</select>
<p>Enter sequence below in <a href=/fasta>FASTA</a> format<br><textarea name=SEQUENCE rows=6 cols=60></textarea>
<p>Set subsequence: From <input name=QUERY_FROM size=5> To <input name=QUERY_TO size=5>
<p>Expect <select name=EXPECT><option>0.01<option selected>10</select> Matrix <select name=MATRIX><option>BLOSUM62</select>
<input type=checkbox name=FILTER value=L checked>Low complexity <input type=checkbox name=UNGAPPED>Ungapped
<p>Genetic code <select name=CODE><option>Standard (1)</select> Word size <input name=WORD value=11>
Descriptions <select name=DESC><option>100</select> Alignments <select name=ALIGN><option>50</select>
<p>E-mail (optional) <input name=EMAIL> <input type=button value='Clear'><input type=submit value='Submit query'></form>"""
_RADIO = """<form action=go><input name=term> <input type=radio name=by value=title checked>Title
<input type=radio name=by value=author>Author <input type=radio name=by value=any>Anywhere <button>Find</button></form>"""
_BASED = '<html><head><base href="cgi/"></head><body><form action=go>Surname <input name=sn><input type=submit value=Find></form>'
_JAPANESE = "<form action=go><input name=kw placeholder=キーワード><button>検索</button></form>"
_ITALIAN = "<form action=go method=post>Prodotto <input name=p1><input type=submit value=Cerca></form>"
_MENU = (
    '<form action=other><input name=word><button>Search</button></form>'
    '<form action=other><select name=month><option>May</select><button>Show</button></form>'
    '<form action=go>From <input name=a1> To <input name=a2> <input type=date name=day><button>Show trains</button></form>'
)  # fmt: skip
_STATIONS = "".join(f"<option value={n}>{name}</option>" for n, name in enumerate(databases.STATIONS, 1))
_BY_NUMBER = (
    f"<form action=go>Start <select name=s><option value=0>Choose</option>{_STATIONS}</select> "
    f"Destination <select name=d><option value=0>Choose</option>{_STATIONS}</select><button>Go</button></form>"
)
_TWICE = "<form action=go><input name=title title=Title><input name=author title=Author><input name=author2 title='Second author'><button>Search</button></form>"
_FORMACTION = "<form><input name=q><button formaction=map>Show map</button><button formaction=list>Search offers</button></form>"
_XHTML = (
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">'
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Trains</title></head><body><form action="go"><p>'
    '<label>From <input name="f"/></label><label>To <input name="t"/></label><input type="submit" value="OK"/></p></form></body></html>'
)


def _first(sent: Fields, *names: str) -> str:
    return next((sent[name] for name in names if sent.get(name)), "")


def _priced(rows: list[Row] | None, sign: str = "$") -> list[Row]:
    return [(row[0], row[1], f"{sign}{row[2]}") for row in rows or []]


def _offers(sent: Fields) -> str:
    rows = _priced(databases.offers({"product": _first(sent, "product", "q", "search")}))
    return page("Offers", table(("Product", "Shop", "Price"), rows) if rows else "<p>No products found.")


def _asks_itself(sent: Fields) -> str:
    """Has one address for the form and its answers, with the form above both, and always shows some
    offers."""
    rows = _priced(databases.offers({"product": _first(sent, "what")}))
    today = "<h2>Today</h2>" + items(
        (), [("Garden chair", "Green House", "$45.00"), ("Table", "Green House", "$90.00")]
    )
    found = items((), rows) if rows else "<p>Nothing." if sent else ""
    return page("Shop", f"<form><input name=what><input type=submit></form>{found}{today}")


def _alignments(sent: Fields) -> str:
    rows = databases.genes({"sequence": _first(sent, "QUERY_DATA", "SEQUENCE")})
    if rows is None:
        return "ERROR: this is no sequence"
    return (
        "\n".join(f">{name}\n Score = 80 bits (40), Expect = 1e-12\n\n{text}" for name, text in rows)
        or "No significant similarity found."
    )


def _plain_alignments(sent: Fields) -> str:
    return f"BLASTN 2.2.1\n\n{_alignments(sent)}\n"


def _strict_alignments(sent: Fields) -> str:
    right = sent.get("PROGRAM") == "blastn" and sent.get("DATALIB") in ("nt", "est_human")
    return page(
        "BLAST", f"<pre>{escape(_alignments(sent))}</pre>" if right else "<p>Program and database do not fit."
    )


def _holdings(rows: list[Row] | None) -> str:
    told = [(row[0], row[1], row[2], f"Call number {row[3]}") for row in rows or []]
    return page("Books", items((), told) if told else "<p>No records found.")


def _by_kind(sent: Fields) -> str:
    found = databases.books({"author": sent.get("term", "")}) or []
    column = {"title": 0, "author": 1}.get(sent.get("by", ""))
    return _holdings(
        [row for row in found if column is None or sent["term"].casefold() in row[column].casefold()]
    )


def _books(sent: Fields) -> str:
    return _holdings(databases.books({"author": _first(sent, "author")}))


def _people(sent: Fields) -> str:
    rows = databases.people({"name": _first(sent, "sn", "n", "name")})
    return page("People", items((), rows) if rows else "<p>No entries found.")


_short = _people


def _long_answer(sent: Fields) -> str:
    rows = databases.offers({"product": sent.get("q", "")})
    return page("Offers", "<p>All about our shop.</p>\n" * 9000 + items((), _priced(rows)))


def _hits(sent: Fields) -> str:
    rows = databases.articles({"keywords": sent.get("kw", "")}) or []
    links = "".join(f"<li><a href='a{n}'>{escape(title)}</a>" for n, (title, _) in enumerate(rows))
    return page("検索結果", f"<ul>{links}</ul>" if links else "<p>見つかりません")


def _italian_offers(sent: Fields) -> str:
    rows = _priced(databases.offers({"product": sent.get("p1", "")}), "€ ")
    return page("Offerte", items((), rows) if rows else "<p>Nessun prodotto.")


def _nested(sent: Fields) -> str:
    """Nests a table in a table in a table, with an invisible picture in every other cell."""
    rows = databases.people({"name": sent.get("name", "")}) or []
    told = "".join(
        f"<TR><TD><IMG SRC=x.gif><TD><FONT><B>{r[0]}</B></FONT><TD><TABLE><TR><TD>{r[1]}<TR><TD>{r[2]}</TABLE>"
        for r in rows
    )
    return page("People", f"<TABLE><TR><TD><TABLE>{told}</TABLE></TABLE>", old=True)


def _trains(sent: Fields) -> str:
    rows = databases.trains({"from": _first(sent, "a1", "f", "s"), "to": _first(sent, "a2", "t", "d")})
    return page("Trains", table(("Departs", "Arrives", "Train"), rows) if rows else "<p>Which station?")


def _by_number(sent: Fields) -> str:
    names = dict(enumerate(databases.STATIONS, 1))
    chosen = [names.get(int(sent.get(name) or 0), "") for name in ("s", "d")]
    return _trains({"s": chosen[0], "d": chosen[1]})


def _suggesting(sent: Fields) -> str:
    """Shows other offers in the same form if nothing was found."""
    rows = (
        databases.offers({"product": sent.get("search", "")}) or databases.offers({"product": "garden"}) or []
    )
    return page("Offers", items((), _priced([*rows, ("Table", "Green House", "90.00")])))


def _wordy(sent: Fields) -> str:
    """Asks for patience in many words."""
    words = "<p>Our catalogue is old, and so are our machines. We ask for your patience.</p>" * 30
    return page("Working", f"{words}<a href='show?author={escape(sent.get('author', ''))}'>See results</a>")


def _rare(
    name: str, service: str, form: Content, pages: dict[str, Content], plain: set[str] | None = None
) -> Specimen:
    return Specimen(
        name=f"rare-{name}",
        service=service,
        member=True,
        pages={"": form, **pages},
        plain=frozenset(plain or ()),
    )
