"""Services that must never be recognised as members: forms with an effect, and misleading answers.

The forms in `_ACTING` must not even be asked. The others may be asked, and their answers show what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import count

from tests.zoo import databases
from tests.zoo.looks import cards, items, page, table
from tests.zoo.specimen import Content, Fields, Specimen

ACTING = "acts-"
"""The names of services whose forms have an effect begin with this."""


def look_alikes() -> list[Specimen]:
    return [*_acting(), *_answering(), *_static(), *_echoing(), *_broken()]


def _form(inside: str, method: str = "get", action: str = "go", more: str = "") -> str:
    return f'<form action="{action}" method={method} {more}>{inside}</form>'


_BOX = "<label>{} <input name={}></label>"


def _asks(*names: str, button: str = "Search") -> str:
    return _form("".join(_BOX.format(name.title(), name) for name in names) + f"<button>{button}</button>")


# --- forms that do something --------------------------------------------------------------------------

_ACTING_FORMS = {
    "log-in": _form("<input name=login><input type=password name=pw><button>Search</button>"),
    "log-in-in-german": _form("Benutzer <input name=benutzer><button>Anmelden</button>"),
    "log-in-in-two-steps": _form("<input name=identifier autocomplete=username><button>Next</button>"),
    "log-in-in-japanese": _form("<input name=q><button>ログイン</button>", "post"),
    "newsletter": _form("<input type=email name=q><button>OK</button>"),
    "newsletter-in-french": _form("<input name=author><button>S'abonner</button>"),
    "newsletter-by-address": _form("<input name=author><button>OK</button>", action="newsletter/add"),
    "purchase": _form("<input name=product value=camera><button>Add to cart</button>"),
    "purchase-in-spanish": _form("<input name=producto><input type=submit value='Comprar ahora'>"),
    "payment": _form("<input name=product><input name=ccnumber autocomplete=cc-number><button>Search</button>"),
    "donation": _form("<input name=product><button>Donate</button>", "post"),
    "contact": _form("<input name=name><textarea name=message></textarea><button>Send</button>"),
    "comment": _form("<input name=name><textarea name=text></textarea><button>Go</button>", more="id=commentForm"),
    "guestbook": _form("<input name=name><textarea name=eintrag></textarea><button>Senden</button>", action="gästebuch"),
    "upload": _form("<input name=sequence><input type=file name=f><button>Search</button>"),
    "registration": _form("<input name=name><input name=email><input name=firstname><input name=lastname><button>OK</button>"),
    "new-account": "<h2>Create account</h2>" + _form("<input name=name><button>OK</button>"),
    "deletion": _form("<input name=name><button>Delete</button>"),
    "deletion-by-command": _form("<input name=name><input type=hidden name=action value=delete><button>Find</button>"),
    "unsubscribing": _form("<input name=name><button>Unsubscribe</button>"),
    "vote": _form("<input name=name><button>Vote</button>", "post"),
    "log-in-in-russian": _form("<input name=name><button>Войти</button>"),
    "order": _form("<input name=product><button name=b>In den Warenkorb</button>"),
}  # fmt: skip
_CLASSES = ("library-catalogue", "price-search", "phone-book", "dna-blast", "keyword-search")


def _acting() -> Iterator[Specimen]:
    numbers = count()
    for name, form in _ACTING_FORMS.items():
        service = _CLASSES[next(numbers) % len(_CLASSES)]
        yield _alike(ACTING + name, service, page("Welcome", form), lambda sent: page("Done", "It is done."))


# --- services of another kind -------------------------------------------------------------------------


def _answering() -> Iterator[Specimen]:
    for service, name in (
        ("library-catalogue", "author"),
        ("price-search", "product"),
        ("phone-book", "name"),
        ("dna-blast", "sequence"),
    ):
        yield _alike(f"site-search-{service}", service, page("Search", _asks(name)), _site_search(name))
    yield _alike("bookshop", "library-catalogue", page("Books", _asks("author")), _bookshop)
    yield _alike("journal-articles", "library-catalogue", page("Papers", _asks("author")), _papers)
    yield _alike("protein-blast", "dna-blast", page("BLAST", _asks("sequence")), _protein_blast)
    yield _alike("base-counter", "dna-blast", page("Bases", _asks("sequence")), _base_counter)
    yield _alike("sequence-formatter", "dna-blast", page("Formatter", _asks("sequence")), _formatter)
    yield _alike("unit-converter", "timetable", page("Units", _asks("from", "to")), _converter)
    yield _alike("distances", "timetable", page("Distance", _asks("from", "to")), _distance)
    yield _alike("meeting-rooms", "timetable", page("Rooms", _asks("from", "to")), _rooms)
    yield _alike(
        "calculator", "price-search", page("Calculator", _asks("product", button="Calculate")), _calculator
    )
    yield _alike("dictionary", "price-search", page("Dictionary", _asks("word")), _dictionary)
    yield _alike(
        "people-without-numbers", "phone-book", page("People", _asks("name")), _people_without_numbers
    )
    yield _alike("reverse-directory", "phone-book", page("Whose number?", _asks("number")), _reverse)
    yield _alike(
        "always-empty-library", "library-catalogue", page("Find", _asks("author")), _says("No titles found.")
    )
    yield _alike(
        "always-empty-trains", "timetable", page("Find", _asks("from", "to")), _says("No connections found.")
    )


def _site_search(name: str) -> Content:
    def search(sent: Fields) -> str:
        rows = databases.articles({"keywords": "water" if sent.get(name, "").isalpha() else ""}) or []
        return page("Results", f"<p>Pages about {escape(sent.get(name, ''))}</p>" + items((), rows))

    return search


def _bookshop(sent: Fields) -> str:
    rows = databases.books(sent) or []
    return page("Books", table(("Title", "Author", "Year", "Price"), [(*row[:3], "$12.00") for row in rows]))


def _papers(sent: Fields) -> str:
    rows = databases.books(sent) or []
    return page(
        "Papers", items((), [(row[0], row[1], f"Journal of Letters, {row[2]}", "PDF") for row in rows])
    )


def _protein_blast(sent: Fields) -> str:
    if not sent.get("sequence"):
        return page("BLAST", "No sequence")
    rows = "Query: 1   MVHLTPEEKSAVTALWGKVNVDEVGGEALGR 31\n           MVHLTPEEKSAVTALWGKVN+DEVGGEALGR\nSbjct: 1   MVHLTPEEKSAVTALWGKVNLDEVGGEALGR 31"
    return page("BLAST", f"<pre>&gt;HBB_PANPA\nScore = 150 bits, Expect = 1e-40\n\n{rows}</pre>")


def _base_counter(sent: Fields) -> str:
    sequence = sent.get("sequence", "").upper()
    return page("Bases", table(("Base", "Count"), [(base, str(sequence.count(base))) for base in "ACGT"]))


def _formatter(sent: Fields) -> str:
    """Numbers the lines of its input and draws bars between them, which looks like an alignment with one
    point per letter."""
    sequence = "".join(sent.get("sequence", "").split())
    bars = "|" * len(sequence)
    row = f": 1 {escape(sequence)} {len(sequence)}"
    return page(
        "Formatted", f"<pre>Score: {len(sequence)}\nQuery{row}\n         {bars}\nCopy {row}</pre>" * 2
    )


def _converter(sent: Fields) -> str:
    return page("Units", f"<p>1 {escape(sent.get('from', ''))} = 2.54 {escape(sent.get('to', ''))}</p>")


def _distance(sent: Fields) -> str:
    known = {one.casefold() for one in databases.STATIONS}
    if {sent.get("from", "").casefold(), sent.get("to", "").casefold()} <= known:
        return page("Distance", "<p>It is 289 km by road. Leave at 8:00 and you are there by noon.</p>")
    return page("Distance", "Where is that?")


def _rooms(sent: Fields) -> str:
    """Shows the same free rooms to every query."""
    return page("Rooms", table(("From", "To"), [("08:00", "09:30"), ("10:00", "11:15"), ("13:00", "14:00")]))


def _calculator(sent: Fields) -> str:
    asked = sent.get("product", "")
    return page(
        "Result", f"{asked} x 2 = ${2 * int(asked)}" if asked.isdigit() else "NaN: enter a number, e.g. 12."
    )


def _dictionary(sent: Fields) -> str:
    known = {"camera": "a room; a device that takes pictures", "radio": "a device that speaks"}
    return page("Dictionary", known.get(sent.get("word", ""), "No such word."))


def _people_without_numbers(sent: Fields) -> str:
    return page("People", cards((), [row[:2] for row in databases.people(sent) or []]))


def _reverse(sent: Fields) -> str:
    known = {"+1 555 010 2234": "Miller, Anna"}
    return page("Owner", known.get(sent.get("number", ""), "Numbers look like 0555 010 4410."))


def _says(text: str) -> Content:
    return lambda sent: page("Results", f"<p>{escape(' '.join(sent.values()))}</p><p>{text}</p>")


# --- pages that show the same to everybody ------------------------------------------------------------

_RESULTS = {
    "library-catalogue": items(
        (),
        [(*row[:3], f"Shelf mark: {row[3]}") for row in databases.books({"author": "shakespeare"}) or []],
    ),
    "price-search": table(
        ("Product", "Shop", "Price"),
        [(*row[:2], f"${row[2]}") for row in databases.offers({"product": "camera"}) or []],
    ),
    "phone-book": cards((), databases.people({"name": "miller"}) or []),
    "timetable": table(
        ("Departs", "Arrives", "Train"), databases.trains({"from": "Berlin", "to": "Hamburg"}) or []
    ),
    "keyword-search": "<p><a href='w1'>All about water</a><p><a href='w2'>Water again</a><p><a href='w3'>No water</a>",
}
_NAMES = {
    "library-catalogue": ("author",),
    "price-search": ("product",),
    "phone-book": ("name",),
    "timetable": ("from", "to"),
    "keyword-search": ("query",),
}


def _static() -> Iterator[Specimen]:
    for service, results in _RESULTS.items():
        form = page("Search", _asks(*_NAMES[service]))
        yield _alike(f"static-{service}", service, form, page("Results", results))
        both = page("Search", _asks(*_NAMES[service]) + "<h2>Today</h2>" + results)
        yield _alike(f"same-page-{service}", service, both, both)
    yield _alike(
        "home-again", "price-search", page("Shop", _asks("product")), _Nothing, redirect="/look-alike-home-again/home",
        more={"home": page("Shop", _RESULTS["price-search"])},
    )  # fmt: skip


def _echoing() -> Iterator[Specimen]:
    """Yields services that print the query back in the shape of a result."""

    def price(sent: Fields) -> str:
        asked = escape(sent.get("product", ""))
        return page("Offers", items((), [(f"{asked} new", "from $9.99"), (f"{asked} used", "from $4.99")]))

    def person(sent: Fields) -> str:
        return page("Found", f"<p>{escape(sent.get('name', ''))}<p>For this name call +1 555 010 0000")

    def book(sent: Fields) -> str:
        asked = escape(sent.get("author", ""))
        return page(
            "Found", f"<ul><li>Works of {asked}, 2004, Shelf mark AB 12<li>{asked}: a life, 2010</ul>"
        )

    def train(sent: Fields) -> str:
        ends = f"{escape(sent.get('from', ''))} – {escape(sent.get('to', ''))}"
        return page("Trips", f"<p>{ends}: 08:10 to 09:50<p>{ends}: 10:10 to 11:50")

    def hits(sent: Fields) -> str:
        asked = escape(sent.get("query", ""))
        links = "".join(
            f"<p><a href='https://{n}.example/?q={asked}'>{asked} at {n}</a>" for n in ("one", "two", "three")
        )
        return page("Results", links)

    yield _alike("echo-prices", "price-search", page("Find", _asks("product")), price)
    yield _alike("echo-person", "phone-book", page("Find", _asks("name")), person)
    yield _alike("echo-books", "library-catalogue", page("Find", _asks("author")), book)
    yield _alike("echo-trains", "timetable", page("Find", _asks("from", "to")), train)
    yield _alike("echo-hits", "keyword-search", page("Find", _asks("query")), hits)


# --- pages on which something is wrong ----------------------------------------------------------------


def _broken() -> Iterator[Specimen]:
    form = page("Find", _asks("product"))
    waits = '<html><head><meta http-equiv=refresh content="0"></head><body>Please wait</body></html>'
    chased = "<html><head><meta http-equiv=refresh content='0; url=go?n={}'></head><body>Nearly there</body></html>"
    numbers = count()
    yield _alike(
        "error-page", "price-search", form, page("Error", "<pre>Traceback: line 12, column 3: $x</pre>")
    )
    yield _alike("waits-for-ever", "price-search", form, waits)
    yield _alike("leads-on-for-ever", "price-search", form, lambda sent: chased.format(next(numbers)))
    yield _alike("redirects-for-ever", "price-search", form, _Nothing, redirect="go?again=1")
    yield _alike(
        "script-only",
        "price-search",
        page("Find", _form("<input name=product><button>Search</button>", action="javascript:run()")),
        "",
    )
    yield _alike(
        "frames-in-frames", "price-search", form, "<frameset><frame src='go?1'><frame src='go?2'></frameset>"
    )
    yield _alike("no-form", "price-search", page("Prices", _RESULTS["price-search"]), "")
    yield _alike("empty-answer", "price-search", form, "")
    yield _alike("binary-answer", "price-search", form, "\x00\x01\x02" * 500)
    yield _alike(
        "links-for-ever",
        "price-search",
        form,
        "<a href='go?a'>results</a><a href='go?b'>your results</a><a href=x>results</a>",
    )


_Nothing: Content = ""


def _alike(
    name: str,
    service: str,
    form: str,
    answer: Content,
    *,
    redirect: str = "",
    more: dict[str, Content] | None = None,
) -> Specimen:
    pages = {"": form, **(more or {})} if redirect else {"": form, "go": answer, **(more or {})}
    redirects = {"go": lambda _: redirect} if redirect else {}
    return Specimen(
        name=f"look-alike-{name}", service=service, member=False, pages=pages, redirects=redirects
    )
