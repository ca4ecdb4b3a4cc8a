"""Some ninety members of the shipped classes, made by counting through everything that can differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tests.zoo import databases
from tests.zoo.databases import STATIONS, Ask, Row
from tests.zoo.looks import FORM_LOOKS, RESULT_LOOKS, Entry, page
from tests.zoo.passages import PASSAGES
from tests.zoo.specimen import Fields, Specimen
from tests.zoo.tongues import TONGUES, Tongue

_PRICES: tuple[Callable[[str], str], ...] = (
    lambda amount: f"${amount}",
    lambda amount: f"{amount.replace('.', ',')} €",
    lambda amount: f"€ {amount}",
    lambda amount: f"CHF {amount}",
    lambda amount: f"£{amount}",
)
# Answers that the first example would find; some services do not have them.
_FIRST = {"books": "shakespeare", "offers": "camera", "people": "miller", "articles": "water", "genes": "hbb"}
_EXTRA_FORMS = (
    "",
    '<form action="/login" method=post><input name=user><input type=password name=pw><button>Log in</button></form>',
    '<form action="/newsletter" method=post><input type=email name=email><input type=submit value=Subscribe></form>',
)


@dataclass(frozen=True)
class Kind:
    """A service class, the data behind its members, and the sets of fields that their forms may have."""

    service: str
    topic: str
    ask: Ask
    roles: tuple[tuple[str, ...], ...]
    count: int


KINDS = (
    Kind("library-catalogue", "books", databases.books, (("author",), ("author", "title"), ("author",)), 18),
    Kind("price-search", "offers", databases.offers, (("product",),), 17),
    Kind("phone-book", "people", databases.people, (("name",), ("name", "place")), 17),
    Kind("timetable", "trains", databases.trains, (("from", "to"),), 16),
    Kind("dna-blast", "genes", databases.genes, (("sequence", "program", "database"), ("sequence",)), 17),
    Kind("keyword-search", "articles", databases.articles, (("keywords",),), 9),
)


def members() -> list[Specimen]:
    return [_member(kind, number) for kind in KINDS for number in range(kind.count)]


@dataclass(frozen=True)
class _Making:
    """One member while it is made. Its number decides everything about it."""

    kind: Kind
    number: int

    @property
    def tongue(self) -> Tongue:
        return TONGUES[self.number % len(TONGUES)]

    @property
    def roles(self) -> tuple[str, ...]:
        return self.kind.roles[self.number % len(self.kind.roles)]

    def name(self, role: str) -> str:
        """Returns the name of a field: in the language of the service, in English, or without any meaning."""
        at = self.roles.index(role)
        match self.number % 5:
            case 0 | 1:
                return self.tongue.names[role]
            case 2:
                return role if role != "from" else "origin"
            case 3:
                return f"ctl00$main$txt{at + 3}"
            case _:
                return f"f{at + 1}"

    def asked(self, sent: Fields) -> Fields:
        return {role: sent.get(self.name(role), "") for role in self.roles}

    def rows(self, sent: Fields) -> list[Row] | None:
        found = self.kind.ask(self.asked(sent))
        if found and self.number % 5 == 4:
            found = [row for row in found if _FIRST.get(self.kind.topic, "?") not in " ".join(row).casefold()]
        return found


def _member(kind: Kind, number: int) -> Specimen:
    made = _Making(kind, number)
    between = PASSAGES[number % len(PASSAGES)](made.tongue, lambda sent: _answer(made, sent))
    form = page(_title(made), _extra(number) + _form(made), old=number % 4 == 3)
    return Specimen(
        name=f"{kind.service}-{number:02d}",
        service=kind.service,
        member=True,
        pages={"": form, **between.pages},
        redirects=between.redirects,
        charset="utf-8" if number % 7 else "iso-8859-1",
    )


def _title(made: _Making) -> str:
    return f"{made.tongue.search} {made.number}"


def _extra(number: int) -> str:
    return _EXTRA_FORMS[number % len(_EXTRA_FORMS)]


def _form(made: _Making) -> str:
    look = FORM_LOOKS[made.number % len(FORM_LOOKS)]
    entries = [_entry(made, role) for role in made.roles] + _others(made)
    if made.number % 2:
        entries = entries[::-1]
    method = "post" if made.number % 3 == 0 else "get"
    inside = look(entries, made.tongue.search)
    form = f'<form action="go" method="{method}"><input type=hidden name=sid value="a{made.number}">{inside}</form>'
    return _in_table(form) if made.number % 9 == 8 else form


def _in_table(form: str) -> str:
    """Writes the form between the rows of a table, as many old pages do."""
    start, _, rest = form.partition(">")
    return f"<table>{start}><tr><td>{rest.removesuffix('</form>')}</td></tr></form></table>"


def _entry(made: _Making, role: str) -> Entry:
    name, label = made.name(role), made.tongue.labels[role]
    match role:
        case "sequence":
            return Entry(name=name, label=label, kind="textarea")
        case "program":
            programs = ("blastp", "blastn", "tblastn", "blastx")
            return Entry(
                name=name, label=label, choices=tuple((one, one) for one in programs), value="blastp"
            )
        case "database":
            return Entry(
                name=name,
                label=label,
                choices=(("swissprot", "Proteins"), ("nt", "Nucleotides"), ("x", "Test")),
            )
        case "place":
            places = (("all", "–"), ("springfield", "Springfield"), ("newport", "Newport"))
            return Entry(name=name, label=label, choices=places)
        case "from" | "to" if made.number % 4 == 1:
            listed = tuple((station, station) for station in STATIONS)
            return Entry(name=name, label=label, choices=(("", "---"), *listed))
        case "author" | "keywords" | "product" if made.number % 4 == 2:
            return Entry(name=name, label=label, kind="search")
    return Entry(name=name, label=label)


def _others(made: _Making) -> list[Entry]:
    """Returns further fields of a form that the service does not need."""
    sort = Entry(name="sort", label="Sort order", choices=(("rel", "Relevance"), ("date", "Date")))
    many = Entry(name="n", label="Number", choices=tuple((str(n), str(n)) for n in (10, 20, 50)))
    flag = Entry(name="exact", label="Exact", kind="checkbox", value="1")
    limit = Entry(name="limit", label="Maximum", value="100")
    return [[], [sort], [sort, many], [flag], [limit, many]][made.number % 5]


# --- answers ------------------------------------------------------------------------------------------


def _answer(made: _Making, sent: Fields) -> str:
    rows = made.rows(sent)
    said = " ".join(made.asked(sent).values())
    if rows is None:
        body = f"<p class=error>{made.tongue.wrong}</p>"
    elif not rows:
        body = f"<p>{escape(said[:60])}</p><p>{made.tongue.nothing[made.kind.topic]}</p>"
    else:
        body = f"<p>{made.tongue.results}: {escape(said[:60])}</p>" + _results(made, rows)
    again = _form(made) if made.number % 2 else ""
    return page(made.tongue.results, again + body, old=made.number % 4 == 3)


def _results(made: _Making, rows: list[Row]) -> str:
    if made.kind.topic == "genes":
        return _alignments(made, rows)
    if made.kind.topic == "articles":
        return _hits(made, rows)
    look = RESULT_LOOKS[made.number % len(RESULT_LOOKS)]
    return look(made.tongue.heads[made.kind.topic], [_worded(made, row) for row in rows])


def _worded(made: _Making, row: Row) -> Row:
    match made.kind.topic:
        case "books":
            mark, status = made.tongue.shelf
            return (*row[:3], f"{mark}: {row[3]} ({status})")
        case "offers":
            return (*row[:2], _PRICES[made.number % len(_PRICES)](row[2]))
    return row


def _alignments(made: _Making, rows: list[Row]) -> str:
    pieces = [
        f"&gt;{escape(name)}\nScore = {90 - 7 * n} bits, Expect = 2e-{20 - n}\n\n{text}"
        for n, (name, text) in enumerate(rows)
    ]
    match made.number % 3:
        case 0:
            return "<PRE>" + "\n".join(pieces) + "</PRE>"
        case 1:
            return "".join(f'<div class="hit"><a name="h"></a><pre>{one}</pre></div>' for one in pieces)
        case _:
            marked = (
                "\n".join(pieces)
                .replace("Query:", "<b>Query:</b>")
                .replace("Sbjct:", "<font color=red>Sbjct:</font>")
            )
            return f"<table><tr><td><pre>{marked}</pre></td></tr></table>"


def _hits(made: _Making, rows: list[Row]) -> str:
    links = [
        f'<a href="read?id={n}">{escape(title)}</a> {escape(text)}' for n, (title, text) in enumerate(rows)
    ]
    match made.number % 3:
        case 0:
            return "<ol>" + "".join(f"<li>{one}" for one in links) + "</ol>"
        case 1:
            return "".join(f"<p>{one}</p>" for one in links)
        case _:
            return "<table>" + "".join(f"<tr><td>{n}<td>{one}" for n, one in enumerate(links)) + "</table>"
