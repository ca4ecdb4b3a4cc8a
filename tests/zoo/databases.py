"""The data behind the services: a query in, rows out; no rows if nothing fits, None for a nonsense query."""

from __future__ import annotations

from collections.abc import Callable

Row = tuple[str, ...]
Rows = list[Row] | None
Ask = Callable[[dict[str, str]], Rows]

_BOOKS: list[Row] = [
    ("Hamlet, Prince of Denmark", "William Shakespeare", "1998", "PR 2807 .A2"),
    ("The Tempest", "William Shakespeare", "2008", "PR 2833 .A2"),
    ("Shakespeare: the invention of the human", "Harold Bloom", "1999", "PR 2976 .B585"),
    ("Faust. Der Tragödie erster Teil", "Johann Wolfgang Goethe", "1986", "GK 4052"),
    ("Goethe in Weimar", "Effi Biedrzynski", "1992", "GK 4101"),
    ("Les Misérables", "Victor Hugo", "1995", "PQ 2286"),
]
_OFFERS: list[Row] = [
    ("Compact camera Vista 12", "Photo Lane", "129.00"),
    ("Mirrorless camera Argo M2", "Lens and Light", "849.90"),
    ("Camera bag, grey", "Photo Lane", "34.50"),
    ("Kitchen radio Tone 3", "Wave Store", "59.00"),
    ("Pocket radio Mini", "Wave Store", "19.95"),
    ("Garden chair", "Green House", "45.00"),
]
_PEOPLE: list[Row] = [
    ("Miller, Anna", "12 Elm Street, Springfield", "+1 555 010 2234"),
    ("Miller, Robert", "4 Lake Road, Springfield", "+1 555 010 9981"),
    ("Martin, Claire", "8 Mill Lane, Newport", "0555 010 4410"),
    ("Martin, Luc", "31 Quay Street, Newport", "0555 010 7725"),
    ("Olsen, Kari", "2 Hill Street, Dover", "+1 555 010 3345"),
]
_TRAINS: dict[tuple[str, str], list[Row]] = {
    ("berlin", "hamburg"): [
        ("06:38", "08:22", "ICE 802"),
        ("07:38", "09:20", "ICE 804"),
        ("09:06", "11:01", "IC 2072"),
    ],
    ("paris", "lyon"): [
        ("07:00", "08:56", "TGV 6603"),
        ("08:00", "09:58", "TGV 6605"),
        ("10:00", "12:01", "TGV 6609"),
    ],
}
STATIONS = ("Berlin", "Bremen", "Hamburg", "Lyon", "Paris", "Rostock")
_ARTICLES: list[Row] = [
    ("Where does our water come from?", "Springs, rivers and wells."),
    ("Water in the city", "Pipes under the streets."),
    ("Saving water at home", "Ten things to do today."),
    ("Energy from the wind", "Towers on the hills."),
    ("Storing energy", "Lakes, batteries, salt."),
]
_GENES: dict[str, str] = {
    "HBB|Homo_sapiens": "ATGGTGCATCTGACTCCTGAGGAGAAGTCTGCCGTTACTGCCCTGTGGGGCAAGGTGAACGTGGATGAAGTTGGTGGTGAGGCCCTGGGCAGG",
    "HBB|Pan_paniscus": "ATGGTGCATCTGACTCCTGAGGAGAAGTCTGCCGTTACTGCCCTGTGGGGCAAGGTGAACGTGGATGAAGTTGGTGGTGAGGCCCTGGGCAGA",
    "MT-CO1|Homo_sapiens": "GATCACAGGTCTATCACCCTATTAACCACTCACGGGAGCTCTCCATGCATTTGGTATTTTCGTCTGGGGG",
}


def books(asked: dict[str, str]) -> Rows:
    return _containing(_BOOKS, [asked.get("author", ""), asked.get("title", "")])


def offers(asked: dict[str, str]) -> Rows:
    return _containing(_OFFERS, [asked.get("product", "")])


def people(asked: dict[str, str]) -> Rows:
    found = _containing(_PEOPLE, [asked.get("name", "")])
    place = asked.get("place", "").casefold()
    return (
        found
        if not place or place == "all" or not found
        else [row for row in found if place in row[1].casefold()]
    )


def articles(asked: dict[str, str]) -> Rows:
    return _containing(_ARTICLES, [asked.get("keywords", "")])


def trains(asked: dict[str, str]) -> Rows:
    ends = asked.get("from", "").strip().casefold(), asked.get("to", "").strip().casefold()
    known = {station.casefold() for station in STATIONS}
    return _TRAINS.get(ends, []) if set(ends) <= known and ends[0] != ends[1] else None


def genes(asked: dict[str, str]) -> Rows:
    """Returns alignments as the programs print them, three lines each. Program and database must be right."""
    sequence = "".join(asked.get("sequence", "").split()).upper()
    if not sequence or set(sequence) - set("ACGTN"):
        return None
    if asked.get("program", "blastn") != "blastn" or asked.get("database", "nt") not in ("nt", "est_human"):
        return None
    return [
        (name, _aligned(sequence, known)) for name, known in _GENES.items() if _alike(sequence, known) > 0.8
    ]


def _containing(rows: list[Row], wanted: list[str]) -> Rows:
    words = [word.casefold() for text in wanted for word in text.split()]
    if not words:
        return None
    return [row for row in rows if all(word in " ".join(row).casefold() for word in words)]


def _alike(one: str, other: str) -> float:
    return sum(a == b for a, b in zip(one, other, strict=False)) / max(len(one), len(other))


def _aligned(query: str, subject: str, width: int = 50) -> str:
    lines = []
    for at in range(0, min(len(query), len(subject)), width):
        upper, lower = query[at : at + width], subject[at : at + width]
        bars = "".join("|" if a == b else " " for a, b in zip(upper, lower, strict=False))
        lines += [
            f"Query: {at + 1:<5} {upper} {at + len(upper)}",
            f"{'':13}{bars}",
            f"Sbjct: {at + 1:<5} {lower} {at + len(lower)}",
            "",
        ]
    return "\n".join(lines)
